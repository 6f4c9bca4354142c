"""What README and docs show is what happens: every shell session in them is run."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.program import (
    SAMPLES,
    WAIT_SECONDS,
    run,
    run_shell,
    served,
    taught,
    transcript,
)

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src/ninefold"
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks/README.md"]
FENCE = re.compile(
    r"^```console(?: typed=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FOR_A_SHELL = re.compile(r"[|><$*;]")
NOT_RUN = ("make ", "eval ", "source ", "pip ")  # tested elsewhere, or the shell's own
LINK = re.compile(r"\]\(([^)#\s]*)#?([^)]*)\)")
FILE = re.compile(r"`([\w/]+\.(?:py|txt|toml))`")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


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
def test_a_shown_session_is_what_happens(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, *arguments = shlex.split(session.command)
    if program != "ninefold" or FOR_A_SHELL.search(session.command):
        finished = run_shell(session.command, typed=session.typed, cwd=ROOT)
        assert finished.stdout + finished.stderr == session.shown
    else:
        monkeypatch.chdir(ROOT)
        assert transcript(*arguments, typed=session.typed) == session.shown


def command_lines() -> list[tuple[str, str]]:
    """List the commands that the pages offer, without what cannot be run here."""
    found = []
    for page in PAGES:
        for block in SHELL.findall(page.read_text(encoding="utf-8")):
            for line in block.splitlines():
                command = line.partition(" #")[0].strip()
                is_menu = command in ("", "ninefold")
                if not (is_menu or "mine.toml" in command):
                    found.append((str(page.relative_to(ROOT)), command))
    return [line for line in found if not line[1].startswith(NOT_RUN)]


@pytest.fixture
def played() -> None:
    """Let there be a game to review."""
    run("play", "madness", typed="resign\n")


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(("page", "command"), command_lines())
def test_a_command_that_a_page_offers_can_be_run(
    page: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)
    if arguments[:1] == ["serve"]:
        assert len(served(*arguments)) == 1
        return
    if arguments[:1] == ["class"]:
        assert len(taught(*arguments)) == 1
        return
    if program != "ninefold" or FOR_A_SHELL.search(command):
        finished = run_shell(command, cwd=tmp_path)
    else:
        finished = run(*arguments)
    assert finished.returncode in (0, 1), f"{page}: {finished.stderr}"
    assert finished.stdout or any(tmp_path.iterdir())


def anchors(page: str) -> set[str]:
    """Return the places in a page that a link can name, as GitHub makes them."""
    titles = (re.sub(r"[^\w\- ]", "", title) for title in HEADING.findall(page))
    return {title.lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for link, place in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in link:
            target = page.parent / link if link else page
            assert target.exists(), link
            if place:
                assert place in anchors(target.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_the_files_that_a_page_names_exist(page: str) -> None:
    named = FILE.findall((ROOT / page).read_text(encoding="utf-8"))
    assert named
    for name in named:
        assert (PACKAGE / name).exists() or (ROOT / name).exists(), name


@pytest.mark.parametrize(
    "package", sorted(PACKAGE.glob("**/__init__.py")), ids=lambda path: path.parent.name
)
def test_a_package_that_lists_its_modules_lists_all_of_them(package: Path) -> None:
    found = ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) or ""
    listed = set(re.findall(r"^ +(\w+)", found.partition("\n::\n")[2], re.MULTILINE))
    modules = {file.stem for file in package.parent.glob("[a-z]*.py")}
    assert package.parent == PACKAGE or not listed or modules <= listed


def test_contributing_names_the_files_of_all_commands() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, listed = page.partition("## Add a command")
    listed, _, _ = listed.partition("\n## ")
    for file in PACKAGE.glob("cli/commands/[a-z]*.py"):
        assert f"`{file.stem}`" in listed


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_files_that_pages_name_are_there(page: Path) -> None:
    named = re.findall(r"`(\w+(?:/\w+)+\.(?:py|js|toml))`", page.read_text())
    package = ROOT / "src" / "ninefold"
    missing = [
        file
        for file in named
        if not any((at / file).is_file() for at in (ROOT, package))
    ]
    assert missing == []


def test_the_readme_shows_a_game_and_its_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make play\n" in readme
    assert "make test\n" in readme
    assert any(session.page == "README.md" for session in sessions())


def test_make_play_passes_its_arguments_on() -> None:
    sample = (SAMPLES / "multiplication-duel.in").read_text()
    finished = subprocess.run(
        ["make", "--silent", "play", "ARGS=duel --first 1"],
        input=sample,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=WAIT_SECONDS,
        check=True,
    )
    assert finished.stdout == (SAMPLES / "multiplication-duel.out").read_text()


def test_make_alone_lists_its_targets() -> None:
    listed = subprocess.check_output(["make"], text=True, cwd=ROOT)
    for target in ("play", "test", "cover", "prove", "check", "bench", "strengths"):
        assert f"\n{target} " in f"\n{listed}"
