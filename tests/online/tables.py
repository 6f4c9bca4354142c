"""Both sides of a match online: a server, a friend who speaks HTTP, and a terminal."""

from __future__ import annotations

import io
import json
import os
import select
import tempfile
import time
from functools import partial
from http.client import HTTPResponse
from secrets import token_urlsafe
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

from ninefold.cli.console import Console
from ninefold.main import draw_qr, main, open_server
from tests.program import WAIT_SECONDS, Stream, environment


class Friend:
    """Whoever sits at the other side: plain HTTP and JSON, as any program sends it."""

    def __init__(self, url: str, match_id: str = "", name: str = "Ada") -> None:
        self._url = url
        self.name = name
        self.id = match_id
        self.secret: str | None = None

    def create(self, game: str = "multiplication-duel", **asked: object) -> str:
        """Make a match; return its link."""
        body = {"game": game, "opponent": "friend", "name": self.name, **asked}
        made = self._post("/api/matches", body)
        self.id, self.secret = made["id"], made["secret"]
        return str(made["link"])

    def sit(self, **asked: object) -> None:
        path = f"/api/matches/{self.id}/seat"
        self.secret = self._post(path, {"name": self.name, **asked})["secret"]

    def state(self) -> dict[str, Any]:
        return self.get(f"/api/matches/{self.id}")

    def get(self, path: str) -> dict[str, Any]:
        return self._send(path, None)

    def do(self, call: str, **asked: object) -> dict[str, Any]:
        """Ask for a step at where the match stands."""
        body = {"seq": self.state()["seq"], **asked}
        return self._post(f"/api/matches/{self.id}/{call}", body)

    def ask(self, do: str, **asked: object) -> dict[str, Any]:
        """Ask for something at where the match stands."""
        return self.do("log", ask={"do": do, **asked})

    def move(self, multiplier: int, **asked: object) -> dict[str, Any]:
        return self.ask("move", multiplier=multiplier, **asked)

    def listen(self) -> HTTPResponse:
        """Be here, as a browser is, until the answer is closed."""
        request = self._request(f"/api/matches/{self.id}/events", None)
        answer: HTTPResponse = urlopen(request)
        return answer

    def _post(self, path: str, body: dict[str, object]) -> dict[str, Any]:
        return self._send(path, {**body, "request_id": token_urlsafe()})

    def _send(self, path: str, body: dict[str, object] | None) -> dict[str, Any]:
        request = self._request(path, body)
        with urlopen(request, timeout=WAIT_SECONDS) as answer:
            return dict(json.load(answer))

    def _request(self, path: str, body: dict[str, object] | None) -> Request:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._url + path, data)
        request.add_header("Content-Type", "application/json")
        if self.secret is not None:
            request.add_header("Authorization", f"Bearer {self.secret}")
        return request


class Seated:
    """Ninefold in a thread, at a pseudo-terminal of this process."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        hosts: bool = False,
        **changes: str,
    ) -> None:
        changes = {"NINEFOLD_HOME": tempfile.mkdtemp(), "NO_COLOR": "1"} | changes
        self._master, slave = os.openpty()
        source = os.fdopen(slave, encoding="utf-8", newline="\n")
        out = os.fdopen(os.dup(slave), "w", encoding="utf-8", newline="\n")
        self._streams: tuple[io.TextIOBase, ...] = (source, out)
        console = Console(
            source,
            out,
            out,
            environ=environment(**changes),
            width=lambda: columns,
            height=lambda: rows,
            sleep=lambda _: None,
        )
        if hosts:
            console.open_server = partial(open_server, console)
            console.draw_qr = draw_qr
        self._code: int | None = None
        self._seen, self._looked = "", 0
        self._console = console
        self._thread = Thread(target=self._run, args=(arguments,), daemon=True)
        self._thread.start()

    def _run(self, arguments: tuple[str, ...]) -> None:
        self._code = main(arguments, self._console)

    @property
    def text(self) -> str:
        """All that was seen so far."""
        return self._seen

    def wait_for(self, text: str) -> None:
        """Wait until a text appears, behind those that were waited for."""
        while (found := self._seen.find(text, self._looked)) < 0:
            assert self._look(WAIT_SECONDS), f"{text!r} not in {self._seen!r}"
        self._looked = found + len(text)

    def _look(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], (), (), seconds)
        if ready:
            data = os.read(self._master, 65_536).decode(errors="replace")
            self._seen += data.replace("\r\n", "\n")
        return bool(ready)

    def type(self, *lines: str) -> None:
        """Type lines and press Enter."""
        for line in lines:
            self.press(f"{line}\n")

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def end(self) -> tuple[int | None, str]:
        """Wait for the end; return the exit code and the whole screen."""
        until = time.monotonic() + WAIT_SECONDS
        while self._thread.is_alive():
            self._look(0.05)
            assert time.monotonic() < until, self._seen
        while self._look(0):
            pass
        for stream in self._streams:
            stream.close()
        os.close(self._master)
        assert self._code != 70, self._seen
        return self._code, self._seen


class Piped:
    """Ninefold in a thread, its input piped in; it ``ends`` there, or stays open."""

    def __init__(
        self, *arguments: str, typed: str = "", ends: bool = True, **changes: str
    ) -> None:
        changes = {"NINEFOLD_HOME": tempfile.mkdtemp()} | changes
        read, self._write = os.pipe()
        self._is_open = True
        self.type(typed, ends=ends)
        self._source = os.fdopen(read, encoding="utf-8", newline="\n")
        self._out, self._err = Stream(), Stream()
        self._console = Console(
            self._source,
            self._out,
            self._err,
            environ=environment(**changes),
            sleep=lambda _: None,
        )
        self._code: int | None = None
        self._thread = Thread(target=self._run, args=(arguments,), daemon=True)
        self._thread.start()

    @property
    def text(self) -> str:
        """All that was written so far."""
        return self._out.text

    def wait_for(self, text: str) -> None:
        """Wait until a text is written."""
        until = time.monotonic() + WAIT_SECONDS
        while text not in self.text:
            assert time.monotonic() < until, self.text
            self._thread.join(0.01)

    def type(self, text: str, *, ends: bool = True) -> None:
        """Pipe in what there is, or what there is so far."""
        os.write(self._write, text.encode())
        if ends:
            self._is_open = False
            os.close(self._write)

    def _run(self, arguments: tuple[str, ...]) -> None:
        self._code = main(arguments, self._console)

    def end(self) -> tuple[int | None, str, str]:
        """Wait for the end; return the exit code and what was written."""
        self._thread.join(WAIT_SECONDS)
        assert not self._thread.is_alive(), self._out.text
        self._source.close()
        if self._is_open:
            os.close(self._write)
        assert self._code != 70, self._err.text
        return self._code, self._out.text, self._err.text
