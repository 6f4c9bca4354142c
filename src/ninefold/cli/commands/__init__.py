"""The commands, one file each, in the order in which help lists them."""

from ninefold.cli.commands.app import command as app
from ninefold.cli.commands.export import command as export
from ninefold.cli.commands.facts import command as facts
from ninefold.cli.commands.games import command as games
from ninefold.cli.commands.history import command as history
from ninefold.cli.commands.host import command as host
from ninefold.cli.commands.import_ import command as import_
from ninefold.cli.commands.join import command as join
from ninefold.cli.commands.map import command as map_
from ninefold.cli.commands.play import command as play
from ninefold.cli.commands.puzzle import command as puzzle
from ninefold.cli.commands.replay import command as replay
from ninefold.cli.commands.resume import command as resume
from ninefold.cli.commands.review import command as review
from ninefold.cli.commands.rules import command as rules
from ninefold.cli.commands.serve import command as serve
from ninefold.cli.commands.solve import command as solve
from ninefold.cli.commands.stats import command as stats
from ninefold.cli.commands.table import command as table
from ninefold.cli.commands.why import command as why

GROUPS = {
    "Play": {
        "play": play,
        "resume": resume,
        "app": app,
        "host": host,
        "join": join,
        "serve": serve,
        "games": games,
        "rules": rules,
    },
    "Learn": {"puzzle": puzzle, "facts": facts},
    "Look back": {
        "review": review,
        "history": history,
        "stats": stats,
        "replay": replay,
        "export": export,
        "import": import_,
    },
    "Know": {"solve": solve, "why": why, "map": map_, "table": table},
}
"""The commands by what they are for, the most used first."""
COMMANDS = {name: each for group in GROUPS.values() for name, each in group.items()}
