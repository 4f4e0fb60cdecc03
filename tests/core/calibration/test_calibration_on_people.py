"""The combined evaluator on public labels of people: what it adds to the best single metric, how coverage, set sizes
and AUC vary over ten random splits, and what PPI++ saves."""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.checks.comparison import Candidate, Comparison, compare_methods
from hcat.core.calibration.maps.methods import FitData, LevelMap, find_method
from hcat.core.calibration.maps.parameters import PARAMETERS
from hcat.core.capabilities.calibration.wording.calibration import comparison_sentence
from hcat.core.capabilities.calibration.wording.proportional_odds import proportional_odds_sentence
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.statistics.partition import grouped_folds
from hcat.core.types import Criterion, Label
from tests.core.calibration.people import DATA, SETS, begin, financebench
from tests.core.estimates.whole_run import estimate_run

ROUNDS = 10
REPEATS = 2 if "HCAT_DRAWS" in os.environ else 1
"""Of the cross-validation; two in `make simulate`."""
ALPHA = 0.1
EVERY_SPLIT = ("fit", "conformal", "check")
Record = Callable[[str, object], None]

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not DATA.is_dir(), reason="the public data sets are not beside the repository"),
]


def shown(found: Comparison) -> str:
    def line(one: Candidate) -> str:
        low, high = one.auc.low, one.auc.high
        return f"  {one.title}: log-loss {one.log_loss.value:.3f}, AUC {one.auc.value:.3f} ({low:.3f}–{high:.3f})"

    return "\n".join(
        [f"n = {found.n}, {found.passes} passes", *(line(one) for one in found.candidates), comparison_sentence(found)]
    )


def best(found: Comparison, *, several: bool) -> Candidate:
    some = [one for one in found.candidates if (len(one.metrics) > 1) == several]
    return max(some, key=lambda one: one.auc.value)


def holds_up(found: Comparison) -> None:
    """The combination is not below the best single metric by more than noise."""
    combined = next(one for one in found.candidates if one.method == "combined")
    single = best(found, several=False)
    noise = (single.auc.high - single.auc.low) / 2
    assert combined.auc.value >= single.auc.value - noise
    assert combined.auc.low > 0.5


@pytest.mark.slow(larger_than="test_groundedness_from_context_based_metrics")
def test_correctness_from_reference_based_metrics(record_property: Record) -> None:
    labels, scores, cases = financebench()
    found = compare_methods(
        labels,
        scores,
        criterion=Criterion("correctness"),
        metrics=scores.metrics,
        test_cases=cases,
        directions={"whole_cosine": "higher"},
        splits=EVERY_SPLIT,
        repeats=REPEATS,
    )
    print(shown(found))
    record_property("auc", {one.title: one.auc.value for one in found.candidates})
    holds_up(found)


def test_numbers_that_an_answer_lacks_need_not_cost_the_label(record_property: Record) -> None:
    labels, scores, cases = financebench()
    everything = {"criterion": Criterion("correctness"), "metrics": scores.metrics, "test_cases": cases}
    strict = calibrate(labels, scores, method="logistic", **everything)  # type: ignore[arg-type]
    lenient = calibrate(labels, scores, method="combined", **everything)  # type: ignore[arg-type]
    counts = {made.method: (sum(made.split_sizes.values()), dict(made.left_out)) for made in (strict, lenient)}
    print(counts, PARAMETERS.write_object(lenient.map))
    record_property("labels used", counts)
    assert lenient.left_out["unscored"] < strict.left_out["unscored"]
    decisions = lenient.predict(scores)["decision"]
    assert (decisions == "unscored").mean() <= 0.05


def test_groundedness_from_context_based_metrics(record_property: Record) -> None:
    labels, scores = begin()
    found = compare_methods(
        labels, scores, criterion=Criterion("groundedness"), metrics=scores.metrics, splits=EVERY_SPLIT, repeats=REPEATS
    )
    print(shown(found))
    record_property("auc", {one.title: one.auc.value for one in found.candidates})
    holds_up(found)


def test_utility_on_five_levels(record_property: Record) -> None:
    """Rank correlation of the expected level with people's, over folds that keep the answers to a question together."""
    rows = [json.loads(line) for line in (DATA / "ordinal/alce_utility.jsonl").read_text("utf-8").splitlines()]
    tokens = [row["output"].lower().split() for row in rows]
    asked = [set(row["question"].lower().split()) for row in rows]
    X = np.column_stack(
        [
            [np.log1p(len(words)) for words in tokens],
            [len(set(words) & query) / max(len(query), 1) for words, query in zip(tokens, asked, strict=True)],
            [len(set(words)) / max(len(words), 1) for words in tokens],
            [float(np.mean(row["automatic_correctness_scores"])) for row in rows],
            [float(row["output"].rstrip().endswith((".", "!", "?", '"'))) for row in rows],
        ]
    )
    names = ("log_length", "query_overlap", "distinct_words", "automatic_correctness", "finished")
    levels = np.array([row["utility_score"] - 1 for row in rows], dtype=np.intp)
    fold_of = grouped_folds([row["id"] for row in rows], levels >= 3, folds=5)
    found = {}
    for method in ("ordinal", "multinomial"):
        expected = np.empty(len(rows))
        for fold in range(5):
            out = fold_of == fold
            data = FitData(X[~out], levels[~out], names, n_levels=5, passing=3, directions=("none",) * 5)
            fitted = find_method(method).fit_data(data)
            assert isinstance(fitted, LevelMap)
            expected[out] = fitted.level_probabilities(X[out]) @ np.arange(5)
        found[method] = float(spearmanr(expected, levels).statistic)
    singles = {name: float(spearmanr(column, levels).statistic) for name, column in zip(names, X.T, strict=True)}
    print({"rank correlation": found, "single metrics": singles})
    record_property("rank correlation", found)
    largest = max(abs(value) for value in singles.values())
    # With n = 800 a rank correlation has a standard error of about 1/√800 = 0.035.
    assert all(value >= largest - 2 * 0.035 and value > 2 * 0.035 for value in found.values())


@pytest.mark.parametrize("method", ["ordinal", "multinomial"])
def test_sets_of_levels_cover_people(method: str, record_property: Record) -> None:
    rows = [json.loads(line) for line in (DATA / "ordinal/alce_utility.jsonl").read_text("utf-8").splitlines()]
    ids = [f"{row['run']}/{row['id']}" for row in rows]
    lengths = [float(np.log1p(len(row["output"].split()))) for row in rows]
    right = [float(np.mean(row["automatic_correctness_scores"])) for row in rows]
    frame = pd.DataFrame({"length": lengths, "right": right}, index=pd.Index(ids, name="sample_id", dtype="str"))
    utility = Criterion("utility", ("1", "2", "3", "4", "5"), passing=3)
    made = calibrate(
        [Label(sample_id, "utility", row["utility_score"] - 1) for sample_id, row in zip(ids, rows, strict=True)],
        ScoreTable(frame, Provenance("0", "alce", ("length", "right"))),
        criterion=utility,
        metrics=["length", "right"],
        method=method,
        alpha=0.2,
    )
    assert made.diagnostics is not None
    print(method, made.diagnostics.coverage, dict(made.diagnostics.set_sizes))
    print(proportional_odds_sentence(made.proportional_odds) if made.proportional_odds else "")
    record_property("coverage", made.diagnostics.coverage.value)
    # Coverage given one calibration varies by the threshold's own n too: about √(0.16/240 + 0.16/240) = 0.037.
    assert abs(made.diagnostics.coverage.value - 0.8) < 3 * 0.037


@pytest.mark.parametrize("name", SETS)
def test_coverage_over_ten_splits(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    coverage, auc, size, n = [], [], [], []
    for turn in range(ROUNDS):
        judged = SETS[name]().renamed(turn)
        made = calibrate(
            judged.labels,
            judged.scores,
            criterion=judged.criterion,
            metrics=judged.scores.metrics,
            method=judged.method,
            alpha=ALPHA,
            test_cases=judged.cases,
            directions=dict.fromkeys(judged.scores.metrics, "none") if judged.method == "multinomial" else None,
        )
        assert made.diagnostics is not None
        sizes = made.diagnostics.set_sizes
        coverage.append(made.diagnostics.coverage.value)
        auc.append(made.diagnostics.auc.value)
        size.append(sum(k * count for k, count in sizes.items()) / sum(sizes.values()))
        n.append((made.split_sizes["conformal"], made.split_sizes["check"]))
    with capsys.disabled():
        print(
            f"\n{name}: coverage {np.mean(coverage):.3f} (sd {np.std(coverage, ddof=1):.3f}, goal {1 - ALPHA}), "
            f"AUC {np.mean(auc):.3f}, mean set size {np.mean(size):.2f} of {len(made.levels)}, "
            f"threshold and check on about {n[0][0]} and {n[0][1]} labels"
        )
    # One split's coverage varies by its threshold's n and its check's n; the mean of ten overlapping splits by less.
    one = np.sqrt(ALPHA * (1 - ALPHA) * np.mean([1 / a + 1 / b for a, b in n]))
    assert abs(np.mean(coverage) - (1 - ALPHA)) < 2 * one
    assert np.std(coverage, ddof=1) < 2 * one


@pytest.mark.parametrize("name", SETS)
def test_labels_that_ppi_saves_at_equal_width(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A quarter of the labels is taken, ten times, as if the others were not known; all of them are the truth."""
    judged = SETS[name]()
    truth = float(np.mean([label.level >= judged.criterion.passing for label in judged.labels]))
    rng = np.random.default_rng(7)
    saved, inside, narrower = [], 0, 0
    for _ in range(ROUNDS):
        taken = rng.choice(len(judged.labels), len(judged.labels) // 4, replace=False)
        found = estimate_run(
            [judged.labels[k]._replace(probability=0.25) for k in taken],
            judged.scores,
            criterion=judged.criterion,
            metrics=judged.scores.metrics,
            method="combined" if judged.method == "combined" else "logistic",
        )
        saved.append(found.effective_n / found.labels_only_effective_n - 1)
        inside += found.ppi.low <= truth <= found.ppi.high
        narrower += found.ppi.high - found.ppi.low <= 1.02 * (found.labels_only.high - found.labels_only.low)
    with capsys.disabled():
        print(
            f"\n{name}: {len(taken)} labels do the work of {np.mean(saved) + 1:.2f} times as many (range "
            f"{min(saved) + 1:.2f}–{max(saved) + 1:.2f}); {inside} of {ROUNDS} intervals hold the rate of all labels"
        )
    assert inside >= 7  # of ten at 95 %: fewer has a chance below 0.2 %
    assert narrower == ROUNDS
