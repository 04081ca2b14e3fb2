"""The stories of this repository, and the releases for which they are told.

Rule: a story says nothing that holds for some releases only; what a release needs to be told one
at all is for `settings_of` to say.
"""

from typing import Any, Final

from geminipty.standin import Call, Fail, Say

from .story import Ask, Command, Shell, Story

#: One of each layout, and the newest.
RELEASES: Final = (
    "0.1.5",
    "0.6.1",
    "0.15.4",
    "0.24.5",
    "0.30.1",
    "0.34.0",
    "0.40.1",
    "0.51.0",
    "0.61.0",
)
#: These may crash when they resize the terminal of a shell command that has just ended (seen with
#: 0.24.5 and 0.34.0), unless commands run without one.
_CRASHES: Final = ("0.15.", "0.24.", "0.30.", "0.34.", "0.40.")
_PLAIN_SHELL: Final = {"tools": {"shell": {"enableInteractiveShell": False}}}

_MARKDOWN = (
    "# Two ways\n\nUse `ls`, or **better**:\n\n```sh\nls -l | wc -l\n```\n\n"
    "- quick\n- exact\n\nThat is all."
)
_QUESTIONS = (
    Ask("say hello", (Say("Hello there."),)),
    Ask("how do I count files?", (Say(_MARKDOWN, chunks=40, pause=0.02),)),
)
_LINES = "\n".join(f"Line {number:03} of the answer." for number in range(1, 121))
#: Up to 0.1 the CLI stops only when more arrives.
_STEPS = "".join(f"Step {number:02} is done.\n" for number in range(1, 61))

STORIES: Final = (
    Story("ask", "A short question, and one whose reply has Markdown.", _QUESTIONS),
    Story(
        "approve",
        "The model wants to run a command: the first is allowed, the second denied.",
        (
            Ask(
                "make a file",
                (
                    [Say("I will make it."), Call("run_shell_command", command="touch made")],
                    Say("It is made."),
                ),
                answers=(True,),
            ),
            Ask(
                "remove it",
                (Call("run_shell_command", command="rm made"),),
                answers=(False,),
            ),
        ),
    ),
    Story(
        "fail",
        "The API refuses a request, and answers the next one.",
        (
            Ask("a bad question", (Fail(400, "This is not for you."),)),
            Ask("a good question", (Say("Well again."),)),
        ),
    ),
    Story(
        "long-answer",
        "A reply of 120 lines on a screen of 30.",
        (Ask("tell me all", (Say(_LINES, chunks=540, pause=0.05),)),),
    ),
    Story(
        "command",
        "The user asks the CLI for its statistics and runs a command in shell mode.",
        (
            Command("/stats", shows="Stats"),
            Shell("echo $((40 + 2))", shows="42"),
        ),
    ),
    Story(
        "interrupt",
        "The user stops a reply that takes long, and asks something else.",
        (
            Ask("begin", (Say(_STEPS, chunks=17, pause=0.2),), interrupted=True),
            Ask("something else", (Say("A fresh reply."),)),
        ),
    ),
    Story("ask-lean", "The same as `ask`, as a program sees it.", _QUESTIONS, "lean", None),
)


def settings_of(release: str) -> dict[str, Any]:
    """The settings without which a release tells no story."""
    return _PLAIN_SHELL if release.startswith(_CRASHES) else {}
