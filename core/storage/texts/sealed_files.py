"""Files that may quote samples, each sealed under a key of its own: reports, and what language models said."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.stores.text_keys import TextKeys
from hcat.core.storage.texts.key_ring import KeyRing
from hcat.core.storage.texts.sealing import new_keys, seal, unseal

SEALED = b"hcat sealed 1\n"
"""Prefix of a sealed file."""


@dataclass(frozen=True)
class SealedFiles:
    """The files of a store."""

    artifacts: ArtifactStore
    keys: TextKeys

    def put(self, kind: str, content: bytes) -> tuple[str, KeyRing]:
        """Store these bytes, sealed: the name of the file, and its key, which is to be stored with what names it."""
        key = new_keys(1)
        artifact = self.artifacts.put(kind, SEALED + seal(content, key))
        return artifact, KeyRing(artifact, key)

    def get(self, kind: str, artifact: str) -> bytes:
        """The bytes. StorageError when the file is missing or damaged, or its key is not in the database."""
        payload = self.artifacts.get(kind, artifact).removeprefix(SEALED)
        return unseal(payload, self.keys.reader(artifact)("sample", 0)) or b""
