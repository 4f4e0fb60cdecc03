"""The files to read: of folders, single files, uploads and zip archives. Links are not followed."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.importers.documents.parse import FORMATS, suffix
from hcat.core.importers.limits import BYTES_PER_MB, Limits

MOST_FILES = 20_000
ZIP = ".zip"
SHOWN_FORMATS = ", ".join(FORMATS)


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """A file to read: its name in the corpus, and its bytes or path. `problem` says why it can't be read."""

    name: str
    content: bytes | Path = b""
    problem: str = ""

    @property
    def uploaded(self) -> bytes:
        """The uploaded bytes; none for a file on the disk."""
        return self.content if isinstance(self.content, bytes) else b""

    def read(self, limits: Limits) -> bytes:
        """The bytes. Raises FileFormatError or LimitError in words that follow the name."""
        if self.problem:
            raise FileFormatError(self.problem)
        try:
            size = len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size
            if size > limits.max_bytes:
                raise LimitError(
                    f"it has {size / BYTES_PER_MB:,.1f} MB, and at most {limits.max_file_mb:g} MB are read: "
                    "split it, or raise HCAT_MAX_FILE_MB"
                )
            return self.content if isinstance(self.content, bytes) else self.content.read_bytes()
        except OSError as error:
            raise FileFormatError(f"the file can't be opened: {error.strerror or error}") from None


def files_at(paths: Iterable[Path]) -> tuple[DocumentFile, ...]:
    """The files of folders, each by name, and single files. Names within the corpus are unique paths below each folder.

    HcatError for a path that does not exist, and if there are too many files. Hidden files are left out."""
    chosen = list(paths)
    several = sum(path.is_dir() for path in chosen) > 1
    files: dict[str, DocumentFile] = {}
    for path in chosen:
        if path.is_dir():
            within = _in_folder(path, prefix=f"{path.resolve().name}/" if several else "")
        elif path.exists():
            within = iter([_checked(path, path.name)])
        else:
            raise HcatError(f"{path} is not a file or folder: check the path")
        for file in sorted(within, key=lambda file: file.name):
            name = _unique(file.name, files)
            files[name] = DocumentFile(name, file.content, file.problem)
            if len(files) > MOST_FILES:
                raise LimitError(
                    f"there are more than {MOST_FILES:,} files: import parts of them as corpora of their own"
                )
    return tuple(files.values())


def uploaded_files(uploads: Iterable[tuple[str, bytes]]) -> tuple[DocumentFile, ...]:
    """Uploaded files by their names, without the folder that they share.

    So a folder makes the same corpus whether it is uploaded or read from the disk."""
    sent = sorted((_clean_name(name) or "file", data) for name, data in uploads)
    folders = {name.partition("/")[0] if "/" in name else "" for name, _ in sent}
    shared = f"{next(iter(folders))}/" if len(folders) == 1 and folders != {""} else ""
    files: dict[str, DocumentFile] = {}
    for clean, data in sent:
        name = _unique(clean.removeprefix(shared), files)
        files[name] = DocumentFile(name, data)
    return tuple(file for file in files.values() if not _is_hidden(file.name))


def unpacked(file: DocumentFile, limits: Limits) -> Iterator[DocumentFile]:
    """The files in a zip archive, each read on demand; the file itself if it is not one.

    Unpacked content is in memory and counted, so that no path leaves a folder and no bomb has an effect."""
    if suffix(file.name) != ZIP or file.problem:
        yield file
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.read(limits)))
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError):
        yield DocumentFile(file.name, problem="it is not a whole zip archive: pack it again")
        return
    except HcatError as error:
        yield DocumentFile(file.name, problem=str(error))
        return
    entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_hidden(entry.filename)]
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > limits.max_bytes:
        yield DocumentFile(
            file.name,
            problem=f"it unpacks to more than {limits.max_file_mb:g} MB or {MOST_FILES:,} files: pack fewer into one",
        )
        return
    for entry in sorted(entries, key=lambda entry: entry.filename):
        yield _entry(archive, entry, file.name)


def _entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, outer: str) -> DocumentFile:
    name = f"{outer}/{_clean_name(entry.filename)}"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return DocumentFile(name, problem="it is a link: pack the file that it points to")
    if ".." in PurePosixPath(entry.filename.replace("\\", "/")).parts or entry.filename.startswith(("/", "\\")):
        return DocumentFile(name, problem="its path leads out of the archive: pack it again")
    if entry.flag_bits & 1:
        return DocumentFile(name, problem="it has a password: pack it without one")
    if suffix(name) == ZIP:
        return DocumentFile(name, problem="it is an archive within an archive: unpack it first")
    try:
        return DocumentFile(name, archive.read(entry))
    except Exception:  # noqa: BLE001  what zipfile, zlib, bz2 and lzma raise has no common name
        return DocumentFile(name, problem="it is damaged within the archive: pack it again")


def _in_folder(folder: Path, *, prefix: str) -> Iterator[DocumentFile]:
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in sorted([*names, *linked]):
            if not name.startswith("."):
                path = Path(parent) / name
                yield _checked(path, prefix + path.relative_to(folder).as_posix())


def _checked(path: Path, name: str) -> DocumentFile:
    name = _clean_name(name)
    if path.is_symlink():
        return DocumentFile(name, problem="it is a link, and links are not followed: import what it points to")
    if not path.is_file():
        return DocumentFile(name, problem="it is no file that can be read")
    return DocumentFile(name, path)


def _clean_name(name: str) -> str:
    """The name as one printable line that can't leave the folder."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    text = "/".join(parts)[-200:]
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part.startswith((".", "__MACOSX")) and part != ".." for part in parts)


def _unique(name: str, taken: Collection[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        path = PurePosixPath(name)
        candidate = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
    return candidate
