"""The schema of the store's database: which it has, and the newest."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.settings import Settings, settings
from hcat.core.storage.backup import check_not_emptied
from hcat.core.storage.database import Database, schema_copy, schema_of
from hcat.core.storage.revisions import newest_revision, revisions


@dataclass(frozen=True, slots=True)
class SchemaState:
    """The schema that the database has, None where there is no database yet; and the one that this hcat works with."""

    current: str | None
    newest: str
    pending: tuple[str, ...]
    """The revisions between the two, the oldest first."""
    copy: str | None
    """The file that the database is copied to before it is changed; None where it is not, or is on a server."""

    @property
    def ready(self) -> bool:
        """Whether the database can be worked with as it is."""
        return self.current == self.newest


def schema_state(chosen: Settings | None = None) -> SchemaState:
    """Look, and change nothing. StorageError where the database does not answer, is damaged, or is newer than hcat."""
    url = (chosen or settings()).database_url
    current, pending = schema_of(url), []
    revision: str | None = newest_revision()
    while revision is not None and revision != current:
        pending.append(revision)
        revision = revisions()[revision]
    copied = schema_copy(url, current) if current is not None and pending else None
    return SchemaState(current, newest_revision(), tuple(reversed(pending)), None if copied is None else str(copied))


def migrate(chosen: Settings | None = None) -> SchemaState:
    """Bring the database to the newest schema, or make one; what it was before. An embedded one is copied first."""
    chosen = chosen or settings()
    before = schema_state(chosen)
    check_not_emptied(chosen)
    Database(chosen.database_url).close()
    return before
