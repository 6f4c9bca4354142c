"""The words for a rung: what it says as data, said to a person."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ninefold.rules import Ending, Rules
from ninefold.text import runs_of, shorten
from ninefold.theory.ladder import Group, Rung
from ninefold.theory.room import Band

_MOST_GROUPS = 3  # more of them are no short answer any more
_MOST_REPLIES = 5
_MOST_TOTALS = 4  # more of them are told by their ends


def times(*multipliers: int) -> str:
    """Name multipliers as moves.

    >>> times(2), times(2, 3), times(2, 3, 4, 7)
    ('×2', '×2 and ×3', '×2 to ×4 and ×7')
    """
    names: list[str] = []
    for run in runs_of(multipliers):
        if len(run) > 2:  # noqa: PLR2004 - two neighbours read better as two
            names.append(f"×{shorten(run[0])} to ×{shorten(run[-1])}")
        else:
            names += [f"×{shorten(multiplier)}" for multiplier in run]
    return _listed(names)


def _listed(names: Sequence[str], last_word: str = "and") -> str:
    *first, last = names
    return f"{', '.join(first)} {last_word} {last}" if first else last


class Telling:
    """How a rung is told: by whom it is climbed, and what a move is called."""

    __slots__ = ("_again", "_answer", "_rules", "_winner")

    def __init__(
        self, rules: Rules, *, winner: str, answer: str = "answer", again: str = ""
    ) -> None:
        """Name the winner (``you``), and an answer (``move``) of the loser."""
        self._rules = rules
        self._winner = winner
        self._answer = answer
        self._again = again

    def in_short(self, rung: Rung) -> str:
        """Say it in one sentence, which leaves things out where they are many."""
        groups = rung.groups()
        if len(groups) <= _MOST_GROUPS:
            return _sentence(self.clauses(rung))
        met_by: dict[int, list[int]] = {}
        for line in rung.lines:
            met_by.setdefault(line.reply, []).append(line.answer)
        shown = [
            f"{times(*answers)} {'is' if len(answers) == 1 else 'are'} met by"
            f" {times(reply)}"
            for reply, answers in list(met_by.items())[:_MOST_REPLIES]
        ]
        if len(met_by) > _MOST_REPLIES:
            shown.append("the others likewise")
        passing = self._passing(sorted({bust.answer for bust in rung.busts}))
        every = f"every {'other ' if passing else ''}{self._answer}"
        met = f"{every} has a reply that wins: {_listed(shown)}"
        return _sentence([*passing, met])

    def clauses(self, rung: Rung) -> list[str]:
        """Say all of it, a clause for each group of answers that are met alike."""
        busts = sorted({bust.answer for bust in rung.busts})
        if not rung.lines:
            return self._passing(busts)
        clauses = [self._meeting(group) for group in rung.groups()]
        if rung.faces.lowest == rung.faces.highest:
            return clauses + self._passing(busts)
        # Whether an answer passes depends on which of the totals is faced.
        return clauses + ([f"whatever {self._past()} loses at once"] if busts else [])

    def _meeting(self, group: Group) -> str:
        who, makes = self._subject(group.answers, "makes", "make")
        totals = group.totals(_MOST_TOTALS)
        what, where = str(group.makes), "from each of those"
        if totals is not None:
            what = _listed([shorten(total) for total in totals], "or")
            where = where if len(totals) > 1 else "from there"
        elif not self._is_met_everywhere(group):
            it = "it makes" if makes == "makes" else "they make"
            what, where = f"totals from {what}", f"from each total {it}"
        return f"{who} {makes} {what}, and {where} {self._reply(group)}"

    def _reply(self, group: Group) -> str:
        target = shorten(self._rules.target)
        can = f"{self._winner} can"
        lands, made = group.lands, group.makes
        if lands is None:
            return f"{can} reach {target} with {times(*group.replies)}"
        if made.lowest == made.highest and len(group.replies) == 1:
            left = made.lowest * group.replies[0]
            if left == self._rules.target:
                return f"{can} make exactly {target} with {times(*group.replies)}"
            return f"{can} hand over {shorten(left)} with {times(*group.replies)}"
        exact = f" or make exactly {target}" if self._is_exact(group) else ""
        return f"{can} hand over {self._faced(lands)}{self._again}{exact}"

    def _faced(self, lands: Band) -> Band:
        """Return what of a band can be faced: in EXACT the target cannot."""
        return replace(lands, highest=min(lands.highest, self._rules.target - 1))

    def _is_exact(self, group: Group) -> bool:
        """Whether some total of a group can be answered with the target itself."""
        target = self._rules.target
        return (group.lands is not None and target in group.lands) and any(
            target % m == 0 and group.can_make(target // m)
            for m in self._rules.multipliers
        )

    def _is_met_everywhere(self, group: Group) -> bool:
        """Whether what is said holds at every number between those that are made."""
        if group.lands is None:
            return True  # what reaches the target from the lowest does from all
        lands = group.lands if self._is_exact(group) else self._faced(group.lands)
        at = group.makes.lowest
        # From the largest multiplier down, the numbers that each is good for ascend.
        for m in reversed(self._rules.multipliers):
            if lands.lowest <= m * at:
                at = max(at, lands.highest // m + 1)
        return at > group.makes.highest

    def _passing(self, answers: Sequence[int]) -> list[str]:
        if not answers:
            return []
        who, passes = self._subject(answers, self._past(), self._past(several=True))
        loses = "lose" if passes == self._past(several=True) else "loses"
        return [f"{who} {passes} and {loses} at once"]

    def _subject(
        self, answers: Sequence[int], verb: str, verbs: str
    ) -> tuple[str, str]:
        if len(answers) < len(self._rules.multipliers):
            return times(*answers), verb if len(answers) == 1 else verbs
        if len(answers) == 1:
            return f"the only {self._answer}, {times(*answers)},", verb
        return f"any {self._answer}", verb

    def _past(self, *, several: bool = False) -> str:
        target = shorten(self._rules.target)
        if self._rules.ending is Ending.EXACT:
            return f"{'go' if several else 'goes'} past {target}"
        return f"{'make' if several else 'makes'} {target} or more"


def _sentence(clauses: Sequence[str]) -> str:
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}."
