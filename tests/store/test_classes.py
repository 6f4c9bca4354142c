"""Classes in every kind of store: logs, codes, and the matches of their tables."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from msgspec.structs import replace

from ninefold.classroom import Door, Join, Question, Roster
from ninefold.classroom import commands as classroom
from ninefold.errors import RevisionConflict, UnknownClass, UnknownMatch
from ninefold.session import Proposal
from ninefold.store import ClassCommand, Store
from tests.store.stores import (
    NINES,
    RULES,
    SINGLE,
    START,
    STORES,
    Clock,
    Opening,
    begin,
    class_append,
    first_append,
)

OPEN = Door("482913", is_open=True)
MIA = Join(1, ("Mia",))


@pytest.fixture(
    params=[
        STORES["file"],
        STORES["memory"],
        pytest.param(STORES["postgres"], marks=pytest.mark.prove),  # takes seconds
    ],
    ids=list(STORES),
)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opening: Opening = request.param
    with opening(Clock()) as opened:
        yield opened


def test_a_class_is_read_as_it_was_appended(store: Store) -> None:
    commands = (
        OPEN,
        Roster((("Mia",), ("Tom", "Ann")), (("Mia", "Tom"),)),
        MIA,
        classroom.StartRound(
            Proposal(game="duel", opponent="friend", target="1,000"),
            8,
            (classroom.Table(1, "m", (1,), "beginner"),),
        ),
        classroom.Ask(Question("move", "multiplier", RULES, (7,))),
    )
    store.append(class_append("c", *commands[:2]))
    store.append(class_append("c", *commands[2:], revision=2))
    log = store.class_with_id("c").log
    assert tuple(each.command for each in log) == commands
    assert {each.at for each in log} == {START}


def test_a_class_is_found_by_its_code_until_it_changes(store: Store) -> None:
    store.append(class_append("c", OPEN))
    assert store.class_with_code("482913") == "c"
    store.append(
        class_append("c", Door("111222", is_open=False), revision=1, code="111222")
    )
    assert store.class_with_code("482913") is None
    assert store.class_with_code("111222") == "c"
    assert store.class_with_code("\udce9") is None


def test_no_two_classes_have_one_code(store: Store) -> None:
    store.append(class_append("c", OPEN))
    with pytest.raises(RevisionConflict):
        store.append(class_append("d", OPEN))
    with pytest.raises(UnknownClass):
        store.class_with_id("d")


def test_commands_must_follow_the_log(store: Store) -> None:
    store.append(class_append("c", OPEN))
    for revision in (0, 2):
        with pytest.raises(RevisionConflict):
            store.append(class_append("c", MIA, revision=revision))
    with pytest.raises(UnknownClass):
        store.append(class_append("d", MIA, revision=1))
    assert store.class_revisions(["c", "d"]) == {"c": 1}


def test_a_command_and_the_matches_that_it_makes_are_stored_together(
    store: Store,
) -> None:
    table = replace(first_append("m", NINES[:1], SINGLE), class_id="c")
    store.append(class_append("c", OPEN))
    with pytest.raises(RevisionConflict):
        store.append(class_append("c", MIA, revision=3, matches=(table,)))
    with pytest.raises(UnknownMatch):
        store.match("m")
    store.append(class_append("c", MIA, revision=1, matches=(table,)))
    assert store.match("m").session.game.total == 9
    assert store.class_of("m") == "c"


def test_matches_of_a_class_are_in_no_list(store: Store) -> None:
    own = begin(store, *NINES[:1], setup=SINGLE)
    played = first_append("m", (*NINES[:2],), SINGLE)
    store.append(
        class_append("c", OPEN, matches=(replace(played, class_id="c"),)),
    )
    store.add_match("Ada", "m")
    assert [row.id for row in store.unfinished()] == [own]
    assert store.find("") == [own]
    assert [row.match_id for row in store.history()] == [own]
    assert store.count() == 1
    assert store.games_of("Ada") == []
    assert [*store.finished_against_levels(), *store.finished_between_people()] == []
    assert len([*store.entries()]) == 2  # Ada is one
    assert store.class_of(own) is None


def test_a_class_goes_with_its_matches_and_nothing_else(store: Store) -> None:
    own = begin(store, *NINES[:1], setup=SINGLE)
    for name, code in (("c", "111111"), ("d", "222222")):
        table = replace(first_append(f"m{name}", NINES[:1], SINGLE), class_id=name)
        store.append(
            class_append(name, Door(code, is_open=True), code=code, matches=(table,))
        )
    store.delete_class("c")
    for ask in (
        lambda: store.class_with_id("c"),
        lambda: store.match("mc"),
    ):
        with pytest.raises((UnknownClass, UnknownMatch)):
            ask()
    assert store.match("md").id == "md"
    assert store.match(own).id == own


def test_old_classes_are_removed_by_a_rule_of_their_own(store: Store) -> None:
    later = START + timedelta(hours=30)
    for name, code, at in (("c", "111111", START), ("d", "222222", later)):
        table = replace(first_append(f"m{name}", NINES[:1], SINGLE), class_id=name)
        store.append(
            class_append(name, OPEN, code=code, at=at, matches=(table,)),
        )
    assert store.delete_older_than(later + timedelta(days=400)) == 0
    assert store.delete_classes_older_than(later) == ["c"]
    assert store.class_revisions(["c", "d"]) == {"d": 1}
    with pytest.raises(UnknownMatch):
        store.match("mc")


def test_wrong_codes_are_counted_for_an_address_and_for_all(store: Store) -> None:
    assert store.count_wrong_codes("a") == (0, 0)
    store.add_wrong_code("a")
    store.add_wrong_code("b")
    assert store.count_wrong_codes("a") == (1, 2)
    assert store.count_wrong_codes("c") == (0, 2)


def test_the_latest_class_is_the_one_created_last(store: Store) -> None:
    assert store.latest_class() is None
    store.append(class_append("c", OPEN, code="111111"))
    # The clock was an hour ahead before.
    store.append(class_append("d", OPEN, code="222222", at=START - timedelta(hours=1)))
    assert store.latest_class() == "d"
    store.append(class_append("c", MIA, revision=1, code="111111"))
    assert store.latest_class() == "d"


def test_a_command_is_stored_with_its_request(store: Store) -> None:
    append = class_append("c", OPEN)
    logged = ClassCommand(OPEN, START, "request.body")
    store.append(replace(append, commands=(logged,)))
    assert store.class_with_id("c").log == (logged,)
