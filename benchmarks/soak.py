"""A server for minutes on end: people play at their own pace, and streams are cut.

``python -m benchmarks.soak SECONDS`` prints how many moves were made and streams cut,
what was lost of it, which should be nothing, and what memory the server takes in the
middle and at the end, which should be the same. ``make prove`` demands both.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from random import Random
from time import perf_counter

from msgspec import Struct

from benchmarks.server import (
    FILE_NAME,
    MOVES_OF_A_GAME,
    Pair,
    Served,
    raise_file_limit,
    served,
)
from tests.server.client import OverSocket

CUT = 0.05
"""How often a stream is cut, of the moves."""
_ADDRESSES = 250
"""So many callers have addresses of their own: a server limits what one may do."""


class Soak(Struct, frozen=True):
    """How a server is used."""

    seconds: float
    matches: int = 500
    """At once; after each comes another."""
    pace: float = 5.0
    """How many seconds a person thinks, on average."""


class Soaked(Struct, frozen=True):
    """What came of it."""

    games: int
    moves: int
    cut: int
    """How many streams were cut."""
    lost: int
    """Messages that never came, or came twice, and moves that are not in the store."""
    memory: tuple[int, int]
    """What the server takes halfway and at the end, in bytes."""

    def __str__(self) -> str:
        """Tell it in a line."""
        halfway, end = (f"{each / 2**20:.1f} MiB" for each in self.memory)
        return (
            f"{self.games:,} games, {self.moves:,} moves, {self.cut:,} streams cut,"
            f" {self.lost} lost; memory {halfway} halfway, {end} at the end"
        )


class _Playing:
    """Plays, and counts."""

    def __init__(self, server: Served, soak: Soak) -> None:
        self._server = server
        self._soak = soak
        self._rng = Random(9)
        self._ends = perf_counter() + soak.seconds
        self.games = self.moves = self.cut = self.lost = 0

    async def play(self, number: int) -> None:
        """Play one match after another."""
        own = f"127.0.2.{number % _ADDRESSES + 1}"
        caller = OverSocket("127.0.0.1", self._server.port, own)
        await asyncio.sleep(self._rng.uniform(0, self._soak.pace))
        while perf_counter() < self._ends:
            await self._play_once(caller)
        caller.close()

    async def _play_once(self, caller: OverSocket) -> None:
        pair, rng = Pair(caller), self._rng
        await pair.sit_down()
        begun = pair.seq
        stream = await caller.listen(f"{pair.path}/events?after={begun}")
        heard: list[int] = []
        for _ in range(MOVES_OF_A_GAME):
            await asyncio.sleep(rng.uniform(0, 2 * self._soak.pace))
            cut = rng.random() < CUT
            if cut:
                heard += stream.numbers
                stream.close()
                self.cut += 1
            await pair.move()
            self.moves += 1
            if cut:
                last = (heard or [begun])[-1]
                stream = await caller.listen(f"{pair.path}/events?after={last}")
            await stream.until_number(pair.seq)
        heard += stream.numbers
        stream.close()
        told = range(begun + 1, pair.seq + 1)
        state = (await caller.get(pair.path)).state
        self.lost += len(set(told) ^ set(heard)) + len(heard) - len(set(heard))
        self.lost += MOVES_OF_A_GAME - len(state.moves)
        self.games += 1


async def soak(server: Served, how: Soak) -> Soaked:
    """Use a server for some time."""
    playing = _Playing(server, how)
    everyone = asyncio.gather(*map(playing.play, range(how.matches)))
    await asyncio.sleep(how.seconds / 2)
    halfway = server.memory()
    await everyone
    memory = halfway, server.memory()
    return Soaked(playing.games, playing.moves, playing.cut, playing.lost, memory)


def soaked(how: Soak) -> Soaked:
    """Use a server of its own, on SQLite."""
    raise_file_limit()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(f"sqlite:///{folder}/{FILE_NAME}") as server,
    ):
        return asyncio.run(soak(server, how))


if __name__ == "__main__":
    print(soaked(Soak(float(sys.argv[1]))))
