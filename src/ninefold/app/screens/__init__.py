"""One screen for each place of the app.

::

    home       the menu of all places
    new_game   the form before a match
    play       a match being played
    dialogs    questions of a match or a form, and the invitation
    game_over  the result, the review of a game, and what comes next
    look_back  the history of games
    learn      the path: the list of its steps, and one step
    practice   the items of a round, one after another
    puzzles    positions where exactly one multiplier wins
    progress   what the learner knows; choosing a learner
    explore    who wins at any position, and why
    online     joining and hosting matches on a server
    help       the keys and the rules
    board      the base of match and puzzle screens
"""
