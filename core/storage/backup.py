"""A whole embedded store as one file: the database at one moment, its files, and the hash of each.

Files are named by their content and are written before the rows that name them, so what is copied after the database
holds all that the copy of the database needs. Embeddings and the cells of runs are left out: they are computed again.
"""

from __future__ import annotations

import json
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from sqlalchemy.engine import make_url

from hcat.core import __version__
from hcat.core.errors import FileFormatError, StorageError
from hcat.core.records.atomic import new_file, working_folder
from hcat.core.records.hashing import sha256_of_files
from hcat.core.settings import Settings
from hcat.core.storage.artifacts import COMPUTED
from hcat.core.storage.database import RESTORE
from hcat.core.storage.revisions import why_not_read
from hcat.core.storage.sqlite_copies import copy_database, replace_content, revision_of

DATABASE, FILES, MANIFEST = "hcat.db", "artifacts", "manifest.json"
LEFT_OUT = ("embeddings", *COMPUTED)
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, KeyError, TypeError, AttributeError),
    *(ValueError, NotImplementedError, RuntimeError),
)


@dataclass(frozen=True, slots=True)
class Backup:
    """Contents of a backup: the schema of its database, and the number and bytes of the other files."""

    schema: str
    files: int
    size: int


def write_backup(settings: Settings, target: Path) -> Backup:
    """Write the store to one zip file, while others may go on writing to the store."""
    database, folder = _places(settings)
    if not database.is_file():
        raise StorageError(f"there is no store yet: {database} is missing")
    hashes: dict[str, str] = {}
    with working_folder(target.resolve().parent) as temporary:
        copy = temporary / DATABASE
        copy_database(database, copy)
        schema = revision_of(copy)
        if schema is None:
            raise StorageError(f"{database} is not a store of hcat")
        with new_file(target, private=True) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in [(DATABASE, copy), *_files(folder)]:
                hashes[name] = sha256_of_files([path])
                archive.write(path, name)
            manifest = {"hcat": __version__, "schema": schema, "files": hashes}
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return Backup(schema, len(hashes) - 1, target.stat().st_size)


def read_backup(source: Path, settings: Settings, *, replace: bool) -> Backup:
    """Put a backup into the store. A store that is there is only replaced where that is asked for, and is copied first.

    Everything is read and checked before anything is changed. Raises FileFormatError or StorageError.
    """
    database, folder = _places(settings)
    if database.is_file() and database.stat().st_size and not replace:
        raise StorageError(f"there is a store already: {database}. Add --replace to replace it; a copy of it is kept")
    _make_folder(database.parent)
    with working_folder(database.parent) as unpacked:
        manifest = _unpack(source, unpacked)
        schema = revision_of(unpacked / DATABASE)
        if refusal := why_not_read(schema):
            raise StorageError(f"{source} {refusal}")
        if database.is_file() and database.stat().st_size:
            copy_database(database, _free_name(database))
        for name in manifest:
            if name != DATABASE:
                _put(unpacked / name, folder / PurePosixPath(name).relative_to(FILES))
        replace_content(unpacked / DATABASE, database)
        database.chmod(0o600)
    return Backup(str(schema), len(manifest) - 1, source.stat().st_size)


def check_not_emptied(settings: Settings) -> None:
    """StorageError where the database's file is empty though runs were stored: a new store would hide the loss."""
    url = make_url(settings.database_url) if settings.database_url.startswith("sqlite") else None
    if url is None or not url.database or "://" in settings.artifacts:
        return
    path, samples = Path(url.database), Path(settings.artifacts) / "samples"
    if path.is_file() and path.stat().st_size == 0 and any(samples.glob("*.parquet")):
        raise StorageError(
            f"{path} is empty, though runs were stored beside it: {RESTORE}, or delete it for a new store"
        )


def _places(settings: Settings) -> tuple[Path, Path]:
    url = make_url(settings.database_url)
    artifacts = settings.artifacts.removeprefix("file://")
    if url.get_backend_name() != "sqlite" or not url.database or "://" in artifacts:
        raise StorageError(
            "only the embedded store is backed up here: for a database server use its own tool (pg_dump), "
            "and copy the folder of HCAT_ARTIFACTS"
        )
    return Path(url.database), Path(artifacts)


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_file() and not path.name.startswith(".") and inner.parts[0] not in LEFT_OUT:
            yield f"{FILES}/{inner.as_posix()}", path


def _unpack(source: Path, folder: Path) -> Mapping[str, str]:
    """The files of a backup in the folder, each compared with its hash."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = json.loads(archive.read(MANIFEST))["files"]
            for name in manifest:
                _check_name(name)
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as inside, (folder / name).open("xb") as outside:
                    shutil.copyfileobj(cast(BinaryIO, inside), outside)
                if sha256_of_files([folder / name]) != manifest[name]:
                    raise FileFormatError(f"{source} is damaged: {name} is not what was backed up")
            if DATABASE not in manifest:
                raise FileFormatError(f"{source} holds no database")
            return dict(manifest)
    except _BROKEN as error:
        raise FileFormatError(f"{source} is not a backup of hcat, or is damaged: {error}") from None


def _check_name(name: str) -> None:
    path = PurePosixPath(name)
    if name != DATABASE and (path.parts[:1] != (FILES,) or ".." in path.parts or "\\" in name or len(path.parts) < 2):
        raise FileFormatError(f"a file of the backup has a name that it can't have: {name!r}")


def _put(source: Path, target: Path) -> None:
    _make_folder(target.parent)
    with source.open("rb") as inside, new_file(target, private=True) as outside:
        shutil.copyfileobj(inside, outside)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"can't make the folder {folder}: {error.strerror}") from error


def _free_name(database: Path) -> Path:
    names = (database.with_name(f"{database.name}.before-restore-{number}") for number in range(1, 10_000))
    return next(name for name in names if not name.exists())
