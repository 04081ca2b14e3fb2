"""A recording in the place of the CLI: the same session again, or what differs."""

import asyncio
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from geminipty import asciicast
from geminipty.aio import AsyncGeminiSession
from geminipty.conversation import Policy
from geminipty.errors import (
    DialogWaiting,
    GeminiPtyError,
    RecordingInvalid,
    RecordingMissing,
    ReplayMismatch,
    TurnCancelled,
    UsageError,
)
from geminipty.model import Dialog, Turn
from geminipty.session import GeminiSession
from tests.faces import Place
from tests.playing import load

REPLY = "A part and the whole."


def tour(session: GeminiSession) -> None:
    """What the recorded program did."""
    session.ask("first")
    try:
        session.ask("second")
    except DialogWaiting:
        session.answer("Allow once")
    list(session.stream("third"))
    session.command("/stats")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Turn, ...]]:
    """A recording with several turns, a dialog and a command, and the turns of its session."""
    folder = tmp_path_factory.mktemp("recorded")
    story = folder / "story.cast"
    with GeminiSession(**Place(folder).options("dialog-after", record=story)) as session:
        tour(session)
    return story, session.turns


@pytest.fixture
def story(recorded: tuple[Path, tuple[Turn, ...]]) -> Path:
    """The recording."""
    return recorded[0]


def rewritten(story: Path, path: Path, change: Callable[..., list[asciicast.Event]]) -> Path:
    """The recording with other events."""
    header, events = load(story)
    path.write_text("".join(asciicast.write(header, change(events))), encoding="utf-8")
    return path


def test_a_replay_needs_no_cli_and_no_time(
    recorded: tuple[Path, tuple[Turn, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same calls give the same turns; not even a PATH is needed."""
    story, turns = recorded
    monkeypatch.setenv("PATH", "")

    with GeminiSession.replay(story) as session:
        tour(session)

    assert session.turns == turns


def test_both_faces_replay_alike(recorded: tuple[Path, tuple[Turn, ...]]) -> None:
    """What one face has recorded, the other plays."""
    story, turns = recorded

    async def replay() -> tuple[Turn, ...]:
        async with AsyncGeminiSession.replay(story) as session:
            await session.ask("first")
            with pytest.raises(DialogWaiting):
                await session.ask("second")
            await session.answer("Allow once")
            async for _ in session.stream("third"):
                pass
            await session.command("/stats")
        return session.turns

    assert asyncio.run(replay()) == turns


def test_any_chunking_of_the_output_gives_the_same_session(
    recorded: tuple[Path, tuple[Turn, ...]], tmp_path: Path
) -> None:
    """A hundred random ways to cut what was written: the same turns, with the same times."""
    story, turns = recorded
    random = Random(5)

    def cut(events: list[asciicast.Event]) -> list[asciicast.Event]:
        pieces = []
        for event in events:
            text = str(event.data)
            cuts = random.choices(range(len(text) + 1), k=random.randrange(4))
            edges = [0, *sorted(cuts), len(text)] if event.code == "o" else [0, len(text)]
            for start, end in pairwise(edges):
                pieces.append(event._replace(data=text[start:end]))
        return pieces

    for number in range(100):
        path = rewritten(story, tmp_path / f"{number}.cast", cut)
        with GeminiSession.replay(path) as session:
            tour(session)
        assert session.turns == turns


def test_a_look_that_shows_nothing_new_types_nothing(tmp_path: Path) -> None:
    """However often a session looks before its last key shows an effect, no key is repeated."""
    story = tmp_path / "story.cast"
    with GeminiSession(**Place(tmp_path).options("leftover=a\nb", record=story)) as session:
        session.ask("first")

    def look_often(events: list[asciicast.Event]) -> list[asciicast.Event]:
        looks = [[event, event._replace(code="t", data="")] for event in events]
        return [one for pair in looks for one in (pair if pair[0].code == "i" else pair[:1])]

    path = rewritten(story, tmp_path / "looked.cast", look_often)
    with GeminiSession.replay(path) as replayed:
        replayed.ask("first")
    assert replayed.turns == session.turns


def test_another_prompt_is_a_mismatch_that_says_all(story: Path) -> None:
    """Both texts, the nearest recorded one, where it is, and the command that records it again."""
    with (
        GeminiSession.replay(story, remake="make story.cast") as session,
        pytest.raises(ReplayMismatch) as raised,
    ):
        session.ask("thrid")

    error = raised.value
    assert (error.expected, error.typed) == ("ask('first')", "ask('thrid')")
    assert "The nearest recorded one: ask('third')" in str(error)
    assert "To record it again: make story.cast" in str(error)
    assert error.recording == story


def test_without_a_command_the_error_says_how_to_record_again(story: Path) -> None:
    """The option that records, with the path of this recording."""
    with GeminiSession.replay(story) as session, pytest.raises(ReplayMismatch) as raised:
        session.ask("other")

    assert f"GeminiSession(record='{story}', overwrite=True)" in str(raised.value)


def test_another_call_and_one_too_many_are_mismatches(story: Path) -> None:
    """The order counts, and so does the end."""
    with GeminiSession.replay(story) as session:
        with pytest.raises(ReplayMismatch, match=r"it holds ask\('first'\)"):
            session.command("/stats")
        tour(session)
        with pytest.raises(ReplayMismatch, match="'close"):
            session.ask("fourth")


def test_other_keys_are_a_mismatch(story: Path) -> None:
    """A session that answers a dialog by itself, where the recorded one asked, types too much."""
    with GeminiSession.replay(story, approvals="allow") as session:
        session.ask("first")
        with pytest.raises(ReplayMismatch, match="types something else") as raised:
            session.ask("second")

    assert raised.value.typed == "\r"
    assert raised.value.expected == "answer('Allow once')"


def test_a_function_may_let_another_prompt_stand_for_the_recorded_one(story: Path) -> None:
    """The reply is the recorded one; the turn tells the prompt that was asked."""
    with GeminiSession.replay(story, match=lambda recorded, asked: recorded in asked) as session:
        reply = session.ask("the first of all")
        with pytest.raises(ReplayMismatch):
            session.ask("something else")

    assert reply.text == REPLY
    assert session.turns[0].prompt == "the first of all"


def test_a_prompt_with_a_secret_replays_although_it_was_hidden(tmp_path: Path) -> None:
    """The recording does not hold it; whoever knows it asks as before."""
    story = tmp_path / "story.cast"
    options = Place(tmp_path).options(record=story, redact=["correct horse battery"])
    with GeminiSession(**options) as session:
        session.ask("the word is correct horse battery, is it not")

    assert "horse" not in story.read_text(encoding="utf-8")
    with GeminiSession.replay(story) as replayed:
        replayed.ask("the word is correct horse battery, is it not")
    assert replayed.turns == session.turns
    with GeminiSession.replay(story) as replayed, pytest.raises(ReplayMismatch):
        replayed.ask("the word is, is it not")


def test_a_program_may_stop_early(story: Path) -> None:
    """Closing in the middle is no mismatch."""
    with GeminiSession.replay(story) as session:
        session.ask("first")

    assert len(session.turns) == 1


def test_looking_moves_a_replay_on(story: Path) -> None:
    """A program that waits for a status by looking again and again comes to it."""
    session = GeminiSession.replay(story).start()
    session.ask("first")

    for _ in range(1000):
        if session.status == "ASKING":
            break
    session.close()

    assert session.status == "CLOSED"
    assert session.turns[0].reply.text == REPLY


def test_real_time_is_followed_if_asked_for(tmp_path: Path) -> None:
    """With speed=1 a replay takes as long as the session did, with 4 a quarter."""
    story = tmp_path / "story.cast"
    with GeminiSession(**Place(tmp_path).options("steps=0.2", record=story)) as session:
        session.ask("first")
    lasted = session.turns[0].finished

    def seconds(speed: float) -> float:
        began = time.monotonic()
        with GeminiSession.replay(story, speed=speed) as replayed:
            replayed.ask("first")
        return time.monotonic() - began

    assert lasted is not None
    assert seconds(1.0) >= lasted
    assert seconds(4.0) >= lasted / 4


def test_a_cancelled_task_interrupts_in_a_replay_too(tmp_path: Path) -> None:
    """Where the recorded task was cancelled, the replay waits for it to be cancelled again."""
    story = tmp_path / "story.cast"

    async def program(session: AsyncGeminiSession) -> tuple[Turn, ...]:
        async with session:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(session.ask("first"), 0.3)
        return session.turns

    options = Place(tmp_path).options("forever", record=story)
    live = asyncio.run(program(AsyncGeminiSession(**options)))

    assert asyncio.run(program(AsyncGeminiSession.replay(story))) == live
    assert [turn.outcome.value for turn in live] == ["cancelled"]


def test_a_recording_of_others_is_refused(tmp_path: Path) -> None:
    """It holds no calls; the error says what can be done with it."""
    path = tmp_path / "other.cast"
    path.write_text('{"version": 2, "width": 80, "height": 24}\n')

    with pytest.raises(RecordingInvalid, match="geminipty read"):
        GeminiSession.replay(path)
    with pytest.raises(RecordingMissing):
        GeminiSession.replay(tmp_path / "missing.cast")
    with pytest.raises(UsageError, match="recorded already"):
        GeminiSession.replay(path, record="again.cast")


def test_a_recording_that_was_cut_off_anywhere_ends_in_a_named_error(
    story: Path, tmp_path: Path
) -> None:
    """Each beginning of a recording is played as far as it goes, and never waited for."""
    _, whole = load(story)
    calls = [at for at, event in enumerate(whole) if event.code == "v"]

    for length in range(0, len(whole), 3):
        path = rewritten(story, tmp_path / "cut.cast", lambda events, n=length: events[:n])
        try:
            with GeminiSession.replay(path) as session:
                tour(session)
        except GeminiPtyError:
            continue
        assert length > calls[-2]  # all but the end was there


@pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.live)])
def test_a_damaged_recording_never_breaks_the_house_rules(
    story: Path, tmp_path: Path, count: int
) -> None:
    """Events lost, doubled, swapped or changed: the session it was, or one of our errors."""
    random = Random(7)
    hostile = [
        "",
        "{}",
        "[1]",
        "null",
        '{"verb": 1}',
        "\x1b]0;x\x07",
        "+",
        "\x00",
        "é" * 99,
    ]

    def damage(events: list[asciicast.Event]) -> list[asciicast.Event]:
        events = list(events)
        for _ in range(random.randrange(1, 4)):
            at = random.randrange(len(events) - 1)
            match random.randrange(4):
                case 0:
                    del events[at]
                case 1:
                    events.insert(at, events[at])
                case 2:
                    one, two = events[at], events[at + 1]
                    events[at : at + 2] = [two._replace(time=one.time), one._replace(time=two.time)]
                case 3 if events[at].code not in "rx":
                    events[at] = events[at]._replace(data=random.choice(hostile))
        return events

    for _ in range(count):
        path = rewritten(story, tmp_path / "damaged.cast", damage)
        try:
            with GeminiSession.replay(path) as session:
                tour(session)
        except GeminiPtyError:
            continue
        assert session.turns


def told(recorded: Path, **options: object) -> str:
    """How a replay with other options tells that it differs."""
    with (
        GeminiSession.replay(recorded, **options) as session,  # type: ignore[arg-type]
        pytest.raises(ReplayMismatch) as raised,
    ):
        session.ask("hello")
    return raised.value.message.partition(" In keys:")[0]


def second(_: Dialog) -> int:
    """Allows for the session."""
    return 2


def sees(dialog: Dialog) -> bool:
    """Allows what it can read."""
    return "touch" in dialog.title


@pytest.mark.parametrize(
    ("then", "now", "was", "is_"),
    [
        ("allow", "deny", "answered with 'Allow once'", "denied"),
        ("deny", "allow", "denied", "answered with 'Allow once'"),
        (second, "allow", "answered with 'Allow for this session'", "answered with 'Allow once'"),
        (second, "deny", "answered with 'Allow for this session'", "denied"),
        ("allow", second, "answered with 'Allow once'", "answered with another choice"),
        ("ask", "deny", "left to the caller", "denied"),
    ],
)
def test_another_decision_is_told_in_words(
    tmp_path: Path, then: Policy, now: Policy, was: str, is_: str
) -> None:
    """Which dialog, how it was answered and how it is now, before the keys."""
    story = tmp_path / "story.cast"
    options = Place(tmp_path).options("dialogs=1", record=story, approvals=then)
    with GeminiSession(**options) as session:
        try:
            session.ask("hello")
        except DialogWaiting:
            session.answer(True)
        except TurnCancelled:
            assert then == "deny"

    assert told(story, approvals=now) == (
        f"what the dialog 'Shell touch 1.txt' asks about was {was} when it was recorded, and is "
        f"{is_} now: `approvals` differs."
    )


def test_a_decision_by_what_is_hidden_is_told(tmp_path: Path) -> None:
    """A function that looks at a text which the recording hides sees full blocks in the replay."""
    story = tmp_path / "story.cast"
    options = Place(tmp_path).options("dialogs=1", record=story, approvals=sees, redact=["touch"])
    with GeminiSession(**options) as session:
        session.ask("hello")

    assert told(story, approvals=sees).endswith(
        "was answered with 'Allow once' when it was recorded, and is denied now: `approvals` "
        "differs, or reads what was hidden (█)."
    )
