"""Semantic groups from a database: every answer asked again by hand-written SQL over another driver."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.grammar.company import write_company
from hcat.core.capabilities.grammar.database import Database, open_database
from hcat.core.capabilities.grammar.documents import row_documents, with_documents
from hcat.core.capabilities.grammar.fill import GroupedQueries, fill_templates
from hcat.core.capabilities.grammar.schema import Column, plural, singular, words
from hcat.core.capabilities.grammar.support import states_answer
from hcat.core.capabilities.grammar.text_templates import TEXT_TEMPLATES, check_templates
from hcat.core.errors import FileFormatError, HcatError

SHORT = {"short": TEXT_TEMPLATES["short"]}
SCRIPT = """
CREATE TABLE Clients (ClientID INTEGER PRIMARY KEY, Name TEXT, HomeTown TEXT, Notes TEXT, token TEXT);
CREATE TABLE works (
    work_id INTEGER PRIMARY KEY, title TEXT, opened_on TEXT, ClientID INTEGER REFERENCES Clients (ClientID)
);
INSERT INTO Clients VALUES
    (1, 'O''Brien', 'Cork', 'x', 'a'), (2, 'Smith', 'Leeds', 'x', 'b'), (3, 'Smith', 'York', 'x', 'c'),
    (4, 'Nobody', NULL, 'x', 'd'), (5, ''' OR 1=1 --', 'Hull', 'x', 'e'), (6, '{question}', 'Ely', 'x', 'f');
INSERT INTO works VALUES (1, 'Bridge', '2020-01-01', 1), (2, 'Tower', '2021-02-02', 1), (3, 'Wall', '2022-03-03', 2);
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "small.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SCRIPT)
    connection.close()
    return path


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    with open_database(str(file)) as opened:
        yield opened


def filled(database: Database, **options: int) -> GroupedQueries:
    return fill_templates(database, SHORT, rng=np.random.default_rng(0), **options)


def test_names_become_words() -> None:
    assert words("MarketValue_in_Billion") == ["market", "value", "in", "billion"]
    assert [singular(noun) for noun in ("companies", "people", "addresses", "bus", "sales orders")] == [
        "company", "person", "address", "bus", "sales order"
    ]  # fmt: skip
    assert [plural(noun) for noun in ("company", "person", "box", "day")] == ["companies", "people", "boxes", "days"]
    assert Column("client_home_town", "text", 3).phrase("Client") == "home town"
    assert Column("opened_on", "date", 3).phrase("branch") == "opened date"


def test_what_can_be_asked(database: Database) -> None:
    schema = database.schema()
    clients, works = schema.tables
    assert (clients.noun, clients.subject, clients.rows) == ("client", "Name", 6)
    # No key, and no column whose values are all alike.
    assert [column.name for column in clients.columns] == ["Name", "HomeTown", "token"]
    assert (works.subject, [reference.table for reference in works.references]) == ("title", ["Clients"])


def test_one_answer_or_none(database: Database) -> None:
    queries = filled(database)
    towns = next(count for count in queries.counts if count.template.id == "Clients/HomeTown")
    # Five names: Smith has two towns, Nobody has none.
    assert (towns.values, towns.groups, towns.texts) == (5, 3, 12)
    assert towns.dropped == {"no row": 0, "empty answer": 1, "several answers": 1}
    answers = {case.value: case.reference for case in queries.cases if case.template.id == "Clients/HomeTown"}
    assert answers == {"O'Brien": "Cork", "' OR 1=1 --": "Hull", "{question}": "Ely"}
    works = {case.value: case.reference for case in queries.cases if case.template.id == "Clients/works/count"}
    assert works["O'Brien"] == "2" and works["{question}"] == "0"
    towns_of_works = {c.value: c.reference for c in queries.cases if c.template.id == "works/Clients/HomeTown"}
    assert towns_of_works == {"Bridge": "Cork", "Tower": "Cork", "Wall": "Leeds"}


def test_a_value_that_looks_like_a_place_is_a_value(database: Database) -> None:
    texts = [case.query for case in filled(database).cases if case.value == "{question}"]
    assert texts[0] == "What is the home town of the client '{question}'?"


def test_groups_hold_every_wording_once_and_repeat(database: Database) -> None:
    queries = fill_templates(
        database, {name: TEXT_TEMPLATES[name] for name in ("short", "long")}, rng=np.random.default_rng(0)
    )
    assert set(Counter((case.group, case.criterion) for case in queries.cases).values()) == {4}
    assert len({case.query for case in queries.cases}) == len(queries.cases) == len({case.id for case in queries.cases})
    assert len({(case.group, case.reference) for case in queries.cases}) == queries.groups
    again = fill_templates(
        database, {name: TEXT_TEMPLATES[name] for name in ("short", "long")}, rng=np.random.default_rng(0)
    )
    assert again.cases == queries.cases


def test_values_are_drawn_with_equal_chances(database: Database) -> None:
    queries = filled(database, most=1)
    assert {count.groups for count in queries.counts if count.values} == {1}
    chances = {case.template.id: case.probability for case in queries.cases}
    assert chances["Clients/HomeTown"] == pytest.approx(1 / 3)
    drawn = Counter(
        case.value
        for seed in range(300)
        for case in fill_templates(database, SHORT, rng=np.random.default_rng(seed), most=1).cases
        if case.template.id == "Clients/HomeTown"
    )
    # 300 draws of one in three: 100 each, with a standard deviation of 8.2 (times 4 texts).
    assert all(abs(n / 4 - 100) < 33 for n in drawn.values()) and len(drawn) == 3


def test_the_database_is_never_written(file: Path, database: Database) -> None:
    import sqlalchemy as sa

    before = file.read_bytes()
    with pytest.raises(sa.exc.OperationalError, match="readonly"):
        database._connection.execute(sa.text("DELETE FROM works"))
    filled(database)
    assert file.read_bytes() == before


def test_a_generated_company_and_its_documents(tmp_path: Path) -> None:
    path = tmp_path / "company.sqlite"
    write_company(path, employees=36, rng=np.random.default_rng(3))
    with open_database(str(path)) as opened:
        documents = row_documents(opened)
        queries = with_documents(filled(opened, most=6), documents)
        sql = {count.template.id: opened.sql(count.template) for count in queries.counts}
    texts = {passage.id: passage.text for passage in documents.passages}
    assert len(texts) == 36 + 3 + 9 + 12
    assert {case.template.kind for case in queries.cases} == {"attribute", "reference", "count"}
    connection = sqlite3.connect(path)
    for case in queries.cases:
        [[answer]] = connection.execute(sql[case.template.id], (case.value,)).fetchall()
        assert str(answer) == case.reference
        [needed] = case.documents
        assert states_answer(texts[needed], [case.reference]) and case.value in texts[needed]
    connection.close()
    with pytest.raises(HcatError, match="there already"):
        write_company(path, employees=36, rng=np.random.default_rng(3))


def test_documents_in_prose_state_every_answer(tmp_path: Path) -> None:
    path = tmp_path / "company.sqlite"
    write_company(path, employees=24, rng=np.random.default_rng(3))
    with open_database(str(path)) as opened:
        documents, again = (row_documents(opened, prose=True) for _ in range(2))
        queries = with_documents(filled(opened), documents)
    assert documents == again
    texts = {passage.id: passage.text for passage in documents.passages}
    for case in queries.cases:
        [needed] = case.documents
        assert states_answer(texts[needed], [case.reference]) and case.value in texts[needed]
    assert any(case.template.question == "supervisor" for case in queries.cases)
    assert "There are 24 employees on record." in texts["profile"] and "They are Project" in texts["profile"]
    report = next(text for name, text in texts.items() if name.startswith("project-"))
    assert report.startswith("# Report on the project Project ") and report.count("\n\n") >= 3
    assert "The supervisor of" in "".join(texts.values()) and "Its supervisor is" in "".join(texts.values())


def test_a_company_repeats_and_grows(tmp_path: Path) -> None:
    contents = []
    for name in ("a", "b"):
        write_company(tmp_path / name, employees=3000, rng=np.random.default_rng(3))
        with sqlite3.connect(tmp_path / name) as connection:
            contents.append(list(connection.iterdump()))
            names = connection.execute("SELECT count(DISTINCT name), count(*) FROM employee").fetchone()
            assert names == (3000, 3000)
        connection.close()
    assert contents[0] == contents[1]


@pytest.mark.parametrize(
    ("templates", "said"),
    [
        ({"short": ["What of '{value}'?"]}, "lacks {subject}, {question}"),
        ({"short": []}, "no text template"),
        ({"short": ["{question} {subject} {value}"] * 2}, "twice"),
    ],
)
def test_text_templates_must_name_everything(templates: dict[str, list[str]], said: str) -> None:
    with pytest.raises(HcatError, match=re.escape(said)):
        check_templates(templates)


def test_what_is_no_database_is_one_line(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database, and long enough to look at: " * 50, "utf-8")
    with pytest.raises(FileFormatError, match="can't be read as a database"), open_database(str(text)) as opened:
        opened.schema()
    with pytest.raises(FileFormatError, match="is not a file"), open_database("nowhere.sqlite"):
        pass
    with pytest.raises(HcatError, match="URL can't be used"), open_database("nosuch://host/name"):
        pass


def test_a_password_is_never_shown() -> None:
    with (
        pytest.raises(HcatError) as caught,
        open_database("postgresql+psycopg://user:s3cret@127.0.0.1:1/none?connect_timeout=2") as opened,
    ):
        opened.schema()
    assert "s3cret" not in str(caught.value)
