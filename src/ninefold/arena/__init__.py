"""Programs that play from outside, and tournaments.

::

    bots        a program spoken to in plain lines: its limits, and what it does wrong
    bot_table   a table at which bots have a seat
    level_bot   a level that answers such lines
    tournament  who plays whom, by which rules, in chunks of games
    runner      plays the chunks, on processes of this machine or on a cluster
    journal     the file of the chunks that are done, from which a tournament goes on
    ratings     Bradley-Terry ratings with intervals
    standings   how a tournament stands, as data
"""
