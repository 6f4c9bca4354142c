"""Printing: wrapped text, JSON, styled lines, tables, lists of games, reviews.

Texts are escaped before they are styled, so only the escape sequences of styles reach
the terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import starmap

import msgspec
from msgspec import Struct

from ninefold.cli.console import Console
from ninefold.coach import Grade, Review
from ninefold.game import Seat
from ninefold.learning import Standing
from ninefold.levels import LEVELS
from ninefold.notation.codec import encode_bytes
from ninefold.rules import Reason
from ninefold.store import GameRow, MatchRow
from ninefold.text import (
    columns_of,
    escape,
    escape_lines,
    format_product,
    shorten,
    wrap,
)
from ninefold.views.match_text import format_score
from ninefold.views.review import GRADE_WORDS, GradedMoveView, ReviewView

_NARROWEST = 40
_PAGE = 80
_NARROWEST_PROSE = 20
_PARAGRAPH_LINE = re.compile(r"(?<=[^\n=])\n *(?=[^\n\s=-])")
"""A line break within a paragraph or an item of a list."""
_NOT_PLAIN_ASCII = re.compile(r"[^\n\x20-\x7e]")


def width_of(console: Console, narrowest: int = _NARROWEST) -> int:
    """Return the number of columns to use, at least ``narrowest``."""
    return max(console.columns, narrowest)


def print_wrapped(
    console: Console, text: str, marks: Mapping[str, str] | None = None
) -> None:
    """Print a paragraph, wrapped to the window or the page.

    In plain output it stays one line, for screen readers and programs. With colour, the
    texts in ``marks`` get their styles.
    """
    text = console.fit(escape(text))  # before it is measured
    if marks and console.colours:
        print_marked(console, f"{text}\n", marks)
        return
    if not console.plain:
        text = wrap(text, width_of(console, _NARROWEST_PROSE))
    console.print(f"{text}\n")


def print_page(console: Console, text: str) -> None:
    """Print text that is wrapped for a page; rewrap it for a narrower terminal."""
    if console.columns < _PAGE:
        text = _PARAGRAPH_LINE.sub(" ", text)
    console.print(text)


def print_json(console: Console, view: Struct | Sequence[Struct]) -> None:
    """Print a view, or several, as indented JSON."""
    console.print_raw(
        escape_json(msgspec.json.format(encode_bytes(view)).decode()) + "\n"
    )


def escape_json(text: str) -> str:
    r"""Return JSON in printable ASCII: the same value, with nothing invisible in it.

    >>> escape_json('"\u202e\x7f\U0001f600"')
    '"\\u202e\\u007f\\ud83d\\ude00"'
    """
    return _NOT_PLAIN_ASCII.sub(_escape_character, text)


def _escape_character(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", errors="surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


Styled = tuple[str, str]
"""A text and its rich style, which may be empty."""

LOOKS: dict[Grade | Standing, Styled] = {
    Grade.ONLY: ("!", "bold green"),
    Grade.GOOD: ("+", "green"),
    Grade.SLIP: ("?", "bold red"),
    Grade.LOST: (".", "dim"),
    Standing.KNOWN: ("+", "green"),
    Standing.FIRM: ("o", ""),
    Standing.SHAKY: ("?", "red"),
    Standing.NEW: (".", "dim"),
}
"""The mark and the style of each grade and standing."""
_GAP = "  "
_NUMBER = re.compile(r"[<>]?[\d.,]+%?")


def draw_line(console: Console, parts: Iterable[Styled]) -> None:
    """Print a line of styled texts."""
    _print(console, [parts])


def print_marked(console: Console, text: str, marks: Mapping[str, str]) -> None:
    """Print whole lines; with colour, give the texts in ``marks`` their styles."""
    if not text or not console.colours:
        console.print(text)
        return
    parts = {console.fit(escape(part)): style for part, style in marks.items()}
    # Whole words only: a number inside a longer one is a different number.
    found = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, parts))})(?!\w)")
    shown = console.fit(escape_lines(text)).removesuffix("\n")
    lines = [
        [(piece, parts.get(piece, "")) for piece in found.split(line)]
        for line in wrap(shown, width_of(console)).split("\n")
    ]
    _print(console, lines)


def draw_table(
    console: Console, heads: Sequence[str], rows: Sequence[Sequence[Styled]]
) -> bool:
    """Print a table with columns of numbers aligned right; return whether it fits.

    Only the rows of the last column are wrapped. If the others leave no room for its
    widest word, nothing is printed.
    """
    rows = [[(console.fit(escape(text)), style) for text, style in row] for row in rows]
    texts = [heads, *([text for text, _ in row] for row in rows)]
    widths = [max(map(columns_of, column)) for column in zip(*texts, strict=True)]
    room = width_of(console) - sum(widths[:-1]) - len(_GAP) * (len(heads) - 1)
    words = [heads[-1], *(word for row in texts[1:] for word in row[-1].split())]
    if room < max(map(columns_of, words)):
        return False
    widths[-1] = min(widths[-1], room)
    numeric = [
        all(map(_NUMBER.fullmatch, column[1:])) for column in zip(*texts, strict=True)
    ]
    rule = "─" if console.can_show("─") else "-"
    lines: list[list[Styled]] = [
        _line([(head, "bold") for head in heads], widths, numeric),
        [(_GAP.join(rule * width for width in widths), "dim")],
    ]
    for row in rows:
        *cells, (last, style) = row
        first, *more = wrap(last, room).split("\n")
        lines.append(_line([*cells, (first, style)], widths, numeric))
        before = sum(widths[:-1]) + len(_GAP) * len(cells)
        lines += ([(" " * before, ""), (rest, style)] for rest in more)
    _print(console, lines)
    return True


def _line(
    cells: Sequence[Styled], widths: Sequence[int], numeric: Sequence[bool]
) -> list[Styled]:
    line: list[Styled] = []
    for (text, style), width, right in zip(cells, widths, numeric, strict=True):
        line += [(_pad(text, width, right=right), style), (_GAP, "")]
    return line


def _pad(text: str, width: int, *, right: bool = False) -> str:
    blanks = " " * (width - columns_of(text))
    return blanks + text if right else text + blanks


def _print(console: Console, lines: Iterable[Iterable[Styled]]) -> None:
    # Importing rich takes 30 ms: only when something is drawn.
    from rich.console import Console as RichConsole
    from rich.text import Text

    unstyled = console.plain or console.environ.get("NO_COLOR")
    rich = RichConsole(
        file=console.out,
        width=width_of(console),
        highlight=False,
        markup=False,
        emoji=False,
        color_system=None if unstyled else "auto",
        _environ=console.environ,
    )
    texts = []
    for parts in lines:
        text = Text(end="")
        for part, style in parts:
            text.append(console.fit(escape(part)), style)
        text.rstrip()
        texts.append(text)
    with rich.capture() as drawn:  # rich itself would exit at a broken pipe
        rich.print(Text("\n").join(texts))
    console.out.write(drawn.get())


_SHORT_ID = 8
_HEADS = ("date", "game", "total", "id", "result")
_PLAIN_HEADS = ("id", "started", "game", "result")
_HANGING = "    "


def short_id(match: str) -> str:
    """Return the start of an id, enough to tell matches apart."""
    return match[:_SHORT_ID]


def line_of_match(row: MatchRow) -> str:
    """Describe an unfinished match in one line."""
    parts = [short_id(row.id), _time(row.changed_at), row.title, _pair(row)]
    if not row.is_single:
        parts.append(f"{row.length}, {format_score(row.score)}")
    if row.total is not None and row.to_move is not None:
        to_move = row.names[_index(row.to_move)]
        parts.append(f"at {shorten(row.total)}, {to_move} to move")
    if row.origin is not None:
        parts.append(f"on {row.origin.server}")
    return "  ".join(parts)


def _plain_cells(name: str, row: GameRow) -> tuple[str, str, str, str]:
    more = f" at {shorten(row.total)}" if row.winner is None else f" ({row.reason})"
    if row.failure:
        more = _gave_up(row)
    return name, _time(row.begun_at), row.title, f"{_result(row)}{more}"


def print_games(console: Console, games: Sequence[tuple[str, GameRow]]) -> None:
    """Print games with their names: a table or, in a narrow window, two lines each.

    Plain or piped output has a head and a line for each game. Lines longer than the
    terminal are wrapped and indented.
    """
    if console.plain or not console.writes_to_terminal:
        _print_plain_list(console, [_PLAIN_HEADS, *starmap(_plain_cells, games)])
        return
    rows = [
        [
            (date_of(row.begun_at), ""),
            (row.title, ""),
            (shorten(row.total), ""),
            (name, "bold"),
            (_result(row) + _gave_up(row), ""),
        ]
        for name, row in games
    ]
    if draw_table(console, _HEADS, rows):
        return
    for row in rows:
        date, book, total, name, result = (text for text, _ in row)
        console.print(f"{date}  {book}\n")
        console.print(f"  {result}, total {total}, {name}\n")


def _print_plain_list(console: Console, rows: Sequence[Sequence[str]]) -> None:
    *widths, _ = (
        max(map(columns_of, map(escape, column))) for column in zip(*rows, strict=True)
    )
    for row in rows:
        *cells, last = map(escape, row)
        line = _GAP.join([*map(_pad, cells, widths), last])
        if console.writes_to_terminal and columns_of(line) > console.columns:
            room = width_of(console) - len(_HANGING)
            line = wrap(line, room).replace("\n", f"\n{_HANGING}")
        console.print(f"{line}\n")


def _gave_up(row: GameRow) -> str:
    if row.failure:
        return f", which {row.failure}"
    return " (resigned)" if row.reason == Reason.RESIGNED.value else ""


def _result(row: GameRow) -> str:
    if row.winner is None:
        return f"{_pair(row)}, unfinished"
    return f"{_called(row, row.winner)} beat {_called(row, row.winner.other)}"


def _pair(row: GameRow | MatchRow) -> str:
    return " and ".join(_called(row, seat) for seat in Seat)


def _called(row: GameRow | MatchRow, seat: Seat) -> str:
    name, level = row.names[_index(seat)], row.levels[_index(seat)]
    if level is None:
        return name
    known = LEVELS.get(level)  # an import from another version may have others
    return name if known is not None and name == known.title else f"{name} [{level}]"


def _index(seat: Seat) -> int:
    return seat.value - 1


def _time(time: datetime) -> str:
    return f"{to_local(time):%Y-%m-%d %H:%M}"


def date_of(time: datetime) -> str:
    """Format the local date of a time."""
    return f"{to_local(time):%Y-%m-%d}"


def to_local(time: datetime) -> datetime:
    """Return a time in the local zone; a time without a zone is already local.

    Near the years 1 and 9999, which some zones cannot represent, it stays in UTC.
    """
    try:
        return time.astimezone()
    except (OverflowError, ValueError):
        return time.replace(tzinfo=time.tzinfo or UTC)


_MOST_MOVES = 200
"""Longer games are summarised: nobody reads thousands of rows."""
_SLIPS_OF_A_LONG_GAME = 5
_COLUMNS = ("", "player", "move", "grade", "winning moves")


def print_review(
    console: Console,
    reviewed: Review,
    called: tuple[str, str],
    given_back: tuple[int, int],
    *,
    full: bool = False,
) -> None:
    """Print the grade of every move, the better moves, and the turning point.

    A long game is summarised by its last slips and the number of moves of each grade,
    unless ``full``.
    """
    names = dict(zip(Seat, called, strict=True))
    review = ReviewView.of(reviewed, names, given_back)
    moves: Sequence[GradedMoveView] = review.moves
    if len(moves) > _MOST_MOVES and not full:
        _print_grades(console, review, names)
        slips = [move for move in moves if move.grade is Grade.SLIP]
        moves = slips[-_SLIPS_OF_A_LONG_GAME:]
    rows = [_row(move, names) for move in moves]
    if console.plain or not (rows and draw_table(console, _COLUMNS, rows)):
        _print_lines(console, moves, names)
    else:
        console.print("\n")
        for move in moves:
            if move.grade is Grade.SLIP:
                print_wrapped(console, f"Move {move.number:,}: {move.comment}")
    print_wrapped(console, review.story)
    for seat, only in zip(Seat, review.only_moves, strict=True):
        if only.faced:
            found = f"{only.found:,} of {only.faced:,} times"
            print_wrapped(
                console, f"{names[seat]} found the only winning move {found}."
            )


def _print_grades(
    console: Console, review: ReviewView, names: Mapping[Seat, str]
) -> None:
    print_wrapped(console, f"{len(review.moves):,} moves; --full shows all of them.")
    for seat in Seat:
        counts = Counter(move.grade for move in review.moves if move.player is seat)
        grades = ", ".join(f"{GRADE_WORDS[grade]} {counts[grade]:,}" for grade in Grade)
        print_wrapped(console, f"{names[seat]}: {grades}.")
    if any(move.grade is Grade.SLIP for move in review.moves):
        print_wrapped(console, "The last slips:")


def _print_lines(
    console: Console, moves: Sequence[GradedMoveView], names: Mapping[Seat, str]
) -> None:
    for move in moves:
        product = format_product(move.total, move.multiplier)
        made = f"Move {move.number:,}, {names[move.player]}: {product}"
        graded = f"{made}, {GRADE_WORDS[move.grade]}. Winning moves: {_won(move)}."
        comment = f" {move.comment}" if move.grade is Grade.SLIP else ""
        print_wrapped(console, f"{graded}{comment}")


def _row(move: GradedMoveView, names: Mapping[Seat, str]) -> list[tuple[str, str]]:
    glyph, style = LOOKS[move.grade]
    return [
        (f"{move.number:,}", ""),
        (names[move.player], ""),
        (format_product(move.total, move.multiplier), ""),
        (f"{glyph} {GRADE_WORDS[move.grade]}", style),
        (_won(move), ""),
    ]


def _won(move: GradedMoveView) -> str:
    return ", ".join(shorten(each) for each in move.winning_moves) or "none"
