"""The results of a class: for each pupil, counts and one next step."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from io import StringIO

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.game import Game, Seat
from ninefold.learning import Product
from ninefold.levels import LEVELS
from ninefold.text import join_words, shorten
from ninefold.theory import Oracle, oracle_for

_PUZZLES = "Try the puzzles."
_MOST_PRODUCTS = 3
_NO_EVIDENCE = 50
_SHARES_OF_LEVELS = (0, 45, 60, 80, 95)
"""The share at which each level begins. Against Careful, the levels themselves keep
about 40, 50, 70, 85 and 100 per cent of their won positions."""
_GAMES_FOR_A_LEVEL = 2
"""The fewest games before each step up: after one game, a share is mostly chance."""
_NEAR_THE_END = 2
"""The most moves that are left when a loss comes soon."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Spreadsheets compute a cell that starts with one of these."""
_COLUMNS = (
    *("Name", "Games", "Unfinished games"),
    *("Won starts", "Wins from won starts", "Lost starts", "Wins from lost starts"),
    *("Won positions", "Kept", "Given away"),
    *("Products right", "Products shaky", "Next step"),
)


class Share(Struct, frozen=True):
    """A count, and of how many."""

    count: int
    of: int


class ResultRow(Struct, frozen=True, kw_only=True):
    """The results of a pupil."""

    pupil: int
    name: str
    games: int
    """The games that ended."""
    unfinished: int
    won_from_won: Share
    """Games won, of those whose start was won for this pupil."""
    won_from_lost: Share
    kept: Share
    """Won positions kept, of those at which the pupil was to move."""
    right: int
    """Products that were right at once."""
    shaky: tuple[str, ...]
    """Products that were wrong, or right with help only."""
    next_step: str
    """What to practise; empty without a game."""


class PupilGame(Struct, frozen=True):
    """A game, finished or not, in which a pupil had a seat."""

    game: Game
    seat: Seat
    products: tuple[Product, ...] = ()
    """The pupil's answers, where products were asked."""

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None

    @property
    def is_won(self) -> bool:
        """Whether the pupil has won."""
        return self.game.outcome is not None and self.game.outcome.winner is self.seat


class _SlipKind(Enum):
    """A way to give a won position away, with the advice against it."""

    LOSES_AT_ONCE = "Check first that a move does not lose at once."
    MISSES_A_WIN = "Look first for a move that wins at once."
    LOSES_SOON = "Before a move, look for the other player's best reply."
    RESIGNS = "Play on: the game may still be won."
    EARLIER = _PUZZLES


class _Judged(Struct, frozen=True):
    """A game as perfect play judges it, for one pupil."""

    is_start_won: bool
    kept: int
    """The number of won positions after which the pupil could still win."""
    slips: tuple[_SlipKind, ...]
    """The others."""


def result_of(pupil: int, name: str, games: Sequence[PupilGame]) -> ResultRow:
    """Return the results of a pupil, from the games so far.

    Starts and positions of a game that is too large to judge are left out.
    """
    over = sum(each.is_over for each in games)
    judged = [(each, it) for each in games if (it := _judge(each)) is not None]
    starts = [(it.is_start_won, each.is_won) for each, it in judged if each.is_over]
    from_won = [is_won for is_start_won, is_won in starts if is_start_won]
    from_lost = [is_won for is_start_won, is_won in starts if not is_start_won]
    kept = sum(it.kept for _, it in judged)
    slips = [slip for _, it in judged for slip in it.slips]
    products = [product for each in games for product in each.products]
    shaky = _shaky(products)
    return ResultRow(
        pupil=pupil,
        name=name,
        games=over,
        unfinished=len(games) - over,
        won_from_won=Share(sum(from_won), len(from_won)),
        won_from_lost=Share(sum(from_lost), len(from_lost)),
        kept=Share(kept, kept + len(slips)),
        right=sum(each.right and not each.hinted for each in products),
        shaky=shaky,
        next_step=_next_step(shaky, slips) if games else "",
    )


def share_of(games: Iterable[PupilGame]) -> int:
    """Return how many per cent of the won positions a pupil kept, to pair by.

    A game that is too large to judge counts as one position, kept if the pupil won.
    Without any, the share is 50.
    """
    kept = of = 0
    for each in games:
        judged = _judge(each)
        if judged is not None:
            kept += judged.kept
            of += judged.kept + len(judged.slips)
        elif each.is_over:
            kept += each.is_won
            of += 1
    return round(100 * kept / of) if of else _NO_EVIDENCE


def level_for(share: int, games_played: int) -> str:
    """Return the level for a pupil without a partner.

    It begins at beginner and goes up with the share, at most a step for two games.

    >>> [level_for(70, games) for games in (0, 2, 4, 99)]
    ['beginner', 'careful', 'planner', 'planner']
    """
    fits = sum(share >= begins for begins in _SHARES_OF_LEVELS)
    return [*LEVELS][min(fits - 1, games_played // _GAMES_FOR_A_LEVEL)]


def format_csv(results: Iterable[ResultRow]) -> str:
    """Return results as CSV (RFC 4180) with a header.

    A cell that a spreadsheet would compute starts with an apostrophe.
    """
    table = StringIO()
    rows = csv.writer(table)
    rows.writerow(_COLUMNS)
    for row in results:
        won, lost, kept = row.won_from_won, row.won_from_lost, row.kept
        cells = (
            *(row.name, row.games, row.unfinished),
            *(won.of, won.count, lost.of, lost.count),
            *(kept.of, kept.count, kept.of - kept.count),
            *(row.right, "; ".join(row.shaky), row.next_step),
        )
        rows.writerow([_as_cell(str(cell)) for cell in cells])
    return table.getvalue()


def _as_cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _judge(played: PupilGame) -> _Judged | None:
    """Judge a game for one pupil; None if it is too large."""
    game, seat = played.game, played.seat
    oracle = oracle_for(game.rules)
    kept, slips = 0, []
    try:
        is_start_won = oracle.wins(game.rules.start) is (game.first is seat)
        for turn in game.turns():
            oracle.accept(turn.total)
            if turn.seat is seat and oracle.wins(turn.total):
                winning = oracle.winning_moves(turn.total)
                if turn.multiplier in winning:
                    kept += 1
                else:
                    slips.append(_kind_of(oracle, turn.total, turn.multiplier))
        if game.resigned_by is seat and game.to_move is seat:
            oracle.accept(game.total)
            if oracle.wins(game.total):
                slips.append(_SlipKind.RESIGNS)
    except TooLarge:
        return None
    return _Judged(is_start_won, kept, tuple(slips))


def _kind_of(oracle: Oracle, total: int, multiplier: int) -> _SlipKind:
    """Return the kind of a move that gave a won position away."""
    rules = oracle.rules
    after = rules.after(total, multiplier)
    if rules.verdict(after) is not None:
        return _SlipKind.LOSES_AT_ONCE
    if any(rules.wins_at_once(total, each) for each in rules.multipliers):
        return _SlipKind.MISSES_A_WIN
    oracle.accept(after)
    with suppress(TooLarge):
        if oracle.distance(after) <= _NEAR_THE_END:
            return _SlipKind.LOSES_SOON
    return _SlipKind.EARLIER


def _shaky(products: Iterable[Product]) -> tuple[str, ...]:
    """Return the products that were wrong, or right with help only, by first answer."""
    given: dict[tuple[int, int], list[Product]] = {}
    for each in products:
        given.setdefault((each.total, each.multiplier), []).append(each)
    return tuple(
        f"{shorten(total)} × {shorten(multiplier)}"
        for (total, multiplier), answers in given.items()
        if not all(each.right for each in answers)
        or all(each.hinted for each in answers)
    )


def _next_step(shaky: Sequence[str], slips: Sequence[_SlipKind]) -> str:
    """Return what to practise: shaky products, else the most frequent kind of slip."""
    if shaky:
        return f"Practise {join_words(shaky[:_MOST_PRODUCTS])}."
    counts = Counter(slips)
    return max(_SlipKind, key=counts.__getitem__).value if slips else _PUZZLES
