"""Semantic groups of a run, in words, and their documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from core.display.numbers import counted, format_count, format_estimate, format_with_interval
from core.records.codec import JSON
from core.testgen.grammar.answers import VerdictSource
from core.testgen.grammar.evaluation import GrammarDifference, GrammarEvaluation
from core.testgen.grammar.fill import GroupedQueries, TemplateCount
from core.types import Estimate, JsonValue

VERDICTS: Mapping[VerdictSource, str] = {
    "labels": "Right and wrong by the labels.",
    "recorded": "Right and wrong by the verdicts in the run files (judgement).",
    "verbatim": "Right where the answer holds a right answer word by word: a rule, not a person.",
}


def grammar_notes(evaluations: Mapping[str, GrammarEvaluation], *, verdicts: VerdictSource) -> tuple[str, ...]:
    """What the numbers rest on, and what is left out."""
    notes = [
        VERDICTS[verdicts],
        "R leaves out gap groups, where nothing was answered right: they tell what the system doesn't know, not how it "
        "takes a wording. All intervals are of 95% and keep groups whole.",
    ]
    for name, found in evaluations.items():
        left_out = [(found.unjudged, "without a verdict"), (found.ungrouped, "without a semantic group")]
        said = [f"{counted(n, 'sample')} {what}" for n, what in left_out if n]
        if said:
            notes.append(f"{name}: {' and '.join(said)} left out.")
    if any(found.attribution.total for found in evaluations.values()):
        notes.append(
            "A wrong answer is put down to the language model only where a right answer of its group had the same "
            "documents and they state the truth. Undecided means that no such witness was found."
        )
    if any(found.right_without_document.n for found in evaluations.values()):
        notes.append(
            "An answer that is right without its document was known to the model, or guessed: it tells nothing of "
            "retrieval."
        )
    return tuple(notes)


def evaluation_rows(evaluations: Mapping[str, GrammarEvaluation]) -> list[tuple[str, ...]]:
    """The numbers of each run side by side, a row a number."""
    rows: tuple[tuple[str, Callable[[GrammarEvaluation], str]], ...] = (
        ("groups", lambda run: format_count(run.groups.total)),
        ("  gap: nothing right", lambda run: format_count(run.groups.gap)),
        ("  robust: all right", lambda run: format_count(run.groups.robust)),
        ("  non-robust: some right", lambda run: format_count(run.groups.non_robust)),
        ("accuracy", lambda run: _shown(run.accuracy)),
        ("R: accuracy outside gap groups", lambda run: _shown(run.robustness)),
        ("groups that are no gap", lambda run: _shown(run.knowledge)),
        ("documents found", lambda run: _shown(run.retrieval_accuracy)),
        ("documents found, no gap groups", lambda run: _shown(run.retrieval_robustness)),
        ("right without the document", lambda run: _shown(run.right_without_document)),
        ("wrong by the language model / retrieval / undecided", lambda run: _modules(run)),
    )
    return [(name, *(shown(run) for run in evaluations.values())) for name, shown in rows]


def _modules(found: GrammarEvaluation) -> str:
    """Of the wrong answers in non-robust groups."""
    counts = found.attribution
    return f"{counts.language_model} / {counts.retrieval} / {counts.undecided}"


def _shown(estimate: Estimate) -> str:
    return format_estimate(estimate) if estimate.n else "not known"


def difference_sentence(difference: GrammarDifference, estimate: Estimate, *, what: str) -> str:
    """ "R, short less long: +0.117 [0.021, 0.213]: higher in short."."""
    subject = f"{what}, {difference.first} less {difference.second}"
    if math.isnan(estimate.value):
        return f"{subject}: nothing to compare"
    shown = f"{subject}: {format_with_interval(estimate, signed=True)}"
    if math.isnan(estimate.low):
        return f"{shown}: too few groups for an interval"
    if estimate.low <= 0 <= estimate.high:
        return f"{shown}: no evidence of a difference"
    return f"{shown}: {'higher' if estimate.value > 0 else 'lower'} in {difference.first}"


def grammar_document(
    evaluations: Mapping[str, GrammarEvaluation], differences: Sequence[GrammarDifference]
) -> dict[str, JsonValue]:
    """`runs` by name and `differences`, as JSON."""
    return {
        "runs": {name: _run(found) for name, found in evaluations.items()},
        "differences": [
            {
                "a": difference.first,
                "b": difference.second,
                "R": JSON.write(difference.robustness),
                "accuracy": JSON.write(difference.accuracy),
            }
            for difference in differences
        ],
    }


COUNT_COLUMNS = ("SQL template", "Values", "Groups", "Queries", "No row", "Empty answer", "Several answers")


def count_cells(count: TemplateCount) -> tuple[str | int, ...]:
    """What became of a template: a row of the table of counts (GRAMMAR, tables 4 and 5)."""
    return (count.template.id, count.values, count.groups, count.texts, *count.dropped.values())


def counts_document(
    queries: GroupedQueries, patterns: Mapping[str, Sequence[str]], sql: Mapping[str, str]
) -> dict[str, JsonValue]:
    """How many templates, groups and queries were made, and what became of each template, as JSON."""
    return {
        "queries": len(queries.cases),
        "groups": queries.groups,
        "text_templates": {name: len(some) for name, some in patterns.items()},
        "sql_templates": [
            {
                "id": count.template.id,
                "kind": count.template.kind,
                "sql": sql[count.template.id],
                "values": count.values,
                "groups": count.groups,
                "queries": count.texts,
                "dropped": {reason: n for reason, n in count.dropped.items() if n},
            }
            for count in queries.counts
        ],
    }


def _run(found: GrammarEvaluation) -> dict[str, JsonValue]:
    groups, attribution = found.groups, found.attribution
    return {
        "groups": {
            "gap": groups.gap,
            "robust": groups.robust,
            "non_robust": groups.non_robust,
            "total": groups.total,
        },
        "accuracy": JSON.write(found.accuracy),
        "R": JSON.write(found.robustness),
        "knowledge": JSON.write(found.knowledge),
        "retrieval_accuracy": JSON.write(found.retrieval_accuracy),
        "retrieval_R": JSON.write(found.retrieval_robustness),
        "right_without_document": JSON.write(found.right_without_document),
        "attribution": {
            "language_model": attribution.language_model,
            "retrieval": attribution.retrieval,
            "undecided": attribution.undecided,
        },
        "unjudged": found.unjudged,
        "ungrouped": found.ungrouped,
    }
