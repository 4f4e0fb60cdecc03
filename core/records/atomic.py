"""Files that are complete or absent: written under another name in the same folder, and then renamed."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem


@contextmanager
def new_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write that replaces `path` once all of it is on the disk; after a failure nothing is left.

    It has the mode of the file that it replaces; else only its owner reads a `private` one. A device or a pipe, which
    can't be replaced, is written to directly.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    unfinished = Path(_unfinished(str(target.parent), target.name))
    with _open_new(unfinished, target, mode=_mode(target, private=private)) as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """The file with this content: all of it, or the one that was there before."""
    with new_file(path, private=private) as file:
        file.write(content)


def put_whole(filesystem: AbstractFileSystem, target: str, content: bytes) -> None:
    """The same for a file of the store on any fsspec filesystem, whose folder must be there."""
    if "file" in filesystem.protocol:
        write_whole(Path(target), content, private=True)
        return
    unfinished = _unfinished(*target.rsplit("/", 1))
    try:
        filesystem.pipe_file(unfinished, content)
        filesystem.mv(unfinished, target)
    finally:
        if filesystem.exists(unfinished):
            filesystem.rm_file(unfinished)


def _unfinished(folder: str, name: str) -> str:
    return f"{folder}/.{name}.{uuid.uuid4().hex}.part"


def _mode(target: Path, *, private: bool) -> int | None:
    """The mode that the file must have; None where the user's own settings decide."""
    if target.exists():
        return target.stat().st_mode & 0o777
    return 0o600 if private else None


def _open_new(unfinished: Path, target: Path, *, mode: int | None) -> BinaryIO:
    try:
        opened = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
    except OSError as error:
        error.filename = str(target)  # the name that the reader of the message knows
        raise
    if mode is not None:
        unfinished.chmod(mode)
    return os.fdopen(opened, "wb")
