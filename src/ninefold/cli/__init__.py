"""The command line: commands, the classic screen, and what is drawn in a terminal."""

DONE = 0
"""The game ended, the players left it, or the question was answered."""
ENDED_EARLY = 1
"""Input ended before the game did, or output could not be written."""
NOTHING_KEPT = 1
"""There is no game to go on with, or to look back on."""
WRONG_USE = 2
UNEXPECTED = 70
"""Ninefold itself failed."""
INTERRUPTED = 130
"""Ctrl-C."""
