"""Programs that play from outside.

::

    bots       a program spoken to in plain lines: its limits, and what it does wrong
    bot_table  a table at which bots have a seat
    level_bot  a level that answers such lines
"""
