"""The command line and the line terminal.

::

    program          the click program: commands, help, usage errors; ``ninefold.main``
                     handles all other errors
    commands         the commands, by subject
    menu             the menu that ``ninefold`` opens if the app does not fit
    setup_questions  prompts for a match: game, players, levels, who starts
    play_screen      playing or watching a match: entries become asks
    play_lines       the events and messages of a match, as lines
    play_questions   questions before a move counts; help at the prompt
    after_game       the offers after a game: rematch, review, practice
    practice_screen  rounds of practice, puzzles and steps of the path
    task_games       the games of the path and of claims
    console          input and output: terminal, pipes, files
    prompt           a prompt that news can interrupt
    line_editor      editing a line
    options          options and argument types that several commands share
    storage          the player's store, and stored games found by name
    output           printing text, JSON, tables, lists and reviews
    number_line      printing the number line
    bots             bots that a command line names
    tournament       running a tournament, printing its standings

Below are the exit codes.
"""

DONE = 0
"""The game ended, the players left it, or the command succeeded."""
ENDED_EARLY = 1
"""Input ended before the game was over, or something could not be finished: output
not written, games of a tournament not played, too little memory."""
NO_STORED_GAME = 1
"""There is no saved game to resume or review."""
WRONG_USE = 2
UNEXPECTED = 70
"""A bug in ninefold."""
INTERRUPTED = 130
"""Ctrl-C."""
