"""A bot in the app: its command line in the form, its moves, and what it does wrong."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from ninefold.app.screens.play import TableScreen
from ninefold.app.widgets.form_fields import TextField
from ninefold.arena.bot_table import BotTable
from ninefold.errors import NinefoldError
from tests.app.rooms import Opened, Room
from tests.arena.programs import is_running, process_in, sh


def play(at: Opened, command: str) -> None:
    """Play against the bot of a command line, by the form that is open."""
    field = at.app.screen.query_one("#bot", TextField)
    field.focus()
    field.value = command
    at.wait()
    at.press("enter")


def session_at(at: Opened) -> TableScreen:
    assert isinstance(at.app.screen, TableScreen)
    return at.app.screen


@pytest.mark.parametrize("prefix", ["", "bot:"])
def test_a_bot_plays_in_the_place_of_a_level(prefix: str, room: Room) -> None:
    with room.open("v") as at:
        play(at, prefix + sh("echo move 3"))
        setup = session_at(at).session.setup
        assert setup.names == ("Player 1", "Otto")
        assert setup.levels == (None, None)
        at.press("5")
        assert session_at(at).session.game.moves == (5, 3)
        assert "Otto plays ×3: 5 × 3 makes 15." in at.said
        at.press("9")
        assert at.place == "GameOver"
        at.press("enter")
        assert session_at(at).session.game.moves == (3,)
    for file in (file for file in room.path.rglob("*") if file.is_file()):
        assert b"echo move" not in file.read_bytes()


def test_a_take_back_takes_the_bots_answer_back_too(room: Room) -> None:
    with room.open("v") as at:
        at.app.screen.query_one("#book").focus()
        at.press("right")
        play(at, sh("echo move 3"))
        at.press("5", "u")
        assert session_at(at).session.game.moves == ()


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("./none", "Not yet. ./none was not found; give its path, such as ./mybot.py."),
        ("bot:", "Not yet. The bot has no command; give one, such as"),
    ],
)
def test_a_bot_that_cannot_start_shows_an_error_in_the_form(
    command: str, problem: str, room: Room
) -> None:
    with room.open("v") as at:
        play(at, command)
        assert at.place == "NewGame"
        assert at.said.startswith(problem)


def test_a_bot_that_fails_loses_and_the_reason_is_shown(room: Room) -> None:
    with room.open("v") as at:
        play(at, sh("exit 4"))
        at.press("5")
        assert at.place == "GameOver"
        assert "Otto loses this game: it exited" in at.text


def test_leaving_the_table_stops_a_thinking_bot(room: Room, tmp_path: Path) -> None:
    process = tmp_path / "process"
    with room.open("v") as at:
        play(at, sh(f"echo $$ > {process}; sleep 600"))
        at.press_without_waiting("5")
        thinking = process_in(process)
        at.press_without_waiting("escape")
        at.until(lambda: at.place == "Home")
        at.until(lambda: not is_running(thinking))
    assert room.history() == [(5,)]


def test_continue_asks_for_the_bot_again(room: Room) -> None:
    with room.open("v") as at:
        play(at, sh("echo move 3"))
        at.press("5", "escape")
        at.press("enter")
        assert at.place == "TextDialog"
        at.write("./none")
        at.press("enter")
        at.until(lambda: "./none was not found" in at.text)
        at.press("enter")
        at.app.screen.query_one(TextField).value = sh("echo move 2")
        at.press("enter")
        at.until(lambda: at.place == "Table")
        at.press("2")
        assert session_at(at).session.game.moves == (5, 3, 2, 2)


def test_a_bots_game_does_not_prefill_the_next_form(room: Room) -> None:
    with room.open("v") as at:
        play(at, sh("echo move 3"))
        at.press("5", "9", "escape", "f")
        assert at.place == "NewGame"
        assert "Otto" not in at.text


def test_a_player_may_resign_while_a_bot_thinks(room: Room, tmp_path: Path) -> None:
    process = tmp_path / "process"
    with room.open("v") as at:
        play(at, sh(f"echo $$ > {process}; sleep 600"))
        at.press_without_waiting("5")
        process_in(process)
        at.press_without_waiting("x")
        at.until(lambda: at.place != "Table")
        at.press_without_waiting("y")
        at.until(lambda: at.place == "GameOver")
        at.press_without_waiting("escape")
        at.until(lambda: at.place == "Home")


def test_a_refused_ask_of_a_bot_is_shown_and_the_app_continues(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: BotTable) -> bool:
        message = "this match is full; begin another match"
        raise NinefoldError(message)

    with room.open("v") as at:
        play(at, sh("echo move 3"))
        monkeypatch.setattr(BotTable, "play_automatic_move", refuse)
        at.press("5")
        assert "This match is full; begin another match." in at.said
        at.press("escape")
        assert at.place == "Home"


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGHUP])
def test_a_bot_that_thinks_does_not_outlive_the_app(
    ends: signal.Signals, room: Room, tmp_path: Path
) -> None:
    process = tmp_path / "process"
    before = signal.signal(ends, signal.SIG_IGN)  # or a failure would end all tests
    with room.open("v") as at:
        play(at, sh(f"echo $$ > {process}; sleep 600"))
        at.press_without_waiting("5")
        thinking = process_in(process)
        signal.raise_signal(ends)
        at.until(lambda: at.app.return_code == 128 + ends)
    signal.signal(ends, before)
    assert not is_running(thinking)
