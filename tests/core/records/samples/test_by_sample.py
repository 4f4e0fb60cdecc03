"""Columns by sample beside the dictionaries that they stand for: ids, clusters, design weights and levels of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.calibration.dataset import cases_of
from hcat.core.capabilities.report.evidence.gather import labels_of_run
from hcat.core.estimates.run_estimates import join_labels
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.records.clusters import clusters_in, clusters_of, shared_clusters
from hcat.core.records.design_weights import design_summary, design_weights
from hcat.core.records.samples.by_sample import (
    LevelBySample,
    NumberBySample,
    SampleOrder,
    codes_by_name,
    distinct_levels,
    levels_at,
    numbers_at,
)
from hcat.core.records.samples.columns import Levels
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Criterion, Label, Sample, Variant

NAMES = st.sampled_from(["", "a", "b", "ä", "a1", "Z", "s1", "s10", "s2"])
IDS = st.lists(st.text(min_size=1, max_size=4), unique=True, max_size=12)
CRITERION = Criterion("c")


@st.composite
def texts_by_id(draw: st.DrawFn) -> dict[str, str | None]:
    ids = draw(IDS)
    return dict(zip(ids, draw(st.lists(st.none() | NAMES, min_size=len(ids), max_size=len(ids))), strict=True))


@st.composite
def runs(draw: st.DrawFn) -> list[Sample]:
    """Samples with test cases, groups and origins, or without, some named as other samples are."""
    ids = draw(st.lists(st.sampled_from([f"s{k}" for k in range(12)]), unique=True, min_size=1))
    tied = draw(st.booleans())
    return [
        Sample(
            name,
            "q",
            "a",
            test_case=draw(st.none() | NAMES),
            group=draw(st.none() | st.sampled_from(["g", "h"])) if tied else None,
            variant=Variant("typo", draw(NAMES)) if tied and draw(st.booleans()) else None,
            metadata=draw(st.sampled_from([{}, {"probability": 0.5}, {"probability": 0.1}])),
        )
        for name in ids
    ]


def column(known: Mapping[str, str | None]) -> LevelBySample[str | None]:
    return LevelBySample(SampleOrder(tuple(known)), Levels.of(known.values()))


@given(texts_by_id(), st.lists(st.text(min_size=1, max_size=2)))
def test_texts_are_those_of_the_dictionary(known: dict[str, str | None], others: list[str]) -> None:
    held = column(known)
    assert held == known and dict(held) == known and len(held) == len(known)
    asked = [*reversed(known), *others]
    assert levels_at(held, asked).texts() == [known.get(name) for name in asked] == levels_at(known, asked).texts()
    assert held.get("not there") is None and "not there" not in held
    assert distinct_levels(held) == len(set(known.values()) - {None}) == distinct_levels(known)


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.none() | st.floats(0.01, 1.0), max_size=9))
def test_numbers_are_those_of_the_dictionary(known: dict[str, float | None]) -> None:
    held = NumberBySample[float | None](SampleOrder(tuple(known)), np.array(list(known.values()), dtype=np.float64))
    asked = [*reversed(known), "not there"]
    assert held == known
    wanted = np.array([math.nan if known.get(name) is None else known[name] for name in asked], dtype=np.float64)
    np.testing.assert_array_equal(numbers_at(held, asked), wanted)
    np.testing.assert_array_equal(numbers_at(known, asked), wanted)
    assert design_summary(held) == design_summary(known)
    assert design_weights(held) == design_weights(known) == weights_by_hand(known)


@given(st.lists(st.integers(0, 120).map(str), max_size=4))
def test_rows_of_few_samples_are_found_without_a_dictionary_of_all(asked: list[str]) -> None:
    order, wanted = SampleOrder([str(k) for k in range(100)]), [int(name) if int(name) < 100 else -1 for name in asked]
    for _ in range(2):
        assert order.rows(asked).tolist() == wanted
        assert "row_of" not in vars(order)
    assert [order.row_of.get(name, -1) for name in asked] == order.rows(asked).tolist() == wanted


@given(st.lists(st.lists(st.integers(0, 60).map(str), max_size=5), max_size=5), st.booleans())
def test_rows_of_samples_that_come_after_those_asked_for_before(parts: list[list[str]], few: bool) -> None:
    order = SampleOrder([str(k) for k in range(50 if few else 5)])
    asked: list[str] = []
    for part in [*parts, *parts[:1]]:
        asked += part
        for ids in (asked, tuple(asked), asked[: len(part)]):
            assert order.rows(ids).tolist() == [int(name) if int(name) < len(order.ids) else -1 for name in ids]


def weights_by_hand(known: Mapping[str, float | None]) -> dict[str, float] | None:
    stated = {name: p for name, p in known.items() if p is not None}
    if not stated or len(stated) < len(known) or max(stated.values()) <= min(stated.values()) * (1 + 1e-9):
        return None
    return {name: 1 / p for name, p in stated.items()}


@given(st.lists(NAMES, min_size=1))
def test_codes_are_numbered_as_sorted_names_are(names: list[str]) -> None:
    unused = Levels(Levels.of(names).codes + 1, ("not used", *Levels.of(names).names))
    wanted = np.unique(np.array(names, dtype=np.str_), return_inverse=True)[1]
    for levels in (Levels.of(names), unused):
        np.testing.assert_array_equal(codes_by_name(levels), wanted)


@given(runs())
def test_clusters_of_columns_are_those_of_the_samples(samples: list[Sample]) -> None:
    held, wanted = clusters_in(ColumnsOfSamples(samples)), clusters_of(samples)
    assert held == wanted and list(held) == list(wanted)
    alone = len(set(wanted.values())) == len(wanted)
    assert shared_clusters(held) == shared_clusters(wanted) == (None if alone else wanted)
    ids = np.array([*wanted, "other"], dtype=np.object_)
    assert cases_of(ids, held).tolist() == cases_of(ids, wanted).tolist() == [*wanted.values(), "other"]


@st.composite
def labels(draw: st.DrawFn) -> list[Label]:
    """Of several people, some twice on one sample, drawn with unequal probabilities, some on samples of other runs."""
    one = st.builds(
        Label,
        sample_id=st.sampled_from([f"s{k}" for k in range(14)]),
        criterion=st.just("c"),
        level=st.integers(0, 1),
        annotator=st.sampled_from(["ann", "bo", "cy"]),
        probability=st.sampled_from([1.0, 0.5, 0.2]),
    )
    return draw(st.lists(one, max_size=25))


@given(runs(), labels())
def test_labels_meet_the_samples_as_row_by_row(samples: list[Sample], given_labels: list[Label]) -> None:
    clusters = clusters_of(samples)
    held, ids = clusters_in(ColumnsOfSamples(samples)), [sample.id for sample in samples]
    judged = resolve_labels(given_labels, CRITERION)
    design = {name: 1.0 + place for place, name in enumerate(ids)}
    weights = NumberBySample[float](SampleOrder(tuple(ids)), np.array(list(design.values())))

    level_of = dict(zip(judged.sample_ids, judged.levels.tolist(), strict=True))
    joined = join_labels(judged, ids, criterion=CRITERION, clusters=held, design=weights)
    passed = [float(level_of[name] >= 1) if name in level_of else math.nan for name in ids]
    np.testing.assert_array_equal(joined.run.passed, passed)
    np.testing.assert_array_equal(joined.run.clusters, [clusters[name] for name in ids])
    np.testing.assert_array_equal(joined.run.design, [design[name] for name in ids])
    assert joined.left_out["not in the scores"] == len(set(judged.sample_ids) - set(ids))

    all_ids, run = labels_of_run(judged, held, None, weights)
    assert list(all_ids) == list(dict.fromkeys([*ids, *judged.sample_ids]))
    np.testing.assert_array_equal(run.passed, [float(level_of.get(name, math.nan)) for name in all_ids])
    names = [clusters.get(name, name) for name in all_ids]
    assert (run.clusters is None) == (len(set(names)) == len(names))
    if run.clusters is not None:
        assert run.clusters.tolist() == names
    if set(all_ids) <= set(ids):
        assert run.design is not None and run.design.tolist() == [design[name] for name in all_ids]
    else:
        assert run.design is None
