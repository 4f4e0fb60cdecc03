"""A large file on the page Runs: what its import takes is said before; it is read row by row, or refused."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.importers import read_run, streamed
from hcat.core.jobs import forecast as forecasting
from hcat.core.jobs.forecast import Room
from hcat.core.records.run_file import content_hash
from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT
from tests.pages.test_import_mapping import UNKNOWN, field, import_it, table, upload
from tests.pages.test_pages import assert_sound, shown

ROWS: list[dict[str, object]] = [{"id": f"s{k}", "query": f"q{k}?", "answer": f"a{k}"} for k in range(1_200)]
FILE = "".join(json.dumps(row) + "\n" for row in [*ROWS, {"id": "bad", "query": [7], "answer": "a"}]).encode()


@pytest.fixture(autouse=True)
def every_file_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamed, "STREAMED_BYTES", 0)


def said(app: AppTest) -> str:
    return " ".join(each.value.replace("\\", "") for each in app.caption)


def test_what_it_takes_is_said_before_it_is_imported(open_page: OpenPage) -> None:
    app = upload(open_page("runs", "no run"), "large.jsonl", FILE)
    assert_sound(app)
    assert "About 1,200 rows: " in said(app) and "of memory" in said(app) and "of disk" in said(app)
    assert [(each.label, each.value) for each in app.metric][1:3] == [
        ("Usable samples", "1,200"),
        ("Rows skipped", "1"),
    ]
    [problem] = table(app, "Expected").to_dict("records")
    assert (problem["Row"], problem["Column"]) == (1_201, "query")
    import_it(app, "large")
    assert_sound(app)
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.get(PROJECT, "large")
        assert run.n == 1_200
        assert run.content_hash == content_hash(read_run(FILE, filename="large.jsonl").samples)


def test_a_file_without_room_is_refused_before_it_is_read(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*args: object) -> None:
        raise AssertionError("the file is read")

    monkeypatch.setattr(forecasting, "room_for", lambda found: Room(1e12, dict.fromkeys(found.disk, 1e3)))
    monkeypatch.setattr(streamed, "read_stream", read)
    app = upload(open_page("runs", "no run"), "large.jsonl", FILE)
    [error] = app.error
    assert "rows need about" in error.value and "free some space" in error.value
    assert "About 1,200 rows" in said(app)
    assert not any(button.label.startswith("Import ") for button in app.button)


def test_unknown_columns_of_a_large_file_are_mapped(open_page: OpenPage) -> None:
    app = upload(open_page("runs", "no run"), "x.csv", UNKNOWN)
    assert_sound(app)
    assert "match no known format" in shown(app) and "on one processor" not in said(app)
    for title, column in (("Query", "Was"), ("Answer", "Resultat")):
        field(app, title).select(column).run()
    assert_sound(app)
    assert "on one processor" in said(app)
    import_it(app, "mapped")
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.get(PROJECT, "mapped")
        assert (run.n, workspace.runs.columns(run).dimension("Team").counts()) == (6, {"Ost": 3, "Nord": 3})


def test_scores_in_a_large_file_are_added_later(open_page: OpenPage) -> None:
    rows = "".join(json.dumps({**row, "judge": 0.5}) + "\n" for row in ROWS[:9]).encode()
    app = upload(open_page("runs", "no run"), "large.jsonl", rows)
    assert_sound(app)
    assert any("Scores you already have" in each.value for each in app.info)


def test_a_damaged_large_file_is_named_in_one_line(open_page: OpenPage) -> None:
    app = upload(open_page("runs", "no run"), "large.jsonl", FILE + b"\xff\n")
    [error] = app.error
    assert "large.jsonl: the file is not UTF-8" in error.value.replace("\\", "")
