"""What every store promises, held against each kind in ``stores.STORES``."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold import (
    Ending,
    Game,
    Length,
    Match,
    MatchError,
    OutOfStep,
    Rules,
    Seat,
    Starts,
    StoreError,
    UnknownMatch,
)
from ninefold.record import write_line
from ninefold.store import (
    BOXES,
    HUMAN,
    Filter,
    Imported,
    KeptMatch,
    Result,
    Scheduled,
    Setup,
    Store,
    Try,
    leitner,
)
from tests.store.stores import (
    MATCH,
    NAMES,
    PLAYERS,
    RULES,
    SETUP,
    START,
    STORES,
    Clock,
    begin,
    kept_matches,
    play,
    play_whole,
    played_matches,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.store.stores import Opening

every_store = pytest.mark.parametrize("opening", STORES.values(), ids=STORES)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=[*STORES.values()], ids=[*STORES])
def store(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Store]:
    with request.param(clock) as opened:
        yield opened


# Playing and resuming


@every_store
@settings(max_examples=40)
@given(played_matches())
def test_whatever_is_played_comes_back_exactly(
    opening: Opening, played: tuple[Setup, Match, Game | None]
) -> None:
    setup, match, game = played
    with opening(Clock()) as store:
        match_id = play_whole(store, setup, match, game)
        kept = store.match(match_id)
        assert (kept.setup, kept.match, kept.game) == (setup, match, game)
        assert kept.unfinished is (match.winner is None)
        assert (kept.ended_at is None) is (match.winner is None)
        assert store.latest() == (kept if kept.unfinished else None)
        assert store.matches() == [kept]


def test_an_empty_store_has_nothing(store: Store) -> None:
    assert store.latest() is None
    assert store.unfinished() == store.matches() == store.entries() == []
    assert store.history() == store.answers() == store.due() == []
    assert store.take_notices() == ()


def test_a_person_rule_book_and_every_option_are_kept(store: Store) -> None:
    setup = Setup(
        Match(Rules(Ending.EXACT, 10**50, [3, 10**20], 3), Length.first_to(2)),
        NAMES,
        PLAYERS,
        book="mine",
        book_text='title = "Mein Spiel ×"\n',
        seed=-(10**30),
        options={"coach": True, "give_backs": 3, "pace": 0.5, "words": ["a", None]},
    )
    match_id = store.begin_match(setup)
    assert store.match(match_id).setup == setup


def test_an_undo_takes_moves_back_and_a_resignation_too(store: Store) -> None:
    match_id, game = begin(store)
    later = play(store, match_id, game, 5, 6)
    store.change_game(match_id, 1, later, later.undo().undo())
    assert store.match(match_id).game == game
    given_up = game.resign(Seat.TWO)
    store.change_game(match_id, 1, game, given_up)
    kept = store.match(match_id)
    assert kept.game is None
    assert kept.match.games == (given_up,)
    store.change_game(match_id, 1, given_up, given_up.undo())
    assert store.match(match_id).game == game


def test_an_undone_end_makes_the_match_unfinished_again(store: Store) -> None:
    single = Match(RULES, Length.best_of(1))
    match_id, game = begin(store, SETUP.replace(match=single))
    over = play(store, match_id, game, 9, 9, 9)
    assert store.latest() is None
    assert store.match(match_id).ended_at == store.match(match_id).games[0].ended_at
    store.change_game(match_id, 1, over, over.undo())
    kept = store.latest()
    assert kept is not None
    assert kept.game == over.undo()
    assert kept.games[0].ended_at is None


def test_a_game_may_begin_with_moves_made(store: Store) -> None:
    match_id = store.begin_match(SETUP)
    store.begin_game(match_id, 1, Game(RULES, [5, 6]))
    store.change_game(match_id, 1, Game(RULES, [5, 6]), Game(RULES, [5, 6, 4]))
    store.begin_game(match_id, 2, Game(RULES, [9, 9, 9], first=Seat.TWO))
    assert store.match(match_id).match.score == {Seat.ONE: 1, Seat.TWO: 1}


def test_a_move_for_the_same_ply_is_refused_the_second_time(store: Store) -> None:
    match_id, game = begin(store)
    play(store, match_id, game, 5)
    with pytest.raises(OutOfStep, match="game 1 of this match was changed elsewhere"):
        play(store, match_id, game, 6)
    kept = store.match(match_id)
    assert kept.game == game.play(5)


def test_a_move_after_another_undo_and_move_is_refused(store: Store) -> None:
    match_id, game = begin(store)
    seen_here = play(store, match_id, game, 5, 6)
    store.change_game(match_id, 1, seen_here, seen_here.undo())
    play(store, match_id, seen_here.undo(), 7)
    with pytest.raises(OutOfStep):
        play(store, match_id, seen_here, 2)
    kept = store.match(match_id)
    assert kept.game == game.play(5).play(7)


def test_a_refused_change_leaves_no_trace(store: Store) -> None:
    match_id, game = begin(store)
    play(store, match_id, game, 5)
    before = store.match(match_id)
    with pytest.raises(OutOfStep):
        play(store, match_id, game, 6)
    assert store.match(match_id) == before


def test_only_the_latest_game_of_a_match_changes(store: Store) -> None:
    match_id, game = begin(store)
    over = play(store, match_id, game, 9, 9, 9)
    second = store.match(match_id).match.next_game()
    store.begin_game(match_id, 2, second)
    with pytest.raises(OutOfStep):
        store.change_game(match_id, 1, over, over.undo())


def test_a_game_is_begun_once_and_in_its_turn(store: Store) -> None:
    match_id, game = begin(store)
    for number in (1, 2):
        with pytest.raises(OutOfStep):
            store.begin_game(match_id, number, game)
    play(store, match_id, game, 9, 9, 9)
    second = store.match(match_id).match.next_game()
    with pytest.raises(OutOfStep):
        store.begin_game(match_id, 3, second)
    store.begin_game(match_id, 2, second)


def test_a_game_that_the_match_refuses_is_not_begun(store: Store) -> None:
    match_id = store.begin_match(SETUP)
    with pytest.raises(MatchError, match="Player 1 starts game 1"):
        store.begin_game(match_id, 1, Game(RULES, first=Seat.TWO))
    with pytest.raises(MatchError, match="the same rules"):
        store.begin_game(match_id, 1, Game(Rules(Ending.REACH, 50)))
    assert store.match(match_id).games == ()


def test_a_game_keeps_its_rules(store: Store) -> None:
    match_id, game = begin(store)
    other = Game(Rules(Ending.REACH, 50))
    with pytest.raises(StoreError, match="keeps its rules"):
        store.change_game(match_id, 1, game, other.play(5))
    with pytest.raises(OutOfStep):
        store.change_game(match_id, 1, other, other.play(5))
    assert store.match(match_id).game == game


def test_a_tossed_start_is_kept_as_it_fell(store: Store) -> None:
    tossed = Match(RULES, Length.best_of(3), Starts.TOSS)
    first = Game(RULES)
    for seat in Seat:
        match_id = store.begin_match(SETUP.replace(match=tossed))
        store.begin_game(match_id, 1, first)
        store.change_game(match_id, 1, first, first.resign())
        store.begin_game(match_id, 2, Game(RULES, first=seat))
        assert store.match(match_id).game == Game(RULES, first=seat)


def test_an_unknown_match_is_refused(store: Store) -> None:
    game = Game(RULES)
    for use in (
        lambda: store.match("no"),
        lambda: store.set_aside("no"),
        lambda: store.begin_game("no", 1, game),
        lambda: store.change_game("no", 1, game, game.play(2)),
    ):
        with pytest.raises(UnknownMatch, match="no match no is kept here"):
            use()


def test_the_last_played_is_resumed_first(store: Store) -> None:
    older, game = begin(store)
    newer, _ = begin(store)
    assert [kept.id for kept in store.unfinished()] == [newer, older]
    play(store, older, game, 5)
    assert [kept.id for kept in store.unfinished()] == [older, newer]
    latest = store.latest()
    assert latest is not None
    assert latest.id == older


def test_a_match_set_aside_is_not_offered_until_it_goes_on(store: Store) -> None:
    match_id, game = begin(store)
    store.set_aside(match_id)
    assert store.latest() is None
    assert store.match(match_id).set_aside_at is not None
    assert [played.match_id for played in store.history()] == [match_id]
    play(store, match_id, game, 5)
    latest = store.latest()
    assert latest is not None
    assert latest.set_aside_at is None


def test_a_finished_match_cannot_be_set_aside(store: Store) -> None:
    match_id = play_whole(
        store,
        SETUP.replace(match=Match(RULES, Length.best_of(1))),
        Match(RULES, Length.best_of(1), games=[Game(RULES, [9, 9, 9])]),
        None,
    )
    store.set_aside(match_id)
    assert store.match(match_id).set_aside_at is None


def test_a_closed_store_opens_again(clock: Clock) -> None:
    with STORES["file"](clock) as store:
        match_id, game = begin(store)
        store.close()
        store.close()
        assert store.match(match_id).game == game


# History


def fill(store: Store) -> list[str]:
    """Keep three matches: won, lost and going on; of two books."""
    single = Match(RULES, Length.best_of(1))
    own = SETUP.replace(
        match=single, book="multiplier", players=dict.fromkeys(Seat, "careful")
    )
    won, game = begin(store, SETUP.replace(match=single))
    play(store, won, game, 9, 9, 9)
    lost, game = begin(store)
    store.change_game(lost, 1, game, game.resign(Seat.ONE))
    store.begin_game(lost, 2, store.match(lost).match.next_game())
    going_on, _ = begin(store, own)
    return [won, lost, going_on]


def test_history_shows_each_game_the_newest_first(store: Store) -> None:
    won, lost, going_on = fill(store)
    found = store.history()
    assert [(played.match_id, played.number) for played in found] == [
        (going_on, 1),
        (lost, 2),
        (lost, 1),
        (won, 1),
    ]
    assert store.history(limit=2) == found[:2]
    assert store.history(limit=0) == []
    last = found[-1]
    assert write_line(last.record) == "nf1.multiplication-madness.reach100.9x9x9"
    assert (last.names, last.players) == (NAMES, PLAYERS)
    assert last.result_of(Seat.ONE) is Result.WON
    assert last.result_of(Seat.TWO) is Result.LOST
    assert last.begun_at < (last.ended_at or START)
    assert last.score == {Seat.ONE: 1, Seat.TWO: 0}
    assert found[1].result_of(Seat.ONE) is Result.UNFINISHED
    assert found[1].ended_at is None
    assert found[1].score == found[2].score == {Seat.ONE: 0, Seat.TWO: 1}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(), [1, 2, 2, 3]),
        (Filter(book="multiplier"), [3]),
        (Filter(book="multiplication-madness"), [1, 2, 2]),
        (Filter(player="perfect"), [1, 2, 2]),
        (Filter(player="careful"), [3]),
        (Filter(player="Ada"), [1, 2, 2, 3]),
        (Filter(player="nobody"), []),
        (Filter(player=HUMAN), [1, 2, 2]),
        (Filter(result=Result.WON), [1]),
        (Filter(result=Result.LOST), [2]),
        (Filter(result=Result.UNFINISHED), [2, 3]),
        (Filter(player="perfect", result=Result.WON), [2]),
        (Filter(player="perfect", result=Result.UNFINISHED), [2]),
        (Filter(book="multiplier", player="perfect"), []),
    ],
)
def test_history_can_be_filtered(
    store: Store, wanted: Filter, expected: list[int]
) -> None:
    ids = fill(store)
    found = [ids.index(played.match_id) + 1 for played in store.history(wanted)]
    assert sorted(found) == expected


def test_history_can_be_cut_by_time(store: Store) -> None:
    fill(store)
    newest, middle, *_, oldest = store.history()
    assert store.history(Filter(since=newest.begun_at)) == [newest]
    assert store.history(Filter(until=newest.begun_at))[0] == middle
    assert store.history(Filter(until=oldest.begun_at)) == []


def test_a_filter_alone_judges_as_the_store_does(store: Store) -> None:
    fill(store)
    every = store.history()
    for cut in (played.begun_at for played in every):
        for wanted in (Filter(since=cut), Filter(until=cut)):
            assert store.history(wanted) == list(filter(wanted.fits, every))


# Learning


def test_answers_come_back_right_and_wrong(store: Store) -> None:
    given = [store.add_answer(7, 8, answer) for answer in (54, 56)]
    given.append(store.add_answer(10**40, 9, 9 * 10**40))
    assert [answer.right for answer in given] == [False, True, True]
    assert store.answers() == given


def test_a_missed_puzzle_comes_back_later_and_later(store: Store, clock: Clock) -> None:
    store.add_attempt("solved", 3, right=True)
    missed = store.add_attempt("missed", 10**20, right=False)
    assert store.due() == []  # the solution was just shown
    clock.time += timedelta(minutes=10)
    assert store.due() == [Scheduled("missed", 0, missed.at + timedelta(minutes=10))]
    for box, days in ((1, 1), (2, 3), (3, 7), (4, 21)):
        solved = store.add_attempt("missed", 3, right=True)
        assert store.due() == []
        almost = solved.at + timedelta(days=days, seconds=-1)
        assert store.due(almost) == []
        clock.time += timedelta(days=days)
        (due,) = store.due()
        assert due.box == box
    store.add_attempt("missed", 3, right=True)
    assert store.due(clock.time + timedelta(days=1000)) == []
    assert len(store.attempts()) == 7


def test_the_longest_due_puzzle_comes_first(store: Store, clock: Clock) -> None:
    for puzzle in ("b", "a", "c"):
        store.add_attempt(puzzle, 2, right=False)
    later = clock.time + timedelta(minutes=10)
    assert [due.puzzle for due in store.due(later)] == ["b", "a", "c"]


def test_a_puzzle_is_due_at_its_moment_and_not_before() -> None:
    resting = Scheduled("p", 1, START)
    instant = timedelta(microseconds=1)
    on_time = Try("on time", "p", 2, right=True, at=START)
    assert leitner(resting, on_time) == Scheduled("p", 2, START + BOXES[2])
    early = Try("early", "p", 2, right=True, at=START - instant)
    assert leitner(resting, early) is resting


def test_the_store_and_the_schedule_agree_when_a_puzzle_is_due(store: Store) -> None:
    missed = store.add_attempt("p", 2, right=False)
    due_at = missed.at + BOXES[0]
    assert store.due(due_at - timedelta(microseconds=1)) == []
    assert store.due(due_at) == [Scheduled("p", 0, due_at)]


# Taking in


def test_taking_in_is_all_or_nothing(store: Store) -> None:
    def entries() -> Iterator[Try]:
        yield Try("one", "p", 2, right=False, at=START)
        message = "the second is refused"
        raise StoreError(message)

    with pytest.raises(StoreError, match="the second is refused"):
        store.take_in(entries())
    assert store.attempts() == []
    assert store.due() == []


def test_imported_attempts_are_scheduled_in_their_order(store: Store) -> None:
    late = Try("late", "p", 2, right=True, at=START + timedelta(hours=2))
    early = Try("early", "p", 2, right=False, at=START)
    store.take_in([late])
    assert store.due(START + timedelta(days=9)) == []
    store.take_in([early, late])
    (due,) = store.due(START + timedelta(days=9))
    assert due == Scheduled("p", 1, late.at + timedelta(days=1))


@every_store
@settings(max_examples=40)
@given(kept_matches(), kept_matches("other"))
def test_taking_in_twice_changes_nothing(
    opening: Opening, match: KeptMatch, other: KeptMatch
) -> None:
    with opening(Clock()) as store:
        assert store.take_in([match]) == Imported(added=1)
        assert store.match(match.id) == match
        assert store.take_in([match, other]) == Imported(added=1, known=1)
        kept = store.entries()
        assert store.take_in([other, match]) == Imported(known=2)
        assert store.entries() == kept


def test_a_match_played_further_elsewhere_goes_on_here(store: Store) -> None:
    match_id, game = begin(store)
    earlier = store.match(match_id)
    over = play(store, match_id, game, 9, 9, 9)
    ended = store.match(match_id)
    second = ended.match.next_game()
    store.begin_game(match_id, 2, second)
    further = store.match(match_id)
    for opening in STORES.values():
        with opening(Clock()) as other:
            other.take_in([earlier])
            assert other.take_in([further]) == Imported(continued=1)
            assert other.match(match_id) == further
            assert other.take_in([earlier, ended]) == Imported(known=2)
            assert other.match(match_id).match.games == (over,)


@pytest.mark.parametrize(
    "change",
    [
        lambda kept: kept.replace(games=kept.games[:1]),
        lambda kept: kept.replace(begun_at=START),
        lambda kept: kept.replace(setup=kept.setup.replace(seed=8)),
        lambda kept: kept.replace(
            games=(kept.games[0].replace(game=Game(RULES, [9, 9, 8])), kept.games[1])
        ),
        lambda kept: kept.replace(
            games=(
                kept.games[0],
                kept.games[1].replace(game=Game(RULES, [3], Seat.TWO)),
            )
        ),
        lambda kept: kept.replace(
            games=(kept.games[0], kept.games[1].replace(begun_at=START))
        ),
    ],
)
def test_a_match_that_went_on_differently_stays_as_it_is_here(
    store: Store, change: object
) -> None:
    assert callable(change)
    match_id, game = begin(store)
    play(store, match_id, game, 9, 9, 9)
    second = store.match(match_id).match.next_game()
    store.begin_game(match_id, 2, second)
    play(store, match_id, second, 2, number=2)
    here = store.match(match_id)
    different = change(here.replace(changed_at=here.changed_at + timedelta(hours=1)))
    assert store.take_in([different]) == Imported(differing=1)
    assert store.match(match_id) == here


def test_a_match_changed_later_here_is_known_only_if_it_went_the_same_way(
    store: Store,
) -> None:
    match_id, game = begin(store)
    before = store.match(match_id)
    five = play(store, match_id, game, 5)
    there = store.match(match_id)
    play(store, match_id, five, 6)
    assert store.take_in([before, there]) == Imported(known=2)
    (kept,) = there.games
    strayed = there.replace(games=(kept.replace(game=Game(RULES, [4])),))
    assert strayed.changed_at < store.match(match_id).changed_at
    assert store.take_in([strayed, there]) == Imported(differing=1, known=1)
    assert store.match(match_id).game == five.play(6)


def test_what_was_taken_back_here_is_not_brought_back(store: Store) -> None:
    match_id, game = begin(store)
    after = play(store, match_id, game, 5)
    further = store.match(match_id)
    store.change_game(match_id, 1, after, game)
    assert store.take_in([further]) == Imported(differing=1)
    assert store.match(match_id).game == game


# What is refused before it gets there


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"match": MATCH.add(Game(RULES, [9, 9, 9]))}, "give it an empty match"),
        ({"book": "No Key"}, "'No Key' is no rule book's key"),
        ({"book_text": "\ud800"}, "is no text; write it with whole"),
        ({"names": dict.fromkeys(Seat, "\udcff")}, "is no text; write it with whole"),
        ({"options": {"x": object()}}, "options must be what JSON holds"),
        ({"options": {1: 2}}, "options must be what JSON holds"),
        ({"options": {"x": (1, 2)}}, "options must be what JSON holds"),
        ({"options": {"x": float("nan")}}, "options must be what JSON holds"),
        ({"options": {"x": "\ud800"}}, "options must be what JSON holds"),
        ({"options": {"x": 10**5000}}, "options must be what JSON holds"),
    ],
)
def test_a_setup_that_could_not_be_read_back_is_refused(
    change: dict[str, object], problem: str
) -> None:
    with pytest.raises(StoreError, match=problem):
        SETUP.replace(**change)


@given(st.data())
def test_a_setup_is_a_value(data: st.DataObject) -> None:
    kept = data.draw(kept_matches())
    assert kept.replace() == kept
    assert kept.goes_on_from(kept)
