"""`geminipty record`: a run of the CLI as a recording, led by hand or by prompts.

Rule: the recording is private, whole at any moment, and never written over another unless told.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from geminipty.errors import GeminiPtyError
from geminipty.options import OptionNames, Options
from geminipty.visible import line

from .say import put, say
from .words import Commands, seconds

_RECORD = """\
  geminipty record story.cast                      use the CLI by hand, in this terminal
  geminipty record story.cast --trust --ask "say hello" --ask "and in French"
  geminipty record story.cast --ask "list the files" --approvals allow -- --sandbox --debug
  geminipty play story.cast
"""


def _one(value: str | None) -> str | None:
    return value


def _switch(value: str | None) -> bool | str:
    return {None: True, "true": True, "false": False}.get(value, value or "")


def _list(value: str | None) -> list[str]:
    return [] if value is None else value.split(",")


def _yolo(value: str | None) -> str:
    return "default" if value == "false" else "yolo"


def _latest(value: str | None) -> str:
    return value or "latest"


#: Flags of the CLI that options of ours take care of, and how each takes what stands after the =.
_OPTIONS: Final[Mapping[str, tuple[str, Callable[[str | None], object]]]] = {
    **dict.fromkeys(("-m", "--model"), ("model", _one)),
    **dict.fromkeys(("-s", "--sandbox"), ("sandbox", _switch)),
    **dict.fromkeys(("-d", "--debug"), ("debug", _switch)),
    **dict.fromkeys(("-y", "--yolo"), ("approval_mode", _yolo)),
    "--approval-mode": ("approval_mode", _one),
    "--include-directories": ("include_directories", _list),
    **dict.fromkeys(("-e", "--extensions"), ("extensions", _list)),
    "--policy": ("policies", _list),
    "--allowed-tools": ("allowed_tools", _list),
    **dict.fromkeys(("-r", "--resume"), ("resume", _latest)),
    "--session-id": ("session_id", _one),
}


def add(commands: Commands) -> None:
    """The commands of this module."""
    record = commands.add(
        "record",
        _record,
        summary="record a run of the CLI, led by hand or by prompts",
        description="Start the Gemini CLI in a home of its own and record what happens: in this "
        "terminal until it ends, or, with --ask, prompt by prompt, printing the replies. Keys, "
        "tokens, e-mail addresses and names of this machine are hidden while recording "
        "(docs/redaction.md). What was recorded with --ask can be replayed by "
        "GeminiSession.replay.",
        examples=_RECORD,
    )
    record.add_argument(
        "--ask", action="append", default=[], metavar="PROMPT", help="ask this; may be repeated"
    )
    record.add_argument(
        "--approvals",
        choices=("ask", "allow", "deny"),
        default="ask",
        help="who answers dialogs while prompts are asked (default: nobody, which is an error)",
    )
    record.add_argument("--trust", action="store_true", help="you trust this folder")
    record.add_argument(
        "--look",
        choices=("normal", "lean"),
        default="normal",
        help="as a person sees the CLI (default), or as it is fastest to read",
    )
    record.add_argument("--timeout", type=seconds, default=600.0, metavar="S", help="for each turn")
    record.add_argument("--command", metavar="PROGRAM", help="the CLI, if it is not to be found")
    record.add_argument("--model", help="the model, as the CLI takes it")
    record.add_argument(
        "--home", choices=("private", "user"), default="private", help="see docs/launch.md"
    )
    record.add_argument(
        "--redact", action="append", default=[], metavar="TEXT", help="hide this as well"
    )
    record.add_argument("--force", action="store_true", help="replace a recording that is there")
    record.add_argument(
        "flags",
        nargs="*",
        metavar="-- FLAGS",
        help="further flags for the CLI, each as --name or --name=value",
    )


def parted(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words of a command line, and the flags for the CLI that stand after `--`."""
    own = list(words)
    if own[:1] != ["record"] or "--" not in own:
        return own, []
    cut = own.index("--")
    return own[:cut], own[cut + 1 :]


def chosen(arguments: argparse.Namespace) -> OptionNames:
    """What the arguments choose; a flag for which there is an option chooses that."""
    options: OptionNames = {
        "trust": arguments.trust,
        "look": arguments.look,
        "timeout": arguments.timeout,
        "home": arguments.home,
        "redact": arguments.redact,
        "record": arguments.recording,
        "overwrite": arguments.force,
        "approvals": arguments.approvals,
    }
    if arguments.model is not None:
        options["model"] = arguments.model
    flags = []
    for flag in arguments.flags:
        name, given, value = flag.partition("=")
        option, take = _OPTIONS.get(name, ("", str))
        if option:
            options[option] = take(value if given else None)  # type: ignore[literal-required]
        else:
            flags.append(flag)
    return {**options, "extra_args": flags}


def _record(arguments: argparse.Namespace) -> int:
    options = chosen(arguments)
    if arguments.ask:
        return _ask(arguments, options)
    # Who only looks at recordings needs none of this.
    from geminipty.run.byhand import lead

    led = Options.of(command=arguments.command, **options)
    status, kept = lead(led, sys.stdin.fileno(), sys.stdout.fileno())
    say(f"recorded: {line(arguments.recording)}" if kept else "nothing recorded: it never started")
    return 128 - status if status < 0 else status


def _ask(arguments: argparse.Namespace, options: OptionNames) -> int:
    from geminipty.conversation import Submit, safe_prompt
    from geminipty.session import GeminiSession

    for prompt in arguments.ask:
        Submit(safe_prompt(prompt))  # a prompt that is refused leaves no half of a recording
    path = arguments.recording
    try:
        with GeminiSession(arguments.command, **options) as session:
            for number, prompt in enumerate(arguments.ask, 1):
                say(f"[{number}/{len(arguments.ask)}] {prompt}")
                put(f"{session.ask(prompt).text}\n")
    except GeminiPtyError as error:
        if path.exists():
            error.recording = error.recording or path
        raise
    say(f"recorded: {line(path)}")
    return 0
