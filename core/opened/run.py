"""An opened run: samples, scores, dimensions and labels, each read when it is first asked for, and then never again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Codes
from hcat.core.calibration.checks.looks import DeclaredLook, declared_look
from hcat.core.errors import HcatError, NotFoundError
from hcat.core.estimates.label_evaluation import ScoredRun
from hcat.core.labelling.consensus import ConsensusLabels, resolve_labels
from hcat.core.records.clusters import ClusterConflict, cluster_conflict, clusters_in, shared_clusters
from hcat.core.records.design_weights import design_weights
from hcat.core.records.preregistration import RegisteredPlan
from hcat.core.records.run_file import content_hash
from hcat.core.records.samples.by_sample import LevelBySample, NumberBySample, SampleOrder, codes_by_name, levels_at
from hcat.core.records.samples.columns import Levels, SampleColumns
from hcat.core.records.samples.likely_trials import LikelyTrials, likely_trials_by_id
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Criterion, Label, Sample

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.calibration.calibration import Calibration
    from hcat.core.slices.cells.cached import CachedCells, LabelStates
    from hcat.core.slices.cells.sums import Pair, SumCells
    from hcat.core.statistics.exact_sums import Whole
    from hcat.core.topics.run_topics import RunTopics

Labeller = Literal["people", "rule"]
"""The source of a label: people, including decisions over their labels, or reference rules."""


ROWS_AT_A_TIME = 2_048
"""Number of samples in memory at a time where they are wanted in another order than the run's."""


class ColumnSource(Protocol):
    """Source of a run's samples, scores and topics."""

    def samples(self) -> Sequence[Sample] | None:
        """All samples in order; None where nothing but scores is given."""

    def samples_at(self, rows: Iterable[int]) -> Iterator[Sample]:
        """The samples at these places of the run, which rise."""

    def columns(self) -> SampleColumns | None:
        """The columns of the samples besides their texts; None where nothing but scores is given."""

    def sample(self, sample_id: str) -> Sample:
        """One sample, or NotFoundError."""

    def scores(self) -> ScoreTable | None:
        """The newest scores; None where there are none."""

    def topics(self) -> RunTopics | None:
        """The topics of the queries that were found last; None where there are none."""


class LabelSource(Protocol):
    """Source of a run's labels and of the sampling design of the labelled samples."""

    def labels(self, criterion: str, *, by: Labeller | None = None) -> Sequence[Label]:
        """The labels that hold, of all or of one kind; each kind with the probabilities of its own draws."""

    def strata(self, criterion: Criterion) -> Mapping[str, str] | None:
        """The stratum of each sample, where the labelled ones were drawn from strata; else None."""

    def inclusion(self, criterion: Criterion) -> Mapping[str, float] | None:
        """The probability with which each sample of the run could be drawn for a label; None where not known of all."""

    def as_first_sampled(self, labels: Sequence[Label]) -> Sequence[Label]:
        """The first labels in time, with the probabilities that they had before any other came."""

    def registered_plans(self, criterion: str) -> Sequence[RegisteredPlan]:
        """The plans that were registered on the criterion, oldest first."""

    def independent_labels(self, criterion: Criterion) -> Sequence[Label]:
        """The labels that people gave without knowing those of others."""

    def criteria(self) -> Sequence[Criterion]:
        """The criteria that samples are judged on."""

    def calibration(self, criterion: str | None) -> Calibration | None:
        """The calibration in force, which was saved last, on this criterion or on any; None without one."""


@dataclass(frozen=True, eq=False)
class RunColumns:
    """The immutable part of an open run. Callers must not modify it."""

    name: str
    source: ColumnSource
    filename: str = ""
    format: str = ""
    stored_hash: str = ""
    given_topics: Mapping[str, str | None] | None = None
    """The topic of each sample by its id, where a file gives them; else those that were found last."""
    last_resolved: dict[Criterion, ConsensusLabels] = field(default_factory=dict, init=False, repr=False)
    """The consensus of the labels when the run was last opened: what is still valid is not resolved again."""
    cells: CachedCells | None = None
    """Cache of the cells of a large run; None where they are counted each time."""

    @cached_property
    def given_samples(self) -> tuple[Sample, ...] | None:
        """The samples; None where nothing but scores is given."""
        samples = self.source.samples()
        return None if samples is None else tuple(samples)

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The samples with all their texts, or HcatError where nothing but scores is given."""
        if self.given_samples is None:
            raise self._no_samples()
        return self.given_samples

    @cached_property
    def given_columns(self) -> SampleColumns | None:
        """The columns of the samples besides their texts, each read when it is asked for; None where nothing but scores
        is given."""
        return self.source.columns()

    @property
    def sample_columns(self) -> SampleColumns:
        """The same, or HcatError where nothing but scores is given."""
        if self.given_columns is None:
            raise self._no_samples()
        return self.given_columns

    @property
    def has_samples(self) -> bool:
        """Whether samples are given, and not nothing but scores."""
        return self.given_columns is not None

    @cached_property
    def sample_ids(self) -> Sequence[str]:
        """The ids of the samples in order, or HcatError where nothing but scores is given."""
        return self.sample_columns.ids()

    @cached_property
    def order(self) -> SampleOrder:
        """The samples in the order that their columns share."""
        return SampleOrder(self.sample_ids)

    def _no_samples(self) -> HcatError:
        return HcatError(f"this takes the samples of run {self.name!r}: give its run file")

    def sample(self, sample_id: str) -> Sample:
        """One sample, or NotFoundError; the others are not read for it."""
        return self.source.sample(sample_id)

    def each_of(self, sample_ids: Sequence[str]) -> Iterator[Sample]:
        """These samples in this order, decoded as they come; the others are not. NotFoundError for an unknown id."""
        rows = self._rows_of(sample_ids)
        if (np.diff(rows) > 0).all():
            yield from self.source.samples_at(rows)
            return
        for start in range(0, len(rows), ROWS_AT_A_TIME):
            places, back = np.unique(rows[start : start + ROWS_AT_A_TIME], return_inverse=True)
            found = list(self.source.samples_at(places))
            yield from (found[place] for place in back)

    def _rows_of(self, sample_ids: Sequence[str]) -> NDArray[np.int64]:
        """The place of each of these samples in the run."""
        import pandas as pd

        rows = pd.Index(self.sample_ids).get_indexer(pd.Index(sample_ids))
        if (rows < 0).any():
            missing = sample_ids[int(np.argmin(rows))]
            raise NotFoundError(f"run {self.name!r} has no sample {missing!r}")
        return np.asarray(rows, dtype=np.int64)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of the samples, which names the run wherever its numbers go; as stored, where it is."""
        return self.stored_hash or content_hash(self.samples)

    @cached_property
    def given_scores(self) -> ScoreTable | None:
        """The scores; None where there are none."""
        return self.source.scores()

    @property
    def scores(self) -> ScoreTable:
        """The scores, or NotFoundError before the first scoring."""
        if self.given_scores is None:
            raise NotFoundError(f"run {self.name!r} has no scores yet: score it first")
        return self.given_scores

    @cached_property
    def topics(self) -> RunTopics | None:
        """The topics of the queries that were found last; None where there are none."""
        return self.source.topics()

    @cached_property
    def clusters(self) -> Mapping[str, str] | None:
        """The cluster of each sample by its id: by the samples, where they are given, else as the scores recorded it.
        None where neither says so, as in score files made before clusters were recorded."""
        if self.given_columns is not None:
            return clusters_in(self.given_columns, self.order)
        return None if self.given_scores is None else self.given_scores.cluster_of

    @cached_property
    def shared_clusters(self) -> Mapping[str, str] | None:
        """The clusters where one has several samples; None where samples are independent of one another."""
        return shared_clusters(self.clusters)

    @cached_property
    def cluster_codes(self) -> Codes | None:
        """The number of the cluster of each sample in their order, by the alphabetical order of their names; None where
        samples are independent of one another."""
        shared = self.shared_clusters
        return None if shared is None else codes_by_name(levels_at(shared, self.sample_ids))

    @cached_property
    def design_probabilities(self) -> Mapping[str, float | None]:
        """The probability with which the test set's design drew each sample's case, by id: by the samples, where they
        are given, else as the scores recorded it. None for a sample without, and empty where no sample has one."""
        if self.given_columns is not None:
            drawn = self.given_columns.numbers("design_probability")
            return {} if np.isnan(drawn).all() else NumberBySample(self.order, drawn)
        return {} if self.given_scores is None else (self.given_scores.probability_of or {})

    @cached_property
    def design_weights(self) -> Mapping[str, float] | None:
        """The weight of each sample by its id, where the design drew some likelier than others; else None."""
        return design_weights(self.design_probabilities)

    @cached_property
    def likely_trials(self) -> LikelyTrials | None:
        """Samples that look like several of one test case, though neither run nor scores say that they are."""
        if self.given_columns is not None:
            return self.given_columns.likely_trials()
        if self.given_scores is None or self.given_scores.provenance.cluster_sources:
            return None
        return likely_trials_by_id(self.given_scores.sample_ids)

    @property
    def cluster_conflict(self) -> ClusterConflict | None:
        """The difference in clusters where samples and scores are both given and do not divide the run alike: the
        samples' clusters count."""
        if self.given_columns is None or self.given_scores is None or self.given_scores.cluster_of is None:
            return None
        return cluster_conflict(self.clusters or {}, self.given_scores.cluster_of)

    @cached_property
    def answer_states(self) -> Levels | None:
        """The state of the answer of each sample in their order, as the scores recorded it; None where that is not
        known."""
        known = None if self.given_scores is None else self.given_scores.state_of
        return None if known is None else known.at(self.sample_ids)

    @cached_property
    def dimensions(self) -> pd.DataFrame:
        """The dimensions by which samples are sliced, one row a sample: given dimensions, topics where there are some,
        and derived."""
        from hcat.core.slices.slices import dimension_frame

        topic = self.given_topics
        if topic is None:
            topic = None if self.topics is None else self.topics.levels
        if topic is None:
            return dimension_frame(self.sample_columns)
        return dimension_frame(self.sample_columns, extra={"topic": levels_at(topic, self.sample_ids)})

    @cached_property
    def groups(self) -> Mapping[str, LevelBySample[str | None]] | None:
        """The level of each scored sample by dimension and sample id; None where nothing but scores is given."""
        from hcat.core.calibration.conformal.stage_2 import groups_of

        return None if self.given_columns is None else groups_of(self.dimensions, self.order, self.scores.sample_ids)

    @cached_property
    def scored(self) -> ScoredRun:
        """Scores, clusters and groups from which every calibration and estimate starts. NotFoundError before the first
        scoring."""
        return ScoredRun(self.scores, self.clusters, self.groups or {})

    @property
    def sum_cells(self) -> SumCells:
        """The function that sums the cells of the run, or reads them from the cache."""
        from hcat.core.slices.cells.sums import sum_cells

        return sum_cells if self.cells is None else self.cells.sum_cells

    def count_labels(self, of: Sequence[Pair], criterion: str, states: LabelStates) -> list[Whole]:
        """Number of labels of each kind in each cell; see `hcat.core.slices.cells.cached`."""
        from hcat.core.slices.cells.cached import count_labels

        return count_labels(of, states) if self.cells is None else self.cells.count_labels(of, criterion, states)

    def levels(self, dimension: str) -> list[str]:
        """The level of each scored sample, in the order of the scores. HcatError for an unknown dimension."""
        return list(map(str, self.level_codes(dimension).texts()))

    def level_codes(self, dimension: str) -> Levels:
        """The same as numbers and names."""
        from hcat.core.slices.slices import require_dimensions

        frame, ids, order = self.dimensions, self.scores.sample_ids, self.order
        require_dimensions(frame, [dimension])
        rows = order.rows(ids)
        if (rows < 0).any():
            missing = ids[int(np.argmax(rows < 0))]
            raise HcatError(
                f"the run file has no sample {missing!r}, which the scores have: give the run that was scored"
            )
        column = frame[dimension].array.take(rows)
        return Levels(column.codes.astype(np.int32), tuple(map(str, column.categories)))


@dataclass(frozen=True, eq=False)
class Opened:
    """A run with all that a capability takes: its columns, its labels, their criteria, and the calibration in force.

    Each part is read when it is first asked for. Chosen criteria and calibrations count instead of those of the
    source; a run with others shares what was read."""

    columns: RunColumns
    label_source: LabelSource
    chosen_criteria: tuple[Criterion, ...] | None = None
    chosen_calibrations: tuple[Calibration, ...] = ()
    _in_force: dict[str | None, Calibration | None] = field(default_factory=dict, kw_only=True, repr=False)
    _resolved: dict[Criterion, ConsensusLabels] = field(default_factory=dict, kw_only=True, repr=False)
    _strata: dict[Criterion, Mapping[str, str] | None] = field(default_factory=dict, kw_only=True, repr=False)
    _plans: dict[str, Sequence[RegisteredPlan]] = field(default_factory=dict, kw_only=True, repr=False)

    @property
    def name(self) -> str:
        return self.columns.name

    def on(self, *criteria: Criterion) -> Opened:
        """The same run, judged on these criteria alone."""
        return replace(self, chosen_criteria=criteria)

    def by(self, *calibrations: Calibration) -> Opened:
        """The same run with these calibrations in force."""
        return replace(self, chosen_calibrations=calibrations)

    @cached_property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that samples are judged on."""
        return tuple(self.label_source.criteria()) if self.chosen_criteria is None else self.chosen_criteria

    def criterion(self, name: str) -> Criterion:
        """The criterion of this name, or NotFoundError."""
        for criterion in self.criteria:
            if criterion.name == name:
                return criterion
        raise NotFoundError(
            f"there is no criterion {name!r}; there are: {', '.join(each.name for each in self.criteria) or 'none'}"
        )

    @property
    def calibration(self) -> Calibration | None:
        """The calibration that was given, else the one that was saved last; None without one, or without the scores
        that a saved one would be applied to."""
        if self.chosen_calibrations:
            return self.chosen_calibrations[0]
        return None if self.columns.given_scores is None else self._saved(None)

    def in_force(self, criterion: str | None = None) -> Calibration:
        """The calibration that was given or saved last, on this criterion where one is named, or NotFoundError."""
        given = (each for each in self.chosen_calibrations if criterion in (None, each.criterion))
        found = next(given, None) or self._saved(criterion)
        if found is None:
            of = "" if criterion is None else f" on {criterion!r}"
            raise NotFoundError(
                f"run {self.name!r} has no saved calibration{of} yet: calibrate a metric and save the result"
            )
        return found

    def _saved(self, criterion: str | None) -> Calibration | None:
        if criterion not in self._in_force:
            self._in_force[criterion] = self.label_source.calibration(criterion)
        return self._in_force[criterion]

    def labels(self, criterion: Criterion) -> ConsensusLabels:
        """The labels on the criterion that are in force, and their consensus."""
        if criterion not in self._resolved:
            earlier, labels = self.columns.last_resolved, self.label_source.labels(criterion.name)
            resolved = resolve_labels(labels, criterion, before=earlier.get(criterion))
            self._resolved[criterion] = earlier[criterion] = resolved
        return self._resolved[criterion]

    def independent_labels(self, criterion: Criterion) -> Sequence[Label]:
        """The labels that people gave without knowing those of others."""
        return self.label_source.independent_labels(criterion)

    def labels_of(self, criterion: Criterion, by: Labeller) -> Sequence[Label]:
        """The labels of one kind of labeller, with the probabilities of its own draws."""
        return self.label_source.labels(criterion.name, by=by)

    def inclusion(self, criterion: Criterion) -> Mapping[str, float] | None:
        """The probability with which each sample of the run could be drawn for a label; None where not known of all."""
        return self.label_source.inclusion(criterion)

    def strata(self, criterion: Criterion) -> Mapping[str, str] | None:
        """The stratum of each sample, where the labelled ones were drawn from strata; else None."""
        if criterion not in self._strata:
            self._strata[criterion] = self.label_source.strata(criterion)
        return self._strata[criterion]

    def declared_look(self, criterion: Criterion, judged: ConsensusLabels) -> DeclaredLook | None:
        """The look at these labels that a plan declared before the first of them; None without one."""
        if criterion.name not in self._plans:
            self._plans[criterion.name] = self.label_source.registered_plans(criterion.name)
        return declared_look(self._plans[criterion.name], judged)

    def as_first_sampled(self, labels: Sequence[Label]) -> Sequence[Label]:
        """The first labels in time, with the probabilities that they had before any other came."""
        return self.label_source.as_first_sampled(labels)
