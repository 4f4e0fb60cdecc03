from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from hcat.core.errors import HcatError
from hcat.core.refusals.state import ANSWER_STATES, AnswerState
from hcat.core.slices.family import as_planned, frozen_statistics, shown_slices
from hcat.core.slices.rows import COLUMNS
from hcat.core.slices.table import combine, find_weaknesses, ranked

STATED = [
    "dimension_1", "level_1", "dimension_2", "level_2", "metric", "n", "mean", "low", "high", "difference", "p", "q",
    "effect", "shrunken", "verdict",
]  # fmt: skip


def crossed(n: int = 600, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """Topic t2 scores 0.3 lower; the other topics and all types are alike."""
    rng = np.random.default_rng(seed)
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id")
    frame = pd.DataFrame({"topic": [f"t{i % 5}" for i in range(n)], "type": rng.choice(["x", "y"], n)}, index=index)
    values = pd.Series(rng.beta(8, 3, n), index=index)
    values[frame["topic"] == "t2"] -= 0.3
    return frame, values


def row(frame: pd.DataFrame, level: str) -> pd.Series:
    return frame[(frame["level_1"] == level) & frame["dimension_2"].isna()].iloc[0]


def test_columns_are_those_of_the_interface() -> None:
    dimensions, values = crossed()
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", by=["topic", "type"], pairs=True)
    assert table.frame.columns.tolist()[: len(STATED)] == STATED
    assert {name: str(kind) for name, kind in table.frame.dtypes.items()} == COLUMNS
    assert len(table.frame) == 5 + 2 + 10
    assert table.settings.n_tests == 17
    marginal = table.frame["dimension_2"].isna()
    assert table.frame.loc[marginal, "interaction"].isna().all()
    assert marginal.sum() == 7


def test_the_weak_topic_is_found_and_the_rest_are_not() -> None:
    dimensions, values = crossed()
    table = find_weaknesses(dimensions, values, metric="m", direction="higher")
    assert row(table.frame, "t2")["verdict"] == "lower score"
    assert row(table.frame, "t2")["difference"] == pytest.approx(-0.3, abs=0.05)
    # The others are better than the rest, since the rest holds t2: significant, and no weakness.
    assert row(table.frame, "t1")["q"] < 0.05
    assert row(table.frame, "t1")["verdict"] == "not shown to be lower"
    assert ranked(table).iloc[0]["level_1"] == "t2"


def test_where_lower_is_better_the_rest_are_weak() -> None:
    dimensions, values = crossed()
    frame = find_weaknesses(dimensions, values, metric="m", direction="lower").frame
    assert row(frame, "t2")["verdict"] == "not shown to be higher"
    assert row(frame, "t1")["verdict"] == "higher score"


def test_without_a_better_direction_slices_only_differ() -> None:
    dimensions, values = crossed()
    table = find_weaknesses(dimensions, values, metric="m", direction="none")
    assert row(table.frame, "t2")["verdict"] == "different score"
    assert "lower score" not in set(table.frame["verdict"])
    assert ranked(table).iloc[0]["level_1"] == "t2"


def test_numbers_are_those_of_the_slice() -> None:
    dimensions, values = crossed()
    frame = find_weaknesses(dimensions, values, metric="m", direction="higher").frame
    inside = dimensions["topic"] == "t3"
    found = row(frame, "t3")
    assert found["n"] == inside.sum()
    assert found["mean"] == pytest.approx(values[inside].mean())
    assert found["difference"] == pytest.approx(values[inside].mean() - values[~inside].mean())
    assert found["low"] < found["mean"] < found["high"]
    overall = values.mean()
    assert min(found["mean"], overall) - 0.01 <= found["shrunken"] <= max(found["mean"], overall) + 0.01


def test_small_slices_are_insufficient_and_not_counted() -> None:
    dimensions, values = crossed(200)
    dimensions.loc[dimensions.index[:9], "topic"] = "rare"
    values.loc[dimensions.index[:9]] = 0.0
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", by=["topic"])
    rare = row(table.frame, "rare")
    assert (rare["n"], rare["verdict"]) == (9, "insufficient evidence")
    assert np.isnan(rare["p"]) and np.isnan(rare["q"]) and np.isnan(rare["effect"])
    assert np.isfinite(rare["shrunken"])
    assert table.settings.n_tests == 5
    again = find_weaknesses(dimensions, values, metric="m", direction="higher", by=["topic"], minimum_n=9)
    assert row(again.frame, "rare")["verdict"] == "lower score"


def test_unscored_samples_are_left_out_and_counted() -> None:
    dimensions, values = crossed()
    values[dimensions["topic"] == "t0"] = np.nan
    values = values.drop(values.index[1])
    table = find_weaknesses(dimensions, values, metric="m", direction="higher")
    missing = row(table.frame, "t0")
    assert (missing["n"], missing["unscored"], missing["verdict"]) == (0, 120, "insufficient evidence")
    assert np.isnan(missing["mean"])
    assert row(table.frame, "t1")["unscored"] == 1
    assert table.settings.unscored == {"m": 121}
    assert table.settings.overall["m"].n == 600 - 121


def test_pass_and_fail_values() -> None:
    dimensions, values = crossed()
    passed = (values > 0.6).astype(float)
    frame = find_weaknesses(dimensions, passed, metric="pass", direction="higher").frame
    assert row(frame, "t2")["verdict"] == "lower score"
    assert frame["low"].min() >= 0 and frame["high"].max() <= 1


def test_possibly_lower_is_what_multiplicity_may_explain() -> None:
    # Chance alone: of 40 levels some have p ≤ 0.05, and in this draw none survives the adjustment.
    rng = np.random.default_rng(6)
    dimensions = pd.DataFrame({"d": [f"l{i % 40:02d}" for i in range(4000)]})
    frame = find_weaknesses(dimensions, pd.Series(rng.random(4000)), metric="m", direction="higher").frame
    assert "lower score" not in set(frame["verdict"])
    possible = frame[frame["verdict"] == "possibly lower"]
    assert len(possible) > 0
    assert (possible["p"] <= 0.05).all() and (possible["q"] > 0.05).all() and (possible["difference"] < 0).all()


def test_a_joint_weakness_shows_in_the_pair_and_its_interaction() -> None:
    rng = np.random.default_rng(6)
    dimensions = pd.DataFrame({"topic": rng.choice(["a", "b", "c"], 900), "type": rng.choice(["x", "y", "z"], 900)})
    values = pd.Series(rng.normal(0.8, 0.05, 900))
    values[(dimensions["topic"] == "b") & (dimensions["type"] == "z")] -= 0.2
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", pairs=True)
    worst = ranked(table).iloc[0]
    assert (worst["level_1"], worst["level_2"]) == ("b", "z")
    assert worst["interaction_high"] < 0


def test_where_all_is_shrunken_to_the_mean_the_observed_difference_ranks() -> None:
    rng = np.random.default_rng(1)
    dimensions = pd.DataFrame({"topic": [f"t{k % 6}" for k in range(120)]})
    table = find_weaknesses(dimensions, pd.Series(rng.normal(0.7, 0.1, 120)), metric="m", direction="higher")
    rows = ranked(table)
    fine = rows[rows["verdict"] == "not shown to be lower"]
    assert len(fine) >= 4
    assert fine["shrunken"].to_numpy() == pytest.approx(fine["shrunken"].mean(), abs=1e-6)
    assert fine["difference"].is_monotonic_increasing


def test_ranking_puts_insufficient_evidence_last() -> None:
    dimensions, values = crossed(200)
    dimensions.loc[dimensions.index[:5], "topic"] = "rare"
    verdicts = ranked(find_weaknesses(dimensions, values, metric="m", direction="higher"))["verdict"].tolist()
    order = ["lower score", "possibly lower", "not shown to be lower", "insufficient evidence"]
    assert verdicts == sorted(verdicts, key=order.index)


def test_combining_counts_all_metrics() -> None:
    dimensions, values = crossed()
    first = find_weaknesses(dimensions, values, metric="m", direction="higher")
    second = find_weaknesses(dimensions, 1 - values, metric="error", direction="lower")
    both = combine([first, second])
    assert both.settings.n_tests == first.settings.n_tests + second.settings.n_tests
    assert len(both.frame) == len(first.frame) + len(second.frame)
    assert {"lower score": 1, "higher score": 1}.items() <= dict(both.frame.groupby("verdict").size()).items()
    assert set(ranked(both).head(2)["metric"]) == {"m", "error"}
    with pytest.raises(HcatError, match="minimum n"):
        combine([first, find_weaknesses(dimensions, values, metric="m", direction="higher", minimum_n=5)])
    with pytest.raises(HcatError):
        combine([])


def test_the_q_of_a_slice_is_the_same_whatever_else_is_looked_at() -> None:
    dimensions, values = crossed()
    make = {"direction": "higher", "by": ["topic", "type"]}
    alone = find_weaknesses(dimensions, values, metric="m", **make)
    with_pairs = find_weaknesses(dimensions, values, metric="m", pairs=True, **make)
    # Levels and pairs are two families: Benjamini and Hochberg's q by hand, over the 7 levels alone.
    levels = with_pairs.frame[with_pairs.frame["dimension_2"].isna()]
    by_rank = np.sort(levels["p"]) * 7 / np.arange(1, 8)
    assert levels["q"].min() == pytest.approx(min(by_rank.min(), 1.0))
    assert levels["q"].to_numpy() == pytest.approx(alone.frame["q"].to_numpy())
    both = combine([with_pairs, find_weaknesses(dimensions, 1 - values, metric="error", **make)])
    same = both.frame[both.frame["metric"] == "m"]
    assert same["q"].to_numpy() == pytest.approx(with_pairs.frame["q"].to_numpy())
    for by in (["topic"], ["type", "topic"]):
        seen = shown_slices(with_pairs, None, by, outside=3)
        inside = with_pairs.frame["dimension_1"].isin(by) & (
            with_pairs.frame["dimension_2"].isna() | with_pairs.frame["dimension_2"].isin(by)
        )
        of_plan = np.minimum(1.0, with_pairs.frame[inside]["q"] / 0.8)  # the plan has 4 % of the 5 %
        assert seen.frame["q"].tolist() == pytest.approx(of_plan.tolist())
    frozen = frozen_statistics(seen, seen.frame.iloc[2], looked_at=datetime(2027, 1, 5, tzinfo=UTC))
    assert frozen["family"] == {
        **{"metrics": ["m"], "dimensions": ["topic", "type"], "pairs": True, "slices_tested": 17, "minimum_n": 10},
        **{"q": 0.05, "share": 0.8, "weak": 3, "looked_at": "2027-01-05T00:00:00+00:00"},
    }


def test_dimensions_outside_the_plan_share_what_it_leaves_whichever_are_in_view() -> None:
    dimensions, values = crossed()
    dimensions = dimensions.assign(extra=["u", "v"] * (len(dimensions) // 2), more=["w", "x", "y", "z"] * 150)
    values = values - 0.4 * (dimensions["extra"] == "u") - 0.4 * (dimensions["more"] == "w")
    make = {"metric": "m", "direction": "higher", "pairs": True}
    planned = find_weaknesses(dimensions, values, by=["topic", "type"], **make)
    one = find_weaknesses(dimensions, values, by=["topic", "type", "extra"], **make)
    both = find_weaknesses(dimensions, values, by=["topic", "type", "more", "extra"], **make)
    seen = shown_slices(planned, one, ["topic", "extra"], outside=2)
    first = seen.frame[(seen.frame["dimension_1"] == "topic") & seen.frame["dimension_2"].isna()]
    assert first["q"].tolist() == as_planned(planned).frame["q"].iloc[: len(first)].tolist()
    extra = seen.frame[(seen.frame["dimension_1"] == "extra")]
    # u against v, and v against u: one p twice. Each of two dimensions has half of the fifth that the plan leaves.
    assert extra["q"].tolist() == pytest.approx(np.minimum(1.0, extra["p"] * 10).tolist())
    paired = seen.frame[seen.frame["dimension_2"] == "extra"]
    by_rank = np.sort(paired["p"]) * len(paired) / np.arange(1, len(paired) + 1)
    assert paired["q"].min() == pytest.approx(by_rank.min() * 5 * 3)  # extra, more, and the two together
    again = shown_slices(planned, both, ["topic", "extra", "more"], outside=2).frame
    again = again[again["dimension_1"].isin(["topic", "extra"]) & ~again["dimension_2"].isin(["more"])]
    again = again[again["dimension_1"] != "more"]
    assert sorted(again["q"].dropna()) == pytest.approx(sorted(seen.frame["q"].dropna()))


def test_of_a_metric_without_a_direction_both_sides_count() -> None:
    dimensions, values = crossed()
    one, two = (
        find_weaknesses(dimensions, values, metric="m", direction=direction, by=["topic"]).frame["q"]
        for direction in ("higher", "none")
    )
    assert two.tolist() == pytest.approx(np.minimum(1.0, 2 * one).tolist())


def test_a_weak_slice_has_an_interval_for_its_having_been_picked() -> None:
    dimensions, values = crossed()
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", by=["topic"], within=(-1.0, 1.0))
    weak, fine = row(table.frame, "t2"), row(table.frame, "t1")
    assert np.isnan(fine["selected_low"]) and np.isnan(fine["selected_high"])
    # One weak of five tested: the level is 1 − 0.05 · 1/5 = 0.99, with 119 degrees of freedom.
    wider = stats.t.ppf(0.995, 119) / stats.t.ppf(0.975, 119)
    assert weak["selected_low"] == pytest.approx(weak["mean"] - wider * (weak["mean"] - weak["low"]))
    assert weak["selected_high"] == pytest.approx(weak["mean"] + wider * (weak["high"] - weak["mean"]))


def test_levels_keep_the_order_of_their_categories() -> None:
    dimensions = pd.DataFrame({"d": pd.Categorical(["b", "a"] * 20, categories=["b", "a", "unused"], ordered=True)})
    frame = find_weaknesses(dimensions, pd.Series(np.arange(40.0)), metric="m", direction="higher").frame
    assert frame["level_1"].tolist() == ["b", "a"]


def test_missing_levels_are_named() -> None:
    dimensions = pd.DataFrame({"d": ["a", None] * 20})
    frame = find_weaknesses(dimensions, pd.Series(np.arange(40.0)), metric="m", direction="higher").frame
    assert set(frame["level_1"]) == {"a", "(none)"}


def test_degenerate_tables() -> None:
    dimensions, values = crossed(60)
    nothing = find_weaknesses(dimensions, values * np.nan, metric="m", direction="higher", pairs=True)
    assert set(nothing.frame["verdict"]) == {"insufficient evidence"}
    assert len(ranked(nothing)) == len(nothing.frame)
    empty = find_weaknesses(dimensions, values, metric="m", direction="higher", by=[])
    assert empty.frame.empty and empty.frame.columns.tolist()[: len(STATED)] == STATED
    assert ranked(empty).empty
    constant = find_weaknesses(dimensions, values * 0 + 0.1, metric="m", direction="higher", pairs=True)
    assert set(constant.frame["verdict"]) <= {"not shown to be lower", "insufficient evidence"}


def test_unusable_requests_are_refused() -> None:
    dimensions, values = crossed(60)
    with pytest.raises(HcatError, match="there are: topic, type"):
        find_weaknesses(dimensions, values, metric="m", direction="higher", by=["colour"])
    with pytest.raises(HcatError, match="at least 2"):
        find_weaknesses(dimensions, values, metric="m", direction="higher", minimum_n=1)


def test_the_table_survives_parquet(tmp_path: pytest.TempPathFactory) -> None:
    dimensions, values = crossed(100)
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", pairs=True)
    path = f"{tmp_path}/w.parquet"
    table.frame.to_parquet(path)
    pd.testing.assert_frame_equal(pd.read_parquet(path), table.frame)


def test_every_pair_of_ten_dimensions_is_looked_at() -> None:
    rng = np.random.default_rng(7)
    n = 20_000
    dimensions = pd.DataFrame({f"d{j}": pd.Categorical.from_codes(rng.integers(0, 8, n), list("abcdefgh"))
                               for j in range(10)})  # fmt: skip
    values = pd.Series(rng.random(n))
    table = find_weaknesses(dimensions, values, metric="m", direction="higher", pairs=True)
    assert len(table.frame) == 10 * 8 + 45 * 64


def test_slices_of_a_run_without_spread_have_the_width_of_a_rate() -> None:
    """Ten values of 0.75 in [0.5, 1] are a rate of a half: Wilson's interval of 5 of 10 is 0.2366 to 0.7634."""
    index = pd.Index([f"s{i}" for i in range(30)], name="sample_id")
    dimensions = pd.DataFrame({"topic": ["a"] * 10 + ["b"] * 20}, index=index)
    values = pd.Series(0.75, index=index)
    frame = find_weaknesses(dimensions, values, metric="m", direction="higher", within=(0.5, 1.0)).frame
    a = row(frame, "a")
    assert (a["low"], a["high"]) == (pytest.approx(0.5 + 0.5 * 0.2366, abs=1e-4), pytest.approx(0.8817, abs=1e-4))
    assert row(frame, "b")["high"] - row(frame, "b")["low"] < a["high"] - a["low"]
    assert a["p"] == 1


def test_each_slice_counts_its_states_which_add_up() -> None:
    dimensions, values = crossed()
    cycle: list[AnswerState] = ["answered", "answered", "correct_refusal", "wrong_refusal", "refusal", "no_answer"]
    states = {str(name): cycle[k % 6] for k, name in enumerate(dimensions.index)}
    values[[states[str(name)] != "answered" for name in values.index]] = np.nan
    backwards = dict(reversed(states.items()))
    found = find_weaknesses(
        dimensions, values, metric="m", direction="higher", by=["topic", "type"], pairs=True, answer_states=backwards
    ).frame
    counts = found[list(ANSWER_STATES)]
    assert (counts.sum(axis=1) == found["n"] + found["unscored"]).all()
    assert (counts["answered"] == found["n"]).all()
    marginal = found[found["dimension_2"].isna() & (found["dimension_1"] == "topic")]
    assert marginal[list(ANSWER_STATES)].sum().tolist() == [200, 100, 100, 100, 100]
    for _, slice_row in found[found["dimension_2"].notna()].iterrows():
        inside = dimensions[
            (dimensions["topic"] == slice_row["level_1"]) & (dimensions["type"] == slice_row["level_2"])
        ]
        assert slice_row["wrong_refusal"] == sum(states[str(name)] == "wrong_refusal" for name in inside.index)


def test_without_states_nothing_is_said_of_them() -> None:
    dimensions, values = crossed()
    frame = find_weaknesses(dimensions, values, metric="m", direction="higher").frame
    assert frame[list(ANSWER_STATES)].isna().all(axis=None)
