"""The rules for single values that a caller chooses, so that `options` reads as a list of choices.

Rule: a check returns the value in the form that is kept, or raises ValueError with what is allowed.
A check of what may hold a key never puts the value into its message.
"""

import inspect
import json
import re
import uuid
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

#: Linux hands a program no single argument of 128 KiB or more.
MAX_ARGUMENT = 131_000

#: The programs of which the CLI can make a sandbox.
SANDBOXES: Final = ("docker", "podman", "sandbox-exec", "runsc", "lxc")

#: Flags that `extra_args` may not hold, and what to do instead.
_TAKES_THE_SCREEN: Final = "it takes the screen away"
_REFUSED: Final[Mapping[str, str]] = {
    # Named by older tools; the CLI has never had them, or takes them for a prompt.
    "--disable-tool": "the CLI has no such flag; deny the tool in a file for `policies`",
    "--disable-tools": "the CLI has no such flag; deny the tools in a file for `policies`",
    "--working-directory": "the CLI has no such flag; use the option `cwd`",
    "--cwd": "the CLI has no such flag; use the option `cwd`",
    "--full-auto": "the CLI has no such flag; use approval_mode='yolo'",
    "--system-prompt": "the CLI has no such flag; use the option `system_prompt`",
    "--mcp-config": "the CLI has no such flag; use the option `mcp_servers`",
    # What is left has no screen to read.
    **dict.fromkeys(
        (
            *("-p", "--prompt", "-o", "--output-format", "--list-sessions", "--delete-session"),
            *("--acp", "--experimental-acp", "--screen-reader", "-l", "--list-extensions"),
            *("-v", "--version", "-h", "--help"),
        ),
        _TAKES_THE_SCREEN,
    ),
    "--raw-output": "it lets a reply write anywhere on the screen",
    # These have options of their own.
    **dict.fromkeys(("-m", "--model"), "use the option `model`"),
    **dict.fromkeys(("-i", "--prompt-interactive"), "use the option `initial_prompt`"),
    **dict.fromkeys(("-y", "--yolo"), "use approval_mode='yolo'"),
    "--approval-mode": "use the option `approval_mode`",
    **dict.fromkeys(("-s", "--sandbox"), "use the option `sandbox`"),
    "--include-directories": "use the option `include_directories`",
    **dict.fromkeys(("-e", "--extensions"), "use the option `extensions`"),
    "--policy": "use the option `policies`",
    "--allowed-tools": "use the option `allowed_tools`",
    **dict.fromkeys(("-r", "--resume"), "use the option `resume`"),
    "--session-id": "use the option `session_id`",
    **dict.fromkeys(("-d", "--debug"), "use the option `debug`"),
    "--skip-trust": "use trust=True",
}


def argument(text: str) -> str:
    """Refuse what cannot be handed to a program: nothing at all, or a NUL."""
    if not text:
        raise ValueError("must not be empty")
    if "\0" in text:
        raise ValueError("must not contain a NUL character")
    if len(text) >= MAX_ARGUMENT or len(text.encode(errors="replace")) >= MAX_ARGUMENT:
        raise ValueError(f"must be shorter than {MAX_ARGUMENT} bytes")
    return text


def listed(text: str) -> str:
    """Refuse what the CLI would take for two: it splits its lists at commas."""
    if "," in text:
        raise ValueError("must not contain a comma: the CLI splits its lists there")
    return text


def listed_path(path: PurePath) -> PurePath:
    """The same for a path."""
    listed(str(path))
    return path


def extra(text: str) -> str:
    """Refuse a flag that does not exist, takes the screen away or has an option of ours."""
    if text == "--" or not text.startswith("-"):
        raise ValueError("must be flags: write --name=value; a bare word would be a prompt")
    name = text.partition("=")[0]
    # The CLI understands --outputFormat and --no-sandbox too, and -yd as -y -d.
    name = re.sub(r"(?<=[a-z])([A-Z])", r"-\1", name).lower() if name.startswith("--") else name
    name = re.sub(r"^--no-", "--", name)
    names = [name] if name.startswith("--") else [f"-{letter}" for letter in name[1:]]
    for one in names:
        if one in _REFUSED:
            raise ValueError(f"{one} cannot be used here: {_REFUSED[one]}")
    return text


def several(value: Any) -> Any:
    """Refuse one text or path where a list is meant: its letters would be taken for the values."""
    if isinstance(value, str | PurePath):
        raise ValueError("must be a list, also for one value")
    return value


def policy(value: Any) -> Any:
    """Who answers dialogs: a known word, or a function that answers at once."""
    if value in ("ask", "allow", "deny"):
        return value
    if not callable(value):
        raise ValueError("must be 'ask', 'allow', 'deny' or a function")
    called = getattr(value, "__call__", None)  # noqa: B004 - the method, to look at
    if any(map(_is_async, (value, called))):
        raise ValueError(
            "must be a plain function: what `async def` makes answers only when it is awaited, and "
            "the dialog would stay open. To await something, use 'ask', catch DialogWaiting and "
            "call answer()"
        )
    return value


def _is_async(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def json_object(value: Any) -> dict[str, Any]:
    """A copy of what JSON would make of a mapping."""
    # Done by hand so that no message can hold a value: it may be a key.
    if value is None:
        return {}
    try:
        copy = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise ValueError("must be what JSON can hold") from None
    if not isinstance(copy, dict):
        raise ValueError("must map names to values")
    return copy


def servers(value: Any) -> dict[str, Any]:
    """MCP servers by name, each with a way to reach it."""
    servers = json_object(value)
    for name, server in servers.items():
        if not isinstance(server, dict) or not {"command", "url", "httpUrl"} & server.keys():
            raise ValueError(f"the server {name!r} needs a `command`, a `url` or an `httpUrl`")
    return servers


def session(value: Any) -> str | None:
    """The id of a chat, in the usual spelling."""
    if value is None:
        return None
    try:
        return str(uuid.UUID(str(value)))
    except ValueError:
        raise ValueError("must be a UUID, as uuid.uuid4() makes") from None


def sandbox(value: Any) -> bool | str | None:
    """Whether there is a sandbox, or what makes it."""
    if value is not None and not isinstance(value, bool) and value not in SANDBOXES:
        raise ValueError(f"must be True, False, None or one of {', '.join(SANDBOXES)}")
    kept: bool | str | None = value
    return kept


def resumed(value: Any) -> str | None:
    """Which chat to go on with."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | uuid.UUID):
        raise ValueError("must be 'latest', a session's number or its id")
    text = str(value)
    if not re.fullmatch(r"latest|[1-9]\d{0,8}|[0-9a-fA-F-]{8,64}", text):
        raise ValueError("must be 'latest', a session's number or its id")
    return text


def path(value: Any) -> PurePath:
    """A path that is not empty; nothing is looked up."""
    if not isinstance(value, str | PurePath):
        raise ValueError("must be a path, as text or from pathlib")
    # PurePath("") is the current folder, which nobody means by an empty text.
    argument(str(value))
    return PurePath(value)


def cast(value: PurePath) -> PurePath:
    """Refuse a name by which others would take the recording for something packed."""
    if value.suffix == ".gz":
        raise ValueError("a recording is written as plain text; pack it with gzip afterwards")
    return value


def variables(value: Any) -> dict[str, str]:
    """A copy of variables for an environment."""
    # Done by hand so that no message can hold a value, or a name that is "KEY=value".
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ValueError("must map names of variables to their values")
    for name, text in value.items():
        if not isinstance(name, str) or not name or "=" in name or "\0" in name:
            raise ValueError("the name of a variable must be text without '=' and NUL")
        if not isinstance(text, str) or "\0" in text:
            raise ValueError(f"the value of {name} must be text without NUL")
    return dict(value)


def model_name(name: str) -> str:
    """Refuse what would be another flag, or two words."""
    if name.startswith("-") or any(c.isspace() for c in name):
        raise ValueError("a model's name has no spaces and does not start with '-'")
    return name
