"""Pictures of every screen at two sizes, to be looked at.

``python -m tests.app.pictures`` draws them anew; a test says when they are out of date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ninefold.app.preferences import ThemeName
from ninefold.match import Length
from ninefold.session import Lessons, Move, Session
from tests.app.rooms import LARGE, USUAL, Room, Size, agreed

_HERE = Path(__file__).parent
SNAPSHOTS = _HERE / "snapshots"
IN_DOCS = _HERE.parents[1] / "docs" / "pictures"
SHOWN_IN_DOCS = (
    "home-80x24",
    "table-120x40",
    "after-80x24",
    "step-80x24",
    "practice-80x24",
    "progress-80x24",
)

PLACES = {
    "home": (),
    "new-game": ("v",),
    "table": ("c", "b", "h", "h", "h"),
    "question": ("v", "enter", "7"),
    "after": ("c", "9", "9"),
    "path": ("n",),
    "step": ("n", "down", "down", "down", "enter", *["right"] * 5, "shift+right"),
    "claim": ("v", "enter", "c", "8"),
    "explore": ("e",),
    "look-back": ("l",),
    "review": ("l", "down", "enter", "left", "left", "b"),
    "puzzle": ("p", "2"),
    "practice": ("t", "1", "enter", "enter", "question_mark"),
    "progress": ("g",),
    "help": ("c", "question_mark"),
    "rules": ("c", "r"),
}
SIZES: dict[str, tuple[Size, ThemeName]] = {
    "80x24": (USUAL, "dark"),
    "120x40": (LARGE, "light"),
}
_FONT_FROM_ELSEWHERE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def names() -> Iterator[str]:
    """Yield the name of each picture."""
    for place in PLACES:
        for size in SIZES:
            yield f"{place}-{size}"


def draw(name: str, folder: Path) -> str:
    """Draw a picture, with a store in this folder."""
    place, _, written = name.rpartition("-")
    size, theme = SIZES[written]
    room = Room(folder)
    _fill(room)
    with room.open(*PLACES[place], app=room.app(theme=theme), size=size) as at:
        return _FONT_FROM_ELSEWHERE.sub("", at.picture)


def _fill(room: Room) -> None:
    """Keep a few games and answers, so that every screen has something to show."""
    won, lost = map(Move, (5, 2, 9, 2, 9)), map(Move, (7, 9, 2, 9))
    room.keep(agreed("multiplication-duel"), Move(5), Move(5), Move(4))
    room.keep(agreed(level="careful"), *won)
    room.keep(agreed(level="planner", lessons=Lessons(coach=True)), *lost)
    best_of = agreed(length=Length.best_of(3))
    first = tuple(map(Move, (5, 9, 3, 9)))
    next_game = Session.replay(best_of, first).next_game()
    room.keep(best_of, *first, next_game, Move(5), Move(3))
    for days, known in ((0, "2x3 3x2 5x5 4x5"), (1, "2x3 3x2 5x5 5x4 6x7 80x7")):
        for item in f"{known} 2x5 5x2 2x9".split():
            a, b = map(int, item.split("x"))
            room.answer(item, str(a * b))
        room.let_days_pass(1 + 8 * days)
    for item in ("2x3", "5x5", "4x5", "2x5", "60x4", "250+36"):
        a, b = map(int, item.replace("+", "x").split("x"))
        room.answer(item, str(a + b if "+" in item else a * b))
    for item, given in (("7x8", "54"), ("6x9", "45"), ("45x7", "305"), ("86x2", "162")):
        room.answer(item, given)


def main() -> None:
    """Draw every picture anew."""
    SNAPSHOTS.mkdir(exist_ok=True)
    for name in names():
        with TemporaryDirectory() as folder:
            picture = draw(name, Path(folder))
        (SNAPSHOTS / f"{name}.svg").write_text(picture, encoding="utf-8")
        if name in SHOWN_IN_DOCS:
            (IN_DOCS / f"app-{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
