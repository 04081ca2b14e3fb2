"""A recording as one page to open anywhere: a player, and beside it what happened when.

Rule: the page asks for nothing from outside, and nothing in it comes from the recording but
escaped text and pictures that our own terminal painted.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Final

from geminipty import asciicast
from geminipty.asciicast import Header
from geminipty.terminal import Frame
from geminipty.visible import markup, short

from . import repaint, story
from .colours import theme_of
from .merged import merged
from .timeline import Timeline

_COMMENT: Final = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
#: The player has some in its strings, where JavaScript can name them too.
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
#: The page's policy: its own scripts, by their hashes, and nothing else. The player sets styles on
#: its elements, and compiles its terminal.
_POLICY: Final = (
    "default-src 'none'; script-src {scripts} 'wasm-unsafe-eval'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<!-- asciinema-player 3.17.0, Apache License 2.0, without the comments of its style sheet,
     its control characters escaped, one unused address changed -->
<style>{player_css}</style>
<style>{page_css}</style>
</head>
<body>
<header><h1>{title}</h1><p>{facts}</p></header>
<main>
<section id="player" aria-label="Player"></section>
<nav aria-label="What happened">
<p class="note">Each line goes to its moment. In the player: space plays, arrows seek.</p>
<ol id="story">
{story}</ol>
</nav>
</main>
<script type="application/x-asciicast" id="recording">
{recording}</script>
<script>{player_js}</script>
<script>{page_js}</script>
</body>
</html>
"""


#: What our terminal paints of a recording may be more than a recording may hold.
_LIMITS: Final = asciicast.Limits(line_bytes=1 << 28, total_bytes=1 << 28, events=1 << 24)


def page(header: Header, frames: Iterable[tuple[float, Frame]], timeline: Timeline) -> str:
    """The page as text; `frames` and `timeline` are those of the recording with this header."""
    parts = _parts()
    title = markup(short(header.title or header.command or "Recording", 200))
    theme = theme_of(header.theme)
    own = Header(columns=header.columns, lines=header.lines, theme=theme.as_header())
    painted = repaint.events(
        merged(frames), (header.columns, header.lines), story.markers(timeline)
    )
    # A "<" inside JSON is always inside a string; written so, no text can end the element.
    recording = "".join(asciicast.write(own, painted, limits=_LIMITS)).replace("<", r"\u003c")
    turns = len(timeline.turns)
    facts = [
        f"{header.columns} by {header.lines} characters",
        f"{turns} turn{'s' * (turns != 1)}",
    ]
    return _PAGE.format(
        policy=_POLICY.format(scripts=" ".join(map(_hash, (parts.player_js, parts.page_js)))),
        title=title,
        facts=" · ".join(facts),
        player_css=parts.player_css,
        page_css=parts.page_css,
        story=story.listed(timeline),
        recording=recording,
        player_js=parts.player_js,
        page_js=parts.page_js,
    )


@dataclass(frozen=True)
class _Parts:
    player_js: str
    player_css: str
    page_js: str
    page_css: str


def _parts() -> _Parts:
    here = files(__package__)
    player, own = here / "asciinema", here / "web"
    script = (player / "asciinema-player.min.js").read_text("utf-8")
    styles = (player / "asciinema-player.css").read_text("utf-8")
    return _Parts(
        _CONTROL.sub(
            lambda found: f"\\x{ord(found[0]):02x}",
            # The base of relative addresses where there is no page; here there is one.
            script.replace('"http://localhost/"', '"about:blank"'),
        ),
        _COMMENT.sub("", styles),
        (own / "page.js").read_text("utf-8"),
        (own / "page.css").read_text("utf-8"),
    )


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
