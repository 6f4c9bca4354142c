"""Every store there is, for the contract; and what the tests of all of them share."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random

from hypothesis import strategies as st

from ninefold import Ending, Game, Length, Match, Rules, Seat
from ninefold.store import HUMAN, KeptGame, KeptMatch, Setup, Store
from ninefold.store.sqlite import SqliteStore
from tests.strategies import all_games, all_matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    Opening = Callable[["Clock"], AbstractContextManager[Store]]

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
NAMES = {Seat.ONE: "Ada", Seat.TWO: "Blaise"}
PLAYERS = {Seat.ONE: HUMAN, Seat.TWO: "perfect"}
RULES = Rules(Ending.REACH, 100)
MATCH = Match(RULES, Length.best_of(3))
SETUP = Setup(MATCH, NAMES, PLAYERS, "multiplication-madness")


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


def numbered(prefix: str = "id") -> Callable[[], str]:
    """Make ids that can be foreseen."""
    numbers = count(1)
    return lambda: f"{prefix}-{next(numbers)}"


def in_folder(folder: Path | str | None, clock: Clock | None = None) -> SqliteStore:
    return SqliteStore(folder, clock=clock or Clock(), new_id=numbered(), patience=0.05)


@contextmanager
def in_a_file(clock: Clock) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder, in_folder(folder, clock) as store:
        yield store


@contextmanager
def in_memory(clock: Clock) -> Iterator[Store]:
    with in_folder(None, clock) as store:
        yield store


STORES: dict[str, Opening] = {"file": in_a_file, "memory": in_memory}
"""A second kind of store joins the contract here."""


def begin(store: Store, setup: Setup = SETUP) -> tuple[str, Game]:
    """Begin a match and its first game."""
    match_id = store.begin_match(setup)
    game = setup.match.next_game(Random(1))
    store.begin_game(match_id, 1, game)
    return match_id, game


def play(store: Store, match_id: str, game: Game, *moves: int, number: int = 1) -> Game:
    """Play moves, keeping each."""
    for multiplier in moves:
        store.change_game(match_id, number, game, game.play(multiplier))
        game = game.play(multiplier)
    return game


def play_whole(store: Store, setup: Setup, match: Match, game: Game | None) -> str:
    """Play a match as it was played, move by move, and a game that goes on."""
    match_id = store.begin_match(setup)
    going_on = (game,) if game is not None else ()
    for number, played in enumerate((*match.games, *going_on), start=1):
        begun = Game(played.rules, first=played.first)
        store.begin_game(match_id, number, begun)
        now = play(store, match_id, begun, *played.moves, number=number)
        if played.resigned is not None:
            store.change_game(match_id, number, now, played)
    return match_id


texts = st.text(max_size=12)
names = st.fixed_dictionaries(dict.fromkeys(Seat, texts))
finite = st.floats(allow_nan=False, allow_infinity=False)
whole_numbers = st.integers() | st.integers(-(10**40), 10**40)
options = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | whole_numbers | finite | texts,
        lambda inside: (
            st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3)
        ),
        max_leaves=4,
    ),
    max_size=3,
)
books = st.sampled_from(("", "multiplier", "my-own-7"))


@st.composite
def setups(draw: st.DrawFn, match: Match) -> Setup:
    empty = match.replace(games=())
    return Setup(
        empty,
        draw(names),
        draw(names),
        draw(books),
        draw(st.none() | texts),
        draw(st.none() | whole_numbers),
        draw(options),
    )


@st.composite
def played_matches(draw: st.DrawFn) -> tuple[Setup, Match, Game | None]:
    """Draw matches at any point, also between games and in the middle of one."""
    if draw(st.booleans()):
        game = draw(all_games())
        match = Match(game.rules, Length.best_of(1), first=game.first)
        if game.outcome is not None:
            match, going_on = match.add(game), None
        else:
            going_on = game
    else:
        match, going_on = draw(all_matches()), None
        if match.winner is None and draw(st.booleans()):
            going_on = match.next_game(Random(draw(st.integers(0, 9))))
            multiplier = draw(st.sampled_from(match.rules.multipliers))
            if going_on.play(multiplier).outcome is None:
                going_on = going_on.play(multiplier)
    return draw(setups(match)), match, going_on


times = st.datetimes(
    min_value=datetime(1980, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2200, 1, 1),  # noqa: DTZ001 - as above
    timezones=st.just(UTC),
)


@st.composite
def kept_matches(draw: st.DrawFn, match_id: str = "id") -> KeptMatch:
    setup, match, game = draw(played_matches())
    games = [KeptGame(ended, draw(times), draw(times)) for ended in match.games]
    if game is not None:
        games.append(KeptGame(game, draw(times)))
    aside = draw(st.none() | times) if match.winner is None else None
    return KeptMatch(match_id, setup, tuple(games), draw(times), draw(times), aside)
