"""From labels to the samples that a calibration used, every number reconciled in one sentence."""

from __future__ import annotations

from hcat.core.calibration.calibration import Calibration
from hcat.core.display.numbers import counted
from hcat.core.labelling.consensus import ConsensusLabels

REASONS = {
    "tie": "tied between annotators",
    "not in the scores": "not among the scored samples",
    "unscored": "without a score that the map needs",
    "refusal": "declining to answer",
    "labelled by a language model only": "labelled by a language model only",
}


def labels_to_samples(judged: ConsensusLabels, fitted: Calibration) -> str:
    """ "86 labels and 3 decisions on 86 samples. 53 of these samples are used: 27 fit the curve, 12 set the threshold,
    14 check both. 33 are not: 5 tied between annotators, 28 without a score that the map needs.". Where no label is set
    aside: "All of them fit the curve and make the sets."."""
    decisions = sum(label.source == "adjudication" for label in judged.labels)
    given = counted(len(judged.labels) - decisions, "label")
    given += f" and {counted(decisions, 'decision')}" if decisions else ""
    samples, used, sizes = (
        len({label.sample_id for label in judged.labels}),
        fitted.labelled_samples,
        fitted.split_sizes,
    )
    unused = {reason: count for reason, count in fitted.left_out.items() if count}
    serve = (
        f"{sizes['fit']:,} fit the curve, {sizes['conformal']:,} set the threshold, {sizes['check']:,} check both."
        if fitted.sets_by_score is None
        else "all of them fit the curve and make the sets."
    )
    sentence = f"{given} on {counted(samples, 'sample')}. {used:,} of these samples are used: {serve}"
    if not unused:
        return sentence
    listed = ", ".join(f"{count:,} {REASONS.get(reason, reason)}" for reason, count in unused.items())
    return f"{sentence} {sum(unused.values()):,} are not: {listed}."
