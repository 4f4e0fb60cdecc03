"""SQL templates and text templates by a language model. Only names of tables and columns are sent, no values.

Its output passes the same proof as templates written by people; invalid ones are left out with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hcat.core.capabilities.grammar.database import Database
from hcat.core.capabilities.grammar.plan import GrammarPlan
from hcat.core.capabilities.grammar.schema import Schema, Table
from hcat.core.capabilities.grammar.written_template import WrittenTemplate, missing_places
from hcat.core.errors import HcatError
from hcat.core.models.llm.language import LanguageModel, Reply, Request, ask_all
from hcat.core.prompts import load_prompt
from hcat.core.types import JsonValue

STYLES: Mapping[str, str] = {
    "short": "at most 12 words",
    "long": "at least 25 words, with an introduction",
    "formal": "formal and polite",
    "casual": "casual, as in a chat",
    "interrogative": "a question that ends with a question mark",
    "directive": "a request in the imperative, without a question mark",
}
"""Description of each criterion for the model; other criteria are described by their name."""

MOST_WORDS, FEWEST_WORDS = 18, 20
"""Maximum words of a short text and minimum words of a long one; texts that ask for less than the style are left
out."""

_SQL_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "templates": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {name: {"type": "string"} for name in ("sql", "question", "subject")},
                "required": ["sql", "question", "subject"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["templates"],
    "additionalProperties": False,
}
_TEXT_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {"texts": {"type": "array", "items": {"type": "string"}}},
    "required": ["texts"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Rejected:
    """Unusable output of a model, and the reason; the text is empty if there was no answer."""

    text: str
    reason: str


def written_by_model(
    database: Database, model: LanguageModel, *, number: int, description: str = "", requirements: str = ""
) -> tuple[tuple[WrittenTemplate, ...], tuple[Rejected, ...]]:
    """SQL templates that pass the proof, `number` requested for each table with named rows, and the rejected ones.

    `description` describes the contents of the database, `requirements` the desired questions. Source: GRAMMAR 2.1 (the
    verbal description of the generator) and appendix B (specific requirements)."""
    schema = database.schema()
    named = [table for table in schema.tables if table.subject is not None]
    prompt = load_prompt("grammar_sql_templates")
    words = {"description": description.strip(), "requirements": requirements.strip()}
    said: dict[str, JsonValue] = {name: text for name, text in words.items() if text}
    requests = [
        Request(prompt, {"tables": _described(schema), "about": table.name, "number": number, **said}, _SQL_SCHEMA)
        for table in named
    ]
    accepted: dict[str, WrittenTemplate] = {}
    rejected: list[Rejected] = []
    for reply in ask_all(model, requests):
        for row in _items(reply, "templates", rejected):
            template = _template(row)
            try:
                database.prove(template)
            except HcatError as error:
                rejected.append(Rejected(template.sql, str(error)))
                continue
            if template.id in accepted:
                rejected.append(Rejected(template.sql, "asks the same as another"))
            accepted.setdefault(template.id, template)
    return tuple(accepted.values()), tuple(rejected)


def worded_by_model(
    plan: GrammarPlan, model: LanguageModel, *, criteria: Sequence[str], number: int
) -> tuple[GrammarPlan, tuple[Rejected, ...]]:
    """The plan with texts for its SQL templates by criterion, and the rejected ones. Templates without new texts are
    unchanged."""
    prompt = load_prompt("grammar_text_templates")
    asked = [(template, criterion) for template in plan.templates for criterion in criteria]
    requests = [Request(prompt, _asked(template, criterion, number), _TEXT_SCHEMA) for template, criterion in asked]
    rejected: list[Rejected] = []
    texts: dict[str, dict[str, tuple[str, ...]]] = {}
    for (template, criterion), reply in zip(asked, ask_all(model, requests), strict=True):
        usable: dict[str, None] = {}
        for item in _items(reply, "texts", rejected):
            text = " ".join(str(item).split())
            if reason := _unusable(template, criterion, text, usable):
                rejected.append(Rejected(text, reason))
            else:
                usable[text] = None
        if usable:
            texts.setdefault(template.id, {})[criterion] = tuple(usable)
    templates = tuple(
        replace(template, texts={**template.texts, **texts.get(template.id, {})}) for template in plan.templates
    )
    return replace(plan, templates=templates), tuple(rejected)


def _template(row: JsonValue) -> WrittenTemplate:
    fields = row if isinstance(row, dict) else {}
    sql, question, subject = (str(fields.get(name, "")).strip() for name in ("sql", "question", "subject"))
    return WrittenTemplate(sql, question, subject, origin="language model")


def _described(schema: Schema) -> list[JsonValue]:
    return [_table(table) for table in schema.tables]


def _table(table: Table) -> JsonValue:
    return {
        "name": table.name,
        "columns": [{"name": column.name, "kind": column.kind} for column in table.columns],
        "references": [
            {"columns": list(reference.columns), "table": reference.table, "their": list(reference.their_columns)}
            for reference in table.references
        ],
    }


def _asked(template: WrittenTemplate, criterion: str, number: int) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {
        "sql": template.sql,
        "question": template.question,
        "subject": template.subject,
        "placeholders": [str(place) for place in template.places],
        "style": STYLES.get(criterion, criterion),
        "number": number,
    }
    return {name: value for name, value in told.items() if value}


def _unusable(template: WrittenTemplate, criterion: str, text: str, usable: Mapping[str, None]) -> str:
    """The reason why a text can't be used; empty if it can."""
    if wrong := missing_places(text, template.places):
        return wrong[0]
    if text in usable:
        return "the same text twice"
    length = len(text.split())
    if criterion == "short" and length > MOST_WORDS:
        return f"{length} words are not short"
    if criterion == "long" and length < FEWEST_WORDS:
        return f"{length} words are not long"
    return ""


def _items(reply: Reply, name: str, rejected: list[Rejected]) -> list[JsonValue]:
    if reply.content is None:
        rejected.append(Rejected("", reply.reason or "no answer"))
        return []
    listed = reply.content[name]
    return listed if isinstance(listed, list) else []
