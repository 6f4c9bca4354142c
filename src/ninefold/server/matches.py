"""The calls about one match: create, sit, ask, watch, look back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ninefold.errors import SeatEmpty, UnknownMatch
from ninefold.game import Seat
from ninefold.online.messages import (
    CreateMatch,
    GameReview,
    LogAsk,
    SeatedState,
    TakeSeat,
)
from ninefold.online.names import clean_name
from ninefold.server import analysis
from ninefold.server.live_match import LiveMatch, Snapshot
from ninefold.server.live_matches import LiveMatches
from ninefold.server.pool import Pool
from ninefold.server.rate_limits import (
    MOST_STREAMS_OF_A_SEAT,
    MOST_STREAMS_OF_ADDRESS,
    MOST_WATCHING_A_MATCH,
    household,
    too_many,
)
from ninefold.server.requests import (
    COOKIE,
    address_of,
    lessons_of,
    read_body,
    read_number,
    seat_of,
    seated,
    setup_of,
    wants_log,
)
from ninefold.server.responses import (
    NOT_FOUND,
    Refused,
    answer,
    not_agreed,
)
from ninefold.server.seat_secrets import SeatSecrets, Token, is_match_id
from ninefold.server.streams import Listener
from ninefold.session import Command, Session, Sit

_OK, _CREATED = 200, 201
_COOKIE_SECONDS = 400 * 24 * 3600


class Matches:
    """Answers the calls about matches."""

    def __init__(
        self,
        matches: LiveMatches,
        secrets: SeatSecrets,
        think: Pool,
        public_url: str | None,
    ) -> None:
        self._live_matches = matches
        self._secrets = secrets
        self._think = think
        self._public_url = public_url

    def link(self, request: Request, match_id: str) -> str:
        """Return the address of a match, to be sent to others."""
        base = self._public_url or str(request.base_url)
        return f"{base.rstrip('/')}/m/{match_id}"

    async def _live_match(
        self, request: Request, find: Callable[[str], Awaitable[LiveMatch]]
    ) -> LiveMatch:
        """Find the match of a request; refusals of the request will show its state."""
        match_id = str(request.path_params["id"])
        if not is_match_id(match_id):
            raise UnknownMatch(match_id)
        live = await find(match_id)
        request.state.live = live
        return live

    def _seated(
        self, request: Request, snapshot: Snapshot, seat: Seat, status: int
    ) -> Response:
        """Answer with the secret of a seat, for browsers in a cookie, too."""
        match_id = snapshot.id
        secret = self._secrets.secret(match_id, seat)
        link = self.link(request, match_id)
        shown = msgspec.structs.asdict(snapshot.state(seat))
        response = answer(SeatedState(**shown, secret=secret, link=link), status)
        response.set_cookie(
            COOKIE,
            secret,
            max_age=_COOKIE_SECONDS,
            path=f"/api/matches/{match_id}",
            secure=link.startswith("https:"),
            httponly=True,
            samesite="lax",
        )
        return response

    # Creating and joining

    async def create(self, request: Request) -> Response:
        """Make a match; whoever makes it sits in seat 1."""
        asked = await read_body(request, CreateMatch)
        match_id = self._secrets.match_id(asked.request_id)
        setup = setup_of(asked, self._secrets.seed(match_id))
        sit = Sit(Seat.ONE, clean_name(asked.name))
        token = Token(None, asked.request_id, msgspec.json.encode(asked))
        live = await self._live_matches.create(match_id, setup, sit, token)
        snapshot = live.answer_again(token) or live.at(1)
        return self._seated(request, snapshot, Seat.ONE, _CREATED)

    async def take_seat(self, request: Request) -> Response:
        """Take the seat that is free."""
        asked = await read_body(request, TakeSeat)
        live = await self._live_match(request, self._live_matches.find)
        lessons = None if asked.lessons is None else lessons_of(asked.lessons)
        token = Token(None, asked.request_id, b"seat" + msgspec.json.encode(asked))

        async def decide(_: Session) -> Command:
            return Sit(Seat.TWO, clean_name(asked.name), lessons)

        snapshot = await self._live_matches.act(live, decide, token, None)
        return self._seated(request, snapshot, Seat.TWO, _OK)

    # The log

    async def ask(self, request: Request) -> Response:
        """Do what a seat asks for, once; answer with the state, or with the log."""
        as_log = wants_log(request)
        body = await read_body(request, LogAsk)
        live = await self._live_match(request, self._live_matches.find)
        seat = seated(request, self._secrets, live.id)
        request.state.viewer = seat
        if as_log:
            request.state.log_after = body.seq
        token = Token(seat, body.request_id, b"log" + msgspec.json.encode(body))

        snapshot = await self._live_matches.ask(live, seat, body, token)
        if as_log:
            return answer(live.log_page(body.seq, snapshot.session.revision))
        return answer(snapshot.state(seat))

    async def log(self, request: Request) -> Response:
        """Return the set-up of a match, and a page of its log."""
        live = await self._live_match(request, self._live_matches.look)
        seat = seat_of(request, self._secrets, live.id)
        after = read_number(request.query_params.get("after"), "after")
        page = live.match_log(after or 0)
        return answer(msgspec.structs.replace(page, your_seat=seat))

    # Watching

    async def state(self, request: Request) -> Response:
        """Show the match as it stands."""
        live = await self._live_match(request, self._live_matches.look)
        seat = seat_of(request, self._secrets, live.id)
        return answer(live.snapshot.state(seat))

    async def stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream the match: states, or commands with ``?as=log``."""
        request = Request(scope)
        live = await self._live_match(request, self._live_matches.look)
        viewer = seat_of(request, self._secrets, live.id)
        after = read_number(
            request.headers.get("last-event-id") or request.query_params.get("after"),
            "after",
        )
        address = household(address_of(request))
        alike = sum(each.viewer is viewer for each in live.listeners)
        most = MOST_WATCHING_A_MATCH if viewer is None else MOST_STREAMS_OF_A_SEAT
        if (
            self._live_matches.count_from(address) >= MOST_STREAMS_OF_ADDRESS
            or alike >= most
        ):
            raise too_many()
        listener = Listener(viewer, address, send, reads_log=wants_log(request))
        await self._live_matches.listen(live, listener, after, receive)

    # Looking up

    async def rules(self, request: Request) -> Response:
        """Return the rules of the match in words."""
        live = await self._live_match(request, self._live_matches.look)
        return answer(analysis.rules_in_words(live.session))

    async def hint(self, request: Request) -> Response:
        """Give a hint in steps, where that was agreed."""
        session = await self._agreed(request)
        return answer(await self._think(lambda: analysis.hint(session)))

    async def why(self, request: Request) -> Response:
        """Return who wins and why, where that was agreed."""
        session = await self._agreed(request)
        viewer = seat_of(request, self._secrets, request.state.live.id)
        return answer(await self._think(lambda: analysis.reason(session, viewer)))

    async def _agreed(self, request: Request) -> Session:
        session = (await self._live_match(request, self._live_matches.look)).session
        if session.empty_seats:
            raise SeatEmpty(session.empty_seats[0])  # who sits down may not agree
        if session.to_move is not None and not session.setup.lessons.hints:
            raise not_agreed()
        return session

    async def review(self, request: Request) -> Response:
        """Look back on a game that has ended, by default the last one."""
        live = await self._live_match(request, self._live_matches.look)
        wanted = tuple(
            read_number(request.query_params.get(name), name)
            for name in ("match_number", "number")
        )
        return answer(await self._think(lambda: _review(live, *wanted)))


def _review(
    live: LiveMatch, match_number: int | None, number: int | None
) -> GameReview:
    """Review the last game that has these numbers, where they are given."""
    fitting = [
        found
        for found in live.ended_games()
        if match_number in (None, found[0]) and number in (None, found[1])
    ]
    if not fitting:
        detail = "no such game of this match has ended yet"
        raise Refused(NOT_FOUND, "no_such_game", detail)
    return analysis.game_review(live.session, *fitting[-1])
