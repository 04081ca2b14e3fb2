"""A run of the CLI as a conversation: phases, events, turns, the same for every chunking."""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.conversation import (
    OPEN,
    TABLE,
    Conversation,
    Phase,
    Sight,
    Stop,
    Submit,
    TurnErrand,
)
from geminipty.errors import FailureReason
from geminipty.export.explained import frames
from geminipty.export.timeline import Timeline, play, tell
from geminipty.model import Event, Status, TurnOutcome
from geminipty.reading import Reading, Transcript, read
from geminipty.terminal import QUIET, Cut, Key
from geminipty.transports.files import open_recording

from . import painting
from .conftest import ALL_RECORDINGS, RECORDINGS, examples, later
from .playing import load
from .streams import any_stream


def story(name: str) -> Timeline:
    """What happens in a bundled recording."""
    (path,) = RECORDINGS.glob(f"{name}.cast*")
    with open_recording(path) as recording:
        return tell(recording)


def kinds(events: Iterable[Event]) -> list[str]:
    """The kinds of events, growth left out."""
    return [event.kind for event in events if event.kind != "reply-grew"]


# The machine


def test_the_table_is_whole() -> None:
    """Every phase has an answer to every sight."""
    assert set(TABLE) == {(phase, sight) for phase in Phase for sight in Sight}


def test_closed_is_the_end() -> None:
    """From every phase the end of the CLI leads to CLOSED, and nothing leads out of it."""
    assert {TABLE[phase, Sight.CLOSED] for phase in Phase} == {Phase.CLOSED}
    assert {TABLE[Phase.CLOSED, sight] for sight in Sight} == {Phase.CLOSED}


def test_ready_ends_a_turn_only_after_a_busy_sign_or_an_answer() -> None:
    """After Enter, and with the prompt alone in the transcript, READY does not count."""
    assert TABLE[Phase.ENTERED, Sight.READY] is Phase.ENTERED
    assert TABLE[Phase.SUBMITTED, Sight.READY] is Phase.SUBMITTED
    assert TABLE[Phase.SUBMITTED, Sight.ANSWER] is Phase.DONE
    assert TABLE[Phase.WORKING, Sight.READY] is Phase.DONE


@pytest.mark.parametrize("sight", [Sight.UNKNOWN, Sight.STARTING, Sight.QUEUED])
def test_what_proves_nothing_changes_nothing(sight: Sight) -> None:
    """A picture that cannot be read, or one of a restart, leaves the phase."""
    assert {phase: TABLE[phase, sight] for phase in OPEN} == {phase: phase for phase in OPEN}


# After Enter


def enter(conversation: Conversation) -> None:
    """A ready CLI, and Enter."""
    conversation.see(painting.new([], busy=False))
    conversation.entered()


def test_after_enter_ready_does_not_count() -> None:
    """Until the prompt stands in the transcript or a busy sign is seen, the phase stays."""
    conversation = Conversation(60, 24)
    enter(conversation)

    conversation.see(painting.new([], busy=False))

    assert conversation.phase is Phase.ENTERED


def test_after_enter_a_busy_sign_counts() -> None:
    """A busy sign proves that the CLI took the prompt."""
    conversation = Conversation(60, 24)
    enter(conversation)

    conversation.see(painting.new(["x"], busy=True))

    assert conversation.phase is Phase.WORKING


# Events


def test_a_turn_with_a_tool_is_told_in_order() -> None:
    """Statuses, the prompt, the dialog, the tool and the end come as they happen."""
    timeline = story("0.61.0/tool-approve")

    assert kinds(timeline.events) == [
        "status-changed", "status-changed", "status-changed", "turn-started",
        "status-changed", "dialog-opened", "status-changed", "dialog-closed",
        "tool-called", "tool-finished", "status-changed", "turn-finished",
    ]  # fmt: skip
    (turn,) = timeline.turns
    assert turn.reply.text == "I will run a command.\n\nTool finished. All done after the tool."
    assert [(tool.name, tool.outcome.value) for tool in turn.reply.tools] == [("Shell", "success")]
    assert [dialog.kind.value for dialog in turn.dialogs] == ["shell"]


@pytest.mark.parametrize(
    ("name", "outcome", "reason", "message"),
    [
        ("0.61.0/cancel", TurnOutcome.CANCELLED, FailureReason.CANCELLED, "Request cancelled."),
        ("0.1.5/cancel", TurnOutcome.CANCELLED, FailureReason.CANCELLED, "Request cancelled."),
        ("0.61.0/error", TurnOutcome.FAILED, FailureReason.MODEL_ERROR, "[API Error: "),
        ("0.6.1/error", TurnOutcome.FAILED, FailureReason.MODEL_ERROR, "[API Error: "),
    ],
)
def test_a_turn_that_fails_says_why(
    name: str, outcome: TurnOutcome, reason: FailureReason, message: str
) -> None:
    """An API error or Esc ends a turn with TurnAborted, its reason and the CLI's words."""
    timeline = story(name)

    (end,) = [event for event in timeline.events if event.kind == "turn-aborted"]
    assert end.turn.outcome is outcome
    assert end.reason is reason
    assert end.message.startswith(message)


def test_reasons_are_told_apart() -> None:
    """A chat that is too long, no permission and a used-up quota have reasons of their own."""
    long = [e.reason for e in story("0.61.0/errors").events if e.kind == "turn-aborted"]
    quota = [e.reason for e in story("0.24.5/errors").events if e.kind == "turn-aborted"]

    assert long == [FailureReason.CONTEXT_OVERFLOW, FailureReason.SIGN_IN]
    assert quota == [FailureReason.MODEL_ERROR, FailureReason.QUOTA]


def test_a_queued_prompt_is_a_turn_of_its_own() -> None:
    """What was queued begins its turn where the first one ends, and each has its own reply."""
    for name in ("0.61.0/queue", "0.6.1/queue"):
        first, second = story(name).turns

        assert (first.prompt, second.prompt) == ("first question", "second question")
        assert first.reply.text.startswith("First answer, part 01.")
        assert "First" not in second.reply.text


def test_a_command_is_no_turn_unless_the_model_is_asked() -> None:
    """/model, /compress and /quit are none; an unknown command goes to the model."""
    assert [turn.prompt for turn in story("0.61.0/slash").turns] == ["hello", "/nosuchcmd foo"]
    assert [turn.prompt for turn in story("0.61.0/quit-slash").turns] == ["say hello"]


def test_the_end_is_told_once() -> None:
    """CLOSED is the last status, and Closed the last event."""
    events = story("0.61.0/quit-slash").events

    assert kinds(events)[-2:] == ["status-changed", "closed"]
    assert kinds(events).count("closed") == 1


def test_a_turn_that_the_recording_cuts_off_is_open() -> None:
    """A recording that stops while the CLI works ends with an open turn."""
    (path,) = RECORDINGS.glob("0.61.0/hello.cast")
    header, events = load(path)
    conversation = Conversation(header.columns, header.lines)
    for event in events:
        if event.time < 7.5 and event.code == "o":
            conversation.receive(str(event.data))
            conversation.tick(event.time)

    conversation.end()

    (turn,) = conversation.turns
    assert turn.outcome is TurnOutcome.OPEN
    assert turn.finished is None


def test_an_exit_in_mid_turn_ends_the_turn() -> None:
    """A CLI that dies while it works leaves a cancelled turn, told before the end."""
    conversation = Conversation(60, 24)
    conversation.see(painting.new([], busy=False))
    conversation.see(painting.new(["half an ans"], busy=True))

    conversation.end(exited=True)

    assert kinds(conversation.events())[-3:] == ["status-changed", "turn-aborted", "closed"]
    assert conversation.phase is Phase.CLOSED
    assert [turn.outcome for turn in conversation.turns] == [TurnOutcome.CANCELLED]


def test_an_exit_does_not_prove_what_was_doubted() -> None:
    """A composer seen for an instant before the CLI died does not finish the turn."""
    conversation = Conversation(60, 24)
    conversation.see(painting.old([], busy=False))
    conversation.tick(5.0)
    conversation.see(painting.old(["half"], busy=True))
    conversation.see(replace(painting.old(["half"], busy=False), cut=Cut.ERASED))

    conversation.end(exited=True)

    assert [turn.outcome for turn in conversation.turns] == [TurnOutcome.CANCELLED]


def test_an_error_before_the_answer_is_no_failure() -> None:
    """A request that failed and was tried again with success is a finished turn."""
    conversation = Conversation(60, 24)
    conversation.see(painting.new([], busy=False))
    for busy in (True, False):
        conversation.see(
            painting.new(["first", "\r\x1b[31m✕ [API Error: 503]\x1b[39m", "\r✦ whole"], busy=busy)
        )

    (end,) = [event for event in conversation.events() if event.kind.startswith("turn-f")]
    assert end.kind == "turn-finished"


def test_a_cli_that_is_gone_closes_the_conversation() -> None:
    """If whoever owns the CLI says that it ended, that is the last event."""
    conversation = Conversation(60, 24)
    conversation.see(painting.new(["x"], busy=False))

    conversation.end(exited=True)

    assert kinds(conversation.events())[-1] == "closed"
    assert conversation.status is Status.CLOSED


def test_an_instant_of_ready_between_two_requests_is_not_ready() -> None:
    """0.1.5 draws its composer for 20 ms after a tool; that makes no status and no end."""
    timeline = story("0.1.5/tool-approve")
    statuses = [event.status for event in timeline.events if event.kind == "status-changed"]

    (path,) = RECORDINGS.glob("0.1.5/tool-approve.cast")
    with open_recording(path) as recording:
        seen = [read(frame).status for _, frame in frames(recording)]
    busy = seen.index(Status.WORKING)
    assert Status.READY in seen[busy : len(seen) - 1]
    assert statuses[-3:] == [Status.ASKING, Status.WORKING, Status.READY]


def test_a_picture_that_ends_within_a_line_is_looked_at_after_the_quiet_time() -> None:
    """0.24.5 ends a long answer within the footer; the turn does not wait for the line's end."""
    (path,) = RECORDINGS.glob("0.24.5/long.cast*")
    _, events = load(path)
    (turn,) = story("0.24.5/long").turns
    assert turn.finished is not None

    painted = max(
        event.time for event in events if event.code == "o" and event.time < turn.finished
    )

    assert 0 < turn.finished - painted <= QUIET + 1e-6


def test_a_composer_without_a_banner_is_ready_after_silence() -> None:
    """With the banner switched off nothing ever comes above; silence makes it READY."""
    (path,) = RECORDINGS.glob("0.61.0/lean.cast*")
    header, events = load(path)
    conversation = Conversation(header.columns, header.lines)
    for event in events:
        if event.time < 4.0 and event.code == "o":
            conversation.receive(str(event.data))
            conversation.tick(event.time)

    while (due := conversation.deadline) is not None:
        conversation.tick(due)

    statuses = [event.status for event in conversation.events() if event.kind == "status-changed"]
    assert statuses == [Status.STARTING, Status.READY]


def test_a_cli_that_is_started_again_is_read_again() -> None:
    """A shell in which the CLI runs twice tells both runs; what the shell says tells nothing."""
    (path,) = RECORDINGS.glob("0.61.0/quit-slash.cast")
    header, events = load(path)
    conversation = Conversation(header.columns, header.lines)
    for start in (0.0, 100.0):
        for event in events:
            if event.code == "o":
                conversation.receive(str(event.data))
                conversation.tick(start + event.time)
        conversation.receive("$ ls\r\na.txt\r\n$ ")
        conversation.tick(start + 50)
        conversation.tick(start + 60)

    told = list(conversation.events())
    assert [turn.prompt for turn in conversation.turns] == ["say hello", "say hello"]
    assert kinds(told).count("closed") == 2
    assert kinds(told)[-1] == "closed"


# The three faults of the CLI


@pytest.mark.parametrize(
    ("name", "whole"), [("0.34.0/long", True), ("0.1.5/long", True), ("0.15.4/long", False)]
)
def test_a_reply_that_the_cli_spoils_is_flagged(name: str, whole: bool) -> None:
    """Overwritten, drawn twice, or only its last screen kept: `truncated` says so."""
    (turn,) = story(name).turns

    assert turn.reply.truncated
    lines = turn.reply.text.split("\n")
    assert len(lines) == 200 if whole else len(lines) < 200
    assert lines[-1].startswith("L200 ")


def test_a_reply_that_is_whole_is_not_flagged() -> None:
    """200 lines over five screens, rewritten many times, are all there, once."""
    for name in ("0.61.0/long", "0.61.0/long-80x24", "0.24.5/long", "0.6.1/long"):
        (turn,) = story(name).turns

        assert not turn.reply.truncated
        assert len(turn.reply.text.split("\n")) == 200


# Growth


def test_deltas_are_the_beginning_of_the_text(recording: Path) -> None:
    """What was told of a reply, joined, is where its text begins, unless the CLI redrew it."""
    with open_recording(recording) as opened:
        timeline = tell(opened)
    told: list[str] = []
    for event in timeline.events:
        if event.kind == "turn-started":
            told.append("")
        elif event.kind == "reply-grew":
            told[-1] += event.delta
    redrawn = [
        turn.prompt
        for turn, deltas in zip(timeline.turns, told, strict=True)
        if deltas != turn.reply.text and turn.outcome is not TurnOutcome.OPEN
    ]

    assert len(redrawn) == REDRAWN.get(f"{recording.parent.name}/{recording.name}", 0)


#: Turns whose text was drawn otherwise after it had been told: tables that grow (in 0.1.5 as
#: text), alternate screens that scroll, and answers that 0.1.5 draws twice, some for an instant.
#: In raw mode 0.30 and 0.34 indent by three columns; the third is told until the turn ends.
REDRAWN = {
    "0.1.5/approve.cast.gz": 1,
    "0.1.5/ask-lean.cast.gz": 1,
    "0.1.5/ask.cast.gz": 1,
    "0.1.5/long-answer.cast.gz": 1,
    "0.30.1/ask-lean.cast.gz": 1,
    "0.34.0/ask-lean.cast.gz": 1,
    "0.1.5/long.cast.gz": 1,
    "0.1.5/markdown.cast": 1,
    "0.1.5/tool-approve.cast": 1,
    "0.1.5/yolo.cast.gz": 1,
    "0.1.5/adversarial.cast.gz": 3,
    "0.15.4/adversarial.cast.gz": 2,
    "0.15.4/long.cast.gz": 1,
    "0.61.0/markdown2.cast.gz": 1,
}


def test_a_long_answer_is_told_while_it_comes() -> None:
    """Deltas come as lines settle, not all at the end."""
    grown = [e for e in story("0.61.0/long").events if e.kind == "reply-grew"]

    assert len(grown) > 5
    assert sum(len(event.delta) for event in grown[:-1]) > 8000


def test_escape_stops_a_cli_that_is_never_silent() -> None:
    """A picture on its way does not keep Escape from work; it does from all else, and if ready."""
    busy, idle = read(painting.old(["x"], busy=True)), read(painting.old(["x"], busy=False))

    def typed(hand: Stop | Submit, reading: Reading) -> str:
        errand = TurnErrand(hand, policy="deny", seconds=5.0, begun=True)
        errand.begin(0.0)
        return errand.look(reading, 0.0, fresh=True, still=False)

    assert typed(Stop(), busy) == Key.ESCAPE
    assert typed(Stop(), idle) == ""
    assert typed(Submit("x"), idle) == ""


# Any chunking


def events_of(path: Path, cut: Callable[[str], list[str]]) -> list[Event]:
    """The events of a recording whose output arrives in the pieces that `cut` makes."""
    header, recorded = load(path)
    conversation = Conversation(header.columns, header.lines)
    events: list[Event] = []
    for event in recorded:
        while (due := conversation.deadline) is not None and due <= event.time:
            conversation.tick(due)
        if event.code == "o":
            for piece in cut(str(event.data)):
                conversation.receive(piece)
                conversation.tick(event.time)
    exited = any(event.code == "x" for event in recorded)
    while not exited and (due := conversation.deadline) is not None:
        conversation.tick(due)
    conversation.end(exited=exited)
    events += conversation.events()
    return events


def test_any_chunking_of_a_recording_gives_the_same_events(recording: Path) -> None:
    """Cut at random places, a recording tells the same story to the last event."""
    chance = random.Random(recording.name)

    def at_random(text: str) -> list[str]:
        places = sorted(chance.sample(range(len(text) + 1), min(3, len(text))))
        return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]

    whole = events_of(recording, lambda text: [text])

    assert events_of(recording, at_random) == whole
    # What plays recordings for people tells no other story.
    with open_recording(recording) as opened:
        size = opened.header.columns, opened.header.lines
        assert list(play(opened, Conversation(*size))) == whole


@examples(300)
@given(st.lists(any_stream, max_size=4))
def test_a_conversation_never_raises(texts: list[str]) -> None:
    """Whatever a program writes, events come out, and the end is reached."""
    conversation = Conversation(30, 8)
    for second, text in enumerate(texts):
        conversation.receive(text)
        conversation.tick(float(second))
    conversation.end(exited=True)

    assert kinds(conversation.events())[-1] == "closed"


def test_the_transcript_is_what_each_picture_alone_says(recording: Path) -> None:
    """Blocks kept up to date from picture to picture are those of the picture alone."""
    transcript = Transcript()
    with open_recording(recording) as opened:
        for number, (_, frame) in enumerate(frames(opened)):
            reading = read(frame)
            look = reading.look._replace(margin=frame.columns)
            transcript.update(reading, look)
            if number % 7 == 0:
                assert transcript.blocks == list(reading.blocks_for(look))


def test_the_same_prompt_again_is_a_turn_of_its_own() -> None:
    """A prompt that follows the known ones is new, also if it is one of them once more."""
    bar = "▄" * 60
    conversation = Conversation(60, 40)

    def shows(count: int, *, busy: bool) -> None:
        more: list[str] = []
        for number in range(1, count):
            more += [f"\r{bar}", "\r > tell me", "\r" + bar.replace("▄", "▀"), f"\r✦ {number}"]
        conversation.see(painting.new(["0", *more], busy=busy, lines=40))

    for count in (1, 2, 3):
        shows(count, busy=True)
        shows(count, busy=False)

    assert [turn.reply.text for turn in conversation.turns] == ["0", "1", "2"]


SMALL = [path for path in ALL_RECORDINGS if path.stat().st_size < 8_000]


@pytest.mark.parametrize("path", [later(path, at % 6 != 0) for at, path in enumerate(SMALL)])
def test_a_damaged_recording_is_read_without_an_error(path: Path) -> None:
    """Output that lost, doubled or swapped chunks, at other sizes, is read to its end."""
    header, recorded = load(path)
    chance = random.Random(path.name)
    texts = [str(event.data) for event in recorded if event.code == "o"]
    for columns, lines in ((header.columns, header.lines), (chance.randrange(1, 200), 7)):
        conversation = Conversation(columns, lines)
        for second, text in enumerate(texts):
            roll = chance.random()
            pieces = [text, text] if roll < 0.1 else [] if roll < 0.2 else [text]
            if roll > 0.8:
                pieces = [text[chance.randrange(len(text) + 1) :], texts[second // 2]]
            for piece in pieces:
                conversation.receive(piece)
                conversation.tick(second / 5)
            if roll > 0.97:
                conversation.resize(chance.randrange(1, 150), chance.randrange(1, 50))
        conversation.end(exited=True)

        assert conversation.status is Status.CLOSED
