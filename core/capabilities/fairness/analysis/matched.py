"""Comparisons of groups that were asked different questions in an opened run, matched on levels of the questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hcat.core.capabilities.fairness.analysis.outcomes import (
    MINIMUM_N,
    Outcomes,
    chosen_outcomes,
    judged_fairness,
    present_outcomes,
)
from hcat.core.capabilities.fairness.analysis.paired import compare_groups
from hcat.core.capabilities.fairness.counterfactual.comparison import Comparable, Fairness
from hcat.core.capabilities.fairness.counterfactual.pairing import counterfactuals_in, groups_asked
from hcat.core.capabilities.fairness.matched import matched_gap
from hcat.core.errors import HcatError
from hcat.core.opened.run import Opened
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.samples.by_sample import levels_at, numbers_at
from hcat.core.records.samples.outlines import outlines_in
from hcat.core.slices.slices import MISSING, OTHER

if TYPE_CHECKING:
    import pandas as pd

USUAL_MATCH = ("topic", "query_type")
"""Matched on where nothing else was chosen, as far as the run has them."""
OF_ANSWERING = ("refusal", "answer_length", "context_length", "contexts", "retrieval_score", "variant")
"""Derived dimensions that are known only after the system answers: matching on them would hide the gap."""
FEWEST, MOST = 2, 12
"""The smallest and the largest number of levels of a dimension of groups."""


def question_dimensions(run: Opened) -> tuple[str, ...]:
    """The dimensions that groups can be matched on: those that are known before the system answers."""
    stated = set(run.columns.sample_columns.dimension_names())
    return tuple(
        name
        for name in map(str, run.columns.dimensions.columns)
        if name in stated or name.removesuffix(" (derived)") not in OF_ANSWERING
    )


def comparable(run: Opened, *, by: Sequence[str] = ()) -> Comparable:
    """The groups and the outcomes that `compare_groups`, or `compare_levels` of the dimensions `by`, can compare."""
    frame, columns = run.columns.dimensions, run.columns.sample_columns
    if by:
        groups = {name: _groups(frame[name]) for name in by if name in frame.columns}
    else:
        groups = groups_asked(outlines_in(columns)) if counterfactuals_in(columns) else {}
    questions = question_dimensions(run)
    levels = {name: len(_groups(frame[name])) for name in questions}
    own = tuple(name for name in questions if FEWEST <= levels[name] <= MOST)
    usual = tuple(name for name in USUAL_MATCH if name in questions and name not in by)
    return Comparable(groups, tuple(present_outcomes(run)), own, questions, usual)


def compare_people(
    run: Opened, settings: FairnessSettings, *, by: Sequence[str] = (), match: Sequence[str] | None = None
) -> Fairness:
    """The groups of the run's counterfactual variants, or of the dimensions `by` matched on `match`.

    Without variants and `by` the settings say both. HcatError where there are no two groups to compare.
    """
    own = tuple(by) or (() if counterfactuals_in(run.columns.sample_columns) else settings.by)
    if not own:
        return compare_groups(run, settings)
    return compare_levels(run, own, settings, match=settings.match if match is None else match)


def compare_levels(
    run: Opened,
    by: Sequence[str],
    settings: FairnessSettings,
    *,
    match: Sequence[str] | None = None,
    minimum_n: int = MINIMUM_N,
) -> Fairness:
    """Groups by the levels of each dimension of `by`, compared within strata of the dimensions `match`. By default
    these are topic and query type, where the run has them.

    Samples without a level of these lie in no stratum. HcatError for an unknown dimension, for one that only answering
    gives, or for one level alone.
    """
    frame, ids = run.columns.dimensions, run.columns.sample_ids
    possible = question_dimensions(run)
    matched = tuple(name for name in USUAL_MATCH if name in possible and name not in by) if match is None else match
    for name in (*by, *matched):
        _require(name, frame, possible, run.name)
    outcomes = chosen_outcomes(run, settings)
    of_samples = [str(name) for name in levels_at(run.columns.clusters or {}, ids).texts()]
    gaps = [
        (
            outcome,
            matched_gap(
                numbers_at(outcome.variants, ids),
                _levels(frame[dimension]),
                _strata(frame, [name for name in matched if name != dimension], len(ids)),
                of_samples,
                attribute=dimension,
                group=group,
                reference=reference,
                margin=settings.margin_of(outcome.name, outcome.within),
                within=outcome.within,
                minimum_n=minimum_n,
                alpha=settings.alpha,
            ),
        )
        for outcome in outcomes.outcomes
        for dimension in by
        for reference, group in _compared(dimension, frame, settings)
    ]
    chosen = Outcomes(outcomes.outcomes, replace(settings, by=tuple(by), match=tuple(matched)))
    return judged_fairness(run.name, chosen, gaps, (), minimum_n, tuple(matched))


def _require(name: str, frame: pd.DataFrame, possible: Sequence[str], run: str) -> None:
    if name not in frame.columns:
        raise HcatError(f"no dimension {name!r} in run {run!r}: there are {', '.join(possible) or 'none'}")
    if name not in possible:
        raise HcatError(
            f"{name!r} stands only once the system has answered: comparing or matching on it hides the gap. Name "
            f"dimensions of the question: {', '.join(possible) or 'there are none'}"
        )


def _compared(dimension: str, frame: pd.DataFrame, settings: FairnessSettings) -> list[tuple[str, str]]:
    """The reference with each other group of a dimension."""
    present = _groups(frame[dimension])
    reference = settings.references.get(dimension, present[0] if present else "")
    if reference not in present or len(present) < 2:
        listed = ", ".join(present) or "none"
        raise HcatError(f"{dimension!r} needs two groups or more, one of them {reference!r}: there are {listed}")
    return [(reference, group) for group in present if group != reference]


def _strata(frame: pd.DataFrame, matched: Sequence[str], n: int) -> list[str | None]:
    """The stratum of each sample: its levels of the matched dimensions; None where a level is missing."""
    columns = [_levels(frame[name]) for name in matched]
    return (
        [None if "" in levels else "\n".join(levels) for levels in zip(*columns, strict=True)] if columns else [""] * n
    )


def _groups(column: pd.Series) -> tuple[str, ...]:
    return tuple(sorted({*_levels(column)} - {""}))


def _levels(column: pd.Series) -> list[str]:
    """The level of each sample, "" where it has none, or one that several rare levels were put together to."""
    return ["" if level in (MISSING, OTHER) or level != level else str(level) for level in column]
