from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from hcat.core.capabilities.weaknesses.wording import sentences, slice_sentence, table_sentence, until_sentence
from hcat.core.settings import ROOT
from hcat.core.slices.files import read_weaknesses

SAVED = ROOT / "tests" / "core" / "records" / "documents" / "weaknesses.parquet"
ROW = {
    **{"verdict": "not shown to be lower", "mean": 0.5, "low": 0.4, "high": 0.6, "n": 40, "p": 0.2, "q": 0.5},
    **{"basis": "", "labels": 0},
    **{"difference": -0.1, "difference_low": -0.2, "difference_high": -0.02},
    **{"shrunken": 0.53, "selected_low": 0.35, "selected_high": 0.65},
}


def test_a_slice_is_worded_by_its_verdict() -> None:
    assert "Not shown to be lower" in slice_sentence(pd.Series(ROW))
    weak = slice_sentence(pd.Series({**ROW, "verdict": "weak", "q": 0.01, "basis": "people", "labels": 21}))
    assert weak.startswith("**Weak**") and "q = 0.01" in weak and "not shown" not in weak
    assert "shrunken mean 0.53, interval for selected slices [0.35, 0.65]" in weak and "on the same data" in weak
    lower = slice_sentence(pd.Series({**ROW, "verdict": "lower score", "basis": "metric", "q": 0.01}))
    assert "too few labels" in lower and "weak" not in lower.lower()
    assert "by 21 labels" in slice_sentence(pd.Series({**ROW, "basis": "labels", "labels": 21}))
    for few in ({"verdict": "insufficient evidence"}, {"q": math.nan}):
        assert slice_sentence(pd.Series({**ROW, **few})).endswith(
            "too few independent samples to compare with the rest"
        )


def test_the_table_says_how_many_slices_were_tested() -> None:
    table = read_weaknesses(SAVED)
    (metric, *_) = table.settings.overall
    text = table_sentence(table, metric)
    assert f"{table.settings.n_tests} slices tested" in text and f"n = {table.settings.minimum_n}" in text


def test_a_slice_that_labels_do_not_show_to_be_weak_says_how_many_would() -> None:
    by_labels = pd.Series({**ROW, "basis": "labels", "labels": 21})
    # z = 1.282 at 21 labels, and 0.2 · 0.05 / 0.5 = 0.02 is the level: 21 · ((2.326 + 0.842) / 1.282)² = 128.3
    assert "about 129 labels in the slice, and proportionally more in the rest, would show it" in slice_sentence(
        by_labels
    )
    for other in ({"basis": "metric"}, {"difference": 0.1}, {"q": 0.05, "verdict": "weak"}, {"p": 1.0, "q": 1.0}):
        assert "would show it" not in slice_sentence(pd.Series({**by_labels, **other}))


def test_a_table_names_the_slices_that_the_fewest_labels_would_show() -> None:
    table = read_weaknesses(SAVED)
    frame = table.frame.assign(basis="people", verdict="not shown to be weak", difference=-0.1, p=0.2, q=0.5, labels=21)
    [said] = [text for text in sentences(replace(table, frame=frame)) if "Labels needed" in text]
    assert said.startswith("In some slices fewer answers pass than in the rest, but not significantly so (q > 0.05). ")
    assert "with 80% power: " in said and said.count("about 129 labels") == min(3, len(frame))
    assert until_sentence(table) == ""
