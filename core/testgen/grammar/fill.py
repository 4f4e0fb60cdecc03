"""Semantic groups from a database: templates filled with values, answered by the database, and worded.

A group is made only where the database has one answer: no row, an empty one or several are counted and left out. Of
more values than wanted some are drawn; the chance to be drawn travels with each case.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.errors import HcatError
from core.testgen.grammar.database import Database
from core.testgen.grammar.sql_templates import SqlTemplate, sql_templates
from core.testgen.grammar.text_templates import check_templates, worded
from core.types import JsonValue

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
    template: SqlTemplate
    value: str
    probability: float
    documents: tuple[str, ...] = ()

    def record(self, sql: str) -> dict[str, JsonValue]:
        """As a line of a test file."""
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
            "metadata": {"sql": sql, "value": self.value},
        }


@dataclass(frozen=True, slots=True)
class TemplateCount:
    """What became of a template: DISTINCT values, groups drawn, and why values gave none."""

    template: SqlTemplate
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
    templates: Sequence[SqlTemplate] | None = None,
) -> GroupedQueries:
    """The semantic groups of these templates, by default of all that the schema allows.

    At most `most` values of each template are taken, drawn with equal chances. Raises HcatError where nothing can be
    asked of the database.
    """
    check_templates(patterns)
    chosen = sql_templates(database.schema()) if templates is None else templates
    if not chosen:
        raise HcatError("no table has a column that names its rows and another to ask for: nothing can be asked")
    cases: list[GroupedQuery] = []
    counts: list[TemplateCount] = []
    for template in chosen:
        answered, dropped, values = _answered(database, template)
        places = np.arange(len(answered))
        if most is not None and len(answered) > most:
            places = np.sort(rng.choice(len(answered), size=most, replace=False))
        probability = len(places) / len(answered) if answered else 1.0
        texts = [
            text
            for place in places
            for text in _group(template, *answered[place], patterns=patterns, probability=probability)
        ]
        cases += texts
        counts.append(TemplateCount(template, values, len(places), len(texts), dropped))
    return GroupedQueries(tuple(cases), tuple(counts))


def _answered(database: Database, template: SqlTemplate) -> tuple[list[tuple[str, str]], dict[DropReason, int], int]:
    """Value and answer of each value that has one, why others have none, and how many values there are."""
    answered: list[tuple[str, str]] = []
    dropped: dict[DropReason, int] = dict.fromkeys(REASONS, 0)
    values = database.values(template)
    for value in values:
        answers = database.answers(template, value)
        [first, *more] = answers or (None,)
        if first is not None and not more:
            answered.append((str(value), first))
        elif not answers:
            dropped["no row"] += 1
        else:
            dropped["several answers" if more else "empty answer"] += 1
    return answered, dropped, len(values)


def _group(
    template: SqlTemplate,
    value: str,
    answer: str,
    *,
    patterns: Mapping[str, Sequence[str]],
    probability: float,
) -> list[GroupedQuery]:
    group = hashlib.sha256(f"{template.id}\n{value}".encode()).hexdigest()[:12]
    return [
        GroupedQuery(f"{group}-{criterion}-{number}", text, answer, group, criterion, template, value, probability)
        for criterion, wordings in patterns.items()
        for number, text in enumerate(worded(template, value, wordings), start=1)
    ]
