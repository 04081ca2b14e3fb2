"""A prompt is data: nothing in it runs a command, ends the CLI or reads a file.

Each hostile text is refused before anything is typed, or arrives at the model as text.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from geminipty.errors import UnsafePrompt, UsageError
from geminipty.model import Status
from geminipty.session import GeminiSession
from geminipty.standin import Always, Say

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

SECRET = "the-secret-that-nobody-may-read"
PWNED = "touch pwned"
#: What stands before a command and may not be seen.
PREFIXES = (
    *("", " ", "\t", "\n", "\r\n", "\u00a0", "\u2003", "\u3000", "\u2028", "\u2029", "\ufeff"),
    *("\u200b", "\u200d", "\u2060", "\u00ad", "\u202e", "\u2066", "\u180e", "\x00", "\x1b", "\x85"),
)
COMMANDS = ("/quit", f"!{PWNED}", f"/ !{PWNED}", "/clear")
#: Ends of a paste, keys and control characters, before a command.
BREAKS = (
    *("\x1b[201~\r", "\x1b[201~\n", "\x1b[201~\x03\x03", "\x9b201~\r", "\x1b\x1b[201~\r"),
    *("\x1b[20\x001~\r", "\x1b[2\x1b[201~01~\r", "\r", "\n", "\r\n", "\n\n\n", "\x0b", "\x0c"),
    *("\x03\x03", "\x04\x04", "\x1a\x1a", "\x1c", "\x15", "\x17", "\x16\r", "\x0f", "\x12", "\x19"),
    *("\x1b", "\x1b\x1b", "\x1b[Z", "\x1b[A\r", "\x1bOM", "\x1b[13u", "\x1b[27;5;13~", "\x8d"),
    *(
        "\x1b]0;x\x07",
        "\x1bP$q\x1b\\",
        "\x7f" * 20,
        "\x08" * 20,
        "\x84",
        "\x85",
        "\u2028\r",
        "\\\n",
    ),
)
#: Files that a prompt may name.
FILES = (
    *("@secret.txt", " @secret.txt", "x @secret.txt", "x\n@secret.txt", "@./secret.txt"),
    *("\\@secret.txt", "\\\\@secret.txt", "\\\\\\@secret.txt", "@@secret.txt", "@\\secret.txt"),
    *("'@secret.txt'", '"@secret.txt"', "`@secret.txt`", "(@secret.txt)", "@{secret.txt}"),
    *("a@secret.txt", "@secret.txt@secret.txt", "@secret*", "@sec\\ret.txt", "@\tsecret.txt"),
    *(
        "＠secret.txt",
        "@\u200csecret.txt",
        "@\u2060secret.txt",
        "\u00ad@secret.txt",
        "@~/secret.txt",
    ),
    *("@/etc/hostname", "@../secret.txt", "@file:///etc/hostname", "@{OUTSIDE}", "@.", "@*", "@"),
)
#: What means something in an empty composer, or to the CLI.
WORDS = (
    *(
        "?",
        "\\",
        "\\\\\\",
        "help",
        "quit",
        "exit",
        ":q",
        "//quit",
        "\\/quit",
        "#x",
        "$x",
        "&",
        "(r:)",
    ),
    *("[Pasted Text: 6 lines]", "[Pasted Text: 6 lines #1]", "@[Pasted Text: 6 lines]"),
    *(
        "hello\n/quit",
        "hello\n!" + PWNED,
        "hello\\\n/quit",
        "> /quit",
        "`/quit`",
        "1",
        "y",
        "\x1b[Z",
    ),
)
CORPUS = [
    *(prefix + command for prefix, command in itertools.product(PREFIXES, COMMANDS)),
    *(f"hello{cut}!{PWNED}\r" for cut in BREAKS),
    *(f"hello{cut}/quit{end}" for cut in BREAKS for end in ("", "\r")),
    *FILES,
    *WORDS,
]
PIECES = 6


@pytest.fixture(scope="module")
def hostile(model: Model, surroundings: Surroundings) -> Iterator[GeminiSession]:
    """A session that would allow all it is asked, in a folder with a secret."""
    (surroundings.project / "secret.txt").write_text(SECRET + "\n")
    (surroundings.project.parent / "secret.txt").write_text(SECRET + "\n")
    (surroundings.home / "secret.txt").write_text(SECRET + "\n")
    with GeminiSession(**model.options(surroundings.project, approvals="allow")) as session:
        yield session
    (surroundings.home / "secret.txt").unlink()


def test_the_corpus_is_large() -> None:
    """More than a hundred different texts are tried."""
    assert len(set(CORPUS)) > 200


@pytest.mark.parametrize("piece", range(PIECES))
def test_a_hostile_prompt_is_refused_or_is_text(
    hostile: GeminiSession, model: Model, project: Path, piece: int
) -> None:
    """No command is run, no session ends and no file is read, whatever a prompt says."""
    outcomes: dict[str, str] = {}
    for prompt in CORPUS[piece::PIECES]:
        text = prompt.replace("{OUTSIDE}", str(project.parent / "secret.txt"))
        model.will(Always(Say("Text.")))

        try:
            reply = hostile.ask(text, timeout=20)
        except UsageError as error:
            refused = type(error) in (UnsafePrompt, UsageError) and not model.requests
            outcome = "refused" if refused else f"{type(error).__name__} after it was sent"
        else:
            told = any(SECRET.encode() in request.body for request in model.requests)
            once = len(model.asked) == 1 and reply.text == "Text."
            outcome = "read" if told else "text" if once else f"asked {len(model.asked)} times"
        if (project / "pwned").exists():
            outcome = "ran"
            (project / "pwned").unlink()
        outcomes[text] = outcome

    assert {"refused", "text"} <= set(outcomes.values())
    wrong = {text: said for text, said in outcomes.items() if said not in ("refused", "text")}
    assert wrong == {}
    assert hostile.status is Status.READY


def test_a_command_that_is_no_command_is_refused(hostile: GeminiSession, model: Model) -> None:
    """command() takes one line that begins with `/`; shell() takes one line."""
    model.will()

    for wrong in ("hello", "/stats\n/quit", "/stats\r/quit", "", "/", "/stats\x1b[201~\r/quit"):
        with pytest.raises(UsageError):
            hostile.command(wrong)
    for wrong in ("", "ls\nls", "ls\r!ls", "ls\x03"):
        with pytest.raises(UsageError):
            hostile.shell(wrong)

    assert hostile.status is Status.READY
    assert model.requests == ()


@pytest.mark.parametrize("release", [NEWEST, "0.34.0"])
def test_an_initial_prompt_is_a_prompt(
    model: Model, surroundings: Surroundings, release: str
) -> None:
    """It is text as any other: no file is read, no command run, and its turn is told."""
    folder = surroundings.fresh(f"initial-{release}")
    (folder / "secret.txt").write_text(SECRET)
    prompt = "see @secret.txt\r\nor \\\\@secret.txt and a@b"
    model.will(Always(Say("Text.")))

    with GeminiSession(**model.options(folder, release, initial_prompt=prompt)) as session:
        turns = [(turn.prompt, turn.reply.text) for turn in session.turns]
        begun = model.asked
        following = session.ask("go on").text

    assert turns == [(prompt, "Text.")]
    assert [one.prompt for one in begun] == ["see \\@secret.txt\nor \\\\\\@secret.txt and a\\@b"]
    assert not any(SECRET.encode() in request.body for request in model.requests)
    assert following == "Text."


@pytest.mark.parametrize("prompt", ["/quit", f" !{PWNED}", "\u2060/clear", "a\x03\x03", "\u202ex"])
def test_an_initial_prompt_that_is_a_command_starts_nothing(
    model: Model, project: Path, prompt: str
) -> None:
    """UnsafePrompt, before there is a CLI."""
    model.will()
    session = GeminiSession(**model.options(project, initial_prompt=prompt))

    with pytest.raises(UnsafePrompt, match="initial_prompt"):
        session.start()

    assert model.requests == ()


def test_a_cli_without_pastes_is_given_no_keys(model: Model, surroundings: Surroundings) -> None:
    """0.1 is typed to: a tab is refused with nothing typed, a carriage return is a new line."""
    folder = surroundings.fresh("typed")
    model.will(Always(Say("Text.")))

    with GeminiSession(**model.options(folder, "0.1.5")) as session:
        with pytest.raises(UnsafePrompt, match="the tab at line 2, column 3"):
            session.ask("one\ntw\to")
        refused = model.asked
        texts = [session.ask(text).text for text in ("a\r\nb\rc", "d\ne")]

    assert refused == ()
    assert [one.prompt for one in model.asked] == ["a\nb\nc", "d\ne"]
    assert texts == ["Text.", "Text."]
