"""One screen for each place of the app.

::

    home       the places, each with its key
    new_game   the form before a match
    play       a match being played
    dialogs    the questions that a match or a form asks
    game_over  the result, the review of a game, and what comes next
    look_back  games that were played
    learn      the path: its steps, and one step being taken
    practice   the items of a round, one after another; the times tables
    puzzles    positions at which exactly one multiplier wins
    progress   what the learner knows; choosing a learner
    explore    any position, and why it is won or lost
    online     joining and hosting matches on a server
    help       the keys and the rules
    board      what a match and a puzzle have in common
"""
