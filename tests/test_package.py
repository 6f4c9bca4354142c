"""The package as others install it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from ninefold import __version__
from ninefold.rulebooks import KEYS

ROOT = Path(__file__).parent.parent


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    bounds = [*project["dependencies"], *(each for extra in extras for each in extra)]
    bounds = [each for each in bounds if not each.startswith("ninefold[")]
    oldest = (ROOT / "requirements-oldest.txt").read_text().splitlines()[1:]
    assert sorted(bounds) == [line.replace("==", ">=") for line in oldest]
    for bound in bounds:  # one bound, in full: what pip installs is what is meant
        assert re.fullmatch(r"[a-z-]+(\[binary\])?>=\d+\.\d+\.\d+(;.*)?", bound)


def test_a_citation_names_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {__version__}\n" in citation


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        str(folder),
    ]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def test_a_wheel_brings_the_rule_books(wheel: zipfile.ZipFile) -> None:
    for key in KEYS:
        assert f"ninefold/rulebooks/books/{key}.toml" in wheel.namelist()
    assert "ninefold/rulebooks/plain.toml" in wheel.namelist()


def test_a_wheel_brings_the_page_and_its_previews(wheel: zipfile.ZipFile) -> None:
    page = ROOT / "src" / "ninefold" / "server" / "page"
    files = [path for path in page.rglob("*") if path.is_file()]
    brought = [path.relative_to(ROOT / "src").as_posix() for path in files]
    assert set(brought) <= set(wheel.namelist())
    for key in KEYS:
        assert f"ninefold/server/page/previews/{key}.png" in brought


def test_a_wheel_brings_the_command(wheel: zipfile.ZipFile) -> None:
    [listed] = [n for n in wheel.namelist() if n.endswith("entry_points.txt")]
    assert wheel.read(listed) == b"[console_scripts]\nninefold = ninefold.main:main\n"


def test_a_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top.partition("-")[0] for top in tops} == {"ninefold"}
    assert "ninefold/py.typed" in wheel.namelist()
    assert not [name for name in wheel.namelist() if "__pycache__" in name]


def test_a_test_that_hangs_names_itself(pytestconfig: pytest.Config) -> None:
    assert float(pytestconfig.getini("faulthandler_timeout")) > 0
