"""Turns options into the arguments of the CLI.

Rule: every value is written as --flag=value, so that no value can be taken for a flag or a prompt.
"""

from pathlib import Path

from geminipty.conversation import safe_initial_prompt
from geminipty.errors import UsageError
from geminipty.options import ApprovalMode, Options
from geminipty.visible import line

from .releases import SINCE, Release, has
from .wire import WIRE_FLAG


def arguments(
    options: Options, release: Release | None, session_id: str | None, wire: Path | None
) -> list[str]:
    """What follows the program; raises UsageError for a folder or a file that is not there.

    UnsafePrompt if the initial prompt would be more than text to the CLI.
    """
    args: list[str] = []
    if options.model is not None:
        args.append(f"--model={options.model}")
    mode = options.approval_mode
    if mode is not None and has(release, SINCE["approval_mode"]):
        args.append(f"--approval-mode={mode.value}")
    elif mode is ApprovalMode.YOLO:
        args.append("--yolo")
    if options.sandbox is not None:
        args.append(f"--sandbox={'false' if options.sandbox is False else 'true'}")
    folders = [
        _there(Path(folder), "include_directories") for folder in options.include_directories
    ]
    args += [f"--include-directories={folder}" for folder in folders]
    if options.extensions is not None:
        # The CLI knows no empty list; "none" is its word for it.
        args += [f"--extensions={name}" for name in options.extensions or ("none",)]
    args += [f"--policy={_there(Path(file), 'policies')}" for file in options.policies]
    args += [f"--allowed-tools={name}" for name in options.allowed_tools]
    if options.resume is not None:
        args.append(f"--resume={options.resume}")
    if session_id is not None:
        args.append(f"--session-id={session_id}")
    if options.debug:
        args.append("--debug")
    if wire is not None:
        args.append(f"{WIRE_FLAG}={wire}")
    args += options.extra_args
    if options.initial_prompt is not None:
        args.append(f"--prompt-interactive={safe_initial_prompt(options.initial_prompt)}")
    return args


def _there(path: Path, name: str) -> Path:
    """The path from the root: the CLI would take it from its own folder."""
    whole = path.absolute()
    if name == "include_directories" and not whole.is_dir():
        raise UsageError(f"{name}: there is no folder {line(whole)}. Make it, or leave it out.")
    if not whole.exists():
        raise UsageError(f"{name}: there is no file {line(whole)}. Write it, or leave it out.")
    return whole
