"""The full-screen app: matches on this machine or on a server, puzzles, exploring.

::

    app            themes, keys that work everywhere
    theme          the colours, light and dark; how grades and standings look
    preferences    choices that are remembered
    terminal       keys from any bytes
    environment    the store, chance, time and pace; tables on this machine
    announcements  what is said beside the board: events, ends, scores
    screens        one for each place; they decide
    widgets        each shows one thing; they report
"""

from ninefold.app.environment import Environment
from ninefold.app.ninefold_app import INTERRUPTED, NinefoldApp
from ninefold.app.preferences import Memory, Preferences
from ninefold.app.theme import theme_for

__all__ = [
    "INTERRUPTED",
    "Environment",
    "Memory",
    "NinefoldApp",
    "Preferences",
    "theme_for",
]
