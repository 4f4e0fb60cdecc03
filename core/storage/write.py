"""A change of the database: who makes it, what it is and when. No transaction that writes opens without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, event
from sqlalchemy.engine.default import DefaultExecutionContext
from sqlalchemy.engine.interfaces import DBAPICursor, ExecutionContext
from sqlmodel import Session


@dataclass
class Write:
    """What a store needs to change something. `changed` says whether any row was, once that is committed.

    Nearly every write has one transaction. A store opens another after a conflict, or where its first one found nothing
    to change.
    """

    actor: str
    action: str
    at: datetime
    begin: Callable[[], AbstractContextManager[Session]]
    changed: bool = False

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that commits at its end. IntegrityError passes through for the caller to name the conflict."""
        with self.begin() as session:
            touched = _TouchedRows(session.connection())
            yield session
        self.changed = self.changed or touched.any


class _TouchedRows:
    """Whether statements on a connection changed any row: a conditional update may find none."""

    def __init__(self, connection: Connection) -> None:
        self.any = False
        event.listen(connection, "after_cursor_execute", self._note)

    def _note(
        self,
        connection: Connection,  # noqa: ARG002
        cursor: DBAPICursor,
        statement: str,  # noqa: ARG002
        parameters: object,  # noqa: ARG002
        context: ExecutionContext | None,
        executemany: bool,  # noqa: ARG002
    ) -> None:
        if isinstance(context, DefaultExecutionContext) and (context.isinsert or context.isupdate or context.isdelete):
            self.any = self.any or cursor.rowcount != 0  # -1 where the driver does not count, as for returned rows
