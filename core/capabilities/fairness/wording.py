"""Groups compared, in words, and as a document."""

from __future__ import annotations

import math
from datetime import datetime

from hcat.core.capabilities.fairness.counterfactual.comparison import Fairness, OutcomeGaps
from hcat.core.capabilities.fairness.gap import Gap
from hcat.core.capabilities.fairness.planning import GapPlan
from hcat.core.capabilities.robustness.wording.robustness import outcome_title
from hcat.core.display.messages import say
from hcat.core.display.numbers import counted, format_count, format_number, format_with_interval, p_value_text
from hcat.core.records.codec import JSON
from hcat.core.records.fairness import ALL_OUTCOMES, FairnessSettings, SettledFairness
from hcat.core.types import JsonValue
from hcat.core.wording.slice_metrics import slice_metric_title

OWN_GROUPS = (
    "The groups were asked different questions, so that a plain difference mixes how they are treated with what they "
    "ask. Answers are compared within strata of questions that have the same levels."
)
"""The basis of a comparison between the levels of a dimension."""

INTRODUCTION = (
    "The same questions were asked for people of different groups, with other words for the people and no others. Each "
    "gap is a paired difference under word substitution: what it shows is how these answers depend on these words."
)


def settled_sentence(settled: SettledFairness, *, run_at: datetime, changes: int) -> str:
    """The margins in force, who set them, and whether that was before the run was imported."""
    when = say("before this run was imported") if settled.at < run_at else say("after this run was imported")
    again = "" if changes == 1 else say(" They were set {times} in all.", times=counted(changes, "time"))
    signed = say("Set by {settled.author} on {settled.at:%-d %B %Y, %H:%M}, {when}.", settled=settled, when=when)
    return f"{settings_sentence(settled.settings)} {signed}{again}"


def settings_sentence(settings: FairnessSettings) -> str:
    """The margins, and what else was chosen: outcomes, reference groups, the level."""
    parts = [say("Margins: {margins}", margins=margins_text(settings))]
    if settings.outcomes:
        parts.append(say("outcomes: {outcomes}", outcomes=", ".join(map(_title, settings.outcomes))))
    if settings.references:
        named = (f"{group} ({attribute})" for attribute, group in settings.references.items())
        parts.append(say("compared with {named}", named=", ".join(named)))
    if settings.by:
        matched = say("topic and query type") if settings.match is None else ", ".join(settings.match) or say("nothing")
        parts.append(say("groups by {by}, matched on {matched}", by=", ".join(settings.by), matched=matched))
    if settings.alpha != FairnessSettings().alpha:
        parts.append(say("tests at {settings.alpha:g}", settings=settings))
    return f"{'; '.join(parts)}."


def absent_sentence(settled: FairnessSettings, used: FairnessSettings, *, own: bool = False) -> str:
    """The chosen groups and outcomes that a run does not have; empty where it has all. `own` are groups that dimensions
    hold."""
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
        instead = "" if used.outcomes else say(", so that the usual ones are compared")
        parts.append(
            say("This run has no values of {outcomes}{instead}.", outcomes=", ".join(outcomes), instead=instead)
        )
    if references:
        parts.append(
            say(
                "No question of this run was asked for {references}: the usual reference is used.",
                references=", ".join(references),
            )
        )
    if dimensions:
        parts.append(say("This run has no groups by {dimensions}.", dimensions=", ".join(dimensions)))
    if unmatched:
        parts.append(say("This run has no {unmatched} to match on.", unmatched=", ".join(unmatched)))
    return " ".join(parts)


def _title(outcome: str) -> str:
    return say("all") if outcome == ALL_OUTCOMES else outcome_title(outcome)


def margins_text(settings: FairnessSettings) -> str:
    """ "±0.05 on outcomes from 0 to 1, ±5 on Answer length"."""
    margins = [
        say("±{margin:g} on {metric}", margin=margin, metric=slice_metric_title(name))
        for name, margin in settings.margins.items()
    ]
    if settings.margin is not None:
        margins.insert(0, say("±{settings.margin:g} on outcomes from 0 to 1", settings=settings))
    return ", ".join(margins) or say("none")


def gap_sentence(gap: Gap, *, outcome: str) -> str:
    """ "gender: woman less man, refusal +0.12 [0.05, 0.19], gap, p = 0.004 (Holm), over 120 questions."."""
    shown = format_with_interval(gap.gap, signed=True)
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
        return say(
            "{gap}: no stratum holds both groups, so that nothing can be compared; match on less.", gap=gap.title
        )
    strata = say("1 stratum") if matching.strata == 1 else say("{strata} strata", strata=format_count(matching.strata))
    left = (
        say(
            "{left_out} and {left_out_of_reference} have no counterpart and were left out",
            left_out=format_count(matching.left_out),
            left_out_of_reference=format_count(matching.left_out_of_reference),
        )
        if matching.left_out + matching.left_out_of_reference
        else say("none was left out")
    )
    whole = format_with_interval(matching.unmatched, signed=True)
    return say(
        "{gap}: {compared} and {samples} in {strata}; {left}. Without matching the gap is {whole}.",
        gap=gap.title,
        compared=format_count(matching.compared),
        samples=counted(matching.compared_of_reference, "sample"),
        strata=strata,
        left=left,
        whole=whole,
    )


def margin_sentence(gaps: OutcomeGaps, *, title: str) -> str:
    """The equivalence margin of an outcome, or the consequence of having none, in a sentence."""
    if gaps.margin is None:
        return say(
            "No margin is set for {title}: groups can be shown to differ, and not to be treated alike.", title=title
        )
    return say(
        "Two groups count as treated alike on {title} where they are shown to lie within ±{gaps.margin:g}.",
        title=title,
        gaps=gaps,
    )


def fairness_summary(fairness: Fairness) -> str:
    """The number of comparisons by verdict, over all outcomes."""
    verdicts = [gap.verdict for each in fairness.outcomes for gap in each.gaps]
    within = verdicts.count("gap within the margin")
    shown = verdicts.count("gap") + within
    neither = verdicts.count("inconclusive") + verdicts.count("no gap shown")
    of_these = say(" ({within} within the margin)", within=within) if within else ""
    return say(
        "{comparisons}: a gap in {shown}{of_these}, equivalence in {equivalent}, neither shown in "
        "{neither}, too few questions in {too_few}.",
        comparisons=counted(len(verdicts), "comparison"),
        shown=shown,
        of_these=of_these,
        equivalent=verdicts.count("equivalent"),
        neither=neither,
        too_few=verdicts.count("insufficient evidence"),
    )


def fairness_notes(fairness: Fairness) -> tuple[str, ...]:
    """The design, the methods and the limits of the comparisons, in sentences."""
    level = 100 * (1 - fairness.settings.alpha)
    questions = say("questions")
    if fairness.matched_on is None:
        basis = say("Each question was asked for both groups; all that comes from one test case is kept together.")
    elif fairness.matched_on:
        questions = say("questions for either group")
        basis = say(
            "Samples are matched exactly on {matched_on}. Means and gap are standardised to the questions "
            "that both groups ask: a stratum counts by n₁n₂ / (n₁ + n₂). What else differs between their "
            "questions is not accounted for.",
            matched_on=" × ".join(fairness.matched_on),
        )
    else:
        questions = say("questions for either group")
        basis = say(
            "The groups were asked different questions, which are not matched on anything: they may differ by these."
        )
    return (
        basis,
        say(
            "Intervals are at {level:g}% for one gap, and leave out 0 where its own p is {alpha:g} or less. Verdicts "
            "account for all {comparisons} tested together (Holm); with fewer than {fairness.minimum_n} {questions} "
            "nothing is tested.",
            level=level,
            alpha=fairness.settings.alpha,
            comparisons=counted(fairness.tested, "comparison"),
            fairness=fairness,
            questions=questions,
        ),
        say(
            "Equivalent: two one-sided tests (TOST) rule out a gap of the margin or more, as the interval at "
            "{within:g}% does for one gap. A gap that is not shown is not shown to be absent.",
            within=100 * (1 - 2 * fairness.settings.alpha),
        ),
        say(
            "Detectable: the smallest true gap that one test on as many questions finds with a power of 80%, "
            "failures that were not seen allowed for."
        ),
        say(
            "Outcomes without a range, such as answer length, rest on the spread that was seen: where few answers are "
            "far longer than the rest, their intervals and equivalence can be too sure."
        ),
    )


def plan_sentences(plan: GapPlan) -> tuple[str, ...]:
    """The gap and the margin that a number of questions can show, in sentences."""
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
