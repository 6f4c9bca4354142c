"""How a view becomes JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from ninefold.notation.codec import encode_bytes

_NOT_PLAIN_ASCII = re.compile(r"[^\n\x20-\x7e]")


def write_view(view: Struct | Sequence[Struct]) -> str:
    """Write a view, or several, as indented JSON that ends in a line feed."""
    return escape_json(msgspec.json.format(encode_bytes(view)).decode()) + "\n"


def escape_json(text: str) -> str:
    r"""Write JSON in printable ASCII: it means the same, and shows all that it holds.

    >>> escape_json('"\u202e\x7f\U0001f600"')
    '"\\u202e\\u007f\\ud83d\\ude00"'
    """
    return _NOT_PLAIN_ASCII.sub(_escape_character, text)


def _escape_character(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
