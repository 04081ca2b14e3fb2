"""Which call a dialog asks about: named only where nothing else could be meant."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geminipty.conversation.calls import LOOPS, Calls
from geminipty.model import Choice, Dialog, DialogKind

QUESTION = "Allow execution of [Shell]?"


def calls(*made: tuple[str, dict[str, Any]], witnessed: bool = True) -> Calls:
    """The calls of a turn, told by a witness."""
    known = Calls()
    if witnessed:
        known.hear(None)
    for one in made:
        known.hear(told(one))
    return known


def told(made: tuple[str, dict[str, Any]], answer: int = 0) -> dict[str, Any]:
    """A call of an answer, as a witness tells it."""
    name, arguments = made
    return {"name": name, "arguments": json.dumps(arguments), "answer": answer}


def answered(known: Calls, dialog: Dialog, *, number: int = 1) -> None:
    """A choice is entered in a dialog, which goes."""
    known.entered(dialog, number)
    known.settled(dialog)


def shell(*rows: str, complete: bool = True) -> Dialog:
    """A dialog that shows a command in these rows."""
    body = "\n".join([*rows, QUESTION])
    return Dialog(kind=DialogKind.SHELL, title="Shell", body=body, complete=complete)


def edit(*rows: str, title: str = "WriteFile  Writing to a.txt") -> Dialog:
    """A dialog that shows a change in these rows."""
    body = "\n".join([*rows, "Apply this change?"])
    return Dialog(kind=DialogKind.EDIT, title=title, body=body)


def run(command: str) -> tuple[str, dict[str, Any]]:
    """A call of the shell tool."""
    return "run_shell_command", {"command": command}


def write(content: str, path: str = "/p/a.txt") -> tuple[str, dict[str, Any]]:
    """A call that writes a file."""
    return "write_file", {"file_path": path, "content": content}


def change(old: str, new: str, path: str = "/p/a.txt") -> tuple[str, dict[str, Any]]:
    """A call that replaces a part of a file."""
    return "replace", {"file_path": path, "old_string": old, "new_string": new}


def command_of(dialog: Dialog) -> str | None:
    """The command of the call that a dialog is said to be about."""
    if dialog.call is None:
        return None
    found = json.loads(dialog.call.arguments or "")["command"]
    assert isinstance(found, str)
    return found


def test_a_dialog_is_given_its_call() -> None:
    """The call has its exact arguments; nothing is suspicious about it."""
    dialog = calls(run("touch x")).about(shell("touch x"))

    assert dialog.call is not None
    assert dialog.call.name == "run_shell_command"
    assert dialog.call.arguments == '{"command": "touch x"}'
    assert dialog.suspicious == ""


def test_without_a_witness_nothing_is_said() -> None:
    """A release that writes no wire log leaves the dialog as it is drawn."""
    drawn = shell("touch x")

    assert calls(witnessed=False).about(drawn) == drawn
    assert calls(run("touch x"), witnessed=False).about(drawn) == drawn


def test_a_dialog_about_no_call_is_suspicious_of_nothing() -> None:
    """Trust, sign-in and the like ask about no call."""
    drawn = Dialog(kind=DialogKind.TRUST, title="Do you trust this folder?")

    assert calls(run("touch x")).about(drawn) == drawn


def test_a_dialog_that_no_call_led_to_is_suspicious() -> None:
    """Where the witness knows of no call of that kind, the picture proves nothing."""
    for made in ((), (write("x"),)):
        dialog = calls(*made).about(shell("touch x"))

        assert dialog.call is None
        assert "no call" in dialog.suspicious


@pytest.mark.parametrize(
    "command",
    [
        "ls \x1b]0;touch PWNED;\x07",
        "ls\rtouch PWNED",
        "ls \x08touch",
        "ls\u200b",
        "\u202els",
        "ls\x9b2J",
        "l\u200ds",
        "ls\u2028touch PWNED",
        "ls \U000e0061",
    ],
)
def test_what_is_not_drawn_of_a_call_is_named(command: str) -> None:
    """A call with such characters is handed over, and the dialog says which they are."""
    dialog = calls(run(command)).about(shell("ls"))

    assert command_of(dialog) == command
    assert "not drawn: U+" in dialog.suspicious


@pytest.mark.parametrize(
    "command", ["echo ⚠️ 👨‍👩‍👧 1️⃣", "echo می‌خواهم", "echo क्‍ष", "printf 'a\\n'", "a\t;\tb", "echo é"]
)
def test_what_words_and_emoji_are_made_of_is_not_suspicious(command: str) -> None:
    """Joiners within emoji and within words that need them are no disguise."""
    dialog = calls(run(command)).about(shell(*command.split("\n")))

    assert (command_of(dialog), dialog.suspicious) == (command, "")


def test_a_picture_that_shows_something_else_is_suspicious() -> None:
    """The only call that can be meant is handed over with the doubt."""
    dialog = calls(run("touch PWNED")).about(shell("ls"))

    assert command_of(dialog) == "touch PWNED"
    assert "does not fit" in dialog.suspicious


def test_a_call_that_hides_something_spoils_its_neighbours() -> None:
    """It could be drawn as anything: the harmless one beside it is not taken for it."""
    known = calls(run("ls \x1b]0;touch PWNED;\x07"), run("ls"))

    dialog = known.about(shell("ls"))

    assert dialog.call is None
    assert "several" in dialog.suspicious


@pytest.mark.parametrize(
    ("one", "other"), [("ls -l", "ls  -l"), ("echo ab", "echo a b"), ("a\nb", "a b")]
)
def test_calls_that_look_alike_are_not_told_apart_by_guessing(one: str, other: str) -> None:
    """Blanks may come from wrapping: both could be meant."""
    dialog = calls(run(one), run(other)).about(shell(*one.split("\n")))

    assert dialog.call is None
    assert "several" in dialog.suspicious


def test_equal_calls_are_one() -> None:
    """The same call twice does the same, whichever of the two is asked about."""
    dialog = calls(run("make"), run("make")).about(shell("make"))

    assert (command_of(dialog), dialog.suspicious) == ("make", "")


def test_a_batch_is_told_apart_by_what_is_drawn() -> None:
    """Each dialog gets its own call, also where one command begins with the other."""
    known = calls(run("ls"), run("ls -l"), run("ls -l /"))

    for command in ("ls -l /", "ls", "ls -l"):
        assert command_of(known.about(shell(command))) == command


def test_a_call_that_was_answered_stands_in_nobodys_way() -> None:
    """When its dialog is gone, the next one that looks like it is about the next call, or none."""
    known = calls(run("ls -l"), run("ls  -l"))
    known.settled(shell("ls -l"))  # of which nobody knew the call
    assert known.about(shell("ls -l")).call is None

    known = calls(run("ls"), run("ls -l"))
    answered(known, known.about(shell("ls")))
    assert command_of(known.about(shell("ls -l"))) == "ls -l"
    assert "does not fit" in known.about(shell("ls")).suspicious

    known = calls(run("ls"))
    answered(known, known.about(shell("ls")))
    assert known.about(shell("ls")).call is None
    assert "no call" in known.about(shell("ls")).suspicious


def test_a_dialog_that_goes_unanswered_may_come_again() -> None:
    """Drawn over, and drawn anew: it is still about its call."""
    known = calls(run("ls"))
    known.settled(known.about(shell("ls")))

    assert command_of(known.about(shell("ls"))) == "ls"


def test_a_change_that_goes_through_an_editor_is_asked_about_again() -> None:
    """Its choice ends the dialog and settles nothing."""
    known = calls(write("one\n"))
    labels = ("Allow once", "Modify with external editor", "No (esc)")
    choices = tuple(Choice(number=at, label=label) for at, label in enumerate(labels, 1))
    dialog = known.about(edit("1 one")).model_copy(update={"choices": choices})

    answered(known, dialog, number=2)
    assert known.about(edit("1 one")).call == dialog.call

    answered(known, dialog, number=1)
    assert known.about(edit("1 one")).call is None


def test_each_of_equal_calls_is_answered_once() -> None:
    """Two dialogs may follow each other; a third one is about something else."""
    known = calls(run("make"), run("make"))

    assert not known.is_last(known.about(shell("make")), 1)
    answered(known, known.about(shell("make")))
    assert known.is_last(known.about(shell("make")), 1)
    answered(known, known.about(shell("make")))
    assert "no call" in known.about(shell("make")).suspicious


def test_a_dialog_that_another_call_may_be_drawn_as_is_not_the_last() -> None:
    """Also if that call differs, or hides what it does."""
    for other in ("ls  -l", "rm \x1b[2K"):
        known = calls(run("ls -l"))
        dialog = known.about(shell("ls -l"))
        assert known.is_last(dialog, 1)

        known.hear(told(run(other)))
        assert not known.is_last(dialog, 1)


def test_a_new_answer_comes_when_the_calls_of_the_last_are_done() -> None:
    """What ran unasked, or failed, is no call that a later dialog could be about."""
    known = calls()
    for answer, command in enumerate(("git status", "git status\ntouch x")):
        known.hear(told(run(command), answer))

    assert command_of(known.about(shell("git status", "touch x"))) == "git status\ntouch x"

    known = calls()
    for answer, old in enumerate(("return 11", "return 1")):
        known.hear(told(change(old, "return 3"), answer))
    dialog = known.about(edit("1 - return 1", "1 + return 3"))
    assert dialog.call is not None
    assert '"return 1"' in (dialog.call.arguments or "")


@pytest.mark.parametrize("agent", ["invoke_agent", "codebase_investigator"])
def test_where_agents_may_work_no_call_is_taken_for_done(agent: str) -> None:
    """Their answers come while the calls of others wait."""
    known = calls()
    known.hear(told(run("ls  -l"), 1))
    known.hear(told((agent, {}), 1))
    known.hear(told(run("ls -l"), 2))

    assert "several" in known.about(shell("ls -l")).suspicious


def test_an_answer_that_comes_while_a_dialog_stands_settles_nothing() -> None:
    """It is somebody else's."""
    known = calls()
    known.hear(told(run("ls  -l"), 1))
    known.stands()
    known.hear(told(run("ls -l"), 2))

    assert "several" in known.about(shell("ls -l")).suspicious


def test_an_answer_that_comes_after_a_dialog_settles_what_was_before() -> None:
    """Whatever ran unasked beside it is done."""
    known = calls()
    known.hear(told(run("make"), 1))
    known.hear(told(run("ls  -l"), 1))
    dialog = known.about(shell("make"))
    known.stands()
    answered(known, dialog)
    known.hear(told(run("ls -l"), 2))

    assert command_of(known.about(shell("ls -l"))) == "ls -l"


def test_where_an_answer_was_broken_off_no_call_is_known() -> None:
    """The CLI runs the calls of such an answer, and its log does not have them."""
    known = calls(run("ls"))
    known.break_off()

    dialog = known.about(shell("ls"))
    assert dialog.call is None
    assert "broke off" in dialog.suspicious

    known.forget()
    known.hear(told(run("ls")))
    assert command_of(known.about(shell("ls"))) == "ls"


def test_where_answers_may_be_broken_off_in_silence_every_call_is_doubted() -> None:
    """It is handed over, and only a function or Anyway agrees to it."""
    known = calls(run("ls"))
    known.hear(LOOPS)

    dialog = known.about(shell("ls"))

    assert command_of(dialog) == "ls"
    assert "model.disableLoopDetection" in dialog.suspicious


def test_a_choice_of_an_earlier_turn_settles_no_call_of_this_one() -> None:
    """A new prompt forgets what was entered, too."""
    known = calls(run("ls"))
    known.entered(known.about(shell("ls")), 1)
    known.forget()
    known.hear(told(run("ls")))

    known.settled(known.about(shell("ls")))

    assert command_of(known.about(shell("ls"))) == "ls"


@pytest.mark.parametrize(
    ("title", "fits"),
    [
        ("WriteFile  Writing to pkg/a/__init__.py", True),
        ("WriteFile  Writing to __init__.py", True),
        ("WriteFile  Writing to …/a/__init__.py", True),
        ("WriteFile  Writing to .../a/__init__.py", True),
        ("WriteFile  Writing to pkg/b/__init__.py", False),
        ("WriteFile  Writing to evila/__init__.py", False),
        ("WriteFile  Writing to a/__init__.pyc", False),
    ],
)
def test_a_change_fits_by_the_folder_of_its_file(title: str, fits: bool) -> None:
    """As much of the path as is drawn must be its own."""
    known = calls(write("", path="/p/pkg/a/__init__.py"))

    dialog = known.about(edit("No changes", title=title))

    assert (dialog.suspicious == "") is fits


@pytest.mark.parametrize(
    "made",
    [
        ("mcp_demo_x\u200b", {}),
        ("mcp_demo_x", {"a\u200bb": 1}),
        ("mcp_demo_x", {"a": [{"b": "c\u202ed"}]}),
    ],
)
def test_what_is_not_drawn_is_found_wherever_it_stands(made: tuple[str, dict[str, Any]]) -> None:
    """In the name of the tool, in names of arguments, in texts within them."""
    dialog = Dialog(kind=DialogKind.MCP_TOOL, title="x (demo MCP Server) {}", body="Tool: x")

    assert "not drawn: U+20" in calls(made).about(dialog).suspicious


def test_of_several_that_do_not_fit_none_is_guessed() -> None:
    """A picture that shows none of them is about neither."""
    dialog = calls(run("ls"), run("pwd")).about(shell("touch PWNED"))

    assert dialog.call is None
    assert "several" in dialog.suspicious


def test_tools_that_never_ask_are_asked_about_by_no_dialog() -> None:
    """A search before a fetch leaves no doubt which of them asks."""
    fetch = ("web_fetch", {"prompt": "Read http://a.b/c"})
    page = Dialog(kind=DialogKind.INFO, title="WebFetch", body="Read http://a.b/c\nProceed?")

    dialog = calls(("google_web_search", {"query": "x"}), fetch).about(page)

    assert dialog.suspicious == ""
    assert dialog.call is not None
    assert dialog.call.name == "web_fetch"


def test_a_long_command_of_which_the_end_is_drawn() -> None:
    """An incomplete dialog fits a command whose end it shows, and has the whole of it."""
    command = "\n".join(f"echo {number}" for number in range(400))
    shown = command.split("\n")[-20:]

    known = calls(run(command))

    assert command_of(known.about(shell(*shown, complete=False))) == command
    begins = known.about(shell(*command.split("\n")[:20], complete=False))
    assert (command_of(begins), begins.suspicious) == (command, "")
    assert known.about(shell(*shown, complete=False)).suspicious == ""
    assert "does not fit" in known.about(shell("touch PWNED", complete=False)).suspicious


def test_a_command_that_was_wrapped() -> None:
    """Rows are joined, whatever blanks the wrapping took."""
    dialog = calls(run("echo " + "word " * 30)).about(shell(*(["echo"] + ["word " * 10] * 3)))

    assert dialog.suspicious == ""


def test_an_answer_that_was_lost() -> None:
    """A witness that lost something names no call."""
    known = calls(run("ls"))
    known.hear(False)

    assert known.about(shell("ls")).call is None
    assert "kept or understood" in known.about(shell("ls")).suspicious

    known.hear(True)
    assert command_of(known.about(shell("ls"))) == "ls"


def test_a_new_prompt_forgets_the_calls() -> None:
    """Calls of an earlier turn are asked about no more."""
    known = calls(run("ls"))
    known.forget()

    assert known.about(shell("ls")).call is None


@pytest.mark.parametrize(
    ("call", "rows", "fits"),
    [
        (write("one\ntwo\n"), ("1 one", "2 two"), True),
        (write("one\ntwo\n"), ("1   one", "2 + two"), True),
        (write("one\n"), ("1 one", "2 evil"), False),
        (write("one\n"), ("1   old", "2 + evil"), False),
        (write("one\n", path="/p/b.txt"), ("1 one",), False),
        (change("beta", "BETA2"), ("1   alpha", "2 - x beta y", "2 + x BETA2 y"), True),
        (change("beta", "BETA2"), ("1   alpha", "2 - beta", "2 + evil"), False),
        (change("a\nb\nc", "a\nB\nc"), ("1   a", "2 - b", "2 + B", "3   c"), True),
        (change("beta", ""), ("2 - x beta y", "2 + x  y"), True),
        (change("beta\n", ""), ("2 - other", "2 + evil"), False),
        (change("beta\n", ""), ("2 - other",), False),
        (change("beta\n", ""), ("1   alpha", "2 - beta"), True),
        (change("a", "A"), ("2 - other", "2 + A"), False),
        # Some releases mend what was escaped once too often.
        (write("a \\n b"), ("1 a", "2 b"), True),
        (write("a \\n b"), ("1 a \\n b",), True),
        (write("a \\n b"), ("1 evil",), False),
        (change("x", 'say \\"hi\\"'), ("1 - x", '1 + say "hi"'), True),
    ],
)
def test_a_change_fits_by_its_file_and_its_new_lines(
    call: tuple[str, dict[str, Any]], rows: tuple[str, ...], fits: bool
) -> None:
    """Every line that is drawn as new must be one of the call's."""
    dialog = calls(call).about(edit(*rows))

    assert dialog.call is not None
    assert (dialog.suspicious == "") is fits


def test_two_changes_of_one_file_are_told_apart() -> None:
    """By the lines that they add."""
    first, second = change("a", "A1"), change("b", "B2")
    known = calls(first, second)

    dialog = known.about(edit("2 - b", "2 + B2"))

    assert dialog.call is not None
    assert json.loads(dialog.call.arguments or "") == second[1]


def test_a_tool_of_a_server_is_told_by_its_name_and_arguments() -> None:
    """Where all arguments are drawn, they must be the same; where they are cut, both could be."""

    def drawn(arguments: str) -> Dialog:
        title = f"echo_tool (demo MCP Server) {arguments}"
        body = "MCP Server: demo\nTool: echo_tool"
        return Dialog(kind=DialogKind.MCP_TOOL, title=title, body=body)

    known = calls(("mcp_demo_echo_tool", {"text": "a"}), ("mcp_demo_echo_tool", {"text": "b"}))

    dialog = known.about(drawn('{"text":"b"}'))
    assert dialog.call is not None
    assert dialog.call.arguments == '{"text": "b"}'
    assert known.about(drawn('{"text":…')).call is None
    assert "fit" in calls(("mcp_demo_rm", {})).about(drawn("{}")).suspicious
    assert "no call" in calls(run("echo_tool")).about(drawn("{}")).suspicious


def test_questions_and_fetches() -> None:
    """The question that is drawn is one of the call's; a fetch shows its prompt."""
    asked = ("ask_user", {"questions": [{"question": "Which DB?"}, {"question": "Which name?"}]})
    fetch = ("web_fetch", {"prompt": "Read http://a.b/c and\nsay what it is"})

    def question(text: str) -> Dialog:
        return Dialog(kind=DialogKind.ASK_USER, title="Answer Questions", body=f"□ A □ B\n{text}")

    body = "Read http://a.b/c and\nsay what it is\n\nURLs to fetch:\n - http://a.b/c\nProceed?"
    page = Dialog(kind=DialogKind.INFO, title="WebFetch", body=body)

    assert calls(asked).about(question("Which name?")).suspicious == ""
    assert "fit" in calls(asked).about(question("Delete all?")).suspicious
    assert calls(fetch).about(page).suspicious == ""


@pytest.mark.parametrize("arguments", ["[1]", "{", "null", '"x"', "[" * 5000, ""])
def test_arguments_that_are_none(arguments: str) -> None:
    """Whatever the API sends, nothing raises, and what cannot be read fits no picture."""
    known = calls()
    known.hear({"name": "run_shell_command", "arguments": arguments})

    assert "fit" in known.about(shell("ls")).suspicious


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_two_commands_that_differ_in_ink_are_taken_for_each_other(one: str, other: str) -> None:
    """Of two calls, a dialog that shows the first is never said to be about the second."""
    known = calls(run(other), run(one))

    dialog = known.about(shell(*one.splitlines()))

    if dialog.call is not None and dialog.suspicious == "":
        assert command_of(dialog) == one or one == other
