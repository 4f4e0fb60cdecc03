"""Semantic groups of a run, in words, and their documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from hcat.core.capabilities.grammar.answers import VerdictSource
from hcat.core.capabilities.grammar.differences import GrammarDifference, GroupDifference
from hcat.core.capabilities.grammar.evaluation import GrammarEvaluation
from hcat.core.capabilities.grammar.fill import GroupedQueries, TemplateCount
from hcat.core.capabilities.grammar.group_rows import GroupKind, GroupRow
from hcat.core.display.numbers import (
    counted,
    format_count,
    format_difference,
    format_estimate,
    format_percent,
    format_with_interval,
    p_value_text,
)
from hcat.core.records.codec import JSON
from hcat.core.types import Estimate, JsonValue

VERDICTS: Mapping[VerdictSource, str] = {
    "labels": "Right and wrong by the labels.",
    "recorded": "Right and wrong by the verdicts in the run files (judgement).",
    "verbatim": "Right where the answer holds a right answer word by word: a rule, not a person.",
}


def grammar_notes(evaluations: Mapping[str, GrammarEvaluation], *, verdicts: VerdictSource) -> tuple[str, ...]:
    """Notes on the basis of the numbers, and on samples that are left out."""
    notes = [
        VERDICTS[verdicts],
        "R leaves out gap groups, where nothing was answered right: they show what the system doesn't know, not how it "
        "takes a wording. All intervals keep groups whole; those of the table are of 95%.",
        "Runs are compared on common groups. If no two runs differ, any difference is shown in at most 5% of cases "
        "(Holm over R and accuracy of all pairs of runs); each interval is of the level that decided.",
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
    """Attribution of the wrong answers in non-robust groups: to the language model, to retrieval, or undecided."""
    counts = found.attribution
    return f"{counts.language_model} / {counts.retrieval} / {counts.undecided}"


def _shown(estimate: Estimate) -> str:
    return format_estimate(estimate) if estimate.n else "not known"


def difference_sentences(difference: GrammarDifference) -> tuple[str, str]:
    """Sentences on the differences of R and of accuracy, such as "R, short less long, on 40 groups that both answer:
    +0.030 [−0.016, 0.076], …"."""
    robust, names = difference.robustness, (difference.first, difference.second)
    alone = ", ".join(
        f"{name} alone answers {format_count(n)}"
        for name, n in zip(names, (difference.only_first, difference.only_second), strict=True)
    )
    published = "" if math.isnan(difference.published) else (
        f" Each on its own groups, as in the source, the two R differ by {format_difference(difference.published)}: "
        "that also rises where a run fails groups altogether."
    )  # fmt: skip
    return (
        f"R, {_judged(difference, robust, 'that both answer')}; {alone}.{published}",
        f"Accuracy, {_judged(difference, difference.accuracy, 'that both were asked')}.",
    )


def _judged(difference: GrammarDifference, made: GroupDifference, which: str) -> str:
    estimate = made.estimate
    subject = f"{difference.first} less {difference.second}, on {counted(estimate.n, 'group')} {which}"
    if math.isnan(estimate.value):
        return f"{subject}: nothing to compare"
    shown = f"{subject}: {format_with_interval(estimate, signed=True)}"
    if made.verdict == "too few groups":
        return f"{shown}: too few groups to conclude anything"
    shown = f"{shown} at {format_percent(estimate.level)}, {p_value_text('p', made.p_holm)} by Holm"
    if made.verdict == "not shown":
        return f"{shown}: no difference is shown"
    return f"{shown}: {made.verdict} in {difference.first}"


def grammar_document(
    evaluations: Mapping[str, GrammarEvaluation],
    differences: Sequence[GrammarDifference],
    *,
    rows: Mapping[str, Sequence[GroupRow]],
) -> dict[str, JsonValue]:
    """`runs` by name and `differences`, as JSON: "R" is of groups that both answer, "R_published" of each run's.

    `rows` are the groups of each run. Groups that are a gap or not robust have their first query and right answer,
    since a gap shows a lack of the corpus (GRAMMAR 2.4)."""
    return {
        "runs": {name: {**_run(found), "listed": _listed(rows[name])} for name, found in evaluations.items()},
        "differences": [
            {
                "a": difference.first,
                "b": difference.second,
                "R": JSON.write(difference.robustness.estimate),
                "accuracy": JSON.write(difference.accuracy.estimate),
                "R_test": _test(difference.robustness),
                "accuracy_test": _test(difference.accuracy),
                "R_published": difference.published,
                "groups_only_a": difference.only_first,
                "groups_only_b": difference.only_second,
            }
            for difference in differences
        ],
    }


def _listed(rows: Sequence[GroupRow]) -> JsonValue:
    """The groups that are a gap, then those that are not robust, each in the order of the run."""
    kinds: dict[str, GroupKind] = {"gap": "gap", "non_robust": "non-robust"}
    return {name: [_listed_group(row) for row in rows if row.kind == kind] for name, kind in kinds.items()}


def _listed_group(row: GroupRow) -> JsonValue:
    return {
        "group": row.group,
        "query": row.query,
        "reference": row.reference,
        "right": row.right,
        "n": row.n,
        "sample_ids": list(row.sample_ids),
    }


def _test(made: GroupDifference) -> dict[str, JsonValue]:
    return {"p": made.p, "p_holm": made.p_holm, "verdict": made.verdict}


COUNT_COLUMNS = ("SQL template", "Values", "Groups", "Queries", "No row", "Empty answer", "Several answers")


def count_cells(count: TemplateCount) -> tuple[str | int, ...]:
    """Row of the table of counts for one template: its ID, values, groups, texts, and texts dropped by reason (GRAMMAR,
    tables 4 and 5)."""
    return (count.template.id, count.values, count.groups, count.texts, *count.dropped.values())


def counts_document(
    queries: GroupedQueries, patterns: Mapping[str, Sequence[str]], sql: Mapping[str, str]
) -> dict[str, JsonValue]:
    """Numbers of templates, groups and queries, and the counts for each template, as JSON."""
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
