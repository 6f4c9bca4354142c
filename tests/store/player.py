"""A program that plays by itself and stores every move, until somebody kills it.

``python player.py MATCH FOLDER SEED`` plays the match with that id, or a ``new`` one,
to its end. Each command is printed after it was stored, as ``match number command``;
where another player was quicker, the refusal's name is printed.

``python player.py players`` starts a player for each line ``FOLDER SEED`` that it
reads. That one plays an unfinished match, or a new one, until it is killed; its first
line is its number among the processes, and ``end`` is printed after it.
"""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from random import Random

from ninefold.errors import RevisionConflict
from ninefold.match import Length
from ninefold.notation.codec import encode
from ninefold.rules import Ending, Rules
from ninefold.session import Command, Move, Session, Setup
from ninefold.store import Append, accept_all
from ninefold.store.sqlite import SqliteStore

SETUP = Setup(
    rules=Rules(Ending.AVOID, 10**9), length=Length.best_of(3), book="multiplier"
)


def say(*words: object) -> None:
    """Print a line at once, in one piece."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def describe(match_id: str, number: int, command: Command) -> str:
    """Write a command as a player shows it."""
    return f"{match_id} {number} {encode(command).replace(' ', '')}"


def choose(session: Session, rng: Random) -> Command:
    """Choose the next command of a match that is not over."""
    if session.to_move is None:
        return session.next_game()
    return Move(rng.choice(session.setup.rules.multipliers))


def play_match(store: SqliteStore, match_id: str, rng: Random) -> None:
    """Play a match to its end, whoever else plays it as well."""
    session = store.match(match_id).session
    while not session.match.is_over:
        command = choose(session, rng)
        (accepted,) = accept_all(session, (command,))
        try:
            store.append(Append(match_id, (accepted,)))
        except RevisionConflict as error:
            say(type(error).__name__)
            session = store.match(match_id).session
        else:
            session = accepted.session
            say(describe(match_id, session.revision, command))


def begin_match(store: SqliteStore, rng: Random) -> str:
    """Begin a match with its first move."""
    match_id = store.new_id()
    start = Session.start(SETUP)
    command = choose(start, rng)
    store.append(Append(match_id, tuple(accept_all(start, (command,))), start))
    say(describe(match_id, 1, command))
    return match_id


def open_store(folder: str, rng: Random) -> SqliteStore:
    """Open a store whose ids are foreseeable, that waits for others."""
    return SqliteStore(
        folder,
        clock=lambda: datetime.now(UTC),
        new_id=lambda: f"{rng.getrandbits(128):032x}",
        lock_timeout=30,
    )


def play_on(folder: str, rng: Random) -> None:
    """Play for ever."""
    with open_store(folder, rng) as store:
        while True:
            unfinished = store.unfinished(limit=1)
            match_id = unfinished[0].id if unfinished else begin_match(store, rng)
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
        match_id = begin_match(store, rng) if wanted == "new" else wanted
        play_match(store, match_id, rng)


if __name__ == "__main__":
    main()
