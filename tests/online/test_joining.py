"""``ninefold join`` and ``ninefold host`` against a real server on this machine."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from queue import Queue
from threading import Event, Thread

import pytest

from ninefold.cli.console import Console, Hosting, QuitRequested, utc_now
from ninefold.cli.play_screen import TableScreen
from ninefold.errors import NinefoldError
from ninefold.main import draw_qr, main, open_server
from ninefold.online.credentials import Credentials
from ninefold.online.http_client import Client
from ninefold.online.links import MatchLink
from ninefold.online.remote_table import RemoteTable
from ninefold.rules import Ending, Rules
from ninefold.server.run import own_address, run_in_thread
from ninefold.session import Command, Move, Session, Setup, Undo
from ninefold.session.table import (
    MOST_NEWS,
    Listener,
    News,
    PresenceChanged,
    Update,
)
from ninefold.store import LogWriter
from ninefold.store.local_table import LocalTable
from tests.online.servers import serving, written
from tests.online.tables import Friend, Piped, Seated
from tests.program import WAIT_SECONDS, RealTerminal, Stream, environment, run
from tests.program import Terminal as ColourfulTerminal
from tests.servers import beside, make_store

SHOWDOWN = "multiplication-showdown"


def Terminal(*arguments: str, **changes: str) -> ColourfulTerminal:  # noqa: N802 - in place of it
    return ColourfulTerminal(*arguments, **{"NO_COLOR": "1", **changes})


def until(holds: Callable[[], bool]) -> None:
    """Look again and again until something holds."""
    end = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < end


def wait_until_seated(friend: Friend) -> None:
    """Return once both sit."""
    until(lambda: all(seat["taken"] for seat in friend.state()["seats"]))


def sit_down(host: ColourfulTerminal, url: str) -> None:
    """Take the other seat of a match once its link is shown."""
    until(lambda: len(host.text.partition("/m/")[2]) >= 22)
    Friend(url, host.text.partition("/m/")[2][:22], "Bo").sit()


@contextmanager
def moving(friend: Friend, multiplier: int, after: int = 0) -> Iterator[None]:
    """Let a friend move as soon as it is their turn, once so much has happened."""

    def move() -> None:
        wait_until_seated(friend)
        state = friend.state()
        while state["to_move"] != 1 or state["seq"] < after:
            state = friend.state()
        friend.move(multiplier)

    thread = Thread(target=move)
    thread.start()
    yield
    thread.join()


def noting(here: Queue[bool]) -> Callable[[News], None]:
    """Note whether seat 1 is here, each time that is told."""

    def note(news: News) -> None:
        if isinstance(news, PresenceChanged):
            here.put(news.connected[0])

    return note


def wait_for_turn(friend: Friend, seat: int) -> None:
    until(lambda: friend.state()["to_move"] == seat)


# A whole game


def test_a_game_is_played_in_the_rule_book_s_words(url: str) -> None:
    ada = Friend(url)
    link = ada.create(lessons={"hints": False})
    bo = Seated("join", link, "--name", "Bo")
    bo.wait_for("Ada's turn (? for help): ")
    ada.move(5)
    bo.wait_for("Ada plays ×5: 1 × 5 makes 5.")
    bo.wait_for("Bo, choose a number to multiply (2-9): ")
    bo.type("4")
    bo.wait_for("Running Total is now 20.")
    ada.move(5)
    bo.wait_for("Ada has reached exactly 100.\nAda wins!\n")
    bo.wait_for("Enter ask Ada for a rematch")
    bo.type("r")
    bo.wait_for("winning moves")
    bo.type("q")
    code, screen = bo.end()
    assert code == 0
    assert screen.startswith(
        "Ada invites you to Multiplication Duel.\n"
        "Hit exactly 100 to win; overreach and you lose. Type ? for help.\n"
    )
    assert "Your seat is saved" not in screen


def test_piped_input_plays_the_moves_of_its_own_turns(url: str) -> None:
    ada = Friend(url)
    link = ada.create().removeprefix("http://")  # as people type it
    bo = Piped("join", link, "--name", "Bo", typed="nine\n4\n", ends=False)
    wait_until_seated(ada)
    ada.move(5)
    wait_for_turn(ada, 1)
    ada.move(5)
    code, out, err = bo.end()
    assert (code, err) == (0, "")
    assert out == (
        "Starting the Multiplication Duel!\n\nRunning Total: 1\n\n"
        "Ada plays ×5: 1 × 5 makes 5.\n\n"
        "Bo, choose a number to multiply (2-9): nine\n"
        "'nine' is not a whole number in plain digits. You may choose 2-9."
        " Type ? for help.\n"
        "Bo, choose a number to multiply (2-9): 4\n"
        "You chose 4.\nRunning Total is now 20.\n\n"
        "Ada plays ×5: 20 × 5 makes 100.\n\n"
        "Ada has reached exactly 100.\nAda wins!\n"
    )


def test_piped_input_that_has_ended_waits_for_nobody(url: str, tmp_path: Path) -> None:
    home = str(tmp_path)
    link = Friend(url).create(first=2)
    ended = "The input ended before the game was over.\n"
    kept = "Your seat is saved: the same command brings you back to it.\n"
    joined = Piped("join", link, "--name", "Bo", typed="5\n", NINEFOLD_HOME=home)
    code, out, err = joined.end()
    assert (code, err) == (1, kept + ended)
    assert out.endswith("You chose 5.\nRunning Total is now 5.\n\n")
    code, out, err = Piped("resume", NINEFOLD_HOME=home).end()
    assert (code, err) == (1, kept + ended)
    code, out, err = Piped("host", "duel", "--server", url, "--name", "Ada").end()
    assert (code, err) == (1, kept + ended)
    assert f"{url}/m/" in out


def test_a_spectator_needs_no_input(url: str) -> None:
    ada = Friend(url)
    link = ada.create()
    bo = Friend(url, ada.id, "Bo")
    bo.sit()
    watching = Piped("join", link, "--watch")
    watching.wait_for("Running Total: 1")
    bo.ask("resign")
    code, out, err = watching.end()
    assert (code, err) == (0, "")
    assert "Ada wins!" in out


def test_piped_input_continues_with_the_next_game(
    url: str,
) -> None:
    ada = Friend(url)
    link = ada.create("multiplier", target=6, length={"count": "first to", "number": 2})
    bo = Piped("join", link, "--name", "Bo", typed="9\n9\n")
    wait_until_seated(ada)
    ada.move(2)
    until(lambda: ada.state()["number"] != 1)
    code, out, _ = bo.end()
    assert code == 0
    assert "Game 2 begins: Bo starts." in out
    assert ada.state()["match_over"]


# Entries


def test_a_name_is_asked_for_at_a_terminal_until_it_fits(url: str) -> None:
    ada = Friend(url)
    bo = Terminal("join", ada.create(first=2, lessons={"hints": False}))
    bo.type("Ada", "B" * 25, "Bo", "?", "quit")
    code, screen = bo.end()
    assert code == 0
    assert screen.count("Your name? (Enter: Player 2) ") == 3
    assert "The other player is called Ada too; choose another name." in screen
    assert "A name needs 1 to 24 visible characters; choose another." in screen
    assert "undo    ask to take your last move back" in screen
    assert "hint" not in screen
    assert ada.state()["seats"][1]["name"] == "Bo"


@pytest.mark.parametrize(
    ("lessons", "with_what"),
    [
        ((), ""),
        (("coach",), ", with a coach"),
        (("hints", "mental"), ", with hints and mental arithmetic"),
        (("coach", "hints", "mental"), ", with a coach, hints and mental arithmetic"),
    ],
)
def test_an_invitation_says_what_is_agreed_by_sitting_down(
    url: str, lessons: tuple[str, ...], with_what: str
) -> None:
    wanted = {each: each in lessons for each in ("coach", "hints", "mental")}
    link = Friend(url).create(
        first=2, lessons=wanted, length={"count": "best of", "number": 3}
    )
    bo = Terminal("join", link, "--name", "Bo", COLUMNS="120")
    bo.type("?", "quit")
    _, screen = bo.end()
    invitation = f"Ada invites you to Multiplication Duel, best of 3{with_what}.\n"
    assert screen.startswith(invitation)
    assert ("hint    get a hint" in screen) == ("hints" in lessons)


def test_a_seat_whose_answer_was_lost_is_asked_for_again(
    url: str, tmp_path: Path
) -> None:
    link = Friend(url).create(first=2)
    home = {"NINEFOLD_HOME": str(tmp_path)}
    first = Terminal("join", link, "--name", "Bo", **home)
    first.type("quit")
    first.end()
    kept = tmp_path / "seats.json"
    lost = json.loads(kept.read_bytes()) | {"seats": []}
    kept.write_text(json.dumps(lost), "utf-8")
    again = Terminal("join", link, "--name", "Bo", **home)
    again.type("quit")
    code, screen = again.end()
    assert code == 0
    assert "Your seat is saved" in screen


def test_help_that_was_not_agreed_is_refused(url: str) -> None:
    link = Friend(url).create(first=2, lessons={"hints": False})
    bo = Terminal("join", link, "--name", "Bo")
    bo.type("hint", "why", "map", "quit")
    _, screen = bo.end()
    not_agreed = "You play without hints. After the game you can look at a review."
    assert screen.count(not_agreed) == 3


def test_nothing_is_wider_than_forty_columns_but_the_link(url: str) -> None:
    host = ("host", "duel", "--server", url, "--name", "Ada", "--plain")
    ada = Seated(*host, columns=40)
    ada.wait_for("Waiting for someone to join")
    bo = Friend(url, ada.text.partition("/m/")[2][:22], "Bo")
    bo.sit()
    ada.wait_for("multiply\n(2-9): ")
    ada.type("5")
    ada.wait_for("Bo's turn (? for help): ")
    bo.ask("resign")
    ada.wait_for("q quit: ")
    ada.type("q")
    _, screen = ada.end()
    said = screen.replace(": 5\n", ": \n")  # without what was typed
    wide = [line for line in said.split("\n") if len(line) > 40]
    assert [line for line in wide if "/m/" not in line] == []


# What comes while something is asked


def test_typed_text_stays_when_news_arrives(url: str) -> None:
    ada = Friend(url)
    bo = Seated("join", ada.create(first=2), "--name", "Bo")
    bo.wait_for("multiply (2-9): ")
    bo.press("12")
    bo.wait_for("12")
    here: Queue[bool] = Queue()
    watching = RemoteTable(Client(url), MatchLink(url, ada.id))
    watching.listen(noting(here))
    for _ in range(2):  # as a page is loaded again
        stream = ada.listen()
        while not here.get(timeout=WAIT_SECONDS):
            pass
        stream.close()
        while here.get(timeout=WAIT_SECONDS):
            pass
    watching.close()
    bo.wait_for("Ada is away. The match waits.\n")
    bo.wait_for("multiply (2-9): 12")
    bo.type("")
    bo.wait_for("may choose 2-9")
    ada.listen()
    bo.wait_for("Ada is back.")
    bo.type("q")
    bo.end()


def test_a_move_is_asked_back_and_given_back(url: str) -> None:
    ada = Friend(url)
    bo = Seated("join", ada.create(first=2), "--name", "Bo")
    bo.wait_for("multiply (2-9): ")
    bo.type("5")
    bo.wait_for("Ada's turn (? for help): ")
    bo.type("7")
    bo.wait_for("It is Ada's turn.")
    bo.type("undo")
    bo.wait_for("You asked to take a move back.")
    ada.ask("allow-take-back")
    bo.wait_for("1 × 5 is taken back.")
    bo.wait_for("multiply (2-9): ")
    bo.type("6")
    bo.wait_for("Ada's turn (? for help): ")
    ada.move(2)
    bo.wait_for("multiply (2-9): ")
    ada.ask("take-back")
    bo.wait_for("Allow the take-back? (y/n): ")
    bo.type("n")
    bo.wait_for("You chose to play on; the move stands.")
    bo.wait_for("multiply (2-9): ")
    ada.ask("take-back")
    bo.wait_for("Allow the take-back? (y/n): ")
    bo.type("perhaps")
    bo.wait_for("Type y to allow it, or n to play on.")
    bo.type("y")
    bo.wait_for("6 × 2 is taken back.")
    bo.wait_for("Ada's turn (? for help): ")
    bo.type("undo")
    bo.wait_for("You asked to take a move back.")
    ada.move(2)
    bo.wait_for(
        "Ada would rather play on; the move stands.\nAda plays ×2: 6 × 2 makes 12."
    )
    bo.type("resign", "y")
    bo.wait_for("Bo has resigned and loses the game.\nAda wins!")
    bo.type("q")
    bo.end()
    assert ada.state()["outcome"] == {"winner": 1, "reason": "resigned"}


def test_a_question_about_a_move_is_dropped_when_the_game_ends(url: str) -> None:
    ada = Friend(url)
    link = ada.create(SHOWDOWN, first=2, start=12, target=100)
    bo = Seated("join", link, "--name", "Bo")
    bo.type("9")
    bo.wait_for("Accept the loss?")
    ada.ask("resign")
    bo.wait_for("Congratulations, Bo!")
    bo.wait_for("Enter ask Ada for a rematch")
    bo.type("q")
    assert bo.end()[0] == 0


def test_a_move_that_came_too_late_tells_what_came_before(url: str) -> None:
    ada = Friend(url)
    bo = Terminal("join", ada.create(first=2), "--name", "Bo")
    bo.type(lambda: ada.ask("resign"), "5", "x", "q")
    code, screen = bo.end()
    assert code == 0
    assert "Bo wins!" in screen
    assert "Press Enter, or type one of these letters." in screen


# After a game


def test_the_next_game_and_a_rematch_are_an_enter_away(url: str) -> None:
    ada = Friend(url)
    link = ada.create(
        "multiplier", target=6, length={"count": "games", "number": 2}, first=2
    )
    bo = Seated("join", link, "--name", "Bo")
    bo.wait_for("Bo")
    bo.type("9")
    bo.wait_for("Enter next game")
    bo.type("")
    bo.wait_for("Game 2 begins: Ada starts.")
    ada.move(9)
    bo.wait_for("Enter ask Ada for a rematch")
    bo.type("")
    bo.wait_for("waiting for Ada to agree")
    bo.wait_for("w cancel the request")
    bo.type("w")
    bo.wait_for("Enter ask Ada for a rematch")
    assert ada.state()["rematch"] is None
    bo.type("")
    bo.wait_for("waiting for Ada to agree")
    bo.type("")
    ada.ask("rematch")
    bo.wait_for("A rematch begins: Ada starts.")
    ada.ask("resign")
    bo.wait_for("Enter next game")
    ada.ask("next-game")
    bo.wait_for("Game 2 begins: Bo starts.")
    bo.type("resign", "y")
    bo.wait_for("Enter ask Ada for a rematch")
    ada.ask("rematch")
    bo.wait_for("Ada asks for a rematch.")
    bo.wait_for("Enter accept the rematch")
    bo.type("rematch")
    bo.wait_for("A rematch begins: Bo starts.")
    bo.wait_for("Choose a multiplier between 2 and 9: ")
    bo.press("\x04")
    assert bo.end()[0] == 1


def test_the_next_game_may_have_been_begun_by_the_other(url: str) -> None:
    ada = Friend(url)
    link = ada.create("multiplier", length={"count": "games", "number": 2}, first=2)
    bo = Terminal("join", link, "--name", "Bo")
    bo.type("resign", "y", lambda: ada.ask("next-game"), "")
    with moving(ada, 5, after=4):
        bo.type("q")
        _, screen = bo.end()
    assert "Game 2 begins: Ada starts." in screen


# Where entries and what comes cannot be waited for together


def test_without_polling_news_appears_between_prompts(url: str) -> None:
    ada = Friend(url)
    bo = Terminal("join", ada.create(), "--name", "Bo")
    bo.type("quit")
    with moving(ada, 5):
        _, screen = bo.end()
    assert "Ada plays ×5: 1 × 5 makes 5." in screen


def test_whoever_hosts_waits_there_until_the_other_sits_down(url: str) -> None:
    ada = Terminal("host", "duel", "--server", url, "--name", "Ada")
    ada.type("quit")
    sitting = Thread(target=sit_down, args=(ada, url))
    sitting.start()
    _, screen = ada.end()
    sitting.join()
    assert "Bo sits down." in screen


# Coming back, and looking on


def test_the_same_command_comes_back_to_the_same_seat(url: str, tmp_path: Path) -> None:
    ada = Friend(url)
    link = ada.create(
        "multiplier", target=50, length={"count": "first to", "number": 2}, first=2
    )
    home = str(tmp_path)
    first = Seated("join", link, "--name", "Bo", NINEFOLD_HOME=home)
    first.wait_for("Bo")
    first.type("9")
    first.wait_for("Ada's turn (? for help): ")
    first.type("quit")
    code, screen = first.end()
    assert code == 0
    assert "Your seat is saved: the same command brings you back to it." in screen
    again = Seated("join", link, "--name", "Bo", NINEFOLD_HOME=home)
    again.wait_for("Ada's turn (? for help): ")
    ada.move(9)
    again.wait_for("Enter next game")
    again.type("q")
    again.end()
    last = Seated("join", link, NINEFOLD_HOME=home)
    last.wait_for("--- Rounds won by Ada: 0, by Bo: 1 (first to 2) ---")
    last.wait_for("Enter next game")
    last.type("q")
    last.end()
    assert (tmp_path / "seats.json").stat().st_mode & 0o777 == 0o600


def test_ctrl_c_leaves_and_the_seat_can_be_rejoined(url: str) -> None:
    bo = RealTerminal("join", Friend(url).create(first=2), "--name", "Bo")
    bo.wait_for("multiply (2-9): ")
    bo.press_at_once("c")
    code, screen = bo.end()
    assert code == 130
    assert "Your seat is saved: the same command brings you back to it." in screen


def test_the_menu_reaches_a_match_online(url: str) -> None:
    home = tempfile.mkdtemp()
    ada = Seated(NINEFOLD_HOME=home, NINEFOLD_SERVER=url)
    wanted = ("host", "duel", "2")
    ada.type(*wanted)
    ada.wait_for("ninefold host --help")
    ada.wait_for(f"{url}/m/")
    ada.wait_for("\n")
    link = next(word for word in ada.text.split() if "/m/" in word and url in word)
    assert "name?" not in ada.text
    bo = Seated()
    bo.type("join", "duel", link)
    bo.wait_for("'duel' is not a link to a match; paste one such as")
    bo.wait_for("Player 1 invites you to Multiplication Duel.")
    bo.type("Bo")
    bo.wait_for("(2-9): ")
    ada.wait_for("Bo sits down.")
    cleo = Seated()
    cleo.type("join", link, "")
    cleo.wait_for("Both seats are taken. Player 1 and Bo play Multiplication Duel.")
    cleo.wait_for("You are watching (q to leave): ")
    for seated in (cleo, bo, ada):
        seated.type("q")
        seated.wait_for("What now?")
    ada.type(*wanted, "")
    ada.wait_for("You already have a match like this. Continue it? (Y/n) ")
    ada.wait_for("Back in your match with Bo. Its link:")
    for seated in (cleo, bo):
        seated.type("q")
        assert seated.end()[0] == 0
    ada.type("q", "q")
    assert ada.end()[0] == 0


def test_a_taken_match_can_be_watched(url: str) -> None:
    ada = Friend(url)
    link = ada.create(lessons={"hints": False})
    bo = Friend(url, ada.id, "Bo")
    bo.sit()
    asked = Terminal("join", link)
    asked.type("n")
    status, seen = asked.end()
    assert status == 0
    assert "Both seats are taken. Ada and Bo play Multiplication Duel." in seen
    assert "Watch? (Y/n) n\n" in seen
    assert "Your name?" not in seen
    refused = run("join", link, "--name", "Cleo")
    assert refused.returncode == 2
    assert "both seats of this match are taken; watch it with --watch" in refused.stderr
    watching = Seated("join", link, "--watch")
    watching.wait_for("Ada and Bo play Multiplication Duel.\n")
    watching.wait_for("You are watching (q to leave): ")
    watching.type("q")
    assert "seat is saved" not in watching.end()[1]
    watching = Seated("join", link, "--watch")
    watching.wait_for("You are watching (q to leave): ")
    ada.move(5)
    watching.wait_for("Ada plays ×5: 1 × 5 makes 5.")
    watching.type("5")
    watching.wait_for("You are watching. Type rules to read the rules, or q to leave.")
    watching.type("rules")
    watching.wait_for("Two players share a running total")
    bo.ask("resign")
    watching.wait_for("Ada wins!")
    watching.type("q")
    code, screen = watching.end()
    assert code == 0
    assert "seat is saved" not in screen
    piped = Piped("join", link, "--watch")
    code, out, _ = piped.end()
    assert code == 0
    assert "Ada plays ×5: 1 × 5 makes 5." in out


def test_spectator_has_no_name(url: str) -> None:
    refused = run("join", Friend(url).create(), "--watch", "--name", "Cleo")
    assert refused.returncode == 2
    assert "--name and --watch cannot be combined" in refused.stderr


# Lost connections


def test_lost_connection_and_missed_news_are_shown(tmp_path: Path) -> None:
    home = tmp_path / "server"
    with beside(home) as url:
        port = int(url.rpartition(":")[2])
        ada = Friend(url)
        link = ada.create()
        bo = Seated("join", link, "--name", "Bo")
        bo.wait_for("Ada's turn (? for help): ")
    bo.wait_for("Connection lost. Trying again …")
    with beside(home, port):
        ada.move(5)
        bo.wait_for("Connected again.")
        bo.wait_for("Ada plays ×5: 1 × 5 makes 5.")
        bo.type("q")
        assert bo.end()[0] == 0


def test_a_match_that_changed_on_its_server_is_joined_again(tmp_path: Path) -> None:
    home, mine = tmp_path / "server", {"NINEFOLD_HOME": str(tmp_path / "mine")}
    file, copies = home / "host.db", tmp_path / "copies"
    copies.mkdir()
    with beside(home) as url:
        port = int(url.rpartition(":")[2])
        link = Friend(url).create(first=2)
    shutil.copy(file, copies / "empty")
    with beside(home, port):
        sits = Seated("join", link, "--name", "Bo", **mine)  # type: ignore[arg-type]
        sits.wait_for("multiply (2-9): ")
        sits.type("q")
        sits.end()
    shutil.copy(file, copies / "seated")
    shutil.copy(copies / "empty", file)
    with beside(home, port):
        again = Seated("join", link, "--name", "Bo", **mine)  # type: ignore[arg-type]
        again.wait_for("multiply (2-9): ")
        again.type("q")
        again.end()
    shutil.copy(copies / "seated", file)
    with beside(home, port):
        bo = Seated("join", link, "--name", "Bo", **mine)  # type: ignore[arg-type]
        bo.wait_for("multiply (2-9): ")
        bo.type("5")
        bo.wait_for("Ada's turn (? for help): ")
    bo.wait_for("Connection lost.")
    shutil.copy(copies / "seated", file)
    with beside(home, port):
        bo.wait_for("this match has changed on the server; join again")
        assert bo.end()[0] == 2
        again = Seated("join", link, "--name", "Bo", **mine)  # type: ignore[arg-type]
        again.wait_for("multiply (2-9): ")
        again.type("q")
        assert again.end()[0] == 0


def test_who_leaves_with_the_server_is_not_said_to_have_left(tmp_path: Path) -> None:
    home = tmp_path / "server"
    with beside(home) as url:
        port = int(url.rpartition(":")[2])
        ada = Friend(url)
        link = ada.create()
        stream = ada.listen()
        bo = Seated("join", link, "--name", "Bo")
        bo.wait_for("Ada's turn (? for help): ")
    stream.close()
    bo.wait_for("Connection lost. Trying again …")
    with beside(home, port):
        bo.wait_for("Connected again.")
        stream = ada.listen()
        ada.move(5)
        bo.wait_for("multiply (2-9): ")
        stream.close()
        bo.wait_for("Ada is away. The match waits.")
        bo.type("q")
        _, screen = bo.end()
    meanwhile = screen.partition("Connection lost.")[2].partition("Connected again.")[0]
    assert "Ada is away" not in meanwhile


def test_a_move_that_reaches_no_server_is_not_made(tmp_path: Path) -> None:
    with beside(tmp_path) as url:
        bo = Seated("join", Friend(url).create(first=2), "--name", "Bo")
        bo.wait_for("multiply (2-9): ")
    bo.wait_for("Connection lost.")
    bo.type("5")
    bo.wait_for("The server at ")
    bo.wait_for("multiply (2-9): ")
    bo.type("q")
    _, screen = bo.end()
    assert (
        f"The server at {url} does not answer, so your move may or may not have"
        " arrived; look at the total once you are connected again, and move again if"
        " it did not arrive. Bo, choose"
    ) in " ".join(screen.split())


def test_a_piped_move_that_reaches_no_server_ends_the_program(tmp_path: Path) -> None:
    with beside(tmp_path) as url:
        ada = Friend(url)
        bo = Piped("join", ada.create(first=2), "--name", "Bo", ends=False)
        bo.wait_for("multiply (2-9): ")
    bo.type("5\n")
    code, _, err = bo.end()
    assert code == 2
    lines = err.splitlines()
    assert lines[-1].startswith(f"ninefold: the server at {url} does not answer, so")
    assert lines[-1].endswith("move again if it did not arrive")


def test_much_news_at_once_shows_only_the_current_state() -> None:
    setup = Setup(rules=Rules(Ending.EXACT, 100), book="multiplication-duel")
    again: list[Command] = [Move(7), Undo()]
    screen = Stream(terminal=True)
    console = Console(Stream(b"q\n"), screen, screen, environ=environment(NO_COLOR="1"))
    writer = LogWriter(make_store, console.print_error, surface="classic", save=False)

    class Busy(LocalTable):
        def listen(self, listener: Listener) -> None:
            """Report more at once than a screen has time for."""
            super().listen(listener)
            for command in (*again * MOST_NEWS, Move(9), Move(3)):
                self.session, events = self.session.apply_unchecked(command)
                listener(Update(self.session, events))

    table = Busy(Session.start(setup), writer)
    with pytest.raises(QuitRequested):
        TableScreen(console, table, resume_hint=str).play()
    assert "A lot has happened since then. This is how the match stands." in screen.text
    assert screen.text.count("9") < 20
    assert "27" in screen.text


def test_removed_match_ends_the_program(tmp_path: Path) -> None:
    with beside(tmp_path / "one") as url:
        port = int(url.rpartition(":")[2])
        bo = Seated("join", Friend(url).create(first=2), "--name", "Bo")
        bo.wait_for("multiply (2-9): ")
    with beside(tmp_path / "another", port):
        code, screen = bo.end()
    assert code == 2
    assert "not the secret of a seat of this match" in screen or "no such" in screen
    assert "Your seat is saved" not in screen


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("duel", "'duel' is not a link to a match"),
        ("http://localhost:x/m/AAAAAAAAAAAAAAAAAAAAAA", "is not a link to a match"),
        ("http://a@localhost/m/AAAAAAAAAAAAAAAAAAAAAA", "is not a link to a match"),
        ("http://localhost/", "is not a link to a match"),
        ("{url}/m/AAAAAAAAAAAAAAAAAAAAAA", "there is no such match at"),
    ],
)
def test_invalid_links_are_one_line_errors(url: str, link: str, sentence: str) -> None:
    refused = run("join", link.format(url=url))
    assert refused.returncode == 2
    assert sentence in refused.stderr


# Hosting


def test_host_makes_a_match_on_a_server_and_shows_its_link(url: str) -> None:
    server = url.removeprefix("http://")  # as people type it
    ada = Seated("host", "duel", "--server", server, "--name", "Ada", "--first", "2")
    ada.wait_for("Send this link to a friend:\n")
    ada.wait_for(f"{url}/m/")
    ada.wait_for("Waiting for someone to join (q to leave): ")
    ada.type("5")
    ada.wait_for("Nobody has joined yet. Send the link to somebody.")
    match_id = ada.text.partition("/m/")[2][:22]
    watching = Seated("join", f"{url}/m/{match_id}", "--watch")
    watching.wait_for("Ada waits for somebody to play Multiplication Duel with.")
    watching.wait_for("You are watching")
    watching.type("q")
    watching.end()
    bo = Friend(url, match_id, "Bo")
    bo.sit()
    ada.wait_for("Bo sits down.")
    ada.wait_for("Starting the Multiplication Duel!")
    bo.move(9)
    ada.wait_for("Ada, choose a number")
    ada.type("q")
    assert ada.end()[0] == 0


def test_same_host_command_rejoins_the_match(url: str, tmp_path: Path) -> None:
    def host(*arguments: str) -> Seated:
        return Seated(
            *("host", "multiplier", *arguments),
            NINEFOLD_HOME=str(tmp_path),
            NINEFOLD_SERVER=url.removeprefix("http://"),
        )

    first = host()
    first.wait_for("Target Value (Enter for 1000): ")
    first.type("6")
    first.wait_for("Waiting for someone")
    first.type("q")
    _, screen = first.end()
    match_id = screen.partition("/m/")[2][:22]
    bo = Friend(url, match_id, "Bo")
    bo.sit()
    other = host("--new", "--target", "9")
    other.wait_for("Waiting for someone")
    other.type("q")
    other.end()
    again = host()  # asks nothing
    again.wait_for("Back in your match with Bo; --new starts another. Its link:")
    again.wait_for(f"/m/{match_id}\n\n")
    again.wait_for("Player 1's Turn")
    again.type("9")
    again.wait_for("Enter ask Bo for a rematch")
    again.type("q")
    _, screen = again.end()
    assert "Send this link" not in screen
    another = host("--target", "6")
    another.wait_for("Waiting for someone")
    another.type("q")
    _, screen = another.end()
    assert match_id not in screen


def test_a_new_match_takes_the_place_of_the_one_before_once_it_is_made(
    url: str, tmp_path: Path
) -> None:
    def host(*arguments: str) -> Seated:
        home = {"NINEFOLD_HOME": str(tmp_path)}
        return Seated("host", "multiplier", "--server", url, *arguments, **home)  # type: ignore[arg-type]

    def made(at: Seated) -> str:
        at.wait_for("Waiting for someone")
        at.type("q")
        _, screen = at.end()
        return screen.partition("/m/")[2][:22]

    first = host()
    first.wait_for("Target Value")
    first.type("")
    before = made(first)
    given_up = host("--new")
    given_up.wait_for("Target Value")
    given_up.press("\x04")
    given_up.end()
    assert made(host()) == before
    second = host("--new")
    second.wait_for("Target Value")
    second.type("")
    after = made(second)
    assert after != before
    assert made(host()) == after


def test_the_same_agreement_comes_back_to_the_same_match_however_it_is_typed(
    url: str, tmp_path: Path
) -> None:
    def made(*arguments: str) -> str:
        at = Seated(*("host", *arguments, "--server", url), NINEFOLD_HOME=str(tmp_path))
        at.wait_for("Waiting for someone")
        at.type("q")
        return at.end()[1].partition("/m/")[2][:22]

    ada = ("--name", "Ada")
    first = made("duel", *ada)
    for same in (
        ("multiplication-duel", "--best-of", "1", *ada),
        ("duel", "--first", "1", "--multipliers", "2-9", *ada),
    ):
        assert made(*same) == first, same
    others = [
        made("duel"),  # by no name
        made("duel", "--best-of", "3", *ada),
        made("duel", "--first", "2", *ada),
        made("duel", "--coach", *ada),
        made("duel", "--name", "Bo"),
    ]
    assert len({first, *others}) == 6


def test_a_server_that_names_another_one_is_refused(tmp_path: Path) -> None:
    home, known = str(tmp_path), MatchLink("https://play.example.org", "A" * 22)
    Credentials(tmp_path).add_secret(known, "s" * 43)
    before = (tmp_path / "seats.json").read_text()
    told = {"id": known.id, "secret": "e" * 43, "link": str(known)}

    def answer(request: str) -> Iterator[bytes]:
        body = json.dumps(told).encode() if request.startswith("POST") else b""
        yield written("200 OK", body)

    with serving(answer) as url:
        join = run("join", f"{url}/m/{known.id}", "--name", "Bo", NINEFOLD_HOME=home)
        host = run("host", "duel", "--server", url, NINEFOLD_HOME=home)
    for refused in (join, host):
        assert refused.returncode == 2
        assert (
            f"{url} sent a link to another server, https://play.example.org; if you"
            " trust that one, use its address" in " ".join(refused.stderr.split())
        )
    kept = json.loads((tmp_path / "seats.json").read_text())["secrets"]
    assert kept == json.loads(before)["secrets"]


def test_rejoining_script_sees_only_the_game(url: str, tmp_path: Path) -> None:
    command = ("host", "duel", "--name", "Ada", "--server", url)
    first = Seated(*command, NINEFOLD_HOME=str(tmp_path))
    first.wait_for("Waiting for someone")
    first.type("q")
    _, screen = first.end()
    bo = Friend(url, screen.partition("/m/")[2][:22], "Bo")
    bo.sit()
    again = Piped(*command, typed="resign\n", NINEFOLD_HOME=str(tmp_path))
    code, out, _ = again.end()
    assert code == 0
    assert out.startswith("Starting the Multiplication Duel!\n")
    assert out.endswith("\nAda has resigned and loses the game.\nBo wins!\n")


def test_host_creates_a_new_match_if_the_last_one_has_ended(
    url: str, tmp_path: Path
) -> None:
    def host() -> Seated:
        return Seated(
            *("host", "duel", "--name", "Ada", "--server", url),
            NINEFOLD_HOME=str(tmp_path),
        )

    first = host()
    first.wait_for("Waiting for someone")
    first.type("q")
    _, screen = first.end()
    bo = Friend(url, screen.partition("/m/")[2][:22], "Bo")
    bo.sit()
    bo.ask("resign")
    again = host()
    again.wait_for("Send this link")
    assert bo.id not in again.text
    again.wait_for("Waiting for someone")
    again.type("q")
    again.end()


def test_host_is_the_server_itself_where_none_is_named(tmp_path: Path) -> None:
    ada = Seated(
        *("host", "duel", "--host", "127.0.0.1", "--port", "0"),
        hosts=True,
        NINEFOLD_HOME=str(tmp_path),
    )
    ada.wait_for("to this machine only.")
    ada.wait_for("Only this machine can open this link.")
    ada.wait_for("Waiting for someone")
    assert "▄" not in ada.text
    assert "name?" not in ada.text
    url = ada.text.partition(" is open to ")[0].split()[-1]
    bo = Friend(url, ada.text.partition("/m/")[2][:22], "Bo")
    bo.sit()
    ada.wait_for("Bo sits down.")
    ada.type("q")
    assert ada.end()[0] == 0


def test_host_who_leaves_closes_the_table(
    tmp_path: Path,
) -> None:
    home = tmp_path / "ada"
    command = ("host", "duel", "--host", "127.0.0.1", "--port", "0", "--name", "Ada")
    ada = Seated(*command, hosts=True, NINEFOLD_HOME=str(home))
    ada.wait_for("Waiting for someone")
    url = ada.text.partition(" is open to ")[0].split()[-1]
    bo = Seated("join", f"{url}/m/{ada.text.partition('/m/')[2][:22]}", "--name", "Bo")
    bo.wait_for("Ada's turn (? for help): ")
    ada.wait_for("Bo sits down.")
    ada.type("q")
    assert ada.end()[0] == 0
    bo.wait_for("Ada has left and closed the table. It opens again with Ada.")
    (home / "host.port").write_text(url.rpartition(":")[2])
    ada = Seated("resume", hosts=True, NINEFOLD_HOME=str(home))
    bo.wait_for("Connected again.")
    bo.type("q")
    _, screen = bo.end()
    assert "Connection lost" not in screen
    assert "The match waits" not in screen
    ada.type("q")
    assert ada.end()[0] == 0


@pytest.mark.parametrize(
    ("changes", "is_drawn"),
    [
        ({}, True),
        ({"NINEFOLD_PLAIN": "1"}, False),
        ({"columns": 30}, False),
        ({"rows": 15}, False),
    ],
)
def test_a_code_is_drawn_where_a_phone_could_read_and_reach_it(
    url: str, changes: dict[str, object], *, is_drawn: bool
) -> None:
    everywhere = url.replace("127.0.0.1", "0.0.0.0")
    ada = Seated(
        *("host", "duel", "--server", everywhere, "--name", "Ada"),
        hosts=True,
        **changes,  # type: ignore[arg-type]
    )
    ada.wait_for("Waiting for someone")
    ada.type("q")
    screen = ada.end()[1]
    assert ("▄▄▄▄▄" in screen) == is_drawn
    assert "Only this machine" not in screen


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("duel", "--server", "here"), "'here' is not a server address"),
        (("duel", "--server", "http://h", "--port", "1"), "combined with --server"),
        (("duel",), "use --server URL"),
        (("docs/examples/primes.toml",), "servers do not support your own rule books"),
        (("duel", "--server", "{url}", "--name", "\u200b"), "visible characters"),
    ],
)
def test_invalid_host_options_are_one_line_errors(
    url: str, arguments: tuple[str, ...], sentence: str
) -> None:
    refused = run("host", *(each.format(url=url) for each in arguments))
    assert refused.returncode == 2
    assert sentence in refused.stderr


def test_host_says_that_the_network_reaches_it(url: str) -> None:
    everywhere = url.replace("127.0.0.1", "0.0.0.0")
    console = Console(Stream(b""), out := Stream(), Stream(), environ=environment())
    console.open_server = lambda _: nullcontext(everywhere)
    Thread(target=main, args=(["host", "duel"], console), daemon=True).start()
    until(lambda: "/m/" in out.text)
    assert out.text.startswith(f"{everywhere} is open to everyone on this network.\n")


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (("--host", "127.0.0.1"), "For others, leave --host out: "),
        ((), ""),
        (("--server", "{url}"), "For others, start the server with --host 0.0.0.0."),
    ],
)
def test_who_hosts_for_this_machine_alone_reads_how_others_get_in(
    url: str, options: tuple[str, ...], advice: str
) -> None:
    console = Console(
        Stream(b"Ada\n", terminal=True),
        out := Stream(terminal=True),
        Stream(),
        environ=environment(COLUMNS="200"),
    )
    console.open_server = lambda _: nullcontext(url)
    given = ("host", "duel", *(each.format(url=url) for each in options))
    Thread(target=main, args=([*given], console), daemon=True).start()
    only_here = f"Only this machine can open this link. {advice}"
    until(lambda: only_here in " ".join(out.text.split()))
    assert ("For others" in out.text) == bool(advice)


def test_taken_port_is_not_reused(tmp_path: Path) -> None:
    with (
        run_in_thread("127.0.0.1", None, tmp_path / "one", utc_now) as one,
        run_in_thread("127.0.0.1", None, tmp_path / "two", utc_now) as two,
    ):
        assert one != two
        taken = int(one.rpartition(":")[2])
        with (
            pytest.raises(NinefoldError, match="cannot listen on"),
            beside(tmp_path / "three", taken),
        ):
            pass


@pytest.mark.parametrize("text", ["", "none", "99999"])
def test_a_server_beside_is_opened_where_links_lead(tmp_path: Path, text: str) -> None:
    (tmp_path / "host.port").write_text(text)
    with beside(tmp_path / "other") as other:  # has a port that nobody else takes
        with run_in_thread("127.0.0.1", None, tmp_path, utc_now):
            kept = (tmp_path / "host.port").read_text()
        (tmp_path / "host.port").write_text(other.rpartition(":")[2])
        with run_in_thread("127.0.0.1", None, tmp_path, utc_now) as moved:
            assert moved != other
    (tmp_path / "host.port").write_text(other.rpartition(":")[2])
    with run_in_thread("127.0.0.1", None, tmp_path, utc_now) as again:
        assert again == other
    assert kept.isdigit()


def test_the_files_of_a_server_beside_are_their_owner_s_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with run_in_thread("127.0.0.1", None, tmp_path, utc_now):
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert {"host.port", "server.key"} <= modes.keys()
    assert {*modes.values()} == {0o600}


def test_a_machine_without_a_network_is_reached_by_itself_alone() -> None:
    assert own_address(("256.256.256.256", 9)) == "127.0.0.1"
    assert own_address(("127.0.0.1", 9)) == "127.0.0.1"


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("run", "qr_codes"):
        monkeypatch.setitem(sys.modules, f"ninefold.server.{name}", None)
        monkeypatch.delattr(sys.modules["ninefold.server"], name, raising=False)
    assert draw_qr("http://localhost") == ""
    console = Console(Stream(), Stream(), Stream(), environ=environment())
    with pytest.raises(NinefoldError, match=r"pip install 'ninefold\[server\]'"):
        open_server(console, Hosting(None, None))


def test_terminal_shows_the_server_it_waits_for() -> None:
    goes_on = Event()

    def answer(_: str) -> Iterator[bytes]:
        goes_on.wait(WAIT_SECONDS)
        yield b""

    with serving(answer) as silent:
        bo = Seated("join", f"{silent}/m/{'A' * 22}", "--watch")
        bo.wait_for(f"Waiting for {silent} ...")
        goes_on.set()
        code, screen = bo.end()
    assert code == 2
    assert "cannot reach the server" in screen
