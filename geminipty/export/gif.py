"""A recording as an animated GIF, for places that show nothing else.

Rule: every picture is drawn as the PNG of that moment is; only the times are changed, where
nothing happens for long.
"""

from collections.abc import Callable, Iterable
from io import BytesIO
from itertools import pairwise
from typing import Final

from geminipty.errors import RecordingError, UsageError
from geminipty.terminal import Frame

from .colours import Theme
from .fonts import Font
from .png import draw
from .svg import size

#: Ten pictures a second: browsers slow down faster ones, and a spinner needs no more.
STEP: Final = 0.1
_LAST: Final = 3.0
#: Pixels of all pictures together, which are in memory at once: 1,200 of 100 by 40 characters.
_MOST: Final = 1_000_000_000


def animate(
    frames: Iterable[tuple[float, Frame]],
    font: Font,
    theme: Theme,
    *,
    idle: float = 2.0,
    watch: Callable[[float], object] = float,
) -> bytes:
    """The pictures as the bytes of a GIF file; none stands longer than `idle` seconds.

    `watch` is told how far it is, in seconds of the recording. UsageError if the extra `gif` is
    not installed.
    """
    try:
        from PIL import Image  # Python's own picture library in all but name; it has no helpers
    except ModuleNotFoundError:
        raise UsageError(
            "GIF needs a library that is not installed; run: pip install 'geminipty[gif]'"
        ) from None
    shots: list[tuple[float, Frame]] = []
    width = height = 0
    for time, frame in frames:
        shots.append((time, frame))
        width, height = map(max, size(frame), (width, height))
        if len(shots) * width * height > _MOST:
            raise UsageError(
                f"{len(shots)} pictures of {width} by {height} pixels are too much for a GIF; "
                "export a page (--html) or a moment (--png, --at)"
            )
    if not shots:
        raise RecordingError("no picture was finished in this recording: there is nothing to draw")
    pictures = []
    for time, frame in shots:
        watch(time)
        drawn = Image.open(BytesIO(draw(frame, font, theme))).convert("RGB")
        if drawn.size != (width, height):
            canvas = Image.new("RGB", (width, height), theme.background)
            canvas.paste(drawn)
            drawn = canvas
        pictures.append(drawn.quantize(dither=Image.Dither.NONE))
    gaps = [min(after - time, idle) for (time, _), (after, _) in pairwise(shots)]
    file = BytesIO()
    pictures[0].save(
        file,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=[max(round(gap * 100), 2) * 10 for gap in (*gaps, _LAST)],
        loop=0,
    )
    return file.getvalue()
