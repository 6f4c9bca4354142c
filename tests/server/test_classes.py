"""A class over HTTP: a lesson, what is refused and how, pauses, streams, and the end."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path

import msgspec
import pytest

from ninefold.classroom import MOST_PUPILS
from ninefold.game import Seat
from ninefold.online import class_messages as wire
from ninefold.playing.state import State
from ninefold.server.asgi import Options
from ninefold.server.cleanup import Cleanup
from ninefold.server.commit_queue import Writer
from ninefold.server.metrics import Metrics
from ninefold.server.rate_limits import MOST_STREAMS_OF_ADDRESS
from ninefold.server.seats import TEACHER, SeatSecrets
from ninefold.server.seats import Device as Identity
from ninefold.session import Command, Session
from ninefold.store.sqlite import FILE_NAME
from tests.program import WAIT_SECONDS
from tests.server.client import Answer, InProcess, Stream
from tests.server.devices import Device, Pupil, Teacher, request_id
from tests.server.school import MADNESS, School, school, seats, table_of, until, views
from tests.servers import KEY, NOW, make_store

pytestmark = pytest.mark.anyio
DUEL = "multiplication-duel"
POSITION = {"asks": "winner", "game": DUEL, "total": "45"}
"""A question whose answer is the player whose turn it is."""
TOO_LARGE = {"multipliers": "2,5,9,11,13,17,19,23", "target": str(10**999)}
"""The rules of a game that takes too long to solve."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def room() -> AsyncIterator[School]:
    """Open a class on a usual server."""
    async with school() as started:
        await started.open()
        yield started


def error(answer: Answer) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return answer.status, answer.refusal.error


def state_of(stream: Stream) -> State:
    """Return the match of the own table as a stream told it last."""
    return [each for each in stream.told if each.kind == "table"][-1].message.state


async def seq_of(device: Device, match: str) -> int:
    return (await device.get(f"/api/matches/{match}")).state.seq


async def move(device: Device, match: str, multiplier: int) -> Answer:
    return await device.play(match, multiplier, await seq_of(device, match))


async def total_of(device: Device, match: str) -> int:
    return (await device.get(f"/api/matches/{match}")).state.total


async def ask_class(room: School, **question: object) -> None:
    asked = await room.teacher.ask("ask-typed", **(POSITION | question))
    assert asked.status == 200, asked.body


# A lesson


async def test_a_lesson_goes_from_the_code_to_the_results(room: School) -> None:
    teacher = room.teacher
    names = ("Mia", "Ben", "Tom")
    assert (await room.enter(room.code)).json == {"names": None}
    pupils = [await room.join(name) for name in names]
    board, streams = await teacher.listen(), [await each.listen() for each in pupils]
    assert [(await each.view()).status for each in pupils] == ["waits"] * 3
    plan = await teacher.plan()
    assert sorted(len(table.pupils) for table in plan.tables) == [1, 2]

    started = await teacher.start_round(game=MADNESS)
    assert len(started.read(wire.TeacherView).tables) == 2
    for pupil, stream in zip(pupils, streams, strict=True):
        await stream.until(lambda s: any(t.kind == "table" for t in s.told))
        view, state = await pupil.view(), state_of(stream)
        assert view.status == "plays"
        assert view.table is not None
        assert view.table.match == state.id
        assert view.round is not None
        assert view.round.title == "Multiplication Madness"
        assert view.name == state.seats[(state.your_seat or Seat.ONE).value - 1].name
        if state.to_move is state.your_seat:
            assert (await pupil.play(state.id, 5, state.seq)).status == 200

    await ask_class(room)
    for pupil, given in zip(pupils, ("mover", "other", "mover"), strict=True):
        answered = (await pupil.ask("answer", answer=given)).read(wire.PupilView)
        assert answered.poll is not None
        assert answered.poll.own == given
        assert (answered.poll.bar, answered.poll.truth) == (None, None)
    asked = (await teacher.view()).poll
    assert asked is not None
    assert (asked.answered, asked.of, asked.bar) == (3, 3, None)
    shown = (await teacher.ask("reveal")).read(wire.TeacherView).poll
    assert shown is not None
    assert shown.bar == (wire.BarView("mover", 2), wire.BarView("other", 1))
    assert shown.truth is None
    told = (await teacher.ask("reveal")).read(wire.TeacherView).poll
    assert told is not None
    assert told.truth is not None
    assert told.truth.right == ("mover",)
    assert (await pupils[0].view()).poll is not None

    assert (await teacher.ask("end-round")).status == 200
    assert {(await each.view()).status for each in pupils} == {"waits"}
    assert (await teacher.ask("close")).status == 200
    assert {(await each.view()).status for each in pupils} == {"over"}
    results = (await teacher.get("/api/class/results")).read(wire.ClassResults)
    assert [row.name for row in results.rows] == sorted(names)
    table = (await teacher.get("/api/class/results?as=csv")).body.decode("utf-8-sig")
    assert [row[0] for row in csv.reader(StringIO(table))] == ["Name", *sorted(names)]
    removed = await teacher.post("/api/class/remove", {})
    assert removed.status == 200
    await board.until_ended()
    for device in (*pupils, teacher):
        assert error(await device.get("/api/class")) == (401, "no_class")


@pytest.mark.parametrize("typed", ["{0}{1}", "{0} {1}", "{0}-{1}", " {0} · {1} "])
async def test_a_code_may_be_typed_in_groups(room: School, typed: str) -> None:
    written = typed.format(room.code[:3], room.code[3:])
    assert (await room.enter(written)).status == 200


async def test_names_are_offered_until_somebody_has_them(room: School) -> None:
    await room.teacher.ask("roster", text="Ada\nMia, Tom\n")
    assert (await room.enter(room.code)).json == {"names": [["Ada"], ["Mia", "Tom"]]}
    await room.join("Ada")
    assert (await room.enter(room.code)).json == {"names": [["Mia", "Tom"]]}
    await room.join("Mia", "Tom")
    assert (await room.enter(room.code)).json == {"names": []}


async def test_two_who_share_a_device_play_as_one(room: School) -> None:
    team, ben = await room.join("Mia", "Tom"), await room.join("Ben")
    await room.teacher.start_round([seats(1, 2)])
    match = await table_of(team)
    assert (await move(team, match, 5)).status == 200
    assert error(await move(team, match, 5)) == (409, "out_of_turn")
    assert (await ben.get(f"/api/matches/{match}")).state.seats[0].name == "Mia & Tom"


async def test_two_who_play_each_other_move_on_one_device(room: School) -> None:
    body = {"code": room.code, "names": ("Mia", "Tom"), "is_duel": True}
    device = Pupil(room)
    assert (await device.post("/api/class/join", body)).status == 201
    await room.teacher.start_round([seats(1)])
    match = await table_of(device)
    assert (await move(device, match, 5)).status == 200
    assert (await move(device, match, 6)).status == 200
    assert await total_of(device, match) == 30


async def test_one_pupil_plays_a_level(room: School) -> None:
    mia = await room.join("Mia")
    await room.teacher.start_round()
    match = await table_of(mia)
    assert (await mia.get(f"/api/matches/{match}")).state.seats[1].kind == "beginner"
    assert (await move(mia, match, 2)).status == 200

    async def level_has_moved() -> bool:
        return await seq_of(mia, match) == 3

    await until(level_has_moved)


@pytest.mark.parametrize("name", ["Beginner", "Player 1", "Player 2"])
@pytest.mark.parametrize("seatings", [[seats(1, 2)], [seats(1)], [seats(2, 1)]])
async def test_a_pupil_may_be_called_like_a_seat_or_a_level(
    room: School, name: str, seatings: list[object]
) -> None:
    await room.join(name)
    await room.join("Ben")
    assert (await room.teacher.start_round(seatings)).status == 200


async def test_games_follow_one_another_and_the_start_is_swapped(room: School) -> None:
    mia, ben, match = await room.pair(game=MADNESS)
    for player, multiplier in ((mia, 9), (ben, 9), (mia, 9)):
        moved = await move(player, match, multiplier)
    assert moved.state.outcome is not None
    body = {"ask": {"do": "next-game"}, "seq": moved.state.seq}
    again = await ben.post(f"/api/matches/{match}/log", body)
    assert (again.state.number, again.state.to_move) == (2, Seat.TWO)
    games = (await room.teacher.get("/api/class/games")).read(wire.ClassGames).games
    assert [(each.number, each.totals) for each in games] == [(1, (1, 9, 81, 729))]


async def test_the_next_round_pairs_others(room: School) -> None:
    for name in ("Mia", "Ben", "Tom", "Zoe"):
        await room.join(name)
    first = await room.teacher.plan()
    await room.teacher.start_round(msgspec.to_builtins(first.tables))
    await room.teacher.ask("end-round")
    same, other = await room.teacher.plan("same"), await room.teacher.plan()
    pairs = [{frozenset(t.pupils) for t in p.tables} for p in (first, same, other)]
    assert pairs[0] == pairs[1]
    assert not pairs[0] & pairs[2]
    alone = await room.teacher.plan("level")
    assert {(len(table.pupils), table.level) for table in alone.tables} == {
        (1, "beginner")
    }


async def test_a_vote_is_played_against_the_computer(room: School) -> None:
    mia = await room.join("Mia")
    await ask_class(room, asks="move", game=MADNESS, total="1")
    await mia.ask("answer", answer="4")
    assert error(await room.teacher.ask("play-vote")) == (409, "not_now")
    await room.teacher.ask("reveal")
    played = (await room.teacher.ask("play-vote")).read(wire.TeacherView).poll
    assert played is not None
    assert played.position.total % 4 == 0
    assert played.position.total > 4
    assert played.position.text.startswith("The class plays ×4: 4. The computer plays")
    assert [hop.multiplier for hop in played.position.line.hops][:1] == [4]
    assert played.bar is None


async def test_a_vote_that_ends_the_game_says_who_wins(room: School) -> None:
    mia = await room.join("Mia")
    for total, vote, text in (
        ("50", "2", "The class plays ×2: 100. The class wins."),
        (
            *("12", "8"),
            "The class plays ×8: 96. The computer plays ×6: 576. The computer wins.",
        ),
    ):
        await ask_class(room, asks="move", game=MADNESS, total=total)
        await mia.ask("answer", answer=vote)
        await room.teacher.ask("reveal")
        await room.teacher.ask("play-vote")
        poll = (await mia.view()).poll
        assert poll is not None
        assert poll.truth is not None
        assert (poll.text, poll.truth.text) == ("The game is over.", text)
        assert not poll.truth.line.bands
        assert poll.truth.line.total == 1
        assert (poll.choices, poll.bar, poll.own) == ((), (), None)
        assert error(await mia.ask("answer", answer=vote)) == (409, "not_now")


async def test_a_typed_total_keeps_the_line_and_the_bands_of_its_game(
    room: School,
) -> None:
    mia = await room.join("Mia")
    await ask_class(room, asks="winner", game="multiplier-showdown", total="60")
    before = (await mia.view()).poll
    assert before is not None
    assert before.position.rules.start == 1
    assert before.position.line.bands == ()
    for _ in range(2):
        await room.teacher.ask("reveal")
    poll = (await mia.view()).poll
    assert poll is not None
    assert poll.truth is not None
    assert "56 to 111" in [band.text for band in poll.truth.line.bands]
    assert poll.truth.right == ("other",)


async def test_advice_is_given_about_a_game_for_a_round(room: School) -> None:
    advice = await room.teacher.get(f"/api/class/advice?game={MADNESS}")
    assert "moves" in advice.read(wire.RoundAdvice).text


async def test_the_address_to_join_at_has_the_code_and_no_secret(room: School) -> None:
    found = (await room.teacher.get("/api/class/network")).read(wire.Network)
    assert [each.url for each in found.addresses] == ["http://localhost"]
    assert "<svg" in found.addresses[0].qr


async def test_the_teachers_link_opens_the_class_in_another_browser(
    room: School,
) -> None:
    secret = room.teacher.cookie.partition("=")[2]
    other = Teacher(room)
    taught = await other.post("/api/class/teach", {"secret": secret})
    assert taught.read(wire.TeacherView) == await room.teacher.view()
    assert (await other.ask("door", is_open=False)).status == 200


async def test_a_request_that_is_sent_again_counts_once(room: School) -> None:
    sent = {"request_id": request_id()}
    made = [await Teacher(room).post("/api/class", sent) for _ in range(2)]
    assert made[0].body == made[1].body
    join = {"code": room.code, "names": ["Mia"], "request_id": request_id()}
    mia = Pupil(room)
    first = await mia.post("/api/class/join", join)
    cookie = mia.cookie
    assert (await mia.post("/api/class/join", join)).body == first.body
    assert mia.cookie == cookie
    other = await mia.post("/api/class/join", join | {"names": ["Ben"]})
    assert error(other) == (409, "request_id_reused")
    start = {
        "request_id": request_id(),
        "ask": {
            "do": "start-round",
            "proposal": {"game": MADNESS, "opponent": "friend"},
            "minutes": 8,
            "tables": [seats(1)],
        },
    }
    for _ in range(2):
        assert (await room.teacher.post("/api/class/ask", start)).status == 200
    assert (await room.teacher.view()).rounds == 1


async def test_a_join_that_was_stored_is_answered_after_the_door_has_closed(
    room: School,
) -> None:
    join = {"code": room.code, "names": ["Mia"], "request_id": request_id()}
    await Pupil(room).post("/api/class/join", join)
    await room.teacher.ask("door", is_open=False)
    mia = Pupil(room)
    assert (await mia.post("/api/class/join", join)).status == 201
    assert (await mia.view()).name == "Mia"


async def test_a_class_is_taught_again_after_a_restart(tmp_path: Path) -> None:
    async with school(tmp_path) as before:
        await before.open()
        mia, ben, match = await before.pair()
        await move(mia, match, 5)
        await before.teacher.ask("pause", is_on=True)
    async with school(tmp_path) as after:
        for device in (mia, ben, before.teacher):
            device.caller = after
        # Asked of the match, which knows nothing of a pause.
        assert error(await ben.play(match, 5, 3)) == (409, "held")
        await before.teacher.ask("pause", is_on=False)
        assert (await ben.play(match, 5, 3)).state.total == 25
        stream = await mia.listen()
        await stream.until(lambda s: any(t.kind == "table" for t in s.told))
        assert state_of(stream).total == 25


# Newcomers, and those who come back


async def test_after_the_first_round_newcomers_knock_and_are_let_in(
    room: School,
) -> None:
    await room.pair()
    await room.teacher.ask("end-round")
    await room.teacher.start_round([seats(1, 2)])
    tom = await room.join("Tom")
    assert (await tom.view()).status == "knocks"
    assert (await tom.view()).round is None
    assert error(await tom.ask("answer", answer="mover")) == (401, "no_class")
    stream = await tom.listen()
    await room.teacher.ask("let-in", pupil=3)
    await stream.until(lambda s: views(s)[-1].status == "waits")  # type: ignore[union-attr]
    opened = await room.teacher.ask("open-table", table=seats(3))
    assert opened.status == 200
    assert (await tom.view()).status == "plays"


async def test_a_newcomer_who_knocks_when_the_class_ends_is_told_so(
    room: School,
) -> None:
    await room.pair()
    await room.teacher.ask("end-round")
    tom = await room.join("Tom")
    assert (await tom.view()).status == "knocks"
    await room.teacher.ask("close")
    assert (await tom.view()).status == "over"


async def test_a_newcomer_who_is_not_let_in_is_told_so(room: School) -> None:
    await room.pair()
    await room.teacher.ask("end-round")
    tom, zoe = await room.join("Tom"), await room.join("Zoe")
    await room.teacher.ask("leave", pupil=3)
    await room.teacher.ask("leave", pupil=4, is_sent_back=True)
    assert (await tom.view()).status == "left"
    assert (await zoe.view()).status == "sent-back"


async def test_a_pupil_who_is_sent_back_chooses_another_name(room: School) -> None:
    mia = await room.join("Rude")
    stream = await mia.listen()
    await room.teacher.ask("leave", pupil=1, is_sent_back=True)
    await stream.until(lambda s: views(s)[-1].status == "sent-back")  # type: ignore[union-attr]
    assert error(await mia.ask("answer", answer="mover")) == (401, "no_class")
    assert (await mia.try_to_join(room.code, "Mia")).status == 201
    assert (await mia.view()).status == "waits"


async def test_another_device_of_a_pupil_plays_once_it_is_let_in(room: School) -> None:
    mia, _, match = await room.pair()
    new = Pupil(room)
    refused = await new.try_to_join(room.code, "Mia")
    assert error(refused) == (409, "name_in_use")
    assert "Mia" in refused.refusal.detail
    await new.try_to_join(room.code, "Mia", is_back=True)
    assert (await new.view()).status == "knocks"
    assert error(await move(new, match, 5)) == (401, "no_seat")
    stream = await mia.listen()
    await room.teacher.ask("let-in", pupil=1)
    await stream.until(lambda s: views(s)[-1].status == "moved")  # type: ignore[union-attr]
    assert (await new.view()).status == "plays"
    assert error(await move(mia, match, 5)) == (401, "no_seat")
    assert error(await mia.ask("leave-class")) == (401, "no_class")
    assert (await move(new, match, 5)).status == 200


async def test_a_pupil_who_left_frees_the_partner_and_comes_back(room: School) -> None:
    mia, ben, match = await room.pair()
    left = await mia.ask("leave-class")
    assert left.read(wire.PupilView).status == "left"
    assert (await ben.view()).status == "waits"
    assert (await room.teacher.view()).waiting == (2,)
    assert error(await move(mia, match, 5)) == (401, "no_seat")
    alone = await ben.play(match, 5, 2)
    assert error(alone) == (409, "held")
    assert alone.refusal.detail == "This table is over. Look at the board."
    again = await room.join("Mia")
    assert (await again.view()).status == "waits"
    await room.teacher.ask("open-table", table=seats(1, 2))
    assert await table_of(again) == await table_of(ben) != match
    assert error(await mia.ask("leave-class")) == (401, "no_class")


async def test_a_class_has_250_pupils_at_most(room: School) -> None:
    bodies = [
        {"code": room.code, "names": [f"Pupil {number}"]}
        for number in range(MOST_PUPILS + 5)
    ]
    joined = await asyncio.gather(
        *(Pupil(room).post("/api/class/join", body) for body in bodies)
    )
    statuses = [answer.status for answer in joined]
    assert statuses.count(201) == MOST_PUPILS
    assert statuses.count(409) == 5
    numbers = [row.number for row in (await room.teacher.view()).pupils]
    assert numbers == [*range(1, MOST_PUPILS + 1)]
    seatings = [seats(number) for number in numbers]
    everybody = await room.teacher.start_round(seatings)
    assert everybody.status == 200, everybody.body
    assert len(everybody.read(wire.TeacherView).tables) == MOST_PUPILS


# Bad input


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"])
async def test_a_wrong_code_is_refused(room: School, code: str) -> None:
    answer = await room.enter(code)
    assert answer.error == (404, "wrong_code")
    assert "board" in str(answer["detail"])


async def test_a_closed_door_lets_nobody_in(room: School) -> None:
    await room.teacher.ask("door", is_open=False)
    assert (await room.enter(room.code)).error == (409, "door_closed")
    refused = await Pupil(room).try_to_join(room.code, "Mia")
    assert error(refused) == (409, "door_closed")
    assert "ask your teacher" in refused.refusal.detail
    await room.teacher.ask("door", is_open=True)
    assert (await Pupil(room).try_to_join(room.code, "Mia")).status == 201


@pytest.mark.parametrize(
    ("names", "status", "says"),
    [
        (["<b>Mia</b>"], 409, "cannot contain < or >"),
        (["x" * 10_000], 400, "24"),
        (["x" * 90], 422, "24"),
        (["x" * 97], 400, "24"),
        ([" "], 422, "name"),
        (["\u202emia"], 422, "name"),
        ([""], 400, "name"),
        ([], 400, "names"),
        (["A", "B", "C"], 400, "names"),
        (["Mia", "Mia"], 409, "Mia"),
        (["x" * 20, "y" * 20], 409, "too long together"),
    ],
)
async def test_a_name_that_cannot_be_used_is_refused(
    room: School, names: list[str], status: int, says: str
) -> None:
    refused = await Pupil(room).try_to_join(room.code, *names)
    assert refused.status == status, refused.body
    assert says in refused.refusal.detail
    assert (await room.teacher.view()).pupils == ()


async def test_a_name_that_nobody_has_does_not_come_back(room: School) -> None:
    refused = await Pupil(room).try_to_join(room.code, "Mia", is_back=True)
    assert error(refused) == (409, "not_now")
    assert "Mia" in refused.refusal.detail


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"tables": []}, 409, "nobody is here"),
        ({"tables": [seats()]}, 400, "pupils"),
        ({"tables": [seats(1, 2, 3)]}, 400, "pupils"),
        ({"tables": [seats(1, 1)]}, 422, "Mia too"),
        ({"tables": [seats(1, 2), seats(2, 3)]}, 409, "one table only"),
        ({"tables": [seats(1, 9)]}, 409, "no such pupil"),
        ({"tables": [seats(0)]}, 409, "no such pupil"),
        ({"tables": [seats(-1)]}, 409, "no such pupil"),
        ({"tables": [seats(1, 2, level="perfect")]}, 409, "two players"),
        ({"tables": [seats(1, level="wizard")]}, 422, "not a level"),
        ({"tables": [seats(1, level="friend")]}, 422, "not a level"),
        ({"tables": [seats(1, level="here")]}, 422, "not a level"),
        ({"tables": [seats(1, level="human")]}, 422, "not a level"),
        ({"tables": [seats(1, 4)]}, 409, "is not here"),
        ({"tables": [seats(1)] * 251}, 400, "tables"),
        ({"minutes": 0}, 409, "1 to 90 minutes"),
        ({"minutes": 91}, 409, "1 to 90 minutes"),
        ({"minutes": 10**30}, 409, "1 to 90 minutes"),
        ({"proposal": {"game": "chess"}}, 422, "chess"),
        ({"proposal": {"game": DUEL, "target": "97"}}, 409, "nobody can make"),
        ({"proposal": {"game": DUEL, "target": "1"}}, 422, "target"),
        ({"proposal": {"game": DUEL, "multipliers": "x"}}, 422, "multipliers"),
    ],
)
async def test_a_round_that_cannot_be_played_is_refused(
    room: School, change: dict[str, object], status: int, says: str
) -> None:
    for name in ("Mia", "Ben", "Tom", "Zoe"):
        await room.join(name)
    await room.teacher.ask("leave", pupil=4)
    proposal = {"game": MADNESS}
    given = change.get("proposal", proposal)
    assert isinstance(given, dict)
    fields = {"minutes": 8, "tables": [seats(1, 2)], **change}
    fields["proposal"] = {"opponent": "friend", **given}
    refused = await room.teacher.ask("start-round", **fields)
    assert refused.status == status, refused.body
    assert says in refused.refusal.detail
    assert (await room.teacher.view()).rounds == 0


async def test_a_round_with_nobody_is_refused(room: School) -> None:
    refused = await room.teacher.start_round([])
    assert error(refused) == (409, "not_now")
    assert "wait until someone has joined" in refused.refusal.detail


async def test_a_game_too_large_to_judge_is_played_all_the_same(room: School) -> None:
    mia, ben, match = await room.pair(game="multiplier", **TOO_LARGE)
    assert (await move(mia, match, 2)).status == 200
    assert (await move(ben, match, 5)).status == 200
    rows = (await room.teacher.get("/api/class/results")).read(wire.ClassResults).rows
    assert [row.unfinished for row in rows] == [1, 1]
    await room.teacher.ask("end-round")
    assert len((await room.teacher.plan()).tables) == 1


async def test_answers_are_refused_outside_of_a_question(room: School) -> None:
    mia = await room.join("Mia")
    refused = await mia.ask("answer", answer="mover")
    assert error(refused) == (409, "not_now")
    await ask_class(room)
    wrong = await mia.ask("answer", answer="both")
    assert "choose one of them" in wrong.refusal.detail
    for given in ("mover", "other"):
        assert (await mia.ask("answer", answer=given)).status == 200
    await room.teacher.ask("reveal")
    late = await mia.ask("answer", answer="mover")
    assert error(late) == (409, "not_now")
    assert "wait for the next question" in late.refusal.detail
    poll = (await mia.view()).poll
    assert poll is not None
    assert poll.own == "other"


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ({"total": "100"}, 422),
        ({"total": "ten"}, 422),
        ({"total": "11"}, 422),
        ({"game": "chess"}, 422),
        ({"asks": "everything"}, 400),
    ],
)
async def test_a_question_about_no_position_is_refused(
    room: School, question: dict[str, object], status: int
) -> None:
    refused = await room.teacher.ask("ask-typed", **(POSITION | question))
    assert refused.status == status, refused.body
    assert (await room.teacher.view()).poll is None


async def test_a_question_about_a_finished_game_is_refused(room: School) -> None:
    rules = {"ending": "reach", "target": 10, "multipliers": [2, 9], "start": 1}
    question = {"asks": "move", "book": MADNESS, "rules": rules, "moves": [9, 9]}
    refused = await room.teacher.ask("ask", question=question)
    assert error(refused) == (409, "not_now")
    assert "go back a move" in refused.refusal.detail
    for moves in ([3], [9, 9, 9]):
        beyond = await room.teacher.ask("ask", question=question | {"moves": moves})
        assert beyond.status in (409, 422)
    assert (await room.teacher.ask("ask", question=question | {"moves": []})).status


async def test_a_question_too_large_to_solve_has_no_truth(room: School) -> None:
    await ask_class(room, game="multiplier", total="1", **TOO_LARGE)
    for _ in range(2):
        shown = (await room.teacher.ask("reveal")).read(wire.TeacherView).poll
    assert shown is not None
    assert shown.shows_truth
    assert shown.truth is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\0PNG", "not a names file"),
        ("# nobody\n", "no names"),
        ("\n".join(f"Pupil {n}" for n in range(300)), "at most 250"),
        ("\n".join(f"{n} {'é' * 20}" for n in range(251)), "at most 250"),
        ("Mia\nmia", "line 2: mia is on line 1 already"),
    ],
)
async def test_names_that_cannot_be_used_are_refused(
    room: School, text: str, says: str
) -> None:
    refused = await room.teacher.ask("roster", text=text)
    assert refused.status == 409, refused.body
    assert says in refused.refusal.detail
    assert not (await room.teacher.view()).has_roster


async def test_names_are_taken_away_again(room: School) -> None:
    await room.teacher.ask("roster", text="Mia")
    assert (await room.teacher.ask("roster", text=" ")).status == 200
    assert (await room.enter(room.code)).json == {"names": None}


async def test_a_closed_class_changes_no_more(room: School) -> None:
    mia, _, match = await room.pair()
    await room.teacher.ask("close")
    assert error(await mia.play(match, 5, 2)) == (409, "held")
    for ask, fields in (
        ("door", {"is_open": True}),
        ("close", {}),
        ("pause", {"is_on": True}),
        ("bands", {"are_open": True}),
    ):
        refused = await room.teacher.ask(ask, **fields)
        assert error(refused) == (409, "not_now")
        assert refused.refusal.detail == "the class is over"
    assert error(await mia.ask("answer", answer="mover")) == (409, "not_now")
    assert len((await room.teacher.view()).pupils) == 2


# Attacks


async def test_a_device_without_a_cookie_is_in_no_class(room: School) -> None:
    for path in ("", "/events", "/network", "/plan", "/games", "/results"):
        answer = await room.get(f"/api/class{path}")
        assert error(answer) == (401, "no_class")
    for path, body in (("/ask", {"ask": {"do": "close"}}), ("/remove", {})):
        answer = await Device(room).post(f"/api/class{path}", body)
        assert error(answer) == (401, "no_class")


async def test_a_forged_cookie_is_refused(room: School) -> None:
    mia = await room.join("Mia")
    name, _, secret = mia.cookie.partition("=")
    class_id, pupil, number, proof = secret.split(".")
    forged = [
        f"{class_id}.0.0.{proof}",
        f"{class_id}.2.{number}.{proof}",
        f"{class_id}.{pupil}.2.{proof}",
        f"{class_id}.0{pupil}.{number}.{proof}",
        f"{class_id[::-1]}.{pupil}.{number}.{proof}",
        f"{class_id}.{pupil}.{number}.{proof[::-1]}",
        SeatSecrets(b"x" * 32).device_secret(Identity(class_id, TEACHER)),
        "",
        "é",
        "x" * 5_000,
    ]
    for each in forged:
        mia.cookie = f"{name}={each}"
        assert error(await mia.get("/api/class")) == (401, "no_class")


async def test_the_cookie_of_a_pupil_whom_the_class_never_had_is_refused(
    room: School,
) -> None:
    class_id = room.teacher.cookie.partition("=")[2].partition(".")[0]
    for identity in (Identity(class_id, 1, 1), Identity("x" * 22, 1, 1)):
        device = Device(room)
        device.cookie = f"ninefold-class={SeatSecrets(KEY).device_secret(identity)}"
        assert error(await device.get("/api/class")) == (401, "no_class")
        assert error(await device.ask("leave-class")) == (401, "no_class")


async def test_the_cookie_of_another_class_opens_nothing(room: School) -> None:
    mia, ben, match = await room.pair()
    teacher = await Teacher.create(room)
    stranger = await Pupil.join(room, await teacher.code(), "Mia")
    assert error(await move(stranger, match, 5)) == (401, "no_seat")
    watched = (await stranger.get(f"/api/matches/{match}")).state
    assert watched.your_seat is None
    for call in ("hint", "why", "review", "practice"):
        answer = await teacher.get(f"/api/matches/{match}/{call}")
        assert error(answer) == (403, "bands_closed")
    assert (await teacher.ask("leave", pupil=2)).status == 409
    await teacher.ask("pause", is_on=True)
    assert (await move(mia, match, 5)).status == 200
    await teacher.post("/api/class/remove", {})
    assert (await ben.view()).status == "plays"


async def test_a_pupils_secret_is_not_a_teachers_link(room: School) -> None:
    mia = await room.join("Mia")
    for secret in (mia.cookie.partition("=")[2], "", "x", room.code):
        refused = await Device(room).post("/api/class/teach", {"secret": secret})
        assert error(refused) == (401, "wrong_secret")


TEACHERS_ASKS: list[dict[str, object]] = [
    {"do": "door", "is_open": False},
    {"do": "roster", "text": "Eve"},
    {"do": "open-table", "table": seats(1)},
    {"do": "ask-typed", **POSITION},
    {"do": "ask", "question": None},
    {"do": "play-vote"},
    {"do": "let-in", "pupil": 1},
    {"do": "leave", "pupil": 2},
    {"do": "rename", "pupil": 2, "names": ["Eve"]},
    {"do": "apart", "pupils": [1, 2]},
    {"do": "pause", "is_on": True},
    {"do": "end-round"},
    {"do": "reveal"},
    {"do": "bands", "are_open": True},
    {"do": "close"},
]


async def test_a_pupil_cannot_do_what_the_teacher_does(room: School) -> None:
    mia, _, _ = await room.pair()
    before = (await room.teacher.view()).revision
    for ask in TEACHERS_ASKS:
        refused = await mia.post("/api/class/ask", {"ask": ask})
        assert error(refused) == (403, "not_allowed")
    for path in ("network", "plan", "advice?game=duel", "games", "results"):
        refused = await mia.get(f"/api/class/{path}")
        assert error(refused) == (403, "not_allowed")
    assert error(await mia.post("/api/class/remove", {})) == (403, "not_allowed")
    assert (await room.teacher.view()).revision == before


async def test_no_ask_names_another_pupil_or_a_command_of_the_log(room: School) -> None:
    mia = await room.join("Mia")
    await room.join("Ben")
    await ask_class(room)
    for ask in (
        {"do": "answer", "answer": "mover", "pupil": 2},
        {"do": "leave-class", "pupil": 2},
        {"do": "join", "pupil": 3, "names": ["Eve"]},
        {"do": "return", "pupil": 2, "device": 2},
    ):
        for device in (mia, room.teacher):
            assert (await device.post("/api/class/ask", {"ask": ask})).status == 400
    poll = (await room.teacher.view()).poll
    assert poll is not None
    assert poll.answered == 0
    refused = await room.teacher.ask("answer", answer="mover")
    assert error(refused) == (403, "not_allowed")


async def test_a_pupil_moves_neither_for_the_partner_nor_at_another_table(
    room: School,
) -> None:
    pupils = [await room.join(name) for name in ("Mia", "Ben", "Tom", "Zoe")]
    await room.teacher.start_round([seats(1, 2), seats(3, 4)])
    mia, ben, tom, _ = pupils
    match = await table_of(mia)
    assert error(await move(ben, match, 5)) == (409, "out_of_turn")
    assert error(await move(tom, match, 5)) == (401, "no_seat")
    assert error(await room.teacher.play(match, 5, 2)) == (401, "no_seat")
    resigns = {"ask": {"do": "resign"}, "seq": 2}
    refused = await tom.post(f"/api/matches/{match}/log", resigns)
    assert error(refused) == (401, "no_seat")
    sits = await tom.post(f"/api/matches/{match}/seat", {"name": "Eve"})
    assert error(sits) == (409, "seat_taken")
    assert (await move(mia, match, 5)).status == 200
    assert error(await move(mia, match, 5)) == (409, "out_of_turn")


async def test_what_pupils_are_told_holds_nothing_of_others(room: School) -> None:
    mia, ben = await room.join("Mia"), await room.join("Ben")
    tom, zoe = await room.join("Tom"), await room.join("Zoe")
    stream = await mia.listen()
    await room.teacher.start_round([seats(1, 2), seats(3, 4)])
    await stream.until(lambda s: any(t.kind == "table" for t in s.told))
    elsewhere = await table_of(tom)
    assert (await move(tom, elsewhere, 7)).status == 200
    await ask_class(room)
    await stream.until(lambda s: views(s)[-1].poll is not None)
    quiet = len(stream.told)
    for pupil in (ben, tom, zoe):
        await pupil.ask("answer", answer="other")
    answered = await mia.ask("answer", answer="mover")
    await stream.until(lambda s: len(s.told) > quiet)
    assert len(stream.told) == quiet + 1
    poll = answered.read(wire.PupilView).poll
    assert poll is not None
    assert (poll.own, poll.answered, poll.bar, poll.truth) == ("mover", 0, None, None)
    everything = b"".join(told.data for told in stream.told)
    for path in ("/api/class", f"/api/matches/{await table_of(mia)}/log"):
        everything += (await mia.get(path)).body
    for text in (elsewhere, "Tom", "Zoe", room.code):
        assert text.encode() not in everything


async def test_a_pupils_cookie_is_for_the_calls_of_this_day_alone(room: School) -> None:
    body = {"code": room.code, "names": ["Mia"]}
    joined = await Device(room).post("/api/class/join", body)
    cookie = joined.headers["set-cookie"].lower()
    for part in ("httponly", "samesite=lax", "path=/api", "max-age=43200"):
        assert part in cookie


async def test_a_code_of_a_closed_class_is_answered_as_one_of_none(
    room: School,
) -> None:
    await room.teacher.ask("close")
    other = f"{(int(room.code) + 1) % 10**6:06}"
    closed, none = await room.enter(room.code), await room.enter(other)
    assert (closed.status, closed.body) == (none.status, none.body)
    join = {"code": room.code, "names": ["Mia"], "request_id": request_id()}
    refused = await Device(room).post("/api/class/join", join)
    assert error(refused) == (404, "wrong_code")


async def test_only_wrong_codes_are_counted_for_an_address(room: School) -> None:
    for _ in range(100):
        assert (await room.enter(room.code)).status == 200
    guesses = [room.enter("000") for _ in range(100)]
    statuses = [answer.status for answer in await asyncio.gather(*guesses)]
    assert (statuses.count(404), statuses.count(429)) == (60, 40)
    assert (await room.enter(room.code)).error == (429, "too_many")
    assert (await room.enter(room.code, "203.0.113.1")).status == 200


async def test_wrong_codes_of_all_addresses_are_counted(room: School) -> None:
    for number in range(4):
        for _ in range(50):
            answer = await room.enter("000", f"203.0.113.{number}")
            assert answer.status == 404
    assert (await room.enter("000", "203.0.113.9")).status == 429
    assert (await room.enter(room.code, "203.0.113.10")).status == 429


# Pauses


async def test_a_pause_holds_moves_until_the_class_plays_on(room: School) -> None:
    mia, ben, match = await room.pair()
    sent = {
        "seq": 2,
        "request_id": request_id(),
        "ask": {"do": "move", "multiplier": 5},
    }
    path = f"/api/matches/{match}/log"
    first = await mia.post(path, sent)
    await room.teacher.ask("pause", is_on=True)
    assert (await mia.post(path, sent)).body == first.body
    refused = await move(ben, match, 5)
    assert error(refused) == (409, "held")
    assert refused.refusal.detail == "Pause. Look at the board."
    assert (await ben.view()).text == "Pause. Look at the board."
    await room.teacher.ask("pause", is_on=False)
    assert (await move(ben, match, 5)).state.total == 25


async def test_a_pause_takes_nothing_from_the_time_of_a_round(room: School) -> None:
    mia, _, match = await room.pair()
    await room.wait(minutes=5)
    await room.teacher.ask("pause", is_on=True)
    await room.wait(minutes=60)
    view = (await mia.view()).round
    assert view is not None
    assert (view.seconds_left, view.is_paused) == (180, True)
    await room.teacher.ask("pause", is_on=False)
    await room.wait(minutes=2.9)
    assert (await move(mia, match, 5)).status == 200
    await room.wait(minutes=0.2)
    assert (await mia.view()).round is None
    ended = await mia.play(match, 5, 3)
    assert error(ended) == (409, "held")
    assert ended.refusal.detail == "The round is over. Look at the board."
    games = (await room.teacher.get("/api/class/games")).read(wire.ClassGames).games
    assert [each.is_over for each in games] == [False]


async def test_a_round_that_is_over_ends_once(room: School) -> None:
    await room.pair()
    before = (await room.teacher.view()).revision
    room.now += timedelta(minutes=9)
    await asyncio.gather(*(room.wait(0) for _ in range(5)))
    assert (await room.teacher.view()).revision == before + 1


async def test_a_level_that_is_thinking_when_the_pause_comes_does_not_move(
    room: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks, may_move = threading.Event(), threading.Event()
    choose = Session.next_automatic_command

    def think(session: Session) -> Command | None:
        thinks.set()
        assert may_move.wait(WAIT_SECONDS)
        return choose(session)

    monkeypatch.setattr(Session, "next_automatic_command", think)
    mia = await room.join("Mia")
    await room.teacher.start_round([seats(1)])
    match = await table_of(mia)
    await move(mia, match, 2)
    assert await asyncio.to_thread(thinks.wait, WAIT_SECONDS)
    await room.teacher.ask("pause", is_on=True)
    live = await room.server.live_matches.find(match)
    answering = live.answering
    assert answering is not None
    may_move.set()
    await answering
    assert await seq_of(mia, match) == 2
    await room.teacher.ask("pause", is_on=False)

    async def level_has_moved() -> bool:
        return await seq_of(mia, match) == 3

    await until(level_has_moved)


# Bands


async def test_bands_stay_closed_until_the_teacher_opens_them(room: School) -> None:
    mia, ben, match = await room.pair(game=MADNESS)
    calls = ("hint", "why", "review", "practice")

    async def errors_for(device: Device) -> list[str]:
        answers = [await device.get(f"/api/matches/{match}/{call}") for call in calls]
        return [
            "" if answer.status == 200 else answer.refusal.error for answer in answers
        ]

    assert await errors_for(mia) == ["bands_closed"] * 4
    for player in (mia, ben, mia):
        await move(player, match, 9)
    for device in (mia, Device(room)):
        assert await errors_for(device) == ["bands_closed"] * 4
    # The teacher may always, but plays no seat.
    assert await errors_for(room.teacher) == ["", "", "", "no_seat"]
    await room.teacher.ask("bands", are_open=True)
    assert (await mia.view()).bands_are_open
    assert await errors_for(mia) == [""] * 4
    await room.teacher.ask("bands", are_open=False)
    assert await errors_for(mia) == ["bands_closed"] * 4


async def test_hints_that_a_round_allows_are_given_during_a_game(room: School) -> None:
    mia, ben, match = await room.pair(game=MADNESS, lessons={"hints": True})
    assert (await mia.get(f"/api/matches/{match}/hint")).status == 200
    for player in (mia, ben, mia):
        await move(player, match, 9)
    refused = await mia.get(f"/api/matches/{match}/why")
    assert error(refused) == (403, "bands_closed")


async def test_no_message_of_a_table_shows_lost_bands(room: School) -> None:
    mia, ben, match = await room.pair(game=MADNESS)
    streams = [await mia.listen(), await room.teacher.listen()]
    for player in (mia, ben, mia):
        moved = await move(player, match, 9)
        assert moved.state.line.bands == ()
    for stream in streams:
        await stream.until(lambda s: b"729" in b"".join(t.data for t in s.told))
        for told in stream.told:
            assert b'"bands":[{' not in told.data
            assert b"striped" not in told.data


CLOSED_CALLS = (
    "/api/solve?game=duel",
    "/api/line?game=duel",
    "/api/puzzles",
    "/api/practice",
    "/api/path",
    "/api/learner",
)


@pytest.fixture
async def laptop() -> AsyncIterator[School]:
    """Start a server for one class, as ``ninefold class`` does."""
    class_id = SeatSecrets(KEY).class_id("a-class-of-a-laptop")
    addresses = ("http://192.0.2.5:8000", "http://10.1.2.3:8000")
    options = Options(class_id=class_id, addresses=addresses)
    async with school(options=options) as started:
        await started.server.live_classes.create(class_id)
        secret = SeatSecrets(KEY).device_secret(Identity(class_id, TEACHER))
        await started.teacher.post("/api/class/teach", {"secret": secret})
        started.code = await started.teacher.code()
        yield started


async def test_a_laptops_server_answers_the_teacher_alone_until_bands_are_open(
    laptop: School,
) -> None:
    mia, _, _ = await laptop.pair()
    claim: dict[str, object] = {
        "game": "duel",
        "total": 45,
        "lost": False,
        "entries": [],
    }
    new_match = {"game": "duel", "opponent": "perfect", "name": "Mia"}

    async def statuses(device: Device) -> list[int]:
        answers = [await device.get(path) for path in CLOSED_CALLS]
        answers.append(await device.post("/api/matches", new_match))
        sent = msgspec.json.encode(claim)
        headers = {"content-type": "application/json", "cookie": device.cookie}
        answers.append(await laptop.ask("POST", "/api/claim", sent, **headers))
        return [answer.status for answer in answers]

    assert (await mia.get("/api/choices")).status == 200
    assert (await laptop.teacher.view()).keeps_bands
    assert set(await statuses(mia)) == {403}
    assert set(await statuses(Device(laptop))) == {403}
    assert 403 not in await statuses(laptop.teacher)
    await laptop.teacher.ask("bands", are_open=True)
    assert 403 not in await statuses(mia)


async def test_a_laptops_server_has_one_class(laptop: School) -> None:
    refused = await Device(laptop).post("/api/class", {})
    assert error(refused) == (403, "has_class")
    found = (await laptop.teacher.get("/api/class/network")).read(wire.Network)
    assert [each.url for each in found.addresses] == [
        "http://192.0.2.5:8000",
        "http://10.1.2.3:8000",
    ]
    home = await laptop.get("/")
    assert (home.status, home.headers["location"]) == (307, "/class")


async def test_the_teacher_sees_from_where_the_laptop_was_reached(
    laptop: School,
) -> None:
    stream = await laptop.teacher.listen()
    assert (await laptop.teacher.view()).reached_from is None
    await laptop.get("/class")
    await stream.until(lambda s: views(s)[-1].reached_from is not None)  # type: ignore[union-attr]
    assert (await laptop.teacher.view()).reached_from == "198.51.100.7"


# Nothing is left behind


async def test_a_class_keeps_one_truth_in_memory(room: School) -> None:
    for total in ("36", "40", "45"):
        await ask_class(room, total=total)
        for _ in range(2):
            shown = await room.teacher.ask("reveal")
        poll = shown.read(wire.TeacherView).poll
        assert poll is not None
        assert poll.truth is not None
    class_id = room.teacher.cookie.partition("=")[2].partition(".")[0]
    live = await room.server.live_classes.find(class_id)
    assert len(live.truths) == 1


async def test_a_class_leaves_no_learner_and_no_match_in_a_list(room: School) -> None:
    mia, _ = await room.join("Mia"), await room.join("Ben")
    # No level moves while the store is looked at.
    await room.teacher.start_round([seats(1, 2)], lessons={"mental": True})
    match = await table_of(mia)
    ask = {"do": "move", "multiplier": 2, "answer": 2}
    body = {"ask": ask, "seq": await seq_of(mia, match)}
    moved = await mia.post(f"/api/matches/{match}/log", body)
    assert moved.status == 200
    assert "set-cookie" not in moved.headers
    rows = (await room.teacher.get("/api/class/results")).read(wire.ClassResults).rows
    assert [row.right for row in rows] == [0, 1]
    store = room.store
    assert store.learners() == []
    assert [*store.entries()] == []
    assert store.unfinished() == []
    assert store.find(match) == []
    assert store.history() == []


async def test_removing_a_class_removes_its_matches_and_ends_its_streams(
    room: School,
) -> None:
    mia, _, match = await room.pair()
    stream = await mia.listen()
    await room.teacher.post("/api/class/remove", {})
    await stream.until_ended()
    assert stream.ended_well
    for path in (f"/api/matches/{match}", f"/api/matches/{match}/log"):
        assert error(await mia.get(path)) == (404, "no_such_match")
    assert error(await mia.play(match, 5, 2)) == (404, "no_such_match")
    assert (await room.enter(room.code)).error == (404, "wrong_code")
    assert error(await room.teacher.get("/api/class/results")) == (401, "no_class")


async def test_a_class_is_removed_a_day_after_its_last_command(room: School) -> None:
    mia, _, match = await room.pair()
    stream = await mia.listen()
    remove = room.server.live_classes.remove_older_than
    assert await remove(NOW) == 0
    assert (await mia.view()).status == "plays"
    assert await remove(NOW + timedelta(seconds=1)) == 1
    await stream.until_ended()
    assert error(await mia.get("/api/class")) == (401, "no_class")
    assert (await mia.get(f"/api/matches/{match}")).status == 404


@pytest.mark.parametrize("days", [None, 1, 400])
async def test_classes_go_after_24_hours_however_long_matches_are_kept(
    days: int | None,
) -> None:
    asked = []

    async def remove(before: object) -> int:
        asked.append(before)
        return 0

    writer = Writer(make_store(), Metrics())
    await Cleanup(writer, days, remove, lambda: NOW).remove()
    await writer.close()
    assert asked == [NOW - timedelta(hours=24)]


# Streams


async def test_a_new_stream_of_a_device_ends_the_one_before(room: School) -> None:
    mia, ben, match = await room.pair()
    old = await mia.listen()
    new = await mia.listen()
    await old.until_ended()
    assert old.told[-1].kind == "replaced"
    await move(mia, match, 5)
    await new.until(lambda s: state_of(s).total == 5)
    others = await ben.listen()
    assert not new.ended
    await others.until(lambda s: any(t.kind == "presence" for t in s.told))


async def test_a_device_that_comes_back_is_not_refused_for_its_own_streams(
    room: School,
) -> None:
    mia = await room.join("Mia")
    for _ in range(MOST_STREAMS_OF_ADDRESS + 5):
        stream = await mia.listen()
    assert not stream.ended


async def test_a_teacher_has_a_limited_number_of_streams(room: School) -> None:
    for _ in range(MOST_STREAMS_OF_ADDRESS):
        await room.teacher.listen()
    refused = await room.teacher.get("/api/class/events")
    assert (refused.status, b"too_many" in refused.body) == (429, True)


async def test_a_stream_begins_with_the_present(room: School) -> None:
    mia, ben, match = await room.pair()
    await move(mia, match, 5)
    for pupil in (mia, ben):
        stream = await pupil.listen()
        await stream.until(lambda s: any(t.kind == "presence" for t in s.told))
        assert views(stream) == [await pupil.view()]
        assert state_of(stream).total == 5
        assert {told.id for told in stream.told} == {None}


async def test_a_stream_follows_its_pupil_from_table_to_table(room: School) -> None:
    mia, ben, match = await room.pair()
    stream = await mia.listen()
    await stream.until(lambda s: any(t.kind == "table" for t in s.told))
    await room.teacher.ask("open-table", table=seats(1))
    other = await table_of(mia)
    await stream.until(lambda s: state_of(s).id == other)
    assert await table_of(mia) != match
    told = len(stream.told)
    body = {"ask": {"do": "resign"}, "seq": 2}
    assert (await ben.post(f"/api/matches/{match}/log", body)).status == 409
    await move(mia, other, 2)
    await stream.until(lambda s: len(s.told) > told)
    assert {state_of(stream).id} == {other}


async def test_the_partners_presence_is_told(room: School) -> None:
    mia, ben, _ = await room.pair()
    stream = await mia.listen()
    await stream.until(lambda s: s.presences != [])
    assert stream.presences[-1].connected == (True, False)
    partner = await ben.listen()
    await stream.until(lambda s: s.presences[-1].connected == (True, True))
    partner.close()
    await stream.until(lambda s: s.presences[-1].connected == (True, False))


async def test_shutting_down_ends_every_stream_well() -> None:
    async with school() as room:
        await room.open()
        mia = await room.join("Mia")
        streams = [await mia.listen(), await room.teacher.listen()]
    for stream in streams:
        await stream.until_ended()
        assert stream.ended_well


async def test_the_board_gets_the_rows_that_changed(room: School) -> None:
    pupils = [await room.join(name) for name in ("Mia", "Ben", "Tom", "Zoe")]
    await room.teacher.start_round([seats(1, 2), seats(3, 4)])
    stream = await room.teacher.listen()
    await room.teacher.ask("rename", pupil=1, names=["Mia B"])
    await stream.until(lambda s: len(views(s)) > 1)
    match = await table_of(pupils[0])
    await move(pupils[0], match, 5)
    await stream.until(lambda s: any(t.kind == "board" for t in s.told))
    update = msgspec.json.decode(stream.told[-1].data, type=wire.BoardUpdate)
    rows = [(row.match, row.total, row.to_move) for row in update.tables]
    assert rows == [(match, 5, Seat.TWO)]


async def test_the_teacher_gets_at_most_ten_messages_a_second(room: School) -> None:
    stream = await room.teacher.listen()
    loop = asyncio.get_running_loop()
    began = loop.time()
    joined = [room.join(f"Pupil {number}") for number in range(60)]
    await asyncio.gather(*joined)
    await stream.until(lambda s: len(views(s)[-1].pupils) == 60)  # type: ignore[union-attr]
    seconds = loop.time() - began
    assert len(stream.told) <= 2 + 10 * seconds


# Damage


def damage(folder: Path, change: str) -> None:
    """Change the rows of a class or its matches in a database."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        connection.executescript(change)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE class_log SET command = '{' WHERE number = 2",
        'UPDATE class_log SET command = \'{"do":"let-in","pupil":9}\'',
        "UPDATE class_log SET at = 'late' WHERE number = 2",
        "DELETE FROM class_log WHERE number = 2",
        "DELETE FROM class_log WHERE number = 4",
    ],
)
async def test_a_damaged_class_is_refused_and_can_be_removed(
    tmp_path: Path, change: str
) -> None:
    async with school(tmp_path) as before:
        await before.open()
        mia, _, match = await before.pair()
    damage(tmp_path, change)
    async with school(tmp_path) as after:
        before.teacher.caller = mia.caller = after
        for answer in (
            await before.teacher.get("/api/class"),
            await mia.get("/api/class"),
            await mia.get("/api/class/events"),
            await mia.get(f"/api/matches/{match}"),
            await before.teacher.ask("pause", is_on=True),
        ):
            assert error(answer) == (410, "damaged")
            assert "class" in answer.refusal.detail
        assert (await before.teacher.post("/api/class/remove", {})).status == 200
        assert error(await mia.get("/api/class")) == (401, "no_class")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE log SET command = '{'",
        "DELETE FROM log; DELETE FROM games; DELETE FROM matches",
    ],
)
async def test_pupils_of_a_damaged_table_stay_in_the_class(
    tmp_path: Path, change: str
) -> None:
    async with school(tmp_path) as before:
        await before.open()
        mia, _, _ = await before.pair()
    damage(tmp_path, change)
    async with school(tmp_path) as after:
        teacher, mia.caller = before.teacher, after
        teacher.caller = after
        stream = await mia.listen()
        await ask_class(before)
        await stream.until(lambda s: any(view.poll for view in views(s)))
        await teacher.ask("open-table", table=seats(1))
        await stream.until(lambda s: any(t.kind == "table" for t in s.told))
        assert not stream.ended
        results = (await teacher.get("/api/class/results")).read(wire.ClassResults)
        assert [row.name for row in results.rows] == ["Ben", "Mia"]


async def test_a_class_goes_on_after_its_database_was_set_back(tmp_path: Path) -> None:
    async with school(tmp_path) as room:
        await room.open()
        await room.join("Mia")
        stream = await room.teacher.listen()
        await room.join("Ben")
        damage(tmp_path, "DELETE FROM class_log WHERE number = 3")
        damage(tmp_path, "UPDATE classes SET revision = 2")
        path, headers = "/api/class/ask", {"content_type": "application/json"}
        body = {"request_id": request_id(), "ask": {"do": "door", "is_open": False}}
        sent = msgspec.json.encode(body)
        cookie = room.teacher.cookie
        lost = await InProcess.ask(room, "POST", path, sent, cookie=cookie, **headers)
        assert error(lost) == (503, "store_unavailable")
        await stream.until_ended()
        again = await room.ask("POST", path, sent, cookie=cookie, **headers)
        view = again.read(wire.TeacherView)
        assert ([row.name for row in view.pupils], view.is_open) == (["Mia"], False)
