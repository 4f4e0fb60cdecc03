"""Stores the results of shards until all are complete: a file each, and a manifest that names them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.errors import StorageError
from hcat.core.records.atomic import put_whole
from hcat.core.records.hashing import sha256_of_bytes, sha256_of_json
from hcat.core.records.stores.file_store import open_store
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

MANIFEST = "manifest.json"
EXPLANATIONS = "explanation-shards"
"""The kind of jobs whose files contain texts of samples: erasing one of these deletes them all."""
_DIGITS = 32
"""Hexadecimal digits of each of the two hashes in a file's name."""


@dataclass(frozen=True, slots=True)
class ShardFolder:
    """The folder of one job below a path or any fsspec URL, named by the hash of all that determines its results.

    A shard's file `<content of its items>-<its own bytes>.<ending>` is complete or absent, and contains its own check.
    Several processes may write: the same results make the same file. Jobs of one `kind` are in the same folder."""

    root: str
    kind: str
    ending: str
    job: str

    @classmethod
    def of(cls, root: str, about: Mapping[str, JsonValue], *, kind: str, ending: str) -> ShardFolder:
        """The folder for results that are determined by this: the whole input, models, parameters, version."""
        return cls(root, kind, ending, sha256_of_json(about))

    def put(self, shard: str, payload: bytes) -> None:
        """Store a shard's file. StorageError if it can't be written."""
        self._write(f"{shard[:_DIGITS]}-{sha256_of_bytes([payload])[:_DIGITS]}.{self.ending}", payload)

    def files(self) -> dict[str, str]:
        """The name of the file of each stored shard, by `prefix` of the shard's name."""
        filesystem, folder = self._open()
        filesystem.invalidate_cache(folder)
        try:
            paths = sorted(filesystem.ls(folder, detail=False))
        except FileNotFoundError:
            return {}
        names = [str(path).rsplit("/", 1)[-1] for path in paths]
        return {prefix(name): name for name in names if name.endswith(f".{self.ending}") and not name.startswith(".")}

    def read(self, file: str) -> bytes | None:
        """The content of the file; None if it is missing or damaged, and a damaged one is deleted."""
        filesystem, folder = self._open()
        try:
            payload = bytes(filesystem.cat_file(f"{folder}/{file}"))
            if sha256_of_bytes([payload])[:_DIGITS] == file[_DIGITS + 1 : -len(f".{self.ending}")]:
                return payload
            filesystem.rm_file(f"{folder}/{file}")
        except FileNotFoundError:  # another process that did the same is done
            pass
        except OSError as error:
            raise StorageError(f"{folder}/{file} can't be read: {error.strerror or error}") from error
        return None

    def commit(self, files: Sequence[str]) -> None:
        """Write the manifest: these files, in this order, are all of the results. It is complete or absent."""
        self._write(MANIFEST, json.dumps({"files": list(files)}).encode())

    def manifest(self) -> list[str] | None:
        """The files that make up the results, in order; None before all are complete."""
        filesystem, folder = self._open()
        try:
            return [str(file) for file in json.loads(filesystem.cat_file(f"{folder}/{MANIFEST}"))["files"]]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"{folder}/{MANIFEST} can't be read: {error.strerror or error}") from error
        except (ValueError, KeyError) as error:
            raise StorageError(
                f"{folder}/{MANIFEST} can't be read ({error}): delete the folder and start again"
            ) from error

    def withdraw(self) -> None:
        """Delete the manifest after some of its files are lost."""
        filesystem, folder = self._open()
        with suppress(FileNotFoundError):
            filesystem.rm_file(f"{folder}/{MANIFEST}")

    def remove(self) -> None:
        """Delete the folder with all its content, once the results are saved elsewhere."""
        filesystem, folder = self._open()
        try:
            if filesystem.exists(folder):
                filesystem.rm(folder, recursive=True)
        except OSError as error:
            raise StorageError(f"{folder} can't be deleted: {error.strerror or error}: delete it by hand") from error

    def _write(self, name: str, payload: bytes) -> None:
        filesystem, folder = self._open()
        try:
            filesystem.makedirs(folder, exist_ok=True)
            put_whole(filesystem, f"{folder}/{name}", payload)
        except OSError as error:
            raise StorageError(f"{folder}/{name} can't be written: {error.strerror or error}") from error

    def _open(self) -> tuple[AbstractFileSystem, str]:
        return open_store(f"{self.root.rstrip('/')}/{self.kind}/{self.job[:_DIGITS]}")


def prefix(name: str) -> str:
    """The common beginning of the names of a shard and of its file."""
    return name[:_DIGITS]


def forget_shards(root: str, kind: str) -> None:
    """Delete the files of interrupted jobs of this kind below `root`; a running one makes them again.

    StorageError if they can't be deleted."""
    filesystem, path = open_store(f"{root.rstrip('/')}/{kind}")
    try:
        if filesystem.exists(path):
            filesystem.rm(path, recursive=True)
    except FileNotFoundError:  # that job has ended meanwhile
        pass
    except OSError as error:
        raise StorageError(f"{path} can't be deleted: {error.strerror or error}: delete it by hand") from error
