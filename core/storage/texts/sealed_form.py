"""Texts of samples, sealed: those of a sample together under its key, each distinct passage of a file under another.

A row holds what it needs to be opened: the number of its key, and with each context the number of the passage's key. A
passage is sealed once, and its sealed bytes are in each row that has it, where compression finds them again. The texts
of a sample are bound to its id and to the passages of its row, so that they open nowhere else; those of files written
before that say so by their number, and open as they were sealed. A file has keys of its own.
"""

from __future__ import annotations

import json
import struct
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from hcat.core.errors import StorageError
from hcat.core.storage.sample_texts import StoredTexts, Texts
from hcat.core.storage.texts.key_ring import KeyRing, Part
from hcat.core.storage.texts.sealing import KEY_BYTES, key_at, new_keys, seal, unseal
from hcat.core.types import Sample

NUMBER = struct.Struct("<I")
"""The number of a key, before what it seals."""
BOUND = 2**31
"""Added to the number of a sample's key where its texts are bound to the row."""
ERASED_ROW = NUMBER.pack(2**32 - 1)
"""Prefix of the rest of a sample whose text is erased."""
MOST_PASSAGES = 50_000
GONE = "the text of a sample was erased meanwhile, or this is an older copy of its file: open the run again"


@dataclass
class SealedTexts:
    """Seals the texts of the samples of one file in order; opens those of a stored file by the keys that `key` gives,
    or what it sealed itself. `most` limits the passages in memory; one that comes again after that is sealed again."""

    key: Callable[[Part, int], bytes] | None = None
    most: int | None = MOST_PASSAGES
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    _samples: bytearray = field(default_factory=bytearray)
    _passages: bytearray = field(default_factory=bytearray)
    _sealed: dict[str, bytes] = field(default_factory=dict)
    _opened: dict[bytes, str] = field(default_factory=dict)

    @property
    def keys(self) -> KeyRing:
        """The keys of all that was sealed."""
        return KeyRing(self.name, bytes(self._samples), bytes(self._passages))

    def opened(self, numbers: Collection[int]) -> list[str]:
        """The texts of the passages with these numbers that were opened here."""
        chosen = {NUMBER.pack(number) for number in numbers}
        return [text for sealed, text in self._opened.items() if sealed[: NUMBER.size] in chosen]

    def stored(self, sample: Sample) -> StoredTexts:
        """The texts of the next sample, sealed; what is left of one whose text is erased."""
        if sample.erased is not None:
            return erased_texts(sample)
        number, key = len(self._samples) // KEY_BYTES, new_keys(1)
        self._samples += key
        texts = [sample.query, sample.answer, sample.reference, sample.reference_contexts, dict(sample.metadata)]
        contexts = [self._passage(passage.text) for passage in sample.contexts]
        sealed = seal(_json(texts), key, _row(sample.id, contexts))
        return StoredTexts(NUMBER.pack(BOUND + number) + sealed, None, contexts, None, [], None)

    def texts(self, sample_id: str, stored: StoredTexts) -> Texts:
        if stored.query.startswith(ERASED_ROW):
            return _left(stored)
        row = _row(sample_id, stored.context_texts)
        query, answer, reference, reference_contexts, metadata = json.loads(self._open("sample", stored.query, row))
        contexts = tuple(map(self._text, stored.context_texts))
        return Texts(query, answer, contexts, reference, tuple(reference_contexts), metadata)

    def _passage(self, text: str) -> bytes:
        if text not in self._sealed:
            self._make_room(self._sealed)
            number, key = len(self._passages) // KEY_BYTES, new_keys(1)
            self._passages += key
            self._sealed[text] = NUMBER.pack(number) + seal(_bytes(text), key)
        return self._sealed[text]

    def _text(self, sealed: bytes) -> str:
        if sealed not in self._opened:
            self._make_room(self._opened)
            self._opened[sealed] = self._open("passage", sealed).decode("utf-8", "surrogatepass")
        return self._opened[sealed]

    def _make_room(self, passages: dict[str, bytes] | dict[bytes, str]) -> None:
        if self.most is not None and len(passages) >= self.most:
            passages.clear()

    def _open(self, part: Part, cell: bytes, row: bytes | None = None) -> bytes:
        (number,) = NUMBER.unpack_from(cell)
        bound_to = row if number >= BOUND else None
        text = unseal(cell[NUMBER.size :], self._key(part, number % BOUND), bound_to)
        if text is None:
            raise StorageError(GONE)
        return text

    def _key(self, part: Part, number: int) -> bytes:
        if self.key is not None:
            return self.key(part, number)
        return key_at(self._samples if part == "sample" else self._passages, number)


def _row(sample_id: str, contexts: Collection[bytes]) -> bytes:
    """Associated data to which the texts of a sample are bound: its id, and the numbers of its passages in their
    order."""
    return b"".join(cell[: NUMBER.size] for cell in contexts) + b"\0" + _bytes(sample_id)


def erased_texts(sample: Sample) -> StoredTexts:
    """The stored row of a sample whose text is erased: which texts there were, and the numbers."""
    left = {
        "erased": sample.erased,
        "answer": sample.answer is not None,
        "reference": sample.reference is not None,
        "reference_contexts": len(sample.reference_contexts),
        "metadata": dict(sample.metadata),
    }
    return StoredTexts(ERASED_ROW + _json(left), None, [b""] * len(sample.contexts), None, [], None)


def _left(stored: StoredTexts) -> Texts:
    left: dict[str, Any] = json.loads(stored.query[NUMBER.size :])
    statement = str(left["erased"])
    return Texts(
        query=statement,
        answer=statement if left["answer"] else None,
        contexts=(statement,) * len(stored.context_texts),
        reference=statement if left["reference"] else None,
        reference_contexts=(statement,) * left["reference_contexts"],
        metadata=left["metadata"],
        erased=statement,
    )


def _json(value: object) -> bytes:
    return _bytes(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
