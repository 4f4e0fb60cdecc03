"""Samples into a file as they come: never more than one group of rows is in memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import BinaryIO

import pyarrow.parquet as pq

from hcat.core.records.run_file import canonical
from hcat.core.records.samples.likely_trials import LikelyTrials, LikelyTrialsFinder
from hcat.core.storage.sample_rows import rows_of, schema
from hcat.core.storage.sample_texts import TextForm
from hcat.core.types import Sample

ROWS_A_GROUP = 2048
"""Number of rows whose texts are decompressed to read those of one."""
FIRST_ROWS = 4 * ROWS_A_GROUP
"""A dimension that one of so many first samples has gets a column of its own."""
MOST_DIMENSIONS = 200
LIKELY_TRIALS = "hcat_likely_trials"


@dataclass(frozen=True, slots=True)
class WrittenSamples:
    """A file of `n` samples, by the artifact that names it, and the content hash of what it holds."""

    artifact: str
    n: int
    content_hash: str
    likely_trials: LikelyTrials | None


@dataclass(slots=True)
class Tally:
    """Summary of all samples once they are written."""

    n: int = 0
    content_hash: str = ""
    likely_trials: LikelyTrials | None = None


def write_samples(samples: Iterable[Sample], file: BinaryIO, form: TextForm) -> Tally:
    """Write the samples to an open file, and say what they are."""
    tally, digest, finder = Tally(), hashlib.sha256(), LikelyTrialsFinder()
    coming = iter(samples)
    first = list(islice(coming, FIRST_ROWS))
    names = dict.fromkeys(name for sample in first for name in sample.dimensions)
    columns = schema(list(names)[:MOST_DIMENSIONS])
    with pq.ParquetWriter(file, columns, compression="zstd", write_page_checksum=True) as writer:
        for group in _groups(first, coming):
            for sample in group:
                digest.update(canonical(sample))
                finder.add(sample)
            writer.write_table(rows_of(group, columns, form), row_group_size=ROWS_A_GROUP)
            tally.n += len(group)
        tally.content_hash, tally.likely_trials = digest.hexdigest(), finder.found()
        writer.add_key_value_metadata({LIKELY_TRIALS: json.dumps(likely_json(tally.likely_trials))})
    return tally


def read_likely_trials(stored: str) -> LikelyTrials | None:
    """Likely trials from the JSON that the file has of them."""
    fields = json.loads(stored)
    return None if fields is None else LikelyTrials(**{**fields, "examples": tuple(fields["examples"])})


def likely_json(found: LikelyTrials | None) -> object:
    """The inverse, as a document."""
    return None if found is None else asdict(found)


def _groups(first: list[Sample], coming: Iterator[Sample]) -> Iterator[list[Sample]]:
    for start in range(0, len(first), ROWS_A_GROUP):
        yield first[start : start + ROWS_A_GROUP]
    first.clear()
    while group := list(islice(coming, ROWS_A_GROUP)):
        yield group
