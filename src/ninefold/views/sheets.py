"""Printable sheets: to shade lost totals, to record a game, to practise.

A sheet consists of number lines and items. It is rendered as HTML, one page per copy,
with the answers on separate pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from html import escape
from itertools import pairwise
from random import Random

from msgspec import Struct

from ninefold.learning import (
    Answer,
    Item,
    Skill,
    drill,
    make_puzzle,
    puzzle_item,
    read_puzzle,
)
from ninefold.learning.knowledge import factors_of
from ninefold.learning.multiplication_facts import DIGITS
from ninefold.learning.practice import band_item, product_item, skill_item
from ninefold.notation import is_record
from ninefold.rulebooks import load
from ninefold.rules import Ending, Rules
from ninefold.text import join_words, shorten
from ninefold.theory import oracle_for
from ninefold.views.number_line import Scale
from ninefold.views.practice import why_others_fail

MOST_COPIES = 40
_ROWS_OF_A_GAME = 11
_LESSON = "multiplication-madness"
"""The game of the lesson that an exit ticket belongs to."""
_HARDER_FACTS = [(a, b) for a in DIGITS[1:] for b in DIGITS[4:] if a <= b]
_PUZZLES = (1, 1, 2, 2, 2, 3)
_LINES_FOR_A_REASON = 4
_LEFT, _LENGTH = 13, 924
_DIGIT, _GAP = 9, 5
_STYLE = """\
@page { size: auto; margin: 14mm; }
* { box-sizing: border-box; }
body { margin: 0; font: 12pt/1.35 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
section { height: 250mm; width: 180mm; overflow: hidden; margin: 0 auto;
  break-after: page; }
h1 { font-size: 17pt; margin: 0 0 2mm; } header { display: flex; gap: 8mm; }
header span { flex: 1; border-bottom: 1px solid; } p { margin: 3mm 0; }
ol { padding-left: 8mm; columns: var(--columns); column-gap: 12mm; margin: 4mm 0; }
li { break-inside: avoid; padding: 1.6mm 0; } li i { display: inline-block;
  border-bottom: 1px solid; min-width: 22mm; }
table { border-collapse: collapse; width: 84mm; float: left; margin: 4mm 6mm 0 0; }
td, th { border: 1px solid; height: 8.5mm; padding: 0 2mm; font-weight: normal; }
.write { border-bottom: 1px solid; height: 10mm; } svg { width: 100%; margin: 4mm 0; }
"""


class Sheet(Struct, frozen=True):
    """One page, before it is printed."""

    title: str
    lead: str
    """What to do, in a sentence or two."""
    items: tuple[Item, ...] = ()
    strips: tuple[int, ...] = ()
    """The targets of the number lines to shade."""
    games: int = 0
    """How many games there is room to record."""
    reason: str = ""
    """A question to answer in a few lines."""
    sample: str = ""
    """A sample answer to it."""
    columns: int = 2


_STRIP = Sheet(
    "Shade the lost totals",
    "Whoever reaches the target wins. Moving right multiplies."
    " Shade the totals from which every move loses. Totals up to 19 have a box each;"
    " from 20 on, a box starts at the number printed on it.",
    strips=(100, 500, 1000),
)
_RECORD = Sheet(
    "Game record",
    "Write each move: who moved, the multiplier, and the new total.",
    games=4,
)
Maker = Callable[[Random, Sequence[Answer], datetime], Sheet]
"""Makes a random sheet that fits a learner's answers."""


def _gaps(rng: Random, answers: Sequence[Answer], at: datetime) -> Sheet:
    items = [*drill(answers, at, rng), *drill(answers, at, rng)]
    # 4 × 5 and 5 × 4 are one question on paper.
    unique = {tuple(sorted(factors_of(item.key) or [item.key])): item for item in items}
    return Sheet("What to practise next", "Work these out.", tuple(unique.values()))


def _ticket(which: str) -> Maker:
    def make(rng: Random, _answers: Sequence[Answer], _at: datetime) -> Sheet:
        items = dict(zip("AB", _both_tickets(rng), strict=True))[which]
        return Sheet(
            f"Exit ticket {which}",
            "Work alone. Show how you found the band.",
            tuple(items),
            reason='Someone says: "A bigger total is always safer."'
            " Are they right? Give an example with its product.",
            sample="No. At target 100 it is safe to leave 11, because 11 × 9 is only"
            " 99. 12 is bigger, but 12 × 9 is 108, and the other player wins.",
            columns=1,
        )

    return make


def _both_tickets(rng: Random) -> tuple[list[Item], list[Item]]:
    """Return the items of tickets A and B: the same kinds, no item twice.

    A ticket takes a pupil five minutes: 10 s for each product, 30 s for the long one,
    a minute each for puzzle and band, two for the reason.
    """
    a: list[Item] = []
    b: list[Item] = []
    makers: tuple[tuple[int, Callable[[], Item]], ...] = (
        (2, lambda: product_item(*rng.choice(_HARDER_FACTS))),
        (1, lambda: skill_item(Skill.TWO_DIGITS, rng)),
        (1, lambda: puzzle_item(make_puzzle(rng, 1, load(_LESSON)))),
        (1, lambda: band_item(Rules(Ending.REACH, 50 * rng.randint(4, 19)))),
    )
    for count, make in makers:
        found: dict[str, Item] = {}
        while len(found) < 2 * count:
            item = make()
            found[item.key] = item
        a += [*found.values()][:count]
        b += [*found.values()][count:]
    return a, b


def _puzzles(rng: Random, _answers: Sequence[Answer], _at: datetime) -> Sheet:
    items = tuple(puzzle_item(make_puzzle(rng, level)) for level in _PUZZLES)
    lead = "Find the multiplier that wins. Explain why the others lose."
    return Sheet("Puzzles", lead, items, columns=1)


KINDS: dict[str, Maker] = {
    "strip": lambda *_: _STRIP,
    "record": lambda *_: _RECORD,
    "gaps": _gaps,
    "ticket-a": _ticket("A"),
    "ticket-b": _ticket("B"),
    "puzzles": _puzzles,
}
"""The kinds of sheets, each with its maker."""


def make_sheets(
    kind: str, rng: Random, copies: int, answers: Sequence[Answer], at: datetime
) -> list[Sheet]:
    """Make copies of a sheet; tickets, gaps and puzzles differ in their numbers."""
    return [KINDS[kind](rng, answers, at) for _ in range(copies)]


# As HTML


def format_html(sheets: Sequence[Sheet], name: str = "") -> str:
    """Render sheets as a document: one page per copy, the answers last."""
    pages = [_page(sheet, name) for sheet in sheets]
    for title, texts in _to_answer(sheets):
        answers = _list([*map(escape, texts)], 1)
        pages.append(f"<section>\n<h1>{escape(title)}</h1>\n{answers}</section>\n")
    return _document(sheets[0].title, pages)


def _question(item: Item) -> str:
    return item.text.removesuffix("= ?") + "=" if "= ?" in item.text else item.text


def _to_answer(sheets: Sequence[Sheet]) -> list[tuple[str, list[str]]]:
    """Return title and answers of each sheet; identical copies of strips share one."""
    return [
        (f"Answers: {sheet.title}, copy {copy}", _answers_of(sheet))
        for copy, sheet in enumerate(sheets, 1)
        if sheet.items or (sheet.strips and copy == 1)
    ]


def _answers_of(sheet: Sheet) -> list[str]:
    answers = [*map(_answer_to, sheet.items)]
    for target in sheet.strips:
        bands = map(str, oracle_for(Rules(Ending.REACH, target)).lost_bands())
        lost = f"every move loses from {join_words([*bands])}"
        answers.append(f"Target {target:,}: {lost}.")
    if sheet.sample:
        answers.append(f"Last question, sample answer: {sheet.sample}")
    return answers


def _answer_to(item: Item) -> str:
    """Return an item's answer together with its question."""
    answer = item.hints[-1]
    if is_record(item.key):
        total = shorten(read_puzzle(item.key).game.total)
        return " ".join([f"From {total}, {answer}", *why_others_fail(item)])
    if item.text.endswith("= ?"):
        return item.text.replace("?", answer.rpartition(" is ")[2].removesuffix("."))
    given, _, _ = item.text.rpartition("Which ")
    return f"{given}{answer}"


def _document(title: str, pages: Iterable[str]) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}</style>\n"
        f"{''.join(pages)}</html>\n"
    )


def _page(sheet: Sheet, name: str) -> str:
    questions = [*map(_question, sheet.items)]
    parts = [
        f"<h1>{escape(sheet.title)}</h1>\n",
        f"<header>Name <span>{escape(name)}</span> Date <span></span></header>\n",
        f"<p>{escape(sheet.lead)}</p>\n",
        *map(_draw_strip, sheet.strips),
        _list([f"{escape(each)} <i></i>" for each in questions], sheet.columns),
        *(_game_table(number + 1) for number in range(sheet.games)),
    ]
    if sheet.reason:
        parts.append(f"<p>{escape(sheet.reason)}</p>\n")
        parts += ['<div class="write"></div>\n'] * _LINES_FOR_A_REASON
    return f"<section>\n{''.join(parts)}</section>\n"


def _list(rows: Sequence[str], columns: int) -> str:
    if not rows:
        return ""
    listed = "".join(f"<li>{row}</li>\n" for row in rows)
    return f'<ol style="--columns: {columns}">\n{listed}</ol>\n'


def _game_table(number: int) -> str:
    head = f"<tr><th>Game {number}</th><th>×</th><th>makes</th></tr>\n"
    row = "<tr><td></td><td></td><td></td></tr>\n"
    return f"<table>\n{head}{row * _ROWS_OF_A_GAME}</table>\n"


def _ticks(target: int) -> list[int]:
    """Return the totals where a box starts: every small one, then fewer.

    They do not depend on the bands, so that none of them gives one away.
    """
    marks = [*range(1, 20), *range(20, 121, 5), *range(150, target, 50)]
    return [*(mark for mark in marks if mark < target), target]


def _draw_strip(target: int) -> str:
    """Draw boxes to shade: small totals in their box, larger ones below its edge."""
    ticks, scale = _ticks(target), Scale(1, target)
    at = {total: _LEFT + _LENGTH * scale.place(total) for total in ticks}
    drawn = [f'<path d="M{x:.1f} 10v100" stroke="#000"/>' for x in at.values()]
    for total, above in pairwise(ticks):
        if above == total + 1 and at[above] - at[total] > _width(total):
            drawn.append(_label(total, (at[total] + at[above]) / 2, 65))
    placed: list[int] = []
    for total in sorted(ticks[19:], key=lambda total: (total != target, _rank(total))):
        if all(
            abs(at[total] - at[other]) > (_width(total) + _width(other)) / 2 + _GAP
            for other in placed
        ):
            placed.append(total)
            drawn.append(_label(total, at[total], 130))
    return (
        f"<p>Target {target:,}</p>\n"
        f'<svg viewBox="0 0 960 140" role="img"><rect x="{_LEFT}" y="10" height="100"'
        f' width="{_LENGTH}" fill="none" stroke="#000"/>{"".join(drawn)}</svg>\n'
    )


def _rank(total: int) -> int:
    """Rank round numbers first: hundreds, fifties, tens, fives."""
    return next(n for n, each in enumerate((100, 50, 20, 10, 1)) if total % each == 0)


def _width(total: int) -> int:
    return _DIGIT * len(f"{total:,}")


def _label(total: int, x: float, y: int) -> str:
    place = f'x="{x:.1f}" y="{y}"'
    return f'<text {place} font-size="14" text-anchor="middle">{total:,}</text>'
