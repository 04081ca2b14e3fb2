"""What a session raises, logs and shows holds none of its secrets, recorded or not."""

import copy
import inspect
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty import errors
from geminipty.errors import DialogWaiting, GeminiPtyError, ReplayMismatch
from geminipty.logs import log, log_of
from geminipty.options import Options
from geminipty.redaction import Redactor, cover
from geminipty.run import Live, Run
from geminipty.run.hiding import Hiding
from geminipty.session import GeminiSession
from geminipty.terminal import Terminal
from tests.attacks import ATTACK, NAME, unsafe
from tests.faces import Async, Place, Sync
from tests.leaks import nothing_left

#: Made up of pieces, so that no scanner takes this file for a leak; longer than a row of a box.
KNOWN = "violet-" + "harbour-" * 3 + "quartz"
BY_FORM = "gh" + "p_" + "R4k8Wm2Xq7Zt5Vb1Lc9Nf3Hd6Ps0Jy4Gk8Tw2X"
SHOWN = 6


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A home and a project; nothing is left in the end."""
    with nothing_left():
        yield Place(tmp_path)


def leaks(text: str, *secrets: str) -> list[str]:
    """The parts of secrets that a reader of the text can read, across rows and boxes too."""
    joined = "".join(char for char in text if char not in "│╭╮╰╯─ \n")
    parts = {one[at : at + SHOWN + 3] for one in secrets for at in range(len(one) - SHOWN - 2)}
    return sorted(part for part in parts if part in text or part in joined)


def told(error: GeminiPtyError) -> str:
    """All that a program would print or log of an error, here and in another process."""
    again = pickle.loads(pickle.dumps(error))
    parts = [*traceback.format_exception(error), repr(error), str(copy.copy(error)), error.message]
    parts += [str(again), repr(again), repr(error.args)]
    if error.frame is not None:
        parts.append(error.frame.boxed())
    return "\n".join(parts)


#: How a session comes to know a secret.
WAYS: dict[str, dict[str, Any]] = {
    "redact": {"redact": (KNOWN,)},
    "function": {"redact": lambda text: [KNOWN] if KNOWN in text else []},
    "env": {"env": {"HARBOUR_TOKEN": KNOWN}},
}


@pytest.mark.parametrize("face", [Sync, Async])
@pytest.mark.parametrize("recorded", [False, True], ids=["unrecorded", "recorded"])
@pytest.mark.parametrize("way", WAYS)
def test_an_error_of_a_session_holds_no_secret(
    place: Place, tmp_path: Path, face: type[Sync], recorded: bool, way: str
) -> None:
    """Neither its text nor the screen that it shows, whoever prints it and where."""
    chosen = WAYS[way] | ({"record": tmp_path / "run.cast"} if recorded else {})
    words = f"the key is {KNOWN} and {BY_FORM} and {KNOWN} again\r\n"
    session = face(**place.options(f"write={words}", "exit=3", **chosen))

    with pytest.raises(errors.CliExited) as caught:
        session.start()
    session.dispose()

    said = told(caught.value)
    assert leaks(said, KNOWN, BY_FORM) == []
    assert "the key is ███" in said
    assert caught.value.status == 3


def test_the_callers_own_environment_is_hidden_too(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its secret variables, as they were when the session was made, also if they are gone now."""
    monkeypatch.setenv("HARBOUR_TOKEN", KNOWN)
    session = GeminiSession(**place.options(f"write={KNOWN}", "exit=3"))
    monkeypatch.delenv("HARBOUR_TOKEN")

    with pytest.raises(errors.CliExited) as caught:
        session.start()

    assert leaks(told(caught.value), KNOWN) == []


@pytest.mark.parametrize("face", [Sync, Async])
def test_every_call_hides_what_it_raises(place: Place, face: type[Sync]) -> None:
    """A prompt that is refused, a file that is not there, a dialog: no message quotes a secret."""
    session = face(**place.options(f"says={KNOWN}", "dialogs=1", redact=(KNOWN,)))
    session.start()
    calls: list[Callable[[], Any]] = [
        lambda: session.ask(f"!{KNOWN}"),
        lambda: session.ask("hi", attachments=[f"no/{KNOWN}"]),
        lambda: session.ask("hi", timeout=KNOWN),
        lambda: session.command(f"{KNOWN}\n"),
        lambda: session.command(KNOWN),
        lambda: session.answer(KNOWN),
        lambda: session.events(f"!{KNOWN}"),
        lambda: session.ask(f"please take {KNOWN}"),
        lambda: session.answer(KNOWN),
        lambda: session.resize(0, 0),
    ]

    raised = []
    for call in calls:
        with pytest.raises(GeminiPtyError) as caught:
            call()
        raised.append(caught.value)
    screen = session.session.screen
    session.dispose()

    assert [type(one).__name__ for one in raised if leaks(told(one), KNOWN)] == []
    assert isinstance(raised[7], DialogWaiting)
    assert leaks(screen, KNOWN) == []
    assert "please take ███" in screen


def test_every_verb_of_a_run_is_guarded() -> None:
    """A new one that may raise is to be decorated; these raise nothing, or are parts of others."""
    harmless = {"abandon", "take_events", "pump"}
    verbs = {
        name
        for name, member in inspect.getmembers(Run, inspect.isfunction)
        if not name.startswith("_") and not hasattr(member, "__wrapped__")
    }

    assert verbs == harmless


def test_a_replay_hides_what_it_quotes(place: Place, tmp_path: Path) -> None:
    """The prompt that differs is quoted without its secret."""
    path = tmp_path / "run.cast"
    with GeminiSession(**place.options(record=path)) as session:
        session.ask("hello")

    again = GeminiSession.replay(path, redact=(KNOWN,)).start()
    with pytest.raises(ReplayMismatch) as caught:
        again.ask(f"hello {KNOWN}")

    assert leaks(told(caught.value), KNOWN) == []
    assert caught.value.typed is not None  # data stays as it was


def test_paths_in_the_home_can_still_be_followed(place: Place) -> None:
    """The home, which names the user, reads as a tilde."""
    program = place.home / "bin" / "gemini"
    session = GeminiSession(**{**place.options(), "command": program})

    with pytest.raises(errors.CliNotFound) as caught:
        session.start()

    assert "~/bin/gemini" in str(caught.value)
    assert str(place.home) not in str(caught.value)


def test_an_error_is_hidden_with_what_led_to_it() -> None:
    """Causes and notes are a part of what is printed."""
    hiding = Hiding(Options.of(redact=[KNOWN]))

    def fail() -> None:
        first = errors.UsageError(f"first {KNOWN}")
        first.add_note(f"note {KNOWN}")
        raise errors.CliError(f"then {KNOWN}") from first

    with pytest.raises(errors.CliError) as caught, hiding.errors():
        fail()

    said = told(caught.value)
    assert "first ███" in said
    assert leaks(said, KNOWN) == []


def test_what_led_to_an_error_is_hidden_if_it_is_not_ours() -> None:
    """An exception of Python is printed with ours: it stays as it is unless it tells a secret."""
    hiding = Hiding(Options.of(redact=[KNOWN]))

    def fail() -> None:
        first = ExceptionGroup("two", [ValueError("one"), KeyError(KNOWN)])
        first.__context__ = errors.UsageError(KNOWN)
        second = FileNotFoundError(2, "not there", "run.cast")
        second.__context__ = first
        raise errors.CliError("then") from second

    with pytest.raises(errors.CliError) as caught, hiding.errors():
        fail()

    said = told(caught.value)
    assert leaks(said, KNOWN) == []
    assert "RuntimeError: ExceptionGroup: two" in said
    assert "UsageError: ███" in said
    assert "FileNotFoundError: [Errno 2] not there: 'run.cast'" in said


class MuteError(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise ValueError(f"{KNOWN}{ATTACK}")


@pytest.mark.parametrize(
    "led",
    [
        ValueError(f"a{ATTACK}b"),
        SyntaxError("wrong", ("x.py", 1, 1, f"x = {KNOWN}{ATTACK}", 1, 2)),
        MuteError(),
        ExceptionGroup("one", [MuteError(), KeyError("x")]),
        ExceptionGroup("one", [ValueError(f"{KNOWN}{ATTACK}")]),
    ],
)
def test_what_led_to_an_error_steers_nobody(led: Exception) -> None:
    """Python prints it with ours: what is not fit for that is replaced by its harmless text."""
    hiding = Hiding(Options.of(redact=[KNOWN]))
    led.add_note("a note")
    led.__context__ = ValueError(f"{KNOWN}{ATTACK}")

    with pytest.raises(errors.CliError) as caught, hiding.errors():
        raise errors.CliError("then") from led

    said = "".join(traceback.format_exception(caught.value))
    assert leaks(said, KNOWN) == []
    assert unsafe(said) == []
    assert said.count("direct cause") == 1
    assert "a note" in said


def test_our_errors_in_a_group_are_hidden_too() -> None:
    """A task group raises them so, and a function for approvals may."""
    hiding = Hiding(Options.of(redact=[KNOWN]))
    same = KeyError(KNOWN)

    def ours() -> errors.CliError:
        error = errors.CliError(f"ours {KNOWN}", recording=KNOWN)
        error.__cause__ = error.__context__ = same
        return error

    group = ExceptionGroup("two", [ours(), ExceptionGroup("inner", [ours()])])

    with pytest.raises(ExceptionGroup) as caught, hiding.errors():
        raise group
    with pytest.raises(errors.CliError) as led, hiding.errors():
        raise errors.CliError("then") from group

    said = "".join(
        [*traceback.format_exception(caught.value), *traceback.format_exception(led.value)]
    )
    assert leaks(said, KNOWN) == []
    assert "ours ███" in said
    assert "RuntimeError: KeyError: " in said


def test_a_long_chain_is_hidden_to_its_end() -> None:
    """A loop that tries again may leave thousands of exceptions behind, or a circle of them."""
    hiding = Hiding(Options.of(redact=[KNOWN]))
    first = last = ValueError(KNOWN)
    for _ in range(3000):
        following = ValueError(KNOWN)
        following.__context__, last = last, following
    first.__context__ = last

    with pytest.raises(errors.CliError) as caught, hiding.errors():
        raise errors.CliError("then") from last

    one: BaseException | None = caught.value.__cause__
    for _ in range(3001):
        assert one is not None
        assert KNOWN not in str(one)
        one = one.__context__
    assert one is caught.value.__cause__


def test_a_recording_is_named_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its path is printed with the error; the attribute is the path itself."""
    monkeypatch.setenv("HOME", "/home/marlene")
    path = PurePosixPath(f"/home/marlene/{KNOWN}/run.cast")
    hiding = Hiding(Options.of(redact=[KNOWN]))

    with pytest.raises(errors.RecordingError) as caught, hiding.errors():
        raise errors.RecordingError("not there", recording=path)

    said = told(caught.value)
    assert [one for one in (KNOWN, "marlene") if one in said] == []
    assert "recording: ~/███" in said
    assert caught.value.recording == pickle.loads(pickle.dumps(caught.value)).recording == path


def test_a_recording_that_cannot_be_replayed_is_named_without_secrets(tmp_path: Path) -> None:
    """No session is there yet, but its options are."""
    folder = tmp_path / KNOWN
    folder.mkdir()
    for missing in (folder / "none", folder):
        with pytest.raises(errors.RecordingError) as caught:
            GeminiSession.replay(missing, redact=[KNOWN])

        assert leaks(told(caught.value), KNOWN) == []


def test_what_an_error_was_given_is_data_and_hidden_where_it_is_printed() -> None:
    """repr() shows the labels of choices without secrets; the attribute is still what to answer."""
    error = DialogWaiting("asks", title=KNOWN, choices=(f"Allow {KNOWN}",))

    error.hide(Redactor([KNOWN]).text, lambda frame: frame)

    assert leaks(repr(error), KNOWN) == []
    assert error.choices == (f"Allow {KNOWN}",)
    error.recording = "late.cast"
    assert "late.cast" in repr(error)


ROWS = st.lists(
    st.text("ab─│ 日\u0301\u202e", max_size=50) | st.just(KNOWN), min_size=1, max_size=12
)


@given(ROWS, st.integers(20, 90), st.sampled_from(["\r\n", "", " "]), st.sampled_from([3, 30]))
def test_a_covered_picture_keeps_its_form_and_shows_no_secret(
    rows: list[str], columns: int, between: str, lines: int
) -> None:
    """Wherever it stands, wrapped or scrolled off; all else is as it was, column by column."""
    terminal = Terminal(columns, lines)
    terminal.receive(f"\x1b]0;{KNOWN}\x07" + between.join(rows) + between + KNOWN)
    frame = terminal.picture()

    covered = cover(frame, Redactor([KNOWN]))

    text = "".join(row.padded(columns) for row in (*covered.scrolled, *covered.rows))
    assert leaks(text + covered.title, KNOWN) == []
    assert len(covered.scrolled) == len(frame.scrolled)
    for old, new in zip(frame.rows, covered.rows, strict=True):
        assert len(new.shown(columns)) == len(old.shown(columns))
        assert (new.spans, new.wrapped) == (old.spans, old.wrapped)
        assert all(b in (a, "█", "") for a, b in zip(old.cells, new.cells, strict=True))
    assert cover(covered, Redactor([KNOWN])) == covered


# Logs


def test_a_record_is_harmless_text_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    """One line, the arguments and what was raised in it; the level and the place stay."""
    about = log_of(Redactor([KNOWN]).text)

    with caplog.at_level(logging.DEBUG, "geminipty"):
        try:
            raise ZeroDivisionError(f"{KNOWN}{ATTACK}")
        except ZeroDivisionError:
            about.exception("%s and %r", f"{KNOWN}{ATTACK}", KNOWN)
        log.warning("%s", f"{ATTACK}\n{NAME}", stack_info=True)

    assert leaks(caplog.text, KNOWN) == []
    assert unsafe(caplog.text) == []
    assert "ZeroDivisionError: ███" in caplog.text
    first, second = caplog.records
    assert "⟨U+000A⟩geminipty: all is well" in second.getMessage()
    assert "\n" not in second.getMessage()
    assert (first.levelname, first.args, first.exc_info) == ("ERROR", (), None)
    assert (first.funcName, second.levelname) == (
        "test_a_record_is_harmless_text_without_secrets",
        "WARNING",
    )


def test_a_session_logs_no_secret(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    """What becomes of the initial prompt is said without what it holds."""
    options = place.options("dialogs=1", redact=(KNOWN,), initial_prompt=f"take {KNOWN}")
    run = Run(Live(Options.of(**options)))

    with caplog.at_level(logging.DEBUG, "geminipty"):
        run.log.info("the initial prompt: %s", f"take {KNOWN}")

    assert caplog.messages == [f"the initial prompt: take {'█' * len(KNOWN)}"]
