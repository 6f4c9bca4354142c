"""The log of a match over HTTP: asks, pages, streams, and what a client replays."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from ninefold import Ending, Rules
from ninefold.game import Seat
from ninefold.notation.codec import decode
from ninefold.online import messages
from ninefold.session import (
    AskRematch,
    AskTakeBack,
    Command,
    GiveBack,
    Move,
    Rematch,
    Session,
    Setup,
    Sit,
    Undo,
)
from tests.server.asgi import Answer, Json, Person, Site, play
from tests.server.client import InProcess, Stream, bearer
from tests.servers import NOW, make_server, make_store
from tests.store.stores import first_append

MADNESS, SHOWDOWN = "multiplication-madness", "multiplication-showdown"
DUEL = "multiplication-duel"
MATCH = "m" * 22


def log_of(person: Person, after: int | None = None) -> messages.MatchLog:
    query = "" if after is None else f"?after={after}"
    return decode(person.get(f"/log{query}").body, messages.MatchLog)


def replayed(log: messages.MatchLog) -> Session:
    """Replay a log as a client does, which checks every digest of it."""
    session, head = Session.start(log.setup), messages.first_head(log.setup)
    for logged in log.log:
        session, _ = session.apply_unchecked(logged.command)
        head = messages.next_head(head, logged.command)
        assert session.revision == logged.number
    assert (session.revision, head) == (log.seq, log.head)
    return session


def commands(answer: Answer) -> list[Json]:
    log = answer["log"]
    assert isinstance(log, list)
    return [each["command"] for each in log]


# Asks


def test_an_ask_becomes_a_command_and_the_state_comes_back(site: Site) -> None:
    ada, bob = site.pair()
    moved = ada.ask("move", multiplier=5)
    assert moved.status == 200
    assert (moved["total"], moved["to_move"], moved["seq"]) == (5, 2, 3)
    assert moved.json == ada.state
    assert bob.ask("move", multiplier=2)["total"] == 10


def test_with_as_log_the_commands_come_back_that_were_added(site: Site) -> None:
    ada, bob = site.pair()
    head = log_of(ada).head
    moved = ada.ask_log("move", multiplier=5, head=head)
    assert moved.status == 200
    assert moved.json == {
        "seq": 3,
        "head": log_of(bob).head,
        "log": [
            {
                "number": 3,
                "at": "2026-01-31T09:30:00Z",
                "command": {"do": "move", "multiplier": 5},
            }
        ],
        "more": False,
    }


def test_every_ask_is_decided_by_the_server(site: Site) -> None:
    ada, bob = site.pair(game=DUEL)
    play((ada, bob), 2, 3)
    for person, ask, added in (
        (ada, "take-back", {"do": "ask-take-back", "seat": 1}),
        (ada, "withdraw", {"do": "withdraw", "seat": 1}),
        (ada, "take-back", {"do": "ask-take-back", "seat": 1}),
        (bob, "decline-take-back", {"do": "decline-take-back"}),
        (bob, "take-back", {"do": "ask-take-back", "seat": 2}),
        (ada, "allow-take-back", {"do": "undo"}),
        (bob, "resign", {"do": "resign", "seat": 2}),
        (bob, "rematch", {"do": "ask-rematch", "seat": 2}),
        (bob, "withdraw", {"do": "withdraw", "seat": 2}),
        (ada, "rematch", {"do": "ask-rematch", "seat": 1}),
        (bob, "rematch", {"do": "rematch", "first": 2}),
    ):
        answer = person.ask_log(ask)
        assert answer.status == 200, answer.text
        assert commands(answer) == [added]
    assert replayed(log_of(ada)).match_number == 2


def test_nothing_is_played_after_the_end(site: Site) -> None:
    ada, bob = site.pair()
    ada.ask("resign")
    for person in (ada, bob):
        for refused in (person.ask("move", multiplier=2), person.ask("resign")):
            assert refused.error == (409, "game_over")
            assert refused["state"] == person.state


def test_the_next_game_of_a_match_is_asked_for(site: Site) -> None:
    ada, bob = site.pair(length={"count": "best of", "number": 3})
    assert ada.ask("next-game").error == (409, "not_now")
    ada.ask("resign")
    assert commands(bob.ask_log("next-game")) == [{"do": "next-game", "first": 2}]


def test_against_a_level_a_move_is_taken_back_at_once(site: Site) -> None:
    ada = site.create(game=DUEL, opponent="beginner", target=2**6 * 3**6)
    ada.ask("move", multiplier=2)
    ada.wait_for("to_move", 1)
    assert commands(ada.ask_log("take-back")) == [{"do": "undo"}]


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ({"do": "move", "multiplier": 12}, (422, "illegal_move")),
        ({"do": "move"}, (400, "form")),
        ({"do": "move", "multiplier": "two"}, (400, "form")),
        ({"do": "move", "multiplier": 2.0}, (400, "form")),
        ({"do": "give-back"}, (400, "form")),
        ({"do": "give-back", "multiplier": 2}, (409, "not_asked")),
        ({"do": "resign", "multiplier": 2}, (400, "form")),
        ({"do": "resign", "despite_coach": True}, (400, "form")),
        ({"do": "give-back", "multiplier": 2, "answer": 3}, (400, "form")),
        ({"do": "fly"}, (400, "form")),
        ({"do": "sit", "seat": 1, "name": "Eve"}, (400, "form")),
        ({"do": "retry"}, (400, "form")),
        ({"do": "move", "multiplier": 2, "clock": 5}, (400, "form")),
        ({"do": "decline-take-back"}, (409, "not_asked")),
        ({"do": "allow-take-back"}, (409, "not_asked")),
        ({"do": "withdraw"}, (409, "not_asked")),
        ({"do": "rematch"}, (409, "not_now")),
        ({}, (400, "form")),
    ],
)
@pytest.mark.parametrize("form", ["", "?as=log"])
def test_invalid_ask_is_refused(
    site: Site, ask: Json, code: tuple[int, str], form: str
) -> None:
    ada, _ = site.pair()
    body: Json = {"seq": 2, "ask": ask}
    assert site.post(f"{ada.path}/log{form}", body, [ada.bearer]).error == code
    assert ada.state["seq"] == 2


def test_as_accepts_only_log(site: Site) -> None:
    ada, _ = site.pair()
    body: Json = {"seq": 2, "ask": {"do": "resign"}}
    wrong = site.post(f"{ada.path}/log?as=poem", body, [ada.bearer])
    assert wrong.error == (400, "form")
    assert ada.get("/events?as=poem").error == (400, "form")


def test_only_a_seat_asks_and_only_in_its_turn(site: Site) -> None:
    ada, bob = site.pair()
    body: Json = {"seq": 2, "ask": {"do": "move", "multiplier": 2}}
    assert site.post(f"{ada.path}/log", body).error == (401, "no_seat")
    wrong = ("authorization", "Bearer nonsense")
    assert site.post(f"{ada.path}/log", body, [wrong]).error == (401, "wrong_secret")
    assert site.get(f"{ada.path}/log", [wrong]).error == (401, "wrong_secret")
    refused = bob.ask("move", multiplier=2)
    assert refused.error == (409, "out_of_turn")
    assert refused["state"] == bob.state
    alone = site.create()
    assert alone.ask("resign").error == (409, "seat_empty")


def test_a_question_comes_as_data_and_its_answer_is_a_field_of_the_ask(
    site: Site,
) -> None:
    ada, bob = site.pair(
        game=SHOWDOWN, target=30, multipliers=[2, 9], lessons={"mental": True}
    )
    play((ada, bob), 2)
    asked = bob.ask_log("move", multiplier=2)
    assert asked.error == (422, "question")
    assert asked["question"] == {
        "kind": "product",
        "multiplier": 2,
        "title": "What is 2 × 2?",
        "text": "What is 2 × 2?",
        "answers": [
            {"label": "Play it", "ask": {"do": "move", "multiplier": 2}, "says": ""}
        ],
        "give_backs": None,
        "help": ["It is 2 + 2."],
        "told": {
            "label": "Play it",
            "ask": {"do": "move", "multiplier": 2, "answer": 4, "helped": True},
            "says": "2 × 2 is 4.",
        },
        "marked": "",
    }
    bob.ask("move", multiplier=2, answer=5)
    asked = ada.ask("move", multiplier=9, answer=36)
    assert asked.error == (422, "question")
    given = {"do": "move", "multiplier": 9, "answer": 36}
    assert asked["question"] == {
        "kind": "loss",
        "multiplier": 9,
        "title": "This move loses",
        "text": asked["detail"],
        "answers": [
            {"label": "Choose another", "ask": None, "says": ""},
            {
                "label": "Play ×9 and lose",
                "ask": {**given, "accepts_loss": True},
                "says": "",
            },
        ],
        "give_backs": None,
        "help": [],
        "told": None,
        "marked": "Right.",
    }
    lost = ada.ask_log("move", multiplier=9, answer=36, accepts_loss=True)
    assert commands(lost) == [
        {"do": "move", "multiplier": 9, "answer": 36, "accepts_loss": True}
    ]


def test_second_chance_is_hidden_from_the_other_seat(site: Site) -> None:
    ada, bob = site.pair(game=DUEL, lessons={"coach": True})
    assert bob.ask("give-back", multiplier=2).error == (409, "out_of_turn")
    asked = ada.ask_log("move", multiplier=2)
    assert asked.error == (422, "question")
    assert ada.ask_log("move", multiplier=2).json == asked.json
    assert ada.ask("give-back", multiplier=3).error == (409, "not_asked")
    given_back = ada.ask_log("give-back", multiplier=2)
    assert commands(given_back) == [{"do": "give-back"}]
    assert commands(bob.get("/log?after=2")) == [{"do": "give-back"}]
    assert log_of(bob).log[-1].command == GiveBack()
    assert replayed(log_of(ada)).give_backs == 2
    assert str(ada.state["said"]).startswith("The coach gives you a second chance.")
    assert bob.state["said"] == site.get(bob.path)["said"] == ""


def test_the_coach_speaks_of_one_move_at_a_position(site: Site) -> None:
    ada, _ = site.pair(game=DUEL, lessons={"coach": True})
    assert ada.ask("move", multiplier=2).error == (422, "question")
    assert ada.ask("move", multiplier=3)["moves"] == [3]


def test_with_no_give_back_left_the_coach_asks_nothing(site: Site) -> None:
    ada, _ = site.pair(game=DUEL, lessons={"coach": True})
    for _ in range(3):
        assert ada.ask("move", multiplier=2).error == (422, "question")
        assert ada.ask("give-back", multiplier=2).status == 200
    assert ada.ask("move", multiplier=2)["moves"] == [2]


# Repeats and steps


def test_a_repeated_ask_gets_the_first_answer_again(site: Site) -> None:
    ada, bob = site.pair()
    once: dict[str, object] = {
        "multiplier": 5,
        "seq": 2,
        "request_id": site.request_id(),
    }
    first = ada.ask_log("move", **once)
    state = ada.state
    bob.ask("move", multiplier=2)
    assert ada.ask_log("move", **once).json == first.json
    assert ada.ask("move", **once).json == state
    other = ada.ask("move", **(once | {"multiplier": 6}))
    assert other.error == (409, "request_id_reused")
    assert ada.state["moves"] == [5, 2]


def test_out_of_step_comes_with_what_was_missed(site: Site) -> None:
    ada, bob = site.pair()
    known = log_of(bob)
    play((ada, bob), 5, 2, 3)
    late = bob.ask("move", multiplier=2, seq=known.seq)
    assert late.error == (409, "out_of_step")
    assert late["state"] == bob.state
    late = bob.ask_log("move", multiplier=2, seq=2, head=known.head)
    assert late.error == (409, "out_of_step")
    refusal = decode(late.body, messages.Refusal)
    assert isinstance(refusal.log, messages.LogPage)
    assert refusal.log == log_page(log_of(bob, after=2))
    assert [each.number for each in refusal.log.log] == [3, 4, 5]
    assert "state" not in late.json
    turn = ada.ask_log("move", multiplier=2)
    assert turn.error == (409, "out_of_turn")
    assert turn["log"] == {
        "seq": 5,
        "head": log_of(ada).head,
        "log": [],
        "more": False,
    }


def log_page(log: messages.MatchLog) -> messages.LogPage:
    return messages.LogPage(seq=log.seq, head=log.head, log=log.log, more=log.more)


@pytest.mark.parametrize("seq", [2, 7])
def test_diverged_log_has_an_error_code_of_its_own(site: Site, seq: int) -> None:
    ada, _ = site.pair()
    for form in ("", "?as=log"):
        body: Json = {"seq": seq, "head": "0" * 16, "ask": {"do": "resign"}}
        refused = site.post(f"{ada.path}/log{form}", body, [ada.bearer])
        assert refused.error == (409, "match_changed")
        assert "log" not in refused.json
    assert ada.ask("resign", seq=7).error == (409, "match_changed")
    assert ada.ask("resign", seq=1).error == (409, "out_of_step")
    assert ada.state["seq"] == 2


# The log


def test_the_log_is_the_setup_as_first_agreed_without_its_seed(site: Site) -> None:
    ada, bob = site.pair(
        target=10**20, lessons={"hints": True}, length={"count": "best of", "number": 3}
    )
    play((ada, bob), 5, 2)
    answer = ada.get("/log")
    assert answer["format"] == messages.FORMAT
    setup = answer["setup"]
    assert isinstance(setup, dict)
    assert setup["seed"] is None
    assert setup["names"] == ["Player 1", "Player 2"]
    assert setup["rules"]["target"] == "1" + "0" * 20
    log = decode(answer.body, messages.MatchLog)
    assert log.log[0].command == Sit(Seat.ONE, "Ada")
    assert log.log[0].at == NOW
    session = replayed(log)
    assert session.setup.names == ("Ada", "Bob")
    assert session.game.moves == (5, 2)
    assert answer["your_seat"] == 1
    watched = site.get(f"{ada.path}/log")
    assert watched.json == answer.json | {"your_seat": None}


def long_match(folder: Path, moves: list[int], setup: Setup) -> None:
    """Store a match in which moves are made and taken back, again and again."""
    log: list[Command] = [Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bob")]
    for move in moves:
        log += [Move(move), AskTakeBack(Seat.ONE), Undo()]
    with make_store(folder) as store:
        store.append(first_append(MATCH, tuple(log), setup))


def pages_of(folder: Path) -> list[messages.MatchLog]:
    with Site(make_server(make_store(folder)).application()) as site:
        pages: list[messages.MatchLog] = []
        while not pages or pages[-1].more:
            after = pages[-1].seq if pages else 0
            answer = site.get(f"/api/matches/{MATCH}/log?after={after}")
            pages.append(decode(answer.body, messages.MatchLog))
            assert len(answer.body) < 300 * 1024
    return pages


def test_a_long_log_comes_in_pages(tmp_path: Path) -> None:
    rules = Rules(Ending.EXACT, 180)
    setup = Setup(rules=rules, book=DUEL, all_seated=False)
    long_match(tmp_path, [2] * 800, setup)
    pages = pages_of(tmp_path)
    assert [len(page.log) for page in pages] == [1_000, 1_000, 402]
    head = messages.first_head(pages[0].setup)
    for page in pages:
        for logged in page.log:
            head = messages.next_head(head, logged.command)
        assert head == page.head
    assert pages[-1].seq == 2_402


def test_a_log_of_long_numbers_comes_in_smaller_pages(tmp_path: Path) -> None:
    long = 10**999 - 1
    rules = Rules(Ending.REACH, long - 1, (2, long))
    setup = Setup(rules=rules, book=MADNESS, all_seated=False)
    log: list[Command] = [Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bob")]
    log += [Move(long), AskRematch(Seat.ONE), Rematch(Seat.ONE)] * 400
    with make_store(tmp_path) as store:
        store.append(first_append(MATCH, tuple(log), setup))
    pages = pages_of(tmp_path)
    assert len(pages) == 2
    whole = replace(pages[-1], log=pages[0].log + pages[1].log)
    assert replayed(whole).match_number == 401


def test_page_after_the_end_is_empty_and_has_the_last_number(site: Site) -> None:
    ada, _ = site.pair()
    whole = log_of(ada)
    for after in (2, 9):
        page = log_of(ada, after)
        assert (page.seq, page.head, page.log, page.more) == (2, whole.head, (), False)
    assert ada.get("/log?after=x").error == (400, "form")
    assert site.get(f"/api/matches/{'x' * 22}/log").error == (404, "no_such_match")


def test_a_level_moves_into_the_log_and_is_replayed_without_the_seed(
    site: Site,
) -> None:
    ada = site.create(opponent="careful", first="toss", target=10**9)
    for _ in range(4):
        ada.wait_for("to_move", 1)
        assert ada.ask("move", multiplier=2).status == 200
    ada.wait_for("to_move", 1)
    session = replayed(log_of(ada))
    assert list(session.game.moves) == ada.state["moves"]


# Streams


def streamed(
    test: Callable[
        [InProcess, messages.SeatedState, messages.SeatedState], Awaitable[None]
    ],
) -> None:
    """Let two people sit at a match of a server of their own."""

    async def run() -> None:
        caller = InProcess(make_server().application())
        await caller.start()
        wanted = {
            "game": DUEL,
            "opponent": "friend",
            "name": "Ada",
            "lessons": {"coach": True},
            "request_id": "request-of-ada-1",
        }
        ada = (await caller.post("/api/matches", wanted)).read(messages.SeatedState)
        seat = {"name": "Bob", "request_id": "request-of-bob-1"}
        path = f"/api/matches/{ada.id}"
        bob = (await caller.post(f"{path}/seat", seat)).read(messages.SeatedState)
        await test(caller, ada, bob)
        await caller.stop()

    asyncio.run(run())


async def ask(
    caller: InProcess, seated: messages.SeatedState, seq: int, **asked: object
) -> None:
    body = {"seq": seq, "request_id": f"request-number-{seq:04}", "ask": asked}
    path = f"/api/matches/{seated.id}/log"
    answer = await caller.post(path, body, seated.secret)
    assert answer.status == 200, answer.body


def steps(stream: Stream) -> list[messages.LogStep]:
    return [decode(told.data, messages.LogStep) for told in stream.messages]


def test_a_stream_of_the_log_sends_each_command_with_its_digest() -> None:
    async def test(
        caller: InProcess, ada: messages.SeatedState, bob: messages.SeatedState
    ) -> None:
        path = f"/api/matches/{ada.id}"
        log = decode((await caller.get(f"{path}/log")).body, messages.MatchLog)
        watching = await caller.listen(f"{path}/events?as=log&after=2")
        page = await caller.listen(f"{path}/events?after=2", **bearer(bob.secret))
        await ask(caller, ada, 2, do="move", multiplier=2, despite_coach=True)
        await ask(caller, bob, 3, do="move", multiplier=3, despite_coach=True)
        await watching.until_number(4)
        session, head = replayed(log), log.head
        assert watching.numbers == [3, 4]
        for step in steps(watching):
            session, _ = session.apply_unchecked(step.command)
            head = messages.next_head(head, step.command)
            assert (step.number, step.head) == (session.revision, head)
        assert session.game.moves == (2, 3)
        assert watching.presences[-1].connected == (False, True)
        await page.until_number(4)
        assert page.messages[-1].message.state.moves == (2, 3)
        resumed = await caller.listen(f"{path}/events?as=log", last_event_id="3")
        await resumed.until_number(4)
        assert steps(resumed) == steps(watching)[1:]
        for stream in (watching, page, resumed):
            stream.close()

    streamed(test)


def test_a_stream_that_begins_anywhere_else_sends_the_last_command() -> None:
    async def test(
        caller: InProcess, ada: messages.SeatedState, _: messages.SeatedState
    ) -> None:
        path = f"/api/matches/{ada.id}/events?as=log"
        for after in ("", "&after=9"):  # nothing is known; the server was set back
            stream = await caller.listen(path + after)
            await stream.until_number(2)
            (step,) = steps(stream)
            assert step.command == Sit(Seat.TWO, "Bob")
            stream.close()

    streamed(test)
