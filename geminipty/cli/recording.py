"""`geminipty record`: a run of the CLI as a recording, led by hand or by prompts.

Rule: the recording is private, whole at any moment, and never written over another unless told.
"""

import argparse
import sys

from geminipty.errors import GeminiPtyError
from geminipty.options import OptionNames, Options
from geminipty.visible import line

from .say import put, say
from .words import Commands, seconds

_RECORD = """\
  geminipty record story.cast                      use the CLI by hand, in this terminal
  geminipty record story.cast --trust --ask "say hello" --ask "and in French"
  geminipty record story.cast --ask "list the files" --approvals allow -- --sandbox
  geminipty play story.cast
"""


def add(commands: Commands) -> None:
    """The commands of this module."""
    record = commands.add(
        "record",
        _record,
        summary="record a run of the CLI, led by hand or by prompts",
        description="Start the Gemini CLI in a home of its own and record what happens: in this "
        "terminal until it ends, or, with --ask, prompt by prompt, printing the replies. Keys, "
        "tokens, e-mail addresses and names of this machine are hidden while recording "
        "(docs/redaction.md). What was recorded with --ask can be replayed by "
        "GeminiSession.replay.",
        examples=_RECORD,
    )
    record.add_argument(
        "--ask", action="append", default=[], metavar="PROMPT", help="ask this; may be repeated"
    )
    record.add_argument(
        "--approvals",
        choices=("ask", "allow", "deny"),
        default="ask",
        help="who answers dialogs while prompts are asked (default: nobody, which is an error)",
    )
    record.add_argument("--trust", action="store_true", help="you trust this folder")
    record.add_argument(
        "--look",
        choices=("normal", "lean"),
        default="normal",
        help="as a person sees the CLI (default), or as it is fastest to read",
    )
    record.add_argument("--timeout", type=seconds, default=600.0, metavar="S", help="for each turn")
    record.add_argument("--command", metavar="PROGRAM", help="the CLI, if it is not to be found")
    record.add_argument("--model", help="the model, as the CLI takes it")
    record.add_argument(
        "--home", choices=("private", "user"), default="private", help="see docs/launch.md"
    )
    record.add_argument(
        "--redact", action="append", default=[], metavar="TEXT", help="hide this as well"
    )
    record.add_argument("--force", action="store_true", help="replace a recording that is there")
    record.add_argument("flags", nargs="*", metavar="-- FLAGS", help="further flags for the CLI")


def _record(arguments: argparse.Namespace) -> int:
    options: OptionNames = {
        "trust": arguments.trust,
        "look": arguments.look,
        "timeout": arguments.timeout,
        "model": arguments.model,
        "home": arguments.home,
        "redact": arguments.redact,
        "extra_args": arguments.flags,
        "record": arguments.recording,
        "overwrite": arguments.force,
        "approvals": arguments.approvals,
    }
    if arguments.ask:
        return _ask(arguments, options)
    # Who only looks at recordings needs none of this.
    from geminipty.run.byhand import lead

    chosen = Options.of(command=arguments.command, **options)
    status = lead(chosen, sys.stdin.fileno(), sys.stdout.fileno())
    say(f"recorded: {line(arguments.recording)}")
    return 128 - status if status < 0 else status


def _ask(arguments: argparse.Namespace, options: OptionNames) -> int:
    from geminipty.session import GeminiSession

    path = arguments.recording
    try:
        with GeminiSession(arguments.command, **options) as session:
            for number, prompt in enumerate(arguments.ask, 1):
                say(f"[{number}/{len(arguments.ask)}] {prompt}")
                put(f"{session.ask(prompt).text}\n")
    except GeminiPtyError as error:
        if path.exists():
            error.recording = error.recording or path
        raise
    say(f"recorded: {line(path)}")
    return 0
