"""The provenance of a table of scores: run, models, parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hcat.core.records.codec import JSON
from hcat.core.scoring.file_metric import FileMetric
from hcat.core.types import JsonValue

VERIFIED_BY = "verifier"
"""The parameter of a metric that says who verified claims for it."""
COMBINATION = "combination"
"""The parameter of a metric that says which coefficients combined its inputs, and for which model they were fitted."""
VERIFIED_BY_BEFORE = "judge"
"""Its name in files of earlier versions."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a table of scores: its inputs, models and parameters.

    `models` maps a name to its revision, and `models_of` each metric with models to their names (none in files of
    earlier versions); `left_out` says why metrics requested by "all" are missing. `from_files` declares the metrics
    whose scores were not computed here. `run_hash` identifies the run by its content; `cluster_sources` are the fields
    that determined its clusters."""

    version: str
    run_hash: str
    metrics: tuple[str, ...]
    models: Mapping[str, str] = field(default_factory=dict)
    seed: int = 7
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    from_files: Mapping[str, FileMetric] = field(default_factory=dict)
    cluster_sources: tuple[str, ...] = ()
    models_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_provenance(document: JsonValue) -> Provenance:
    """The provenance in a score file's JSON. FileFormatError for anything else."""
    read = JSON.read(Provenance, document)
    return replace(read, parameters={name: _with_present_key(given) for name, given in read.parameters.items()})


def _with_present_key(given: JsonValue) -> JsonValue:
    if not isinstance(given, dict):
        return given
    return {VERIFIED_BY if name == VERIFIED_BY_BEFORE else name: value for name, value in given.items()}
