"""What looks and tries cost the test behind "fit for use": how often it errs, and how often it finds something.

`python -m benchmarks.fitness_levels power [DRAWS]` prints how often metrics of known AUC are shown to be above chance,
by the former levels 2.5% × 20 / (n (n + 1)) / K, by those of any look, and by that of a declared look.
`python -m benchmarks.fitness_levels errors [DRAWS]` watches useless metrics after every label, from 20 to 300.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.checks.looks import LEAST_LABELS, OF_ONE_KIND, level_of_any_look, level_of_declared_look
from hcat.core.calibration.checks.tries import LEAST_OF_A_SIDE
from hcat.core.statistics.multiplicity import independent_tests
from hcat.core.statistics.rank_test import mann_whitney_p

MOST, PASSES = 300, 0.7
TRIES = (1, 6, 20)
ALIKE = 0.6


def main() -> None:
    """One of the two tables."""
    what, draws = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    _power(draws) if what == "power" else _errors(draws)


def _power(draws: int) -> None:
    rng = np.random.default_rng(1)
    print(f"| AUC | labels | K | before | watched | watched, correlation {ALIKE:g} | declared | declared, {ALIKE:g} |")
    for area in (0.65, 0.72, 0.80):
        shift = 2**0.5 * float(ndtri(area))
        for n in (60, 100, 152, 300):
            p = np.array([_p_of_useful(rng, n, shift) for _ in range(draws)])
            for tries in TRIES:
                print(f"| {area:.2f} | {n} | {tries} | {' | '.join(_shown(p, n, tries))} |", flush=True)


def _p_of_useful(rng: np.random.Generator, n: int, shift: float) -> float:
    passed = rng.random(n) < PASSES
    return mann_whitney_p(rng.normal(size=n) + shift * passed, passed)


def _shown(p: Floats, n: int, tries: int) -> list[str]:
    alike = independent_tests(np.full((tries, tries), ALIKE) + (1 - ALIKE) * np.eye(tries), OF_ONE_KIND / tries / 20)
    levels = (
        OF_ONE_KIND * LEAST_LABELS / (n * (n + 1)) / tries,
        level_of_any_look(n, tries=tries),
        level_of_any_look(n, tries=alike),
        level_of_declared_look(tries=tries),
        level_of_declared_look(tries=alike),
    )
    return [f"{np.mean(p <= level):.2f}" for level in levels]


def _errors(draws: int) -> None:
    for name, (tries, make) in NULLS.items():
        rng, ever = np.random.default_rng(2), 0
        for _ in range(draws):
            ever += is_ever_shown(*make(rng), tries)
        error = (OF_ONE_KIND * (1 - OF_ONE_KIND) / draws) ** 0.5
        print(f"{name:44s} {ever / draws:.4f} ± {error:.4f} of {OF_ONE_KIND}", flush=True)


def is_ever_shown(scores: Floats, passed: Bools, tries: int) -> bool:
    """Whether any of the metrics (K, n) is above chance at any number of labels."""
    sizes = np.arange(LEAST_LABELS, len(passed) + 1)
    correlation = np.corrcoef(rankdata(scores, axis=1)) if tries > 1 else np.ones((1, 1))
    shared = independent_tests(correlation, level_of_any_look(100) / tries)
    passes = np.cumsum(passed)[sizes - 1]
    few = np.minimum(passes, sizes - passes) < LEAST_OF_A_SIDE
    levels = np.array(
        [level_of_any_look(n, tries=tries if short else shared) for n, short in zip(sizes.tolist(), few, strict=True)]
    )
    for score in scores:
        close = standardised_path(score, passed)[sizes - 1] > -ndtri(levels) - 1.0
        for n, level in zip(sizes[close].tolist(), levels[close].tolist(), strict=True):
            if mann_whitney_p(score[:n], passed[:n]) <= level:
                return True
    return False


def standardised_path(score: Floats, passed: Bools) -> Floats:
    """Mann and Whitney's statistic of the first 1, 2, … labels (n,), standardised with ties; 0 where there is none."""
    above = (score[:, None] > score) + 0.5 * (score[:, None] == score)
    pairs = passed[:, None] & ~passed
    u = np.cumsum(np.cumsum(pairs * above, axis=0), axis=1).diagonal()
    n, passes = np.arange(1, len(score) + 1), np.cumsum(passed)
    equal = np.tril(score[:, None] == score, -1).sum(axis=1)
    ties = np.cumsum(3.0 * equal**2 + 3 * equal) / np.maximum(n * (n - 1), 1)
    variance = passes * (n - passes) / 12 * (n + 1 - ties)
    return np.asarray((u - passes * (n - passes) / 2) / np.sqrt(np.where(variance > 0, variance, np.inf)))


def _alone(make: Callable[[np.random.Generator], Floats], passes: float = PASSES) -> Null:
    return 1, lambda rng: (make(rng)[None, :], rng.random(MOST) < passes)


def _twenty(rng: np.random.Generator) -> tuple[Floats, Bools]:
    scores = rng.normal(size=(20, MOST))
    scores[::2] = np.round(scores[::2])
    return scores, rng.random(MOST) < PASSES


def _twenty_alike(rng: np.random.Generator) -> tuple[Floats, Bools]:
    scores = ALIKE**0.5 * rng.normal(size=MOST) + (1 - ALIKE) ** 0.5 * rng.normal(size=(20, MOST))
    return scores, rng.random(MOST) < PASSES


def _alike_at_the_top(rng: np.random.Generator) -> tuple[Floats, Bools]:
    """Scores that agree but where they are low, which is where the few fails tell: correlations promise too much."""
    common = rng.normal(size=MOST)
    return np.where(common > -0.8, common, -0.8 - np.abs(rng.normal(size=(20, MOST)))), rng.random(MOST) < 0.93


Null = tuple[int, Callable[[np.random.Generator], tuple[Floats, Bools]]]
NULLS: dict[str, Null] = {
    "one metric": _alone(lambda rng: rng.normal(size=MOST)),
    "one metric, 5% fail": _alone(lambda rng: rng.normal(size=MOST), 0.95),
    "one metric, 2% fail": _alone(lambda rng: rng.normal(size=MOST), 0.98),
    "one metric, four in five scores equal": _alone(lambda rng: rng.choice(5, MOST, p=[0.05, 0.05, 0.8, 0.05, 0.05])),
    "one metric, 95% zeros": _alone(lambda rng: np.where(rng.random(MOST) < 0.95, 0.0, rng.random(MOST)), 0.5),
    "20 metrics, half of them rounded": (20, _twenty),
    "20 metrics, correlation 0.6": (20, _twenty_alike),
    "20 metrics, alike but in their lower tail": (20, _alike_at_the_top),
}


if __name__ == "__main__":
    main()
