"""A simulated learner: it reads what a path prints, answers at its prompts, and plays.

It shows whether a text is enough for somebody who errs and forgets, not that a child
learns. It knows the rules, and nothing of ninefold. Paths change for it, it for none.

What it is like:
- One product of ten is off by one of its parts: 45 × 7 by 45 or by 7. One quotient of
  ten is off by 1, or as if the divisor were one more or one less.
- It tries moves in any order, and plays the first that wins at once or hands over a
  total that it takes for lost; else any that does not lose at once.
- It holds four numbers. A new one drives out the one used least, of these the oldest.
  After a game it notes the last total lost in it, and forgets each number with 5 %.
- It generalises in one way, the ends of a band as parts of the target: 6 to 11 at 100
  make 60 to 110 at 1,000.
- It works out again, and never forgets, what it understood: an end as a part of the
  target, or the step to the next band, which a text stated and which then helped to
  name a band right, at a target where it did not hold that band as plain numbers.

What it reads; the rest it ignores. Sentences end with . ! ? ; or a blank line:
- "target 500", "target is 500", "target of 500", "reach 500", "exactly 500": the target
  from here on. "total 12", "total is 12", "plays ×2: 6 makes 12": the total in a game.
- With "lost" or "every move loses", without won, win, wins, not or you, no question:
  "56 to 111", or several; or "one 18th of the target to one 9th" (one 18th, an 18th,
  1/18, half, divided by 18, the target itself). "below" or "above" right before a part,
  or before "the target", leaves the very part out.
- With "next" and "band": one such part, or "divide ... by 18", the step downwards.
- After a move "you win", "you won", "you lose", "you lost", "Perfect wins": game over.
- After an answer Right, Yes, Correct or Well done, as the first word.

What it answers to the last sentence before input is read; the first of these that fits:
- "11 × 9" (or x): the product. "multiplier", "multiply", "your move": a move.
- "8" before "lost or won" or "won or lost": lost or won. "begin": yes or no.
- "wins at once": the smallest such total of REACH.
- "band": the highest at the target, as "28 to 55"; with "next" the one below it.
- "lost", "every move loses": such a total. Anything else: 2.
"""

from __future__ import annotations

import re
from copy import copy
from dataclasses import dataclass, field
from random import Random

Part = tuple[int, int]
"""A part of the target: 6 of 100, 1 of 18."""
Number = tuple[Part, Part, int] | int
"""The low (0) or the high (1) end of a band; or the step between bands."""
Known = tuple[int, int, tuple[Number, ...], int]
"""A band at one target: its ends, the numbers that gave it, how doubtful it is."""

MOVES = range(2, 10)
_FINE = 10**6  # so small a part more or less leaves out the very end, and nothing else
_N = r"(?<![\d,])(\d{1,3}(?:,\d{3})+|\d+)"
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n")
_TARGET = re.compile(rf"(?:target(?: number| value)?(?: is| of|:)?|reach|exactly) {_N}")
_TOTAL = re.compile(
    rf"(?:total|cumulative number)(?: is| now|:)* {_N}|plays.*makes {_N}"
)
_RANGE = re.compile(rf"{_N} to {_N}")
_PART = re.compile(
    rf"(below |above )?(?:(?:one |an? )?{_N}th\b|1/{_N}|divided?\b[a-z ]* by {_N}"
    r"|(half)\b|(the target itself|(?<=(?:below|above) )the target\b))"
)
_LOST = re.compile(r"\blost\b|every move loses")
_UNCLEAR = re.compile(r"\b(won|wins?|not|you)\b|\?$")
_RIGHT = re.compile(r"\W*(right|yes|correct|well done)\b", re.IGNORECASE)
_OVER = re.compile(
    r"(you (?:win|won)\b|player \d wins)|you (?:lose|lost)\b|perfect wins"
)


def _int(*found: str) -> int:
    return int("".join(found).replace(",", "") or 0)


def _sentences(text: str) -> list[str]:
    return [" ".join(s.split()) for s in _SENTENCE.split(text.lower()) if s.strip()]


def _part(found: tuple[str, ...]) -> Part:
    side, *numbers, half, whole = found
    of = 1 if whole else 2 if half else max(2, _int(*numbers))
    return _FINE + {"": 0, "below ": -1, "above ": 1}[side], of * _FINE


@dataclass
class Learner:
    """A simulated learner of one ending: reach, avoid or exactly."""

    ending: str
    rng: Random
    errors: float = 0.1
    memory: int = 4
    forgets: float = 0.05
    card: list[tuple[int, int]] | None = None  # every band, if it lies on the table
    held: dict[Number, int] = field(default_factory=dict)  # oldest first; times used
    stated: set[Number] = field(default_factory=set)
    understood: set[Number] = field(default_factory=set)
    named: set[int] = field(default_factory=set)  # targets that it has read of
    games: int = 0
    target: int = 100
    total: int = 1
    _lost: tuple[int, int] = (1, 1)  # at its last move: what it faced, and handed over
    _tried: tuple[Number, ...] = ()
    _said: str = ""
    _plays: bool = False

    def copy(self, rng: Random) -> Learner:
        """Return a learner who knows the same, with other chances."""
        twin = copy(self)
        twin.rng, twin.held, twin.understood = rng, {**self.held}, {*self.understood}
        twin.stated, twin.named = {*self.stated}, {*self.named}
        return twin

    def multiply(self, one: int, other: int) -> int:
        """Multiply; one product of ten is off by one of its parts."""
        if self.rng.random() >= self.errors:
            return one * other
        return max(1, one * other + self.rng.choice((one, -one, other, -other)))

    def divide(self, number: Part, by: Part) -> Part:
        """Take a part of a number; one of ten is off."""
        top, bottom = number[0] * by[0], number[1] * by[1]
        if by[0] == by[1] or self.rng.random() >= self.errors:
            return top, bottom
        divisor, off = max(2, by[1] // max(1, by[0])), self.rng.choice((1, -1))
        if self.rng.random() < 1 / 2:
            return top + off * bottom, bottom
        return top * divisor, bottom * (divisor + off)

    def hold(self, *numbers: Number) -> None:
        """Hold numbers, or note that they were used; those used least have to go."""
        for number in numbers:
            if number not in self.understood:
                self.held[number] = self.held.pop(number, -1) + 1
                if len(self.held) > self.memory:
                    del self.held[min(list(self.held)[:-1], key=self.held.__getitem__)]

    def end_game(self, *, won: bool) -> None:
        """Note the last lost total of a game, and forget something."""
        self.games, self._plays = self.games + 1, False
        lost = (self._lost[won], self.target)
        self.hold((lost, lost, 0))
        for number in list(self.held):
            if self.rng.random() < self.forgets:
                del self.held[number]

    def bands(self, target: int, lowest: int = 1) -> list[Known]:
        """Work out the bands at a target, down to a total, that it takes for lost."""
        if self.card is not None:
            return [(low, high, (), 0) for low, high in self.card]
        found: list[Known] = []
        has = dict.fromkeys((*self.held, *self.understood))
        steps = [number for number in has if isinstance(number, int)]
        for first, last in dict.fromkeys(n[:2] for n in has if not isinstance(n, int)):
            ends = dict.fromkeys((first, last, end) for end in (0, int(first != last)))
            if not has.keys() >= ends.keys():
                continue
            used: tuple[Number, ...] = tuple(ends)
            if first[1] == last[1] == target:
                low, high, doubt = (first[0], 1), (last[0], 1), 0
            else:
                low, high = (self.divide((target, 1), end) for end in (first, last))
                doubt = 1 if self.stated.issuperset(used) else 2
            while (most := high[0] // high[1]) >= lowest:
                found.append((-(-low[0] // low[1]), most, used, doubt))
                if not steps:
                    break
                used, doubt = (*ends, steps[-1]), max(1, doubt)
                low, high = (self.divide(end, (1, steps[-1])) for end in (low, high))
        return sorted(found, key=lambda band: -band[1])

    def choose(self, total: int, target: int) -> int:
        """Choose a move: win at once, do not lose at once, hand over what is lost."""
        self.target, bands = target, self.bands(target, 2 * total)
        safe: dict[int, int] = {}
        for move in self.rng.sample(MOVES, len(MOVES)):
            made = self.multiply(total, move)
            if made >= target:
                if self.ending == "reach" or (self.ending, made) == ("exactly", target):
                    return move
                continue
            safe[move] = made
            for low, high, numbers, _ in bands:
                if low <= made <= high:
                    self.hold(*numbers)
                    self._lost = total, made
                    return move
        move = self.rng.choice(list(safe) or MOVES)
        self._lost = total, safe.get(move, total)
        return move

    def hear(self, text: str) -> None:
        """Read what was printed since the last answer, and hold what it states."""
        text = text.lstrip().removeprefix(self._said)
        if _RIGHT.match(text):
            self.understood.update(self.stated.intersection(self._tried))
            self.held = {n: u for n, u in self.held.items() if n not in self.understood}
        self._tried = ()
        for sentence in _sentences(text):
            self._read(sentence)

    def _read(self, sentence: str) -> None:
        for found in _TARGET.findall(sentence):
            self.target = _int(found)
            self.named.add(self.target)
        for pair in _TOTAL.findall(sentence):
            self.total = _int(*pair)
        if self._plays and (over := _OVER.search(sentence)):
            self.end_game(won=bool(over[1]))
        parts = [_part(found) for found in _PART.findall(sentence)]
        stated: tuple[Number, ...] = ()
        if "next" in sentence and "band" in sentence and parts:
            stated = (parts[-1][1] // _FINE,)
        elif not _LOST.search(sentence) or _UNCLEAR.search(sentence):
            return
        elif parts[1:] and " to " in sentence:
            stated = (parts[0], parts[1], 0), (parts[0], parts[1], 1)
        self.stated.update(stated)
        self.hold(*stated)
        for low, high in () if stated else _RANGE.findall(sentence):
            first, last = (_int(low), self.target), (_int(high), self.target)
            self.hold((first, last, 0), (first, last, 1))

    def reply(self, text: str) -> str:
        """Read what was printed since the last answer; answer its last sentence."""
        self.hear(text)
        self._said = self._answer((_sentences(text) or [""])[-1])
        return self._said

    def _answer(self, prompt: str) -> str:  # noqa: PLR0911 - one for each question
        if product := re.search(rf"{_N} ?[×x] ?{_N}", prompt):
            return str(self.multiply(_int(product[1]), _int(product[2])))
        if re.search(r"\bmultipl|\byour move\b", prompt):
            self._plays = True
            return str(self.choose(self.total, self.target))
        bands = self.bands(self.target)
        sort = re.search(rf".*{_N}\D*(?:lost or won|won or lost)", prompt)
        if sort or "begin" in prompt:
            total = _int(sort[1]) if sort else 1
            lost = any(low <= total <= high for low, high, *_ in bands)
            return ("lost" if lost else "won") if sort else ("no" if lost else "yes")
        if "wins at once" in prompt:
            top, bottom = self.divide((self.target, 1), (1, 9))
            return str(-(-top // bottom))
        if re.search(r"\bbands?\b", prompt):
            return self._name_band(bands, 1 if "next" in prompt else 0)
        if _LOST.search(prompt):
            low, high = self.rng.choice(bands)[:2] if bands else (2, self.target // 2)
            return str(self.rng.randint(min(low, high), high))
        return "2"

    def _name_band(self, bands: list[Known], place: int) -> str:
        """Name one of the bands, the highest at place 0, by what is least doubtful."""
        apart: list[Known] = []
        for band in bands:
            if apart and band[1] >= apart[-1][0]:
                apart[-1] = min(apart[-1], band, key=lambda each: each[3])
            else:
                apart.append(band)
        if len(apart) <= place:
            return "2"
        low, high, numbers, doubt = apart[place]
        self.hold(*numbers)
        self._tried = numbers if doubt else ()
        return f"{low} to {high}"
