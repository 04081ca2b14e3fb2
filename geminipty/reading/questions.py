"""Names the kind of a dialog by what the CLI itself wrote: its question and its choices.

Rule: a kind needs both, the question in its place and the labels that belong to it. Where two
kinds fit, or the question is known and a label is not, the kind is UNKNOWN: a guess would be
answered for somebody.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import accumulate
from typing import Final, NamedTuple

from geminipty.model import Choice, Dialog, DialogKind

from . import marks


class Layout(Enum):
    """How the CLI draws a dialog, which decides what rows of it are the CLI's."""

    TOPLESS = auto()  #: it begins above everything that is known
    GROUP = auto()  #: up to 0.26: tools, and the question below the one it is about
    ACTION = auto()  #: from 0.27 on: a heading, the tool, its text, the question right below it
    COMPACT = auto()  #: from 0.38 on: the tool, its text in a box, the question below that
    ROUTINE = auto()  #: a heading, and below it what the model asks or plans
    OTHER = auto()  #: the CLI asks for itself


class Asked(NamedTuple):
    """What the CLI says of itself in a dialog."""

    layout: Layout
    heading: str
    #: The rows between the last blank row, or the edge of an inner box, and the choices.
    question: tuple[str, ...]
    #: The last of them fills its row: up to 0.12 a question has one row and is cut at its end.
    cut: bool
    #: How it is answered, from the last rows.
    hint: str


#: What may run or be done, each with a question above its choices.
_PERMISSIONS: Final = (
    DialogKind.SHELL,
    DialogKind.EDIT,
    DialogKind.INFO,
    DialogKind.MCP_TOOL,
)
_ABOVE_CHOICES: Final = {
    Layout.TOPLESS: (),
    Layout.GROUP: _PERMISSIONS,
    Layout.ACTION: _PERMISSIONS,
    Layout.COMPACT: (DialogKind.SHELL, DialogKind.EDIT),
    Layout.ROUTINE: (),
    Layout.OTHER: (),
}
_ROUTINE: Final = (DialogKind.ASK_USER, DialogKind.PLAN_APPROVAL)
_IN_HEADING: Final = tuple(
    kind for kind in marks.QUESTIONS if kind not in (*_PERMISSIONS, *_ROUTINE)
)
#: Their choices are not all known: sign-ins, themes and models come and go.
_OPEN: Final = frozenset({DialogKind.AUTH, DialogKind.THEME, DialogKind.QUOTA})
#: A label that ends so is known by its beginning.
_OPENING: Final = ('"', "(", " ")
#: What is left of a label that is cut, at least.
_SHORTEST: Final = 8


def kind_of(asked: Asked, choices: Sequence[Choice]) -> tuple[DialogKind, int]:
    """The one kind that fits both the question and the labels, and the rows of its question."""
    labels = [choice.label for choice in choices]
    fitting = [found for found in _asked(asked) if _offers(found[0], labels, asked.hint)]
    return fitting[0] if len(fitting) == 1 else (DialogKind.UNKNOWN, 0)


def _asked(asked: Asked) -> Iterator[tuple[DialogKind, int]]:
    """The kinds whose question stands in its place, and how many rows above the choices it has."""
    for kind in _ABOVE_CHOICES[asked.layout]:
        if rows := _question_rows(kind, asked):
            yield kind, rows
    if asked.layout is Layout.ROUTINE:
        kinds = (kind for kind in _ROUTINE if asked.heading in marks.QUESTIONS[kind].forms)
        yield from ((kind, 0) for kind in kinds)
    elif asked.layout in (Layout.GROUP, Layout.OTHER):
        for kind in _IN_HEADING:
            if asked.heading.startswith(marks.QUESTIONS[kind].forms):
                yield kind, 0


def _question_rows(kind: DialogKind, asked: Asked) -> int:
    """How many rows above the choices are the question of a kind; 0 if they are not.

    Its end decides what it is, and its beginning is looked for upwards: the text of a call, which
    may stand right above, can neither come below it nor between. Blanks do not count: a narrow
    screen wraps a question at any of them, and long names anywhere.
    """
    rows = [_inked(row) for row in asked.question]
    said = "".join(rows)
    for form in marks.ASKED_NOTE.forms:
        said = said.removesuffix(_inked(form))
    starts = [0, *accumulate(map(len, rows))]
    if asked.layout is not Layout.ACTION:
        starts = starts[:1]  # only there does the text of the call stand right above
    for begin, end in zip(marks.QUESTIONS[kind].forms, marks.ENDS[kind].forms, strict=True):
        if not (said.endswith(_inked(end)) or (asked.cut and said.endswith(marks.CUT))):
            continue
        for y in range(len(starts) - 1, -1, -1):
            whole = begin != end or len(said) - starts[y] == len(_inked(begin))
            if whole and said.startswith(_inked(begin), starts[y]):
                return len(rows) - y
    return 0


def _inked(text: str) -> str:
    return text.replace(" ", "")


def _offers(kind: DialogKind, labels: list[str], hint: str) -> bool:
    """Whether the choices are those of a kind."""
    if kind is DialogKind.ASK_USER:
        return bool(hint)  # the model's own words
    known = marks.LABELS[kind].forms
    if kind in _PERMISSIONS:
        once, no = marks.ONCE.forms, marks.NO.forms
        if len(labels) < 2 or labels[0] not in once or not _begins(labels[-1], no):
            return False
        return all(_begins(label, known) for label in labels[1:-1])
    if kind is DialogKind.PLAN_APPROVAL:
        # The last one takes what the user types in the place of its label.
        return tuple(labels[:-1]) == known[:2]
    if kind in _OPEN:
        return any(_is(label, known) for label in labels) or bool(hint and not labels)
    return all(_is(label, known) for label in labels) and bool(labels or hint)


def _is(label: str, known: Sequence[str]) -> bool:
    return any(
        label.startswith(form) if form.endswith(_OPENING) else label == form for form in known
    )


def _begins(label: str, known: Sequence[str]) -> bool:
    """Whether a label is one of these, or the beginning of one that a narrow screen cuts."""
    start = label.removesuffix(marks.CUT)
    cut = len(start) >= _SHORTEST < len(label) and start != label
    return _is(label, known) or (cut and any(form.startswith(start) for form in known))


def allowing_choice(dialog: Dialog) -> Choice | None:
    """The choice that allows what is asked, this one time."""
    mark = marks.ONCE if dialog.kind in _PERMISSIONS else marks.ALLOWS.get(dialog.kind)
    return None if mark is None else _chosen(dialog, mark)


def unasked_choice(dialog: Dialog) -> Choice | None:
    """The choice that is taken without asking anybody: it allows nothing."""
    mark = marks.UNASKED.get(dialog.kind)
    return None if mark is None else _chosen(dialog, mark)


def denying_choice(dialog: Dialog) -> Choice | None:
    """The choice that denies what is asked where Escape does nothing; None where it denies."""
    mark = marks.DENIES.get(dialog.kind)
    return None if mark is None else _chosen(dialog, mark)


def denies(dialog: Dialog, choice: Choice) -> bool:
    """Whether a choice is known to deny what is asked."""
    if dialog.kind in _PERMISSIONS:
        return _begins(choice.label, marks.NO.forms)
    return choice == denying_choice(dialog)


def asks_again(dialog: Dialog, number: int) -> bool:
    """Whether the same call is asked about once more after a choice with this number."""
    return any(one.number == number and one.label in marks.EDITOR.forms for one in dialog.choices)


def _chosen(dialog: Dialog, mark: marks.Mark) -> Choice | None:
    return next((one for one in dialog.choices if _is(one.label, mark.forms)), None)
