"""The exported page in a real browser: it plays, it seeks, and it asks for nothing."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from geminipty.cli import main

from ..conftest import RECORDINGS
from .chromium import Page, chromium

pytestmark = pytest.mark.live

TOOL = RECORDINGS / "0.61.0" / "tool-approve.cast"
SCREEN = "document.querySelector('.ap-term').innerText.replaceAll('\\n', '')"
CURRENT = "document.querySelector('#story [aria-current]')?.innerText"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A browser for the module."""
    with chromium(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a recording, as a user opens it."""
    file = tmp_path_factory.mktemp("page") / "run.html"
    assert main(["export", str(TOOL), "--html", str(file)]) == 0
    return file.as_uri()


@pytest.fixture
def page(browser: Page, url: str) -> Iterator[Page]:
    """The page, open; at its end nothing was asked for and nothing was complained about."""
    browser.requests.clear()
    browser.complaints.clear()
    browser.open(url, width=1280, height=800)
    browser.wait_for(f"{SCREEN}.includes('All done after the tool.')")
    yield browser
    assert {request.partition(":")[0] for request in browser.requests} <= {"file", "data"}
    assert [request for request in browser.requests if request.startswith("file")] == [url]
    assert browser.complaints == []


def colours(screenshot: bytes) -> int:
    """How many colours a picture has."""
    found = Image.open(BytesIO(screenshot)).convert("RGB").getcolors(1 << 24)
    assert found is not None
    return len(found)


def test_a_click_on_a_turn_shows_its_moment(page: Page) -> None:
    """The player shows the screen of that time, and the line is the current one."""
    page.click(".turn h2 button")
    page.wait_for(f"{SCREEN}.includes('Thinking...')")

    assert "All done after the tool." not in page.run(SCREEN)
    assert re.match(r"0:07\.\d\s+Turn 1 please use the shell tool", page.wait_for(CURRENT))
    page.run("[...document.querySelectorAll('.moment')].find("
             "(one) => one.innerText.includes('asks (shell)')).id = 'asks'")  # fmt: skip
    page.click("#asks")
    page.wait_for(f"{SCREEN}.includes('● 1. Allow once')")
    assert "asks (shell)" in page.wait_for(CURRENT)


def test_the_keyboard_is_enough(page: Page) -> None:
    """Arrows walk through the list, Enter goes to the moment."""
    page.run("document.querySelector('#story button').focus()")
    for _ in range(2):
        page.press("ArrowDown", 40)
    page.press("Enter", 13)

    page.wait_for(f"{SCREEN}.includes('Thinking...')")
    assert "Turn 1" in page.wait_for(CURRENT)


def test_the_list_follows_while_it_plays(page: Page) -> None:
    """Some time after a moment was chosen and played, a later one is the current one."""
    page.click(".turn h2 button")
    page.wait_for(CURRENT)
    page.run("document.querySelector('.ap-playback-button').click()")

    page.wait_for(f"({CURRENT} ?? '').includes('asking') || ({CURRENT} ?? '').includes('asks')")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (700, False)])
def test_nothing_is_blank_or_beyond_the_edge(page: Page, url: str, width: int, dark: bool) -> None:
    """No sideways scrolling, the list beside or below the player, and a picture of both."""
    page.requests.clear()
    page.open(url, width=width, height=900, dark=dark)
    page.wait_for(f"{SCREEN}.includes('All done after the tool.')")

    wide, player, story = page.run(
        "[document.documentElement.scrollWidth, "
        "...['.ap-player', 'nav'].map((name) => document.querySelector(name)"
        ".getBoundingClientRect().toJSON())]"
    )
    assert wide <= width
    assert player["width"] > 500
    assert story["right"] <= width
    beside = story["left"] >= player["right"]
    assert beside == (width == 1280)
    assert beside or story["top"] >= player["bottom"]
    assert colours(page.screenshot()) > 100
    ground, ink = page.run(
        "(({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(document.body))"
    )
    assert (brightness(ground) < brightness(ink)) == dark


def test_columns_stay_columns_in_an_svg(browser: Page, tmp_path: Path) -> None:
    """Every character of every text stands in its own column, blanks included."""
    file = tmp_path / "picture.svg"
    assert main(["export", str(TOOL), "--svg", str(file), "--at", "9"]) == 0

    browser.open(file.as_uri(), width=1000, height=900)
    misplaced, count = browser.run(
        "(() => { const all = [...document.querySelectorAll('g text')]; const wrong = []; "
        "for (const one of all) { const text = one.textContent; "
        "const left = Number(one.getAttribute('x')); "
        "if (one.getNumberOfChars() !== text.length) wrong.push(text); "
        "else for (let n = 0; n < text.length; n++) "
        "if (Math.abs(one.getStartPositionOfChar(n).x - left - 9 * n) > 1) wrong.push(text); } "
        "return [wrong, all.length]; })()"
    )

    assert misplaced == []
    assert count > 40


def brightness(colour: str) -> int:
    """The sum of a colour's parts, from rgb(…)."""
    return sum(map(int, re.findall(r"\d+", colour)[:3]))
