"""What wire log, chat file and screen say of a turn is joined, and nothing is made up."""

import json
import time
from itertools import combinations, count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.chats import ChatLog, ExactReply, Message, Role, kept, restored
from geminipty.model import (
    Reply,
    ReplySource,
    Thought,
    ToolCall,
    ToolOutcome,
    Turn,
    TurnOutcome,
    Usage,
)
from geminipty.witnesses import LiveWitnesses, WireCall, WireLog, merge
from geminipty.witnesses.join import join
from geminipty.witnesses.wirelog import LINE_BYTES, Exchange

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
PERSIAN = "می\u200cخواهم"
NUMBERS = count(1)


def usage(total: int) -> Usage:
    """So many tokens."""
    return Usage(input=total, output=0, cached=0, thoughts=0, tool=0, total=total)


def said(
    text: str, *calls: tuple[str, str], finish: str | None = "STOP", tokens: int = 10
) -> Exchange:
    """An answer of the API."""
    number = next(NUMBERS)
    wire = tuple(WireCall(name, arguments) for name, arguments in calls)
    thoughts = (Thought(subject=text, description=""),) if text else ()
    return Exchange(number, text, thoughts, wire, usage(tokens), finish)


def call(function: str, arguments: str) -> ToolCall:
    """A call as the chat file has it."""
    made: dict[str, Any] = {"function": function, "arguments": arguments}
    return ToolCall(name=function, summary="", outcome=ToolOutcome.SUCCESS, **made)


def reply(text: str, *tools: ToolCall, tokens: int = 7) -> Message:
    """A message of the model in the chat file."""
    name = str(next(NUMBERS))
    return Message(name, Role.REPLY, text, tools=tools, model="m", usage=usage(tokens))


def turn(screen: str, outcome: TurnOutcome = TurnOutcome.FINISHED) -> Turn:
    """A turn as the screen has it."""
    shown = Reply(text=screen, source=ReplySource.SCREEN, screen_text=screen)
    return Turn(prompt="go", reply=shown, started=0, finished=1, outcome=outcome)


def test_the_text_is_the_apis_where_chat_file_and_screen_lack_signs() -> None:
    """Joiners, comments and blanks at the ends come from the wire; the model from the file."""
    text = f"\n {FAMILY} {PERSIAN}\u200f <!-- why --> end \n"
    chat = reply(kept(text).strip())

    exact = join([chat], [said(text)], text.replace("\u200c", "").strip())

    assert exact is not None
    assert (exact.text, exact.source, exact.model) == (text, ReplySource.WIRE, "m")
    assert exact.usage == usage(10)
    assert [thought.subject for thought in exact.thoughts] == [text]
    merged = merge(turn("\U0001f468\u200d\U0001f469\u200d\U0001f467 میخواهم end"), exact).reply
    assert (merged.text, merged.source, merged.agreement) == (text, ReplySource.WIRE, True)


@pytest.mark.parametrize("in_file", [True, False], ids=["up to 0.53", "from 0.54"])
@pytest.mark.parametrize("finish", [None, "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
def test_an_answer_that_was_thrown_away_is_no_part_of_the_reply(
    in_file: bool, finish: str | None
) -> None:
    """The CLI asks again and keeps the second answer; the screen still shows both, and agrees."""
    files = [reply("first try"), reply("good")] if in_file else [reply("good")]

    exact = join(files, [said("first try", finish=finish), said("good")], "first trygood")

    assert exact is not None
    assert (exact.text, exact.drawn) == ("good", "first try\n\ngood")
    assert exact.usage == usage(10)
    merged = merge(turn("first trygood"), exact).reply
    assert (merged.text, merged.agreement) == ("good", True)


def test_a_faulty_answer_that_nothing_follows_is_the_reply() -> None:
    """Old releases do not ask again: what was said last was said."""
    exact = join([reply("mal")], [said("mal", finish="MALFORMED_FUNCTION_CALL")], "mal")

    assert exact is not None
    assert (exact.text, exact.source, exact.drawn) == ("mal", ReplySource.WIRE, None)


def test_answers_of_a_subagent_are_not_the_reply() -> None:
    """What the chat file of the conversation does not have was said to somebody else."""
    agent = call("agent", '{"q": 1}')
    wire = [
        said("I ask.", ("agent", '{"q": 1}')),
        said("Inner thoughts.", ("read_file", '{"path": "x"}')),
        said("", ("complete", "{}")),
        said("It is so."),
    ]

    exact = join([reply("I ask.", agent), reply("It is so.")], wire, "I ask.\n\nIt is so.")

    assert exact is not None
    assert exact.text == "I ask.\n\nIt is so."
    assert exact.usage == usage(20)
    assert exact.tools == (agent,)


def test_a_subagent_may_say_and_call_the_same() -> None:
    """The tokens in the chat file tell its answers from the model's, whichever came first."""
    agent, ls = call("agent", "{}"), call("ls", "{}")
    wire = [
        said("", ("agent", "{}"), tokens=1),
        said("", ("ls", "{}"), tokens=20),
        said("Done.", tokens=40),
        said("", ("ls", "{}"), tokens=2),
        said("Done.", tokens=4),
    ]
    files = [reply("", agent, tokens=1), reply("", ls, tokens=2), reply("Done.", tokens=4)]

    exact = join(files, wire, "Done.")

    assert exact is not None
    assert (exact.text, exact.usage) == ("Done.", usage(7))


def test_where_tokens_are_not_those_of_each_answer_the_order_decides() -> None:
    """A call that the file has once is one answer's; a second one is a sub-agent's."""
    ls = call("ls", "{}")
    wire = [
        said("I look.", ("ls", "{}"), tokens=1),
        said("", ("ls", "{}"), tokens=20),
        said("", ("ls", "{}"), ("ls", "{}"), tokens=40),
        said("Done.", tokens=4),
    ]

    for tokens in (4, 5):
        exact = join(
            [reply("I look.", ls), reply("Done.", tokens=tokens)], wire, "I look.\n\nDone."
        )

        assert exact is not None
        assert (exact.text, exact.usage) == ("I look.\n\nDone.", usage(5))


def test_tokens_tell_answers_apart_only_if_the_file_has_those_of_all() -> None:
    """An answer without a text is not left out because its tokens are not in the file."""
    files = [reply("", call("ls", "{}"), tokens=1), reply("Done.", tokens=4)]

    exact = join(files, [said("", ("ls", "{}"), tokens=20), said("Done.", tokens=4)], "Done.")

    assert exact is not None
    assert exact.usage == usage(24)


def test_an_answer_thrown_away_may_be_like_the_one_that_is_kept() -> None:
    """The tokens are those of the one that the chat file has."""
    wire = [said("good", finish=None, tokens=20), said("good", tokens=3)]

    exact = join([reply("good", tokens=3)], wire, "goodgood")

    assert exact is not None
    assert (exact.text, exact.drawn, exact.usage) == ("good", "good\n\ngood", usage(3))


def test_an_empty_answer_costs_what_nobody_counts() -> None:
    """The CLI asks again after a text of blanks and comments: its tokens are not the reply's."""
    exact = join([], [said(" <!-- hm --> ", tokens=20), said("good", tokens=3)], "good")

    assert exact is not None
    assert (exact.text, exact.usage) == ("good", usage(3))


def test_a_record_that_awaits_an_answer_tells_nothing() -> None:
    """Half a turn in the chat file is neither the reply, nor does it say which answers count."""
    half = [reply("I look.", call("ls", "{}"))]

    assert join(half, [], "Something else.") is None
    assert join(half, [said("I look.", ("ls", "{}"))], "Something else.") is None


def test_a_file_that_ends_early_is_made_whole_if_the_screen_agrees() -> None:
    """A hint of the CLI looks like a prompt; what the screen shows behind it is of the turn."""
    wire = [said("I run.", ("ls", "{}")), said(""), said("later")]

    exact = join([reply("I run.", call("ls", "{}")), reply("")], wire, "I run.\n\nlater")
    other = join([reply("I run.", call("ls", "{}")), reply("")], wire, "I run.")

    assert exact is not None
    assert other is not None
    assert exact.text == "I run.\n\nlater"
    assert other.text == "I run."


def test_a_file_with_another_text_is_not_mixed_with_the_wire() -> None:
    """A text that no answer had is taken whole from the file, or the screen's answers are taken."""
    exact = join([reply("Good bye.")], [said("Hello.")], "Good bye.")

    assert exact is not None
    assert (exact.text, exact.source) == ("Good bye.", ReplySource.CHAT_FILE)
    exact = join([reply("One."), reply("Two.")], [said("One.")], "One.\n\nTwo.")
    assert exact is not None
    assert (exact.text, exact.source) == ("One.\n\nTwo.", ReplySource.CHAT_FILE)


def test_without_a_chat_file_the_screen_must_agree() -> None:
    """Nobody else can say which answers count."""
    wire = [said(f"{FAMILY} {PERSIAN}")]

    exact = join([], wire, f"{FAMILY} میخواهم")

    assert exact is not None
    assert (exact.text, exact.source) == (f"{FAMILY} {PERSIAN}", ReplySource.WIRE)
    assert join([], wire, "Something else.") is None
    assert join([], [], "x") is None


def test_a_screen_that_shows_something_else_is_told_of() -> None:
    """The wire is believed, and `agreement` says that the screen does not fit."""
    exact = join([reply("Hello.")], [said("He\u200dllo.")], "Good bye.")
    merged = merge(turn("Good bye."), exact).reply

    assert (merged.text, merged.agreement) == ("He\u200dllo.", False)


def test_arguments_are_as_they_were_sent() -> None:
    """Each call of the file gets the arguments of its own call on the wire, also of two alike."""
    half = '{"p": "\\ud800"}'
    wire = [said("I look.", ("ls", half), ("cat", "{}")), said("", ("ls", '{"p": 2}'))]
    files = [
        reply("I look.", call("ls", '{"p": "\ufffd"}'), call("cat", "{}")),
        reply("", call("ls", '{"p": 2}')),
        reply("Done."),
    ]

    exact = join(files, [*wire, said("Done.")], "I look.\n\nDone.")

    assert exact is not None
    assert exact.text == "I look.\n\nDone."
    tools = [(tool.function, tool.arguments) for tool in exact.tools]
    assert tools == [("ls", half), ("cat", "{}"), ("ls", '{"p": 2}')]


def test_arguments_are_the_files_if_a_call_is_missing_on_the_wire() -> None:
    """Which of two calls alike was sent nobody knows."""
    files = [
        reply("I look.", call("ls", '{"p": 1}')),
        reply("", call("ls", '{"p": 2}')),
        reply("Done."),
    ]
    wire = [said("I look."), said("", ("ls", '{"p": 2}')), said("Done.")]

    exact = join(files, wire, "I look.\n\nDone.")

    assert exact is not None
    assert exact.source is ReplySource.WIRE
    assert [tool.arguments for tool in exact.tools] == ['{"p": 1}', '{"p": 2}']


def test_a_long_turn_is_joined_in_linear_time() -> None:
    """Of 10,000 answers each has a text and a call of its own: it takes no half a minute."""
    names = [f"tool {number}" for number in range(10_000)]
    wire = [said(f"{name}.", (name, "{}")) for name in names]
    files = [reply(f"{name}.", call(name, "{}")) for name in names]
    screen = "".join(f"{name}." for name in names)
    begun = time.process_time()

    exact = join([*files, reply("Done.")], [*wire, said("Done.")], f"{screen}Done.")

    assert exact is not None
    assert exact.usage == usage(10 * 10_001)
    assert time.process_time() - begun < 10


def test_a_turn_that_was_cancelled_keeps_the_screens_text() -> None:
    """An answer that was broken off is not in the wire log."""
    exact = join([reply("I look.")], [said("I look.")], "I look.\n\nAnd th")

    cancelled = merge(turn("I look.\n\nAnd th", TurnOutcome.CANCELLED), exact).reply

    assert (cancelled.text, cancelled.source) == ("I look.\n\nAnd th", ReplySource.SCREEN)


def test_what_was_said_makes_a_trip_through_json() -> None:
    """A recording holds the source with the text; one without it speaks of a chat file."""
    exact = join([reply("good")], [said("bad", finish=None), said("good")], "badgood")

    assert exact is not None
    assert ExactReply.model_validate(exact.model_dump(mode="json", exclude_defaults=True)) == exact
    assert ExactReply.model_validate({"text": "x"}).source is ReplySource.CHAT_FILE


@pytest.mark.parametrize(
    ("exact", "truncated", "text"),
    [
        (ExactReply(text="a b", complete=True), False, "a\u200d b"),
        (ExactReply(text="a b", complete=True), True, "a b"),
        (ExactReply(text="a b", complete=True, source=ReplySource.WIRE), False, "a b"),
    ],
    ids=["chat file", "chat file and a screen that lost lines", "wire"],
)
def test_only_a_chat_file_gets_something_back_from_a_whole_screen(
    exact: ExactReply, truncated: bool, text: str
) -> None:
    """The wire left nothing out, and a screen that lost lines shows nothing for sure."""
    seen = turn("a\u200d b")
    shown = seen.reply.model_copy(update={"truncated": truncated})

    merged = merge(seen.model_copy(update={"reply": shown}), exact).reply

    assert merged.text == text


class Running:
    """The files of a CLI that runs, and what is read of them."""

    def __init__(self, folder: Path) -> None:
        self.chat = folder / "tmp" / "project" / "chats" / "session-a.jsonl"
        self.wire = folder / "wire.jsonl"
        self.chat.parent.mkdir(parents=True)
        self.witnesses = LiveWitnesses(ChatLog(folder), WireLog(self.wire))
        self.witnesses.mark()

    def chats(self, kind: str, content: str) -> None:
        """The CLI writes a message."""
        record = {"id": str(next(NUMBERS)), "type": kind, "content": content}
        with self.chat.open("a") as file:
            file.write(json.dumps(record) + "\n")

    def hears(self, *texts: str) -> None:
        """The CLI writes an answer of the API."""
        parts = [{"candidates": [{"content": {"parts": [{"text": text}]}}]} for text in texts]
        end = {"candidates": [{"finishReason": "STOP"}]}
        record = {"method": "generateContentStream", "response": [*parts, end]}
        with self.wire.open("a") as file:
            file.write(json.dumps(record) + "\n")


@pytest.fixture
def cli(tmp_path: Path) -> Running:
    """A CLI that was just asked something."""
    return Running(tmp_path)


def test_a_turn_has_what_its_files_say_of_it_and_no_other(cli: Running) -> None:
    """Before the mark all belongs to earlier turns; what comes after is taken as it comes."""
    cli.chats("user", "go")
    cli.hears("On", "e\u200d.")
    cli.chats("gemini", "One.")
    first = cli.witnesses.reply("go", "One.")
    assert cli.witnesses.reply("go", "One.") is first  # joined once, asked for often

    cli.witnesses.mark()
    before = cli.witnesses.reply("go", "One.")
    cli.chats("user", "go")
    cli.hears("One\ufeff.")
    cli.chats("gemini", "One.")
    second = cli.witnesses.reply("go", "One.")

    assert [exact and exact.text for exact in (first, before, second)] == [
        "One\u200d.",
        None,
        "One\ufeff.",
    ]


def test_a_reply_is_joined_anew_when_log_or_screen_change(cli: Running) -> None:
    """What was known of half a turn, or for another screen, is not kept."""
    cli.hears("One.")
    known = [cli.witnesses.reply("go", screen) for screen in ("One.", "One.Two.")]
    cli.hears("Two.")
    known.append(cli.witnesses.reply("go", "One.Two."))

    assert [exact and exact.text for exact in known] == ["One.", None, "One.\n\nTwo."]


def test_a_real_turn_with_a_subagent_is_the_models(tmp_path: Path) -> None:
    """Files that 0.61 wrote: the sub-agent too said "Done.", with other thoughts and tokens."""
    cli = Running(tmp_path)
    for written, place in (("chat.jsonl", cli.chat), ("wire.jsonl", cli.wire)):
        place.write_bytes((Path(__file__).parent / "wire" / "subagent" / written).read_bytes())
    hard = "\U0001f468\u200d\U0001f469 می\u200cخواهم \u202e<!-- c -->"

    exact = cli.witnesses.reply("go", f"I ask.{hard}\n\nDone.")

    assert exact is not None
    assert (exact.text, exact.source) == (f"I ask.{hard}\n\nDone.", ReplySource.WIRE)
    assert [thought.subject for thought in exact.thoughts] == ["Plan", "End"]
    assert exact.usage is not None
    assert exact.usage.total == 12_113 + 12_258
    (tool,) = exact.tools
    prompt = {"agent_name": "codebase_investigator", "prompt": f"Look {hard}"}
    assert tool.arguments == json.dumps(prompt, ensure_ascii=False)


def test_a_turn_is_settled_when_its_record_has_what_the_screen_shows(cli: Running) -> None:
    """Without a chat file nothing more will come; with one, it is waited for."""
    cli.hears("One.", " Two.")
    assert cli.witnesses.settled("go", "One. Two.")

    cli.chats("user", "go")
    assert not cli.witnesses.settled("go", "One. Two.")
    cli.chats("gemini", "One. Two.")

    assert cli.witnesses.settled("go", "One. Two.")
    assert not cli.witnesses.settled("go", "One. Two. Three.")


def test_a_wire_log_that_has_lost_something_says_nothing_of_its_turn(cli: Running) -> None:
    """The chat file has the reply, and without one it is the screen's; the next turn is exact."""
    cli.hears("I look.")
    cli.hears("x" * LINE_BYTES)
    assert cli.witnesses.reply("go", "I look.") is None
    cli.chats("user", "go")
    cli.chats("gemini", "I look.")
    lossy = cli.witnesses.reply("go", "I look.")

    cli.witnesses.mark()
    cli.chats("user", "on")
    cli.hears("Do\u200dne.")
    cli.chats("gemini", "Done.")
    exact = cli.witnesses.reply("on", "Done.")

    assert [(one.text, one.source) for one in (lossy, exact) if one] == [
        ("I look.", ReplySource.CHAT_FILE),
        ("Do\u200dne.", ReplySource.WIRE),
    ]


TEXTS = st.text(st.sampled_from([*"ab *-|<!>\n", "\u200d", "\u200c", "\ufeff", "\u202e", "\u093f"]))


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4), TEXTS)
def test_a_text_is_never_made_up(files: list[str], wire: list[str], screen: str) -> None:
    """A reply is the file's, or answers of the API with a blank line between them."""
    exchanges = [said(text) for text in wire]
    exact = join([reply(text) for text in files], exchanges, screen)

    if exact is not None and exact.source is ReplySource.WIRE:
        spoken = [text for text in wire if text.strip()]
        chosen = [combinations(spoken, number) for number in range(len(spoken) + 1)]
        assert exact.text in ["\n\n".join(some) for group in chosen for some in group]
    elif exact is not None:
        assert exact.text == "\n\n".join(text for text in files if text.strip())


@pytest.mark.parametrize(
    ("text", "screen", "whole"),
    [
        ("a \U0001f468\U0001f469\U0001f467 b", f"a {FAMILY}\nb", f"a {FAMILY} b"),
        ("**क्ष** x", "क्\u200dष x", "**क्\u200dष** x"),
        ("a  b\n\nend", "a <!-- hidden --> b\n<!-- x -->\nend", None),
        ("one", "one\u200dtwo", "one"),
        ("a\u200cb", "ab", "a\u200cb"),
        ("plain", "plain", "plain"),
    ],
    ids=ascii,
)
def test_a_chat_file_gets_back_what_the_screen_still_shows(
    text: str, screen: str, whole: str | None
) -> None:
    """Joiners and comments go between the signs they stood between; a doubtful screen is left."""
    assert restored(text, screen) == (screen if whole is None else whole)


@given(TEXTS, TEXTS)
def test_nothing_else_is_put_into_a_text(text: str, screen: str) -> None:
    """What the CLI would take out of the restored text is all that was put in."""
    whole = restored(text, screen)

    assert whole == text or kept(whole) == kept(text) or "<!" in screen + text
    assert restored(screen, screen) == screen
