"""The look of playing at a terminal: keys, colour, the number line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.cli.console import Console, window_height
from ninefold.cli.prompt import InterruptiblePrompt
from ninefold.main import main
from tests.program import RealTerminal, Stream, Terminal, environment, run

AXIS = "├"


@pytest.mark.parametrize("key", ["\x1b[A", "\x1bOP", "\x1b[3~", "\x1b"])
def test_a_key_that_sends_an_escape_sequence_is_not_an_entry(key: str) -> None:
    terminal = Terminal("play", "madness", NO_COLOR="1")
    terminal.type(key, f"5{key}", f"{key}6", "9", key, "q")
    code, screen = terminal.end()
    assert code == 0
    assert "You chose 5.\n" in screen
    assert "You chose 6.\n" in screen
    assert "plain digits" not in screen
    assert "Nothing was entered" not in screen
    assert screen.count("Game Start!") == 1  # nor does it ask for a rematch


def test_a_real_arrow_key_recalls_the_last_entry() -> None:
    terminal = RealTerminal("play", "madness", NO_COLOR="1", LINES="10")
    terminal.type("2", "\x1b[A", "\x1b3", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("You chose 2.") == 2
    assert screen.count("You chose 3.") == 1  # Escape changes nothing
    assert "plain digits" not in screen


def test_a_game_does_not_recall_entries_from_the_menu() -> None:
    terminal = RealTerminal("--plain", NO_COLOR="1", LINES="10")
    terminal.type("friend", "1", "7", "", "", "\x1b[A", "quit", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert "You chose 7." not in screen


def test_a_real_terminal_without_editing_ignores_an_arrow_key() -> None:
    terminal = RealTerminal("play", "madness", TERM="dumb")
    terminal.type("5\x1b[A", "quit")
    code, screen = terminal.end()
    assert (code, "You chose 5." in screen) == (0, True)


def test_a_prompt_is_not_edited_where_the_output_is_piped() -> None:
    source, out = Stream(b"quit\n", terminal=True), Stream()
    assert main(["play", "madness"], Console(source, out, out, environ={})) == 0
    assert "\x1b" not in out.text


def test_the_editor_redraws_only_the_last_line_of_a_prompt() -> None:
    editor = Editor("9", "9", "resign", "y", "q")
    source, out = Stream(terminal=True), Stream(terminal=True)
    console = Console(source, out, out, environ=environment(), prompt=editor)
    assert main(["play", "madness", "--no-save"], console) == 0
    assert editor.asked[0] == "Player 1, enter a multiplier (2-9): "
    assert editor.asked[4] == "p practise this · q quit: "
    question = "\n\nEnter rematch (Player 2 starts) · r review · t try again\n"
    assert out.text.endswith(question)


@pytest.mark.parametrize("columns", [36, 38, 40, 60, 80])
def test_every_prompt_leaves_room_to_type_beside_it(columns: int) -> None:
    editor = Editor("friend", "", "Ada", "", "", "9", "q", "q")
    source, out = Stream(terminal=True), Stream(terminal=True)
    console = Console(
        source,
        out,
        out,
        environ=environment(),
        width=lambda: columns,
        prompt=editor,
    )
    assert main(["--plain"], console) == 0
    assert max(map(len, editor.asked)) <= columns - 2  # a character and the cursor


def test_entries_are_recalled_only_at_the_same_screen() -> None:
    editor = Editor("friend", "", "Ada", "", "", "9", "q", "q")
    source, out = Stream(terminal=True), Stream(terminal=True)
    console = Console(source, out, out, environ=environment(), prompt=editor)
    assert main(["--plain"], console) == 0
    before_and_after_the_game = [5, 7]
    assert editor.forgotten == before_and_after_the_game


class Editor(InterruptiblePrompt):
    """Enters what it is told to, and notes after how many entries it forgets them."""

    def __init__(self, *entries: str) -> None:
        super().__init__(Stream(), Stream(), lambda: 80, edits=False)
        self.asked: list[str] = []
        self.forgotten: list[int] = []
        self._entries = list(entries)

    def ask(self, prompt: str) -> str:
        self.asked.append(prompt)
        return f"{self._entries.pop(0)}\n"

    def forget(self) -> None:
        self.forgotten.append(len(self.asked))


def test_the_console_knows_the_height_of_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LINES", "17")
    assert window_height() == 17


def test_a_terminal_shows_the_total_the_winner_and_a_slip_in_colour() -> None:
    terminal = Terminal("play", "multiplication-duel", "--coach", "--no-save")
    terminal.type("7", "n", "resign", "y", "q")
    _, screen = terminal.end()
    assert "Running Total is now \x1b[1m7\x1b[0m.\n" in screen
    assert "hat \x1b[1;31mgives the win away\x1b[0m." in screen
    assert "\x1b[1;32mPlayer 1\x1b[0m wins!\n" in screen


@pytest.mark.parametrize(
    "changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NINEFOLD_PLAIN": "1"}]
)
def test_no_color_plain_and_dumb_terminals_have_no_colour(
    changes: dict[str, str],
) -> None:
    terminal = Terminal("play", "madness", "--coach", "--no-save", **changes)
    terminal.type("7", "n", "map", "resign", "y", "q")
    code, screen = terminal.end()
    assert (code, "\x1b" in screen) == (0, False)
    assert (AXIS in screen) == ("NO_COLOR" in changes)


@pytest.mark.parametrize(
    "changes", [{"COLUMNS": "59"}, {"LINES": "14"}, {"NINEFOLD_PLAIN": "1"}]
)
def test_the_number_line_needs_room(changes: dict[str, str]) -> None:
    terminal = Terminal("play", "madness", "--no-save", **changes)
    terminal.type("5", "quit")
    assert AXIS not in terminal.end()[1]


def test_the_number_line_shows_hops_and_bands_on_request() -> None:
    options = ["play", "multiplier-showdown", "--target", "1000", "--no-save"]
    terminal = Terminal(*options, NO_COLOR="1", COLUMNS="61")
    terminal.type("5", "map", "3", "map", "2", "quit")
    _, screen = terminal.end()
    assert (
        "╭──── ×5 ─────╮\n"
        "├─────────────◉────────────────────────────────────────────┤\n1 "
    ) in screen
    assert (
        "╭──── ×5 ─────╮\n"
        "├───────────▒▒◉▒▒─────────────────▒▒▒▒▒▒───────────────────┤\n"
    ) in screen
    assert "From these totals every move loses: 4 to 6, 56 to 111.\n" in screen
    assert "The lost totals are hidden.\n" in screen
    assert screen.count("▒▒◉▒▒") == 1
    assert screen.count("▒▒●▒▒") == 1  # after the next move, until they are hidden


def test_a_take_back_removes_the_hop_from_the_number_line() -> None:
    options = ["play", "multiplier-showdown", "--target", "1000", "--no-save"]
    terminal = Terminal(*options, NO_COLOR="1", COLUMNS="61")
    terminal.type("5", "3", "undo", "undo", "quit")
    _, screen = terminal.end()
    drawn = [line for line in screen.splitlines() if line.endswith("┤")]
    assert [line.count("●") + line.count("◉") for line in drawn] == [1, 2, 1, 1]
    assert [line.startswith("├") for line in drawn] == [True, True, True, False]


def test_without_a_number_line_the_lost_totals_are_listed() -> None:
    finished = run("play", "madness", "--no-save", typed="map\nquit\n")
    assert "From these totals every move loses: " in finished.stdout
    assert AXIS not in finished.stdout
    nothing = ["--multipliers", "2", "--target", "2"]
    finished = run("play", "madness", *nothing, "--no-save", typed="map\nquit\n")
    assert (
        "No total of this game is lost: some move wins from each.\n" in finished.stdout
    )


def test_lost_totals_of_a_game_too_large_to_analyse_are_not_listed() -> None:
    far = ["--multipliers", "2,5,6,10", "--target", "1" + "0" * 999, "--no-save"]
    finished = run("play", "multiplier", *far, typed="map\nquit\n")
    assert "This game is too big to work out.\n" in finished.stdout


def test_a_resumed_game_and_a_retry_show_their_number_line(
    tmp_path: Path,
) -> None:
    changes = {"NO_COLOR": "1", "NINEFOLD_HOME": str(tmp_path)}
    terminal = Terminal("play", "madness", **changes)
    terminal.type("2", "2", "2", "resign", "y", "t", "quit")
    _, screen = terminal.end()
    _, offered, tried_again = screen.partition("t try again from move 2")
    assert (bool(offered), AXIS in tried_again) == (True, True)
    terminal = Terminal("resume", **changes)
    terminal.type("quit")
    assert AXIS in terminal.end()[1]


def test_a_target_may_have_separators() -> None:
    option = run("play", "multiplier", "--target", "1,000", typed="quit\n")
    assert "Target Value: 1000\n" in option.stdout
    terminal = Terminal("play", "multiplier")
    terminal.type("1,000", "quit")
    assert "Target Value: 1000\n" in terminal.end()[1]
