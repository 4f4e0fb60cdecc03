"""Semantic groups from a database: templates filled with values, answered by the database, and worded.

A group is made only if the database has exactly one answer; values with no row, an empty answer or several are counted
and left out. If there are more values than wanted, a random sample is drawn; each case records its inclusion
probability."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from hcat.core.capabilities.grammar.database import Database, Template, Value
from hcat.core.capabilities.grammar.sql_templates import sql_templates
from hcat.core.capabilities.grammar.text_templates import check_templates, patterns_of, worded
from hcat.core.errors import HcatError
from hcat.core.records.samples.right_answers import ANSWERS
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue

DropReason = Literal["no row", "empty answer", "several answers"]
REASONS: tuple[DropReason, ...] = ("no row", "empty answer", "several answers")


@dataclass(frozen=True, slots=True)
class GroupedQuery:
    """One text of a semantic group, with the one answer that the database gives."""

    id: str
    query: str
    reference: str
    group: str
    criterion: str
    template: Template
    values: tuple[str, ...]
    probability: float
    documents: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    """Further right answers, equivalent to the reference."""

    @property
    def value(self) -> str:
        """The values that fill the template, as one text."""
        return " · ".join(self.values)

    @property
    def answers(self) -> tuple[str, ...]:
        """All right answers."""
        return (self.reference, *self.further)

    def test_case(self, sql: str) -> TestCase:
        """The query as a case of a test set."""
        metadata: dict[str, JsonValue] = {"sql": sql, "value": self.value}
        if self.further:
            metadata[ANSWERS] = list(self.answers)
        return TestCase(
            self.id,
            self.query,
            self.reference,
            passages=self.documents,
            probability=self.probability,
            generator="grammar",
            group=self.group,
            dimensions={"criterion": self.criterion, "template": self.template.id, "kind": self.template.kind},
            metadata=metadata,
        )

    def record(self, sql: str) -> dict[str, JsonValue]:
        """The query as a line of a test file."""
        metadata: dict[str, JsonValue] = {"sql": sql, "value": self.value}
        if self.further:
            metadata[ANSWERS] = list(self.answers)
        return {
            "id": self.id,
            "query": self.query,
            "reference": self.reference,
            "group": self.group,
            "probability": self.probability,
            "generator": "grammar",
            "relevant_ids": dict.fromkeys(self.documents, 1),
            "dimensions": {
                "criterion": self.criterion,
                "template": self.template.id,
                "kind": self.template.kind,
            },
            "metadata": metadata,
        }


@dataclass(frozen=True, slots=True)
class TemplateCount:
    """Result of filling a template: `values` is the number of distinct values or of combinations, `groups` the number
    drawn. `dropped` counts the values that gave no group, by reason."""

    template: Template
    values: int
    groups: int
    texts: int
    dropped: Mapping[DropReason, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GroupedQueries:
    cases: tuple[GroupedQuery, ...]
    counts: tuple[TemplateCount, ...]

    @property
    def groups(self) -> int:
        return sum(count.groups for count in self.counts)


def fill_templates(
    database: Database,
    patterns: Mapping[str, Sequence[str]],
    *,
    rng: np.random.Generator,
    most: int | None = None,
    templates: Sequence[Template] | None = None,
    most_answers: int = 1,
) -> GroupedQueries:
    """The semantic groups of these templates, by default of all that the schema allows.

    At most `most` values of each template are drawn, with equal probabilities. A value with more than `most_answers`
    answers is left out; otherwise each of its answers is right. Raises HcatError if the database allows no query, or a
    template has no text for one of the criteria."""
    check_templates({criterion: some for criterion, some in patterns.items() if some})
    chosen = sql_templates(database.schema()) if templates is None else templates
    if not chosen:
        raise HcatError("no table has a column that names its rows and another to ask for: nothing can be asked")
    cases: list[GroupedQuery] = []
    counts: list[TemplateCount] = []
    for template in chosen:
        wordings = {criterion: patterns_of(template, criterion, some) for criterion, some in patterns.items()}
        answered, dropped, values = _answered(database, template, most_answers)
        places = np.arange(len(answered))
        if most is not None and len(answered) > most:
            places = np.sort(rng.choice(len(answered), size=most, replace=False))
        probability = len(places) / len(answered) if answered else 1.0
        texts = [
            text
            for place in places
            for text in _group(template, *answered[place], patterns=wordings, probability=probability)
        ]
        cases += texts
        counts.append(TemplateCount(template, values, len(places), len(texts), dropped))
    return GroupedQueries(tuple(cases), tuple(counts))


Answered = tuple[tuple[Value, ...], tuple[str, ...]]
"""The values that fill a template, and their right answers."""


def _answered(
    database: Database, template: Template, most_answers: int
) -> tuple[list[Answered], dict[DropReason, int], int]:
    """The usable values with their answers, the number of others by reason, and the number of values."""
    answered: list[Answered] = []
    combinations, total = database.combinations(template)
    dropped: dict[DropReason, int] = dict.fromkeys(REASONS, 0) | {"no row": total - len(combinations)}
    for values in combinations:
        answers = database.answers(template, *values)
        stated = tuple(answer for answer in answers if answer is not None)
        if not answers:
            dropped["no row"] += 1
        elif len(answers) > most_answers or (len(answers) > 1 and len(stated) < len(answers)):
            dropped["several answers"] += 1
        elif not stated:
            dropped["empty answer"] += 1
        else:
            answered.append((values, stated))
    return answered, dropped, total


def _group(
    template: Template,
    values: tuple[Value, ...],
    answers: tuple[str, ...],
    *,
    patterns: Mapping[str, Sequence[str]],
    probability: float,
) -> list[GroupedQuery]:
    said = tuple(str(value) for value in values)
    group = hashlib.sha256("\n".join([template.id, *said]).encode()).hexdigest()[:12]
    return [
        GroupedQuery(
            f"{group}-{criterion}-{number}",
            text,
            answers[0],
            group,
            criterion,
            template,
            said,
            probability,
            further=answers[1:],
        )
        for criterion, wordings in patterns.items()
        for number, text in enumerate(worded(template, said, wordings), start=1)
    ]
