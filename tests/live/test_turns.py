"""What a turn gives its caller: exact replies, events, dialogs, files, and ways to stop it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from geminipty.errors import (
    DialogWaiting,
    NoSuchChoice,
    SessionClosed,
    TurnCancelled,
    TurnInProgress,
    TurnTimeout,
    UsageError,
)
from geminipty.model import Dialog, DialogKind, ReplySource, Status, ToolOutcome, Usage
from geminipty.session import GeminiSession
from geminipty.standin import Call, Calls, Hang, Say, Think

from .conftest import Surroundings
from .models import Model

pytestmark = pytest.mark.live

MARKDOWN = """\
# A title

Some *emphasis*, **strength** and `code`.

- one
- two

```python
def hello() -> None:
    print("a  b")
```

| a | b |
|---|---|
| 1 | 2 |

> The end."""


class Policy:
    """A function for approvals: keeps what it was asked and answers as the test says."""

    def __init__(self) -> None:
        self.dialogs: list[Dialog] = []
        self.answers: list[object] = []

    def __call__(self, dialog: Dialog) -> object:
        """The answer to a dialog."""
        self.dialogs.append(dialog)
        return self.answers.pop(0) if self.answers else None

    def will(self, *answers: object) -> None:
        """Give these answers from now on, then none."""
        self.dialogs.clear()
        self.answers[:] = answers


@pytest.fixture(scope="module")
def policy() -> Policy:
    """The policy of the deciding session."""
    return Policy()


@pytest.fixture(scope="module")
def deciding(model: Model, project: Path, policy: Policy) -> Iterator[GeminiSession]:
    """A session that has a function decide."""
    with GeminiSession(**model.options(project, approvals=policy)) as session:
        yield session


def test_a_reply_is_exact_and_says_all_that_is_known(
    asking: GeminiSession, model: Model, project: Path
) -> None:
    """Text to the character, both witnesses, tokens, thoughts, the model, tools with results."""
    (project / "a.txt").write_text("alpha\n")
    tokens = Usage(input=10, output=4, cached=2, thoughts=3, tool=0, total=17)
    model.will(
        [Think("Looking", "I look into the file."), Call("read_file", file_path="a.txt")],
        Say(MARKDOWN, usage=tokens),
    )

    reply = asking.ask("what is in a.txt")

    assert reply.text == MARKDOWN
    assert reply.source is ReplySource.WIRE
    assert reply.agreement is True
    assert not reply.truncated
    assert [thought.subject for thought in reply.thoughts] == ["Looking"]
    assert reply.model == model.asked[-1].model
    assert reply.usage is not None
    assert reply.usage.output > tokens.output
    (tool,) = reply.tools
    assert (tool.function, tool.outcome) == ("read_file", ToolOutcome.SUCCESS)
    assert json.loads(tool.arguments or "") == {"file_path": "a.txt"}
    assert "alpha" in model.asked[-1].tool_results[0].output


def test_a_stream_tells_the_reply_as_it_grows(asking: GeminiSession, model: Model) -> None:
    """Deltas come before the end, joined they are the text, and the end has the exact reply."""
    text = "\n\n".join(f"Paragraph {number} of the answer." for number in range(8))
    model.will(Say(text, chunks=30, pause=0.05))

    events = list(asking.stream("tell me"))

    deltas = [event.delta for event in events if event.kind == "reply-grew"]
    assert "".join(deltas) == text
    assert len(deltas) > 1
    kinds = [event.kind for event in events]
    assert kinds.index("turn-started") < kinds.index("reply-grew")
    end = events[-1]
    assert end.kind == "turn-finished"
    assert (end.turn.reply.text, end.turn.prompt) == (text, "tell me")
    assert asking.turns[-1] == end.turn


@pytest.mark.parametrize("answer", [1, "Allow once", True], ids=str)
def test_a_dialog_is_handed_to_the_caller_who_allows(
    asking: GeminiSession, model: Model, project: Path, answer: object
) -> None:
    """DialogWaiting says what is asked; a number, a label or True goes on with the turn."""
    made = project / "allowed"
    made.unlink(missing_ok=True)
    model.will(Call("run_shell_command", command="touch allowed"), Say("Done."))

    with pytest.raises(DialogWaiting) as waiting:
        asking.ask("make it")

    assert waiting.value.choices[0] == "Allow once"
    assert asking.status is Status.ASKING
    assert not made.exists()

    reply = asking.answer(answer)

    assert reply.text == "Done."
    assert made.exists()


@pytest.mark.parametrize("answer", [False, 3], ids=str)
def test_a_dialog_is_handed_to_the_caller_who_denies(
    asking: GeminiSession, model: Model, project: Path, answer: object
) -> None:
    """False, or the choice that says no, ends the turn: TurnCancelled, and nothing was run."""
    model.will(Call("run_shell_command", command="touch denied"))

    with pytest.raises(DialogWaiting):
        asking.ask("make it")
    with pytest.raises(TurnCancelled) as cancelled:
        asking.answer(answer)

    assert not (project / "denied").exists()
    assert cancelled.value.turn is not None
    assert asking.status is Status.READY


def test_while_a_dialog_waits_nothing_else_is_taken(asking: GeminiSession, model: Model) -> None:
    """A prompt raises TurnInProgress, a wrong answer NoSuchChoice; the dialog stays open."""
    model.will(Call("run_shell_command", command="touch later"))
    with pytest.raises(DialogWaiting):
        asking.ask("make it")

    with pytest.raises(TurnInProgress):
        asking.ask("another")
    with pytest.raises(NoSuchChoice) as wrong:
        asking.answer(9)
    with pytest.raises(NoSuchChoice):
        asking.answer("Perhaps")

    assert "Allow once" in wrong.value.choices
    assert asking.status is Status.ASKING
    assert asking.interrupt() is not None
    assert len(model.asked) == 1


def test_an_answer_without_a_dialog_is_refused(asking: GeminiSession) -> None:
    """Where nothing is asked, answer() raises NoSuchChoice and types nothing."""
    with pytest.raises(NoSuchChoice):
        asking.answer(True)

    assert asking.status is Status.READY


def test_a_function_decides_each_dialog(
    deciding: GeminiSession, model: Model, project: Path, policy: Policy
) -> None:
    """The function gets the Dialog with its command; two tools at once are two dialogs."""
    policy.will(True, False)
    calls = (Call("run_shell_command", command=f"touch {name}") for name in ("one", "two"))
    model.will(Calls(*calls), Say("One of them."))

    reply = deciding.ask("make two")

    assert [dialog.kind for dialog in policy.dialogs] == [DialogKind.SHELL] * 2
    assert ["touch one" in policy.dialogs[0].body, "touch two" in policy.dialogs[1].body] == [
        True,
        True,
    ]
    assert ((project / "one").exists(), (project / "two").exists()) == (True, False)
    assert reply.text == "One of them."
    assert [tool.outcome for tool in reply.tools] == [ToolOutcome.SUCCESS, ToolOutcome.CANCELLED]


def test_a_function_that_gives_no_answer_leaves_it_to_the_caller(
    deciding: GeminiSession, model: Model, policy: Policy
) -> None:
    """None from the function is DialogWaiting, and the caller can deny."""
    policy.will(None)
    model.will(Call("run_shell_command", command="touch never"))

    with pytest.raises(DialogWaiting):
        deciding.ask("make it")
    with pytest.raises(TurnCancelled):
        deciding.answer(False)

    assert len(policy.dialogs) == 1


def test_an_edit_shows_its_diff(
    deciding: GeminiSession, model: Model, project: Path, policy: Policy
) -> None:
    """The dialog of a change has both lines in its body; allowed, the file is changed."""
    file = project / "edited.txt"
    file.write_text("alpha\nbeta\n")
    policy.will(True)
    change = Call(
        "replace",
        file_path="edited.txt",
        instruction="Make it loud.",
        old_string="beta",
        new_string="BETA",
    )
    read = Call("read_file", file_path="edited.txt")
    model.will(read, change, Say("Changed."))

    reply = deciding.ask("change it")

    (dialog,) = policy.dialogs
    assert dialog.kind is DialogKind.EDIT
    assert "beta" in dialog.body
    assert "BETA" in dialog.body
    assert file.read_text() == "alpha\nBETA\n"
    assert reply.text == "Changed."


def test_the_models_own_question_is_a_dialog(
    deciding: GeminiSession, model: Model, policy: Policy
) -> None:
    """What ask_user asks can be answered by the label of a choice; the model gets the answer."""
    options = [{"label": "Red", "description": "Warm"}, {"label": "Blue", "description": "Cold"}]
    question = {"question": "Which?", "header": "Colour", "type": "choice", "options": options}
    model.will(Call("ask_user", questions=[question]), Say("Blue it is."))
    policy.will("Blue")

    reply = deciding.ask("ask me")

    (dialog,) = policy.dialogs
    assert dialog.kind is DialogKind.ASK_USER
    assert {"Red", "Blue"} <= {choice.label for choice in dialog.choices}
    assert "Blue" in model.asked[-1].tool_results[0].output
    assert reply.text == "Blue it is."


def test_a_file_named_in_a_prompt_is_read_only_if_asked_for(
    asking: GeminiSession, model: Model, project: Path
) -> None:
    """`@file` is text unless files=True; then its content goes to the model."""
    (project / "note.txt").write_text("the content of the note\n")
    model.will(Say("As text."), Say("Read."))

    as_text = asking.ask("look at @note.txt please")
    read = asking.ask("look at @note.txt please", files=True)

    assert (as_text.text, read.text) == ("As text.", "Read.")
    assert (as_text.source, as_text.agreement) == (ReplySource.WIRE, True)
    first, second = model.asked
    assert "the content of the note" not in first.body.decode()
    assert any("the content of the note" in text for text in second.texts)
    assert read.agreement is True
    assert read.screen_text == "Read."


def test_an_attachment_is_read(asking: GeminiSession, model: Model, project: Path) -> None:
    """`attachments` are read in any case, also with blanks in their names."""
    (project / "my notes.txt").write_text("attached content\n")
    model.will(Say("Read."))

    reply = asking.ask("summarise a@b", attachments=["my notes.txt"])

    assert (reply.text, reply.source) == ("Read.", ReplySource.WIRE)
    assert asking.turns[-1].prompt == "summarise a@b"
    assert any("attached content" in text for text in model.asked[0].texts)


def test_an_attachment_that_is_not_there_is_refused(asking: GeminiSession, model: Model) -> None:
    """A missing file raises UsageError, and nothing is asked."""
    model.will()

    with pytest.raises(UsageError, match="no file"):
        asking.ask("summarise", attachments=["missing.txt"])

    assert model.requests == ()


def test_a_file_outside_the_workspace_is_asked_about(
    asking: GeminiSession, model: Model, surroundings: Surroundings
) -> None:
    """The CLI's question is DialogWaiting; denied, the content does not go to the model."""
    secret = surroundings.fresh("outside") / "secret.txt"
    secret.write_text("outside content\n")
    model.will(Say("Without it."))

    with pytest.raises(DialogWaiting) as waiting:
        asking.ask("look", attachments=[secret])
    assert waiting.value.choices
    reply = asking.answer("No")

    assert reply.text == "Without it."
    assert "outside content" not in model.asked[-1].body.decode()


def test_commands_of_the_cli_return_what_they_print(asking: GeminiSession, model: Model) -> None:
    """/stats and /help are run by the CLI: the model hears nothing, their screen is returned."""
    model.will()

    stats, helped = asking.command("/stats"), asking.command("/help")

    assert "Session Stats" in stats
    assert "/clear" in helped or "Basics" in helped
    assert model.requests == ()
    assert asking.status is Status.READY


def test_a_command_that_opens_a_dialog_can_be_answered(asking: GeminiSession, model: Model) -> None:
    """/model raises DialogWaiting; answer(False) closes it and the session goes on."""
    model.will(Say("Here."))

    with pytest.raises(DialogWaiting):
        asking.command("/model")
    asking.answer(False)

    assert asking.ask("there?").text == "Here."


def test_a_shell_command_is_run_by_the_cli(asking: GeminiSession, model: Model) -> None:
    """shell() returns the output; the next prompt is a prompt again."""
    model.will(Say("Back."))

    printed = asking.shell("echo $((40 + 2))")

    assert "42" in printed
    assert asking.ask("a prompt").text == "Back."


def test_a_turn_can_be_interrupted(asking: GeminiSession, model: Model) -> None:
    """Who leaves a stream can interrupt its turn: the part of the reply is returned."""
    model.will(Hang("A beginning.\n\nAnd"), Say("Fresh."))

    for event in asking.stream("begin"):
        if event.kind == "reply-grew":
            break
    part = asking.interrupt()

    assert part is not None
    assert "A beginning." in part.text
    assert asking.interrupt() is None
    assert asking.ask("next").text == "Fresh."


def test_a_turn_that_takes_too_long_is_interrupted(asking: GeminiSession, model: Model) -> None:
    """TurnTimeout has what there is of the reply; the session goes on."""
    model.will(Hang("Half an answer.\n\nAnd"), Say("Fresh."))

    with pytest.raises(TurnTimeout, match="within 2 s") as late:
        asking.ask("begin", timeout=2)
    reply = asking.ask("next")

    assert late.value.turn is not None
    assert "Half an answer." in late.value.turn.reply.text
    assert late.value.seconds == 2
    assert reply.text == "Fresh."


def test_twenty_turns_keep_their_order(asking: GeminiSession, model: Model) -> None:
    """Each of twenty turns in one session is asked once and answered with its own reply."""
    model.will(*(Say(f"Answer {number}.") for number in range(20)))

    texts = [asking.ask(f"question {number}").text for number in range(20)]

    assert texts == [f"Answer {number}." for number in range(20)]
    assert [request.prompt for request in model.asked] == [f"question {n}" for n in range(20)]


def test_a_turn_that_takes_too_long_can_close_the_session(model: Model, project: Path) -> None:
    """With on_timeout="close" the CLI ends too: TurnTimeout, then SessionClosed."""
    model.will(Hang())

    with GeminiSession(**model.options(project)) as session:
        with pytest.raises(TurnTimeout):
            session.ask("begin", timeout=2, on_timeout="close")

        with pytest.raises(SessionClosed):
            session.ask("next")


def test_an_initial_prompt_is_a_turn(model: Model, project: Path) -> None:
    """The CLI runs `initial_prompt` by itself; its turn is the first, and prompts follow it."""
    model.will(Say("First."), Say("Second."))

    with GeminiSession(**model.options(project, initial_prompt="begin")) as session:
        first = session.turns
        reply = session.ask("go on")

    assert [(turn.prompt, turn.reply.text) for turn in first] == [("begin", "First.")]
    assert reply.text == "Second."
    assert [request.prompt for request in model.asked] == ["begin", "go on"]


def test_a_dialog_of_the_initial_prompt_is_left_to_the_caller(model: Model, project: Path) -> None:
    """The session starts with the dialog open, and answer() goes on with the turn."""
    model.will(Call("run_shell_command", command="touch initial"), Say("Done."))

    with GeminiSession(**model.options(project, initial_prompt="begin")) as session:
        status = session.status
        reply = session.answer(True)

    assert status is Status.ASKING
    assert reply.text == "Done."
    assert (project / "initial").exists()
