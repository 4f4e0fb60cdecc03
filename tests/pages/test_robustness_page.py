"""The Robustness page: families worst first, pairs side by side, origins in this run or in another."""

from __future__ import annotations

import json
from dataclasses import replace

from typer.testing import CliRunner

from hcat.core.settings import settings
from hcat.core.types import Sample, Variant
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.robustness.pairs import marked
from hcat.dashboard.cli import app as cli
from tests.pages.small_project import PROJECT, small_samples
from tests.pages.test_pages import OpenPage, assert_sound, shown


def variants() -> list[Sample]:
    """Of each sample one variant that is answered as before, and two of another family that lose the answer."""
    made = []
    for sample in small_samples():
        for family, strength, answer in (
            ("case and punctuation", 0.5, sample.answer),
            ("spelling", 0.2, sample.answer),
            ("spelling", 0.8, "It costs 900 dollars, as everywhere."),
        ):
            made.append(
                replace(
                    sample,
                    id=f"{sample.id}-{family}-{strength}",
                    query=sample.query.replace("the", "teh"),
                    answer=answer,
                    variant=Variant(family, sample.id, strength),
                )
            )
    return made


def add_variants(*, with_origins: bool) -> None:
    workspace = Workspace.open(settings())
    samples = [*(small_samples() if with_origins else ()), *variants()]
    run = workspace.runs.add(PROJECT, "variants", samples, source="variants.jsonl")
    workspace.scoring.score(run, "answer_f1")
    workspace.close()


def test_families_pairs_and_dose(open_page: OpenPage) -> None:
    app = open_page("robustness", "calibrated")
    add_variants(with_origins=True)
    app.session_state["next-run"] = "variants"
    app.run()
    assert_sound(app)
    text = shown(app)
    assert "Origin" in text and "Variant, strength 0.8" in text
    assert "No person looked" in text
    changes, table = (frame.value for frame in app.dataframe[:2])
    assert changes["Verdict"].iloc[0] == "worse"
    assert list(table["Family"]) == ["spelling", "case and punctuation"]  # the one with fewer answers as expected first
    assert table["As expected"].iloc[1].startswith("100%")
    assert "teh" in text and "orange-background" in text
    chart = app.get("plotly_chart")[0].proto.alt
    assert "variants less origins" in chart and "spelling" in chart
    assert "from strength 0 to 1" in text.replace("\\", "")


def test_origins_of_another_run(open_page: OpenPage) -> None:
    app = open_page("robustness", "calibrated")
    add_variants(with_origins=False)
    app.session_state["next-run"] = "variants"
    app.run()
    assert_sound(app)
    assert next(box for box in app.selectbox if box.key == "origins").value == "first-run"
    assert [len(frame.value) for frame in app.dataframe[:2]] == [2, 2]


def test_a_run_without_variants_names_those_that_have_some(open_page: OpenPage) -> None:
    app = open_page("robustness", "calibrated")
    add_variants(with_origins=True)
    app.run()
    assert "“variants”" in shown(app)


def test_what_differs_is_marked_and_nothing_becomes_markup() -> None:
    assert marked("Waht is it?", "What is it?") == ":orange-background[Waht] is it\\?"
    assert marked("a [b](c)", "a") == "a :orange-background[\\[b\\]\\(c\\)]"


def test_the_command_gives_the_same_numbers(open_page: OpenPage) -> None:
    app = open_page("robustness", "calibrated")
    add_variants(with_origins=True)
    result = CliRunner().invoke(cli, ["robustness", "variants", "--project", PROJECT, "--json"])
    assert result.exit_code == 0, result.output
    answers = json.loads(result.output)["answers"]
    app.session_state["next-run"] = "variants"
    app.run()
    table = app.dataframe[1].value
    assert [row["family"] for row in answers] == list(table["Family"])
    assert f"{answers[0]['met']['value']:.1%}" in table["As expected"].iloc[0]
