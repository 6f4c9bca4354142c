"""The full-screen app: matches on this machine or on a server, learning, exploring.

::

    ninefold_app   the application: themes, keys that work everywhere
    theme          colours, light and dark; how grades and standings look
    preferences    choices that are remembered between runs
    terminal       a driver that survives bytes that are not UTF-8
    environment    store, random numbers, clock and pace; tables on this machine
    announcements  the sentences beside the board: events, results, scores
    screens        one for each place; they decide what happens
    widgets        each shows one thing, and reports what is done to it
"""

from ninefold.app.environment import Environment
from ninefold.app.ninefold_app import INTERRUPTED, NinefoldApp
from ninefold.app.preferences import Preferences, PreferencesFile
from ninefold.app.theme import theme_for

__all__ = [
    "INTERRUPTED",
    "Environment",
    "NinefoldApp",
    "Preferences",
    "PreferencesFile",
    "theme_for",
]
