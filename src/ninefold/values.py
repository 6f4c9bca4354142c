"""What makes a class a value: it never changes, and it equals whatever holds the same.

This is what ``@dataclass(frozen=True, slots=True)`` gives, in one screen of code.
Importing ``dataclasses`` takes longer than starting Python, and the first prompt
of a game must not wait for it (``benchmarks/startup.py`` shows the price).
"""

from __future__ import annotations

from ninefold.numerals import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, Self

hold = object.__setattr__
"""How a value's ``__init__`` sets a field, once."""


class Value:
    """The base of every value. ``__match_args__`` names what it is made of.

    Those names are the arguments of ``__init__``, in order; comparing, hashing,
    printing, copying and pattern matching all follow from them.
    """

    __slots__ = ()
    __match_args__: tuple[str, ...] = ()

    def _made_of(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def replace(self, **changes: object) -> Self:
        """Return the same value with some of its parts exchanged."""
        parts = dict(zip(self.__match_args__, self._made_of(), strict=True))
        return type(self)(**(parts | changes))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        kind = type(self).__name__
        message = f"a {kind} never changes; make a new one with replace({name}=...)"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> NoReturn:
        message = f"a {type(self).__name__} never changes; {name} stays"
        raise AttributeError(message)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._made_of() == other._made_of()

    def __hash__(self) -> int:
        return hash((type(self), *self._made_of()))

    def __repr__(self) -> str:
        parts = zip(self.__match_args__, self._made_of(), strict=True)
        inside = ", ".join(f"{name}={_write(part)}" for name, part in parts)
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        return type(self), self._made_of()


def _write(part: object) -> str:
    """Do what ``repr`` does, with numbers of any size."""
    if type(part) is int:
        return write(part)
    if type(part) is tuple:
        inside = ", ".join(map(_write, part))
        return f"({inside},)" if len(part) == 1 else f"({inside})"
    return repr(part)
