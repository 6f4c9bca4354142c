from __future__ import annotations

import copy
import pickle
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import (
    Ending,
    Game,
    Length,
    Match,
    Rulebook,
    RulebookError,
    Rules,
    Seat,
    UnknownRulebook,
    rulebooks,
)
from ninefold.rulebooks import KEYS, Narrator, Words, find, load, parse
from ninefold.rulebooks.move_parser import EntryProblem
from ninefold.rulebooks.rulebook import MOMENTS, fill, moments_of, names_in
from tests.program import SAMPLES, assert_golden
from tests.strategies import all_games, all_matches

BOOKS = [load(key) for key in KEYS]
FOLDER = Path(rulebooks.__file__).parent / "books"
DOCS = Path(__file__).parent.parent / "docs"
OPTIONAL = {"varied", "prompt_set", "confirm"}

by_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)


def narrate(book: Rulebook, game: Game) -> str:
    return Narrator(book, game.rules).transcript(game)


@by_book
def test_the_sample_comes_out_byte_for_byte(book: Rulebook) -> None:
    moves = [int(line) for line in (SAMPLES / f"{book.key}.in").read_text().split()]
    sample = (SAMPLES / f"{book.key}.out").read_text()
    target = 1000 if "1000" in sample else 100
    game = Game.replay(replace(book.rules, target=target), moves)
    assert narrate(book, game) == sample


def test_the_five_are_the_files_in_the_package() -> None:
    assert sorted(KEYS) == sorted(path.stem for path in FOLDER.glob("*.toml"))


@pytest.mark.parametrize(
    ("key", "ending", "target", "settles"),
    [
        ("multiplication-madness", Ending.REACH, 100, ("first", "length")),
        ("multiplication-showdown", Ending.EXACT, 100, ("first", "length")),
        ("multiplier", Ending.AVOID, 1000, ("target", "first", "length")),
        ("multiplier-showdown", Ending.REACH, 1000, ("target", "length")),
        ("multiplication-duel", Ending.EXACT, 100, ("first", "length")),
    ],
)
def test_the_rules_are_those_of_the_rule_book(
    key: str, ending: Ending, target: int, settles: tuple[str, ...]
) -> None:
    book = load(key)
    assert book.rules == Rules(ending, target)
    assert book.settles == settles
    assert book.take_back is (key != "multiplication-madness")


@by_book
def test_every_moment_has_words_of_its_own(book: Rulebook) -> None:
    written = tomllib.loads((FOLDER / f"{book.key}.toml").read_text())["words"]
    assert set(moments_of(book.rules.ending)) - OPTIONAL <= written.keys()


def test_every_moment_is_a_field_of_words() -> None:
    assert set(MOMENTS) == set(Words.__struct_fields__)


@by_book
def test_a_rule_book_never_changes(book: Rulebook) -> None:
    assert hash(book) == hash(replace(book, title=book.title))
    assert pickle.loads(pickle.dumps(book)) == copy.deepcopy(book) == book
    with pytest.raises(AttributeError, match="immutable"):
        book.title = "Another"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        book.words.turn = "Another"  # type: ignore[misc]


@by_book
@given(game=all_games())
def test_every_game_has_a_transcript(book: Rulebook, game: Game) -> None:
    game = Game.start(
        Rules(
            book.rules.ending,
            game.rules.target,
            game.rules.multipliers,
            game.rules.start,
        ),
        first=game.first,
    )
    while game.outcome is None and len(game.moves) < 6:
        game = game.play(game.rules.multipliers[-1])
    told = narrate(book, game)
    assert told.count("Player") >= len(game.moves)
    assert "{" not in told


@by_book
@given(match=all_matches())
def test_every_match_has_a_score(book: Rulebook, match: Match) -> None:
    match = replace(match, rules=replace(match.rules, ending=book.rules.ending))
    told = Narrator(book, match.rules).score(match)
    assert str(match.length) in told
    assert told.count("\n") == 1 + match.is_over
    last_line = told.splitlines()[-1]
    if match.winner is not None:
        assert str(match.winner) in last_line
    elif match.is_over:
        high, low = match.score.values()
        assert high == low
        assert str(high) in last_line
        assert not any(f"{seat} wins" in last_line for seat in Seat)


@by_book
def test_names_come_in_the_order_of_the_seats_or_by_seat(book: Rulebook) -> None:
    names = {Seat.TWO: "Blaise", Seat.ONE: "Ada"}
    by_seat = Narrator(book, book.rules, names)
    in_order = Narrator(book, book.rules, ("Ada", "Blaise"))
    names[Seat.ONE] = "Changed"
    for moves in ([], [5], [5, 5], [9] * 4):
        game = Game.replay(book.rules, moves[:2]).resign()
        assert by_seat.transcript(game) == in_order.transcript(game)


@by_book
def test_words_for_one_ending_are_not_used_for_another(book: Rulebook) -> None:
    for ending in set(Ending) - {book.rules.ending}:
        with pytest.raises(RulebookError) as caught:
            Narrator(book, replace(book.rules, ending=ending))
        assert str(caught.value) == (
            f"{book.key}: this rule book is for the ending '{book.rules.ending.value}', not"
            f" '{ending.value}'; choose another"
        )


def tell_moments(book: Rulebook) -> str:
    """Tell every moment that no sample shows, for a golden file."""
    rules = book.rules
    gapped = Rules(rules.ending, 100, (2, 3, 5, 7))
    narrator = Narrator(book, rules)
    to_100 = replace(rules, target=100)
    named = Narrator(book, to_100, ("Ada", "Blaise"))
    game = Game.replay(rules, [5])
    parts = {
        "toss": narrator.toss(Game.start(rules, first=Seat.TWO)),
        "multipliers 2-5": narrate(
            book, Game.replay(Rules(rules.ending, 100, (2, 3, 4, 5)), [5])
        ),
        "multipliers 2, 3, 5, 7": narrate(book, Game.replay(gapped, [5, 7])),
        "one multiplier": Narrator(book, Rules(rules.ending, 100, (3,))).prompt(game),
        "names": named.transcript(Game.replay(to_100, [5, 5, 4])),
        "undone": narrator.undone(game.play(4), game),
        "undone, twice": narrator.undone(game.play(4).play(3), game),
        "undone, all": narrator.undone(game, game.undo()),
        "resigned": narrate(book, game.resign()),
        "resigned out of turn": narrate(book, game.resign(Seat.ONE)),
        "a needless loss": named.confirm(Game.replay(to_100, [5, 9]), 9),
        "target": book.ask_target(),
    }
    entries = {
        EntryProblem.PASSING: "pass",
        EntryProblem.EMPTY: "",
        EntryProblem.NOT_PLAIN_DIGITS: "five",
        EntryProblem.NO_MULTIPLIER: "12",
    }
    for refusal, entry in entries.items():
        parts[refusal.value] = narrator.refused(game, entry, refusal)
    match = Match(rules, Length.best_of(3))
    for number in (1, 2, 3):
        match = match.add(
            match.next_game().resign(Seat.TWO if number == 2 else Seat.ONE)
        )
        parts[f"score after game {number}"] = narrator.score(match)
    match = Match(rules, Length.games(2))
    for seat in Seat:
        match = match.add(match.next_game().resign(seat))
    parts["score after an even number of games"] = narrator.score(match)
    parts["rules"] = book.explain(gapped)
    return "".join(f"[{name}]\n{part.rstrip(' ')}\n" for name, part in parts.items())


@by_book
def test_moments_that_no_sample_shows_sound_like_the_rule_book(
    book: Rulebook,
) -> None:
    assert_golden(f"{book.key}.txt", tell_moments(book))


@by_book
def test_taking_back_a_resignation_prints_nothing(book: Rulebook) -> None:
    game = Game.replay(book.rules, [5])
    assert Narrator(book, book.rules).undone(game.resign(), game) == ""


@by_book
def test_a_summary_fits_into_a_line_of_the_menu(book: Rulebook) -> None:
    longest = max(len(other.title) for other in BOOKS)
    assert len(f"  1  {'':{longest}}  {book.describe()}") < 80


@by_book
def test_one_multiplier_reads_as_well_as_several(book: Rulebook) -> None:
    rules = replace(book.rules, multipliers=(2,))
    narrator = Narrator(book, rules)
    said = [
        narrator.refused(Game.start(rules), "x", refusal) for refusal in EntryProblem
    ]
    assert all(sentence.count("2") == 1 for sentence in said)
    assert not any("one of" in sentence for sentence in (*said, book.explain(rules)))


@by_book
def test_a_rejected_entry_is_explained_in_two_lines_with_a_way_to_help(
    book: Rulebook,
) -> None:
    narrator = Narrator(book, book.rules)
    for refusal in (
        EntryProblem.PASSING,
        EntryProblem.EMPTY,
        EntryProblem.NOT_PLAIN_DIGITS,
    ):
        said = narrator.refused(Game.start(book.rules), "x" * 10_000, refusal)
        assert said.endswith("2-9. Type ? for help.\n")
        assert len(said) < 160


@pytest.mark.parametrize("key", ["nope", "", "../plain", "multiplier "])
def test_only_the_five_can_be_loaded_by_key(key: str) -> None:
    with pytest.raises(UnknownRulebook, match="is not a game; try multipli"):
        load(key)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("multiplier", "multiplier"),
        ("MADNESS", "multiplication-madness"),
        ("Multiplication Duel", "multiplication-duel"),
        ("er-sh", "multiplier-showdown"),
        ("on-show", "multiplication-showdown"),
    ],
)
def test_a_part_that_fits_only_one_is_enough(name: str, key: str) -> None:
    assert find(name).key == key


@pytest.mark.parametrize(
    ("name", "candidates", "several"),
    [
        ("showdown", ("multiplier-showdown", "multiplication-showdown"), True),
        ("multiplication-", None, True),
        ("multiplicaton-duel", ("multiplication-duel",), False),
        ("maddness", ("multiplication-madness",), False),
        ("", None, False),
    ],
)
def test_a_name_that_does_not_fit_is_answered_with_the_closest_first(
    name: str,
    candidates: tuple[str, ...] | None,
    several: bool,
) -> None:
    with pytest.raises(UnknownRulebook) as caught:
        find(name)
    assert caught.value.several is several
    if candidates is not None:
        assert caught.value.candidates[: len(candidates)] == candidates
    for candidate in caught.value.candidates:
        assert candidate in str(caught.value)


SMALLEST = 'title = "Sevens"\n[rules]\nending = "reach"\ntarget = 50\n'


def read(text: str) -> Rulebook:
    return parse(text, key="sevens", source="sevens.toml")


def test_a_title_and_rules_are_a_rule_book() -> None:
    book = read(SMALLEST)
    assert book.rules == Rules(Ending.REACH, 50)
    assert book.describe() == "Make 50 or more to win."
    told = narrate(book, Game.replay(book.rules, [9, 9]))
    assert told.startswith(
        "Sevens\nThe total starts at 1.\nWhoever makes 50 or more wins.\n\n"
        "Player 1 to move."
    )
    assert told.endswith("Player 2 has reached the target.\nPlayer 2 wins!\n")


@pytest.mark.parametrize("ending", Ending)
def test_the_plain_words_tell_the_rules_of_each_ending(ending: Ending) -> None:
    book = read(SMALLEST.replace("reach", ending.value))
    assert_golden(f"plain-{ending.value}.txt", tell_moments(book))
    assert "50" in book.describe()
    for fact in ("starts at 1", "2-9", "50", "wins", "loses"):
        assert fact in book.explain() or (ending is Ending.REACH and fact == "loses")


def test_the_example_in_the_docs_uses_every_moment() -> None:
    text = (DOCS / "examples" / "primes.toml").read_text(encoding="utf-8")
    book = parse(text, key="primes", source="primes.toml")
    written = tomllib.loads(text)["words"].keys()
    assert set(moments_of(book.rules.ending)) == set(written)


def test_every_moment_is_described_in_the_docs() -> None:
    page = (DOCS / "own-rule-books.md").read_text(encoding="utf-8")
    for moment in MOMENTS:
        assert f"\n| `{moment}` |" in page


def test_own_and_default_lines_can_be_mixed() -> None:
    book = read('summary = "Sevens only."\nguide = ""\n' + SMALLEST)
    assert book.describe() == "Sevens only."
    assert "- Whoever makes it 50 or more wins.\n" in book.explain()


def test_own_texts_replace_the_defaults_moment_by_moment() -> None:
    book = read(SMALLEST + '[words]\nplayed = "Now {total}!\\n"\n')
    assert "Now 2!\n\nPlayer 2 to move." in narrate(
        book, Game.replay(book.rules, [2, 3])
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "title = ",
            "sevens.toml: this is not TOML: Invalid value (at end of document)",
        ),
        (
            "a = " + "[" * 1_900,
            "sevens.toml: this is nested too deeply; no rule book needs",
        ),
        (
            "a = " + "[\n" * 30_000,
            "sevens.toml: this is nested too deeply; no rule book needs",
        ),
        (
            "title = " + "{a=" * 600,
            "sevens.toml: this is nested too deeply; no rule book needs",
        ),
        (
            f"title.{'.'.join('a' * 990)} = 1",
            'sevens.toml: title: expected a line of text, such as "Sevens"; found ',
        ),
        (
            ".".join("a" * 40_000) + " = 1",
            "sevens.toml: line 1 has more than 2,000 characters; break it up",
        ),
        (
            "\na = " + "9" * 5_000,
            "sevens.toml: line 2 has more than 2,000 characters; break it up",
        ),
        (
            "# a comment\n" * 10_000,
            "sevens.toml: a rule book has at most 100,000 characters; shorten it",
        ),
        (
            "title = 0x" + "f" * 1_500,
            'sevens.toml: title: expected a line of text, such as "Sevens"; found ',
        ),
        (
            SMALLEST.replace("50", "0x" + "f" * 1_500),
            "sevens.toml: rules: the target has more than 1,000 digits; use a shorter",
        ),
        (
            SMALLEST.replace("50", "1e999"),
            "sevens.toml: rules.target: expected a whole number, such as 100; found inf",
        ),
        ('title = "  "', 'sevens.toml: title: expected a line of text, such as "Sev'),
        (
            SMALLEST.replace("[rules]", "[rule]"),
            "sevens.toml: rule: no such key; expected one of rules, ",
        ),
        (
            SMALLEST + '[words]\nprompts = "x"',
            "sevens.toml: words.prompts: no such key; expected one of prompt, prompt_set",
        ),
        ("title = 1979-05-27", "sevens.toml: title: expected a line of text, such as"),
        (
            "",
            'sevens.toml: title: expected a line of text, such as "Sevens"; found nothing',
        ),
        (
            "title = 7",
            'sevens.toml: title: expected a line of text, such as "Sevens"; found 7',
        ),
        ('title = "a\\u001bb"', "sevens.toml: title: expected a line of text"),
        (
            'title = "Sevens"',
            "sevens.toml: rules.ending: expected a line of text, such as",
        ),
        (
            'title = "Sevens"\nrules = 5',
            "sevens.toml: rules: expected a table, starting with the line [rules]; found 5",
        ),
        (
            SMALLEST.replace("reach", "touch"),
            'sevens.toml: rules.ending: expected one of "reach", "avoid", "exact"; found \'touch\'',
        ),
        (
            SMALLEST.replace("50", '"50"'),
            "sevens.toml: rules.target: expected a whole number, such as 100; found '50'",
        ),
        (
            SMALLEST.replace("50", "1"),
            "sevens.toml: rules: the target must be greater than the start",
        ),
        (SMALLEST + "start = 0", "sevens.toml: rules: the start must be at least 1"),
        (
            SMALLEST + 'multipliers = "9-2"',
            "sevens.toml: rules.multipliers: the range 9-2 is backwards; use 2-9",
        ),
        (
            SMALLEST + "multipliers = 5",
            'sevens.toml: rules.multipliers: expected multipliers, such as "2-9" or [2, 3, 5, 7]; found 5',
        ),
        (
            SMALLEST + "multipliers = [2, 2]",
            "sevens.toml: rules.multipliers: 2 is listed twice",
        ),
        (
            SMALLEST + "speed = 5",
            "sevens.toml: rules.speed: no such key; expected one of ending, start, target, multipliers",
        ),
        (
            'settles = ["luck"]\n' + SMALLEST,
            'sevens.toml: settles: expected a list with any of "target", "first", "length"; found [\'luck\']',
        ),
        ("settles = 1\n" + SMALLEST, "sevens.toml: settles: expected a list"),
        (
            'take_back = "no"\n' + SMALLEST,
            "sevens.toml: take_back: expected true or false; found 'no'",
        ),
        (
            "sumary = 1\n" + SMALLEST,
            "sevens.toml: sumary: no such key; expected one of summary, ",
        ),
        (
            SMALLEST + "[words]\nturn = 5",
            "sevens.toml: words.turn: expected text; found 5",
        ),
        (
            SMALLEST + '[words]\nturn = "\\u0007"',
            "sevens.toml: words.turn: expected text without control characters",
        ),
        (
            SMALLEST + '[words]\nturn = "{entry}"',
            "sevens.toml: words.turn: expected only these names in braces: {highest}, {lowest}, ",
        ),
        (
            SMALLEST + '[words]\nturn = "{player"',
            "sevens.toml: words.turn: expected only these names in braces: {highest}, {lowest}, {multipliers}, {player}, {player1}, {player2}, {start}, {target}, {title}, {total}; found '{'",
        ),
        (
            SMALLEST + '[words]\nturn = "player}"',
            "sevens.toml: words.turn: expected only these names in braces:",
        ),
        (SMALLEST + '[words]\nexact = "x"', "sevens.toml: words.exact: no such key"),
    ],
)
def test_a_broken_rule_book_names_the_file_the_key_and_what_is_expected(
    text: str, error: str
) -> None:
    with pytest.raises(RulebookError) as caught:
        read(text)
    assert str(caught.value).startswith(error)


@given(st.text(), st.dictionaries(st.sampled_from(("player", "total")), st.text()))
def test_braces_inside_a_fact_are_not_filled_again(
    before: str, facts: dict[str, str]
) -> None:
    before = before.replace("{", "").replace("}", "")
    template = before + "".join(f"{{{name}}}" for name in facts)
    assert fill(template, facts) == before + "".join(facts.values())
    assert names_in(template) == list(facts)


@given(st.text(), st.text("[]{}=.\"'#\na1 ", max_size=200))
def test_any_text_is_a_rule_book_or_refused(anything: str, nearly_toml: str) -> None:
    for text in (anything, nearly_toml, f"{SMALLEST}\n{nearly_toml}"):
        assert title_or_refusal(text).isprintable()


def title_or_refusal(text: str) -> str:
    try:
        return read(text).title
    except RulebookError as error:
        return str(error)


def test_a_person_elsewhere_gets_the_third_person_and_wins_in_the_rule_books_words() -> (
    None
):
    book = load("multiplication-duel")
    narrator = Narrator(book, book.rules, ("Ada", "Bo"), elsewhere=[Seat.TWO])
    game = Game.replay(book.rules, [5, 4, 5])
    assert narrator.transcript(game).partition("\n\n")[2] == (
        "Running Total: 1\n\n"
        "Ada, choose a number to multiply (2-9): 5\n"
        "You chose 5.\nRunning Total is now 5.\n\n"
        "Bo plays ×4: 5 × 4 makes 20.\n\n"
        "Ada, choose a number to multiply (2-9): 5\n"
        "You chose 5.\nRunning Total is now 100.\n\n"
        "Ada has reached exactly 100.\nAda wins!\n"
    )
    given_up = Game.replay(book.rules, [5]).resign()
    assert narrator.transcript(given_up).endswith(
        "now 5.\n\nBo has resigned and loses the game.\nAda wins!\n"
    )


@by_book
def test_a_game_and_a_match_end_in_the_rule_books_words_whoever_wins(
    book: Rulebook,
) -> None:
    at_home = Narrator(book, book.rules)
    for winner in Seat:
        game = Game.start(book.rules).resign(winner.other)
        match = Match(book.rules).add(game)
        for away in Seat:
            narrator = Narrator(book, book.rules, elsewhere=[away])
            assert narrator.ending(game) == at_home.ending(game)
            assert narrator.score(match) == at_home.score(match)
