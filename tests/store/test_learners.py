"""Learners: names, and what becomes of the answers behind them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from ninefold import NameTaken, RecordError, Seat, SetupError, UnknownLearner
from ninefold.learning import Activity, Answer
from ninefold.session import Move, Resign
from ninefold.store import (
    DEFAULT_LEARNER,
    Imported,
    Learner,
    Store,
    export_lines,
    import_lines,
)
from tests.store import stores


@pytest.fixture(params=stores.STORES)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with stores.STORES[request.param](stores.Clock()) as opened:
        yield opened


def names(store: Store) -> list[str]:
    return [learner.name for learner in store.learners()]


def products(store: Store, name: str) -> list[str]:
    """Return what the learner with a name was asked."""
    return [each.item for each in store.answers(store.learner(name).id)]


def test_learners_are_listed_in_the_order_they_came(store: Store) -> None:
    for name in ("Zoë", "Ada", "Zoë"):
        stores.answer(store, name=name)
    assert names(store) == ["Zoë", "Ada"]
    assert len({learner.id for learner in store.learners()}) == 2


def test_learner_names_ignore_case(store: Store) -> None:
    ada = store.learner("Ada")
    assert store.learner("ADA") == store.learner("ada") == ada
    assert store.learner_with_id(ada.id) == ada
    assert names(store) == ["Ada"]


def test_a_match_against_a_level_is_the_first_learner_s_until_they_are_removed(
    store: Store,
) -> None:
    match_id = stores.begin(store, Move(9), Resign(Seat.TWO))
    stores.begin(store, Move(9), Resign(Seat.TWO))
    for learner in ("ada", "bo"):
        store.add_match(learner, match_id)
    assert [row.match_id for row in store.games_of("ada")] == [match_id]
    assert store.games_of("bo") == []
    assert store.answers("ada") == []
    store.remove_learner("ada")
    assert store.games_of("ada") == []
    assert len(store.history()) == 2  # the games stay


def test_learners_with_different_ids_may_share_a_name(store: Store) -> None:
    for learner_id, name in (("1", "Bo"), ("2", "Ada"), ("1", "Ada")):
        store.name_learner(learner_id, name)
    found = store.learner_with_id("1")
    assert found is not None
    assert (found.id, found.name, found.formerly) == ("1", "Ada", ())
    assert names(store) == ["Ada", "Ada"]
    assert store.learner_with_id("3") is None


def test_learners_who_have_not_answered_since_a_time_are_removed(store: Store) -> None:
    assert store.newest_change() is None
    for name in ("Idle", "Ada"):
        stores.answer(store, name=name)
    time = store.now()
    stores.answer(store, name="Ada")
    newest = store.newest_change()
    assert newest is not None
    assert newest > time
    assert store.delete_older_than(time) == 0  # matches
    assert names(store) == ["Ada"]
    ada = store.learner("Ada").id
    assert store.count_answers(ada) == len(store.answers(ada)) == 2


def test_a_request_stores_its_answers_once_and_refuses_another_body(
    store: Store,
) -> None:
    first, second = [
        Answer(
            item=item, given="1", right=False, at=stores.START, activity=Activity.DRILL
        )
        for item in ("2x3", "4x5")
    ]
    for answers in ([first, second], [first]):
        assert store.add_answers_of("ada", "request", "body", answers)
        assert store.answers("ada") == [first, second]
    assert store.has_learner("ada")
    assert not store.has_learner("bo")
    assert not store.add_answers_of("ada", "request", "other", [second])
    assert store.add_answers_of("ada", "requests", "other", [])
    assert store.add_answers_of("bo", "requests", "body", [second])
    assert (store.count_answers("ada"), store.answers("bo")) == (2, [second])


def test_a_transfer_is_taken_by_one_request_while_it_lasts(store: Store) -> None:
    minute, second = timedelta(minutes=1), timedelta(seconds=1)
    stores.answer(store, name="Ada")
    ada = store.learner("Ada").id
    store.offer_transfer(ada, "first", "sealed", minute)
    assert store.take_transfer("second", "request", minute) is None
    for _ in range(2):
        assert store.take_transfer("first", "request", minute) == "sealed"
    assert store.take_transfer("first", "other", minute) is None
    store.offer_transfer(ada, "second", "sealed", minute)
    assert store.take_transfer("first", "request", minute) is None
    store.offer_transfer(ada, "third", "again", minute)
    assert store.take_transfer("second", "request", minute) is None
    assert store.take_transfer("third", "request", second / 2) is None
    assert store.take_transfer("third", "request", minute) is None  # removed
    store.offer_transfer(ada, "fourth", "again", minute)
    assert [each.name for each in store.learners()] == ["Ada"]
    store.remove_learner(ada)
    assert store.take_transfer("fourth", "request", minute) is None


def test_latest_learner_was_chosen_or_answered_last(store: Store) -> None:
    assert store.latest_learner() is None
    for name in ("Ada", "Bo"):
        stores.answer(store, name=name)
    assert store.latest_learner() == store.learner("Bo")
    assert store.choose_learner("ada") == store.latest_learner() == store.learner("Ada")
    assert names(store) == ["Ada", "Bo"]
    new = store.choose_learner("Cy")
    assert (store.latest_learner(), new.name) == (new, "Cy")
    stores.answer(store, name="Bo")
    assert store.latest_learner() == store.learner("Bo")
    store.remove_learner(store.learner("Bo").id)
    assert store.latest_learner() == new


@pytest.mark.parametrize("name", ["", " Ada", "\x1b[2J", "n" * 25, "a\u202eb"])
def test_a_learner_has_a_name_that_can_be_shown(store: Store, name: str) -> None:
    store.learner("Bo")
    with pytest.raises(RecordError, match="name: expected 1 to 24 printable"):
        store.learner(name)
    with pytest.raises(RecordError, match="name: expected 1 to 24 printable"):
        store.rename_learner("Bo", name)
    assert names(store) == ["Bo"]


def test_earlier_name_still_finds_the_learner(store: Store) -> None:
    stores.answer(store, name="Bo")
    store.rename_learner("Bo", "Ada")
    store.rename_learner("ada", "Ada L.")
    assert names(store) == ["Ada L."]
    for name in ("Bo", "Ada", "Ada L."):
        assert products(store, name) == ["7x8"]
    store.rename_learner("Ada L.", "Ada")
    assert store.learners()[0].formerly == ("Bo", "Ada L.")


@pytest.mark.parametrize("seat", Seat)
def test_a_seat_without_a_name_practises_for_the_default_learner(
    store: Store, seat: Seat
) -> None:
    stores.answer(store, name=str(seat))
    assert names(store) == [DEFAULT_LEARNER]
    assert store.choose_learner(str(seat)).name == DEFAULT_LEARNER
    store.rename_learner(DEFAULT_LEARNER, "Ada")
    stores.answer(store, name=str(seat.other))
    assert names(store) == ["Ada"]


@pytest.mark.parametrize("name", ["Player 1", "player 2"])
def test_a_seat_name_is_no_learner_s(store: Store, name: str) -> None:
    guest = store.learner(name)
    assert guest.name == "Guest"
    store.learner("Ada")
    with pytest.raises(SetupError, match=f"'{name}' is the name of a seat; choose"):
        store.rename_learner("Ada", name)
    assert store.learner(name) == guest
    assert names(store) == ["Guest", "Ada"]


def test_rename_to_a_taken_name_is_rejected(store: Store) -> None:
    store.learner("Ada")
    store.learner("Bo")
    store.rename_learner("Bo", "Cy")
    store.learner("Dee")
    refusals = {
        "ada": "there is already a learner called 'ada'; choose another name",
        "Bo": "'Bo' is an earlier name of Cy; choose another name",
    }
    for taken, message in refusals.items():
        with pytest.raises(NameTaken, match=message):
            store.rename_learner("Dee", taken)
    assert names(store) == ["Ada", "Cy", "Dee"]


def test_unknown_learner_name_is_rejected(store: Store) -> None:
    with pytest.raises(UnknownLearner):
        store.find_learner("Ada")
    with pytest.raises(
        UnknownLearner, match=r"there is no learner called 'Ada'; there are none"
    ):
        store.rename_learner("Ada", "Bo")
    store.learner("Bo")
    store.learner("Cy")
    with pytest.raises(UnknownLearner, match="the learners are Bo and Cy"):
        store.find_learner("Dee")


def test_a_learner_is_removed_with_every_answer(store: Store) -> None:
    for name in ("Ada", "Bo"):
        stores.answer(store, name=name)
    store.remove_learner(store.learner("Ada").id)
    store.remove_learner("nobody")
    assert names(store) == ["Bo"]
    assert len(store.answers()) == 1
    assert products(store, "Ada") == []


def test_learners_of_the_same_name_on_two_machines_stay_two(store: Store) -> None:
    stores.answer(store, 2, 3)
    here = store.learner("Ada")
    there = Learner(id="other", name="Ada", begun_at=stores.START.replace(year=2020))
    assert store.import_entries([there]) == Imported(added=1)
    assert store.learner("Ada") == here  # the first here, whatever the clocks say
    assert names(store) == ["Ada", "Ada"]
    store.rename_learner("other", "Bo")
    assert names(store) == ["Ada", "Bo"]
    assert store.import_entries([there]) == Imported(known=1)
    assert names(store) == ["Ada", "Bo"]


def test_importing_the_same_twice_changes_nothing(store: Store) -> None:
    stores.answer(store)
    store.rename_learner("Ada", "Ada L.")
    with stores.in_memory(stores.Clock()) as other:
        for expected in (Imported(added=2), Imported(known=2)):
            assert import_lines(other, export_lines(store)) == expected
        assert [*other.entries()] == [*store.entries()]


def test_answers_of_a_learner_who_is_not_in_the_export_have_a_learner(
    store: Store,
) -> None:
    entry = stores.puzzle_entry("one", stores.START)
    store.import_entries([entry])
    (learner,) = store.learners()
    assert (learner.id, learner.name, learner.begun_at) == ("Ada", "Ada", stores.START)
    store.rename_learner("Ada", "Bo")
    assert products(store, "Ada") == ["p"]


# In a file


def test_damaged_learner_is_skipped(tmp_path: Path) -> None:
    with stores.in_folder(tmp_path) as store:
        for name in ("Ada", "Bo"):
            stores.answer(store, name=name)
        damaged = store.learner("Ada").id
        with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
            file.execute(
                "UPDATE learned SET entry = '{' WHERE kind = 'learner' AND id = ?",
                (damaged,),
            )
        assert names(store) == ["Bo"]
        (notice,) = store.pop_notices()
        assert notice.startswith(f"entry {damaged} is damaged and was skipped")
        store.rename_learner("Bo", "Cy")
        assert len(store.answers()) == 2
