"""A change of the database: who makes it, what it is and when. No transaction that writes opens without one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from hcat.core.storage.audit.chain import NOT_LOGGED, lock, log_write
from hcat.core.storage.audit.touched_rows import TouchedRows


@dataclass
class Write:
    """The context of a change in a store. `changed` says whether any row was changed, once that is committed. `role` is
    the actor's role in the project; empty where no roles are in use.

    Nearly every write has one transaction. A store opens another after a conflict, or where its first one found nothing
    to change. Each that changes a row adds one to the audit log, which is there if and only if the change is.
    """

    actor: str
    action: str
    at: datetime
    begin: Callable[[], AbstractContextManager[Session]]
    role: str = ""
    changed: bool = False

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that commits at its end. IntegrityError passes through for the caller to name the conflict."""
        with self.begin() as session:
            lock(session.connection())
            touched = TouchedRows(session)
            yield session
            session.flush()
            if touched.before and self.action not in NOT_LOGGED:
                log_write(
                    session.connection(), touched, actor=self.actor, role=self.role, action=self.action, at=self.at
                )
        self.changed = self.changed or bool(touched.before)
