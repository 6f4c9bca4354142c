"""A server with a class, whose clock the test moves, and which must keep its secrets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import msgspec

from ninefold.online import class_messages as wire
from ninefold.server.asgi import Options, Server
from ninefold.store import Store
from tests.program import WAIT_SECONDS
from tests.server import asgi
from tests.server.client import Answer, InProcess, Stream
from tests.server.devices import Pupil, Teacher
from tests.servers import KEY, NOW, boundless, make_store

_REFUSED = 400
MADNESS = "multiplication-madness"
Described = tuple[Callable[[str], object], str, frozenset[int]]
_DESCRIBED: dict[bool, list[Described]] = {}


class School(InProcess):
    """A caller of a server; notes what it refuses and what its log must not hold."""

    def __init__(self, store: Store, options: Options | None = None) -> None:
        self.now = NOW
        self.store = store
        self.server = Server(
            store, KEY, clock=lambda: self.now, options=options, rates=boundless()
        )
        self.app = self.server.application()
        super().__init__(self.app)
        self.log = asgi.Log()
        self.secrets = {"Mia"}
        self._refused: set[tuple[str, str, int]] = set()
        self.teacher = Teacher(self)
        self.code = ""

    async def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Answer:
        """Ask; note the refusal, and the cookies of both directions."""
        answer = await super().ask(method, path, body, **headers)
        self.secrets |= {*re.findall("^/api/matches/([^/]+)", path)}
        assert answer.status < 500, answer.body
        for cookie in (headers.get("cookie", ""), answer.headers.get("set-cookie", "")):
            self.secrets |= {*re.findall(r"ninefold-class=([\w.-]+)", cookie)}
        if answer.status >= _REFUSED:
            assert _is_sentence(answer.refusal.detail), answer.refusal.detail
            self._refused.add((method, path.partition("?")[0], answer.status))
        return answer

    async def wait(self, minutes: float) -> None:
        """Let time pass, and end the rounds that it ends."""
        self.now += timedelta(minutes=minutes)
        for class_id in {
            each.partition(".")[0] for each in self.secrets if "." in each
        }:
            live = await self.server.live_classes.find(class_id)
            await self.server.live_classes.end_round_in_time(live)

    async def open(self) -> None:
        """Create a class."""
        self.teacher = await Teacher.create(self)
        self.code = await self.teacher.code()

    async def join(self, *names: str) -> Pupil:
        return await Pupil.join(self, self.code, *names)

    async def pair(self, **proposal: object) -> tuple[Pupil, Pupil, str]:
        """Have Mia and Ben join, and play at a table; return them and its match."""
        mia, ben = await self.join("Mia"), await self.join("Ben")
        started = await self.teacher.start_round([seats(1, 2)], minutes=8, **proposal)
        assert started.status == 200, started.body
        return mia, ben, await table_of(mia)

    async def enter(self, code: str, address: str = asgi.ADDRESS) -> asgi.Answer:
        """Type a code on a device at an address."""
        body = msgspec.json.encode({"code": code})
        headers = [("content-type", "application/json")]
        path = "/api/class/code"
        return await asgi.ask(self.app, "POST", path, body, headers, address=address)

    async def check(self) -> None:
        """Check that the log tells no secret, and that every refusal is described."""
        text = "\n".join(self.log.lines)
        assert not [secret for secret in self.secrets if secret in text]
        if not self._refused:
            return
        for is_call, method, statuses in await self._described():
            for refused in self._refused:
                if refused[0] == method and is_call(refused[1]):
                    assert refused[2] in statuses, refused

    async def _described(self) -> list[Described]:
        """Return the calls and the statuses of their answers, read once."""
        has_one_class = self.server.options.class_id is not None
        if has_one_class not in _DESCRIBED:
            answer = await self.get("/openapi.json")
            paths = msgspec.json.decode(answer.body)["paths"]
            _DESCRIBED[has_one_class] = [
                (
                    re.compile(re.sub(r"{\w+}", "[^/]+", template)).fullmatch,
                    method.upper(),
                    frozenset(map(int, call["responses"])),
                )
                for template, calls in paths.items()
                for method, call in calls.items()
            ]
        return _DESCRIBED[has_one_class]


def _is_sentence(text: str) -> bool:
    """Whether a refusal is one line of text with a way on."""
    return bool(text) and "\n" not in text and len(text) < 200


@asynccontextmanager
async def school(
    folder: Path | None = None, options: Options | None = None
) -> AsyncIterator[School]:
    """Start a server on a folder, or in memory, and end it well."""
    started = School(make_store(folder), options)
    with started.log.listening():
        await started.start()
        try:
            yield started
            await started.check()
        finally:
            await started.stop()


def seats(*pupils: int, level: str | None = None) -> dict[str, object]:
    """Return the seating of a table."""
    return {"pupils": pupils, "level": level}


async def table_of(pupil: Pupil) -> str:
    """Return the match of a pupil's table."""
    table = (await pupil.view()).table
    assert table is not None
    return table.match


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not await holds():
            pass  # each request lets others go on


def views(stream: Stream) -> list[wire.PupilView | wire.TeacherView]:
    """Return the views of the class that a stream has told."""
    shape = wire.PupilView | wire.TeacherView
    return [
        msgspec.json.decode(told.data, type=shape)
        for told in stream.told
        if told.kind == "class"
    ]
