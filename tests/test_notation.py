from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Record, RecordError, Rules, Seat
from ninefold.notation import is_record, read, read_json, write_json, write_line
from ninefold.rulebooks import KEYS
from tests.schemas import load_schema
from tests.strategies import all_games

Write = Callable[[Record], str]
FORMS: tuple[Write, ...] = (write_line, write_json)
SCHEMA = load_schema("record")
OLD = Path(__file__).parent / "fixtures" / "records"
books = st.one_of(
    st.just(""), st.sampled_from(KEYS), st.from_regex(r"[a-z0-9]+", fullmatch=True)
)
records = st.builds(Record, all_games(), books)

SAMPLE = Record(
    Game.replay(Rules(Ending.EXACT, 100, (2, 3, 5, 7), 4), [5, 2], Seat.TWO, Seat.ONE),
    "mine",
)
LINE = "nf1.mine.exact100.in2-3-5-7.from4.first2.5x2.resign1"
RULES: dict[str, object] = {
    "ending": "exact",
    "target": 100,
    "multipliers": [2, 3, 5, 7],
    "start": 4,
}
JSON: dict[str, object] = {
    "ninefold": 1,
    "game": "mine",
    "rules": RULES,
    "first": 2,
    "moves": [5, 2],
    "resigned": 1,
    "total": 40,
    "outcome": {"winner": 2, "reason": "resigned"},
}


def test_both_forms_are_as_documented() -> None:
    assert write_line(SAMPLE) == LINE
    assert json.loads(write_json(SAMPLE)) == JSON


@given(records)
def test_reading_what_was_written_gives_the_same_record(record: Record) -> None:
    for write in FORMS:
        again = read(write(record))
        assert again == record
        assert again.game.outcome == record.game.outcome
    assert SCHEMA.accepts(json.loads(write_json(record)))


@given(records)
def test_a_line_needs_no_escaping_in_a_url(record: Record) -> None:
    assert re.fullmatch(r"[A-Za-z0-9.-]+", write_line(record))


def test_numbers_up_to_the_bounds_are_kept() -> None:
    rules = Rules(Ending.REACH, 10**1000 - 1, (10**999, 10**1000 - 1))
    record = Record(Game.replay(rules, [10**999, 10**1000 - 1]))
    assert record.game.total > 10**1998
    for write in FORMS:
        assert read(write(record)) == record


@given(records, st.sampled_from(FORMS), st.data())
def test_a_record_with_a_character_changed_is_read_as_something_else_or_refused(
    record: Record, write: Write, data: st.DataObject
) -> None:
    text = write(record)
    at = data.draw(st.integers(0, len(text) - 1))
    changed = (
        text[:at]
        + data.draw(st.sampled_from("0123456789x.-{}[]a\n\x00"))
        + text[at + 1 :]
    )
    with suppress(RecordError):
        again = read(changed)
        assert again != record or changed.split() == text.split()


@given(st.text())
def test_any_text_at_all_is_read_or_refused_with_a_place(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(text)
    assert re.match(r"(column|line) \d+|[a-z.]+", caught.value.place)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from([1, 2, "1", 10**5, "5" * 3000, 10**4200]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=4,
)


@given(records, json_values, st.data())
def test_json_with_any_value_in_any_place_is_read_or_refused_with_the_place(
    record: Record, value: object, data: st.DataObject
) -> None:
    content = json.loads(write_json(record))
    part = content
    while True:
        key = data.draw(st.sampled_from([*part, "extra"]))
        if not isinstance(part.get(key), dict) or data.draw(st.booleans()):
            break
        part = part[key]
    part[key] = value
    with suppress(RecordError):
        again = read(json.dumps(content))
        assert read(write_json(again)) == again
        assert SCHEMA.accepts(content)


@given(records, st.binary(max_size=3), st.data())
def test_json_with_any_bytes_in_it_is_read_or_refused_with_the_place(
    record: Record, junk: bytes, data: st.DataObject
) -> None:
    content = write_json(record).encode()
    at = data.draw(st.integers(0, len(content)))
    with suppress(RecordError):
        read_json((content[:at] + junk + content[at:]).decode(errors="surrogateescape"))


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("", "column 1: a record starts with nf1.; found nothing"),
        (
            "nf2.-.reach100",
            "column 1: unknown version; this ninefold reads only nf1; found nf2",
        ),
        ("nf1", "column 4: the record ends too early"),
        ("nf1.-", "column 6: the record ends too early"),
        ("nf1.No.reach100", "column 5: expected a rule book's key, or - for none"),
        ("nf1.-.touch100", "column 7: expected reach, avoid, exact and the target"),
        (
            "nf1.-.reach",
            "column 12: expected a whole number in plain digits; found nothing",
        ),
        (
            f"nf1.-.reach{'9' * 5000}",
            "column 12: the target has more than 1,000 digits",
        ),
        (f"nf1.-.reach9.in{'9' * 1001}", "column 16: the multiplier has more than 1,0"),
        (f"nf1.-.reach9.from{'9' * 1001}", "column 18: the start has more than 1,000"),
        (f"nf1.-.reach9.{'9' * 1001}", "column 14: the multiplier has more than 1,000"),
        (f"nf1.-.reach9.in{'-2' * 10**6}", "column 16: expected a whole number"),
        (f"nf1.-.reach9.in2{'-2' * 10**6}", "column 14: use at most 100"),
        (f"nf1.-.reach9.2{'x2' * 10**6}", "column 22: the game is over"),
        ("nf1.-.reach100.5\u2028nf1.-.reach100", "column 16: expected a whole number"),
        ("nf1.-.reach0100", "column 12: expected a whole number"),
        ("nf1.-.reach1", "column 7: the target must be greater than the start"),
        ("nf1.-.reach100.in2-1", "column 16: a multiplier must be at least 2"),
        ("nf1.-.reach100.in2-x", "column 20: expected a whole number"),
        (
            "nf1.-.reach100.from100",
            "column 7: the target must be greater than the start",
        ),
        ("nf1.-.reach100.in2-1.from3", "column 16: a multiplier must be at least 2"),
        ("nf1.-.reach100.in2-3.from0", "column 22: the start must be at least 1"),
        ("nf1.-.reach100.in2-3.from100", "column 7: the target must be greater"),
        ("nf1.-.reach0", "column 7: the target must be greater than the start"),
        ("nf1.-.reach100.5x0", "column 18: 0 is not a multiplier here"),
        (
            "nf1.-.reach100.5\n\nrubbish\x1b",
            r"line 3: expected the end of the record; found rubbish\x1b",
        ),
        ("\n  nf1.-.reach100.5x1", "column 20: 1 is not a multiplier here"),
        ("\n  nf1.-.reach100\n6\n", "line 3: expected the end of the record; found 6"),
        ("rubbish\nof two lines", "column 1: a record starts with nf1.; found rubbish"),
        ("nf1.-.reach100.first3", "column 21: expected 1 or 2; found 3"),
        ("nf1.-.reach100.5x12x2", "column 18: 12 is not a multiplier here"),
        ("nf1.-.reach100.5xx2", "column 18: expected a whole number"),
        ("nf1.-.reach100.9x9x9x9", "column 22: the game is over, Player 1 has won"),
        ("nf1.-.reach100.9x9x9.resign1", "column 22: the game is over"),
        ("nf1.-.reach100.5.resign", "column 24: expected 1 or 2; found nothing"),
        ("nf1.-.reach100.5.6", "column 18: expected the end of the record; found 6"),
        ("nf1.-.reach100.5 rubbish", "column 16: expected a whole number"),
        ("nf1.-.reach100.first2.in2-3", "column 23: expected the end of the record"),
        ("nf1.-.reach100.", "column 16: expected the end of the record; found nothing"),
    ],
)
def test_a_broken_line_is_refused_with_its_column(line: str, place: str) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(place)}"):
        read(line)


@pytest.mark.parametrize("write", FORMS)
def test_blanks_around_a_record_are_ignored(
    write: Callable[[Record], str],
) -> None:
    assert read(f"\n \n {write(SAMPLE)} \n\n") == SAMPLE


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"ninefold": 2}, "ninefold: expected version 1"),
        ({"rules": []}, "rules: expected an object, in braces"),
        (
            {"rules": RULES | {"ending": "touch"}},
            "rules.ending: expected reach, avoid or exact",
        ),
        (
            {"rules": RULES | {"ending": []}},
            "rules.ending: expected reach, avoid or exact",
        ),
        ({"rules": RULES | {"target": 4}}, "rules: the target must be greater"),
        ({"rules": RULES | {"target": -4}}, "rules: the target must be greater"),
        ({"rules": RULES | {"start": 0}}, "rules: the start must be at least 1"),
        (
            {"rules": RULES | {"multipliers": [1]}},
            "rules: a multiplier must be at least 2",
        ),
        (
            {"rules": RULES | {"target": 1e2}},
            "rules.target: expected a whole number",
        ),
        (
            {"rules": RULES | {"extra": 4}},
            "rules.extra: unknown key",
        ),
        ({"rules": {"ending": "reach"}}, "rules.target: this key is missing"),
        ({"ninefold": True}, "ninefold: expected version 1"),
        ({"first": 3}, "first: expected 1 or 2"),
        ({"first": "2"}, "first: expected 1 or 2"),
        ({"moves": 5}, "moves: expected a list"),
        ({"moves": [5, "6"]}, "moves[1]: 6 is not a multiplier here"),
        ({"moves": [5, None]}, "moves[1]: expected a whole number"),
        ({"moves": [5, "6\n"]}, "moves[1]: expected a whole number"),
        (
            {"moves": [5, "9" * 2001]},
            "moves[1]: expected a whole number",
        ),
        (
            {"moves": [10**2001]},
            "moves[0]: 100000...000000 (2,002 digits) is not a mult",
        ),
        ({"moves": [2] * 10**6}, "moves[5]: the game is over"),
        ({"game": "key\n"}, "game: 'key' is not a valid key"),
        ({"moves": [5, 5]}, "resigned: the game is over"),
        ({"resigned": 3}, "resigned: expected 1, 2 or null"),
        ({"game": "No key"}, "game: expected a rule book's key or null"),
        ({"game": 5}, "game: expected a rule book's key or null"),
        ({"total": 41}, "total: the moves give 40"),
        ({"total": 40.0}, "total: expected a whole number"),
        ({"total": True}, "total: expected a whole number"),
        ({"total": None}, "total: expected a whole number"),
        ({"outcome": None}, "outcome: the moves give {"),
        ({"outcome": 5}, "outcome: expected an object, in braces or null"),
        ({"outcome": {"winner": 2}}, "outcome.reason: this key is missing"),
        (
            {"outcome": {"winner": 2.0, "reason": "resigned"}},
            "outcome.winner: expected 1 or 2",
        ),
        (
            {"outcome": {"winner": True, "reason": "resigned"}},
            "outcome.winner: expected 1 or 2",
        ),
        (
            {"outcome": {"winner": 2, "reason": ["x"]}},
            "outcome.reason: expected reached, ",
        ),
        (
            {"outcome": {"winner": 2, "reason": "exact", "a": 1}},
            "outcome.a: unknown key",
        ),
        ({"resigned": None}, "outcome: the moves give null"),
        ({"outcome": {"winner": 1, "reason": "exact"}}, "outcome: the moves give {"),
        ({"rubbish": 1}, "rubbish: unknown key"),
    ],
)
def test_broken_json_is_refused_with_its_key(
    change: dict[str, object], place: str
) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(place)}"):
        read(json.dumps(JSON | change))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("{", "line 1, column 2: this is not JSON: it ends too early"),
        ('\n{"a" 1}', "line 2, column 6: this is not JSON: expected ':'"),
        ('{"ninefold": 1.5e999}', "ninefold: expected version 1"),
        (
            f'{{"moves": [{"9" * 5000}]}}',
            "moves[0]: expected a whole number",
        ),
        ('{"": 1}', "line 1: unknown key"),
        ('{"game": "\ud800"}', "line 1, column 11: this is not UTF-8 text"),
    ],
)
def test_invalid_json_is_rejected_with_its_place(text: str, place: str) -> None:
    with pytest.raises(RecordError, match=f"^{re.escape(place)}"):
        read(text)


def test_text_after_a_json_record_is_rejected() -> None:
    with pytest.raises(RecordError, match=r"line 2, column .: this is not JSON: trail"):
        read(write_json(SAMPLE) + "\n {}")


def test_the_last_of_repeated_json_keys_counts() -> None:
    text = write_json(SAMPLE).replace('"first": 2', '"first": 1, "first": 2')
    assert read(text) == SAMPLE


def test_a_separator_that_is_no_line_feed_starts_no_new_line() -> None:
    for separator in "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029":
        with pytest.raises(RecordError, match=r"^column 16: "):
            read(f"nf1.-.reach100.5{separator}rubbish")


def test_a_json_record_needs_no_more_than_rules_first_and_moves() -> None:
    short = {key: JSON[key] for key in ("ninefold", "rules", "first", "moves")}
    assert read(json.dumps(short)) == Record(SAMPLE.game.undo())


def test_a_long_total_is_read_in_both_of_its_forms() -> None:
    record = Record(Game.replay(Rules(Ending.REACH, 10**20), [9] * 17))
    text = write_json(record)
    assert '"total": "16677181699666569"' in text
    assert read(text.replace('"16677181699666569"', "16677181699666569")) == record


def test_a_record_is_told_from_a_file_name_by_its_start() -> None:
    assert all(is_record(write(SAMPLE)) for write in FORMS)
    assert is_record("nf2.something.else")
    for name in ("games/nf1.txt", "nf1", "nf.txt", "nfl.season"):
        assert not is_record(name)


def test_a_key_is_of_small_letters_digits_and_hyphens() -> None:
    with pytest.raises(
        RecordError, match="'No Key' is not a valid key; use a-z, 0-9 and hyphens"
    ):
        Record(SAMPLE.game, "No Key")


BEYOND_THE_BOUNDS = {
    "target-1500-digits": "the target has more than 1,000 digits",
    "150-multipliers": "use at most 100 multipliers",
}
WRITTEN = sorted({path.stem for path in OLD.glob("[!l]*")} | {"long-all"})


@pytest.mark.parametrize("name", [n for n in WRITTEN if n not in BEYOND_THE_BOUNDS])
def test_a_record_of_the_previous_version_is_read_and_written_the_same(
    name: str,
) -> None:
    line, in_json = (
        (OLD / f"{name}.{form}").read_text(encoding="utf-8")
        for form in ("line", "json")
    )
    record = read(line)
    assert record == read(in_json)
    assert write_line(record) == line.rstrip("\n")
    assert write_json(record) == in_json.rstrip("\n")


@pytest.mark.parametrize("form", ["line", "json"])
@pytest.mark.parametrize(("name", "sentence"), BEYOND_THE_BOUNDS.items())
def test_a_record_beyond_the_bounds_is_refused_with_the_bound(
    name: str, sentence: str, form: str
) -> None:
    with pytest.raises(RecordError, match=sentence):
        read((OLD / f"{name}.{form}").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "same_as"),
    [
        ("blanks.line", "finished-exact"),
        ("long-as-numbers.json", "long-all"),
        ("shuffled-indented.json", "everything"),
    ],
)
def test_a_record_written_in_an_unusual_way_is_read_as_before(
    name: str, same_as: str
) -> None:
    usual = (OLD / f"{same_as}.line").read_text(encoding="utf-8")
    assert read((OLD / f"lenient-{name}").read_bytes().decode()) == read(usual)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("shortest.json", "nf1.-.avoid1000.in2-3-5-7.from3.first2.5x3x2"),
        ("nulls.json", "nf1.-.avoid1000.in2-3-5-7.from3.first2.5x3x2"),
        ("unsorted-multipliers.line", "nf1.-.reach100.in2-5-9.5x9x9"),
        ("defaults-written.line", "nf1.-.reach100.5"),
    ],
)
def test_a_record_that_says_less_or_more_than_usual_is_read_as_before(
    name: str, line: str
) -> None:
    content = (OLD / f"lenient-{name}").read_text(encoding="utf-8")
    assert write_line(read(content)) == line


def test_short_numbers_are_read_from_strings_but_seats_and_versions_are_not() -> None:
    content = (OLD / "lenient-short-as-strings.json").read_text(encoding="utf-8")
    with pytest.raises(RecordError, match=r"^ninefold: expected version 1$"):
        read(content)
    for key in ("ninefold", "first", "resigned", "winner"):
        content = re.sub(rf'("{key}": )"([12])"', r"\1\2", content)
    assert read(content) == read((OLD / "everything.line").read_text(encoding="utf-8"))
