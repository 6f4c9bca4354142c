"""Bots: what they are sent, what they answer, and everything that they do wrong."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from ninefold import BotFailed, Ending, Game, GameOver, Rules, Seat, TheoryError
from ninefold.arena.bot_process import Bot, Limits
from tests.arena.programs import is_running, until

GAME = Game.start(Rules(Ending.REACH, 1000))
GREETS = "import os, sys, time\nprint(input() and 'ok Otto', flush=True)\n"
"""The beginning of a bot that knows how to begin."""
ANSWERS = GREETS + "for line in sys.stdin:\n  if line.startswith('go'): "
SHORT = Limits(start_seconds=60, move_seconds=0.2)
"""For a bot that never answers; the others have as long as they like."""
LONG = Limits(start_seconds=60, move_seconds=60)


def python(code: str) -> str:
    """Write the command line of a bot."""
    return shlex.join([sys.executable, "-c", code])


def failure(code: str, limits: Limits = LONG, game: Game = GAME) -> str:
    """Return what is said of a bot that fails at its first move."""
    with Bot(python(code), limits) as bot, pytest.raises(BotFailed) as failed:
        bot.choose(game)
    assert failed.value.name == "Otto"
    assert str(failed.value) == f"Otto {failed.value.told}"
    assert str(failed.value).isprintable()
    assert "last words" not in failed.value.reason
    return failed.value.told


def test_a_bot_is_asked_and_answers() -> None:
    with Bot(python(ANSWERS + "print('move 5', flush=True)"), LONG) as bot:
        assert bot.name == "Otto"
        assert bot.choose(GAME) == 5
        assert bot.choose(GAME.play(5).play(6)) == 5


def test_a_bot_is_a_policy_if_it_gives_the_same_answer_twice() -> None:
    code = ANSWERS + "print('move', moves.pop(0), flush=True)"
    with Bot(python(f"moves = [5, 5, 5, 6]\n{code}"), LONG) as bot:
        assert bot.distribution(GAME.rules, 2) == {5: 1}
        with pytest.raises(TheoryError, match="two different answers at 3, so its"):
            bot.distribution(GAME.rules, 3)


def test_a_bot_is_sent_the_rules_when_they_change_and_the_position_each_time(
    tmp_path: Path,
) -> None:
    heard = tmp_path / "heard"
    code = f"""
heard = open({str(heard)!r}, 'w')
import sys
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    word = line.split()[0]
    print({{'ninefold': 'ok Otto', 'go': 'move 4'}}.get(word, 'a log'), flush=True)
"""
    other = Rules(Ending.EXACT, 10**20, (4, 10**18), start=3)
    with Bot(python(code), LONG) as bot:
        bot.choose(GAME)
        bot.choose(GAME.play(2).play(3))
        bot.choose(GAME.play(9))
        bot.choose(Game.start(other, Seat.TWO))
    assert heard.read_text().splitlines() == [
        "ninefold 1",
        "rules reach 1000 2,3,4,5,6,7,8,9 1 1",
        "go 1 0 60000",
        "go 6 2 60000 2 3",
        "rules reach 1000 2,3,4,5,6,7,8,9 1 2",
        "go 9 1 60000 9",
        "rules exact 100000000000000000000 4,1000000000000000000 3 2",
        "go 3 0 60000",
        "quit",
    ]


def test_other_lines_and_late_answers_are_ignored() -> None:
    code = ANSWERS + "print('I think\\nmove 5\\nmove 6', flush=True)"
    with Bot(python(code), LONG) as bot:
        assert [bot.choose(GAME) for _ in range(3)] == [5, 5, 5]


def test_a_long_line_is_sent_to_a_bot_that_reads_slowly() -> None:
    code = ANSWERS + "print('move', 10**900 + 7, flush=True)"
    many = Rules(Ending.REACH, 10**990, tuple(10**900 + n for n in range(100)))
    with Bot(python(code), LONG) as bot:
        assert bot.choose(Game.start(many)) == 10**900 + 7


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("sys.exit(3)", "exited before answering (exit code 3)"),
        ("1/0", "ZeroDivisionError: division by zero"),
        ("os.abort()", "exited before answering (signal 6)"),
        ("print('\\x1b[2J', flush=True); sys.exit()", "its last output: ?[2J"),
        ("os.close(1); time.sleep(600)", "closed its output"),
        (
            "print('move 12', flush=True)",
            "answered 'move 12', which is not one of the multipliers",
        ),
        (
            "print('move', flush=True)",
            "answered 'move', which is not one of the multipliers",
        ),
        (
            "print('move 5 6', flush=True)",
            "answered 'move 5 6', which is not one of the multipliers",
        ),
        (
            "print('move', '9' * 5000, flush=True)",
            "which is not one of the multipliers",
        ),
        (
            "print('error what?', flush=True)",
            "answered 'error what?' instead of 'move'",
        ),
        ("print('x' * 70_000, flush=True)", "wrote more than 65,536 bytes"),
        ("print('x' * 70_000, file=sys.stderr)", "wrote more than 65,536 bytes"),
        ("\n    while True: print('x', flush=True)", "wrote more than 65,536 bytes"),
        ("bytes(2**31)", "MemoryError"),
    ],
)
def test_a_misbehaving_bot_fails_with_the_reason(code: str, reason: str) -> None:
    assert reason in failure(ANSWERS + code)


def test_a_bot_that_does_not_answer_fails() -> None:
    assert failure(GREETS + "time.sleep(600)", SHORT) == (
        "did not answer 'move' within 0.2 seconds"
    )


@pytest.mark.prove
def test_an_unfinished_line_is_reported() -> None:
    code = ANSWERS + "print('move 5', end='', flush=True); time.sleep(600)"
    assert failure(code, Limits(60, 5)) == (
        "did not answer 'move' within 5 seconds; its line 'move 5' has no line ending"
    )


def test_a_word_and_its_number_may_have_any_blanks_between_them() -> None:
    with Bot(python(ANSWERS + "print('move\\t 5', flush=True)"), LONG) as bot:
        assert bot.choose(GAME) == 5


def test_a_bot_that_does_not_read_fails() -> None:
    many = Rules(Ending.REACH, 10**990, tuple(10**900 + n for n in range(100)))
    assert "within 0.2 seconds" in failure(
        GREETS + "time.sleep(600)", SHORT, Game.start(many)
    )


def test_a_bot_that_failed_is_started_again_when_it_is_asked_again(
    tmp_path: Path,
) -> None:
    once = str(tmp_path / "once")
    code = ANSWERS + f"\n    os.mkdir({once!r}); sys.exit()"
    again = f"import os\nif os.path.exists({once!r}): os.rmdir({once!r}); good = True\n"
    good = "    if 'good' in globals(): print('move 7', flush=True); continue\n"
    code = again + code.replace("    os.mkdir", good + "    os.mkdir")
    with Bot(python(code), LONG) as bot:
        with pytest.raises(BotFailed):
            bot.choose(GAME)
        assert bot.choose(GAME) == 7


def test_closing_a_bot_ends_all_processes_of_its_group(tmp_path: Path) -> None:
    children = tmp_path / "children"
    code = f"""
import os, subprocess, sys, time
child = subprocess.Popen(['sleep', '600'])
with open({str(children)!r}, 'a') as file: print(os.getpid(), child.pid, file=file)
{ANSWERS}time.sleep(600)
"""
    with pytest.raises(BotFailed), Bot(python(code), SHORT) as bot:
        bot.choose(GAME)
    Bot(python(code), SHORT).start()  # and nobody has it any more
    with Bot(python(code), SHORT):
        pass
    processes = children.read_text().split()
    assert len(processes) == 6
    until(lambda: not any(map(is_running, processes)))  # a kill takes a moment


def test_a_bot_can_be_closed_by_another_thread_while_it_thinks() -> None:
    bot = Bot(python(ANSWERS + "time.sleep(600)"), LONG)
    bot.start()
    said: list[str] = []

    def think() -> None:
        try:
            bot.choose(GAME)
        except BotFailed as failed:
            said.append(failed.reason)

    thread = Thread(target=think)
    thread.start()
    while thread.is_alive():
        bot.close()
        thread.join(0.05)
    assert said
    bot.close()


def test_a_bot_is_not_asked_after_the_end_of_a_game() -> None:
    with pytest.raises(GameOver):
        Bot("true").choose(GAME.resign())


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("ok", "Bot"),
        ("ok   My bot 2 ", "My bot 2"),
        ("ok \x1b[2J", "?[2J"),
        (f"ok {'x' * 90}", "x" * 22),
        (
            "ok " + "\U0001f468\u200d\U0001f680" * 20,
            "\U0001f468?\U0001f680" * 7 + "\U0001f468",
        ),
    ],
)
def test_a_bot_has_the_name_that_it_gives_itself(said: str, name: str) -> None:
    with Bot(python(f"print({said!r}, flush=True); input()"), LONG) as bot:
        assert bot.name == name


def make(path: Path, text: str, mode: int = 0o755) -> str:
    path.write_text(text)
    path.chmod(mode)
    return shlex.quote(str(path))


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (lambda _: "", "has no command; give one, such as bot:./mybot.py"),
        (lambda _: "''", "has no command; give one, such as bot:./mybot.py"),
        (lambda _: "a 'b", "has an unclosed quote in its command line"),
        (lambda p: str(p / "none"), "was not found; give its path, such as ./mybot.py"),
        (
            lambda p: make(p / "x", "hi", 0o644),
            "is not executable; run: chmod +x",
        ),
        (lambda p: make(p / "x", "hi"), "start it with a line like #!/usr/bin"),
        (lambda _: "a\0b", "remove the invisible characters from its command line"),
        (str, "is a folder; give the path of a program"),
        (
            lambda p: make(p / "x", "#!/no/such\n"),
            "has a #! line whose program is not on",
        ),
        (lambda p: make(p / "x", "#!/bin/sh\r\n"), "without a CR at the end"),
        (lambda _: "~/no/such/bot", "was not found; give its path"),
        (lambda _: "x" * 300, "cannot be started: File name too long"),
        (lambda _: "true", "exited before answering (exit code 0)"),
        (lambda _: "sleep 600", "did not answer 'ok' within 0.2 seconds"),
        (lambda _: "echo ninefold 2", "answered 'ninefold 2' instead of 'ok'"),
        (lambda _: "echo error no", "answered 'error no' instead of 'ok'"),
    ],
)
def test_a_bot_that_cannot_start_fails_with_the_reason(
    command: Callable[[Path], str], reason: str, tmp_path: Path
) -> None:
    seconds = 0.2 if "within" in reason else 60
    with pytest.raises(BotFailed) as failed:
        Bot(command(tmp_path), Limits(start_seconds=seconds)).start()
    assert reason in failed.value.reason
    assert str(failed.value).isprintable()
