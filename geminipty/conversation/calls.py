"""Which call of the model a dialog asks about: what the API sent, held against what is drawn.

Rule: a call is named only if no other one that differs from it could be drawn so: a doubt counts
for the other. What is not drawn of a call, or does not fit the picture, is said; whoever answers
the dialog decides.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from geminipty.model import Dialog, DialogKind, ToolCall, ToolOutcome
from geminipty.reading import asks_again
from geminipty.visible import hidden

#: A witness says that the CLI may break answers off in silence.
LOOPS: Final = "loops"
_EDIT: Final = frozenset({"write_file", "replace", "edit"})
_SHELL: Final = frozenset({"run_shell_command"})
_MEMORY: Final = frozenset({"save_memory"})
_QUESTIONS: Final = frozenset({"ask_user"})
_PLANS: Final = frozenset({"exit_plan_mode"})
#: The CLI's own tools that ask, by the names that the model calls them by.
_ASKING: Final = (
    _EDIT
    | _SHELL
    | _MEMORY
    | _QUESTIONS
    | _PLANS
    | {"web_fetch", "enter_plan_mode", "activate_skill", "invoke_agent"}
)
#: Own tools that never ask for themselves. All other names are a server's, or an agent's.
_SILENT: Final = frozenset(
    {
        *("read_file", "read_many_files", "list_directory", "glob", "search_file_content"),
        *("grep_search", "google_web_search", "write_todos", "get_internal_docs"),
    }
)
#: Tools that ask the model nothing by themselves: an answer that comes after one that calls only
#: these comes when they are done.
_PLAIN: Final = (_ASKING | _SILENT) - {"invoke_agent"}
_SERVER: Final = "mcp_"
#: Which of them each kind of dialog may be about. A change that is remembered is drawn as one.
_TOOLS: Final[Mapping[DialogKind, frozenset[str]]] = {
    DialogKind.SHELL: _SHELL,
    DialogKind.EDIT: _EDIT | _MEMORY,
    DialogKind.ASK_USER: _QUESTIONS,
    DialogKind.PLAN_APPROVAL: _PLANS,
    DialogKind.INFO: _ASKING - _EDIT - _SHELL - _QUESTIONS,
    DialogKind.MCP_TOOL: frozenset(),
}
#: Characters of a text's beginning or end that a picture shows which hides the rest.
_PART: Final = 60
#: A name that is longer is not one of a tool.
_NAME: Final = 500
#: A line of a change: its number, and its sign if the file is not a new one.
_LINE: Final = re.compile(r" *\d+ ([+-])? *(.*)")
#: What some releases mend, where the model has escaped once too often.
_ESCAPES: Final = re.compile(r"\\+[nrt]?")
#: What drawing a text may drop, move or change: blanks, line ends, what takes no column.
_INKLESS: Final = frozenset({"Cc", "Cf", "Cs", "Mn", "Me", "Zs", "Zl", "Zp"})
_CUT: Final = ("…", "...")
#: The rest of another name.
_GOES_ON: Final = re.compile(r"[\w-]|\.\w")


class _Made:
    """A call that the model made, and what is known of it."""

    def __init__(self, name: str, arguments: str, answer: int) -> None:
        self.call = ToolCall(
            name=name, function=name, summary="", outcome=ToolOutcome.PENDING, arguments=arguments
        )
        #: The number of the answer that it came in.
        self.answer = answer
        self._inked: dict[str, str] = {}

    @cached_property
    def given(self) -> Mapping[str, Any]:
        """Its arguments."""
        try:
            value = json.loads(self.call.arguments or "{}")
        except (ValueError, RecursionError):
            return {}  # of what cannot be read nothing is drawn: it fits no picture
        return value if isinstance(value, dict) else {}

    @cached_property
    def unseen(self) -> tuple[str, ...]:
        """The characters of it that no picture shows, in its name or in any argument."""
        texts = (self.call.name, *_texts(self.given))
        return tuple(sorted({char for text in texts for char in hidden(text)}))

    def text(self, *names: str) -> str:
        """The first of these arguments that it has, if it is a text."""
        value = next((self.given[name] for name in names if name in self.given), "")
        return value if isinstance(value, str) else ""

    def ink(self, *names: str) -> str:
        """The same without what leaves no ink."""
        key = "\0".join(names)
        if key not in self._inked:
            self._inked[key] = _inked(self.text(*names))
        return self._inked[key]

    def is_of(self, kind: DialogKind) -> bool:
        """Whether a dialog of this kind may be about it."""
        if kind is DialogKind.MCP_TOOL:
            return self.call.name not in _ASKING | _SILENT
        return self.call.name in _TOOLS[kind]

    def differs(self, other: "_Made") -> bool:
        """Whether they would not do the same."""
        return _key(self.call) != _key(other.call)


class Calls:
    """The calls of the turn under way that may still be asked about."""

    def __init__(self) -> None:
        self._open: list[_Made] = []
        #: How often a choice was entered for each, and not seen to be taken yet.
        self._entered: Counter[tuple[str, str | None]] = Counter()
        #: There is a witness: a dialog about a call that it does not know is not to be trusted.
        self._witnessed = False
        #: It has lost some of what it saw.
        self._lost = False
        #: The CLI may break answers off, and nobody would see it.
        self._loops = False
        #: The CLI broke an answer off: the witness knows no call of that one.
        self._broken = False
        #: A dialog is open.
        self._stands = False
        #: Answers may come while the calls of others still wait.
        self._mixed = False
        #: Grows with every change of these.
        self._edition = 0
        self._known: tuple[int, Dialog, Dialog] | None = None

    def hear(self, news: object) -> None:
        """What the witness said: that it is there (None), a call, or whether it has all of them."""
        self._edition += 1
        if news is None:
            self._witnessed = True
        elif news == LOOPS:
            self._loops = True
        elif isinstance(news, dict):
            number = news.get("answer")
            made = _Made(
                str(news.get("name")),
                str(news.get("arguments")),
                number if isinstance(number, int) else 0,
            )
            self._answered(made)
            self._open.append(made)
        else:
            self._lost = news is not True

    def _answered(self, made: _Made) -> None:
        """The model answers again once all it called for is done, unless agents work for it.

        An answer that comes while a dialog is open is another's.
        """
        self._mixed |= self._stands
        if not self._mixed:
            self._open = [one for one in self._open if one.answer == made.answer]
        if made.call.name not in _PLAIN and not made.call.name.startswith(_SERVER):
            self._mixed = True

    def stands(self) -> None:
        """A dialog is open, until it is settled."""
        self._stands = True

    def forget(self) -> None:
        """A prompt is about to be sent: the calls until now belong to earlier turns."""
        self._edition += 1
        self._open.clear()
        self._entered.clear()
        self._broken = self._mixed = self._stands = False

    def break_off(self) -> None:
        """The CLI did not read an answer to its end."""
        self._edition += 1
        self._broken = True

    def entered(self, dialog: Dialog, number: int) -> None:
        """A choice was entered that ends the dialog."""
        if dialog.call is not None and not asks_again(dialog, number):
            self._entered[_key(dialog.call)] += 1

    def is_last(self, dialog: Dialog, number: int) -> bool:
        """Whether no dialog that looks like this one can follow it."""
        if dialog.call is None or asks_again(dialog, number):
            return False
        others = [made for made in self._open if made.is_of(dialog.kind)]
        own = next((made for made in others if _key(made.call) == _key(dialog.call)), None)
        if own is not None:
            others.remove(own)
        picture = _Picture(dialog)
        return not any(made.unseen or picture.may_show(made) for made in others)

    def settled(self, dialog: Dialog) -> None:
        """A dialog is gone; if it was answered, its call is asked about no more."""
        self._edition += 1
        self._stands = False
        if dialog.call is None or not self._entered[key := _key(dialog.call)]:
            return
        self._entered[key] -= 1
        for made in self._open:
            if _key(made.call) == key:
                self._open.remove(made)
                return

    def about(self, dialog: Dialog) -> Dialog:
        """The dialog with its call, and with what is wrong about the two."""
        if dialog.kind not in _TOOLS or not self._witnessed:
            return dialog
        known = self._known
        if known is None or known[0] != self._edition or known[1] != dialog:
            self._known = known = self._edition, dialog, self._about(dialog)
        return known[2]

    def _about(self, dialog: Dialog) -> Dialog:
        if self._lost:
            return _with(dialog, None, "not all of the model's answers could be kept or understood")
        if self._broken:
            return _with(dialog, None, "the CLI broke off an answer, whose calls nobody knows")
        calls = [made for made in self._open if made.is_of(dialog.kind)]
        picture = _Picture(dialog)
        fitting = [made for made in calls if made.unseen or picture.may_show(made)]
        found = fitting or calls
        if not found:
            return _with(dialog, None, "the model made no call that this dialog could be about")
        made = found[0]
        if any(made.differs(other) for other in found[1:]):
            return _with(dialog, None, "the model made several calls that would be drawn like this")
        if made.unseen:
            wrong = f"the call holds what is not drawn: {', '.join(made.unseen)}"
        elif not fitting:
            wrong = "what is drawn does not fit the call that the model made"
        elif self._loops:
            wrong = (
                "the CLI watches for loops (model.disableLoopDetection is not set), and may run "
                "what is drawn like this call and is in no log"
            )
        else:
            wrong = ""
        return _with(dialog, made.call, wrong)


def kept(dialog: Dialog, before: Dialog) -> Dialog:
    """A dialog that stands there as before: what was heard since is not what it was drawn for."""
    if dialog.call == before.call:
        return dialog
    came = "a call that would be drawn like this has come since"
    known = before.suspicious if came in before.suspicious else _joined(before.suspicious, came)
    return dialog.model_copy(update={"call": before.call, "suspicious": known})


def looks_like(one: Dialog, other: Dialog) -> bool:
    """Whether two pictures show the same, whatever is selected."""
    return one.kind is other.kind and one.title == other.title and one.body == other.body


def alike(one: Dialog, other: Dialog) -> bool:
    """Whether two pictures show one dialog, with another choice selected."""
    return looks_like(one, other) and one.call == other.call


def asks_the_same(one: Dialog, other: Dialog) -> bool:
    """Whether two dialogs ask about one call; where it is not known, whether they may."""
    if one.call is not None:
        return one.call == other.call
    return other.call is None and one.kind is other.kind and one.title == other.title


def _key(call: ToolCall) -> tuple[str, str | None]:
    return call.name, call.arguments


def _with(dialog: Dialog, call: ToolCall | None, wrong: str) -> Dialog:
    return dialog.model_copy(update={"call": call, "suspicious": _joined(dialog.suspicious, wrong)})


def _joined(*said: str) -> str:
    return "; ".join(filter(None, said))


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

    def may_show(self, made: _Made) -> bool:
        """Whether the call could be drawn so; only a sure No counts."""
        name = made.call.name
        if name in _SHELL:
            return self._shows(made.ink("command"))
        if name == "web_fetch":
            return self._shows(made.ink("prompt", "url"))
        if name in _EDIT:
            return self._changes(made)
        if name in _QUESTIONS:
            questions = made.given.get("questions")
            asked = questions if isinstance(questions, list) else []
            texts = (one.get("question") for one in asked if isinstance(one, dict))
            return any(self._shows(_inked(text)) for text in texts if isinstance(text, str))
        return name in _ASKING or self._runs(made)

    def _shows(self, inked: str) -> bool:
        """A text is drawn in rows of its own; of a long one, its beginning or its end."""
        if not inked:
            return False
        if not self._dialog.complete:
            return inked[-_PART:] in self._all or inked[:_PART] in self._all
        at = self._body.find(inked)
        while at >= 0:
            if at in self._edges and at + len(inked) in self._edges:
                return True
            at = self._body.find(inked, at + 1)
        return False

    def _changes(self, made: _Made) -> bool:
        """A file's name is drawn, every new line is one of the call's, and so is each that goes."""
        if not self._names(made.text("file_path", "absolute_path")):
            return False
        new_lines, old_lines = self._lines()
        if "content" in made.given:
            return _holds(made, "content", new_lines, part=False)
        if not _holds(made, "old_string", old_lines, part=True):
            return False
        if made.ink("new_string"):
            return _holds(made, "new_string", new_lines, part=True)
        # What is left of the lines that something was taken out of.
        left = "".join(old_lines).replace(made.ink("old_string"), "")
        return all(line in left for line in new_lines)

    def _names(self, path: str) -> bool:
        """Whether a file's name is drawn, and nothing else than its folder before it."""
        path = path.replace("\\", "/").rstrip("/")
        name = path.rpartition("/")[2]
        title = self._dialog.title
        if not name or name not in title:
            return bool(inked := _inked(name)) and inked in self._all
        at = title.find(name)
        while at >= 0:
            folder, drawn = path[: -len(name)], title[:at]
            while folder and drawn and folder[-1] == drawn[-1]:
                folder, drawn = folder[:-1], drawn[:-1]
            begins = not drawn or drawn[-1] == " " or drawn.endswith(_CUT)
            if begins and not _GOES_ON.match(title, at + len(name)):
                return True
            at = title.find(name, at + 1)
        return False

    def _lines(self) -> tuple[list[str], list[str]]:
        """The lines of a change that are new, and those that go; of wrapped ones, the first row."""
        lines = [found for row in self._rows if (found := _LINE.fullmatch(row))]
        signed = any(found[1] for found in lines)
        new = [_inked(found[2]) for found in lines if found[1] == "+" or not signed]
        return new, [_inked(found[2]) for found in lines if found[1] == "-"]

    def _runs(self, made: _Made) -> bool:
        """A tool of a server: its name is drawn, and of its arguments what there is room for."""
        name = made.call.name[:_NAME]
        starts = [0, *(at + 1 for at, char in enumerate(name) if char == "_")]
        if not any(_inked(name[at:]) in self._all for at in starts):
            return False
        _, brace, drawn = self._dialog.title.partition("{")
        try:
            return not brace or bool(json.loads(brace + drawn) == made.given)
        except (ValueError, RecursionError):
            return True  # cut off


def _holds(made: _Made, name: str, lines: Sequence[str], *, part: bool) -> bool:
    """Whether all lines are of an argument; with `part`, it may begin and end within a line."""
    text, inked = made.text(name), made.ink(name)
    first, last = _inked(text.partition("\n")[0]), _inked(text.rpartition("\n")[2])
    mended = _ESCAPES.sub("", inked) if "\\" in text else ""
    for line in lines:
        known = line in inked or (mended and _ESCAPES.sub("", line) in mended)
        within = part and ((first and first in line) or (last and last in line))
        if not known and not within:
            return False
    return True


def _inked(text: str) -> str:
    """The characters of a text that leave ink of their own."""
    return "".join(char for char in text if unicodedata.category(char) not in _INKLESS)
