"""Two matches that differ only in what is private look the same to everybody."""

from __future__ import annotations

import asyncio

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.rulebooks import load
from ninefold.server.seats import SeatSecrets
from ninefold.session import (
    AskTakeBack,
    Command,
    DeclineTakeBack,
    GiveBack,
    Lessons,
    Move,
    NextGame,
    Resign,
    Session,
    Setup,
    Sit,
    Undo,
)
from tests.server.client import InProcess, bearer
from tests.servers import KEY, make_server, make_store
from tests.store.stores import first_append

MATCH = "m" * 22
BOOK = load("multiplier-showdown")
SETUP = Setup(
    rules=BOOK.rules,
    book=BOOK.key,
    length=Length.best_of(3),
    lessons=Lessons(coach=True, mental=True),
    all_seated=False,
)
SEATED = (Sit(Seat.ONE, "Ada"), Sit(Seat.TWO, "Bo"))
multipliers = st.sampled_from(BOOK.rules.multipliers)
seats = st.sampled_from(Seat)
steps = st.one_of(
    st.builds(Move, multipliers, st.integers(0, 99)),
    st.builds(GiveBack, multipliers),
    st.builds(AskTakeBack, seats),
    st.builds(Resign, seats),
    st.builds(NextGame, seats),
    st.sampled_from([DeclineTakeBack(), Undo()]),
)


def played(commands: list[Command]) -> tuple[Command, ...]:
    """Return the commands that the rules allow, one after another."""
    session = Session.replay(SETUP, SEATED)
    log: list[Command] = [*SEATED]
    for command in commands:
        try:
            session, _ = session.apply_unchecked(command)
        except NinefoldError:
            continue
        log.append(command)
    return tuple(log)


def with_other_secrets(log: tuple[Command, ...]) -> tuple[Command, ...]:
    """Return the same log in which the coach gave other moves back."""
    others = BOOK.rules.multipliers[1:] + BOOK.rules.multipliers[:1]
    another = dict(zip(BOOK.rules.multipliers, others, strict=True))
    return tuple(
        GiveBack(another[command.multiplier or 0])
        if isinstance(command, GiveBack)
        else command
        for command in log
    )


async def shown(log: tuple[Command, ...], seed: int) -> dict[str, bytes]:
    """Return everything that a server sends about a match, to each of its viewers."""
    store = make_store()
    setup = msgspec.structs.replace(SETUP, seed=seed)
    store.append(first_append(MATCH, log, setup))
    caller, found = InProcess(make_server(store).application()), dict[str, bytes]()
    await caller.start()
    described = msgspec.json.decode((await caller.get("/openapi.json")).body)
    calls = [
        path.replace("{id}", MATCH)
        for path, methods in described["paths"].items()
        if "{id}" in path and "get" in methods
    ]
    assert f"/api/matches/{MATCH}/events" in calls
    secrets = SeatSecrets(KEY)
    stale = {"seq": 1, "request_id": "r" * 16, "ask": {"do": "resign"}}
    for viewer in (None, *Seat):
        secret = secrets.secret(MATCH, viewer) if viewer else ""
        for path in calls:
            if path.endswith("/events"):
                for form in ("", "&as=log"):
                    watched = f"{path}?after=1{form}"
                    stream = await caller.listen(watched, **bearer(secret))
                    await stream.until_number(len(log))
                    found[f"{viewer} {watched}"] = b"".join(
                        each.data for each in stream.messages
                    )
                    stream.close()
            else:
                found[f"{viewer} {path}"] = (await caller.get(path, secret)).body
        for form in ("", "?as=log"):
            path = f"/api/matches/{MATCH}/log{form}"
            refused = await caller.post(path, stale, secret)
            found[f"{viewer} refused {path}"] = refused.body
    await caller.stop()
    return found


@given(st.lists(steps, min_size=1, max_size=12))
@example([Move(5, 5), GiveBack(2), Move(2, 10), Resign(Seat.ONE), GiveBack(9)])
@settings(max_examples=10)
def test_nobody_is_sent_the_seed_or_which_move_the_coach_gave_back(
    commands: list[Command],
) -> None:
    log = played(commands)
    one = asyncio.run(shown(log, 31337))
    assert one == asyncio.run(shown(with_other_secrets(log), 27182))
