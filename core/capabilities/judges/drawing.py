"""Draws the samples of a judge: examples, which are never judged, and a random few by seed for a trial."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from hcat.core.capabilities.judges.examples import draw_examples
from hcat.core.capabilities.judges.judge import Judge, JudgedExample
from hcat.core.capabilities.judges.rubric import Rubric
from hcat.core.errors import HcatError
from hcat.core.records.clusters import clusters_of
from hcat.core.types import Criterion, Label, Sample


def without_examples(samples: Sequence[Sample], examples: Sequence[JudgedExample]) -> tuple[Sample, ...]:
    """The samples without the examples and the trials of the examples' test cases, whose answers may be the same."""
    if not examples:
        return tuple(samples)
    cluster_of = clusters_of(samples)
    shown = {cluster_of.get(example.sample.id, "") for example in examples}
    return tuple(sample for sample in samples if cluster_of[sample.id] not in shown)


def drawn_samples(
    judge: Judge, samples: Sequence[Sample], n: int, *, seed: int, first: Collection[str] = ()
) -> tuple[Sample, ...]:
    """At most `n` random samples that the judge can judge; those named `first` before others.

    They are in the run's order."""
    usable = [sample for sample in samples if judge.asked(sample)]
    order = np.random.default_rng(seed).permutation(len(usable)).tolist()
    drawn = sorted(order, key=lambda place: usable[place].id not in first)[:n]
    return tuple(usable[place] for place in sorted(drawn))


def examples_for(
    rubric: Rubric, labels: Sequence[Label], samples: Sequence[Sample], people: Criterion, *, n: int, seed: int
) -> tuple[JudgedExample, ...]:
    """`n` labelled answers with critiques, for the one criterion of the rubric. HcatError if that is not possible."""
    if len(rubric.criteria) != 1:
        raise HcatError("examples are shown for one criterion of the rubric: choose one")
    by_id = {sample.id: sample for sample in samples}
    rng = np.random.default_rng(seed)
    return draw_examples(labels, by_id, people=people, judge=rubric.criteria[0], n=n, rng=rng)
