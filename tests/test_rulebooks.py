from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
)
from ninefold.entries import Refusal
from ninefold.rulebooks import KEYS, find, load, parse, script
from ninefold.rulebooks.bundled import load_table
from tests.program import SAMPLES, assert_golden
from tests.strategies import all_games, all_matches

NAMES = {Seat.ONE: "Player 1", Seat.TWO: "Player 2"}
BOOKS = [load(key) for key in KEYS]

by_book = pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.key)


def narrate(book: Rulebook, game: Game) -> str:
    return book.narrator(game.rules, NAMES).transcript(game)


@by_book
def test_the_sample_comes_out_byte_for_byte(book: Rulebook) -> None:
    moves = [int(line) for line in (SAMPLES / f"{book.key}.in").read_text().split()]
    sample = (SAMPLES / f"{book.key}.out").read_text()
    target = 1000 if "1000" in sample else 100
    game = Game(book.rules.replace(target=target), moves)
    assert narrate(book, game) == sample


def test_the_five_are_the_files_in_the_package() -> None:
    folder = Path(script.__file__).parent / "books"
    assert sorted(KEYS) == sorted(path.stem for path in folder.glob("*.toml"))


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


@by_book
def test_every_moment_has_words_of_its_own(book: Rulebook) -> None:
    words = load_table("books", book.key)["words"]
    assert isinstance(words, dict)
    needed = set(script.moments_of(book.rules.ending)) - script.OPTIONAL_MOMENTS
    assert needed <= words.keys()


@by_book
@given(game=all_games())
def test_any_game_can_be_told(book: Rulebook, game: Game) -> None:
    game = Game(
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
def test_any_match_can_be_told(book: Rulebook, match: Match) -> None:
    told = book.narrator(match.rules, NAMES).score(match)
    assert str(match.length) in told
    assert (told.count("\n") == 2) == (match.winner is not None)


def moments_of(book: Rulebook) -> str:
    """Tell every moment that no sample shows, for a golden file."""
    rules = book.rules
    gapped = Rules(rules.ending, 100, (2, 3, 5, 7))
    narrator = book.narrator(rules, NAMES)
    to_100 = rules.replace(target=100)
    named = book.narrator(to_100, {Seat.ONE: "Ada", Seat.TWO: "Blaise"})
    game = Game(rules, [5])
    parts = {
        "toss": narrator.toss(Game(rules, first=Seat.TWO)),
        "multipliers 2-5": narrate(
            book, Game(Rules(rules.ending, 100, range(2, 6)), [5])
        ),
        "multipliers 2, 3, 5, 7": narrate(book, Game(gapped, [5, 7])),
        "one multiplier": book.narrator(Rules(rules.ending, 100, [3]), NAMES).prompt(
            game
        ),
        "names": named.transcript(Game(to_100, [5, 5, 4])),
        "undone": narrator.undone(game.play(4), game),
        "undone, twice": narrator.undone(game.play(4).play(3), game),
        "undone, all": narrator.undone(game, game.undo()),
        "resigned": narrate(book, game.resign()),
        "resigned out of turn": narrate(book, game.resign(Seat.ONE)),
        "a needless loss": str(named.confirm(Game(to_100, [5, 9]), 9)),
        "no safe move": str(named.confirm(Game(to_100, [9, 9]), 9)),
        "target": book.ask_target(),
    }
    entries = {
        Refusal.EMPTY: "",
        Refusal.NOT_PLAIN_DIGITS: "five",
        Refusal.NO_MULTIPLIER: "12",
    }
    for refusal, entry in entries.items():
        parts[refusal.value] = narrator.refused(game, entry, refusal)
    match = Match(rules, Length.best_of(3))
    for number in (1, 2, 3):
        match = match.add(
            match.next_game().resign(Seat.TWO if number == 2 else Seat.ONE)
        )
        parts[f"score after game {number}"] = narrator.score(match)
    parts["rules"] = book.explain(gapped)
    return "".join(f"[{name}]\n{part.rstrip(' ')}\n" for name, part in parts.items())


@by_book
def test_moments_that_no_sample_shows_sound_like_the_rule_book(
    book: Rulebook,
) -> None:
    assert_golden(f"{book.key}.txt", moments_of(book))


@by_book
def test_a_resignation_taken_back_needs_no_words(book: Rulebook) -> None:
    game = Game(book.rules, [5])
    assert book.narrator(book.rules, NAMES).undone(game.resign(), game) == ""


@by_book
def test_a_summary_fits_into_a_line_of_the_menu(book: Rulebook) -> None:
    longest = max(len(other.title) for other in BOOKS)
    rules = book.rules.replace(target=1000)
    assert len(f"  1  {'':{longest}}  {book.describe(rules)}") < 80


@by_book
def test_one_multiplier_reads_as_well_as_several(book: Rulebook) -> None:
    rules = book.rules.replace(multipliers=(2,))
    narrator = book.narrator(rules, NAMES)
    said = [narrator.refused(Game(rules), "x", refusal) for refusal in Refusal]
    assert all(sentence.count("2") == 1 for sentence in said)
    assert not any("one of" in sentence for sentence in (*said, book.explain(rules)))


@by_book
def test_a_refusal_says_where_there_is_help_and_fits_two_lines(book: Rulebook) -> None:
    narrator = book.narrator(book.rules, NAMES)
    for refusal in (Refusal.EMPTY, Refusal.NOT_PLAIN_DIGITS):
        said = narrator.refused(Game(book.rules), "x" * 10_000, refusal)
        assert said.endswith("2-9. Type ? for help.\n")
        assert len(said) < 160


@pytest.mark.parametrize("key", ["nope", "", "../plain", "multiplier "])
def test_only_the_five_can_be_loaded_by_key(key: str) -> None:
    with pytest.raises(UnknownRulebook, match="is no game; try multipli"):
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
    several: bool,  # noqa: FBT001 - a golden value
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
    told = narrate(book, Game(book.rules, [9, 9]))
    assert told.startswith(
        "Sevens\nThe total starts at 1.\nWhoever makes 50 or more wins.\n\n"
        "Player 1 to move."
    )
    assert told.endswith("Player 2 has reached the target.\nPlayer 2 wins!\n")


@pytest.mark.parametrize("ending", Ending)
def test_the_plain_words_tell_the_rules_of_each_ending(ending: Ending) -> None:
    book = read(SMALLEST.replace("reach", ending.value))
    assert_golden(f"plain-{ending.value}.txt", moments_of(book))
    assert "50" in book.describe()
    for fact in ("starts at 1", "2-9", "50", "wins", "loses"):
        assert fact in book.explain() or (ending is Ending.REACH and fact == "loses")


def test_own_lines_stand_beside_plain_ones() -> None:
    book = read('summary = "Sevens only."\nguide = ""\n' + SMALLEST)
    assert book.describe() == "Sevens only."
    assert "- Whoever makes it 50 or more wins.\n" in book.explain()


def test_own_words_replace_the_plain_ones_moment_by_moment() -> None:
    book = read(SMALLEST + '[words]\nplayed = "Now {total}!\\n"\n')
    assert "Now 2!\n\nPlayer 2 to move." in narrate(book, Game(book.rules, [2, 3]))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "title = ",
            "sevens.toml: this is not TOML: Invalid value (at end of document)",
        ),
        (
            "a = " + "[" * 100_000,
            "sevens.toml: this is nested too deeply; no rule book needs",
        ),
        (
            "a = " + "9" * 5_000,
            "sevens.toml: a number in it is too long to be read; write a shorter",
        ),
        (
            "title = 0x" + "f" * 5_000,
            'sevens.toml: title: expected a line of text, such as "Sevens"; found ',
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
            "sevens.toml: rules: expected a table, begun by the line [rules]; found 5",
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
            "sevens.toml: rules: the target must be above the start",
        ),
        (SMALLEST + "start = 0", "sevens.toml: rules: the start must be at least 1"),
        (
            SMALLEST + 'multipliers = "9-2"',
            "sevens.toml: rules.multipliers: in the multipliers, 9-2 goes down; write 2-9",
        ),
        (
            SMALLEST + "multipliers = 5",
            'sevens.toml: rules.multipliers: expected multipliers, such as "2-9" or [2, 3, 5, 7]; found 5',
        ),
        (
            SMALLEST + "multipliers = [2, 2]",
            "sevens.toml: rules.multipliers: each multiplier stands once",
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
            "sevens.toml: words.turn: expected in braces only {highest}, {lowest}, ",
        ),
        (
            SMALLEST + '[words]\nturn = "{player"',
            "sevens.toml: words.turn: expected in braces only {highest}, {lowest}, {multipliers}, {player}, {player1}, {player2}, {start}, {target}, {title}, {total}; found '{'",
        ),
        (
            SMALLEST + '[words]\nturn = "player}"',
            "sevens.toml: words.turn: expected in braces only",
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
def test_facts_are_put_in_once_and_never_read_again(
    before: str, facts: dict[str, str]
) -> None:
    before = before.replace("{", "").replace("}", "")
    template = before + "".join(f"{{{name}}}" for name in facts)
    assert script.fill(template, facts) == before + "".join(facts.values())
    assert script.names_in(template) == list(facts)
