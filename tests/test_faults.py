"""What goes wrong, through both faces: each fault ends in a named error, and leaves nothing."""

import asyncio
import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from geminipty import errors
from geminipty.aio import AsyncGeminiSession
from geminipty.model import Choice, Dialog, Status
from geminipty.options import Deadlines
from geminipty.session import GeminiSession
from tests.faces import TOY, Async, Face, Open, Place, Taped, toys
from tests.leaks import nothing_left, resident, wait_for

REPLY = "A part and the whole."


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Where a test happens; it leaves nothing there, and nothing open."""
    place = Place(tmp_path)
    with nothing_left():
        yield place
    assert list(place.temporary.iterdir()) == []
    assert toys(place) == []


@pytest.fixture(params=[Taped, Async], ids=["sync", "async"])
def make(request: pytest.FixtureRequest, place: Place) -> Iterator[Open]:
    """Makes a session that is not started."""
    made: list[Face] = []

    def make(*switches: str, **chosen: Any) -> Face:
        made.append(request.param(**place.options(*switches, **chosen)))
        return made[-1]

    yield make
    for face in made:
        face.dispose()


@pytest.fixture
def start(make: Open) -> Open:
    """Makes a session that is started."""

    def start(*switches: str, **chosen: Any) -> Face:
        face = make(*switches, **chosen)
        face.start()
        return face

    return start


#: A task that is cancelled interrupts its turn; only a caller who waits can just go away.
ONLY_SYNC = pytest.mark.parametrize("make", [Taped], ids=["sync"], indirect=True)


# Nothing is wrong


def test_a_toy_is_read_like_the_cli(start: Open, place: Place) -> None:
    """Prompts arrive, replies come back, and the toy is asked to leave."""
    face = start()

    texts = [face.ask(f"prompt {number}").text for number in range(3)]
    face.close()

    assert texts == [REPLY] * 3
    assert place.prompts == ["prompt 0", "prompt 1", "prompt 2"]
    assert [turn.reply.text for turn in face.turns] == texts
    assert place.log[-1] == "left politely"


def test_sessions_one_after_the_other_leave_nothing(make: Open, place: Place) -> None:
    """Twenty-five sessions of each face; `place` looks for what is left."""
    for number in range(25):
        face = make()
        face.start()
        assert face.ask(f"prompt {number}").text == REPLY
        face.dispose()

    assert len(place.prompts) == 25


# The start


@pytest.mark.parametrize(
    ("name", "says"),
    [("missing", "does not exist"), ("text", "is not executable"), ("folder", "is a folder")],
)
def test_a_cli_that_cannot_run_is_not_found(make: Open, place: Place, name: str, says: str) -> None:
    """CliNotFound says what is wrong with the program that was named."""
    (place.project / "text").write_text("no program")
    (place.project / "folder").mkdir()
    face = make(command=place.project / name)

    with pytest.raises(errors.CliNotFound, match=says):
        face.start()


def test_a_cli_without_its_interpreter_has_ended(make: Open, place: Place) -> None:
    """A script whose interpreter is missing ends with 126 or 127, and the screen says why."""
    script = place.project / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    face = make(command=script)

    with pytest.raises(errors.CliExited) as raised:
        face.start()

    assert raised.value.status in (126, 127)
    assert raised.value.frame is not None
    assert "script" in raised.value.frame.boxed()


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (0, errors.CliExited),
        (1, errors.CliExited),
        (41, errors.NotSignedIn),
        (42, errors.CliExited),
        (52, errors.CliExited),
    ],
)
def test_a_cli_that_exits_at_once(
    make: Open, status: int, error: type[errors.GeminiPtyError]
) -> None:
    """The error has the status, and the frame what the CLI wrote."""
    face = make("write=its last words", f"exit={status}")

    with pytest.raises(error) as raised:
        face.start()

    assert getattr(raised.value, "status", status) == status
    assert raised.value.frame is not None
    assert "its last words" in raised.value.frame.boxed()
    with pytest.raises(errors.SessionClosed):
        face.ask("hello")


@pytest.mark.parametrize("switch", ["silent", "flood"])
def test_a_cli_that_never_gets_ready(make: Open, switch: str) -> None:
    """StartTimeout comes in time, whether nothing is drawn or far too much."""
    face = make(switch, deadlines=Deadlines(start=0.5, close=0.5))

    with pytest.raises(errors.StartTimeout) as raised:
        face.start()

    assert raised.value.seconds == 0.5


def test_a_flood_takes_time_and_not_memory(start: Open) -> None:
    """A CLI that writes without end in a turn ends in TurnTimeout, with little memory."""
    face = start("flood-turn")
    before = resident()

    with pytest.raises(errors.TurnTimeout):
        face.ask("hello", timeout=1.5, on_timeout="close")

    assert resident() - before < 100 << 20


@pytest.mark.parametrize("switch", ["trust", "auth"])
def test_a_question_at_the_start_is_a_named_error(make: Open, place: Place, switch: str) -> None:
    """Nobody trusts a folder or signs in unless the caller does; nothing is typed."""
    named = {"trust": errors.FolderNotTrusted, "auth": errors.NotSignedIn}
    face = make(switch)

    with pytest.raises(named[switch]):
        face.start()

    assert [line for line in place.log if line.startswith("choice")] == []


def test_trust_is_given_if_the_caller_gives_it(start: Open, place: Place) -> None:
    """With trust=True the first choice is taken, and the session goes on."""
    face = start("trust", trust=True)

    assert face.ask("hello").text == REPLY
    assert "choice Trust folder (proj)" in place.log


@pytest.mark.parametrize("tmpdir", ["missing", "file", "/proc"])
def test_without_a_place_for_a_home_nothing_starts(make: Open, place: Place, tmpdir: str) -> None:
    """Where no temporary folder can be made, CliNotStarted names it."""
    (place.project / "file").write_text("")
    face = make(env={"TMPDIR": str(place.project / tmpdir)})

    with pytest.raises(errors.CliNotStarted, match="TMPDIR"):
        face.start()

    assert place.log == []


FULL_DISK = """
import resource, sys
from pathlib import Path
from geminipty import errors
from tests.faces import Async, Place, Sync
folder = Path(sys.argv[1])
place = Place(folder)
resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
for face in (Sync, Async):
    made = face(**place.options())
    try:
        made.start()
    except errors.CliNotStarted as error:
        print("named", "private home" in str(error), list(place.temporary.iterdir()))
    made.dispose()
"""
NO_TERMINALS = """
import os, resource, sys
from pathlib import Path
from geminipty import errors
from tests.faces import Async, Place, Sync
place = Place(Path(sys.argv[1]))
for face in (Sync, Async):
    made = face(**place.options())
    if face is Async:
        made.runner.get_loop()
    free = os.dup(0)
    os.close(free)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, limits[1]))
    try:
        made.start()
    except errors.GeminiPtyError as error:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        named = type(error) is errors.CliNotStarted
    made.dispose()  # removing a folder takes descriptors too
    print("named", named, list(place.temporary.iterdir()))
"""


@pytest.mark.parametrize("code", [FULL_DISK, NO_TERMINALS], ids=["full disk", "no terminals"])
def test_what_the_machine_has_not_got_is_a_named_error(tmp_path: Path, code: str) -> None:
    """No room for files and no descriptors are CliNotStarted; in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=TOY.parent.parent.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.stdout.splitlines() == ["named True []"] * 2, done.stderr


# The turn


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_cli_that_dies_in_a_turn(start: Open, number: int) -> None:
    """CliExited has the signal and the turn as far as it came."""
    face = start(f"signal={int(number)}")

    with pytest.raises(errors.CliExited) as raised:
        face.ask("hello")

    assert raised.value.status == -number
    assert raised.value.turn is not None
    assert raised.value.turn.prompt == "hello"
    assert raised.value.turn.reply.text == "A part"
    with pytest.raises(errors.CliExited):
        face.ask("again")


def test_a_stopped_cli_times_out_and_can_be_closed(start: Open, place: Place) -> None:
    """A CLI that was stopped ends in TurnTimeout with its turn, and is ended."""
    face = start(f"signal={int(signal.SIGSTOP)}")

    with pytest.raises(errors.TurnTimeout) as raised:
        face.ask("hello", timeout=0.6, on_timeout="close")

    assert raised.value.turn is not None
    assert raised.value.turn.reply.text == "A part"
    assert toys(place) == []


def test_a_cli_that_stops_reading_times_out(start: Open, place: Place) -> None:
    """A prompt of a megabyte that nobody reads ends in TurnTimeout."""
    face = start("deaf", look="normal")

    with pytest.raises(errors.TurnTimeout):
        face.ask("x" * (1 << 20), timeout=0.5, on_timeout="close")

    assert place.prompts == []


@pytest.mark.parametrize("most", [1 << 16, pytest.param(1 << 20, marks=pytest.mark.live)])
def test_a_prompt_of_any_size_arrives_whole(start: Open, place: Place, most: int) -> None:
    """No limit of a terminal cuts a prompt."""
    face = start()
    sizes = (1, 4095, 4096, 18_432, 18_433, most)
    prompts = [("0123456789abcdef" * (size // 16 + 1))[:size] for size in sizes]

    for prompt in prompts:
        assert face.ask(prompt).text == REPLY

    assert place.prompts == prompts


def test_garbage_does_not_break_the_reader(start: Open) -> None:
    """Random bytes before the start and in a turn: the turn ends, or its time does."""
    face = start("garbage")

    with contextlib.suppress(errors.TurnTimeout, errors.CliExited):
        face.ask("hello", timeout=2)


def test_invalid_utf8_is_replaced(start: Open) -> None:
    """Bytes that are no text are U+FFFD in the reply."""
    face = start("badutf8")

    assert face.ask("hello").text == "before \ufffd\ufffd( after"


def test_a_storm_of_resizes_loses_nothing(start: Open) -> None:
    """After two hundred resizes the session answers."""
    face = start()
    random = Random(1)

    for _ in range(200):
        face.resize(random.randint(60, 200), random.randint(20, 100))
    face.resize(80, 40)

    assert face.ask("hello").text == REPLY


def test_a_size_that_no_terminal_has_is_refused(start: Open) -> None:
    """resize() raises UsageError, and the terminal keeps its size."""
    face = start()

    for size in ((0, 24), (80, 0), (-1, 24), (10**6, 24), (10, 5)):
        with pytest.raises(errors.UsageError):
            face.resize(*size)

    assert face.frame.columns == 80


# Enter


@pytest.mark.parametrize("switch", ["swallow=1", "swallow=2", "newline=1"])
def test_an_enter_that_is_not_taken_is_pressed_again(
    start: Open, place: Place, switch: str
) -> None:
    """An Enter that is lost, or becomes a new line, is repeated: the prompt is sent once."""
    face = start(switch)

    assert face.ask("hello").text == REPLY

    assert [prompt.removesuffix("\\n") for prompt in place.prompts] == ["hello"]


def test_an_enter_that_is_answered_late_is_not_repeated(start: Open, place: Place) -> None:
    """Two seconds without an answer are no reason to send a prompt twice."""
    face = start("late=2")

    assert face.ask("hello").text == REPLY
    assert face.ask("more").text == REPLY

    assert place.prompts == ["hello", "more"]


@pytest.mark.parametrize("left", ["old words", "two\nlines", "a\n\nb\n"])
def test_what_stands_in_the_composer_is_cleared(start: Open, place: Place, left: str) -> None:
    """A text that somebody left there does not become part of the prompt."""
    face = start(f"leftover={left}")

    assert face.ask("hello").text == REPLY

    assert place.prompts == ["hello"]


# Dialogs


def test_a_dialog_before_the_prompt_keeps_it_back(start: Open, place: Place) -> None:
    """While a dialog is open ask() types nothing; answer() sends the prompt that was kept back."""
    face = start("dialog-after")
    face.ask("first")
    place.wait_for("asking")

    with pytest.raises(errors.DialogWaiting) as raised:
        face.ask("second")

    assert raised.value.choices[0] == "Allow once"
    assert place.prompts == ["first"]
    assert face.answer(1).text == REPLY
    assert place.prompts == ["first", "second"]


@pytest.mark.parametrize("approvals", ["allow", "deny"])
def test_a_dialog_before_the_prompt_is_answered_by_the_policy(
    start: Open, place: Place, approvals: str
) -> None:
    """With a policy the dialog is answered first, and then the prompt is sent."""
    face = start("dialog-after", approvals=approvals)
    face.ask("first")
    place.wait_for("asking")

    assert face.ask("second").text == REPLY

    assert place.prompts == ["first", "second"]


def choices(place: Place) -> list[str]:
    """What dialogs were answered with."""
    return [line.removeprefix("choice ") for line in place.log if line.startswith("choice ")]


def test_dialogs_in_a_turn_are_handed_to_the_caller(start: Open, place: Place) -> None:
    """ask() raises DialogWaiting; answer() goes on, and raises it again for the next."""
    face = start("dialogs=2")

    with pytest.raises(errors.DialogWaiting):
        face.ask("hello")
    with pytest.raises(errors.TurnInProgress):
        face.ask("again")
    with pytest.raises(errors.DialogWaiting):
        face.answer("Allow for this session")
    reply = face.answer(1)

    assert reply.text == REPLY
    assert choices(place) == ["Allow for this session", "Allow once"]
    assert place.prompts == ["hello"]


def test_an_answer_is_for_the_dialog_that_was_told(start: Open, place: Place) -> None:
    """If another dialog stands there now, nothing is typed, and the caller is told of that one."""
    face = start("dialogs=1")
    with pytest.raises(errors.DialogWaiting) as first:
        face.ask("hello")

    place.swap()
    with pytest.raises(errors.DialogWaiting) as second:
        face.answer(1)

    assert first.value.dialog.title == "Shell  touch 1.txt"
    assert second.value.dialog.title == "Shell  touch 2.txt"
    assert choices(place) == []
    assert face.answer(1).text == REPLY
    assert choices(place) == ["Allow once"]


def test_a_dialog_that_was_looked_at_can_be_answered(start: Open, place: Place) -> None:
    """`dialog` tells the caller of what stands there; `answer` is then for that."""
    face = start("dialog-after")
    assert face.dialog is None
    face.ask("first")
    place.wait_for("asking")

    wait_for(lambda: face.dialog is not None)

    assert face.dialog is not None
    assert face.dialog.choices[0].label == "Allow once"
    face.answer(1)
    assert choices(place) == ["Allow once"]


def test_a_dialog_that_nobody_was_told_of_is_not_answered(start: Open, place: Place) -> None:
    """answer() without having seen the dialog tells of it instead."""
    face = start("dialog-after")
    face.ask("first")
    place.wait_for("asking")
    wait_for(lambda: face.session.status is Status.ASKING)

    with pytest.raises(errors.DialogWaiting):
        face.answer(1)

    assert choices(place) == []


def test_allow_takes_the_first_choice(start: Open, place: Place) -> None:
    """With approvals="allow" every tool is allowed for this one time."""
    face = start("dialogs=3", approvals="allow")

    assert face.ask("hello").text == REPLY
    assert choices(place) == ["Allow once"] * 3


def test_deny_ends_the_turn(start: Open, place: Place) -> None:
    """With approvals="deny" the turn is cancelled, and the session goes on; the error says so."""
    face = start("dialogs=1", approvals="deny")

    with pytest.raises(errors.TurnCancelled) as raised:
        face.ask("hello")
    with pytest.raises(errors.TurnCancelled):
        face.ask("again")

    assert place.prompts == ["hello", "again"]
    assert raised.value.message == (
        "what the dialog 'Shell touch 1.txt' asks about was denied by approvals=\"deny\", which "
        "ended the turn. The session goes on."
    )


@pytest.mark.parametrize("no", [False, 3, "No, suggest changes (esc)"])
def test_who_denied_is_told(start: Open, no: object) -> None:
    """A function or answer(), by any answer that denies."""
    face = start("dialogs=2", approvals=lambda dialog: None if "1.txt" in dialog.title else no)

    with pytest.raises(errors.DialogWaiting):
        face.ask("hello")
    with pytest.raises(errors.TurnCancelled) as by_function:
        face.answer(True)

    assert "'Shell touch 2.txt' asks about was denied by the function" in by_function.value.message


@pytest.mark.parametrize("no", [False, 3, "No, suggest changes (esc)"])
def test_a_denial_by_answer_is_told(start: Open, no: object) -> None:
    """The error quotes the answer."""
    face = start("dialogs=1")

    with pytest.raises(errors.DialogWaiting):
        face.ask("hello")
    with pytest.raises(errors.TurnCancelled) as raised:
        face.answer(no)

    assert f"'Shell touch 1.txt' asks about was denied by answer({no!r})" in raised.value.message


def test_a_turn_that_nobody_denied_was_interrupted(start: Open, place: Place) -> None:
    """What was allowed is not blamed: somebody else pressed Escape."""
    face = start("dialogs=1", "stops", approvals="allow")

    with pytest.raises(errors.TurnCancelled) as raised:
        face.ask("hello")

    assert choices(place) == ["Allow once"]
    assert raised.value.message.startswith("the turn was cancelled: somebody interrupted it")


@pytest.mark.parametrize(
    ("answer", "taken"),
    [(True, "Allow once"), (2, "Allow for this session"), (False, "No, suggest changes (esc)")],
)
def test_a_function_decides(start: Open, place: Place, answer: object, taken: str) -> None:
    """A function is given the dialog, and what it returns is chosen."""
    seen: list[Dialog] = []

    def decide(dialog: Dialog) -> object:
        seen.append(dialog)
        return answer

    face = start("dialogs=1", approvals=decide)

    try:
        face.ask("hello")
    except errors.TurnCancelled:
        assert answer is False

    assert choices(place) == [taken]
    assert [dialog.title for dialog in seen] == ["Shell  touch 1.txt"]


def test_a_function_may_leave_it_to_the_caller(start: Open, place: Place) -> None:
    """None from the function is the same as no function."""
    face = start("dialogs=1", approvals=lambda _: None)

    with pytest.raises(errors.DialogWaiting):
        face.ask("hello")

    assert face.answer(True).text == REPLY
    assert choices(place) == ["Allow once"]


@pytest.mark.parametrize("nonsense", ["Maybe", 1.5, Choice(number=9, label="?")])
def test_a_function_that_returns_nonsense(start: Open, place: Place, nonsense: object) -> None:
    """A UsageError says so; nothing was chosen, and the caller can still answer."""
    face = start("dialogs=1", approvals=lambda _: nonsense)

    with pytest.raises(errors.UsageError):
        face.ask("hello")

    assert choices(place) == []
    assert face.answer(1).text == REPLY


def test_a_function_that_raises(start: Open, place: Place) -> None:
    """Its error comes out of ask(); nothing was chosen, and the caller can still answer."""

    def fail(dialog: Dialog) -> object:
        raise ZeroDivisionError(dialog.title)

    face = start("dialogs=1", approvals=fail)

    with pytest.raises(ZeroDivisionError):
        face.ask("hello")

    assert choices(place) == []
    assert face.answer(1).text == REPLY


def test_a_wrong_answer_is_refused(start: Open, place: Place) -> None:
    """NoSuchChoice or UsageError; nothing was chosen, and a right answer is taken."""
    face = start("dialogs=1")
    with pytest.raises(errors.DialogWaiting):
        face.ask("hello")

    for wrong in (0, 4, "allow once", "", 1.5, None, [1]):
        with pytest.raises(errors.UsageError):
            face.answer(wrong)

    assert choices(place) == []
    assert face.answer(1).text == REPLY


def test_an_answer_without_a_question_is_refused(start: Open) -> None:
    """NoSuchChoice: no dialog is open."""
    face = start()

    with pytest.raises(errors.NoSuchChoice):
        face.answer(1)

    assert face.ask("hello").text == REPLY


# Time


def test_a_turn_that_takes_too_long_is_interrupted(start: Open, place: Place) -> None:
    """TurnTimeout has the turn as far as it came, and the session goes on."""
    face = start("forever")

    for number in range(2):
        with pytest.raises(errors.TurnTimeout) as raised:
            face.ask(f"prompt {number}", timeout=1.0)
        assert raised.value.turn is not None
        assert raised.value.turn.reply.text == REPLY

    assert place.prompts == ["prompt 0", "prompt 1"]


def test_a_turn_that_takes_too_long_may_close_the_session(start: Open, place: Place) -> None:
    """With on_timeout="close" the CLI is ended."""
    face = start("forever")

    with pytest.raises(errors.TurnTimeout):
        face.ask("hello", timeout=0.4, on_timeout="close")

    assert toys(place) == []
    with pytest.raises(errors.SessionClosed):
        face.ask("again")


def test_a_turn_that_does_not_stop_closes_the_session(place: Place) -> None:
    """A CLI that takes no notice of Escape is ended after five seconds."""
    session = GeminiSession(**place.options("forever", "stubborn")).start()

    with pytest.raises(errors.TurnTimeout):
        session.ask("hello", timeout=0.4)

    assert place.log.count("escape") > 1
    assert toys(place) == []


def test_a_prompt_that_is_never_taken_leaves_the_session_usable(start: Open, place: Place) -> None:
    """If Enter is lost until the time is up, the next prompt is sent, and only that."""
    face = start("swallow=1")

    with pytest.raises(errors.TurnTimeout):
        face.ask("lost", timeout=0.3)

    assert face.ask("hello").text == REPLY
    assert place.prompts == ["hello"]
    assert "escape" not in place.log  # a second one would open a list of old prompts


def test_a_command_that_takes_too_long_is_interrupted(start: Open, place: Place) -> None:
    """TurnTimeout comes out of command(), and the session goes on."""
    face = start("forever")

    with pytest.raises(errors.TurnTimeout):
        face.command("/wait", timeout=0.8)
    with pytest.raises(errors.TurnTimeout):
        face.ask("hello", timeout=1.0)

    assert place.prompts == ["/wait", "hello"]
    assert place.log.count("escape") == 2


def test_a_dialog_that_is_open_when_time_is_up_is_denied(start: Open, place: Place) -> None:
    """Time-out in a dialog denies it and ends the turn."""

    def slow(_: Dialog) -> None:
        place.wait_for("asking")

    face = start("dialogs=1", approvals=slow)
    with pytest.raises(errors.DialogWaiting):
        face.ask("hello")

    assert face.interrupt() is not None
    assert choices(place) == ["No, suggest changes (esc)"]


def test_a_wrong_call_leaves_the_session_usable(start: Open, place: Place) -> None:
    """UsageError comes before anything is typed, and the next prompt is asked."""
    face = start()
    wrong: list[dict[str, Any]] = [{"timeout": one} for one in (0, -1, "5", True, float("nan"))]

    for call in (*wrong, {"on_timeout": "stop"}):
        with pytest.raises(errors.UsageError):
            face.ask("hello", **call)

    assert face.ask("hello").text == REPLY
    assert place.prompts == ["hello"]


def test_an_unsafe_prompt_leaves_the_session_usable(start: Open, place: Place) -> None:
    """UsageError comes before anything is typed, and the next prompt is asked."""
    face = start()
    unsafe: list[Any] = ["/quit", "!ls", "a\x1bb", "a\x1b[201~\r!ls\r", "", " \n", 7]

    for prompt in unsafe:
        with pytest.raises(errors.UsageError):
            face.ask(prompt)

    assert face.ask("hello").text == REPLY
    assert place.prompts == ["hello"]


def test_an_attachment_that_is_not_there_is_refused(make: Open) -> None:
    """UsageError, and before the start SessionClosed, whatever is attached."""
    face = make()

    with pytest.raises(errors.SessionClosed):
        face.ask("hello", attachments=["missing"])
    face.start()
    with pytest.raises(errors.UsageError):
        face.ask("hello", attachments=["missing"])

    assert face.ask("hello").text == REPLY


@pytest.mark.parametrize("one", ["proj", Path("proj")])
def test_one_attachment_is_told_to_be_a_list(start: Open, place: Place, one: str | Path) -> None:
    """As an option of several paths: the letters of a text are no paths."""
    face = start()

    with pytest.raises(errors.UsageError, match="attachments: must be a list, also for one value"):
        face.ask("hello", attachments=one)

    assert place.prompts == []


# The order of calls


def test_a_session_that_has_not_started_says_so(make: Open) -> None:
    """Every verb but close raises SessionClosed before start()."""
    face = make()

    for verb in (lambda: face.ask("x"), lambda: face.answer(1), face.interrupt):
        with pytest.raises(errors.SessionClosed):
            verb()
    face.close()


def test_a_session_that_was_closed_says_so(start: Open) -> None:
    """Every verb but close raises SessionClosed after close(); what was seen can still be seen."""
    face = start()
    face.ask("hello")
    face.close()

    for verb in (lambda: face.ask("x"), lambda: face.answer(1), face.interrupt):
        with pytest.raises(errors.SessionClosed):
            verb()
    with pytest.raises(errors.SessionClosed):
        face.resize(80, 24)
    face.close()
    assert face.turns[0].reply.text == REPLY
    assert REPLY in face.frame.boxed()


def test_a_session_starts_once(start: Open) -> None:
    """A second start() raises SessionClosed, and the session goes on; a third after close too."""
    face = start()

    with pytest.raises(errors.SessionClosed):
        face.start()

    assert face.ask("hello").text == REPLY
    face.close()
    with pytest.raises(errors.SessionClosed):
        face.start()


def test_interrupt_without_a_turn_does_nothing(start: Open, place: Place) -> None:
    """It returns None, and presses no key."""
    face = start()

    assert face.interrupt() is None

    assert "escape" not in place.log


def test_a_stream_tells_the_turn(start: Open) -> None:
    """The events of a turn come in order, its end last."""
    kinds = start("dialogs=1", approvals="allow").events("hello")

    assert kinds[-1] == "turn-finished"
    assert kinds.index("turn-started") < kinds.index("dialog-opened") < kinds.index("dialog-closed")


# Who calls goes away


def interrupt_us(place: Place, line: str) -> threading.Thread:
    """Press Ctrl+C in our own terminal, as it were, when the toy has written this line."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background

    def press() -> None:
        place.wait_for(line)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


def test_our_own_ctrl_c_leaves_a_turn_that_can_be_interrupted(start: Open, place: Place) -> None:
    """KeyboardInterrupt comes out of ask(); after interrupt() the session goes on."""
    face = start("forever")
    thread = interrupt_us(place, "working")

    with pytest.raises(KeyboardInterrupt):
        face.ask("hello")
    thread.join()
    if isinstance(face, Async):
        assert "escape" in place.log  # cancelling has interrupted the turn already
    else:
        with pytest.raises(errors.TurnInProgress):
            face.ask("again")
        reply = face.interrupt()
        assert reply is not None
        assert reply.text in ("A part", REPLY)

    with pytest.raises(errors.TurnTimeout):
        face.ask("again", timeout=1.0)
    assert place.prompts == ["hello", "again"]


@ONLY_SYNC
def test_a_turn_that_ended_without_its_caller_is_kept(start: Open, place: Place) -> None:
    """If the turn ends after Ctrl+C, its reply is among the turns and the next prompt is sent."""
    face = start("steps=0.2")
    thread = interrupt_us(place, "working")
    with pytest.raises(KeyboardInterrupt):
        face.ask("hello")
    thread.join()

    wait_for(lambda: place.log[-1] == "ready")
    wait_for(lambda: face.frame.title.startswith("◇"))
    reply = face.ask("again")

    assert reply.text == REPLY
    assert [turn.prompt for turn in face.turns] == ["hello", "again"]
    assert place.prompts == ["hello", "again"]


@ONLY_SYNC
def test_nothing_is_typed_for_a_caller_who_went_away(start: Open, place: Place) -> None:
    """After Ctrl+C before Enter, looking at the session does not send the prompt."""
    face = start()
    thread = interrupt_us(place, "pasted 5")
    with pytest.raises(KeyboardInterrupt):
        face.ask("hello")
    thread.join()

    assert face.interrupt() is None
    wait_for(lambda: "hello" in face.frame.boxed())

    assert place.prompts == []
    assert face.ask("again").text == REPLY
    assert place.prompts == ["again"]


def test_our_own_ctrl_c_and_close(start: Open, place: Place) -> None:
    """After KeyboardInterrupt close() ends everything; `place` looks for what is left."""
    face = start("forever")
    thread = interrupt_us(place, "working")

    with pytest.raises(KeyboardInterrupt):
        face.ask("hello")
    thread.join()
    face.close()

    assert toys(place) == []


def asynchronous(place: Place, *switches: str, **chosen: Any) -> Async:
    """A started session of the asynchronous face."""
    face = Async(**place.options(*switches, **chosen))
    face.start()
    return face


async def _seen(place: Place, line: str) -> None:
    await asyncio.to_thread(place.wait_for, line)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_cancelled_task_interrupts_its_turn(place: Place, streamed: bool) -> None:
    """The turn is stopped before the task ends, and the session goes on."""
    face = asynchronous(place, "forever")
    session: Any = face.session

    async def stream() -> None:
        async for _ in session.stream("hello"):
            pass

    async def cancel() -> None:
        task = asyncio.create_task(stream() if streamed else session.ask("hello"))
        await _seen(place, "working")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    face.runner.run(cancel())

    assert "escape" in place.log
    with pytest.raises(errors.TurnTimeout):
        face.ask("again", timeout=1.0)
    assert place.prompts == ["hello", "again"]
    face.dispose()


def test_a_cancelled_command_is_interrupted(place: Place) -> None:
    """What a command made the CLI do is stopped before the task ends."""
    face = asynchronous(place, "forever")
    session: Any = face.session

    async def cancel() -> None:
        task = asyncio.create_task(session.command("/wait"))
        await _seen(place, "working")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    face.runner.run(cancel())

    assert "escape" in place.log
    face.dispose()


def test_a_task_may_be_cancelled_at_any_moment(place: Place) -> None:
    """Whenever a turn is cancelled, the next prompt is sent once and alone."""
    face = asynchronous(place)
    session: Any = face.session
    random = Random(2)

    async def cancel(number: int) -> None:
        try:
            async with asyncio.timeout(random.random() * 0.15):
                await session.ask(f"cancelled {number}")
        except TimeoutError:
            pass
        reply = await session.ask(f"whole {number}")
        assert reply.text == REPLY

    for number in range(8):
        face.runner.run(cancel(number))

    assert [one for one in place.prompts if one.startswith("whole")] == [
        f"whole {number}" for number in range(8)
    ]
    assert len(place.prompts) == len(set(place.prompts))
    face.dispose()


def test_two_tasks_cannot_ask_at_once(place: Place) -> None:
    """The second gets TurnInProgress, and the first its reply."""
    face = asynchronous(place, "steps=0.05")
    session: Any = face.session

    async def both() -> tuple[Any, ...]:
        first = asyncio.create_task(session.ask("first"))
        await _seen(place, "working")
        others = await asyncio.gather(
            session.ask("second"), session.interrupt(), session.answer(1), return_exceptions=True
        )
        return (*others, (await first).text)

    *others, text = face.runner.run(both())

    assert [type(other) for other in others] == [errors.TurnInProgress] * 3
    assert text == REPLY
    face.dispose()


def test_a_task_that_waits_hears_of_the_close(place: Place) -> None:
    """close() in one task ends ask() in another with a named error, at once."""
    face = asynchronous(place, "forever", timeout=None)
    session: Any = face.session

    async def both() -> object:
        asked = asyncio.create_task(session.ask("hello"))
        await _seen(place, "working")
        await session.close()
        async with asyncio.timeout(2):
            return (await asyncio.gather(asked, return_exceptions=True))[0]

    assert isinstance(face.runner.run(both()), errors.SessionClosed | errors.CliExited)
    face.dispose()


def test_many_sessions_share_a_loop(place: Place) -> None:
    """Twenty sessions in one loop each get their replies."""
    face = Async(**place.options())

    async def one(number: int) -> list[str]:
        session: Any = Async(**place.options()).session
        async with session:
            return [(await session.ask(f"{number} {turn}")).text for turn in range(3)]

    async def all_of_them() -> list[list[str]]:
        return await asyncio.gather(*(one(number) for number in range(20)))

    assert face.runner.run(all_of_them()) == [[REPLY] * 3] * 20
    assert len(place.prompts) == 60
    face.dispose()


def test_two_threads_cannot_ask_at_once(place: Place) -> None:
    """The second gets TurnInProgress, and the first its reply."""
    session = GeminiSession(**place.options("steps=0.1")).start()
    texts: list[str] = []
    thread = threading.Thread(target=lambda: texts.append(session.ask("first").text))
    thread.start()
    place.wait_for("working")

    for verb in (lambda: session.ask("second"), session.interrupt, lambda: session.answer(1)):
        with pytest.raises(errors.TurnInProgress):
            verb()
    thread.join(10)

    assert texts == [REPLY]
    assert place.prompts == ["first"]
    session.close()


def test_a_thread_that_waits_hears_of_the_close(place: Place) -> None:
    """close() in one thread ends ask() in another with a named error, at once."""
    session = GeminiSession(**place.options("forever", timeout=None)).start()
    raised: list[BaseException] = []

    def ask() -> None:
        try:
            session.ask("hello")
        except errors.GeminiPtyError as error:
            raised.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    place.wait_for("working")

    session.close()
    thread.join(5)

    assert [type(error) for error in raised] in ([errors.SessionClosed], [errors.CliExited])


def test_threads_with_sessions_of_their_own(place: Place) -> None:
    """Eight threads, each with its session, each get their replies."""
    texts: list[str] = []

    def talk(number: int) -> None:
        with GeminiSession(**place.options()) as session:
            texts.extend(session.ask(f"{number} {turn}").text for turn in range(3))

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert texts == [REPLY] * 24


# The end


def test_a_cli_that_does_not_want_to_leave_is_made_to(start: Open, place: Place) -> None:
    """Who takes no notice of Ctrl+D and signals is ended when the time is up."""
    face = start("ignore", "child", deadlines=Deadlines(start=10.0, close=0.3))
    place.wait_for("ready")

    face.close()

    assert "left politely" not in place.log
    wait_for(lambda: toys(place) == [])


def test_what_the_cli_left_behind_is_ended(start: Open, place: Place) -> None:
    """A process in a session of its own does not outlive the session."""
    face = start("child")
    wait_for(lambda: any(line.startswith("child") for line in place.log))
    assert len(toys(place)) == 2

    face.close()

    assert "left politely" in place.log
    wait_for(lambda: toys(place) == [])


def test_close_at_any_moment_never_raises(place: Place) -> None:
    """A hundred closes by another task, in the start, in a turn or after it."""
    random = Random(3)
    options = place.options(timeout=None)

    async def talk(session: AsyncGeminiSession) -> None:
        await session.start()
        await session.ask("hello")

    async def one(delay: float) -> object:
        session = AsyncGeminiSession(**options)
        talks = asyncio.create_task(talk(session))
        await asyncio.wait([talks], timeout=delay)
        await session.close()
        return (await asyncio.gather(talks, return_exceptions=True))[0]

    async def ten() -> list[object]:
        return await asyncio.gather(*(one(random.random() * 0.4) for _ in range(10)))

    results = [result for _ in range(10) for result in asyncio.run(ten())]

    assert all(isinstance(one, errors.GeminiPtyError | None) for one in results)


def test_close_in_another_thread_at_any_moment_never_raises(place: Place, tmp_path: Path) -> None:
    """A hundred closes by another thread, at any time; half of the sessions are recorded."""
    random = Random(4)
    failed: list[BaseException] = []

    def talk(session: GeminiSession) -> None:
        try:
            session.start()
            session.ask("hello")
        except errors.GeminiPtyError:
            return
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must know
            failed.append(error)

    for number in range(10):
        casts = [tmp_path / f"{number}.{one}.cast" if one % 2 else None for one in range(10)]
        sessions = [GeminiSession(**place.options(timeout=None, record=cast)) for cast in casts]
        threads = [threading.Thread(target=talk, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        for session, thread in zip(sessions, threads, strict=True):
            thread.join(random.random() * 0.05)
            session.close()
        for session, thread in zip(sessions, threads, strict=True):
            thread.join(10)
            session.close()

    assert failed == []


def test_an_abandoned_session_is_collected(place: Place) -> None:
    """A session that nobody closed is ended when it is collected."""
    session = GeminiSession(**place.options()).start()
    session.ask("hello")
    assert len(toys(place)) == 1

    del session
    gc.collect()

    assert toys(place) == []


def test_the_process_of_a_dead_owner_is_gone(tmp_path: Path) -> None:
    """Python's exit ends the CLI, although nobody closed the session."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.faces import Place, Sync\n"
        "place = Place(Path(sys.argv[1]))\n"
        "face = Sync(**place.options())\n"
        "face.start()\n"
        "print(place.log[0], list(place.temporary.iterdir()) != [])\n"
    )
    folder = tmp_path / "other"
    folder.mkdir()

    done = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        cwd=TOY.parent.parent.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    word, pid, made = done.stdout.split()
    assert (word, made) == ("pid", "True")
    assert not Path(f"/proc/{pid}").exists()
    assert list((folder / "temporary").iterdir()) == []
    assert os.getpid() != int(pid)
