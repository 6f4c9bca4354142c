"""The colours of ninefold, light and dark, as Textual themes."""

from __future__ import annotations

from textual.theme import Theme

from ninefold.app.preferences import ThemeName


def _cursor(ink: str, ground: str) -> dict[str, str]:
    """Return how Textual's own lists mark a row, focused or not."""
    return {
        "block-cursor-foreground": ink,
        "block-cursor-background": ground,
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": ink,
        "block-cursor-blurred-background": ground,
        "block-cursor-blurred-text-style": "none",
        "block-hover-background": ground,
    }


def _scrollbar(bar: str, ground: str, active: str) -> dict[str, str]:
    """Return how Textual draws scroll bars."""
    return {
        "scrollbar": bar,
        "scrollbar-hover": active,
        "scrollbar-active": active,
        "scrollbar-background": ground,
        "scrollbar-background-hover": ground,
        "scrollbar-background-active": ground,
        "scrollbar-corner-color": ground,
    }


LIGHT = Theme(
    name="ninefold-light",
    dark=False,
    primary="#0B6E6E",
    secondary="#B8324A",
    accent="#0B6E6E",
    warning="#8A5A10",
    error="#B8324A",
    success="#0B6E6E",
    foreground="#1C1B1F",
    background="#FBF8F1",
    surface="#FFFFFF",
    panel="#F3EEE2",
    variables={
        "first": "#0B6E6E",
        "second": "#B8324A",
        "band": "#9A6412",
        "soft": "#6C6860",
        "rule": "#DDD6C8",
        "key": "#F3EEE2",
        "key-edge": "#DDD6C8",
        "on-fill": "#FBF8F1",
        "mark": "#F6E3BE",
        **_cursor("#1C1B1F", "#DDD6C8"),
        **_scrollbar("#DDD6C8", "#FBF8F1", "#A39E93"),
    },
)
DARK = Theme(
    name="ninefold-dark",
    dark=True,
    primary="#52C7BA",
    secondary="#FF8390",
    accent="#52C7BA",
    warning="#C98A2B",
    error="#FF8390",
    success="#52C7BA",
    foreground="#F3EFE6",
    background="#15171B",
    surface="#1D2026",
    panel="#262A32",
    variables={
        "first": "#52C7BA",
        "second": "#FF8390",
        "band": "#C98A2B",
        "soft": "#A39E93",
        "rule": "#343842",
        "key": "#262A32",
        "key-edge": "#4A505C",
        "on-fill": "#15171B",
        "mark": "#4A3A1A",
        **_cursor("#F3EFE6", "#343842"),
        **_scrollbar("#343842", "#15171B", "#6C6860"),
    },
)
THEMES: dict[ThemeName, Theme] = {"light": LIGHT, "dark": DARK}
_LIGHT_GROUNDS = ("7", "15")


def theme_for(colorfgbg: str) -> ThemeName:
    """Choose a theme by ``COLORFGBG``, in which a terminal tells its two colours.

    >>> theme_for("0;15"), theme_for("0;default;7"), theme_for("15;0"), theme_for("")
    ('light', 'light', 'dark', 'dark')
    """
    return "light" if colorfgbg.rpartition(";")[2] in _LIGHT_GROUNDS else "dark"
