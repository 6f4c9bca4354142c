"""A tournament: who plays whom, by which rules, in chunks that each have a seed.

Everything that a chunk does follows from the plan and the chunk, so between levels and
deterministic bots it has the same score wherever and whenever it is played.
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
"""The format of a journal, which its first line names."""
OPENINGS = 20
"""How many openings are drawn from each game; later rounds play them again."""
_LARGEST_START = 9
_ROUNDS_OF_LEVELS = 500
_ROUNDS_OF_BOTS = 25


class Chunk(Struct, frozen=True):
    """Some rounds of one pairing: contestants by their number, rounds from 0."""

    number: int
    one: int
    two: int
    first: int
    after: int
    """The round after the last."""

    @property
    def rounds(self) -> range:
        """The numbers of its rounds, in each of which both begin one game."""
        return range(self.first, self.after)


class Failure(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game that a bot lost because it failed."""

    who: int
    round: int
    reason: str
    last_words: str = ""
    """For whoever runs the bot; they may name files, and no journal has them."""


class Score(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The games of a chunk that its contestant ``one`` has won."""

    chunk: int
    began: int
    """Won as the one who began."""
    second: int
    failures: tuple[Failure, ...] = ()

    def without_last_words(self) -> Score:
        """Return the score as a file may hold it."""
        failures = tuple(replace(each, last_words="") for each in self.failures)
        return replace(self, failures=failures)


class Plan(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """All that the result of a tournament follows from.

    In each round, everyone of a pairing begins one game, by the same rules.
    """

    contestants: tuple[str, ...]
    """Levels, and bots as ``bot:COMMAND``."""
    games: tuple[Rules, ...]
    rounds: int
    seed: int
    gauntlet: bool = False
    """Whether only the first contestant plays, against each other one."""
    format: str = JOURNAL

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who plays whom, by their numbers."""
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
        """Return the rules of a round; the games take turns."""
        lap, game = divmod(number, len(self.games))
        return _opening(self.games[game], f"{self.seed} {game} {lap % OPENINGS}")

    def without_commands(self) -> Plan:
        """Return the plan as a file may hold it: a bot is the digest of its command."""
        hidden = (
            who if who in LEVELS else sha256(os.fsencode(who)).hexdigest()
            for who in self.contestants
        )
        return replace(self, contestants=tuple(hidden))


@lru_cache(maxsize=1024)
def _opening(rules: Rules, seed: str) -> Rules:
    """Draw a start, then multiply it by drawn multipliers up to the target or beyond.

    What comes of it is the target, so it can be hit exactly.
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
    """The players of the levels. They remember positions, so a thread keeps them."""

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
                # Not every system has what it takes to run a bot.
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
                    told = failed.reason, failed.last_words
                    failures.append(Failure(who, number, *told))
            began += won[0]
            second += won[1]
    return Score(chunk.number, began, second, tuple(failures))


def _play(game: Game, players: Sequence[Player]) -> tuple[Seat, BotFailed | None]:
    """Play a game; return who won it, and how a bot failed, if one did."""
    while game.outcome is None:
        try:
            game = game.play(players[game.to_move.value - 1].choose(game))
        except BotFailed as failed:
            return game.to_move.other, failed
    return game.outcome.winner, None
