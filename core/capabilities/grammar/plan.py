"""A plan of semantic groups: SQL templates and text templates in a YAML file, for people to edit between the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.grammar.database import Database
from hcat.core.capabilities.grammar.sql_templates import sql_templates
from hcat.core.capabilities.grammar.text_templates import check_templates, patterns_of
from hcat.core.capabilities.grammar.written_template import WrittenTemplate
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.file_limits import parse_yaml


@dataclass(frozen=True, slots=True)
class GrammarPlan:
    """`criteria` are the text templates for all SQL templates, by criterion; an SQL template may have its own."""

    templates: tuple[WrittenTemplate, ...]
    criteria: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TemplateProof:
    """Whether an SQL template can be filled: the number of values or combinations, or the problem."""

    template: WrittenTemplate
    combinations: int
    problem: str = ""


def plan_by_rule(database: Database, criteria: Mapping[str, Sequence[str]]) -> GrammarPlan:
    """All templates that the schema allows by rule, as SQL to be edited."""
    templates = tuple(database.written(template) for template in sql_templates(database.schema()))
    return GrammarPlan(templates, {name: tuple(some) for name, some in criteria.items()})


def prove_plan(database: Database, plan: GrammarPlan) -> tuple[TemplateProof, ...]:
    """The proof of each SQL template, with its texts for each criterion."""
    check_templates({criterion: some for criterion, some in plan.criteria.items() if some})
    return tuple(_proof(database, template, plan) for template in plan.templates)


def _proof(database: Database, template: WrittenTemplate, plan: GrammarPlan) -> TemplateProof:
    try:
        combinations, _ = database.combinations(template)
        for criterion, patterns in plan.criteria.items():
            patterns_of(template, criterion, patterns)
    except HcatError as error:
        return TemplateProof(template, 0, str(error))
    return TemplateProof(template, len(combinations))


def plan_yaml(plan: GrammarPlan) -> str:
    """The plan as a file."""
    import yaml

    content = {
        "criteria": {name: list(patterns) for name, patterns in plan.criteria.items()},
        "sql_templates": [_written(template) for template in plan.templates],
    }
    text: str = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)
    return text


def read_plan(text: str, *, name: str = "the plan") -> GrammarPlan:
    """The inverse of `plan_yaml`. Raises FileFormatError with the problem and its place."""
    content = parse_yaml(text, name=name)
    if not isinstance(content, dict) or set(content) - {"criteria", "sql_templates"}:
        raise FileFormatError(f"{name}: expected criteria and sql_templates, as `hcat grammar build` writes them")
    criteria = _texts(content.get("criteria") or {}, f"{name}: criteria")
    listed = content.get("sql_templates") or []
    if not isinstance(listed, list):
        raise FileFormatError(f"{name}: sql_templates: expected a list")
    templates = tuple(_template(row, f"{name}: sql_templates, {place}") for place, row in enumerate(listed, start=1))
    if len({template.id for template in templates}) < len(templates):
        raise FileFormatError(f"{name}: two SQL templates have the same name, or the same SQL: leave one out")
    own = {criterion: () for template in templates for criterion in template.texts}
    return GrammarPlan(templates, {**own, **criteria})


def _written(template: WrittenTemplate) -> dict[str, object]:
    fields: dict[str, object] = {
        "name": template.name,
        "sql": template.sql,
        "question": template.question,
        "subject": template.subject,
        "origin": template.origin,
        "texts": {name: list(patterns) for name, patterns in template.texts.items()},
    }
    return {name: value for name, value in fields.items() if value}


def _template(row: object, at: str) -> WrittenTemplate:
    row = {"sql": row} if isinstance(row, str) else row
    if not isinstance(row, dict) or not isinstance(row.get("sql"), str):
        raise FileFormatError(f"{at}: expected an object with sql")
    if unknown := set(row) - {"name", "sql", "question", "subject", "origin", "texts"}:
        raise FileFormatError(
            f"{at}: {min(map(str, unknown))} is not known: it may have name, question, subject, texts"
        )
    told = {name: str(row[name]) for name in ("name", "question", "subject", "origin") if row.get(name) is not None}
    return WrittenTemplate(row["sql"], texts=_texts(row.get("texts") or {}, f"{at}: texts"), **told)


def _texts(value: object, at: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict) or not all(isinstance(patterns, list) for patterns in value.values()):
        raise FileFormatError(f"{at}: expected criterion and a list of text templates")
    return {str(criterion): tuple(str(pattern) for pattern in patterns) for criterion, patterns in value.items()}
