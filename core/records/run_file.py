"""Samples as records of the run file, and the content hash that identifies a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.types import JsonValue, Passage, Sample, Variant


@dataclass(frozen=True, slots=True)
class Run:
    """One system configuration's answers to a test set."""

    name: str
    samples: tuple[Sample, ...]

    @property
    def content_hash(self) -> str:
        return content_hash(self.samples)


def to_record(sample: Sample) -> dict[str, JsonValue]:
    """The sample as one JSON object of the native run file, without the fields that hold their default."""
    record: dict[str, JsonValue] = {"id": sample.id, "query": sample.query, "answer": sample.answer}
    if sample.contexts:
        record["contexts"] = [_passage_record(passage) for passage in sample.contexts]
    if sample.reference is not None:
        record["reference"] = sample.reference
    if sample.reference_contexts:
        record["reference_contexts"] = list(sample.reference_contexts)
    if sample.relevant_ids:
        record["relevant_ids"] = dict(sample.relevant_ids)
    if sample.dimensions:
        record["dimensions"] = dict(sample.dimensions)
    if sample.test_case is not None:
        record["test_case"] = sample.test_case
    if sample.trial:
        record["trial"] = sample.trial
    if sample.group is not None:
        record["group"] = sample.group
    if sample.variant is not None:
        record["variant"] = {
            "family": sample.variant.family,
            "of": sample.variant.of,
            "strength": sample.variant.strength,
        }
    if sample.expected is not None:
        record["expected"] = sample.expected
    if sample.metadata:
        record["metadata"] = dict(sample.metadata)
    if sample.erased is not None:
        record["erased"] = sample.erased
    return record


def to_jsonl(samples: Iterable[Sample]) -> str:
    """The native run file of these samples."""
    return "".join(json.dumps(to_record(sample), ensure_ascii=False) + "\n" for sample in samples)


def content_hash(samples: Iterable[Sample]) -> str:
    """SHA-256 over the samples in canonical JSON, in order: 64 hexadecimal digits."""
    return sha256_of_bytes(canonical(sample) for sample in samples)


class ContentHash:
    """The same, sample by sample."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, sample: Sample) -> None:
        self._digest.update(canonical(sample))

    def hexdigest(self) -> str:
        """The content hash of the samples so far."""
        return self._digest.hexdigest()


def canonical(sample: Sample) -> bytes:
    """The sample's part of the bytes under the content hash."""
    record = json.dumps(to_record(sample), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return record.encode("utf-8", "surrogatepass") + b"\n"


def from_record(record: dict[str, JsonValue]) -> Sample:
    """The inverse of `to_record`, for records that hcat wrote. Files of others go through `hcat.core.importers`."""
    variant = record.get("variant")
    return Sample(
        id=str(record["id"]),
        query=str(record["query"]),
        answer=_optional_text(record.get("answer")),
        contexts=tuple(_passage(item) for item in _items(record.get("contexts"))),
        reference=_optional_text(record.get("reference")),
        reference_contexts=tuple(str(item) for item in _items(record.get("reference_contexts"))),
        relevant_ids={key: int(str(grade)) for key, grade in _mapping(record.get("relevant_ids")).items()},
        dimensions={key: str(level) for key, level in _mapping(record.get("dimensions")).items()},
        test_case=_optional_text(record.get("test_case")),
        trial=int(str(record.get("trial", 0))),
        group=_optional_text(record.get("group")),
        variant=_variant(variant) if isinstance(variant, dict) else None,
        expected=_optional_number(record.get("expected")),
        metadata=_mapping(record.get("metadata")),
        erased=_optional_text(record.get("erased")),
    )


def _passage_record(passage: Passage) -> JsonValue:
    return {"id": passage.id, "text": passage.text, "score": passage.score}


def _passage(item: JsonValue) -> Passage:
    fields = _mapping(item)
    return Passage(id=str(fields["id"]), text=str(fields["text"]), score=_optional_number(fields.get("score")))


def _variant(fields: dict[str, JsonValue]) -> Variant:
    return Variant(str(fields["family"]), str(fields["of"]), _optional_number(fields.get("strength")))


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _mapping(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _optional_text(value: JsonValue) -> str | None:
    return None if value is None else str(value)


def _optional_number(value: JsonValue) -> float | None:
    return None if value is None else float(str(value))
