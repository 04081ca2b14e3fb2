"""The same reply wherever the session runs: in CI, under cron, in the user's own home."""

import json
import os
from pathlib import Path

import pytest

from geminipty.session import GeminiSession
from geminipty.standin import Call, Say

from .conftest import Surroundings
from .models import Model

pytestmark = pytest.mark.live

NOISY = {
    "CI": "true",
    "GITHUB_ACTIONS": "true",
    "CONTINUOUS_INTEGRATION": "1",
    "TMUX": "/tmp/tmux-0/default,1,0",
    "TERM": "dumb",
    "TERM_PROGRAM": "vscode",
    "VSCODE_PID": "1",
    "NO_COLOR": "1",
    "FORCE_COLOR": "0",
    "DEBUG": "1",
    "COLUMNS": "20",
    "LINES": "5",
    "LC_ALL": "C",
}


def in_a_session(model: Model, folder: Path, **chosen: object) -> tuple[str, str, bool | None]:
    """The texts of a turn in a new session, and whether its two witnesses agree."""
    text = "Umlauts: äöü, **bold**.\n\n- a list"
    model.will(Call("run_shell_command", command="touch here"), Say(text))
    with GeminiSession(**model.options(folder, approvals="allow", **chosen)) as session:
        reply = session.ask("make a file")
    assert (folder / "here").exists()
    assert reply.text == text
    return reply.text, reply.screen_text, reply.agreement


def test_the_surroundings_change_nothing(
    model: Model, surroundings: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In CI, tmux and an editor, and with almost no environment, the reply is the same."""
    usual = in_a_session(model, surroundings.fresh("usual"))
    for name, value in NOISY.items():
        monkeypatch.setenv(name, value)
    noisy = in_a_session(model, surroundings.fresh("noisy"))
    for name in set(os.environ) - {"PATH", "HOME", "TMPDIR", "GEMINIPTY_CLIS"}:
        monkeypatch.delenv(name)
    bare = in_a_session(model, surroundings.fresh("bare"))

    assert usual == noisy == bare
    assert usual[2] is True


def test_a_session_changes_nothing_of_the_users(model: Model, surroundings: Surroundings) -> None:
    """A session in a private home leaves the user's as it was, and no file behind."""
    before = surroundings.fingerprint()

    in_a_session(model, surroundings.fresh("private"))

    assert surroundings.fingerprint() == before
    assert surroundings.left() == []


def test_a_session_in_the_users_home_writes_its_chat_there(
    model: Model, surroundings: Surroundings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With home="user" the reply is exact too, and the chat stays where the CLI keeps it."""
    settings = json.dumps(
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "model": {"disableLoopDetection": True},
        }
    )
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini" / "settings.json").write_text(settings)
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = surroundings.fresh("user-home")

    in_a_session(model, folder, home="user")

    assert list((tmp_path / ".gemini" / "tmp").rglob("chats/session-*"))
    assert (tmp_path / ".gemini" / "settings.json").read_text() == settings
    assert surroundings.left() == []


def test_the_readme_example_works(
    surroundings: Surroundings, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few lines are enough: the CLI is found on PATH, in the current folder, and asked."""
    options = model.options(surroundings.fresh("example"))
    programs = f"{options['command'].parent}:{os.environ['PATH']}"
    monkeypatch.setenv("PATH", programs)
    monkeypatch.chdir(options["cwd"])
    for name, value in options["env"].items():
        monkeypatch.setenv(name, value)
    model.will(Say("Hello."), Say("Hello again."))

    with GeminiSession(trust=True) as session:
        first = session.ask("Say hello.")
        second = session.ask("And again.")

    assert (first.text, second.text) == ("Hello.", "Hello again.")
