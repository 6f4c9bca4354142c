"""The words for a rung of a proof, in short sentences.

"From 4 to 6 every move loses" holds for every whole number in the band, and means: if
the other player makes no mistake. So a reader can use such a sentence at other totals.
"""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.rules import Ending, Rules
from ninefold.text import SHORTEST_RANGE, join_words, runs_of, shorten
from ninefold.theory.oracle import Band
from ninefold.theory.proof import Group, Rung

MOST_WORDS = 20
"""The most words in a sentence; a long number counts as three."""
NO_MISTAKE = "if the other player makes no mistake"
"""The words for "against best play", wherever every move loses."""
_MOST_GROUPS = 3  # with more of them, an answer is not short any more
_MOST_REPLIES = 5
_WORDS_FOR_ANSWERS = 9


def times(*multipliers: int, last: str = "and") -> str:
    """Name multipliers as moves.

    >>> times(2), times(2, 3), times(2, 3, 4, 7, last="or")
    ('×2', '×2 and ×3', '×2 to ×4 or ×7')
    """
    return join_words(_names(multipliers), last)


def every_move_loses(band: Band, bands: Sequence[Band]) -> str:
    """Return the sentence that a band is lost, and as many other bands as fit in.

    ``bands`` contains ``band``.

    >>> every_move_loses(Band(4, 6), [Band(4, 6), Band(56, 111)])
    'From 4 to 6 and from 56 to 111 every move loses.'
    """
    others = [each for each in bands if each != band]
    while True:
        names = [_where(each) for each in bands if each == band or each in others]
        text = f"{join_words(names)} every move loses"
        if _fits(text):
            return _sentence(text)
        others.pop()


class RungWriter:
    """Turns rungs into sentences.

    ``replies`` starts a clause about the winner; with "" the reader is the winner.
    ``answer`` is the word for a move of the loser: "move" or "answer".
    """

    def __init__(
        self, rules: Rules, *, replies: str = "the other player can", answer: str
    ) -> None:
        self._rules = rules
        self._can = f"{replies} " if replies else ""
        self._answer = answer

    def in_short(self, rung: Rung, later: Sequence[Rung]) -> list[str]:
        """Return why one total is lost, without the details that are many or long.

        ``later`` are the rungs that follow, as long as each leads to a single band.
        """
        busts, groups = _busting(rung), rung.groups()
        if len(groups) == 1 and not busts:
            sentences = self._path(groups[0], later)
        elif len(groups) <= _MOST_GROUPS:
            sentences = [
                _sentence(f"after {self._who(group)}, {self._can}{self._reply(group)}")
                for group in groups
            ]
        else:
            sentences = []
        if groups and not (sentences and all(map(_fits, sentences))):
            return self._passing(busts) + self._replies(rung)
        return sentences + self._passing(busts)

    def in_full(self, rung: Rung) -> str:
        """Return why all the totals of a rung are lost, with each group of answers."""
        sentences = [every_move_loses(rung.faces, [rung.faces])]
        if not rung.lines:
            return " ".join(sentences + self._passing(_busting(rung)))
        for group in rung.groups():
            who, several = self._subject(group.answers)
            makes = "make" if several else "makes"
            sentences.append(_sentence(f"{who} {makes} {group.makes}"))
            sentences.append(_sentence(f"then {self._can}{self._reply(group)}"))
        if rung.busts:
            # Whether an answer goes past the target depends on the total it is
            # played at.
            sentences.append(
                _sentence(f"a {self._answer} that {self._past()} loses at once")
            )
        return " ".join(sentences)

    def _path(self, group: Group, later: Sequence[Rung]) -> list[str]:
        """Return what to leave after any answer, and after the next ones."""
        after = f"after {self._who(group)}, {self._can}"
        groups = [group, *(rung.groups()[0] for rung in later if rung.lines)]
        steps = [self._reply(each, alone=len(groups) == 1) for each in groups]
        steps[1:] = [step.removeprefix("leave ") for step in steps[1:]]
        ending = [
            sentence
            for rung in later
            if not rung.lines
            for sentence in self._passing(_busting(rung), "from there ")
        ]
        more = "" if ending or self._ends_with(groups[-1]) else ", and so on"
        while steps[1:] and not _fits(f"{after}{', then '.join(steps)}{more}"):
            steps.pop()
            ending, more = [], ", and so on"
        return [_sentence(f"{after}{', then '.join(steps)}{more}"), *ending]

    def _ends_with(self, group: Group) -> bool:
        """Whether every reply to these answers ends the game."""
        return group.lands is None or group.hits(self._rules.target)

    def _replies(self, rung: Rung) -> list[str]:
        """Return a sentence for each reply, with all the answers that it refutes."""
        met_by: dict[int, list[int]] = {}
        for line in rung.lines:
            met_by.setdefault(line.reply, []).append(line.answer)
        every = "every other" if rung.busts else "every"
        sentences = [_sentence(f"for {every} {self._answer} there is a winning reply")]
        sentences += [
            _sentence(f"after {_few(answers)}, {self._can}play {times(reply)}")
            for reply, answers in list(met_by.items())[:_MOST_REPLIES]
        ]
        if len(met_by) > _MOST_REPLIES:
            sentences.append("For the others there are winning replies too.")
        return sentences

    def _reply(self, group: Group, *, alone: bool = True) -> str:
        target = shorten(self._rules.target)
        if group.lands is None:
            return f"reach {target} with {times(*group.replies)}"
        only = f" with {times(*group.replies)}" if len(group.replies) == 1 else ""
        if group.hits(self._rules.target):
            return f"make exactly {target}{only}"
        leave = f"leave {group.lands.below(self._rules.target)}"
        if alone and group.makes.lowest == group.makes.highest:
            return f"{leave}{only}"
        return f"{leave} or make exactly {target}" if self._is_exact(group) else leave

    def _is_exact(self, group: Group) -> bool:
        """Whether some total of a group can be answered with the target itself."""
        target = self._rules.target
        return (group.lands is not None and target in group.lands) and any(
            target % m == 0 and group.can_make(target // m)
            for m in self._rules.multipliers
        )

    def _passing(self, answers: Sequence[int], there: str = "") -> list[str]:
        if not answers:
            return []
        who, several = self._subject(answers)
        passes = self._past(several=several)
        loses = "lose" if several else "loses"
        return [_sentence(f"{there}{who} {passes} and {loses} at once")]

    def _who(self, group: Group) -> str:
        return self._subject(group.answers)[0]

    def _subject(self, answers: Sequence[int]) -> tuple[str, bool]:
        """Return answers as a subject, and whether its verb is in the plural."""
        if len(answers) == 1:
            return times(*answers), False
        if len(answers) < len(self._rules.multipliers):
            return _few(answers), True
        return f"any {self._answer}", False

    def _past(self, *, several: bool = False) -> str:
        target = shorten(self._rules.target)
        if self._rules.ending is Ending.EXACT:
            return f"{'go' if several else 'goes'} past {target}"
        return f"{'make' if several else 'makes'} {target} or more"


def _busting(rung: Rung) -> list[int]:
    return sorted({bust.answer for bust in rung.busts})


def _names(multipliers: Sequence[int]) -> list[str]:
    names: list[str] = []
    for run in runs_of(multipliers):
        if len(run) >= SHORTEST_RANGE:
            names.append(f"×{shorten(run[0])} to ×{shorten(run[-1])}")
        else:
            names += [f"×{shorten(multiplier)}" for multiplier in run]
    return names


def _few(answers: Sequence[int]) -> str:
    """Return multipliers as words, only the first of them if there are many."""
    names = _names(answers)
    if _words(join_words(names)) <= _WORDS_FOR_ANSWERS:
        return join_words(names)
    while _words(join_words([*names, "others"])) > _WORDS_FOR_ANSWERS:
        names.pop()
    return join_words([*names, "others"])


def _where(band: Band) -> str:
    return f"{'at' if band.lowest == band.highest else 'from'} {band}"


def _words(text: str) -> int:
    return len(text.split())


def _fits(sentence: str) -> bool:
    return _words(sentence) <= MOST_WORDS


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
