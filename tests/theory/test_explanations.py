"""Every claim of an explanation, checked by multiplication and brute force alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Ending, Game, Rules, Seat, TheoryError, TooLarge
from ninefold.text import runs_of
from ninefold.theory import Band, Ended, Lost, Oracle, Position, Rung, Won, explain
from tests.theory import games
from tests.theory.brute import Found, mover_has_won, play_out, reachable
from tests.theory.reader import lost_bands, ungrouped

MADNESS = Rules(Ending.REACH, 100)
MULTIPLIER_SHOWDOWN = Rules(Ending.REACH, 1000)
MULTIPLIER = Rules(Ending.AVOID, 1000)
DUEL = Rules(Ending.EXACT, 100)


def inside(band: Band) -> range:
    return range(band.lowest, band.highest + 1)


class Checker:
    """Holds the claims about one game against every whole total, played out."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        totals = list(range(1, rules.target))
        self.found: dict[int, Found] = play_out(
            rules.ending.value, rules.target, rules.multipliers, totals
        )

    def mover_has_won(self, total: int) -> bool | None:
        return mover_has_won(self.rules.ending.value, self.rules.target, total)

    def is_lost(self, total: int) -> bool:
        return not self.found[total].moves

    def is_met(self, total: int, replies: tuple[int, ...], lands: Band | None) -> bool:
        """Whether one of the replies does from a total what is claimed."""
        made = [total * reply for reply in replies]
        if lands is None:
            return any(self.mover_has_won(after) for after in made)
        return any(
            after in lands and (self.mover_has_won(after) or self.is_lost(after))
            for after in made
        )

    def check_rung(self, rung: Rung) -> None:
        groups = rung.groups()
        faced = inside(rung.faces)
        for total in faced:
            assert self.is_lost(total)
            for m in self.rules.multipliers:
                made = total * m
                lines = [x for x in rung.lines if x.answer == m and made in x.makes]
                busts = [x for x in rung.busts if x.answer == m and made in x.makes]
                told = [x for x in groups if m in x.answers and made in x.makes]
                # Each answer is spoken of once, as what it is.
                assert len(lines) + len(busts) == 1
                assert len(told) == len(lines)
                assert bool(busts) == (self.mover_has_won(made) is False)
                assert all(self.is_met(made, (x.reply,), x.lands) for x in lines)
                assert all(self.is_met(made, x.replies, x.lands) for x in told)
        told_of = [(x.answer, x.makes) for x in rung.lines]
        for answer, makes in [*told_of, *((x.answer, x.makes) for x in rung.busts)]:
            # The ends that are named are really made.
            for end in (makes.lowest, makes.highest):
                assert end % answer == 0
                assert end // answer in faced
        ends = {end for x in rung.lines for end in (x.makes.lowest, x.makes.highest)}
        for group in groups:
            assert {group.makes.lowest, group.makes.highest} <= ends

    def check_ladder(self, rungs: list[Rung]) -> None:
        for rung in rungs:
            self.check_rung(rung)
        proved = {rung.faces.lowest: rung.faces.highest for rung in rungs[1:]}
        claimed = {
            line.lands.lowest: min(line.lands.highest, self.rules.target - 1)
            for rung in rungs
            for line in rung.lines
            if line.lands is not None
        }
        # All that is handed over is proved, further down the ladder.
        assert proved == claimed
        lowest = [rung.faces.lowest for rung in rungs]
        assert lowest == sorted(lowest)

    def check(self, total: int) -> None:
        found = self.found[total]
        reason = explain(Position(self.rules, total))
        assert reason.total == total
        assert isinstance(reason, Won if found.moves else Lost)
        assert not isinstance(reason, Ended)
        assert reason.distance == found.distance
        after = self.found.get(total * reason.move)
        assert found.distance == 1 + (after.distance if after else 0)
        rungs = list(reason.rungs())
        faced = total
        if isinstance(reason, Won):
            assert reason.moves == found.moves
            assert reason.move in found.moves
            assert reason.leaves == total * reason.move
            assert (reason.rung is None) == (after is None)
            faced = reason.leaves
        assert [faced in rung.faces for rung in rungs[:1]] in ([], [True])
        assert (rungs == []) == (reason.rung is None)
        self.check_ladder(rungs)
        self.check_sentences(reason)

    def check_sentences(self, reason: Won | Lost) -> None:
        sentences = split(ungrouped(reason.short))
        if reason.rung is None:
            assert len(sentences) == 1
            assert list(reason.chain()) == [reason.short]
            self.check_win_at_once(sentences[0], reason)
            return
        self.check_short(reason, sentences)
        parts = [*map(ungrouped, reason.chain())]
        rungs = list(reason.rungs())
        if isinstance(reason, Won):
            assert parts.pop(0) == sentences[0]
        for part, rung in zip(parts, rungs, strict=True):
            self.check_part(split(part), rung)

    def check_win_at_once(self, sentence: str, reason: Won | Lost) -> None:
        said = WINS_AT_ONCE.fullmatch(sentence)
        assert said is not None, sentence
        made = reason.total * int(said["move"])
        target = self.rules.target
        assert self.mover_has_won(made)
        assert int(said["exactly"] or said["reaches"] or said["past"]) == target
        assert made == int(said["makes"] or target)
        assert (made > target) == bool(said["past"])

    def check_short(self, reason: Won | Lost, sentences: list[str]) -> None:
        """Take a short explanation at its words, sentence by sentence."""
        first, bands, *rest = sentences
        if isinstance(reason, Won):
            said = LEAVES.fullmatch(first)
            assert said is not None, first
            faced = int(said["leaves"])
            assert faced == reason.total * int(said["move"])
        else:
            said = YOU_ARE_AT.fullmatch(first)
            assert said is not None, first
            faced = int(said["total"])
            assert faced == reason.total
        named = lost_bands(bands)
        assert reason.ahead is not None
        assert inside(reason.ahead.band) in named
        assert any(faced in band for band in named)
        for band in named:
            self.check_band(band)
        every = self.every_band()
        if len(every) <= 4:
            assert sorted(named, key=min) == every
        if isinstance(reason, Lost) and LENGTH.fullmatch(rest[-1]):
            self.check_end(rest.pop(), reason)
        elif isinstance(reason, Won):
            said = WITHIN.fullmatch(rest.pop())
            assert said is not None, reason.short
            assert int(said["moves"]) == self.found[reason.total].distance
        else:
            assert self.found[reason.total].distance == 1
        self.check_answers(faced, rest)

    def check_answers(self, faced: int, sentences: list[str]) -> None:
        """Check what is said of the answers at one total; each is spoken of."""
        spoken_of: set[int] = set()
        last: Sequence[int] | None = None
        some_are_left_out = False
        for sentence in sentences:
            some_are_left_out |= " and others " in sentence
            if sentence == "For the others there are winning replies too.":
                spoken_of.update(self.rules.multipliers)
            elif said := EVERY.fullmatch(sentence):
                assert self.is_lost(faced)
                assert bool(said["other"]) == bool(spoken_of)
            elif said := PASSES.fullmatch(sentence):
                answers = self.answers(said["who"])
                places = [faced]
                if said["there"]:
                    assert last is not None, sentences
                    places = list(last)
                else:
                    spoken_of.update(answers)
                for total in places:
                    for m in answers:
                        assert self.mover_has_won(total * m) is False
                last = None
            else:
                said = AFTER.fullmatch(sentence)
                assert said is not None, sentence
                answers = self.answers(said["who"])
                assert not spoken_of & set(answers)
                spoken_of.update(answers)
                made = [faced * m for m in answers]
                last = self.check_steps(made, said)
        assert some_are_left_out or spoken_of == set(self.rules.multipliers), sentences
        # A way is told to its end, or it is said to go on.
        assert last is None, sentences

    def check_steps(
        self, made: Sequence[int], said: re.Match[str]
    ) -> Sequence[int] | None:
        """Check one reply after another; return the band that still needs a reason."""
        steps = said["steps"].split(", then ")
        left: Sequence[int] = []
        for step in steps:
            assert all(self.mover_has_won(total) is None for total in made)
            left = self.check_reply(step, made)
            made = [total * m for total in left for m in self.rules.multipliers]
        if said["more"]:
            # Something else than the end is still to come.
            assert any(self.mover_has_won(total) is None for total in made)
            return None
        is_way = set(self.answers(said["who"])) == set(self.rules.multipliers)
        return left if left and is_way else None

    def check_reply(self, words: str, made: Sequence[int]) -> Sequence[int]:
        """Check that a reply can do from every total what is said; return its band."""
        said = REPLY.fullmatch(words)
        assert said is not None, words
        replies = self.answers(said["reply"] or "any")
        target = self.rules.target
        if said["play"]:
            for total in made:
                assert int(said["play"]) in self.found[total].moves
            return []
        if said["reach"]:
            assert int(said["reach"]) == target
            for total in made:
                assert all(self.mover_has_won(total * m) for m in replies)
            return []
        if said["exactly"]:
            assert int(said["exactly"]) == target
            assert self.rules.ending is Ending.EXACT
            for total in made:
                assert any(total * m == target for m in replies)
            return []
        lowest, highest = said_band(said["leave"])
        band = range(lowest, highest + 1)
        self.check_band(band)
        good = set(band)
        if said["or_exactly"]:
            assert int(said["or_exactly"]) == target
            assert self.rules.ending is Ending.EXACT
            # It is promised only where it can be made.
            assert any(total * m == target for total in made for m in replies)
            good.add(target)
        for total in made:
            assert any(total * m in good for m in replies), (words, total)
        return band

    def check_part(self, sentences: list[str], rung: Rung) -> None:
        """Take a part of a proof at its words, for every total that may be faced."""
        first, *rest = sentences
        assert lost_bands(first) == [inside(rung.faces)]
        self.check_band(inside(rung.faces))
        left = {
            total * m for total in inside(rung.faces) for m in self.rules.multipliers
        }
        while rest:
            sentence = rest.pop(0)
            if said := PASSES.fullmatch(sentence):
                made = {
                    total * m
                    for total in inside(rung.faces)
                    for m in self.answers(said["who"])
                }
                assert all(self.mover_has_won(total) is False for total in made)
                left -= made
            elif PASSING.fullmatch(sentence):
                passing = {x for x in left if self.mover_has_won(x) is False}
                assert passing
                left -= passing
            else:
                said = MAKES.fullmatch(sentence)
                assert said is not None, sentence
                lowest, highest = said_band(said["made"])
                made = {
                    total * m
                    for total in inside(rung.faces)
                    for m in self.answers(said["who"])
                    if lowest <= total * m <= highest
                }
                assert {lowest, highest} <= made
                then = THEN.fullmatch(rest.pop(0))
                assert then is not None, sentences
                self.check_reply(then["reply"], sorted(made))
                left -= made
        assert not left or any(" and others " in x for x in sentences), sentences

    def check_end(self, sentence: str, reason: Lost) -> None:
        said = LENGTH.fullmatch(sentence)
        assert said is not None
        plies = {m: self.plies(reason.total * m) for m in self.rules.multipliers}
        assert int(said["moves"]) == max(plies.values()) == reason.distance
        if said["longest"]:
            assert plies[int(said["longest"])] == reason.distance
            assert len(set(plies.values())) > 1
        else:
            assert set(plies.values()) == {reason.distance}

    def plies(self, made: int) -> int:
        """Count the moves to the end, and the one that made this total."""
        return 1 + (self.found[made].distance if made in self.found else 0)

    def check_band(self, band: range) -> None:
        """Every total of a band is lost, and neither neighbour is."""
        assert all(self.is_lost(total) for total in band)
        assert min(band) == self.rules.start or not self.is_lost(min(band) - 1)
        assert max(band) == self.rules.target - 1 or not self.is_lost(max(band) + 1)

    def every_band(self) -> list[range]:
        totals = range(self.rules.start, self.rules.target)
        lost = [total for total in totals if self.is_lost(total)]
        return [range(run[0], run[-1] + 1) for run in runs_of(lost)]

    def answers(self, who: str) -> tuple[int, ...]:
        if "×" not in who:
            assert who.lower() in {"any", "any move", "any answer"}
            return self.rules.multipliers
        found: list[int] = []
        who = who.removesuffix(" and others")
        for name in who.replace(" and ", ", ").split(", "):
            ends = [int(end) for end in re.findall(r"×(\d+)", name)]
            assert len(ends) == (2 if " to " in name else 1)
            found += range(ends[0], ends[-1] + 1)
        return tuple(found)


WHO = r"(?P<who>[Aa]ny (?:move|answer)|×\d+(?:(?:, | and | to )×\d+)*(?: and others)?)"
BAND = r"\d+(?: to \d+)?"
WINS_AT_ONCE = re.compile(
    r"×(?P<move>\d+) (?:makes exactly (?P<exactly>\d+)|reaches (?P<reaches>\d+)"
    r"|makes (?P<makes>\d+), past (?P<past>\d+),) ?and wins at once\."
)
LEAVES = re.compile(r"×(?P<move>\d+) leaves (?P<leaves>\d+)\.")
YOU_ARE_AT = re.compile(r"You are at (?P<total>\d+)\.")
AFTER = re.compile(
    rf"After {WHO}, (?:the other player can )?(?P<steps>[^.]+?)(?P<more>, and so on)?\."
)
REPLY = re.compile(
    rf"(?:reach (?P<reach>\d+)|make exactly (?P<exactly>\d+)|play ×(?P<play>\d+)"
    rf"|(?:leave )?(?P<leave>{BAND})(?: or make exactly (?P<or_exactly>\d+))?)"
    r"(?: with (?P<reply>×.+))?"
)
PASSES = re.compile(
    rf"(?P<there>From there )?{WHO} (?:makes? \d+ or more|goe?s? past \d+)"
    r" and loses? at once\."
)
PASSING = re.compile(r"A move that (?:makes \d+ or more|goes past \d+) loses at once\.")
EVERY = re.compile(
    r"For every (?P<other>other )?(?:move|answer) there is a winning reply\."
)
WITHIN = re.compile(r"You win within (?P<moves>\d+) moves in all\.")
LENGTH = re.compile(
    r"(?:Whatever you play, the|×(?P<longest>\d+) lasts longest: the|The) game is over"
    r" in (?P<moves>\d+) moves(?:, counting yours)?\."
)
MAKES = re.compile(rf"{WHO} makes? (?P<made>{BAND})\.")
THEN = re.compile(r"Then the other player can (?P<reply>[^.]+)\.")


def split(text: str) -> list[str]:
    """Split a text into its sentences, none of which is long."""
    sentences = re.split(r"(?<=\.) (?=[A-Z×])", text)
    for sentence in sentences:
        assert len(sentence.split()) <= 20, sentence
    return sentences


def said_band(words: str) -> tuple[int, int]:
    """Read "10 to 45" or "10"."""
    lowest, _, highest = words.partition(" to ")
    return int(lowest), int(highest or lowest)


@games.unhurried
@given(games.rules(highest_multiplier=12, most_multipliers=5, longest=400), st.data())
def test_every_claim_holds_on_random_rules(rules: Rules, data: st.DataObject) -> None:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    Checker(rules).check(data.draw(st.sampled_from(totals)))


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize(
    "multipliers",
    [(2,), (3, 4), (2, 9), (2, 5, 9), (2, 5, 7, 9), (4, 6), tuple(range(2, 10))],
)
def test_every_claim_holds_at_every_position(
    ending: Ending, multipliers: tuple[int, ...]
) -> None:
    for target in (2, 3, 36, 100, 144, 1000):
        rules = Rules(ending, target, multipliers)
        checker = Checker(rules)
        for total in reachable(target, multipliers, start=1):
            checker.check(total)


@pytest.mark.parametrize("ending", Ending)
def test_every_claim_holds_if_an_answer_has_several_replies(
    ending: Ending,
) -> None:
    rules = Rules(ending, 355, (2, 3, 24))
    checker = Checker(rules)
    for total in reachable(rules.target, rules.multipliers, start=1):
        checker.check(total)


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize(
    ("multipliers", "digits"),
    [
        ([2, 5, 9], 60),
        ([2, 3, 24, 31], 40),
        ([10**30, 10**40], 900),
        (range(2, 10), 999),
    ],
)
def test_a_ladder_of_any_size_is_proved_by_multiplication_alone(
    ending: Ending, multipliers: Sequence[int], digits: int
) -> None:
    rules = Rules(ending, 10**digits + 7, tuple(multipliers))
    rungs = list(explain(Game.start(rules)).rungs())
    proved = {rung.faces.lowest: rung.faces.highest for rung in rungs}
    for rung in rungs:
        made: dict[int, list[tuple[int, int]]] = {m: [] for m in rules.multipliers}
        for line in rung.lines:
            made[line.answer].append((line.makes.lowest, line.makes.highest))
            lowest, highest = (end * line.reply for end in made[line.answer][-1])
            if line.lands is None:
                # Every reply reaches the target of REACH.
                assert line.makes.highest < rules.target <= lowest
            else:
                # Every reply goes to what has a rung, or in EXACT to the target.
                assert rung.faces.highest < line.lands.lowest <= lowest
                assert highest <= line.lands.highest
                over = ending is Ending.EXACT and line.lands.highest == rules.target
                assert proved[line.lands.lowest] == line.lands.highest - over
        for bust in rung.busts:
            made[bust.answer].append((bust.makes.lowest, bust.makes.highest))
            assert ending is not Ending.REACH
            assert bust.makes.lowest >= rules.target + (ending is Ending.EXACT)
        for answer, bands in made.items():
            # All that an answer can make is spoken of.
            bands.sort()
            assert bands[0][0] == rung.faces.lowest * answer
            assert bands[-1][1] == rung.faces.highest * answer
            for (_, highest), (lowest, _) in pairwise(bands):
                assert highest + answer == lowest


@pytest.mark.parametrize(
    ("rules", "total", "sentences"),
    [
        (
            MULTIPLIER_SHOWDOWN,
            1,
            (
                "×5 leaves 5. From 4 to 6 and from 56 to 111 every move loses. After"
                " any answer, leave 56 to 111, then reach 1,000 with ×9. You win within"
                " 5 moves in all."
            ),
        ),
        (
            MULTIPLIER_SHOWDOWN,
            45,
            (
                "×2 leaves 90. From 4 to 6 and from 56 to 111 every move loses. After"
                " any answer, reach 1,000 with ×9. You win within 3 moves in"
                " all."
            ),
        ),
        (
            MULTIPLIER_SHOWDOWN,
            5,
            (
                "You are at 5. From 4 to 6 and from 56 to 111 every move loses."
                " After any move, the other player can leave 56 to 111, then reach"
                " 1,000 with ×9. Whatever you play, the game is over in 4 moves."
            ),
        ),
        (
            MULTIPLIER_SHOWDOWN,
            60,
            (
                "You are at 60. From 4 to 6 and from 56 to 111 every move loses."
                " After any move, the other player can reach 1,000 with ×9. Whatever"
                " you play, the game is over in 2 moves."
            ),
        ),
        (
            MADNESS,
            1,
            (
                "×8 leaves 8. From 6 to 11 every move loses. After any answer, reach"
                " 100 with ×9. You win within 3 moves in all."
            ),
        ),
        (
            MADNESS,
            8,
            (
                "You are at 8. From 6 to 11 every move loses. After any move, the"
                " other player can reach 100 with ×9. Whatever you play, the game"
                " is over in 2 moves."
            ),
        ),
        (MADNESS, 90, "×6 makes 540, past 100, and wins at once."),
        (Rules(Ending.REACH, 100, (2, 5)), 20, "×5 reaches 100 and wins at once."),
        (
            MULTIPLIER,
            1,
            (
                "×3 leaves 3. From 2 to 3, from 28 to 55 and from 500 to 999 every"
                " move loses. After any answer, leave 28 to 55, then 500 to 999. From"
                " there any answer makes 1,000 or more and loses at once. You win"
                " within 6 moves in all."
            ),
        ),
        (
            MULTIPLIER,
            56,
            (
                "×9 leaves 504. From 2 to 3, from 28 to 55 and from 500 to 999 every"
                " move loses. Any answer makes 1,000 or more and loses at once. You win"
                " within 2 moves in all."
            ),
        ),
        (DUEL, 20, "×5 makes exactly 100 and wins at once."),
        (
            Rules(Ending.EXACT, 341, (2, 5), start=2),
            8,
            (
                "You are at 8. From 7 to 8, from 18 to 34, from 69 to 85 and from"
                " 171 to 340 every move loses. After any move, the other player can"
                " leave 69 to 85, and so on. ×2 lasts longest: the game is over in"
                " 5 moves, counting yours."
            ),
        ),
        (
            DUEL,
            60,
            (
                "You are at 60. From 3 to 5 and from 51 to 99 every move loses."
                " Any move goes past 100 and loses at once."
            ),
        ),
        (
            DUEL,
            1,
            (
                "×4 leaves 4. From 3 to 5 and from 51 to 99 every move loses. After"
                " any answer, leave 51 to 99 or make exactly 100. From there any"
                " answer goes past 100 and loses at once. You win within 4 moves"
                " in all."
            ),
        ),
        (
            Rules(Ending.AVOID, 1000, (2, 5, 9)),
            200,
            (
                "You are at 200. From 28 to 39, from 50 to 55, from 200 to 249 and"
                " from 500 to 999 every move loses. After ×2, the other player can"
                " leave 500 to 999 with ×2. ×5 and ×9 make 1,000 or more and lose at"
                " once. ×2 lasts longest: the game is over in 3 moves, counting"
                " yours."
            ),
        ),
        (
            Rules(Ending.EXACT, 64, (2,)),
            16,
            (
                "You are at 16. At 1, from 3 to 4, from 9 to 16 and from 33 to 63"
                " every move loses. After ×2, the other player can make exactly 64"
                " with ×2. The game is over in 2 moves, counting yours."
            ),
        ),
        (
            Rules(Ending.EXACT, 36, (3, 4)),
            1,
            (
                "×3 leaves 3. From 2 to 3 and from 13 to 35 every move loses. After"
                " any answer, make exactly 36. You win within 3 moves in all."
            ),
        ),
        (
            Rules(Ending.AVOID, 100, (2,)),
            64,
            (
                "You are at 64. At 1, from 4 to 6, from 13 to 24 and from 50 to 99"
                " every move loses. ×2 makes 100 or more and loses at once."
            ),
        ),
    ],
)
def test_an_explanation_reads_like_this(
    rules: Rules, total: int, sentences: str
) -> None:
    assert explain(Position(rules, total)).short == sentences


def test_the_target_is_promised_only_where_it_can_be_made() -> None:
    with_exact = explain(Game.start(DUEL)).short
    assert "leave 51 to 99 or make exactly 100." in with_exact
    # 101 is prime: nothing but 1 times 101 makes it.
    without = explain(Game.start(replace(DUEL, target=101))).short
    assert "leave 51 to 100." in without


def test_many_different_replies_are_named_one_by_one() -> None:
    rules = Rules(Ending.AVOID, 10**5, (2, 6, 7, 17, 20, 25, 47, 85, 5000))
    assert explain(Position(rules, 1)).short == (
        "×47 leaves 47. From 35 to 49, from 532 to 588, from 5,883 to 7,142 and from"
        " 16,667 to 24,999 every move loses. ×5,000 makes 100,000 or more and loses at"
        " once. For every other answer there is a winning reply. After ×2, play ×6."
        " After ×6, ×17, ×20 and ×25, play ×85. After ×7 and ×85, play ×20. After"
        " ×47, play ×25. You win within 6 moves in all."
    )


def test_of_too_many_different_replies_only_the_first_are_named() -> None:
    rules = Rules(Ending.AVOID, 10**5, (2, 5, 15, 39, 53, 67, 78))
    assert explain(Position(rules, 1)).short == (
        "×5 leaves 5. At 5, from 16 to 24, from 374 to 377 and from 2,565 to 3,333"
        " every move loses. For every answer there is a winning reply. After ×2,"
        " play ×2. After ×5 and ×39, play ×15. After ×15, play ×39. After ×53, play"
        " ×78. After ×67, play ×67. For the others there are winning replies too."
        " You win within 8 moves in all."
    )


def test_of_too_many_answers_that_are_met_alike_only_the_first_are_named() -> None:
    rules = Rules(Ending.AVOID, 10**60, tuple(range(2, 102, 3)))
    assert explain(Position(rules, 1)).short == (
        "×2 leaves 2. From 2 to 3, from 341 to 425 and from 851 to 1,701 every move"
        " loses. After ×2, leave 341 to 425 with ×95. After ×5, ×8, ×11, ×14, ×17,"
        " ×20, ×23 and others, leave 851 to 1,701. You win within 90 moves in"
        " all."
    )


def test_of_many_bands_those_are_named_that_come_next_and_the_last() -> None:
    rules = Rules(Ending.AVOID, 1000, (2, 5, 9))
    assert len(list(Oracle(rules).lost_bands())) == 9
    assert explain(Position(rules, 1)).short.startswith(
        "×5 leaves 5. At 5, from 50 to 55, from 200 to 249 and from 500 to 999 every"
        " move loses. After"
    )


def test_bands_that_take_too_long_to_find_are_left_out() -> None:
    rules = Rules(Ending.AVOID, 20_000)
    assert explain(Position(rules, 4096), Oracle(rules, most_steps=50)).short == (
        "×4 leaves 16,384. From 10,000 to 19,999 every move loses. Any answer makes 20,000"
        " or more and loses at once."
    )


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize(
    "multipliers", [range(2, 10), (2, 3, 9), range(2, 102, 3), (10**30, 10**31)]
)
def test_sentences_with_long_numbers_have_no_more_words(
    ending: Ending, multipliers: Sequence[int]
) -> None:
    rules = Rules(ending, 6**50 * 10**40, tuple(multipliers))
    game = Game.start(rules)
    while game.outcome is None:
        reason = explain(game)
        assert not isinstance(reason, Ended)
        split(reason.short)
        game = game.play(reason.move)


def test_the_whole_chain_leads_down_to_the_win() -> None:
    reason = explain(Game.start(MULTIPLIER))
    assert list(reason.chain()) == [
        "×3 leaves 3.",
        (
            "From 2 to 3 every move loses. Any move makes 4 to 27. Then the other"
            " player can leave 28 to 55."
        ),
        (
            "From 28 to 55 every move loses. Any move makes 56 to 495. Then the other"
            " player can leave 500 to 999."
        ),
        (
            "From 500 to 999 every move loses. Any move makes 1,000 or more and loses at"
            " once."
        ),
    ]


def test_a_chain_says_what_passes_the_target_from_some_of_the_totals_only() -> None:
    reason = explain(Position(Rules(Ending.AVOID, 1000, (2, 5, 9)), 1))
    assert list(reason.chain())[3] == (
        "From 200 to 249 every move loses. ×2 makes 400 to 498. Then the other player"
        " can leave 500 to 999. A move that makes 1,000 or more loses at once."
    )


def test_an_immediate_win_needs_no_chain() -> None:
    reason = explain(Position(DUEL, 20))
    assert list(reason.chain()) == [reason.short]
    assert list(reason.rungs()) == []


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (
            Game.replay(MADNESS, [5, 6, 4]),
            "Player 1 has won: Player 1 made 120, which is past 100.",
        ),
        (
            Game.replay(MADNESS, [5, 4, 5]),
            "Player 1 has won: Player 1 made 100, which reaches 100.",
        ),
        (
            Game.replay(Rules(Ending.AVOID, 100), [5, 4, 5]),
            "Player 2 has won: Player 1 made 100, which reaches 100.",
        ),
        (Game.replay(DUEL, [5, 4, 5]), "Player 1 has won by making exactly 100."),
        (
            Game.replay(DUEL, [5, 4, 6]),
            "Player 2 has won: Player 1 made 120, which is past 100.",
        ),
        (
            Game.replay(DUEL, [5, 4], resigned=Seat.TWO),
            "Player 1 has won: Player 2 resigned at 20.",
        ),
    ],
)
def test_a_finished_game_is_told_by_its_end(game: Game, sentence: str) -> None:
    reason = explain(game)
    assert isinstance(reason, Ended)
    assert reason.short == sentence
    assert list(reason.chain()) == [sentence]
    assert list(reason.rungs()) == []


def test_long_numbers_are_shortened_in_sentences_and_whole_in_the_data() -> None:
    rules = Rules(Ending.REACH, 10**998)
    reason = explain(Game.start(rules))
    assert reason.short == (
        "×2 leaves 2. At 2, from 21 to 41, from 371 to 741 and from 6,671 to 13,341"
        " every move loses. After any answer, leave 21 to 41, then 371 to 741, then"
        " 6,671 to 13,341, and so on. You win within 1,591 moves in all."
    )
    reason = explain(Game.start(Rules(Ending.REACH, 10**60)))
    *_, last = reason.rungs()
    assert last.faces.highest == (10**60 - 1) // 9
    *_, told = reason.chain()
    assert told == (
        "From 555555...555556 (59 digits) to 111111...111111 (60 digits) every move"
        " loses. Any move makes 111111...111112 (60 digits) to 999999...999999 (60"
        " digits). Then the other player can reach 100000...000000 (61 digits) with"
        " ×9."
    )


@pytest.mark.parametrize("moves", [[], [5], [9, 9, 9, 9]])
def test_an_oracle_for_other_rules_is_refused(moves: list[int]) -> None:
    game = Game.replay(MULTIPLIER_SHOWDOWN, moves)
    reason = explain(game)
    other = Oracle(MULTIPLIER)
    for question in (partial(explain, game), reason.rungs, reason.chain):
        with pytest.raises(TheoryError, match="this oracle was made for other rules"):
            question(oracle=other)


def test_a_proof_that_is_too_long_says_that_more_follows() -> None:
    reason = explain(Game.start(Rules(Ending.AVOID, 10**999, tuple(range(2, 102)))))
    *told, last = reason.chain()
    assert last == (
        "More follows: the whole proof is too long; choose a larger total or a"
        " smaller target."
    )
    assert len(told) > 50
    rungs: list[Rung] = []
    with pytest.raises(TooLarge, match="the whole proof is too long"):
        rungs.extend(reason.rungs())
    assert len(rungs) >= len(told) - 1


@pytest.mark.parametrize("multipliers", [(2,), (2, 4, 8), (2, 3), range(2, 10)])
@pytest.mark.parametrize("ending", Ending)
def test_the_whole_proof_of_a_plain_game_is_told_at_any_target(
    ending: Ending, multipliers: Sequence[int]
) -> None:
    reason = explain(Game.start(Rules(ending, 10**1000 - 1, tuple(multipliers))))
    *_, last = reason.chain()
    assert " every move loses. " in last


def test_an_explanation_without_a_known_length_omits_it() -> None:
    rules = Rules(Ending.AVOID, 10**60, (2, 5, 9))
    oracle = Oracle(rules, most_steps=40_000)
    won = explain(Game.start(rules), oracle)
    assert isinstance(won, Won)
    assert won.distance is None
    assert won.move == won.moves[len(won.moves) // 2]
    assert "within" not in won.short
    lost = explain(Position(rules, won.leaves), oracle)
    assert isinstance(lost, Lost)
    assert lost.distance is None
    assert (lost.longest, lost.move, lost.moves) == ((), 2, ())
    assert "longest" not in lost.short
    assert "every move loses" in lost.short
    assert "the end comes" not in lost.short.lower()
