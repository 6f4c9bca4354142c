"""The commands beside play, wrong use, and everything a system can do to a program."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from ninefold import __version__
from ninefold.cli.commands import COMMANDS
from ninefold.rulebooks import KEYS, load
from tests import program


def test_games_lists_the_five() -> None:
    finished = program.run("games")
    assert finished.returncode == 0
    program.assert_golden("games.txt", finished.stdout)


def test_games_as_json_is_as_documented() -> None:
    games = json.loads(program.run("games", "--json").stdout)
    assert [game["key"] for game in games] == list(KEYS)
    assert games[2] == {
        "key": "multiplier",
        "title": "Multiplier",
        "summary": "Reach 1,000 or more and you lose.",
        "rules": {
            "ending": "avoid",
            "target": 1000,
            "multipliers": [2, 3, 4, 5, 6, 7, 8, 9],
            "start": 1,
        },
        "settles": ["target", "first", "length"],
    }


def test_rules_shows_a_games_rules_with_their_numbers() -> None:
    finished = program.run("rules", "madness", "--target", "50", "--multipliers", "2-5")
    program.assert_golden("rules-madness-to-50.txt", finished.stdout)


@pytest.mark.parametrize("key", KEYS)
def test_replay_prints_the_transcript_of_a_record(key: str) -> None:
    sample = (program.SAMPLES / f"{key}.out").read_text()
    moves = "x".join((program.SAMPLES / f"{key}.in").read_text().split())
    target = 1000 if "1000" in sample else 100
    ending = load(key).rules.ending.value
    line = f"nf1.{key}.{ending}{target}.{moves}"
    assert program.run("replay", line).stdout == sample
    assert program.run("replay", "-", typed=f"{line}\n").stdout == sample


def test_replay_reads_files_and_uses_names(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("nf1.multiplication-duel.exact100.5x6\n")
    finished = program.run("replay", str(file), "--name1", "Ada")
    assert finished.stdout.count("Ada, choose a number") == 1
    assert finished.stderr == "The record ends here; it is Ada's turn.\n"


def test_replay_reads_a_line_longer_than_any_file_name() -> None:
    line = "nf1.-.reach1" + "0" * 600 + "." + "x".join("5" * 300)
    assert program.run("replay", line).stdout.count("Current Total is now") == 300


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("\ufeffnf1.-.reach10.9x9", encoding="utf-8")
    assert program.run("replay", str(file)).returncode == 0
    typed = file.read_bytes()
    assert program.run("replay", "-", typed=typed).returncode == 0
    book = tmp_path / "mine.toml"
    book.write_text("\ufeff" + OWN_BOOK, encoding="utf-8")
    assert program.run("play", str(book), typed="7\n7\n").returncode == 0


@pytest.mark.parametrize("form", ["line", "json"])
def test_replay_turns_a_record_into_its_other_form(form: str) -> None:
    line = "nf1.multiplication-duel.exact100.5x6"
    other = program.run("replay", line, "--form", form).stdout
    assert (
        program.run("replay", "-", "--form", "line", typed=other).stdout == f"{line}\n"
    )


def test_replay_finds_words_for_a_record_that_names_no_game() -> None:
    finished = program.run("replay", "nf1.-.avoid100.9x9x9")
    assert finished.stdout.startswith("=== Multiplier Game Start ===")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["replay", "rubbish"],
            "'rubbish' is not a file, a record (nf1. ...) or a saved game",
        ),
        (
            ["replay", "nf2.-.reach100"],
            "column 1: unknown version; this ninefold reads only nf1; found nf2",
        ),
        (
            ["replay", "nf1.mine.reach100"],
            "not built in; give its file with --game",
        ),
        (
            ["replay", "nf1.multiplier.reach100"],
            "the record ends with 'reach', but Multiplier with 'avoid'",
        ),
        (["replay", "nf1.multiplier.avoid100.5x1"], "column 27: 1 is not a multiplier"),
        (["play", "chess"], "ninefold: 'chess' is not a game; try multipli"),
        (["play", "showdown"], "fits several games; choose one of multiplier-showdown"),
        (["chess"], "'chess' is neither a command nor a game"),
        (["showdown"], "'showdown' fits several games"),
        (["play"], "missing argument 'GAME'"),
        (
            ["play", "duel", "--target", "ten"],
            "the target must be a whole number in plain",
        ),
        (["play", "duel", "--start", "0"], "the start must be at least 1"),
        (["play", "duel", "--multipliers", "1-5"], "a multiplier must be at least 2"),
        (["play", "duel", "--best-of", "4"], "best of takes an odd number"),
        (
            ["play", "duel", "--first-to", "2", "--best-of", "3"],
            "use only one of --best-of",
        ),
        (["play", "duel", "--starts", "loser"], "--starts needs --best-of"),
        (
            ["play", "duel", "--starts", "never"],
            "'never' is not one of alternate, loser",
        ),
        (["play", "duel", "--name1", ""], "a name needs 1 to 24 visible characters"),
        (
            ["play", "duel", "--name1", "A", "--name2", "A"],
            "the other player is called A too",
        ),
        (["play", "./no-such.toml"], "./no-such.toml: No such file or directory"),
        (["play", "/"], "/: Is a directory"),
        (["rules", "chess"], "'chess' is not a game"),
        (
            ["sovle"],
            "neither a command nor a game; did you mean solve?\nTry 'ninefold ",
        ),
        (["play", "maddness"], "'maddness' is not a game; did you mean madness?"),
        (["maddness"], "did you mean madness?"),
        (["Multiplikation-duel"], "did you mean multiplication-duel?"),
        (
            ["play", "duel", "--tarket", "9"],
            "no option --tarket; did you mean --target",
        ),
        (["--nonsense"], "there is no option --nonsense"),
        (
            ["play", "duel", "--p2", "plannr"],
            "perfect or bot:./mybot.py; did you mean planner?",
        ),
        (["play", "duel", "--first", "tos"], "1, 2, toss; did you mean toss?"),
        (["history", "--result", "win"], "not one of won, lost, unfinished; did you"),
        (["review", "lst"], "a saved game; did you mean last?"),
        (["resume", "lst"], "did you mean last?"),
        (["why", "duel", "5", "x"], "the move must be a whole number in plain digits,"),
        (["why", "duel", "5", "x"], "such as 2; 'x' is not"),
        (["solve", "duel", "--total", "x"], "such as 1; 'x' is not"),
    ],
)
def test_usage_errors_are_code_2_with_a_clear_message(
    arguments: list[str], message: str
) -> None:
    finished = program.run(*arguments)
    assert finished.returncode == 2
    assert message in finished.stderr
    assert finished.stdout == ""


def test_without_a_terminal_ninefold_alone_prints_its_help() -> None:
    finished = program.run()
    assert finished.returncode == 2
    assert finished.stdout.startswith("Usage: ninefold")


def test_help_has_examples_and_the_exit_codes() -> None:
    assert "Examples:" in program.run("--help").stdout
    assert "Exit codes: 0 the game ended" in program.run("--help").stdout
    assert "Examples:" in program.run("play", "--help").stdout


def test_version_is_printed() -> None:
    assert program.run("--version").stdout == f"ninefold {__version__}\n"


def test_a_game_alone_is_short_for_play() -> None:
    assert program.run("madness", typed="9\n9\n9\n").returncode == 0


def test_python_m_ninefold_is_the_same_program() -> None:
    assert program.run_process("--version").stdout == f"ninefold {__version__}\n"


OWN_BOOK = """
title = "Sevens"
[rules]
ending = "exact"
target = 49
multipliers = [7]
"""


def test_a_custom_rule_book_plays_from_a_file(tmp_path: Path) -> None:
    book = tmp_path / "sevens.toml"
    book.write_text(OWN_BOOK)
    finished = program.run("play", str(book), typed="7\n5\n7\n")
    assert finished.returncode == 0
    program.assert_golden("own-rule-book.txt", finished.stdout)
    left = program.run("play", str(book), "--no-save", typed="7\nquit\n")
    _, _, command = left.stderr.strip().partition("The game so far: ninefold ")
    assert program.run(*shlex.split(command)).stdout.startswith("Sevens\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"title = 5", "mine.toml: title: expected a line of text"),
        (
            b"a = " + b"[" * 100_000,
            "mine.toml: a rule book has at most 100,000 characters",
        ),
        (b"a = " + b"9" * 5_000, "mine.toml: line 1 has more than 2,000 characters"),
        (b"\xff\xfe", "mine.toml: this is not UTF-8 text: byte 1 is invalid"),
        (
            b"# " + b"x" * 1_000_001,
            "mine.toml: the file is larger than 1,000,000 bytes",
        ),
    ],
)
def test_a_broken_file_is_named_in_the_error(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "mine.toml").write_bytes(content)
    finished = program.run("play", str(tmp_path / "mine.toml"))
    assert (finished.returncode, message in finished.stderr) == (2, True)


def test_a_closed_pipe_ends_the_game_quietly() -> None:
    command = "yes 9 | ninefold play madness --first-to 999 | head -n 1"
    finished = program.run_shell(f"{command}; echo ${{PIPESTATUS[1]}}")
    assert (finished.stdout, finished.stderr) == ("Game Start!\n1\n", "")


@pytest.mark.parametrize("redirection", [">&-", "<&-", "2>&-"])
def test_closed_streams_never_cause_a_traceback(redirection: str) -> None:
    finished = program.run_shell(f"ninefold games {redirection}")
    assert (finished.returncode, finished.stderr) == (0, "")


def test_playing_without_input_at_all_is_code_1() -> None:
    assert program.run_shell("ninefold play madness <&-").returncode == 1


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_play_works_in_any_locale(locale: dict[str, str]) -> None:
    typed = "\uff15\n5\n6\n3\n2\n".encode()
    finished = program.run_process("play", "madness", typed=typed, **locale)
    assert finished.returncode == 0
    assert finished.stdout.endswith("Player 2 wins the game!\n")


def test_an_unwritable_home_is_reported_once_and_the_game_continues(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("no folder")
    home = str(tmp_path / "file" / "home")
    finished = program.run("play", "madness", typed="9\n9\n9\n", NINEFOLD_HOME=home)
    assert finished.returncode == 0
    assert finished.stdout.endswith("wins the game!\n")
    assert finished.stderr.startswith("This game is not being saved: ")
    assert finished.stderr.count("\n") == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_completion_script(
    shell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_NINEFOLD_COMPLETE", f"{shell}_source")
    assert "_NINEFOLD_COMPLETE" in program.run().stdout


@pytest.fixture
def completions(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """What bash is offered after some words, in the folder that it is in."""

    def complete(words: str) -> list[str]:
        monkeypatch.setenv("_NINEFOLD_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        return program.run().stdout.splitlines()

    return complete


@pytest.mark.parametrize(
    ("words", "candidates"),
    [
        ("ninefold pl", ["play"]),
        ("ninefold play multiplier", ["multiplier", "multiplier-showdown"]),
        ("ninefold play madness --first t", ["toss"]),
    ],
)
def test_the_shell_completes_commands_games_and_choices(
    words: str, candidates: list[str], completions: Callable[[str], list[str]]
) -> None:
    assert [line.split(",")[1] for line in completions(words)] == candidates


def test_a_game_is_completed_to_keys_and_rule_book_files(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    completions: Callable[[str], list[str]],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.toml", "mine.txt", "other.toml"):
        (tmp_path / name).touch()
    offered = completions("ninefold play m")
    assert offered == [*(f"plain,{key}" for key in KEYS), "plain,mine.toml"]
    assert completions("ninefold play ./m") == ["file,./m"]


def test_a_record_is_completed_to_files(
    completions: Callable[[str], list[str]],
) -> None:
    assert completions("ninefold replay gam") == ["file,gam"]


@pytest.mark.parametrize("name", COMMANDS)
def test_first_sentences_of_commands_fit_in_shell_completion(name: str) -> None:
    _, _, text = program.run(name, "--help").stdout.partition("\n\n")
    sentence = text.strip().partition(".")[0]
    assert "," not in sentence
    assert len(sentence) <= 45


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {}])
@pytest.mark.parametrize("arguments", [["games"], ["rules", "duel"], ["--help"]])
def test_piped_output_is_plain_text(
    changes: dict[str, str], arguments: list[str]
) -> None:
    out = program.run(*arguments, **changes).stdout
    assert out.replace("\n", "").isprintable()


def test_every_error_has_the_same_style() -> None:
    for arguments in (["sovle"], ["play"], ["play", "duel", "--first", "3"], ["--x"]):
        finished = program.run(*arguments)
        sentence, hint = finished.stderr.splitlines()
        assert sentence.startswith("ninefold: ")
        assert re.fullmatch(r"Try 'ninefold( play)? --help'\.", hint)
    assert program.run("play", "chess").stderr.startswith(
        "ninefold: 'chess' is not a game"
    )


def test_help_groups_the_commands_by_purpose() -> None:
    told = program.run("--help").stdout
    groups = re.findall(r"^(\w[\w ]*):\n((?:  \w.*\n)+)", told, re.MULTILINE)
    listed = {
        name: re.findall(r"^  ([\w-]+)", rows, re.MULTILINE) for name, rows in groups
    }
    purposes = ["Play", "Learn", "Look back", "Explore", "Bots and research"]
    assert list(listed)[:5] == purposes
    assert listed["Play"][:2] == ["play", "resume"]
    assert [name for names in listed.values() for name in names] == list(COMMANDS)


def test_plain_is_an_option_of_the_program_and_of_the_environment() -> None:
    plain = program.run("map", "madness", "--plain").stdout
    assert program.run("--plain", "map", "madness").stdout == plain
    assert program.run("map", "madness", NINEFOLD_PLAIN="1").stdout == plain
    assert program.run("map", "madness", NINEFOLD_PLAIN="0").stdout != plain


def test_help_fits_a_narrow_terminal() -> None:
    told = program.Terminal("play", "--help", COLUMNS="40").end()[1]
    assert max(map(len, told.splitlines())) <= 40


def test_review_summarises_a_long_game_unless_full() -> None:
    record = "nf1.multiplier.reach1" + "0" * 99 + "." + "x".join("2" * 250)
    told = program.run("review", record).stdout
    assert told.startswith("250 moves; --full shows all of them.\nPlayer 1: only ")
    assert told.count("slip. Winning moves") == 5
    assert "\nThe game turned at move 249: " in told
    full = program.run("review", record, "--full", "--plain").stdout
    assert re.findall(r"^Move (\d+), ", full, re.MULTILINE) == [
        str(number) for number in range(1, 251)
    ]
    won = program.run(
        "review", "nf1.multiplier.reach1" + "0" * 99 + ".in2." + "x".join("2" * 250)
    )
    assert "The last slips" not in won.stdout
    assert won.stdout.count("\n") == 4


def test_a_table_that_is_too_wide_becomes_lines() -> None:
    record = "nf1.multiplier-showdown.reach1000.7x2x2x9x9"
    told = program.Terminal("review", record, COLUMNS="40").end()[1]
    assert "Move 5, Player 1: 252 × 9 = 2,268, good." in told


@pytest.mark.parametrize("arguments", [[], ["--plain"]])
def test_without_a_terminal_help_says_why_it_is_shown(arguments: list[str]) -> None:
    finished = program.run(*arguments)
    assert finished.returncode == 2
    assert finished.stdout.startswith("Usage: ninefold")
    assert finished.stderr == (
        "ninefold: the app and the menu need a terminal; give a command\n"
    )


def test_help_shows_no_regular_expressions() -> None:
    for name in COMMANDS:
        assert "%" not in program.run(name, "--help").stdout


def test_help_shows_no_names_of_the_code() -> None:
    for name in COMMANDS:
        assert not re.search(
            r"\b(?!NINEFOLD)[A-Za-z]+_", program.run(name, "--help").stdout
        )


@pytest.mark.parametrize("name", ["solve", "why", "map", "audit", "matchup", "table"])
def test_commands_that_do_not_play_offer_no_target_to_play_to(name: str) -> None:
    shown = program.run(name, "--help").stdout
    assert "  --target N " in shown
    assert "Play to another target." not in shown
