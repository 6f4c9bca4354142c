"""Widgets: each shows one thing and reports what is done to it; screens decide.

::

    board            a game as it stands: aim, seats, total, line, moves
    number_line      hops and lost bands
    multiplier_keys  the keys that play, or a field to type in
    footer           the panel, in which words are said, and the bar of keys
    fields           a form's fields, and the mark of the focus
"""
