"""The commands of ``ninefold``, by subject; ``GROUPS`` lists them as help does.

::

    play                   matches at this terminal, and the app
    online                 matches over a network: host, join
    serving                servers for browsers: serve, class
    practice_and_progress  practice, puzzles, progress, learners
    learn_and_claim        the path, and claims about totals
    sheets                 sheets to print
    history_and_review     saved games: lists, reviews, transcripts
    import_export          everything in the store, as JSON Lines
    solve                  games, rules, and who wins
    matchups               exact chances between levels or bots
    bots_and_tournaments   bots, tournaments
"""

from ninefold.cli.commands.bots_and_tournaments import bot, tournament
from ninefold.cli.commands.history_and_review import history, replay, review
from ninefold.cli.commands.import_export import export, import_
from ninefold.cli.commands.learn_and_claim import claim, learn
from ninefold.cli.commands.matchups import audit, matchup
from ninefold.cli.commands.online import host, join
from ninefold.cli.commands.play import app, play, resume
from ninefold.cli.commands.practice_and_progress import (
    drill,
    learners,
    progress,
    puzzle,
)
from ninefold.cli.commands.serving import class_, serve
from ninefold.cli.commands.sheets import sheet
from ninefold.cli.commands.solve import games, map_, rules, solve, table, why

GROUPS = {
    "Play": {
        "play": play,
        "resume": resume,
        "app": app,
        "host": host,
        "join": join,
        "serve": serve,
        "class": class_,
        "games": games,
        "rules": rules,
    },
    "Learn": {
        "learn": learn,
        "claim": claim,
        "drill": drill,
        "puzzle": puzzle,
        "progress": progress,
        "learners": learners,
        "sheet": sheet,
    },
    "Look back": {
        "review": review,
        "history": history,
        "replay": replay,
        "export": export,
        "import": import_,
    },
    "Explore": {"solve": solve, "why": why, "map": map_, "table": table},
    "Bots and research": {
        "matchup": matchup,
        "audit": audit,
        "bot": bot,
        "tournament": tournament,
    },
}
"""The commands by purpose, the most used first."""
COMMANDS = {name: each for group in GROUPS.values() for name, each in group.items()}
