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
from tests.store.stores import answer

_HERE = Path(__file__).parent
SNAPSHOTS = _HERE / "snapshots"
IN_DOCS = _HERE.parents[1] / "docs" / "pictures"
SHOWN_IN_DOCS = ("home-80x24", "table-120x40", "after-80x24")

PLACES = {
    "home": (),
    "new-game": ("v",),
    "table": ("c", "b", "h", "h", "h"),
    "question": ("v", "enter", "7"),
    "after": ("c", "9", "9"),
    "explore": ("e",),
    "look-back": ("l",),
    "review": ("l", "down", "enter", "left", "left", "b"),
    "puzzle": ("p", "2"),
    "facts": ("t", "down", "down", "right", "right", "right"),
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
    with room.open_store() as store:
        for a in range(2, 10):
            for b in range(a, 10):
                for asked in range((a * b) % 4):
                    given = a * b if (a + b + asked) % 5 else a * b - 1
                    answer(store, a, b, given)


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
