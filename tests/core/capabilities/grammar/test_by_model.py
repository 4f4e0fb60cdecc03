"""SQL templates and text templates by an endpoint: what passes, and what is left out with its reason."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.capabilities.grammar.database import Database, open_database
from hcat.core.capabilities.grammar.language import worded_by_model, written_by_model
from hcat.core.capabilities.grammar.plan import GrammarPlan
from hcat.core.capabilities.grammar.written_template import WrittenTemplate
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from tests.core.capabilities.grammar.test_plans import SCRIPT
from tests.core.models.llm.instruct import instruct_model
from tests.core.models.llm.scripted import Answer, Asked, endpoint

INDUSTRY = "SELECT industry FROM company WHERE name = '[company.name]'"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with sqlite3.connect(tmp_path / "db.sqlite") as connection:
        connection.executescript(SCRIPT)
    connection.close()
    with open_database(str(tmp_path / "db.sqlite")) as opened:
        yield opened


def answer(asked: Asked) -> Answer:
    if asked.prompt == "grammar_sql_templates":
        if asked.data["about"] != "company":
            return {"templates": []}
        said = [INDUSTRY, "SELECT * FROM company WHERE name = '[company.name]'", "DROP TABLE company", INDUSTRY]
        return {"templates": [{"sql": sql, "question": "industry", "subject": "company"} for sql in said]}
    return {
        "texts": [
            "Which industry is '[company.name]' in?",
            "Which industry?",
            "Which industry is '[company.name]' in?",
            "In '[company.name]' or '[people.name]'?",
            f"'[company.name]' {'really ' * 20}?",
        ]
    }


def test_what_a_model_writes_is_proved_like_what_people_write(database: Database) -> None:
    with endpoint(answer) as server:
        model = OpenAILanguage(name="m", base_url=server.url, limits=Limits(timeout=120.0, attempts=1))
        templates, rejected = written_by_model(database, model, number=4)
        [template] = templates
        assert template == WrittenTemplate(INDUSTRY, "industry", "company", origin="language model")
        assert [each.reason for each in rejected] == [
            "select one column, the answer; this selects *",
            "the SQL has no placeholder: name a value as '[table.column]' in WHERE",
            "asks the same as another",
        ]
        plan, unused = worded_by_model(GrammarPlan(templates, {"short": ()}), model, criteria=["short"], number=5)
    assert plan.templates[0].texts == {"short": ("Which industry is '[company.name]' in?",)}
    assert [each.reason for each in unused] == [
        "lacks [company.name]",
        "the same text twice",
        "names [people.name], which the SQL does not",
        "22 words are not short",
    ]
    sent = " ".join(str(asked.body) for asked in server.asked)
    assert "Acme" not in sent  # names of tables and columns alone


def test_a_description_and_requirements_reach_the_model(database: Database) -> None:
    with endpoint(answer) as server:
        model = OpenAILanguage(name="m", base_url=server.url, limits=Limits(timeout=120.0, attempts=1))
        written_by_model(database, model, number=4, description="Firms of a bank. ", requirements="No industries.")
        first = server.asked[0].data
        assert first["description"] == "Firms of a bank." and first["requirements"] == "No industries."
        written_by_model(database, model, number=4)
        assert not {"description", "requirements"} & set(server.asked[-1].data)


def test_an_endpoint_that_fails_is_said(database: Database) -> None:
    with endpoint(lambda asked: "no JSON") as server:
        model = OpenAILanguage(name="m", base_url=server.url, limits=Limits(timeout=120.0, attempts=1))
        templates, rejected = written_by_model(database, model, number=4)
    assert templates == ()
    assert all("not JSON" in each.reason for each in rejected)


@pytest.mark.llm
def test_a_real_model_words_an_sql_template() -> None:
    plan = GrammarPlan((WrittenTemplate(INDUSTRY, "industry", "company"),), {"casual": ()})
    worded, unused = worded_by_model(plan, instruct_model(requests=1, tokens=120), criteria=["casual"], number=2)
    texts = worded.templates[0].texts.get("casual", ())
    assert texts or unused
    assert all("[company.name]" in text for text in texts)
