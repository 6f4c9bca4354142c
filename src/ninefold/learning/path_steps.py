"""The path: eight steps in which a learner finds the lost bands by playing.

It has three chapters: reaching the target wins, reaching it loses, and it must be hit
exactly. A step is a ``Course``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from ninefold.coach import why
from ninefold.game import Game, Seat
from ninefold.learning.claims import Claim, play_out
from ninefold.learning.items import AnswerKind, Item, Judged
from ninefold.learning.practice import product_item
from ninefold.learning.product_slips import worked_out
from ninefold.learning.puzzles import AIMS
from ninefold.learning.walk import Course, Play, Walk, is_won
from ninefold.rules import Ending, Rules
from ninefold.text import join_words, shorten
from ninefold.theory import Band, oracle_for

TRIES = 3
"""How many tries a learner has before a worked example is shown."""
_RUNNING, _RUNNING_LATER = 5, 2
_TIMES = {5: "five times"}
_FIRST_LEVEL = "careful"
FIRST_TARGET = 100
"""The target of the first six steps."""
_SMALL = 20
_ASKED_TOTALS = 6
_ROUND = "Round the lower end up, and the upper end down."
_STARTS = "Perfect starts, and"


class Chapter(Struct, frozen=True):
    """One kind of game, and what is different about it."""

    key: str
    title: str
    """The aim, as a heading."""
    book: str
    """The key of its rule book."""
    ending: Ending
    at_once: str
    """What step 2 asks for: the smallest total that does this."""
    at_once_briefly: str
    """The same, shorter, for the title of step 2."""
    parts: str
    """The highest lost band in terms of the target: "from half the target ..."."""
    reason: tuple[str, ...]
    """Why the band ends where it does, shown after the products of step 5."""
    products: tuple[tuple[int, int], ...]
    note: str = ""
    """What is different about the next band, if anything."""

    def rules(self, target: int) -> Rules:
        return Rules(self.ending, target)

    def bands(self, target: int) -> list[Band]:
        """Return the lost bands, the highest first."""
        return [*oracle_for(self.rules(target)).lost_bands()][::-1]

    def aim(self, target: int) -> str:
        """Return what wins at a target."""
        return AIMS[self.ending].format(target=shorten(target))

    def smallest(self, target: int) -> int:
        """Return the answer of step 2."""
        top = self.bands(target)[0]
        return top.highest + 1 if self.ending is Ending.REACH else top.lowest


CHAPTERS = {
    each.key: each
    for each in (
        Chapter(
            "reach",
            "Reach the target",
            "multiplication-madness",
            Ending.REACH,
            "wins at once",
            "wins at once",
            "from one 18th of the target up to just below one 9th",
            (
                "6 × 2 is 12, and 12 wins at once: so 6 is lost.",
                "5 × 2 is 10, which is lost: so 5 wins.",
                "11 × 9 is 99, one short of 100: so 11 is lost.",
            ),
            ((5, 2), (6, 2), (11, 9)),
        ),
        Chapter(
            "avoid",
            "Stay below the target",
            "multiplier",
            Ending.AVOID,
            "leaves only moves that lose at once",
            "leaves only losing moves",
            "from half the target up to just below the target",
            (
                "50 × 2 is 100, which loses at once: so 50 is lost.",
                "49 × 2 is 98, which is lost: so 49 wins.",
                "5 × 9 is 45 and 3 × 2 is 6: from 3 to 5 every move leaves a win.",
            ),
            ((49, 2), (50, 2), (5, 9)),
        ),
        Chapter(
            "exactly",
            "Hit the target exactly",
            "multiplication-duel",
            Ending.EXACT,
            "leaves only moves that go past the target",
            f"leaves only moves past {FIRST_TARGET}",
            "from just above half the target up to just below the target",
            (
                "50 × 2 is 100, which wins at once.",
                "51 × 2 is 102, past 100: so 51 is lost.",
                "5 × 9 is 45 and 3 × 2 is 6: from 3 to 5 every move leaves a win.",
            ),
            ((50, 2), (51, 2), (5, 9)),
            "At the upper end, include the target itself.",
        ),
    )
}
"""The chapters by key, in order."""


# The eight steps


def _ask(item: Item) -> Course:
    """Ask an item; repeat a number whose answer a miss reveals, up to ``TRIES`` times.

    Return whether it was answered right.
    """
    again = TRIES if item.tells and item.kind is AnswerKind.NUMBER else 1
    for _ in range(again):
        given = yield item
        if isinstance(given, str) and item.judge(given).right:
            return True
    return False


def _ask_all(items: Iterable[Item]) -> Course:
    done = True
    for item in items:
        done &= yield from _ask(item)
    return done


def _play_three(chapter: Chapter) -> Course:
    rules, aim = chapter.rules(FIRST_TARGET), chapter.aim(FIRST_TARGET)
    yield f"{aim} Play three games. Notice when you first know who will win."
    game = Game.start(rules)
    for number in range(3):
        first = Seat.ONE if number % 2 == 0 else Seat.TWO
        played = yield Play(rules, first, _FIRST_LEVEL)
        game = played if isinstance(played, Game) else game
    return (yield from _ask(_when_decided(game)))


def _smallest(chapter: Chapter) -> Course:
    return (yield from _ask_all(_smallest_item(chapter, at) for at in (100, 500)))


def _find_lost(chapter: Chapter) -> Course:
    below = chapter.smallest(FIRST_TARGET)
    lost = _lost_below(chapter, below)
    found = yield _lost_item(chapter, lost, below)
    is_found = isinstance(found, str) and int(found) in lost
    total = int(found) if isinstance(found, str) and is_found else lost[-1]
    challenge = (
        f"Prove it: win from {total}. Perfect starts, and you have to win whatever it"
        f" plays. If you do, {total} is called lost: every move from it loses."
    )
    claimed = Claim(chapter.rules(FIRST_TARGET), total, lost=True)
    while not (yield from play_out(claimed, challenge)):
        yield f"Here is one way. {claimed.why(*claimed.opening(0))}"
    return is_found


def _shade(chapter: Chapter) -> Course:
    low = next(band for band in chapter.bands(FIRST_TARGET) if band.lowest <= _SMALL)
    done = yield from _ask(_shade_item(chapter, low))
    edges = (low.lowest - 1, low.lowest, low.highest, low.highest + 1)
    totals = list(dict.fromkeys((*edges, 8, 2, 4)))[:_ASKED_TOTALS]
    sort = (_sort_item(chapter, total) for total in sorted(totals))
    return (yield from _ask_all(sort)) and done


def _why_there(chapter: Chapter) -> Course:
    done = yield from _ask_all(product_item(a, b) for a, b in chapter.products)
    yield " ".join(chapter.reason)
    done &= yield from _ask(_refute_bigger(chapter))
    rule = f"Whatever the target is, every move loses {chapter.parts}."
    yield f"{rule} {_ROUND}"
    items = (_band_item(chapter, at, again=rule) for at in (400, 700))
    return (yield from _ask_all(items)) and done


def _beat_perfect(chapter: Chapter, target: int = 100, wins: int = _RUNNING) -> Course:
    rules = chapter.rules(target)
    starts = oracle_for(rules).wins(rules.start)
    yield (
        f"The target is {target}. {'You start, and Perfect' if starts else _STARTS}"
        f" never makes a mistake. Win {wins} games in a row."
    )
    running = lost = 0
    while running < wins:
        first = Seat.ONE if starts else Seat.TWO
        game = yield Play(rules, first, caption=f"Won in a row: {running} of {wins}")
        won = is_won(game)
        running, lost = (running + 1 if won else 0), lost + (not won)
        if not won and lost % TRIES == 0:
            yield f"Here is one way. {why(Game.start(rules))}"
    return True


def _predict(chapter: Chapter) -> Course:
    return (yield from _ask_all(_band_item(chapter, at) for at in (1000, 500)))


def _next_band(chapter: Chapter) -> Course:
    rule = "The next band is one 18th of the band above it."
    yield (
        "There is another band below the highest one, for the same reason."
        f" {rule} {_ROUND} {chapter.note}".strip()
    )
    items = (_band_item(chapter, at, 1, rule) for at in (1000, 2000))
    done = yield from _ask_all(items)
    yield from _beat_perfect(chapter, 1000, _RUNNING_LATER)
    return (yield from _ask(_begin_item(chapter, 200))) and done


STEPS: tuple[tuple[str, Callable[[Chapter], Course]], ...] = (
    ("Play three games", _play_three),
    ("Find the smallest total that {}", _smallest),
    ("Find a total that is lost", _find_lost),
    (f"Shade the lost totals from 1 to {_SMALL}", _shade),
    ("Why does the band stop there?", _why_there),
    (f"Beat Perfect {_TIMES[_RUNNING]}", _beat_perfect),
    ("Predict the band for 1,000 and 500", _predict),
    ("Find the next band", _next_band),
)
"""The title and the course of each step."""


def step_title(chapter: str, step: int) -> str:
    """Return the title of a step; steps are counted from 1.

    >>> step_title("avoid", 2)
    'Find the smallest total that leaves only losing moves'
    """
    return STEPS[step - 1][0].format(CHAPTERS[chapter].at_once_briefly)


def walk(chapter: str, step: int) -> Walk:
    """Return the walk of a step of a chapter; steps are counted from 1."""
    _, course = STEPS[step - 1]
    return Walk(course(CHAPTERS[chapter]), tries=TRIES, goal=_goal(chapter, step))


def step_key(chapter: str, step: int) -> str:
    """Return the key of a step."""
    return f"step:{chapter} {step}"


def _goal(chapter: str, step: int) -> Item:
    """Return a step as an item, which finishing the step answers."""

    def judge(answer: str) -> Judged:
        what = "is done" if answer else "is not done yet. You can try it again"
        return Judged(bool(answer), f"Step {step} {what}.")

    return Item(step_key(chapter, step), step_title(chapter, step), judge)


def next_step(done: Sequence[str]) -> tuple[str, int] | None:
    """Return the first step that is not done; None if all are."""
    for chapter in CHAPTERS:
        for step in range(1, len(STEPS) + 1):
            if step_key(chapter, step) not in done:
                return chapter, step
    return None


# Items


def _number_item(
    key: str,
    text: str,
    is_right: Callable[[int], bool],
    told: str,
    *hints: str,
    several: bool = False,
) -> Item:
    """Return an item that asks for a number.

    With ``several`` right answers, the praise for one does not reveal another.
    """
    praise = "" if several else told

    def judge(answer: str) -> Judged:
        right = is_right(int(answer))
        return Judged(right, praise if right else "")

    return Item(f"path:{key}", text, judge, (*hints, told), tells=False)


def _when_decided(game: Game) -> Item:
    turns, oracle = list(game.turns()), oracle_for(game.rules)
    winner = None if game.outcome is None else game.outcome.winner
    decided = len(turns)
    while decided and oracle.wins(turns[decided - 1].total) is (
        turns[decided - 1].seat is winner
    ):
        decided -= 1
    told = "It was decided by the very last move."
    if decided < len(turns):
        total = shorten(turns[decided].total)
        told = f"It was decided at {total}: from there the winner made no mistake."
    totals = [*(turn.total for turn in turns), game.total]
    return Item(
        f"path:decided {'x'.join(map(str, (game.rules.start, *game.moves)))}",
        "In the last game, at which total did you know who would win?",
        lambda _: Judged(right=True, reason=f"Noted. {told}"),
        (f"The totals were {join_words([*map(shorten, totals)])}.", told),
        AnswerKind.CHOICE,
        tuple(map(str, totals)),
    )


def _smallest_item(chapter: Chapter, target: int) -> Item:
    smallest = chapter.smallest(target)
    by = 9 if chapter.ending is Ending.REACH else 2
    before = worked_out(smallest - 1, by)
    told = f"{worked_out(smallest, by)}, and {before.replace(' is ', ' is only ')}."
    text = f"With target {target}, what is the smallest total that {chapter.at_once}?"
    hint = "Try the largest multiplier."
    if chapter.ending is not Ending.REACH:
        hint = "Try the smallest multiplier."
    key = f"smallest {chapter.key} {target}"
    return _number_item(key, text, smallest.__eq__, told, hint)


def _lost_item(chapter: Chapter, lost: Sequence[int], below: int) -> Item:
    told = f"From {lost[-1]} every move loses."
    text = f"With target 100, name a total below {below} from which every move loses."
    key = f"lost {chapter.key}"
    hint = "Look for one where every move lets the other player win."
    return _number_item(key, text, lost.__contains__, told, hint, several=True)


def _lost_below(chapter: Chapter, below: int) -> list[int]:
    bands = chapter.bands(FIRST_TARGET)
    return [n for n in range(1, below) if any(n in band for band in bands)]


def _shade_item(chapter: Chapter, low: Band) -> Item:
    told = f"{low} is lost: from there every move loses."

    def judge(answer: str) -> Judged:
        right = answer == f"{low.lowest} to {low.highest}"
        return Judged(right, told if right else "Not quite. Try the ends again.")

    text = f"With target 100, which band of the numbers 1 to {_SMALL} is lost?"
    hint = "Try them one by one: which of them let you leave a lost total?"
    key, hints = f"path:shade {chapter.key}", (hint, told)
    return Item(
        key, text, judge, hints, AnswerKind.BAND, tells=False, target=FIRST_TARGET
    )


def _sort_item(chapter: Chapter, total: int) -> Item:
    lost = any(total in band for band in chapter.bands(FIRST_TARGET))
    told = f"{total} is {'lost' if lost else 'won'}."

    def judge(answer: str) -> Judged:
        return Judged((answer == "lost") is lost, told)

    text = f"With target 100, is {total} lost or won?"
    key = f"path:sort {chapter.key} {total}"
    return Item(key, text, judge, (told,), AnswerKind.CHOICE, ("lost", "won"))


def _refute_bigger(chapter: Chapter) -> Item:
    bands = chapter.bands(FIRST_TARGET)
    highest = bands[-1].highest

    def wins(total: int) -> bool:
        lies = any(total in band for band in bands)
        return highest < total < 100 and not lies  # noqa: PLR2004

    text = (
        'Someone says: "A bigger total is always safer to leave." Prove them wrong:'
        f" name a total above {highest} that wins for the player who gets it."
    )
    told = f"{highest + 1} is bigger, and the player who gets it wins."
    return _number_item(f"bigger {chapter.key}", text, wins, told, several=True)


def _band_item(
    chapter: Chapter, target: int, place: int = 0, again: str = "Look at both ends."
) -> Item:
    """Return an item that asks for a lost band, the highest at place 0.

    ``again`` is the advice after a wrong answer.
    """
    band = chapter.bands(target)[place]
    told = f"With target {target} it is {band.lowest} to {band.highest}."

    def judge(answer: str) -> Judged:
        right = answer == f"{band.lowest} to {band.highest}"
        return Judged(right, told if right else f"Not quite. {again}")

    which = "the next band below" if place else "the highest lost band"
    text = f"With target {target}, which is {which}?"
    hints = ("Work it out from the target.", told)
    key = f"path:band {chapter.key} {target} {place}"
    return Item(key, text, judge, hints, AnswerKind.BAND, tells=False, target=target)


def _begin_item(chapter: Chapter, target: int) -> Item:
    starts = oracle_for(chapter.rules(target)).wins(1)
    told = "Start: 1 is won." if starts else "Let the other player start: 1 is lost."

    def judge(answer: str) -> Judged:
        return Judged((answer == "yes") is starts, told)

    text = f"With target {target}, would you start?"
    key = f"path:begin {chapter.key} {target}"
    return Item(key, text, judge, (told,), AnswerKind.CHOICE, ("yes", "no"))
