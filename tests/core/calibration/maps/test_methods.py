"""Every method through calibrate, its document and its predictions."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.calibration.calibration import Calibration
from hcat.core.calibration.checks.proportional_odds import ProportionalOdds, check_proportional_odds
from hcat.core.calibration.document import LAYOUTS
from hcat.core.calibration.maps.methods import METHODS, directions_of, find_method
from hcat.core.calibration.maps.multinomial import MultinomialMap
from hcat.core.calibration.maps.ordinal import fit_ordinal
from hcat.core.calibration.maps.parameters import PARAMETERS, map_from_parameters
from hcat.core.capabilities.calibration.wording.proportional_odds import proportional_odds_sentence
from hcat.core.errors import FileFormatError, HcatError, NotEnoughLabelsError
from hcat.core.records.codec import Codec
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label
from tests.core.calibration.calibration_file import calibration_json

CORRECTNESS = Criterion("correctness")
UTILITY = Criterion("utility", levels=("useless", "weak", "fair", "good", "excellent"), passing=3)
NAMES = [method.name for method in METHODS]
BY_LEVEL = [method.name for method in METHODS if method.by_level]


def project(
    n: int = 900, *, criterion: Criterion = CORRECTNESS, unscored: float = 0.0
) -> tuple[list[Label], ScoreTable]:
    """Two metrics that see the same quality, and labels on as many levels as the criterion has."""
    rng = np.random.default_rng(11)
    quality = rng.normal(size=n)
    edges = np.linspace(-2, 2, len(criterion.levels) - 1) if not criterion.is_binary else [0.0]
    levels = np.digitize(1.5 * quality + rng.logistic(size=n), edges)
    columns = {"answer_f1": quality + 0.5 * rng.normal(size=n), "groundedness": quality + rng.normal(size=n)}
    columns["groundedness"][rng.random(n) < unscored] = np.nan
    index = pd.Index([f"s{i}" for i in range(n)], name="sample_id", dtype="str")
    labels = [Label(f"s{i}", criterion.name, int(level)) for i, level in enumerate(levels)]
    return labels, ScoreTable(pd.DataFrame(columns, index=index), Provenance("0", "abc", tuple(columns)))


def metrics_of(method: str) -> list[str]:
    return ["answer_f1"] if find_method(method).single else ["answer_f1", "groundedness"]


@pytest.mark.parametrize("criterion", [CORRECTNESS, UTILITY], ids=["binary", "ordinal"])
@pytest.mark.parametrize("method", NAMES)
def test_a_calibration_survives_its_document(method: str, criterion: Criterion) -> None:
    labels, scores = project(criterion=criterion)
    made = calibrate(labels, scores, criterion=criterion, metrics=metrics_of(method), method=method)
    again = Calibration.from_json(calibration_json(made))
    assert again == made
    assert again.predict(scores).equals(made.predict(scores))
    assert made.diagnostics is not None
    assert made.diagnostics.auc.low > 0.6
    # Ties of an isotonic map make its sets cover more than was asked for.
    assert made.diagnostics.coverage.high >= 0.9


@pytest.mark.parametrize("method", NAMES)
def test_parameters_are_plain_numbers(method: str) -> None:
    def leaves(value: object) -> set[type]:
        children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        return {type(value)} if children is None else {kind for child in children for kind in leaves(child)}

    labels, scores = project(criterion=UTILITY)
    made = calibrate(labels, scores, criterion=UTILITY, metrics=metrics_of(method), method=method)
    parameters = json.loads(calibration_json(made))["parameters"]
    assert leaves({k: v for k, v in parameters.items() if k != "directions"}) <= {float, int, bool, type(None)}
    assert set(parameters.get("directions", [])) <= {"higher", "lower", "none"}


@pytest.mark.parametrize("method", BY_LEVEL)
def test_predictions_of_each_level(method: str) -> None:
    labels, scores = project(criterion=UTILITY)
    scores.frame.iloc[4, 0] = np.nan
    made = calibrate(labels, scores, criterion=UTILITY, metrics=metrics_of(method), method=method)
    assert (made.levels, made.passing) == (UTILITY.levels, 3)
    predicted = made.predict(scores)
    inside, chance = ([f"{kind}_{level}" for level in UTILITY.levels] for kind in ("in", "p"))
    assert predicted.columns.tolist() == ["sample_id", "probability", *chance, *inside, "decision"]
    assert predicted.loc[4, "decision"] == "unscored" and predicted.loc[4, inside].isna().all()
    assert math.isnan(predicted.loc[4, "probability"])
    rest = predicted.drop(4)
    assert rest[chance].sum(axis=1).to_numpy() == pytest.approx(1.0)
    assert rest[["p_good", "p_excellent"]].sum(axis=1).to_numpy() == pytest.approx(rest["probability"].to_numpy())
    sets = rest[inside].to_numpy(dtype=bool)
    fails, passes = sets[:, :3].any(axis=1), sets[:, 3:].any(axis=1)
    words = {(1, 0): "fail", (0, 1): "pass", (1, 1): "undecided (both)", (0, 0): "undecided (empty)"}
    assert rest["decision"].tolist() == [words[int(f), int(p)] for f, p in zip(fails, passes, strict=True)]
    if method == "ordinal":
        # A run of levels starts once: a 1 after a 0, the space before the first level counting as 0.
        starts = np.diff(np.column_stack([np.zeros(len(sets)), sets]), axis=1) == 1
        assert (starts.sum(axis=1) <= 1).all()


def test_other_methods_cut_the_levels_at_the_passing_one() -> None:
    labels, scores = project(criterion=UTILITY)
    made = calibrate(labels, scores, criterion=UTILITY, metrics=["answer_f1"])
    cut = [Label(x.sample_id, "correctness", int(x.level >= 3)) for x in labels]
    assert made.map == calibrate(cut, scores, criterion=CORRECTNESS, metrics=["answer_f1"]).map
    assert made.predict(scores).columns.tolist() == ["sample_id", "probability", "in_0", "in_1", "decision"]


@pytest.mark.parametrize("method", BY_LEVEL)
def test_a_level_without_labels_says_how_many_more(method: str) -> None:
    labels, scores = project(criterion=UTILITY)
    four = [x for x in labels if x.level != 0]
    with pytest.raises(NotEnoughLabelsError, match="about 1,494 more labels \\(useless 0/2\\)"):
        calibrate(four, scores, criterion=UTILITY, metrics=["answer_f1"], method=method)


@pytest.mark.parametrize("method", [name for name in NAMES if name != "multinomial"])
def test_contributions_sum_to_the_log_odds(method: str) -> None:
    labels, scores = project(criterion=UTILITY)
    scores.frame.iloc[4, 0] = np.nan
    made = calibrate(labels, scores, criterion=UTILITY, metrics=metrics_of(method), method=method)
    table = made.contributions(scores)
    assert table.columns.tolist() == ["sample_id", "baseline", *made.metrics, "log_odds"]
    assert table.iloc[4][1:].isna().all()
    p = made.probability(scores)
    assert table["log_odds"].to_numpy() == pytest.approx(np.log(p / (1 - p)), abs=1e-9, nan_ok=True)
    summed = table[["baseline", *made.metrics]].sum(axis=1, skipna=False).to_numpy()
    assert summed == pytest.approx(table["log_odds"].to_numpy(), abs=1e-9, nan_ok=True)


def test_multinomial_does_not_come_apart() -> None:
    labels, scores = project(criterion=UTILITY)
    made = calibrate(labels, scores, criterion=UTILITY, metrics=["answer_f1"], method="multinomial")
    with pytest.raises(HcatError, match="choose combined"):
        made.contributions(scores)


@pytest.mark.parametrize("method", ["combined", "xgboost"])
def test_a_metric_may_be_unscored_where_that_was_learned(method: str) -> None:
    labels, scores = project(unscored=0.2)
    made = calibrate(labels, scores, criterion=CORRECTNESS, metrics=metrics_of(method), method=method)
    assert sum(made.split_sizes.values()) == 900 and made.left_out["unscored"] == 0
    assert np.isfinite(made.probability(scores)).all()


@pytest.mark.parametrize("method", ["combined", "xgboost"])
def test_and_is_left_out_where_it_was_not(method: str) -> None:
    labels, scores = project()
    scores.frame.iloc[:4, 1] = np.nan  # at most 4 in the fit split, of the 5 that it takes
    made = calibrate(labels, scores, criterion=CORRECTNESS, metrics=metrics_of(method), method=method)
    assert sum(made.split_sizes.values()) == 896 and made.left_out["unscored"] == 4
    assert made.predict(scores)["decision"].tolist()[:4] == ["unscored"] * 4


def test_directions_are_those_of_the_registry_unless_given() -> None:
    assert directions_of(["answer_f1", "answer_length", "my_own"]) == ("higher", "none", "none")
    labels, scores = project()
    made = calibrate(
        labels,
        scores,
        criterion=CORRECTNESS,
        metrics=["answer_f1", "groundedness"],
        method="combined",
        directions={"answer_f1": "lower"},
    )
    assert PARAMETERS.write_object(made.map)["directions"] == ["lower", "higher"]
    assert PARAMETERS.write_object(made.map)["slopes"][0] == 0  # type: ignore[index]


def test_proportional_odds_by_hand() -> None:
    # x = 0: levels 5, 3, 2, so odds of ≥ 1 are 5 : 5 and of ≥ 2 are 2 : 8. x = 1: 2, 3, 5, so 8 : 2 and 5 : 5. Both
    # are 4 times as high, which is proportional. A standard deviation of x is ½: the slope is ln 4 / 2 = ln 2, and in
    # the middle the odds are 2 and ½: the cuts lie at −ln 2 and ln 2.
    x = np.repeat([0.0, 1.0], 10)[:, None]
    levels = [0] * 5 + [1] * 3 + [2] * 2 + [0] * 2 + [1] * 3 + [2] * 5
    fitted = fit_ordinal(x, levels, n_levels=3, penalty=1e-9)
    assert fitted.slopes[0] == pytest.approx(math.log(2), abs=1e-6)
    assert fitted.cuts == pytest.approx((-math.log(2), math.log(2)), abs=1e-6)
    assert fitted.level_probabilities([[0.0]])[0] == pytest.approx([0.5, 0.3, 0.2], abs=1e-6)
    copies = check_proportional_odds(np.tile(x, (5, 1)), levels * 5, n_levels=3)
    assert copies.statistic == pytest.approx(0, abs=1e-8) and copies.p == pytest.approx(1)
    assert "Nothing speaks against" in proportional_odds_sentence(copies) and not copies.doubtful


def test_the_test_of_proportional_odds_is_kept_and_warns() -> None:
    labels, scores = project(criterion=UTILITY)
    made = calibrate(labels, scores, criterion=UTILITY, metrics=["answer_f1"], method="ordinal")
    assert made.proportional_odds is not None and made.proportional_odds.n == made.split_sizes["fit"]
    # Quality decides between the two lower levels only; above them chance does.
    rng = np.random.default_rng(0)
    quality = scores.values("answer_f1")
    split = [0 if q < 0 else int(rng.integers(1, 3)) for q in quality + 0.3 * rng.normal(size=len(quality))]
    three = Criterion("three", ("a", "b", "c"))
    bad = calibrate(
        [Label(f"s{i}", "three", level) for i, level in enumerate(split)],
        scores,
        criterion=three,
        metrics=["answer_f1"],
        method="ordinal",
    )
    assert bad.proportional_odds is not None and bad.proportional_odds.doubtful
    sentence = proportional_odds_sentence(bad.proportional_odds)
    assert "compare with the method multinomial" in sentence
    assert json.loads(calibration_json(bad))["proportional_odds"]["says"] == sentence


def test_damaged_multinomial_parameters_are_refused() -> None:
    labels, scores = project(criterion=UTILITY)
    made = calibrate(labels, scores, criterion=UTILITY, metrics=["answer_f1"], method="multinomial")
    for change in ({"slopes": [[1.0]]}, {"passing": 0}, {"means": "0"}, {"intercepts": None}):
        with pytest.raises(FileFormatError):
            map_from_parameters(MultinomialMap, made.metrics, PARAMETERS.write_object(made.map) | change)


def test_proportional_odds_of_trials_rest_on_test_cases() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(80, 1))
    levels = np.digitize(x[:, 0] + rng.logistic(size=80), [-1.0, 1.0])
    once = check_proportional_odds(x, levels, n_levels=3)
    assert check_proportional_odds(x, levels, n_levels=3, groups=np.arange(80)) == once
    five = [np.repeat(part, 5, axis=0) for part in (x, levels, np.arange(80))]
    copied = check_proportional_odds(five[0], five[1], n_levels=3, groups=five[2])
    # Five copies of each label are five times the evidence, unless they are known to be of one test case.
    naive = check_proportional_odds(five[0], five[1], n_levels=3)
    assert naive.statistic == pytest.approx(5 * once.statistic, rel=0.01)
    assert copied.statistic == pytest.approx(once.statistic, rel=0.5) and copied.p > naive.p
    assert "by 80 clusters" in proportional_odds_sentence(copied) and (copied.n, copied.test_cases) == (400, 80)
    few = check_proportional_odds(five[0], five[1], n_levels=3, groups=np.zeros(400))
    assert "too few labels or clusters: about 1" in proportional_odds_sentence(few)
    empty = check_proportional_odds(x, 2 * (levels > 0), n_levels=3)
    assert "A level has no label" in proportional_odds_sentence(empty)
    codec = Codec(LAYOUTS)
    assert codec.read(ProportionalOdds, codec.write(copied)) == copied
