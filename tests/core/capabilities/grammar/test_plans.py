"""Written SQL templates: what the proof lets pass, how they are filled, and the plan's file."""

from __future__ import annotations

import resource
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.grammar.database import Database, open_database
from hcat.core.capabilities.grammar.documents import row_documents, with_documents, with_statements
from hcat.core.capabilities.grammar.fill import fill_templates
from hcat.core.capabilities.grammar.plan import GrammarPlan, plan_by_rule, plan_yaml, prove_plan, read_plan
from hcat.core.capabilities.grammar.support import states_answer, supports_answer
from hcat.core.capabilities.grammar.text_templates import TEXT_TEMPLATES
from hcat.core.capabilities.grammar.written_template import Place, WrittenTemplate
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.types import Sample

SCRIPT = """
CREATE TABLE company (company_id INTEGER PRIMARY KEY, name TEXT, industry TEXT, city TEXT);
CREATE TABLE people (people_id INTEGER PRIMARY KEY, name TEXT, nationality TEXT);
CREATE TABLE employment (
    company_id INTEGER REFERENCES company (company_id), people_id INTEGER REFERENCES people (people_id), years INTEGER
);
INSERT INTO company VALUES (1, 'Acme', 'mining', 'Hull'), (2, 'Bolt', 'banking', 'York'), (3, 'Core', 'mining', NULL);
INSERT INTO people VALUES (1, 'Ann', 'Welsh'), (2, 'Bob', 'Dutch'), (3, 'O''Hara', 'Irish');
INSERT INTO employment VALUES (1, 1, 5), (1, 2, 7), (2, 2, 1), (3, 3, 4), (3, 3, 9);
"""
YEARS = (
    "SELECT e.years FROM employment e JOIN company c ON e.company_id = c.company_id "
    "JOIN people p ON e.people_id = p.people_id WHERE c.name = '[company.name]' AND p.name = '[people.name]'"
)
TEXTS = {"short": ("How many years has '[people.name]' been at '[company.name]'?",)}


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with sqlite3.connect(tmp_path / "db.sqlite") as connection:
        connection.executescript(SCRIPT)
    connection.close()
    with open_database(str(tmp_path / "db.sqlite")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM company WHERE name = '[company.name]'", "only SELECT is allowed"),
        ("SELECT industry FROM company WHERE name = '[company.name]'; DROP TABLE company", "one statement, found 2"),
        ("SELECT industry FROM company", "no placeholder"),
        ("SELECT * FROM company WHERE name = '[company.name]'", "select one column"),
        ("SELECT industry, city FROM company WHERE name = '[company.name]'", "select one column"),
        ("SELECT company_id FROM company WHERE name = '[company.name]'", "key or a code"),
        ("SELECT industry FROM company WHERE company_id = [company.company_id]", "key or a code"),
        ("SELECT name FROM company WHERE name = '[company.name]'", "names already"),
        ("SELECT industry FROM company WHERE name = '[company.nam]'", "no column of the database"),
        ("SELECT trade FROM company WHERE name = '[company.name]'", "no column|has a column trade"),
        ("SELECT industry FROM firm WHERE name = '[company.name]'", "no table firm"),
        ("SELECT industry FROM company WHERE name = '[company.name]' LIMIT 1", "LIMIT would hide"),
        ("SELECT load_extension('x') FROM company WHERE name = '[company.name]'", "not known to be safe"),
        ("SELECT industry FROM company WHERE name = '[company.name]' AND city < CURRENT_DATE", "change from one time"),
        ("SELECT '[company.name]' FROM company", "belongs into WHERE"),
        ("SELECT industry FROM main.company WHERE name = '[company.name]'", "no table of the schema"),
        ("SELECT sql FROM sqlite_master WHERE name = '[company.name]'", "no table sqlite_master"),
        ("SELECT industry FROM company WHERE (name = '[company.name]'", "can't be read"),
        (
            "SELECT s.sql FROM sqlite_master s, company c WHERE c.name = '[company.name]' AND EXISTS "
            "(WITH sqlite_master AS (SELECT 1 AS a) SELECT 1 FROM sqlite_master)",
            "no table sqlite_master",
        ),
        (
            "WITH a AS (SELECT sql FROM b), b AS (SELECT 1 AS sql) SELECT a.sql FROM a, company c "
            "WHERE c.name = '[company.name]'",
            "no table b",
        ),
        (
            'WITH "PG_SHADOW" AS (SELECT 1 AS a) SELECT p.passwd FROM PG_SHADOW p, company c '
            "WHERE c.name = '[company.name]'",
            "no table PG_SHADOW",
        ),
        ("SELECT industry FROM company WHERE name = '[company.name]' AND city < date('now')", "change from one time"),
        ("SELECT strftime('%Y') FROM company WHERE name = '[company.name]'", "change from one time"),
        ("SELECT repeat('x', 900000000) FROM company WHERE name = '[company.name]'", "not known to be safe"),
        ("SELECT version() FROM company WHERE name = '[company.name]'", "not known to be safe"),
        ("SELECT hex(zeroblob(9)) FROM company WHERE name = '[company.name]'", "not known to be safe"),
        (f"SELECT city FROM company WHERE name = '[company.name]' AND {'(' * 5000}1{')' * 5000}", "can't be read"),
        (f"SELECT city FROM company WHERE name = '[company.name]' AND {'NOT ' * 9000}1", "can't be read"),
        ("SELECT city FROM company WHERE name = '[company.name]' AND city <> '\ud800'", "can't be read"),
        ("SELECT city FROM company WHERE name = '[company.name]' AND city <> :c0 AND city <> 'a:b'", "names no value"),
        (
            "SELECT industry FROM company WHERE name = '[company.name]' UNION SELECT city FROM company "
            "WHERE name = '[company.name]'",
            "only SELECT is allowed",
        ),
    ],
)
def test_what_may_not_be_asked(database: Database, sql: str, said: str) -> None:
    with pytest.raises(HcatError, match=said):
        database.prove(WrittenTemplate(sql))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT industry FROM company WHERE name = '[company.name]';",
        "SELECT industry FROM company WHERE name = [company.name]",
        "SELECT COUNT(e.people_id) FROM employment e JOIN company c ON e.company_id = c.company_id "
        "WHERE c.name = '[company.name]'",
        "SELECT UPPER(city) FROM company WHERE name = '[company.name]' AND city <> 'a :b c'",
        "WITH firm AS (SELECT name, city FROM company) SELECT f.city FROM firm f WHERE f.name = '[company.name]'",
        "SELECT MAX(e.years) FROM employment e, people p WHERE e.people_id = p.people_id AND p.name = '[people.name]'",
        YEARS,
    ],
)
def test_what_may_be_asked(database: Database, sql: str) -> None:
    combinations, _ = database.combinations(WrittenTemplate(sql))
    assert len(combinations) >= 3
    for values in combinations:
        database.answers(WrittenTemplate(sql), *values)


def test_placeholders_are_names_in_any_case(database: Database) -> None:
    sql = YEARS.replace("[company.name]", "[Company.NAME]")
    template = WrittenTemplate(sql, texts=TEXTS)
    assert database.prove(template).places == (Place("company", "name"), Place("people", "name"))
    assert database.prove(template).places[0].column == "name"
    filled = fill_templates(database, {"short": ()}, rng=np.random.default_rng(0), templates=[template])
    assert filled.counts[0].groups == 3


def test_several_placeholders_give_the_combinations_that_occur(database: Database) -> None:
    template = WrittenTemplate(YEARS, texts=TEXTS)
    assert template.places == (Place("company", "name"), Place("people", "name"))
    queries = fill_templates(database, {"short": ()}, rng=np.random.default_rng(0), templates=[template])
    [count] = queries.counts
    # 3 companies × 3 people; 4 pairs occur, of which one, Core and O'Hara, has two answers.
    assert (count.values, count.groups, dict(count.dropped)) == (
        9,
        3,
        {"no row": 5, "empty answer": 0, "several answers": 1},
    )
    assert {case.query: case.reference for case in queries.cases} == {
        "How many years has 'Ann' been at 'Acme'?": "5",
        "How many years has 'Bob' been at 'Acme'?": "7",
        "How many years has 'Bob' been at 'Bolt'?": "1",
    }


def test_several_answers_may_be_allowed(database: Database) -> None:
    template = WrittenTemplate(YEARS, texts=TEXTS)
    queries = fill_templates(
        database, {"short": ()}, rng=np.random.default_rng(0), templates=[template], most_answers=2
    )
    [case] = [case for case in queries.cases if case.values == ("Core", "O'Hara")]
    assert (case.reference, case.further) == ("4", ("9",))
    row = case.record(template.sql)
    assert isinstance(row["metadata"], dict)
    assert row["metadata"]["answers"] == ["4", "9"]


def test_combinations_are_capped_by_design(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    either = YEARS.replace(" AND p.name = '[people.name]'", " AND (p.name = '[people.name]' OR e.years > 100)")
    assert len(database.combinations(WrittenTemplate(either))[0]) == 9  # tried one by one
    monkeypatch.setattr("hcat.core.capabilities.grammar.database.MOST_COMBINATIONS", 8)
    with pytest.raises(HcatError, match="can't be tried one by one"):
        database.combinations(WrittenTemplate(either))


def test_rules_give_the_same_groups_by_way_of_the_plan(database: Database) -> None:
    patterns = {name: TEXT_TEMPLATES[name] for name in ("short", "long")}
    plan = plan_by_rule(database, patterns)
    assert all(not proof.problem for proof in prove_plan(database, plan))
    again = read_plan(plan_yaml(plan))
    assert again == plan
    direct = fill_templates(database, patterns, rng=np.random.default_rng(0))
    planned = fill_templates(database, again.criteria, rng=np.random.default_rng(0), templates=again.templates)
    assert [(case.id, case.query, case.reference) for case in planned.cases] == [
        (case.id, case.query, case.reference) for case in direct.cases
    ]
    assert planned.groups > 10


def test_a_template_without_texts_is_a_problem_of_its_own(database: Database) -> None:
    plan = GrammarPlan(
        (WrittenTemplate(YEARS), WrittenTemplate(YEARS, texts={"short": ("How long?",)}, name="b")), {"short": ()}
    )
    first, second = prove_plan(database, plan)
    assert "has no text of its own for 'short'" in first.problem
    assert "lacks [company.name]" in second.problem


def test_documents_state_what_own_templates_ask(database: Database) -> None:
    template = WrittenTemplate(YEARS, question="years of work", texts=TEXTS)
    queries = fill_templates(database, {"short": ()}, rng=np.random.default_rng(0), templates=[template])
    pages = with_statements(row_documents(database), queries)
    texts = {passage.id: passage.text for passage in pages.passages}
    for case in with_documents(queries, pages).cases:
        [name] = case.documents
        assert states_answer(texts[name], [case.reference])
        assert supports_answer(Sample("x", case.query, None, reference=case.reference), texts[name])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "is no YAML: line"),
        ("[]", "expected criteria and sql_templates"),
        ("sql_templates: [{question: x}]", "sql_templates, 1: expected an object with sql"),
        ("sql_templates: [{sql: a, foo: b}]", "foo is not known"),
        ("sql_templates: [{sql: a, texts: {short: b}}]", "criterion and a list"),
        ("sql_templates: [a, a]", "the same SQL"),
    ],
)
def test_a_plan_that_can_not_be_read(text: str, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        read_plan(text)


def test_a_long_query_is_ended(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlalchemy as sa

    monkeypatch.setattr("hcat.core.capabilities.grammar.database.LONGEST_QUERY", -1.0)
    crossed = "SELECT COUNT(a.years) FROM " + ", ".join(f"employment {name}" for name in "abcdefgh")
    template = WrittenTemplate(f"{crossed}, company k WHERE k.name = '[company.name]'")
    with pytest.raises((HcatError, sa.exc.OperationalError), match="interrupted"):
        database.answers(template, "Acme")


def test_postgresql_is_asked_read_only(postgresql: str) -> None:
    import sqlalchemy as sa

    url = postgresql.replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for statement in SCRIPT.replace("INTEGER PRIMARY KEY", "SERIAL PRIMARY KEY").split(";"):
            if statement.strip():
                connection.execute(sa.text(statement))
    engine.dispose()
    with open_database(url) as opened:
        plan = plan_by_rule(opened, {"short": TEXT_TEMPLATES["short"]})
        own = WrittenTemplate(YEARS, texts=TEXTS)
        plan = replace(plan, templates=(*plan.templates, own))
        assert [proof.problem for proof in prove_plan(opened, plan) if proof.problem] == []
        queries = fill_templates(opened, plan.criteria, rng=np.random.default_rng(0), templates=plan.templates)
        assert {case.reference for case in queries.cases if case.template == own} == {"5", "7", "1"}
        with pytest.raises(HcatError, match="not known to be safe"):
            opened.prove(WrittenTemplate("SELECT pg_sleep(9) FROM company WHERE name = '[company.name]'"))
        with pytest.raises(sa.exc.DBAPIError, match="read-only"):
            opened._connection.execute(sa.text("INSERT INTO company VALUES (9, 'x', 'y', 'z')"))


def test_a_deadline_is_taken_back(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever thinks for a while between two templates finds the database open."""
    monkeypatch.setattr("hcat.core.capabilities.grammar.database.LONGEST_QUERY", 0.5)
    database.prove(WrittenTemplate(YEARS))
    time.sleep(0.6)
    assert len(database.schema().tables) == 3
    assert len(database.combinations(WrittenTemplate(YEARS))[0]) == 4


COMPUTED = """
CREATE TABLE big (name TEXT, x TEXT GENERATED ALWAYS AS (hex(zeroblob({size})) || name) VIRTUAL);
WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 60) INSERT INTO big (name) SELECT k FROM n;
"""


@pytest.mark.parametrize("size", [2_000_000, 20_000_000])
def test_a_small_file_takes_little_memory(tmp_path: Path, size: int) -> None:
    """A column that is computed: SQLite gives no long value, and an answer ends before it is large."""
    path = tmp_path / "big.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(COMPUTED.format(size=size))
    connection.close()
    assert path.stat().st_size <= 8192
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        pytest.raises(FileFormatError, match=r"too big|more than 50 MB|more memory"),
        open_database(str(path)) as opened,
    ):
        opened.schema()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000


def test_a_process_that_does_not_end_is_ended(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlalchemy as sa

    monkeypatch.setattr("hcat.core.capabilities.grammar.sqlite_process.GRACE", 0.0)
    monkeypatch.setattr("hcat.core.capabilities.grammar.database.LONGEST_QUERY", 0.2)
    crossed = "SELECT count(*) FROM " + ", ".join(f"employment {name}" for name in "abcdefghijkl")
    for _ in range(2):
        with pytest.raises(sa.exc.OperationalError, match="interrupted"):
            database._connection.execute(sa.text(crossed))
