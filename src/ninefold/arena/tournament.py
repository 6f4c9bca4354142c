"""A tournament: its plan, and the chunks of games that workers play.

The plan and the chunk determine every game. So between levels and deterministic bots, a
chunk has the same score wherever and whenever it is played.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import combinations
from random import Random
from threading import local
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import BotFailed
from ninefold.game import Game, Seat
from ninefold.levels import BOT_PREFIX, LEVELS
from ninefold.rules import Rules

JOURNAL = "ninefold tournament 1"
"""The format of a journal, in its first line."""
OPENINGS = 20
"""How many openings are drawn for each game; later rounds repeat them."""
_LARGEST_START = 9
_ROUNDS_OF_LEVELS = 500
_ROUNDS_OF_BOTS = 25


class Chunk(Struct, frozen=True):
    """Some rounds of one pairing; ``one`` and ``two`` are contestants' numbers."""

    number: int
    one: int
    two: int
    first: int
    after: int
    """The round after the last."""

    @property
    def rounds(self) -> range:
        """The numbers of its rounds; in each, both start one game."""
        return range(self.first, self.after)


class Failure(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game that a bot lost because it failed."""

    who: int
    round: int
    reason: str
    last_words: str = ""
    """For the person who runs the bot; not in the journal, as it may name files."""


class Score(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How many games of a chunk its contestant ``one`` won."""

    chunk: int
    began: int
    """Games won as first player."""
    second: int
    """Games won as second player."""
    failures: tuple[Failure, ...] = ()

    def without_last_words(self) -> Score:
        """Return the score as it is stored in a journal."""
        failures = tuple(replace(each, last_words="") for each in self.failures)
        return replace(self, failures=failures)


class Plan(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything that determines a tournament's result.

    In each round, both players of a pairing start one game with the same rules.
    """

    contestants: tuple[str, ...]
    """Levels, and bots as ``bot:COMMAND``."""
    games: tuple[Rules, ...]
    rounds: int
    seed: int
    gauntlet: bool = False
    """Whether the first contestant plays all the others, and they play nobody else."""
    format: str = JOURNAL

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairs that play, by their numbers."""
        pairs = list(combinations(range(len(self.contestants)), 2))
        return [pair for pair in pairs if pair[0] == 0] if self.gauntlet else pairs

    def count_games(self) -> int:
        """Count the games of all rounds."""
        return 2 * self.rounds * len(self.pairings)

    @cached_property
    def chunks(self) -> list[Chunk]:
        """The parts of the tournament; early rounds of every pairing come first."""
        parts = sorted(
            (first, one, two)
            for one, two in self.pairings
            for first in range(0, self.rounds, self._rounds_at_once(one, two))
        )
        return [
            Chunk(number, one, two, first, self._end_of_chunk(first, one, two))
            for number, (first, one, two) in enumerate(parts)
        ]

    def _end_of_chunk(self, first: int, one: int, two: int) -> int:
        return min(first + self._rounds_at_once(one, two), self.rounds)

    def _rounds_at_once(self, one: int, two: int) -> int:
        levels_only = {self.contestants[one], self.contestants[two]} <= LEVELS.keys()
        return _ROUNDS_OF_LEVELS if levels_only else _ROUNDS_OF_BOTS

    def accepts(self, score: Score) -> bool:
        """Whether a chunk of this tournament can have this score."""
        if score.chunk not in range(len(self.chunks)):
            return False
        chunk = self.chunks[score.chunk]
        return (
            0 <= score.began <= len(chunk.rounds)
            and 0 <= score.second <= len(chunk.rounds)
            and {each.who for each in score.failures} <= {chunk.one, chunk.two}
        )

    def opening(self, number: int) -> Rules:
        """Return the rules of a round: the games in turn, each with another opening."""
        lap, game = divmod(number, len(self.games))
        return _opening(self.games[game], f"{self.seed} {game} {lap % OPENINGS}")

    def without_commands(self) -> Plan:
        """Return the plan as it is stored: with digests of the bots' commands."""
        hidden = (
            who if who in LEVELS else sha256(os.fsencode(who)).hexdigest()
            for who in self.contestants
        )
        return replace(self, contestants=tuple(hidden))


@lru_cache(maxsize=1024)
def _opening(rules: Rules, seed: str) -> Rules:
    """Draw a start and a target, which can be hit exactly.

    The target is the start times random multipliers, at least the game's own target.
    """
    rng = Random(seed)
    start = target = rules.start * rng.randint(1, _LARGEST_START)
    while target < rules.target or target == start:
        target *= rng.choice(rules.multipliers)
    return Rules(rules.ending, target, rules.multipliers, start)


class Player(Protocol):
    """Chooses moves: a level's player, or a bot."""

    def choose(self, game: Game) -> int:
        """Choose a multiplier for the seat to move."""


class _Levels(local):
    """The players of the levels, reused by a thread: they remember positions."""

    def __init__(self) -> None:
        self.players = {name: each.player(Random(0)) for name, each in LEVELS.items()}

    def player(self, name: str, rng: Random) -> Player:
        player = self.players[name]
        player.rng = rng
        return player


_levels = _Levels()


def play_chunk(plan: Plan, chunk: Chunk) -> Score:
    """Play the rounds of a chunk; a bot that fails loses that game."""
    rng = Random(f"{plan.seed} {chunk.one} {chunk.two} {chunk.first}")
    pair = (chunk.one, chunk.two)
    began = second = 0
    failures: list[Failure] = []
    with ExitStack() as stack:
        players: list[Player] = []
        for name in (plan.contestants[number] for number in pair):
            if name in LEVELS:
                players.append(_levels.player(name, rng))
            else:
                # Not every system can run a bot.
                from ninefold.arena.bot_process import Bot

                bot = Bot(name.removeprefix(BOT_PREFIX))
                players.append(bot)
                stack.callback(bot.close)
        for number in chunk.rounds:
            won = []
            for first in Seat:
                winner, failed = _play(Game.start(plan.opening(number), first), players)
                won.append(winner is Seat.ONE)
                if failed is not None:
                    who = pair[winner.other.value - 1]
                    why = failed.reason, failed.last_words
                    failures.append(Failure(who, number, *why))
            began += won[0]
            second += won[1]
    return Score(chunk.number, began, second, tuple(failures))


def _play(game: Game, players: Sequence[Player]) -> tuple[Seat, BotFailed | None]:
    """Play a game; return its winner, and a bot's failure, if one failed."""
    while game.outcome is None:
        try:
            game = game.play(players[game.to_move.value - 1].choose(game))
        except BotFailed as failed:
            return game.to_move.other, failed
    return game.outcome.winner, None
