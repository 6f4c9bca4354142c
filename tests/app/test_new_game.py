from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Paste

from ninefold.app.screens.play import TableScreen
from ninefold.app.widgets.form_fields import Choice, TextField
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.rulebooks import parse
from ninefold.session import Lessons, Move, Setup
from tests.app.rooms import Opened, Room, agreed

PRIMES = Path(__file__).parents[2] / "docs/examples/primes.toml"


def setup_at(at: Opened) -> Setup:
    """Return what was agreed for the game at the table."""
    screen = at.app.screen
    assert isinstance(screen, TableScreen)
    return screen.session.setup


def field(at: Opened, key: str) -> TextField:
    return at.app.screen.query_one(f"#{key}", TextField)


def write(at: Opened, key: str, text: str) -> None:
    field(at, key).focus()
    field(at, key).value = text
    at.wait()


def turn(at: Opened, key: str, *, back: bool = False) -> None:
    at.app.screen.query_one(f"#{key}", Choice).focus()
    at.press("left" if back else "right")


def test_enter_and_enter_play_against_the_computer(room: Room) -> None:
    with room.open("v", "enter") as at:
        assert at.place == "Table"
        setup = setup_at(at)
        assert setup.levels == (None, "careful")
        assert setup.names == ("Player 1", "Careful")
        assert setup.book == "multiplication-madness"


def test_a_game_against_the_computer_offers_the_learners_name(room: Room) -> None:
    room.keep(agreed(level="careful"), Move(5))
    with room.open("g", "n") as at:
        at.write("Zoe")
        at.press("enter", "escape", "v", "enter")
        assert setup_at(at).names == ("Zoe", "Careful")
        at.press("escape", "f", "enter")
        assert setup_at(at).names == ("Player 1", "Player 2")
        at.press("escape", "v")
        write(at, "one", "Cy")
        at.press("enter", "escape", "g")
        assert "◂ Cy ▸" in at.text
    with room.open("v", "enter") as at:
        assert setup_at(at).names == ("Cy", "Careful")


def test_default_player_name_is_not_offered_as_learner(room: Room) -> None:
    room.answer("2x2", "4", learner="Player 1")
    with room.open("v", "enter") as at:
        assert setup_at(at).names == ("Player 1", "Careful")


def test_enter_and_enter_play_for_two(room: Room) -> None:
    with room.open("f", "enter") as at:
        assert setup_at(at).levels == (None, None)
        assert setup_at(at).names == ("Player 1", "Player 2")


def test_everything_can_be_agreed(room: Room) -> None:
    with room.open("v") as at:
        for _ in range(3):
            turn(at, "book")
        write(at, "target", "2,000")
        write(at, "set", "2-4, 9")
        write(at, "one", "Grace Hopper")
        turn(at, "level")
        turn(at, "first")
        turn(at, "length")
        turn(at, "coach")
        turn(at, "mental")
        at.press("enter")
        setup = setup_at(at)
    assert setup.book == "multiplier-showdown"
    assert (setup.rules.target, setup.rules.multipliers) == (2000, (2, 3, 4, 9))
    assert setup.names == ("Grace Hopper", "Planner")
    assert setup.levels == (None, "planner")
    assert setup.first is Seat.TWO
    assert setup.length == Length.best_of(3)
    assert setup.lessons == Lessons(coach=True, mental=True)
    assert setup.seed == 7


def test_the_form_tells_what_will_be_played(room: Room) -> None:
    with room.open("v") as at:
        assert at.said.startswith("Reach 100 or more to win.\nPlayer 1 starts.")
        assert "Careful: Looks one move ahead" in at.said
        turn(at, "first")
        turn(at, "first")
        assert "A coin decides who starts." in at.said
        turn(at, "coach")
        turn(at, "mental")
        assert "The coach warns you" in at.said
        assert "You work out each product" in at.said


def test_a_wrong_number_is_told_as_it_is_typed_and_enter_waits(room: Room) -> None:
    with room.open("f") as at:
        write(at, "target", "0")
        assert "Not yet. The target must be greater than the start" in at.said
        at.press("enter")
        assert at.place == "NewGame"
        write(at, "target", "100")
        write(at, "set", "")
        assert at.said == "Not yet. Type the multipliers, such as 2-9."
        at.press("ctrl+r")
        assert field(at, "set").value == "2-9"
        write(at, "two", "Player 1")
        assert "The other player is called Player 1 too" in at.said


def test_a_click_turns_and_plays_and_a_game_brings_its_target(room: Room) -> None:
    with room.open("v") as at:
        turn(at, "book")
        turn(at, "book")
        assert field(at, "target").value == "1000"
        turn(at, "book", back=True)
        assert field(at, "target").value == "100"
        level = at.app.screen.query_one("#level", Choice)
        at.click("#level", (6, 0))
        assert level.value == "planner"
        at.click("#level", (1, 0))
        assert level.value == "careful"
        at.click("#play", (4, 0))
        assert at.place == "Table"


def test_a_number_is_typed_after_one_that_another_game_brought(room: Room) -> None:
    with room.open("f") as at:
        turn(at, "book")
        turn(at, "book")
        target = field(at, "target")
        assert target.value == "1000"
        target.focus()
        at.press(*["backspace"] * 4)
        at.write("500")
        assert target.value == "500"
        at.press("home", "delete", "7", "end", "0")
        assert target.value == "7000"
        at.press("ctrl+r", "9")
        assert target.value == "10009"


@pytest.mark.parametrize("typed", ["1e6", "5x0", "1_000", "ten"])
def test_an_entry_that_is_not_a_number_stays_and_the_form_says_what_to_type(
    room: Room, typed: str
) -> None:
    with room.open("f") as at:
        target = field(at, "target")
        for enter in (at.write, partial(paste, at)):
            write(at, "target", "")
            enter(typed)
            assert target.value == typed
            assert at.said == (
                "Not yet. The target must be a whole number in plain digits, such as"
                f" 100; '{typed}' is not."
            )
            at.press("enter")
            assert at.place == "NewGame"
        write(at, "target", "")
        at.write("1,000")
        assert at.said.startswith("Reach 1,000 or more to win.")


def paste(at: Opened, text: str) -> None:
    at.app.post_message(Paste(f"{text}\nand another line"))
    at.wait()


def test_the_coin_decides_from_the_seed(room: Room) -> None:
    with room.open("f") as at:
        turn(at, "first", back=True)
        at.press("enter")
        setup = setup_at(at)
        assert setup.first_tossed
        starter = setup.name(setup.first)
        assert starter in at.said
        assert at.said.startswith("The coin is tossed")


def test_the_last_choices_are_remembered_for_each_kind(room: Room) -> None:
    for_two = replace(agreed("multiplier"), names=("Grace", "Alan"), first=Seat.TWO)
    room.keep(for_two, Move(5))
    lessons = Lessons(coach=True, give_backs=1)
    level = agreed(level="expert", lessons=lessons, length=Length.games(6))
    room.keep(level, Move(5, despite_coach=True))
    with room.open("f", "enter") as at:
        assert setup_at(at) == replace(for_two, seed=7)
        at.press("escape", "v", "enter")
        assert setup_at(at) == replace(level, seed=7)


def test_nobody_is_offered_the_name_of_a_level(room: Room) -> None:
    names, levels = ("Perfect 1", "Perfect 2"), ("perfect", "perfect")
    room.keep(replace(agreed(), names=names, levels=levels), Move(4))
    with room.open("v", "enter") as at:
        assert setup_at(at).names[0] == "Player 1"


def test_a_toss_is_remembered(room: Room) -> None:
    room.keep(replace(agreed(), first_tossed=True), Move(5))
    with room.open("f", "enter") as at:
        assert setup_at(at).first_tossed


def test_a_rule_book_of_ones_own_is_remembered(room: Room) -> None:
    text = PRIMES.read_text(encoding="utf-8")
    book = parse(text, key="primes", source="primes.toml")
    setup = Setup(rules=book.rules, book="primes", book_text=text, names=("Ada", "Bo"))
    room.keep(setup, Move(book.rules.multipliers[0]))
    with room.open("f") as at:
        assert book.title in at.text
        at.press("enter")
        assert setup_at(at) == replace(setup, seed=7)


def test_a_rule_book_of_ones_own_is_opened_and_offered_from_then_on(
    room: Room, tmp_path: Path
) -> None:
    mine = tmp_path / "multiplier.toml"  # the name of one of the five, too
    mine.write_text(PRIMES.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "broken.toml").write_text("title = 5")
    with room.open("f", "ctrl+o") as at:
        for typed, told in (
            ("", "Type the path of the file, such as ~/mine.toml."),
            ("nowhere.toml", "nowhere.toml: No such file"),
            ("~nobody-here/x.toml", "home"),
            (str(tmp_path / "broken.toml"), "title"),
        ):
            field(at, "text").value = typed
            at.press("enter")
            assert at.place == "TextDialog"
            assert told in " ".join(at.text.replace("│", " ").split())
        field(at, "text").value = str(mine)
        at.press("enter")
        assert at.place == "NewGame"
        assert "Prime Time" in at.text
        at.press("enter")
        setup = setup_at(at)
        assert setup.rulebook().title == "Prime Time"
        assert setup.rules == setup.rulebook().rules
        at.press("escape", "v")  # a game with the computer was never agreed on
        at.press("ctrl+o", "escape")
        assert at.place == "NewGame"
        assert "Prime Time" not in at.text
        at.app.screen.query_one("#book").focus()
        at.press("left")
        assert "Prime Time" in at.text
    mine.unlink()
    with room.open("v") as at:
        at.app.screen.query_one("#book").focus()
        at.press("left")
        assert "Prime Time" not in at.text


def test_keys_in_a_burst_go_to_the_field_that_each_of_them_finds(room: Room) -> None:
    with room.open("f") as at:
        target = field(at, "target").value
        field(at, "target").focus()
        at.wait()
        at.burst("backspace", "down", "5", "down", "X")
        assert field(at, "target").value == target[:-1]
        assert field(at, "set").value == "2-95"
        assert field(at, "one").value == "Player 1X"


def test_a_key_goes_to_the_screen_that_the_one_before_opened(room: Room) -> None:
    with room.open() as at:
        at.burst("f", "escape", "e", "up", "7", "escape", "l")
        assert at.place == "History"


def test_the_field_in_focus_is_marked_and_says_what_it_takes(room: Room) -> None:
    with room.open("f") as at:
        assert "← → choose" not in at.text
        at.press("up")
        assert "← → choose" in at.text
        assert "▸ Mental arithmetic" in at.text
