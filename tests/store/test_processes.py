"""Killed at any moment, and several at once: what was shown is in the file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.program import WAIT_SECONDS
from tests.store import player
from tests.store.stores import in_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ninefold.store import Store

PLAYER = [sys.executable, str(Path(player.__file__))]
KILLS = 200
KILLS_AT_BIRTH = 60


class Players:
    """Players that play for ever, one after another, each until it is killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._orders = process.stdin
        self._shown = process.stdout

    def play(self, folder: Path, seed: int, moves: int, seconds: float) -> list[str]:
        """Kill a player some time after so many moves; return the moves it showed."""
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
    command = [*PLAYER, "players"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        yield Players(process)


def wait_a_moment(seconds: float) -> None:
    """Wait to the microsecond, for which a sleep is too coarse."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def assert_kept(store: Store, lines: list[str]) -> None:
    """Check that whatever was shown of a game is in the store."""
    for line in lines:
        match_id, number, moves = line.split()
        game = store.match(match_id).games[int(number) - 1].game
        assert f"{','.join(map(str, game.moves))},".startswith(f"{moves},")


def test_no_shown_move_is_lost_by_200_kills(tmp_path: Path, players: Players) -> None:
    rng = Random(9)
    shown: list[str] = []
    for turn in range(KILLS):
        # At each step of a game, some twelve moves long, and at any moment of a step.
        lines = players.play(tmp_path, turn, turn % 13, rng.random() * 0.01)
        with in_folder(tmp_path) as store:
            assert_kept(store, lines[-1:])
            assert store.take_notices() == ()
        shown += lines
    assert len(shown) > 5 * KILLS
    with in_folder(tmp_path) as store:
        assert_kept(store, shown)
        assert len(store.matches()) > KILLS / 10
        assert store.take_notices() == ()
    assert list(tmp_path.glob("*damaged*")) == []


def test_a_kill_while_the_file_is_made_leaves_one_that_opens(
    tmp_path: Path, players: Players
) -> None:
    rng = Random(9)
    for turn in range(KILLS_AT_BIRTH):
        folder = tmp_path / str(turn)
        lines = players.play(folder, turn, 0, rng.random() * 0.06)
        with in_folder(folder) as store:
            assert_kept(store, lines)
            store.begin_match(player.SETUP)
            assert store.take_notices() == ()
        assert list(folder.glob("*damaged*")) == []


def play_to_the_end(folder: Path, *wanted: str) -> list[list[str]]:
    """Let players play at once, each a match; return what each of them showed."""
    processes = [
        subprocess.Popen(
            [*PLAYER, match, str(folder), str(seed)], stdout=subprocess.PIPE, text=True
        )
        for seed, match in enumerate(wanted)
    ]
    shown = [process.communicate(timeout=WAIT_SECONDS)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(wanted)
    return [lines.splitlines() for lines in shown]


def test_terminals_with_a_match_each_just_work(tmp_path: Path) -> None:
    shown = play_to_the_end(tmp_path, "new", "new", "new")
    with in_folder(tmp_path) as store:
        matches = store.matches()
        assert len(matches) == 3
        assert all(kept.match.winner is not None for kept in matches)
        for lines in shown:
            assert_kept(store, lines)


def test_terminals_with_one_match_never_mix_their_moves(tmp_path: Path) -> None:
    with in_folder(tmp_path) as store:
        match_id = store.begin_match(player.SETUP)
    shown = play_to_the_end(tmp_path, match_id, match_id)
    with in_folder(tmp_path) as store:
        match = store.match(match_id).match
    assert match.winner is not None
    # Every move was shown, by the one who made it, upon the moves that are kept.
    assert sorted(line for lines in shown for line in lines if line != "OutOfStep") == (
        sorted(
            f"{match_id} {number} {','.join(map(str, game.moves[:ply]))}"
            for number, game in enumerate(match.games, start=1)
            for ply in range(1, len(game.moves) + 1)
        )
    )
