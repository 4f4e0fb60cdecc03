"""A run of variants asks other questions than a run without: their difference is not one of systems alone."""

from __future__ import annotations

from hcat.core.capabilities.estimates.estimate import VARIANTS_NOTE, compare_runs
from hcat.core.capabilities.report.analysis.report_extras import comparisons
from hcat.core.models.model_set import ModelSet
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.scoring.evaluate import score_samples
from hcat.core.types import Criterion, Label, Sample, Variant

CRITERION = Criterion("correctness")
METRICS = ("answer_length",)


def run(name: str, samples: list[Sample]) -> Opened:
    scores = score_samples(samples, metrics=METRICS, models=ModelSet(()), seed=1)
    labels = [Label(sample.id, "correctness", k % 2) for k, sample in enumerate(samples)]
    return run_from_files(RunColumns(name, FileColumns(lambda: tuple(samples), lambda: scores)), labels)


def plain(name: str) -> Opened:
    return run(name, [Sample(f"s{k}", f"query {k}", "word " * (1 + k % 5), test_case=f"c{k}") for k in range(40)])


def of_variants(name: str) -> Opened:
    """Twenty origins, each with one variant."""
    origins = [Sample(f"s{k}", f"query {k}", "word", test_case=f"c{k}") for k in range(20)]
    changed = [
        Sample(f"s{k}~v", f"qeury {k}", "word " * (1 + k % 3), variant=Variant("spelling", f"s{k}", 0.2))
        for k in range(20)
    ]
    return run(name, [*origins, *changed])


def test_the_report_compares_like_with_like() -> None:
    runs = [plain("a"), plain("b"), of_variants("c"), of_variants("d")]
    compared = comparisons(runs, [CRITERION], {CRITERION.name: METRICS})
    assert [(item.first, item.second) for item in compared] == [("a", "b"), ("c", "d")]


def test_a_difference_between_unlike_runs_says_so() -> None:
    assert VARIANTS_NOTE in compare_runs(plain("a"), of_variants("c"), CRITERION, metrics=METRICS).note
    assert VARIANTS_NOTE not in compare_runs(plain("a"), plain("b"), CRITERION, metrics=METRICS).note
