"""Views of evaluators: the weight of each metric in the probability, and which evaluator is simple enough."""

from __future__ import annotations

from hcat.core.calibration.checks.comparison import Candidate, Comparison
from hcat.core.calibration.maps.methods import ProbabilityMap
from hcat.core.calibration.maps.weights import MetricWeight, metric_weights
from hcat.core.capabilities.calibration.wording.calibration import comparison_sentence, map_description
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Paragraph, Table
from hcat.core.view.view import View
from hcat.core.wording.slice_metrics import slice_metric_title


def weights_view(fitted: ProbabilityMap) -> View:
    """The method in words, and the weight of each metric where it has one."""
    blocks: list[Block] = [Paragraph((map_description(fitted),))]
    if weights := metric_weights(fitted):
        columns = [
            *(column("Metric"), column("Weight", "difference"), column("Odds of a pass, times", "number")),
            *(column("Direction"), column("Standard deviation", "number")),
        ]
        known = any(each.unscored is not None for each in weights)
        columns += [column("Where unscored", "difference")] if known else []
        rows = tuple(
            (
                *(slice_metric_title(each.metric), each.log_odds, each.odds_ratio, _direction(each), each.scale),
                *((each.unscored,) if known else ()),
            )
            for each in weights
        )
        note = say(
            "A weight is added to the log-odds where the score is one standard deviation higher. Weights depend on the "
            "other metrics: two that measure the same share the weight. They have no intervals here; a comparison of "
            "evaluators shows what a metric adds."
        )
        blocks.append(Table(say("Weight of each metric"), tuple(columns), rows, (note,)))
    return View(tuple(blocks))


def _direction(weight: MetricWeight) -> str:
    if weight.held:
        return say("set to 0: the fitted sign contradicted its direction")
    if weight.direction in ("higher", "lower"):
        return say("higher is better") if weight.direction == "higher" else say("lower is better")
    return say("free")


def comparison_view(comparison: Comparison) -> View:
    """The simplest sufficient evaluator; the log-loss, Brier score and AUC of each; and those that could not be
    fitted."""
    candidates = (*comparison.candidates, comparison.base_rate)
    columns = (
        *(column("Evaluator"), column("Log-loss", "estimate"), column("Gain over a constant", "difference")),
        *(column("Above the best", "difference"), column("Labels scored", "count")),
    )
    rows = tuple(
        (evaluator_title(one), one.log_loss, one.gain, _from_best(one.log_loss_difference), one.scored)
        for one in candidates
    )
    title = say(
        "Cross-validated on {labels}, {repeats} × {folds} folds",
        labels=counted(comparison.n, "label"),
        repeats=comparison.repeats,
        folds=comparison.folds,
    )
    others = (
        *(column("Evaluator"), column("Brier score", "estimate"), column("Above the best", "difference")),
        *(column("AUC", "estimate"), column("Against the best", "difference")),
    )
    more = tuple(
        (evaluator_title(one), one.brier, _from_best(one.brier_difference), one.auc, _from_best(one.auc_difference))
        for one in candidates
    )
    note = say(
        "{passes} of the labels are passes; a cluster is always whole in one fold. The last row always answers with "
        "the pass rate. Gains are over that constant, differences from the first row, both in the same folds; 95% "
        "intervals by the corrected t test of Nadeau and Bengio, which hold for all {tried} evaluators at once "
        "(Bonferroni).",
        passes=comparison.passes,
        tried=len(comparison.candidates),
    )
    skipped = tuple(
        (say("Left out: {name}: {reason}", name=name, reason=reason),) for name, reason in comparison.skipped.items()
    )
    return View(
        (
            Paragraph((comparison_sentence(comparison),)),
            Table(title, columns, rows),
            Table(say("Brier score and AUC of each evaluator"), others, more, (note,)),
            *((Bullets(skipped),) if skipped else ()),
        )
    )


def evaluator_title(candidate: Candidate) -> str:
    """ "logistic on Groundedness", "combined on 3 metrics"."""
    if not candidate.metrics:
        return say("base rate (a constant)")
    named = slice_metric_title(candidate.metrics[0])
    on = named if len(candidate.metrics) == 1 else counted(len(candidate.metrics), "metric")
    return say("{method} on {metrics}", method=candidate.method, metrics=on)


def _from_best(difference: Estimate) -> Estimate | None:
    """None for the best itself."""
    return None if difference.value == difference.low == difference.high == 0 else difference
