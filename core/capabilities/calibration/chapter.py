"""The section on calibration: does a score say what people would say, and how sure is that?"""

from __future__ import annotations

from hcat.core.calibration.calibration import TWO_LEVELS, Calibration
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.threshold import score_regions
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.capabilities.calibration.views.calibration import (
    VERDICTS,
    by_dimension,
    coverage_view,
    decisions_view,
    diagnostics_view,
    reliability_view,
    rule_view,
    sets_view,
    verdict_view,
)
from hcat.core.capabilities.calibration.views.evaluators import weights_view
from hcat.core.capabilities.calibration.wording.in_force import in_force_sentence
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import CalibrationEvidence, Evidence
from hcat.core.capabilities.report.sections.preregistration import plan_blocks
from hcat.core.display.messages import say
from hcat.core.figures.curve import CalibrationCurve, CurveRegion, regions_within
from hcat.core.view.tree import Block, Callout, Figure, Heading, Paragraph, Section

INTRODUCTION = (
    "A calibration of one metric makes its curve and its prediction sets from all labels together, and is checked in "
    "folds: each label by a curve and sets that it had no part in. A calibration of several metrics, or on labels that "
    "depend on one another, is fitted on one part of the labels, its threshold is set on a second, and it is checked "
    "on a third; with fewer than 100 labels these roles rotate over folds. For the verdict the labels are split at "
    "random, many times. A prediction set names the labels that the score cannot rule out: one label is a decision, "
    "two or none mean that a person must decide."
)


def calibration_section(evidence: Evidence) -> Section:
    """Verdict, diagnostics and decisions of every calibration."""
    if not evidence.calibrations:
        text = say("No score was calibrated. Label samples and calibrate a score before using it in place of people.")
        none = Callout("warning", say("No calibration"), (text,))
        return Section("calibration", say("Calibration and guarantees"), (none, *plan_blocks(evidence)))
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for item in evidence.calibrations:
        blocks += _calibration(evidence, item)
    blocks.append(Heading(say("The rule of the verdict")))
    for alpha in dict.fromkeys(item.calibration.alpha for item in evidence.calibrations):
        blocks += rule_view(alpha).blocks
    blocks += plan_blocks(evidence)
    return Section("calibration", say("Calibration and guarantees"), tuple(blocks))


def _calibration(evidence: Evidence, item: CalibrationEvidence) -> list[Block]:
    calibration = item.calibration
    blocks: list[Block] = [Heading(calibrated(item, evidence)), *verdict_view(calibration).blocks]
    blocks += [Paragraph((in_force_sentence(calibration),)), *sets_view(calibration).blocks]
    blocks += weights_view(calibration.map).blocks
    if item.curve:
        blocks.append(_curve(evidence, item))
    blocks += diagnostics_view(calibration).blocks
    for by in dict.fromkeys((BY_CLASS, calibration.conditional)):
        blocks += coverage_view(calibration, by).blocks
    blocks += reliability_view(calibration).blocks
    if item.decisions:
        blocks += decisions_view(calibration, item.decisions, item.run).blocks
    return blocks


def calibrated(item: CalibrationEvidence, evidence: Evidence) -> str:
    """The metrics, the criterion and the run of a calibration: "Groundedness against labels on correctness, run
    baseline"."""
    calibration = item.calibration
    return say(
        "{titles} against labels on {calibration.criterion}, run {item.run}",
        titles=evidence.titles(calibration.metrics),
        calibration=calibration,
        item=item,
    )


def verdict_callout(item: CalibrationEvidence, evidence: Evidence) -> Callout:
    """The verdict with the metrics, criterion and run it is about, for a place without other context."""
    calibration = item.calibration
    kind, words = VERDICTS[calibration.fit_for_use.value]
    title = f"{calibrated(item, evidence)}: {say(words)}"
    return Callout(kind, title, (verdict_reason_of(calibration),))


def _curve(evidence: Evidence, item: CalibrationEvidence) -> Figure:
    calibration = item.calibration
    low, high = item.curve[0][0], item.curve[-1][0]
    caption = say(
        "The probability that a sample is labelled pass, by its score, and the prediction set at each "
        "score for α = {calibration.alpha:g}. Dots are {whose}.",
        calibration=calibration,
        whose=say("the {checked} labels of the check split", checked=len(item.checked))
        if calibration.sets_by_score is None
        else say("the {checked} labels", checked=len(item.checked)),
    )
    regions = _regions(calibration, low=low, high=high)
    title = evidence.title(calibration.metrics[0])
    return Figure(say("Calibration curve"), CalibrationCurve(title, item.curve, item.checked, regions), (caption,))


def _regions(calibration: Calibration, *, low: float, high: float) -> tuple[CurveRegion, ...]:
    """Prediction sets along the score axis, cut to the axis. Maps that can't be inverted have none, and so do sets by a
    dimension, which the score alone does not determine."""
    if by_dimension(calibration):
        return ()
    if calibration.sets_by_score is not None:
        of_score = calibration.sets_by_score.regions() if calibration.levels == TWO_LEVELS else ()
        return regions_within(of_score, low=low, high=high)
    if not isinstance(calibration.map, LogisticMap):
        return ()
    of_fail, of_pass = calibration.q_hats()
    return regions_within(score_regions(calibration.map, of_fail, q_hat_pass=of_pass), low=low, high=high)


CHAPTER = Chapter(
    "calibration",
    "Calibration and guarantees",
    calibration_section,
    lambda evidence: evidence.calibrations,
    after="judges",
)
