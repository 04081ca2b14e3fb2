"""Every glyph and phrase of the CLI that we rely on: a new release should change this table only.

Rule: a mark names the releases that draw it and a bundled recording that proves it, and no other
module spells one. A mark says nothing by itself: it counts only in its place on the screen (a
column, an edge, the row above the composer), where no reply can put it.
"""

from typing import Final, NamedTuple

from geminipty.model import DialogKind, Status, ToolOutcome


class Mark(NamedTuple):
    """One glyph or phrase, in the forms that it takes."""

    meaning: str
    forms: tuple[str, ...]
    #: The first and the last release seen with it.
    releases: str
    #: The recording that shows it, as release/story.
    proof: str


# The first column: replies are indented by two, so what stands here is the CLI's own.

REPLY: Final = Mark("the model speaks", ("✦",), "0.1.1 - 0.61.0", "0.61.0/hello")
NOTICE: Final = Mark("the CLI informs", ("ℹ",), "0.1.1 - 0.61.0", "0.61.0/cancel")
ERROR: Final = Mark("the CLI reports an error", ("✕",), "0.1.1 - 0.61.0", "0.61.0/error")
WARNING: Final = Mark("the CLI warns", ("⚠",), "0.6.1 - 0.61.0", "0.61.0/home-folder")
SPINNER: Final = Mark(
    "the CLI works; the first glyph of the status row, in the first or second column",
    tuple("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"),
    "0.1.1 - 0.61.0",
    "0.61.0/hello",
)

# Prompts and the composer

CHAT: Final = Mark("the composer takes a prompt", (">",), "0.1.1 - 0.61.0", "0.61.0/hello")
YOLO: Final = Mark("every tool is approved", ("*",), "0.6.1 - 0.61.0", "0.61.0/yolo")
SHELL: Final = Mark("the composer takes a shell command", ("!",), "0.1.1 - 0.61.0", "0.61.0/typing")
SEARCH: Final = Mark("the composer searches old prompts", ("(r:)",), "0.15.4 - 0.61.0", "0.61.0/keys")
COMMAND: Final = Mark("a prompt is a command", ("/",), "0.1.1 - 0.61.0", "0.61.0/slash")
CHORES: Final = Mark(
    "commands that make the CLI busy and are no turn",
    ("/compress", "/summarize"),
    "0.1.1 - 0.61.0",
    "0.61.0/slash",
)
PASTED: Final = Mark(
    "the composer holds a long text that it does not show",
    ("[Pasted Text: ",),
    "0.22.4 - 0.61.0",
    "0.61.0/multiline",
)
PLACEHOLDER: Final = Mark(
    "the composer is empty",
    ("Type your message or @path/to/file", "Type your shell command"),
    "0.1.1 - 0.61.0",
    "0.61.0/typing",
)
YOLO_ROW: Final = Mark(
    "every tool is approved: above the composer of releases whose glyph does not tell",
    ("YOLO mode",),
    "0.1.1 - 0.28.2",
    "0.1.5/yolo",
)
RAW: Final = Mark(
    "replies are drawn as the model sent them: the mode row",
    ("raw markdown mode",),
    "0.22.4 - 0.61.0",
    "0.61.0/raw",
)

# Edges

UPPER_HALF: Final = Mark(
    "the edge above (0.27 to 0.39) or below (0.40 on)", ("▀",), "0.27.4 - 0.61.0", "0.30.1/hello"
)
LOWER_HALF: Final = Mark(
    "the edge below (0.27 to 0.39) or above (0.40 on)", ("▄",), "0.27.4 - 0.61.0", "0.61.0/hello"
)
RULE: Final = Mark(
    "the line above the composer's mode row; both edges without background colours",
    ("─",),
    "0.30.1 - 0.61.0",
    "0.61.0/hello",
)
TOP_LEFT: Final = Mark("a box begins", ("╭",), "0.1.1 - 0.61.0", "0.61.0/tool-approve")
SIDE: Final = Mark("a box goes on", ("│",), "0.1.1 - 0.61.0", "0.61.0/tool-approve")
BOTTOM_LEFT: Final = Mark("a box ends", ("╰",), "0.1.1 - 0.61.0", "0.61.0/tool-approve")
TABLE_EDGES: Final = Mark(
    "a table's top, its lines and its bottom", ("┌", "├", "└"), "0.2.2 - 0.61.0", "0.61.0/markdown"
)
SCROLLBAR: Final = Mark(
    "the last column of the alternate screen", ("█", "▄", "▀"), "0.15.4 - 0.61.0", "0.15.4/long"
)

# The status row and its neighbours

CANCEL_HINT: Final = Mark(
    "the CLI works: in the status row, also with the spinner switched off",
    ("esc to cancel",),
    "0.1.1 - 0.61.0",
    "0.61.0/hello",
)
AWAITING: Final = Mark(
    "a shell command waits for keys: the status row",
    ("! Shell awaiting input",),
    "0.34.0 - 0.61.0",
    "0.61.0/tools-big",
)
QUEUED: Final = Mark(
    "prompts wait for their turn: above the status row",
    ("Queued (press ↑ to edit):",),
    "0.15.4 - 0.61.0",
    "0.61.0/turns",
)

# Tools: the glyph before the name

TOOL_OUTCOMES: Final = {
    ToolOutcome.PENDING: Mark("announced, or asked about", ("o", "?"), "0.1.1 - 0.61.0", "0.6.1/tool-approve"),
    ToolOutcome.RUNNING: Mark("at work", ("⊷", "⊶"), "0.1.1 - 0.61.0", "0.61.0/tool-approve"),
    ToolOutcome.SUCCESS: Mark("ended", ("✓", "✔"), "0.1.1 - 0.61.0", "0.61.0/tool-approve"),
    ToolOutcome.ERROR: Mark("failed", ("x",), "0.1.1 - 0.61.0", "0.24.5/tools"),
    ToolOutcome.CANCELLED: Mark("cancelled", ("-",), "0.1.1 - 0.61.0", "0.61.0/tools"),
}
TOOL_GLYPHS: Final = {
    glyph: outcome for outcome, mark in TOOL_OUTCOMES.items() for glyph in mark.forms
}
ASKED: Final = Mark("a tool that waits for approval", ("?",), "0.1.1 - 0.61.0", "0.61.0/tool-approve")
ASKED_TAIL: Final = Mark("behind its argument line", ("←",), "0.1.1 - 0.26.0", "0.6.1/tool-approve")
RESULT: Final = Mark("between a tool's arguments and its result", (" → ",), "0.38.2 - 0.61.0", "0.61.0/tools")

# Dialogs

SELECTED: Final = Mark("Enter takes this choice", ("●",), "0.1.1 - 0.61.0", "0.61.0/tool-approve")
UNSELECTED: Final = Mark("another choice", ("○",), "0.1.1 - 0.1.9", "0.1.5/tool-approve")
HINTS: Final = Mark(
    "how a dialog without choices is answered: the last row of its box",
    ("Enter to s", "Press Enter", "Use Enter", "Press Esc", "Esc to "),
    "0.1.1 - 0.61.0",
    "0.61.0/dialogs",
)
CODE_PROMPT: Final = Mark(
    "the CLI waits for a code from the browser; not a box",
    ("Enter the authorization code:",),
    "0.61.0 - 0.61.0",
    "0.61.0/sign-in-code",
)


class Question(NamedTuple):
    """What a dialog of a kind says."""

    kind: DialogKind
    mark: Mark


#: In this order: a later one may quote words of an earlier one in its body.
QUESTIONS: Final = (
    Question(
        DialogKind.TRUST,
        Mark("may this folder be trusted", ("Do you trust ",), "0.28.2 - 0.61.0", "0.61.0/trust"),
    ),
    Question(
        DialogKind.AUTH,
        Mark(
            "how to sign in",
            ("Get started", "How would you like to authenticate", "Enter Gemini API Key"),
            "0.1.1 - 0.61.0",
            "0.61.0/sign-in",
        ),
    ),
    Question(
        DialogKind.THEME,
        Mark("which colours", ("Select Theme",), "0.1.1 - 0.61.0", "0.61.0/slash"),
    ),
    Question(
        DialogKind.PRIVACY,
        Mark("what is done with data", ("Privacy Notice", "Key Notice", "Vertex AI Notice"), "0.1.5 - 0.61.0", "0.61.0/privacy"),
    ),
    Question(
        DialogKind.IDE_NUDGE,
        Mark("is the editor to be connected", ("Do you want to connect",), "0.1.22 - 0.61.0", "0.61.0/ide"),
    ),
    Question(
        DialogKind.ASK_USER,
        Mark("the model asks", ("Answer Questions",), "0.30.1 - 0.61.0", "0.61.0/dialogs"),
    ),
    Question(
        DialogKind.PLAN_APPROVAL,
        Mark("is the plan good", ("Ready to start implementation?",), "0.34.0 - 0.61.0", "0.61.0/plan"),
    ),
    Question(
        DialogKind.LOOP_DETECTED,
        Mark("the model repeats itself", ("A potential loop was detected",), "0.3.4 - 0.61.0", "0.61.0/quota"),
    ),
    Question(
        DialogKind.QUOTA,
        Mark(
            "no requests are left, or the model is not to be had",
            ("Usage limit reached", "It seems like you don't have access"),
            "0.24.5 - 0.61.0",
            "0.61.0/quota",
        ),
    ),
    Question(
        DialogKind.OUTSIDE_WORKSPACE,
        Mark(
            "may a file elsewhere be read",
            ("The following files are outside your workspace",),
            "0.34.0 - 0.61.0",
            "0.61.0/outside",
        ),
    ),
    Question(
        DialogKind.MCP_TOOL,
        Mark("may a server's tool run", ("Allow execution of MCP tool",), "0.1.5 - 0.61.0", "0.61.0/dialogs"),
    ),
    Question(
        DialogKind.EDIT,
        Mark("may a file be changed", ("Apply this change?",), "0.1.1 - 0.61.0", "0.61.0/tools"),
    ),
    Question(
        DialogKind.SHELL,
        Mark("may a command run", ("Allow execution",), "0.1.1 - 0.61.0", "0.61.0/tool-approve"),
    ),
    Question(
        DialogKind.INFO,
        Mark("may a tool run", ("Do you want to proceed?",), "0.1.5 - 0.61.0", "0.61.0/tools"),
    ),
)

# Notices that decide something

CANCELLED: Final = Mark("the turn was interrupted", ("Request cancelled.",), "0.1.1 - 0.61.0", "0.61.0/cancel")
FAILED: Final = Mark(
    "the request failed, and the details are hidden",
    ("This request failed.",),
    "0.34.0 - 0.61.0",
    "0.61.0/error",
)
MODEL_INFO: Final = Mark(
    "which model answers, if the user wants to know",
    ("Responding with ",),
    "0.30.1 - 0.61.0",
    "0.61.0/model-info",
)
OVERFLOW: Final = Mark(
    "the chat is too long for the model: within an error",
    ("exceeds the maximum number of tokens", "context window", "input token count"),
    "0.61.0 - 0.61.0",
    "0.61.0/errors-full",
)
QUOTA_ERROR: Final = Mark(
    "no requests are left: within an error",
    ("RESOURCE_EXHAUSTED", '"code":429', "quota"),
    "0.1.1 - 0.61.0",
    "0.24.5/errors",
)
CODE_CUT: Final = Mark(
    "more of a code block follows: its last row while it is being written",
    ("... generating more ...", "... code is being written ..."),
    "0.1.1 - 0.61.0",
    "0.30.1/markdown2",
)

# Beginning and end

BANNER: Final = Mark(
    "the CLI has begun: the header and what follows it",
    ("Tips for getting started:", "Gemini CLI v", "Gemini CLI update available"),
    "0.1.1 - 0.61.0",
    "0.61.0/hello",
)
LOGO: Final = Mark(
    "the CLI has begun: rows of nothing else", tuple("█░▝▜▄▗▟▀"), "0.1.1 - 0.61.0", "0.6.1/hello"
)
RESTARTING: Final = Mark(
    "the CLI starts itself anew",
    ("Gemini CLI is restarting",),
    "0.28.2 - 0.61.0",
    "0.61.0/trust",
)
FAREWELL: Final = Mark(
    "the CLI ends: the first line of its last box",
    ("Agent powering down. Goodbye!",),
    "0.1.1 - 0.61.0",
    "0.61.0/quit-slash",
)
SCREEN_READER: Final = Mark(
    "the view for screen readers, which has no edges",
    ("You are currently in screen reader-friendly view.",),
    "0.61.0 - 0.61.0",
    "0.61.0/screen-reader",
)

#: The first glyph of the window title, from 0.25.0 on.
TITLES: Final = {
    Status.READY: Mark("nothing runs", ("◇",), "0.25.0 - 0.61.0", "0.61.0/hello"),
    Status.WORKING: Mark("something runs", ("✦", "⏲"), "0.25.0 - 0.61.0", "0.61.0/hello"),
    Status.ASKING: Mark("a tool waits for approval", ("✋",), "0.25.0 - 0.61.0", "0.61.0/tool-approve"),
}
STATIC_TITLE: Final = Mark(
    "the CLI runs: a title without a status",
    ("Gemini - ", "Gemini CLI ("),
    "0.1.1 - 0.61.0",
    "0.1.5/hello",
)
TITLE_GLYPHS: Final = {glyph: status for status, mark in TITLES.items() for glyph in mark.forms}


def table() -> list[tuple[str, Mark]]:
    """Every mark with its name, in the order of this file."""
    rows: list[tuple[str, Mark]] = []
    for name, value in globals().items():
        if isinstance(value, Mark):
            rows.append((name, value))
        elif name in ("TOOL_OUTCOMES", "TITLES"):
            rows += [(f"{name[:-1]}: {key}", mark) for key, mark in value.items()]
        elif name == "QUESTIONS":
            rows += [(f"QUESTION: {kind}", mark) for kind, mark in value]
    return rows
