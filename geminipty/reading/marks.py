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
    #: The first and the last release that was seen with it.
    releases: str
    #: The recordings that show its forms, as release/story.
    proof: tuple[str, ...]


def _mark(meaning: str, forms: str | tuple[str, ...], releases: str, *proof: str) -> Mark:
    return Mark(meaning, (forms,) if isinstance(forms, str) else forms, releases, proof)


# fmt: off
# The first columns: replies are indented by two, so what stands there is the CLI's own.
REPLY: Final = _mark("the model speaks", "✦", "0.1.5 - 0.61.0", "0.61.0/hello")
NOTICE: Final = _mark("the CLI informs", "ℹ", "0.1.5 - 0.61.0", "0.61.0/cancel")
ERROR: Final = _mark("the CLI reports an error", "✕", "0.1.5 - 0.61.0", "0.61.0/error")
WARNING: Final = _mark("the CLI warns", "⚠", "0.61.0 - 0.61.0", "0.61.0/home-folder")
SPINNER: Final = _mark("the CLI works", tuple("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"), "0.1.5 - 0.61.0", "0.61.0/turns")

# Prompts and the composer
CHAT: Final = _mark("the composer takes a prompt", ">", "0.1.5 - 0.61.0", "0.61.0/hello")
YOLO: Final = _mark("the same, and every tool is approved", "*", "0.6.1 - 0.61.0", "0.61.0/yolo")
SHELL: Final = _mark("the composer takes a shell command", "!", "0.61.0 - 0.61.0", "0.61.0/typing")
SEARCH: Final = _mark("the composer searches old prompts", "(r:)", "0.61.0 - 0.61.0", "0.61.0/keys")
PLACEHOLDER: Final = _mark("the composer is empty", ("Type your message or @path/to/file", "Type your shell command"), "0.1.5 - 0.61.0", "0.61.0/typing")
PASTED: Final = _mark("the composer holds a long text that it does not show", "[Pasted Text: ", "0.22.4 - 0.61.0", "0.61.0/multiline")
YOLO_ROW: Final = _mark("every tool is approved: above composers whose glyph does not tell", "YOLO mode", "0.1.5 - 0.24.5", "0.1.5/yolo")
RAW: Final = _mark("replies are drawn as the model sent them: the mode row", "raw markdown mode", "0.24.5 - 0.61.0", "0.61.0/raw")
COMMAND: Final = _mark("a prompt is a command", "/", "0.1.5 - 0.61.0", "0.61.0/slash")
CHORES: Final = _mark("commands that make the CLI busy and are no turn", "/compress", "0.1.5 - 0.61.0", "0.61.0/slash")

# Edges
UPPER_HALF: Final = _mark("an edge above (0.27 to 0.39) or below (0.40 on)", "▀", "0.27.4 - 0.61.0", "0.30.1/hello")
LOWER_HALF: Final = _mark("an edge below (0.27 to 0.39) or above (0.40 on)", "▄", "0.27.4 - 0.61.0", "0.61.0/hello")
RULE: Final = _mark("the line above the mode row; both edges of a composer without background", "─", "0.30.1 - 0.61.0", "0.61.0/hello")
TOP_LEFT: Final = _mark("a box begins", "╭", "0.1.5 - 0.61.0", "0.61.0/tool-approve")
SIDE: Final = _mark("a box goes on", "│", "0.1.5 - 0.61.0", "0.61.0/tool-approve")
BOTTOM_LEFT: Final = _mark("a box ends", "╰", "0.1.5 - 0.61.0", "0.61.0/tool-approve")
TABLE_EDGES: Final = _mark("a table's top, its inner line and its bottom", ("┌", "├", "└"), "0.6.1 - 0.61.0", "0.61.0/markdown")
SCROLLBAR: Final = _mark("the last column of an alternate screen", ("█", "▄", "▀"), "0.15.4 - 0.15.4", "0.15.4/long")

# The status row and its neighbours
CANCEL_HINT: Final = _mark("the CLI works: in the status row, also without a spinner", "esc to cancel", "0.1.5 - 0.61.0", "0.61.0/hello")
AWAITING: Final = _mark("a shell command waits for keys: the status row", "! Shell awaiting input", "0.61.0 - 0.61.0", "0.61.0/tools-big")
QUEUED: Final = _mark("prompts wait for their turn: above the status row", "Queued (press ↑ to edit):", "0.15.4 - 0.61.0", "0.61.0/turns")

# Tools: the glyph before the name
TOOL_OUTCOMES: Final = {
    ToolOutcome.PENDING: _mark("announced, or asked about", ("o", "?"), "0.1.5 - 0.61.0", "0.6.1/tool-approve", "0.61.0/tools"),
    ToolOutcome.RUNNING: _mark("at work", ("⊷", "⊶"), "0.1.5 - 0.61.0", "0.61.0/tools"),
    ToolOutcome.SUCCESS: _mark("ended", ("✓", "✔"), "0.1.5 - 0.61.0", "0.61.0/tools", "0.1.5/tool-approve"),
    ToolOutcome.ERROR: _mark("failed", "x", "0.1.5 - 0.30.1", "0.24.5/tools"),
    ToolOutcome.CANCELLED: _mark("cancelled", "-", "0.1.5 - 0.61.0", "0.61.0/tools"),
}
ASKED: Final = _mark("a tool that waits for approval", "?", "0.1.5 - 0.61.0", "0.61.0/tool-approve")
ASKED_TAIL: Final = _mark("behind its argument line", "←", "0.1.5 - 0.24.5", "0.6.1/tool-approve")
RESULT: Final = _mark("between a tool's arguments and its result", " → ", "0.38.2 - 0.61.0", "0.61.0/tools")

# Dialogs
SELECTED: Final = _mark("Enter takes this choice", "●", "0.1.5 - 0.61.0", "0.61.0/tool-approve")
UNSELECTED: Final = _mark("another choice, where choices have no numbers", "○", "0.1.5 - 0.1.5", "0.1.5/tool-approve")
HINTS: Final = _mark("how a dialog without choices is answered: the last row of its box", ("Enter to s", "Press Enter", "Press Esc to exit"), "0.61.0 - 0.61.0", "0.61.0/dialogs", "0.61.0/sign-in", "0.61.0/privacy")
CODE_PROMPT: Final = _mark("the CLI waits for a code from a browser, without a box", "Enter the authorization code:", "0.61.0 - 0.61.0", "0.61.0/sign-in-code")
#: The words of each kind: its heading, or how the question above its choices begins.
QUESTIONS: Final = {
    DialogKind.TRUST: _mark("may this folder be trusted", ("Do you trust this folder?", "Do you trust the files in this folder?"), "0.28.2 - 0.61.0", "0.30.1/trust", "0.61.0/trust"),
    DialogKind.AUTH: _mark("how to sign in", ("Get started", "Select Auth Method", "Enter Gemini API Key"), "0.1.5 - 0.61.0", "0.61.0/slash", "0.1.5/sign-in", "0.61.0/sign-in"),
    DialogKind.THEME: _mark("which colours", "Select Theme", "0.1.5 - 0.61.0", "0.61.0/slash"),
    DialogKind.PRIVACY: _mark("what is done with data", ("Gemini API Key Notice",), "0.61.0 - 0.61.0", "0.61.0/privacy"),
    DialogKind.IDE_NUDGE: _mark("is the editor to be connected", "Do you want to connect", "0.61.0 - 0.61.0", "0.61.0/ide"),
    DialogKind.ASK_USER: _mark("the model asks", "Answer Questions", "0.30.1 - 0.61.0", "0.61.0/dialogs"),
    DialogKind.PLAN_APPROVAL: _mark("is the plan good", "Ready to start implementation?", "0.38.2 - 0.61.0", "0.61.0/plan"),
    DialogKind.LOOP_DETECTED: _mark("the model repeats itself", "A potential loop was detected", "0.61.0 - 0.61.0", "0.61.0/quota"),
    DialogKind.QUOTA: _mark("the model cannot be had now", ("Usage limit reached", "It seems like you don't have access to", "We are currently experiencing high demand"), "0.51.0 - 0.61.0", "0.61.0/quota", "0.61.0/refusals"),
    DialogKind.OUTSIDE_WORKSPACE: _mark("may a file elsewhere be read", "The following files are outside your workspace", "0.61.0 - 0.61.0", "0.61.0/outside"),
    DialogKind.MCP_TOOL: _mark("may a server's tool run", 'Allow execution of MCP tool "', "0.1.5 - 0.61.0", "0.61.0/dialogs"),
    DialogKind.EDIT: _mark("may a file be changed", "Apply this change?", "0.1.5 - 0.61.0", "0.61.0/tools"),
    DialogKind.SHELL: _mark("may a command run", ("Allow execution?", "Allow execution of: '", "Allow execution of ["), "0.1.5 - 0.61.0", "0.1.5/tool-approve", "0.6.1/tool-approve", "0.61.0/tool-approve"),
    DialogKind.INFO: _mark("may a tool run", "Do you want to proceed?", "0.1.5 - 0.61.0", "0.61.0/dialogs"),
}
#: How the questions above choices end, in the order of how they begin; between are names that
#: others wrote.
ENDS: Final = {
    DialogKind.MCP_TOOL: _mark("the server's name is over", '"?', "0.1.5 - 0.61.0", "0.61.0/dialogs"),
    DialogKind.EDIT: _mark("nothing is between", "Apply this change?", "0.1.5 - 0.61.0", "0.61.0/tools"),
    DialogKind.SHELL: _mark("the names of programs are over", ("Allow execution?", "'?", "]?"), "0.1.5 - 0.61.0", "0.1.5/tool-approve", "0.6.1/tool-approve", "0.61.0/tool-approve"),
    DialogKind.INFO: _mark("nothing is between", "Do you want to proceed?", "0.1.5 - 0.61.0", "0.61.0/dialogs"),
}
ACTION: Final = _mark("a tool waits for approval: the first row of its box", "Action Required", "0.27.4 - 0.61.0", "0.27.4/dialogs", "0.61.0/dialogs")
ASKED_NOTE: Final = _mark("below the question about a command", "Redirection detected. To auto-accept, press Shift+Tab", "0.38.2 - 0.61.0", "0.61.0/permissions")
#: Choices of permissions: the first, the last, and those that may stand between.
ONCE: Final = _mark("yes, this one time", ("Allow once", "Yes, allow once"), "0.1.5 - 0.61.0", "0.61.0/tools", "0.1.5/tool-approve")
NO: Final = _mark("no", ("No, suggest changes (esc)", "No (esc)"), "0.1.5 - 0.61.0", "0.61.0/tools", "0.1.5/tool-approve")
LABELS: Final = {
    DialogKind.SHELL: _mark("more commands too", ("Allow for this session", "Yes, allow always ...", 'Yes, allow always "', "Allow for all future sessions", "Allow this command for all future sessions", "Allow this command for all future sessions "), "0.1.5 - 0.61.0", "0.61.0/permissions", "0.34.0/permissions", "0.24.5/permissions", "0.6.1/tool-approve", "0.1.5/tool-approve"),
    DialogKind.EDIT: _mark("more changes too, or another one", ("Allow for this session", "Modify with external editor", "Yes, allow always", "Allow for all future sessions", "Allow for this file in all future sessions", "Allow for this file in all future sessions "), "0.1.5 - 0.61.0", "0.61.0/permissions", "0.34.0/permissions", "0.24.5/permissions", "0.6.1/permissions"),
    DialogKind.INFO: _mark("more calls too", ("Allow for this session", "Yes, allow always", "Allow for all future sessions", "Allow for all future sessions "), "0.1.5 - 0.61.0", "0.61.0/permissions", "0.24.5/permissions", "0.6.1/permissions"),
    DialogKind.MCP_TOOL: _mark("more calls too", ("Allow tool for this session", "Allow all server tools for this session", 'Yes, always allow tool "', 'Yes, always allow all tools from server "', "Allow tool for all future sessions", "Allow tool for all future sessions "), "0.1.5 - 0.61.0", "0.61.0/permissions", "0.24.5/permissions", "0.6.1/permissions"),
    DialogKind.TRUST: _mark("this folder, its parent, or none", ("Trust folder (", "Trust parent folder (", "Don't trust"), "0.28.2 - 0.61.0", "0.61.0/trust"),
    DialogKind.AUTH: _mark("some ways to sign in", ("Login with Google", "Sign in with Google", "Gemini API Key", "Use Gemini API Key", "Vertex AI"), "0.1.5 - 0.61.0", "0.1.5/sign-in", "0.61.0/sign-in"),
    DialogKind.THEME: _mark("some themes", ("ANSI ", "Ayu ", "Default ", "Dracula ", "GitHub "), "0.61.0 - 0.61.0", "0.61.0/slash"),
    DialogKind.PRIVACY: _mark("nothing to choose", (), "0.61.0 - 0.61.0", "0.61.0/privacy"),
    DialogKind.IDE_NUDGE: _mark("yes, no, never", ("Yes", "No (esc)", "No, don't ask again"), "0.61.0 - 0.61.0", "0.61.0/ide"),
    DialogKind.PLAN_APPROVAL: _mark("begin, asking for changes or not", ("Yes, automatically accept edits", "Yes, manually accept edits"), "0.38.2 - 0.61.0", "0.61.0/plan"),
    DialogKind.LOOP_DETECTED: _mark("go on watching or not", ("Keep loop detection enabled (esc)", "Disable loop detection for this session"), "0.61.0 - 0.61.0", "0.61.0/quota"),
    DialogKind.QUOTA: _mark("some ways on", ("Keep trying", "Stop"), "0.61.0 - 0.61.0", "0.61.0/quota"),
    DialogKind.OUTSIDE_WORKSPACE: _mark("yes or no", ("Yes", "No"), "0.61.0 - 0.61.0", "0.61.0/outside"),
}
EDITOR: Final = _mark("the change is made another one in an editor, and asked about again", "Modify with external editor", "0.1.5 - 0.61.0", "0.61.0/permissions")
#: What allows, where it is not ONCE.
ALLOWS: Final = {
    DialogKind.TRUST: _mark("this folder alone", "Trust folder (", "0.28.2 - 0.61.0", "0.61.0/trust"),
    DialogKind.PLAN_APPROVAL: _mark("each change is asked about", "Yes, manually accept edits", "0.38.2 - 0.61.0", "0.61.0/plan"),
    DialogKind.OUTSIDE_WORKSPACE: _mark("yes", "Yes", "0.61.0 - 0.61.0", "0.61.0/outside"),
}
#: What denies, where Escape does nothing.
DENIES: Final = {
    DialogKind.OUTSIDE_WORKSPACE: _mark("no", "No", "0.61.0 - 0.61.0", "0.61.0/outside"),
    DialogKind.QUOTA: _mark("no more tries", "Stop", "0.61.0 - 0.61.0", "0.61.0/quota"),
}
#: What is chosen without asking anybody, and allows nothing.
UNASKED: Final = {
    DialogKind.QUOTA: _mark("no more tries", "Stop", "0.61.0 - 0.61.0", "0.61.0/quota"),
    DialogKind.LOOP_DETECTED: _mark("loops are watched for as before", "Keep loop detection enabled (esc)", "0.61.0 - 0.61.0", "0.61.0/quota"),
}
HIDDEN: Final = _mark("the CLI leaves out rows: how a row of its own begins that says so", "... ", "0.1.5 - 0.61.0", "0.27.4/dialogs", "0.61.0/permissions")
HIDDEN_WORD: Final = _mark("behind the number of the rows", "hidden", "0.1.5 - 0.61.0", "0.27.4/dialogs", "0.61.0/tools-big")
MORE: Final = _mark("choices are out of sight: above the first, below the last", ("▲", "▼"), "0.61.0 - 0.61.0", "0.61.0/slash")
REVIEW: Final = _mark("in the last row: answers are looked through, nothing is to be chosen", "to edit answers", "0.61.0 - 0.61.0", "0.61.0/dialogs")

# Notices that decide something
CANCELLED: Final = _mark("the turn was interrupted", "Request cancelled.", "0.1.5 - 0.61.0", "0.61.0/cancel")
FAILED: Final = _mark("the request failed, and the details are hidden", "This request failed.", "0.34.0 - 0.61.0", "0.61.0/error")
MODEL_INFO: Final = _mark("which model answers, if the user wants to know", "Responding with ", "0.30.1 - 0.61.0", "0.61.0/model-info")
QUOTA_ERROR: Final = _mark("no requests are left: within an error", "quota", "0.15.4 - 0.61.0", "0.24.5/errors")
OVERFLOW: Final = _mark("the chat is too long for the model: within an error", "exceeds the maximum number of tokens", "0.61.0 - 0.61.0", "0.61.0/errors")
REFUSED: Final = _mark("the key or the account is not accepted: within an error", ("PERMISSION_DENIED", "UNAUTHENTICATED", "API key not valid"), "0.61.0 - 0.61.0", "0.61.0/errors", "0.61.0/refusals")

# Beginning and end
BANNER: Final = _mark("the CLI has begun: its header", ("Tips for getting started:", "Gemini CLI v"), "0.1.5 - 0.61.0", "0.61.0/hello")
LOGO: Final = _mark("the CLI has begun: rows of nothing else", tuple("█░▝▜▄▗▟▀"), "0.1.5 - 0.61.0", "0.6.1/hello", "0.61.0/hello")
RESTARTING: Final = _mark("the CLI starts itself anew", "Gemini CLI is restarting", "0.30.1 - 0.61.0", "0.61.0/trust")
FAREWELL: Final = _mark("the CLI ends: the first line of its last box", "Agent powering down. Goodbye!", "0.1.5 - 0.61.0", "0.61.0/quit-slash")

# The window title
TITLES: Final = {
    Status.READY: _mark("nothing runs", "◇", "0.25.0 - 0.61.0", "0.61.0/hello"),
    Status.WORKING: _mark("something runs", ("✦", "⏲"), "0.25.0 - 0.61.0", "0.61.0/hello", "0.61.0/silent-shell"),
    Status.ASKING: _mark("a tool waits for approval", "✋", "0.25.0 - 0.61.0", "0.61.0/tool-approve"),
}
STATIC_TITLE: Final = _mark("the CLI runs: a title without a status", ("Gemini - ", "Gemini CLI ("), "0.1.5 - 0.61.0", "0.1.5/hello", "0.61.0/static-title")
# fmt: on

#: The first and the last character that boxes, lines and blocks are drawn with.
DRAWING: Final = ("\u2500", "\u259f")
#: What ends a row that was too long for its place: a sign that others use too.
CUT: Final = "…"
TOOL_GLYPHS: Final = {
    glyph: outcome for outcome, mark in TOOL_OUTCOMES.items() for glyph in mark.forms
}
TITLE_GLYPHS: Final = {glyph: status for status, mark in TITLES.items() for glyph in mark.forms}


_TABLES: Final = ("TOOL_OUTCOMES", "TITLES", "QUESTIONS", "ENDS", "LABELS", "ALLOWS", "UNASKED")


def table() -> list[tuple[str, Mark]]:
    """Every mark with its name, in the order of this file."""
    rows: list[tuple[str, Mark]] = []
    for name, value in globals().items():
        if isinstance(value, Mark):
            rows.append((name, value))
        elif isinstance(value, dict) and name in _TABLES:
            rows += [(f"{name}.{key.name}", mark) for key, mark in value.items()]
    return rows
