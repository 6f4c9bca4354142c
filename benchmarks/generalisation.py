"""Regret of networks with different inputs, at sizes they have never seen.

Run it with ``OPENBLAS_NUM_THREADS=1 python -m benchmarks.generalisation``: at matrices
as small as these, threads only wait for each other. Networks learn at targets of 3 and
4 digits which moves win, and are judged at targets of up to 100 digits. The tables go
into ``docs/research.md``, between two marks; it takes half a minute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from math import log2, pi, sqrt
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from benchmarks.strengths import markdown, put_into
from ninefold.rl.scores import Act, Report, Row, judge
from ninefold.rl.splits import SETS, samples
from ninefold.rules import Rules
from ninefold.text import format_set

PAGE = Path(__file__).parent.parent / "docs" / "research.md"
SEEDS = range(1, 6)
T_95 = 2.776
"""Student's t for the mean of five values, for an interval of 95 %."""
GAMES = 80
"""The games of one set of multipliers that a network learns from: 4,000 positions."""
EPOCHS, BATCH, HIDDEN, RATE = 60, 100, 64, 3e-3
WIDTH = 100
"""The number of digits that a network sees of the total, and of the target."""

Encode = Callable[[Rules, Sequence[int]], np.ndarray]
Weights = list[np.ndarray]
"""A matrix for each layer of a network; its last row is the bias."""


def digits(rules: Rules, totals: Sequence[int]) -> np.ndarray:
    """Return the digits of the total and of the target, as the environments do."""
    rows = [f"{total:0{WIDTH}}{rules.target:0{WIDTH}}" for total in totals]
    return np.array([[*map(int, row)] for row in rows])


def logarithms(rules: Rules, totals: Sequence[int]) -> np.ndarray:
    """Return log2 of the total and of the target, as the environments do."""
    return np.array([[log2(total), log2(rules.target)] for total in totals])


def waves(lengths: np.ndarray, rules: Rules, totals: Sequence[int]) -> np.ndarray:
    """Return sine and cosine of log2(target / total), for waves of some lengths."""
    sizes = logarithms(rules, totals)
    angles = 2 * pi * (sizes[:, 1:] - sizes[:, :1]) / lengths
    return np.hstack([np.sin(angles), np.cos(angles)])


INPUTS: dict[str, Encode] = {
    "digits": digits,
    "logarithms": logarithms,
    "Fourier features": partial(waves, 2.0 ** np.arange(-1, 5, 0.5)),
    "period 18": partial(waves, log2(18) / np.arange(1, 9)),
}


def layers(weights: Weights, inputs: np.ndarray) -> list[np.ndarray]:
    """Return the inputs, the two hidden layers, and an output for each move."""
    found = [inputs]
    for matrix in weights:
        found.append(found[-1] @ matrix[:-1] + matrix[-1])
        if len(found) <= len(weights):
            np.maximum(found[-1], 0, out=found[-1])
    return found


def gradients(weights: Weights, inputs: np.ndarray, wins: np.ndarray) -> Weights:
    """Return the gradients of the cross-entropy, summed over the moves."""
    *below, outputs = layers(weights, inputs)
    # The logistic function, in a form that cannot overflow.
    errors = ((1 + np.tanh(outputs / 2)) / 2 - wins) / len(inputs)
    found = []
    for matrix, layer in zip(weights[::-1], below[::-1], strict=True):
        found.append(np.vstack([layer.T @ errors, errors.sum(axis=0)]))
        errors = errors @ matrix[:-1].T * (layer > 0)
    return found[::-1]


def trained(rng: np.random.Generator, inputs: np.ndarray, wins: np.ndarray) -> Weights:
    """Return the weights of a new network after training: Adam with a falling rate."""
    weights = [
        np.vstack([rng.normal(size=(a, b)) * sqrt(2 / a), np.zeros(b)])
        for a, b in pairwise((inputs.shape[1], HIDDEN, HIDDEN, wins.shape[1]))
    ]
    means = [np.zeros_like(matrix) for matrix in weights]
    squares = [np.zeros_like(matrix) for matrix in weights]
    batches = [
        batch
        for _ in range(EPOCHS)
        for batch in np.split(rng.permutation(len(inputs)), len(inputs) // BATCH)
    ]
    for step, batch in enumerate(batches, 1):
        rate = RATE * (1 - step / len(batches))
        rate *= sqrt(1 - 0.999**step) / (1 - 0.9**step)
        found = gradients(weights, inputs[batch], wins[batch])
        means = [0.9 * m + 0.1 * g for m, g in zip(means, found, strict=True)]
        squares = [
            0.999 * s + 0.001 * g**2 for s, g in zip(squares, found, strict=True)
        ]
        weights = [
            w - rate * m / (np.sqrt(s) + 1e-8)
            for w, m, s in zip(weights, means, squares, strict=True)
        ]
    return weights


def learn(encode: Encode, multipliers: tuple[int, ...], seed: int) -> Act:
    """Train a network; return a learner that plays its most probable winning move."""
    train = (s for s in samples("train", seed) if s.rules.multipliers == multipliers)
    games = list(islice(train, GAMES))
    inputs = np.vstack([encode(game.rules, game.totals) for game in games])
    wins = [[m in won for m in multipliers] for g in games for won in g.winning_moves]
    mean, spread = inputs.mean(axis=0), np.maximum(inputs.std(axis=0), 0.01)
    rng = np.random.default_rng(seed)
    weights = trained(rng, (inputs - mean) / spread, np.array(wins))

    def act(rules: Rules, totals: Sequence[int]) -> np.ndarray:
        outputs = layers(weights, (encode(rules, totals) - mean) / spread)[-1]
        return outputs == outputs.max(axis=1, keepdims=True)

    return act


def learn_both(encode: Encode, seed: int) -> Act:
    """Return a learner with a network for each set of multipliers."""
    networks = {multipliers: learn(encode, multipliers, seed) for multipliers in SETS}
    return lambda rules, totals: networks[rules.multipliers](rules, totals)


def interval(values: Sequence[float]) -> str:
    """Format the mean of five values with its interval of 95 %.

    >>> interval([0.1, 0.2, 0.3, 0.2, 0.2])
    '.20 ± .09'
    """
    half = T_95 * stdev(values) / sqrt(len(values))
    return f"{fmean(values):.2f} ± {half:.2f}".replace("0.", ".")


Reports = tuple[Report, Report]
"""The reports of one learner on dev and on test."""


def rows_of(reports: Reports, multipliers: tuple[int, ...]) -> list[Row]:
    """Return the rows of one set of multipliers, by the digits of their targets."""
    rows = [row for report in reports for row in report.rows]
    return [row for row in rows if row.multipliers == multipliers]


def tables(found: Mapping[str, Sequence[Reports]]) -> str:
    """Format the reports of each input, a pair for each seed, as tables."""
    lines = []
    for multipliers in SETS:
        table = []
        for name, seeds in found.items():
            rows = (rows_of(reports, multipliers) for reports in seeds)
            sizes = list(zip(*rows, strict=True))
            regrets = ([row.regret for row in size] for size in sizes)
            table.append([name, *map(interval, regrets)])
        random = (f"{size[0].random:.2f}"[1:] for size in sizes)
        header = [format_set(multipliers), *(str(size[0].digits) for size in sizes)]
        lines += [*markdown(header, [*table, ["random play", *random]]), ""]
    scores = [
        [name, interval([test.score for _, test in seeds])]
        for name, seeds in found.items()
    ]
    lines += markdown(["", "score on test"], scores)
    return "\n".join(lines)


def main() -> None:
    """Train and judge all networks, and write the page."""
    found = {}
    for name, encode in INPUTS.items():
        acts = [learn_both(encode, seed) for seed in SEEDS]
        found[name] = [(judge(act, "dev"), judge(act)) for act in acts]
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put_into(page, tables(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
