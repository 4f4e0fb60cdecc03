"""Whether a policy in use keeps its promise, in sentences."""

from __future__ import annotations

from core.display.numbers import counted
from core.estimates.policy.check import PolicyCheck
from core.estimates.policy.drift import Drift, outcomes_to_see

TWICE = 2


def drift_sentence(drift: Drift) -> str:
    """Whether the quantity left what was promised, and since when."""
    promised = f"at most {_share(drift.most)}" if drift.least <= 0 else f"{_share(drift.least)} to {_share(drift.most)}"
    name = drift.quantity.capitalize()
    if not drift.seen:
        return f"{name}: promised {promised}; nothing was seen, so that nothing can be said."
    last = drift.windows[-1]
    between = (
        f"over {counted(len(drift.windows), 'window')} it lies between {_share(last.low)} and {_share(last.high)} "
        f"(n = {drift.seen:,})"
    )
    if drift.alarm is None:
        return f"{name}: promised {promised}; {between}. No evidence that the promise is broken."
    return (
        f"{name}: promised {promised}; {between}. Alarm at {drift.windows[drift.alarm].name}: with the "
        f"promise kept, such evidence would come in at most {_share(drift.alpha)} of all series of windows."
    )


def check_sentences(check: PolicyCheck) -> list[str]:
    """What a check says, and what to do next."""
    return [*map(drift_sentence, check.drifts), *next_sentences(check)]


def next_sentences(check: PolicyCheck) -> list[str]:
    """What to do after a check: after an alarm, or where too few labels could have seen a broken promise."""
    said = []
    if check.error_alarm:
        said.append(
            "Stop accepting by this policy until it is clear what changed: label answers of the newest window, "
            "calibrate again, and fit the policy anew."
        )
    elif check.labelled < (needed := labels_needed(check)):
        said.append(
            f"Label accepted answers, drawn at random, so that the error let through can be seen: "
            f"{counted(check.labelled, 'label')} so far, and an error of twice the promise is seen after about "
            f"{needed:,}."
        )
    if check.load.alarm is not None:
        said.append(
            "The load left its forecast: these answers are no longer like those that the labels stand for. Stop "
            "accepting by this policy until it is clear what changed: compare the newest window with the run that the "
            "thresholds are from, label some of its answers, and fit the policy anew."
        )
    return said


def labels_needed(check: PolicyCheck) -> int:
    """About how many labels of accepted answers it takes to see an error of twice the promise."""
    first = check.errors[0]
    twice = min(TWICE * first.most, 1.0)
    return outcomes_to_see(twice, most=first.most, alpha=first.alpha) if 0 < first.most < 1 else 0


def _share(value: float) -> str:
    return f"{100 * value:.3g}%"
