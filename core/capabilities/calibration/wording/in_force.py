"""The calibration in force: its author, date, labels and reason, and whether it is shown to be fit for use."""

from __future__ import annotations

from datetime import datetime

from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.fitness import Answer
from hcat.core.calibration.maps.methods import find_method
from hcat.core.display.messages import lower_first, say
from hcat.core.display.numbers import counted
from hcat.core.scoring.file_metric import facts_of
from hcat.core.types import Estimate

IN_FORCE = "In force: {evaluator} on {calibration.criterion}, from {labelled_samples}: {fitness}. {reason}"
SAVED = "In force: {evaluator} on {calibration.criterion}, saved{by}{when} from {labelled_samples}: {fitness}. {reason}"
FITNESS: dict[Answer, str] = {"yes": "fit for use", "not shown": "not shown to be fit", "no": "not fit"}
"""The verdict on a calibration, in the words of every page."""


def evaluator_title(calibration: Calibration) -> str:
    """ "Completeness (logistic, penalised)", "3 metrics (combined)"."""
    metrics = [say(facts_of(name, {}).title) for name in calibration.metrics]
    named = say(" and ").join(metrics) if len(metrics) < 3 else counted(len(metrics), "metric")
    return f"{named} ({lower_first(say(find_method(calibration.method).title))})"


def in_force_sentence(calibration: Calibration, *, saved_at: datetime | None = None) -> str:
    """ "In force: Completeness (logistic, penalised) on correctness, saved by R. Keller on 23 November 2026 from 53
    labelled samples: not shown to be fit. Used all the same because: …". `saved_at` is for one that does not know."""
    by = (
        say(" by {calibration.use.author}", calibration=calibration)
        if calibration.use is not None and calibration.use.author
        else ""
    )
    at = saved_at if calibration.use is None or calibration.use.at is None else calibration.use.at
    when = say(" on {at.day} {at:%B %Y}", at=at) if at is not None else ""
    message = SAVED if by or when else IN_FORCE
    return say(
        message,
        evaluator=evaluator_title(calibration),
        calibration=calibration,
        by=by,
        when=when,
        labelled_samples=counted(calibration.labelled_samples, "labelled sample"),
        fitness=say(FITNESS[calibration.fit_for_use.value]),
        reason=reason_sentence(calibration),
    ).rstrip()


def reason_sentence(calibration: Calibration) -> str:
    """The recorded reason for its use though it is not shown to be fit; "" where it is."""
    if calibration.is_fit:
        return ""
    if calibration.use is None or not calibration.use.reason:
        return say("No reason was recorded for using it all the same.")
    return say("Used all the same because: “{calibration.use.reason}”", calibration=calibration)


def probability_sentence(calibration: Calibration, probability: Estimate) -> str:
    """The calibrated probability of one sample, its range under other labels, and the fitness of the calibration."""
    moved = f" (with other labels between {probability.low:.2f} and {probability.high:.2f})"
    return (
        f"By the calibration, people pass this answer on {calibration.criterion} with probability "
        f"{probability.value:.2f}{moved if probability.low == probability.low else ''}. The calibration is "
        f"{FITNESS[calibration.fit_for_use.value]}."
    )
