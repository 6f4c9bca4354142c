"""Playing at a table: one answer to every question that a surface has about a match.

A surface is drawing and keys; everything that is the same on all of them is here.

::

    scene      what a viewer sees of a match, as a value
    presenter  decides: turns entries into asks and news into changes, without I/O
    presence   who is connected, and when to say that a player is away
    state      a scene as the page receives it: text, line and keys
    page_walk  the games of a walk, and a puzzle, as states
"""
