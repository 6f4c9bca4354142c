"""The command line and the line terminal.

``program``
    The click program: commands, help, errors of use. ``ninefold.main`` has the last
    resort for all other errors.
``commands/``
    The commands, by subject: play, online, learn, look_back, theory.
``menu``
    What ``ninefold`` alone shows where the full-screen app does not fit.
``setup``
    What a match is to be: read from options, or asked for.
``table``, ``table_news``, ``questions``
    The screen of a match, played here or on a server: entries become asks; news becomes
    words, also of who comes and goes; what is asked before a move counts.
``console``, ``prompt``, ``line_editor``
    Input and output: terminal, pipes, files; a prompt that news can interrupt; editing
    a line.
``options``
    Options and argument types that several commands share; a rule book by its name.
``storage``
    The player's store, and games found in it by name.
``output``, ``number_line``
    Printing text, JSON, tables, lists and reviews; the number line.

Below are the exit codes.
"""

DONE = 0
"""The game ended, the players left it, or the question was answered."""
ENDED_EARLY = 1
"""Input ended before the game was over, or something could not be finished: output
not written, games of a tournament not played, too little memory."""
NO_STORED_GAME = 1
"""No stored game to resume or to look back on."""
WRONG_USE = 2
UNEXPECTED = 70
"""A bug in ninefold."""
INTERRUPTED = 130
"""Ctrl-C."""
