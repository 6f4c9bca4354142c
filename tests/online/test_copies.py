"""A match on a server is kept at home too: looked back on, exported, gone on with."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

from tests.online.servers import serving
from tests.online.tables import Friend, Seated
from tests.program import RealTerminal, run
from tests.servers import beside


def played(url: str, home: Path, *entries: str, **agreed: object) -> Friend:
    """Join a friend's match, play the first move, answer and leave."""
    ada = Friend(url)
    link = ada.create(first=2, **agreed)  # type: ignore[arg-type]  # asked for by name
    bo = Seated("join", link, "--name", "Bo", NINEFOLD_HOME=str(home))
    bo.wait_for("Bo")
    bo.type(*entries)
    bo.wait_for("Ada's turn (? for help): ")
    ada.move(4)
    bo.wait_for("20")
    bo.type("q")
    bo.end()
    return ada


def at_home(home: Path, *arguments: str) -> str:
    finished = run(*arguments, NINEFOLD_HOME=str(home))
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_history_includes_online_games(url: str, tmp_path: Path) -> None:
    ada = played(url, tmp_path, "5")
    listed = json.loads(at_home(tmp_path, "history", "--json"))
    assert [row["names"] for row in listed] == [["Ada", "Bo"]]
    assert listed[0]["record"].endswith("first2.5x4")
    assert "5 × 4 = 20" in at_home(tmp_path, "review")
    exported = [json.loads(line) for line in at_home(tmp_path, "export").splitlines()]
    assert exported[0]["id"] == ada.id
    assert exported[0]["origin"] == {"server": url, "seats": [2]}
    assert ada.secret is not None
    assert "secret" not in json.dumps(exported)


def test_products_answered_online_are_facts_at_home(url: str, tmp_path: Path) -> None:
    lessons = {"mental": True, "hints": False, "coach": False}
    ada = Friend(url)
    link = ada.create(lessons=lessons)
    bo = Seated("join", link, "--name", "Bo", NINEFOLD_HOME=str(tmp_path))
    bo.wait_for("Ada's turn (? for help): ")
    ada.move(6)
    bo.wait_for("Bo, choose")
    bo.type("7", "42")
    bo.wait_for("Ada's turn (? for help): ")
    bo.type("q")
    bo.end()
    facts = json.loads(at_home(tmp_path, "progress", "--json"))["facts"]
    known = [row for row in facts if row["right"]]
    assert [row["name"] for row in known] == ["6x7"]


def test_a_match_on_a_server_is_resumed_there(url: str, tmp_path: Path) -> None:
    ada = played(url, tmp_path, "5")
    listed = at_home(tmp_path, "resume", "--list")
    assert f"on {url}" in listed
    assert "Ada and Bo" in listed
    bo = Seated("resume", NINEFOLD_HOME=str(tmp_path))
    bo.wait_for("20")
    bo.wait_for("Bo")
    bo.type("2")
    bo.wait_for("Ada's turn (? for help): ")
    assert ada.state()["moves"] == [5, 4, 2]
    bo.type("q")
    bo.end()


def test_a_killed_terminal_has_the_last_game_at_home_after_the_next_join(
    url: str, tmp_path: Path
) -> None:
    ada = Friend(url)
    link = ada.create(first=2, length={"count": "best of", "number": 5})
    joins = ("join", link, "--name", "Bo")
    bo = RealTerminal(*joins, NINEFOLD_HOME=str(tmp_path))
    bo.wait_for("multiply (2-9): ")
    bo.send("5")
    bo.wait_for("Ada's turn (? for help): ")
    ada.ask("resign")
    bo.wait_for("wins")
    ada.ask("next-game")
    ada.move(3)
    bo.wait_for("multiply (2-9): ")
    bo.signal(signal.SIGKILL)
    bo.end()
    (row,) = json.loads(at_home(tmp_path, "history", "--json"))
    assert row["record"].endswith(".5.resign1")
    again = RealTerminal(*joins, NINEFOLD_HOME=str(tmp_path))
    again.wait_for("multiply (2-9): ")
    again.signal(signal.SIGKILL)
    again.end()
    now, before = json.loads(at_home(tmp_path, "history", "--json"))
    assert now["record"].endswith(".3")
    assert before == row


def test_watching_stores_nothing(url: str, tmp_path: Path) -> None:
    ada = Friend(url)
    link = ada.create()
    Friend(url, ada.id, "Bo").sit()
    watching = Seated("join", link, "--watch", NINEFOLD_HOME=str(tmp_path))
    watching.wait_for("You are watching")
    ada.move(5)
    watching.wait_for("5")
    watching.type("q")
    watching.end()
    assert at_home(tmp_path, "history", "--json") == "[]\n"


def test_a_seat_is_resumed_at_the_server_that_gave_it_and_at_no_other(
    url: str, tmp_path: Path
) -> None:
    asked: list[str] = []

    def answer(request: str) -> Iterator[bytes]:
        asked.append(request)
        yield b""

    played(url, tmp_path, "5")
    mine = at_home(tmp_path, "export")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(tmp_path / "seats.json", elsewhere)
    with serving(answer) as other:
        (tmp_path / "lie.jsonl").write_text(mine.replace(url, other))
        for home in (tmp_path, elsewhere):
            at_home(home, "import", str(tmp_path / "lie.jsonl"))
        assert f"on {url}" in at_home(tmp_path, "resume", "--list")
        refused = run("resume", NINEFOLD_HOME=str(elsewhere))
        assert refused.returncode == 2
        assert f"your seat at {other}/m/" in refused.stderr
    assert asked == []


def test_resume_reports_an_unreachable_server(tmp_path: Path) -> None:
    (tmp_path / "server").mkdir()
    with beside(tmp_path / "server") as url:
        played(url, tmp_path, "5")
    finished = run("resume", NINEFOLD_HOME=str(tmp_path))
    assert finished.returncode == 2
    assert "cannot reach the server" in finished.stderr
    assert "if you host it, run ninefold host again" in " ".join(
        finished.stderr.split()
    )
    assert "5 × 4 = 20" in at_home(tmp_path, "review")
