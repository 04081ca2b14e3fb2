"""Options are checked before anything starts, and a wrong one is named with the remedy."""

import os
from pathlib import Path, PurePath
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from geminipty.errors import UsageError
from geminipty.options import (
    MAX_COLUMNS,
    MAX_LINES,
    ApprovalMode,
    Deadlines,
    Options,
    Size,
)


def test_defaults_touch_nothing_of_the_user() -> None:
    """With no option given, no folder is trusted, no dialog answered and the home is private."""
    options = Options.of()

    assert options.trust is False
    assert options.approvals == "ask"
    assert options.home == "private"
    assert options.record is None


@pytest.mark.parametrize(
    ("name", "given", "kept"),
    [
        ("command", None, None),
        ("command", "my gemini", ("my gemini",)),
        ("command", Path("bin/gemini"), ("bin/gemini",)),
        ("command", ["node", PurePath("gemini.js")], ("node", "gemini.js")),
        ("cwd", "some/where", PurePath("some/where")),
        ("env", None, {}),
        ("env", {"LANG": "C", "EMPTY": ""}, {"LANG": "C", "EMPTY": ""}),
        ("size", (120, 40), Size(columns=120, lines=40)),
        ("size", os.terminal_size((80, 24)), Size(columns=80, lines=24)),
        ("size", Size(columns=1, lines=1), Size(columns=1, lines=1)),
        ("size", (MAX_COLUMNS, MAX_LINES), Size(columns=MAX_COLUMNS, lines=MAX_LINES)),
        ("deadlines", Deadlines(turn=None), Deadlines(turn=None)),
        ("deadlines", {"start": 5}, Deadlines(start=5.0)),
        ("model", "gemini-2.5-pro", "gemini-2.5-pro"),
        ("approval_mode", "auto_edit", ApprovalMode.AUTO_EDIT),
        ("approvals", "deny", "deny"),
        ("approvals", len, len),
        ("trust", True, True),
        ("record", Path("run.cast"), PurePath("run.cast")),
        ("home", "user", "user"),
        ("look", "normal", "normal"),
    ],
)
def test_good_values_are_kept_in_one_form(name: str, given: Any, kept: Any) -> None:
    """However a good value is written, it is kept in one form."""
    assert getattr(Options.of(**{name: given}), name) == kept


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("command", [], "command: must name a program, or be None to have the CLI found"),
        ("command", ["node", ""], "command.1: must not be empty (seen: '')"),
        ("command", "a\0b", "command.0: must not contain a NUL character"),
        ("command", 5, "command.0: Input should be a valid string (seen: 5)"),
        ("cwd", "", "cwd: must not be empty (seen: '')"),
        ("cwd", b"bytes", "cwd: must be a path, as text or from pathlib (seen: b'bytes')"),
        ("env", ["A=1"], "env: must map names of variables to their values"),
        ("env", {"A=1": ""}, "env: the name of a variable must be text without '=' and NUL"),
        ("env", {"": "x"}, "env: the name of a variable must be text without '=' and NUL"),
        ("env", {"A": 1}, "env: the value of A must be text without NUL"),
        ("env", {"A": "\0"}, "env: the value of A must be text without NUL"),
        ("size", (0, 24), "size.columns: Input should be greater than or equal to 1 (seen: 0)"),
        ("size", (80, -1), "size.lines: Input should be greater than or equal to 1 (seen: -1)"),
        ("size", (1001, 24), "size.columns: Input should be less than or equal to 1000"),
        ("size", (80, 5001), "size.lines: Input should be less than or equal to 5000"),
        ("size", (80.5, 24), "size.columns: Input should be a valid integer (seen: 80.5)"),
        ("size", (True, 24), "size.columns: Input should be a valid integer (seen: True)"),
        ("size", (80,), "size: must be a Size or a pair: (columns, lines) (seen: (80,))"),
        ("size", "80x24", "size: must be a Size or a pair: (columns, lines) (seen: '80x24')"),
        ("deadlines", {"turn": 0}, "deadlines.turn: Input should be greater than 0 (seen: 0)"),
        ("deadlines", {"turn": True}, "deadlines.turn: Input should be a valid number"),
        ("deadlines", {"start": None}, "deadlines.start: Input should be a valid number"),
        ("deadlines", {"close": float("inf")}, "deadlines.close: Input should be a finite number"),
        ("deadlines", {"lunch": 1}, "deadlines.lunch: Extra inputs are not permitted (seen: 1)"),
        ("model", "", "model: must not be empty (seen: '')"),
        ("model", "--yolo", "model: a model's name has no spaces and does not start with '-'"),
        ("model", "gemini pro", "model: a model's name has no spaces"),
        ("approval_mode", "full_auto", "should be 'default', 'auto_edit', 'yolo' or 'plan'"),
        ("approvals", "yolo", "approvals: must be 'ask', 'allow', 'deny' or a function"),
        ("trust", "no", "trust: Input should be a valid boolean (seen: 'no')"),
        ("trust", 1, "trust: Input should be a valid boolean (seen: 1)"),
        ("record", 5, "record: must be a path, as text or from pathlib (seen: 5)"),
        ("home", "shared", "home: Input should be 'private' or 'user' (seen: 'shared')"),
        ("look", "pretty", "look: Input should be 'lean' or 'normal' (seen: 'pretty')"),
        ("aprovals", "ask", "aprovals: no such option; did you mean approvals?"),
        ("zzz", 1, "zzz: no such option; there are command, cwd, env, size"),
    ],
)
def test_wrong_value_is_named_with_what_was_seen_and_what_is_allowed(
    name: str, value: Any, line: str
) -> None:
    """Options.of() raises UsageError whose line names the option, what is allowed and the value."""
    with pytest.raises(UsageError) as caught:
        Options.of(**{name: value})

    assert line in str(caught.value)
    assert len(str(caught.value).splitlines()) == 2


def test_all_wrong_options_are_named_at_once() -> None:
    """One error names every wrong option, so that nobody has to try again for each."""
    with pytest.raises(UsageError) as caught:
        Options.of(size=(0, 0), home="shared", modle="x")

    names = [line.split(":")[0].strip() for line in str(caught.value).splitlines()[1:]]
    assert sorted(names) == ["home", "modle", "size.columns", "size.lines"]


def test_long_wrong_values_are_cut() -> None:
    """A huge wrong value does not make a huge message."""
    with pytest.raises(UsageError) as caught:
        Options.of(home="x" * 100_000)

    assert len(str(caught.value)) < 300


def test_constructor_raises_what_pydantic_raises() -> None:
    """Options(...) itself behaves like any pydantic model, for those who nest it in their own."""
    with pytest.raises(ValidationError):
        Options(home="shared")  # type: ignore[arg-type]


@pytest.mark.parametrize("env", [{"KEY": "hush\0"}, {"KEY=hush": "x"}, "KEY=hush", ["KEY=hush"]])
def test_values_of_env_are_never_shown(env: Any) -> None:
    """Neither our message nor that of its cause shows what env holds: it may be a key."""
    with pytest.raises(UsageError) as caught:
        Options.of(env=env)

    assert "hush" not in str(caught.value)
    assert "hush" not in str(caught.value.__cause__)
    assert "hush" not in repr(Options.of(env={"KEY": "hush"}))


def test_env_is_a_copy() -> None:
    """Changing the mapping that was given changes nothing in the options."""
    given = {"LANG": "C"}
    options = Options.of(env=given)

    given["LANG"] = "de"

    assert options.env == {"LANG": "C"}


@pytest.mark.parametrize("chosen", [Options(), Deadlines(), Size(columns=80, lines=24)])
def test_options_cannot_be_changed(chosen: BaseModel) -> None:
    """What was checked stays as it was: setting a field raises."""
    field = next(iter(type(chosen).model_fields))

    with pytest.raises(ValidationError, match="frozen"):
        setattr(chosen, field, getattr(chosen, field))


def test_size_is_written_columns_by_lines() -> None:
    """The text of a size is the usual 100x40."""
    assert str(Size(columns=100, lines=40)) == "100x40"
