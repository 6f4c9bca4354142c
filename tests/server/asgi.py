"""A server in this process, asked as a web server would ask it, byte by byte.

Paths, headers and bodies go in as they are: nothing puts them right on the way.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from types import TracebackType
from typing import Self
from urllib.parse import unquote

from anyio.from_thread import BlockingPortal, start_blocking_portal
from msgspec import Struct
from starlette.types import ASGIApp, Message

from ninefold.server.run import Formatter
from tests.program import WAIT_SECONDS
from tests.servers import living

Json = dict[str, object]
Headers = Sequence[tuple[str, str]]
ADDRESS = "198.51.100.7"
_REFUSED, _FAILED = 400, 500
_STEP = ("seq", "head", "request_id")
"""The fields of an ask beside what is asked for."""


class Answer(Struct, frozen=True):
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """Return a header; empty where there is none."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def text(self) -> str:
        """The body, as a browser reads it."""
        is_compressed = self.header("content-encoding") == "gzip"
        return (gzip.decompress(self.body) if is_compressed else self.body).decode()

    @property
    def json(self) -> dict[str, object]:
        """The body, which is an object."""
        read = json.loads(self.body)
        assert isinstance(read, dict)
        return read

    def __getitem__(self, key: str) -> object:
        """Return one key of the body."""
        return self.json[key]

    @property
    def error(self) -> tuple[int, object]:
        """The status and the code of a refusal."""
        return self.status, self.json["error"]


def scope_of(
    method: str, path: str, headers: Headers = (), address: str = ADDRESS
) -> dict[str, object]:
    """Write a request as ASGI has it."""
    given = {name for name, _ in headers}
    usual = [("host", "localhost")] if "host" not in given else []
    raw, _, query = path.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(raw),
        "raw_path": raw.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in [*usual, *headers]
        ],
        "client": (address, 50_000),
        "server": ("localhost", 80),
        "state": {},
    }


class Exchange:
    """One request on its way, and what has come back so far."""

    def __init__(
        self,
        app: ASGIApp,
        scope: Mapping[str, object],
        body: Iterable[bytes] = (),
        *,
        stalls: bool = False,
        breaks_off: bool = False,
    ) -> None:
        """Ask; ``stalls`` never sends the rest of the body, ``breaks_off`` goes."""
        self.messages: asyncio.Queue[Message | None] = asyncio.Queue()
        self.reads = asyncio.Event()
        """Clear it, and nothing more is taken: a slow reader."""
        self.reads.set()
        self._gone = asyncio.Event()
        parts = list(body) or [b""]
        more = [True] * (len(parts) - 1) + [stalls or breaks_off]
        self._parts = list(zip(parts, more, strict=True))
        if breaks_off:
            self._gone.set()
        self.task = asyncio.create_task(self._run(app, scope))

    async def _run(self, app: ASGIApp, scope: Mapping[str, object]) -> None:
        try:
            await app(dict(scope), self._receive, self._send)
        finally:
            self.messages.put_nowait(None)

    async def _receive(self) -> Message:
        if self._parts:
            part, more = self._parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": more}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        await self.reads.wait()
        self.messages.put_nowait(message)

    def leave(self) -> None:
        """Disconnect."""
        self._gone.set()

    async def next(self) -> Message | None:
        """Return the next message; None at the end."""
        async with asyncio.timeout(WAIT_SECONDS):
            return await self.messages.get()

    async def answer(self) -> Answer:
        """Wait for the whole answer."""
        status, headers, body = 0, [], b""
        while (message := await self.next()) is not None:
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [
                    (name.decode("latin-1"), value.decode("latin-1"))
                    for name, value in message["headers"]
                ]
            else:
                body += message.get("body", b"")
        return Answer(status, headers, body)


async def ask(
    app: ASGIApp,
    method: str,
    path: str,
    body: bytes | Iterable[bytes] = b"",
    headers: Headers = (),
    *,
    address: str = ADDRESS,
    stalls: bool = False,
    breaks_off: bool = False,
) -> Answer:
    """Ask once; an error that nobody answered is answered with 500 and lost."""
    parts = [body] if isinstance(body, bytes) else body
    exchange = Exchange(
        app,
        scope_of(method, path, headers, address),
        parts,
        stalls=stalls,
        breaks_off=breaks_off,
    )
    answer = await exchange.answer()
    await asyncio.wait([exchange.task])
    if not answer.status or answer.status >= 500:
        exchange.task.exception()  # seen, by the status
    return answer


class Log(logging.Handler):
    """The lines that a server logs, which must hold no secret."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.setFormatter(Formatter())

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    @contextmanager
    def listening(self) -> Iterator[None]:
        logging.getLogger("ninefold.server").setLevel(logging.DEBUG)
        logging.getLogger().addHandler(self)
        try:
            yield
        finally:
            logging.getLogger().removeHandler(self)


class Site:
    """A server that answers whoever asks, in a thread of its own.

    Whatever it is asked, its log never tells of which match, or by which request; and
    each refusal is one that the description of its call names.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._stack = ExitStack()
        self._numbers = iter(range(1, 1_000_000))
        self._log = Log()
        self.secrets = {"request-0"}
        self._refused: set[tuple[str, str, int]] = set()

    def __enter__(self) -> Self:
        self._stack.enter_context(self._log.listening())
        starting: AbstractContextManager[BlockingPortal] = start_blocking_portal()
        self.portal = self._stack.enter_context(starting)
        self._stack.enter_context(
            self.portal.wrap_async_context_manager(living(self._app))
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        host = ("host", "127.0.0.1")  # that every server goes by
        described = self.get("/openapi.json", [host])["paths"] if self._refused else {}
        self._stack.__exit__(kind, error, trace)
        assert isinstance(described, dict)
        for template, calls in described.items():
            is_call = re.compile(re.sub(r"{\w+}", "[^/]+", template)).fullmatch
            for method, path, status in self._refused:
                if is_call(path) and method.lower() in calls:
                    answers = calls[method.lower()]["responses"]
                    assert str(status) in answers, (method, template, status)
        text = "\n".join(self._log.lines)
        assert not [secret for secret in self.secrets if secret in text]

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] = b"",
        headers: Headers = (),
        *,
        address: str = ADDRESS,
        stalls: bool = False,
        breaks_off: bool = False,
    ) -> Answer:
        """Ask, and wait for the answer."""
        call = partial(
            ask,
            self._app,
            method,
            path,
            body,
            headers,
            address=address,
            stalls=stalls,
            breaks_off=breaks_off,
        )
        answer = self.portal.call(call)
        if answer.status >= _REFUSED and answer.status != _FAILED:
            self._refused.add((method, path.partition("?")[0], answer.status))
        return answer

    def get(self, path: str, headers: Headers = (), address: str = ADDRESS) -> Answer:
        return self.ask("GET", path, b"", headers, address=address)

    def post(
        self, path: str, body: Json, headers: Headers = (), address: str = ADDRESS
    ) -> Answer:
        """Send JSON; a request_id is made where there is none."""
        body = {"request_id": self.request_id(), **body}
        sent = json.dumps(body).encode()
        headers = [("content-type", "application/json"), *headers]
        return self.ask("POST", path, sent, headers, address=address)

    def request_id(self) -> str:
        return f"request-{next(self._numbers):012}"

    def create(self, **fields: object) -> Person:
        """Make a match, and sit in seat 1."""
        usual = {"game": "multiplication-madness", "opponent": "friend", "name": "Ada"}
        made = self.post("/api/matches", usual | fields)
        assert made.status == 201, made.text
        return Person(self, made)

    def pair(self, **fields: object) -> tuple[Person, Person]:
        """Make a match of two people: Ada, who begins, and Bob."""
        ada = self.create(**fields)
        return ada, ada.let_in("Bob")


class Person:
    """Somebody in a seat."""

    def __init__(self, site: Site, seated: Answer) -> None:
        self.site = site
        self.seated = seated
        self.match = str(seated["id"])
        self.secret = str(seated["secret"])
        site.secrets |= {self.match, self.secret}
        self.path = f"/api/matches/{self.match}"
        self.bearer = ("authorization", f"Bearer {self.secret}")

    def let_in(self, name: str, **fields: object) -> Person:
        """Let somebody else sit down."""
        seated = self.site.post(f"{self.path}/seat", {"name": name} | fields)
        assert seated.status == 200, seated.text
        return Person(self.site, seated)

    def get(self, call: str = "") -> Answer:
        """Ask as this seat."""
        return self.site.get(self.path + call, [self.bearer])

    @property
    def state(self) -> Json:
        return self.get().json

    def move(self, multiplier: object, **fields: object) -> Answer:
        return self.ask("move", multiplier=multiplier, **fields)

    def ask(self, do: str, **fields: object) -> Answer:
        """Ask for something, and get the state; in step where no seq is given."""
        return self._ask("", do, fields)

    def ask_log(self, do: str, **fields: object) -> Answer:
        """Ask for something, and get the commands that were added."""
        return self._ask("?as=log", do, fields)

    def _ask(self, query: str, do: str, fields: Json) -> Answer:
        step = {name: fields.pop(name) for name in _STEP if name in fields}
        if "seq" not in step:
            step["seq"] = self.state["seq"]
        body = step | {"ask": {"do": do} | fields}
        return self.site.post(f"{self.path}/log{query}", body, [self.bearer])

    def wait_for(self, key: str, value: object) -> Json:
        """Look at the match until it is so; a level moves by itself."""
        for _ in range(100_000):
            state = self.state
            if state[key] == value:
                return state
        message = f"{key} never became {value}: {state}"
        raise AssertionError(message)


def play(people: tuple[Person, Person], *moves: int) -> None:
    """Play moves by turns, whoever is to move."""
    for multiplier in moves:
        to_move = people[0].state["to_move"]
        assert isinstance(to_move, int)
        moved = people[to_move - 1].move(multiplier)
        assert moved.status == 200, moved.text
