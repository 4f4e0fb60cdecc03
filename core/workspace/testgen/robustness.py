"""Variants of a project's runs beside their origins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.records.project import RunInfo
from hcat.core.types import OnProgress
from hcat.core.workspace.calibrations import Calibrations
from hcat.core.workspace.criteria import Criteria
from hcat.core.workspace.open_runs import OpenRuns
from hcat.core.workspace.projects import Projects
from hcat.core.workspace.scoring import Scoring

if TYPE_CHECKING:
    from hcat.core.analysis.run_data import RunColumns
    from hcat.core.testgen.variants.comparison import Robustness


@dataclass(frozen=True)
class VariantComparisons:
    """What the variants of each run show."""

    projects: Projects
    criteria: Criteria
    run_data: OpenRuns
    calibrations: Calibrations
    scoring: Scoring

    def compare(
        self,
        run: RunInfo,
        origins: RunInfo | None = None,
        *,
        columns: tuple[RunColumns, RunColumns] | None = None,
        metrics: Sequence[str] | None = None,
        similarity: bool = True,
        on_progress: OnProgress | None = None,
    ) -> Robustness:
        """Each variant beside the answer to its origin, in the same run or in `origins`: by labels, by the calibration
        of the run that was saved last, by metrics. `columns` of both spare reading what is open already.

        HcatError where no variant has an origin.
        """
        from hcat.core.analysis.answers import answer_vectors
        from hcat.core.analysis.robustness import answers_in_pairs, compare_variants

        own, other = columns or (None, None)
        opened = self.run_data.open(run, columns=own)
        opened_origins = None if origins is None else self.run_data.open(origins, columns=other)
        vectors = None
        if similarity:
            encoder, store = self.scoring.encoder_and_store()
            compared = answers_in_pairs(opened.columns, None if opened_origins is None else opened_origins.columns)
            vectors = answer_vectors(compared, encoder=encoder, store=store, on_progress=on_progress)
        saved = self.calibrations.newest(run) if self.calibrations.all(run) else None
        return compare_variants(
            opened,
            opened_origins,
            criteria=self.criteria.all(self.projects.of(run)),
            calibration=saved if opened.columns.given_scores is not None else None,
            metrics=metrics,
            vectors=vectors,
        )
