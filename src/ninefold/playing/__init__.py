"""Sitting at a table: one answer to every question that a surface has about a match.

A surface is drawing and keys; everything that is the same on all of them is here.

::

    scene      what someone sees of a match: a value
    presenter  turns entries into asks and news into changes, without input or output
    presence   who is connected, and when to say that someone is away
    state      a scene as the page gets it: words, line and keys
    walks      the games of a walk, and a puzzle, as states
"""
