"""The prompt: keys that edit a line, recall, and news that interrupts it."""

from __future__ import annotations

import io
import os
import pty
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from threading import Thread

import pytest

from ninefold.cli.prompt import InterruptiblePrompt, PromptInterrupted
from tests.program import WAIT_SECONDS, RealTerminal, Stream


class Typist:
    """Types at a pseudo-terminal, and sees what a prompt shows there."""

    def __init__(self, columns: int = 80) -> None:
        self.columns = columns
        self._written, self._looked = "", 0
        self._master, terminal = pty.openpty()
        self._source = os.fdopen(terminal, encoding="utf-8", newline="\n")
        self._out = os.fdopen(os.dup(terminal), "w", encoding="utf-8", newline="\n")
        self.prompt = InterruptiblePrompt(
            self._source, self._out, lambda: self.columns, edits=True
        )

    def close(self) -> None:
        self._out.close()
        self._source.close()
        os.close(self._master)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def enter(self, *keys: str) -> list[str]:
        """Press keys and Enter, each time once a prompt is there; return the lines."""
        return [self._enter(each) for each in keys]

    def _enter(self, keys: str) -> str:
        entered: Queue[str] = Queue()
        asking = Thread(target=lambda: entered.put(self.prompt.ask("> ")))
        asking.start()
        self.wait_for("> ")
        for key in keys:  # each is shown before the next one comes, or with it
            self.press(key)
        self.press("\n")
        line = entered.get(timeout=WAIT_SECONDS)
        asking.join()
        return line.removesuffix("\n")

    def wait_for(self, text: str) -> None:
        """Wait until a text is written, behind those waited for."""
        while (found := self._written.find(text, self._looked)) < 0:
            assert select.select([self._master], (), (), WAIT_SECONDS)[0]
            self._written += os.read(self._master, 65_536).decode()
        self._looked = found + len(text)

    def screen(self) -> str:
        """Return the rows of the screen, as a terminal makes them of what was written."""
        self._out.flush()
        while select.select([self._master], (), (), 0)[0]:
            self._written += os.read(self._master, 65_536).decode()
        return shown(self._written)


def shown(written: str) -> str:
    """Return what stands on a screen: a backspace moves, a character overwrites."""
    rows: list[list[str]] = [[]]
    column = 0
    for character in written:
        if character == "\n":
            rows.append([])
            column = 0
        elif character == "\r":
            column = 0
        elif character == "\b":
            column -= 1
            assert column >= 0
        else:
            rows[-1][column : column + 1] = [character]
            column += 1
    return "\n".join("".join(row).rstrip() for row in rows)


@pytest.fixture
def typist() -> Iterator[Typist]:
    at = Typist()
    yield at
    at.close()


LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
HOME, END, DELETE = "\x1b[H", "\x1b[F", "\x1b[3~"


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("12", "12"),
        (f"13{LEFT}2", "123"),
        (f"13{LEFT}{LEFT}{LEFT}{RIGHT}2", "123"),
        (f"2{HOME}1{END}3", "123"),
        ("2\x1bOH1\x1bOF3", "123"),
        ("2\x1b[1~1\x1b[4~3", "123"),
        ("2\x011\x053", "123"),
        ("13\x02\x02\x062", "123"),
        (f"129{LEFT}{DELETE}3", "123"),
        (f"129{LEFT}\x04{END}3", "123"),
        ("129\x7f3", "123"),
        ("129\b3", "123"),
        ("123 45\x1b[1;5D\x0b\x7f", "123"),
        ("1 23\x1b[1;5D\x1b[1;5D\x1b[1;5C0", "10 23"),
        ("45\x15123", "123"),
        ("123 45 \x17\x7f", "123"),
        (f"{RIGHT}{DOWN}{UP}{DELETE}\x1b[24~\x1bOP\x07\t123", "123"),
        ("\x1b1\x1b2\x1b3", "123"),  # Escape before a digit changes nothing
        ("爱达\x7f乐", "爱乐"),
        (f"爱乐{LEFT}达", "爱达乐"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_keys_edit_the_line_and_the_screen_shows_it(
    typist: Typist, keys: str, line: str
) -> None:
    assert typist.enter(keys) == [line]
    if line.isascii():
        assert typist.screen() == f"> {line}\n"


def test_an_escape_sequence_may_arrive_in_parts(typist: Typist) -> None:
    entered: Queue[str] = Queue()
    Thread(target=lambda: entered.put(typist.prompt.ask("> ")), daemon=True).start()
    typist.wait_for("> ")
    for part in ("13", "\x1b", "[", "D", "2\n"):
        typist.press(part)
    assert entered.get(timeout=WAIT_SECONDS) == "123\n"


def test_earlier_lines_are_recalled_and_edited_until_they_are_forgotten(
    typist: Typist,
) -> None:
    assert typist.enter("one", "two", "", "two")[-1] == "two"
    assert typist.enter(f"{UP}{UP}{UP}{UP}") == ["one"]
    assert typist.enter(f"new{UP}{UP}{DOWN}{DOWN}{DOWN}er") == ["newer"]
    assert typist.enter(f"{UP}{UP}!{DOWN}{UP}") == ["one!"]
    assert typist.enter(f"{UP}{UP}{UP}") == ["one"]  # as it was entered
    assert typist.enter("\x10\x10\x0e") == ["one"]
    typist.prompt.forget()
    assert typist.enter(f"{UP}{DOWN}") == [""]


def test_a_line_longer_than_the_window_scrolls(typist: Typist) -> None:
    typist.columns = 12
    assert typist.enter(f"123456789abc{HOME}0{END}") == ["0123456789abc"]
    assert typist.screen() == "> 456789abc\n"
    typist.columns = 80
    assert typist.enter("x" * 5_000) == ["x" * 4_000]


def test_a_line_scrolls_in_the_room_beside_a_long_prompt(typist: Typist) -> None:
    typist.columns = 5
    assert typist.enter("1234567") == ["1234567"]
    assert typist.screen() == "> 67\n"


def test_a_paste_of_several_lines_answers_several_prompts(typist: Typist) -> None:
    typist.press("5\n6\nsev")
    assert typist.prompt.ask("> ") == "5\n"
    assert typist.prompt.ask("> ") == "6\n"
    typist.press("en\n")
    assert typist.prompt.ask("> ") == "seven\n"
    typist.press("5\n6\n")
    assert typist.prompt.ask("> ") == "5\n"
    typist.prompt.drop_input()
    assert typist.enter("7") == ["7"]


def test_ctrl_d_ends_input_on_an_empty_line_alone(typist: Typist) -> None:
    entered: Queue[str] = Queue()
    Thread(target=lambda: entered.put(typist.prompt.ask("> ")), daemon=True).start()
    typist.wait_for("> ")
    typist.press("1\x04\x7f\x04")
    assert entered.get(timeout=WAIT_SECONDS) == ""


def test_resizing_the_window_redraws_the_prompt(typist: Typist) -> None:
    news: list[str] = []

    def resize() -> bool:
        if news:
            typist.columns = 40
        return False

    with typist.prompt.listening(resize):
        asking = Thread(target=typist.prompt.ask, args=["> "])
        asking.start()
        typist.wait_for("> ")
        typist.press("12")
        typist.wait_for("12")
        news.append("")
        typist.prompt.wake()
        typist.wait_for("> 12")
        typist.press("\n")
        asking.join(WAIT_SECONDS)
    assert typist.screen() == "> 12\n> 12\n"


@contextmanager
def stopped_while_news(typist: Typist, news: list[str]) -> Iterator[None]:
    def show() -> bool:
        changed = bool(news)
        while news:
            typist.prompt.leave_line()
            changed = news.pop() == "over"
        return changed

    with typist.prompt.listening(show):
        yield


def test_news_interrupts_a_question_that_it_changes(typist: Typist) -> None:
    news: list[str] = []
    with stopped_while_news(typist, news):
        news.append("aside")
        assert typist.enter("5") == ["5"]
        news.append("over")
        with pytest.raises(PromptInterrupted):
            typist.prompt.ask("> ")
        news.append("over")
        Thread(target=typist.prompt.wake).start()
        typist.prompt.wait()
        assert not news


def test_text_typed_before_news_is_shown_again_with_the_same_question(
    typist: Typist,
) -> None:
    news: list[str] = []
    raised: Queue[BaseException] = Queue()

    def ask() -> None:
        try:
            typist.prompt.ask("> ")
        except PromptInterrupted as interrupted:
            raised.put(interrupted)

    with stopped_while_news(typist, news):
        asking = Thread(target=ask)
        asking.start()
        typist.wait_for("> ")
        typist.press("12")
        typist.wait_for("12")
        news.append("over")
        typist.prompt.wake()
        raised.get(timeout=WAIT_SECONDS)
        asking.join()
        assert typist.enter("3") == ["123"]
        assert typist.screen().endswith("> 123\n")
    typist.prompt.wake()  # too late, which is no matter


def test_a_stream_that_cannot_be_polled_shows_news_between_prompts() -> None:
    out = Stream()
    news = ["more"]
    prompt = InterruptiblePrompt(Stream(b"5\n6\n"), out, lambda: 80, edits=True)
    assert not prompt.can_be_interrupted
    with prompt.listening(lambda: bool(news) and news.pop() == "over"):
        assert prompt.ask("? ") == "5\n"
        news.append("over")
        with pytest.raises(PromptInterrupted):
            prompt.ask("? ")
        news += ["over", "more"]
        with pytest.raises(PromptInterrupted):  # the 6 comes too late
            prompt.ask("? ")
        assert prompt.ask("? ") == ""
    assert out.text == "? ? ? "


def test_without_termios_the_stream_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)
    out = io.StringIO()
    prompt = InterruptiblePrompt(Stream(b"5\n"), out, lambda: 80, edits=True)
    assert not prompt.can_be_interrupted
    assert (prompt.ask("? "), prompt.ask("? ")) == ("5\n", "")


def test_the_prompt_is_redrawn_after_ctrl_z_and_fg() -> None:
    terminal = RealTerminal("play", "madness", NO_COLOR="1", LINES="10")
    terminal.wait_for("Player 1, enter a multiplier (2-9): ")
    terminal.type_ahead("7")
    terminal.wait_for("7")
    terminal.signal(signal.SIGSTOP)
    terminal.signal(signal.SIGCONT)
    terminal.wait_for("Player 1, enter a multiplier (2-9): 7")
    terminal.send("\x7f5")
    terminal.wait_for("You chose 5.")
    terminal.type("quit")
    assert terminal.end()[0] == 0
