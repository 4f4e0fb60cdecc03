"""Writes files so that each is complete or absent.

A file is written under another name in the same folder, and then renamed. The other name is locked while its writer
runs, so that files of a killed writer can be distinguished from those being written, and are deleted by the next
one."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from hcat.core.errors import StorageError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

_UNFINISHED = re.compile(r"\..+\.[0-9a-f]{32}\.part", re.DOTALL)
_NO_FILE = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


@contextmanager
def new_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file that replaces `path` once all of it is on the disk; after a failure nothing is left.

    It has the mode of the file that it replaces; else only its owner can read a `private` one. For a symbolic link, the
    file that it leads to is replaced. StorageError if that is a folder, a device, a pipe or a socket."""
    with new_path(path, private=private) as unfinished, unfinished.open("r+b") as file:
        yield file


@contextmanager
def new_path(path: Path, *, private: bool = False) -> Iterator[Path]:
    """The same for functions that write to a path: an empty file, which replaces `path` at the end."""
    target = file_to_write(path)
    _sweep(target.parent)
    mode = _mode(target, private=private)
    unfinished, lock = _start(target, mode=mode)
    try:
        yield unfinished
        _to_disk(unfinished)
        if mode is not None:
            unfinished.chmod(mode)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
        os.close(lock)


@contextmanager
def unnamed_file(folder: Path) -> Iterator[tuple[BinaryIO, Callable[[str], None]]]:
    """A private file to write, and a function that names it in the folder once all of it is on the disk.

    A file of this name is replaced. Without a name, or after a failure, nothing is left."""
    _sweep(folder)
    unfinished, lock = _start(folder / "new", mode=0o600)

    def give_name(name: str) -> None:
        file.flush()
        _to_disk(unfinished)
        unfinished.replace(folder / name)

    try:
        with unfinished.open("r+b") as file:
            yield file, give_name
    finally:
        unfinished.unlink(missing_ok=True)
        os.close(lock)


@contextmanager
def working_folder(parent: Path) -> Iterator[Path]:
    """An empty private folder in `parent`, deleted at the end, or by the next writer there after a kill."""
    _sweep(parent)
    marker, lock = _start(parent / "hcat", mode=0o600)
    folder = _folder_of(marker)
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        marker.unlink(missing_ok=True)
        os.close(lock)


def write_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file with this content: all of it, or the previous one remains."""
    with new_file(path, private=private) as file:
        file.write(content)


def write_once(path: Path, content: bytes) -> bool:
    """Write a private file with this content unless one exists; returns whether it was written."""
    unfinished, lock = _start(path, mode=0o600)
    try:
        unfinished.write_bytes(content)
        _to_disk(unfinished)
        os.link(unfinished, path)
    except FileExistsError:
        return False
    finally:
        unfinished.unlink(missing_ok=True)
        os.close(lock)
    return True


def put_whole(filesystem: AbstractFileSystem, target: str, content: bytes) -> None:
    """The same for a file of the store on any fsspec filesystem, whose folder must exist."""
    if "file" in filesystem.protocol:
        write_whole(Path(target), content, private=True)
        return
    folder, name = target.rsplit("/", 1)
    unfinished = f"{folder}/{_unfinished_name(name)}"
    try:
        filesystem.pipe_file(unfinished, content)
        filesystem.mv(unfinished, target)
    except BaseException:
        if filesystem.exists(unfinished):
            filesystem.rm_file(unfinished)
        raise


def put_file(filesystem: AbstractFileSystem, target: str, source: Path) -> None:
    """The same with the content of a local file, which need not fit into memory."""
    folder, name = target.rsplit("/", 1)
    unfinished = f"{folder}/{_unfinished_name(name)}"
    try:
        filesystem.put_file(str(source), unfinished)
        filesystem.mv(unfinished, target)
    except BaseException:
        if filesystem.exists(unfinished):
            filesystem.rm_file(unfinished)
        raise


def file_to_write(path: Path) -> Path:
    """The file that is written for this path: the target of a symbolic link, else the path itself.

    StorageError if it exists and is not a file, and so can't be replaced by one."""
    try:
        target = path.resolve()
        kind = target.stat().st_mode
    except FileNotFoundError:
        return target
    except RuntimeError:  # Python 3.11's word for links that lead to one another
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None
    if not stat.S_ISREG(kind):
        what = next((what for is_kind, what in _NO_FILE if is_kind(kind)), "no file")
        raise StorageError(f"{path} is {what}, which can't be replaced: name a file to write")
    return target


def _start(target: Path, *, mode: int | None) -> tuple[Path, int]:
    """An empty file next to the target, and the lock that says that it is being written."""
    while True:
        unfinished = target.with_name(_unfinished_name(target.name))
        try:
            lock = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
        except OSError as error:
            error.filename = str(target)  # the name that the reader of the message knows
            raise
        _lock(lock)
        if os.fstat(lock).st_nlink:
            return unfinished, lock
        os.close(lock)  # swept away by another writer before it was locked


def _unfinished_name(name: str) -> str:
    return f".{name[:40]}.{uuid.uuid4().hex}.part"


def _folder_of(marker: Path) -> Path:
    """The folder of a working folder's locked file, which exists only as long as that file."""
    return marker.with_name(f"{marker.name}-files")


def _mode(target: Path, *, private: bool) -> int | None:
    """The mode that the file must have; None if the user's own settings decide."""
    if target.exists():
        return target.stat().st_mode & 0o777
    return 0o600 if private else None


def _to_disk(path: Path) -> None:
    file = os.open(path, os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _sweep(folder: Path) -> None:
    """Delete the files of killed writers in the folder. Those that can't be read or deleted remain."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if _UNFINISHED.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                _delete_unlocked(Path(entry.path))


def _delete_unlocked(path: Path) -> None:
    with suppress(OSError):
        file = os.open(path, os.O_RDWR)
        try:
            if _lock(file, wait=False):
                shutil.rmtree(_folder_of(path), ignore_errors=True)
                path.unlink()
        finally:
            os.close(file)


def _lock(file: int, *, wait: bool = True) -> bool:
    """Whether the file could be locked. On systems without such locks nothing is, and so nothing is deleted."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
