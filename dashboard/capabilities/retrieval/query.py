"""One query's two rankings side by side: relevant passages marked with their grade, and the losses of each stage."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.display.numbers import MISSING, format_number
from hcat.core.display.palette import BAD, GOOD
from hcat.core.metrics.retrieval import Funnel, Ranking
from hcat.core.records.project import RunInfo
from hcat.dashboard.components.links import open_samples
from hcat.dashboard.components.markdown import plain
from hcat.dashboard.components.tables import data_table, downloadable
from hcat.dashboard.loaders.runs import passage_texts, some_samples
from hcat.dashboard.selection import SampleSelection

MARKED = f"background-color: {GOOD}48"
LOST = f"background-color: {BAD}4d"
SHOWN_CHARACTERS = 200


def query_panel(run: RunInfo, sample_id: str, query: Funnel, *, linked: bool = True) -> None:
    """The query, the fate of each relevant passage, and the two rankings; `linked` adds the way to the sample."""
    sample = some_samples(run, [sample_id])[sample_id]
    st.markdown(f"**{plain(sample.query)}**")
    if query.stage_1_given:
        st.caption(
            f"Stage 1 leaves {format_number(query.ceiling)} of the relevant passages for stage 2 to find: the "
            "ceiling. Blue: relevant. Orange: relevant, and dropped between candidates and contexts."
        )
    else:
        st.caption(
            "Blue: relevant. The sample has no candidates, so relevant passages missing from the contexts count as "
            "lost."
        )
    named = {*query.first.grades, *query.first.ids, *query.second.ids}
    texts = passage_texts(run, named) | {passage.id: passage.text for passage in sample.contexts}
    data_table(
        _fates(query, texts), hide_index=True, key=f"fates-{sample_id}", alt="What became of the relevant passages"
    )
    if query.stage_1_given:
        left, right = st.columns(2)
        with left:
            _ranking("Stage 1: candidates", query.first, texts, key=f"first-{sample_id}", later=query.second)
        with right:
            _ranking("Stage 2: contexts", query.second, texts, key=f"second-{sample_id}")
    else:
        _ranking("Stage 2: contexts", query.second, texts, key=f"second-{sample_id}")
    if linked and st.button("Open the sample", key="open-sample", icon=":material/article:"):
        open_samples(SampleSelection(), metric="recall@8", sample_id=sample_id)


def _fates(query: Funnel, texts: dict[str, str]) -> pd.DataFrame:
    first, second = _ranks(query.first), _ranks(query.second)
    rows = [
        {
            "Relevant passage": name,
            "Grade": grade,
            "Rank in stage 1": _shown(first.get(name)),
            "Rank in stage 2": _shown(second.get(name)),
            "Outcome": _outcome(name, query),
            "Text": _text(name, texts),
        }
        for name, grade in sorted(query.first.grades.items(), key=lambda item: (-item[1], item[0]))
    ]
    frame = pd.DataFrame(rows)
    return frame if query.stage_1_given else frame.drop(columns=["Rank in stage 1"])


def _outcome(name: str, query: Funnel) -> str:
    if name in query.lost_at_stage_1:
        return "not retrieved: lost at stage 1" if query.stage_1_given else "not in the contexts"
    return "a candidate, but dropped at stage 2" if name in query.lost_at_stage_2 else "in the contexts"


def _ranking(title: str, ranking: Ranking, texts: dict[str, str], *, key: str, later: Ranking | None = None) -> None:
    st.markdown(f"**{title}** ({len(ranking.ids):,})")
    ranks = {} if later is None else _ranks(later)
    columns: dict[str, list[object]] = {
        "Rank": list(range(1, len(ranking.ids) + 1)),
        "Grade": [_shown(ranking.grades.get(name), absent="") for name in ranking.ids],
        "Passage": list(ranking.ids),
    }
    if later is not None:
        columns["In stage 2"] = [_shown(ranks.get(name)) for name in ranking.ids]
    frame = pd.DataFrame({**columns, "Text": [_text(name, texts) for name in ranking.ids]})
    dropped = set() if later is None else {name for name in ranking.grades if name not in ranks}

    def shade(row: pd.Series) -> list[str]:
        tone = LOST if row["Passage"] in dropped else MARKED if row["Passage"] in ranking.grades else ""
        return [tone] * len(row)

    downloadable(frame, title)
    st.dataframe(frame.style.apply(shade, axis=1), hide_index=True, key=key, alt=title)


def _shown(number: int | None, *, absent: str = MISSING) -> str:
    return absent if number is None else str(number)


def _ranks(ranking: Ranking) -> dict[str, int]:
    return {name: rank for rank, name in enumerate(ranking.ids, start=1)}


def _text(name: str, texts: dict[str, str]) -> str:
    """The passage's beginning, where any sample of the run retrieved it."""
    single = " ".join(texts.get(name, "").split())
    return single if len(single) <= SHOWN_CHARACTERS else single[: SHOWN_CHARACTERS - 1] + "…"
