"""The texts of a sample as its row of a file stores them, and back: the one place that knows how texts are kept.

Texts are bytes, so that half a surrogate pair survives, which Parquet's own texts do not take.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import pyarrow as pa

from hcat.core.types import JsonValue, Sample


@dataclass(frozen=True, slots=True)
class Texts:
    """The parts of a sample that are text, or may quote one: `contexts` are the texts of its contexts in rank order.
    `erased` states who had them erased, when and why; it then replaces each text."""

    query: str
    answer: str | None
    contexts: tuple[str, ...] = ()
    reference: str | None = None
    reference_contexts: tuple[str, ...] = ()
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    erased: str | None = None


class StoredTexts(NamedTuple):
    """The same as a row stores it, a value for each of COLUMNS; None where there is nothing."""

    query: bytes
    answer: bytes | None
    context_texts: list[bytes]
    reference: bytes | None
    reference_contexts: list[bytes]
    metadata: bytes | None


COLUMNS: dict[str, pa.DataType] = {
    "query": pa.binary(),
    "answer": pa.binary(),
    "context_texts": pa.list_(pa.binary()),
    "reference": pa.binary(),
    "reference_contexts": pa.list_(pa.binary()),
    "metadata": pa.binary(),
}
"""The columns that hold texts, and nothing else does."""


class TextForm(Protocol):
    """Form in which the texts of each row are stored."""

    def stored(self, sample: Sample) -> StoredTexts:
        """The texts of a sample as its row keeps them."""

    def texts(self, sample_id: str, stored: StoredTexts) -> Texts:
        """The inverse, for the sample with this id."""


class PlainTexts:
    """Texts that whoever may read the file may read."""

    def stored(self, sample: Sample) -> StoredTexts:
        return StoredTexts(
            _bytes(sample.query),
            _optional_bytes(sample.answer),
            [_bytes(passage.text) for passage in sample.contexts],
            _optional_bytes(sample.reference),
            [_bytes(text) for text in sample.reference_contexts],
            json.dumps(dict(sample.metadata)).encode("ascii") if sample.metadata else None,
        )

    def texts(self, sample_id: str, stored: StoredTexts) -> Texts:  # noqa: ARG002  the same for every sample
        return Texts(
            _text(stored.query),
            _optional_text(stored.answer),
            tuple(map(_text, stored.context_texts)),
            _optional_text(stored.reference),
            tuple(map(_text, stored.reference_contexts)),
            json.loads(stored.metadata) if stored.metadata is not None else {},
        )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "surrogatepass")


def _optional_bytes(text: str | None) -> bytes | None:
    return None if text is None else _bytes(text)


def _optional_text(stored: bytes | None) -> str | None:
    return None if stored is None else _text(stored)
