"""Trials of what is said of slices: every dimension is made at random, so that no slice differs from the rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmarks.battery.nulls import Drawn, Null
from benchmarks.battery.trial import Trial
from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.weaknesses.labelled_slices import find_pass_rate_weaknesses
from hcat.core.capabilities.weaknesses.weaknesses import find_calibrated_weaknesses
from hcat.core.errors import NotEnoughLabelsError
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.beside_labels import DISAGREEMENT, DISAGREEMENT_SHOWN, beside_labels
from hcat.core.slices.family import as_planned, shown_slices
from hcat.core.slices.paired import HIGHER_THAN, IN_SLICES, LOWER_THAN, PairedValues, compare_slices
from hcat.core.slices.table import WeaknessTable, find_weaknesses
from hcat.core.slices.verdicts import (
    BY_CORRECTED_RATES,
    BY_LABELS_ALONE,
    BY_ONE_SLICE,
    BY_SCORES,
    POSSIBLE,
    SHOWN,
    WEAK,
)
from hcat.core.types import Criterion, Label, Sample

N = 240
CRITERION = Criterion("correctness")
PLANNED, OTHERS = ("topic", "kind"), ("length", "language")


def dimensions(rng: np.random.Generator, drawn: Drawn) -> pd.DataFrame:
    """Topics by cluster, kinds by value; length follows the weights where there are some, and language by cluster."""
    units, n = drawn.units, len(drawn)
    size = int(units.max()) + 1
    by_cluster = rng.choice(8, size, p=[0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05])[units], rng.choice(3, size)[units]
    follows = rng.choice(4, n) if drawn.weights is None else np.unique(drawn.weights, return_inverse=True)[1]
    codes = {"topic": by_cluster[0], "kind": rng.choice(4, n), "length": follows, "language": by_cluster[1]}
    return pd.DataFrame({name: pd.Categorical([f"{name}{k}" for k in column]) for name, column in codes.items()})


def table_of(drawn: Drawn, frame: pd.DataFrame, values: np.ndarray, by: Sequence[str]) -> WeaknessTable:
    """All slices of these dimensions and their pairs."""
    return find_weaknesses(
        frame,
        pd.Series(values),
        metric="m",
        direction="higher",
        by=by,
        pairs=True,
        within=drawn.within,
        test_cases=drawn.clusters,
        design=drawn.weights,
    )


def wrong_score(null: Null, rng: np.random.Generator) -> bool:
    """Any slice of the plan, or beside it."""
    drawn = null.draw(rng, N)
    frame = dimensions(rng, drawn)
    values = drawn.with_side((frame["kind"] == "kind0").to_numpy())
    planned, everything = (table_of(drawn, frame, values, by) for by in (PLANNED, (*PLANNED, *OTHERS)))
    found = shown_slices(planned, everything, everything.settings.by, outside=len(OTHERS)).frame
    return bool(found["verdict"].isin(SHOWN).any())


def wrong_slice(null: Null, rng: np.random.Generator) -> bool:
    """The first topic."""
    drawn = null.draw(rng, N)
    frame = dimensions(rng, drawn)
    values = drawn.with_side((frame["topic"] == "topic0").to_numpy())
    return table_of(drawn, frame, values, ("topic",)).frame["verdict"].iloc[0] in POSSIBLE + SHOWN


def labelled_run(null: Null, rng: np.random.Generator) -> tuple[Opened, list[Label], RunColumns]:
    """A run of which a part is labelled; where the null has weights, by their inverses."""
    drawn = null.draw_passes(rng, 2 * N)
    frame, units = dimensions(rng, drawn), drawn.units
    chance = np.full(len(drawn), 0.5) if drawn.weights is None else 1 / drawn.weights
    heard = np.flatnonzero(rng.random(len(drawn)) < chance)
    passed = drawn.values
    samples = [
        Sample(id=f"s{row}", query="q", answer="a", test_case=f"c{units[row]}", trial=row, dimensions=dict(levels))
        for row, levels in enumerate(frame.astype("str").to_dict("records"))
    ]
    score = 1 / (1 + np.exp(-(rng.normal(size=len(drawn)) + 1.5 * passed)))
    index = pd.Index([sample.id for sample in samples], name="sample_id", dtype="str")
    scores = ScoreTable(pd.DataFrame({"answer_f1": score}, index=index), Provenance("0", "0" * 64, ("answer_f1",)))
    labels = [
        Label(f"s{row}", CRITERION.name, int(passed[row]), probability=float(chance[row])) for row in heard.tolist()
    ]
    columns = RunColumns("run", FileColumns(lambda: samples, lambda: scores))
    return run_from_files(columns, labels), labels, columns


def wrong_by_labels(null: Null, rng: np.random.Generator) -> bool:
    """Any slice that is weak by labels alone."""
    run, labels, _ = labelled_run(null, rng)
    table = as_planned(find_pass_rate_weaknesses(run, CRITERION, by=PLANNED, pairs=True)) if labels else None
    return table is not None and bool((table.frame["verdict"] == WEAK).any())


def wrong_by_corrected_rates(null: Null, rng: np.random.Generator) -> bool:
    """Any slice that is weak by labels that a metric corrects."""
    run, labels, columns = labelled_run(null, rng)
    try:
        fitted = calibrate(labels, columns.scores, criterion=CRITERION, metrics=("answer_f1",))
    except NotEnoughLabelsError:
        return False
    table = as_planned(find_calibrated_weaknesses(run, fitted, CRITERION, by=PLANNED, pairs=True))
    return bool((table.frame["verdict"] == WEAK).any())


def wrong_disagreement(null: Null, rng: np.random.Generator) -> bool:
    """Any slice whose score is worse though people pass more."""
    drawn = null.draw(rng, N)
    frame = dimensions(rng, drawn)
    score = table_of(drawn, frame, drawn.values - 0.5 * (frame["topic"] == "topic0").to_numpy(), PLANNED)
    people = find_weaknesses(
        frame,
        pd.Series(null.draw_passes(rng, len(drawn)).values),
        metric="m",
        direction="higher",
        by=PLANNED,
        pairs=True,
        within=(0.0, 1.0),
    )
    return bool((beside_labels(score, people).frame["disagreement"] == DISAGREEMENT_SHOWN).any())


def wrong_pair_of_runs(null: Null, rng: np.random.Generator) -> bool:
    """Any slice in which two runs of one distribution differ."""
    first, second = null.draw(rng, N), null.draw(rng, N)
    n = min(len(first), len(second))
    frame = dimensions(rng, first).iloc[:n].reset_index(drop=True)
    found = compare_slices(
        frame,
        PairedValues(first.values[:n], second.values[:n], [str(unit) for unit in first.units[:n]]),
        runs=("a", "b"),
        metric="m",
        direction="higher",
        by=list(PLANNED),
        within=first.within,
    )
    return any(each.verdict in (LOWER_THAN, HIGHER_THAN) for each in found.slices)


_NO_WEIGHTS = {"weighted": "pairs of scores of two runs carry no weights"}
_NO_SIDE = {"constant side": "labels are passes and fails, not values at a mean"}
TRIALS = (
    Trial(BY_SCORES, wrong_score, thin=40),
    Trial(BY_ONE_SLICE, wrong_slice, thin=60),
    Trial(BY_LABELS_ALONE, wrong_by_labels, skips=_NO_SIDE, thin=40),
    Trial(BY_CORRECTED_RATES, wrong_by_corrected_rates, skips=_NO_SIDE, thin=20),
    Trial(DISAGREEMENT, wrong_disagreement, skips=_NO_SIDE, thin=40),
    Trial(
        IN_SLICES, wrong_pair_of_runs, skips=_NO_WEIGHTS | {"constant side": "both runs have one distribution"}, thin=40
    ),
)
