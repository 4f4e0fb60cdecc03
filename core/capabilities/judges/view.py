"""Views of language models as judges: agreement with people, biases, and panels of several judges."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from hcat.core.capabilities.agreement.pairwise import MINIMUM_N
from hcat.core.capabilities.judges.against_people import JudgeAgreement
from hcat.core.capabilities.judges.asked_pairs import PairJudgement
from hcat.core.capabilities.judges.manipulations import ScoreBias
from hcat.core.capabilities.judges.pairs import MINIMUM_PAIRS, PairBias
from hcat.core.capabilities.judges.panel import Panel
from hcat.core.capabilities.judges.rubric import RubricCriterion
from hcat.core.capabilities.judges.self_preference import SelfPreference
from hcat.core.capabilities.judges.wording.biases import (
    ABOUT_PAIR_BIAS,
    PAIR_MEANINGS,
    consequence_sentences,
    effect_verdict,
    refusal_sentence,
    self_preference_verdict,
    shift_title,
    shift_verdict,
)
from hcat.core.capabilities.judges.wording.verdicts import kappa_verdict, reasons_text
from hcat.core.display.messages import say, upper_first
from hcat.core.display.numbers import counted, format_number, format_percent
from hcat.core.types import Criterion
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Column, Paragraph, Table, Value
from hcat.core.view.view import View


def beside_people_view(judged: Sequence[tuple[str, str, JudgeAgreement]]) -> View:
    """Table of the agreement of verdicts with labels, from tuples of the verdicts' name, the criterion of the labels,
    and the agreement."""
    columns = (
        *(column("Verdicts"), column("Labels on"), column("Both", "count"), column("By a rule", "count")),
        *(column("κ", "estimate"), column("κ on all levels", "estimate"), column("Same verdict", "share")),
        column("Beyond chance", "verdict"),
    )
    rows = tuple(
        (
            *(name, people, agreement.n, agreement.n - agreement.by_people),
            *((agreement.kappa, agreement.kappa_levels, agreement.same) if agreement.enough else (None, None, None)),
            kappa_verdict(agreement),
        )
        for name, people, agreement in judged
    )
    note = say(
        "Cohen's κ of pass and fail; on all levels with quadratic weights, where people and judge have as many. Both: "
        "samples with a verdict and a label. By a rule: labels that no person gave. Below {minimum_n} samples nothing "
        "is said. Beyond chance is shown where the interval of κ lies above 0. Each interval is valid on its own; "
        "they are not valid jointly.",
        minimum_n=MINIMUM_N,
    )
    lacking = tuple(
        (
            say(
                "{name} beside {people}, labelled but not scored by the judge: {reasons}",
                name=name,
                people=people,
                reasons=reasons_text(agreement.unscored),
            ),
        )
        for name, people, agreement in judged
        if agreement.unscored
    )
    table = Table(say("Agreement with the labels"), columns, rows, (note,))
    return View((table, Bullets(lacking)) if lacking else (table,))


def both_levels_view(agreement: JudgeAgreement, judge: RubricCriterion, people: Criterion) -> View:
    """Table with the number of samples for each level of people and each score of the judge."""
    scores = tuple(
        Column(say("Judge {score} (passes)" if score >= judge.passing else "Judge {score}", score=score), "count")
        for score in judge.scores
    )
    title = say("{people} by people, {judge} by the judge", people=people.name, judge=agreement.criterion)
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (say(level), *counts) for level, counts in zip(people.levels, agreement.table, strict=True)
    )
    return View((Table(title, (column("Labels"), *scores), rows),))


def biases_view(biases: ScoreBias, n: int) -> View:
    """Table of the effects that changes of the answers of n samples have on scores and on the pass rate."""
    columns = (
        *(column("Change of the answer"), column("Criterion"), column("Pairs", "count")),
        *(column("Scores move by", "estimate"), column("Pass rate moves by", "share"), column("p (Holm)", "p-value")),
        column("Bias", "verdict"),
    )
    rows = tuple(
        (
            *(shift_title(shift), shift.criterion, shift.n),
            *((shift.shift, shift.pass_rate) if shift.n else (None, None)),
            *(shift.p_holm, shift_verdict(shift)),
        )
        for shift in biases.shifts
    )
    note = say(
        "Each sample was judged as it is and changed in a way that changes nothing of what it says. That none is shown "
        "does not show that there is none larger than the interval."
    )
    sentences = [*consequence_sentences(biases.shifts), *map(refusal_sentence, biases.refusals)]
    blocks: list[Block] = [Table(say("Biases, on {n} samples", n=n), columns, rows, (note,))]
    blocks += [Bullets(tuple((sentence,) for sentence in sentences))] if sentences else []
    return View(tuple(blocks))


def asked_pairs_view(judgement: PairJudgement, bias: PairBias | None, names: tuple[str, str]) -> View:
    """Preferences of a judge between the answers of two runs, in both orders and in each, and its biases."""
    said = say("Verdicts in both orders: {pairs}.", pairs=counted(len(judgement.verdicts), "pair"))
    if judgement.unscored:
        lacking = counted(sum(judgement.unscored.values()), "pair")
        said += say(" Without: {pairs}, {reasons}.", pairs=lacking, reasons=reasons_text(judgement.unscored))
    if bias is None:
        return View((Paragraph((said,)),))
    columns = (
        *(column("Preferred"), column("In both orders", "share"), column("When it stands first", "share")),
        column("When it stands second", "share"),
    )
    one, other = names
    rows = ((one, bias.preferred, bias.preferred_if_first, bias.preferred_if_second),)
    on = judgement.criterion
    title = say("{criterion}: how often {one} is preferred to {other}", criterion=on, one=one, other=other)
    note = say("Of all verdicts, ties as one half.")
    return View((Paragraph((said,)), Table(title, columns, rows, (note,)), *pair_biases_view([bias]).blocks))


def pair_biases_view(biases: Sequence[PairBias]) -> View:
    """Accuracy and consistency of judges on pairs of answers, and their biases."""
    columns = (
        *(column("Judge"), column("Pairs", "count"), column("Right", "share"), column("Right, if first", "share")),
        *(column("Right, if second", "share"), column("Same in both orders", "share"), column("First slot", "share")),
    )
    rows = tuple(
        (
            *(each.judge, each.n),
            *(made if made.n else None for made in (each.accuracy, each.accuracy_if_first, each.accuracy_if_second)),
            *(each.consistent, each.first_slot),
        )
        for each in biases
    )
    note = say(
        "Right: on pairs of which people say which answer is right; if first and if second: when that answer stands "
        "there. First slot: how often the answer that stands first is chosen."
    )
    meanings = tuple((f"{upper_first(say(name))}: {say(meaning)}",) for name, meaning in PAIR_MEANINGS.items())
    right = Table(say("Pairs of answers, each shown in both orders"), columns, rows, (note,))
    return View((right, _effects(biases), Bullets(meanings)))


def _effects(biases: Sequence[PairBias]) -> Table:
    columns = (
        *(column("Judge"), column("Bias"), column("Size", "share"), column("Errs in its favour", "share")),
        *(column("Errs against it", "share"), column("p (Holm)", "p-value"), column("Verdict")),
    )
    rows = tuple(
        (
            *(bias.judge, say(each.name), None if each.why_not else each.effect),
            *(made if made and made.n else None for made in (each.error_for, each.error_against)),
            *(each.p_holm, effect_verdict(each)),
        )
        for bias in biases
        for each in bias.effects
    )
    levels = {format_percent(each.effect.level) for bias in biases for each in bias.effects if not each.why_not}
    at = say(
        " Intervals of sizes are of the levels that decide: {levels}. That none is shown does not show that there is "
        "none larger than the interval.",
        levels=", ".join(sorted(levels)),
    )
    return Table(say("Biases on pairs"), columns, rows, (f"{say(ABOUT_PAIR_BIAS)}{at if levels else ''}",))


def self_preference_view(found: Sequence[SelfPreference]) -> View:
    """Differences in score and pass rate between a judge's own family and others on the same level, by criterion."""
    columns = (
        *(column("Criterion"), column("Comparisons", "count"), column("Left out", "count")),
        *(column("Scores higher by", "difference"), column("Passes more often by", "share")),
        *(column("p (Holm)", "p-value"), column("Verdict", "verdict")),
    )
    rows = tuple(
        (
            *(each.criterion, each.n, each.apart),
            *((None, None) if isnan(each.p_holm) else (each.shift, each.pass_rate)),
            *(each.p_holm, self_preference_verdict(each)),
        )
        for each in found
    )
    note = say(
        "Answers of the judge's own family are compared with others to the same question that people put on the same "
        "level. Left out: questions with answers of both sides, no two of them on one level. Fewer than {minimum} "
        "independent comparisons are too few to test. That none is shown does not show that there is none larger than "
        "the interval.",
        minimum=MINIMUM_PAIRS,
    )
    table = Table(say("Self-preference"), columns, rows, (note,))
    if not any(each.is_flagged for each in found):
        return View((table,))
    warning = say("A pass rate by this judge does not compare a system of its own family with others.")
    return View((table, Paragraph((warning,))))


def panel_view(panel: Panel) -> View:
    """Rank correlations between the judges of a panel, and the effective number of independent judges."""
    rows = tuple((f"{one}, {other}", rho) for (one, other), rho in panel.correlations.estimates.items())
    table = Table(say("Rank correlation of judges"), (column("Judges"), column("ρ", "estimate")), rows)
    worth = say(
        "{n} judges with a mean rank correlation of {mean} are worth {effective} independent ones. What all of them "
        "get wrong, their mean gets wrong too.",
        n=len(panel.metrics),
        mean=format_number(panel.mean_correlation),
        effective=format_number(panel.effective),
    )
    unknown = say("What the panel is worth can't be said: no two judges have a correlation.")
    return View((table, Paragraph((unknown if isnan(panel.effective) else worth,))))
