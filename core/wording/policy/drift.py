"""Whether a policy in use keeps its promise, in sentences."""

from __future__ import annotations

from core.analysis.policy_check import PolicyCheck
from core.display.numbers import counted
from core.estimates.policy.drift import Drift


def drift_sentence(drift: Drift) -> str:
    """Whether the quantity left what was promised, and since when."""
    promised = f"at most {_share(drift.most)}" if drift.least <= 0 else f"{_share(drift.least)} to {_share(drift.most)}"
    name = drift.quantity.capitalize()
    seen = sum(window.share.n for window in drift.windows)
    if not seen:
        return f"{name}: promised {promised}; nothing was seen, so that nothing can be said."
    last = drift.windows[-1]
    between = f"over {counted(len(drift.windows), 'window')} it lies between {_share(last.low)} and {_share(last.high)}"
    if drift.alarm is None:
        return f"{name}: promised {promised}; {between} (n = {seen:,}). No evidence that the promise is broken."
    return (
        f"{name}: promised {promised}; {between} (n = {seen:,}). Alarm at {drift.windows[drift.alarm].name}: with the "
        f"promise kept, such evidence would come in at most {_share(drift.alpha)} of all series of windows."
    )


def check_sentences(check: PolicyCheck) -> list[str]:
    """What a check says, and what to do after an alarm."""
    said = [drift_sentence(check.error), drift_sentence(check.load)]
    if not check.labelled:
        said.append("Label accepted answers, drawn at random, so that the error let through can be seen.")
    if check.alarm:
        said.append(
            "Stop accepting by this policy until it is clear what changed: label answers of the newest window, "
            "calibrate again, and fit the policy anew."
        )
    return said


def _share(value: float) -> str:
    return f"{100 * value:.3g}%"
