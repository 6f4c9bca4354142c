"""What README and docs show is what happens: every shell session in them is run."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.program import NINEFOLD, SAMPLES, WAIT_SECONDS, environment

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
FENCE = re.compile(
    r"^```console(?: typed=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


class Session(NamedTuple):
    """One command in a page, what is typed to it, and what it shows."""

    page: str
    command: str
    typed: str
    shown: str


def sessions() -> list[Session]:
    found = []
    for page in PAGES:
        for typed, block in FENCE.findall(page.read_text(encoding="utf-8")):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                entries = typed.replace(",", "\n") + "\n"
                name = str(page.relative_to(ROOT))
                found.append(Session(name, command, entries, shown))
    return found


@pytest.mark.parametrize("session", sessions(), ids=lambda s: f"{s.page}: {s.command}")
def test_a_shown_session_is_what_happens(session: Session) -> None:
    path = f"{Path(NINEFOLD).parent}{os.pathsep}{os.environ['PATH']}"
    finished = subprocess.run(
        ["/bin/bash", "-c", session.command],
        input=session.typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env=environment(PATH=path),
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert finished.stdout == session.shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), link


def test_the_readme_shows_a_game_and_its_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make play\n" in readme
    assert "make test\n" in readme
    assert any(session.page == "README.md" for session in sessions())


def test_make_play_passes_its_arguments_on() -> None:
    sample = (SAMPLES / "multiplication-duel.in").read_text()
    finished = subprocess.run(
        ["make", "--silent", "play", "ARGS=duel --first 1"],  # noqa: S607 - make is on PATH
        input=sample,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=WAIT_SECONDS,
        check=True,
    )
    assert finished.stdout == (SAMPLES / "multiplication-duel.out").read_text()


def test_make_alone_lists_its_targets() -> None:
    listed = subprocess.check_output(["make"], text=True, cwd=ROOT)  # noqa: S607
    for target in ("play", "test", "check", "bench", "strengths"):
        assert f"\n{target} " in f"\n{listed}"
