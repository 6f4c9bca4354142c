"""The number line as a page is sent it."""

from __future__ import annotations

import json
import re

from hypothesis import given

from ninefold import Ending, Game, Rules, Seat
from ninefold.notation.codec import decode, encode_bytes
from ninefold.theory import Band
from ninefold.views.number_line import (
    Hop,
    LabelKind,
    LineBandView,
    LineView,
    number_line,
)
from ninefold.views.svg import draw_svg
from tests.strategies import all_games

SHOWDOWN = Rules(Ending.REACH, 1000)


def test_a_line_holds_its_bands_hops_and_labels() -> None:
    game = Game.replay(SHOWDOWN, [2, 5])
    drawn = number_line(SHOWDOWN, [Band(4, 6)], game, turning_point=2)
    line = LineView.of(drawn)
    assert line.target == 1
    assert line.total == drawn.total
    (band,) = line.bands
    assert isinstance(band, LineBandView)
    assert band.text == "4 to 6"
    assert 0 < band.left < band.right < 1
    first, second = line.hops
    assert first == Hop(0.0, second.left, Seat.ONE, 2, is_turning_point=False)
    assert second.seat is Seat.TWO
    assert second.multiplier == 5
    assert second.is_turning_point
    assert second.right == line.total


def test_the_more_important_labels_come_first() -> None:
    line = LineView.of(number_line(SHOWDOWN, [Band(56, 111)], Game.start(SHOWDOWN)))
    kinds = [list(LabelKind).index(label.kind) for label in line.labels]
    assert kinds == sorted(kinds)
    assert {label.text for label in line.labels} >= {"1", "1,000", "56 to 111"}


def test_a_line_without_a_game_has_neither_hops_nor_a_total() -> None:
    line = LineView.of(number_line(SHOWDOWN))
    assert line.hops == ()
    assert line.total is None
    assert line.bands == ()


def test_a_long_multiplier_is_a_string_of_digits() -> None:
    long = 10**20
    rules = Rules(Ending.REACH, long**2, (2, long))
    line = LineView.of(number_line(rules, (), Game.replay(rules, [long])))
    assert f'"multiplier":"{long}"'.encode() in encode_bytes(line)


@given(all_games())
def test_every_game_has_a_line_that_can_be_sent(game: Game) -> None:
    line = LineView.of(number_line(game.rules, (), game))
    sent = encode_bytes(line)
    assert decode(sent, LineView) == line
    assert len(json.loads(sent)["hops"]) == len(game.moves)
    assert all(0 <= label.place <= 1 for label in line.labels)


def test_every_surface_shows_the_last_hops_of_a_very_long_game() -> None:
    game = Game.replay(Rules(Ending.AVOID, 2**500), [2] * 450)
    line = number_line(game.rules, game=game)
    sent = LineView.of(line)
    assert len(sent.hops) == 400
    assert sent.hops[-1].right == sent.total
    picture = draw_svg(line, title="", subtitle="")
    assert picture.count('class="hop ') == 400
    *_, landed = re.findall(r'class="hop .* ([0-9.]+) [0-9.]+"/>', picture)
    assert f'class="ring" cx="{landed}"' in picture
