"""What is attached is read, whole and alone; what would not be is refused.

The table of names is that of tests/test_attachments.py: what may be attached is tried on three
releases, and what is refused is tried by hand, to see that it must be.
"""

import json
import re
from pathlib import Path

import pytest

from geminipty.errors import DialogWaiting, UsageError
from geminipty.session import GeminiSession
from geminipty.standin import Always, Request, Say
from tests.test_attachments import SAYABLE, UNSAYABLE

from .conftest import Surroundings
from .models import NEWEST, Model

pytestmark = pytest.mark.live

#: One pixel.
PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b49444154789c6364"
    "f80f00010501012718e3660000000049454e44ae426082"
)


def marked(folder: Path, names: tuple[str, ...]) -> dict[str, str]:
    """Files of these names, each with a text of its own."""
    texts = {name: f"CONTENT-{number:03}" for number, name in enumerate(names)}
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return texts


def last(request: Request) -> str:
    """The newest message of a request."""
    return json.dumps(json.loads(request.body)["contents"][-1])


@pytest.mark.parametrize("release", [NEWEST, "0.34.0", "0.24.5"])
def test_attachments_are_read_whatever_they_are_called(
    model: Model, surroundings: Surroundings, release: str
) -> None:
    """Names of every kind in one prompt; a folder, a link and a picture in another."""
    folder = surroundings.fresh(f"read-{release}")
    texts = marked(folder, (*SAYABLE, "folder/in it", "target"))
    (folder / "link").symlink_to("target")
    (folder / "p.png").write_bytes(PICTURE)
    others = ("folder", "link", "p.png")
    model.will(Always(Say("Read.")))

    with GeminiSession(**model.options(folder, release)) as session:
        reply = session.ask("see these", attachments=SAYABLE)
        names = model.asked[-1]
        more = session.ask("and these", attachments=others)
        rest = model.asked[-1]

    found = {name: last(names).count(text) for name, text in texts.items()}
    assert {name for name in SAYABLE if found[name] != 1} == set()
    assert texts["folder/in it"] in last(rest)
    assert texts["target"] in last(rest)
    assert "inlineData" in last(rest)
    assert (reply.text, more.text) == ("Read.", "Read.")


def test_what_is_refused_would_not_be_read(model: Model, surroundings: Surroundings) -> None:
    """Escaped in the same way and given by hand, each name is read wrongly, or not at all."""
    folder = surroundings.fresh("refused")
    able = {n: name for n, name in UNSAYABLE.items() if name != "." and "\ud800" not in name}
    texts = marked(folder, (*able.values(), "axb", "ab"))
    model.will(Always(Say("Text.")))
    wrong: dict[str, str] = {}

    with GeminiSession(**model.options(folder, approvals=lambda one: one.choices[1])) as session:
        for kind, name in able.items():
            asked = len(model.asked)
            with pytest.raises(UsageError):
                session.ask("see", attachments=[name])
            assert len(model.asked) == asked
            escaped = re.sub(r"([\s,;!?()\[\]{}\\'\"*$&|<>`~#@])", r"\\\1", name)
            try:
                session.ask(f"see @{escaped}", files=True, timeout=20)
            except UsageError:
                continue
            read = {one for one, text in texts.items() if text in last(model.asked[-1])}
            if read == {name}:
                wrong[kind] = name

    assert wrong == {}


def test_what_the_cli_leaves_out_is_left_out(model: Model, surroundings: Surroundings) -> None:
    """The lists of folders, names and endings are the CLI's own: without us it reads nothing."""
    folder = surroundings.fresh("left-out")
    names = ("dist/a", "build/a", "coverage/a", "bower_components/a", ".idea/a", "a.zip", "a.pyc")
    texts = marked(folder, names)
    model.will(Always(Say("Text.")))

    with GeminiSession(**model.options(folder)) as session:
        for name in names:
            with pytest.raises(UsageError, match="leaves out"):
                session.ask("see", attachments=[name])
        session.ask("see " + " ".join(f"@{name}" for name in names), files=True)

    assert not any(text in last(model.asked[-1]) for text in texts.values())


def test_a_file_outside_is_refused_where_nobody_is_asked(
    model: Model, surroundings: Surroundings
) -> None:
    """0.24 reads nothing outside of its workspace and says nothing; beside it, it does."""
    folder, beside = surroundings.fresh("inside"), surroundings.fresh("beside")
    (beside / "a").write_text("CONTENT-BESIDE")
    (folder.parent / "out").write_text("CONTENT-OUTSIDE")
    model.will(Always(Say("Text.")))
    options = model.options(folder, "0.24.5", include_directories=[beside])

    with GeminiSession(**options) as session:
        with pytest.raises(UsageError, match="outside of the workspace"):
            session.ask("see", attachments=["../out"])
        session.ask("see @../out", files=True)
        by_hand = last(model.asked[-1])
        session.ask("see", attachments=[beside / "a"])
        read = last(model.asked[-1])

    assert "CONTENT-OUTSIDE" not in by_hand
    assert "CONTENT-BESIDE" in read


@pytest.mark.parametrize("release", [NEWEST, "0.34.0"])
def test_a_file_outside_is_not_read_unless_that_is_allowed(
    model: Model, surroundings: Surroundings, release: str
) -> None:
    """The question does not hear Escape: "deny" and `interrupt` choose `No`, and all goes on."""
    folder = surroundings.fresh(f"{release} asks")
    (folder.parent / "elsewhere").write_text("CONTENT-ELSEWHERE")
    model.will(Always(Say("Text.")))

    with GeminiSession(**model.options(folder, release, approvals="deny")) as session:
        session.ask("see @../elsewhere", files=True)
    with GeminiSession(**model.options(folder, release)) as session:
        with pytest.raises(DialogWaiting, match="outside-workspace"):
            session.ask("see @../elsewhere", files=True)
        session.interrupt()
        assert session.ask("go on").text == "Text."
    refused = [last(request) for request in model.asked]
    with GeminiSession(**model.options(folder, release, approvals="allow")) as session:
        session.ask("see @../elsewhere", files=True)

    assert not any("CONTENT-ELSEWHERE" in text for text in refused)
    assert "CONTENT-ELSEWHERE" in last(model.asked[-1])
