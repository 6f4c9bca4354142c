"""The devices of a class: a teacher's and the pupils', with their cookies."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Self

import msgspec

from ninefold.online import class_messages as wire
from ninefold.online.messages import LogAsk
from ninefold.session import Move
from tests.server.client import Answer, Caller, Stream

_numbers = count(1)


def request_id() -> str:
    return f"request-{next(_numbers):012}"


class Device:
    """A browser: it keeps the cookie that it was given last."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.cookie = ""

    async def post(self, path: str, body: Mapping[str, object]) -> Answer:
        sent = msgspec.json.encode({"request_id": request_id(), **body})
        return await self._ask("POST", path, sent, content_type="application/json")

    async def get(self, path: str) -> Answer:
        return await self._ask("GET", path)

    async def _ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> Answer:
        answer = await self.caller.ask(method, path, body, **headers, **self._cookies)
        given = answer.headers.get("set-cookie", "")
        if given.startswith("ninefold-class="):
            self.cookie = given.partition(";")[0]
        return answer

    @property
    def _cookies(self) -> dict[str, str]:
        return {"cookie": self.cookie} if self.cookie else {}

    async def listen(self) -> Stream:
        return await self.caller.listen("/api/class/events", **self._cookies)

    async def ask(self, do: str, **fields: object) -> Answer:
        """Ask the class for something."""
        return await self.post("/api/class/ask", {"ask": {"do": do, **fields}})

    async def play(self, match: str, multiplier: int, seq: int) -> Answer:
        """Move at a table."""
        ask = LogAsk(seq=seq, request_id=request_id(), ask=Move(multiplier))
        body = msgspec.json.encode(ask)
        path = f"/api/matches/{match}/log"
        return await self._ask("POST", path, body, content_type="application/json")

    def copy(self) -> Self:
        """Return another window of the same browser."""
        other = type(self)(self.caller)
        other.cookie = self.cookie
        return other


class Pupil(Device):
    """A pupil's device."""

    @classmethod
    async def join(cls, caller: Caller, code: str, *names: str) -> Self:
        """Join a class; it must succeed."""
        device = cls(caller)
        answer = await device.try_to_join(code, *names)
        assert answer.status == 201, answer.body
        return device

    async def try_to_join(self, code: str, *names: str, **fields: object) -> Answer:
        body = {"code": code, "names": names, **fields}
        return await self.post("/api/class/join", body)

    async def view(self) -> wire.PupilView:
        answer = await self.get("/api/class")
        assert answer.status == 200, answer.body
        return answer.read(wire.PupilView)


class Teacher(Device):
    """The teacher's device."""

    @classmethod
    async def create(cls, caller: Caller) -> Self:
        """Create a class on a usual server."""
        device = cls(caller)
        answer = await device.post("/api/class", {})
        assert answer.status == 201, answer.body
        return device

    async def view(self) -> wire.TeacherView:
        answer = await self.get("/api/class")
        assert answer.status == 200, answer.body
        return answer.read(wire.TeacherView)

    async def code(self) -> str:
        return (await self.view()).code

    async def plan(self, who: str = "pair") -> wire.SeatingPlan:
        answer = await self.get(f"/api/class/plan?who={who}")
        assert answer.status == 200, answer.body
        return answer.read(wire.SeatingPlan)

    async def start_round(
        self, tables: object = None, *, minutes: int = 8, **proposal: object
    ) -> Answer:
        """Start a round, of pairs unless other tables are given."""
        usual: dict[str, object] = {
            "game": "multiplication-madness",
            "lessons": {"hints": False},
        }
        return await self.ask(
            "start-round",
            proposal={"opponent": "friend", **usual, **proposal},
            minutes=minutes,
            tables=tables or msgspec.to_builtins((await self.plan()).tables),
        )
