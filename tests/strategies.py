"""What hypothesis draws from: rules and games of every kind."""

from __future__ import annotations

from hypothesis import strategies as st

from ninefold import Ending, Game, Length, Match, Rules, Seat, StartRule

seats = st.sampled_from(Seat)
multiplier_sets = st.one_of(
    st.just(set(range(2, 10))),
    st.sets(st.integers(2, 9), min_size=1),
    st.sets(st.integers(2, 200), min_size=1, max_size=6),
    st.sets(st.integers(2, 10**40), min_size=1, max_size=3),
).map(tuple)
lengths = st.one_of(
    st.integers(1, 4).map(Length.first_to),
    st.sampled_from((1, 3, 5, 7)).map(Length.best_of),
    st.integers(1, 6).map(Length.games),
)


@st.composite
def all_rules(draw: st.DrawFn) -> Rules:
    start = draw(st.one_of(st.just(1), st.integers(1, 10**6)))
    above = draw(st.one_of(st.integers(1, 2000), st.integers(1, 10**60)))
    ending = draw(st.sampled_from(Ending))
    return Rules(ending, start + above, draw(multiplier_sets), start)


@st.composite
def all_games(draw: st.DrawFn) -> Game:
    """Draw games at any point: just begun, half-way, over, given up."""
    game = Game.start(draw(all_rules()), first=draw(seats))
    for _ in range(draw(st.integers(0, 12))):
        if game.outcome is None:
            game = game.play(draw(st.sampled_from(game.rules.multipliers)))
    if game.outcome is None and draw(st.booleans()):
        game = game.resign(draw(seats))
    return game


@st.composite
def all_matches(draw: st.DrawFn) -> Match:
    """Draw matches of a short game, played to any point."""
    rules = Rules(draw(st.sampled_from(Ending)), draw(st.integers(2, 60)))
    match = Match(rules, draw(lengths), draw(st.sampled_from(StartRule)), draw(seats))
    rng = draw(st.randoms(use_true_random=False))
    for _ in range(draw(st.integers(0, 8))):
        if not match.is_over:
            game = match.next_game(rng)
            while game.outcome is None:
                game = game.play(rng.choice(rules.multipliers))
            match = match.add(game)
    return match
