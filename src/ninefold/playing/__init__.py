"""A match as surfaces show it: everything that is the same on all of them.

A surface only draws, and reads keys.

::

    scene      what a viewer sees of a match, as a value
    presenter  turns entries into asks, and news into changes to show; no I/O
    presence   the opponent's connection, and when to report them away
    state      a scene as the page receives it: text, line and keys
    page_walk  the games of a walk, and a puzzle, as states
"""
