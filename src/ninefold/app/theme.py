"""The colours of ninefold, light and dark, and the looks of grades and standings."""

from __future__ import annotations

from msgspec import Struct
from textual.theme import Theme

from ninefold.app.preferences import ThemeName
from ninefold.coach import Grade
from ninefold.learning import Standing


def _theme(
    name: ThemeName,
    *,
    first: str,
    second: str,
    warning: str,
    band: str,
    ink: str,
    soft: str,
    ground: str,
    surface: str,
    key: str,
    key_edge: str,
    rule: str,
    active: str,
    mark: str,
) -> Theme:
    """Make a theme from the colours that the style sheet names.

    ``rule`` also colours marked rows and scroll bars, ``active`` a scroll bar in use.
    """
    return Theme(
        name=f"ninefold-{name}",
        dark=name == "dark",
        primary=first,
        secondary=second,
        warning=warning,
        success=first,
        foreground=ink,
        background=ground,
        surface=surface,
        panel=key,
        variables={
            "first": first,
            "second": second,
            "band": band,
            "soft": soft,
            "rule": rule,
            "key": key,
            "key-edge": key_edge,
            "on-fill": ground,
            "mark": mark,
            "block-cursor-foreground": ink,
            "block-cursor-background": rule,
            "block-cursor-blurred-background": rule,
            "block-hover-background": rule,
            "scrollbar": rule,
            "scrollbar-hover": active,
            "scrollbar-active": active,
            "scrollbar-background": ground,
        },
    )


LIGHT = _theme(
    "light",
    first="#0B6E6E",
    second="#B8324A",
    warning="#8A5A10",
    band="#9A6412",
    ink="#1C1B1F",
    soft="#6C6860",
    ground="#FBF8F1",
    surface="#FFFFFF",
    key="#F3EEE2",
    key_edge="#DDD6C8",
    rule="#DDD6C8",
    active="#A39E93",
    mark="#F6E3BE",
)
DARK = _theme(
    "dark",
    first="#52C7BA",
    second="#FF8390",
    warning="#C98A2B",
    band="#C98A2B",
    ink="#F3EFE6",
    soft="#A39E93",
    ground="#15171B",
    surface="#1D2026",
    key="#262A32",
    key_edge="#4A505C",
    rule="#343842",
    active="#6C6860",
    mark="#4A3A1A",
)
THEMES: dict[ThemeName, Theme] = {"light": LIGHT, "dark": DARK}


class Look(Struct, frozen=True):
    """How to draw a grade or a standing: glyph, style, and background of its cell."""

    glyph: str
    style: str
    ground: str = ""


LOOKS: dict[Grade | Standing, Look] = {
    Grade.ONLY: Look("!", "bold $first"),
    Grade.GOOD: Look("+", "$first"),
    Grade.SLIP: Look("?", "bold $second"),
    Grade.LOST: Look("·", "$soft"),
    Standing.KNOWN: Look("●", "bold $first", " on $first 22%"),
    Standing.FIRM: Look("◐", "bold $band", " on $band 22%"),
    Standing.SHAKY: Look("○", "bold $second", " on $second 22%"),
    Standing.NEW: Look("·", "$soft", " on $key"),
}
_LIGHT_GROUNDS = ("7", "15")


def theme_for(colorfgbg: str) -> ThemeName:
    """Choose a theme by ``COLORFGBG``, the colours that a terminal reports.

    >>> theme_for("0;15"), theme_for("0;default;7"), theme_for("15;0"), theme_for("")
    ('light', 'light', 'dark', 'dark')
    """
    return "light" if colorfgbg.rpartition(";")[2] in _LIGHT_GROUNDS else "dark"
