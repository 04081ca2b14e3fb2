"""A reply is what the API sent, code point for code point, whatever a screen can show of it."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from geminipty.model import Reply, ReplySource, Thought, TurnOutcome, Usage
from geminipty.session import GeminiSession
from geminipty.standin import Call, Hang, Request, Say, StandIn, Step, Think
from geminipty.standin.answers import Event, events
from geminipty.standin.wire import Wire
from tests.scripts import EACH, PIECES, replies

from .models import NEWEST, Model

pytestmark = pytest.mark.live

#: One release of each layout that writes a wire log.
RELEASES = ("0.12.0", "0.15.4", "0.24.5", "0.34.0", "0.47.0", NEWEST)
#: What a terminal takes for a command, or turns the direction of text, and letters of tags.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
TOKENS = count(1)


class TornModel(Model):
    """A model whose answers come in pieces that end anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.api.close()
        self.api: Torn = Torn(self._answer)


class Torn(StandIn):
    """Sends a text in events of a few halves of characters, and these in odd pieces of bytes."""

    #: How often a pair of halves, a mark and its letter, and a character's bytes were torn apart.
    halves = marks = within = 0

    def _play(self, wire: Wire, request: Request, step: Step) -> None:
        if isinstance(step, Hang):
            super()._play(wire, request, step)
        else:
            wire.stream(self._bytes(self._events(step, request)))

    def _events(self, step: Any, request: Request) -> Iterator[dict[str, Any]]:
        for event in events(step, request):
            answer = json.loads(event.data.removeprefix(b"data: "))
            (candidate,) = answer["candidates"]
            (part, *_) = candidate["content"]["parts"]
            if not part.get("text"):
                yield answer
                continue
            pieces = list(self._pieces(part["text"]))
            for number, piece in enumerate(pieces, 1):
                parts = [part | {"text": piece}]
                candidate["content"]["parts"] = parts
                last = number == len(pieces)
                yield answer if last else {"candidates": [{"content": {"parts": parts}}]}

    def _pieces(self, text: str) -> Iterator[str]:
        """A thought stays whole: the CLI cuts one that comes in pieces to several."""
        units = text.encode("utf-16-le")
        size = len(units) if text.startswith("**Thought") else 2 * 37
        for at in range(0, len(units), size):
            piece = units[at : at + size].decode("utf-16-le", "surrogatepass")
            self.halves += "\udc00" <= piece[0] <= "\udfff"
            self.marks += unicodedata.category(piece[0])[0] == "M"
            yield piece

    def _bytes(self, answers: Iterator[dict[str, Any]]) -> Iterator[Event]:
        for answer in answers:
            text = json.dumps(answer, ensure_ascii=False)
            # Half a character can only be sent as an escape; Google escapes the other two.
            text = re.sub(
                "[\ud800-\udfff\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text
            )
            data = b"data: %s\r\n\r\n" % text.encode()
            middle = len(data) // 2
            self.within += 0x80 <= data[middle] < 0xC0
            yield Event(0.0, data[:middle])
            yield Event(0.0, data[middle:])


@pytest.fixture(scope="module")
def torn() -> Iterator[TornModel]:
    """The model that the module's sessions talk to."""
    with TornModel() as model:
        yield model


def tokens() -> Usage:
    """Other tokens for each answer."""
    number = next(TOKENS)
    return Usage(
        input=1_000 + number,
        output=number,
        cached=number % 7,
        thoughts=number % 5,
        tool=number % 3,
        total=1_000 + 2 * number + number % 5,
    )


def added(usages: Sequence[Usage]) -> Usage:
    """The tokens of a turn."""
    counts = {name: sum(getattr(one, name) for one in usages) for name in Usage.model_fields}
    return Usage(**counts)


class Asked:
    """A prompt, what the model answers to it, and what the reply must be."""

    def __init__(self, kind: str, release: str) -> None:
        self.prompt = f"Write {kind}"
        texts = replies(kind)
        self.text = "\n\n".join(texts)
        self.thoughts = tuple(
            Thought(subject=f"Thought {number} of {kind}", description=text.strip())
            for number, text in enumerate(texts)
        )
        # Every release has this tool, asks nobody about it, and finds nothing. 0.12.0 sends the
        # controls of its argument to the terminal, which leaves no screen to be read.
        gone = "[\x00-\x1f\x7f-\x9f]" if release == "0.12.0" else "(?!)"
        calls = [
            Call("glob", pattern=f"{number}/{re.sub(gone, '', text)}")
            for number, text in enumerate(texts[1:])
        ]
        self.arguments = [call.arguments for call in calls]
        usages = [tokens() for _ in texts]
        self.usage = added(usages)
        self.steps: list[Step] = [
            [Think(thought.subject, thought.description), Say(text, usage=usage), *call]
            for thought, text, usage, call in zip(
                self.thoughts, texts, usages, [*([call] for call in calls), []], strict=True
            )
        ]

    def check(self, reply: Reply) -> None:
        """Hold a reply against it."""
        assert reply.text == self.text, self.prompt
        assert reply.source is ReplySource.WIRE
        assert reply.thoughts == self.thoughts, self.prompt
        assert [tool.function for tool in reply.tools] == ["glob"] * len(self.arguments)
        assert [tool.arguments for tool in reply.tools] == self.arguments, self.prompt
        assert reply.usage == self.usage, self.prompt
        assert not UNSAFE.search(flagless(reply.printable)), self.prompt


def flagless(text: str) -> str:
    """A text without the flags of regions, which are made of tags and are safe."""
    return re.sub("\U0001f3f4[\U000e0030-\U000e007a]+\U000e007f", "", text)


def test_there_are_as_many_texts_and_scripts_as_is_said() -> None:
    """At least 300 texts, no two alike, and letters of at least 20 scripts."""
    texts = [text for kind in PIECES for text in replies(kind)]
    letters = {char for text in texts for char in text if unicodedata.category(char)[0] == "L"}
    scripts = {unicodedata.name(char, "-").split()[0] for char in letters}

    assert len(set(texts)) == len(PIECES) * EACH >= 300
    assert len(scripts) >= 30
    assert len(scripts - {"-", "HALFWIDTH", "IDEOGRAPHIC", "MATHEMATICAL"}) >= 20


@pytest.mark.timeout(600)
@pytest.mark.parametrize("release", RELEASES)
def test_three_hundred_replies_are_exact(
    release: str, torn: TornModel, project: Path, tmp_path: Path
) -> None:
    """Texts, thoughts, arguments and tokens come out as they went in, live and in the replay."""
    path = tmp_path / "exact.cast"
    turns = [Asked(kind, release) for kind in PIECES]
    torn.will(*(step for turn in turns for step in turn.steps))

    with GeminiSession(**torn.options(project, release, record=path)) as session:
        live = [session.ask(turn.prompt) for turn in turns]
    with GeminiSession.replay(path) as session:
        played = [session.ask(turn.prompt) for turn in turns]

    for turn, one, other in zip(turns, live, played, strict=True):
        turn.check(one)
        assert other == one
    assert torn.finished
    assert min(torn.api.halves, torn.api.marks, torn.api.within) > 0


#: A few characters that the screen or the chat file loses.
HARD = "\U0001f468\u200d\U0001f469 می\u200cخواهم\ufeff \u202e<!-- why --> "


#: Answers that the CLI may throw away, to ask again.
FAULTS = {
    "malformed": Say(f"{HARD}malformed", finish="MALFORMED_FUNCTION_CALL", usage=tokens()),
    "endless": Say(f"{HARD}endless", finish="", usage=tokens()),
    "empty": Say("", usage=tokens()),
}


@pytest.mark.parametrize(
    ("release", "thrown_away"),
    [
        ("0.34.0", ()),  # it asks some models again, but not this one
        ("0.47.0", ("malformed", "endless")),
        (NEWEST, ("malformed", "endless", "empty")),
    ],
)
def test_what_the_cli_throws_away_is_not_the_reply(
    release: str, thrown_away: Sequence[str], torn: TornModel, project: Path
) -> None:
    """Where it asks again, text and tokens are those of the second answer, else of the first."""
    with GeminiSession(**torn.options(project, release)) as session:
        for fault, first in FAULTS.items():
            second = Say(f"{HARD}kept", usage=tokens())
            torn.will(first, second)

            reply = session.ask(fault)

            assert torn.finished is (fault in thrown_away)
            counts = second if torn.finished else first
            assert (reply.text, reply.usage) == (counts.text, counts.usage)
            assert (reply.source, reply.agreement) == (ReplySource.WIRE, True)


@pytest.mark.parametrize("release", RELEASES)
def test_three_calls_with_text_between_are_one_reply(
    release: str, torn: TornModel, project: Path
) -> None:
    """After a turn that was broken off, of which there is only what the screen shows."""
    usage, last = tokens(), tokens()
    calls = [Call("glob", pattern=f"{HARD}{number}") for number in range(3)]
    said = [Say(f"{HARD}{number}. ", usage=usage) for number in range(3)]
    with GeminiSession(**torn.options(project, release)) as session:
        torn.will(Hang("It begins.\n\nAnd"))
        for event in session.stream("begin"):
            if event.kind == "reply-grew":
                break
        broken = session.interrupt()
        torn.will(
            [part for pair in zip(said, calls, strict=True) for part in pair],
            Say(f"{HARD}end", usage=last),
        )
        reply = session.ask("call three")

    assert broken is not None
    assert (broken.text, broken.source) == ("It begins.\n\nAnd", ReplySource.SCREEN)
    assert session.turns[0].outcome is TurnOutcome.CANCELLED
    text = "".join(say.text for say in said)
    assert (reply.text, reply.source) == (f"{text}\n\n{HARD}end", ReplySource.WIRE)
    assert (reply.usage, reply.agreement) == (added([usage, last]), True)
    assert [tool.arguments for tool in reply.tools] == [call.arguments for call in calls]


def test_what_a_subagent_says_is_not_the_reply(torn: TornModel, project: Path) -> None:
    """It thinks, says and calls the same as the model, and pays with other tokens."""
    usages = [tokens() for _ in range(5)]
    look = Call("glob", pattern=f"{HARD}none")
    report = {"SummaryOfFindings": HARD, "ExplorationTrace": [], "RelevantLocations": []}
    ask = Call("invoke_agent", agent_name="codebase_investigator", prompt=HARD)
    torn.will(
        [Think("Thought one", HARD), Say(f"{HARD}I ask.", usage=usages[0]), ask],
        [Think("Thought two", HARD), Say("", usage=usages[1]), look],
        [
            Think("Thought two", HARD),
            Say(f"{HARD}Done.", usage=usages[2]),
            Call("complete_task", report=report),
        ],
        [Think("Thought three", HARD), Say("", usage=usages[3]), look],
        [Think("Thought four", HARD), Say(f"{HARD}Done.", usage=usages[4])],
    )

    with GeminiSession(**torn.options(project, approvals="allow")) as session:
        reply = session.ask("ask somebody")

    assert (reply.text, reply.source) == (f"{HARD}I ask.\n\n{HARD}Done.", ReplySource.WIRE)
    assert reply.usage == added([usages[0], usages[3], usages[4]])
    assert [thought.subject for thought in reply.thoughts] == [
        "Thought one",
        "Thought three",
        "Thought four",
    ]
    assert [tool.arguments for tool in reply.tools] == [ask.arguments, look.arguments]
    assert torn.finished
