"""The corrected pass rate of a run, from its labels and scores in one step."""

from __future__ import annotations

from hcat.core.estimates.prediction_powered import PassRateEstimates, estimate_pass_rate
from hcat.core.estimates.run_estimates import prepare_run
from hcat.core.labelling.consensus import Labels
from hcat.core.scoring.score_table import ScoreTable


def estimate_run(labels: Labels, scores: ScoreTable, **given: object) -> PassRateEstimates:
    """What `hcat estimate` computes; `given` as `prepare_run` takes it."""
    prepared = prepare_run(labels, scores, **given)  # type: ignore[arg-type]
    return estimate_pass_rate(prepared.run, note=prepared.note)
