"""Documents that state the contents of a database, one for each named row, so that a system can be tested on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hcat.core.capabilities.grammar.database import Database
from hcat.core.capabilities.grammar.fill import GroupedQueries, GroupedQuery
from hcat.core.capabilities.grammar.schema import Schema, Table, plural
from hcat.core.capabilities.grammar.sql_templates import SqlTemplate, sql_templates
from hcat.core.capabilities.grammar.support import states_answer
from hcat.core.capabilities.grammar.written_template import Place, WrittenTemplate
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import Passage

MOST_NAMED = 12
"""A profile names the rows of a table that has at most this many."""
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class RowDocuments:
    """Documents, and which of them describes a row, by table (in lower case) and name."""

    passages: tuple[Passage, ...]
    by_row: dict[tuple[str, str], str]

    def needed(self, case: GroupedQuery) -> tuple[str, ...]:
        """The document that states the answer: that of the row that the query names first."""
        names = (self.by_row.get((place.table.casefold(), value)) for place, value in _named(case))
        return tuple(dict.fromkeys(name for name in names if name is not None))[:1]


def with_statements(documents: RowDocuments, queries: GroupedQueries) -> RowDocuments:
    """The documents with a line for each answer to a written template that no line states yet."""
    texts = {passage.id: passage.text for passage in documents.passages}
    for case in {case.group: case for case in queries.cases}.values():
        for name in documents.needed(case):
            values, stated = case.values, [answer for answer in case.answers if states_answer(texts[name], [answer])]
            if len(stated) == len(case.answers) and all(states_answer(texts[name], [value]) for value in values):
                continue
            asked = getattr(case.template, "question", "") or case.template.id
            texts[name] += f"{asked[:1].upper()}{asked[1:]} ({', '.join(values)}): {', '.join(case.answers)}.\n"
    passages = tuple(replace(passage, text=texts[passage.id]) for passage in documents.passages)
    return replace(documents, passages=passages)


def _named(case: GroupedQuery) -> Iterator[tuple[Place, str]]:
    """The columns by which a query names rows, with the values."""
    template = case.template
    places = (
        template.places
        if isinstance(template, WrittenTemplate)
        else (Place(template.subject_table, template.subject_column),)
    )
    return zip(places, case.values, strict=True)


def row_documents(database: Database, *, prose: bool = False) -> RowDocuments:
    """A document for each named row: its own columns, those of rows that it refers to, and rows that refer to it.

    Facts with several answers or none are left out. Rows with the same name share a document. With `prose`, each is a
    report in paragraphs, and a profile gives the number of rows of each kind, and their names if few (GRAMMAR, appendix
    G)."""
    schema = database.schema()
    passages: list[Passage] = []
    by_row: dict[tuple[str, str], str] = {}
    for table in schema.tables:
        templates = [template for template in sql_templates(schema) if template.subject_table == table.name]
        for value in _names(database, table):
            name = _UNSAFE.sub("-", f"{table.name}-{value}").strip("-").lower()
            while name in {passage.id for passage in passages}:
                name += "-2"
            passages.append(Passage(name, _text(database, table, value, templates, prose=prose)))
            by_row[table.name.casefold(), value] = name
    if prose:
        passages.append(Passage("profile", _profile(database, schema)))
    return RowDocuments(tuple(passages), by_row)


def with_documents(queries: GroupedQueries, documents: RowDocuments) -> GroupedQueries:
    """The queries, each with the document that it needs."""
    return replace(queries, cases=tuple(replace(case, documents=documents.needed(case)) for case in queries.cases))


def _names(database: Database, table: Table) -> Iterator[str]:
    if table.subject is None:
        return
    names = (name for (name,) in database.rows(table.name, [table.subject]))
    yield from dict.fromkeys(name for name in names if name is not None)


def _text(database: Database, table: Table, value: str, templates: Sequence[SqlTemplate], *, prose: bool) -> str:
    facts: list[tuple[SqlTemplate, str]] = []
    for template in templates:
        answers = database.answers(template, value)
        if len(answers) == 1 and (answer := answers[0]) is not None:
            facts.append((template, answer))
    if prose:
        return _report(table, value, facts)
    lines = [f"# {value}", "", f"This page is about the {table.noun} {value}."]
    lines += [f"The {template.question} of {value} is {answer}." for template, answer in facts]
    return "\n".join(lines) + "\n"


_SENTENCES = (
    "The {question} of {value} is {answer}.",
    "Its {question} is {answer}.",
    "As its {question}, the records give {answer}.",
    "For the {question}, {answer} is on file.",
)


def _report(table: Table, value: str, facts: Sequence[tuple[SqlTemplate, str]]) -> str:
    """The facts in paragraphs: of the row itself, then of each related row. The wording rotates from a start determined
    by the name, so that documents vary but are reproducible."""
    paragraphs: dict[str, list[str]] = {table.name: [f"This report is about the {table.noun} {value}."]}
    start = int(sha256_of_text(value)[:8], 16)
    for place, (template, answer) in enumerate(facts):
        pattern = _SENTENCES[(start + place) % len(_SENTENCES)]
        said = pattern.format(question=template.question, value=value, answer=answer)
        paragraphs.setdefault(template.target_table, []).append(said)
    return f"# Report on the {table.noun} {value}\n\n" + "\n\n".join(map(" ".join, paragraphs.values())) + "\n"


def _profile(database: Database, schema: Schema) -> str:
    lines = ["# Profile", ""]
    for table in schema.tables:
        lines.append(f"There are {table.rows} {plural(table.noun) if table.rows != 1 else table.noun} on record.")
        names = list(_names(database, table))
        if 0 < len(names) <= MOST_NAMED:
            lines[-1] += f" They are {', '.join(names)}."
    return "\n".join(lines) + "\n"
