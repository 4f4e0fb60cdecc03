"""A calibration: its verdict, how it was made, what its checks measured, and what it decides on a run."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Literal

from hcat.core.calibration.calibration import TWO_LEVELS, Calibration
from hcat.core.calibration.checks.diagnostics import Diagnostics
from hcat.core.calibration.conformal.level_sets import BOTH, EMPTY, UNSCORED, decision_title
from hcat.core.calibration.conformal.mondrian import BY_CLASS
from hcat.core.calibration.conformal.threshold import Region, probability_regions
from hcat.core.capabilities.calibration.wording.calibration import (
    CROSS_FITTED_INTERVALS,
    UNDECIDED_IN_RUN,
    auc_term,
    changing_sets_note,
    need_review_term,
)
from hcat.core.capabilities.calibration.wording.checklist import checklist
from hcat.core.capabilities.calibration.wording.guarantee import guarantee_of
from hcat.core.capabilities.calibration.wording.proportional_odds import proportional_odds_sentence
from hcat.core.capabilities.calibration.wording.rule import verdict_rule
from hcat.core.capabilities.calibration.wording.verdict import splits_sentence, verdict_reason_of
from hcat.core.display.messages import say, upper_first
from hcat.core.display.numbers import at_least_zero, format_percent
from hcat.core.figures.reliability import reliability_diagram
from hcat.core.refusals.state import REFUSALS
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import Block, Bullets, Callout, Figure, KeyValues, Paragraph, Quantity, Table, Value
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title

VERDICTS: dict[str, tuple[Literal["good", "warning", "bad"], str]] = {
    "yes": ("good", "fit for use"),
    "not shown": ("warning", "fitness for use not shown"),
    "no": ("bad", "not fit for use"),
}
OF_DIVIDED_LABELS = (
    "With few labels, cross-checking uses each label in turn: of {folds} folds, one checks, two set the threshold and "
    "two fit."
)
OF_ALL_LABELS = (
    "Cross-checking uses each label in turn: of {folds} folds, one checks the curve and the sets that the others make."
)
_BRIER_PARTS = (
    (
        *("reliability", "+"),
        "Squared gap between predicted and observed pass rate over bins, corrected for chance: about 0 if calibrated.",
    ),
    ("resolution", "−", "How much the observed pass rate varies between bins: more is better."),
    ("uncertainty", "+", "Brier score of always predicting the overall pass rate."),
    ("within variance", "+", "Variance of the probabilities within bins."),
    ("within covariance", "−", "Covariance of probabilities and labels within bins (doubled)."),
)


def verdict_view(calibration: Calibration) -> View:
    """The verdict with its reason, each condition of a yes with its measured value, and the variation over splits."""
    kind, words = VERDICTS[calibration.fit_for_use.value]
    blocks: list[Block] = [Callout(kind, upper_first(say(words)), (verdict_reason_of(calibration),))]
    if rows := tuple(checklist(calibration)):  # none of a calibration from before they were recorded
        columns = (column("Condition"), column("Measured"), column("Met or not"))
        blocks.append(Table(say("Conditions of “fit for use”"), columns, rows))
    if splits := splits_sentence(calibration):
        unusual = calibration.unusual_q_hat is not None
        blocks.append(
            Callout("warning", say("The threshold is an unusual one"), (splits,)) if unusual else Paragraph((splits,))
        )
    return View(tuple(blocks))


def rule_view(alpha: float) -> View:
    """The rule of the verdict in words, at this error rate."""
    words = verdict_rule(alpha)
    verdicts = Bullets(tuple((f"{verdict}: {when}",) for verdict, when in words.verdicts))
    conditions = Bullets(tuple((f"{title}: {meaning}",) for title, meaning in words.conditions))
    return View((Paragraph((words.basis,)), verdicts, conditions, Paragraph((words.terms,))))


def sets_view(calibration: Calibration) -> View:
    """Numbers of labels by their use, the thresholds, and the guarantee of the prediction sets."""
    said = say("What the prediction sets guarantee. {guarantee_of}", guarantee_of=guarantee_of(calibration))
    blocks: list[Block] = [KeyValues(_facts(calibration)), Paragraph((said,))]
    if calibration.proportional_odds is not None:
        blocks.append(Paragraph((proportional_odds_sentence(calibration.proportional_odds),)))
    return View(tuple(blocks))


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
    left_out = (
        (say("Left out: {reason}", reason=say(reason)), Quantity(count, "count"))
        for reason, count in calibration.left_out.items()
        if count
    )
    return (
        (say("Method"), Quantity(calibration.method, "text")),
        *serve,
        (say("Labelled samples left out"), Quantity(sum(calibration.left_out.values()), "count")),
        *left_out,
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


def diagnostics_view(calibration: Calibration) -> View:
    """Diagnostics of the probability and of the sets on labels that had no part in them; empty where there are none."""
    measured = calibration.diagnostics
    if measured is None:
        return View(())
    blocks: list[Block] = [_diagnostics(calibration, measured)]
    if measured.folds > 1:
        turns = OF_DIVIDED_LABELS if calibration.sets_by_score is None else OF_ALL_LABELS
        procedure = (
            say(
                "All but the coverage, and the AUC of a metric's own score, describe this procedure, not the very "
                "sets that are handed out."
            )
            if measured.auc_of_score
            else say("All but the coverage describe this procedure, not the very sets that are handed out.")
        )
        said = " ".join((say(turns, folds=measured.folds), procedure, say(CROSS_FITTED_INTERVALS)))
        blocks.append(Paragraph((said,)))
    return View((*blocks, *_brier(measured)))


def _diagnostics(calibration: Calibration, measured: Diagnostics) -> Table:
    columns = (column("Measure"), column("Estimate", "estimate"), column("How to read it"))
    target = say("{promised:.0%} was promised", promised=1 - calibration.alpha)
    undecided, area, at = need_review_term(measured), auc_term(measured), measured.decision_threshold
    passed = say("among samples labelled fail, the share passed at a probability of {at:g}", at=at)
    failed = say("among samples labelled pass, the share failed at a probability of {at:g}", at=at)
    rows: list[tuple[Value, ...]] = [
        (
            say("Coverage of prediction sets"),
            Quantity(measured.coverage, "share"),
            say("share of labels inside their set; {target}", target=target),
        ),
        (undecided.title, Quantity(measured.undecided, "share"), undecided.meaning),
        (area.title, measured.auc, area.meaning),
        (say("Brier score"), measured.brier, say("mean squared error of the probability; lower is better")),
        ("ECE", measured.ece, say("mean distance of the probability from the labels; few labels raise it")),
        (say("Type I error"), Quantity(measured.type_1, "share"), passed),
        (say("Type II error"), Quantity(measured.type_2, "share"), failed),
    ]
    if measured.ece_corrected is not None:
        said = say("corrected for the error expected by chance; where that puts it below 0, it is shown as 0")
        rows.append((say("ECE, corrected"), Quantity(at_least_zero(measured.ece_corrected), "number"), said))
    if (decided := measured.decided) is not None:
        wrong = say("share of the sets that name exactly one class and are wrong")
        rows += [
            (say("Error rate among decided samples"), Quantity(decided.error, "share"), wrong),
            (
                say("Type I error among decided samples"),
                Quantity(decided.type_1, "share"),
                say("among samples labelled fail, the share that the set passes"),
            ),
            (
                say("Type II error among decided samples"),
                Quantity(decided.type_2, "share"),
                say("among samples labelled pass, the share that the set fails"),
            ),
        ]
    trivial = say("a trivial score that the metric must beat")
    rows += [
        (say("AUC of the baseline {name}", name=slice_metric_title(name)), baseline, trivial)
        for name, baseline in measured.baselines.items()
    ]
    n, passes = Quantity(measured.n, "count"), Quantity(measured.passes, "count")
    turns = say(", each in its turn of {measured.folds} folds", measured=measured) if measured.folds > 1 else ""
    note = tell(
        "Measured on {n} labels that had no part in what they check{turns}, {passes} of them passes. The ECE is of "
        "groups of samples with similar probability: it does not see a curve that strays within a group.",
        n=n,
        turns=turns,
        passes=passes,
    )
    sizes = (say("{count} of size {size}", count=count, size=size) for size, count in measured.set_sizes.items())
    return Table(
        say("Diagnostics"),
        columns,
        tuple(rows),
        (*note, " ", say("Prediction sets: {sizes}.", sizes=", ".join(sizes))),
    )


def _brier(measured: Diagnostics) -> list[Block]:
    """The Brier score taken apart; nothing where it was not."""
    parts = measured.brier_parts
    if parts is None:
        return []
    columns = (column("Part"), column("Sign"), column("Value", "estimate"), column("Meaning"))
    rows = tuple(
        (say(name), sign, getattr(parts, name.replace(" ", "_")), say(meaning)) for name, sign, meaning in _BRIER_PARTS
    )
    note = say(
        "With these signs they add up to the Brier score, {parts.total:.4f}; bootstrap intervals. Reliability and "
        "resolution are corrected for chance: with few labels either can be below 0, which reads as 0, and is left as "
        "it is so that the sum holds.",
        parts=parts,
    )
    return [Table(say("The parts of the Brier score"), columns, rows, (note,))]


def coverage_view(calibration: Calibration, by: str) -> View:
    """Coverage within each class, or each level of a dimension, with the thresholds where they are by it; empty where
    neither is known."""
    measured = calibration.diagnostics
    cells = {} if measured is None else measured.cells.get(by, {})
    made = calibration.thresholds if by == calibration.conditional else None
    thresholds = {} if made is None else made.thresholds
    names = list(dict.fromkeys([*cells, *thresholds]))
    if not names:
        return View(())
    columns = [column("Within"), column("Coverage", "estimate"), column("Undecided", "estimate")]
    if thresholds:
        columns += [column("Labels that make the sets", "count"), column("Labels missing", "count")]
        columns += [] if calibration.sets_by_score is not None else [column("q̂", "number")]
    rows = []
    for name in names:
        cell, threshold = cells.get(name), thresholds.get(name)
        row: list[Value] = [say(name) if by == BY_CLASS else name]
        row += [None, None] if cell is None else [Quantity(cell.coverage, "share"), Quantity(cell.undecided, "share")]
        if made is not None and thresholds:
            row += [0 if threshold is None else threshold.n, made.short.get(name, 0)]
            if calibration.sets_by_score is None:
                row.append(1.0 if threshold is None else threshold.q_hat)
        rows.append(tuple(row))
    called = say(by) if by == BY_CLASS else by
    promised = 1 - calibration.alpha
    note = (
        say("{promised:g} was promised within each.", promised=promised)
        if by == calibration.conditional
        else say("{promised:g} was promised on average, not within each {by}.", promised=promised, by=called)
    )
    note += f" {_intervals(measured)}" if cells and measured is not None else ""
    return View((Table(say("Coverage by {by}", by=called), tuple(columns), tuple(rows), (note,)),))


def _intervals(measured: Diagnostics) -> str:
    """The method of the intervals of coverage within classes and levels."""
    said = (
        say("Clopper–Pearson intervals at 95%, by cluster; with few labels they are wide.")
        if "clustered" in measured.coverage.method
        else say("Clopper–Pearson intervals at 95%; with few labels they are wide.")
    )
    return f"{said} {say('They are of the procedure, not of the sets handed out.')}" if measured.folds > 1 else said


def reliability_view(calibration: Calibration) -> View:
    """Predicted against observed shares, on labels that had no part in it; empty where there are none."""
    if calibration.diagnostics is None:
        return View(())
    diagram = reliability_diagram(calibration.diagnostics.reliability)
    sizes = [point.observed.n for point in diagram.points]
    caption = tell(
        "Predicted against observed shares in {points} groups of samples with similar probability, "
        "{min} to {max} in each, with 95% intervals. On the diagonal, predicted and observed shares "
        "agree.",
        points=Quantity(len(diagram.points), "count"),
        min=Quantity(min(sizes, default=0), "count"),
        max=Quantity(max(sizes, default=0), "count"),
    )
    return View((Figure(say("Reliability"), diagram, caption),))


def decisions_view(calibration: Calibration, decisions: Mapping[str, int], run: str) -> View:
    """Counts of a run's samples by decision, and a warning where other labels are likely to decide otherwise."""
    total = sum(decisions.values())
    columns = (column("Decision"), column("Samples", "count"), column("Share of the run", "percent"))
    rows = tuple(
        (say(decision_title(decision)), count, count / total if total else None)
        for decision, count in decisions.items()
    )
    note = say("Undecided samples need human review.")
    if any(state in decisions for state in REFUSALS):
        note += say(" Answers that decline are a state of their own, neither pass nor fail.")
    if (most := most_covered(decisions)) is not None:
        note += say(
            " An empty set holds no label: on this run the sets hold that of {most} at most.", most=format_percent(most)
        )
    if calibration.levels == TWO_LEVELS and not by_dimension(calibration):
        # Sets over more levels, or by a dimension, do not follow from the probability of a pass alone.
        sets = calibration.sets_by_score
        of_fail, of_pass = calibration.q_hats()
        regions = probability_regions(of_fail, q_hat_pass=of_pass) if sets is None else sets.regions()
        edges = ", ".join(map(_edge, regions))
        note = (
            say("By probability: {edges}. {note}", edges=edges, note=note)
            if sets is None
            else say("By score: {edges}. {note}", edges=edges, note=note)
        )
    blocks: list[Block] = [Table(say("What the calibration decides on run {run}", run=run), columns, rows, (note,))]
    undecided, with_set = decisions.get(BOTH, 0) + decisions.get(EMPTY, 0), _with_set(decisions)
    share = Quantity(undecided / with_set if with_set else None, "percent")
    said = tell(
        "{title}: {share}, {undecided} of {n}. {meaning}",
        title=say(UNDECIDED_IN_RUN.title),
        share=share,
        undecided=Quantity(undecided, "count"),
        n=Quantity(with_set, "count"),
        meaning=say(UNDECIDED_IN_RUN.meaning),
    )
    blocks.append(Paragraph(said))
    if (measured := calibration.diagnostics) and (conflict := changing_sets_note(measured, undecided, with_set)):
        blocks.append(Callout("warning", say("Other labels may decide otherwise"), (conflict,)))
    return View(tuple(blocks))


def most_covered(decisions: Mapping[str, int]) -> float | None:
    """The share of a run's prediction sets that hold a label at all: the most that their coverage can be. None where
    no set is empty."""
    empty = decisions.get(EMPTY, 0)
    return 1 - empty / _with_set(decisions) if empty else None


def _with_set(decisions: Mapping[str, int]) -> int:
    return sum(count for decision, count in decisions.items() if decision not in (UNSCORED, *REFUSALS))


def by_dimension(calibration: Calibration) -> bool:
    """Whether thresholds are by a dimension of the samples, which a score alone does not determine."""
    return calibration.thresholds is not None and not calibration.thresholds.by_class


def _edge(region: Region) -> str:
    name = say(region.set_name)
    if isfinite(region.low) and isfinite(region.high):
        return say("{set} from {region.low:.3g} to {region.high:.3g}", set=name, region=region)
    if isfinite(region.high):
        return say("{set} to {region.high:.3g}", set=name, region=region)
    return say("{set} from {region.low:.3g}", set=name, region=region) if isfinite(region.low) else name
