"""Which modules cannot be imported here, because an optional package is missing."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest

RESEARCH = ("gymnasium", "numpy", "pettingzoo")
has_research = all(map(find_spec, RESEARCH))
has_openspiel = has_research and find_spec("pyspiel") is not None

collect_ignore_glob: list[str] = []
if not has_research:
    collect_ignore_glob += ["src/ninefold/rl/*", "tests/rl/*", "docs/research.md"]
    collect_ignore_glob += ["benchmarks/generalisation.py"]
if not has_openspiel:
    collect_ignore_glob += ["src/ninefold/rl/openspiel_game.py"]
    collect_ignore_glob += ["tests/rl/test_openspiel.py"]


def pytest_configure() -> None:
    """Fail where everything is checked, rather than leave something out."""
    if os.environ.get("CI") and not has_research:
        message = f"install {', '.join(RESEARCH)}: without them tests are left out"
        raise pytest.UsageError(message)
