"""A run and its labels that come from files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.errors import NotFoundError
from hcat.core.labelling.label_source import BY_PEOPLE
from hcat.core.opened.run import Labeller, Opened, RunColumns
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Criterion, Label, Sample

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration


@dataclass(frozen=True)
class FileColumns:
    """Functions that read the run file and the score file; None for one that is not given."""

    read_samples: Callable[[], Sequence[Sample]] | None = None
    read_scores: Callable[[], ScoreTable] | None = None

    def samples(self) -> Sequence[Sample] | None:
        return None if self.read_samples is None else self.read_samples()

    def samples_at(self, rows: Iterable[int]) -> Iterator[Sample]:
        samples = self.samples() or ()
        return (samples[row] for row in rows)

    def columns(self) -> SampleColumns | None:
        samples = self.samples()
        return None if samples is None else ColumnsOfSamples(samples)

    def sample(self, sample_id: str) -> Sample:
        for sample in self.samples() or ():
            if sample.id == sample_id:
                return sample
        raise NotFoundError(f"the run file has no sample {sample_id!r}")

    def scores(self) -> ScoreTable | None:
        return None if self.read_scores is None else self.read_scores()

    def topics(self) -> None:
        return None


@dataclass(frozen=True)
class FileLabels:
    """Labels of one run. `drawn_from` gives by sample id the stratum from which each sample of the run was drawn."""

    all_labels: tuple[Label, ...] = ()
    drawn_from: Mapping[str, str] | None = None

    def labels(self, criterion: str, *, by: Labeller | None = None) -> Sequence[Label]:
        own = [label for label in self.all_labels if label.criterion == criterion]
        return own if by is None else [x for x in own if x.source in (BY_PEOPLE if by == "people" else {"rule"})]

    def strata(self, criterion: Criterion) -> Mapping[str, str] | None:  # noqa: ARG002  one draw for all criteria
        return self.drawn_from

    def inclusion(self, criterion: Criterion) -> None:
        """Files have the inclusion probabilities of labelled samples alone."""

    def as_first_sampled(self, labels: Sequence[Label]) -> Sequence[Label]:
        return labels

    def registered_plans(self, criterion: str) -> tuple[()]:  # noqa: ARG002  plans are registered in projects
        return ()

    def independent_labels(self, criterion: Criterion) -> Sequence[Label]:
        return self.labels(criterion.name)

    def criteria(self) -> tuple[()]:
        """Files do not list criteria: they are chosen."""
        return ()

    def calibration(self, criterion: str | None) -> None:
        """Files hold none unless it is chosen."""


def run_from_files(
    columns: RunColumns,
    labels: Sequence[Label] = (),
    criteria: Sequence[Criterion] = (),
    *,
    calibrations: Sequence[Calibration] = (),
    stratum: str | None = None,
) -> Opened:
    """The run with these labels on these criteria, and with these calibrations; `stratum` names the dimension by whose
    levels samples were drawn for labelling."""
    drawn_from = None if stratum is None else dict(zip(columns.scores.sample_ids, columns.levels(stratum), strict=True))
    return Opened(columns, FileLabels(tuple(labels), drawn_from), tuple(criteria), tuple(calibrations))
