"""Which modules cannot be imported here, because an optional package is missing."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

has_research = all(map(find_spec, ("gymnasium", "numpy", "pettingzoo")))
has_openspiel = has_research and find_spec("pyspiel") is not None

collect_ignore_glob: list[str] = []
if not has_research:
    collect_ignore_glob += ["src/ninefold/rl/*", "tests/rl/*", "docs/research.md"]
    collect_ignore_glob += ["benchmarks/generalisation.py"]
if not has_openspiel:
    collect_ignore_glob += ["src/ninefold/rl/openspiel_game.py"]
    collect_ignore_glob += ["tests/rl/test_openspiel.py"]


def pytest_configure(config: pytest.Config) -> None:
    """Fail where everything is checked, rather than leave something out."""
    proves = str(config.getoption("markexpr")).startswith("prove")
    is_complete = has_openspiel if proves else has_research
    if os.environ.get("CI") and not is_complete:
        extra = "openspiel" if proves else "rl"
        message = f"install the extra {extra}: without it tests are left out"
        raise pytest.UsageError(message)
