"""Every store there is, for the contract; and what the tests of all of them share."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Ending, Length, NinefoldError, Rules, Seat, StartRule, classroom
from ninefold.learning import Activity, Answer
from ninefold.levels import LEVELS
from ninefold.session import (
    Command,
    GiveBack,
    Lessons,
    Move,
    Resign,
    Retry,
    Session,
    Setup,
    Undo,
)
from ninefold.store import Store, values
from ninefold.store.postgres import PostgresStore
from ninefold.store.sqlite import JournalMode, SqliteStore
from tests.store.postgres_server import empty_database

START = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
RULES = Rules(Ending.AVOID, 100)
SETUP = Setup(
    rules=RULES,
    length=Length.best_of(3),
    names=("Ada", "Blaise"),
    levels=(None, "perfect"),
    book="multiplier",
)
SINGLE = replace(SETUP, length=Length.best_of(1))
NINES = (Move(9), Move(9), Move(9))
"""The first to move loses: the total is not to reach 100."""


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


def in_folder(
    folder: Path | str | None,
    clock: Clock | None = None,
    journal_mode: JournalMode = "DELETE",
) -> SqliteStore:
    return SqliteStore(
        folder,
        clock=clock or Clock(),
        new_id=numbered(),
        lock_timeout=0.05,
        journal_mode=journal_mode,
    )


@contextmanager
def in_a_file(clock: Clock) -> Iterator[Store]:
    with tempfile.TemporaryDirectory() as folder, in_folder(folder, clock) as store:
        yield store


@contextmanager
def in_memory(clock: Clock) -> Iterator[Store]:
    with in_folder(None, clock) as store:
        yield store


@contextmanager
def in_postgres(clock: Clock) -> Iterator[Store]:
    with (
        empty_database() as url,
        PostgresStore(url, clock=clock, new_id=numbered(), lock_timeout=0.05) as store,
    ):
        yield store


Opening = Callable[[Clock], AbstractContextManager[Store]]
STORES: dict[str, Opening] = {
    "file": in_a_file,
    "memory": in_memory,
    "postgres": in_postgres,
}
"""Every kind of store is held to the contract."""


def first_append(
    match_id: str,
    commands: Iterable[Command],
    setup: Setup = SETUP,
    request: str = "",
) -> values.Append:
    """Return the append that makes a match with some commands."""
    start = Session.start(setup)
    return values.Append(
        match_id, tuple(values.accept_all(start, commands)), start, request
    )


def append_to(
    store: Store,
    match_id: str,
    number: int,
    commands: Iterable[Command],
    request: str = "",
) -> values.Append:
    """Return the append of somebody who knows the match up to a number, or guesses."""
    match = store.match(match_id)
    known = Session.replay(match.setup, match.commands[: number - 1])
    before = replace(known, revision=number - 1)
    return values.Append(
        match_id, tuple(values.accept_all(before, commands)), request=request
    )


def class_append(
    class_id: str,
    *commands: classroom.Command,
    revision: int = 0,
    code: str = "482913",
    at: datetime = START,
    matches: tuple[values.Append, ...] = (),
) -> values.ClassAppend:
    """Return the append of commands to a class; without a revision it makes one."""
    logged = tuple(values.ClassCommand(each, at) for each in commands)
    return values.ClassAppend(class_id, revision, logged, code, matches)


def begin(store: Store, *commands: Command, setup: Setup = SETUP) -> str:
    """Begin a match with some commands; return its id."""
    match_id = store.new_id()
    store.append(first_append(match_id, commands, setup))
    return match_id


def play(store: Store, match_id: str, *commands: Command) -> None:
    """Go on with a match, one command after the other."""
    number = len(store.match(match_id).log)
    for command in commands:
        number += 1
        store.append(append_to(store, match_id, number, (command,)))


def answer(
    store: Store,
    a: int = 7,
    b: int = 8,
    given: int = 54,
    *,
    name: str = "Ada",
    hinted: bool = False,
) -> Answer:
    """Answer a product, as somebody does in play."""
    return store.add_answer(
        store.learner(name).id,
        f"{a}x{b}",
        str(given),
        right=a * b == given,
        activity=Activity.PLAY,
        hinted=hinted,
    )


def try_puzzle(
    store: Store, puzzle: str, *, name: str = "Ada", right: bool = False
) -> Answer:
    """Answer a puzzle, wrong unless it is said to be right."""
    return store.add_answer(
        store.learner(name).id, puzzle, "2", right=right, activity=Activity.PUZZLE
    )


def puzzle_entry(
    entry_id: str, at: datetime, *, puzzle: str = "p", right: bool = False
) -> values.StoredAnswer:
    """Make an answer to a puzzle as another machine has stored it."""
    given = Answer(item=puzzle, given="2", right=right, at=at, activity=Activity.PUZZLE)
    return values.StoredAnswer(id=entry_id, learner="Ada", answer=given)


# What hypothesis draws from

BOOKS = {
    Ending.REACH: "multiplier-showdown",
    Ending.AVOID: "multiplier",
    Ending.EXACT: "multiplication-duel",
}
names = st.text(
    st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12
).filter(str.isprintable)
ids = st.uuids().map(str)
times = st.datetimes(
    min_value=datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(9998, 12, 31),  # noqa: DTZ001 - as above
    timezones=st.just(UTC),
)
whole_numbers = st.integers() | st.integers(-(10**40), 10**40)
factors = st.integers(0, 100) | st.integers(0, 10**40)
seconds = st.none() | st.floats(0, 1_000_000)


def own_book(ending: Ending) -> str:
    return f'title = "Mein Spiel ×"\n[rules]\nending = "{ending.value}"\ntarget = 50\n'


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    ending = draw(st.sampled_from(Ending))
    start = draw(st.sampled_from([1, 1, 7, 10**20]))
    above = draw(st.integers(1, 500) | st.integers(1, 10**60))
    multipliers = draw(
        st.sets(st.integers(2, 9), min_size=1)
        | st.sets(st.integers(2, 10**40), min_size=1, max_size=3)
    )
    lengths = [
        Length.best_of(draw(st.sampled_from([1, 3, 5]))),
        Length.first_to(draw(st.integers(1, 3))),
        Length.games(draw(st.integers(1, 4))),
    ]
    levels = st.sampled_from([None, None, *LEVELS])
    is_own = draw(st.booleans())
    one, two = draw(st.lists(names, min_size=2, max_size=2, unique=True))
    return Setup(
        rules=Rules(ending, start + above, tuple(multipliers), start),
        length=draw(st.sampled_from(lengths)),
        starts=draw(st.sampled_from(StartRule)),
        first=draw(st.sampled_from(Seat)),
        first_tossed=draw(st.booleans()),
        names=(one, two),
        levels=(draw(levels), draw(levels)),
        book="my-own-7" if is_own else BOOKS[ending],
        book_text=own_book(ending) if is_own else None,
        seed=draw(st.integers(-(2**63) + 1, 2**63 - 1)),
        lessons=Lessons(
            draw(st.booleans()), draw(st.integers(0, 1000)), draw(st.booleans())
        ),
    )


def candidates(session: Session) -> st.SearchStrategy[Command]:
    """Draw commands of every kind, most of which fit."""
    multipliers = st.sampled_from(session.setup.rules.multipliers)
    moves = st.builds(
        Move,
        multipliers,
        st.none() | whole_numbers,
        st.booleans(),
        st.booleans(),
    )
    if session.to_move is not None:
        return moves | st.sampled_from(
            [
                Undo(),
                Resign(Seat.ONE),
                Resign(Seat.TWO),
                GiveBack(session.setup.rules.multipliers[0]),
                Retry(()),
            ]
        )
    made = st.integers(0, len(session.game.moves)).map(
        lambda n: Retry(session.game.moves[:n])
    )
    if session.match.is_over:
        return st.just(session.rematch()) | made
    return st.just(session.next_game()) | made


@st.composite
def sessions(draw: st.DrawFn, most: int = 12) -> tuple[Session, tuple[Command, ...]]:
    """Draw sessions at any point, with their logs."""
    session, log = Session.start(draw(setups())), []
    for _ in range(draw(st.integers(0, most))):
        command = draw(candidates(session))
        with suppress(NinefoldError):
            session, _ = session.apply_unchecked(command)
            log.append(command)
    return session, tuple(log)


@st.composite
def kept_matches(draw: st.DrawFn, match_id: str | None = None) -> values.StoredMatch:
    session, commands = draw(sessions())
    moments = draw(st.lists(times, min_size=len(commands), max_size=len(commands)))
    log = tuple(
        values.LoggedCommand(command, at)
        for command, at in zip(commands, moments, strict=True)
    )
    aside = None if session.match.is_over else draw(st.none() | times)
    return values.StoredMatch(
        match_id or draw(ids), session.setup, log, draw(times), draw(times), aside
    )


given_answers = st.builds(
    Answer,
    item=st.builds("{}x{}".format, factors, factors)
    | st.sampled_from(["nf1.multiplier.avoid1000.3x9", "280+35", "7x?56-111"]),
    given=whole_numbers.map(str),
    right=st.booleans(),
    at=times,
    activity=st.sampled_from(Activity),
    seconds=seconds,
    hinted=st.booleans(),
    surface=st.sampled_from(["", "classic", "app"]),
)
answers = st.builds(
    values.StoredAnswer,
    id=ids,
    learner=st.sampled_from(("Ada", "Bo")) | names,
    answer=given_answers,
)
learners = st.builds(
    values.Learner,
    id=ids,
    name=st.sampled_from(("Ada", "Bo")) | names,
    begun_at=times,
    formerly=st.lists(names, max_size=2).map(tuple),
)
