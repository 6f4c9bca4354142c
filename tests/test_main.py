"""The program starts the surface that suits the terminal."""

from __future__ import annotations

import subprocess
import sys
from asyncio import to_thread
from functools import partial
from http.client import HTTPResponse
from pathlib import Path

import pytest
from textual.pilot import Pilot

from ninefold.app.screens.dialogs import Invitation
from ninefold.cli.console import Console, Hosting
from ninefold.main import main, open_app
from tests.online.tables import Friend
from tests.program import RealTerminal, Stream, environment, run


def console_at(
    width: int, height: int, *, encoding: str = "utf-8", **changes: str
) -> Console:
    source, out = (
        Stream(b"q\n", terminal=True),
        Stream(terminal=True, encoding=encoding),
    )
    console = Console(
        source,
        out,
        Stream(terminal=True),
        environ=environment(**changes),
        width=lambda: width,
        height=lambda: height,
    )
    console.open_app = lambda: 7
    return console


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
def test_ninefold_alone_opens_the_app_where_there_is_room(
    size: tuple[int, int],
) -> None:
    assert main([], console_at(*size)) == 7


@pytest.mark.parametrize("size", [(59, 24), (80, 19)])
def test_a_small_terminal_gets_the_menu(size: tuple[int, int]) -> None:
    assert main([], console_at(*size)) == 0


def test_a_terminal_that_cannot_show_frames_gets_the_menu_and_is_told_why() -> None:
    console = console_at(80, 24, encoding="ascii")
    assert main([], console) == 0
    told = "This terminal cannot draw the app's frames; set LC_ALL=C.UTF-8 to use it.\n"
    assert console.notices.text == told  # type: ignore[attr-defined]  # of Stream
    assert main(["app"], console) == 2


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [([], {"TERM": "dumb"}), ([], {"NINEFOLD_PLAIN": "1"}), (["--plain"], {})],
)
def test_a_plain_terminal_gets_the_menu(
    arguments: list[str], changes: dict[str, str]
) -> None:
    assert main(arguments, console_at(80, 24, **changes)) == 0


def test_the_app_can_be_asked_for() -> None:
    assert main(["app"], console_at(40, 15)) == 7
    finished = run("app")
    assert finished.returncode == 2
    assert "the app needs a terminal" in finished.stderr


@pytest.mark.parametrize("terminal", [(True, False), (False, True)])
def test_the_app_is_refused_where_it_could_not_be_seen_or_used(
    terminal: tuple[bool, bool],
) -> None:
    reads, writes = terminal
    source, out, notices = Stream(terminal=reads), Stream(terminal=writes), Stream()
    console = Console(source, out, notices, environ=environment())
    console.open_app = lambda: 7
    assert main(["app"], console) == 2


def test_the_app_runs_until_it_is_left() -> None:
    async def leave(pilot: object) -> None:
        assert isinstance(pilot, Pilot)
        await pilot.press("q")

    assert open_app(console_at(80, 24), headless=True, pilot=leave) == 0


def test_the_app_that_hosts_a_match_is_its_server_until_it_ends(tmp_path: Path) -> None:
    streams: list[HTTPResponse] = []

    async def host(pilot: object) -> None:
        assert isinstance(pilot, Pilot)
        await pilot.press("o")
        await pilot.click("#invite")
        await pilot.press("enter")
        while not isinstance(pilot.app.screen, Invitation):
            await pilot.pause()
        await pilot.press("c")
        url, _, match_id = pilot.app.clipboard.rpartition("/m/")
        friend = Friend(url, match_id, "Bo")
        await to_thread(friend.sit)
        streams.append(await to_thread(friend.listen))
        await pilot.press("ctrl+q")

    console = console_at(80, 24, NINEFOLD_HOME=str(tmp_path))
    here = Hosting("127.0.0.1", 0)
    assert open_app(console, headless=True, pilot=host, hosting=here) == 0
    with streams[0] as heard:
        assert b"Player 1 has left, so the table is closed." in heard.read()


@pytest.mark.parametrize(
    ("told", "theme"), [("15;0", "dark"), ("0;15", "light"), ("", "dark")]
)
def test_the_app_follows_the_colours_that_a_terminal_tells(
    told: str, theme: str
) -> None:
    seen: list[str] = []

    async def look(pilot: object) -> None:
        assert isinstance(pilot, Pilot)
        seen.append(pilot.app.theme)
        await pilot.press("q")

    console = console_at(80, 24, COLORFGBG=told, NINEFOLD_HOME="~nobody-here")
    open_app(console, headless=True, pilot=look)
    assert seen == [f"ninefold-{theme}"]


def test_the_app_opens_at_a_real_terminal_and_ctrl_c_leaves_it() -> None:
    terminal = RealTerminal()
    terminal.wait_for("friend")
    terminal.send("\x03")
    assert terminal.end()[0] == 130


NO_UTF_8 = (b"\xff", b"5\xe9", b"\x80\x80\xc3", b"\x1b[\xb1", b"\x9b1~", b"\x1b[::u")
"""A byte of Latin-1, Alt as the eighth bit, noise on a line: each beside keys."""


@pytest.mark.parametrize("noise", NO_UTF_8)
def test_bytes_that_are_not_utf_8_are_no_end_of_the_app(noise: bytes) -> None:
    terminal = RealTerminal()
    terminal.wait_for("friend")
    terminal.send_bytes(noise)
    terminal.type_ahead("q")
    assert terminal.end()[0] == 0


def test_keys_beside_a_byte_that_is_not_utf_8_are_read() -> None:
    terminal = RealTerminal()
    terminal.wait_for("friend")
    terminal.send_bytes(b"\xff?\xff")
    terminal.wait_for("Keys here")
    terminal.type_ahead("\x03")
    assert terminal.end()[0] == 130


@pytest.mark.parametrize("fails", ["message", "thread"])
def test_an_app_that_fails_is_code_70_and_a_sentence(
    tmp_path: Path, fails: str
) -> None:
    notices = Stream()
    console = Console(
        Stream(terminal=True),
        Stream(terminal=True),
        notices,
        environ=environment(NINEFOLD_HOME=str(tmp_path)),
    )

    def divide() -> None:
        1 / 0  # noqa: B018 - it fails

    async def fail(pilot: object) -> None:
        assert isinstance(pilot, Pilot)
        if fails == "message":
            pilot.app.call_later(divide)
        else:  # as Textual's own thread of keys does
            pilot.app.call_later(pilot.app.panic, "ZeroDivisionError")

    console.open_app = partial(open_app, console, headless=True, pilot=fail)
    assert main(["app"], console) == 70
    assert notices.text.startswith("ninefold crashed;")
    assert "ZeroDivisionError" in (tmp_path / "crash.txt").read_text()


def test_neither_network_nor_schedules_are_loaded_before_they_are_needed(
    tmp_path: Path,
) -> None:
    program = """
import sys
from ninefold.main import main

for command in ("games", "play duel", "resume", "history", "solve duel", "host", "join duel"):
    main(command.split())
import ninefold.app.ninefold_app
print("loaded:", *sorted({"fsrs", "http.client", "ninefold.online.http_client", "ninefold.server.run",
    "starlette", "urllib.request", "uvicorn"} & sys.modules.keys()))
"""
    finished = subprocess.run(
        [sys.executable, "-c", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        env=environment(NINEFOLD_HOME=str(tmp_path)),
    )
    assert finished.stdout.splitlines()[-1] == "loaded:"
