"""A selection of samples as somebody saw it, saved with its scores and chart so that any change can be noticed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from hcat.core.errors import FileFormatError
from hcat.core.records.codec import JSON
from hcat.core.records.file_limits import parse_document
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import JsonValue

FORMAT = "1"


@dataclass(frozen=True, slots=True)
class FrozenSelection:
    """The frozen data of a finding. These are the filter at that time, the metric, every sample with its score (None =
    unscored), the statistics where it was a slice, and the chart, as a Plotly figure, where one was looked at.

    `run` is the run's name, `content_hash` that of its samples: the texts themselves stay in the run.
    """

    run: str
    content_hash: str
    title: str
    metric: str
    filter: Mapping[str, JsonValue]
    scores: Mapping[str, float | None]
    statistics: Mapping[str, JsonValue] = field(default_factory=dict)
    chart: Mapping[str, JsonValue] | None = None

    @property
    def sample_ids(self) -> tuple[str, ...]:
        return tuple(self.scores)

    def to_json(self) -> str:
        """The document, always the same for the same selection: keys sorted, samples in their order."""
        document = {**JSON.write_object(self), "format": FORMAT, "scores": JSON.write(list(self.scores.items()))}
        return json.dumps(document, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    @property
    def hash(self) -> str:
        """SHA-256 of the document."""
        return sha256_of_text(self.to_json())

    @classmethod
    def from_json(cls, text: str) -> FrozenSelection:
        """The inverse of `to_json`. FileFormatError for anything else."""
        try:
            document = parse_document(text)
            scores = JSON.read(_Scores, document).scores
            return JSON.read(cls, {**(document if isinstance(document, dict) else {}), "scores": dict(scores)})
        except (ValueError, FileFormatError) as error:
            raise FileFormatError(f"this is not a frozen selection of hcat ({error})") from error


@dataclass(frozen=True, slots=True)
class _Scores:
    """The scores as the document lists them, in the order of the samples."""

    scores: tuple[tuple[str, float | None], ...]
