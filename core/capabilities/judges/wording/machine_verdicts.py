"""Means of scores in words: those of machine verdicts say that they are, and estimate nothing without labels."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count, format_estimate, format_number
from hcat.core.scoring.score_table import MetricSummary

EXPLANATION = (
    "A mean of machine verdicts has no interval: it says what the machine decided, not the share that people would "
    "confirm. Labels correct it."
)

ERRORS = (
    "The machine passes a sample that scores on the good side of the middle of the metric's range. Sensitivity: of the "
    "labelled samples that pass, the share that the machine passes. Specificity: of those that fail, the share that it "
    "fails. The corrected pass rate comes from labels and scores together (PPI++) and is as good as the labels, "
    "some of which may be those of a rule. Answers outside what the machine was made for are left out, as in its mean."
)


def mean_text(summary: MetricSummary) -> str:
    """ "0.71 [0.65, 0.77], n = 83", or "machine says 0.04, n = 25; withheld: 58 samples …"."""
    if not summary.judged:
        return format_estimate(summary.mean)
    if summary.mean.n == 0:
        return withheld_text(summary) or format_estimate(summary.mean)
    said = f"machine says {format_number(summary.mean.value)}, n = {format_count(summary.mean.n)}"
    return "; ".join(filter(None, (said, withheld_text(summary))))


def withheld_sentences(summaries: Mapping[str, MetricSummary]) -> list[str]:
    """Sentences on the number of samples that each mean of machine verdicts leaves out, by reason. Metrics with the
    same text share one sentence."""
    names: dict[str, list[str]] = {}
    for name, summary in summaries.items():
        if summary.outside:
            names.setdefault(withheld_text(summary), []).append(name)
    return [f"{text[0].upper()}{text[1:]}: {'; '.join(group)}." for text, group in names.items()]


def withheld_text(summary: MetricSummary) -> str:
    """Number of samples outside the domain of the machine, by reason; "" where there are none."""
    if not summary.outside:
        return ""
    reasons = ", ".join(f"{say(reason)}: {format_count(n)}" for reason, n in summary.outside.items())
    return say(
        "withheld: {samples} outside its domain ({reasons})",
        samples=counted(sum(summary.outside.values()), "sample"),
        reasons=reasons,
    )


def outside_sentence(reason: str) -> str:
    """Sentence that the score of a sample outside the machine's domain counts in no mean of machine verdicts."""
    return f"The verdict is outside what the machine was made for ({reason}), and in no mean of machine verdicts."
