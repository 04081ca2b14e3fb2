"""Recordings in other forms: what they hold, and what can never get into them."""

import json
import os
import re
import stat
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import avt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageSequence
from wcwidth import wcwidth

from geminipty import asciicast
from geminipty.asciicast import Event, Header, Recording
from geminipty.cli import outputs
from geminipty.errors import UsageError
from geminipty.export import cast2, explained, fonts, gif, page, png, repaint, story, svg, text
from geminipty.export.colours import Theme, theme_of
from geminipty.export.merged import merged
from geminipty.export.timeline import Timeline, tell
from geminipty.model import Reply, ReplySource, Status, StatusChanged, Turn, TurnStarted
from geminipty.terminal import Frame, Row, Terminal
from geminipty.visible import BIDI

from .conftest import RECORDINGS
from .playing import load
from .streams import any_stream
from .test_cli import geminipty

TOOL = RECORDINGS / "0.61.0" / "tool-approve.cast"
HELLO = RECORDINGS / "0.61.0" / "hello.cast"
UNICODE = RECORDINGS / "0.61.0" / "unicode-nocolor.cast"
#: The sequences that our own painting may use.
PAINTED = re.compile(
    r"(?:[^\x00-\x1f\x7f-\x9f]|\x1b\[[0-9;]*[mHG]|\x1b\[2[JK]|\x1b\[\?7l|\x1b\[\?25[lh])*"
)
SVG = "{http://www.w3.org/2000/svg}"


def painted(output: str, columns: int = 20, lines: int = 4) -> Frame:
    """The picture of some output."""
    terminal = Terminal(columns, lines)
    terminal.receive(output)
    return terminal.picture()


def recording_of(output: str, title: str) -> Recording:
    """A recording of some output, on a small screen."""
    events = [Event(0.5, "o", output), Event(1.0, "r", "30x6"), Event(1.5, "o", output)]
    return Recording(Header(columns=24, lines=5, title=title), iter(events))


def page_of(header: Header, events: list[Event]) -> str:
    """The page of a recording."""
    frames = explained.frames(Recording(header, iter(events)))
    return page.page(header, frames, tell(Recording(header, iter(events))))


class Parsed(HTMLParser):
    """A page as a browser sees it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._inside: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.tags.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        if tag != "meta":
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """An element ends: the one that began last."""
        assert self._inside.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text, which belongs to all the elements around it."""
        for tag in set(self._inside):
            self.texts[tag][-1] += data

    @property
    def recording(self) -> Recording:
        """The recording that the page plays."""
        return asciicast.loads(self.texts["script"][0].strip() + "\n")


def unsafe(result: str) -> set[str]:
    """The characters that no export may hold."""
    return {c for c in result if unicodedata.category(c) == "Cc" and c not in "\n\t"} | (
        set(BIDI) & set(result)
    )


@pytest.mark.live
def test_several_forms_are_written_at_once_for_the_owner_only(tmp_path: Path) -> None:
    """Each form is a file of its own with mode 0600, whatever the umask."""
    names = {"html": "a.html", "svg": "a.svg", "png": "a.png", "gif": "a.gif", "text": "a.txt"}
    forms = [part for form, name in names.items() for part in (f"--{form}", tmp_path / name)]
    before = os.umask(0)
    try:
        result = geminipty("export", TOOL, *forms, "--cast2", tmp_path / "a.cast", "--at", 9)
    finally:
        os.umask(before)

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == sorted([*names.values(), "a.cast"])
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert "Allow once" in (tmp_path / "a.txt").read_text()


@pytest.mark.parametrize("kind", ["file", "link", "dangling"])
def test_nothing_is_written_over_what_exists(kind: str, tmp_path: Path) -> None:
    """A file is left alone without --force, and a symbolic link is never followed."""
    out, other = tmp_path / "out.txt", tmp_path / "other"
    if kind == "file":
        out.write_text("mine")
    else:
        out.symlink_to(other)
    if kind == "link":
        other.write_text("mine")

    refused = geminipty("export", HELLO, "--text", out)
    forced = geminipty("export", HELLO, "--text", out, "--force")

    assert refused.returncode == 1
    assert f"{out} exists" in refused.stderr
    if kind == "file":
        assert forced.returncode == 0
        assert "Gemini CLI" in out.read_text()
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
        assert list(tmp_path.iterdir()) == [out]
    else:
        assert forced.returncode == 1
        assert "no plain file" in forced.stderr
        assert not other.exists() or other.read_text() == "mine"


def test_a_file_that_appears_meanwhile_is_left_alone(tmp_path: Path) -> None:
    """Who looked first and writes later does not write over what came between."""
    out = tmp_path / "out.txt"
    outputs.check(out, force=False)
    out.write_text("somebody else's")

    with pytest.raises(UsageError, match="exists"):
        outputs.write(out, b"ours", force=False)

    assert out.read_text() == "somebody else's"


def test_a_form_that_fails_leaves_no_file(tmp_path: Path) -> None:
    """Everything is made before anything is written."""
    result = geminipty(
        "export", HELLO, "--text", tmp_path / "a.txt", "--png", tmp_path / "a.png", "--font", HELLO
    )

    assert result.returncode == 1
    assert "is no TrueType or OpenType font" in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "choose a form: --html"),
        (["--html", "a.html", "--at", "3"], "--at is for"),
        (["--png", "-"], "is not text"),
        (["--text", "-", "--svg", "-"], "the same place"),
    ],
)
def test_a_wrong_call_is_told_so(arguments: list[str], message: str) -> None:
    """What the call asks for and cannot have is status 2, before anything is read."""
    result = geminipty("export", "none.cast", *arguments)

    assert result.returncode == 2
    assert message in result.stderr


@pytest.mark.live
def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    """A place that cannot be written is found before the work is done."""
    result = geminipty("export", HELLO, "--gif", tmp_path / "none" / "a.gif")

    assert result.returncode == 1
    assert "is not a folder" in result.stderr


@pytest.mark.parametrize(
    ("form", "module", "extra"), [("png", "resvg_py", "png"), ("gif", "PIL", "gif")]
)
def test_a_missing_extra_is_named(form: str, module: str, extra: str, tmp_path: Path) -> None:
    """Without the library of a form the message says what to install."""
    script = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from geminipty.cli import main\nsys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "export", HELLO, f"--{form}", tmp_path / "out"],
        capture_output=True,
        timeout=60,
    )

    assert done.returncode == 1
    assert f"pip install 'geminipty[{extra}]'".encode() in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_page_holds_the_story_and_plays_it() -> None:
    """Turns with prompt, outcome, tools, dialogs and reply, and statuses, each with its time."""
    parsed = Parsed(page_of(*load(TOOL)))

    buttons = [attributes for tag, attributes in parsed.tags if tag == "button"]
    times = [float(attributes["data-time"] or "nan") for attributes in buttons]
    told = parsed.texts["nav"][0]
    assert times == sorted(times)
    assert len(times) == 11
    for word in (
        "please use the shell tool", "finished", "asking", "tool success",
        "asks (shell)", "Allow once / Allow for this session", "All done after the tool.",
    ):  # fmt: skip
        assert word in told
    turn = told.partition("Turn 1")[2]
    assert turn.index("working") < turn.index("asking")
    markers = [str(event.data) for event in parsed.recording.events if event.code == "m"]
    assert "> please use the shell tool" in markers
    assert "asking" in markers
    assert any(marker.startswith("? Shell") for marker in markers)


def test_the_page_lets_nothing_in_or_out(recording: Path) -> None:
    """No address of another place, one policy, and only the scripts that are ours."""
    header, events = load(recording)
    parsed = Parsed(page_of(header, events))

    policy = next(a["content"] or "" for _, a in parsed.tags if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy.partition("style-src")[0]
    kinds = [attributes.get("type") for tag, attributes in parsed.tags if tag == "script"]
    assert kinds == ["application/x-asciicast", None, None]
    assert not {name for _, attributes in parsed.tags for name in attributes} & {"src", "href"}
    own = "".join((*parsed.texts["style"], *parsed.texts["script"][1:]))
    assert set(re.findall(r"https?://[\w./-]*", own)) == {"http://www.w3.org/2000/svg"}


def test_what_the_page_plays_is_what_was_shown(recording: Path) -> None:
    """Asciinema's own terminal shows our rows after each repaint, a character a cell."""
    header, events = load(recording)
    shots = list(merged(explained.frames(Recording(header, iter(events)))))
    size = (header.columns, header.lines)
    shown = iter([*shots, None])
    player = avt.Vt(*size)

    due = next(shown)
    for event in (*repaint.events(shots, size), Event(1e9, "o", "")):
        while due is not None and due[0] < event.time:
            assert [line.text.rstrip(" ") for line in player.view()] == [
                one_a_cell(row, due[1].columns) for row in due[1].rows
            ]
            due = next(shown)
        if event.code == "r":
            player.resize(*event.size)
        else:
            player.feed_str(str(event.data))


def one_a_cell(row: Row, columns: int) -> str:
    """A row as a terminal shows it that has room for one character in a cell."""
    out = ""
    for cell in row.shown(columns):
        out += unicodedata.normalize("NFC", cell)[:1] or ("" if wcwidth(out[-1]) == 2 else " ")
    return out.rstrip(" ")


def test_the_page_writes_only_rows_that_changed() -> None:
    """What is played is smaller than the recording, whose program repaints it all."""
    header, events = load(TOOL)
    frames = list(explained.frames(Recording(header, iter(events))))

    ours = list(repaint.events(merged(frames), (header.columns, header.lines)))

    recorded = sum(len(str(event.data)) for event in events if event.code == "o")
    assert sum(len(str(event.data)) for event in ours) < recorded / 2
    assert len(ours) < len(frames)


def test_close_pictures_become_one_and_never_a_later_one() -> None:
    """Within 30 ms the last picture stands, at the time of the first."""
    a, b, c = (painted(name) for name in "abc")

    assert list(merged([(1.0, a), (1.02, b), (1.04, c)])) == [(1.0, b), (1.04, c)]
    assert list(merged([])) == []


def hostile_story() -> Timeline:
    """A turn whose texts try to leave their places."""
    evil = "</script></button><script>alert(1)</script>\u202e\"' onclick=x \x1b]0;t\x07"
    reply = Reply(text=evil, source=ReplySource.SCREEN, screen_text=evil)
    turn = Turn(prompt=evil, reply=reply, started=1.0)
    ready, started = StatusChanged(at=0.5, status=Status.READY), TurnStarted(at=1.0, prompt=evil)
    return Timeline([ready, started], [turn], None)


def test_text_of_a_recording_stays_text_in_the_page() -> None:
    """Tags, quotes, controls and turned text are shown, not obeyed."""
    evil = hostile_story()
    header = Header(columns=20, lines=2, title="</title><script>alert(2)</script>\u202e")

    html = page.page(header, [(0.1, painted("</script><script>alert(3)//\x1b]0;x\x07"))], evil)

    parsed = Parsed(html)
    assert [tag for tag, _ in parsed.tags].count("script") == 3
    assert not [name for _, attributes in parsed.tags for name in attributes if name[:2] == "on"]
    assert "<script>alert(1)</script>⟨U+202E⟩" in parsed.texts["pre"][0]
    assert "⟨U+001B⟩]0;t⟨U+0007⟩" in parsed.texts["pre"][0]
    assert parsed.texts["title"] == ["</title><script>alert(2)</script>⟨U+202E⟩"]
    assert "</script><script>" in str([event.data for event in parsed.recording.events])
    assert unsafe(html) == set()


@settings(max_examples=60)
@given(any_stream, st.text(max_size=20))
def test_no_recording_gets_a_control_character_out(output: str, title: str) -> None:
    """Page, SVG and text hold none; the page's recording holds sequences of our own only."""
    title = title.encode(errors="replace").decode()
    header, events = recording_of(output, title)
    kept = list(events)
    frames = list(explained.frames(Recording(header, iter(kept))))

    html = page_of(header, kept)
    film = "".join(text.film(frames))
    pictures = [svg.draw(frame) for _, frame in frames]

    assert unsafe(html) | unsafe(film) | unsafe("".join(pictures)) == set()
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
    parsed = Parsed(html)
    assert [tag for tag, _ in parsed.tags].count("script") == 3
    for event in parsed.recording.events:
        assert event.code in "omr"
        assert PAINTED.fullmatch(str(event.data))


@settings(max_examples=100)
@given(any_stream, st.floats(0, 1e6), st.text(max_size=20))
def test_v2_gives_back_what_it_was_made_of(output: str, time: float, title: str) -> None:
    """Events and times are the same when read again; every line is JSON with no raw control."""
    title, output = (part.encode(errors="replace").decode() for part in (title, output))
    events = [Event(time, code, output) for code in "oim"]
    header = Header(columns=80, lines=24, title=title)

    lines = list(cast2.lines(header, [*events, Event(time, "x", "0"), Event(time, "z", [1])]))

    back = asciicast.loads("".join(lines))
    assert list(back.events) == events
    assert (back.header.version, back.header.title) == (2, title)
    assert unsafe("".join(lines)) <= set(BIDI)
    for line in lines:
        json.loads(line)


def test_v2_keeps_every_recording_and_its_header(recording: Path) -> None:
    """Output, input, markers and resizes of real recordings, and the header's fields."""
    header, events = load(recording)

    back = asciicast.loads("".join(cast2.lines(header, events)))

    assert list(back.events) == [event for event in events if event.code in "oimr"]
    names = ("columns", "lines", "title", "timestamp", "command", "theme", "idle_time_limit")
    assert [getattr(back.header, name) for name in names] == [
        getattr(header, name) for name in names
    ]
    assert header.env.items() <= back.header.env.items()


def test_v2_has_no_place_for_keys_of_v3() -> None:
    """A key that v2 uses otherwise is left out, so that the file can be read."""
    header = Header(
        columns=80, lines=24, term_type="xterm", extra={"width": 5, "term": {}, "x-mine": 1}
    )

    back = asciicast.loads("".join(cast2.lines(header, []))).header

    assert (back.columns, back.env, back.extra) == (80, {"TERM": "xterm"}, {"x-mine": 1})


def texts_of(picture: str) -> list[ElementTree.Element]:
    """The text of the rows in an SVG; the window's title stands before them."""
    (group,) = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return list(group.iter(f"{SVG}text"))


def test_an_svg_holds_the_text_where_it_stands() -> None:
    """Every row can be put together again from the texts and their places, wide ones too."""
    for path in (TOOL, UNICODE):
        header, events = load(path)
        _, frame = explained.frame_at(Recording(header, iter(events)))

        rows = [[" "] * frame.columns for _ in frame.rows]
        for element in texts_of(svg.draw(frame)):
            x, y = int(element.attrib["x"]) // 9, int(element.attrib["y"]) // 20
            wide = int(element.attrib["textLength"]) // 9
            content = element.text or ""
            cells = list(content) if len(content) == wide else [content] + [""] * (wide - 1)
            rows[y][x : x + wide] = cells

        assert ["".join(row).rstrip() for row in rows] == frame.lines


def test_an_svg_shows_styles_as_the_terminal_does() -> None:
    """Colours, bold, dim, italic, underline, strike, reverse, and nothing of what is hidden."""
    frame = painted(
        "\x1b[1;31mbold\x1b[0;2mdim\x1b[0;3;4;9mall\r\n"
        "\x1b[0;7mturned\x1b[0;38;2;1;2;3;48;2;4;5;6mrgb\x1b[0;8mhidden"
    )
    picture = svg.draw(frame, Theme())
    found = {element.text: element.attrib for element in texts_of(picture)}

    assert found["bold"]["font-weight"] == "bold"
    assert found["bold"]["fill"] == "#dd3c69"
    assert found["dim"]["opacity"] == "0.5"
    assert found["all"]["font-style"] == "italic"
    assert found["all"]["text-decoration"] == "underline line-through"
    assert found["turned"]["fill"] == "#121314"
    assert found["rgb"]["fill"] == "#010203"
    assert 'fill="#040506"' in picture
    assert "hidden" not in picture


def test_what_turns_text_around_is_left_out_of_pictures() -> None:
    """It has no column of its own, so a picture cannot show it; text names it."""
    frame = painted("ab\u202ecd\u200f")

    drawn = "".join(element.text or "" for element in texts_of(svg.draw(frame)))

    assert drawn == repaint.painted(frame.rows[0], 20).replace("\x1b[3G", "") == "abcd"
    assert text.moment(frame) == "ab⟨U+202E⟩cd⟨U+200F⟩\n"


def test_a_recordings_theme_is_used_if_it_is_one() -> None:
    """Eight or sixteen colours with ground and text; anything else in it is ignored."""
    palette = ":".join(f"#00000{n}" for n in range(8))
    good = theme_of({"fg": "#111111", "bg": "#222222", "palette": palette})

    assert good.background == "#222222"
    assert good.palette[1] == good.palette[9] == "#000001"
    assert theme_of({"fg": 'red"/><script>', "bg": "#222222", "palette": palette}) == Theme()
    assert theme_of({"fg": "#111111", "bg": "#222222", "palette": "#000000"}) == Theme()


def pixels(frame: Frame) -> Image.Image:
    """The picture of a frame without its window."""
    drawn = Image.open(BytesIO(png.draw(frame, fonts.font())))
    return drawn.convert("RGB").crop((12, 30, drawn.width - 12, drawn.height - 12))


@pytest.mark.live
@pytest.mark.parametrize("char", ["█", "│", "┃", "┼", "├", "▐", "▌"])
def test_lines_and_blocks_touch_from_row_to_row(char: str) -> None:
    """In some column of pixels there is no gap from the top to the bottom."""
    picture = pixels(painted(f"{char}\r\n{char}\r\n{char}", 1, 3))

    columns = [
        [picture.getpixel((x, y)) != (0x12, 0x13, 0x14) for y in range(picture.height)]
        for x in range(picture.width)
    ]
    assert any(all(column) for column in columns)


@pytest.mark.live
@pytest.mark.parametrize("line", ["████", "▀▀▀▀", "▄▄▄▄", "────", "╭──╮", "└──┘", "━┿┯┥", "╰──╯"])
def test_lines_and_blocks_touch_from_column_to_column(line: str) -> None:
    """In some row of pixels there is no gap from the middle of the first cell to that of the last.

    A round corner leaves the row of its line a little before its middle.
    """
    picture = pixels(painted(line, 4, 1))

    rows = [
        [picture.getpixel((x, y)) != (0x12, 0x13, 0x14) for x in range(8, picture.width - 8)]
        for y in range(picture.height)
    ]
    assert any(all(row) for row in rows)


@pytest.mark.live
def test_text_is_drawn_in_a_png() -> None:
    """The renderer draws nothing for a font that it does not find: letters must leave pixels."""
    assert pixels(painted("M", 1, 1)).getcolors() != pixels(painted("", 1, 1)).getcolors()


@pytest.mark.live
@settings(max_examples=10)
@given(any_stream)
def test_any_picture_can_be_drawn(output: str) -> None:
    """The renderer takes every SVG that we make."""
    frame = painted(output)

    assert Image.open(BytesIO(png.draw(frame, fonts.font()))).size == svg.size(frame)


@pytest.mark.live
def test_a_png_is_as_large_as_an_svg_at_most() -> None:
    """It is drawn from one."""
    with pytest.raises(UsageError, match="too many for a picture"):
        png.draw(Terminal(1000, 3000).picture(), fonts.font())


def test_a_picture_that_is_too_large_is_refused() -> None:
    """A screen of a thousand columns and thousands of lines would take gigabytes."""
    frame = Terminal(1000, 3000).picture()

    with pytest.raises(UsageError, match="pixels are too many for a picture; use --text"):
        svg.draw(frame)


@pytest.mark.live
def test_a_gif_moves_and_does_not_stand_still_for_long(tmp_path: Path) -> None:
    """The film has the pictures of the recording, at most `idle` apart, in the largest size."""
    frames = [(0.0, painted("one")), (9.0, painted("two", 30, 6)), (9.3, painted("three", 30, 6))]
    file = tmp_path / "a.gif"

    file.write_bytes(gif.animate(frames, fonts.font(), Theme(), idle=0.5))

    with Image.open(file) as film:
        size = film.size
        durations = [shot.info["duration"] for shot in ImageSequence.Iterator(film)]
    assert (durations, size) == ([500, 300, 3000], svg.size(frames[1][1]))


def test_text_shows_the_pictures_and_their_times() -> None:
    """Each has a rule with its time; the last is what `show` draws."""
    film = geminipty("export", TOOL, "--text", "-").stdout
    moment = geminipty("export", TOOL, "--text", "-", "--at", 9).stdout

    parts = re.split(r"^── ([0-9.]+) s ─+\n", film, flags=re.MULTILINE)
    assert parts[0] == ""
    assert [float(time) for time in parts[1::2]] == sorted(float(time) for time in parts[1::2])
    assert parts[-1] == geminipty("show", TOOL, "--plain").stdout
    assert "● 1. Allow once" in moment
    assert moment in parts[2::2]


def test_a_recording_without_pictures_is_exported_too(tmp_path: Path) -> None:
    """An empty recording is an empty screen."""
    path = tmp_path / "empty.cast"
    path.write_text('{"version":2,"width":80,"height":24}\n')

    result = geminipty("export", path, "--html", tmp_path / "a.html", "--svg", tmp_path / "a.svg")

    assert result.returncode == 0
    assert Parsed((tmp_path / "a.html").read_text()).texts["h1"] == ["Recording"]
    assert texts_of((tmp_path / "a.svg").read_text()) == []


def test_the_clock_of_the_list_is_for_people() -> None:
    """Minutes, seconds, tenths."""
    assert [story.clock(time) for time in (0.04, 9.99, 62.5, 3600)] == [
        "0:00.0", "0:09.9", "1:02.5", "60:00.0",
    ]  # fmt: skip
