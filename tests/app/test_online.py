"""Play online, in the app, against a real server on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from textual.widget import Widget

from ninefold.app import NinefoldApp
from ninefold.app.screens.dialogs import Invitation
from ninefold.app.screens.play import TableScreen
from ninefold.app.widgets.board import Total
from ninefold.app.widgets.footer import Panel
from ninefold.app.widgets.form_fields import TextField
from ninefold.game import Seat
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Opened, Room
from tests.online.servers import serving, written
from tests.online.tables import Friend
from tests.servers import beside

SHOWDOWN = "multiplication-showdown"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with beside(Path(tmp_path_factory.mktemp("server"))) as address:
        yield address


def says(at: Opened, text: str) -> None:
    at.until(lambda: text in " ".join(at.said.split()))


def play(at: Opened, link: str) -> None:
    """Paste a link, and play."""
    at.app.screen.query_one("#link", TextField).value = link
    at.app.screen.query_one("#name", TextField).value = "Bo"
    at.app.screen.query_one("#link", TextField).focus()
    at.press("enter")


def sit(at: Opened, link: str) -> TableScreen:
    """Play; accept the invitation, unless one sits there already."""
    play(at, link)
    at.until(lambda: at.place in ("Table", "ConfirmDialog"))
    if at.place == "ConfirmDialog":
        at.press("y")
    at.until(lambda: at.place == "Table")
    table = at.app.screen
    assert isinstance(table, TableScreen)
    return table


def test_a_game_is_played_against_someone_elsewhere(room: Room, url: str) -> None:
    ada = Friend(url)
    link = ada.create(lessons={"hints": False})
    with room.open("o") as at:
        assert "Paste a link" in at.text
        table = sit(at, link.removeprefix("http://"))
        at.press("4")
        says(at, "It is Ada's turn.")
        ada.move(5)
        says(at, "Ada plays ×5: 1 × 5 makes 5.")
        at.press("1")
        assert "may choose 2-9" in at.said
        at.press("w")
        says(at, "Hints are off in this match.")
        room.seconds += 5
        at.press("4")
        at.until(lambda: table.session.game.moves == (5, 4))
        ada.move(5)
        at.until(lambda: at.place == "GameOver")
        says(at, "Ada wins!")
        assert "wins" in at.text
        assert "Enter ask Ada for a rematch" in at.text
        at.press("enter")
        says(at, "Waiting for Ada to agree.")
        at.press("enter", "4")
        assert "ask Ada for a rematch" not in at.text
        at.press("question_mark")
        ada.ask("rematch")
        at.until(lambda: table.session.to_move is Seat.TWO)
        assert at.place == "Help"
        at.press("escape")
        at.until(lambda: at.place == "Table")
        says(at, "A rematch begins: Bo starts.")
        at.press("r")
        assert at.place == "Help"
        at.press("escape", "escape")
        assert at.place == "Online"
        sit(at, link)
        at.press("x", "y")
        at.until(lambda: at.place == "GameOver")
        ada.ask("rematch")
        says(at, "Ada asks for a rematch.")
        assert "Enter accept the rematch" in at.text
        at.press("enter")
        at.until(lambda: at.place == "Table")
        says(at, "A rematch begins: Ada starts.")


def test_a_name_is_asked_for_where_it_cannot_be_taken(room: Room, url: str) -> None:
    link = Friend(url).create()
    with room.open("o") as at:
        name = at.app.screen.query_one("#name", TextField)
        assert not name.value
        for called, sentence in (
            ("Ada", "The other player is called Ada too; choose another name."),
            ("x" * 25, "A name needs 1 to 24 visible characters;"),
        ):
            play(at, link)
            at.until(lambda: at.place == "ConfirmDialog")
            at.press("escape")
            name.value = called
            at.click("#play")
            says(at, sentence)
            assert at.app.focused is name
            assert name.value == called
        at.click("#invite")
        assert at.place == "Online"
        says(at, sentence)
        name.value = "  "
        at.click("#play")
        at.until(lambda: at.place == "ConfirmDialog")
        at.press("enter")
        at.until(lambda: "■ Player 2" in at.text)
        at.press("escape")
        name.value = " Bo "
        at.click("#invite")
    with room.open("o") as at:
        assert at.app.screen.query_one("#name", TextField).value == "Bo"


def test_an_invitation_says_what_is_agreed_before_a_seat_is_taken(
    room: Room, url: str
) -> None:
    cleo = Friend(url, name="Cleo")
    lessons = {"coach": True, "hints": True, "mental": True}
    link = cleo.create(lessons=lessons)
    invites = (
        "Cleo invites you to play Multiplication Duel, with a coach, hints and mental"
        " arithmetic. Hit exactly 100 to win; overreach and you lose. Play?"
    )
    for answer in ("n", "escape"):
        with room.open("o") as at:
            play(at, link)
            at.until(lambda: at.place == "ConfirmDialog")
            at.until(lambda: invites in " ".join(at.text.replace("│", " ").split()))
            at.press(answer)
            assert at.place == "Online"
            says(at, "Paste a link")
            assert not cleo.state()["seats"][1]["taken"]
    with room.open("o") as at:
        play(at, link)
        at.until(lambda: at.place == "ConfirmDialog")
        at.press("enter")
        at.until(lambda: "● Cleo" in at.text)
        assert cleo.state()["seats"][1]["taken"]
        at.press("escape")
        play(at, link)  # one sits there: nothing is asked again
        at.until(lambda: "● Cleo" in at.text)
        assert at.place == "Table"


def test_an_online_game_is_stored_locally_and_continued_from_home(
    room: Room, url: str
) -> None:
    ada = Friend(url)
    link = ada.create()
    with room.open("o") as at:
        sit(at, link)
        ada.move(5)
        says(at, "Ada plays ×5: 1 × 5 makes 5.")
        at.press("escape")
        at.until(lambda: f"Ada and Bo, at 5 · {url.partition('//')[2]}" in at.text)
        at.click("MatchButton")
        at.until(lambda: at.place == "Table")
        at.press("escape", "escape")
        assert at.place == "Home"
        assert f"On {url.partition('//')[2]}." in " ".join(at.text.split())
        for keys in ("c", "lc"):
            at.press(*keys)
            at.until(lambda: at.place == "Table")
            says(at, "Multiply the total by one of 2-9.")
            at.press("escape")
        assert at.place == "History"


def test_an_online_game_is_retried_locally(room: Room, url: str) -> None:
    ada = Friend(url)
    with room.open("o") as at:
        online = sit(at, ada.create("multiplier-showdown", first=2))
        for mine, reply in ((7, 9), (2, 9)):
            at.press(str(mine))
            at.until(lambda: online.session.to_move is Seat.ONE)
            ada.move(reply)
            at.until(lambda: online.session.to_move is not Seat.ONE)
        at.until(lambda: at.place == "GameOver")
        at.press("t")
        at.until(lambda: at.place == "Table")
        assert "another try" in at.text
        at.press("5", "3")  # for both, at one keyboard
        assert at.one(Total).number == 15
        ada.ask("rematch")
        at.until(lambda: online.session.rematch_asked is Seat.ONE)
        at.press("escape")
        at.until(lambda: at.place == "GameOver")
        assert "Enter accept the rematch" in at.text


def test_a_match_is_hosted_on_a_server(room: Room, url: str) -> None:
    with room.open("o") as at:
        play(at, url)
        assert at.place == "NewGame"
        assert "New game to play online" in at.text
        assert "name" not in at.text  # it was given before
        at.press("escape")
        assert at.place == "Online"
        play(at, url)
        assert "Hints" in at.text
        for field in ("coach", "hints"):
            at.app.screen.query_one(f"#{field}").focus()
            at.press("right")
        says(at, "The coach warns you both before a move gives the win away.")
        says(at, "You may both ask for hints and reasons.")
        at.press("enter")
        at.until(lambda: at.place == "Invitation")
        link = next(row for row in at.text.split() if "/m/" in row)
        assert "Only this machine can open this link." in at.text
        at.press("c")
        assert at.app.clipboard == link
        assert "Link copied, if your terminal allows it." in at.text
        at.press("escape")
        table = at.app.screen
        assert isinstance(table, TableScreen)
        assert table.session.setup.names[0] == "Bo"
        at.until(lambda: "not here yet" in at.text)
        at.press("4")
        says(at, f"Nobody has joined yet. Send the link to someone. {link}")
        assert "i invite" in at.text
        at.press("i", "question_mark")
        assert "Copy the link." in at.text
        cleo = Friend(url, link.rpartition("/")[2], "Cleo")
        assert cleo.state()["lessons"] == {
            "coach": True,
            "give_backs": 3,
            "mental": False,
            "hints": True,
        }
        cleo.sit()
        at.until(lambda: not table.session.empty_seats)
        at.press("escape")  # help; the invitation below it is past
        at.until(lambda: at.place == "Table")
        assert "i invite" not in at.text
        says(at, "Cleo has joined.")
        at.until(lambda: "away" in at.text)
        stream = cleo.listen()
        at.until(lambda: "away" not in at.text)
        stream.close()


def test_the_app_is_its_own_server(room: Room, tmp_path: Path) -> None:
    def app_on(url: str) -> NinefoldApp:
        return room.app(own_server=lambda: url)

    with beside(tmp_path) as url, room.open("o", app=app_on(url)) as at:
        at.click("#invite")
        assert "New game to play online" in at.text
        at.press("enter")
        at.until(lambda: at.place == "Invitation")
        link = next(row for row in at.text.split() if "/m/" in row)
        assert link.startswith(url)
        cleo = Friend(url, link.rpartition("/")[2], "Cleo")
        cleo.sit()
        at.until(lambda: at.place == "Table")
        at.press("5")
        says(at, "It is Cleo's turn.")
        at.press("escape")
        for answer, keys in (("y", ("escape",)), ("n", ())):
            at.click("#invite")
            at.press("enter")
            at.until(lambda: at.place == "ConfirmDialog")
            assert "You already have a match like this with Cleo." in at.text
            at.press(answer)
            at.until(lambda: at.place in ("Table", "Invitation"))
            at.press(*keys)
        assert link not in at.text
    opened = []
    with ExitStack() as stack:

        def open_again() -> str:
            port = int(url.rpartition(":")[2])
            opened.append(stack.enter_context(beside(tmp_path, port)))
            return opened[0]

        with room.open("o", app=room.app(own_server=open_again)) as at:
            play(at, link)
            at.until(lambda: at.place == "Table")
            says(at, "It is Cleo's turn.")
            assert opened == [url]
        with room.open("o") as at:  # another ninefold is that server
            play(at, link)
            at.until(lambda: at.place == "Table")
            says(at, "It is Cleo's turn.")
    with room.open("o") as at:
        at.click("#invite")
        at.press("enter")
        says(at, "Matches cannot be hosted from here. Type the address of a server.")


def test_a_link_that_a_phone_can_open_is_drawn_where_there_is_room(room: Room) -> None:
    link, drawn = f"http://192.168.1.7:9009/m/{'A' * 22}", f"{'█' * 33}\n" * 17
    with room.open() as at:

        async def invite() -> None:
            await at.app.push_screen(Invitation(link, drawn, lambda: True))

        at.do(invite())
        for size, is_drawn in ((USUAL, True), (SMALL, False), (LARGE, True)):
            at.resize(size)
            assert (at.text.count("█" * 33) == 17) is is_drawn
            assert ("Scan this code with a phone on your" in at.text) is is_drawn
            assert link in at.text
            assert "c copy the link" in at.text


def test_a_match_whose_seats_are_taken_is_watched(room: Room, url: str) -> None:
    ada = Friend(url)
    link = ada.create(length={"count": "games", "number": 2}, lessons={"hints": False})
    cleo = Friend(url, link.rpartition("/")[2], "Cleo")
    cleo.sit()
    with room.open("o") as at:
        play(at, link)
        at.until(lambda: at.place == "ConfirmDialog")
        asked = " ".join(at.text.replace("│", " ").split())
        assert (
            "Both seats are taken. Ada and Cleo are playing Multiplication Duel."
            in asked
        )
        at.press("escape")
        assert at.place == "Online"
        play(at, link)
        at.until(lambda: at.place == "ConfirmDialog")
        at.press("enter")
        at.until(lambda: at.place == "Table")
        at.press("question_mark")
        assert "esc  Stop watching." in at.text
        at.press("escape")
        table = at.app.screen
        assert isinstance(table, TableScreen)
        says(at, "You are watching. It is Ada's turn.")
        assert "watching" in at.text.splitlines()[0]
        assert "not saved" not in at.text
        for key in "5ux":
            at.app.screen.query_one("Panel").show_text("")  # type: ignore[attr-defined]
            at.press(key)
            assert at.said == "You are watching. It is Ada's turn."
        for label in ("resign", "take back", "2-9 play"):
            assert label not in at.text
        ada.move(5)
        says(at, "Ada plays ×5: 1 × 5 makes 5.")
        cleo.ask("resign")
        at.until(lambda: at.place == "GameOver")
        assert "Enter" not in at.text
        assert "try again" not in at.text
        at.press("enter", "t")
        ada.ask("next-game")
        at.until(lambda: at.place == "Table")
        says(at, "Game 2 begins: Cleo starts.")
    assert not room.history()


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("", "Paste a link such as"),
        ("duel", "'duel' is not a link to a match, and not a server. Paste a link"),
        ("{url}/m/" + "A" * 22, "no such match"),
    ],
)
def test_invalid_link_shows_an_error(
    room: Room, url: str, link: str, sentence: str
) -> None:
    with room.open("o") as at:
        play(at, link.format(url=url))
        says(at, sentence)
        at.click("#play")
        says(at, sentence)


def test_a_server_that_names_another_one_is_refused(room: Room) -> None:
    link = f"https://play.example.org/m/{'A' * 22}"
    made = {"id": "A" * 22, "secret": "s" * 43, "link": link}
    told = written("201 Made", json.dumps(made).encode())
    with serving(lambda _: [told]) as evil, room.open("o") as at:
        play(at, evil)
        at.press("enter")
        says(
            at, "sent a link to another server, https://play.example.org; if you trust"
        )
        assert at.place == "Online"


def test_a_take_back_is_requested_and_allowed(room: Room, url: str) -> None:
    ada = Friend(url)
    with room.open("o") as at:
        table = sit(at, ada.create(first=2))
        at.press("5")
        at.until(lambda: table.session.game.moves == (5,))
        at.press("question_mark")
        assert "u  Ask to take your last move back; press again to cancel." in at.text
        assert "esc  Leave the table; your seat is saved." in at.text
        at.press("escape", "u")
        says(at, "You asked to take a move back.")
        ada.move(2)
        at.until(lambda: table.session.game.moves == (5, 2))
        for answer, moves in (("n", (5, 2)), ("y", (5,))):
            ada.ask("take-back")
            says(at, "Ada asks to take a move back.")
            assert at.place == "Table"
            assert "y allow it  n no, play on" in at.text
            at.press(answer)
            at.until(lambda: table.session.take_back_asked is None)
            assert table.session.game.moves == moves


def test_keys_in_a_burst_play_the_first_of_them(room: Room, url: str) -> None:
    with room.open("o") as at:
        table = sit(at, Friend(url).create(first=2))
        at.burst("5", "4", "u", "x", "n")
        at.until(lambda: bool(table.session.game.moves))
        assert table.session.game.moves == (5,)
        assert at.place == "Table"


def test_questions_come_before_a_move_counts(room: Room, url: str) -> None:
    ada = Friend(url)
    link = ada.create(SHOWDOWN, first=2, start=12, lessons={"mental": True})
    with room.open("o") as at:
        table = sit(at, link)
        at.press("9")
        at.until(lambda: at.place == "ProductDialog")
        at.press("escape")
        at.press("9")
        at.until(lambda: at.place == "ProductDialog")
        at.press("1", "0", "8", "enter")
        at.until(lambda: at.place == "ConfirmDialog")
        at.press("n")
        at.press("9")
        at.until(lambda: at.place == "ProductDialog")
        at.press("1", "0", "8", "enter")
        at.until(lambda: at.place == "ConfirmDialog")
        at.press("y")
        at.until(lambda: table.session.game.outcome is not None)


def test_the_product_of_another_is_not_told_as_ones_own(room: Room, url: str) -> None:
    ada = Friend(url)
    link = ada.create(start=12, lessons={"mental": True})
    with room.open("o") as at:
        table = sit(at, link)
        ada.move(2, answer=24)
        says(at, "Ada plays ×2: 12 × 2 makes 24.")
        at.press("2")
        at.until(lambda: at.place == "ProductDialog")
        at.press("4", "7", "enter")
        says(at, "Not quite: 24 × 2 is 48")
        ada.move(9, answer=5)
        at.until(lambda: at.place == "GameOver")
        assert "Not quite" not in at.text
        assert "Not quite" not in table.query_one(Panel).shown_text


def test_a_lost_connection_is_shown(room: Room, tmp_path: Path) -> None:
    home = tmp_path / "server"
    with room.open("o") as at:
        with beside(home) as url:
            port = int(url.rpartition(":")[2])
            ada = Friend(url)
            sit(at, ada.create())
        says(at, "Connection lost.")
        at.press("u")
        says(at, "so your request may be lost; once you are connected again, check")
        for size in (TINY, USUAL):
            at.resize(size)
            assert at.text.splitlines()[0].endswith("connection lost")
        with beside(home, port):
            ada.move(5)
            says(at, "Ada plays ×5: 1 × 5 makes 5.")
            assert at.text.splitlines()[0].endswith("online")
            ada.ask("resign")
            at.until(lambda: at.place == "GameOver")
        at.until(lambda: at.text.splitlines()[0].endswith("connection lost"))
        with beside(tmp_path / "another", port):
            says(at, "no such match")
            assert at.text.splitlines()[0].endswith("match gone")


def test_an_answer_may_come_while_the_app_closes(room: Room, url: str) -> None:
    ada = Friend(url)
    with room.open("o") as at:
        table = sit(at, ada.create(first=2))
        ada.ask("resign")
        at.until(lambda: at.place == "GameOver")

        async def close(screen: Widget) -> None:
            await screen.remove_children()  # as closing does, before all else
            table.show_text("The match went on.")

        at.do(close(at.app.screen), close(table))
