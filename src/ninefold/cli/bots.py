"""Bots on the command line: ``bot:COMMAND``, beside the names of levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from ninefold.cli.options import OneOf
from ninefold.game import Seat
from ninefold.levels import BOT_PREFIX, HUMAN, LEVELS
from ninefold.text import excerpt

if TYPE_CHECKING:
    from ninefold.arena.bot_process import Bot


class WhoPlays(OneOf):
    """A person, a level, or the command line of a bot."""

    @property
    def _words(self) -> str:
        return f"{super()._words} or {BOT_PREFIX}./mybot.py"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        is_bot = value.startswith(BOT_PREFIX)
        return value if is_bot else super().convert(value, param, ctx)


class BotLine(click.ParamType[str]):
    """``bot:`` and the command line of a program."""

    name = "bot"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if not value.startswith(BOT_PREFIX):
            example = f"give a command, such as {BOT_PREFIX}./mybot.py"
            if value in LEVELS:
                example = f"use '{BOT_PREFIX}ninefold bot {value}'"
            self.fail(f"'{excerpt(value)}' is not a bot; {example}", param, ctx)
        return value


PLAYER = WhoPlays([HUMAN, *LEVELS])
LEVEL_OR_BOT = WhoPlays([*LEVELS])


@contextmanager
def running_bots(*players: str | None) -> Iterator[Mapping[Seat, Bot]]:
    """Start the bots among the players of the seats; the context stops them."""
    commands = {
        seat: player.removeprefix(BOT_PREFIX)
        for seat, player in zip(Seat, players, strict=False)
        if player is not None and player.startswith(BOT_PREFIX)
    }
    if not commands:
        yield {}
        return
    # Imported only for bots: it would delay every other match.
    from ninefold.arena.bot_process import Bot

    with ExitStack() as stack:
        yield {
            seat: stack.enter_context(Bot(command))
            for seat, command in commands.items()
        }
