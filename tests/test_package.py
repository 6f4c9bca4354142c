"""The package as others install it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from ninefold.rulebooks import KEYS, load
from ninefold.rulebooks.bundled import load_table

ROOT = Path(__file__).parent.parent


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


def test_a_wheel_brings_the_rule_books_parsed(wheel: zipfile.ZipFile) -> None:
    written: dict[str, dict[str, object]] = {}
    exec(wheel.read("ninefold/rulebooks/tables.py"), written)  # noqa: S102 - our own module
    for key in KEYS:
        text = wheel.read(f"ninefold/rulebooks/books/{key}.toml").decode()
        assert written["TABLES"][f"books/{key}"] == tomllib.loads(text)
    assert "plain" in written["TABLES"]


def test_a_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top.partition("-")[0] for top in tops} == {"ninefold"}
    assert "ninefold/py.typed" in wheel.namelist()
    assert not [name for name in wheel.namelist() if "__pycache__" in name]


def test_parsed_tables_are_used_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = ModuleType("ninefold.rulebooks.tables")
    changed = load_table("books", "multiplier") | {"title": "Changed"}
    tables.TABLES = {"books/multiplier": changed}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, tables.__name__, tables)
    monkeypatch.setattr("ninefold.rulebooks.tables", tables, raising=False)
    assert load("multiplier").title == "Changed"
