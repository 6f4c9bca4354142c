"""Programs that play from outside.

::

    bots  a program spoken to in plain lines: its limits, and what it does wrong
"""
