"""The rule of the verdict "fit for use", in sentences."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.calibration.checks.baselines import BASELINES
from hcat.core.calibration.checks.fitness import LEAST_CHECKED, LEAST_DECIDED, USEFUL_AUC
from hcat.core.calibration.checks.looks import DECLARED_SHARE, FALSE_POSITIVE_RATE
from hcat.core.calibration.checks.repeated_splits import REPEATS
from hcat.core.display.messages import say


@dataclass(frozen=True, slots=True)
class VerdictRule:
    """The rule of the verdict: on what it rests, when each verdict is given, how each condition is tested, and what its
    terms mean."""

    basis: str
    verdicts: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str], ...]
    terms: str


def verdict_rule(alpha: float) -> VerdictRule:
    """The rule by which `fitness` is "yes", "no" or "not shown" at this error rate, for the screen and the report."""
    return VerdictRule(
        say(
            "A map of one metric ranks samples as the metric does: how well it tells them apart is measured on all "
            "labels. What must be learned first is measured on {repeats} random splits, each time on labels that "
            "served nothing else. Medians over the splits count. Splits follow from what labels and scores say, not "
            "from the names of samples.",
            repeats=REPEATS,
        ),
        (
            (say("Yes"), say("all conditions are met.")),
            (say("No"), say("there is evidence against one of them: it is contradicted.")),
            (say("Not shown"), say("anything else. More labels may decide it.")),
        ),
        _conditions(alpha),
        say(
            "Trivial scores are those of {baselines} that the run has and that are not themselves calibrated here. "
            "The chance that any useless metric is ever called fit is at most {rate:.0%}: one half for single metrics, "
            "one half for maps of several. It is shared by all metrics of the run, tried or not, allowing for their "
            "correlation. A look that a plan declared before the first label has {declared:.0%} of it; all other looks "
            "together have the rest. Other criteria, other runs and metrics that are scored later are not allowed for. "
            "The verdict applies to this criterion, this run and these labels alone.",
            baselines=", ".join(BASELINES),
            rate=FALSE_POSITIVE_RATE,
            declared=DECLARED_SHARE,
        ),
    )


def condition_title(name: str) -> str:
    """The title of a condition on screen and in reports."""
    titles = {
        "probabilities differ": say("Probabilities differ between samples"),
        "labels for the threshold": say("Labels that set the threshold"),
        "labels to check with": say("Labels that check it"),
        "direction": say("Direction of each metric"),
        "above chance": say("AUC above chance"),
        "coverage": say("Coverage not below the promise"),
        "useful AUC": say("AUC not below {useful}", useful=USEFUL_AUC),
        "above trivial scores": say("AUC above that of each trivial score"),
        "decides": say("Sets decide more than {least:.0%}", least=LEAST_DECIDED),
    }
    return titles.get(name, name)


def _conditions(alpha: float) -> tuple[tuple[str, str], ...]:
    """Each condition with how it is tested."""
    meanings = {
        "probabilities differ": say("The map gives samples different probabilities: it has learned something."),
        "labels for the threshold": say("There are enough for α; of each class, where each has its own threshold."),
        "labels to check with": say("At least {least} labels.", least=LEAST_CHECKED),
        "direction": say("The probability moves in the direction that is registered, or stated with the file."),
        "above chance": say(
            "Mann and Whitney's test of the labels' ranks. It is contradicted where people pass what scores worse."
        ),
        "coverage": say(
            "Contradicted where the sets cover fewer labels than chance explains under a promise of {promised:g} "
            "(twice the median p, of the beta-binomial distribution).",
            promised=1 - alpha,
        ),
        "useful AUC": say("Contradicted where the interval of the AUC lies below {useful}.", useful=USEFUL_AUC),
        "above trivial scores": say(
            "The interval of each difference lies above 0. It is contradicted where one lies below 0, for all of them "
            "at once (Bonferroni)."
        ),
        "decides": say(
            "Sets that hold only passes or only fails: the median lower bound of their share is above {least:.0%}, "
            "and the sets handed out are not shown to decide fewer.",
            least=LEAST_DECIDED,
        ),
    }
    return tuple((condition_title(name), meaning) for name, meaning in meanings.items())
