"""A bot that plays people on a server; and no server makes a machine run a program."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.arena.programs import sh
from tests.online.tables import Friend, Piped, Seated
from tests.program import run

THREE = f"bot:{sh('echo move 3')}"


def test_a_bot_takes_a_seat_plays_and_ends_with_the_match(url: str) -> None:
    ada = Friend(url)
    joined = Piped("join", ada.create("multiplication-madness"), "--as", THREE)
    joined.wait_for("Game Start!")
    ada.move(5)
    joined.wait_for("Otto plays ×3: 5 × 3 makes 15.")
    ada.move(9)
    joined.wait_for("Ada wins the game!")
    code, _, notices = joined.end()
    assert (code, notices) == (0, "")
    assert [seat["name"] for seat in ada.state()["seats"]] == ["Ada", "Otto"]


def test_a_bot_gives_moves_back_and_plays_rematches_until_it_is_left(url: str) -> None:
    ada = Friend(url)
    link = ada.create("multiplication-duel", length={"count": "games", "number": 2})
    seated = Seated("join", link, "--as", THREE, "--name", "Bo")
    seated.wait_for("You are watching (q to leave)")
    ada.move(2)
    seated.wait_for("Bo plays ×3: 2 × 3 makes 6.")
    ada.ask("take-back")
    seated.wait_for("Ada asks to take the last two moves back.")
    seated.wait_for("Running Total is 1 again.")
    ada.ask("resign")
    seated.wait_for("Game 2 begins: Bo starts.")
    seated.wait_for("Bo plays ×3: 1 × 3 makes 3.")
    ada.ask("resign")
    seated.wait_for("Bo wins the match")
    ada.ask("rematch")
    seated.wait_for("A rematch begins: Bo starts.")
    seated.wait_for("Bo plays ×3: 1 × 3 makes 3.")
    seated.type("q")
    code, screen = seated.end()
    assert code == 0
    assert "Your seat is saved: the same command brings you back to it." in screen


def test_a_bot_that_fails_resigns_and_plays_the_next_game(url: str) -> None:
    ada = Friend(url)
    link = ada.create("multiplication-duel", length={"count": "games", "number": 2})
    bot = f"bot:{sh('[ $total = 2 ] && exit 3; echo move 3')}"
    joined = Piped("join", link, "--as", bot)
    joined.wait_for("Running Total: 1")
    ada.move(2)
    joined.wait_for("Otto plays ×3: 1 × 3 makes 3.")
    ada.ask("resign")
    code, _, notices = joined.end()
    assert code == 0
    assert notices == (
        "Otto loses this game: it exited before answering (exit code 3).\n"
    )


def test_a_bot_takes_no_seat_that_is_taken(url: str) -> None:
    ada = Friend(url)
    link = ada.create()
    Friend(url, ada.id, "Bo").sit()
    refused = run("join", link, "--as", THREE)
    assert refused.returncode == 2
    assert "both seats of this match are taken" in refused.stderr


def test_bot_and_watch_cannot_be_combined() -> None:
    refused = run(
        "join", "http://127.0.0.1:9/m/aaaaaaaaaaaaaaaaaaaaaa", "--watch", "--as", THREE
    )
    assert refused.returncode == 2
    assert "--as and --watch cannot be combined" in refused.stderr


def test_a_bot_at_a_server_is_resumed_by_joining_again(
    url: str, tmp_path: Path
) -> None:
    ada, home = Friend(url), str(tmp_path)
    link = ada.create("multiplication-madness")
    seated = Seated("join", link, "--as", THREE, NINEFOLD_HOME=home)
    ada_moves = "Otto plays ×3: 2 × 3 makes 6."
    seated.wait_for("You are watching")
    ada.move(2)
    seated.wait_for(ada_moves)
    seated.type("q")
    seated.end()
    refused = run("resume", "--p2", THREE, NINEFOLD_HOME=home)
    assert refused.stderr == (
        f"ninefold: this match is online; run ninefold join {link} --as bot:COMMAND\n"
    )
    again = Piped("join", link, "--as", THREE, NINEFOLD_HOME=home)
    ada.move(2)
    again.wait_for("Otto plays ×3: 12 × 3 makes 36.")
    ada.move(9)
    assert again.end()[0] == 0
    for file in (file for file in tmp_path.rglob("*") if file.is_file()):
        assert b"bot:" not in file.read_bytes(), file


def test_no_bot_is_accepted_over_http(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HTTPError) as refused:
        Friend(url).create(opponent="bot:touch ran")
    assert refused.value.code == 422
    said = json.load(refused.value)["detail"]
    assert said.startswith("'bot:touch ran' is not a level; choose one of beginner")
    assert not list(tmp_path.iterdir())
