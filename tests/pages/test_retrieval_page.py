"""The Retrieval page: both stages, one query's two rankings, and what it says where something is not known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.settings import settings
from hcat.core.types import Sample
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT, small_samples
from tests.pages.test_pages import assert_sound, links, shown

OpenPage = Callable[..., AppTest]


def with_relevance(*, candidates: bool) -> list[Sample]:
    """Of the 44 samples the first lost one passage at each stage; the others have all that is relevant."""
    made = []
    for number, sample in enumerate(small_samples()):
        own = sample.contexts[0].id
        relevant = {own: 2, "dropped": 1, "missed": 1} if number == 0 else {own: 1}
        metadata = {"candidates": [own, "other", "dropped"]} if candidates else {}
        made.append(replace(sample, relevant_ids=relevant, metadata={**metadata}))
    return made


def open_with(open_page: OpenPage, samples: list[Sample]) -> AppTest:
    app = open_page("retrieval", "unscored")
    Workspace.open(settings()).runs.add(PROJECT, "with relevance", samples, source="x.jsonl")
    app.query_params["run"] = "with relevance"
    app.run()
    return app.selectbox(key="run").select("with relevance").run()


def table(app: AppTest, column: str) -> pd.DataFrame:
    return next(frame.value for frame in app.dataframe if column in frame.value.columns)


def test_without_relevant_ids_it_says_what_to_add(open_page: OpenPage) -> None:
    app = open_page("retrieval", "calibrated")
    assert_sound(app)
    assert "Add `relevant_ids`" in shown(app)
    assert "runs" in links(app)


def test_both_stages_with_the_ceiling_and_what_is_lost(open_page: OpenPage) -> None:
    app = open_with(open_page, with_relevance(candidates=True))
    assert_sound(app)
    measures = table(app, "Measure").set_index("Measure")
    # Recall@100: 43 queries find all, the first 2 of its 3: (43 + 2/3) / 44 = 0.992; stage 2 finds 1 of 3: 0.985.
    assert measures.loc["Recall@100", "Mean"].startswith("0.99 [")
    assert measures.loc["Recall@8", "Mean"].startswith("0.98 [")
    assert measures.loc["Ceiling for stage 2", "Mean"].startswith("0.99 [")
    assert measures["Mean"].str.endswith(", n = 44").all()
    assert measures.loc[["Recall@100", "Recall@8"], "Stage"].tolist() == [1, 2]
    queries = table(app, "Lost at 1")
    assert queries.iloc[0][["Relevant", "Among candidates", "In contexts", "Lost at 1", "Dropped at 2"]].tolist() == [
        3, 2, 1, 1, 1,
    ]  # fmt: skip
    fates = table(app, "Outcome").set_index("Relevant passage")
    assert fates.loc["dropped", "Outcome"] == "a candidate, but dropped at stage 2"
    assert fates.loc["missed", "Outcome"] == "not retrieved: lost at stage 1"
    assert fates.loc["handbook#0", ["Rank in stage 1", "Rank in stage 2"]].tolist() == ["1", "1"]
    assert table(app, "In stage 2")["Passage"].tolist() == ["handbook#0", "other", "dropped"]


@pytest.mark.parametrize(("view", "n"), [("Lost at stage 1", 1), ("Dropped at stage 2", 1), ("All found", 43)])
def test_queries_by_where_they_lose(open_page: OpenPage, view: str, n: int) -> None:
    app = open_with(open_page, with_relevance(candidates=True))
    app.button_group(key="retrieval-view").set_value(view).run()
    assert_sound(app)
    assert len(table(app, "Lost at 1")) == n


def test_without_candidates_there_is_stage_2_alone(open_page: OpenPage) -> None:
    app = open_with(open_page, with_relevance(candidates=False))
    assert_sound(app)
    text = shown(app)
    assert "has no stage-1 candidates" in text
    assert "Ceiling for stage 2" not in text
    assert set(table(app, "Measure")["Stage"]) == {2}
    assert table(app, "Missing")["Missing"].tolist() == [2] + [0] * 43
    assert "Dropped at stage 2" not in text
    assert not [frame for frame in app.dataframe if "In stage 2" in frame.value.columns]


def test_ids_that_name_no_context_are_pointed_out(open_page: OpenPage) -> None:
    samples = [replace(sample, relevant_ids={f"page {n}": 1}) for n, sample in enumerate(small_samples())]
    app = open_with(open_page, samples)
    assert_sound(app)
    assert "None of the relevant ids is the id of any context" in shown(app)
