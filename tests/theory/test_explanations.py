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
from ninefold.theory import Band, Ended, Lost, Oracle, Position, Rung, Won, explain
from tests.theory import games
from tests.theory.brute import Found, mover_has_won, play_out, reachable

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
        assert [rung.faces.lowest for rung in rungs[:1]] in ([], [faced])
        assert [rung.faces.highest for rung in rungs[:1]] in ([], [faced])
        assert (rungs == []) == (reason.rung is None)
        self.check_ladder(rungs)
        self.check_sentences(reason)

    def check_sentences(self, reason: Won | Lost) -> None:
        assert 1 <= reason.short.count(".") <= 3
        assert reason.short.endswith(".")
        told = list(reason.chain())
        rungs = list(reason.rungs())
        extra = isinstance(reason, Won)
        assert len(told) == len(rungs) + extra
        for sentence, rung in zip(told[extra:], rungs, strict=True):
            assert sentence.startswith(f"Whoever faces {rung.faces} loses: ")
            self.check_words(sentence, inside(rung.faces))
        if reason.rung is not None:
            self.check_words(reason.short, inside(reason.rung.faces))
        if isinstance(reason, Lost) and "holds out longest" in reason.short:
            plies = {self.plies(reason.total * m) for m in self.rules.multipliers}
            assert len(plies) > 1
        if "Whatever you play" in reason.short:
            plies = {self.plies(reason.total * m) for m in self.rules.multipliers}
            assert plies == {reason.distance}

    def plies(self, made: int) -> int:
        """Count the moves to the end, and the one that made this total."""
        return 1 + (self.found[made].distance if made in self.found else 0)

    def check_words(self, text: str, faced: range) -> None:
        """Take a text at its words: each clause on what is made, and the reply."""
        clauses = list(CLAUSE.finditer(text))
        assert len(clauses) == text.count(", and from ")
        for clause in clauses:
            answers = self.answers(clause["who"])
            made = {total * m for total in faced for m in answers}
            named = numbers(clause["what"])
            if clause["where"].startswith("each total "):
                named = sorted(made & set(named))
            if len(faced) == 1:
                # All that these answers make is named.
                assert made <= set(named)
            assert named[0] in made
            assert named[-1] in made
            if clause["or_exactly"]:
                assert any(
                    self.rules.target == total * m
                    for total in made & set(named)
                    for m in self.rules.multipliers
                )
            for total in named:
                assert self.does(total, clause), (text, total)

    def answers(self, who: str) -> tuple[int, ...]:
        if "×" not in who:
            return self.rules.multipliers
        found: list[int] = []
        for name in who.replace(" and ", ", ").split(", "):
            ends = [int(end) for end in re.findall(r"×(\d+)", name)]
            if ends:
                found += range(ends[0], ends[-1] + 1)
        return tuple(found)

    def does(self, total: int, clause: re.Match[str]) -> bool:
        """Whether from a total the reply can be what a clause says it can."""
        target = self.rules.target
        replies = self.answers(clause["reply"] or "any")
        made = [total * m for m in replies]
        if clause["reach"]:
            return any(self.mover_has_won(after) for after in made)
        if clause["exactly"] or (clause["or_exactly"] and target in made):
            return self.rules.ending is Ending.EXACT and target in made
        given = numbers(clause["hand_over"])
        assert all(self.is_lost(after) for after in given)
        return any(after in given for after in made)


CLAUSE = re.compile(
    r"(?P<who>[Aa]ny \w+|[Tt]he only \w+, ×\d+,|×[^;.:]*?) makes? (?P<what>[^;.]+?),"
    r" and from (?P<where>there|each of those|each total it makes|each total they make)"
    r" (?:you|the other player) can (?:"
    r"(?P<reach>reach \d+)"
    r"|(?P<exactly>make exactly \d+)"
    r"|hand over (?P<hand_over>\d+ to \d+|\d+)(?: again)?"
    r"(?P<or_exactly> or make exactly \d+)?"
    r")(?: with (?P<reply>×[^;.]+))?"
)


def numbers(words: str) -> Sequence[int]:
    """Read "16, 24 or 40", "10 to 45" or "totals from 10 to 45", as all it names."""
    if " to " in words:
        lowest, highest = words.removeprefix("totals from ").split(" to ")
        return range(int(lowest), int(highest) + 1)
    return [int(word) for word in words.replace(" or ", ", ").split(", ")]


@games.unhurried
@given(games.rules(highest_multiplier=12, most_multipliers=5, longest=400), st.data())
def test_every_claim_holds_on_random_rules(rules: Rules, data: st.DataObject) -> None:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    Checker(rules).check(data.draw(st.sampled_from(totals)))


@pytest.mark.unmeasured
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
def test_every_claim_holds_where_one_answer_is_met_in_several_ways(
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
                "×5 leaves 5. Any answer makes 10 to 45, and from each of those you can"
                " hand over 56 to 111 again. You win within 5 moves, counting both"
                " players'."
            ),
        ),
        (
            MULTIPLIER_SHOWDOWN,
            60,
            (
                "This is lost against best play. Any move makes 120 to 540, and from"
                " each of those the other player can reach 1000 with ×9. Whatever you"
                " play, the end comes after 2 moves."
            ),
        ),
        (MADNESS, 90, "×6 makes 540, which is past 100, and wins."),
        (Rules(Ending.REACH, 100, (2, 5)), 20, "×5 reaches 100, and that wins."),
        (
            MULTIPLIER,
            56,
            (
                "×9 leaves 504. Any answer makes 1000 or more and loses at once. You"
                " win within 2 moves, counting both players'."
            ),
        ),
        (DUEL, 20, "×5 makes exactly 100, and that wins."),
        (
            Rules(Ending.EXACT, 341, (2, 5), start=2),
            8,
            (
                "This is lost against best play. Any move makes 16 or 40, and from each"
                " of those the other player can hand over 69 to 85. ×2 holds out"
                " longest: the end comes after 5 moves, yours included."
            ),
        ),
        (DUEL, 60, "Any move goes past 100 and loses at once."),
        (
            DUEL,
            1,
            (
                "×4 leaves 4. Any answer makes 8 to 36, and from each of those you can"
                " hand over 51 to 99 again or make exactly 100. You win within 4 moves,"
                " counting both players'."
            ),
        ),
        (
            Rules(Ending.AVOID, 1000, (2, 5, 9)),
            200,
            (
                "This is lost against best play. ×2 makes 400, and from there the other"
                " player can hand over 800 with ×2; ×5 and ×9 make 1000 or more and"
                " lose at once. ×2 holds out longest: the end comes after 3 moves,"
                " yours included."
            ),
        ),
        (
            Rules(Ending.EXACT, 64, (2,)),
            16,
            (
                "This is lost against best play. The only move, ×2, makes 32, and from"
                " there the other player can make exactly 64 with ×2. The end comes"
                " after 2 moves, yours included."
            ),
        ),
        (
            Rules(Ending.AVOID, 100, (2,)),
            64,
            "The only move, ×2, makes 100 or more and loses at once.",
        ),
    ],
)
def test_an_explanation_reads_like_this(
    rules: Rules, total: int, sentences: str
) -> None:
    assert explain(Position(rules, total)).short == sentences


def test_a_band_is_named_only_where_every_number_in_it_is_met() -> None:
    reason = explain(Position(Rules(Ending.AVOID, 1000, (2, 5, 9)), 1))
    assert list(reason.chain())[2] == (
        "Whoever faces 50 to 55 loses: any answer makes totals from 100 to 495, and"
        " from each total it makes the other player can hand over 500 to 999."
    )


def test_the_target_is_promised_only_where_it_can_be_made() -> None:
    with_exact = explain(Game.start(DUEL)).short
    assert "hand over 51 to 99 again or make exactly 100" in with_exact
    # 101 is prime: nothing but 1 times 101 makes it.
    without = explain(Game.start(replace(DUEL, target=101))).short
    assert "hand over 51 to 100 again." in without


def test_many_different_replies_are_named_one_by_one() -> None:
    rules = Rules(Ending.AVOID, 10**5, (2, 6, 7, 17, 20, 25, 47, 85, 5000))
    assert explain(Position(rules, 1)).short == (
        "×47 leaves 47. ×5000 makes 100000 or more and loses at once; every other"
        " answer has a reply that wins: ×2 is met by ×6, ×6, ×17, ×20 and ×25 are met"
        " by ×85, ×7 and ×85 are met by ×20 and ×47 is met by ×25. You win within 6"
        " moves, counting both players'."
    )


def test_of_too_many_different_replies_only_the_first_are_named() -> None:
    rules = Rules(Ending.AVOID, 10**5, (2, 5, 15, 39, 53, 67, 78))
    assert explain(Position(rules, 1)).short == (
        "×5 leaves 5. Every answer has a reply that wins: ×2 is met by ×2, ×5 and ×39"
        " are met by ×15, ×15 is met by ×39, ×53 is met by ×78, ×67 is met by ×67 and"
        " the others likewise. You win within 8 moves, counting both players'."
    )


def test_the_whole_chain_leads_down_to_the_win() -> None:
    reason = explain(Game.start(MULTIPLIER))
    assert list(reason.chain()) == [
        "×3 leaves 3.",
        (
            "Whoever faces 3 loses: any answer makes 6 to 27, and from each of those"
            " the other player can hand over 28 to 55."
        ),
        (
            "Whoever faces 28 to 55 loses: any answer makes 56 to 495, and from each of"
            " those the other player can hand over 500 to 999."
        ),
        (
            "Whoever faces 500 to 999 loses: any answer makes 1000 or more and loses at"
            " once."
        ),
    ]


def test_a_chain_says_what_passes_the_target_from_some_of_the_totals_only() -> None:
    reason = explain(Position(Rules(Ending.AVOID, 1000, (2, 5, 9)), 1))
    assert list(reason.chain())[3] == (
        "Whoever faces 200 to 249 loses: ×2 makes 400 to 498, and from each of those"
        " the other player can hand over 500 to 999; whatever makes 1000 or more loses"
        " at once."
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
            "Player 1 has won: Player 2 gave up at 20.",
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
        "×2 leaves 2. Any answer makes 4 to 18, and from each of those you can hand"
        " over 21 to 41 again. You win within 1591 moves, counting both players'."
    )
    reason = explain(Game.start(Rules(Ending.REACH, 10**60)))
    *_, last = reason.rungs()
    assert last.faces.highest == (10**60 - 1) // 9
    *_, told = reason.chain()
    assert told == (
        "Whoever faces 555555...555556 (59 digits) to 111111...111111 (60 digits)"
        " loses: any answer makes 111111...111112 (60 digits) to 999999...999999 (60"
        " digits), and from each of those the other player can reach 100000...000000"
        " (61 digits) with ×9."
    )


@pytest.mark.parametrize("moves", [[], [5], [9, 9, 9, 9]])
def test_an_oracle_for_other_rules_is_refused(moves: list[int]) -> None:
    game = Game.replay(MULTIPLIER_SHOWDOWN, moves)
    reason = explain(game)
    other = Oracle(MULTIPLIER)
    for question in (partial(explain, game), reason.rungs, reason.chain):
        with pytest.raises(TheoryError, match="this oracle is for other rules"):
            question(oracle=other)


def test_a_proof_that_is_too_long_says_that_more_follows() -> None:
    reason = explain(Game.start(Rules(Ending.AVOID, 10**999, tuple(range(2, 102)))))
    *told, last = reason.chain()
    assert last == (
        "More follows: the whole proof is too long; ask about a larger total or a"
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
    assert last.startswith("Whoever faces ")


def test_where_the_length_cannot_be_found_the_reason_stands_without_it() -> None:
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
    assert lost.short.startswith("This is lost against best play. ")


@pytest.mark.parametrize(
    ("game", "hint"),
    [
        (Game.replay(MADNESS, [9, 9]), "6 wins now."),
        (Game.start(MADNESS), "8 wins from here, if you go on as well."),
        (Game.replay(MADNESS, [8]), "No move wins here against best play."),
        (
            Game.replay(Rules(Ending.AVOID, 100), [9, 9]),
            "No move wins here against best play.",
        ),
        (
            Game.replay(DUEL, [4]),
            "No move wins here against best play; 2 holds out longest.",
        ),
        (
            Game.replay(MADNESS, [9, 9, 9]),
            "Player 1 has won: Player 1 made 729, which is past 100.",
        ),
    ],
)
def test_a_hint_is_one_sentence(game: Game, hint: str) -> None:
    assert explain(game).hint == hint
