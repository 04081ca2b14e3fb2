"""The words of the domain are plain data that cannot change, and each has its meaning written."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from geminipty import model
from geminipty.errors import FailureReason
from geminipty.model import (
    Choice,
    Closed,
    Dialog,
    DialogClosed,
    DialogKind,
    DialogOpened,
    Event,
    Reply,
    ReplyGrew,
    ReplySource,
    Status,
    StatusChanged,
    Thought,
    ToolCall,
    ToolCalled,
    ToolFinished,
    ToolOutcome,
    Turn,
    TurnAborted,
    TurnFinished,
    TurnOutcome,
    TurnStarted,
    Usage,
)

GLOSSARY = (Path(__file__).parent.parent / "docs" / "glossary.md").read_text(encoding="utf-8")

CHOICE = Choice(number=1, label="Allow once", selected=True)
DIALOG = Dialog(kind=DialogKind.SHELL, title="Allow execution?", body="ls -l", choices=(CHOICE,))
TOOL = ToolCall(
    name="Shell",
    summary="ls -l",
    outcome=ToolOutcome.SUCCESS,
    output="total 0",
    arguments='{"command": "ls -l"}',
)
THOUGHT = Thought(subject="Looking", description="The folder first.")
USAGE = Usage(input=10, output=5, cached=2, thoughts=1, tool=0, total=16)
REPLY = Reply(
    text="It is **empty**. ⚠️",
    source=ReplySource.CHAT_FILE,
    screen_text="It is empty. ⚠️",
    tools=(TOOL,),
    thoughts=(THOUGHT,),
    model="gemini-2.5-pro",
    usage=USAGE,
    truncated=False,
    agreement=True,
)
TURN = Turn(
    prompt="what is here?",
    reply=REPLY,
    started=1.25,
    finished=4.5,
    outcome=TurnOutcome.FINISHED,
    dialogs=(DIALOG,),
)
BROKEN = TURN.model_copy(update={"outcome": TurnOutcome.FAILED})
EVENTS: list[Event] = [
    StatusChanged(at=0, status=Status.READY),
    TurnStarted(at=1.25, prompt="what is here?"),
    ReplyGrew(at=2, delta="It is"),
    ToolCalled(at=3, tool=TOOL),
    ToolFinished(at=3.5, tool=TOOL),
    DialogOpened(at=3.1, dialog=DIALOG),
    DialogClosed(at=3.2, dialog=DIALOG),
    TurnFinished(at=4.5, turn=TURN),
    TurnAborted(at=4.5, turn=BROKEN, reason=FailureReason.QUOTA, message="used up"),
    Closed(at=9),
]
WORDS: list[BaseModel] = [CHOICE, DIALOG, TOOL, THOUGHT, USAGE, REPLY, TURN, *EVENTS]
EACH = pytest.mark.parametrize("word", WORDS, ids=lambda word: type(word).__name__)

ENUMS = [
    value
    for value in vars(model).values()
    if isinstance(value, type) and issubclass(value, StrEnum) and value.__module__ == model.__name__
]
EVENT_CLASSES: tuple[type[BaseModel], ...] = get_args(get_args(Event)[0])


def test_table_of_this_file_has_one_of_each_word() -> None:
    """No model of model.py escapes the tests of this file."""
    public = {
        value
        for name, value in vars(model).items()
        if isinstance(value, type)
        and issubclass(value, BaseModel)
        and value.__module__ == model.__name__
        and not name.startswith("_")
    }

    assert {type(word) for word in WORDS} == public


@EACH
def test_json_and_back_gives_the_same_word(word: BaseModel) -> None:
    """A word that was written as JSON and read again equals itself."""
    assert type(word).model_validate_json(word.model_dump_json()) == word


@EACH
def test_words_are_hashable_by_value(word: BaseModel) -> None:
    """Equal words have equal hashes, so they can be members of a set."""
    assert {word, word.model_copy(deep=True)} == {word}


@EACH
def test_words_cannot_be_changed(word: BaseModel) -> None:
    """Setting a field of a word raises."""
    field = next(iter(type(word).model_fields))

    with pytest.raises(ValidationError, match="frozen"):
        setattr(word, field, getattr(word, field))


@EACH
def test_words_refuse_unknown_fields(word: BaseModel) -> None:
    """A field that a word does not know is an error, not silently dropped."""
    with pytest.raises(ValidationError, match="Extra inputs"):
        type(word).model_validate({**word.model_dump(), "mood": "good"})


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_kind_tells_which_event_it_is(event: Event) -> None:
    """From JSON alone, `kind` finds the right class among all events."""
    adapter: TypeAdapter[Event] = TypeAdapter(Event)

    again = adapter.validate_json(event.model_dump_json())

    assert type(again) is type(event)
    assert again == event


@pytest.mark.parametrize("cls", EVENT_CLASSES)
def test_kind_is_the_class_name_in_kebab_case(cls: type[BaseModel]) -> None:
    """The kind of an event is the name of its class in kebab-case."""
    assert cls.model_fields["kind"].default == re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()


@pytest.mark.parametrize("member", [member for enum in ENUMS for member in enum])
def test_every_member_is_explained_in_the_glossary(member: StrEnum) -> None:
    """Each member of each enumeration has its row, in its table of docs/glossary.md."""
    table = GLOSSARY.partition(f"| {type(member).__name__} |")[2].partition("\n\n")[0]

    assert re.search(rf"^\| `{member.value}` \| \S.+ \|$", table, re.MULTILINE)


@pytest.mark.parametrize("enum", ENUMS)
def test_glossary_explains_no_member_that_is_gone(enum: type[StrEnum]) -> None:
    """A table of docs/glossary.md has the members of its enumeration in their order."""
    table = GLOSSARY.partition(f"| {enum.__name__} |")[2].partition("\n\n")[0]

    assert re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE) == [m.value for m in enum]


def test_glossary_has_every_event() -> None:
    """The table of events in docs/glossary.md has all of them, in their order."""
    table = GLOSSARY.partition("| Event |")[2].partition("\n\n")[0]

    names = re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE)

    assert names == [cls.__name__ for cls in EVENT_CLASSES]


@pytest.mark.parametrize(
    ("finished", "outcome"),
    [
        (None, TurnOutcome.FINISHED),
        (None, TurnOutcome.FAILED),
        (None, TurnOutcome.CANCELLED),
        (2.0, TurnOutcome.OPEN),
    ],
)
def test_turn_has_an_end_unless_it_is_open(finished: float | None, outcome: TurnOutcome) -> None:
    """An open turn has no end, and every other turn has one."""
    with pytest.raises(ValidationError, match="exactly when it is not open"):
        Turn(prompt="p", reply=REPLY, started=1, finished=finished, outcome=outcome)


def test_turn_does_not_end_before_it_starts() -> None:
    """A turn whose end lies before its start is refused."""
    with pytest.raises(ValidationError, match="before it started"):
        Turn(prompt="p", reply=REPLY, started=2, finished=1, outcome=TurnOutcome.FINISHED)


@pytest.mark.parametrize(
    ("cls", "fields"),
    [
        (Closed, {"at": float("inf")}),
        (Closed, {"at": float("nan")}),
        (Choice, {"number": 0, "label": "none"}),
        (Usage, {**USAGE.model_dump(), "input": -1}),
        (Dialog, {"kind": "riddle", "title": "?"}),
        (StatusChanged, {"at": 0, "status": "ready"}),
    ],
)
def test_nonsense_is_refused(cls: type[BaseModel], fields: dict[str, Any]) -> None:
    """Times are finite, numbers in range, and enumerated words are spelled as they are."""
    with pytest.raises(ValidationError):
        cls.model_validate(fields)


def test_a_reply_can_be_printed_whatever_it_holds() -> None:
    """`text` is what came; `printable` names what would steer a terminal, and keeps joiners."""
    text = "\x1b]0;title\x07 \u202egnp.exe \U0001f468\u200d\U0001f469 a\tb\n"
    reply = REPLY.model_copy(update={"text": text})

    assert reply.text == text
    assert reply.printable == (
        "⟨U+001B⟩]0;title⟨U+0007⟩ ⟨U+202E⟩gnp.exe \U0001f468\u200d\U0001f469 a\tb\n"
    )
