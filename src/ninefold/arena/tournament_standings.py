"""The standings of a tournament: ratings and pairs, as data for surfaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from random import Random

from msgspec import Struct

from ninefold.arena.ratings import Rating, rate
from ninefold.arena.tournament import Chunk, Plan, Score
from ninefold.errors import TooLarge
from ninefold.levels import LEVELS
from ninefold.matchups import MOST_POSITIONS, Matchups
from ninefold.rules import Rules


class ContestantRow(Struct, frozen=True):
    """A contestant: its Elo with a 95 % interval, and how many games it won."""

    who: str
    rating: Rating
    won: int
    played: int


class PairRow(Struct, frozen=True):
    """Two contestants: how many of their games the first of them won."""

    one: str
    two: str
    played: int
    """Each of the two starts half of them."""
    won: int
    """The games that the first won."""
    won_beginning: int
    """Those of them that the first also started."""
    exact: float | None
    """The exact share that the first wins over the openings that were played; None if a
    bot plays, or if the openings have too many positions."""

    @property
    def share(self) -> float:
        """The share of the games that the first won."""
        return self.won / self.played


class FailureRow(Struct, frozen=True):
    """How often a bot lost a game for one reason."""

    who: str
    reason: str
    games: int


class SetAsideRow(Struct, frozen=True):
    """Rounds of a pair that were skipped: they repeatedly killed their worker."""

    one: str
    two: str
    first: int
    last: int
    """Rounds, counted from 1."""


class TournamentView(Struct, frozen=True):
    """The standings of a tournament, finished or not."""

    games: int
    seed: int
    """The seed that determines every game."""
    begin: Rating
    """What going first is worth, in Elo."""
    contestants: tuple[ContestantRow, ...]
    """The contestants that have played, the strongest first."""
    pairs: tuple[PairRow, ...]
    failures: tuple[FailureRow, ...]
    set_aside: tuple[SetAsideRow, ...]


def standings(
    plan: Plan, scores: Mapping[int, Score], set_aside: Collection[Chunk] = ()
) -> TournamentView:
    """Rate the contestants and count their games, from the scores so far."""
    names = plan.contestants
    done = [chunk for chunk in plan.chunks if chunk.number in scores]
    # By (first, second): the games that each of them won.
    games: dict[tuple[int, int], tuple[int, int]] = {}
    # By pair: how often each opening was played.
    rounds: dict[tuple[int, int], Counter[Rules]] = {}
    for chunk in done:
        score, played = scores[chunk.number], chunk.rounds
        one, two, count = chunk.one, chunk.two, len(played)
        for pair, won in (
            ((one, two), score.began),
            ((two, one), count - score.second),
        ):
            wins, losses = games.get(pair, (0, 0))
            games[pair] = wins + won, losses + count - won
        rounds.setdefault((one, two), Counter()).update(map(plan.opening, played))
    ratings, begin = rate(len(names), games)
    rows = [
        ContestantRow(
            name,
            ratings[i],
            sum(won[pair.index(i)] for pair, won in games.items() if i in pair),
            sum(sum(won) for pair, won in games.items() if i in pair),
        )
        for i, name in enumerate(names)
        if any(i in pair for pair in games)
    ]
    exact = _exact_shares(names, rounds)
    pairs = [
        PairRow(
            names[one],
            names[two],
            2 * openings.total(),
            games[one, two][0] + games[two, one][1],
            games[one, two][0],
            exact.get((one, two)),
        )
        for (one, two), openings in sorted(rounds.items())
    ]
    failures = Counter(
        (names[each.who], each.reason)
        for c in done
        for each in scores[c.number].failures
    )
    return TournamentView(
        sum(row.played for row in pairs),
        plan.seed,
        begin,
        tuple(sorted(rows, key=lambda row: -row.rating.elo)),
        tuple(pairs),
        tuple(FailureRow(*key, count) for key, count in failures.most_common()),
        tuple(
            SetAsideRow(names[c.one], names[c.two], c.first + 1, c.after)
            for c in sorted(set_aside, key=lambda chunk: chunk.number)
        ),
    )


def _exact_shares(
    names: Sequence[str], rounds: Mapping[tuple[int, int], Counter[Rules]]
) -> dict[tuple[int, int], float]:
    """Return the exact share that the first of each pair of levels wins.

    It is the mean over the openings that they played. Return {} if these have too many
    positions.
    """
    players = {
        i: LEVELS[name].player(Random(0))
        for i, name in enumerate(names)
        if name in LEVELS
    }
    shares = {pair: 0.0 for pair in rounds if players.keys() >= set(pair)}
    visited = 0
    for rules in dict.fromkeys(rules for pair in shares for rules in rounds[pair]):
        try:
            exact = Matchups(rules)
        except TooLarge:
            return {}
        visited += len(exact.positions)
        if visited >= MOST_POSITIONS:
            return {}
        for (one, two), openings in rounds.items():
            if (one, two) in shares and openings[rules]:
                begins = exact.matchup(players[one], players[two])
                other_begins = exact.matchup(players[two], players[one])
                share = float((begins + 1 - other_begins) / 2)
                shares[one, two] += share * openings[rules] / openings.total()
    return shares
