"""Evidence in a run that can concern a risk: its answers, attacks on it, groups of people, safety metrics, judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hcat.core.display.numbers import counted, format_estimate
from hcat.core.records.judging import JudgeRun
from hcat.core.records.risks import RiskEvidence
from hcat.core.records.samples.columns import SampleColumns

if TYPE_CHECKING:
    from hcat.core.scoring.score_table import ScoreTable

SAFETY = "safety"
"""The family of metrics for content that answers must not have."""
ARMS = ("attack", "control")


def of_columns(run: str, columns: SampleColumns) -> tuple[RiskEvidence, ...]:
    """Attacks with their controls, and questions asked for several groups of people; nothing where there are none."""
    from hcat.core.attack_detectors import HIT
    from hcat.core.capabilities.fairness.counterfactual.pairing import counterfactuals_in

    arms = columns.levels("attack_arm")
    evidence = []
    if arms.is_given:
        shown = list(zip(arms.texts(), columns.levels("attack_outcome").texts(), strict=True))
        hits = {arm: [None if told is None else told == HIT for own, told in shown if own == arm] for arm in ARMS}
        said = [_reported(arm, hits[arm]) for arm in ARMS]
        evidence.append(RiskEvidence(f"Attacks, run {run}", f"success is reported on {' and '.join(said)}"))
    variants = counterfactuals_in(columns)
    if variants:
        cases = {sample.variant.of for sample in variants if sample.variant is not None}
        about = f"{counted(len(variants), 'answer')} for groups of people to {counted(len(cases), 'test case')}"
        evidence.append(RiskEvidence(f"Fairness, run {run}", about))
    return tuple(evidence)


def of_scores(run: str, scores: ScoreTable | None) -> tuple[RiskEvidence, ...]:
    """The means of the run's safety metrics; nothing where none was scored."""
    if scores is None:
        return ()
    names = [name for name in scores.metrics if scores.facts(name).family == SAFETY and scores.n_scored(name)]
    if not names:
        return ()
    summaries = scores.summary()
    said = [f"{scores.facts(name).title} {format_estimate(summaries[name].mean)}" for name in names]
    return (RiskEvidence(f"Safety, run {run}", "; ".join(said)),)


def of_verdicts(run: str, judged: Iterable[JudgeRun]) -> tuple[RiskEvidence, ...]:
    """The newest verdicts of each judge on the whole run."""
    newest: dict[str, JudgeRun] = {}
    for each in judged:
        if each.work == "run":
            newest.setdefault(each.judge, each)
    return tuple(
        RiskEvidence(
            f"Judge {name}, run {run}", f"{counted(each.n, 'answer')} by rubric {each.rubric}, {_version(each)}"
        )
        for name, each in newest.items()
    )


def _version(judged: JudgeRun) -> str:
    return f"version {judged.rubric_version}" if judged.rubric_version else "as it comes with hcat"


def _reported(arm: str, hits: Sequence[bool | None]) -> str:
    judged = [hit for hit in hits if hit is not None]
    return f"{sum(judged)} of {counted(len(judged), arm)}"
