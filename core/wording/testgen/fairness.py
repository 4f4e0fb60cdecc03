"""Groups compared, in words, and as a document."""

from __future__ import annotations

import math
from datetime import datetime

from core.display.numbers import (
    counted,
    format_count,
    format_difference,
    format_interval,
    format_number,
    p_value_text,
)
from core.estimates.fairness.gap import Gap
from core.estimates.fairness.planning import GapPlan
from core.records.codec import JSON
from core.records.fairness import ALL_OUTCOMES, FairnessSettings, SettledFairness
from core.testgen.variants.counterfactual.comparison import Fairness, OutcomeGaps
from core.types import JsonValue
from core.wording.slice_metrics import slice_metric_title
from core.wording.testgen.robustness import outcome_title

OWN_GROUPS = (
    "The groups were asked different questions, so that a plain difference mixes how they are treated with what they "
    "ask. Answers are compared within strata of questions that have the same levels."
)
"""What comparing the levels of a dimension rests on."""

INTRODUCTION = (
    "The same questions were asked for people of different groups, with other words for the people and no others. Each "
    "gap is a paired difference under word substitution: what it shows is how these answers depend on these words."
)


def settled_sentence(settled: SettledFairness, *, run_at: datetime, changes: int) -> str:
    """Which margins hold, who set them, and whether that was before the run was imported."""
    when = "before this run was imported" if settled.at < run_at else "after this run was imported"
    again = "" if changes == 1 else f" They were set {counted(changes, 'time')} in all."
    signed = f"Set by {settled.author} on {settled.at:%-d %B %Y, %H:%M}, {when}."
    return f"{settings_sentence(settled.settings)} {signed}{again}"


def settings_sentence(settings: FairnessSettings) -> str:
    """The margins, and what else was chosen: outcomes, reference groups, the level."""
    parts = [f"Margins: {margins_text(settings)}"]
    if settings.outcomes:
        parts.append(f"outcomes: {', '.join(map(_title, settings.outcomes))}")
    if settings.references:
        named = (f"{group} ({attribute})" for attribute, group in settings.references.items())
        parts.append(f"compared with {', '.join(named)}")
    if settings.by:
        matched = "topic and query type" if settings.match is None else ", ".join(settings.match) or "nothing"
        parts.append(f"groups by {', '.join(settings.by)}, matched on {matched}")
    if settings.alpha != FairnessSettings().alpha:
        parts.append(f"tests at {settings.alpha:g}")
    return f"{'; '.join(parts)}."


def absent_sentence(settled: FairnessSettings, used: FairnessSettings, *, own: bool = False) -> str:
    """Which groups and outcomes that were settled on a run does not have; nothing where it has all. `own` are groups
    that dimensions hold."""
    outcomes = [_title(name) for name in settled.outcomes if name not in used.outcomes]
    references = [
        group
        for attribute, group in settled.references.items()
        if (attribute in settled.by) == own and attribute not in used.references
    ]
    dimensions = [name for name in settled.by if own and name not in used.by]
    unmatched = [name for name in settled.match or () if own and name not in (used.match or ())]
    parts = []
    if outcomes:
        instead = "" if used.outcomes else ", so that the usual ones are compared"
        parts.append(f"This run has no values of {', '.join(outcomes)}{instead}.")
    if references:
        parts.append(f"No question of this run was asked for {', '.join(references)}: the usual reference is used.")
    if dimensions:
        parts.append(f"This run has no groups by {', '.join(dimensions)}.")
    if unmatched:
        parts.append(f"This run has no {', '.join(unmatched)} to match on.")
    return " ".join(parts)


def _title(outcome: str) -> str:
    return "all" if outcome == ALL_OUTCOMES else outcome_title(outcome)


def margins_text(settings: FairnessSettings) -> str:
    """ "±0.05 on outcomes from 0 to 1, ±5 on Answer length"."""
    margins = [f"±{margin:g} on {slice_metric_title(name)}" for name, margin in settings.margins.items()]
    if settings.margin is not None:
        margins.insert(0, f"±{settings.margin:g} on outcomes from 0 to 1")
    return ", ".join(margins) or "none"


def gap_sentence(gap: Gap, *, outcome: str) -> str:
    """ "gender: woman less man, refusal +0.12 [0.05, 0.19], gap, p = 0.004 (Holm), over 120 questions."."""
    shown = f"{format_difference(gap.gap.value)} {format_interval(gap.gap)}".rstrip()
    tested = "" if math.isnan(gap.p_holm) else f", {p_value_text('p', gap.p_holm)} (Holm)"
    over = counted(gap.n, "pair" if gap.matching is None else "sample")
    return f"{gap.title}, {outcome_title(outcome)} {shown}, {gap.verdict}{tested}, over {over}."


def matching_sentence(gap: Gap) -> str:
    """ "region: north less south: 80 and 120 samples in 12 strata; 5 and 0 left out. Without matching: 0.10 [0.02,
    0.18]."; nothing for groups that were asked the same questions."""
    matching = gap.matching
    if matching is None:
        return ""
    if not matching.strata:
        return f"{gap.title}: no stratum holds both groups, so that nothing can be compared; match on less."
    strata = "1 stratum" if matching.strata == 1 else f"{format_count(matching.strata)} strata"
    left = (
        f"{format_count(matching.left_out)} and {format_count(matching.left_out_of_reference)} have no counterpart and "
        "were left out"
        if matching.left_out + matching.left_out_of_reference
        else "none was left out"
    )
    whole = f"{format_difference(matching.unmatched.value)} {format_interval(matching.unmatched)}".rstrip()
    return (
        f"{gap.title}: {format_count(matching.compared)} and {counted(matching.compared_of_reference, 'sample')} in "
        f"{strata}; {left}. Without matching the gap is {whole}."
    )


def margin_sentence(gaps: OutcomeGaps, *, title: str) -> str:
    """What the margin of an outcome is, and what is missing without one."""
    if gaps.margin is None:
        return f"No margin is set for {title}: groups can be shown to differ, and not to be treated alike."
    return f"Two groups count as treated alike on {title} where they are shown to lie within ±{gaps.margin:g}."


def fairness_summary(fairness: Fairness) -> str:
    """How many comparisons show what, over all outcomes."""
    verdicts = [gap.verdict for each in fairness.outcomes for gap in each.gaps]
    within = verdicts.count("gap within the margin")
    shown = verdicts.count("gap") + within
    neither = verdicts.count("inconclusive") + verdicts.count("no gap shown")
    of_these = f" ({within} within the margin)" if within else ""
    return (
        f"{counted(len(verdicts), 'comparison')}: a gap in {shown}{of_these}, "
        f"equivalence in {verdicts.count('equivalent')}, neither shown in {neither}, too few questions in "
        f"{verdicts.count('insufficient evidence')}."
    )


def fairness_notes(fairness: Fairness) -> tuple[str, ...]:
    """What the numbers rest on, and what they leave open."""
    level = 100 * (1 - fairness.settings.alpha)
    questions = "questions"
    if fairness.matched_on is None:
        basis = "Each question was asked for both groups; all that comes from one test case is kept together."
    elif fairness.matched_on:
        questions = "questions for either group"
        basis = (
            f"Samples are matched exactly on {' × '.join(fairness.matched_on)}. Means and gap are standardised to the "
            "questions that both groups ask: a stratum counts by n₁n₂ / (n₁ + n₂). What else differs between their "
            "questions is not accounted for."
        )
    else:
        questions = "questions for either group"
        basis = (
            "The groups were asked different questions, which are not matched on anything: they may differ by these."
        )
    return (
        basis,
        f"Intervals are at {level:g}% for one gap. Verdicts account for all {counted(fairness.tested, 'comparison')} "
        f"tested together (Holm); with fewer than {fairness.minimum_n} {questions} nothing is tested.",
        "Equivalent: two one-sided tests (TOST) rule out a gap of the margin or more. A gap that is not shown is not "
        "shown to be absent.",
        "Detectable: the smallest true gap that one test on as many questions finds with a power of 80%.",
    )


def plan_sentences(plan: GapPlan) -> tuple[str, ...]:
    """What so many questions can show."""
    asked = f"{counted(plan.questions, 'question')} with {counted(plan.trials, 'trial')} for each group"
    return (
        f"{asked} find a gap of {format_number(plan.detectable)} with 80%, among "
        f"{counted(plan.comparisons, 'comparison')}.",
        f"Groups that do not differ are shown equivalent with 80% within a margin of {format_number(plan.margin)}.",
        f"Expected: a rate of {plan.rate:g}, and a correlation of {plan.alike:g} between two answers to one question.",
    )


def plan_document(plan: GapPlan) -> dict[str, JsonValue]:
    """The plan as JSON."""
    return {"plan": JSON.write(plan)}


def fairness_document(fairness: Fairness) -> dict[str, JsonValue]:
    """`outcomes`, each with its margin and its gaps, as JSON."""
    return {
        "run": fairness.run,
        "pairs": len(fairness.pairs),
        "matched_on": None if fairness.matched_on is None else list(fairness.matched_on),
        "alpha": fairness.settings.alpha,
        "tested": fairness.tested,
        "minimum_n": fairness.minimum_n,
        "outcomes": [JSON.write(each) for each in fairness.outcomes],
    }
