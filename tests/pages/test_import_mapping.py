"""The mapping screen: unknown columns are mapped, previewed, imported, and remembered for the next file."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, shown

OpenPage = Callable[..., AppTest]
ROWS = "".join(f"Frage {n}?,Das ist {n}.,Grund {n}.,{'Nord' if n % 2 else 'Ost'},n{n}\n" for n in range(6))
UNKNOWN = ("Was,Resultat,Beleg,Team,Notiz\n" + ROWS + ",ohne Frage,x,Nord,y\n").encode()
KNOWN = b'[{"question": "q1", "answer": "a1", "contexts": ["c"]}, {"question": "q2", "answer": "a2", "contexts": []}]'


def upload(app: AppTest, name: str, content: bytes) -> AppTest:
    return app.file_uploader[0].set_value((name, content, "text/csv")).run()


def field(app: AppTest, title: str) -> object:
    return next(box for box in app.selectbox if box.label.startswith(title))


def table(app: AppTest, column: str) -> pd.DataFrame:
    return next(frame.value for frame in app.dataframe if column in frame.value.columns)


def import_it(app: AppTest, run: str) -> AppTest:
    app.text_input(key="run-name").input(run)
    next(box for box in app.checkbox if box.label.startswith("Score after")).uncheck()
    return next(button for button in app.button if button.label.startswith("Import ")).click().run()


def test_unknown_columns_are_mapped_and_the_mapping_is_filled_in_the_next_time(open_page: OpenPage) -> None:
    app = upload(open_page("runs", "no run"), "x.csv", UNKNOWN)
    assert_sound(app)
    assert "match no known format" in shown(app)
    assert "Choose the column of query and of answer" in shown(app)
    assert table(app, "Beleg")["Was"].tolist()[0] == "Frage 0?"
    for title, column in (("Query", "Was"), ("Answer", "Resultat"), ("Contexts", "Beleg")):
        field(app, title).select(column).run()
    assert_sound(app)
    assert table(app, "Query")["Query"].tolist() == [f"Frage {n}?" for n in range(6)]
    [problem] = table(app, "Expected").to_dict("records")
    assert (problem["Row"], problem["Column"]) == (7, "query")
    assert app.multiselect[0].value == ["Team"]
    import_it(app, "first")
    assert_sound(app)
    workspace = Workspace.open(settings())
    samples = workspace.runs.samples(workspace.runs.get(PROJECT, "first"))
    assert [passage.text for passage in samples[1].contexts] == ["Grund 1."]
    assert (samples[1].dimensions, samples[1].metadata) == ({"Team": "Nord"}, {"Notiz": "n1"})

    upload(app, "next.csv", UNKNOWN)
    assert_sound(app)
    assert "from the mapping used in this project" in shown(app)
    assert "match no known format" not in shown(app)
    assert [field(app, title).value for title in ("Query", "Answer", "Contexts")] == ["Was", "Resultat", "Beleg"]
    assert len(table(app, "Query")) == 6


def test_a_known_format_can_be_read_otherwise(open_page: OpenPage) -> None:
    app = upload(open_page("runs", "no run"), "x.json", KNOWN)
    assert_sound(app)
    asked = [box.label for box in app.selectbox if box.label.startswith("Query")]
    assert asked == [], "no mapping screen before somebody asks for it"
    next(toggle for toggle in app.toggle if toggle.label.startswith("Edit column mapping")).set_value(True).run()
    assert [field(app, title).value for title in ("Query", "Answer", "Contexts")] == ["question", "answer", "contexts"]
    field(app, "Answer").select("question").run()
    assert "A column can be one field only" in app.error[0].value
    field(app, "Query").select("answer").run()
    assert [error.value for error in app.error] == []
    assert table(app, "Query")["Query"].tolist() == ["a1", "a2"]
    import_it(app, "turned")
    assert_sound(app)
    workspace = Workspace.open(settings())
    assert [sample.answer for sample in workspace.runs.samples(workspace.runs.get(PROJECT, "turned"))] == ["q1", "q2"]


def test_without_a_mapping_nothing_is_remembered(open_page: OpenPage) -> None:
    app = import_it(upload(open_page("runs", "no run"), "x.json", KNOWN), "as it is")
    assert_sound(app)
    assert Workspace.open(settings()).mappings.find(PROJECT, ("question", "answer", "contexts")) is None
