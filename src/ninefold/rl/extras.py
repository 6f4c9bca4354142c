"""The error for optional packages that are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ninefold.errors import MissingExtra

_TITLES = {
    "gymnasium": "Gymnasium",
    "numpy": "NumPy",
    "open_spiel": "OpenSpiel",
    "pettingzoo": "PettingZoo",
    "pyspiel": "OpenSpiel",
}


@contextmanager
def required_by(module: str, extra: str = "rl") -> Iterator[None]:
    """Raise ``MissingExtra`` if an import inside finds no package."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise MissingExtra(module, _TITLES.get(package, package), extra) from None
