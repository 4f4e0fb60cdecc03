"""Whether a policy in use keeps its promise, in sentences."""

from __future__ import annotations

from hcat.core.capabilities.policy.check import PolicyCheck
from hcat.core.capabilities.policy.drift import Drift, outcomes_to_see
from hcat.core.display.edition import in_edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted

TWICE = 2


def drift_sentence(drift: Drift) -> str:
    """Sentence on whether the quantity left the promised range, and since which window."""
    promised = (
        say("at most {most}", most=_share(drift.most))
        if drift.least <= 0
        else say("{least} to {most}", least=_share(drift.least), most=_share(drift.most))
    )
    name = say(drift.quantity.capitalize())
    if drift.seen and drift.unweighed == sum(window.share.n > 0 for window in drift.windows):
        return say("{name}: promised {promised}. {left_out}", name=name, promised=promised, left_out=_left_out(drift))
    if not drift.seen:
        return say(
            "{name}: promised {promised}; nothing was seen, so that nothing can be said.", name=name, promised=promised
        )
    last = drift.windows[-1]
    between = say(
        "over {windows} it lies between {low} and {high} (n = {drift.seen:,})",
        windows=counted(len(drift.windows), "window"),
        low=_share(last.low),
        high=_share(last.high),
        drift=drift,
    )
    if drift.alarm is None:
        said = say(
            "{name}: promised {promised}; {between}. No evidence that the promise is broken.",
            name=name,
            promised=promised,
            between=between,
        )
    else:
        said = say(
            "{name}: promised {promised}; {between}. Alarm at {name_2}: as long as the promise holds, such evidence "
            "comes in at most {alpha} of series of windows, however often one looks.",
            name=name,
            promised=promised,
            between=between,
            name_2=drift.windows[drift.alarm].name,
            alpha=_share(drift.alpha),
        )
    stakes = (
        say("Stakes allow for clusters of up to {largest}.", largest=in_edition(f"{drift.largest:.3g}"))
        if drift.largest > 1
        else ""
    )
    return " ".join(filter(None, (said, stakes, _left_out(drift) if drift.unweighed else "")))


def _left_out(drift: Drift) -> str:
    return say(
        "{windows} left out: the labels have unequal weights, and the largest weight that an answer could have is not "
        "known, so that nothing can be said of them. Draw accepted answers with equal probabilities.",
        windows=counted(drift.unweighed, "window"),
    )


def check_sentences(check: PolicyCheck) -> list[str]:
    """Sentences on the result of a check, and the next steps."""
    return [*map(drift_sentence, check.drifts), *next_sentences(check)]


def next_sentences(check: PolicyCheck) -> list[str]:
    """Next steps after a check: after an alarm, or where too few labels could have shown a broken promise."""
    said = []
    if check.error_alarm:
        said.append(
            say(
                "Stop accepting by this policy until it is clear what changed: label answers of the newest "
                "window, calibrate again, and fit the policy anew."
            )
        )
    elif check.labelled < (needed := labels_needed(check)):
        said.append(
            say(
                "Label accepted answers, drawn at random, so that the error let through can be seen: {labels} "
                "so far, and an error of twice the promise is seen after about {needed:,}.",
                labels=counted(check.labelled, "label"),
                needed=needed,
            )
        )
    if check.load.alarm is not None:
        said.append(
            say(
                "The load left its forecast: these answers are no longer like those that the labels stand for. "
                "Stop accepting by this policy until it is clear what changed: compare the newest window with "
                "the run that the thresholds are from, label some of its answers, and fit the policy anew."
            )
        )
    return said


def labels_needed(check: PolicyCheck) -> int:
    """Approximate number of labels of accepted answers that show an error of twice the promise."""
    first = check.errors[0]
    twice = min(TWICE * first.most, 1.0)
    return (
        outcomes_to_see(twice, most=first.most, alpha=first.alpha, largest=first.largest) if 0 < first.most < 1 else 0
    )


def _share(value: float) -> str:
    return in_edition(f"{100 * value:.3g}%")
