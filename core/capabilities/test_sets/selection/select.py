"""Selection of test cases from candidates: each is accepted, or dropped with the first reason that applies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.capabilities.test_sets.selection import duplicates
from hcat.core.capabilities.test_sets.selection.balance import MOST_TIMES_THE_OTHER, surplus
from hcat.core.capabilities.test_sets.selection.corpus_index import CorpusIndex, Ranking
from hcat.core.capabilities.test_sets.selection.evidence import (
    FOUND_WITHIN,
    HOPS_FOUND_WITHIN,
    Problem,
    evidence_text,
    form_problem,
    placement_problem,
)
from hcat.core.capabilities.test_sets.selection.marks import marked
from hcat.core.capabilities.test_sets.selection.question import (
    named_by_heading_only,
    question_problem,
    reference_to_unseen,
)
from hcat.core.capabilities.test_sets.selection.support import entailed, support_by_words
from hcat.core.claims.words import words
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue, Progress

if TYPE_CHECKING:
    from hcat.core.models.nli.entailment import EntailmentModel

SELECTION_SETTINGS: dict[str, JsonValue] = {
    "found_within": FOUND_WITHIN,
    "each_hop_found_within": HOPS_FOUND_WITHIN,
    "duplicate_cosine": duplicates.SAME_MEANING,
    "duplicate_wording": [duplicates.SIMILAR_MEANING, duplicates.SAME_WORDING],
    "more_frequent_answer_at_most": MOST_TIMES_THE_OTHER,
}
"""The thresholds, for documents and records."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that is not accepted as a test case, and the reason."""

    case: TestCase
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The result of a selection: accepted candidates, marked and in their order, and the others."""

    accepted: tuple[TestCase, ...]
    dropped: tuple[Dropped, ...]

    @property
    def examined(self) -> int:
        return len(self.accepted) + len(self.dropped)

    @property
    def reasons(self) -> dict[str, int]:
        """Reason → number of candidates dropped for it, the most frequent first."""
        return dict(Counter(dropped.reason for dropped in self.dropped).most_common())


def select(
    candidates: Iterable[TestCase],
    index: CorpusIndex,
    *,
    entailment: EntailmentModel,
    existing: Sequence[TestCase] = (),
    balanced: bool = True,
    on_progress: Callable[[Progress], None] | None = None,
) -> Selection:
    """Examine candidates, the cheap checks first: the question, its passages, then models, then repetitions.

    `existing` are already accepted test cases: candidates must not repeat them, and are balanced together with them.
    With `balanced` False, the caller balances yes and no, for selection in several steps."""
    cases = list(candidates)
    problems: dict[int, Problem] = {}
    _note(problems, ((place, _cheap_problem(case, index)) for place, case in enumerate(cases)))
    _note(problems, _repeated_words(cases, problems, existing))
    _report(on_progress, 1)
    left = [place for place in range(len(cases)) if place not in problems]
    vectors = index.embed([cases[place].query for place in left])
    rankings = dict(zip(left, index.search([cases[place].query for place in left], vectors), strict=True))
    _note(problems, ((place, placement_problem(cases[place], index, rankings[place])) for place in left))
    _report(on_progress, 2)
    _note(problems, _unsupported(cases, [place for place in left if place not in problems], index, entailment))
    _report(on_progress, 3)
    left = [place for place in left if place not in problems]
    _note(problems, _repeated_meaning(cases, left, index, existing))
    left = [place for place in left if place not in problems]
    if balanced:
        beyond = surplus([cases[place] for place in left], existing=existing)
        _note(problems, ((left[at], Problem("too many with the same answer", word)) for at, word in beyond.items()))
    _report(on_progress, STEPS)
    return _selection(cases, problems, rankings, index)


STEPS = 4


def _selection(
    cases: Sequence[TestCase], problems: dict[int, Problem], rankings: dict[int, Ranking], index: CorpusIndex
) -> Selection:
    accepted = [marked(case, index, rankings[at]) for at, case in enumerate(cases) if at not in problems]
    dropped = [Dropped(cases[at], problem.reason, problem.detail) for at, problem in sorted(problems.items())]
    return Selection(tuple(accepted), tuple(dropped))


def _cheap_problem(case: TestCase, index: CorpusIndex) -> Problem | None:
    unusable = question_problem(case.query)
    if unusable is not None:
        return Problem("no usable question", unusable)
    unseen = reference_to_unseen(case.query)
    if unseen is not None:
        return Problem("does not stand alone", f"“{unseen}”")
    return form_problem(case, index) or _leaning_problem(case, index)


def _leaning_problem(case: TestCase, index: CorpusIndex) -> Problem | None:
    passages = case.passages or case.nearest[:1]
    headings = [index.passages[index.positions[passage]].heading for passage in passages]
    leaning = [named_by_heading_only(case.query, heading) for heading in headings]
    if not leaning or None in leaning:
        return None
    return Problem("does not stand alone", f"only the heading says which: “{leaning[0]}”")


def _repeated_words(
    cases: Sequence[TestCase], problems: dict[int, Problem], existing: Sequence[TestCase]
) -> Iterable[tuple[int, Problem | None]]:
    """Queries with the same words as an earlier one, found before any model is used."""
    earlier = {words(case.query): case.id for case in existing}
    for place, case in enumerate(cases):
        if place in problems:
            continue
        if words(case.query) in earlier:
            yield place, Problem("near-duplicate", f"the same words as {earlier[words(case.query)]}")
        else:
            earlier[words(case.query)] = case.id


def _unsupported(
    cases: Sequence[TestCase], places: Sequence[int], index: CorpusIndex, entailment: EntailmentModel
) -> Iterable[tuple[int, Problem | None]]:
    open_places: list[int] = []
    pairs: list[tuple[str, str]] = []
    for place in places:
        if cases[place].type == "unanswerable":
            continue
        evidence = evidence_text(cases[place], index)
        support = support_by_words(cases[place], evidence)
        if support.problem is not None:
            yield place, Problem("answer not in its passage", support.problem)
        elif support.hypothesis is not None:
            open_places.append(place)
            pairs.append((evidence, support.hypothesis))
    for place, follows in zip(open_places, entailed(pairs, entailment), strict=True):
        if not follows:
            yield place, Problem("answer not in its passage", "it does not follow from the passage")


def _repeated_meaning(
    cases: Sequence[TestCase], places: Sequence[int], index: CorpusIndex, existing: Sequence[TestCase]
) -> Iterable[tuple[int, Problem | None]]:
    all_cases = [*existing, *(cases[place] for place in places)]
    queries = [case.query for case in all_cases]
    repeats = duplicates.near_duplicates(queries, index.embed(queries), first=len(existing))
    for position, earlier in repeats.items():
        yield places[position - len(existing)], Problem("near-duplicate", f"asks the same as {all_cases[earlier].id}")


def _note(problems: dict[int, Problem], results: Iterable[tuple[int, Problem | None]]) -> None:
    for place, problem in results:
        if problem is not None:
            problems.setdefault(place, problem)


def _report(on_progress: Callable[[Progress], None] | None, step: int) -> None:
    if on_progress is not None:
        on_progress(Progress("select", step, STEPS))
