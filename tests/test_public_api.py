from __future__ import annotations

import re
import types
from pathlib import Path

import pytest

import ninefold

PAGE = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ninefold.__all__)
def test_every_public_name_can_be_used_and_is_documented(name: str) -> None:
    assert getattr(ninefold, name) is not None
    assert re.search(rf"`(ninefold\.)?{name}\b", PAGE)


def test_every_name_at_the_top_of_the_package_is_public() -> None:
    names = {
        name
        for name, thing in vars(ninefold).items()
        if not isinstance(thing, types.ModuleType) and not name.startswith("__")
    }
    assert names | {"__version__"} == set(ninefold.__all__)


def test_the_public_names_are_in_order_constants_first_then_classes() -> None:
    def kind_and_name(name: str) -> tuple[bool, bool, str]:
        return not name.isupper(), not name[0].isupper(), name

    assert ninefold.__all__ == sorted(ninefold.__all__, key=kind_and_name)
    assert len(set(ninefold.__all__)) == len(ninefold.__all__)


def test_errors_share_one_base() -> None:
    for name in ninefold.__all__:
        thing = getattr(ninefold, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, ninefold.NinefoldError)


def test_every_error_is_public() -> None:
    def below(base: type[Exception]) -> set[str]:
        children = base.__subclasses__()
        return {base.__name__}.union(*(below(child) for child in children))

    own = {
        name for name in below(ninefold.NinefoldError) if hasattr(ninefold.errors, name)
    }
    assert own <= set(ninefold.__all__)
