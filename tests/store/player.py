"""A program that plays by itself and keeps every move, until somebody kills it.

``python player.py MATCH FOLDER SEED`` plays the match with that id, or a ``new`` one,
to its end. Each move is printed after it was kept, as ``match number moves``; where
another player was quicker, the refusal's name is printed.

``python player.py players`` starts a player for each line ``FOLDER SEED`` that it
reads. That one plays whatever is unfinished, and then a new match, until it is killed;
its first line is its number among the processes, and ``end`` is printed after it.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from random import Random

from ninefold.errors import OutOfStep
from ninefold.game import Seat
from ninefold.match import Length, Match
from ninefold.rules import Ending, Rules
from ninefold.store import HUMAN, Setup
from ninefold.store.sqlite import SqliteStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.game import Game
    from ninefold.store import KeptMatch

MATCH = Match(Rules(Ending.REACH, 10**9), Length.best_of(3))
NAMES = {seat: str(seat) for seat in Seat}
SETUP = Setup(MATCH, NAMES, dict.fromkeys(Seat, HUMAN), "multiplier")


def say(*words: object) -> None:
    """Print a line at once, in one piece."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def take_up(store: SqliteStore, kept: KeptMatch) -> tuple[int, Game]:
    """Return the game that goes on, begun where none does."""
    if kept.game is not None:
        return len(kept.games), kept.game
    number, game = len(kept.games) + 1, kept.match.next_game()
    store.begin_game(kept.id, number, game)
    return number, game


def play_match(store: SqliteStore, match_id: str, rng: Random) -> None:
    """Play a match to its end, whoever else plays it as well."""
    while (kept := store.match(match_id)).match.winner is None:
        try:
            number, game = take_up(store, kept)
            while game.outcome is None:
                after = game.play(rng.choice(game.rules.multipliers))
                store.change_game(match_id, number, game, after)
                game = after
                say(match_id, number, ",".join(map(str, game.moves)))
        except OutOfStep as error:
            say(type(error).__name__)


def open_store(folder: str, rng: Random) -> SqliteStore:
    """Open a store whose ids are foreseeable, with plenty of patience."""
    return SqliteStore(
        folder,
        clock=lambda: datetime.now(UTC),
        new_id=lambda: f"{rng.getrandbits(128):032x}",
        patience=30,
    )


def play_on(folder: str, rng: Random) -> None:
    """Play for ever."""
    with open_store(folder, rng) as store:
        while True:
            kept = store.latest()
            match_id = kept.id if kept else store.begin_match(SETUP)
            play_match(store, match_id, rng)


def start_players() -> None:
    """Start players one after another, without Python's start for each of them."""
    for line in sys.stdin:
        folder, seed = line.split()
        player = os.fork()
        if player == 0:
            say(os.getpid())
            play_on(folder, Random(int(seed)))
        os.waitpid(player, 0)
        say("end")


def main() -> None:
    """Do what the arguments ask for."""
    if sys.argv[1:] == ["players"]:
        start_players()
        return
    wanted, folder, seed = sys.argv[1:]
    rng = Random(int(seed))
    with open_store(folder, rng) as store:
        match_id = store.begin_match(SETUP) if wanted == "new" else wanted
        play_match(store, match_id, rng)


if __name__ == "__main__":
    main()
