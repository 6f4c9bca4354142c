"""The endpoints of classes, whose devices are known by a cookie."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from contextlib import suppress

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ninefold import classroom
from ninefold.classroom import Classroom
from ninefold.errors import (
    ClassError,
    DamagedMatch,
    RevisionConflict,
    UnknownClass,
    UnknownMatch,
)
from ninefold.game import Seat
from ninefold.online import class_messages as messages
from ninefold.server import analysis
from ninefold.server.class_decisions import ClassDecisions
from ninefold.server.class_results import class_games, results_of
from ninefold.server.commit_queue import Writer
from ninefold.server.event_streams import Listener
from ninefold.server.live_class import LiveClass
from ninefold.server.live_classes import Decision, LiveClasses
from ninefold.server.live_match import History, LiveMatch
from ninefold.server.live_matches import LiveMatches
from ninefold.server.qr_codes import draw_qr
from ninefold.server.rate_limits import (
    MOST_STREAMS_OF_ADDRESS,
    Handler,
    address_of,
    household,
    too_many,
)
from ninefold.server.requests import LARGEST_BODY_OF_A_CLASS, read_body, read_query
from ninefold.server.responses import (
    BAD_FORM,
    CONFLICT,
    FORBIDDEN,
    NO_SEAT,
    NOT_FOUND,
    HttpRefusal,
    answer,
    set_secret,
)
from ninefold.server.seating_plan import plan_tables
from ninefold.server.seats import CLASS_COOKIE, TEACHER, Device, SeatSecrets, Token
from ninefold.server.thread_pool import Pool
from ninefold.session.setup import clean_name
from ninefold.views.class_results import format_csv
from ninefold.views.round_advice import advise

_PATH = "/api"
_COOKIE_SECONDS = 12 * 3600
_CREATED = 201
_CODE = re.compile(r"[0-9]{6}")
_SPACES = re.compile(r"[\s·.-]+")
MOST_WRONG_CODES = 60
"""The most wrong codes from one address in a minute; a school may share one."""
MOST_WRONG_CODES_OF_ALL = 200
ADVISED = ("game", "target", "multipliers")
"""The query of the advice about a round."""


class Classes:
    """Handles the endpoints of classes, which ``endpoints`` describes."""

    def __init__(
        self,
        live_classes: LiveClasses,
        live_matches: LiveMatches,
        secrets: SeatSecrets,
        pool: Pool,
        writer: Writer,
        *,
        public_url: str | None,
        addresses: tuple[str, ...],
        only_class: str | None,
    ) -> None:
        """Serve classes; ``only_class`` is the one of a server that has no other."""
        self._live_classes = live_classes
        self._live_matches = live_matches
        self._secrets = secrets
        self._pool = pool
        self._writer = writer
        self._public_url = public_url
        self._addresses = addresses
        self._only_class = only_class
        self._decisions = ClassDecisions(secrets, pool, self._matches_of)
        self._codes = asyncio.Lock()
        """Held while a code is looked up and, if it is wrong, counted."""

    # Who asks

    def _device(self, request: Request) -> Device:
        device = self._secrets.device_of(request)
        if device is None:
            detail = "you are not in a class yet; type the code on the board"
            raise HttpRefusal(NO_SEAT, "no_class", detail)
        return device

    async def _member(self, request: Request) -> tuple[Device, LiveClass]:
        """Return the device of a request, and its class."""
        device = self._device(request)
        live = await self._live_classes.find_current(device.class_id)
        if live.is_unknown(device):
            raise UnknownClass
        return device, live

    def _taught(self, request: Request) -> str:
        """Return the id of the class of a request; refuse all but its teacher."""
        device = self._device(request)
        if not device.is_teacher:
            detail = "only your teacher can do this"
            raise HttpRefusal(FORBIDDEN, "not_allowed", detail)
        return device.class_id

    async def _teacher(self, request: Request) -> LiveClass:
        """Return the class of a request; refuse all but its teacher."""
        return await self._live_classes.find_current(self._taught(request))

    async def seat_of(self, request: Request, live: LiveMatch) -> Seat | None:
        """Return the seat at a match of a class that a device proves, or None."""
        device = self._secrets.device_of(request)
        if device is None or device.class_id != live.class_id or device.is_teacher:
            return None
        room = await self._live_classes.find_current(device.class_id)
        return room.seat_of(live.id, device)

    async def may_see_bands(self, request: Request, class_id: str) -> bool:
        """Whether a request may have reasons and reviews: the teacher's always."""
        device = self._secrets.device_of(request)
        if device is not None and device == Device(class_id, TEACHER):
            return True
        live = await self._live_classes.find_current(class_id)
        return live.classroom.bands_are_open

    def guard(self, handler: Handler) -> Handler:
        """Wrap a handler that answers the teacher alone until bands are open.

        This is for a server that has only one class.
        """

        async def guarded(request: Request) -> ASGIApp:
            only = self._only_class
            if only is not None and not await self.may_see_bands(request, only):
                raise bands_closed()
            return await handler(request)

        return guarded

    # Entering

    async def create(self, request: Request) -> Response:
        body = await read_body(request, messages.CreateClass)
        if self._only_class is not None:
            detail = "this program teaches one class; start it again for another"
            raise HttpRefusal(FORBIDDEN, "has_class", detail)
        class_id = self._secrets.class_id(body.request_id)
        await self._create(class_id)
        teacher = Device(class_id, TEACHER)
        link = f"{self._address(request)}{teaching_path(self._secrets, class_id)}"
        response = answer(messages.CreatedClass(link), _CREATED)
        self._set_cookie(request, response, teacher)
        return response

    async def _create(self, class_id: str) -> None:
        """Create a class with a free code, unless the request is a repeat."""
        while True:
            try:
                await self._live_classes.find_current(class_id)
            except UnknownClass:
                with suppress(RevisionConflict):  # a repeat was quicker, or a code
                    await self._live_classes.create(class_id)
            else:
                return

    async def teach(self, request: Request) -> Response:
        body = await read_body(request, messages.TeachClass)
        device = self._secrets.read_device(body.secret)
        if device is None or not device.is_teacher:
            detail = "this link is incomplete; copy it again from the terminal"
            raise HttpRefusal(NO_SEAT, "wrong_secret", detail)
        live = await self._live_classes.find_current(device.class_id)
        response = answer(await self._live_classes.teacher_view(live))
        self._set_cookie(request, response, device)
        return response

    def _address(self, request: Request) -> str:
        return (self._public_url or str(request.base_url)).rstrip("/")

    def _set_cookie(self, request: Request, response: Response, device: Device) -> None:
        set_secret(
            response,
            CLASS_COOKIE,
            self._secrets.device_secret(device),
            path=_PATH,
            address=self._address(request),
            seconds=_COOKIE_SECONDS,
        )

    async def enter(self, request: Request) -> Response:
        body = await read_body(request, messages.EnterCode)
        live = await self._with_code(request, body.code)
        _check_door(live.classroom)
        roster = live.classroom.roster
        names = None if not (roster and roster.names) else live.classroom.absent
        return answer(messages.Entrance(names))

    async def _with_code(self, request: Request, typed: str) -> LiveClass:
        """Return the class with a code; count wrong ones, and refuse too many.

        The answer is the same for a class that is over as for none.
        """
        address = household(address_of(request))
        code = _SPACES.sub("", typed)
        async with self._codes:  # or many guesses at once would all be the first
            here, everywhere = await self._writer.query(
                lambda store: store.count_wrong_codes(address)
            )
            if here >= MOST_WRONG_CODES or everywhere >= MOST_WRONG_CODES_OF_ALL:
                raise too_many()
            live = None
            if _CODE.fullmatch(code):
                live = await self._live_classes.with_code(code)
            if live is None or live.classroom.is_closed:
                await self._writer.query(lambda store: store.add_wrong_code(address))
                detail = "this is not the code of a class; look at the board"
                raise HttpRefusal(NOT_FOUND, "wrong_code", detail)
        return live

    async def join(self, request: Request) -> Response:
        body = await read_body(request, messages.JoinClass, LARGEST_BODY_OF_A_CLASS)
        live = await self._with_code(request, body.code)
        names = tuple(map(clean_name, body.names))
        sent = msgspec.json.encode(body)
        token = Token(None, f"join/{body.request_id}", sent)

        async def decide(room: Classroom) -> Decision:
            _check_door(room)
            if body.is_back or _comes_back(room, names):
                return Decision(_come_back(room, names))
            number = len(room.pupils) + 1
            return Decision(classroom.Join(number, names, body.is_duel))

        await self._live_classes.execute(live, decide, token)
        device = live.device_of(token)
        view = self._live_classes.pupil_view(live, device)
        response = answer(view, _CREATED)
        self._set_cookie(request, response, device)
        return response

    # Looking

    async def view(self, request: Request) -> Response:
        device, live = await self._member(request)
        return answer(await self._view(live, device))

    async def _view(
        self, live: LiveClass, device: Device
    ) -> messages.PupilView | messages.TeacherView:
        if device.is_teacher:
            return await self._live_classes.teacher_view(live)
        return self._live_classes.pupil_view(live, device)

    async def stream(self, request: Request) -> ASGIApp:
        device, live = await self._member(request)
        address = household(address_of(request))
        replaces = not device.is_teacher and bool(live.streams_of(device))
        if (
            not replaces
            and self._live_matches.count_from(address) >= MOST_STREAMS_OF_ADDRESS
        ):
            raise too_many()

        async def listen(_: Scope, receive: Receive, send: Send) -> None:
            listener = Listener(None, address, send)
            await self._live_classes.listen(live, device, listener, receive)

        return listen

    async def network(self, request: Request) -> Response:
        live = await self._teacher(request)
        urls = self._addresses or (self._address(request),)
        code = live.classroom.code
        drawn = [
            messages.Address(url, draw_qr(f"{url}/class#{code}").decode())
            for url in urls
        ]
        return answer(messages.Network(tuple(drawn)))

    async def plan(self, request: Request) -> Response:
        live = await self._teacher(request)
        who = read_query(request, ("who",))["who"] or "pair"
        if who not in ("pair", "same", "level"):
            detail = "who: expected pair, same or level"
            raise HttpRefusal(BAD_FORM, "form", detail)
        matches = await self._matches_of(live, live.tables)
        room = live.classroom
        return answer(
            await self._pool(lambda: plan_tables(live.id, room, who, matches))
        )

    async def advice(self, request: Request) -> Response:
        await self._teacher(request)
        query = read_query(request, ADVISED)
        nothing = dict.fromkeys(("start", "total"))

        def look() -> messages.RoundAdvice:
            _, at = analysis.position(**query, **nothing)
            return messages.RoundAdvice(advise(at.rules))

        return answer(await self._pool(look))

    async def games(self, request: Request) -> Response:
        live = await self._teacher(request)
        matches = await self._matches_of(live, live.tables)
        tables = live.classroom.tables
        return answer(await self._pool(lambda: class_games(tables, matches)))

    async def results(self, request: Request) -> Response:
        live = await self._teacher(request)
        form = read_query(request, ("as",))["as"]
        matches = await self._matches_of(live, live.tables)
        room = live.classroom
        found = await self._pool(lambda: results_of(room, matches))
        if form == "csv":
            headers = {
                "cache-control": "no-store",
                "content-disposition": 'attachment; filename="class.csv"',
            }
            # Spreadsheets read UTF-8 only with its mark.
            text = format_csv(found.rows).encode("utf-8-sig")
            return Response(text, headers=headers, media_type="text/csv")
        return answer(found)

    async def _matches_of(
        self, live: LiveClass, match_ids: Iterable[str]
    ) -> dict[str, History]:
        """Return the histories of matches of a class."""
        found = {}
        for match_id in match_ids:
            try:
                found[match_id] = (await self._live_matches.find(match_id)).history
            except (DamagedMatch, UnknownMatch):  # the others still count
                continue
        return found

    async def remove(self, request: Request) -> Response:
        await read_body(request, messages.RemoveClass)
        # It may be damaged: it is removed without being loaded.
        await self._live_classes.remove(self._taught(request))
        response = answer(messages.Removed())
        response.delete_cookie(CLASS_COOKIE, _PATH)
        return response

    # Asking

    async def ask(self, request: Request) -> Response:
        """Execute an ask of a device, once; respond with its view."""
        body = await read_body(request, messages.ClassAsk, LARGEST_BODY_OF_A_CLASS)
        device, live = await self._member(request)
        is_of_pupil = isinstance(body.ask, messages.PupilAsk)
        if is_of_pupil is device.is_teacher:
            detail = (
                "pupils answer on their own devices"
                if is_of_pupil
                else "only your teacher can do this"
            )
            raise HttpRefusal(FORBIDDEN, "not_allowed", detail)
        who = f"{device.pupil}.{device.number}"
        sent = msgspec.json.encode(body)
        token = Token(None, f"{who}/{body.request_id}", sent)

        async def decide(room: Classroom) -> Decision:
            if is_of_pupil and not live.is_current(device):
                detail = "this device is not in the class now"
                raise HttpRefusal(NO_SEAT, "no_class", detail)
            return await self._decisions.decide(live, device, body, room)

        await self._live_classes.execute(live, decide, token)
        response = answer(await self._view(live, device))
        if isinstance(body.ask, messages.LeaveClass):
            response.delete_cookie(CLASS_COOKIE, _PATH)
        return response


def teaching_path(secrets: SeatSecrets, class_id: str) -> str:
    """Return the path to teach a class, which ends with the teacher's secret."""
    return f"/teach#{secrets.device_secret(Device(class_id, TEACHER))}"


def bands_closed() -> HttpRefusal:
    """Return the refusal of reasons and reviews until the teacher opens them."""
    detail = "your teacher opens this for everyone later"
    return HttpRefusal(FORBIDDEN, "bands_closed", detail)


def _check_door(room: Classroom) -> None:
    if not room.is_open:
        detail = "the door is closed; ask your teacher to open it"
        raise HttpRefusal(CONFLICT, "door_closed", detail)


def _comes_back(room: Classroom, names: tuple[str, ...]) -> bool:
    """Whether names are those of a pupil who has left."""
    known = room.named(names[0])
    return known is not None and known.has_left and known.names == names


def _come_back(room: Classroom, names: tuple[str, ...]) -> classroom.Return:
    known = room.named(names[0])
    if known is None:
        message = f"nobody here is called {names[0]}; join with this name"
        raise ClassError(message)
    return classroom.Return(known.number, known.devices + 1)
