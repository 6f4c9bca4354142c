"""Widgets: each shows one thing and reports what is done to it; screens decide.

::

    board            a game as it stands: aim, seats, total, line, moves
    number_line      hops and lost bands
    multiplier_keys  the keys that play, or a field to type in
    panel            what is said
    key_bar          the keys of a screen
    fields           a form's fields, and the mark of the focus
"""
