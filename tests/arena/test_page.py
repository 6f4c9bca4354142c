"""The bots that the page shows have ten lines, and play."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold import Game
from ninefold.arena.bot_process import Bot, Limits
from ninefold.rulebooks import KEYS, load
from tests.arena.programs import RUN_BY, bots_of_page, written
from tests.program import run


def test_the_page_has_a_bot_of_ten_lines_in_each_language() -> None:
    bots = bots_of_page()
    assert list(bots) == list(RUN_BY)
    for bot in bots.values():
        assert len([line for line in bot.splitlines() if line]) <= 10


@pytest.mark.parametrize("language", RUN_BY)
def test_a_bot_of_the_page_plays_every_game(language: str, tmp_path: Path) -> None:
    with Bot(written(language, tmp_path), Limits(60, 60)) as bot:
        for key in KEYS:
            game = Game.start(load(key).rules)
            while game.outcome is None:
                game = game.play(bot.choose(game))


@pytest.mark.parametrize("language", RUN_BY)
def test_a_bot_of_the_page_plays_at_the_command_line(
    language: str, tmp_path: Path
) -> None:
    command = f"bot:{written(language, tmp_path)}"
    finished = run("play", "madness", "--p1", command, "--p2", "perfect", "--no-save")
    assert " wins " in finished.stdout
    assert "loses this game" not in finished.stderr
