"""Files and exports of version 1: what becomes of everything in the fixtures.

``tests/fixtures/v1/README.md`` lists what they hold.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ninefold import (
    DamagedMatch,
    ExportError,
    OutOfStep,
    RulesError,
    Seat,
    UnknownMatch,
)
from ninefold.errors import BeyondBounds
from ninefold.session import Move, NextGame, Resign, Retry
from ninefold.store import (
    Append,
    Imported,
    KeptMatch,
    OldMatch,
    Store,
    export_lines,
    import_lines,
)
from ninefold.store.database import SqliteDatabase
from ninefold.store.migrations import MIGRATIONS
from ninefold.store.sqlite import SqliteStore
from tests.store.stores import START, Clock, in_folder

FIXTURES = Path(__file__).parents[1] / "fixtures" / "v1"
LINES = (FIXTURES / "export.jsonl").read_text(encoding="utf-8").splitlines()
FAR = datetime(9999, 12, 31, tzinfo=UTC)
README = (FIXTURES / "README.md").read_text(encoding="utf-8")
LISTED = re.compile(
    r"^\| (?P<id>.+?) \| (?P<state>over|set aside.*?|unfinished.*?)"
    r" \| (?P<games>\d+) \| (?P<score>\d+-\d+) \| ",
    re.MULTILINE,
)


def copy_of(name: str, folder: Path) -> SqliteStore:
    shutil.copy(FIXTURES / name, folder / "games.db")
    return in_folder(folder)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with copy_of("games.db", tmp_path) as opened:
        yield opened


@pytest.fixture
def damaged(tmp_path: Path) -> Iterator[Store]:
    with copy_of("damaged.db", tmp_path) as opened:
        yield opened


def matches_of_version_1() -> dict[str, dict[str, object]]:
    lines = map(json.loads, LINES)
    return {line["id"]: line for line in lines if line["kind"] == "match"}


BEYOND = {
    "44-seed-5000-digits": "a seed is a whole number",
    "51-names-cjk-emoji": "a name has 1 to 40 printable characters",
    "52-names-quotes": "a name has 1 to 40 printable characters",
    "53-names-escape-bidi": "a name has 1 to 40 printable characters",
    "54-name-300": "a name has 1 to 40 printable characters",
    "55-names-equal": "both players are called Ada",
    "57-names-controls": "a name has 1 to 40 printable characters",
    "60-level-unknown": "'grandmaster' is no level",
    "64-book-none": "'' is no game",
    "65-book-none-over": "'' is no game",
    "66-book-unknown": "'no-such-book' is no game",
    "67-book-text-no-toml": "this is not TOML",
    "76-target-1500-digits": "the target has more than 1,000 digits",
    "77-target-1500-digits-mid": "the target has more than 1,000 digits",
    "78-150-multipliers": "a set holds at most 100 multipliers",
    "79-150-multipliers-over": "a set holds at most 100 multipliers",
    "7b-101-multipliers": "a set holds at most 100 multipliers",
    "80-first-to-long": "a match takes a number from 1 to 1,000",
}
"""What cannot be played any more, and the sentence that says why."""


# The file


def test_every_match_is_either_playable_or_says_why_not(store: Store) -> None:
    for match_id, line in matches_of_version_1().items():
        if match_id in BEYOND:
            with pytest.raises(BeyondBounds) as refused:
                store.match(match_id)
            assert BEYOND[match_id] in refused.value.problem
            assert refused.value.match_id == match_id
        else:
            kept = store.match(match_id)
            games = line["games"]
            assert isinstance(games, list)
            session = kept.session
            ended = [game for game in games if game["ended_at"] is not None]
            assert [[*game.moves] for game in session.match.games] == [
                [*map(int, game["moves"])] for game in ended
            ]
            if games:
                assert [*session.game.moves] == [*map(int, games[-1]["moves"])]
    assert store.take_notices() == ()


def test_states_and_scores_are_what_they_were(store: Store) -> None:
    history = store.history()
    unfinished = {row.id: row for row in store.unfinished()}
    found = 0
    for row in LISTED.finditer(README):
        (match_id,) = [
            each
            for each in matches_of_version_1()
            if row["id"] in (f"`{each}`", f"`{each!a}`")
            or (row["id"].startswith("`92-`") and each.startswith("92-"))
        ] or [""]
        games = [game for game in history if game.match_id == match_id]
        # A match always has its first game now, be it without a move.
        assert len(games) == max(int(row["games"]), 1)
        score = tuple(map(int, row["score"].split("-")))
        assert games[0].score == score
        assert (match_id in unfinished) is row["state"].startswith("unfinished")
        if match_id in unfinished:
            listed = unfinished[match_id]
            assert listed.score == score
            assert (listed.beyond is not None) is (match_id in BEYOND)
            if row["state"] == "unfinished between games":
                assert listed.total is None
            elif total := re.fullmatch(r"unfinished at (\d+)", row["state"]):
                assert listed.total == int(total[1])
        found += 1
    assert found == 84
    assert len(history) == store.count() == 126
    assert len(unfinished) == 50


def test_unfinished_matches_come_in_the_order_they_had(store: Store) -> None:
    told = re.search(
        r"^`unfinished\(\)`, last played first: (.*)\.$", README, re.MULTILINE
    )
    assert told is not None
    ids = [row.id for row in store.unfinished()]
    assert len(ids) == told[1].count(", ") + 1
    assert ids[:3] == ["t3-9999", "a1", ""]
    assert ids[-3:] == ["08-own-book-mid", "t7-zone", "t1-1969"]
    plain = [match_id for match_id in ids if f"`{match_id}`" in told[1]]
    assert plain == sorted(plain, key=lambda match_id: told[1].index(f"`{match_id}`"))
    assert store.find("10", unfinished=True) == [
        "10c-alternate-mid",
        "10b-alternate-between",
    ]


def test_a_log_is_made_from_moves_resignations_and_starts(store: Store) -> None:
    kept = store.match("23-resigned-in-series")
    assert kept.commands[-2:] == (NextGame(kept.session.game.first), Move(3))
    assert [type(command) for command in kept.commands].count(Resign) == 2
    first, *_, last = kept.log
    assert first.number == 1
    assert last.at == kept.changed_at
    assert store.match("17-no-games").log == store.match("15-just-begun").log == ()
    retried = store.match("34-retry")
    assert retried.commands[:3] == (Retry(()), Move(5), Move(6))
    assert retried.session.is_retry
    (row,) = [row for row in store.history() if row.match_id == "34-retry"]
    assert row.is_retry
    assert row.ended_at == retried.changed_at


def test_what_was_agreed_is_kept(store: Store) -> None:
    lessons = {
        match_id: store.match(match_id).setup.lessons
        for match_id in ("30-coach", "31-coach-no-give-backs", "32-mental")
    }
    assert (lessons["30-coach"].coach, lessons["30-coach"].give_backs) == (True, 5)
    assert lessons["31-coach-no-give-backs"].give_backs == 0
    assert lessons["32-mental"].mental
    assert store.match("33-first-tossed").setup.first_tossed
    assert store.match("42-seed-negative").setup.seed == -5
    assert store.match("40-seed-none").setup.seed == 0
    for odd in ("36-options-unknown-keys", "37-options-empty", "38-options-odd-values"):
        assert store.match(odd).setup.lessons.give_backs == 3
    assert not (store.match("08-own-book-mid").setup.book_text or "").isascii()
    assert store.match("07-two-computers").setup.levels == ("expert", "planner")


def test_every_playable_match_goes_on(store: Store) -> None:
    for row in store.unfinished():
        if row.beyond is None:
            session = store.match(row.id).session
            command = session.proposal() or Move(session.setup.rules.multipliers[0])
            store.append(Append(row.id, session.revision + 1, (command,)))
            assert store.match(row.id).commands == (*session.log, command)


def test_games_beyond_the_bounds_are_listed_but_not_reviewed(store: Store) -> None:
    rows = {row.match_id: row for row in store.history()}
    long = rows["76-target-1500-digits"]
    assert long.rules is None
    assert long.beyond is not None
    assert (long.winner, long.reason, long.score) == (Seat.TWO, "reached", (0, 1))
    assert len(str(long.total)) > 1_500
    assert json.loads(long.rules_json)["target"].startswith("123456789")
    with pytest.raises(RulesError, match="more than 1,000 digits"):
        long.game()
    assert rows["53-names-escape-bidi"].game().total == 5  # it can be reviewed
    assert rows["65-book-none-over"].record().book == ""


def test_a_match_beyond_the_bounds_can_be_set_aside_but_not_go_on(store: Store) -> None:
    with pytest.raises(BeyondBounds, match="cannot be played any more"):
        store.append(Append("78-150-multipliers", 1, (Move(5),)))
    store.set_aside("78-150-multipliers")
    assert "78-150-multipliers" not in {row.id for row in store.unfinished()}
    (line,) = (line for line in export_lines(store) if '"78-150-mult' in line)
    before = matches_of_version_1()["78-150-multipliers"]
    time = "2026-01-31T09:30:02.000000+00:00"
    assert json.loads(line) == before | {"changed_at": time, "set_aside_at": time}


def test_matches_beyond_the_bounds_are_exported_unchanged(store: Store) -> None:
    entries = [*store.entries()]
    lines = [*export_lines(store)]
    assert len(lines) == len(LINES) == 141
    old = {entry.id for entry in entries if isinstance(entry, OldMatch)}
    assert old == BEYOND.keys()
    for entry, line, before in zip(entries, lines, LINES, strict=True):
        assert json.loads(before)["id"] == entry.id  # in the same order
        assert isinstance(entry, OldMatch) is (line == before)


def test_answers_and_attempts_belong_to_the_first_learner_named(store: Store) -> None:
    assert store.learners() == ["Ada"]
    answers, attempts = store.answers("Ada"), store.attempts("Ada")
    assert (len(answers), len(attempts)) == (24, 33)
    assert sum(answer.right for answer in answers) == 16
    assert sum(attempt.right for attempt in attempts) == 18
    assert {answer.seconds for answer in answers} == {None}
    due = store.due(FAR)
    assert len(due) == 12
    listed = [
        f"| `{each.puzzle}` | {each.box} | {each.due_at.isoformat()} |" for each in due
    ]
    assert sum(line in README for line in listed) == 9  # three are written differently


def test_the_version_before_is_converted_once(tmp_path: Path) -> None:
    with copy_of("games.db", tmp_path) as store:
        before = [*store.entries()]
    for _ in range(2):
        with in_folder(tmp_path) as store:
            assert [*store.entries()] == before
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection:
        left = connection.execute("SELECT count(*) FROM matches_1").fetchone()
        version = connection.execute("PRAGMA user_version").fetchone()
    assert (left, version) == ((0,), (3,))


def test_a_kill_while_a_file_is_converted_leaves_it_as_it_was(tmp_path: Path) -> None:
    with copy_of("games.db", tmp_path):
        pass

    def die(_: sqlite3.Connection) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        database = SqliteDatabase(
            tmp_path, Clock(), patience=1, migrations=(*MIGRATIONS, die)
        )
        with database.reading():
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    with in_folder(tmp_path) as store:
        assert store.count() == 126
        assert store.take_notices() == ()


def test_numbers_had_no_bound(tmp_path: Path) -> None:
    copy_of("games.db", tmp_path)
    long = "9" * 6_000
    with closing(sqlite3.connect(tmp_path / "games.db")) as connection, connection:
        rules = f'{{"ending": "reach", "target": "{long}", "multipliers": ["{long}"], "start": 1}}'
        connection.execute(
            "UPDATE matches SET rules = ? WHERE id = '20-resigned'", (rules,)
        )
        connection.execute(
            "UPDATE games SET moves = ?, resigned = NULL WHERE match_id = '20-resigned'",
            (f'["{long}"]',),
        )
    with in_folder(tmp_path) as store:
        (row,) = [row for row in store.history() if row.match_id == "20-resigned"]
        assert row.total == 10**6000 - 1 == row.moves[0]
        assert row.winner is Seat.ONE
        with pytest.raises(BeyondBounds):
            store.match("20-resigned")


# The damaged file


def test_damaged_matches_are_left_as_they_are_with_a_notice(
    damaged: Store, tmp_path: Path
) -> None:
    assert [row.id for row in damaged.unfinished()] == [
        "bad-setup-key-twice",  # the last of two keys counts now
        "sound-1",
    ]
    notices = damaged.take_notices()
    assert len(notices) == 21
    assert all("is damaged and left as it is (" in notice for notice in notices)
    expected = (FIXTURES / "expected" / "damaged-history.err").read_text("utf-8")
    for notice in notices:
        match_id = notice.split()[1]
        assert f"match {match_id} " in expected
        with pytest.raises(UnknownMatch if match_id[:2] == "no" else DamagedMatch):
            damaged.match(match_id)
    assert [row.match_id for row in damaged.history()] == [
        "sound-2",
        "bad-setup-key-twice",
        "sound-1",
        "sound-1",
    ]
    damaged.unfinished()
    assert damaged.take_notices() == notices
    damaged.close()
    with (
        closing(sqlite3.connect(FIXTURES / "damaged.db")) as before,
        closing(sqlite3.connect(tmp_path / "games.db")) as after,
    ):
        for connection in (before, after):
            connection.text_factory = bytes
        rows = {row[0]: row for row in before.execute("SELECT * FROM matches")}
        left = after.execute("SELECT * FROM matches_1").fetchall()
        assert len(left) == 20
        assert all(row[:-1] == rows[row[0]] for row in left)
        games = {row[:2]: row for row in before.execute("SELECT * FROM games")}
        kept = after.execute("SELECT * FROM games_1").fetchall()
        assert all(row == games[row[:2]] for row in kept)
        assert len(kept) == len(games) - 4


@pytest.mark.parametrize(
    ("match_id", "problem"),
    [
        ("bad-move-refused", "games[0].moves[1]: 1 is not a multiplier here"),
        ("bad-move-after-end", "games[0].moves[3]: the game is over"),
        ("bad-moves-not-json", "this is not JSON"),
        ("bad-moves-true", "games[0].moves[0]: expected a whole number"),
        ("bad-moves-no-utf8", "this is not JSON"),
        ("bad-game-missing", "game 2: this game of the match is missing"),
        ("bad-game-after-match", "games[1]: the match is over"),
        ("bad-starter", "games[1]: Player 2 starts game 2"),
        ("bad-resigned-after-end", "games[0].resigned: the game is over"),
        ("bad-no-end-time", "games[0].ended_at: a game has a time of its end"),
        ("bad-setup-list", "setup: expected an object, in braces"),
        ("bad-setup-not-json", "setup: expected an object, in braces"),
        ("bad-setup-unknown-key", "extra: no record has this key"),
        ("bad-setup-nan", "setup: expected an object"),
        ("bad-setup-half-character", "setup: expected an object"),
        ("bad-best-of-even", "length: best of takes an odd number"),
        ("bad-rules-target", "rules.target: the target must be above the start"),
        ("bad-time", "begun_at: expected a time such as"),
        ("bad-time-no-zone", "changed_at: expected a time such as"),
        ("bad-book-key", "book: 'No Key!' is no rule book's key"),
    ],
)
def test_each_kind_of_damage_is_named(
    damaged: Store, match_id: str, problem: str
) -> None:
    with pytest.raises(DamagedMatch, match=re.escape(problem)):
        damaged.match(match_id)
    with pytest.raises(DamagedMatch):
        damaged.append(Append(match_id, 1, (Move(2),)))
    with pytest.raises(DamagedMatch):
        damaged.set_aside(match_id)


def test_damaged_answers_and_attempts_are_left_out(damaged: Store) -> None:
    assert [answer.id for answer in damaged.answers()] == ["a1", "a4"]
    assert [attempt.id for attempt in damaged.attempts()] == ["p1", "p3"]
    assert len(damaged.due(FAR)) == 2
    assert [notice.split(" is damaged")[0] for notice in damaged.take_notices()] == [
        "entry a2",
        "entry a3",
        "entry p2",
        "entry nf1.multiplication-madness.reach40.2",
    ]


def test_what_is_sound_in_a_damaged_file_is_exported(damaged: Store) -> None:
    assert [entry.id for entry in damaged.entries()] == [
        *("sound-1", "bad-setup-key-twice", "sound-2"),
        *("a1", "a4", "p1", "p3"),
    ]


def test_a_damaged_match_is_not_replaced_by_an_import(damaged: Store) -> None:
    kept = damaged.match("sound-1")
    other = KeptMatch("bad-starter", kept.setup, kept.log, START, START)
    assert damaged.take_in([other]) == Imported(differing=1)
    assert "match bad-starter is damaged" in damaged.take_notices()[0]


# Exports


def importable(lines: list[str]) -> Iterator[str]:
    with in_folder(None) as store:
        for line in lines:
            with suppress(ExportError):
                if not import_lines(store, [line]).left_out:
                    yield line


def test_lines_of_version_1_are_imported_as_a_file_is_converted(store: Store) -> None:
    lines = [*importable(LINES)]
    with in_folder(None) as other:
        assert import_lines(other, lines) == Imported(added=len(lines))
        assert import_lines(other, lines) == Imported(known=len(lines))
        here = {*export_lines(store)}
        assert {*export_lines(other)} < here
        matches = [each for each in other.entries() if isinstance(each, KeptMatch)]
        assert len(matches) == 58  # 18 beyond, 3 years and 5 ids apart
        assert import_lines(store, lines) == Imported(known=len(lines))


@pytest.mark.parametrize(
    ("beginning", "problem"),
    [
        ('"id": "t2-0001"', "begun_at: expected a time in the years 1970 to 2200"),
        ('"id": "t1-1969"', "begun_at: expected a time in the years 1970 to 2200"),
        ('"id": "t3-9999"', "begun_at: expected a time in the years 1970 to 2200"),
        ('"id": "44-', "seed: a seed is a whole number up to"),
        ('"id": "53-', "names: a name has 1 to 40 printable characters"),
        ('"id": "55-', "names: both players are called Ada"),
        ('"id": "60-', "players: 'grandmaster' is no level"),
        ('"id": "66-', "book: 'no-such-book' is no game"),
        ('"id": "76-', "rules.target: the target has more than 1,000 digits"),
        ('"id": "78-', "rules.multipliers: a set holds at most 100 multipliers"),
        ('"id": "80-', "length: a match takes a number from 1 to 1,000"),
        (r'"id": "91-\u001b[31mid"', "id: expected 1 to 100 printable characters"),
        ('"id": "92-', "id: expected 1 to 100 printable characters"),
        (r'"id": "93-', "id: expected 1 to 100 printable characters"),
        ('"match", "id": ""', "id: expected 1 to 100 printable characters"),
    ],
)
def test_a_match_of_version_1_beyond_the_bounds_is_left_out_and_named(
    beginning: str, problem: str
) -> None:
    (line,) = (line for line in LINES if beginning in line[:200])
    with in_folder(None) as store:
        expected = Imported(added=1, left_out=1)
        assert import_lines(store, [LINES[9], line]) == expected
        (notice,) = store.take_notices()
        assert f"was left out ({problem}" in notice
        assert len([*store.entries()]) == 1


def test_an_attempt_of_version_1_beyond_the_bounds_is_refused() -> None:
    (line,) = (line for line in LINES if '"id": "q5-' in line[:200])
    with in_folder(None) as store:
        with pytest.raises(
            ExportError, match=r"^line 2: puzzle: expected 1 to 200,000"
        ):
            import_lines(store, [LINES[9], line])
        assert [*store.entries()] == []


def test_matches_that_cannot_be_played_hold_nothing_else_back() -> None:
    matches = [line for line in LINES if '"kind": "match"' in line[:60]]
    with in_folder(None) as store:
        assert import_lines(store, matches) == Imported(added=58, left_out=26)


def changed(**changes: object) -> str:
    return json.dumps(matches_of_version_1()["23-resigned-in-series"] | changes)


GAME = {"first": 1, "moves": [], "begun_at": "2026-01-01T00:00:00Z"}
ENDED = GAME | {"resigned": 1, "ended_at": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"length": {}}, "length.first_to: this key is missing"),
        ({"length": {"first_to": 0}}, "length: a match takes a number from 1"),
        ({"length": {"best_of": 10**20}}, "length: best of takes an odd number"),
        ({"games": [GAME, GAME]}, r"games\[1\]: a game is begun once the one before"),
        ({"games": [GAME | {"first": 2}]}, r"games\[0\]: Player 1 starts game 1"),
        (
            {"rules": {"ending": "avoid", "target": 9, "multipliers": [], "start": 1}},
            "rules.multipliers: there must be at least one multiplier",
        ),
        (
            {
                "rules": {
                    "ending": "avoid",
                    "target": "9" * 1001,
                    "multipliers": [2, 2],
                    "start": 1,
                }
            },
            "rules.multipliers: each multiplier stands once",
        ),
        ({"options": []}, "options: expected an object"),
    ],
)
def test_a_line_that_version_1_would_refuse_is_refused(
    change: dict[str, object], problem: str
) -> None:
    with in_folder(None) as store:
        with pytest.raises(ExportError, match=f"^line 1: {problem}"):
            import_lines(store, [changed(**change)])
        assert [*store.entries()] == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"length": {"best_of": 10**20 + 1}}, "length: best of takes an odd number"),
        (
            {"games": [ENDED | {"ended_at": "2300-01-01T00:00:00Z"}]},
            "games[0].ended_at: expected a time in the years",
        ),
        (
            {"games": [GAME | {"begun_at": "1960-01-01T00:00:00Z"}]},
            "games[0].begun_at: expected a time in the years",
        ),
        ({"set_aside_at": "1960-01-01T00:00:00Z"}, "set_aside_at: expected a time in"),
    ],
)
def test_a_match_with_odd_times_or_lengths_is_left_out(
    change: dict[str, object], problem: str
) -> None:
    with in_folder(None) as store:
        assert import_lines(store, [changed(**change)]) == Imported(left_out=1)
        (notice,) = store.take_notices()
        assert f"was left out ({problem}" in notice


@pytest.mark.parametrize(
    ("give_backs", "expected"),
    [(-1, 0), (0, 0), (7, 7), (1000, 1000), (1001, 1000), (10**50, 1000), (1.5, 3)],
)
def test_give_backs_are_kept_within_bounds(give_backs: float, expected: int) -> None:
    with in_folder(None) as store:
        import_lines(store, [changed(options={"give_backs": give_backs})])
        (kept,) = store.entries()
        assert isinstance(kept, KeptMatch)
        assert kept.setup.lessons.give_backs == expected


def test_a_retry_of_several_games_is_an_ordinary_match() -> None:
    with in_folder(None) as store:
        import_lines(store, [changed(options={"retry": True})])
        (kept,) = store.entries()
        assert isinstance(kept, KeptMatch)
        assert not kept.session.is_retry


def test_a_match_of_version_1_that_was_set_aside_stays_so(store: Store) -> None:
    (line,) = (line for line in LINES if '"27-set-aside"' in line)
    with in_folder(None) as other:
        import_lines(other, [line])
        assert other.match("27-set-aside") == store.match("27-set-aside")
        assert other.unfinished() == []


def test_a_match_beyond_the_bounds_stays_as_it_is_here(store: Store) -> None:
    line = changed(id="78-150-multipliers")
    assert import_lines(store, [line]) == Imported(differing=1)
    assert store.take_notices() == ()


def test_an_entry_beyond_the_bounds_is_left_out(store: Store) -> None:
    old = next(entry for entry in store.entries() if isinstance(entry, OldMatch))
    with in_folder(None) as other:
        assert other.take_in([old]) == Imported(left_out=1)
        with pytest.raises(OutOfStep):
            store.append(Append("15-just-begun", 2, (Move(2),)))
