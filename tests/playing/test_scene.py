"""What a scene answers: whose turn it is, what may be asked, what is offered."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ninefold.game import Seat
from ninefold.match import Length, StartRule
from ninefold.playing.scene import OfferKind, Scene
from ninefold.playing.state import State
from ninefold.rulebooks import load
from ninefold.rules import Ending, Rules
from ninefold.session import (
    AskRematch,
    AskTakeBack,
    Command,
    Lessons,
    Move,
    Resign,
    Session,
    Setup,
    Sit,
)
from tests.playing.meeting import COACH, MENTAL, ONE, TWO, setup

ELSEWHERE = setup("multiplication-duel", all_seated=False)
SEATED = (Sit(ONE, "Ada"), Sit(TWO, "Bo"))
BOTH = (ONE, TWO)
WON = (Move(9), Move(9), Move(9))
HUGE = setup(rules=Rules(Ending.REACH, 10**999, (2, 5, 6, 10)), lessons=COACH)


def after(agreed: Setup, *commands: Command) -> Session:
    return Session.replay(agreed, commands)


def labels(scene: Scene) -> dict[OfferKind, str]:
    return {offer.kind: offer.label.fill() for offer in scene.offers}


# Whose turn it is


@pytest.mark.parametrize(
    ("seats", "mine", "waits"),
    [((ONE,), True, True), ((TWO,), False, False), ((), False, False)],
)
def test_a_screen_has_the_turn_if_the_mover_is_local(
    seats: tuple[Seat, ...], *, mine: bool, waits: bool
) -> None:
    scene = Scene(after(ELSEWHERE, *SEATED), seats)
    assert (scene.is_my_turn, scene.awaits_local_player) == (mine, waits)
    assert scene.watches == (not seats)


def test_a_take_back_request_awaits_the_player_who_was_asked() -> None:
    session = after(ELSEWHERE, *SEATED, Move(2), AskTakeBack(ONE))
    assert Scene(session, (TWO,)).is_asked_for_takeback
    assert not Scene(session, (ONE,)).awaits_local_player


def test_a_local_bot_is_a_program_and_a_remote_one_a_person() -> None:
    at_home = after(setup(bots=(TWO,)), Move(2))
    assert Scene(at_home, (ONE,)).is_programs_turn
    elsewhere = after(ELSEWHERE, *SEATED, Move(2))
    assert not Scene(elsewhere, (ONE,)).is_programs_turn


def test_a_screen_with_two_local_bots_is_not_a_spectators() -> None:
    session = after(setup(bots=BOTH), *WON)
    scene = Scene(session, ())
    assert not scene.watches
    assert OfferKind.NEXT in labels(scene)


def test_the_coach_tells_the_seat_to_move_about_the_opponents_slip() -> None:
    agreed = replace(ELSEWHERE, lessons=COACH)
    slipped = after(agreed, *SEATED, Move(2, despite_coach=True))
    assert Scene(slipped, (ONE,)).remarks(opportunity=True) == ()
    assert Scene(slipped, ()).remarks(opportunity=True) == ()
    assert Scene(slipped, (TWO,)).remarks(opportunity=True) == (
        "Ada slipped. You can win from here.",
    )


@pytest.mark.parametrize(
    ("agreed", "seats"),
    [
        (replace(HUGE, all_seated=False), (ONE,)),
        (replace(HUGE, all_seated=False, levels=(None, "careful")), (ONE,)),
        (replace(HUGE, levels=(None, "careful")), (ONE,)),
        (HUGE, BOTH),
    ],
)
def test_a_game_too_big_for_the_coach_is_reported_at_the_first_turn_alone(
    agreed: Setup, seats: tuple[Seat, ...]
) -> None:
    session, said = Session.start(agreed), list[int]()
    sits = [sit for sit in SEATED if sit.seat in session.empty_seats]
    commands: list[Command] = [*sits, *map(Move, (2, 2, 2, 2))]
    for command in commands:
        if Scene(session, seats).remarks(opportunity=False):
            said.append(session.revision)
        session, _ = session.apply_unchecked(command)
    assert said == [len(sits)]


def test_a_warning_without_second_chances_is_for_the_mover_alone() -> None:
    none_left = replace(ELSEWHERE, lessons=Lessons(coach=True, give_backs=0))
    session = after(none_left, *SEATED)
    warning = Scene(session, (ONE,)).slip_warning(Move(2))
    assert warning.startswith("That gives the win away.")
    assert warning.endswith("No second chances left in this game.")
    assert Scene(session, (TWO,)).slip_warning(Move(2)) == ""
    assert Scene(session, (ONE,)).slip_warning(Move(5)) == ""
    for agreed in (ELSEWHERE, replace(ELSEWHERE, lessons=COACH)):  # which asks instead
        assert Scene(after(agreed, *SEATED), (ONE,)).slip_warning(Move(2)) == ""


# Beside the names


@pytest.mark.parametrize(
    ("seats", "notes"),
    [
        ((ONE,), ("your move", "away")),
        ((TWO,), ("to move", "you")),
        (BOTH, ("your turn", "")),
        ((), ("to move", "away")),
    ],
)
def test_notes_say_who_moves_and_who_is_away(
    seats: tuple[Seat, ...], notes: tuple[str, str]
) -> None:
    session = after(ELSEWHERE, *SEATED)
    if seats == BOTH:
        session = after(setup())
    scene = Scene(session, seats, connected=(True, False))
    assert (scene.note(ONE), scene.note(TWO)) == notes


def test_notes_of_a_level_and_of_an_empty_seat() -> None:
    level = Scene(after(setup(levels=(None, "careful"))), (ONE,))
    assert (level.note(ONE), level.note(TWO)) == ("your move", "careful")
    thinks = Scene(after(setup(levels=(None, "careful")), Move(2)), (ONE,))
    assert thinks.note(TWO) == "is thinking …"
    empty = Scene(after(ELSEWHERE, SEATED[0]), (ONE,))
    assert empty.note(TWO) == "not here yet"
    won = Scene(after(setup(), *WON))
    assert (won.note(ONE), won.note(TWO)) == ("wins", "")


# After a game


@pytest.mark.parametrize(
    ("agreed", "label"),
    [
        (setup(), "rematch (Bo starts)"),
        (setup(first_tossed=True), "rematch (tossed again)"),
        (setup(length=Length.best_of(3)), "next game (Bo starts)"),
        (
            setup(length=Length.best_of(3), starts=StartRule.WINNER),
            "next game (Ada starts)",
        ),
        (
            setup(length=Length.best_of(3), starts=StartRule.TOSS),
            "next game (tossed again)",
        ),
    ],
)
def test_the_next_game_names_who_starts(agreed: Setup, label: str) -> None:
    scene = Scene(after(agreed, *WON))
    assert labels(scene)[OfferKind.NEXT] == label


def test_an_online_rematch_is_requested_awaited_and_accepted() -> None:
    resigned = after(ELSEWHERE, *SEATED, Resign(TWO))
    asked = after(ELSEWHERE, *SEATED, Resign(TWO), AskRematch(ONE))
    assert labels(Scene(resigned, (ONE,)))[OfferKind.NEXT] == "ask Bo for a rematch"
    waits = Scene(asked, (ONE,))
    assert labels(waits)[OfferKind.NEXT] == "waiting for Bo to agree"
    assert not waits.offers[0].is_open
    assert OfferKind.CANCEL in labels(waits)
    accepts = Scene(asked, (TWO,))
    assert labels(accepts)[OfferKind.NEXT] == "accept the rematch"
    assert OfferKind.CANCEL not in labels(accepts)


def test_a_spectator_is_offered_a_review_alone() -> None:
    scene = Scene(after(ELSEWHERE, *SEATED, Resign(TWO)), ())
    assert labels(scene) == {OfferKind.REVIEW: "review"}
    assert scene.retry_offer is None


@pytest.mark.parametrize(
    ("seats", "loser"), [(BOTH, TWO), ((TWO,), TWO), ((ONE,), None), ((), None)]
)
def test_whoever_lost_here_can_practise(
    seats: tuple[Seat, ...], loser: Seat | None
) -> None:
    scene = Scene(after(setup(), *WON), seats)
    assert scene.loser is loser


def test_a_game_of_one_move_has_nothing_to_practise() -> None:
    assert Scene(after(setup(), Move(9), Resign(TWO))).loser is None


def test_a_retry_is_offered_if_someone_slipped() -> None:
    thousand = setup("multiplier-showdown", rules=load("multiplier-showdown").rules)
    slipped = after(thousand, *map(Move, (7, 2, 6, 2, 9)))
    offer = Scene(slipped).retry_offer
    assert offer is not None
    assert offer.label.fill() == "try again from move 2"
    gave_up = Scene(after(setup(), *map(Move, (9, 9)), Resign(ONE))).retry_offer
    assert gave_up is not None
    assert gave_up.label.fill() == "try again"
    perfect = after(thousand, *map(Move, (5, 2, 9, 2, 9)))
    assert Scene(perfect).retry_offer is None


def test_nothing_is_offered_during_a_game() -> None:
    scene = Scene(after(setup()))
    assert scene.offers == ()
    assert scene.retry_offer is None


@pytest.mark.parametrize(
    ("agreed", "seats", "headline"),
    [
        (setup(), BOTH, "Ada wins"),
        (setup(), (ONE,), "You win!"),
        (setup(), (TWO,), "Ada wins"),
        (setup(length=Length.first_to(1)), BOTH, "Ada wins"),
        (setup(length=Length.first_to(2)), BOTH, "Ada wins"),
    ],
)
def test_a_headline_says_who_has_won(
    agreed: Setup, seats: tuple[Seat, ...], headline: str
) -> None:
    assert Scene(after(agreed, *WON), seats).headline.fill() == headline


def test_a_headline_says_how_a_match_ended() -> None:
    two_games = setup(length=Length.games(2))
    session = after(two_games, *WON)
    won = session.apply_unchecked(session.next_game())[0].apply_unchecked(Resign(TWO))[
        0
    ]
    assert Scene(won).headline.fill() == "Ada wins the match"
    assert Scene(won, (ONE,)).headline.fill() == "You win the match!"
    level = session.apply_unchecked(session.next_game())[0].apply_unchecked(
        Resign(ONE)
    )[0]
    assert Scene(level).headline.fill() == "The match ends level, 1 to 1"


# The page's state is made from it


@pytest.mark.parametrize("viewer", [ONE, TWO, None])
def test_a_state_agrees_with_the_scene_of_its_viewer(viewer: Seat | None) -> None:
    agreed = replace(ELSEWHERE, lessons=replace(COACH, mental=True))
    session = after(agreed, *SEATED)
    for command in (Move(9, answer=9), Move(2, answer=17), Resign(TWO)):
        session, events = session.apply_unchecked(replace_coach(command))
        scene = Scene(session, () if viewer is None else (viewer,))
        seen = State.of("id", session).seen_by(viewer, session, events)
        assert seen.offers == scene.offers
        assert seen.notes == (scene.note(ONE), scene.note(TWO))
        assert seen.headline == scene.headline
        assert seen.turn == scene.turn_text
        assert seen.may == scene.allowed
        assert seen.no_hint == scene.no_hint
        if seen.marked:
            assert viewer is session.to_move.other if session.to_move else viewer


def replace_coach(command: Command) -> Command:
    if isinstance(command, Move):
        return replace(command, despite_coach=True)
    return command


def test_two_who_share_a_screen_are_marked_by_name() -> None:
    session, events = after(setup(lessons=MENTAL), Move(9)).apply_unchecked(
        Move(2, answer=17)
    )
    seen = State.of("id", session).seen_by(TWO, session, events)
    assert seen.marked == "Not quite, Bo: 9 × 2 is 18."
