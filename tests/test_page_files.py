"""The page's files fit together, as far as that shows without a browser."""

from __future__ import annotations

import re
from pathlib import Path

import ninefold
from ninefold.rulebooks import KEYS

PAGE = Path(ninefold.__file__).parent / "server" / "page"
SHELL = (PAGE / "index.html").read_text(encoding="utf-8")


def test_every_file_that_the_page_names_is_there() -> None:
    named = set(re.findall(r'(?:href|src)="/page/([^"]+)"', SHELL))
    assert named <= {path.name for path in PAGE.iterdir()}


def test_every_module_is_fetched_at_once_but_for_pages_that_few_open() -> None:
    files = {path.name for path in PAGE.iterdir() if path.suffix in (".css", ".js")}
    named = re.findall(r'"/page/([^"]+\.(?:css|js))"', SHELL)
    later = {
        "class-messages.js",
        "explore.js",
        "how-to-play.js",
        "icons.js",
        "pupil.css",
        "pupil.js",
        "pupil-join.js",
        "pupil-names.js",
        "pupil-screens.js",
        "pupil-question.js",
        "past-matches.js",
        "puzzles.js",
    }
    later |= {
        "review.js",
        "review.css",
        "walk.js",
        "practice.js",
        "pages.css",
        "learn.js",
        "learner.js",
    }
    later |= {"class.css", *(path.name for path in PAGE.glob("teach*.js"))}
    assert sorted(named) == sorted(files - later)


def test_main_lists_every_other_module() -> None:
    head = (PAGE / "main.js").read_text(encoding="utf-8").partition("@module")[0]
    listed = re.findall(r"^ \* ([a-z-]+)  ?", head, re.MULTILINE)
    assert sorted([*listed, "main"]) == sorted(path.stem for path in PAGE.glob("*.js"))


def test_no_module_needs_another_that_needs_it() -> None:
    needs = {
        path.name: set(
            re.findall(r'^import .*? from "\./([^"]+)";', _joined(path), re.MULTILINE)
        )
        for path in PAGE.glob("*.js")
    }
    while done := {name for name, needed in needs.items() if not needed}:
        needs = {
            name: needed - done for name, needed in needs.items() if name not in done
        }
    assert needs == {}


def test_nothing_is_fetched_from_elsewhere() -> None:
    for path in PAGE.glob("*.*"):
        text = path.read_text(encoding="utf-8")
        outside = set(re.findall(r"https?://[^\"'\s)]+", text))
        assert outside <= {"http://www.w3.org/2000/svg"}, path.name


def test_each_game_has_a_small_picture_for_previews_of_its_links() -> None:
    found = {path.stem: path.read_bytes() for path in PAGE.glob("previews/*")}
    assert found.keys() == {*KEYS, "ninefold"}
    for picture in found.values():
        assert picture.startswith(b"\x89PNG\r\n")
        width, height = (int.from_bytes(picture[at : at + 4]) for at in (16, 20))
        assert (width, height) == (1200, 630)
        assert len(picture) < 40 * 1024


def _joined(path: Path) -> str:
    """Return a module with each of its imports on one line."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"\{[^{}]*\} from", lambda found: " ".join(found[0].split()), text)
