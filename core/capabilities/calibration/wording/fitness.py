"""The fitness of a metric as a proxy for people's labels, in one sentence for screen, command and report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from hcat.core.capabilities.calibration.fitness import FIT, NEVER, NOT_FIT, NOT_SHOWN_FIT, MetricFitness
from hcat.core.capabilities.calibration.wording.discrimination import auc_text
from hcat.core.display.messages import say
from hcat.core.display.numbers import MISSING, counted, format_count
from hcat.core.slices.keys import CORRECTED
from hcat.core.wording.slice_metrics import slice_metric_title

MOST_NAMED = 3


def fitness_sentence(fitness: MetricFitness) -> str:
    """The verdict with its AUC and labels, and what it means for slices that score lower."""
    if fitness.metric == CORRECTED:
        return _of_calibration(fitness)
    title = slice_metric_title(fitness.metric)
    if fitness.verdict == NEVER:
        return say(
            "{title} was never compared with people on this run: a lower score does not say that answers are worse.",
            title=title,
        )
    if fitness.verdict == FIT:
        return say(
            "{title} is fit for use on {fitness.criterion}: {measured}.",
            title=title,
            fitness=fitness,
            measured=_measured(fitness),
        )
    verdict = say("not fit for use") if fitness.verdict == NOT_FIT else say("not shown to be fit for use")
    return say(
        "{title} is {verdict} on {fitness.criterion}: {measured}. A lower score does not say that "
        "people pass fewer answers.",
        title=title,
        verdict=verdict,
        fitness=fitness,
        measured=_measured(fitness),
    )


FITNESS_COLUMNS = ("metric", "verdict", "AUC", "labels", "of people")


def fitness_cells(fitness: MetricFitness) -> tuple[str, str, str, str, str]:
    """A row of the table of verdicts, with the AUC at the level of the verdict's test."""
    auc = MISSING if math.isnan(fitness.auc_tested.value) else auc_text(fitness.auc_tested)
    return fitness.metric, fitness.verdict, auc, format_count(fitness.labels), format_count(fitness.by_people)


def fitness_sentences(several: Sequence[MetricFitness]) -> list[str]:
    """One each, or of many how many have which verdict."""
    if len(several) <= MOST_NAMED:
        return [fitness_sentence(fitness) for fitness in several]
    counts = Counter(fitness.verdict for fitness in several)
    by_verdict = [f"{counts[verdict]} {verdict}" for verdict in (FIT, NOT_SHOWN_FIT, NOT_FIT, NEVER) if counts[verdict]]
    return [f"Of {len(several)} metrics, {', '.join(by_verdict)}. Only by labels is a slice called weak."]


def _of_calibration(fitness: MetricFitness) -> str:
    return say(
        "The calibration behind the corrected pass rate is {verdict} on {fitness.criterion}: "
        "{measured}. Slices with labels enough of their own do not depend on that.",
        fitness=fitness,
        verdict=say(fitness.verdict),
        measured=_measured(fitness),
    )


def _measured(fitness: MetricFitness) -> str:
    if math.isnan(fitness.auc_tested.value):
        return say("{labels}, too few to measure how it tells passes from fails", labels=_labels(fitness))
    labels, n = _labels(fitness), fitness.auc_tested.n
    if 0 < n < fitness.labels:  # those on refusals and unscored samples tell nothing of it
        labels = say("{n} of {labels}", n=n, labels=labels)
    return say("AUC {auc} ({labels}; 0.5 is chance)", auc=auc_text(fitness.auc_tested), labels=labels)


def _labels(fitness: MetricFitness) -> str:
    if not fitness.by_people and fitness.labels:
        return say("{labels} of a reference rule, none of people", labels=counted(fitness.labels, "label"))
    rule = fitness.labels - fitness.by_people
    return counted(fitness.labels, "label") + (say(", {rule} of a reference rule", rule=rule) if rule else "")
