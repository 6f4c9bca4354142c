"""Killed at any moment, and several at once: what was shown is in the file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ninefold.session import Move
from ninefold.store import Store, StoredMatch
from tests.processes import start
from tests.store import player
from tests.store.stores import begin, in_folder

PLAYER = [sys.executable, str(Path(player.__file__))]
WAIT_SECONDS = 60


class Players:
    """Players that play for ever, one after another, each until it is killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._orders = process.stdin
        self._shown = process.stdout

    def play(self, folder: Path, seed: int, moves: int, seconds: float) -> list[str]:
        """Kill a player some time after so many moves; return what it showed."""
        self._orders.write(f"{folder} {seed}\n")
        self._orders.flush()
        number = int(self._shown.readline())
        try:
            lines = [self._shown.readline() for _ in range(moves)]
            wait_a_moment(seconds)
        finally:
            os.kill(number, signal.SIGKILL)
        while (line := self._shown.readline()) != "end\n":
            lines.append(line)
        return lines


@pytest.fixture
def players() -> Iterator[Players]:
    with start([*PLAYER, "players"], stdin=subprocess.PIPE) as process:
        yield Players(process)


def wait_a_moment(seconds: float) -> None:
    """Wait to the microsecond, for which a sleep is too coarse."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def matches_in(store: Store) -> list[StoredMatch]:
    return [each for each in store.entries() if isinstance(each, StoredMatch)]


def told_by(kept: StoredMatch) -> list[str]:
    """Write the log of a match as players show it."""
    return [
        player.describe(kept.id, number, command)
        for number, command in enumerate(kept.commands, start=1)
    ]


def assert_kept(store: Store, lines: list[str]) -> None:
    """Check that every command that was shown is in the store."""
    kept = {told for match in matches_in(store) for told in told_by(match)}
    assert {line.rstrip("\n") for line in lines} <= kept


def kill(folder: Path, players: Players, kills: int) -> None:
    rng = Random(9)
    shown: list[str] = []
    for turn in range(kills):
        # At each step of a game, some twelve moves long, and at any moment of a step.
        lines = players.play(folder, turn, turn % 13, rng.random() * 0.01)
        with in_folder(folder) as store:
            assert_kept(store, lines[-1:])
            assert store.pop_notices() == ()
        shown += lines
    assert len(shown) > 5 * kills
    with in_folder(folder) as store:
        assert_kept(store, shown)
        matches = matches_in(store)
        assert len(matches) > kills / 10
        assert all(match.log for match in matches)  # none without its first move
        assert store.pop_notices() == ()


def kill_at_birth(folder: Path, players: Players, kills: int) -> None:
    rng = Random(9)
    for turn in range(kills):
        home = folder / str(turn)
        lines = players.play(home, turn, 0, rng.random() * 0.06)
        with in_folder(home) as store:
            assert_kept(store, lines)
            begin(store, Move(2), setup=player.SETUP)
            assert store.pop_notices() == ()


def test_no_shown_move_is_lost_by_a_kill(tmp_path: Path, players: Players) -> None:
    kill(tmp_path, players, 13)


def test_a_kill_while_the_file_is_made_leaves_one_that_opens(
    tmp_path: Path, players: Players
) -> None:
    kill_at_birth(tmp_path, players, 3)


@pytest.mark.prove
def test_no_shown_move_is_lost_by_200_kills(tmp_path: Path, players: Players) -> None:
    kill(tmp_path, players, 200)


@pytest.mark.prove
def test_60_kills_while_the_file_is_made_leave_one_that_opens(
    tmp_path: Path, players: Players
) -> None:
    kill_at_birth(tmp_path, players, 60)


def play_to_the_end(folder: Path, *wanted: str) -> list[list[str]]:
    """Let players play at once, each a match; return what each of them showed."""
    processes = [
        start([*PLAYER, match, folder, str(seed)]) for seed, match in enumerate(wanted)
    ]
    shown = [process.communicate(timeout=WAIT_SECONDS)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(wanted)
    return [lines.splitlines() for lines in shown]


def test_terminals_with_a_match_each_just_work(tmp_path: Path) -> None:
    shown = play_to_the_end(tmp_path, "new", "new", "new")
    with in_folder(tmp_path) as store:
        matches = matches_in(store)
        assert len(matches) == 3
        assert all(kept.session.match.is_over for kept in matches)
        assert sorted(map(sorted, shown)) == sorted(
            sorted(told_by(kept)) for kept in matches
        )


def test_of_two_writers_with_the_same_number_exactly_one_wins(tmp_path: Path) -> None:
    with in_folder(tmp_path) as store:
        match_id = begin(store, setup=player.SETUP)
    shown = play_to_the_end(tmp_path, match_id, match_id)
    with in_folder(tmp_path) as store:
        kept = store.match(match_id)
    assert kept.session.match.is_over
    # Every command was shown once, by the one who made it.
    told = [line for lines in shown for line in lines if line != "RevisionConflict"]
    assert sorted(told) == sorted(told_by(kept))
