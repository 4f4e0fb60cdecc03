"""Views of agreement, in all and by pairs of annotators, of leniency and of drift."""

from __future__ import annotations

from collections.abc import Sequence

from hcat.core.capabilities.agreement.drift import LEAST_LABELS, Drift, Measure
from hcat.core.capabilities.agreement.leniency import Leniency
from hcat.core.capabilities.agreement.summary import Agreement, LevelAgreement, PairAgreement
from hcat.core.capabilities.agreement.wording import (
    MEASURES,
    coefficient_text,
    drift_word,
    few_minority_labels,
    leniency_note,
)
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_count, format_estimate
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.view.telling import column, tell
from hcat.core.view.tree import Column, Kind, Quantity, Table, Value
from hcat.core.view.view import View


def agreement_view(agreement: Agreement, criterion: str, run: str | None = None) -> View:
    """Every coefficient of all annotators together, with the basis of the intervals."""
    note = tell(
        "Of {annotators} people, over the {n} samples that two or more of them labelled. Intervals are at 95%, by "
        "Bayesian bootstrap over samples, or over clusters where some have several samples.{too_few}{alike}",
        annotators=Quantity(agreement.annotators, "count"),
        n=Quantity(agreement.n, "count"),
        too_few="" if agreement.enough else say(" There are too few of these samples to conclude anything."),
        alike=f" {few}" if (few := few_minority_labels(agreement)) else "",
    )
    title = (
        say("Agreement on {criterion}", criterion=criterion)
        if run is None
        else say("Agreement on {criterion}, run {run}", criterion=criterion, run=run)
    )
    columns = (column("Coefficient"), column("Estimate", "estimate"))
    rows = tuple((say(name), _value(agreement, name)) for name in agreement.coefficients)
    return View((Table(title, columns, rows, note),))


def levels_view(levels: Sequence[LevelAgreement], dimension: str) -> View:
    """Every coefficient within each level of a dimension."""
    made = [(level.level, level.agreement) for level in levels]
    note = say("Each interval is at 95% on its own, not jointly.")
    return View((_side_by_side(say("By {dimension}", dimension=dimension), column("Level"), made, note),))


def pairs_view(pairs: Sequence[PairAgreement]) -> View:
    """Every coefficient of each two annotators, on the samples that both labelled."""
    made = [(f"{pair.first}, {pair.second}", pair.agreement) for pair in pairs]
    return View((_side_by_side(say("Pairs"), column("Annotators"), made),) if made else ())


def leniency_view(leniencies: Sequence[Leniency]) -> View:
    """Each annotator's pass rate less that of the others on the same samples."""
    columns = (
        *(column("Annotator"), column("Verdict", "verdict"), column("Difference to the others, paired", "difference")),
        *(column("p (Holm)", "p-value"), column("Pass rate of their own labels", "share")),
    )
    rows = tuple((each.annotator, each.manner, _difference(each), each.p_holm, each.own) for each in leniencies)
    note = say(
        "The difference is paired: each annotator is compared with the others on the samples that both labelled, so "
        "nobody seems strict for having had harder samples. Their own pass rates are on different samples and cannot "
        "be compared."
    )
    title = say("Pass rate compared with the other annotators' on the same samples")
    return View((Table(title, columns, rows, (f"{note} {leniency_note(leniencies)}",) if leniencies else ()),))


def drift_view(drifts: Sequence[Drift], measure: Measure = "passes") -> View:
    """Whether a measure of each annotator changes with time, and where most."""
    title, meaning = MEASURES[measure]
    kind: Kind = "estimate" if measure == "lenience" else "share"
    columns = (
        *(column("Annotator"), column("Labels", "count"), column("Verdict", "verdict"), column("p", "p-value")),
        *(column("p (Holm)", "p-value"), column("Most after label", "count")),
        *(Column(say("Before"), kind), Column(say("After"), kind)),
    )
    rows = tuple(
        (
            *(each.annotator, each.n, drift_word(each), each.p, each.p_holm),
            *((each.change, each.before, each.after) if each.is_shown else (None, None, None)),
        )
        for each in drifts
    )
    note = say(
        "{meaning} Test: the largest deviation of the running sum, against 2,000 random orders of the same labels "
        "(samples of one cluster stay together, and trade places with those of another that has as many). In a team "
        "that does not change, any drift is shown in at most 5% of cases (Holm over all annotators). This is of one "
        "measure: choose it before you look. Below {least} labels nothing is tested. The place of a change is chosen "
        "by the labels themselves, so the before and after values overstate it. Labels from a file without times are "
        "in the file's order.",
        meaning=say(meaning),
        least=LEAST_LABELS,
    )
    return View((Table(say("Drift over time: {measure}", measure=say(title)), columns, rows, (note,)),))


def _side_by_side(title: str, of: Column, made: Sequence[tuple[str, Agreement]], note: str = "") -> Table:
    """One agreement a row, under its coefficients; all of them have the same ones."""
    names = tuple(made[0][1].coefficients) if made else ()
    columns = (of, column("Samples", "count"), *(Column(say(name), "estimate") for name in names))
    rows = tuple((name, each.n, *(_value(each, coefficient) for coefficient in names)) for name, each in made)
    return Table(title, columns, rows, (note,) if note else ())


def _value(agreement: Agreement, coefficient: str) -> Value:
    """The coefficient, or that there is too little to conclude from it."""
    if agreement.suffices_for(coefficient):
        return agreement.coefficients[coefficient]
    return coefficient_text(agreement, coefficient)


def _difference(leniency: Leniency) -> str:
    """With its sign, or n where there is too little to conclude from it."""
    difference = leniency.difference
    if leniency.manner == INSUFFICIENT:
        return f"n = {format_count(difference.n)}"
    return format_estimate(difference, percent=True, signed=True)
