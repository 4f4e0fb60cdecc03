"""The section on calibration: does a score say what people would say, and how sure is that?"""

from __future__ import annotations

from math import isfinite
from typing import Literal

from hcat.core.calibration.calibration import TWO_LEVELS, Calibration
from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.conformal.level_sets import EMPTY, UNSCORED, decision_title
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.threshold import Region, probability_regions, score_regions
from hcat.core.calibration.maps.logistic import LogisticMap
from hcat.core.display.messages import say, upper_first
from hcat.core.display.numbers import at_least_zero, format_percent
from hcat.core.figures.curve import CalibrationCurve, CurveRegion, regions_within
from hcat.core.figures.reliability import reliability_diagram
from hcat.core.refusals.state import REFUSALS
from hcat.core.report.evidence.records import CalibrationEvidence, Evidence
from hcat.core.report.sections.preregistration import plan_blocks
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import (
    Block,
    Bullets,
    Callout,
    Figure,
    Heading,
    KeyValues,
    Paragraph,
    Quantity,
    Section,
    Table,
    Value,
)
from hcat.core.wording.calibration import auc_term, need_review_term
from hcat.core.wording.guarantee import guarantee_of
from hcat.core.wording.in_force import in_force_sentence
from hcat.core.wording.verdict import splits_sentence, verdict_reason_of
from hcat.core.wording.verdicts.checklist import checklist
from hcat.core.wording.verdicts.rule import verdict_rule

INTRODUCTION = (
    "A calibration of one metric makes its curve and its prediction sets from all labels together, and is checked in "
    "folds: each label by a curve and sets that it had no part in. A calibration of several metrics, or on labels that "
    "depend on one another, is fitted on one part of the labels, its threshold is set on a second, and it is checked "
    "on a third; with fewer than 100 labels these roles rotate over folds. For the verdict the labels are split at "
    "random, many times. A prediction set names the labels that the score cannot rule out: one label is a decision, "
    "two or none mean that a person must decide."
)

VERDICTS: dict[str, tuple[Literal["good", "warning", "bad"], str]] = {
    "yes": ("good", "fit for use"),
    "not shown": ("warning", "fitness for use not shown"),
    "no": ("bad", "not fit for use"),
}


def calibration_section(evidence: Evidence) -> Section:
    """Verdict, diagnostics and decisions of every calibration."""
    if not evidence.calibrations:
        text = say("No score was calibrated. Label samples and calibrate a score before using it in place of people.")
        none = Callout("warning", say("No calibration"), (text,))
        return Section("calibration", say("Calibration and guarantees"), (none, *plan_blocks(evidence)))
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for item in evidence.calibrations:
        blocks += _calibration(evidence, item)
    blocks += [Heading(say("The rule of the verdict")), *_rule(evidence.calibrations), *plan_blocks(evidence)]
    return Section("calibration", say("Calibration and guarantees"), tuple(blocks))


def _calibration(evidence: Evidence, item: CalibrationEvidence) -> list[Block]:
    calibration = item.calibration
    blocks: list[Block] = [Heading(calibrated(item, evidence))]
    kind, words = VERDICTS[calibration.fit_for_use.value]
    blocks.append(Callout(kind, upper_first(say(words)), (verdict_reason_of(calibration),)))
    blocks += _checklist(calibration)
    blocks.append(Paragraph((in_force_sentence(calibration),)))
    blocks.append(KeyValues(_facts(calibration)))
    blocks.append(
        Paragraph((say("What the prediction sets guarantee. {guarantee_of}", guarantee_of=guarantee_of(calibration)),))
    )
    if splits := splits_sentence(calibration):
        unusual = calibration.unusual_q_hat is not None
        blocks.append(
            Callout("warning", say("The threshold is an unusual one"), (splits,)) if unusual else Paragraph((splits,))
        )
    if item.curve:
        blocks.append(_curve(evidence, item))
    if calibration.diagnostics is not None:
        blocks.append(_diagnostics(evidence, calibration, calibration.diagnostics))
        blocks += _cells(calibration, calibration.diagnostics)
        blocks.append(_reliability(calibration.diagnostics))
    if item.decisions:
        blocks.append(_decisions(item))
    return blocks


def _checklist(calibration: Calibration) -> list[Block]:
    """Each condition of a yes; none of a calibration from before they were recorded."""
    rows = tuple(checklist(calibration))
    columns = (column("Condition"), column("Measured"), column("Met or not"))
    return [Table(say("Conditions of “fit for use”"), columns, rows)] if rows else []


def _rule(items: tuple[CalibrationEvidence, ...]) -> list[Block]:
    """The rule in words, at the error rate of each calibration."""
    blocks: list[Block] = []
    for alpha in dict.fromkeys(item.calibration.alpha for item in items):
        words = verdict_rule(alpha)
        verdicts = Bullets(tuple((f"{verdict}: {when}",) for verdict, when in words.verdicts))
        conditions = Bullets(tuple((f"{title}: {meaning}",) for title, meaning in words.conditions))
        blocks += [Paragraph((words.basis,)), verdicts, conditions, Paragraph((words.terms,))]
    return blocks


def calibrated(item: CalibrationEvidence, evidence: Evidence) -> str:
    """What was calibrated against what: "Groundedness against labels on correctness, run baseline"."""
    calibration = item.calibration
    return say(
        "{titles} against labels on {calibration.criterion}, run {item.run}",
        titles=evidence.titles(calibration.metrics),
        calibration=calibration,
        item=item,
    )


def verdict_callout(item: CalibrationEvidence, evidence: Evidence) -> Callout:
    """The verdict with what it is about, for a place where it stands alone."""
    calibration = item.calibration
    kind, words = VERDICTS[calibration.fit_for_use.value]
    title = f"{calibrated(item, evidence)}: {say(words)}"
    return Callout(kind, title, (verdict_reason_of(calibration),))


def _facts(calibration: Calibration) -> tuple[tuple[str, Quantity], ...]:
    sizes = calibration.split_sizes
    serve = (
        (
            (say("Labels to fit with"), Quantity(sizes.get("fit"), "count")),
            (say("Labels to set the threshold with"), Quantity(sizes.get("conformal"), "count")),
            (say("Labels to check with"), Quantity(sizes.get("check"), "count")),
        )
        if calibration.sets_by_score is None
        else ((say("Labels that make curve and sets"), Quantity(sizes.get("fit"), "count")),)
    )
    return (
        (say("Method"), Quantity(calibration.method, "text")),
        *serve,
        (say("Labelled samples left out"), Quantity(sum(calibration.left_out.values()), "count")),
        (say("α, permitted error rate"), Quantity(calibration.alpha, "number")),
        *_q_hats(calibration),
        (say("Fewest labels that α allows"), Quantity(calibration.threshold.needed, "count")),
    )


def _q_hats(calibration: Calibration) -> list[tuple[str, Quantity]]:
    """The threshold of all, or each of those that sets are made by; none where sets are made by no threshold."""
    if calibration.sets_by_score is not None:
        return []
    if calibration.thresholds is None:
        weighted = calibration.threshold.by_weight
        name = say("q̂, conformal threshold of the heaviest samples") if weighted else say("q̂, conformal threshold")
        return [(name, Quantity(calibration.threshold.q_hat, "number"))]
    by = calibration.thresholds.by
    return [
        (say("q̂, conformal threshold where {by} is {name}", by=by, name=name), Quantity(threshold.q_hat, "number"))
        for name, threshold in calibration.thresholds.thresholds.items()
    ]


def _diagnostics(evidence: Evidence, calibration: Calibration, diagnostics: Diagnostics) -> Table:
    columns = (column("Measure"), column("Estimate", "estimate"), column("How to read it"))
    target = say("{promised:.0%} was promised", promised=1 - calibration.alpha)
    undecided, area = need_review_term(diagnostics), auc_term(diagnostics)
    rows: list[tuple[Value, ...]] = [
        (
            say("Coverage of prediction sets"),
            Quantity(diagnostics.coverage, "share"),
            say("share of labels inside their set; {target}", target=target),
        ),
        (undecided.title, Quantity(diagnostics.undecided, "share"), undecided.meaning),
        (area.title, diagnostics.auc, area.meaning),
        (say("Brier score"), diagnostics.brier, say("mean squared error of the probability; lower is better")),
        (
            "ECE",
            Quantity(diagnostics.ece, "number"),
            say("mean distance of the probability from the labels; few labels raise it"),
        ),
        (
            say("Type I error"),
            Quantity(diagnostics.type_1, "share"),
            say(
                "among samples labelled fail, the share passed at a probability of {at:g}",
                at=diagnostics.decision_threshold,
            ),
        ),
        (
            say("Type II error"),
            Quantity(diagnostics.type_2, "share"),
            say(
                "among samples labelled pass, the share failed at a probability of {at:g}",
                at=diagnostics.decision_threshold,
            ),
        ),
    ]
    if diagnostics.ece_corrected is not None:
        said = say("corrected for the error expected by chance; where that puts it below 0, it is shown as 0")
        rows.append((say("ECE, corrected"), Quantity(at_least_zero(diagnostics.ece_corrected), "number"), said))
    rows += [
        (
            say("AUC of the baseline {name}", name=evidence.title(name)),
            baseline,
            say("a trivial score that the metric must beat"),
        )
        for name, baseline in diagnostics.baselines.items()
    ]
    n, passes = Quantity(diagnostics.n, "count"), Quantity(diagnostics.passes, "count")
    turns = (
        say(", each in its turn of {diagnostics.folds} folds", diagnostics=diagnostics) if diagnostics.folds > 1 else ""
    )
    note = tell(
        "Measured on {n} labels that had no part in what they check{turns}, {passes} of them passes. The ECE is of "
        "groups of samples with similar probability: it does not see a curve that strays within a group.",
        n=n,
        turns=turns,
        passes=passes,
    )
    return Table(say("Diagnostics"), columns, tuple(rows), note)


def _cells(calibration: Calibration, diagnostics: Diagnostics) -> list[Table]:
    """Coverage within each class, and within what thresholds are by."""
    columns = (column("Within"), column("Coverage", "estimate"), column("Undecided", "estimate"))
    tables = []
    for by in dict.fromkeys((BY_CLASS, calibration.conditional)):
        rows = tuple(
            (say(name) if by == BY_CLASS else name, Quantity(cell.coverage, "share"), Quantity(cell.undecided, "share"))
            for name, cell in diagnostics.cells.get(by, {}).items()
        )
        if rows:
            note = (
                say("{promised:g} was promised within each.", promised=1 - calibration.alpha)
                if by == calibration.conditional
                else ""
            )
            tables.append(
                Table(
                    say("Coverage by {by}", by=say(by) if by == BY_CLASS else by),
                    columns,
                    rows,
                    (note,) if note else (),
                )
            )
    return tables


def _reliability(diagnostics: Diagnostics) -> Figure:
    diagram = reliability_diagram(diagnostics.reliability)
    sizes = [point.observed.n for point in diagram.points]
    caption = tell(
        "Predicted against observed shares in {points} groups of samples with similar probability, "
        "{min} to {max} in each, with 95% intervals. On the diagonal, predicted and observed shares "
        "agree.",
        points=Quantity(len(diagram.points), "count"),
        min=Quantity(min(sizes, default=0), "count"),
        max=Quantity(max(sizes, default=0), "count"),
    )
    return Figure(say("Reliability"), diagram, caption)


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
    dimension, which the score alone does not tell."""
    if _by_dimension(calibration):
        return ()
    if calibration.sets_by_score is not None:
        of_score = calibration.sets_by_score.regions() if calibration.levels == TWO_LEVELS else ()
        return regions_within(of_score, low=low, high=high)
    if not isinstance(calibration.map, LogisticMap):
        return ()
    of_fail, of_pass = calibration.q_hats()
    return regions_within(score_regions(calibration.map, of_fail, q_hat_pass=of_pass), low=low, high=high)


def _decisions(item: CalibrationEvidence) -> Table:
    total = sum(item.decisions.values())
    columns = (column("Decision"), column("Samples", "count"), column("Share of the run", "percent"))
    rows = tuple(
        (say(decision_title(decision)), count, count / total if total else None)
        for decision, count in item.decisions.items()
    )
    note = say("Undecided samples need human review.")
    if any(state in item.decisions for state in REFUSALS):
        note += say(" Answers that decline are a state of their own, neither pass nor fail.")
    if (most := most_covered(item)) is not None:
        note += say(
            " An empty set holds no label: on this run the sets hold that of {most} at most.", most=format_percent(most)
        )
    if item.calibration.levels == TWO_LEVELS and not _by_dimension(item.calibration):
        # Sets over more levels, or by a dimension, do not follow from the probability of a pass alone.
        sets = item.calibration.sets_by_score
        of_fail, of_pass = item.calibration.q_hats()
        regions = probability_regions(of_fail, q_hat_pass=of_pass) if sets is None else sets.regions()
        edges = ", ".join(map(_edge, regions))
        note = (
            say("By probability: {edges}. {note}", edges=edges, note=note)
            if sets is None
            else say("By score: {edges}. {note}", edges=edges, note=note)
        )
    return Table(say("What the calibration decides on run {item.run}", item=item), columns, rows, (note,))


def most_covered(item: CalibrationEvidence) -> float | None:
    """The share of the run's prediction sets that hold a label at all: what their coverage can come to at most. None
    where no set is empty."""
    empty = item.decisions.get(EMPTY, 0)
    made = sum(count for decision, count in item.decisions.items() if decision not in (UNSCORED, *REFUSALS))
    return 1 - empty / made if empty else None


def _by_dimension(calibration: Calibration) -> bool:
    return calibration.thresholds is not None and not calibration.thresholds.by_class


def _edge(region: Region) -> str:
    name = say(region.set_name)
    if isfinite(region.low) and isfinite(region.high):
        return say("{set} from {region.low:.3g} to {region.high:.3g}", set=name, region=region)
    if isfinite(region.high):
        return say("{set} to {region.high:.3g}", set=name, region=region)
    return say("{set} from {region.low:.3g}", set=name, region=region) if isfinite(region.low) else name
