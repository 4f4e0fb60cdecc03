"""Databases that semantic groups are made from, the plans of them, and the results of runs of groups."""

from __future__ import annotations

import io
import json
import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from hcat.core.capabilities.grammar.company import write_company
from hcat.core.capabilities.grammar.database import open_database
from hcat.core.capabilities.grammar.documents import row_documents, with_documents, with_statements
from hcat.core.capabilities.grammar.fill import GroupedQueries, fill_templates
from hcat.core.capabilities.grammar.language import Rejected, worded_by_model, written_by_model
from hcat.core.capabilities.grammar.plan import GrammarPlan, TemplateProof, plan_by_rule, prove_plan, read_plan
from hcat.core.capabilities.grammar.schema import Schema
from hcat.core.errors import HcatError
from hcat.core.records.atomic import write_whole
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.test_case import TestCase
from hcat.core.types import Passage
from hcat.dashboard.loaders.uploads import Upload
from hcat.dashboard.loaders.workspace import workspace

Patterns = tuple[tuple[str, tuple[str, ...]], ...]
"""Text templates by criterion, as the key of a cache."""


@st.cache_resource(show_spinner=False)
def _folder() -> Path:
    """Databases that were made here, until the server ends."""
    return Path(tempfile.mkdtemp(prefix="hcat-grammar-"))


@st.cache_resource(scope="session", on_release=shutil.rmtree, show_spinner=False)
def _uploads() -> Path:
    """The database that was uploaded last, until its session ends."""
    return Path(tempfile.mkdtemp(prefix="hcat-grammar-"))


@st.cache_resource(max_entries=4, show_spinner="Making the company …")
def company_file(employees: int, seed: int) -> str:
    """A database of a company that does not exist."""
    path = _folder() / f"company-{employees}-{seed}.sqlite"
    if not path.exists():
        write_company(path, employees=employees, rng=np.random.default_rng(seed))
    return str(path)


def uploaded_database(uploaded: Upload) -> str:
    """The place of an uploaded SQLite file. Raises HcatError where it is none."""
    content = uploaded.getvalue()
    if not content.startswith(b"SQLite format 3\0"):
        raise HcatError(f"{uploaded.name} is no SQLite database: export one, or name a server in the settings")
    path = _uploads() / f"{sha256_of_bytes([content])[:16]}.sqlite"
    if not path.exists():
        for earlier in _uploads().iterdir():
            earlier.unlink()
        write_whole(path, content, private=True)
    return str(path)


@st.cache_resource(max_entries=4, show_spinner="Reading the schema …")
def schema_of(place: str) -> Schema:
    """The tables of a database. Raises HcatError where it can't be read."""
    with open_database(place) as opened:
        return opened.schema()


@st.cache_resource(max_entries=4, show_spinner="Writing the SQL templates …")
def rule_plan(place: str, patterns: Patterns) -> GrammarPlan:
    """The plan by rule."""
    with open_database(place) as opened:
        return plan_by_rule(opened, dict(patterns))


@st.cache_resource(max_entries=16, show_spinner="Proving the SQL templates …")
def proofs(place: str, plan: str) -> tuple[TemplateProof, ...]:
    """The proof of each SQL template of a plan (YAML)."""
    with open_database(place) as opened:
        return prove_plan(opened, read_plan(plan))


def model_plan(
    place: str, patterns: Patterns, *, number: int, description: str = "", requirements: str = ""
) -> tuple[GrammarPlan, tuple[Rejected, ...]]:
    """The plan by the language model of the settings, and those of its texts that can't be used. HcatError without
    one."""
    from hcat.core.models.llm.loading import LANGUAGE, load_language

    model = load_language(workspace().settings)
    if model is None:
        raise HcatError(LANGUAGE.missing)
    with open_database(place) as opened:
        templates, rejected = written_by_model(
            opened, model, number=number, description=description, requirements=requirements
        )
    criteria = [criterion for criterion, _ in patterns]
    plan, unused = worded_by_model(GrammarPlan(templates, dict(patterns)), model, criteria=criteria, number=number)
    return plan, (*rejected, *unused)


@dataclass(frozen=True, eq=False, slots=True)
class FilledPlan:
    """Semantic groups with the documents that state their answers."""

    queries: GroupedQueries
    sql: dict[str, str]
    documents: tuple[Passage, ...]

    def test_file(self) -> bytes:
        """The test cases, as `hcat grammar fill` writes them."""
        records = (case.record(self.sql[case.template.id]) for case in self.queries.cases)
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()

    def test_cases(self) -> tuple[TestCase, ...]:
        """The cases of a test set."""
        return tuple(case.test_case(self.sql[case.template.id]) for case in self.queries.cases)

    def document_archive(self) -> bytes:
        """The documents as Markdown files in a zip archive, the same bytes for the same documents."""
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for passage in self.documents:
                archive.writestr(zipfile.ZipInfo(f"{passage.id}.md"), passage.text)
        return content.getvalue()


@st.cache_resource(max_entries=4, show_spinner="Filling the templates …")
def filled_plan(place: str, plan: str, most: int | None, answers: int, seed: int) -> FilledPlan:
    """The groups of a plan (YAML). Raises HcatError where one of its templates can't be filled."""
    chosen = read_plan(plan)
    with open_database(place) as opened:
        queries = fill_templates(
            opened,
            chosen.criteria,
            rng=np.random.default_rng(seed),
            most=most,
            templates=chosen.templates,
            most_answers=answers,
        )
        pages = with_statements(row_documents(opened), queries)
    return FilledPlan(
        with_documents(queries, pages), {template.id: template.sql for template in chosen.templates}, pages.passages
    )
