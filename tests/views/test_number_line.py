"""The number line: one geometry, drawn in characters and as a picture."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Game, Rules, Seat
from ninefold.theory import Band, Oracle
from ninefold.views.number_line import LabelKind, NumberLine, number_line
from ninefold.views.number_line_text import draw_text
from ninefold.views.svg import draw_svg
from tests.strategies import all_games

SHOWDOWN = Rules(Ending.REACH, 1000)
BANDS = (Band(4, 6), Band(56, 111))
FIRM = (LabelKind.TOTAL, LabelKind.END)


def line_of(game: Game) -> NumberLine:
    return number_line(game.rules, BANDS if game.rules == SHOWDOWN else (), game)


@given(all_games())
def test_every_move_is_a_hop_from_where_the_last_one_landed(game: Game) -> None:
    line = line_of(game)
    assert [hop.multiplier for hop in line.hops] == list(game.moves)
    for before, after in pairwise(line.hops):
        assert before.right == after.left
        assert before.seat is after.seat.other
    assert all(0 <= hop.left < hop.right <= 1 for hop in line.hops)
    assert line.total == (line.hops[-1].right if line.hops else 0)


@given(st.integers(2, 9), st.lists(st.integers(2, 9), max_size=8))
def test_a_multiplier_is_the_same_length_wherever_it_starts(
    multiplier: int, before: list[int]
) -> None:
    rules = Rules(Ending.AVOID, 10**12)
    there = number_line(rules, (), Game.replay(rules, [*before, multiplier])).hops[-1]
    here = number_line(rules, (), Game.replay(rules, [multiplier])).hops[0]
    assert there.right - there.left == pytest.approx(here.right - here.left)


@given(all_games(), st.integers(20, 200), st.sampled_from([1.0, 9.5]))
def test_labels_never_overlap_and_stay_on_the_line(
    game: Game, columns: int, letter: float
) -> None:
    width = columns * letter
    placed = line_of(game).labels_that_fit(width, letter, gap=letter)
    for before, after in pairwise(placed):
        assert before.left + before.width + letter <= after.left + 1e-6
    for each in placed:
        assert each.left >= 0
        assert each.left + each.width <= width + 1e-6


@given(all_games(), st.integers(40, 200), st.none() | st.integers(2, 9))
def test_the_total_and_both_ends_are_always_labelled_in_their_order(
    game: Game, width: int, hint: int | None
) -> None:
    line = number_line(game.rules, Oracle(game.rules).lost_bands(), game, hint=hint)
    firm = [label for label in line.labels if label.kind in FIRM]
    placed = [each.label for each in line.labels_that_fit(width, gap=2, inset=0.5)]
    places = [label.place for label in placed if label.kind in FIRM]
    assert places == sorted(label.place for label in firm)


@given(all_games(), st.integers(20, 120))
def test_every_label_is_drawn_whole(game: Game, width: int) -> None:
    line = number_line(game.rules, Oracle(game.rules).lost_bands(), game)
    *_, drawn = draw_text(line, width)
    texts = re.split(" {2,}", "".join(piece.text for piece in drawn).strip())
    assert set(texts) <= {label.text for label in line.labels}


@given(st.integers(40, 200))
def test_both_ends_are_always_labelled(width: int) -> None:
    placed = number_line(SHOWDOWN, BANDS).labels_that_fit(width)
    assert placed[0].label.text == "1"
    assert placed[-1].label.text == "1,000"
    assert {each.label.text for each in placed} >= {"4 to 6", "56 to 111"}


def labels(game: Game, width: int) -> str:
    return rows(game, width)[-1]


def test_a_band_of_the_first_total_alone_is_not_named_twice() -> None:
    rules = Rules(Ending.REACH, 200)
    assert Band(1, 1) in Oracle(rules).lost_bands()
    assert labels(Game.start(rules), 60).split().count("1") == 1


def test_a_total_that_is_a_band_is_not_named_twice() -> None:
    line = number_line(SHOWDOWN, [Band(5, 5)], Game.replay(SHOWDOWN, [5]))
    assert [each.text for each in line.labels].count("5") == 1


def test_a_total_beyond_the_target_is_labelled_to_its_right() -> None:
    game = Game.replay(SHOWDOWN, [5, 3, 9, 9])
    assert labels(game, 78).endswith(" 1,000  1,215")
    assert labels(Game.replay(SHOWDOWN, [7, 9, 4, 4]), 78).endswith(" 1,000  1,008")


def test_a_total_close_to_an_end_keeps_its_label() -> None:
    rules = Rules(Ending.AVOID, 1000)
    assert labels(Game.replay(rules, [9, 9, 3, 4]), 60).endswith(" 972  1,000")
    assert labels(Game.replay(Rules(Ending.REACH, 10**6), [2]), 40).startswith("1  2")


def test_with_room_for_one_label_the_total_is_labelled() -> None:
    line = number_line(SHOWDOWN, (), Game.replay(SHOWDOWN, [5, 3]))
    assert [each.label.text for each in line.labels_that_fit(3)] == ["15"]


def test_a_label_moves_aside_only_as_far_as_it_touches_its_band() -> None:
    line = number_line(Rules(Ending.AVOID, 1000), [Band(500, 999)])
    placed = line.labels_that_fit(80)
    assert [each.label.text for each in placed] == [
        "1",
        "10",
        "100",
        "500 to 999",
        "1,000",
    ]
    narrow = [each.label.text for each in line.labels_that_fit(8)]
    assert narrow == ["1", "1,000"]
    assert line.labels_that_fit(0) == []


def test_a_total_beyond_the_target_lengthens_the_line() -> None:
    line = number_line(SHOWDOWN, BANDS, Game.replay(SHOWDOWN, [9, 9, 9, 9]))
    assert line.target < 1
    assert line.total == 1
    assert max(each.right for each in line.bands) < line.target


def test_a_hint_is_drawn_as_a_previewed_hop() -> None:
    line = number_line(SHOWDOWN, BANDS, Game.replay(SHOWDOWN, [5]), hint=3)
    assert line.hint is not None
    assert line.hint.seat is Seat.TWO
    assert line.hint.left == line.total
    assert number_line(SHOWDOWN, hint=3).hint is None


def test_large_numbers_are_labelled_by_powers_of_ten() -> None:
    line = number_line(Rules(Ending.REACH, 10**60 + 1), [Band(10**20, 3 * 10**20)])
    texts = {each.text for each in line.labels}
    assert {"~10⁶⁰", "10²⁰ to ~3×10²⁰", "10⁴⁹"} <= texts
    decades = [each for each in line.labels if each.kind is LabelKind.DECADE]
    assert len(decades) <= 8


def rows(game: Game, width: int, **options: int) -> list[str]:
    line = number_line(game.rules, Oracle(game.rules).lost_bands(), game, **options)
    return ["".join(piece.text for piece in row) for row in draw_text(line, width)]


def test_a_terminal_shows_hops_bands_and_labels() -> None:
    game = Game.replay(SHOWDOWN, [7, 9, 2])
    assert rows(game, 80, turning_point=1, hint=9) == [
        "╭──────── ×7? ────────┬────────── ×9 ──────────┬─ ×2 ─┬╌╌╌╌╌╌╌╌╌╌ ×9 ╌╌╌╌╌╌╌╌╌╌╮",
        "├───────────────▒▒▒▒▒▒●──────────────────────▒▒■▒▒▒▒▒─◉───────────────────────┤─",
        "1               4 to 6   10               56 to 111  126                   1,000",
    ]


@pytest.mark.parametrize("moves", [[2], [5], [9]])
def test_a_label_stands_below_its_ring(moves: list[int]) -> None:
    _, axis, named = rows(Game.replay(Rules(Ending.REACH, 10**6), moves), 77)
    total = str(math.prod(moves))
    assert named.index(f" {total} ") + 1 + len(total) // 2 == axis.index("◉")


def test_a_terminal_shows_no_hops_before_the_first_move() -> None:
    assert rows(Game.start(SHOWDOWN), 60) == [
        "◉───────────▒▒▒▒▒─────────────────▒▒▒▒▒▒───────────────────┤",
        "1           4 to 6  10           56 to 111             1,000",
    ]


@given(all_games(), st.integers(1, 120))
def test_no_row_is_wider_than_the_terminal(game: Game, width: int) -> None:
    line = number_line(game.rules, (), game)
    for row in draw_text(line, width):
        assert len("".join(piece.text for piece in row)) <= max(width, 20)


def test_a_picture_is_well_formed_and_says_what_it_shows() -> None:
    game = Game.replay(SHOWDOWN, [7, 9, 2])
    line = number_line(SHOWDOWN, BANDS, game, turning_point=1, hint=9)
    drawn = draw_svg(
        line,
        title="Ada & <Bo>",
        subtitle="Reach 1000 or more to win. " * 8,
        notes=["The game turned at move 1."],
    )
    root = ET.fromstring(drawn)
    texts = [
        "".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")
    ]
    assert "Ada & <Bo>" in texts
    assert "×7 (turning point)" in texts
    assert "56 to 111" in texts
    assert "The game turned at move 1." in texts


def test_a_picture_of_many_bands_joins_those_that_touch() -> None:
    rules = Rules(Ending.REACH, 10**300)
    bands = [Band(18**n, 2 * 18**n - 1) for n in range(200)]
    drawn = draw_svg(number_line(rules, bands), title="Many", subtitle="")
    assert drawn.count('class="band"') < 200
    crowded = [Band(n, n) for n in range(10**9, 10**9 + 50, 2)]
    drawn = draw_svg(number_line(rules, crowded), title="Many", subtitle="")
    assert drawn.count('class="band"') == 1


def test_a_long_game_is_drawn_with_the_names_that_have_room() -> None:
    rules = Rules(Ending.AVOID, 10**200)
    game = Game.replay(rules, [2] * 300)
    drawn = draw_svg(number_line(rules, (), game), title="Long", subtitle="")
    assert drawn.count('class="hop') == 300
    assert drawn.count(">×2<") < 150
    assert len(rows_of(number_line(rules, (), game))) == 3


def rows_of(line: NumberLine) -> list[str]:
    return ["".join(piece.text for piece in row) for row in draw_text(line, 40)]


def test_a_line_shows_no_band_where_the_game_is_too_big_to_find_them() -> None:
    assert number_line(SHOWDOWN, None) == number_line(SHOWDOWN)


def test_a_line_without_a_game_has_no_total() -> None:
    drawn = rows_of(number_line(SHOWDOWN, BANDS))
    assert drawn == [
        "├───────▒▒▒────────────▒▒▒▒────────────┤",
        "1      4 to 6        56 to 111     1,000",
    ]
    svg = draw_svg(number_line(SHOWDOWN, BANDS), title="Bands", subtitle="Alone.")
    assert 'class="ring"' not in svg
