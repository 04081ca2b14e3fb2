"""Which call of the model a dialog asks about: what the API sent, held against what is drawn.

Rule: a call is named only if no other one that differs from it could be drawn so: a doubt counts
for the other. What is not drawn of a call, or does not fit the picture, is said; whoever answers
the dialog decides.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, Final

from geminipty.model import Dialog, DialogKind, ToolCall, ToolOutcome
from geminipty.reading import asks_again
from geminipty.visible import hidden

_EDIT: Final = frozenset({"write_file", "replace", "edit"})
_SHELL: Final = frozenset({"run_shell_command"})
_MEMORY: Final = frozenset({"save_memory"})
_QUESTIONS: Final = frozenset({"ask_user"})
_PLANS: Final = frozenset({"exit_plan_mode"})
#: The names by which the model calls the CLI's own tools that ask; all others are a server's.
_OWN: Final = (
    _EDIT
    | _SHELL
    | _MEMORY
    | _QUESTIONS
    | _PLANS
    | {"web_fetch", "google_web_search", "enter_plan_mode", "activate_skill", "invoke_agent"}
)
#: Which of them each kind of dialog may be about. A change that is remembered is drawn as one.
_TOOLS: Final[Mapping[DialogKind, frozenset[str]]] = {
    DialogKind.SHELL: _SHELL,
    DialogKind.EDIT: _EDIT | _MEMORY,
    DialogKind.ASK_USER: _QUESTIONS,
    DialogKind.PLAN_APPROVAL: _PLANS,
    DialogKind.INFO: _OWN - _EDIT - _SHELL - _QUESTIONS,
    DialogKind.MCP_TOOL: frozenset(),
}
#: Characters of a text's end that must be on a picture which hides its beginning.
_TAIL: Final = 60
#: A line of a change: its number, and its sign if the file is not a new one.
_LINE: Final = re.compile(r" *\d+ ([+-])? *(.*)")
#: What drawing a text may drop, move or change: blanks, line ends, what takes no column.
_INKLESS: Final = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp"})


class Calls:
    """The calls of the turn under way, and which of them were asked about."""

    def __init__(self) -> None:
        self._asked: list[ToolCall] = []
        self._unasked: list[ToolCall] = []
        #: How often a choice was entered for each.
        self._entered: Counter[tuple[str, str | None]] = Counter()
        #: There is a witness: a dialog about a call that it does not know is not to be trusted.
        self._witnessed = False
        #: It has lost some of what it saw.
        self._lost = False

    def hear(self, news: object) -> None:
        """What the witness said: that it is there (None), a call, or whether it has all of them."""
        if news is None:
            self._witnessed = True
        elif isinstance(news, dict):
            name, arguments = str(news.get("name")), str(news.get("arguments"))
            self._unasked.append(
                ToolCall(
                    name=name,
                    function=name,
                    summary="",
                    outcome=ToolOutcome.PENDING,
                    arguments=arguments,
                )
            )
        else:
            self._lost = not news

    def forget(self) -> None:
        """A prompt is about to be sent: the calls until now belong to earlier turns."""
        self._asked.clear()
        self._unasked.clear()
        self._entered.clear()

    def entered(self, dialog: Dialog, number: int) -> bool:
        """A choice was entered; returns whether no other call is equal to the one it is about."""
        call = dialog.call
        if call is None or asks_again(dialog, number):
            return False
        key = (call.name, call.arguments)
        self._entered[key] += 1
        made = sum((one.name, one.arguments) == key for one in (*self._asked, *self._unasked))
        return self._entered[key] >= made

    def settled(self, dialog: Dialog) -> None:
        """A dialog is gone: other calls are asked about before its own is again."""
        if dialog.call in self._unasked:
            self._unasked.remove(dialog.call)
            self._asked.append(dialog.call)

    def about(self, dialog: Dialog) -> Dialog:
        """The dialog with its call, and with what is wrong about the two."""
        if dialog.kind not in _TOOLS or not self._witnessed:
            return dialog
        if self._lost:
            return _with(dialog, None, "not all of the model's answers could be kept or understood")
        unasked = [call for call in self._unasked if _is_of(call, dialog.kind)]
        calls = unasked or [call for call in self._asked if _is_of(call, dialog.kind)]
        picture = _Picture(dialog)
        fitting = [call for call in calls if any(_unseen(call)) or picture.may_show(call)]
        found = fitting or calls
        if not found:
            return _with(dialog, None, "the model made no call that this dialog could be about")
        call = found[0]
        if any(_differ(call, other) for other in found[1:]):
            return _with(dialog, None, "the model made several calls that would be drawn like this")
        if unseen := sorted(set(_unseen(call))):
            return _with(dialog, call, f"the call holds what is not drawn: {', '.join(unseen)}")
        if not fitting:
            return _with(dialog, call, "what is drawn does not fit the call that the model made")
        return _with(dialog, call, "")


def _is_of(call: ToolCall, kind: DialogKind) -> bool:
    """Whether a dialog of this kind may be about the call."""
    if kind is DialogKind.MCP_TOOL:
        return call.name not in _OWN
    return call.name in _TOOLS[kind]


def _differ(one: ToolCall, other: ToolCall) -> bool:
    return (one.name, one.arguments) != (other.name, other.arguments)


def _with(dialog: Dialog, call: ToolCall | None, wrong: str) -> Dialog:
    said = "; ".join(filter(None, (dialog.suspicious, wrong)))
    return dialog.model_copy(update={"call": call, "suspicious": said})


def _unseen(call: ToolCall) -> Iterator[str]:
    """The characters of a call that no picture shows, in its name or in any argument."""
    for text in (call.name, *_texts(_arguments(call))):
        yield from hidden(text)


def _arguments(call: ToolCall) -> Mapping[str, Any]:
    try:
        value = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return {}  # of what cannot be read nothing is drawn: it fits no picture
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> Iterator[str]:
    """All texts within a JSON value, names too."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            waiting += one


class _Picture:
    """What a dialog shows, without what drawing may change."""

    def __init__(self, dialog: Dialog) -> None:
        self._dialog = dialog
        self._rows = dialog.body.split("\n")
        inked = [_inked(row) for row in self._rows]
        self._body = "".join(inked)
        #: Where rows begin and end in it.
        self._edges = {0, *accumulate(map(len, inked))}
        self._all = _inked(dialog.title) + self._body

    def may_show(self, call: ToolCall) -> bool:
        """Whether the call could be drawn so; only a sure No counts."""
        given = _arguments(call)
        if call.name in _SHELL:
            return self._shows(given.get("command"))
        if call.name == "web_fetch":
            return self._shows(given.get("prompt", given.get("url")))
        if call.name in _EDIT:
            return self._changes(given)
        if call.name in _QUESTIONS:
            questions = given.get("questions")
            asked = questions if isinstance(questions, list) else []
            return any(self._shows(one.get("question")) for one in asked if isinstance(one, dict))
        return call.name in _OWN or self._runs(call.name, given)

    def _shows(self, text: object) -> bool:
        """A text is drawn in rows of its own; of a long one, its end."""
        inked = _inked(text) if isinstance(text, str) else ""
        if not inked:
            return False
        if not self._dialog.complete:
            return inked[-_TAIL:] in self._all
        at = self._body.find(inked)
        while at >= 0:
            if at in self._edges and at + len(inked) in self._edges:
                return True
            at = self._body.find(inked, at + 1)
        return False

    def _changes(self, given: Mapping[str, Any]) -> bool:
        """A file's name is drawn, and every new line is one of the call's."""
        path = str(given.get("file_path", given.get("absolute_path", "")))
        name = _inked(path.replace("\\", "/").rstrip("/").rpartition("/")[2])
        if not name or name not in self._all:
            return False
        whole = "content" in given
        text = str(given.get("content" if whole else "new_string", ""))
        if "\\" in text:
            return True  # some releases mend what the model has escaped once too often
        inked = _inked(text)
        first, last = _inked(text.partition("\n")[0]), _inked(text.rpartition("\n")[2])
        for line in self._new_lines():
            # What is replaced may begin and end within a line of the file.
            if line not in inked and (whole or (first not in line and last not in line)):
                return False
        return True

    def _new_lines(self) -> Iterator[str]:
        """The lines of a change that are new; one that is wrapped, as far as its first row goes."""
        lines = [found for row in self._rows if (found := _LINE.fullmatch(row))]
        signed = any(found[1] for found in lines)
        for found in lines:
            if found[1] == "+" or not signed:
                yield _inked(found[2])

    def _runs(self, name: str, given: Mapping[str, Any]) -> bool:
        """A tool of a server: its name is drawn, and of its arguments what there is room for."""
        parts = name.split("_")
        if not any(_inked("_".join(parts[at:])) in self._all for at in range(len(parts))):
            return False
        _, brace, drawn = self._dialog.title.partition("{")
        try:
            return not brace or bool(json.loads(brace + drawn) == given)
        except (ValueError, RecursionError):
            return True  # cut off


def _inked(text: str) -> str:
    """The characters of a text that leave ink of their own."""
    return "".join(char for char in text if unicodedata.category(char) not in _INKLESS)
