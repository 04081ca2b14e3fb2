"""The documents tell the truth: their examples run, their links lead somewhere."""

import re
from pathlib import Path

import pytest

from geminipty.conversation import TABLE, Phase, Sight

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)?(?:#([\w-]+))?\)")


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return [
        body for name, body in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language
    ]


EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(blocks(page, "python"), 1)
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_every_python_example_runs(code: str) -> None:
    """Each example of the README and the documents is executed as it stands."""
    exec(compile(code, "example", "exec"), {"__name__": "example"})


def test_the_readme_shows_what_its_example_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """The output under the README's example is what it prints."""
    exec(compile(blocks(PAGES[0], "python")[0], "README", "exec"), {"__name__": "example"})

    assert capsys.readouterr().out == blocks(PAGES[0], "text")[0]


def test_the_commands_of_the_readme_are_what_ci_runs() -> None:
    """Set-up holds two sh blocks of one line, Live tests one; CI takes them from there."""

    def commands(title: str) -> list[str]:
        text = PAGES[0].read_text(encoding="utf-8")
        section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
        return [body for language, body in BLOCK.findall(section) if language == "sh"]

    install, test = commands("Set-up")

    assert "pip install -e '.[dev]'" in install
    assert [install.count("\n"), test] == [1, "pytest\n"]
    assert commands("Live tests") == ["pytest -m live\n"]
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for used in ("commands Set-up", 'eval "${set_up[1]}"', 'commands "Live tests"'):
        assert used in ci


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    """Each relative link names a file that exists, and a heading in it."""
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith("http"):
            continue
        file = page.parent / target if target else page
        assert file.is_file(), target
        headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, anchor


def test_recordings_named_in_the_documents_are_bundled() -> None:
    """Each `release/story` that a page or the frame rules name is in recordings/."""
    frames = (ROOT / "geminipty" / "terminal" / "frames.py").read_text(encoding="utf-8")
    for text in (frames, *(page.read_text(encoding="utf-8") for page in PAGES)):
        for name in re.findall(r"\b(0\.\d+\.\d+/[a-z][a-z0-9-]*)", text):
            assert list((ROOT / "recordings").glob(f"{name}.cast*")), name


def machine_table() -> str:
    """The transitions as a table: a row a phase, a column a sight; a dot changes nothing."""
    head = f"| phase | {' | '.join(sight.value for sight in Sight)} |"
    rule = "|---" * (len(Sight) + 1) + "|"
    rows = [
        f"| **{phase.value}** | "
        + " | ".join("·" if (to := TABLE[phase, s]) is phase else to.value for s in Sight)
        + " |"
        for phase in Phase
    ]
    return "\n".join((head, rule, *rows))


def test_the_machine_is_printed_in_the_documentation(golden_update: bool) -> None:
    """docs/reading.md shows the table that the code uses; --golden-update prints it."""
    page = ROOT / "docs" / "reading.md"
    begin, end = "<!-- machine -->", "<!-- /machine -->"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    shown, _, after = rest.partition(end)
    if golden_update:
        page.write_text(f"{before}{begin}\n{machine_table()}\n{end}{after}", encoding="utf-8")
        shown = f"\n{machine_table()}\n"

    assert shown.strip() == machine_table()
