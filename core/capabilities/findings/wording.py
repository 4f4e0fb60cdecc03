"""The claim of a finding, in one or two sentences that say no more than its numbers show."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_estimate, format_with_interval, p_value_text
from hcat.core.records.project import FindingChange
from hcat.core.types import Estimate

SEVERITY_HELP = (
    "How bad it is where it happens, not how sure it is: high – customers or the bank may come to harm, fix before "
    "use; medium – answers mislead, fix by a date; low – a nuisance, watch it. How sure it is, the verdict and q say."
)
STATUS_HELP = (
    "open – nobody works on it yet; in progress – its owner does; accepted – its owner carries the risk; closed – "
    "fixed. One that was no finding after all is withdrawn, with the reason."
)


def statement_sentence(*, run: str, where: str, metric: str, n: int, mean: Estimate | None) -> str:
    """ "The 19 samples of run gpt-4 with question_type = metrics-generated score 0.31 [0.24, 0.38], n = 19, on Answer
    F1."; without statistics, only what was selected."""
    samples = say("The {samples} of run {run}", samples=counted(n, "sample"), run=run)
    chosen = say(" with {where}", where=where) if "=" in where else f" ({where})" if where else ""
    if mean is None:
        return say(
            "{samples}{chosen} were selected by a person on {metric}; no slice was tested.",
            samples=samples,
            chosen=chosen,
            metric=metric,
        )
    return f"{samples}{chosen}: {metric} {format_estimate(mean)}."


def comparison_sentence(*, difference: Estimate | None, q: float | None, tested: int | None, verdict: str) -> str:
    """The difference from the rest of the run, its q-value and the verdict; "" where no slice was compared."""
    if difference is None:
        return ""
    text = say(
        "That is {difference} from the rest of the run", difference=format_with_interval(difference, signed=True)
    )
    if q is not None:
        family = "" if tested is None else say(" over {tested_slices}", tested_slices=counted(tested, "tested slice"))
        text += f", {p_value_text('q', q)}{family}"
    return say("{text}. Verdict: {verdict}.", text=text, verdict=say(verdict)) if verdict else f"{text}."


def labels_sentence(criterion: str, inside: Estimate, rest: Estimate, *, n: int, by_people: bool) -> str:
    """The pass rates by labels of the same samples and of the rest."""
    whose = say("People's labels") if by_people else say("Labels of a rule, none of people,")
    said = say(
        "{whose} on {criterion}: {inside} pass here",
        whose=whose,
        criterion=criterion,
        inside=format_estimate(inside, percent=True),
    )
    unlabelled = say(", of {samples}", samples=counted(n, "sample")) if inside.n < n else ""
    if not rest.n:
        return say("{said}{unlabelled}; the rest of the run has no label.", said=said, unlabelled=unlabelled)
    return say(
        "{said}{unlabelled}, and {rest} in the rest of the run.",
        said=said,
        unlabelled=unlabelled,
        rest=format_estimate(rest, percent=True),
    )


def contradicts(inside: Estimate, rest: Estimate, *, score_is_worse: bool) -> bool:
    """Whether people pass at least as many here as elsewhere although the metric's score is worse here."""
    return score_is_worse and inside.n > 0 and rest.n > 0 and inside.value >= rest.value


def change_text(change: FindingChange) -> str:
    """ "status: open → closed"; names and dates as they were typed."""
    before, after = change.before, change.after
    if change.part in ("severity", "status"):
        before, after = say(before), say(after)
    return f"{say(change.part)}: {before or '–'} → {after or '–'}"


def withdrawal_sentence(withdrawal: FindingChange) -> str:
    """ "Withdrawn by lee on 2027-01-31: the reference was wrong." and what follows from it."""
    reason = withdrawal.after.rstrip(".")
    return (
        f"Withdrawn by {withdrawal.author} on {withdrawal.at:%Y-%m-%d}: {reason}. The report lists it as withdrawn and "
        "counts it nowhere. A new status reinstates it."
    )
