"""Bots at the command line: play, resume, what goes wrong, and what is never stored."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.arena.programs import is_running, process_in, sh, until
from tests.program import RealTerminal, Terminal, run, transcript

WORD = "unheard-of-argument"
"""A word of the command line that nothing else has."""
THREE = f"bot:{sh('echo move 3')} {WORD}"


def terminal(*arguments: str, home: Path) -> Terminal:
    return Terminal(*arguments, NINEFOLD_HOME=str(home), NO_COLOR="1")


def test_a_person_plays_against_a_bot_by_its_name() -> None:
    said = transcript("play", "madness", "--p2", THREE, typed="5\n7\n")
    assert said.splitlines()[4:] == [
        "Player 1, enter a multiplier (2-9): 5",
        "You chose 5.",
        "Current Total is now 5.",
        "",
        "Otto plays ×3: 5 × 3 makes 15.",
        "",
        "Player 1, enter a multiplier (2-9): 7",
        "You chose 7.",
        "Current Total is now 105.",
        "",
        "Player 1 has reached or exceeded the target number!",
        "Player 1 wins the game!",
    ]


def test_a_terminal_shows_that_a_bot_is_thinking(tmp_path: Path) -> None:
    seated = terminal("play", "madness", "--p2", THREE, home=tmp_path)
    seated.type("5", "q")
    assert "\rOtto is thinking ... " in seated.end()[1]


def test_two_bots_of_one_name_get_numbers_unless_names_are_given() -> None:
    both = ("play", "madness", "--p1", THREE, "--p2", THREE, "--no-save")
    assert "Otto 1 plays ×3: 1 × 3 makes 3." in run(*both).stdout
    assert "Bo plays ×3: 3 × 3 makes 9." in run(*both, "--name2", "Bo").stdout


def test_the_person_against_a_bot_is_the_learner() -> None:
    play = ("play", "madness", "--p1", THREE, "--learner", "Ada")
    assert "Ada, enter a multiplier (2-9)" in run(*play, typed="5\n9\n").stdout


def test_a_bot_that_fails_loses_and_the_reason_is_printed() -> None:
    finished = run("play", "madness", "--p2", f"bot:{sh('exit 4')}", typed="5\n")
    assert finished.returncode == 0
    assert "Otto has resigned.\nPlayer 1 wins the game!" in finished.stdout
    assert finished.stderr == (
        "Otto loses this game: it exited before answering (exit code 4).\n"
    )


@pytest.mark.parametrize(
    ("who", "sentence"),
    [
        ("bot:", "the bot has no command; give one, such as bot:./mybot.py"),
        ("bot:./none", "./none was not found; give its path, such as ./mybot.py"),
        ("bot:/", "/ is a folder; give the path of a program, such as ./mybot.py"),
        ("bot:'", "the bot has an unclosed quote in its command line"),
        (
            "bot:echo ninefold 2",
            "echo answered 'ninefold 2' instead of 'ok'; a bot answers 'ninefold 1' with 'ok' and its name",
        ),
    ],
)
@pytest.mark.parametrize(
    "command",
    ["play madness --p2", "join http://[::1]:9/m/aaaaaaaaaaaaaaaaaaaaaa --as"],
)
def test_a_bot_that_cannot_start_is_rejected_before_the_game(
    command: str, who: str, sentence: str
) -> None:
    finished = run(*command.split(), who)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == f"ninefold: {sentence}\n"


def test_a_player_must_be_a_person_a_level_or_a_bot() -> None:
    assert "is not one of human" in run("play", "duel", "--p2", "mybot").stderr
    refused = run("play", "duel", "--p2", "./mybot.py").stderr
    assert "expert, perfect or bot:./mybot.py" in refused
    refused = run("resume", "--p2", "perfect").stderr
    assert "'perfect' is not a bot; use 'bot:ninefold bot perfect'" in refused
    refused = run("resume", "--p2", "mybot").stderr
    assert "'mybot' is not a bot; give a command, such as bot:./mybot.py" in refused


def test_resume_prompts_for_the_bots_command(tmp_path: Path) -> None:
    left = terminal("play", "madness", "--p2", THREE, home=tmp_path)
    left.type("5", "q")
    _, screen = left.end()
    assert "ninefold resume --p2 'bot:sh -c " in screen.replace("\n", " ")
    again = terminal("resume", "--p2", THREE, home=tmp_path)
    again.type("2", "q")
    assert "Otto plays ×3: 30 × 3 makes 90." in again.end()[1]
    alone = terminal("resume", home=tmp_path)
    alone.type("./none", "", "2")
    _, screen = alone.end()
    question = "Otto is a bot. Its command line (Enter: play it yourself): "
    assert f"{question}./none\n./none was not found; give its path" in screen
    assert "wins the game!" in screen


def test_resume_accepts_a_command_line_at_its_prompt(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--p2", THREE, typed="5\n", **home)
    again = terminal("resume", home=tmp_path)
    again.type(THREE, "2", "q")
    assert "Otto plays ×3: 30 × 3 makes 90." in again.end()[1]
    piped = run("resume", typed="", **home)
    assert "Otto was a bot; use --p2 bot:COMMAND to let it continue.\n" in piped.stderr


def test_why_a_bot_failed_is_in_the_history_and_the_review(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--p2", f"bot:{sh('exit 4')}", typed="5\n", **home)
    reason = "exited before answering (exit code 4)"
    assert f"Player 1 beat Otto, which {reason}\n" in run("history", **home).stdout
    assert f"Otto resigned because it {reason}." in run("review", **home).stdout
    (row,) = json.loads(run("history", "--json", **home).stdout)
    assert (row["reason"], row["failure"]) == ("resigned", reason)


def test_a_bots_games_are_in_the_history_but_in_no_progress(
    tmp_path: Path,
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--p1", "beginner", "--p2", THREE, **home)
    run("play", "madness", "--p2", THREE, typed="5\n7\n", **home)
    rows = json.loads(run("history", "--json", **home).stdout)
    assert [row["players"] for row in rows] == [["human", "bot"], ["beginner", "bot"]]
    progress = json.loads(run("progress", "--json", **home).stdout)
    assert (progress["learner"], progress["games"]["played"]) == ("Guest", 0)
    assert progress["games"]["people"] == []
    assert "You slipped here" not in run("puzzle", typed="?\n", **home).stdout


def test_resume_rejects_a_bot_for_a_levels_seat(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--p2", "careful", typed="2\n", **home)
    refused = run("resume", "--p2", THREE, **home)
    assert refused.returncode == 2
    assert refused.stderr == (
        "ninefold: Careful is the computer in this game; choose the other seat\n"
    )
    assert "Player 1 plays ×3" in run("resume", "--p1", THREE, **home).stdout


def test_the_command_line_is_neither_stored_nor_exported(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    for answer in ("echo move 3", "exit 1", "echo move 1", "echo error no"):
        bot = f"bot:{sh(answer)} {WORD}"
        run("play", "madness", "--p2", bot, typed="5\n7\n", **home)
    run("play", "madness", "--p2", THREE, typed="5\n", **home)
    export = tmp_path / "export"
    export.write_text(run("export", **home).stdout)
    entries = [json.loads(line) for line in export.read_text().splitlines()]
    matches = [entry for entry in entries if entry["kind"] == "match"]
    assert len(matches) == 5
    assert {tuple(match["setup"]["levels"]) for match in matches} == {(None, None)}
    reasons = [each["command"].get("reason") for m in matches for each in m["log"]]
    assert sum(reason is not None for reason in reasons) == 3
    for file in (file for file in tmp_path.rglob("*") if file.is_file()):
        assert b"bot:" not in file.read_bytes(), file
        assert WORD.encode() not in file.read_bytes(), file


def test_imported_files_cannot_start_a_bot(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path / "home")}
    ran = tmp_path / "ran"
    run("play", "madness", "--p2", "careful", typed="5\n", **home)
    export = tmp_path / "export"
    export.write_text(run("export", **home).stdout)
    text = export.read_text()
    assert '"careful"' in text
    export.write_text(text.replace('"careful"', json.dumps(f"bot:touch {ran}")))
    refused = run("import", str(export), **home)
    assert refused.returncode == 2
    assert "is not a level; choose one of beginner" in refused.stderr
    assert not ran.exists()


def test_ctrl_c_ends_a_bot_that_thinks_and_the_game_is_saved(tmp_path: Path) -> None:
    process = tmp_path / "process"
    bot = f"bot:{sh(f'echo $$ > {process}; sleep 600')}"
    seated = RealTerminal("play", "madness", "--p2", bot)
    seated.type("5")
    thinking = process_in(process)
    seated.signal(signal.SIGINT)
    code, screen = seated.end()
    assert code == 130
    assert "The game is saved." in screen
    assert not is_running(thinking)


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize(
    "command",
    [
        "play madness --p1 BOT",
        "audit BOT madness",
        "matchup madness BOT perfect",
    ],
)
def test_a_bot_that_thinks_does_not_outlive_the_program(
    command: str, ends: signal.Signals, tmp_path: Path
) -> None:
    process = tmp_path / "process"
    bot = f"bot:{sh(f'echo $$ > {process}; sleep 600')}"
    asking = RealTerminal(*(bot if word == "BOT" else word for word in command.split()))
    thinking = process_in(process)
    asking.signal(ends)
    asking.end()
    until(lambda: not is_running(thinking))


def test_a_bots_log_is_printed_and_not_stored(
    tmp_path: Path,
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    bot = f"bot:{sh('echo a-file-of-mine >&2; exit 4')}"
    played = run("play", "madness", "--p2", bot, typed="5\n", **home)
    assert "(exit code 4); its last output: a-file-of-mine.\n" in played.stderr
    assert "a-file-of-mine" not in run("export", **home).stdout


def test_a_bot_is_audited_at_every_position_by_its_name() -> None:
    (audit,) = json.loads(run("audit", THREE, "madness", "--json").stdout)
    # By hand: it begins with 1 × 3, from where perfect leaves 6 to 11.
    assert (audit["who"], audit["cost"]["fraction"]) == ("Otto", "1")
    totals = {each["total"]: each for each in audit["mistakes"]}
    assert (totals[1]["moves"], totals[1]["winning_moves"]) == ([3], [6, 7, 8, 9])
    assert 2 not in totals  # 2 × 3 is lost for the other
    said = run("audit", THREE, "madness").stdout
    assert (
        f"Otto makes a mistake at {len(totals)} of {audit['won']} won positions."
        in said
    )
    assert WORD not in said


def test_a_bot_with_two_different_answers_is_rejected() -> None:
    answer = "turn=$((turn + 1)); echo move $((turn % 2 + 8))"
    bot = f"bot:{sh(answer)}"
    for command in (("audit", bot, "madness"), ("matchup", "madness", bot, "careful")):
        refused = run(*command)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr == (
            "ninefold: Otto gave two different answers at 98, so its chances are"
            " unknown; let it play games: ninefold tournament\n"
        )


def test_a_local_file_without_a_folder_is_suggested_with_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    refused = run("play", "madness", "--p2", "bot:mine").stderr
    assert refused == (
        "ninefold: mine is not a command; for the file here use bot:./mine\n"
    )


def test_two_bots_meet_in_a_matchup() -> None:
    other = f"bot:{sh('echo move 9')}"
    view = json.loads(run("matchup", "madness", THREE, other, "--json").stdout)
    # 3, 27, 81, 729: the second player reaches 100; and 9, 27, 243.
    assert view["players"] == ["Otto", "Otto 2"]
    assert (view["begins"]["value"], view["second"]["value"]) == (0, 0)


def test_a_bot_that_fails_in_an_audit_is_a_one_line_error() -> None:
    failed = run("audit", f"bot:{sh('exit 3')}", "madness")
    assert failed.returncode == 2
    assert (
        failed.stderr == "ninefold: Otto exited before answering (exit code 3) at 98\n"
    )
