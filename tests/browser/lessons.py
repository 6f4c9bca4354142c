"""Lessons: a teacher before a browser, and devices of pupils with or without one."""

from __future__ import annotations

import json
import re
from http.cookiejar import CookieJar
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener
from uuid import uuid4

from playwright.sync_api import Locator, expect

from tests.browser.people import People, Person
from tests.servers import Served


class Pupil:
    """A device that has joined a class."""

    def __init__(self, url: str, code: str, *names: str) -> None:
        self._url = url
        self._open = build_opener(HTTPCookieProcessor(CookieJar())).open
        self._post("/api/class/join", code=code, names=names)

    def plays(self, multiplier: int) -> None:
        """Play at the own table."""
        path = f"/api/matches/{self._get('/api/class')['table']['match']}"
        seq = self._get(path)["seq"]
        move = {"do": "move", "multiplier": multiplier}
        self._post(f"{path}/log", seq=seq, ask=move)

    def answers(self, answer: str) -> None:
        """Answer the question to the class."""
        self._post("/api/class/ask", ask={"do": "answer", "answer": answer})

    def leaves(self) -> None:
        """Leave the class."""
        self._post("/api/class/ask", ask={"do": "leave-class"})

    def status(self) -> object:
        """Return what the server says of this pupil."""
        return self._get("/api/class")["status"]

    def must_move(self) -> bool:
        """Return whether it is this pupil's turn."""
        state = self._state()
        return bool(state["your_seat"] == state["to_move"])

    def total(self) -> int:
        """Return the total at the own table."""
        return int(self._state()["total"])

    def _state(self) -> dict[str, Any]:
        match_id = self._get("/api/class")["table"]["match"]
        return self._get(f"/api/matches/{match_id}")

    def _get(self, path: str) -> dict[str, Any]:
        with self._open(f"{self._url}{path}") as response:
            found = json.load(response)
        assert isinstance(found, dict)
        return found

    def _post(self, path: str, **body: object) -> None:
        data = json.dumps({**body, "request_id": uuid4().hex}).encode()
        headers = {"content-type": "application/json"}
        self._open(Request(f"{self._url}{path}", data, headers)).close()


class Lesson:
    """A teacher with a class, and pupils who come."""

    def __init__(self, people: People, teacher: Person, server: Served) -> None:
        self._people = people
        self._server = server
        self.teacher = teacher
        self.teacher.press("Start a class")
        shown = self.teacher.page.locator(".code")
        self.code = re.sub(r"\D", "", shown.inner_text())

    def joins(self, *names: str) -> Pupil:
        """Have a device without a browser join."""
        return Pupil(self._server.url, self.code, *names)

    def seats(self, name: str) -> Person:
        """Seat a pupil before a browser who joins by the QR code."""
        pupil = self._people.person(f"/class#{self.code}", size=(390, 844))
        pupil.page.get_by_label("First name").fill(name)
        pupil.press("Join")
        pupil.sees("You are in. Look at the board.")
        return pupil

    def opens(self, screen: str) -> None:
        """Go to another screen of the teacher's page."""
        nav = self.teacher.page.get_by_role("navigation", name="Class")
        nav.get_by_role("link", name=screen).click()

    def starts_a_round(self) -> None:
        """Start a round with what the form has."""
        self.opens("Round")
        self.teacher.press("Start the round")
        expect(self.teacher.button("End the round")).to_be_visible()

    def ends_the_round(self) -> None:
        """End the round, and say so again."""
        self.opens("Round")
        self.teacher.press("End the round")
        dialog = self.teacher.page.get_by_role("dialog")
        dialog.get_by_role("button", name="End the round").click()
        expect(self.teacher.button("End the round")).to_have_count(0)

    def table(self, number: int) -> Locator:
        """Find a table on the board."""
        page = self.teacher.page
        tables = page.get_by_role("list", name="Tables").get_by_role("listitem")
        return tables.filter(has=page.get_by_text(f"Table {number}", exact=True))
