"""A run's scores: one row per sample, one column per metric, and the provenance of each number."""

from __future__ import annotations

import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from hcat.core.arrays import Bools, Codes, Floats
from hcat.core.errors import FileFormatError, LimitError, NotFoundError, UnknownMetricError
from hcat.core.metrics.facts import MetricFacts
from hcat.core.records.atomic import write_whole
from hcat.core.records.codec import JSON
from hcat.core.records.design_weights import design_weights
from hcat.core.records.json_text import json_value
from hcat.core.records.parquet import check_unpacked, read_table
from hcat.core.records.samples.by_sample import LevelBySample, NumberBySample, SampleOrder, codes_by_name, levels_at
from hcat.core.records.samples.columns import Levels, SampleColumns
from hcat.core.refusals.state import ANSWER_STATES, REFUSALS, AnswerState, count_states
from hcat.core.scoring.domain import outside_domain, outside_domain_in
from hcat.core.scoring.file_metric import facts_of
from hcat.core.scoring.provenance import Provenance, read_provenance
from hcat.core.scoring.table_faults import table_fault
from hcat.core.statistics.intervals import mean_interval
from hcat.core.types import Direction, Estimate, Sample, Score

if TYPE_CHECKING:
    import pyarrow as pa

REASON_SUFFIX = "__reason"
STATE_COLUMN = "answer_state"
CLUSTER_COLUMN = "cluster"
PROBABILITY_COLUMN = "design_probability"
OWN_COLUMNS = ("sample_id", STATE_COLUMN, CLUSTER_COLUMN, PROBABILITY_COLUMN)
"""The columns of a score file that are not metrics."""
MACHINE_VERDICTS = "mean of machine verdicts"
"""The method of a mean without an interval: it is what a machine decided, not what people would."""


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """A metric's mean over the samples that it scored, and the number it did not score, by reason.

    A mean of machine verdicts (`judged`) is no estimate of their subject, so that it has no interval; samples on which
    the machine is `outside` its domain are left out, by reason."""

    mean: Estimate
    unscored: Mapping[str, int]
    judged: bool = False
    outside: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of one run.

    `frame` is indexed by `sample_id`, with one float column per metric (NaN = unscored) and a `<metric>__reason` column
    of strings for each metric that left a sample unscored. `answer_states` (n,) says of each sample whether it was
    answered, declined or neither, and `clusters` (n,) are its clusters (`hcat.core.records.clusters`); None if not
    known, as in tables made before it was recorded. `probabilities` (n,) are those with which the test set's design
    drew the samples' cases, NaN for a sample without one; None if no sample has one."""

    frame: pd.DataFrame
    provenance: Provenance
    answer_states: tuple[AnswerState, ...] | None = None
    clusters: tuple[str, ...] | None = None
    probabilities: tuple[float, ...] | None = None

    @property
    def metrics(self) -> tuple[str, ...]:
        return self.provenance.metrics

    def facts(self, metric: str) -> MetricFacts:
        """Title, direction, range and source of a metric, by the file that its scores are from or the registry."""
        return facts_of(metric, self.provenance.from_files)

    def direction_of(self, metric: str) -> Direction:
        """The direction in which the metric improves; "none" if neither, or if none is stated."""
        return self.facts(metric).direction

    def directions(self, metrics: Sequence[str]) -> dict[str, Direction]:
        """The direction in which each of these metrics improves."""
        return {metric: self.direction_of(metric) for metric in metrics}

    @cached_property
    def sample_ids(self) -> tuple[str, ...]:
        return tuple(self.frame.index.to_numpy().tolist())

    @cached_property
    def order(self) -> SampleOrder:
        """The samples in the order of the rows."""
        return SampleOrder(self.sample_ids)

    @property
    def row_of(self) -> Mapping[str, int]:
        """The row of each sample."""
        return self.order.row_of

    @cached_property
    def refused(self) -> Bools:
        """Whether each answer declines (n,); false if that is not known."""
        if self.answer_states is None:
            return np.zeros(len(self.frame), dtype=bool)
        return np.isin(np.array(self.answer_states, dtype=np.str_), REFUSALS)

    @cached_property
    def state_of(self) -> LevelBySample[AnswerState] | None:
        """The state of each sample's answer; None if that is not known."""
        return None if self.answer_states is None else LevelBySample(self.order, Levels.of(self.answer_states))

    @cached_property
    def cluster_of(self) -> LevelBySample[str] | None:
        """The cluster of each sample by its id; None if that is not known."""
        return None if self.clusters is None else LevelBySample(self.order, Levels.of(self.clusters))

    @cached_property
    def probability_of(self) -> NumberBySample[float | None] | None:
        """The design probability of each sample by its id, None for one without; None if no sample has one."""
        if self.probabilities is None:
            return None
        return NumberBySample(self.order, np.array(self.probabilities, dtype=np.float64))

    @cached_property
    def design_weights(self) -> NumberBySample[float] | None:
        """The weight of each sample by its id, if the design drew some with higher probability; else None."""
        return design_weights(self.probability_of)

    def state_counts(self) -> dict[AnswerState, int] | None:
        """The number of samples in each state: all five, which sum to the samples. None if that is not known."""
        return None if self.answer_states is None else count_states(self.answer_states)

    def values(self, metric: str) -> NDArray[np.float64]:
        """The scores of one metric in the order of the samples; NaN = unscored. Raises UnknownMetricError."""
        self._check(metric)
        return self.frame[metric].to_numpy(dtype=np.float64)

    def score(self, sample_id: str, metric: str) -> Score:
        """One sample's score, or the reason there is none. Raises NotFoundError, UnknownMetricError."""
        self._check(metric)
        if sample_id not in self.frame.index:
            raise NotFoundError(f"No sample {sample_id!r} in these scores.")
        value = float(self.frame.at[sample_id, metric])  # type: ignore[arg-type]
        if not np.isnan(value):
            return Score(value)
        return Score(None, str(self.frame.at[sample_id, metric + REASON_SUFFIX]))

    def n_scored(self, metric: str) -> int:
        """The number of samples with a score of the metric. Raises UnknownMetricError."""
        return int(np.count_nonzero(~np.isnan(self.values(metric))))

    def reasons(self, metric: str) -> dict[str, int]:
        """The number of samples that the metric left unscored, by reason, most frequent first."""
        self._check(metric)
        column = metric + REASON_SUFFIX
        if column not in self.frame:
            return {}
        counts = self.frame[column].dropna().value_counts()
        return {str(reason): int(count) for reason, count in counts.items()}

    def summary(
        self,
        clusters: Mapping[str, str] | None = None,
        *,
        samples: Iterable[Sample] = (),
        columns: SampleColumns | None = None,
    ) -> dict[str, MetricSummary]:
        """Each metric's mean with its interval over the scored samples, and the number left out.

        Samples of one cluster count together in the interval, n counts samples. `clusters` by sample id replace the
        table's own, which tables made before these were recorded lack. Means of machine verdicts have no interval, and
        leave out the `samples` that are outside the machine's domain; for a stored run these are found by its
        `columns`."""
        outside = (
            outside_domain(samples, self.provenance) if columns is None else outside_domain_in(columns, self.provenance)
        )
        codes = self._cluster_codes(self.cluster_of if clusters is None else clusters)
        weights = None if self.design_weights is None else self.design_weights.numbers
        return {name: self._summary(name, codes, outside.get(name, {}), weights) for name in self.metrics}

    def _cluster_codes(self, clusters: Mapping[str, str] | None) -> Codes:
        """The number of each sample's cluster (n,) by the order of their names; one without is its own."""
        known = Levels(np.full(len(self.frame), -1, dtype=np.int32), ())
        if clusters:
            known = levels_at(clusters, self.sample_ids)
        if bool((known.codes < 0).any()):
            named = zip(self.sample_ids, known.texts(), strict=True)
            known = Levels.of(sample_id if name is None else name for sample_id, name in named)
        return codes_by_name(known)

    def _summary(self, name: str, clusters: Codes, outside: Mapping[str, str], weights: Floats | None) -> MetricSummary:
        facts, values = self.facts(name), self.values(name)
        if not facts.judged:
            mean = mean_interval(values, weights=weights, clusters=clusters, within=facts.range)
            return MetricSummary(mean, self.reasons(name))
        left_out = self.are_in(outside) & ~np.isnan(values)
        used = np.where(left_out, np.nan, values)
        mean = mean_interval(used, weights=weights, clusters=clusters, within=facts.range)
        counts = Counter(outside[self.sample_ids[row]] for row in np.flatnonzero(left_out))
        without = replace(mean, low=math.nan, high=math.nan, method=MACHINE_VERDICTS)
        return MetricSummary(without, self.reasons(name), judged=True, outside=dict(counts.most_common()))

    def are_in(self, sample_ids: Iterable[str]) -> Bools:
        """Whether each sample (n,) is among these."""
        rows = np.array([self.row_of.get(sample_id, -1) for sample_id in sample_ids], dtype=np.intp)
        inside = np.zeros(len(self.frame), dtype=bool)
        inside[rows[rows >= 0]] = True
        return inside

    def to_bytes(self) -> bytes:
        """The Parquet file of these scores, with the provenance in its metadata under `hcat`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        names = ["sample_id", *self.frame.columns]
        columns = [pa.array(list(self.frame.index), pa.string())]
        for name in self.frame.columns:
            kind = pa.string() if name.endswith(REASON_SUFFIX) else pa.float64()
            columns.append(pa.array(self.frame[name], type=kind, from_pandas=True))
        if self.answer_states is not None:
            names.append(STATE_COLUMN)
            columns.append(pa.array(self.answer_states, pa.string()))
        if self.clusters is not None:
            names.append(CLUSTER_COLUMN)
            columns.append(pa.array(self.clusters, pa.string()))
        if self.probabilities is not None:
            names.append(PROBABILITY_COLUMN)
            columns.append(pa.array(self.probabilities, pa.float64()))
        doubled = [name for name in OWN_COLUMNS if names.count(name) > 1]
        if doubled:
            raise FileFormatError(f"a metric can't be called {doubled[0]!r}: hcat's score files have such a column")
        metadata = json.dumps(JSON.write(self.provenance), sort_keys=True, ensure_ascii=False)
        sink = io.BytesIO()
        pq.write_table(pa.table(columns, names=names).replace_schema_metadata({"hcat": metadata}), sink)
        return sink.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes, *, name: str = "The file") -> ScoreTable:
        """The inverse of `to_bytes`. Raises FileFormatError for anything else."""
        import pyarrow as pa

        try:
            table = read_table(io.BytesIO(content))
            provenance = read_provenance(json_value((table.schema.metadata or {})[b"hcat"]))
            frame = _frame(table, provenance.metrics)
            states = states_of(frame.pop(STATE_COLUMN)) if STATE_COLUMN in frame else None
            clusters = tuple(map(str, frame.pop(CLUSTER_COLUMN).tolist())) if CLUSTER_COLUMN in frame else None
            drawn = tuple(map(float, frame.pop(PROBABILITY_COLUMN).tolist())) if PROBABILITY_COLUMN in frame else None
            return cls(frame, provenance, states, clusters, drawn)
        except FileFormatError as error:
            raise FileFormatError(
                f"{name} is not a score file of hcat ({error}); make one with `hcat score RUN -o FILE`."
            ) from error
        except (pa.ArrowException, OSError, KeyError, ValueError, TypeError, OverflowError) as error:
            raise FileFormatError(
                f"{name} is not a score file of hcat; make one with `hcat score RUN -o FILE`."
            ) from error

    def write(self, path: Path | str) -> None:
        """Write the Parquet file. The file is never left half-written."""
        write_whole(Path(path), self.to_bytes())

    @classmethod
    def read(cls, path: Path | str) -> ScoreTable:
        """Read what `write` wrote. Raises FileFormatError for anything else."""
        import pyarrow as pa

        try:
            content = Path(path).read_bytes()
            check_unpacked(io.BytesIO(content))
        except OSError as error:
            raise FileFormatError(f"{path} can't be read: {error.strerror}.") from error
        except pa.ArrowException:
            return cls.from_bytes(content, name=str(path))  # which says what it should be
        except LimitError as error:
            raise LimitError(f"{path}: {error}") from None
        return cls.from_bytes(content, name=str(path))

    def _check(self, metric: str) -> None:
        if metric in self.provenance.left_out:
            why = self.provenance.left_out[metric]
            raise UnknownMetricError(f"The metric {metric!r} was left out of these scores: {why}.")
        if metric not in self.metrics:
            raise UnknownMetricError(f"No metric {metric!r} in these scores; they have {', '.join(self.metrics)}.")


def score_table(
    sample_ids: list[str],
    scores: Mapping[str, list[Score]],
    provenance: Provenance,
    *,
    answer_states: Sequence[AnswerState] | None = None,
    clusters: Sequence[str] | None = None,
    probabilities: Mapping[str, float] | None = None,
) -> ScoreTable:
    """Scores by metric, each list in the order of the samples, as a table."""
    columns: dict[str, pd.Series] = {}
    index = pd.Index(sample_ids, name="sample_id", dtype="str")
    for name in provenance.metrics:
        values = [np.nan if score.value is None else score.value for score in scores[name]]
        columns[name] = pd.Series(values, index=index, dtype=np.float64)
        if any(score.reason is not None for score in scores[name]):
            columns[name + REASON_SUFFIX] = pd.Series(
                [score.reason for score in scores[name]], index=index, dtype="str"
            )
    states = None if answer_states is None else tuple(answer_states)
    return ScoreTable(
        pd.DataFrame(columns, index=index),
        provenance,
        states,
        None if clusters is None else tuple(clusters),
        tuple(probabilities.get(name, math.nan) for name in sample_ids) if probabilities else None,
    )


def is_score_file(path: Path) -> bool:
    """Whether hcat wrote this file, by its metadata: a Parquet file of others has none of hcat's."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return b"hcat" in (pq.read_schema(path).metadata or {})
    except (pa.ArrowException, OSError):
        return False


def _frame(table: pa.Table, metrics: Sequence[str]) -> pd.DataFrame:
    """Scores and their other columns, by sample id. FileFormatError says what is wrong."""
    twice = next((name for name, count in Counter(table.column_names).items() if count > 1), None)
    if twice is not None:
        raise FileFormatError(f"it has the column {twice!r} twice")
    frame: pd.DataFrame = table.to_pandas(use_threads=False).set_index("sample_id")
    scores = frame.astype(dict.fromkeys(metrics, np.float64))
    fault = table_fault(scores, metrics, reason_suffix=REASON_SUFFIX)
    if fault is not None:
        raise FileFormatError(fault)
    return scores


def states_of(column: pd.Series) -> tuple[AnswerState, ...]:
    """The states in a file. Raises KeyError for any other word."""
    known: dict[str, AnswerState] = {state: state for state in ANSWER_STATES}
    return tuple(map(known.__getitem__, column.tolist()))
