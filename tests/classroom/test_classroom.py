"""A class after any commands: who sits where, who may join, what may be answered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from msgspec import Struct
from msgspec.structs import replace

from ninefold import LEVELS, Ending, NinefoldError, Rules
from ninefold.classroom import (
    MOST_MINUTES,
    MOST_PUPILS,
    MOVER,
    OTHER,
    Answer,
    Apart,
    Ask,
    Bands,
    Classroom,
    Close,
    Command,
    Door,
    EndRound,
    Join,
    Leave,
    LetIn,
    OpenTable,
    Pause,
    Question,
    Rename,
    Return,
    Reveal,
    Roster,
    StartRound,
    Table,
)
from ninefold.classroom.classroom import MOST_COMMANDS
from ninefold.errors import ClassError, NameInUse
from ninefold.notation.codec import decode, encode
from ninefold.session import HERE, Proposal

Log: TypeAlias = list[tuple[Command, datetime]]

NINE = datetime(2026, 11, 20, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
MADNESS = Proposal(game="madness", opponent=HERE)
WHO_WINS = Question("winner", "multiplication-madness", Rules(Ending.REACH, 100))
WHICH_MOVE = replace(WHO_WINS, asks="move", moves=(5, 6))
OVER = replace(WHO_WINS, moves=(9, 9, 9))
FIRST_NAMES = ("Ada", "Mia", "Tom", "Ben", "Zoë", "Kim", "Leo", "Eve", "mia")
FEW = 2
ALMOST_ALWAYS = 0.8


def after(*commands: Command, classroom: Classroom | None = None) -> Classroom:
    """Return a class, by default one with an open door, after commands at nine."""
    classroom = classroom or Classroom().accept(Door("482913", is_open=True), NINE)
    for command in commands:
        classroom = classroom.accept(command, NINE)
    return classroom


def joined(*names: str) -> Classroom:
    return after(*(Join(n, (name,)) for n, name in enumerate(names, start=1)))


def started(*tables: tuple[int, ...], minutes: int = 8) -> StartRound:
    """Return the start of a round with these pupils at its tables."""
    return StartRound(
        MADNESS,
        minutes,
        tuple(table(n, pupils) for n, pupils in enumerate(tables, start=1)),
    )


def table(number: int, pupils: tuple[int, ...]) -> Table:
    level = "beginner" if len(pupils) == 1 else None
    return Table(number, f"match-{number}", pupils, level)


FOUR = joined("Ada", "Mia", "Tom", "Ben")
PLAYING = after(started((1, 2), (3, 4)), classroom=FOUR)
ASKED = after(Ask(WHO_WINS), classroom=FOUR)


# Any commands

numbers = st.integers(0, 7)
names = st.lists(st.sampled_from(FIRST_NAMES), min_size=1, max_size=2).map(tuple)
tables = st.builds(
    Table,
    st.integers(1, 5),
    st.just("some-match"),
    st.lists(numbers, max_size=3).map(tuple),
    st.sampled_from([None, "beginner", "hero"]),
)
any_command = st.one_of(
    st.builds(Door, st.just("482913"), st.sampled_from([True, True, True, False])),
    st.builds(
        Roster,
        st.lists(names, max_size=3).map(tuple),
        st.lists(st.permutations(FIRST_NAMES).map(lambda n: (n[0], n[1]))).map(tuple),
    ),
    st.builds(Join, numbers, names, st.booleans()),
    st.builds(LetIn, numbers),
    st.builds(Return, numbers, st.integers(1, 4)),
    st.builds(Leave, numbers, st.booleans()),
    st.builds(Rename, numbers, names),
    st.builds(Apart, st.tuples(numbers, numbers), st.booleans()),
    st.builds(
        StartRound,
        st.just(MADNESS),
        st.integers(0, MOST_MINUTES + 1),
        st.lists(tables, max_size=2).map(tuple),
    ),
    st.builds(OpenTable, tables),
    st.builds(Pause, st.booleans()),
    st.just(EndRound()),
    st.builds(Ask, st.sampled_from([None, WHO_WINS, WHICH_MOVE, OVER])),
    st.builds(Answer, numbers, st.sampled_from([MOVER, OTHER, "5", "10", ""])),
    st.just(Reveal()),
    st.builds(Bands, st.booleans()),
)


class Lesson(RuleBasedStateMachine):
    """Sends a class any commands, and often some that it can accept."""

    def __init__(self) -> None:
        super().__init__()
        self.at = NINE
        self.log: Log = []
        self.classroom = Classroom()
        self.send(Door("482913", is_open=True))
        self.voided: dict[int, int] = {}
        """The highest device of each pupil that was replaced or has left."""

    def send(self, command: Command) -> None:
        before = self.classroom
        self.at += timedelta(seconds=20)
        try:
            self.classroom = before.accept(command, self.at)
        except NinefoldError as error:
            assert_is_a_sentence(error)
            return
        self.log.append((command, self.at))
        assert_follows(before, command, self.classroom)

    @rule(command=any_command)
    def command(self, command: Command) -> None:
        self.send(command)

    @initialize(count=st.integers(0, 6), has_duel=st.booleans())
    def first_pupils_join(self, count: int, *, has_duel: bool) -> None:
        for number in range(1, count + 1):
            self.send(Join(number, (FIRST_NAMES[number - 1],)))
        if has_duel:
            self.send(Join(count + 1, FIRST_NAMES[6:8], is_duel=True))

    @rule(names=names, is_duel=st.booleans())
    def join(self, names: tuple[str, ...], *, is_duel: bool) -> None:
        self.send(Join(len(self.classroom.pupils) + 1, names, is_duel))

    @precondition(lambda self: self.classroom.pupils)
    @rule(data=st.data(), is_sent_back=st.booleans())
    def leave(self, data: st.DataObject, *, is_sent_back: bool) -> None:
        stays = [each for each in self.classroom.pupils if each.has_name]
        if stays:
            self.send(Leave(data.draw(st.sampled_from(stays)).number, is_sent_back))

    @precondition(lambda self: self.classroom.pupils)
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        pupil = data.draw(st.sampled_from(self.classroom.pupils))
        self.send(Return(pupil.number, pupil.devices + 1))

    @rule()
    def let_all_in(self) -> None:
        for pupil in self.classroom.knocking:
            self.send(LetIn(pupil.number))

    @precondition(lambda self: len(self.classroom.here) >= FEW)
    @rule(data=st.data(), is_on=st.booleans())
    def keep_apart(self, data: st.DataObject, *, is_on: bool) -> None:
        one, two, *_ = data.draw(st.permutations(self.classroom.here))
        self.send(Apart((one.number, two.number), is_on))

    @precondition(lambda self: not self.classroom.round)
    @rule(random=st.randoms(use_true_random=False))
    def start(self, random: Random) -> None:
        room = self.classroom
        left = random.sample(room.waiting, len(room.waiting))
        tables: list[Table] = []
        while left:
            pupils = left[:1]
            is_duel = room.pupil(left[0]).is_duel
            fits = [
                each
                for each in left[1:]
                if not is_duel
                and not room.pupil(each).is_duel
                and frozenset({left[0], each}) not in room.apart
            ]
            if fits and random.random() < ALMOST_ALWAYS:
                pupils.append(fits[0])
            left = [each for each in left if each not in pupils]
            seated = table(len(tables) + 1, tuple(pupils))
            tables.append(replace(seated, level=None) if is_duel else seated)
        self.send(StartRound(MADNESS, 8, tuple(tables)))

    @precondition(lambda self: self.classroom.round)
    @rule()
    def end(self) -> None:
        self.send(EndRound())

    @rule(data=st.data(), size=st.integers(1, 2))
    def open_table(self, data: st.DataObject, size: int) -> None:
        playing = self.classroom.round
        here = [pupil.number for pupil in self.classroom.here]
        if playing is not None and here:
            pupils = tuple(data.draw(st.permutations(here))[:size])
            self.send(OpenTable(table(playing.opened + 1, pupils)))

    @rule(answer=st.sampled_from([MOVER, OTHER]))
    def ask_and_answer(self, answer: str) -> None:
        if self.classroom.poll is None:
            self.send(Ask(WHO_WINS))
        for pupil in self.classroom.here[:2]:
            self.send(Answer(pupil.number, answer))

    @precondition(lambda self: self.classroom.poll)
    @rule()
    def reveal(self) -> None:
        self.send(Reveal())

    @invariant()
    def everybody_here_sits_once_or_waits_once(self) -> None:
        assert placed(self.classroom) == [each.number for each in self.classroom.here]

    @invariant()
    def a_device_that_was_replaced_never_plays_again(self) -> None:
        for pupil in self.classroom.pupils:
            voided = self.voided.get(pupil.number, 0)
            if pupil.is_here:
                assert pupil.device > voided
                self.voided[pupil.number] = pupil.device - 1
            else:
                assert not pupil.knock or pupil.knock > voided
                self.voided[pupil.number] = pupil.devices - bool(pupil.knock)

    @invariant()
    def no_two_have_the_same_name(self) -> None:
        stays = [each for each in self.classroom.pupils if each.has_name]
        listed = [name.casefold() for each in stays for name in each.names]
        assert len(set(listed)) == len(listed)

    @invariant()
    def what_a_table_was_is_kept(self) -> None:
        playing = self.classroom.round
        if playing is not None:
            opened = [t for n, t in self.classroom.tables if n == playing.number]
            assert [each.number for each in opened] == [*range(1, playing.opened + 1)]
            assert set(playing.tables) <= set(opened)

    def teardown(self) -> None:
        assert Classroom.replay(stored(self.log)) == self.classroom
        assert self.classroom.revision == len(self.log)


TestAnyLesson = Lesson.TestCase
TestAnyLesson.settings = settings(max_examples=60, stateful_step_count=40)


class Line(Struct):
    """A command of a log, as it could be stored."""

    command: Command
    at: datetime


def stored(log: Log) -> Log:
    """Return a log after it was written as JSON and read again."""
    lines = [decode(encode(Line(*each)), Line) for each in log]
    return [(line.command, line.at) for line in lines]


def placed(classroom: Classroom) -> list[int]:
    """Return the pupils at tables and those who wait, ascending."""
    at_tables = () if classroom.round is None else classroom.round.tables
    seated = [pupil for each in at_tables for pupil in each.pupils]
    return sorted([*seated, *classroom.waiting])


def assert_is_a_sentence(error: NinefoldError) -> None:
    assert str(error)
    assert "\n" not in str(error)
    assert len(str(error)) < 120


def assert_follows(before: Classroom, command: Command, now: Classroom) -> None:
    """Check what one command may change."""
    assert now.revision == before.revision + 1
    for pupil, later in zip(before.pupils, now.pupils, strict=False):
        assert later.device >= pupil.device
        assert later.devices >= pupil.devices
    for new in now.tables[len(before.tables) :]:
        assert frozenset(new[1].pupils) not in before.apart
    if before.poll is not None and now.poll is not None and command != Ask(WHO_WINS):
        if before.poll.shows_answers and not isinstance(command, Ask):
            assert now.poll.answers == before.poll.answers
        assert sum(now.poll.counts().values()) == len(now.poll.answers)


# Joining


def test_newcomers_join_at_once_in_the_first_round_and_knock_after_it() -> None:
    assert [pupil.name for pupil in FOUR.here] == ["Ada", "Mia", "Tom", "Ben"]
    assert after(Join(5, ("Zoë",)), classroom=PLAYING).waiting == (5,)
    late = after(EndRound(), Join(5, ("Zoë",)), classroom=PLAYING)
    assert [pupil.name for pupil in late.knocking] == ["Zoë"]
    assert 5 not in late.waiting
    let_in = after(LetIn(5), classroom=late)
    assert 5 in let_in.waiting
    assert not let_in.knocking


def test_two_who_share_a_device_play_as_one() -> None:
    both = after(Join(1, ("Mia", "Tom"))).pupil(1)
    assert both.name == "Mia & Tom"
    assert not both.is_duel
    assert after(Join(1, ("Mia", "Tom"), is_duel=True)).pupil(1).is_duel
    assert not after(Join(1, ("Mia",), is_duel=True)).pupil(1).is_duel


@pytest.mark.parametrize(
    "names", [("Ada",), ("ADA",), ("Mia", "Ada"), ("Eve", "Eve"), ("Leo & Kim",)]
)
def test_a_name_in_use_is_refused_with_a_suggestion(names: tuple[str, ...]) -> None:
    classroom = after(Join(1, ("Ada",)), Join(2, ("Leo", "Kim")))
    with pytest.raises(NameInUse, match=r"someone here is called .*; add a letter"):
        after(Join(3, names), classroom=classroom)


def test_a_name_is_free_again_once_its_pupil_has_left() -> None:
    again = after(Leave(1), Join(5, ("Ada",)), classroom=FOUR)
    found = again.named("ADA")
    assert found is not None
    assert found.number == 5
    with pytest.raises(NameInUse):
        after(Return(1, 2), classroom=again)


def test_a_pupil_who_is_sent_back_joins_with_another_name() -> None:
    sent = after(Leave(1, is_sent_back=True), classroom=FOUR)
    assert sent.pupil(1).is_sent_back
    assert sent.named("Ada") is None
    with pytest.raises(ClassError, match="choose another name, then join again"):
        after(Return(1, 2), classroom=sent)


def test_a_class_is_full_at_250_pupils() -> None:
    full = joined(*(f"Pupil {n}" for n in range(MOST_PUPILS)))
    with pytest.raises(ClassError, match="the class is full; it has 250 pupils"):
        after(Join(MOST_PUPILS + 1, ("Ada",)), classroom=full)


def test_the_lines_of_a_roster_are_absent_until_one_of_their_names_joins() -> None:
    listed = after(Roster((("Ada",), ("Mia", "Tom"))))
    assert listed.absent == (("Ada",), ("Mia", "Tom"))
    assert after(Join(1, ("tom",)), classroom=listed).absent == (("Ada",),)
    assert joined("Ada").absent == ()
    assert after(Roster(()), classroom=listed).roster is None


KEPT_APART = Roster((("Ada",), ("Mia",)), apart=(("Ada", "mia"),))


@pytest.mark.parametrize(
    "commands",
    [
        (KEPT_APART, Join(1, ("Ada",)), Join(2, ("Mia",))),
        (KEPT_APART, Join(1, ("Mia",)), Join(2, ("Tom", "Ada"))),
        (Join(1, ("Ada",)), Join(2, ("Mia",)), KEPT_APART),
        (KEPT_APART, Join(1, ("Ada",)), Join(2, ("Mai",)), Rename(2, ("Mia",))),
    ],
)
def test_a_roster_keeps_pupils_apart_by_name(commands: tuple[Command, ...]) -> None:
    classroom = after(*commands)
    assert classroom.apart == {frozenset({1, 2})}
    with pytest.raises(ClassError, match="must not meet; choose another partner"):
        after(started((1, 2)), classroom=classroom)
    assert after(Apart((2, 1), is_on=False), classroom=classroom).apart == frozenset()


def test_two_whom_a_roster_keeps_apart_may_still_share_a_device() -> None:
    assert after(KEPT_APART, Join(1, ("Ada", "Mia"))).apart == frozenset()


# Devices


def test_a_second_device_knocks_while_the_first_plays_on() -> None:
    two = after(Return(1, 2), classroom=PLAYING)
    assert (two.pupil(1).device, two.pupil(1).knock) == (1, 2)
    moved = after(LetIn(1), classroom=two)
    assert (moved.pupil(1).device, moved.pupil(1).knock) == (2, 0)
    assert moved.round == PLAYING.round


def test_a_pupil_who_left_comes_back_at_once_in_the_first_round_as_a_newcomer() -> None:
    back = after(Leave(1), Return(1, 2), classroom=PLAYING)
    assert back.waiting == (2, 1)
    knocks = after(EndRound(), Leave(1), Return(1, 2), classroom=PLAYING)
    assert [pupil.number for pupil in knocks.knocking] == [1]
    assert 1 not in knocks.waiting
    with pytest.raises(NameInUse):
        after(Join(5, ("Ada",)), classroom=knocks)
    assert after(LetIn(1), classroom=knocks).waiting[-1] == 1
    assert not after(Leave(1), classroom=knocks).knocking


def test_a_device_that_was_sent_away_shares_its_number_with_no_other() -> None:
    """Its cookie would play for the pupil otherwise."""
    away = after(EndRound(), Join(5, ("Zoë",)), Leave(5), classroom=PLAYING)
    with pytest.raises(ClassError, match="this number is taken"):
        after(Return(5, 1), classroom=away)
    assert after(Return(5, 2), LetIn(5), classroom=away).pupil(5).device == 2


@pytest.mark.parametrize(("leaver", "partner"), [(1, 2), (2, 1)])
def test_whoever_leaves_frees_the_partner(leaver: int, partner: int) -> None:
    left = after(Leave(leaver), classroom=PLAYING)
    assert left.waiting == (partner,)
    assert left.table("match-1") is None
    assert left.table("match-2") == table(2, (3, 4))
    assert left.round is not None
    assert left.round.table_of(partner) is None
    assert left.round.table_of(4) == table(2, (3, 4))


# Rounds


def test_a_round_seats_pupils_until_it_ends() -> None:
    three = after(started((1, 2), (3,)), classroom=FOUR)
    assert three.waiting == (4,)
    assert three.table("match-2") == table(2, (3,))
    ended = after(EndRound(), classroom=three)
    assert ended.waiting == (1, 2, 3, 4)
    assert ended.table("match-1") is None
    assert [number for number, _ in ended.tables] == [1, 1]


def test_a_round_counts_who_met_and_who_had_no_partner() -> None:
    three = after(started((1, 2), (3,)), EndRound(), classroom=FOUR)
    again = after(started((2, 1), (3, 4)), classroom=three)
    assert [pupil.met for pupil in again.pupils] == [(2, 2), (1, 1), (4,), (3,)]
    assert [pupil.alone for pupil in again.pupils] == [0, 0, 1, 0]


def test_nobody_counts_as_alone_when_all_play_levels() -> None:
    levels = after(started((1,), (2,)), classroom=FOUR)
    assert [pupil.alone for pupil in levels.pupils] == [0, 0, 0, 0]


@pytest.mark.parametrize("pupils", [(1, 3), (1, 4), (2, 3), (4, 2)])
def test_a_table_can_be_opened_in_a_round(pupils: tuple[int, int]) -> None:
    moved = after(OpenTable(table(3, pupils)), classroom=PLAYING)
    assert moved.round is not None
    assert moved.round.tables == (table(3, pupils),)
    assert {*moved.waiting} == {1, 2, 3, 4} - {*pupils}
    assert moved.pupil(pupils[0]).met[-1] == pupils[1]
    assert {pupil.alone for pupil in moved.pupils} == {0}


def test_two_who_play_each_other_sit_alone_without_a_level() -> None:
    classroom = after(Join(1, ("Mia", "Tom"), is_duel=True), Join(2, ("Ada",)))
    own = StartRound(MADNESS, 8, (Table(1, "match-1", (1,)),))
    assert after(own, classroom=classroom).waiting == (2,)
    assert after(own, classroom=classroom).pupil(1).alone == 0
    for other in (started((1,)), started((1, 2))):
        with pytest.raises(ClassError):
            after(other, classroom=classroom)


def test_a_pause_is_added_to_a_round() -> None:
    def left(classroom: Classroom, minutes: int) -> float:
        assert classroom.round is not None
        return classroom.round.left(NINE + minutes * MINUTE) / MINUTE

    assert PLAYING.round is not None
    assert PLAYING.round.ends_at == NINE + 8 * MINUTE
    assert [left(PLAYING, minutes) for minutes in (0, 3, 8, 9)] == [8, 5, 0, 0]
    paused = PLAYING.accept(Pause(is_on=True), NINE + 3 * MINUTE)
    assert paused.round is not None
    assert paused.round.ends_at is None
    assert left(paused, 60) == 5
    resumed = paused.accept(Pause(is_on=False), NINE + 10 * MINUTE)
    assert resumed.round is not None
    assert resumed.round.ends_at == NINE + 15 * MINUTE
    assert left(resumed, 11) == 4


def test_a_clock_that_is_set_back_in_a_pause_takes_no_time_away() -> None:
    paused = PLAYING.accept(Pause(is_on=True), NINE + 3 * MINUTE)
    resumed = paused.accept(Pause(is_on=False), NINE)
    assert resumed.round is not None
    assert resumed.round.ends_at == NINE + 8 * MINUTE


# Questions


def test_an_answer_may_change_until_the_answers_are_shown() -> None:
    answered = after(
        Answer(1, MOVER), Answer(2, MOVER), Answer(1, OTHER), classroom=ASKED
    )
    assert answered.poll is not None
    assert answered.poll.counts() == {MOVER: 1, OTHER: 1}
    shown = after(Reveal(), classroom=answered)
    with pytest.raises(ClassError, match="the answers are shown already; wait for"):
        after(Answer(1, MOVER), classroom=shown)


def test_the_answers_are_shown_before_the_truth() -> None:
    shown = after(Reveal(), classroom=ASKED).current_poll()
    assert (shown.shows_answers, shown.shows_truth) == (True, False)
    everything = after(Reveal(), Reveal(), classroom=ASKED).current_poll()
    assert (everything.shows_answers, everything.shows_truth) == (True, True)


def test_a_vote_that_ends_the_game_leaves_nothing_to_answer_or_reveal() -> None:
    over = replace(WHICH_MOVE, moves=(9, 9, 9), told="The class wins.")
    ended = after(Ask(over), classroom=FOUR)
    assert ended.current_poll().counts() == {}
    assert ended.current_poll().shows_truth
    for command in (Answer(1, "2"), Reveal()):
        with pytest.raises(ClassError):
            after(command, classroom=ended)


def test_the_answer_of_a_pupil_who_leaves_counts_once_it_was_shown() -> None:
    answered = after(Answer(1, MOVER), Answer(2, OTHER), classroom=ASKED)
    gone = after(Leave(1), classroom=answered)
    assert gone.current_poll().answers == {2: OTHER}
    later = after(Reveal(), Leave(1), classroom=answered)
    assert later.current_poll().answers == {1: MOVER, 2: OTHER}


def test_the_next_question_starts_without_answers() -> None:
    answered = after(Answer(1, MOVER), classroom=ASKED)
    asked = after(Ask(WHICH_MOVE), classroom=answered).current_poll()
    assert asked.answers == {}
    assert asked.question.choices == ("2", "3", "4", "5", "6", "7", "8", "9")
    assert after(Ask(None), classroom=answered).poll is None


def test_bands_open_and_close() -> None:
    assert after(Bands(are_open=True)).bands_are_open
    assert not after(Bands(are_open=True), Bands(are_open=False)).bands_are_open


def test_a_class_that_is_closed_keeps_its_tables() -> None:
    closed = after(Close(), classroom=after(Ask(WHO_WINS), classroom=PLAYING))
    assert closed.is_closed
    assert not closed.is_open
    assert closed.round is None
    assert closed.poll is None
    assert closed.tables == PLAYING.tables


def test_a_round_and_a_class_that_have_gone_on_for_too_long_can_end() -> None:
    too_long = replace(PLAYING, revision=MOST_COMMANDS)
    ended = after(EndRound(), Close(), classroom=too_long)
    assert (ended.round, ended.is_closed) == (None, True)


# Refusals

KNOCKING = after(
    EndRound(), Join(5, ("Zoë",)), started((1, 2), (3, 4)), classroom=PLAYING
)
SHUT = after(Door("482913", is_open=False), classroom=FOUR)
GONE = after(Leave(1), classroom=FOUR)
CLOSED = after(Close(), classroom=FOUR)
LONG = Classroom(revision=MOST_COMMANDS)


@pytest.mark.parametrize(
    ("classroom", "command", "sentence"),
    [
        (SHUT, Join(5, ("Zoë",)), "the door is closed; ask your teacher to open it"),
        (SHUT, Return(1, 2), "the door is closed; ask your teacher to open it"),
        (FOUR, Join(4, ("Zoë",)), "this number is taken"),
        (FOUR, Return(1, 1), "this number is taken"),
        (FOUR, Join(5, ()), "one or two play on a device"),
        (FOUR, Join(5, ("Kim", "Leo", "Zoë")), "one or two play on a device"),
        (
            FOUR,
            Join(5, ("<b>Zoë</b>",)),
            "a name cannot contain < or >; leave them out",
        ),
        (
            FOUR,
            Join(5, ("Z" * 10_000,)),
            "a name needs 1 to 24 visible characters; choose another",
        ),
        (
            FOUR,
            Join(5, ("Maximiliana", "Bartholomew")),
            "these names are too long together; use shorter ones",
        ),
        (FOUR, LetIn(1), "Ada is not knocking"),
        (FOUR, LetIn(5), "this class has no such pupil"),
        (FOUR, Leave(0), "this class has no such pupil"),
        (GONE, Leave(1), "Ada has left already"),
        (
            FOUR,
            Rename(1, ("Mia",)),
            "someone here is called Mia; add a letter, such as Mia B",
        ),
        (
            FOUR,
            Rename(1, ("Kim", "Leo")),
            "the number of names on a device stays the same",
        ),
        (
            FOUR,
            Roster(tuple((f"Pupil {n}",) for n in range(300))),
            "a class has at most 250 pupils",
        ),
        (
            FOUR,
            Roster((("",),)),
            "a name needs 1 to 24 visible characters; choose another",
        ),
        (FOUR, Apart((1, 1)), "choose two pupils"),
        (PLAYING, started((1, 2)), "a round is being played; end it first"),
        (FOUR, started(), "nobody is here to play; wait until someone has joined"),
        (FOUR, started((1, 2), minutes=0), "a round has 1 to 90 minutes"),
        (FOUR, started((1, 2), minutes=91), "a round has 1 to 90 minutes"),
        (FOUR, started((1, 2), (2, 3)), "a pupil can sit at one table only"),
        (FOUR, started((1, 1)), "a pupil can sit at one table only"),
        (FOUR, started((1, 9)), "this class has no such pupil"),
        (GONE, started((1, 2)), "Ada is not here"),
        (KNOCKING, OpenTable(table(3, (5,))), "Zoë is not here"),
        (
            FOUR,
            StartRound(MADNESS, 8, (table(2, (1, 2)),)),
            "tables are numbered one after another",
        ),
        (
            PLAYING,
            OpenTable(table(2, (1, 3))),
            "tables are numbered one after another",
        ),
        (PLAYING, OpenTable(Table(3, "m", (1,))), "a table has two players"),
        (PLAYING, OpenTable(Table(3, "m", ())), "a table has two players"),
        (PLAYING, OpenTable(Table(3, "m", (1, 1))), "a table has two players"),
        (PLAYING, OpenTable(Table(3, "m", (1, 2, 3))), "a table has two players"),
        (
            PLAYING,
            OpenTable(Table(3, "m", (1, 2), "beginner")),
            "a table has two players",
        ),
        (
            PLAYING,
            OpenTable(Table(3, "m", (1,), "hero")),
            f"'hero' is not a level; choose one of {', '.join(LEVELS)}",
        ),
        (
            after(Apart((1, 3)), classroom=PLAYING),
            OpenTable(table(3, (1, 3))),
            "Ada and Tom must not meet; choose another partner",
        ),
        (FOUR, OpenTable(table(1, (1, 2))), "no round is being played"),
        (FOUR, EndRound(), "no round is being played"),
        (FOUR, Pause(is_on=True), "no round is being played"),
        (PLAYING, Pause(is_on=False), "the round is not paused"),
        (
            after(Pause(is_on=True), classroom=PLAYING),
            Pause(is_on=True),
            "the round is paused",
        ),
        (
            FOUR,
            Ask(OVER),
            "the game is over at this position; go back a move, then ask",
        ),
        (FOUR, Answer(1, MOVER), "there is no question right now"),
        (FOUR, Reveal(), "there is no question right now"),
        (
            ASKED,
            Answer(1, "5"),
            "this is not one of the answers; choose one of them",
        ),
        (after(Leave(1), classroom=ASKED), Answer(1, MOVER), "Ada is not here"),
        (
            after(Reveal(), Reveal(), classroom=ASKED),
            Reveal(),
            "everything is shown already; ask the next question",
        ),
        (CLOSED, Door("482913", is_open=True), "the class is over"),
        (CLOSED, Close(), "the class is over"),
        (LONG, Reveal(), "this class has gone on for too long; start another one"),
    ],
)
def test_a_command_is_refused_in_a_sentence(
    classroom: Classroom, command: Command, sentence: str
) -> None:
    with pytest.raises(NinefoldError) as refused:
        classroom.accept(command, NINE)
    assert str(refused.value) == sentence


@given(any_command)
def test_commands_are_equal_after_a_trip_through_json(command: Command) -> None:
    assert stored([(command, NINE)]) == [(command, NINE)]
