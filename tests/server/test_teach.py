"""``ninefold class``: a laptop that teaches one class, and continues it."""

from __future__ import annotations

import json
import re
import signal
import socket
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.processes import start
from tests.program import (
    NINEFOLD,
    WAIT_SECONDS,
    environment,
    run,
    run_process,
    taught,
)


class Laptop:
    """``ninefold class`` as a process of its own, and requests to it."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.process = start(
            [*NINEFOLD, "class", "--plain", *arguments],
            stderr=subprocess.PIPE,
            env=environment(NINEFOLD_HOME=str(home)),
        )
        assert self.process.stdout is not None
        self.said = ""
        while "to stop" not in self.said:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        found = re.search(r"http://localhost:(\d+)/teach(\S*)#(\S+)", self.said)
        assert found is not None, self.said
        self.port, self.query, self.secret = int(found[1]), found[2], found[3]

    def ask(
        self, path: str, body: Mapping[str, object] | None = None, cookie: str = ""
    ) -> tuple[int, dict[str, str], bytes]:
        headers = {"cookie": cookie} if cookie else {}
        sent = None
        if body is not None:
            headers["content-type"] = "application/json"
            sent = json.dumps({"request_id": "r" * 16, **body})
        with closing(
            HTTPConnection("127.0.0.1", self.port, timeout=WAIT_SECONDS)
        ) as it:
            it.request("GET" if body is None else "POST", path, sent, headers)
            response = it.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return response.status, found, response.read()

    def teach(self) -> tuple[str, dict[str, object]]:
        """Open the link; return the teacher's cookie and view."""
        status, headers, body = self.ask("/api/class/teach", {"secret": self.secret})
        assert status == 200, body
        return headers["set-cookie"].partition(";")[0], json.loads(body)

    def stop(self) -> str:
        """Press Ctrl-C; return what it said on standard error."""
        self.process.send_signal(signal.SIGINT)
        _, err = self.process.communicate(timeout=WAIT_SECONDS)
        assert self.process.returncode == 0
        return str(err)


@contextmanager
def laptop(home: Path, *arguments: str) -> Iterator[Laptop]:
    opened = Laptop(home, *arguments)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.process.kill()
            opened.process.communicate()


def test_a_laptop_teaches_one_class_and_continues_it(tmp_path: Path) -> None:
    names = tmp_path / "pupils.txt"
    names.write_text("Mia\nTom, Ann\n", encoding="utf-8")
    with laptop(tmp_path, "madness", "--port", "0", "--names", str(names)) as first:
        assert first.query == "?game=multiplication-madness"
        assert "Continuing" not in first.said
        _, view = first.teach()
        assert view["absent"] == ["Mia", "Tom & Ann"]
        code = str(view["code"])
        joins = {"code": f"{code[:3]} {code[3:]}", "names": ["Mia"]}
        assert first.ask("/api/class/join", joins)[0] == 201
        status, headers, _ = first.ask("/")
        assert (status, headers["location"]) == (307, "/class")
        assert first.stop() == ""
    with laptop(tmp_path, "--port", "0") as again:
        assert (
            "Continuing the class with one pupil; --new starts another." in again.said
        )
        assert again.secret == first.secret
        assert again.teach()[1]["code"] == code
        again.stop()
    with laptop(tmp_path, "--port", "0", "--new") as other:
        assert other.secret != first.secret
        assert other.teach()[1]["pupils"] == []
        other.stop()


def test_a_damaged_class_is_followed_by_another(tmp_path: Path) -> None:
    with laptop(tmp_path) as before:
        before.teach()
        before.stop()
    with closing(sqlite3.connect(tmp_path / "class.db")) as connection, connection:
        connection.execute("UPDATE class_log SET command = '{'")
    refused = run_process("class", "--plain", NINEFOLD_HOME=str(tmp_path))
    assert refused.returncode == 2
    assert "damaged" in refused.stderr
    assert "--new" in refused.stderr
    with laptop(tmp_path, "--new") as after:
        _, view = after.teach()
        assert view["pupils"] == []


def test_a_class_keeps_its_bands_from_everyone_but_its_teacher(tmp_path: Path) -> None:
    with laptop(tmp_path, "--port", "0") as opened:
        cookie, _ = opened.teach()
        solve = "/api/solve?game=duel"
        assert opened.ask(solve)[0] == 403
        assert opened.ask(solve, cookie=cookie)[0] == 200
        made = {"game": "duel", "opponent": "perfect"}
        assert opened.ask("/api/matches", made)[0] == 403
        assert opened.ask("/api/class", {})[0] == 403
        bands = {"ask": {"do": "bands", "are_open": True}}
        assert opened.ask("/api/class/ask", bands, cookie)[0] == 200
        assert opened.ask(solve)[0] == 200
        opened.stop()


def test_no_qr_code_carries_the_secret_of_the_teacher(tmp_path: Path) -> None:
    with laptop(tmp_path, "--port", "0") as opened:
        cookie, _ = opened.teach()
        network = json.loads(opened.ask("/api/class/network", cookie=cookie)[2])
        for address in network["addresses"]:
            assert address["qr"].startswith("<?xml")
            assert opened.secret not in address["url"]
        opened.stop()


def test_a_browser_that_tries_https_is_refused_without_a_line(tmp_path: Path) -> None:
    hello = bytes.fromhex("16030100050100000100")
    with laptop(tmp_path, "--port", "0") as opened:
        with socket.create_connection(("127.0.0.1", opened.port), WAIT_SECONDS) as tls:
            tls.sendall(hello)
            assert tls.recv(100) == b""
        assert opened.stop() == ""


def test_a_class_is_told_its_game_and_its_names(tmp_path: Path) -> None:
    names = tmp_path / "pupils.txt"
    names.write_text("Mia / Ben\n", encoding="utf-8")
    (teaching,) = taught("class", "madness", "--names", str(names), "--new")
    assert teaching.game == "multiplication-madness"
    assert teaching.roster is not None
    assert teaching.roster.apart == (("Mia", "Ben"),)
    assert teaching.is_new


@pytest.mark.parametrize(
    ("arguments", "content", "problem"),
    [
        (["--names", "pupils.txt"], b"\xff\xfe\x00", "UTF-8"),
        (["--names", "pupils.txt"], b"", "no name"),
        (
            ["--names", "pupils.txt"],
            "\n".join(f"P{n}" for n in range(300)).encode(),
            "250",
        ),
        (["--server", "http://127.0.0.1:1", "--new"], b"", "cannot be combined"),
        (["chess"], b"", "chess"),
    ],
)
def test_what_cannot_be_taught_is_said(
    arguments: list[str],
    content: bytes,
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pupils.txt").write_bytes(content)
    finished = run("class", *arguments)
    assert finished.returncode == 2
    assert problem in finished.stderr
    assert "Traceback" not in finished.stderr
