"""A level as a bot: the bot's side of the protocol in ``docs/bots.md``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from ninefold.arena.bot_process import VERSION
from ninefold.errors import NinefoldError
from ninefold.game import Game, Seat
from ninefold.levels import LEVELS
from ninefold.rules import Ending, Rules, parse_multipliers, parse_number
from ninefold.text import excerpt, shorten
from ninefold.theory import oracle_for

_ENDINGS = {ending.value: ending for ending in Ending}


def answers(level: str, rng: Random, lines: Iterable[str]) -> Iterator[str]:
    """Yield the answers of a level to lines, until they end or one is ``quit``.

    The answer to an invalid line is ``error`` and the reason.
    """
    rules: Rules | None = None
    for line in lines:
        try:
            match line.split():
                case []:
                    pass
                case ["quit"]:
                    return
                case ["ninefold", version] if version == str(VERSION):
                    yield f"ok {LEVELS[level].title}"
                case ["ninefold", *_]:
                    yield f"error this program speaks version {VERSION}"
                case ["rules", *words]:
                    rules = None  # invalid rules replace the earlier ones, too
                    rules = _read_rules(words)
                case ["go", *_] if rules is None:
                    yield "error no rules yet; send them before the first go"
                case ["go", total, *_] if rules is not None:
                    at = parse_number(total, "total", rules.start)
                    player = LEVELS[level].player(rng, oracle_for(rules))
                    yield f"move {player.choose(_game_at(rules, at))}"
                case _:
                    yield f"error unknown line: '{excerpt(line)}'"
        except NinefoldError as error:
            yield f"error {error}"


def _read_rules(words: list[str]) -> Rules:
    match words:
        case [ending, target, multipliers, start, _] if ending in _ENDINGS:
            return Rules(
                _ENDINGS[ending],
                parse_number(target, "target"),
                parse_multipliers(multipliers),
                parse_number(start, "start"),
            )
    message = f"send rules like this: rules {Ending.REACH.value} 1000 2,3,5 1 1"
    raise NinefoldError(message)


def _game_at(rules: Rules, total: int) -> Game:
    """Return a game at a total, without moves; raise an error if it has ended."""
    if not rules.start <= total < rules.target:
        message = f"the game is over at {shorten(total)}; send a total below the target"
        raise NinefoldError(message)
    return Game(rules, Seat.ONE, (), total)
