"""The table of marks tells the truth, and nobody spells a mark beside it."""

import ast
import re
from pathlib import Path

import pytest

import geminipty
from geminipty.export.explained import frames
from geminipty.reading import marks
from geminipty.transports.files import open_recording

from .conftest import RECORDINGS

PACKAGE = Path(geminipty.__file__).parent
#: The stand-in speaks the API's language, whose words an error of the CLI quotes.
ELSEWHERE = ("standin",)
MODULES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "marks.py" and path.relative_to(PACKAGE).parts[0] not in ELSEWHERE
]
TABLE = marks.table()
#: What our own pictures are drawn with, outside the floors that read the CLI's.
OUR_DRAWING = frozenset("─│╭╮╰╯")
READERS = ("reading", "conversation")
#: Shorter phrases are words that anybody may use.
PHRASE = 9


def spelled(source: str, *, reader: bool) -> list[str]:
    """The marks that the strings of a module spell, docstrings left out."""
    forms = {form for _, mark in TABLE for form in mark.forms}
    glyphs = {form for form in forms if not form.isascii() and len(form) == 1}
    if not reader:
        glyphs -= OUR_DRAWING
    phrases = {form for form in forms if len(form) >= PHRASE}

    def spells(text: str) -> bool:
        return not glyphs.isdisjoint(text) or any(form in text for form in phrases)

    if not spells(source):
        return []
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    # As they are written: a range of characters in escapes spells none of them.
    texts = [
        ast.get_source_segment(source, node) or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    ]
    return [text for text in texts if spells(text)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_spells_a_mark_itself(path: Path) -> None:
    """Glyphs and phrases of the CLI stand in reading/marks.py and nowhere else."""
    reader = path.relative_to(PACKAGE).parts[0] in READERS

    assert spelled(path.read_text(encoding="utf-8"), reader=reader) == []


@pytest.mark.parametrize(
    "source", ["x = '✦'", "x = f'{y} esc to cancel'", "def f(): return ('a', '⠋')"]
)
def test_a_mark_that_is_spelled_elsewhere_is_found(source: str) -> None:
    """The rule is red for a glyph or a phrase in any string but a docstring."""
    assert spelled(source, reader=False)
    assert not spelled(f'"""{source}"""', reader=False)


def test_box_glyphs_are_marks_only_for_those_who_read() -> None:
    """A floor above may draw a box of its own; a reader may not know its glyphs."""
    assert spelled("x = '╭'", reader=True)
    assert not spelled("x = '╭'", reader=False)


@pytest.mark.parametrize(("name", "mark"), TABLE, ids=[name for name, _ in TABLE])
def test_every_mark_is_proved_by_a_recording(name: str, mark: marks.Mark) -> None:
    """Each form of a mark stands on a finished picture, or in a title, of the recordings named."""
    missing = set(mark.forms)
    for proof in mark.proof:
        (path,) = RECORDINGS.glob(f"{proof}.cast*")
        with open_recording(path) as recording:
            for _, frame in frames(recording):
                lines = frame.lines
                wrapped = " ".join(line.strip() for line in lines)
                shown = "\n".join((*lines, wrapped, frame.title))
                missing -= {form for form in missing if form in shown}
                if not missing:
                    break

    assert not missing, name


@pytest.mark.parametrize(("name", "mark"), TABLE, ids=[name for name, _ in TABLE])
def test_every_mark_names_the_releases_that_draw_it(name: str, mark: marks.Mark) -> None:
    """The releases are a first and a last one, and the proof lies between them."""
    match = re.fullmatch(r"(\d+\.\d+\.\d+) - (\d+\.\d+\.\d+)", mark.releases)

    assert match, name
    first, last = (tuple(map(int, release.split("."))) for release in match.groups())
    assert first <= last
    for proof in mark.proof:
        release = tuple(map(int, proof.partition("/")[0].split(".")))
        assert first <= release <= last
