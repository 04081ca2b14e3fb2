"""Decides the Status of a picture from what its witnesses say.

Rule: this is the only place that decides one. What is seen on the grid outranks the title, and
READY needs all of them: a composer on the grid, no sign of work, and no title against it.
"""

from typing import Final

from geminipty.model import Dialog, DialogKind, Status, ToolOutcome
from geminipty.terminal import Frame, Row

from . import marks, titles
from .composer import EDGELESS, box_top
from .dialogs import Box, open_box, read_box
from .live import Live, reaches_top
from .reading import Evidence, Witness
from .rows import Kind, is_boxed_prompt, joined, note

_GRID, _TITLE, _CURSOR = Witness.GRID, Witness.TITLE, Witness.CURSOR
_TURN: Final = frozenset({Kind.PROMPT, Kind.REPLY})
_LOGO: Final = " " + "".join(marks.LOGO.forms)
_BORDER: Final = " " + "".join(marks.SIDE.forms)
#: Rows of a box that are looked for above the screen.
_TALLEST: Final = 1000
#: Up to 0.24 a loop is asked about below the question about a command.
_BOTH_HEAR: Final = "another dialog stands above it, and hears the same keys"
#: What only this CLI draws.
_DRAWN: Final = frozenset({Kind.PROMPT, Kind.REPLY, Kind.NOTICE, Kind.TOP, Kind.BOTTOM})


def decide(frame: Frame, live: Live) -> tuple[Status, tuple[Evidence, ...], Dialog | None]:
    """The status of a picture, what spoke for it or against it, and the dialog if there is one."""
    title = titles.status_of(frame.title)
    spoken = [] if title is None else [Evidence(_TITLE, f"title {frame.title[0]}", title)]
    if frame.cursor_shown:
        ended = _ended(frame, live)
        if ended is not None:
            status, dialog, seen = ended
            return status, (seen, *spoken), dialog
        if live.composer is not None:
            # The CLI hides the cursor as long as it draws: this one was left behind.
            return Status.UNKNOWN, tuple(spoken), None
    if live.composer is not None:
        return *_with_composer(frame, live, title, spoken), None
    if live.box is not None:
        top, bottom = live.box
        inner, topped = _inner(frame, live, top, bottom)
        if (said := _boxed(inner, bottom)) is not None:
            return said.says, (said, *spoken), None
        rows = open_box(inner, live.notes[bottom].column, live.rows[bottom].width)
        box = Box(rows, topped=topped, shown=top >= 0, lines=len(frame.rows))
        dialog = read_box(box, cursor_inside=top < frame.cursor[1] < bottom)
        if dialog is not None:
            if _another_above(frame, live, top):
                dialog = dialog.model_copy(update={"suspicious": _BOTH_HEAR})
            seen = Evidence(_GRID, f"a {dialog.kind} dialog", Status.ASKING, bottom)
            return Status.ASKING, (seen, *spoken), dialog
    if live.spinner is not None:
        seen = _spinner(frame, live)
        return seen.says, (seen, *spoken), None
    if title is Status.WORKING:
        return Status.WORKING, tuple(spoken), None
    return *_bare(frame, live, spoken), None


def _with_composer(
    frame: Frame, live: Live, title: Status | None, spoken: list[Evidence]
) -> tuple[Status, tuple[Evidence, ...]]:
    composer = live.composer
    assert composer is not None
    seen = []
    if (running := _running_tool(live)) is not None:
        seen.append(Evidence(_GRID, "a running tool", Status.WORKING, running))
    elif live.spinner is not None and title is Status.WORKING:
        seen.append(Evidence(_GRID, "a spinner", Status.WORKING, live.spinner))
    elif live.spinner is not None:
        spins = _spinner(frame, live)
        if spins.says is not Status.WORKING:
            return spins.says, (spins, *spoken)
        seen.append(spins)
    elif (busy := _status_row(live)) is not None:
        seen.append(busy)
    if seen or title is Status.WORKING:
        return Status.WORKING, (*seen, *spoken)
    if live.queued:
        seen.append(Evidence(_GRID, "queued prompts", Status.QUEUED, live.top))
        return Status.QUEUED, (*seen, *spoken)
    if composer.proof == EDGELESS:
        # All is drawn anew above it, without marks: only the title tells work from rest.
        seen.append(Evidence(_GRID, "a composer for screen readers", Status.READY, composer.top))
        known = title is Status.READY
        return Status.READY if known else Status.UNKNOWN, (*seen, *spoken)
    if _is_empty(frame, live):
        # From 0.38 on the composer comes before the banner, and takes no prompt yet.
        seen.append(Evidence(_GRID, "a composer with nothing above", Status.STARTING, composer.top))
        return Status.STARTING, (*seen, *spoken)
    seen.append(Evidence(_GRID, f"a composer ({composer.proof})", Status.READY, composer.top + 1))
    if composer.proof.startswith("cursor"):
        seen.append(Evidence(_CURSOR, "a cursor in the composer", Status.READY, composer.top + 1))
    if title is Status.ASKING:
        return Status.UNKNOWN, (*seen, *spoken)
    return Status.READY, (*seen, *spoken)


def _spinner(frame: Frame, live: Live) -> Evidence:
    """What a spinner says: before the first prompt, it is the start."""
    if _has_begun(frame, live):
        return Evidence(_GRID, "a spinner", Status.WORKING, live.spinner)
    return Evidence(_GRID, "a spinner before any prompt", Status.STARTING, live.spinner)


def _has_begun(frame: Frame, live: Live) -> bool:
    """Whether a prompt was given: it stands above, or something else than the banner does."""
    banner = False
    for y in range(live.top - 1, -1, -1):
        kind = live.notes[y].kind
        if kind in _TURN or (kind is Kind.SIDE and is_boxed_prompt(live.rows[y])):
            return True
        banner = banner or (kind is Kind.LOOSE and _is_banner(live.rows[y]))
    if frame.alternate or len(frame.scrolled) > len(live.rows):
        return not banner
    return any(note(row).kind in _TURN or is_boxed_prompt(row) for row in frame.scrolled)


def _inner(frame: Frame, live: Live, top: int, bottom: int) -> tuple[list[Row], bool]:
    """The rows of a box, with those that have scrolled off, and whether its first one is known."""
    inner = live.rows[top + 1 : bottom]
    if top >= 0:
        return joined(inner, frame.columns), True
    column = live.notes[bottom].column
    rows = joined([*frame.scrolled[-_TALLEST:], *inner], frame.columns)
    for y in range(len(rows) - 1, -1, -1):
        known = note(rows[y])
        if known.kind is Kind.TOP and known.column == column:
            return rows[y + 1 :], True
        if known.kind is not Kind.SIDE or known.column != column:
            return rows[y + 1 :], False
    return rows, False


def _another_above(frame: Frame, live: Live, top: int) -> bool:
    """Whether the box right above a dialog is one, too."""
    y = top - 1
    while y >= 0 and live.notes[y].kind is Kind.BLANK:
        y -= 1
    if y < 0 or live.notes[y].kind is not Kind.BOTTOM:
        return False
    above = box_top(live.rows, live.notes, y)
    if above is None and not reaches_top(live.rows, live.notes, y):
        return False
    inner, topped = _inner(frame, live, -1 if above is None else above, y)
    if any(is_boxed_prompt(row) for row in inner[:1]):
        return False
    rows = open_box(inner, live.notes[y].column, live.rows[y].width)
    dialog = read_box(
        Box(rows, topped=topped, shown=above is not None, lines=len(frame.rows)),
        cursor_inside=False,
    )
    return dialog is not None and bool(dialog.choices)


def _boxed(inner: list[Row], bottom: int) -> Evidence | None:
    """What a box says that is no dialog: the CLI waits for itself, or takes its leave."""
    first = next((text for row in inner if (text := row.text.strip(_BORDER))), "")
    if first[:1] in marks.SPINNER.forms:
        return Evidence(_GRID, "a box with a spinner", Status.STARTING, bottom)
    if first in marks.FAREWELL.forms:
        return Evidence(_GRID, "the farewell", Status.CLOSED, bottom)
    return None


def _status_row(live: Live) -> Evidence | None:
    """Work that the status row tells of without a spinner."""
    if live.status is None:
        return None
    text = live.rows[live.status].text
    if marks.CANCEL_HINT.forms[0] in text:
        return Evidence(_GRID, marks.CANCEL_HINT.forms[0], Status.WORKING, live.status)
    if text.strip().startswith(marks.AWAITING.forms):
        return Evidence(_GRID, "a shell that waits for keys", Status.WORKING, live.status)
    return None


def _running_tool(live: Live) -> int | None:
    """The row of a running tool, if the transcript ends with its box."""
    y = live.top - 1
    while y >= 0 and live.notes[y].kind is Kind.BLANK:
        y -= 1
    if y < 0 or live.notes[y].kind is not Kind.BOTTOM:
        return None
    top = box_top(live.rows, live.notes, y)
    if top is None:
        return None
    column = live.notes[y].column
    head = live.rows[top + 1].text[column + 2 : column + 3]
    return top + 1 if head in marks.TOOL_OUTCOMES[ToolOutcome.RUNNING].forms else None


def _is_empty(frame: Frame, live: Live) -> bool:
    """Whether nothing stands above the live region."""
    return not frame.scrolled and all(known.kind is Kind.BLANK for known in live.notes[: live.top])


def _ended(frame: Frame, live: Live) -> tuple[Status, Dialog | None, Evidence] | None:
    """What a picture says whose cursor is shown: the CLI hides it as long as it draws."""
    shown = [y for y, known in enumerate(live.notes) if known.kind is not Kind.BLANK]
    if not shown:
        return None
    # A reply, further in, may say the same.
    tail = [live.rows[y].text.strip() for y in shown[-4:] if live.notes[y].column < 2]
    if tail and tail[-1] in marks.CODE_PROMPT.forms:
        dialog = Dialog(kind=DialogKind.AUTH, title=tail[-1], body="\n".join(tail[:-1]))
        return Status.ASKING, dialog, Evidence(_GRID, "a question for a code", Status.ASKING)
    if any(text.startswith(marks.RESTARTING.forms) for text in tail):
        return Status.STARTING, None, Evidence(_GRID, "a restart", Status.STARTING, shown[-1])
    drawn = live.composer or live.box or any(known.kind in _DRAWN for known in live.notes)
    if drawn and not frame.title and not frame.bracketed_paste:
        return Status.CLOSED, None, Evidence(_CURSOR, "the cursor is shown again", Status.CLOSED)
    if not drawn and titles.is_static(frame.title):
        return Status.STARTING, None, Evidence(_TITLE, "the CLI's title", Status.STARTING)
    return None


def _bare(frame: Frame, live: Live, spoken: list[Evidence]) -> tuple[Status, tuple[Evidence, ...]]:
    """A picture with neither composer nor dialog nor spinner."""
    shown = [y for y, known in enumerate(live.notes) if known.kind is not Kind.BLANK]
    if not shown and not frame.scrolled:
        seen = Evidence(_GRID, "an empty screen", Status.STARTING)
        return Status.STARTING, (seen, *spoken)
    if all(known.kind not in _TURN for known in live.notes):
        for y in shown:
            if _is_banner(live.rows[y]):
                seen = Evidence(_GRID, "a banner and no prompt", Status.STARTING, y)
                return Status.STARTING, (seen, *spoken)
    return Status.UNKNOWN, tuple(spoken)


def _is_banner(row: Row) -> bool:
    """Whether a row is one of the header that the CLI begins with; a reply begins further in."""
    if note(row).column > 1:
        return False
    text = row.text.strip(" ")
    return text.startswith(marks.BANNER.forms) or bool(text and not text.strip(_LOGO))
