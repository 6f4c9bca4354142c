"""A tournament goes on whatever is killed, and comes to the same result."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from ninefold.arena.bot_process import Bot
from ninefold.arena.tournament import Plan, play_chunk
from ninefold.arena.tournament_workers import Runner, processes
from ninefold.errors import BotFailed, NinefoldError
from ninefold.levels import BOT_PREFIX, LEVELS
from tests.arena.programs import RUN_BY, is_running, until, written
from tests.arena.tournaments import (
    GAMES,
    LOWEST,
    bot,
    command_of,
    lines_in,
    play,
    start,
    workers_of,
)
from tests.program import WAIT_SECONDS, heed_signals, ignore_ctrl_c, run, run_shell

PLAN = Plan(("planner", "expert", "perfect"), GAMES[:1], 1200, seed=1)
ARGUMENTS = ("planner", "expert", "--game", "duel", "--json", "--workers", "2")
MANY = (*ARGUMENTS, "--rounds", "8000")
KILLS = "import os\nif os.getppid() > 1: os.kill(os.getppid(), 9)\n"


def finish(process: subprocess.Popen[bytes]) -> str:
    out, notices = process.communicate(timeout=2 * WAIT_SECONDS)
    assert (process.returncode, notices) == (0, b"")
    return out.decode()


def wait_for_lines(journal: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    until(lambda: lines_in(journal) >= count or process.poll() is not None)


def slow_bot(pids: Path) -> str:
    """Name a bot that adds its process to a file, and then thinks for ever."""
    return bot(
        f"import os\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        + LOWEST.replace('print("move"', 'import time; time.sleep(600); print("move"')
    )


def kill(process: int) -> None:
    with suppress(ProcessLookupError):  # it may have finished
        os.kill(process, signal.SIGKILL)


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """Play many games, and kill nothing."""
    return run("tournament", *MANY).stdout


def test_processes_give_the_same_scores_as_threads() -> None:
    assert play(PLAN, partial(processes, 2)) == play(PLAN)


def test_a_chunk_that_kills_its_worker_is_set_aside_and_the_others_are_played() -> None:
    plan = Plan(("planner", bot(KILLS), "perfect"), GAMES, 1, seed=1)
    runner = Runner(plan, {})
    with processes(2) as pool:
        scores = [*runner.play(pool)]
    assert [score.chunk for score in scores] == [1]
    assert sorted(chunk.number for chunk in runner.set_aside) == [0, 2]


def test_a_bot_that_this_machine_cannot_start_loses_no_game() -> None:
    """The machine lacks something, not the bot: a sentence ends the tournament."""
    plan = Plan(("planner", bot(LOWEST)), GAMES[:1], 1, seed=1)
    with Bot(plan.contestants[1].removeprefix(BOT_PREFIX)) as started:
        assert started.name == "Lowest"
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, usual[1]))
    try:
        with pytest.raises(NinefoldError, match="allow more open files") as refused:
            play_chunk(plan, plan.chunks[0])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert not isinstance(refused.value, BotFailed)


def test_games_that_are_set_aside_make_the_exit_code_1() -> None:
    parent = "open(f'/proc/{os.getppid()}/cmdline').read()"
    kills_worker = f"import os\nif 'spawn_main' in {parent}: os.kill(os.getppid(), 9)\n"
    who = ("planner", bot(kills_worker + LOWEST), "--game", "duel", "--rounds", "1")
    finished = run("tournament", *who, "--workers", "1")
    assert finished.returncode == 1
    said = " ".join(finished.stdout.split())
    assert "rounds 1 to 1; the process that played them died each time." in said


@pytest.mark.parametrize("most", [6, 8, 10])
def test_a_tournament_that_cannot_start_processes_says_why(most: int) -> None:
    ninefold = f"{sys.executable} -m ninefold tournament planner expert"
    finished = run_shell(f"ulimit -n {most}; exec {ninefold}")
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == (
        "ninefold: the processes that play cannot be started (Too many open files);"
        " allow more open files, processes and memory, or fewer --workers\n"
    )


def test_a_worker_that_is_killed_once_loses_no_games(
    undisturbed: str, tmp_path: Path
) -> None:
    journal = tmp_path / "run.jsonl"
    running = start(*MANY, "--journal", str(journal))
    until(lambda: lines_in(journal) > 1)
    for worker in workers_of(running.pid)[:1]:  # none is left of a run that was faster
        kill(worker)
    assert finish(running) == undisturbed


def test_a_killed_run_leaves_no_worker_and_can_be_continued(
    undisturbed: str, tmp_path: Path
) -> None:
    journal = tmp_path / "run.jsonl"
    running = start(*MANY, "--journal", str(journal))
    until(lambda: lines_in(journal) > 2)
    workers = workers_of(running.pid)
    kill(running.pid)
    running.communicate(timeout=WAIT_SECONDS)
    until(lambda: not any("spawn_main" in command_of(each) for each in workers))
    kept = lines_in(journal)
    with journal.open("ab") as torn:
        torn.write(b'{"chunk":1')
    again = run("tournament", *MANY, "--journal", str(journal))
    assert kept > 2
    assert again.stdout == undisturbed


@pytest.mark.parametrize("first", [heed_signals, ignore_ctrl_c])
def test_ctrl_c_ends_the_run_and_says_how_to_continue(
    first: Callable[[], None], tmp_path: Path
) -> None:
    """Also one that a script started in the background, where Ctrl-C is ignored."""
    journal = tmp_path / "run.jsonl"
    arguments = (*ARGUMENTS, "--rounds", "300000", "--journal", str(journal))
    running = start(*arguments, first=first)
    until(lambda: lines_in(journal) > 1)
    workers = workers_of(running.pid)
    os.killpg(running.pid, signal.SIGINT)
    out, notices = running.communicate(timeout=WAIT_SECONDS)
    assert (running.returncode, out) == (130, b"")
    said = notices.decode()
    assert said.startswith("Stopped after ")
    assert said.endswith(
        " of 600,000 games. To continue, run the same command again.\n"
    )
    assert not any("spawn_main" in command_of(each) for each in workers)


def test_ctrl_c_while_workers_start_prints_one_sentence() -> None:
    running = start(*MANY)
    until(lambda: bool(workers_of(running.pid)))
    os.killpg(running.pid, signal.SIGINT)
    _, notices = running.communicate(timeout=WAIT_SECONDS)
    assert running.returncode == 130
    assert re.fullmatch(r"Stopped after .*\n", notices.decode())


def test_a_worker_that_is_killed_leaves_no_bot_behind(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    running = start("planner", slow_bot(pids), "--workers", "1")
    until(lambda: pids.exists() and pids.read_text().count("\n") >= 2)
    thinking = pids.read_text().split()
    kill(workers_of(running.pid)[0])
    until(lambda: not any(map(is_running, thinking)))
    kill(running.pid)
    running.communicate(timeout=WAIT_SECONDS)


def test_ctrl_c_leaves_no_bot_behind(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    running = start("planner", slow_bot(pids), "--workers", "1")
    until(lambda: pids.exists() and pids.read_text().count("\n") >= 2)
    os.killpg(running.pid, signal.SIGINT)
    _, notices = running.communicate(timeout=WAIT_SECONDS)
    assert running.returncode == 130
    assert notices.decode() == (
        "Stopped after 0 of 200 games. Nothing was saved; use --journal FILE to be"
        " able to continue.\n"
    )
    until(lambda: not any(map(is_running, pids.read_text().split())))


def disturb(arguments: tuple[str, ...], journal: Path) -> None:
    """Run a tournament for a while; kill a worker, and then the run."""
    kept, running = lines_in(journal), start(*arguments)
    for more, killed in ((2, workers_of), (4, lambda process: [process])):
        wait_for_lines(journal, kept + more, running)
        for process in killed(running.pid)[:1]:
            kill(process)
    running.communicate(timeout=WAIT_SECONDS)


@pytest.mark.prove
def test_levels_and_bots_give_the_same_result_even_if_killed(
    tmp_path: Path,
) -> None:
    bots = []
    for language in RUN_BY:
        folder = tmp_path / language
        folder.mkdir()
        bots.append(f"bot:{written(language, folder)}")
    lucky = tmp_path / "python" / "mybot"
    code = lucky.read_text().replace("random.choice(multipliers)", "multipliers[1]")
    lucky.write_text(code)
    journal = tmp_path / "run.jsonl"
    arguments = (*LEVELS, *bots, "--json", "--workers", "2", "--rounds", "50")
    undisturbed = run("tournament", *arguments).stdout
    arguments = (*arguments, "--journal", str(journal))
    for _ in range(5):
        disturb(arguments, journal)
    assert finish(start(*arguments)) == undisturbed


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_killing_the_group_of_a_run_ends_its_bots(
    ends: signal.Signals, tmp_path: Path
) -> None:
    pids = tmp_path / "pids"
    running = start(bot(LOWEST), slow_bot(pids), "--workers", "1")
    until(lambda: pids.exists() and pids.read_text().count("\n") >= 2)
    os.killpg(running.pid, ends)
    running.communicate(timeout=WAIT_SECONDS)
    assert running.returncode == -ends
    until(lambda: not any(map(is_running, pids.read_text().split())))
