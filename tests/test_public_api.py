from __future__ import annotations

import os
import subprocess
import sys

import pytest

import ninefold


def loaded_by(statement: str) -> set[str]:
    """Name the modules that a statement loads in a fresh interpreter."""
    code = (
        "import sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    command = [sys.executable, "-c", code]
    caching = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    printed = subprocess.check_output(
        command, text=True, env=caching, stdin=subprocess.DEVNULL
    )
    return set(printed.splitlines()[-1].split())


@pytest.mark.parametrize("name", ninefold.__all__)
def test_every_public_name_can_be_used(name: str) -> None:
    assert getattr(ninefold, name) is not None


def test_the_public_names_are_what_dir_lists() -> None:
    assert dir(ninefold) == sorted(ninefold.__all__)
    assert ninefold.__all__ == sorted(ninefold.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        _ = ninefold.Chess


def test_importing_ninefold_loads_nothing_else() -> None:
    assert loaded_by("import ninefold") <= {"ninefold", "__future__"}


@pytest.mark.parametrize(
    ("name", "modules"),
    [
        ("NinefoldError", {"errors", "numerals", "shown"}),
        ("Rules", {"errors", "numerals", "rules", "shown", "values"}),
        ("Length", {"errors", "game", "match", "numerals", "rules", "shown", "values"}),
    ],
)
def test_a_name_loads_no_more_than_it_needs(name: str, modules: set[str]) -> None:
    loaded = loaded_by(f"from ninefold import {name}")
    ours = {module for module in loaded if module.startswith("ninefold.")}
    assert ours == {f"ninefold.{module}" for module in modules}
    assert not loaded & {"json", "re", "typing", "dataclasses"}


def test_the_pure_layers_load_the_standard_library_alone() -> None:
    pure = "import ninefold.rulebooks, ninefold.record, ninefold.match"
    tops = {module.partition(".")[0] for module in loaded_by(pure)}
    assert tops - {"ninefold"} <= sys.stdlib_module_names


def test_the_first_prompt_waits_for_nothing_slow() -> None:
    statement = (
        "sys.argv = ['ninefold', 'play', 'multiplication-madness']\n"
        "from ninefold.cli import main\n"
        "main()  # up to the first prompt, for there is no input"
    )
    loaded_by(statement)  # the first time, a rule book may have to be parsed
    slow = {
        "click",
        "dataclasses",
        "json",
        "random",
        "re",
        "sqlite3",
        "tomllib",
        "typing",
    }
    assert not loaded_by(statement) & slow


def test_errors_share_one_base() -> None:
    for name in ninefold.__all__:
        thing = getattr(ninefold, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, ninefold.NinefoldError)
