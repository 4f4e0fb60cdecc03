"""Comparisons of groups of people over the same questions in an opened run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from hcat.core.arrays import Floats
from hcat.core.capabilities.fairness.analysis.outcomes import MINIMUM_N, chosen_outcomes, judged_fairness
from hcat.core.capabilities.fairness.counterfactual.comparison import ComparedGroups, Fairness
from hcat.core.capabilities.fairness.counterfactual.pairing import GroupPair, pair_groups
from hcat.core.capabilities.fairness.gap import Gap, paired_gap
from hcat.core.capabilities.robustness.analysis.robustness_outcomes import PairedOutcome
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.samples.outlines import Outline, outlines_in


def compare_groups(run: Opened, settings: FairnessSettings, *, minimum_n: int = MINIMUM_N) -> Fairness:
    """Each group compared with its reference over the same questions. HcatError where the run has no two groups to
    compare."""
    pairs = pair_groups(outlines_in(run.columns.sample_columns), settings.references)
    if not pairs:
        raise HcatError(
            f"run {run.name!r} has no counterfactual variants of two groups: make them with `hcat perturb --family "
            "gender`, ask the system, and give that run; or name with --by a dimension that holds groups"
        )
    outcomes = chosen_outcomes(run, settings)
    clusters = run.columns.clusters or {}
    values = {each.name: _paired(each, pairs) for each in outcomes.outcomes}
    gaps = [
        (outcome, gap)
        for outcome in outcomes.outcomes
        for gap in _gaps(outcome, pairs, values[outcome.name], clusters, settings, minimum_n)
    ]
    compared = tuple(
        ComparedGroups(pair, {name: (float(own[n]), float(other[n])) for name, (own, other) in values.items()})
        for n, pair in enumerate(pairs)
    )
    return judged_fairness(run.name, outcomes, gaps, compared, minimum_n, None)


def _gaps(
    outcome: PairedOutcome,
    pairs: Sequence[GroupPair],
    values: tuple[Floats, Floats],
    clusters: Mapping[str, str],
    settings: FairnessSettings,
    minimum_n: int,
) -> Iterator[Gap]:
    for attribute, group in dict.fromkeys((pair.attribute, pair.group) for pair in pairs):
        rows = [n for n, pair in enumerate(pairs) if (pair.attribute, pair.group) == (attribute, group)]
        yield paired_gap(
            values[0][rows],
            values[1][rows],
            [clusters[pairs[n].answers[0].id] for n in rows],
            attribute=attribute,
            group=group,
            reference=pairs[rows[0]].reference,
            margin=settings.margin_of(outcome.name, outcome.within),
            within=outcome.within,
            minimum_n=minimum_n,
            alpha=settings.alpha,
        )


def _paired(outcome: PairedOutcome, pairs: Sequence[GroupPair]) -> tuple[Floats, Floats]:
    """The mean over trials of each question, for the group and for its reference."""
    mean = partial(_mean, outcome)
    own = np.array([mean(pair.answers) for pair in pairs], dtype=np.float64)
    return own, np.array([mean(pair.of_reference) for pair in pairs], dtype=np.float64)


def _mean(outcome: PairedOutcome, samples: Sequence[Outline]) -> float:
    values = [value for sample in samples if math.isfinite(value := outcome.variants.get(sample.id, math.nan))]
    return sum(values) / len(values) if values else math.nan
