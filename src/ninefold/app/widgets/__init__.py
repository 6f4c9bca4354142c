"""Widgets: each shows one thing, and reports what is done to it; screens decide.

::

    board            a game: aim, seats, total, line
    move_list        the moves of a game, as a list or a row
    number_line      hops and lost bands
    multiplier_keys  the keys that play, or a field to type in
    footer           the panel of messages, and the bar of keys
    form_fields      a form's fields, and the mark of the focus
"""
