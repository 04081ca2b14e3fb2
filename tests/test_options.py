"""Options are checked before anything starts, and a wrong one is named with the remedy."""

import os
from functools import partial
from pathlib import Path, PurePath
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel, ValidationError

from geminipty.errors import UsageError
from geminipty.options import (
    MAX_COLUMNS,
    MAX_LINES,
    MIN_COLUMNS,
    MIN_LINES,
    ApprovalMode,
    Deadlines,
    OptionNames,
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


async def _later(_: object) -> bool:
    return True


class _Later:
    async def __call__(self, _: object) -> bool:
        return True


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
        ("size", (MIN_COLUMNS, MIN_LINES), Size(columns=MIN_COLUMNS, lines=MIN_LINES)),
        ("size", (MAX_COLUMNS, MAX_LINES), Size(columns=MAX_COLUMNS, lines=MAX_LINES)),
        ("deadlines", Deadlines(close=1.0), Deadlines(close=1.0)),
        ("deadlines", {"start": 5}, Deadlines(start=5.0)),
        ("timeout", None, None),
        ("timeout", 5, 5.0),
        ("model", "gemini-2.5-pro", "gemini-2.5-pro"),
        ("approval_mode", "auto_edit", ApprovalMode.AUTO_EDIT),
        ("approvals", "deny", "deny"),
        ("approvals", len, len),
        ("trust", True, True),
        ("record", Path("run.cast"), PurePath("run.cast")),
        ("home", "user", "user"),
        ("look", "normal", "normal"),
        ("sandbox", None, None),
        ("sandbox", False, False),
        ("sandbox", "docker", "docker"),
        ("include_directories", [Path("a"), "b"], (PurePath("a"), PurePath("b"))),
        ("extensions", [], ()),
        ("policies", ["deny.toml"], (PurePath("deny.toml"),)),
        ("allowed_tools", ["run_shell_command(ls)"], ("run_shell_command(ls)",)),
        ("mcp_servers", {"a": {"command": "b"}}, {"a": {"command": "b"}}),
        ("mcp_servers", None, {}),
        ("initial_prompt", "- one\n- two", "- one\n- two"),
        ("resume", "latest", "latest"),
        ("resume", 3, "3"),
        ("session_id", UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ("session_id", None, None),
        ("extra_args", ["--session-file=x.json"], ("--session-file=x.json",)),
        ("settings", {"ui": {"theme": "X"}}, {"ui": {"theme": "X"}}),
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
        ("size", (41, 40), "size: must be at least 42 columns and 12 lines"),
        ("size", Size(columns=80, lines=11), "size: must be at least 42 columns and 12 lines"),
        ("timeout", 0, "timeout: Input should be greater than 0 (seen: 0)"),
        ("timeout", True, "timeout: Input should be a valid number"),
        ("deadlines", {"turn": 1}, "deadlines.turn: Extra inputs are not permitted (seen: 1)"),
        ("deadlines", {"start": None}, "deadlines.start: Input should be a valid number"),
        ("deadlines", {"close": float("inf")}, "deadlines.close: Input should be a finite number"),
        ("deadlines", {"lunch": 1}, "deadlines.lunch: Extra inputs are not permitted (seen: 1)"),
        ("model", "", "model: must not be empty (seen: '')"),
        ("model", "--yolo", "model: a model's name has no spaces and does not start with '-'"),
        ("model", "gemini pro", "model: a model's name has no spaces"),
        ("approval_mode", "always", "should be 'default', 'auto_edit', 'yolo' or 'plan'"),
        ("approval_mode", "full_auto", "the CLI has no such mode; the nearest is 'yolo'"),
        ("approval_mode", "suggest", "the CLI has no such mode; the nearest is 'default'"),
        ("sandbox", "none", "sandbox: must be True, False, None or one of docker, podman"),
        ("include_directories", "a", "include_directories: must be a list, also for one value"),
        ("include_directories", ["a,b"], "include_directories.0: must not contain a comma"),
        ("allowed_tools", ["a,b"], "allowed_tools.0: must not contain a comma"),
        ("initial_prompt", "x" * 131_000, "initial_prompt: must be shorter than 131000 bytes"),
        ("system_prompt", "", "system_prompt: String should have at least 1 character"),
        ("resume", "yesterday", "resume: must be 'latest', a session's number or its id"),
        ("resume", True, "resume: must be 'latest', a session's number or its id"),
        ("resume", 0, "resume: must be 'latest', a session's number or its id"),
        ("session_id", "mine", "session_id: must be a UUID, as uuid.uuid4() makes (seen: 'mine')"),
        ("mcp_servers", {"a": {}}, "the server 'a' needs a `command`, a `url` or an `httpUrl`"),
        ("mcp_servers", [1], "mcp_servers: must map names to values"),
        ("settings", {"a": {1, 2}}, "settings: must be what JSON can hold"),
        ("extra_args", ["hello"], "extra_args.0: must be flags: write --name=value"),
        ("extra_args", ["--"], "extra_args.0: must be flags: write --name=value"),
        ("approvals", "yolo", "approvals: must be 'ask', 'allow', 'deny' or a function"),
        ("approvals", _later, "approvals: must be a plain function"),
        ("approvals", partial(_later), "approvals: must be a plain function"),
        ("approvals", _Later(), "approvals: must be a plain function"),
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


@pytest.mark.parametrize(
    ("flag", "advice"),
    [
        ("--disable-tool=x", "deny the tool in a file for `policies`"),
        ("--working-directory=x", "use the option `cwd`"),
        ("-p", "it takes the screen away"),
        ("--prompt=x", "it takes the screen away"),
        ("--output-format=json", "it takes the screen away"),
        ("--outputFormat=json", "it takes the screen away"),
        ("--acp", "it takes the screen away"),
        ("--no-sandbox", "use the option `sandbox`"),
        ("--sandbox=none", "use the option `sandbox`"),
        ("-yd", "use approval_mode='yolo'"),
        ("--skip-trust", "use trust=True"),
        ("--model=x", "use the option `model`"),
    ],
)
def test_flags_that_cannot_work_are_refused_with_the_right_way(flag: str, advice: str) -> None:
    """Flags that the CLI lacks, that leave no screen or that have an option are not passed on."""
    with pytest.raises(UsageError, match="cannot be used here") as caught:
        Options.of(extra_args=[flag])

    assert advice in str(caught.value)


@pytest.mark.parametrize(
    ("chosen", "line"),
    [
        ({"resume": 1, "session_id": UUID(int=1)}, "a chat is new or resumed, choose one"),
        ({"home": "user", "settings": {"a": 1}}, "settings: needs home='private'"),
        ({"home": "user", "mcp_servers": {"a": {"url": "x"}}}, "mcp_servers: needs home='private'"),
    ],
)
def test_options_that_exclude_each_other_are_named(chosen: dict[str, Any], line: str) -> None:
    """Two options that cannot both be true give one line that names them."""
    with pytest.raises(UsageError) as caught:
        Options.of(**chosen)

    assert line in str(caught.value)
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize("name", ["mcp_servers", "settings"])
def test_values_that_may_be_keys_are_never_shown(name: str) -> None:
    """Neither a message nor repr() shows what stands in the settings of servers."""
    good = {"a": {"command": "b", "env": {"KEY": "hush"}}}

    with pytest.raises(UsageError) as caught:
        Options.of(**{name: {"a": {"env": "hush", "bad": {1}}}})

    assert "hush" not in str(caught.value)
    assert "hush" not in str(caught.value.__cause__)
    assert "hush" not in repr(Options.of(**{name: good}))


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


def test_the_keywords_of_a_session_are_the_options() -> None:
    """A type checker knows every option but the command, in the order of Options."""
    assert ["command", *OptionNames.__annotations__] == list(Options.model_fields)
