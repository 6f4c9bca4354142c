"""What a system can do to a program: streams, signals, sizes, and text made to harm."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import runpy
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from msgspec.structs import replace

from ninefold import __version__
from ninefold.cli.console import Console, EndOfInput, utc_now, window_width
from ninefold.cli.output import line_of_match, to_local
from ninefold.main import main
from ninefold.session import Move
from ninefold.store import MatchRow
from tests.program import Keyboard, Stream, Terminal, environment, run
from tests.store import stores

LONG = "9" * 5_000


def console_on(
    out: io.TextIOWrapper, notices: io.TextIOWrapper | None = None, typed: str = ""
) -> Console:
    source = Stream(typed.encode())
    return Console(source, out, notices or Stream(), environ=environment())


# The last resort


def run_broken(home: Path, **changes: str) -> str:
    said, code = run_until(broken_clock, home, **changes)
    assert code == 70
    return said


def run_until(
    clock: Callable[[], datetime], home: Path, **changes: str
) -> tuple[str, int]:
    notices = Stream()
    console = Console(
        Stream(b"5\n6\n"),
        Stream(),
        notices,
        environ=environment(NINEFOLD_HOME=str(home), **changes),
        clock=clock,
    )
    code = main(["play", "madness"], console)
    return notices.text, code


def broken_clock() -> datetime:
    """Fail as only a mistake in ninefold itself would."""
    message = "the clock stands still"
    raise ZeroDivisionError(message)


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("can't start new thread")]
)
def test_too_little_memory_is_a_one_line_error(
    tmp_path: Path, error: Exception
) -> None:
    def fail() -> datetime:
        raise error

    said = "ninefold: there is too little memory; free some, and try again\n"
    assert run_until(fail, tmp_path) == (said, 1)
    assert not (tmp_path / "crash.txt").exists()


def test_a_bug_is_a_short_error_and_a_traceback_file(tmp_path: Path) -> None:
    said = run_broken(tmp_path)
    file = tmp_path / "crash.txt"
    assert said == (
        f"ninefold crashed; please report this, with the file {file}\n"
        "Saved games can be resumed: ninefold resume\n"
    )
    assert "ZeroDivisionError: the clock stands still" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_bug_loses_no_move_before_it(tmp_path: Path) -> None:
    clocks = [utc_now]

    def clock() -> datetime:
        return clocks[-1]()

    screen = Stream(terminal=True)
    keyboard = Keyboard(screen)
    keyboard.entries = ["5", lambda: clocks.append(broken_clock), "6"]
    console = Console(
        keyboard,
        screen,
        screen,
        environ=environment(NINEFOLD_HOME=str(tmp_path)),
        clock=clock,
    )
    assert main(["play", "madness"], console) == 70
    resumed = run("resume", typed="quit\n", NINEFOLD_HOME=str(tmp_path)).stdout
    assert "Current Total is now 5." in resumed


def test_a_programmer_sees_the_traceback_at_once(tmp_path: Path) -> None:
    said = run_broken(tmp_path, NINEFOLD_DEBUG="1")
    assert "please report this, with the traceback below\n" in said
    assert said.endswith("ZeroDivisionError: the clock stands still\n")
    assert not (tmp_path / "crash.txt").exists()


def test_the_traceback_is_printed_if_no_file_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "crash.txt").mkdir()
    said = run_broken(tmp_path)
    assert said.endswith("ZeroDivisionError: the clock stands still\n")


# Streams


def test_python_m_runs_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Stream()
    monkeypatch.setattr(sys, "argv", ["ninefold", "--version"])
    monkeypatch.setattr(sys, "stdin", Stream())
    monkeypatch.setattr(sys, "stdout", shown)
    with pytest.raises(SystemExit) as left:
        runpy.run_module("ninefold", run_name="__main__")
    assert (left.value.code, shown.text) == (0, f"ninefold {__version__}\n")


def test_closed_streams_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(["games"]) == 0
    assert main(["play", "madness", "--no-save"]) == 1


def test_a_pipe_that_is_not_read_is_code_1() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as out:
        assert main(["games"], console_on(out)) == 1


def test_a_full_disk_is_code_1_with_its_reason() -> None:
    notices = Stream()
    with open("/dev/full", "w", encoding="utf-8") as out:  # noqa: PTH123
        assert main(["games"], console_on(out, notices)) == 1
    assert notices.text == "ninefold: No space left on device\n"


def test_an_odd_encoding_is_code_1_with_its_reason() -> None:
    notices = Stream()
    out = io.TextIOWrapper(io.BytesIO(), encoding="idna")
    assert main(["rules", "duel"], console_on(out, notices)) == 1
    assert notices.text == (
        "ninefold: the input or the output is not UTF-8; set LC_ALL=C.UTF-8\n"
    )
    assert main(["play", "chess"], console_on(out, out)) == 2


def test_ctrl_c_while_the_output_waits_is_code_130() -> None:
    pressed = [KeyboardInterrupt()]

    class Slow(Stream):
        def flush(self) -> None:
            if pressed:
                raise pressed.pop()

    assert main(["games"], console_on(Slow())) == 130


def test_the_width_is_that_of_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "57")
    assert window_width() == 57


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """The side of a pseudo-terminal that types, and the side that reads."""
    typist, reader = pty.openpty()
    with os.fdopen(reader, encoding="utf-8") as source:
        yield typist, source
    os.close(typist)


def test_entries_during_a_pause_are_ignored(
    terminal: tuple[int, io.TextIOWrapper],
) -> None:
    typist, source = terminal

    def type_meanwhile(_seconds: float) -> None:
        os.write(typist, b"9\n")

    console = Console(
        source,
        Stream(),
        Stream(),
        environ={},
        sleep=type_meanwhile,
    )
    console.pause(0.8)
    os.write(typist, b"5\n")
    assert console.prompt_line("") == "5"


def test_ctrl_c_ends_a_pause_and_its_line() -> None:
    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    source, out = Stream(), Stream()
    console = Console(source, out, source, environ={}, sleep=interrupted)
    with pytest.raises(KeyboardInterrupt):
        console.pause(0.8)
    assert out.text == "\n"


def test_a_system_without_termios_pauses_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)
    terminal = Terminal("play", "madness", "--p1", "perfect", "--no-save")
    terminal.type("quit")
    assert (terminal.end()[0], terminal.waits) == (0, [0.8])


def test_a_stream_without_encoding_is_accepted() -> None:
    screen = io.StringIO()
    console = Console(io.StringIO(), screen, screen, environ={})
    assert console.can_show("×")
    with pytest.raises(EndOfInput):
        console.prompt_line("Well? ")


# Sizes


class Endless(io.RawIOBase):
    """A stream that never ends."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        whole = self._content * (len(buffer) // len(self._content))
        buffer[: len(whole)] = whole
        return len(whole)


@pytest.mark.parametrize(
    ("arguments", "content", "problem"),
    [
        (
            ["review", "-"],
            b"y\n",
            "standard input: the input is longer than 10,000,000 characters",
        ),
        (
            ["replay", "-"],
            b"y\n",
            "standard input: the input is longer than 10,000,000 characters",
        ),
        (["import", "-"], b"y\n", "line 1: "),
        (
            ["import", "-"],
            b"yy",
            "-: line 1 has more than 20,000,000 characters; nothing was imported",
        ),
    ],
)
def test_endless_input_is_rejected(
    arguments: list[str], content: bytes, problem: str, tmp_path: Path
) -> None:
    notices = Stream()
    console = Console(
        io.TextIOWrapper(io.BufferedReader(Endless(content)), encoding="utf-8"),
        Stream(),
        notices,
        environ=environment(NINEFOLD_HOME=str(tmp_path)),
    )
    assert main(arguments, console) == 2
    assert problem in notices.text


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("play", "the file is larger than 1,000,000 bytes"),
        ("replay", "the file is larger than 10,000,000 bytes"),
        ("import", "line 1 has more than 20,000,000 characters"),
    ],
)
def test_an_endless_file_is_rejected(command: str, problem: str) -> None:
    finished = run(command, "/dev/zero")
    assert finished.returncode == 2
    assert f"/dev/zero: {problem}" in finished.stderr


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    book = 'title = "Mine"\n[rules]\nending = "reach"\ntarget = 50\n'
    writer = Thread(target=pipe.write_text, args=(book,))
    writer.start()
    assert run("rules", str(pipe)).stdout.startswith("Mine\n")
    writer.join()


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", "madness", "--seed", LONG],
        ["play", "madness", "--seed", f"-{LONG}"],
        ["play", "madness", "--seed", str(2**63)],
        ["play", "madness", "--best-of", LONG],
        ["play", "madness", "--first-to", LONG],
        ["play", "madness", "--coach", "--give-backs", LONG],
        ["play", "madness", "--target", LONG],
        ["play", "madness", "--start", LONG],
        ["play", "madness", "--multipliers", LONG],
        ["play", "madness", "--pace", LONG],
        ["puzzle", "--seed", LONG],
        ["puzzle", "--level", LONG],
        ["history", "--limit", LONG],
        ["solve", "madness", "--total", LONG],
        ["why", "madness", LONG],
        ["table", "madness", "--targets", f"2-{LONG}"],
        ["table", "madness", "--targets", LONG],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_a_number_of_5000_digits_is_rejected_in_one_line(
    arguments: list[str],
) -> None:
    finished = run(*arguments)
    assert finished.returncode == 2
    assert len(finished.stderr) < 400


def test_a_product_of_5000_digits_is_wrong(tmp_path: Path) -> None:
    finished = run(
        "play",
        "madness",
        "--mental",
        typed=f"5\n7\n{LONG}\n36\nquit\n",
        NINEFOLD_HOME=str(tmp_path),
    )
    assert finished.returncode == 0
    assert "Type the product in digits" in finished.stdout
    assert "Not quite, Player 2: 5 × 7 is 35." in finished.stdout


def test_a_table_that_is_too_long_says_where_to_stop() -> None:
    options = ["--multipliers", "2,5,7,9", "--targets"]
    finished = run("table", "multiplier", *options, f"2-{10**300}")
    assert (finished.returncode, finished.stdout) == (2, "")
    assert "the winner changes more than 10,000 times" in finished.stderr
    assert run("table", "multiplier", *options, f"2-{10**20}").returncode == 0


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles"])
def test_history_accepts_the_first_and_last_calendar_day(
    zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="resign\n", **home)
    with monkeypatch.context() as patched:
        patched.setenv("TZ", zone)
        time.tzset()
        whole = run("history", "--since", "0001-01-01", "--until", "9999-12-31", **home)
        last = to_local(datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
        first = to_local(datetime(1, 1, 1, tzinfo=UTC))
    time.tzset()
    head_and_game = 2
    assert (whole.returncode, whole.stdout.count("\n")) == (0, head_and_game)
    assert (first.year, last.year) == (1, 9999)


def test_the_home_of_an_unknown_user_is_a_one_line_error() -> None:
    home = {"NINEFOLD_HOME": "~nosuchuser/x"}
    sentence = (
        "~nosuchuser/x: that home folder does not exist; set NINEFOLD_HOME to another"
    )
    read = run("history", **home)
    assert (read.returncode, read.stderr) == (2, f"ninefold: {sentence}\n")
    played = run("play", "madness", typed="9\n9\n9\n", **home)
    assert played.returncode == 0
    assert played.stderr == f"This game is not being saved: {sentence}.\n"


def test_without_ninefold_home_games_are_saved_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run("play", "madness", typed="resign\n", NINEFOLD_HOME="")
    assert (tmp_path / "ninefold" / "games.db").exists()


def test_a_match_between_two_games_has_no_total() -> None:
    row = MatchRow(
        id="0123456789",
        title="Multiplier",
        names=("Ada", "Blaise"),
        levels=(None, "perfect"),
        changed_at=datetime(2026, 1, 1, tzinfo=UTC),
        length="best of 3",
        is_single=False,
        score=(1, 0),
        total=None,
        to_move=None,
    )
    assert line_of_match(row).endswith("Ada and Blaise [perfect]  best of 3, 1 : 0")


# Text made to harm


@pytest.fixture
def odd_home(tmp_path: Path) -> dict[str, str]:
    """A home in which names, levels and ids hold control and bidi characters."""
    with stores.in_folder(tmp_path) as store:
        store.append(stores.first_append("three", (Move(2),), stores.SETUP))
        store.append(stores.first_append("two", stores.NINES, stores.SINGLE))
    odd = {"Ada": r"Ada\u001b[31m", "Blaise": r"Bl\u202eai\u2066se\u009b"}
    odd["perfect"] = r"per\u001bfect"
    with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
        for plain, harmful in odd.items():
            for statement in (
                "UPDATE matches SET setup = replace(setup, ?, ?)",
                "UPDATE matches SET listed = replace(listed, ?, ?)",
                "UPDATE games SET listed = replace(listed, ?, ?)",
            ):
                file.execute(statement, (plain, harmful))
        file.execute("UPDATE matches SET id = char(7) || '-' || id")
        file.execute(
            "UPDATE matches SET listed = replace(listed, 'three', ?)",
            (r"\u0007-three",),
        )
    return {"NINEFOLD_HOME": str(tmp_path)}


SHOWN = [
    ["history"],
    ["history", "--json"],
    ["resume", "--list"],
    ["progress"],
    ["progress", "--plain"],
    ["progress", "--json"],
    ["review", "last"],
    ["review", "last", "--plain"],
    ["replay", "last"],
    ["export"],
]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("arguments", SHOWN, ids=" ".join)
def test_stored_text_is_escaped(arguments: list[str], odd_home: dict[str, str]) -> None:
    finished = run(*arguments, typed="quit\n", **odd_home)
    # No match with such names can be played any more.
    expected = 2 if arguments == ["resume"] else 0
    assert finished.returncode == expected
    shown = finished.stdout + finished.stderr
    assert shown.replace("\n", "").isprintable()
    assert any(each in shown for each in (r"\x1b", r"\u001b", r"\x07"))
    terminal = Terminal(*arguments, **odd_home)
    terminal.type("quit")
    code, screen = terminal.end()
    assert code == expected
    # The styles of what is drawn may stay; the text "[31m" shows that no more does.
    assert COLOUR.sub("", screen).replace("\n", "").isprintable()


def test_a_match_with_a_name_that_cannot_be_shown_is_not_resumed(
    odd_home: dict[str, str],
) -> None:
    finished = run("resume", **odd_home)
    assert finished.returncode == 1
    assert r"Game \x07-three cannot be resumed: " in finished.stderr
    assert finished.stderr.replace("\n", "").isprintable()


def test_the_menu_escapes_the_unfinished_game(odd_home: dict[str, str]) -> None:
    terminal = Terminal(**odd_home)
    terminal.type("quit")
    code, screen = terminal.end()
    assert code == 0
    assert screen.replace("\n", "").isprintable()
    assert "left unfinished" not in screen  # such names cannot be played with


def test_escaped_json_decodes_to_the_original(odd_home: dict[str, str]) -> None:
    names = json.loads(run("history", "--json", **odd_home).stdout)[0]["names"]
    assert names == ["Ada\x1b[31m", "Bl\u202eai\u2066se\x9b"]
    text = f"# \u202e\u2066 \x9b\n{stores.own_book(stores.SETUP.rules.ending)}"
    with stores.in_folder(odd_home["NINEFOLD_HOME"]) as store:
        stores.begin(
            store, Move(2), setup=replace(stores.SETUP, book="mine", book_text=text)
        )
    (line,) = run("export", **odd_home).stdout.splitlines()
    assert line.isprintable()
    assert json.loads(line)["setup"]["book_text"] == text


def test_usage_errors_escape_the_command_line() -> None:
    for arguments in (
        ["\x1b[2J"],
        ["play", "duel", "--\x1b[2J"],
        ["replay", "\x1b[2J"],
    ):
        finished = run(*arguments)
        assert finished.returncode == 2
        assert finished.stderr.replace("\n", "").isprintable()
