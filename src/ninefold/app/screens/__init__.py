"""One screen for each place of the app.

::

    home       the places, each with its key
    new_game   the form before a match
    table      a match being played; dialogs asks its questions
    game_over  the result, the review of a game, and what comes next
    history    the games that were played
    practice   the items of a round, one after another
    path       the steps to the lost bands, and one step
    online     joining and hosting matches on a server
    puzzles, explore, progress, help
    board      what the table and a puzzle have in common
"""
