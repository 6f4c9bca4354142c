"""Any sequence of requests, repeats, cuts and restarts: everyone sees what is stored."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AbstractContextManager, ExitStack
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,
)
from msgspec import Struct

from ninefold.errors import NinefoldError, QuestionOpen
from ninefold.game import Seat
from ninefold.online.messages import SeatedState
from ninefold.playing.state import State, Viewer
from ninefold.rules import Ending, Rules
from ninefold.server.asgi import Options, Server
from ninefold.server.rate_limits import RateLimits, RequestKind
from ninefold.session import (
    AskRematch,
    AskTakeBack,
    Command,
    DeclineTakeBack,
    GiveBack,
    Move,
    Resign,
    Session,
    Setup,
    Sit,
    SlipQuestion,
    Undo,
    Withdraw,
)
from ninefold.store import Store, StoredMatch
from ninefold.store.postgres import PostgresStore
from tests.program import WAIT_SECONDS
from tests.server.client import Answer, InProcess, Stream, bearer
from tests.store.postgres_server import empty_database
from tests.store.stores import Clock, first_append, in_folder, numbered

MATCHES = "/api/matches"
NO_LIMIT: dict[RequestKind, int] = dict.fromkeys(RequestKind, 1000000)
MOST_TOLD_AGAIN = 32
"""A stream that missed more than this is told where the match stands instead."""

Body = dict[str, object]


class Sent(Struct, frozen=True):
    """A request; sent again, it is the same to the byte."""

    path: str
    body: Body
    secret: str = ""


class Watched(Struct):
    """An open stream, and the number of the first command that it is to tell."""

    viewer: Viewer
    stream: Stream
    first: int


def shown(session: Session, viewer: Viewer) -> Body:
    """What a client should see of a match, derived from its log alone."""
    game, match, setup = session.game, session.match, session.setup
    winner = None if game.outcome is None else game.outcome.winner
    return {
        "seq": session.revision,
        "moves": game.moves,
        "total": game.total,
        "first": game.first,
        "to_move": session.to_move,
        "winner": winner,
        "score": tuple(match.score.values()),
        "match_over": match.is_over,
        "match_winner": match.winner,
        "match_number": session.match_number,
        "number": session.number,
        "names": setup.names,
        "taken": tuple(seat not in session.empty_seats for seat in Seat),
        "lessons": setup.lessons,
        "takeback": session.take_back_asked,
        "rematch": session.rematch_asked,
        "your_seat": viewer,
    }


def seen(state: State) -> Body:
    """The same, as a client was told it."""
    return {
        "seq": state.seq,
        "moves": state.moves,
        "total": state.total,
        "first": state.first,
        "to_move": state.to_move,
        "winner": None if state.outcome is None else state.outcome.winner,
        "score": state.score,
        "match_over": state.match_over,
        "match_winner": state.match_winner,
        "match_number": state.match_number,
        "number": state.number,
        "names": tuple(seat.name for seat in state.seats),
        "taken": tuple(seat.taken for seat in state.seats),
        "lessons": state.lessons,
        "takeback": state.takeback,
        "rematch": state.rematch,
        "your_seat": state.your_seat,
    }


def level_is_to_move(session: Session) -> bool:
    if session.empty_seats or session.to_move is None:
        return False
    return not session.setup.is_person(session.to_move)


def meant(  # noqa: PLR0911 - one return for each ask
    session: Session, seat: Seat, ask: Body
) -> Command | None:
    """The command that a seat's ask means here; None if it means none."""
    setup, do, multiplier = session.setup, ask["do"], ask.get("multiplier")
    by_turns = do in ("move", "give-back")
    if by_turns and not session.empty_seats and session.to_move is seat.other:
        return None
    agreed = setup.has_level or session.rematch_asked is seat.other
    match do:
        case "move":
            assert isinstance(multiplier, int)
            answer = ask.get("answer")
            assert answer is None or isinstance(answer, int)
            accepts, despite = ask["accepts_loss"], ask["despite_coach"]
            return Move(multiplier, answer, accepts is True, despite is True)
        case "give-back":
            assert isinstance(multiplier, int)
            return GiveBack(multiplier)
        case "resign":
            return Resign(seat)
        case "next-game":
            return session.next_game()
        case "rematch":
            return session.rematch() if agreed else AskRematch(seat)
        case "withdraw":
            return Withdraw(seat)
        case "take-back":
            return Undo() if setup.has_level else AskTakeBack(seat)
        case _ if session.take_back_asked is seat.other:
            return Undo() if do == "allow-take-back" else DeclineTakeBack()
    return None


def is_allowed(session: Session, seat: Seat, body: Body) -> bool | None:
    """Whether a request is to be accepted, as the session has it.

    None where that depends on what the coach has said, which is not stored.
    """
    if body["seq"] != session.revision:
        return False
    try:
        ask = body["ask"]
        assert isinstance(ask, dict)
        command = meant(session, seat, ask)
        if command is None:
            return False
        session.apply(command)
    except QuestionOpen as error:
        return None if isinstance(error.question, SlipQuestion) else False
    except NinefoldError:
        return False
    return None if isinstance(command, GiveBack) else True


created = st.fixed_dictionaries(
    {
        "game": st.sampled_from(["multiplication-madness", "multiplication-showdown"])
        | st.sampled_from(["multiplier", "multiplication-duel"]),
        "target": st.sampled_from([30, 60, 100]),
        "opponent": st.sampled_from(["friend", "friend", "beginner", "perfect"]),
        "length": st.sampled_from(
            [None, {"count": "best of", "number": 3}, {"count": "games", "number": 2}]
        ),
        "first": st.sampled_from([1, 2, "toss"]),
        "lessons": st.fixed_dictionaries(
            {name: st.booleans() for name in ("coach", "hints", "mental")}
        ),
        "name": st.just("Ada"),
    }
)
seats = st.sampled_from(Seat)
viewers = st.sampled_from([None, *Seat])
picks = st.integers(0, 999)
"""Picks one of what there is. How much there is may depend on who was faster, and what
hypothesis draws must not.
"""
shifts = st.sampled_from([0] * 12 + [-2, -1, 1, 2])
"""How far a request is out of step; most are not."""
steps = st.one_of(
    st.fixed_dictionaries(
        {
            "do": st.just("move"),
            "multiplier": st.integers(2, 9) | st.integers(0, 11),
            "answer": st.none() | st.integers(0, 900),
            "accepts_loss": st.booleans(),
            "despite_coach": st.booleans(),
        }
    ),
    st.fixed_dictionaries(
        {"do": st.just("give-back"), "multiplier": st.integers(2, 9)}
    ),
    st.fixed_dictionaries(
        {"do": st.sampled_from(["take-back", "allow-take-back", "decline-take-back"])}
    ),
    st.fixed_dictionaries(
        {"do": st.sampled_from(["resign", "next-game", "rematch", "withdraw"])}
    ),
)


class Online(RuleBasedStateMachine):
    """Two seats and spectators of one match, over servers that come and go."""

    PROCESSES = 1

    # Opened and closed

    @initialize(asked=created)
    def open(self, asked: Body) -> None:
        self.stack = ExitStack()
        self.runner = self.stack.enter_context(asyncio.Runner())
        self.place = self.stack.enter_context(self.make_place())
        self.kept = self.stack.enter_context(self.open_store())
        self.callers: list[InProcess] = []
        self.rng = Random(9)
        self.used = 0
        self.numbers = count(1)
        self.secrets: dict[Viewer, str] = {None: ""}
        self.accepted: list[tuple[Sent, Answer]] = []
        self.refused: list[Sent] = []
        self.watched: list[Watched] = []
        self.last_seen: dict[Viewer, int] = {}
        self.runner.run(self.begin(asked))

    def make_place(self) -> AbstractContextManager[str]:
        """Make a place for a store; it is gone afterwards."""
        return tempfile.TemporaryDirectory(prefix="ninefold-tests-")

    def open_store(self) -> Store:
        return in_folder(self.place)

    async def begin(self, asked: Body) -> None:
        self.callers = [await self.start() for _ in range(self.PROCESSES)]
        sent = Sent(MATCHES, asked | {"request_id": self.new_request_id()})
        first, second = await asyncio.gather(self.post(sent), self.post(sent))
        assert first.status == 201, first.body
        assert first.body == second.body
        made = first.read(SeatedState)
        self.id, self.secrets[Seat.ONE] = made.id, made.secret
        self.accepted.append((sent, first))
        await self.check()

    def teardown(self) -> None:
        if not hasattr(self, "runner"):
            return
        for caller in self.callers:
            self.runner.run(caller.stop())
        self.stack.close()

    async def start(self) -> InProcess:
        server = Server(
            self.open_store(),
            b"k" * 32,
            clock=Clock(),
            options=Options(matches_cached=1),
            rates=RateLimits(NO_LIMIT),
        )
        caller = InProcess(server.application())
        await caller.start()
        return caller

    @property
    def caller(self) -> InProcess:
        """One of the processes: any, and another each time."""
        self.used = self.rng.randrange(len(self.callers))
        return self.callers[self.used]

    # What the rules share

    def new_request_id(self) -> str:
        return f"request-{next(self.numbers):08}"

    def stored(self) -> StoredMatch:
        return self.kept.match(self.id)

    def path(self, call: str = "") -> str:
        return f"{MATCHES}/{self.id}{call}"

    async def post(self, sent: Sent) -> Answer:
        answer = await self.caller.post(sent.path, sent.body, sent.secret)
        assert answer.status < 500, answer.body
        return answer

    def step(self, seat: Seat, ask: Body, shift: int = 0) -> Sent:
        """Make a request of a seat that it has not made before."""
        seq = max(0, self.stored().session.revision + shift)
        return Sent(
            self.path("/log"),
            {"ask": ask, "seq": seq, "request_id": self.new_request_id()},
            self.secrets.get(seat, ""),
        )

    async def send(self, sent: Sent, *, expected: bool | None) -> Answer:
        """Send a new request: it adds one command, or nothing at all."""
        before = self.stored()
        answer = await self.post(sent)
        after = self.stored()
        if expected is None:
            expected = answer.status == 200
        assert (answer.status == 200) is expected, answer.body
        if expected:
            number = len(before.log) + 1
            assert after.log[: number - 1] == before.log
            assert after.log[number - 1].request
            assert answer.state.seq == number
            self.accepted.append((sent, answer))
        else:
            assert after.log == before.log
            self.refused.append(sent)
        await self.check()
        return answer

    async def check(self) -> None:
        """Check that everyone sees what is stored, once it has come to rest."""
        kept = self.stored()
        async with asyncio.timeout(WAIT_SECONDS):
            told = await self.caller.get(self.path())  # which wakes a level
            # What is kept is not told yet.
            while told.state.seq < len(kept.log) or level_is_to_move(kept.session):
                kept = self.stored()
                told = await self.caller.get(self.path())
        session = Session.replay(kept.setup, kept.commands)
        requests = [logged.request for logged in kept.log if logged.request]
        assert len(set(requests)) == len(requests)
        for viewer, secret in self.secrets.items():
            state = (await self.caller.get(self.path(), secret)).state
            assert seen(state) == shown(session, viewer)
            assert state.seq >= self.last_seen.get(viewer, 0)
            self.last_seen[viewer] = state.seq
            for watched in self.watched:
                if watched.viewer is viewer:
                    await self.check_stream(watched, state)
        self.check_answers()

    async def check_stream(self, watched: Watched, state: State) -> None:
        """Check that a stream told each command once, in order, up to the last."""
        stream = watched.stream
        expected = [*range(watched.first, state.seq + 1)]
        if expected:
            await stream.until_number(state.seq)
            assert stream.messages[-1].message.state == state
        assert not stream.ended
        assert stream.numbers == expected

    def check_answers(self) -> None:
        """Check that streams and answers told a seat the same."""
        answered = {
            (state.your_seat, state.seq): state
            for _, answer in self.accepted
            for state in [answer.state]
        }
        for watched in self.watched:
            for told in watched.stream.messages:
                state = told.message.state
                assert state.seq == told.id
                assert state.your_seat is watched.viewer
                assert answered.get((watched.viewer, state.seq), state) == state

    # Playing

    @rule(name=st.sampled_from(["Bo", "Bo", "Ada", "Eve"]))
    def sit(self, name: str) -> None:
        body: Body = {"name": name, "request_id": self.new_request_id()}
        session = self.stored().session
        expected = Seat.TWO in session.empty_seats and name != "Ada"
        sent = Sent(self.path("/seat"), body)
        answer = self.runner.run(self.send(sent, expected=expected))
        if expected:
            self.secrets[Seat.TWO] = answer.read(SeatedState).secret

    @rule(
        step=steps,
        seat=seats,
        in_turn=st.sampled_from([True] * 4 + [False]),
        shift=shifts,
    )
    def act(self, step: Body, seat: Seat, in_turn: bool, shift: int) -> None:
        session = self.stored().session
        if in_turn and step["do"] == "move" and session.to_move in self.secrets:
            seat = session.to_move or seat
        sent = self.step(seat, step, shift)
        expected: bool | None = False
        if seat in self.secrets:
            expected = is_allowed(session, seat, sent.body)
        answer = self.runner.run(self.send(sent, expected=expected))
        if seat not in self.secrets:
            assert answer.status == 401

    # Sent again, sent at once, sent without waiting

    @rule(pick=picks)
    def repeat(self, pick: int) -> None:
        sent, first = self.accepted[pick % len(self.accepted)]

        async def run() -> None:
            before = self.stored()
            again = await self.post(sent)
            assert (again.status, again.body) == (first.status, first.body)
            assert self.stored().log == before.log
            await self.check()

        self.runner.run(run())

    @rule(pick=picks)
    def use_a_request_id_again(self, pick: int) -> None:
        sent, _ = self.accepted[pick % len(self.accepted)]
        other: Body = {"name": "Zoe"} if "name" in sent.body else {"seq": 0}
        changed = Sent(sent.path, sent.body | other, sent.secret)

        async def run() -> None:
            before = self.stored()
            answer = await self.post(changed)
            assert answer.status == 409
            assert answer.refusal.error == "request_id_reused"
            assert self.stored().log == before.log
            await self.check()

        if changed.body != sent.body:
            self.runner.run(run())

    @rule(pick=picks)
    def send_a_refused_request_late(self, pick: int) -> None:
        """A request that was refused is unknown; it is judged as it comes."""
        if not self.refused:
            return
        sent = self.refused[pick % len(self.refused)]

        async def run() -> None:
            before = self.stored()
            answer = await self.post(sent)
            if answer.status == 200:
                self.refused.remove(sent)
                self.accepted.append((sent, answer))
                assert answer.state.seq == len(before.log) + 1
                if "name" in sent.body:
                    self.secrets[Seat.TWO] = answer.read(SeatedState).secret
            else:
                assert self.stored().log == before.log
            await self.check()

        self.runner.run(run())

    @rule(pick=picks, asked=st.lists(st.tuples(seats, steps), max_size=4))
    def send_at_once(self, pick: int, asked: list[tuple[Seat, Body]]) -> None:
        """Of several that were made at the same point, at most one counts."""
        new = [self.step(seat, ask) for seat, ask in asked if seat in self.secrets]
        order = Random(pick).sample(new * 2, len(new) * 2)

        async def run() -> None:
            before = len(self.stored().log)
            answers = await asyncio.gather(*map(self.post, order))
            counted = {
                str(sent.body["request_id"]): (sent, answer)
                for sent, answer in zip(order, answers, strict=True)
                if answer.status == 200
            }
            for sent, answer in zip(order, answers, strict=True):
                if str(sent.body["request_id"]) in counted:
                    _, first = counted[str(sent.body["request_id"])]
                    assert answer.body == first.body
            added = [each for each in self.stored().log[before:] if each.request]
            assert len(added) == len(counted) <= 1
            self.accepted += counted.values()
            await self.check()

        self.runner.run(run())

    # Watching

    @rule(viewer=viewers, after=st.none() | st.integers(0, 60), header=st.booleans())
    def watch(self, viewer: Viewer, after: int | None, header: bool) -> None:
        if viewer in self.secrets and len(self.watched) < 4:
            self.runner.run(self.connect(viewer, after, header=header))
            self.runner.run(self.check())

    async def connect(self, viewer: Viewer, after: int | None, *, header: bool) -> None:
        path, sent = self.path("/events"), bearer(self.secrets[viewer])
        if after is not None and header:
            sent["last-event-id"] = str(after)
        elif after is not None:
            path += f"?after={after}"
        last = self.stored().session.revision
        stream = await self.caller.listen(path, **sent)
        is_known = after is not None and last - MOST_TOLD_AGAIN <= after <= last
        first = after + 1 if after and is_known else last
        self.watched.append(Watched(viewer, stream, first))

    @rule(pick=picks, comes_back=st.booleans())
    def leave(self, pick: int, comes_back: bool) -> None:
        if not self.watched:
            return
        left = self.watched.pop(pick % len(self.watched))

        async def run() -> None:
            left.stream.close()
            await left.stream.until_ended()
            if comes_back:
                await self.resume(left)
            await self.check()

        self.runner.run(run())

    async def resume(self, left: Watched) -> None:
        last = left.stream.numbers[-1:] or [left.first - 1]
        await self.connect(left.viewer, last[0] or None, header=True)

    # The server forgets, and starts again

    @rule()
    def ask_for_another_match(self) -> None:
        """The server holds one match that nobody watches; this one takes its place."""
        body: Body = {"game": "multiplier", "opponent": "friend", "name": "Max"}
        sent = Sent(MATCHES, body | {"request_id": "request-of-another"})

        async def run() -> None:
            assert (await self.post(sent)).status == 201
            await self.check()

        self.runner.run(run())

    @rule(step=steps, seat=seats, ticks=st.integers(0, 12), asks=st.booleans())
    def restart(self, step: Body, seat: Seat, ticks: int, asks: bool) -> None:
        """A request that the end cut off is sent again, and counts once."""
        sent = self.step(seat, step)

        async def run() -> None:
            asking = asyncio.ensure_future(self.post(sent))
            for _ in range(ticks):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.wait([asking])
            before = self.stored()
            await self.begin_again()
            log = self.stored().log
            assert log[: len(before.log)] == before.log
            if asks:
                answer = await self.post(sent)
                if answer.status == 200:
                    self.accepted.append((sent, answer))
            await self.check()

        if seat in self.secrets:
            self.runner.run(run())
        else:
            self.runner.run(self.begin_again())
            self.runner.run(self.check())

    async def begin_again(self) -> None:
        """Restart the process that was asked last; its streams end."""
        used = self.used
        await self.callers[used].stop()
        self.callers[used] = await self.start()
        left, self.watched = self.watched, []
        for each in left:
            assert each.stream.ended_well or self.PROCESSES > 1
            if each.stream.ended:
                await self.resume(each)
            else:
                self.watched.append(each)


TestOnline = Online.TestCase
TestOnline.settings = settings(max_examples=25, stateful_step_count=25)


class OnlineTwice(Online):
    """The same over two processes and one PostgreSQL; a request goes to any of them."""

    PROCESSES = 2

    def make_place(self) -> AbstractContextManager[str]:
        return empty_database()

    def open_store(self) -> Store:
        return PostgresStore(self.place, clock=Clock(), new_id=numbered())


TestOnlineTwice = OnlineTwice.TestCase
TestOnlineTwice.settings = settings(max_examples=12, stateful_step_count=25)


@pytest.mark.prove
@pytest.mark.parametrize(("online", "examples"), [(Online, 300), (OnlineTwice, 60)])
def test_everyone_sees_what_is_stored_after_any_of_very_many_sequences(
    online: type[Online], examples: int
) -> None:
    many = settings(max_examples=examples, stateful_step_count=40)
    run_state_machine_as_test(online, settings=many)


# A long time away


@pytest.mark.parametrize("missed", [0, 1, 31, 32, 33, 63, 64, 65, 200])
def test_a_stream_that_comes_back_hears_the_last_command_however_many_it_missed(
    missed: int, tmp_path: Path
) -> None:
    far = Setup(
        rules=Rules(Ending.AVOID, 10**900),
        book="multiplier",
        names=("Ada", "Bo"),
        all_seated=False,
    )
    moves: tuple[Command, ...] = (Move(2),) * missed
    commands = (Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo"), *moves)
    last = len(commands)

    async def run() -> list[int]:
        store = in_folder(tmp_path)
        store.append(first_append("m" * 22, commands, far))
        store.close()
        caller = InProcess(Server(store, b"k" * 32, clock=Clock()).application())
        await caller.start()
        path = f"{MATCHES}/{'m' * 22}/events?after=2"
        stream = await caller.listen(path)
        # Who is here comes after what was missed.
        await stream.until(lambda s: [t for t in s.told if t.kind == "presence"] != [])
        assert not stream.ended
        await caller.stop()
        return stream.numbers

    first = 3 if missed <= MOST_TOLD_AGAIN else last
    assert asyncio.run(run()) == [*range(first, last + 1)]
