"""The journal of a tournament: what is read, what is refused, what is cut off."""

from __future__ import annotations

from codecs import BOM_UTF8
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from ninefold import NinefoldError
from ninefold.arena.tournament import Failure, Plan, Score
from ninefold.arena.tournament_journal import Journal
from tests.arena.tournaments import GAMES

PLAN = Plan(("planner", "bot:./mine --key 7"), GAMES, 100, seed=1)
SCORES = [Score(0, 3, 4), Score(1, 0, 1, (Failure(1, 30, "was \x1b slow"),))]


def read(path: Path, plan: Plan = PLAN) -> list[Score]:
    with closing(Journal(path, plan)) as journal:
        return [*journal.scores.values()]


def refusal(path: Path, plan: Plan = PLAN) -> str:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(NinefoldError) as refused:
        Journal(path, plan)
    assert (path.read_bytes() if path.is_file() else None) == before
    return str(refused.value)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a journal of two chunks."""
    path = tmp_path / "run.jsonl"
    with closing(Journal(path, PLAN)) as journal:
        for score in SCORES:
            journal.add(score)
    return path


def test_scores_are_read_back(path: Path) -> None:
    assert read(path) == SCORES
    assert len(path.read_text().splitlines()) == 3


def test_a_journal_contains_no_bots_command(path: Path) -> None:
    assert "mine" not in path.read_text()


def test_a_truncated_journal_is_continued(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        found = read(path)
        assert found == SCORES[: max(whole[:length].count(b"\n") - 1, 0)]
        assert whole.startswith(path.read_bytes())
        with closing(Journal(path, PLAN)) as journal:
            for score in SCORES[len(found) :]:
                journal.add(score)
        assert path.read_bytes() == whole


def test_a_journal_saved_by_an_editor_is_continued(path: Path) -> None:
    edited = BOM_UTF8 + path.read_bytes().replace(b"\n", b"\r\n")
    for length in range(3, len(edited) + 1):
        path.write_bytes(edited[:length])
        found = read(path)
        assert found == SCORES[: max(edited[:length].count(b"\n") - 1, 0)]
        with closing(Journal(path, PLAN)) as journal:
            for score in SCORES[len(found) :]:
                journal.add(score)
        assert read(path) == SCORES


def test_a_repeated_chunk_is_read_once_or_rejected(path: Path) -> None:
    head, first, *rest = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([head, first, first, *rest]))
    assert read(path) == SCORES
    other = first.replace(b'"began":3', b'"began":2')
    path.write_bytes(b"\n".join([head, first, *rest[:-1], other, b""]))
    assert refusal(path) == (
        f"{path}: line 4 has another score for chunk 0 than an earlier line;"
        " delete one of them"
    )


@pytest.mark.parametrize(
    "plan",
    [
        replace(PLAN, seed=2),
        replace(PLAN, rounds=99),
        replace(PLAN, gauntlet=True),
        replace(PLAN, games=GAMES[:1]),
        replace(PLAN, contestants=("planner", "bot:./mine --key 8")),
        replace(PLAN, contestants=("planner", "expert")),
    ],
)
def test_a_journal_of_another_tournament_is_rejected(path: Path, plan: Plan) -> None:
    assert refusal(path, plan) == (
        f"{path} is the journal of another tournament; use another file, or"
        " repeat that tournament's contestants and options to continue it"
    )


@pytest.mark.parametrize(
    "content", [b"a letter", b"a letter\n", b"{}\n", b"\xff\xfe\n\n"]
)
def test_a_file_that_is_not_a_journal_is_rejected_unchanged(
    path: Path, content: bytes
) -> None:
    path.write_bytes(content)
    assert refusal(path) == f"{path} is not a tournament journal; use another file"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"[1]",
        b"\xff",
        b'{"chunk":9,"began":0,"second":0}',
        b'{"chunk":-1,"began":0,"second":0}',
        b'{"chunk":1,"began":26,"second":0}',
        b'{"chunk":1,"began":-1,"second":0}',
        b'{"chunk":1,"began":0,"second":26}',
        b'{"chunk":1,"began":0,"second":-1}',
        b'{"chunk":1,"began":0,"second":0,"failures":[{"who":2,"round":0,"reason":""}]}',
    ],
)
def test_a_damaged_line_is_reported_by_its_number(path: Path, line: bytes) -> None:
    head, first, last, _ = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([head, first, line, last, b""]))
    assert refusal(path) == (
        f"{path}: line 3 is damaged; delete it, and its games are played again"
    )


def test_an_unwritable_path_is_rejected(tmp_path: Path) -> None:
    way_out = "use another file"
    assert refusal(tmp_path / "none" / "run.jsonl") == (
        f"the journal {tmp_path}/none/run.jsonl cannot be written:"
        f" No such file or directory; {way_out}"
    )
    assert refusal(tmp_path).endswith(f"Is a directory; {way_out}")
    assert refusal(Path("/dev/null")).endswith(f"; {way_out}")


def test_without_a_file_scores_are_in_memory() -> None:
    with closing(Journal(None, PLAN)) as journal:
        journal.add(SCORES[0])
        assert journal.scores == {0: SCORES[0]}


def test_a_journal_in_use_by_another_run_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    writes = Journal(path, PLAN)
    with pytest.raises(NinefoldError, match="another run is using the journal"):
        Journal(path, PLAN)
    writes.close()
    Journal(path, PLAN).close()
