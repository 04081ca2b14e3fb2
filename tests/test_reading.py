"""What one picture says: status, composer, dialog, and the evidence for the status."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.errors import FailureReason
from geminipty.export.explained import frames
from geminipty.model import DialogKind, Status, ToolCall, ToolOutcome
from geminipty.reading import Block, BlockKind, Mode, Reading, Witness, labels, read
from geminipty.reading.blocks import Look, cut_blocks
from geminipty.reading.failures import failure_of
from geminipty.terminal import Frame, Terminal
from geminipty.transports.files import open_recording

from . import painting
from .conftest import RECORDINGS, examples
from .dialog_layouts import Asked, dialog
from .playing import load
from .streams import any_stream


@cache
def pictures(story: str) -> list[tuple[float, Frame]]:
    """The finished pictures of a bundled recording."""
    (path,) = RECORDINGS.glob(f"{story}.cast*")
    with open_recording(path) as recording:
        return list(frames(recording))


def read_at(story: str, at: float) -> Reading:
    """The Reading of the last picture up to a moment."""
    return read([frame for time, frame in pictures(story) if time <= at][-1])


#: What the people who made the tours saw at the moments they named: the status, the kind of the
#: dialog, the composer's mode, and a plus if something was typed.
TOURS = {
    "turns": "thinking1 WORKING chat, thinking2 WORKING chat, think-done READY chat, "
    "processing WORKING chat, queued1 WORKING chat, slash-while-busy WORKING chat+, "
    "queue-done READY chat, esc-cancelled READY chat, ctrlC-cancelled READY chat",
    "tools": "shell-ok READY chat, confirm-shellfail ASKING shell, shellfail-done READY chat, "
    "confirm-shellmulti ASKING shell, shell-denied-esc READY chat, shell-executing WORKING chat, "
    "shell-exec-cancelled READY chat, read-ok READY chat, confirm-write ASKING edit, "
    "confirm-edit ASKING edit, edit-ok READY chat, confirm-webfetch ASKING info, "
    "webfetch-denied READY chat, two-done READY chat",
    "tools-big": "confirm-writebig ASKING edit, confirm-writebig-ctrlO ASKING edit, "
    "shellbig-done READY chat, shellread-running WORKING chat, shellread-8s WORKING chat, "
    "shellread-focused WORKING chat, shellread-done READY chat",
    "dialogs": "idle-mcp READY chat, ask-user-1 ASKING ask-user, ask-user-2 ASKING ask-user, "
    "ask-user-3 ASKING ask-user, ask-user-done READY chat, ask-one ASKING ask-user, "
    "ask-yesno ASKING ask-user, mcp ASKING mcp-tool, mcp-done READY chat, skill WORKING chat, "
    "websearch READY chat, enterplan ASKING info, enterplan-done READY chat",
    "plan": "exitplan ASKING plan-approval, exitplan-done READY chat",
    "quota": "quotaday ASKING quota, quotaday-esc ASKING quota, looptext ASKING loop-detected",
    "slash": "hello READY chat, model ASKING unknown, theme ASKING theme, auth ASKING auth, "
    "settings ASKING unknown, stats READY chat, compress READY chat, about READY chat, "
    "esc-twice-empty ASKING unknown, esc-once-text READY chat+, clear READY chat",
    "keys": "shift-tab-1 READY chat, ctrl-y-1 READY yolo, ctrl-y-2 READY chat, f12 READY chat, "
    "tab-tab READY chat, ctrl-r READY search, ctrl-d-1 READY chat",
    "typing": "idle READY chat, typed-multiline-ctrlJ READY chat+, question-mark-help READY chat, "
    "shell-mode READY shell, shell-mode-typed READY shell+, shell-mode-exit READY chat, "
    "slash READY chat+, at READY chat+, think-done CLOSED",
}


def moments() -> Iterator[tuple[str, str, str]]:
    """Tour, moment and what was seen."""
    for tour, text in TOURS.items():
        for part in text.split(", "):
            name, _, seen = part.partition(" ")
            yield tour, name, seen


@pytest.mark.parametrize(("tour", "name", "seen"), list(moments()))
def test_a_named_moment_is_read_as_what_was_seen(tour: str, name: str, seen: str) -> None:
    """At each moment that a tour of 0.61.0 names, status, dialog and composer are right."""
    (path,) = RECORDINGS.glob(f"0.61.0/{tour}.cast*")
    _, events = load(path)
    (at,) = [event.time for event in events if event.data == f"SNAP {name}"]

    reading = read_at(f"0.61.0/{tour}", at)

    words = [reading.status.value]
    if reading.dialog is not None:
        words.append(reading.dialog.kind.value)
    if reading.composer is not None:
        words.append(reading.composer.mode.value + "+" * (not reading.composer.placeholder))
    assert " ".join(words) == seen


OLD_TITLE = "Shell echo hi there && touch made-by-tool.txt (Says hi)"


@pytest.mark.parametrize(
    ("story", "at", "kind", "title", "choices"),
    [
        ("0.1.5/tool-approve", 6.5, "shell", OLD_TITLE,
         ["*Yes, allow once", 'Yes, allow always "echo ..."', "No (esc)"]),
        ("0.6.1/tool-approve", 22.5, "shell", OLD_TITLE,
         ["*Yes, allow once", "Yes, allow always ...", "No, suggest changes (esc)"]),
        ("0.61.0/tool-approve", 9.0, "shell", "Shell  echo hi there && touch made-by-tool.txt",
         ["*Allow once", "Allow for this session", "No, suggest changes (esc)"]),
        ("0.1.5/sign-in", 99.0, "auth", "Select Auth Method", None),
        ("0.61.0/sign-in", 99.0, "auth", "Enter Gemini API Key", []),
        ("0.61.0/sign-in-code", 99.0, "auth", "Enter the authorization code:", []),
        ("0.61.0/privacy", 5.0, "privacy", "Gemini API Key Notice", []),
        ("0.61.0/outside", 99.0, "outside-workspace",
         "The following files are outside your workspace:", ["*Yes", "No"]),
        ("0.61.0/ide", 4.5, "ide-nudge", "Do you want to connect IDE to Gemini CLI?",
         ["*Yes", "No (esc)", "No, don't ask again"]),
        ("0.61.0/ide", 99.0, "unknown", None, ["*Yes", "No"]),
        ("0.30.1/trust", 25.5, "trust", "Do you trust this folder?", None),
    ],
)  # fmt: skip
def test_a_dialog_is_read_with_its_choices(
    story: str, at: float, kind: str, title: str | None, choices: list[str] | None
) -> None:
    """Kind, title, choices and the selected one are read, in each layout generation."""
    reading = read_at(story, at)

    assert reading.status is Status.ASKING
    assert reading.dialog is not None
    assert reading.dialog.kind == kind
    assert title is None or reading.dialog.title == title
    shown = [("*" if one.selected else "") + one.label for one in reading.dialog.choices]
    assert choices is None or shown == choices
    numbers = [one.number for one in reading.dialog.choices]
    assert numbers == list(range(1, len(numbers) + 1))


def test_an_edit_dialog_shows_the_difference() -> None:
    """The body of an edit is the diff, without line edges, and the question."""
    reading = read_at("0.61.0/lean", 9.0)

    assert reading.dialog is not None
    assert reading.dialog.kind is DialogKind.EDIT
    assert reading.dialog.body.split("\n") == [
        "1   alpha",
        "2 - beta",
        "2 + BETA2",
        "3   gamma",
        "Apply this change?",
    ]


def test_a_dialog_nobody_knows_is_still_a_dialog() -> None:
    """A box in place of the composer with something to choose is ASKING, of kind unknown."""
    terminal = Terminal(60, 12)
    box = ["╭" + "─" * 58 + "╮", *(f"│ {row:<56} │" for row in QUESTION), "╰" + "─" * 58 + "╯"]
    terminal.receive("\x1b[?25l" + "\r\n".join(box) + "\r\n")
    terminal.tick(0)
    terminal.tick(1)

    reading = read(terminal.frames()[-1])

    assert reading.status is Status.ASKING
    assert reading.dialog is not None
    assert reading.dialog.kind is DialogKind.UNKNOWN
    assert [(one.label, one.selected) for one in reading.dialog.choices] == [
        ("Blue", False),
        ("Green", True),
    ]


QUESTION = ("Which sky do you prefer?", "", "  1. Blue", "● 2. Green", "")


def test_the_composer_of_0_38_on_is_not_ready_before_the_banner() -> None:
    """A composer with nothing above it is STARTING, whatever the title says."""
    reading = read_at("0.61.0/hello", 5.0)

    assert reading.composer is not None
    assert reading.status is Status.STARTING
    assert not reading.agree


def test_only_the_bottom_counts() -> None:
    """After a restart the old trust dialog stands above the new composer, and is not read."""
    reading = read(pictures("0.61.0/trust")[-1][1])

    assert any("Trust folder" in line for line in reading.frame.lines)
    assert reading.status is Status.READY
    assert reading.dialog is None


def test_a_restart_is_a_start_and_not_the_end() -> None:
    """Between the answer to the trust dialog and the new screen the CLI is STARTING."""
    statuses = [read(frame).status for _, frame in pictures("0.61.0/trust")]

    assert Status.CLOSED not in statuses
    assert Status.STARTING in statuses[statuses.index(Status.ASKING) :]


@pytest.mark.parametrize("release", ["0.1.5", "0.6.1", "0.15.4", "0.24.5", "0.30.1", "0.61.0"])
def test_a_cli_that_left_is_closed(release: str) -> None:
    """After /quit the last picture is CLOSED."""
    assert read(pictures(f"{release}/quit-slash")[-1][1]).status is Status.CLOSED


def test_a_queued_prompt_is_known() -> None:
    """Before the MCP servers are there, a prompt waits: QUEUED, though the title says ready."""
    reading = read_at("0.61.0/queued-at-start", 5.0)

    assert reading.status is Status.QUEUED
    assert reading.queued == ("early prompt",)
    assert not reading.agree


def test_a_queue_beside_work_is_work() -> None:
    """While the CLI works, queued prompts are listed; between the turns they are QUEUED."""
    for story in ("0.61.0/queue", "0.6.1/queue"):
        found = [r for _, frame in pictures(story) if (r := read(frame)).queued]

        assert found
        assert found[0].status is Status.WORKING
        assert {reading.status for reading in found} <= {Status.WORKING, Status.QUEUED}
        assert {reading.queued for reading in found} == {("second question",)}


def test_a_shell_with_the_focus_is_work_without_a_title() -> None:
    """With the title hidden and no spinner, the running tool's box tells."""
    reading = read_at("0.61.0/focus", 11.0)

    assert reading.title == ""
    assert reading.live.spinner is None
    assert reading.status is Status.WORKING


def test_the_view_for_screen_readers_is_recognised() -> None:
    """Without edges the last row is the composer, and the title tells ready from busy."""
    reading = read(pictures("0.61.0/screen-reader")[-1][1])

    assert reading.composer is not None
    assert reading.composer.proof == "screen reader"
    assert reading.status is Status.READY


def test_yolo_is_known_where_the_glyph_does_not_tell() -> None:
    """0.1.5 keeps its prompt glyph; the row above the composer says YOLO."""
    reading = read(pictures("0.1.5/yolo")[-1][1])

    assert reading.composer is not None
    assert reading.composer.mode is Mode.YOLO


def test_witnesses_are_named_with_what_they_saw() -> None:
    """Evidence says who speaks, what was seen and in which row; here all agree."""
    reading = read(pictures("0.61.0/hello")[-1][1])

    assert [one.witness for one in reading.evidence] == [
        Witness.GRID,
        Witness.CURSOR,
        Witness.TITLE,
    ]
    assert reading.agree
    assert reading.evidence[0].row == reading.composer.top + 1 if reading.composer else False


def boxed(*rows: str, columns: int = 60) -> list[str]:
    """Rows in a box, as the CLI draws one."""
    side = columns - 2
    return ["╭" + "─" * side + "╮", *(f"│ {row}" for row in rows), "╰" + "─" * side + "╯"]


def test_what_a_dead_cli_left_behind_is_not_ready() -> None:
    """With the cursor shown, a composer on the screen belongs to nobody."""
    for paint in (painting.old, painting.new):
        frame = replace(paint(["x"], busy=False), cursor_shown=True, cursor=(8, 20))

        assert read(frame).status is Status.UNKNOWN
        assert read(replace(frame, title="", bracketed_paste=False)).status is Status.CLOSED


LOOP = (
    "?  A potential loop was detected",
    "",
    "● 1. Keep loop detection enabled (esc)",
    "  2. Disable loop detection for this session",
)


@pytest.mark.parametrize("lines", [60, 22])
def test_two_dialogs_that_hear_the_same_keys_are_suspicious(lines: int) -> None:
    """0.24 asks about a loop below the question about a command, also half out of sight."""
    command = "\n".join(f"touch {number}" for number in range(20))
    asked = Asked(kind=DialogKind.SHELL, tool="Shell", about="touch", body=command, names="touch")
    shell = dialog("0.24.5", asked, 60)
    terminal = Terminal(62, lines)
    loop = [f" {row}" for row in boxed(*LOOP)]
    terminal.receive("\x1b[?25l\x1b[?2004h" + "\r\n".join(["> go", "", *shell, "", *loop]))

    found = read(terminal.picture()).dialog

    assert found is not None
    assert found.kind is DialogKind.LOOP_DETECTED
    assert "another dialog stands above it" in found.suspicious


@pytest.mark.parametrize(
    "above",
    [(), boxed("✓  Shell cat", "", "● 1. Allow once"), boxed("> ● 1. Allow once", "  2. No")],
)
def test_a_dialog_alone_is_not_suspicious(above: Sequence[str]) -> None:
    """What a tool has printed above it, or a prompt says, hears no keys."""
    terminal = Terminal(62, 30)
    terminal.receive("\x1b[?25l\x1b[?2004h" + "\r\n".join(["> go", "", *above, *boxed(*LOOP)]))

    found = read(terminal.picture()).dialog

    assert found is not None
    assert (found.kind, found.suspicious) == (DialogKind.LOOP_DETECTED, "")


def test_a_tool_that_asks_may_be_the_second_of_its_box() -> None:
    """Where tools share a box, the one that waits is the one asked about."""
    done, asks = (
        "\x1b[32m✓\x1b[39m  \x1b[1mReadFile\x1b[22m a",
        "\x1b[36m?\x1b[39m  \x1b[1mShell\x1b[22m rm",
    )
    terminal = Terminal(60, 18)
    choices = ("● 1. Yes, allow once", "  2. No, suggest changes (esc)")
    rows = boxed(done, "", asks, "", "rm", "", "Allow execution of: 'rm'?", "", *choices, "")
    terminal.receive("\x1b[?25l" + "\r\n".join(["> do it", "", *rows]) + "\r\n")

    reading = read(terminal.picture())

    assert reading.status is Status.ASKING
    assert reading.dialog is not None
    assert reading.dialog.title == "Shell rm"
    assert reading.dialog.kind is DialogKind.SHELL


def test_output_is_no_question_when_its_tool_has_scrolled_off() -> None:
    """The head of a tall box is looked for above the screen."""
    head = "\x1b[34m⊷\x1b[39m  \x1b[1mShell\x1b[22m cat"
    rows = boxed(head, *(f"line {n}" for n in range(30)), "● 1. Yes, allow once", "  2. No")
    terminal = Terminal(60, 20)
    terminal.receive("\x1b[?25l" + "\r\n".join(["> do", *rows, "", "⠋ Busy", ""]))

    reading = read(terminal.picture())

    assert reading.status is Status.WORKING
    assert reading.dialog is None


@pytest.mark.parametrize(
    "stream",
    [
        "\x1b[?1049h\r\n",
        "✦ a\r\n\x1b[48;5;8m \x1b[7m \x1b[0m\r\nx",
        "\x1b[?1049h█",
        "│\r\n╰──",
        "> \x1b[7m ",
    ],
)
@pytest.mark.parametrize("columns", [1, 2, 3, 5, 9])
def test_the_narrowest_screens_are_read(stream: str, columns: int) -> None:
    """Odd rows on screens of a few columns are read, cut and labelled."""
    terminal = Terminal(columns, 4)
    terminal.receive(stream)

    reading = read(terminal.picture())

    assert len(labels(reading)) == 4


def test_a_screen_of_something_else_is_unknown() -> None:
    """A shell, an editor: no composer, no dialog, no spinner, no guess."""
    terminal = Terminal(80, 10)
    terminal.receive("$ ls\r\na.txt  b.txt\r\n$ vi a.txt\r\n~\r\n~\r\n")
    terminal.end()

    reading = read(terminal.frames()[-1])

    assert reading.status is Status.UNKNOWN
    assert reading.evidence == ()


def test_an_empty_screen_is_a_start() -> None:
    """Nothing at all was drawn yet."""
    terminal = Terminal(80, 10)
    terminal.receive("\x1b[2J\x1b[H \r")
    terminal.tick(0)
    terminal.tick(2)

    assert read(terminal.picture()).status is Status.STARTING


@examples(600)
@given(any_stream, st.sampled_from([(10, 4), (40, 12), (3, 2), (1, 1), (100, 8)]))
def test_reading_never_raises(stream: str, size: tuple[int, int]) -> None:
    """Whatever is on a picture, it is read, cut into blocks and labelled."""
    terminal = Terminal(*size)
    terminal.receive(stream)

    reading = read(terminal.picture())

    assert reading.status in Status
    assert len(labels(reading)) == size[1]


ROWS = (
    *("╭" + "─" * 38 + "╮", "╰" + "─" * 38 + "╯", "│ > x", "│  > x", "│ ● 1. Yes", "│   2. No"),
    *("▀" * 40, "▄" * 40, "─" * 40, " > typed", " ! ls", "> say", "✦ text", "  text", "   1 x"),
    *("  ┌──┬──┐", "  │ a│ b│", "  └──┴──┘", "ℹ note", "✕ error", "⠋ busy (esc to cancel)"),
    *("  ✓  Tool  arg", "│ ✓  Tool arg", "", "   - item", " footer", "\x1b[7m \x1b[27m"),
    "\x1b[48;5;240m" + " " * 40 + "\x1b[0m",
)
PIECES = st.lists(st.sampled_from(ROWS), max_size=14)


@examples(600)
@given(PIECES)
def test_reading_never_raises_on_pieces_of_the_cli(pieces: list[str]) -> None:
    """Rows of the CLI in any order are read without an error, and blocks cover rows once."""
    terminal = Terminal(40, 10)
    terminal.receive("\r\n".join(pieces))

    reading = read(terminal.picture())

    ends = [0]
    for block in reading.blocks:
        assert ends[-1] <= block.start < block.end
        ends.append(block.end)
    assert ends[-1] <= len(reading.transcript)
    assert len(labels(reading)) == 10


HELLOS = sorted(RECORDINGS.glob("*/hello*.cast*"))


@pytest.mark.parametrize("path", HELLOS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_layout_is_ready_in_the_end(path: Path) -> None:
    """The last picture of a `hello` is READY with an empty composer, on every release and size."""
    reading = read(pictures(f"{path.parent.name}/{path.name.partition('.')[0]}")[-1][1])

    assert reading.status is Status.READY
    assert reading.composer is not None
    assert reading.composer.placeholder


def test_a_result_without_room_beside_its_tool_is_the_tools() -> None:
    """0.51 and 0.61 draw the result of a tool in a row of its own if the arguments are long."""
    bold = "\x1b[1;97mReadManyFiles\x1b[22;39m"
    shown = [f"\x1b[32m✓\x1b[39m  {bold}  from /a/long/path/to/b.txt", " → Read 1 file(s)", ""]
    terminal = Terminal(60, 24)
    bar = "▄" * 60
    rows = [bar, " \x1b[35m>\x1b[39m look", bar.replace("▄", "▀"), *(f"  {row}" for row in shown)]
    terminal.receive("\r\n".join([*rows, "\x1b[35m✦\x1b[39m Done."]))

    blocks = [
        block
        for block in cut_blocks(terminal.picture().rows, Look())
        if block.kind in (BlockKind.TOOL, BlockKind.REPLY)
    ]

    assert [block.kind for block in blocks] == [BlockKind.TOOL, BlockKind.REPLY]
    (tool,) = blocks[0].tools
    assert (tool.summary, tool.output) == ("from /a/long/path/to/b.txt", "Read 1 file(s)")


def test_a_turn_that_ends_with_a_denied_tool_was_cancelled() -> None:
    """Releases up to 0.8 say nothing else; a tool that ran, or a reply below, is no failure."""
    denied = ToolCall(name="Shell", summary="ls", outcome=ToolOutcome.CANCELLED)
    ran = denied.model_copy(update={"outcome": ToolOutcome.SUCCESS})
    reply = Block(BlockKind.REPLY, 3, 4)

    failure = failure_of([], [Block(BlockKind.TOOL, 0, 3, (denied,))])

    assert failure is not None
    assert failure.reason is FailureReason.CANCELLED
    assert failure_of([], [Block(BlockKind.TOOL, 0, 3, (denied, ran))]) is None
    assert failure_of([], [Block(BlockKind.TOOL, 0, 3, (denied,)), reply]) is None
