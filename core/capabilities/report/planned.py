"""Deviations of a validation from the plan that was registered before the labels, each by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from hcat.core.capabilities.report.evidence.plan_records import PlanEvidence
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.sign_off.wording.preregistration import field_text
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count
from hcat.core.records.preregistration import plan_changes
from hcat.core.types import Estimate, Verdict

Outcome = Literal["reached", "not reached", "open"]
THRESHOLD = Verdict(
    name="planned threshold",
    words=("reached", "not reached"),
    claim="The pass rate is at least the planned threshold, or below it.",
    error=0.05,
    family="one run on one criterion, either way",
    decides="hcat.core.capabilities.report.planned:outcome_of",
    carried_by="hcat.core.capabilities.report.planned:Outcome",
)
NAMES = {"n": "n", "threshold": "threshold", "alpha": "α", "dimensions": "slices", "metrics": "metrics", "rule": "rule"}


@dataclass(frozen=True, slots=True)
class Deviation:
    """Something that was done otherwise than planned; all in words."""

    what: str
    planned: str
    done: str


@dataclass(frozen=True, slots=True)
class PlannedCriterion:
    """Relation of the results on a criterion to the plan registered before its labels. `plan` is the last one
    registered before the first label: None where there is none, and results are exploratory. `plans` are all on this
    criterion."""

    criterion: str
    plans: tuple[PlanEvidence, ...] = ()
    plan: PlanEvidence | None = None
    deviations: tuple[Deviation, ...] = ()


def planned_criteria(evidence: Evidence) -> list[PlannedCriterion]:
    """Each criterion that has a label or a plan, in the order of the project."""
    labelled = {item.criterion for item in evidence.labels}
    names = dict.fromkeys(criterion.name for criterion in evidence.criteria)
    names |= dict.fromkeys([*(item.criterion for item in evidence.labels), *_planned_names(evidence)])
    of = {name: tuple(each for each in evidence.plans if each.registered.criterion == name) for name in names}
    return [_stands(evidence, name, of[name]) for name in names if of[name] or name in labelled]


def outcomes(evidence: Evidence, planned: PlannedCriterion) -> Iterator[tuple[str, str, Estimate, Outcome]]:
    """For each run its name, the estimator of the pass rate, the rate, and whether it reaches the threshold."""
    if planned.plan is None:
        return
    plan = planned.plan.registered.plan
    for rate in evidence.pass_rates:
        if rate.criterion == planned.criterion and plan.metrics:
            yield rate.run, "PPI++", rate.estimates.ppi, outcome_of(rate.estimates.ppi, plan.threshold)
    for labels in evidence.labels:
        if labels.criterion == planned.criterion and not plan.metrics:
            by = say("labels of people") if labels.kind == "people" else say("labels of a rule")
            yield labels.run, by, labels.passes, outcome_of(labels.passes, plan.threshold)


def outcome_of(rate: Estimate, threshold: float) -> Outcome:
    """Reached where the whole interval is at or above the threshold, not reached where all of it is below."""
    if rate.low >= threshold:
        return "reached"
    return "not reached" if rate.high < threshold else "open"


def _planned_names(evidence: Evidence) -> Iterator[str]:
    return (each.registered.criterion for each in evidence.plans)


def _stands(evidence: Evidence, criterion: str, plans: tuple[PlanEvidence, ...]) -> PlannedCriterion:
    plan = next((each for each in reversed(plans) if each.labels_before == 0), None)
    if plan is None:
        return PlannedCriterion(criterion, plans)
    found = [*_later_plans(plan, plans), *_guideline(evidence, criterion, plan)]
    found += [*_numbers(evidence, criterion, plan), *_choices(evidence, criterion, plan)]
    return PlannedCriterion(criterion, plans, plan, tuple(found))


def _later_plans(plan: PlanEvidence, plans: Iterable[PlanEvidence]) -> Iterator[Deviation]:
    """Deviations of plans registered after the first label from the plan before it."""
    first = plan.registered
    for each in plans:
        later = each.registered
        if later.version > first.version:
            after = say(
                "in plan {later.version} of {later.at:%Y-%m-%d}, after {labels}",
                later=later,
                labels=counted(each.labels_before, "label"),
            )
            for name in plan_changes(first.plan, later.plan):
                if name in NAMES:
                    done = f"{field_text(later.plan, name)} {after}"
                    yield Deviation(NAMES[name], field_text(first.plan, name), done)


def _guideline(evidence: Evidence, criterion: str, plan: PlanEvidence) -> Iterator[Deviation]:
    now = next((each.guideline_version for each in evidence.criteria if each.name == criterion), None)
    planned = plan.registered.guideline_version
    if now is not None and now != planned:
        yield Deviation("guideline", say("version {planned}", planned=planned), say("version {now}", now=now))


def _numbers(evidence: Evidence, criterion: str, plan: PlanEvidence) -> Iterator[Deviation]:
    """Other numbers of labelled samples, other error rates."""
    planned, given = plan.registered.plan, [each for each in evidence.labels if each.criterion == criterion]
    words = say("{n} labelled by people", n=format_count(planned.n))
    if not given:
        yield Deviation("n", words, say("nothing labelled yet"))
    for labels in given:
        rule = "" if labels.kind == "people" else say(" by a rule")
        if labels.samples != planned.n or rule:
            yield Deviation(
                "n",
                words,
                say(
                    "{samples} of run {labels.run} labelled{rule}",
                    samples=counted(labels.samples, "sample"),
                    labels=labels,
                    rule=rule,
                ),
            )
    for item in evidence.calibrations:
        fitted = item.calibration
        if fitted.criterion == criterion and fitted.alpha != planned.alpha:
            done = say("{fitted.alpha:g} in the calibration of run {item.run}", fitted=fitted, item=item)
            yield Deviation("α", f"{planned.alpha:g}", done)


def _choices(evidence: Evidence, criterion: str, plan: PlanEvidence) -> Iterator[Deviation]:
    """Other slices, other metrics."""
    planned = plan.registered.plan
    for run in evidence.runs:
        looked_at = _dimensions(evidence, run.name, criterion)
        if looked_at and set(looked_at) != set(planned.dimensions):
            yield Deviation(
                "slices",
                field_text(planned, "dimensions"),
                say("{looked_at} in run {run.name}", looked_at=", ".join(looked_at), run=run),
            )
        used = _metrics(evidence, run.name, criterion)
        if used and set(used) != set(planned.metrics):
            yield Deviation(
                "metrics",
                field_text(planned, "metrics"),
                say("{used} in run {run.name}", used=", ".join(used), run=run),
            )


def _dimensions(evidence: Evidence, run: str, criterion: str) -> tuple[str, ...]:
    names = [name for item in evidence.weaknesses if item.run == run for name in item.table.settings.by]
    rates = [item for item in evidence.pass_rates if (item.run, item.criterion) == (run, criterion)]
    return tuple(dict.fromkeys([*names, *(name for rate in rates for name in rate.slices)]))


def _metrics(evidence: Evidence, run: str, criterion: str) -> tuple[str, ...]:
    rates = [item.metrics for item in evidence.pass_rates if (item.run, item.criterion) == (run, criterion)]
    fitted = [item.calibration for item in evidence.calibrations if item.run == run]
    chosen = [*rates, *(calibration.metrics for calibration in fitted if calibration.criterion == criterion)]
    return tuple(dict.fromkeys(name for names in chosen for name in names))
