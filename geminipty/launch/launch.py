"""Puts a run of the CLI together: program, arguments, environment and a home of its own.

Rule: `prepare` starts no CLI and, when it raises, leaves nothing behind.
"""

import os
import uuid
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from geminipty.errors import CliNotStarted, UsageError
from geminipty.options import ApprovalMode, Options, Size
from geminipty.visible import line

from . import auth, home, releases
from .command import arguments
from .environment import fit, home_of, runs_in_ci
from .find import Cli, find
from .folder import Folder, temporary
from .node import with_node
from .settings import ALWAYS, IN_CI, LEAN, LOOPS, apply, merge, put
from .strangers import Gate
from .wire import WIRE_FLAG, writes_wire_log

#: What suits each look. A screen that is higher than a turn keeps the CLI from printing all its
#: transcript again for each line of a long reply.
SIZES: Final[Mapping[str, Size]] = {
    "lean": Size(columns=160, lines=200),
    "normal": Size(columns=100, lines=40),
}


@dataclass(eq=False)
class Launch:
    """What is needed to start the CLI once; `close` removes what was made for it."""

    argv: tuple[str, ...]
    env: dict[str, str] = field(repr=False)  # it holds keys
    cwd: Path
    size: Size
    cli: Cli
    #: The `.gemini` folder below which this run writes its chat files.
    chats: Path
    #: The id of the chat if it is known before the start.
    session_id: str | None
    #: Where the CLI writes its wire log; None if it cannot be told to.
    wire: Path | None
    #: The CLI may break an answer off where it repeats itself, and no witness tells.
    breaks_off: bool
    #: Stands in the environment of this run's processes and of no other's.
    marks: str
    _folder: Folder = field(repr=False)

    def __post_init__(self) -> None:
        weakref.finalize(self, self._folder.remove)

    @property
    def told(self) -> tuple[str, ...]:
        """The command as one would give it by hand, without the wire log."""
        flag = f"{WIRE_FLAG}={self.wire}"
        return tuple(word for word in self.argv if word != flag)

    @property
    def asks_outside(self) -> bool:
        """Whether the CLI asks about a file outside of its workspace."""
        return releases.has(self.cli.release, releases.ASKS_OUTSIDE)

    def close(self) -> None:
        """Remove what was made for the run; may be called again, and never raises."""
        self._folder.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def prepare(options: Options, environ: Mapping[str, str] = os.environ) -> Launch:
    """Return what is needed to start the CLI as the options say.

    Raises CliNotFound if there is no CLI, UsageError if an option cannot be used with this CLI or
    in this place, CliError if the user's settings are broken, CliNotStarted if no home can be made.
    """
    cwd = _folder_of(options)
    caller = {**environ, **options.env}
    user = home_of(caller)
    gate = Gate(cwd, trust=options.trust)
    cli = find(options.command, caller, user or Path("/"), gate)
    releases.check(options, cli.release)
    session_id = options.session_id or _new_session_id(options, cli)
    env = fit(environ, options.env, cli.release)
    env = with_node(env, cli.path, gate, user or Path("/"))
    folder = _make_folder(caller)
    try:
        chats = _move_in(folder.path, options, caller, env, user, cli, cwd)
        wire = _wire_log(options, cli, env)
        args = arguments(options, cli.release, session_id, wire)
    except OSError as error:
        folder.remove()
        raise CliNotStarted(
            f"no private home could be made in {line(folder.path.parent)}: {error}. Free some "
            "space or permit it, or set TMPDIR to another folder."
        ) from error
    except BaseException:
        folder.remove()
        raise
    return Launch(
        argv=(*cli.argv, *args),
        env=env,
        cwd=cwd,
        size=options.size or SIZES[options.look],
        cli=cli,
        chats=chats,
        session_id=session_id,
        wire=wire,
        breaks_off=_breaks_off(cli, chats, cwd),
        marks=env["TMPDIR"],
        _folder=folder,
    )


def _wire_log(options: Options, cli: Cli, env: Mapping[str, str]) -> Path | None:
    """An empty wire log that only its owner can read, if the CLI is to write one.

    It lies in the folder for temporary files, which a sandbox that the settings ask for sees too.
    """
    if not writes_wire_log(options, cli, env):
        return None
    path = Path(env["TMPDIR"], "wire.jsonl")
    home.write(path, "")
    return path


def _breaks_off(cli: Cli, gemini: Path, cwd: Path) -> bool:
    """Whether the CLI may ask about a call of an answer that it broke off, and say nothing of that.

    Up to 0.24 it asks about the loop on the same picture, and from 0.25 on after the call. The
    settings of the folder we work in win over those of the home, if the CLI reads them.
    """
    if not releases.has(cli.release, releases.ASKS_LATER):
        return False
    if not releases.has(cli.release, LOOPS.since):
        return True
    off = [LOOPS.of(home.known_settings(place)) for place in (gemini, cwd / home.GEMINI)]
    return not off[0] or off[1] is False


def _new_session_id(options: Options, cli: Cli) -> str | None:
    """An id for a chat among others, so that its file can be found; a private home has only one."""
    known = releases.has(cli.release, releases.SINCE["session_id"])
    wanted = options.home == "user" and options.resume is None
    return str(uuid.uuid4()) if wanted and known else None


def _folder_of(options: Options) -> Path:
    try:
        # Resolved, because this is how the CLI names it: in its chats and its list of trust.
        cwd = Path(options.cwd or ".").resolve(strict=True)
    except OSError as error:
        raise UsageError(f"cwd: the folder cannot be used: {error}. Make it first.") from error
    if not cwd.is_dir() or not os.access(cwd, os.R_OK | os.X_OK):
        raise UsageError(
            f"cwd: {line(cwd)} is not a folder that can be entered. Choose another one."
        )
    return cwd


def _make_folder(caller: Mapping[str, str]) -> Folder:
    try:
        return Folder(temporary(caller))
    except OSError as error:
        raise CliNotStarted(
            f"no folder for this session could be made: {error}. Free some space, or set TMPDIR "
            "to a folder that can be written to."
        ) from error


def _move_in(
    folder: Path,
    options: Options,
    caller: Mapping[str, str],
    env: dict[str, str],
    user: Path | None,
    cli: Cli,
    cwd: Path,
) -> Path:
    """Fill the session's folder, add to `env` what points there, return the CLI's `.gemini`."""
    temporary = folder / "tmp"
    temporary.mkdir(mode=0o700)
    env["TMPDIR"] = str(temporary)
    if user is None:
        env["HOME"] = str(folder / "nobody")  # without a home node itself fails
        (folder / "nobody").mkdir(mode=0o700)
    else:
        env["HOME"] = str(user)
    if options.system_prompt is not None:
        home.write(folder / "system.md", options.system_prompt)
        env["GEMINI_SYSTEM_MD"] = str(folder / "system.md")
    if options.sandbox is not None:
        env.pop("GEMINI_SANDBOX", None)  # it would win over the flag
        if isinstance(options.sandbox, str):
            env["GEMINI_SANDBOX"] = options.sandbox
    if options.trust and releases.has(cli.release, releases.TRUST_VARIABLE):
        env["GEMINI_CLI_TRUST_WORKSPACE"] = "true"
    overlay = releases.has(cli.release, releases.OWN_HOME)
    base = user
    if overlay and caller.get("GEMINI_CLI_HOME"):
        base = Path(caller["GEMINI_CLI_HOME"])
    if options.home == "user":
        _trust_by_file(folder, options, env, base, cli, cwd)
        return (base or folder / "nobody") / home.GEMINI
    settings = _settings(options, caller, base, cli)
    private = folder / "home"
    gemini = home.furnish(private, base, settings, whole=not overlay)
    env["GEMINI_CLI_HOME" if overlay else "HOME"] = str(private)
    listed = env.pop("GEMINI_CLI_TRUSTED_FOLDERS_PATH", None)
    if listed and Path(listed).is_file():
        home.write(gemini / home.TRUSTED, Path(listed).read_text(encoding="utf-8"))
    if options.resume is not None:
        home.bring_chats(gemini, base, cwd)
    return gemini


def _settings(
    options: Options, caller: Mapping[str, str], base: Path | None, cli: Cli
) -> dict[str, Any]:
    """The user's settings with ours, and the caller's over both."""
    release = cli.release
    gemini = (base or Path("/nonexistent")) / home.GEMINI
    settings = home.read_settings(gemini)
    kind = auth.auth_type(settings, caller, options.env, gemini)
    apply(settings, ALWAYS, release)
    if options.look == "lean":
        apply(settings, LEAN, release)
    if runs_in_ci(caller):
        apply(settings, IN_CI, release)
    if kind is not None:
        put(settings, "security.auth.selectedType", kind, release)
    if options.trust and not releases.has(release, releases.TRUST_VARIABLE):
        put(settings, "security.folderTrust.enabled", False, release)
    if not releases.has(release, releases.GROUPED_SETTINGS):
        settings.setdefault("theme", "Default")  # else 0.1 opens with a choice of themes
    if options.approval_mode is ApprovalMode.PLAN and not releases.has(
        release, releases.PLAIN_PLAN
    ):
        put(settings, "experimental.plan", True, release)
    if options.mcp_servers:
        merge(settings, {"mcpServers": {}})
        settings["mcpServers"].update(options.mcp_servers)
    merge(settings, options.settings)
    return settings


def _trust_by_file(
    folder: Path,
    options: Options,
    env: dict[str, str],
    base: Path | None,
    cli: Cli,
    cwd: Path,
) -> None:
    """Trust a folder for one run in the user's own home, on releases that know no variable."""
    known = releases.has(cli.release, releases.TRUST_VARIABLE)
    if not options.trust or known or not releases.has(cli.release, releases.TRUST_FILE):
        return
    named = env.get("GEMINI_CLI_TRUSTED_FOLDERS_PATH")
    theirs = Path(named) if named else (base or folder) / home.GEMINI / home.TRUSTED
    ours = folder / home.TRUSTED
    home.write(ours, home.trusted_folders(theirs, cwd))
    env["GEMINI_CLI_TRUSTED_FOLDERS_PATH"] = str(ours)
