"""`python -m geminipty` is `geminipty`, for where no script was installed.

Rule: nothing of its own.
"""

import sys

from geminipty.cli import main

sys.exit(main())
