"""Recorded verdicts on pairs of answers, each pair shown in both orders: is the judge right, and does order decide?

An answer that is better is better wherever it stands, so each pair is its own control.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.arrays import Codes, Floats
from core.statistics.intervals import mean_interval
from core.statistics.multiplicity import holm
from core.statistics.proportions import weighted_proportion
from core.statistics.sign_flip import sign_flip_p
from core.types import Estimate

Choice = Literal["A", "B", "tie"]
_VALUE: Mapping[Choice | None, float] = {"A": 1.0, "tie": 0.5, "B": 0.0, None: 0.5}
MINIMUM_PAIRS = 10
FLAGGED_AT = 0.05


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What a judge chose of answers A and B: with A shown first, and with B shown first; None where it did not say.

    `right` is the better answer, None where that is not known. Lengths and the models that wrote the answers, where
    they are known; pairs of one `cluster` are not independent of one another, and one without stands for itself.
    """

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
    """A bias of a judge on `n` pairs: by how much it moves what the judge prefers, the p of no bias, and p by Holm over
    all that are tested together. NaN throughout where nothing tells of it; `why_not` then says what is missing.
    """

    name: str
    effect: Estimate
    p: float
    p_holm: float
    why_not: str = ""

    @property
    def is_flagged(self) -> bool:
        """Whether chance alone hardly explains it."""
        return self.p_holm <= FLAGGED_AT


@dataclass(frozen=True, slots=True)
class PairBias:
    """One judge on pairs in both orders.

    `accuracy` counts a pair as right where the right answer gets more of its two verdicts than the wrong one;
    `consistent` where both orders give the same answer, no verdict included. `first_slot` is the share of the decided
    verdicts for whatever stood first. `accuracy_if_first` and `accuracy_if_second` are the shares of pairs that are
    right when the right answer stands first, or second: what the order costs. These three are of pairs whose right
    answer is known. `preferred` is how often answer A is preferred, ties as one half, over both orders;
    `preferred_if_first` and `preferred_if_second` when it stands first, or second.
    """

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


def pair_biases(verdicts: Sequence[PairVerdict], *, own: Mapping[str, str] | None = None) -> tuple[PairBias, ...]:
    """Each judge's accuracy, consistency and biases. `own` maps a judge to the model family that is its own.

    The position effect is by how much an answer gains when it stands first. The effects of length and of the judge's
    own family are by how much more often the judge prefers the longer answer, or its own family's, than that one is
    right: so a judge that is right about long answers is not biased. p is that of changed signs of pairs, two-sided,
    adjusted by Holm over judges and effects.
    """
    judges = list(dict.fromkeys(verdict.judge for verdict in verdicts))
    by_judge = {judge: [verdict for verdict in verdicts if verdict.judge == judge] for judge in judges}
    families = own or {}
    tested = {judge: _effects(rows, families.get(judge, "")) for judge, rows in by_judge.items()}
    adjusted = iter(holm([effect.p for effects in tested.values() for effect in effects]).tolist())
    final = {
        judge: tuple(Effect(e.name, e.effect, e.p, next(adjusted), e.why_not) for e in effects)
        for judge, effects in tested.items()
    }
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
    """What was chosen with A first, and with B first."""
    return [row.a_first for row in rows], [row.b_first for row in rows]


def _clusters(rows: Sequence[PairVerdict]) -> list[str] | None:
    """The cluster of each pair; None where every pair stands for itself."""
    return [row.cluster or row.pair for row in rows] if any(row.cluster for row in rows) else None


def _margin(row: PairVerdict) -> int:
    wrong = "B" if row.right == "A" else "A"
    return sum((choice == row.right) - (choice == wrong) for choice in (row.a_first, row.b_first))


def _effects(rows: Sequence[PairVerdict], family: str) -> list[Effect]:
    of_a = [(_VALUE[row.a_first], _VALUE[row.b_first]) for row in rows]
    position = np.array([first - second for first, second in of_a], dtype=np.float64)
    share_a = np.array([(first + second) / 2 for first, second in of_a], dtype=np.float64)
    right_a = np.array([math.nan if row.right is None else _VALUE[row.right] for row in rows], dtype=np.float64)
    unknown = "" if np.isfinite(right_a).any() else "which answer is right is not known"
    longer = np.array([_side(row.length_a, row.length_b) for row in rows], dtype=np.float64)
    own = np.array([_own(row, family) for row in rows], dtype=np.float64)
    no_lengths = "" if np.isfinite(longer).any() else "the lengths of the answers are not recorded"
    no_family = "" if np.isfinite(own).any() else "no pair has one answer of the judge's own family and one of another"
    clusters = np.unique([row.cluster or f"{place} {row.pair}" for place, row in enumerate(rows)], return_inverse=True)[
        1
    ]
    return [
        _effect(POSITION, position, clusters, ""),
        _effect(VERBOSITY, (share_a - right_a) * longer, clusters, unknown or no_lengths),
        _effect(SELF, (share_a - right_a) * own, clusters, unknown or no_family),
    ]


def _side(a: float, b: float) -> float:
    """1 where A is longer, −1 where B is, NaN where neither is or it is not known."""
    return math.nan if math.isnan(a) or math.isnan(b) or a == b else math.copysign(1.0, a - b)


def _own(row: PairVerdict, family: str) -> float:
    of_a, of_b = (bool(family) and family.casefold() in model.casefold() for model in (row.model_a, row.model_b))
    return math.nan if of_a == of_b else (1.0 if of_a else -1.0)


def _effect(name: str, differences: Floats, clusters: Codes, why_not: str) -> Effect:
    finite = np.isfinite(differences)
    usable, of = differences[finite], np.unique(clusters[finite], return_inverse=True)[1]
    n_clusters = len(set(of.tolist()))
    effect = mean_interval(usable, clusters=of, within=(-1.0, 1.0))
    if n_clusters < MINIMUM_PAIRS:
        pairs = "pairs" if n_clusters == len(usable) else "independent pairs"
        return Effect(name, effect, math.nan, math.nan, why_not or f"fewer than {MINIMUM_PAIRS} {pairs} tell of it")
    sums = np.bincount(of, weights=usable).astype(np.float64)
    return Effect(name, effect, float(sign_flip_p(sums[:, None])[0]), math.nan)
