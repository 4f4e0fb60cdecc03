"""Is the store in order: its database, the files that rows name, who may read them, and the space that is left."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.engine import make_url

from hcat.core.errors import HcatError, StorageError
from hcat.core.project.installation.check import Check
from hcat.core.project.installation.schema import schema_state
from hcat.core.settings import Settings
from hcat.core.slices.cells.cached import is_whole
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.cell_files import KIND as CELLS
from hcat.core.storage.database import Database
from hcat.core.storage.measured_files import KIND as MEASURES
from hcat.core.storage.measured_files import is_whole as is_whole_measured
from hcat.core.storage.sqlite_copies import faults
from hcat.core.storage.stores.audit import AuditLog
from hcat.core.storage.stores.housekeeping import HousekeepingStore

LITTLE_SPACE, TOO_LITTLE_SPACE = 2_000_000_000, 100_000_000
"""Bytes left, below which somebody should look, and below which work is refused sooner or later."""
MOST_NAMED = 3
RESTORE = "restore a backup: `hcat restore FILE --replace`"


def check_store(settings: Settings, *, deep: bool) -> Iterator[Check]:
    """The checks of the store, each made when it is asked for. `deep` reads every file and page; nothing is changed."""
    schema = _check_schema(settings)
    yield schema
    if schema.state == "fine":
        if deep:
            yield _check_pages(settings)
        yield _check_files(settings, deep=deep)
        yield _check_guards(settings)
        yield from (_check_computed(settings, kind, deep=deep) for kind in (CELLS, MEASURES))
    yield from _check_places(settings)


def _check_schema(settings: Settings) -> Check:
    try:
        state = schema_state(settings)
    except HcatError as error:
        return Check.broken_by("database", error)
    if state.current is None:
        return Check(
            "database", "look", "there is none yet", "it is made when hcat is used first, or by `hcat migrate`"
        )
    if not state.ready:
        found = f"schema {state.current}, and this hcat works with {state.newest}"
        return Check("database", "look", found, "run `hcat backup FILE`, then `hcat migrate`")
    return Check("database", "fine", f"answers, schema {state.current}")


def _check_pages(settings: Settings) -> Check:
    path = _database_file(settings)
    if path is None:
        return Check("database pages", "fine", "on a server, which checks its own")
    try:
        found = faults(path)
    except StorageError as error:
        return Check.broken_by("database pages", error, RESTORE)
    if found:
        return Check("database pages", "broken", found[0], RESTORE)
    return Check("database pages", "fine", "every page and reference is whole")


def _check_files(settings: Settings, *, deep: bool) -> Check:
    """Every file that a row names is there; `deep`, with the content that its name says."""
    store = ArtifactStore(settings.artifacts)
    try:
        database = Database(settings.database_url)
        try:
            files = HousekeepingStore(database).files()
        finally:
            database.close()
        bad = [f"{kind}/{digest}.parquet" for kind, digest in files if not _is_there(store, kind, digest, deep=deep)]
    except (HcatError, OSError) as error:
        return Check.broken_by("files", error)
    if bad:
        names = ", ".join(bad[:MOST_NAMED]) + (f" and {len(bad) - MOST_NAMED} more" if len(bad) > MOST_NAMED else "")
        to_do = "put them back from a backup (`hcat restore FILE --replace`), or import, score or find them again"
        return Check("files", "broken", f"{len(bad)} of {len(files)} are missing or damaged: {names}", to_do)
    how = "has the content that its name says" if deep else "is there (--deep compares contents)"
    return Check("files", "fine", f"each of the {len(files)} that rows name {how}")


def _check_guards(settings: Settings) -> Check:
    """The triggers by which the database refuses to change logs are there."""
    try:
        database = Database(settings.database_url)
        try:
            gone = AuditLog(database).missing_guards()
        finally:
            database.close()
    except (HcatError, OSError) as error:
        return Check.broken_by("logs", error)
    if gone:
        to_do = "ask who ran the database, compare with `hcat audit verify --checkpoint FILE`, then restore a backup"
        return Check("logs", "broken", f"the database lets them be changed: {', '.join(gone)} gone", to_do)
    return Check("logs", "fine", "the database refuses to change them")


def _check_computed(settings: Settings, kind: str, *, deep: bool) -> Check:
    """Cells of large runs, and measures of runs of an earlier version, belong to a run that is there; `deep`, with the
    content that was written. Nothing depends on them: damaged ones are computed again."""
    store = ArtifactStore(settings.artifacts)
    try:
        cached = store.computed_of(kind)
        lost = [samples for samples in cached if not store.has("samples", samples)]
        names = [(samples, name) for samples, files in cached.items() for name in files]
        bad = [f"{samples}/{name}" for samples, name in names if deep and not _is_whole(store, kind, samples, name)]
    except (HcatError, OSError) as error:
        return Check.broken_by(kind, error)
    if lost:
        folder = f"{store.folder(kind)}/{lost[0]}"
        return Check(kind, "look", f"{len(lost)} of {len(cached)} are of no run: {folder}", "delete these folders")
    if bad:
        found = f"{len(bad)} of {len(names)} files are damaged and are not used: {bad[0]}.parquet"
        return Check(kind, "look", found, f"delete them; {kind} are computed again when they are needed")
    return Check(kind, "fine", f"{len(names)} files of {len(cached)} {'large' if kind == CELLS else 'earlier'} runs")


def _is_whole(store: ArtifactStore, kind: str, samples: str, name: str) -> bool:
    content = store.beside(kind, samples, name)
    return is_whole(name, content) if kind == CELLS else is_whole_measured(content)


def _is_there(store: ArtifactStore, kind: str, digest: str, *, deep: bool) -> bool:
    if not deep:
        return store.has(kind, digest)
    try:
        store.check(kind, digest)
    except StorageError:
        return False
    return True


def _check_places(settings: Settings) -> Iterator[Check]:
    """Space and permissions of what lies on this machine."""
    database = _database_file(settings)
    local = "://" not in settings.artifacts.removeprefix("file://")
    folder = Path(settings.artifacts.removeprefix("file://")) if local else None
    places = [place for place in (database, folder) if place is not None]
    for there in {_existing(place).stat().st_dev: _existing(place) for place in places}.values():
        yield _check_space(there)
    yield _check_permissions(places)


def _existing(place: Path) -> Path:
    """The folder that is there: of the place, or the first above it."""
    return next(path for path in (place, *place.parents) if path.is_dir())


def _check_space(folder: Path) -> Check:
    free = shutil.disk_usage(folder).free
    found = f"{free / 1e9:,.1f} GB free at {folder}"
    if free >= LITTLE_SPACE:
        return Check("space", "fine", found)
    return Check("space", "broken" if free < TOO_LITTLE_SPACE else "look", found, "free some space, or move the store")


def _check_permissions(places: list[Path]) -> Check:
    """Only the owner may read the database, the files next to it, and the folder of files."""
    beside = [path for place in places if place.is_file() for path in place.parent.glob(f"{place.name}*")]
    open_to_others = sorted({path for path in [*places, *beside] if path.exists() and path.stat().st_mode & 0o077})
    if not open_to_others:
        return Check("permissions", "fine", "only the owner reads the store")
    commands = " && ".join(f"chmod {'700' if path.is_dir() else '600'} {path}" for path in open_to_others[:MOST_NAMED])
    return Check("permissions", "look", f"others may read {open_to_others[0]}", commands)


def _database_file(settings: Settings) -> Path | None:
    url = make_url(settings.database_url) if settings.database_url.startswith("sqlite") else None
    return Path(url.database) if url is not None and url.database else None
