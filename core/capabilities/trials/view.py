"""Views of repeated trials: pass rates, distance from people's expectations, variation of the answers, and its
sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hcat.core.capabilities.trials.answer_diversity import AnswerDiversity
from hcat.core.capabilities.trials.trials import FactorScores, PeoplesExpectations
from hcat.core.capabilities.trials.variance_components import ComponentSplit
from hcat.core.capabilities.trials.wording import component_note, expectations_sentence, trials_notes
from hcat.core.display.messages import say, upper_first
from hcat.core.display.numbers import format_count, format_number
from hcat.core.estimates.probabilistic import ProbabilisticScores
from hcat.core.estimates.slices import INSUFFICIENT
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Column, Paragraph, Quantity, Table, Value
from hcat.core.view.view import View

MEANING = (
    "S_u is the share of good trials, over all test cases and trials. S_c is the mean of 1 − |P(E=1|Q) − H| over the "
    "test cases of which people say which share of good answers they expect (H). S_t is the mean of both (PROB 3.4). n "
    "counts test cases, and intervals are clustered by them. Unscored trials are not counted."
)
VARYING = (
    "Entropy is 0 where all answers mean the same; few trials understate it. Normalised, it is divided by the largest "
    "possible with that many trials."
)
METHOD = (
    "Random effects on E = 0 or 1 by the method of moments. Intervals where trials alone repeat: by the beta-binomial "
    "likelihood. With several judges: by drawing test cases anew, given these judges; approximate, nearer to 90 than "
    "to 95%, and for a system that passes or fails nearly always nearer to 75%. The rest is what no source explains: "
    "a judge who judges the same trial otherwise."
)
LEAST_CASES = 5
"""Number of test cases below which a level has no result."""
WORST = 10
Row = tuple[tuple[str, ...], ProbabilisticScores]
"""Scores of some trials, with a name under each of the first columns."""


def runs_view(runs: Sequence[Row]) -> View:
    """The scores of trials by run and criterion, and of each its test cases that are least often good."""
    rows = [_row(names, scores) for names, scores in runs]
    blocks = _scores((column("Run"), column("Criterion")), rows, [scores for _, scores in runs])
    return View((*blocks, *(_lowest(", ".join(names), scores) for names, scores in runs)))


def factors_view(
    factors: Sequence[FactorScores], *, by: str | None = None, expected: PeoplesExpectations | None = None
) -> View:
    """The scores of trials by each checker, and at each level of the dimension `by`, the lowest first."""
    names = (column("Checker"), *([] if by is None else [Column(say("Level of {dimension}", dimension=by))]))
    rows: list[tuple[Value, ...]] = []
    for one in factors:
        name = one.checker.name
        rows.append(_row((name,) if by is None else (name, say("whole run")), one.scores))
        parts = [(part.level, part.scores) for part in one.levels]
        parts.sort(key=lambda part: (part[1].unconditional.n < LEAST_CASES, part[1].unconditional.value))
        rows += [_row((name, level), scores, least=LEAST_CASES) for level, scores in parts]
    blocks = _scores(names, rows, [one.scores for one in factors])
    if expected is not None:
        blocks.append(Paragraph((expectations_sentence(expected),)))
    return View(tuple(blocks))


def lowest_view(factor: FactorScores) -> View:
    """The test cases that are least often good by one checker."""
    return View((_lowest(factor.checker.name, factor.scores),))


def _row(names: tuple[str, ...], scores: ProbabilisticScores, *, least: int = 0) -> tuple[Value, ...]:
    """Names of the item and its scores; with fewer than `least` test cases, their number in place of a score."""
    estimates = tuple(
        f"{say(INSUFFICIENT)}, n = {format_count(each.n)}" if 0 < each.n < least else each
        for each in (scores.unconditional, scores.conditional, scores.total)
    )
    return (*names, *estimates, scores.trials, scores.unscored)


def _scores(
    names: tuple[Column, ...], rows: Sequence[tuple[Value, ...]], whole: Sequence[ProbabilisticScores]
) -> list[Block]:
    """The table of `rows`, with notes on the scores of `whole` runs."""
    columns = (
        *(*names, column("S_u", "estimate"), column("S_c", "estimate"), column("S_t", "estimate")),
        *(column("Trials", "count"), column("Unscored", "count")),
    )
    notes = " ".join(dict.fromkeys(note for scores in whole for note in trials_notes(scores)))
    table = Table(say("Scores over trials"), columns, tuple(rows), (notes,) if notes else ())
    return [Paragraph((say(MEANING),)), table]


def _lowest(of: str, scores: ProbabilisticScores) -> Table:
    lowest = sorted(scores.cases, key=lambda case: case.probability)[:WORST]
    title = say("The {n} lowest of {cases} test cases: {of}", n=len(lowest), cases=len(scores.cases), of=of)
    columns = (
        *(column("Test case"), column("Trials", "count"), column("P(E=1|Q)", "number")),
        *(column("H, expected by people", "number"), column("S_c", "number")),
    )
    rows = tuple((case.test_case, case.trials, case.probability, case.expected, case.agreement) for case in lowest)
    return Table(title, columns, rows)


def diversity_view(found: AnswerDiversity, questions: Mapping[str, str]) -> View:
    """Variation of the answers to one question, and of those to the given questions by test case."""
    means: tuple[tuple[Value, ...], ...] = (
        (say("Share of the most common answer"), Quantity(found.largest, "share")),
        (say("Entropy in bits"), found.entropy),
        (say("Normalised entropy"), found.evenness),
    )
    columns = (column("Answers to one question"), column("Mean over test cases", "estimate"))
    cases = {case.test_case: case for case in found.cases}
    rows = tuple(
        (case.test_case, question, case.trials, case.kinds, case.largest, case.entropy, case.evenness)
        for case, question in ((cases[name], question) for name, question in questions.items())
    )
    of_cases = (
        *(column("Test case"), column("Question"), column("Trials", "count"), column("Distinct answers", "count")),
        *(column("Most common answer", "percent"), column("Entropy in bits", "number")),
        column("Normalised entropy", "number"),
    )
    return View(
        (
            Table(say("How the answers to one question vary"), columns, means, (say(VARYING),)),
            Table(say("Questions, those with the most varied answers first"), of_cases, rows),
        )
    )


def most_varied(found: AnswerDiversity) -> list[str]:
    """The names of the test cases with several trials, those with the most varied answers first."""
    repeated = [case for case in found.cases if case.trials > 1]
    return [case.test_case for case in sorted(repeated, key=lambda case: -case.entropy)]


def variance_view(splits: Sequence[ComponentSplit]) -> View:
    """Variance components of judgements: the share of each source, and the reason where one is not known."""
    return View((*(_split(split) for split in splits), Paragraph((say(METHOD),))))


def _split(split: ComponentSplit) -> Table:
    columns = (
        *(column("Source"), column("Levels", "count"), column("Variance", "number"), column("Share", "share")),
        column("Note"),
    )
    rows = tuple(
        (
            *(say(upper_first(part.name)), part.levels, format_number(part.variance, decimals=4), part.share),
            component_note(part),
        )
        for part in split.components
    )
    return Table(say("Variance of {n} judgements", n=split.n), columns, rows)
