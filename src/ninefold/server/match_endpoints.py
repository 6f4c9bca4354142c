"""The endpoints of one match: create, join, ask, watch, review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ninefold.errors import SeatVacant
from ninefold.game import Seat
from ninefold.online import messages
from ninefold.playing.scene import Scene
from ninefold.playing.state import Viewer, seats_of
from ninefold.server import analysis
from ninefold.server.class_endpoints import Classes, bands_closed
from ninefold.server.event_streams import Listener
from ninefold.server.live_match import LiveMatch, Snapshot
from ninefold.server.live_matches import LiveMatches
from ninefold.server.pages import Preview
from ninefold.server.rate_limits import (
    MOST_STREAMS_OF_A_SEAT,
    MOST_STREAMS_OF_ADDRESS,
    MOST_WATCHING_A_MATCH,
    address_of,
    household,
    too_many,
)
from ninefold.server.requests import match_id_of, read_body, read_number, wants_log
from ninefold.server.responses import (
    FORBIDDEN,
    NO_SEAT,
    NOT_FOUND,
    HttpRefusal,
    answer,
    request_id_reused,
    set_secret,
)
from ninefold.server.seats import COOKIE, SeatSecrets, Token
from ninefold.server.thread_pool import Pool
from ninefold.session import HERE, Command, Retry, Session, Setup, Sit, clean_name

_OK, _CREATED = 200, 201


class Committed(Struct, frozen=True):
    """A seat's request whose command is stored, before its response is sent."""

    request: Request
    response: Response
    """The response, to which a cookie can be added."""
    request_id: str
    snapshot: Snapshot
    """The match after the command, with its events."""


Subscriber = Callable[[Committed], Awaitable[None]]


class Matches:
    """Handles the endpoints of matches, which ``endpoints`` describes."""

    def __init__(
        self,
        matches: LiveMatches,
        classes: Classes,
        secrets: SeatSecrets,
        pool: Pool,
        public_url: str | None,
    ) -> None:
        self._live_matches = matches
        self._classes = classes
        self._secrets = secrets
        self._pool = pool
        self._public_url = public_url
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> None:
        """Call a subscriber with each command of a seat, before the response."""
        self._subscribers.append(subscriber)

    def link(self, request: Request, match_id: str) -> str:
        """Return the link of a match, to send to others."""
        return f"{self.address(request)}/m/{match_id}"

    def address(self, request: Request) -> str:
        """Return the address at which others reach this server."""
        return (self._public_url or str(request.base_url)).rstrip("/")

    async def _find(self, request: Request) -> LiveMatch:
        """Return the match of a request; refusals of the request carry its state."""
        live = await self._live_matches.find(match_id_of(request))
        request.state.live = live
        return live

    async def _look(self, request: Request) -> LiveMatch:
        """Return the match of a request, up to date with other processes."""
        live = await self._live_matches.find_current(match_id_of(request))
        request.state.live = live
        return live

    async def _viewer(self, request: Request, live: LiveMatch) -> Viewer:
        """Return the seat that a request proves; None for a spectator."""
        if live.class_id is not None:
            seat = await self._classes.seat_of(request, live)
            if seat is not None:
                return seat
        return self._secrets.viewer_of(request, live.id)

    async def _seat(self, request: Request, live: LiveMatch) -> Seat:
        """Return the seat that a request proves; refuse spectators."""
        seat = await self._viewer(request, live)
        if seat is None:
            detail = "only a player can do this; take a seat, or send its secret"
            raise HttpRefusal(NO_SEAT, "no_seat", detail)
        return seat

    def _seated(
        self, request: Request, snapshot: Snapshot, seat: Seat, status: int
    ) -> Response:
        """Respond with the secret of a seat, also in a cookie for browsers."""
        match_id = snapshot.id
        secret = self._secrets.secret(match_id, seat)
        link = self.link(request, match_id)
        shown = asdict(snapshot.state(seat))
        response = answer(
            messages.SeatedState(**shown, secret=secret, link=link), status
        )
        path = f"/api/matches/{match_id}"
        set_secret(response, COOKIE, secret, path=path, address=link)
        return response

    # Creating and joining

    async def create(self, request: Request) -> Response:
        body = await read_body(request, messages.CreateMatch)
        match_id = self._secrets.match_id(body.request_id)
        setup, commands = proposal_of(body, self._secrets.seed(match_id))
        token = Token(None, body.request_id, msgspec.json.encode(body))
        live = await self._live_matches.create(match_id, setup, commands, token)
        if live.setup != setup:
            raise request_id_reused()
        number = live.history.answered(token) or 0
        snapshot = await self._live_matches.at(live, number)
        return self._seated(request, snapshot, Seat.ONE, _CREATED)

    async def take_seat(self, request: Request) -> Response:
        body = await read_body(request, messages.TakeSeat)
        live = await self._find(request)
        token = Token(None, body.request_id, b"seat" + msgspec.json.encode(body))

        async def decide(_: Session) -> Command:
            return Sit(Seat.TWO, clean_name(body.name), body.lessons)

        snapshot = await self._live_matches.execute(live, decide, token, None)
        return self._seated(request, snapshot, Seat.TWO, _OK)

    # The log

    async def ask(self, request: Request) -> Response:
        """Execute a seat's ask, once; respond with the state or the log."""
        as_log = wants_log(request)
        body = await read_body(request, messages.LogAsk)
        live = await self._find(request)
        seat = await self._seat(request, live)
        request.state.viewer = seat
        if as_log:
            request.state.log_after = body.seq
        token = Token(seat, body.request_id, b"log" + msgspec.json.encode(body))
        snapshot = await self._live_matches.ask(live, seat, body, token)
        if as_log:
            response = answer(live.log_page(body.seq, snapshot.session.revision))
        else:
            response = answer(snapshot.state(seat))
        committed = Committed(request, response, body.request_id, snapshot)
        # A class's results are read from its matches: a pupil needs no cookie.
        for subscriber in () if live.class_id else self._subscribers:
            await subscriber(committed)
        return response

    async def log(self, request: Request) -> Response:
        live = await self._look(request)
        viewer = await self._viewer(request, live)
        after = read_number(request, "after")
        return answer(live.match_log(after or 0, viewer))

    # Watching

    async def state(self, request: Request) -> Response:
        live = await self._look(request)
        viewer = await self._viewer(request, live)
        return answer(live.snapshot.state(viewer))

    async def stream(self, request: Request) -> ASGIApp:
        live = await self._look(request)
        viewer = await self._viewer(request, live)
        after = read_number(request, "after", header="last-event-id")
        address = household(address_of(request))
        alike = sum(each.viewer is viewer for each in live.listeners)
        most = MOST_WATCHING_A_MATCH if viewer is None else MOST_STREAMS_OF_A_SEAT
        if (
            self._live_matches.count_from(address) >= MOST_STREAMS_OF_ADDRESS
            or alike >= most
        ):
            raise too_many()
        as_log = wants_log(request)

        async def listen(_: Scope, receive: Receive, send: Send) -> None:
            listener = Listener(viewer, address, send, reads_log=as_log)
            await self._live_matches.listen(live, listener, after, receive)

        return listen

    # Looking up

    async def preview(self, request: Request) -> Preview:
        return Preview.of_match((await self._find(request)).session)

    async def rules(self, request: Request) -> Response:
        live = await self._look(request)
        return answer(analysis.rules_in_words(live.session))

    async def hint(self, request: Request) -> Response:
        session = (await self._agreed(request)).session
        return answer(await self._pool(lambda: analysis.hint(session)))

    async def why(self, request: Request) -> Response:
        live = await self._agreed(request)
        session, viewer = live.session, await self._viewer(request, live)
        return answer(await self._pool(lambda: analysis.reason(session, viewer)))

    async def _agreed(self, request: Request) -> LiveMatch:
        """Return the match of a request for help; refuse help not agreed on."""
        live = await self._look(request)
        session = live.session
        is_agreed = session.setup.lessons.hints and session.to_move is not None
        if live.class_id and not is_agreed:
            await self._refuse_bands(request, live)
            return live
        if session.empty_seats:
            # The second player may not agree to hints.
            raise SeatVacant(session.empty_seats[0])
        if session.to_move is not None and not session.setup.lessons.hints:
            detail = (
                "hints are off in this match; you can review the game when it is over"
            )
            raise HttpRefusal(FORBIDDEN, "not_agreed", detail)
        return live

    async def _refuse_bands(self, request: Request, live: LiveMatch) -> None:
        """Refuse reasons and reviews at a table of a class until they are open."""
        if live.class_id is not None and not await self._classes.may_see_bands(
            request, live.class_id
        ):
            raise bands_closed()

    async def review(self, request: Request) -> Response:
        live = await self._look(request)
        await self._refuse_bands(request, live)
        match_number = read_number(request, "match_number")
        number = read_number(request, "number")
        viewer = await self._viewer(request, live)
        return answer(
            await self._pool(lambda: _review(live, viewer, match_number, number))
        )

    async def last_ended(self, request: Request) -> tuple[Session, Seat]:
        """Return the session as the last game ended, and the seat that may practise.

        If both seats are played at one screen, that is the one that lost.
        """
        live = await self._look(request)
        await self._refuse_bands(request, live)
        session, seat = _ended(live)[0], await self._seat(request, live)
        return session, Scene(session, seats_of(session, seat)).loser or seat


def _review(
    live: LiveMatch, viewer: Seat | None, match_number: int | None, number: int | None
) -> messages.GameReview:
    sessions = (session for session, _ in live.history.ended)
    session, answers = _ended(live, match_number, number)
    return analysis.game_review(session, viewer, answers, sessions)


def _ended(
    live: LiveMatch, match_number: int | None = None, number: int | None = None
) -> tuple[Session, tuple[int | None, ...]]:
    """Return the last ended game with these numbers; None matches any number."""
    fitting = [
        (session, answers)
        for session, answers in live.history.ended
        if match_number in (None, session.match_number)
        and number in (None, session.number)
    ]
    if not fitting:
        detail = "no such game of this match has ended yet"
        raise HttpRefusal(NOT_FOUND, "no_such_game", detail)
    return fitting[-1]


# The setup of a match


def proposal_of(
    body: messages.CreateMatch, seed: int
) -> tuple[Setup, tuple[Command, ...]]:
    """Return the setup of a new match, and its first commands."""
    setup = body.setup(seed)
    commands: tuple[Command, ...] = ()
    if body.opponent != HERE:
        name, other = setup.names
        setup = replace(setup, names=(str(Seat.ONE), other), all_seated=False)
        commands = (Sit(Seat.ONE, name),)
    return setup, commands if body.moves is None else (*commands, Retry(body.moves))
