"""Computed results as Parquet files named by the SHA-256 of their bytes. A file is complete or does not exist."""

from __future__ import annotations

import errno
import hashlib
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO, TypeVar, cast

import pyarrow as pa

from hcat.core.errors import StorageError
from hcat.core.records.atomic import put_file, put_whole, unnamed_file
from hcat.core.records.hashing import sha256_of_bytes
from hcat.core.records.parquet import read_table, table_bytes
from hcat.core.records.stores.file_store import open_store

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem
    from typing_extensions import Buffer

T = TypeVar("T")
SAMPLES = "samples"
COMPUTED = ("cells", "measures")
"""Kinds of files that are computed of a file of samples, may be computed again, and go with it."""
_BLOCK = 1 << 20
_CHECKED: dict[tuple[object, ...], None] = {}
"""Files whose content this process compared with their names, oldest first."""
_MOST_CHECKED = 10_000
_NAMED = re.compile(r"[0-9a-f]{64}\.parquet")


@dataclass(frozen=True)
class ArtifactStore:
    """Files under one folder, given as a path or as any fsspec URL."""

    root: str

    def folder(self, kind: str) -> str:
        """The URL of the folder that holds files of this kind."""
        return f"{self.root.rstrip('/')}/{kind}"

    def put(self, kind: str, payload: bytes) -> str:
        """Store these bytes and give their SHA-256. The same bytes are stored once.

        The file is written under another name and then renamed, so that a reader or a crash never sees half of it.
        StorageError when it can't be written: nothing of it is left then.
        """
        digest = sha256_of_bytes([payload])
        filesystem, folder = self._open(kind)
        target = f"{folder}/{digest}.parquet"
        try:
            if filesystem.exists(target) and filesystem.cat_file(target) == payload:
                return digest
            if "file" in filesystem.protocol:
                Path(folder).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            filesystem.makedirs(folder, exist_ok=True)
            put_whole(filesystem, target, payload)
        except OSError as error:
            raise StorageError(_why_unwritten(error, target)) from error
        return digest

    def put_stream(self, kind: str, write: Callable[[BinaryIO], T]) -> tuple[str, T]:
        """Store what `write` writes to an open file, which need not fit into memory: its SHA-256, and what it gave.

        What `write` raises leaves nothing behind, and so does a disk that is full (StorageError).
        """
        filesystem, folder = self._open(kind)
        local = "file" in filesystem.protocol
        try:
            if local:
                Path(folder).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            filesystem.makedirs(folder, exist_ok=True)
            with ExitStack() as stack:
                place = Path(folder if local else stack.enter_context(TemporaryDirectory(prefix="hcat-")))
                file, give_name = stack.enter_context(unnamed_file(place))
                hashed = HashedFile(file)
                given = write(cast(BinaryIO, hashed))
                digest = hashed.hexdigest()
                give_name(f"{digest}.parquet")
                if not local:
                    put_file(filesystem, f"{folder}/{digest}.parquet", place / f"{digest}.parquet")
        except OSError as error:
            raise StorageError(_why_unwritten(error, folder)) from error
        return digest, given

    @contextmanager
    def opened(self, kind: str, digest: str) -> Iterator[pa.NativeFile]:
        """The file with this SHA-256, to read parts of; that it is what was written says `check` alone.

        StorageError where it is missing, or where Arrow finds it damaged while it is open.
        """
        filesystem, folder = self._open(kind)
        target = f"{folder}/{digest}.parquet"
        try:
            local = "file" in filesystem.protocol
            source = pa.OSFile(target) if local else pa.PythonFile(filesystem.open(target, "rb"), mode="r")
        except FileNotFoundError as error:
            raise StorageError(_missing(kind, target)) from error
        except OSError as error:
            raise StorageError(f"the file {target} can't be read: {error.strerror or error}") from error
        with source:
            try:
                yield source
            except (pa.ArrowException, OSError) as error:
                raise StorageError(_damaged(kind, target)) from error

    def check(self, kind: str, digest: str) -> None:
        """StorageError where the file with this SHA-256 is missing or no longer what was written."""
        stamp = self._stamp(kind, digest)
        with self.opened(kind, digest) as file:
            found = sha256_of_bytes(iter(lambda: bytes(file.read(_BLOCK)), b""))
        if found != digest:
            raise StorageError(_damaged(kind, f"{self._open(kind)[1]}/{digest}.parquet"))
        if stamp is not None:
            _CHECKED[stamp] = None
            while len(_CHECKED) > _MOST_CHECKED:
                _CHECKED.pop(next(iter(_CHECKED)), None)

    def check_once(self, kind: str, digest: str) -> None:
        """`check`, but of a file that this process checked before, and that is still the same one on this machine.

        A file elsewhere is not read whole for the sake of a part: `check` reads it where all of it is needed.
        """
        stamp = self._stamp(kind, digest)
        if stamp is not None and stamp not in _CHECKED:
            self.check(kind, digest)

    def _stamp(self, kind: str, digest: str) -> tuple[object, ...] | None:
        """Inode, size and times of a file on this machine, which any write to it changes; None where it is elsewhere or
        missing."""
        filesystem, folder = self._open(kind)
        if "file" not in filesystem.protocol:
            return None
        try:
            about = Path(f"{folder}/{digest}.parquet").stat()
        except OSError:
            return None
        return (folder, digest, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)

    def get(self, kind: str, digest: str) -> bytes:
        """The bytes with this SHA-256. StorageError names the file when it is missing or no longer what was written."""
        filesystem, folder = self._open(kind)
        target = f"{folder}/{digest}.parquet"
        try:
            payload = bytes(filesystem.cat_file(target))
        except FileNotFoundError as error:
            raise StorageError(_missing(kind, target)) from error
        except OSError as error:
            raise StorageError(f"the file {target} can't be read: {error.strerror or error}") from error
        if sha256_of_bytes([payload]) != digest:
            raise StorageError(_damaged(kind, target))
        return payload

    def has(self, kind: str, digest: str) -> bool:
        """Whether a file of this name is there; what is in it is not read."""
        filesystem, folder = self._open(kind)
        return bool(filesystem.exists(f"{folder}/{digest}.parquet"))

    def names(self, kind: str) -> list[str]:
        """The SHA-256 of each file of this kind that is there."""
        filesystem, folder = self._open(kind)
        if not filesystem.exists(folder):
            return []
        filesystem.invalidate_cache(folder)
        names = (str(path).rsplit("/", 1)[-1] for path in filesystem.ls(folder, detail=False))
        return sorted(name.removesuffix(".parquet") for name in names if _NAMED.fullmatch(name))

    def beside(self, kind: str, digest: str, name: str) -> bytes | None:
        """The file of this name that was computed of the samples with this SHA-256; None where there is none."""
        filesystem, folder = self._open(f"{kind}/{digest}")
        try:
            return bytes(filesystem.cat_file(f"{folder}/{name}.parquet"))
        except FileNotFoundError:
            return None

    def put_beside(self, kind: str, digest: str, name: str, payload: bytes, *, most: int) -> None:
        """Put such a file in the place of the one of this name, whole or not at all; of more than so `most` of them the
        oldest go. Where the samples are gone, so is all that was computed of them."""
        filesystem, folder = self._open(f"{kind}/{digest}")
        if not self.has(SAMPLES, digest):
            return
        filesystem.makedirs(folder, exist_ok=True)
        put_whole(filesystem, f"{folder}/{name}.parquet", payload)
        for path in self._oldest(kind, digest, most):
            filesystem.rm_file(path)
        if not self.has(SAMPLES, digest):  # removed meanwhile
            filesystem.rm(folder, recursive=True)

    def computed_of(self, kind: str) -> dict[str, list[str]]:
        """The SHA-256 of each file of samples of which files of this kind were computed, with the names of these."""
        filesystem, root = self._open(kind)
        if not filesystem.exists(root):
            return {}
        filesystem.invalidate_cache(root)
        folders = [str(path) for path in filesystem.ls(root, detail=False) if filesystem.isdir(path)]
        names = {folder: [str(path) for path in filesystem.ls(folder, detail=False)] for folder in folders}
        return {
            folder.rsplit("/", 1)[-1]: sorted(
                path.rsplit("/", 1)[-1].removesuffix(".parquet") for path in paths if path.endswith(".parquet")
            )
            for folder, paths in names.items()
        }

    def remove(self, kind: str, digest: str) -> None:
        """Delete the file with this SHA-256, where it is there, after what was computed of it. StorageError when it
        can't be deleted."""
        filesystem, folder = self._open(kind)
        target = f"{folder}/{digest}.parquet"
        try:
            for computed in COMPUTED if kind == SAMPLES else ():
                beside = self._open(f"{computed}/{digest}")[1]
                if filesystem.exists(beside):
                    filesystem.rm(beside, recursive=True)
            if filesystem.exists(target):
                filesystem.rm_file(target)
        except OSError as error:
            raise StorageError(f"{target} can't be deleted: {error.strerror or error}: delete it by hand") from error

    def write_table(self, kind: str, table: pa.Table, *, rows_a_group: int | None = None) -> str:
        """Store a table as Parquet, in groups of so many rows that are read apart, and give its name."""
        return self.put(kind, table_bytes(table, rows_a_group=rows_a_group))

    def read_table(self, kind: str, digest: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """The inverse of `write_table`, verified; all columns, or only these."""
        return read_table(io.BytesIO(self.get(kind, digest)), columns=columns)

    def _oldest(self, kind: str, digest: str, most: int) -> list[str]:
        filesystem, folder = self._open(f"{kind}/{digest}")
        filesystem.invalidate_cache(folder)
        paths = [str(path) for path in filesystem.ls(folder, detail=False) if str(path).endswith(".parquet")]
        return sorted(paths, key=filesystem.modified, reverse=True)[most:] if len(paths) > most else []

    def _open(self, kind: str) -> tuple[AbstractFileSystem, str]:
        return open_store(self.folder(kind))


_AGAIN = {"samples": "import the run again under another name", "scores": "score the run again"}


class HashedFile(io.RawIOBase):
    """A file that is written from its beginning to its end, and its SHA-256."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file, self._digest, self._size = file, hashlib.sha256(), 0

    def writable(self) -> bool:
        return True

    def write(self, block: Buffer, /) -> int:
        data = memoryview(block)
        self._digest.update(data)
        self._file.write(data)
        self._size += data.nbytes
        return data.nbytes

    def tell(self) -> int:
        return self._size

    def hexdigest(self) -> str:
        """The hash of all that was written, as 64 hexadecimal digits."""
        return self._digest.hexdigest()


def _missing(kind: str, target: str) -> str:
    return f"the file {target} is missing: restore it from a backup, or {_AGAIN.get(kind, 'compute it again')}"


def _damaged(kind: str, target: str) -> str:
    return (
        f"the file {target} is damaged (its content no longer matches its name): "
        f"delete it, then restore it from a backup or {_AGAIN.get(kind, 'compute it again')}"
    )


def _why_unwritten(error: OSError, target: str) -> str:
    if error.errno == errno.ENOSPC:
        return f"the disk is full: {target} was not written. Free some space and try again"
    return f"{target} can't be written: {error.strerror or error}"
