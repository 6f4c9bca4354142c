"""What is proposed makes a set-up, or a problem that names its field."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Length, ProposalError, Seat, StartRule
from ninefold.levels import LEVELS
from ninefold.match import LengthKind
from ninefold.rulebooks import KEYS, load
from ninefold.session import (
    FRIEND,
    HERE,
    TOSS,
    Lessons,
    Proposal,
    ProposedLength,
    Session,
    Setup,
)

PRIMES = Path(__file__).parents[2] / "docs/examples/primes.toml"
PLAIN = Proposal(game="duel", opponent=HERE)

typed = st.one_of(
    st.none(),
    st.sampled_from(["", " ", "1", "1,000", "2-5", "5-2", "2, 3", "ten", "-1", "\x1b"]),
    st.text(max_size=8),
)
numbers = st.one_of(typed, st.integers(), st.sampled_from([10**999, 10**1000, True]))
names = st.one_of(typed, st.sampled_from(["Player 2", "Expert", "Ada", "n" * 25]))
players = st.one_of(st.sampled_from([FRIEND, HERE, "human", *LEVELS]), st.text())
proposals = st.builds(
    Proposal,
    game=st.one_of(st.sampled_from([*KEYS, "duel", "showdown", ""]), st.text()),
    book_text=st.one_of(
        st.none(), st.sampled_from([PRIMES.read_text("utf-8"), "\ud800"]), st.text()
    ),
    target=numbers,
    multipliers=st.one_of(typed, st.lists(st.integers(), max_size=101).map(tuple)),
    start=numbers,
    length=st.none()
    | st.builds(
        ProposedLength,
        st.sampled_from(LengthKind),
        st.one_of(st.integers(), st.text(), st.sampled_from(["3", "1,000"])),
    ),
    first=st.sampled_from([*Seat, TOSS]),
    starts=st.sampled_from(StartRule),
    player=players,
    opponent=players,
    lessons=st.builds(Lessons, st.booleans(), st.integers(0, 9)),
    name=names,
    other_name=names,
)
seeds = st.integers(-(2**63) + 1, 2**63 - 1)


def setup_or_problem(proposal: Proposal, seed: int) -> Setup | ProposalError:
    try:
        return proposal.setup(seed)
    except ProposalError as error:
        return error


@given(proposals, seeds)
@example(replace(PLAIN, start=1000), 0)
@example(replace(PLAIN, name="A\u200d", other_name="A"), 0)
def test_every_proposal_makes_a_setup_or_names_the_field_that_prevents_it(
    proposal: Proposal, seed: int
) -> None:
    made = setup_or_problem(proposal, seed)
    if isinstance(made, ProposalError):
        assert made.field in Proposal.__struct_fields__
        assert str(made)
    else:
        made.check()
        assert made.seed == seed
        assert Session.start(made).setup == made


def test_omitted_fields_default_to_the_rule_books_own() -> None:
    book = load("multiplication-duel")
    assert PLAIN.setup(5) == Setup(rules=book.rules, book=book.key, seed=5)
    friend = replace(PLAIN, opponent=FRIEND, name="Ada").setup(5)
    assert (friend.names, friend.all_seated) == (("Ada", "Player 2"), False)


def test_everything_can_be_proposed_as_people_type_it() -> None:
    setup = Proposal(
        game="multiplier-showdown",
        target=" 2,000 ",
        multipliers="2-4, 9",
        start="3",
        length=ProposedLength(LengthKind.FIRST_TO, "2"),
        first=Seat.TWO,
        starts=StartRule.LOSER,
        player="expert",
        opponent=HERE,
        lessons=Lessons(coach=True),
        other_name=" Ada ",
    ).setup(0)
    rules = setup.rules
    assert (rules.target, rules.multipliers, rules.start) == (2000, (2, 3, 4, 9), 3)
    assert (setup.length, setup.starts) == (Length.first_to(2), StartRule.LOSER)
    assert (setup.first, setup.lessons) == (Seat.TWO, Lessons(coach=True))
    assert (setup.names, setup.levels) == (("Expert", "Ada"), ("expert", None))


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"name": "Player 2"}, "name", "the other player is called Player 2 too"),
        ({"other_name": "Player 1"}, "other_name", "choose another name"),
        ({"game": "chess"}, "game", "'chess' is not a game; try multipli"),
        ({"game": "showdown"}, "game", "fits several games; choose one of"),
        (
            {"book_text": "title = 5"},
            "game",
            "duel.toml: title: expected a line of text",
        ),
        ({"game": "No Key", "book_text": ""}, "game", "is not a valid rule book key"),
        ({"target": "ten"}, "target", "a whole number in plain digits, such as 100"),
        ({"target": "1"}, "target", "use 2 or more instead of 1"),
        ({"target": 20, "start": 50}, "target", "use 51 or more instead of 20"),
        ({"start": 100}, "start", "the target must be greater than the start (100)"),
        ({"start": "0"}, "start", "use 1 instead of 0"),
        ({"start": "9" * 1001}, "start", "the start has more than 1,000 digits"),
        ({"multipliers": ""}, "multipliers", "type the multipliers"),
        ({"multipliers": "2-102"}, "multipliers", "at most 100 multipliers"),
        ({"multipliers": (1, 2)}, "multipliers", "leave out 1"),
        ({"multipliers": "9" * 1001}, "multipliers", "has more than 1,000 digits"),
        (
            {"length": ProposedLength(LengthKind.BEST_OF, 2)},
            "length",
            "takes an odd number",
        ),
        (
            {"length": ProposedLength(LengthKind.BEST_OF, 10**6)},
            "length",
            "from 1 to 1,000, such",
        ),
        (
            {"length": ProposedLength(LengthKind.GAMES, 0)},
            "length",
            "a number from 1 to",
        ),
        (
            {"length": ProposedLength(LengthKind.BEST_OF, "")},
            "length",
            "type a number of games",
        ),
        (
            {"length": ProposedLength(LengthKind.BEST_OF, "x")},
            "length",
            "such as 3; 'x' is not",
        ),
        ({"opponent": "nobody"}, "opponent", "'nobody' is not a level; choose one of"),
        ({"player": "friend"}, "player", "'friend' is not a level"),
        ({"name": " "}, "name", "a name needs 1 to 24 visible characters"),
        ({"other_name": "\x1b"}, "other_name", "a name needs 1 to 24 visible"),
        (
            {"name": "Ada", "other_name": "Ada"},
            "other_name",
            "the other player is called Ada too; choose another name",
        ),
    ],
)
def test_an_error_names_its_field_and_says_what_to_use(
    change: dict[str, object], field: str, sentence: str
) -> None:
    with pytest.raises(ProposalError) as caught:
        replace(PLAIN, **change).setup(0)
    assert caught.value.field == field
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("change", "bots", "named"),
    [
        ({}, {}, ("Player 1", "Player 2")),
        ({"opponent": "planner"}, {}, ("Player 1", "Planner")),
        ({"opponent": FRIEND, "name": "Player 2"}, {}, ("Player 2", "Player 2 2")),
        ({"opponent": "planner", "name": "Planner"}, {}, ("Planner", "Planner 2")),
        ({"opponent": "planner", "other_name": "Bo"}, {}, ("Player 1", "Bo")),
        ({"player": "expert", "opponent": "expert"}, {}, ("Expert 1", "Expert 2")),
        ({}, {Seat.ONE: "Otto", Seat.TWO: "Otto"}, ("Otto 1", "Otto 2")),
        ({"name": "Otto"}, {Seat.TWO: "Otto"}, ("Otto", "Otto 2")),
    ],
)
def test_a_seat_without_a_name_is_called_after_its_player(
    change: dict[str, object], bots: dict[Seat, str], named: tuple[str, str]
) -> None:
    setup = replace(PLAIN, **change).setup(0, bots)
    assert setup.names == named
    assert setup.bots == tuple(bots)


def test_a_toss_is_made_by_the_seed() -> None:
    tossed = [replace(PLAIN, first=TOSS).setup(seed) for seed in range(20)]
    assert {setup.first for setup in tossed} == set(Seat)
    assert all(setup.first_tossed for setup in tossed)
    assert replace(PLAIN, first=TOSS).setup(3) == tossed[3]


def test_a_custom_rule_book_is_part_of_the_setup() -> None:
    text = PRIMES.read_text("utf-8")
    setup = replace(PLAIN, game="primes", book_text=text).setup(0)
    assert setup.rulebook().title == "Prime Time"
    assert setup.rules == setup.rulebook().rules
