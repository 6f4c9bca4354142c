"""The rules of sitting at a table, which every surface shows and none decides."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ninefold.errors import MatchChanged, StoreUnavailable
from ninefold.match import Length
from ninefold.playing import presence
from ninefold.playing.presenter import Presenter
from ninefold.rules import Ending, Rules
from ninefold.session import Lessons, Session, commands
from ninefold.session.table import (
    Disconnected,
    MatchGone,
    PresenceChanged,
    Reconnected,
    TableClosed,
    UpdatesSkipped,
)
from ninefold.views.match_text import (
    COACH_CANNOT_SEE,
    DISCONNECTED,
    NO_HINTS,
    RECONNECTED,
)
from tests.playing.meeting import (
    COACH,
    MENTAL,
    ONE,
    TWO,
    UNREACHABLE,
    Meeting,
    Screen,
    at_home,
    online,
    setup,
)

DUEL = "multiplication-duel"
ONLINE_DUEL = setup(DUEL, all_seated=False)
LEVELS = ("beginner", "beginner")
SLIP = "asked: Ada, that gives the win away. 3 moves win here."
HUGE = Rules(Ending.REACH, 10**999, (2, 5, 6, 10))

FULL = StoreUnavailable("games.db", "the disk is full")

# Turns


def test_each_turn_is_announced_once_and_at_once() -> None:
    screen = at_home()
    assert screen.told() == ["opened", "turn: Ada"]
    assert screen.enter(9) == ["happened: Ada plays ×9: 1 × 9 makes 9.", "turn: Bo"]
    assert screen.told() == []


def test_a_turn_that_waits_for_someone_to_join_is_announced_when_they_do() -> None:
    agreed = setup(all_seated=False)
    table = Meeting(agreed, (ONE,)).tables[0]
    empty = Session.start(agreed)
    table.session = empty
    screen = Screen(table)
    assert screen.told() == ["opened"]
    assert screen.enter(9) == ["Nobody has joined yet. Send the link to someone."]


def test_an_entry_out_of_turn_is_answered_with_whose_turn_it_is() -> None:
    _, _, bo = online()
    assert bo.enter(9) == ["It is Ada's turn."]


def test_an_entry_after_the_end_is_answered() -> None:
    screen = at_home()
    screen.enter(9, 9, 9)
    assert screen.enter(9) == ["The game is over."]


def test_an_entry_that_is_not_a_multiplier_is_refused_in_the_rule_books_words() -> None:
    (said,) = at_home().enter("12")
    assert "12" in said
    assert "2-9" in said


def test_skipped_updates_are_shown_as_one_change_and_a_turn() -> None:
    meeting, ada, _ = online()
    session, _ = meeting.session.apply_unchecked(commands.Move(9))
    ada.told()
    ada.table.hear(UpdatesSkipped(session))
    assert ada.told() == ["skipped", "turn: Bo"]


def test_news_that_the_match_was_opened_with_is_not_told_again() -> None:
    meeting, ada, bo = online()
    ada.enter(9)
    late = Screen(bo.table)
    late.told()
    meeting.tell(late.table)
    assert late.told() == []


# Questions before a move counts


def test_an_answer_to_an_open_question_continues_the_move() -> None:
    screen = at_home(setup("multiplication-showdown"))
    screen.enter(9, 5)
    (asked,) = screen.enter(9)
    assert asked.startswith("asked:")
    question = screen.scene.question
    assert question is not None
    assert question.text == asked.removeprefix("asked: ")
    assert screen.answer(yes=True)[0].startswith("happened: ")
    assert screen.scene.question is None


def test_declining_a_loss_makes_no_move() -> None:
    screen = at_home(setup("multiplication-showdown"))
    screen.enter(9, 5, 9)
    assert screen.answer(yes=False) == []
    assert screen.scene.session.game.moves == (9, 5)


def test_a_loss_needs_no_confirmation_where_nobody_can_be_asked() -> None:
    screen = at_home(setup("multiplication-showdown"), can_ask=False)
    assert screen.enter(9, 5, 9)[-1].startswith("happened: ")
    assert screen.scene.is_over


def test_a_confirmed_loss_silences_the_coach() -> None:
    screen = at_home(setup("multiplication-showdown", lessons=COACH))
    for multiplier in (9, 5):
        screen.enter(multiplier)
        screen.answer(yes=False)
    (asked,) = screen.enter(9)
    assert "you would lose" in asked
    assert screen.answer(yes=True)[0].startswith("happened: ")
    assert screen.scene.is_over


def test_leaving_the_coachs_question_spends_no_second_chance() -> None:
    screen = at_home(setup(DUEL, lessons=COACH))
    assert screen.enter(9) == [SLIP]
    assert screen.after(screen.presenter.drop_question) == []
    assert screen.scene.session.give_backs == 3
    assert screen.scene.session.game.moves == ()


def test_two_at_one_screen_learn_the_reason_once_a_slip_is_taken_back() -> None:
    screen = at_home(setup(DUEL, lessons=COACH))
    screen.enter(9)
    reason, given_back = screen.answer(yes=True)
    assert "every move loses" in reason
    assert "2 left" in given_back


def test_a_slip_that_is_not_taken_back_is_played() -> None:
    screen = at_home(setup(DUEL, lessons=COACH))
    screen.enter(9)
    first, turn = screen.answer(yes=False)
    assert first == "happened: Ada plays ×9: 1 × 9 makes 9."
    assert turn == "turn: Bo Bo, Ada slipped. You can win from here."


def test_without_second_chances_the_coach_warns_once_at_a_position() -> None:
    none_left = Lessons(coach=True, give_backs=0)
    screen = at_home(setup(DUEL, lessons=none_left))
    warning, moved, _ = screen.enter(9)
    assert warning == (
        "Ada, that gives the win away. 3 moves win here."
        " No second chances left in this game."
    )
    assert moved == "happened: Ada plays ×9: 1 × 9 makes 9."
    screen.ask(commands.TakeBack())
    assert screen.enter(9)[0] == moved


def test_only_the_other_player_is_told_of_a_slip() -> None:
    meeting, ada, bo = online(replace(ONLINE_DUEL, lessons=COACH))
    told = ada.told(), bo.told()
    assert told
    meeting.accept(replace(commands.Move(2), despite_coach=True))
    assert bo.told()[-1] == "turn: Bo Ada slipped. You can win from here."
    assert ada.told()[-1] == "turn: Bo"


def test_a_game_too_big_for_the_coach_is_reported_once() -> None:
    screen = at_home(setup(rules=HUGE, lessons=COACH))
    assert screen.told() == ["opened", f"turn: Ada {COACH_CANNOT_SEE}"]
    assert screen.enter(2, 2)[1::2] == ["turn: Bo", "turn: Ada"]


def test_a_question_closes_when_its_position_has_passed() -> None:
    meeting, ada, bo = online(replace(ONLINE_DUEL, lessons=COACH))
    ada.enter(9)
    assert ada.scene.question is not None
    meeting.accept(replace(commands.Move(9), despite_coach=True))
    told = ada.told()
    assert ada.scene.question is None
    assert told[0].startswith("happened: ")
    bo.told()
    assert bo.scene.is_my_turn


def test_a_question_stays_open_while_its_position_stays_the_same() -> None:
    _, ada, bo = online(replace(ONLINE_DUEL, lessons=MENTAL))
    ada.enter(5)
    bo.enter(3)
    bo.enter_product(15)
    ada.enter(2)
    assert ada.scene.question is not None
    bo.ask(commands.TakeBack())
    assert ada.told() == ["happened: Bo asks to take a move back."]
    assert ada.scene.question is not None
    assert ada.enter_product(30)[0] == "marked: Right."
    assert bo.told()[-1] == "turn: Bo"


def test_a_late_question_about_a_passed_position_is_dropped() -> None:
    waiting: list[tuple[object, object]] = []
    meeting = Meeting(replace(ONLINE_DUEL, lessons=COACH), (ONE,), (TWO,))
    ada = Screen(meeting.tables[0], run=lambda *each: waiting.append(each))
    ada.told()
    ada.presenter.enter("9")
    ((work, done),) = waiting
    question = work()  # type: ignore[operator]
    meeting.submit(meeting.tables[1], commands.ResignGame())
    done(question)  # type: ignore[operator]
    (told,) = ada.told()
    assert told.startswith("happened: ")
    assert ada.scene.question is None


def at_eight(screen: Screen) -> None:
    """Let Ada slip with ×2 at 8, the product not given yet."""
    screen.enter(4, 2)
    screen.enter_product(8)
    screen.enter(2)


def test_a_question_after_a_product_comes_with_its_mark() -> None:
    screen = at_home(setup(DUEL, lessons=replace(COACH, mental=True)))
    at_eight(screen)
    assert screen.enter_product(17)[0] == "marked: Not quite, Ada: 8 × 2 is 16."
    question = screen.scene.question
    assert question is not None
    assert question.marked == "Not quite, Ada: 8 × 2 is 16."


def test_without_second_chances_the_coach_warns_after_a_product_too() -> None:
    lessons = Lessons(coach=True, mental=True, give_backs=0)
    screen = at_home(setup(DUEL, lessons=lessons))
    at_eight(screen)
    marked, warning, *_ = screen.enter_product(16)
    assert marked == "marked: Right, Ada."
    assert warning.startswith("Ada, that gives the win away.")


def test_a_second_chance_is_reported_to_its_player_alone() -> None:
    """Not even by a prompt that is written anew; but of the last one, a player does."""
    meeting = Meeting(replace(ONLINE_DUEL, lessons=COACH), (ONE,), (TWO,), ())
    ada, bo, watching = (Screen(table) for table in meeting.tables)
    for left in (2, 1, 0):
        before = bo.presenter.changes
        bo.told()
        ada.enter(9)
        more = str(left)
        if not left:
            more = "No second chances"
        news = f"{more} left in this game."
        told = ada.answer(yes=True)
        assert told[-1] == f"happened: The coach gives you a second chance. {news}"
        shown = [f"happened: The coach gives Ada a second chance. {news}"]
        assert bo.told() == ([] if left else shown)
        assert (bo.presenter.changes == before) is bool(left)
        assert bo.scene.session.give_backs == left
        assert not any("coach" in each for each in watching.told())


# Products


def products() -> Screen:
    """Return a screen at which the product of 9 × 7 is asked for."""
    screen = at_home(setup(lessons=MENTAL))
    screen.enter(9)
    screen.now = 10.0
    assert screen.enter(7) == ["asked: What is 9 × 7?"]
    screen.now = 12.5
    return screen


def test_a_product_is_marked_before_its_move_is_shown() -> None:
    screen = products()
    told = screen.enter_product("63")
    assert told[0] == "marked: Right, Bo."
    assert told[1].endswith("9 × 7 makes 63.")
    ((product, seconds, hinted),) = screen.table.answers
    assert (product.answer, seconds, hinted) == (63, 2.5, False)


def test_a_wrong_product_is_corrected_and_the_move_counts() -> None:
    screen = products()
    assert screen.enter_product("62")[0] == "marked: Not quite, Bo: 9 × 7 is 63."
    assert screen.scene.session.game.total == 63


def test_an_entry_that_is_not_a_product_keeps_the_question_open() -> None:
    screen = products()
    assert screen.enter_product("sixty") == ["Type the product in digits."]
    assert screen.scene.question is not None


def test_help_comes_in_steps_and_the_last_one_plays_the_product() -> None:
    screen = products()
    told: list[str] = []
    while screen.scene.question is not None:
        told += screen.after(screen.presenter.help_with_product)
    *steps, whole, moved, _ = told
    assert steps
    assert not any("63" in step for step in steps)
    assert whole == "marked: 9 × 7 is 63."
    assert moved.endswith("9 × 7 makes 63.")
    ((product, _, hinted),) = screen.table.answers
    assert product.hinted
    assert hinted


def test_an_answer_after_a_step_of_help_is_stored_as_helped() -> None:
    screen = products()
    screen.presenter.help_with_product()
    screen.enter_product("63")
    ((product, _, hinted),) = screen.table.answers
    assert (product.hinted, hinted) == (False, True)


# Hints and reasons


def test_a_hint_comes_in_steps_and_the_last_one_again() -> None:
    screen = at_home(setup(DUEL))
    told = [screen.after(screen.presenter.hint) for _ in range(6)]
    assert told[0] != told[1]
    assert told[-1] == told[-2]
    assert "×" in told[-1][0]


def test_a_hint_out_of_turn_and_a_reason_name_whose_position_it_is() -> None:
    _, ada, bo = online()
    assert bo.after(bo.presenter.hint) == [
        "It is Ada's turn; hints are for your own moves."
    ]
    (reason,) = bo.after(bo.presenter.why)
    assert reason.startswith("For Ada, whose turn it is: ")
    (own,) = ada.after(ada.presenter.why)
    assert reason.endswith(own)


def test_without_hints_neither_hint_nor_reason_is_given() -> None:
    screen = at_home(setup(lessons=Lessons(hints=False)))
    assert screen.after(screen.presenter.hint) == [NO_HINTS]
    assert screen.after(screen.presenter.why) == [NO_HINTS]


def test_after_the_end_neither_hint_nor_reason_is_given() -> None:
    screen = at_home()
    screen.enter(9, 9, 9)
    assert screen.after(screen.presenter.hint) == ["The game is over."]
    assert screen.after(screen.presenter.why) == ["The game is over."]


# Take-backs and resigning


def test_a_move_declines_a_take_back() -> None:
    _, ada, bo = online(ONLINE_DUEL)
    ada.enter(2)
    assert ada.after(ada.presenter.undo) == [
        "happened: You asked to take a move back. Waiting for Bo to agree."
    ]
    bo.told()
    assert bo.scene.is_asked_for_takeback
    bo.enter(2)
    told = ada.told()
    assert "Bo said no; the move stays." in told[0]


def test_the_key_that_asks_for_a_move_back_cancels_the_request() -> None:
    _, ada, bo = online(ONLINE_DUEL)
    ada.enter(2)
    ada.presenter.undo()
    ada.presenter.undo()
    assert not bo.scene.is_asked_for_takeback
    assert "no longer" in bo.told()[-1]


@pytest.mark.parametrize(
    ("ask", "total"), [(commands.AllowTakeBack(), 1), (commands.DeclineTakeBack(), 2)]
)
def test_a_take_back_is_allowed_or_declined(
    ask: commands.AllowTakeBack, total: int
) -> None:
    _, ada, bo = online(ONLINE_DUEL)
    ada.enter(2)
    ada.presenter.undo()
    bo.told()
    bo.ask(ask)
    ada.told()
    assert ada.scene.session.game.total == total


def test_resigning_asks_for_confirmation() -> None:
    screen = at_home()
    (asked,) = screen.after(screen.presenter.resign)
    assert asked == "asked: Ada, resign this game?"
    assert screen.answer(yes=False) == []
    screen.presenter.resign()
    assert "Bo" in screen.answer(yes=True)[0]
    assert screen.scene.is_over


def test_resigning_needs_no_confirmation_where_nobody_can_be_asked() -> None:
    screen = at_home(can_ask=False)
    screen.presenter.resign()
    assert screen.scene.is_over


def test_a_spectator_neither_resigns_nor_takes_back() -> None:
    table = Meeting(setup(all_seated=False), ()).tables[0]
    screen = Screen(table)
    assert screen.after(screen.presenter.resign) == [
        "You are watching. It is Ada's turn."
    ]
    assert screen.after(screen.presenter.undo) == screen.after(screen.presenter.resign)


@pytest.mark.parametrize("players", [{"levels": LEVELS}, {"bots": (ONE, TWO)}])
def test_nobody_resigns_for_two_programs(players: dict[str, object]) -> None:
    agreed = replace(setup(), **players)
    screen = Screen(Meeting(agreed, ()).tables[0])
    assert screen.after(screen.presenter.resign) == [
        "The computer plays both sides; nobody can resign."
    ]
    assert not screen.scene.is_over


# Programs


def test_a_level_moves_on_request() -> None:
    screen = at_home(setup(levels=(None, "beginner")))
    screen.enter(2)
    assert screen.scene.is_programs_turn
    told = screen.after(screen.presenter.play_automatic_move)
    assert told[0].startswith("happened: Bo plays")
    assert not screen.presenter.play_automatic_move()


# Connections


def test_a_refusal_that_news_explains_is_not_shown() -> None:
    meeting, ada, bo = online(ONLINE_DUEL)
    ada.told()
    session = ada.table.session
    bo.presenter.ask(commands.ResignGame())
    ada.presenter.catch_up()
    ada.table.session = session
    ada.presenter.scene = replace(ada.presenter.scene, session=session)
    told = ada.enter(2)
    assert len(told) == 1
    assert told[0].startswith("happened: ")
    assert meeting.session.to_move is None


def test_other_news_does_not_explain_a_refusal() -> None:
    _, ada, _ = online(ONLINE_DUEL)
    ada.told()
    ada.table.fails = FULL
    ada.table.hear(PresenceChanged(connected=(True, True), watching=3))
    assert ada.enter(2) == ["refused: Games.db: the disk is full."]


def test_a_server_that_does_not_answer_is_a_refusal_and_may_be_asked_again() -> None:
    _, ada, _ = online(ONLINE_DUEL)
    ada.table.fails = UNREACHABLE
    (told,) = ada.enter(2)
    assert told.startswith("refused: ")
    ada.table.fails = None
    assert ada.enter(2)[0].startswith("happened: ")


def test_a_second_ask_is_refused_while_one_is_being_sent() -> None:
    waiting: list[tuple[object, object]] = []

    def later(work: object, done: object) -> None:
        waiting.append((work, done))

    screen = at_home(run=later)
    screen.enter(2)
    assert screen.scene.is_sending
    assert screen.enter(3) == ["One thing at a time: please finish this first."]
    ((work, done),) = waiting
    done(work())  # type: ignore[operator]
    assert not screen.scene.is_sending
    assert screen.told()[-1] == "turn: Bo"
    assert screen.scene.session.game.moves == (2,)


def test_a_second_ask_is_refused_while_a_question_is_open() -> None:
    screen = products()
    presenter = screen.presenter
    for act in (presenter.undo, presenter.resign, lambda: presenter.enter("3")):
        assert screen.after(act) == ["One thing at a time: please finish this first."]
    assert screen.scene.question is not None


def test_absence_is_drawn_at_once_and_reported_when_it_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(presence, "SECONDS_TO_RELOAD", 0.0)
    _, ada, _ = online()
    ada.table.hear(PresenceChanged(connected=(True, True), watching=0))
    ada.told()
    ada.table.hear(PresenceChanged(connected=(True, False), watching=0))
    ada.presenter.catch_up()
    assert ada.scene.connected == (True, False)
    while not (told := ada.told()):
        pass
    assert told == ["Bo is away. The match will wait."]
    ada.table.hear(PresenceChanged(connected=(True, True), watching=0))
    assert ada.told() == ["Bo is back."]


def test_a_player_who_reloads_the_page_is_not_away() -> None:
    _, ada, _ = online()
    for connected in (True, False, True):
        ada.table.hear(PresenceChanged(connected=(True, connected), watching=0))
    assert ada.told() == ["opened", "turn: Ada"]


def test_an_interruption_is_reported_and_stays_in_the_scene() -> None:
    _, ada, _ = online()
    ada.told()
    for news, said, interruption in (
        (Disconnected(), DISCONNECTED, "connection lost"),
        (TableClosed("Bo has left."), "Bo has left.", "table closed"),
        (Reconnected(), RECONNECTED, ""),
    ):
        ada.table.hear(news)
        assert ada.told() == [said]
        assert ada.scene.interruption == interruption


def test_a_match_that_can_no_longer_be_followed_is_gone() -> None:
    _, ada, _ = online()
    ada.told()
    ada.table.hear(MatchGone(MatchChanged()))
    assert ada.told() == ["gone: This match has changed on the server; join again."]
    assert ada.scene.interruption == "match gone"


def test_closing_leaves_the_table() -> None:
    screen = at_home()
    screen.presenter.close()
    assert screen.table.is_closed


# After a game


def test_the_next_game_begins() -> None:
    screen = at_home(setup(length=Length.best_of(3)))
    screen.enter(9, 9, 9)
    told = screen.after(screen.presenter.continue_)
    assert told == ["happened: Game 2 begins: Bo starts.", "turn: Bo"]
    assert screen.ask(commands.StartNextGame())[0].startswith("refused: ")


def test_a_rematch_needs_the_other_player() -> None:
    _, ada, bo = online()
    ada.presenter.ask(commands.ResignGame())
    bo.told()
    ada.told()
    ada.presenter.continue_()
    assert ada.told() == ["happened: You asked for a rematch. Waiting for Bo to agree."]
    assert ada.after(ada.presenter.continue_) == []
    bo.told()
    bo.ask(commands.RequestRematch())
    assert ada.told() == ["happened: A rematch begins: Bo starts.", "turn: Bo"]


def test_only_changes_of_the_match_are_counted() -> None:
    _, ada, bo = online()
    before = bo.presenter.changes
    bo.table.hear(PresenceChanged(connected=(True, True), watching=1))
    bo.told()
    assert bo.presenter.changes == before
    ada.enter(2)
    bo.told()
    assert bo.presenter.changes > before


def test_an_ask_is_finished_even_if_showing_its_outcome_raises() -> None:
    table = Meeting(setup(), (ONE, TWO)).tables[0]

    def show(change: object) -> None:
        if type(change).__name__ == "Refused":
            raise FULL

    presenter = Presenter(table, show)
    presenter.open()
    with pytest.raises(StoreUnavailable):
        presenter.ask(commands.TakeBack())
    assert not presenter.scene.is_sending
