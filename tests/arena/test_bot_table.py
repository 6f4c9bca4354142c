"""A table at which bots play: what they are asked, what they lose by, who may ask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from msgspec.structs import replace

from ninefold import Ending, Length, NothingToUndo, OutOfTurn, Rules, Seat
from ninefold.arena.bot_process import Bot, Limits
from ninefold.arena.bot_table import BotTable
from ninefold.cli.console import utc_now
from ninefold.session import Lessons, Session, Setup, commands
from ninefold.session.table import News, Update
from ninefold.store import LogWriter
from ninefold.store.local_table import LocalTable
from ninefold.store.sqlite import SqliteStore
from tests.arena.programs import sh

ONE, TWO = Seat
SETUP = Setup(rules=Rules(Ending.EXACT, 100), book="multiplication-duel")


class Sat:
    """Tables with bots; what they report, and what is stored."""

    def __init__(self, folder: Path) -> None:
        self.notices: list[str] = []
        self.news: list[News] = []
        self.tables: list[BotTable] = []
        self._folder = folder

    def store(self) -> SqliteStore:
        return SqliteStore(self._folder, clock=utc_now, new_id=lambda: str(uuid4()))

    def at(self, setup: Setup = SETUP, **answers: str) -> BotTable:
        """Sit at a table; ``one`` and ``two`` are what bots answer there."""
        writer = LogWriter(self.store, self.notices.append, surface="classic")
        bots = {
            seat: Bot(sh(answers[name]), Limits(60, 60))
            for seat, name in ((ONE, "one"), (TWO, "two"))
            if name in answers
        }
        local = LocalTable(Session.start(setup), writer)
        table = BotTable(local, bots, self.notices.append)
        table.listen(self.news.append)
        self.tables.append(table)
        return table

    def log(self) -> list[object]:
        with self.store() as store:
            (match_id,) = store.find("")
            return [each.command for each in store.match(match_id).log]


@pytest.fixture
def sat(tmp_path: Path) -> Iterator[Sat]:
    sat = Sat(tmp_path)
    yield sat
    for table in sat.tables:
        table.close()


def test_a_bots_seat_is_not_a_local_seat(sat: Sat) -> None:
    table = sat.at(two="echo move 3")
    assert table.seats == (ONE,)
    assert table.session.setup.levels == (None, None)
    assert not table.play_automatic_move()
    table.submit(commands.Move(2))
    assert table.play_automatic_move()
    assert not table.play_automatic_move()
    assert table.session.game.moves == (2, 3)
    assert all(isinstance(news, Update) for news in sat.news)
    assert table.is_stored


def test_two_bots_play_a_match_to_its_end(sat: Sat) -> None:
    setup = replace(SETUP, length=Length.games(3))
    table = sat.at(setup, one="echo move 9", two="echo move 9")
    assert table.seats == ()
    while table.play_automatic_move():
        pass
    assert table.session.match.is_over
    assert not sat.notices


def test_a_bot_is_asked_no_question(sat: Sat) -> None:
    lessons = Lessons(coach=True, mental=True)
    rules = Rules(Ending.EXACT, 100)
    book = "multiplication-showdown"
    setup = replace(SETUP, rules=rules, book=book, lessons=lessons)
    table = sat.at(setup, one="echo move 9", two="echo move 9")
    while table.play_automatic_move():
        pass
    assert table.session.game.moves == (9, 9, 9)  # the last of them loses needlessly


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("exit 3", "exited before answering (exit code 3)"),
        ("echo move 1", "answered 'move 1', which is not one of the multipliers"),
        ("kill -9 $$", "exited before answering (signal 9)"),
    ],
)
def test_a_bot_that_fails_loses_the_game_and_the_log_has_the_reason(
    answer: str, reason: str, sat: Sat
) -> None:
    table = sat.at(two=answer)
    table.submit(commands.Move(2))
    assert table.play_automatic_move()
    assert table.session.game.resigned_by is TWO
    assert sat.notices == [f"Player 2 loses this game: it {reason}."]
    table.close()
    assert sat.log() == [commands.Move(2), commands.Resign(TWO, reason)]


def test_a_bot_that_failed_plays_the_next_game(sat: Sat) -> None:
    answer = '[ $total = 2 ] && exit 3; echo "move 5"'
    table = sat.at(replace(SETUP, length=Length.games(2)), two=answer)
    table.submit(commands.Move(2))
    while table.play_automatic_move():
        pass
    assert [game.moves for game in table.session.match.games] == [(2,)]
    assert table.session.game.moves == (5,)


def test_a_take_back_takes_the_bots_answer_back_too(sat: Sat) -> None:
    table = sat.at(two="echo move 3")
    table.submit(commands.Move(2))
    table.play_automatic_move()
    table.submit(commands.Move(4))
    table.play_automatic_move()
    table.submit(commands.TakeBack())
    assert table.session.game.moves == (2, 3)
    table.submit(commands.Move(4))
    table.submit(commands.TakeBack())  # while the bot would think
    assert table.session.game.moves == (2, 3)


def test_a_take_back_needs_a_move_of_the_persons_own(sat: Sat) -> None:
    table = sat.at(replace(SETUP, first=TWO), two="echo move 3")
    table.play_automatic_move()
    with pytest.raises(NothingToUndo):
        table.submit(commands.TakeBack())
    assert table.session.game.moves == (3,)


def test_a_person_cannot_move_for_a_bot(sat: Sat) -> None:
    table = sat.at(replace(SETUP, first=TWO), two="echo move 3")
    with pytest.raises(OutOfTurn, match="it is Player 2's turn; wait for its move"):
        table.submit(commands.Move(5))
    table.play_automatic_move()
    table.submit(commands.Move(5))


def test_a_person_may_resign_while_a_bot_thinks(sat: Sat) -> None:
    table = sat.at(replace(SETUP, first=TWO), two="echo move 3")
    table.submit(commands.ResignGame())
    assert table.session.game.resigned_by is ONE
    assert not table.play_automatic_move()


def test_a_rematch_waits_for_the_person(sat: Sat) -> None:
    table = sat.at(two="echo move 3")
    table.submit(commands.ResignGame())
    assert not table.play_automatic_move()
    table.submit(commands.RequestRematch())
    assert table.play_automatic_move()
    assert table.session.game.moves == (3,)


def test_a_bot_beside_a_level_moves_in_its_own_turn(sat: Sat) -> None:
    setup = replace(SETUP, levels=(None, "careful"), names=("A", "B"))
    table = sat.at(setup, one="echo move 2")
    while table.play_automatic_move():
        pass
    assert table.session.match.is_over
    assert table.session.game.moves[0] == 2


def test_a_move_chosen_for_another_position_is_not_played(sat: Sat) -> None:
    table = sat.at(two="echo move 3")
    table.submit(commands.Move(2))
    table.precompute()
    table.submit(commands.TakeBack())
    assert not table.play_automatic_move()
    assert table.session.game.moves == ()


def test_a_bot_starts_the_next_game_of_a_match(sat: Sat) -> None:
    table = sat.at(replace(SETUP, length=Length.best_of(3)), two="echo move 3")
    table.submit(commands.ResignGame())
    assert table.play_automatic_move()
    table.close()
    assert sat.log() == [commands.Resign(ONE), commands.NextGame(TWO)]
