"""Comparison of the variants of an opened run with their origins."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Floats
from hcat.core.capabilities.robustness.analysis.robustness_outcomes import PairedOutcome, paired_outcomes
from hcat.core.capabilities.robustness.change import changes_by_family, pass_changes
from hcat.core.capabilities.robustness.dose_response import DoseResponse, dose_response, judged_trends
from hcat.core.capabilities.robustness.variants.answers import AnswerCheck, PairTexts, check_answer
from hcat.core.capabilities.robustness.variants.comparison import (
    ComparedPair,
    FamilyAnswers,
    OutcomeChanges,
    Robustness,
)
from hcat.core.capabilities.robustness.variants.pairing import Pairing, VariantPair, pair_variants
from hcat.core.capabilities.samples.answers import answer_vectors
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.clusters import clusters_across_columns
from hcat.core.records.samples.outlines import outlines_in
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Estimate, OnProgress, Sample

if TYPE_CHECKING:
    from hcat.core.models.cache import EmbeddingStore
    from hcat.core.models.encoder.encoder import Encoder


def compare_variants(
    run: Opened,
    origins: Opened | None = None,
    *,
    metrics: Sequence[str] | None = None,
    vectors: Mapping[str, NDArray[np.float32]] | None = None,
    minimum_n: int = 10,
    q: float = 0.05,
) -> Robustness:
    """Comparison of each variant with its origin: by labels on the criteria, by the calibration, and by the metrics
    (all by default).

    `origins` is the run that answers the origins where this one doesn't. HcatError where no variant has an origin.
    """
    other = run if origins is None else origins
    pairing = paired_variants(run.columns, None if origins is None else other.columns)
    if not pairing.pairs:
        raise HcatError(_nothing_to_pair(run, len(pairing.without_origin), origins is not None))
    clusters = clusters_across_columns(run.columns.sample_columns, other.columns.sample_columns)
    names = [clusters[0][pair.variant.id] for pair in pairing.pairs]
    checks = list(_checks(pairing.pairs, run.columns, other.columns, vectors))
    outcomes = list(paired_outcomes(run, other, metrics))
    paired = {each.name: _paired(each, pairing.pairs) for each in outcomes}
    compared = tuple(
        ComparedPair(pair, check, {name: (float(v[n]), float(o[n])) for name, (v, o) in paired.items()})
        for n, (pair, check) in enumerate(zip(pairing.pairs, checks, strict=True))
    )
    return Robustness(
        run.name,
        compared,
        len(pairing.without_origin),
        tuple(sorted(_answers(pairing.pairs, checks, names), key=_least_met_first)),
        tuple(_changes(each, paired[each.name], pairing.pairs, names, minimum_n=minimum_n, q=q) for each in outcomes),
        minimum_n,
        q,
    )


def paired_variants(run: RunColumns, origins: RunColumns | None = None) -> Pairing:
    """Each variant of a run with the answers to its origin there, or in the run of `origins`; no text is read."""
    others = None if origins is None else outlines_in(origins.sample_columns)
    return pair_variants(outlines_in(run.sample_columns), others)


def samples_in_pairs(
    run: RunColumns, origins: RunColumns | None, pairs: Sequence[VariantPair]
) -> tuple[dict[str, Sample], dict[str, Sample]]:
    """The variants, and the answers to their origins, with their texts, by id; no others are read."""
    variants = [pair.variant.id for pair in pairs]
    of_origins = list(dict.fromkeys(origin.id for pair in pairs for origin in pair.origins))
    other = run if origins is None else origins
    return {each.id: each for each in run.each_of(variants)}, {each.id: each for each in other.each_of(of_origins)}


def answers_in_pairs(run: RunColumns, origins: RunColumns | None = None) -> list[Sample]:
    """The variants that are compared, and the answers to their origins."""
    variants, of_origins = samples_in_pairs(run, origins, paired_variants(run, origins).pairs)
    return [*variants.values(), *of_origins.values()]


def vectors_of_pairs(
    run: Opened,
    origins: Opened | None = None,
    *,
    encoder: Encoder,
    store: EmbeddingStore,
    on_progress: OnProgress | None = None,
) -> dict[str, NDArray[np.float32]]:
    """The unit vectors of the answers that `compare_variants` compares, by their text."""
    answers = answers_in_pairs(run.columns, None if origins is None else origins.columns)
    return answer_vectors(answers, encoder=encoder, store=store, on_progress=on_progress)


def _checks(
    pairs: Sequence[VariantPair],
    run: RunColumns,
    origins: RunColumns,
    vectors: Mapping[str, NDArray[np.float32]] | None,
) -> Iterator[AnswerCheck]:
    variants, of_origins = samples_in_pairs(run, origins, pairs)
    for pair in pairs:
        texts = PairTexts(variants[pair.variant.id], [of_origins[origin.id] for origin in pair.origins])
        yield check_answer(pair, texts, vectors)


def _paired(outcome: PairedOutcome, pairs: Sequence[VariantPair]) -> tuple[Floats, Floats]:
    """The value of each variant, and the mean of its origin's trials, NaN where there is none."""
    variants = [outcome.variants.get(pair.variant.id, math.nan) for pair in pairs]
    origins = [_mean(outcome.origins.get(origin.id, math.nan) for origin in pair.origins) for pair in pairs]
    return np.array(variants, dtype=np.float64), np.array(origins, dtype=np.float64)


def _mean(values: Iterable[float]) -> float:
    clear = [value for value in values if math.isfinite(value)]
    return sum(clear) / len(clear) if clear else math.nan


def _changes(
    outcome: PairedOutcome,
    values: tuple[Floats, Floats],
    pairs: Sequence[VariantPair],
    clusters: Sequence[str],
    *,
    minimum_n: int,
    q: float,
) -> OutcomeChanges:
    rows = [n for n, pair in enumerate(pairs) if outcome.by_labels or pair.expectation in ("stay", None)]
    variants, origins = (side[rows] for side in values)
    families = [pairs[n].family for n in rows]
    names = [clusters[n] for n in rows]
    changes = changes_by_family(
        variants,
        origins,
        families,
        names,
        direction=outcome.direction,
        within=outcome.within,
        minimum_n=minimum_n,
        q=q,
    )
    places = {family: [n for n, name in enumerate(families) if name == family] for family in dict.fromkeys(families)}
    doses = [
        _dose(family, [pairs[rows[n]] for n in at], (variants[at], origins[at]), [names[n] for n in at], outcome.within)
        for family, at in places.items()
    ]
    return OutcomeChanges(
        outcome.name,
        outcome.direction,
        changes,
        {family: pass_changes(variants[at], origins[at], [names[n] for n in at]) for family, at in places.items()}
        if outcome.by_labels
        else {},
        judged_trends([dose for dose in doses if len(dose.steps) > 1]),
    )


def _dose(
    family: str,
    pairs: Sequence[VariantPair],
    values: tuple[Floats, Floats],
    clusters: Sequence[str],
    within: tuple[float, float],
) -> DoseResponse:
    strengths = [math.nan if pair.strength is None else pair.strength for pair in pairs]
    origins = [pair.origins[0].test_case or pair.origins[0].id for pair in pairs]
    doses = np.array(strengths, dtype=np.float64)
    return dose_response(
        values[0] - values[1],
        doses,
        origins,
        clusters,
        family=family,
        within=within,
        touches_end=bool(np.isin(np.concatenate(values), within).any()),
    )


def _answers(
    pairs: Sequence[VariantPair], checks: Sequence[AnswerCheck], clusters: Sequence[str]
) -> Iterable[FamilyAnswers]:
    for family in dict.fromkeys(pair.family for pair in pairs):
        rows = [n for n, pair in enumerate(pairs) if pair.family == family]
        names = [clusters[n] for n in rows]
        own = [checks[n] for n in rows]
        reasons = [check.reason for check in own if check.met is None and check.reason]
        yield FamilyAnswers(
            family,
            pairs[rows[0]].expectation,
            len(rows),
            len(set(names)),
            _share([check.met for check in own], names, within=(0.0, 1.0)),
            _share([check.similarity for check in own], names, within=(-1.0, 1.0)),
            sum(check.declined and check.origin_declined < 0.5 for check in own),
            {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)},
        )


def _share(values: Sequence[float | None], clusters: Sequence[str], *, within: tuple[float, float]) -> Estimate:
    numbers = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    return mean_interval(numbers, clusters=clusters, within=within)


def _least_met_first(answers: FamilyAnswers) -> tuple[float, str]:
    return (math.inf if math.isnan(answers.met.value) else answers.met.value), answers.family


def _nothing_to_pair(run: Opened, variants: int, in_two_runs: bool) -> str:
    if not variants:
        return (
            f"run {run.name!r} has no variants: make them with `hcat perturb`, ask the system with `hcat collect`, and "
            "give that run"
        )
    where = "the run of origins has" if in_two_runs else "it has"
    return (
        f"run {run.name!r} has {variants} variants, but {where} no answer to a test case that they were made from: "
        "name the run that has them (--origins)"
    )
