"""Bots (programs that play over a pipe) and tournaments.

::

    bot_process           a bot's process: its lines, its limits, its errors
    bot_table             a table at which bots have a seat
    level_as_bot          a level that speaks the bot protocol
    tournament            the plan: pairings, openings, and chunks of games
    tournament_workers    playing the chunks in local processes or on a Dask cluster
    tournament_journal    the file of finished chunks, from which a tournament resumes
    ratings               Bradley-Terry ratings with intervals
    tournament_standings  the standings of a tournament, as data
"""
