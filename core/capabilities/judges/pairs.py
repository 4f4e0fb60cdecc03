"""Accuracy and biases of a judge from verdicts on pairs of answers, each pair shown in both orders.

Which answer is better does not depend on its position, so each pair is its own control."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.statistics.clusters import rate_effective_n
from hcat.core.statistics.effective_n import rate_interval
from hcat.core.statistics.intervals import mean_interval
from hcat.core.statistics.multiplicity import holm, holm_levels
from hcat.core.statistics.paired import paired_differences
from hcat.core.statistics.proportions import (
    correlation_of_rates,
    newcombe_difference,
    p_by_interval,
    weighted_proportion,
)
from hcat.core.types import Estimate, Verdict

Choice = Literal["A", "B", "tie"]
_VALUE: Mapping[Choice | None, float] = {"A": 1.0, "tie": 0.5, "B": 0.0, None: 0.5}
_RIGHT: Mapping[Choice | None, float] = {"A": 1.0, "B": 0.0, "tie": math.nan, None: math.nan}
MINIMUM_PAIRS = 10
FLAGGED_AT = 0.05


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """A judge's choice between answers A and B: with A shown first, and with B shown first; None without a choice.

    `right` is the better answer, None if that is not known. Lengths and the models that wrote the answers, if they are
    known; pairs of one `cluster` are not independent of one another, and one without is its own."""

    pair: str
    judge: str
    a_first: Choice | None
    b_first: Choice | None
    right: Choice | None
    length_a: float = math.nan
    length_b: float = math.nan
    model_a: str = ""
    model_b: str = ""
    cluster: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """A bias of a judge: its effect on the judge's preference, the p of no bias, and p by Holm over all tests.

    NaN throughout if it can't be estimated; `why_not` then is the reason. The interval is at the level at which Holm's
    procedure tests it, and excludes 0 exactly if the effect is flagged. For length and the own family `error_for` is
    the share of verdicts for the longer (or own) answer if the other is right, and `error_against` the share against it
    if it is right. The effect is half their difference."""

    name: str
    effect: Estimate
    p: float
    p_holm: float
    why_not: str = ""
    error_for: Estimate | None = None
    error_against: Estimate | None = None

    @property
    def is_flagged(self) -> bool:
        """Whether the effect is significant."""
        return self.p_holm <= FLAGGED_AT


@dataclass(frozen=True, slots=True)
class PairBias:
    """One judge on pairs in both orders.

    `accuracy` counts a pair as right if the right answer gets more of its two verdicts than the wrong one; `consistent`
    if both orders give the same answer, no verdict included. `first_slot` is the share of the decided verdicts for the
    first position. `accuracy_if_first` and `accuracy_if_second` are the shares of pairs that are right when the right
    answer is first, or second: the cost of the order. These three are of pairs whose right answer is known. `preferred`
    is how often answer A is preferred, ties as one half, over both orders; `preferred_if_first` and
    `preferred_if_second` when it is first, or second."""

    judge: str
    n: int
    accuracy: Estimate
    consistent: Estimate
    first_slot: Estimate
    accuracy_if_first: Estimate
    accuracy_if_second: Estimate
    preferred: Estimate
    preferred_if_first: Estimate
    preferred_if_second: Estimate
    effects: tuple[Effect, ...]

    def effect(self, name: str) -> Effect:
        """The effect of this name."""
        return next(effect for effect in self.effects if effect.name == name)


POSITION, VERBOSITY, SELF = "position", "verbosity", "self-preference"
_SIDES = {
    VERBOSITY: ("the longer one", "the shorter one"),
    SELF: ("that of the judge's own family", "that of another family"),
}

PAIR_BIAS = Verdict(
    name="bias of a judge on pairs",
    words=("flagged",),
    claim="Order, length or the judge's own family moves which of two answers it prefers.",
    error=FLAGGED_AT,
    family="all judges of one file or comparison, three effects each (Holm)",
    decides="hcat.core.capabilities.judges.pairs:pair_biases",
    carried_by="hcat.core.capabilities.judges.pairs:Effect.is_flagged",
)


def pair_biases(verdicts: Sequence[PairVerdict], *, own: Mapping[str, str] | None = None) -> tuple[PairBias, ...]:
    """Each judge's accuracy, consistency and biases. `own` maps a judge to the model family that is its own.

    The position effect is an answer's gain from being first. The effects of length and of the judge's own family are
    half the difference of its two error rates. These are the share of verdicts for the longer (or own) answer if the
    other is right, and the share against it if it is right. A judge that errs equally often either way has no bias,
    however often the longer answer is right. p is adjusted by Holm over judges and effects. Source: Wataoka, Takahashi
    & Ri 2024, Self-preference bias in LLM-as-a-judge, section 3 (equal opportunity)."""
    judges = list(dict.fromkeys(verdict.judge for verdict in verdicts))
    by_judge = {judge: [verdict for verdict in verdicts if verdict.judge == judge] for judge in judges}
    families = own or {}
    tested = {judge: _effects(rows, families.get(judge, "")) for judge, rows in by_judge.items()}
    every = [test.p for tests in tested.values() for test in tests]
    decided = iter(zip(holm(every).tolist(), holm_levels(every, error=FLAGGED_AT).tolist(), strict=True))
    final = {judge: tuple(test.effect(*next(decided)) for test in tests) for judge, tests in tested.items()}
    return tuple(_bias(judge, rows, final[judge]) for judge, rows in by_judge.items())


def _bias(judge: str, rows: Sequence[PairVerdict], effects: tuple[Effect, ...]) -> PairBias:
    known = [row for row in rows if row.right is not None]
    first, pair = [], []
    for row in rows:
        for choice, slot in ((row.a_first, "A"), (row.b_first, "B")):
            if choice in ("A", "B"):
                first.append(choice == slot)
                pair.append(row.cluster or row.pair)
    when_first = [(row.a_first if row.right == "A" else row.b_first) == row.right for row in known]
    when_second = [(row.b_first if row.right == "A" else row.a_first) == row.right for row in known]
    first_a, second_a = ([_VALUE[choice] for choice in column] for column in _choices(rows))
    of_a = [(one + other) / 2 for one, other in zip(first_a, second_a, strict=True)]
    clusters = _clusters(rows)
    return PairBias(
        judge,
        len(rows),
        weighted_proportion([_margin(row) > 0 for row in known], clusters=_clusters(known)),
        weighted_proportion([row.a_first == row.b_first for row in rows], clusters=clusters),
        weighted_proportion(first, clusters=np.asarray(pair, dtype=np.str_)),
        weighted_proportion(when_first, clusters=_clusters(known)),
        weighted_proportion(when_second, clusters=_clusters(known)),
        mean_interval(of_a, clusters=clusters, within=(0.0, 1.0)),
        mean_interval(first_a, clusters=clusters, within=(0.0, 1.0)),
        mean_interval(second_a, clusters=clusters, within=(0.0, 1.0)),
        effects,
    )


def _choices(rows: Sequence[PairVerdict]) -> tuple[list[Choice | None], list[Choice | None]]:
    """The choices with A first, and with B first."""
    return [row.a_first for row in rows], [row.b_first for row in rows]


def _clusters(rows: Sequence[PairVerdict]) -> list[str] | None:
    """The cluster of each pair; None if all pairs are independent."""
    return [row.cluster or row.pair for row in rows] if any(row.cluster for row in rows) else None


def _margin(row: PairVerdict) -> int:
    wrong = "B" if row.right == "A" else "A"
    return sum((choice == row.right) - (choice == wrong) for choice in (row.a_first, row.b_first))


@dataclass(frozen=True, slots=True, eq=False)
class _Test:
    """A measured effect: its interval at any level, and the p of no effect."""

    name: str
    interval: Callable[[float], Estimate]
    p: float
    why_not: str = ""
    error_for: Estimate | None = None
    error_against: Estimate | None = None

    def effect(self, p_holm: float, level: float) -> Effect:
        """The effect with the interval at the level at which it is tested."""
        interval = self.interval(level)
        return Effect(self.name, interval, self.p, p_holm, self.why_not, self.error_for, self.error_against)


def _effects(rows: Sequence[PairVerdict], family: str) -> list[_Test]:
    of_a = np.array([(_VALUE[row.a_first], _VALUE[row.b_first]) for row in rows], dtype=np.float64)
    right_a = np.array([_RIGHT[row.right] for row in rows], dtype=np.float64)
    longer = np.array([_side(row.length_a, row.length_b) for row in rows], dtype=np.float64)
    own = np.array([_own(row, family) for row in rows], dtype=np.float64)
    unknown = "" if np.isfinite(right_a).any() else "which answer is right is not known"
    no_lengths = "" if np.isfinite(longer).any() else "the lengths of the answers are not recorded"
    no_family = "" if np.isfinite(own).any() else "no pair has one answer of the judge's own family and one of another"
    names = [row.cluster or f"{place} {row.pair}" for place, row in enumerate(rows)]
    clusters = np.unique(names, return_inverse=True)[1]
    return [
        _position(of_a[:, 0] - of_a[:, 1], clusters),
        _leaning(VERBOSITY, of_a, right_a, longer, clusters, unknown or no_lengths),
        _leaning(SELF, of_a, right_a, own, clusters, unknown or no_family),
    ]


def _side(a: float, b: float) -> float:
    """1 if A is longer, −1 if B is, NaN if they are equal or it is not known."""
    return math.nan if math.isnan(a) or math.isnan(b) or a == b else math.copysign(1.0, a - b)


def _own(row: PairVerdict, family: str) -> float:
    of_a, of_b = (bool(family) and family.casefold() in model.casefold() for model in (row.model_a, row.model_b))
    return math.nan if of_a == of_b else (1.0 if of_a else -1.0)


def _position(differences: Floats, clusters: Codes) -> _Test:
    found = paired_differences(differences, clusters=clusters, symmetric=True)
    few = _too_few(len(differences), clusters)
    return _Test(POSITION, found.interval, math.nan if few else found.p, few)


def _leaning(name: str, of_a: Floats, right_a: Floats, side: Floats, clusters: Codes, why_not: str) -> _Test:
    """A judge's bias towards the answers of a `side` (n,): 1 if that is A, −1 if it is B, else NaN."""
    known = np.isfinite(right_a) & np.isfinite(side)
    is_a = side[known] > 0
    prefers = np.where(is_a[:, None], of_a[known], 1 - of_a[known])
    is_right = (right_a[known] > 0.5) == is_a
    codes = clusters[known]
    sides = [(rows[is_wrong], codes[is_wrong]) for rows, is_wrong in ((1 - prefers, is_right), (prefers, ~is_right))]
    missing = why_not or _too_few(len(codes), codes) or _one_sided(name, is_right)
    pairs_of_cluster = len(codes) > len(np.unique(codes))
    correlation = _correlation(sides) if pairs_of_cluster else 0.0

    def errors(level: float) -> list[Estimate]:
        return [_error(rows, of, several=pairs_of_cluster, level=level) for rows, of in sides]

    def half(level: float) -> Estimate:
        made = newcombe_difference(*errors(level), n=len(codes), correlation=correlation)
        return Estimate(made.value / 2, made.low / 2, made.high / 2, made.n, level, f"half of {made.method}")

    against, toward = errors(1 - FLAGGED_AT)
    return _Test(name, half, math.nan if missing else p_by_interval(half), missing, toward, against)


def _one_sided(name: str, is_right: Bools) -> str:
    """The reason why nothing can be compared if the right answer is always of one side; "" if it is not."""
    absent = [what for what, some in zip(_SIDES[name], (is_right, ~is_right), strict=True) if not some.any()]
    return f"the right answer is never {absent[0]}" if absent else ""


def _error(errors: Floats, clusters: Codes, *, several: bool, level: float) -> Estimate:
    """The share of wrong verdicts (pairs, 2), ties as one half, with Wilson's interval over clusters."""
    y, codes = errors.ravel(), np.repeat(np.unique(clusters, return_inverse=True)[1], 2)
    if not len(y):
        return Estimate(math.nan, math.nan, math.nan, 0, level, "nothing to count")
    n = rate_effective_n(y, np.ones(len(y)), codes, level=level, of_the_rarer=several)
    return rate_interval(float(y.mean()), n, n=len(errors), level=level, method=f"wilson at effective n = {n:.1f}")


def _correlation(sides: Sequence[tuple[Floats, Codes]]) -> float:
    if not all(len(rows) for rows, _ in sides):
        return 0.0
    size = 1 + max(int(codes.max()) for _, codes in sides)
    against, toward = (
        np.bincount(codes, (rows - rows.mean()).sum(axis=1), size).astype(np.float64) for rows, codes in sides
    )
    return correlation_of_rates(against, toward)


def _too_few(n: int, clusters: Codes) -> str:
    independent = len(np.unique(clusters))
    kind = "pairs" if independent == n else "independent pairs"
    return f"fewer than {MINIMUM_PAIRS} {kind} tell of it" if independent < MINIMUM_PAIRS else ""
