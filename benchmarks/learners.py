"""What a simulated learner takes from ``ninefold learn``: the games it wins afterwards.

Run it with ``python -m benchmarks.learners``. Simulated learners
(``benchmarks/simulated_learner.py``) go through each chapter as a pipe shows it. Then
they play from the won side against perfect, at targets that the path does not name;
what they know is the same again before each target. *Of the way* is the share from
*nothing* to *the card*, with a 95 % bootstrap interval over the targets. The seeds are
fixed. What is missed ends the program with code 1: change the path, not the learner.

``--text reach=FILE`` takes a text for the path: a line ``== 3`` begins step 3, and a
line ``Which band? [6 to 11]`` asks up to three times.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from tempfile import TemporaryDirectory

from benchmarks.simulated_learner import Learner
from benchmarks.timing import print_table
from ninefold import Ending, Oracle, Rules
from ninefold.cli import WRONG_USE
from ninefold.cli.console import Console
from ninefold.levels import Perfect
from ninefold.main import main as run

SEED, GAMES, USUAL_GAMES, MOST_ANSWERS = 18, 10, 20, 300
CHAPTERS = {"reach": Ending.REACH, "avoid": Ending.AVOID, "exactly": Ending.EXACT}
NOTHING, PRACTICE, CARD = "told nothing", "as many games", "the card"
PATH, FALSE = "the path", "false bands"
STEPS = {
    PATH: (1, 2, 3, 4, 5, 6, 7, 8),
    "without steps 3-5": (1, 2, 6, 7, 8),
    "without steps 7-8": (1, 2, 3, 4, 5, 6),
    FALSE: (1, 2, 3, 4, 5, 6, 7, 8),
}
LEAST = {PATH: 80}
"""In per cent of the way, at the lower end of the interval."""
MOST = {PRACTICE: 15, "without steps 3-5": 50, "without steps 7-8": 50, FALSE: 15}
Ask = Callable[[str], str]
Walk = Callable[[int, Ask], str]
"""Leads somebody who answers through a step; returns what it says at the end."""
Maker = Callable[[Random], Learner]
Arms = dict[str, list[Learner]]
Wins = dict[str, list[int]]


class Table:
    """A game to one target, with perfect on the lost side."""

    def __init__(self, chapter: str, target: int) -> None:
        self.rules = Rules(CHAPTERS[chapter], target)
        self.oracle = Oracle(self.rules)
        self.card = [(band.lowest, band.highest) for band in self.oracle.lost_bands()]
        self._player = Perfect(Random(SEED), self.oracle)
        self._known: dict[int, int] = {}

    def _perfect(self, total: int) -> int:
        if total not in self._known:
            (self._known[total],) = self._player.distribution(self.rules, total)
        return self._known[total]

    def play(self, learner: Learner) -> bool:
        """Play a game from the won side; return whether the learner won it."""
        total, learns = 1, not self.oracle.wins(1)
        while (verdict := self.rules.verdict(total)) is None:
            learns = not learns
            target = self.rules.target
            move = learner.choose(total, target) if learns else self._perfect(total)
            total = self.rules.after(total, move)
        learner.end_game(won=verdict.mover_wins == learns)
        return verdict.mover_wins == learns


table = cache(Table)


class Answers(StringIO):
    """Standard input: each line answers what was printed since the last one."""

    def __init__(self, out: StringIO, ask: Ask) -> None:
        super().__init__()
        self.out, self.ask, self.seen, self.count = out, ask, 0, 0

    def news(self) -> str:
        """Return what was printed since the last time."""
        text = self.out.getvalue()[self.seen :]
        self.seen += len(text)
        return text

    def readline(self, _size: int = -1, /) -> str:  # type: ignore[override]  # as in io
        self.count += 1
        return f"{self.ask(self.news())}\n" if self.count <= MOST_ANSWERS else ""


def converse(words: Sequence[str], ask: Ask) -> str:
    """Run ninefold with somebody who answers; return what it says at the end."""
    out, notices = StringIO(), StringIO()
    answers = Answers(out, ask)
    with TemporaryDirectory() as home:
        console = Console(answers, out, notices, environ={"NINEFOLD_HOME": home})
        if run(words, console) == WRONG_USE:
            raise LookupError(notices.getvalue())
    return answers.news()


def walk_program(chapter: str, step: int, ask: Ask) -> str:
    """Lead through a step of ``ninefold learn``."""
    words = ("learn", "--plain", "--chapter", chapter, "--step", str(step))
    return converse(words, ask)


def walk_text(text: str, step: int, ask: Ask) -> str:
    """Lead through a step of a text."""
    _, *parts = re.split(r"^== (\d+)\n", text, flags=re.MULTILINE)
    lines = dict(zip(parts[::2], parts[1::2], strict=True)).get(str(step), "")
    said = ""
    for line in lines.splitlines():
        question, _, answer = line.removesuffix("]").rpartition(" [")
        said += "" if question else f"{line}\n"
        for verdict in ("No.", "No.", f"No, {answer}.") if question else ():
            right = ask(said + question) == answer
            said = "Right.\n\n" if right else f"{verdict}\n\n"
            if right:
                break
    return said


def falsify(text: str) -> str:
    """Make every band and every part of a target half of what it is.

    >>> falsify("From 1,056 to 2,111, or half to one 9th, every move loses.")
    'From 528 to 1055, or one 4th to one 18th, every move loses.'
    """

    def halve(found: re.Match[str]) -> str:
        low, high, of = (int((each or "0").replace(",", "")) for each in found.groups())
        return f"{2 * of}" if of else f"{(low + 1) // 2} to {high // 2}"

    number = r"(\d{1,3}(?:,\d{3})+|\d+)"
    pattern = rf"{number} to {number}|(?:(?<=by )|(?<=1/)|\b(?=\d+th\b)){number}"
    return re.sub(pattern, halve, re.sub(r"\bhalf\b", "one 2th", text))


def lead(one: Learner, walk: Walk, steps: Iterable[int], rewrite: Ask = str) -> None:
    """Lead a learner through steps, with each text rewritten."""
    for step in steps:
        one.hear(rewrite(walk(step, lambda text: one.reply(rewrite(text)))))


def prepare(chapter: str, walk: Walk | None, make: Maker, count: int) -> Arms:
    """Return some learners of each arm, as they are before each target."""
    names = (NOTHING, PRACTICE, *(STEPS if walk else ()), CARD)
    seeds = [f"{SEED} {chapter} {n}" for n in range(count)]
    arms = {arm: [make(Random(seed)) for seed in seeds] for arm in names}
    games = USUAL_GAMES
    if walk:
        for arm, steps in STEPS.items():
            for one in arms[arm]:
                lead(one, walk, steps, falsify if arm == FALSE else str)
        games = round(mean(one.games for one in arms[PATH])) or games
    for one, n in product(arms[PRACTICE], range(games)):
        table(chapter, (100, 1000)[n % 2]).play(one)
    return arms


def measure(chapter: str, arms: Arms, targets: int) -> Wins:
    """Return the games won by each arm at each target."""
    named = set().union(*(one.named for some in arms.values() for one in some))
    rng = Random(SEED)
    wins: Wins = {arm: [] for arm in arms}
    while len(wins[CARD]) < targets:
        target = round(200 * 100 ** rng.random())  # as many below 2,000 as above
        if target % 100 == 0 or target in named:
            continue
        game = table(chapter, target)
        for arm, some in arms.items():
            one = some[len(wins[arm]) % len(some)].copy(Random(f"{SEED} {target}"))
            one.card = game.card if arm == CARD else None
            wins[arm].append(sum(game.play(one) for _ in range(GAMES)))
    return wins


def ways(wins: Wins) -> Iterator[tuple[str, float, float, float]]:
    """Yield each arm's per cent of the way from nothing to the card; its interval."""
    rng, count = Random(SEED), len(wins[CARD])
    draws = [range(count), *(rng.choices(range(count), k=count) for _ in range(1000))]
    sums = {
        arm: [sum(won[n] for n in draw) for draw in draws] for arm, won in wins.items()
    }
    for arm, each in sums.items():
        share, *others = (
            100 * (won - none) / max(1, card - none)
            for won, none, card in zip(each, sums[NOTHING], sums[CARD], strict=True)
        )
        low, *_, high = quantiles(others, n=40)
        yield arm, share, low, high


def print_chapter(chapter: str, wins: Wins) -> bool:
    """Print a chapter's table; return whether it has all that is wanted."""
    rows, good = [], True
    for arm, share, low, high in ways(wins):
        kept = low >= LEAST.get(arm, low) and share <= MOST.get(arm, share)
        good &= kept
        wanted = f"at least {LEAST[arm]} %" if arm in LEAST else ""
        wanted = f"at most {MOST[arm]} %" if arm in MOST else wanted
        won = f"{100 * mean(wins[arm]) / GAMES:.1f} %"
        way = f"{share:.0f} % ({low:.0f} to {high:.0f})"
        rows.append((arm, won, way, wanted, "" if kept else "MISSED"))
    print_table(
        (f"a simulated learner, {chapter}", "won", "of the way", "wanted", ""), rows
    )
    return good


def main(arguments: list[str] | None = None) -> int:
    """Print the tables; return 1 if something wanted is missed."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--errors", default="10", help="per cent, such as 0,10,20")
    parser.add_argument("--memory", default="4", help="numbers held, such as 2,4,8")
    parser.add_argument("--forgets", type=int, default=5, help="per cent a game")
    parser.add_argument("--quick", action="store_true", help="only a few targets")
    parser.add_argument("--text", action="append", default=[], metavar="CHAPTER=FILE")
    options = parser.parse_args(arguments)
    texts = dict(each.split("=", 1) for each in options.text)
    walks: dict[str, Walk | None] = {}
    for chapter in CHAPTERS:
        walk: Walk = partial(walk_program, chapter)
        if chapter in texts:
            walk = partial(walk_text, Path(texts[chapter]).read_text(encoding="utf-8"))
        try:
            walk(1, lambda _: "")
            walks[chapter] = walk
        except LookupError as error:
            print(f"{chapter} is measured without the path: {error}")
            walks[chapter] = None
    good = True
    for errors, memory in product(options.errors.split(","), options.memory.split(",")):
        memories = f"holds {memory} numbers, forgets {options.forgets} % a game"
        print(f"A simulated learner: {errors} % of products wrong, {memories}")
        for chapter, walk_of in walks.items():
            make = partial(
                Learner,
                chapter,
                errors=int(errors) / 100,
                memory=int(memory),
                forgets=options.forgets / 100,
            )
            arms = prepare(chapter, walk_of, make, 4 if options.quick else 20)
            wins = measure(chapter, arms, 20 if options.quick else 500)
            good &= print_chapter(chapter, wins)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
