"""The command line and the line terminal.

``program``
    The click program: commands, help, errors and exit codes.
``commands/``
    The commands, by subject: play, online, learn, look_back, theory.
``menu``
    What ``ninefold`` alone shows where the full-screen app does not fit.
``console``
    Input and output: prompts, notices, the size and the abilities of the terminal.
``options``
    Options and argument types that several commands share.
``files``, ``storage``
    Files that a person names; the player's store, and games found in it by name.
``output``, ``number_line``, ``questions``
    Printing text, tables, lists and reviews; the number line; questions during a game.

Below are the exit codes.
"""

DONE = 0
"""The game ended, the players left it, or the question was answered."""
ENDED_EARLY = 1
"""Input ended before the game did, or output could not be written."""
NOTHING_KEPT = 1
"""No stored game to resume or to look back on."""
WRONG_USE = 2
UNEXPECTED = 70
"""A bug in ninefold."""
INTERRUPTED = 130
"""Ctrl-C."""
