"""Facts of a whole run that scoring needs, read in one pass: metrics, ids, content hash, clusters, design."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hcat.core import __version__
from hcat.core.errors import FileFormatError
from hcat.core.metrics.declaration import Metric
from hcat.core.metrics.registry import Choice, choose
from hcat.core.models.model_set import ModelSet
from hcat.core.records.clusters import ClusterSource, cluster_sources, clusters_of
from hcat.core.records.design_weights import design_probabilities
from hcat.core.records.run_file import ContentHash
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.steps.table import metric_parameters
from hcat.core.types import Sample


class Samples(Protocol):
    """The samples of a run in order, which can be iterated repeatedly: a sequence, or a reader of a file."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Sample]: ...


@dataclass(frozen=True, eq=False, slots=True)
class RunOverview:
    """Properties of n samples, in their order.

    The metrics that are computed, `ids` (n,) and `clusters` (n,), the content hash, the sources of the clusters, and
    the design probabilities of those that state one."""

    choice: Choice
    ids: list[str]
    run_hash: str
    clusters: list[str]
    cluster_sources: tuple[ClusterSource, ...]
    probabilities: dict[str, float]

    def provenance(self, models: ModelSet, *, seed: int) -> Provenance:
        """The provenance of scores of this run by these models."""
        chosen = self.choice.metrics
        return Provenance(
            version=__version__,
            run_hash=self.run_hash,
            metrics=tuple(metric.name for metric in chosen),
            models=models.revisions({role for metric in chosen for role in metric.models}),
            seed=seed,
            parameters={metric.name: given for metric in chosen if (given := metric_parameters(metric, models))},
            left_out=self.choice.left_out,
            cluster_sources=self.cluster_sources,
            models_of={metric.name: _names(metric, models) for metric in chosen if metric.models},
        )


def read_overview(samples: Samples, metrics: str | Sequence[str], models: ModelSet) -> RunOverview:
    """The overview from one pass over the samples, and a second if there are variants or semantic groups.

    Raises UnknownMetricError, and FileFormatError when two samples have one id."""
    notes = _Notes()
    passing = notes.watch(samples)
    choice = choose(metrics, passing, unfilled=models.unfilled)
    for _ in passing:  # `choose` looks at none where every metric is named
        pass
    return RunOverview(
        choice,
        list(notes.case_of),
        notes.hash.hexdigest(),
        notes.clusters(samples),
        cluster_sources(notes.sources),
        notes.probabilities,
    )


class _Notes:
    """The properties collected from samples in a pass."""

    def __init__(self) -> None:
        self.hash = ContentHash()
        self.case_of: dict[str, str] = {}
        self.probabilities: dict[str, float] = {}
        self.sources: list[Sample] = []

    def watch(self, samples: Samples) -> Iterator[Sample]:
        for sample in samples:
            if sample.id in self.case_of:
                raise FileFormatError(f"Two samples have the id {sample.id!r}: ids must be unique within a run.")
            self.case_of[sample.id] = sample.test_case or sample.id
            self.hash.add(sample)
            self.probabilities |= design_probabilities([sample])
            self._note_source(sample)
            yield sample

    def clusters(self, samples: Samples) -> list[str]:
        """The cluster of each sample: without variants and groups its test case, and no links are followed."""
        if set(cluster_sources(self.sources)) <= {"test case"}:
            return list(self.case_of.values())
        cluster_of = clusters_of([_bare(sample) for sample in samples])
        return [cluster_of[sample_id] for sample_id in self.case_of]

    def _note_source(self, sample: Sample) -> None:
        """Store the first samples that state what they belong to: three at most."""
        if len(cluster_sources([*self.sources, sample])) > len(cluster_sources(self.sources)):
            self.sources.append(_bare(sample))


def _bare(sample: Sample) -> Sample:
    """The sample without its texts: the fields that determine its cluster."""
    return Sample(
        sample.id, "", None, test_case=sample.test_case, trial=sample.trial, group=sample.group, variant=sample.variant
    )


def _names(metric: Metric, models: ModelSet) -> tuple[str, ...]:
    filled = models.by_role
    return tuple(dict.fromkeys(filled[role].name for role in metric.models if role in filled))
