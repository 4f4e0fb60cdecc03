"""The rows that a transaction adds, changes and deletes, with their values before."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Integer, Result, Table, event, func, inspect, select
from sqlalchemy.orm import ORMExecuteState, UOWTransaction
from sqlalchemy.sql.dml import Delete, Insert, Update
from sqlmodel import Session

from hcat.core.storage.audit.digests import Key, Values, read_rows
from hcat.core.storage.tables.row import Row


class TouchedRows:
    """The rows that a session changes from now on: of each, by its table and key, the values before (None if new)."""

    def __init__(self, session: Session) -> None:
        self.before: dict[tuple[str, Key], Values | None] = {}
        self._session = session
        event.listen(session, "before_flush", self._note_changed)
        event.listen(session, "after_flush", self._note_added)
        event.listen(session, "do_orm_execute", self._note_statement)

    def now(self) -> dict[tuple[str, Key], Values]:
        """The touched rows that exist, with their present values."""
        by_table: dict[str, list[Key]] = {}
        for table, key in self.before:
            by_table.setdefault(table, []).append(key)
        return {
            (table, key): values
            for table, keys in by_table.items()
            for key, values in read_rows(self._session.connection(), _table(table), keys).items()
        }

    def _note_changed(self, session: Session, context: UOWTransaction, instances: object) -> None:  # noqa: ARG002
        for row in (*(row for row in session.dirty if session.is_modified(row)), *session.deleted):
            state = inspect(row)
            if state.identity is not None:
                self._note(str(state.mapper.local_table.name), [tuple(state.identity)])

    def _note_added(self, session: Session, context: UOWTransaction) -> None:  # noqa: ARG002
        for row in session.new:
            mapper = inspect(row).mapper
            key = tuple(mapper.primary_key_from_instance(row))
            self.before.setdefault((str(mapper.local_table.name), key), None)

    def _note_statement(self, state: ORMExecuteState) -> Result[tuple[object, ...]] | None:
        statement = state.statement
        if isinstance(statement, Insert):
            return self._note_insert(state, _table(statement))
        if isinstance(statement, Update | Delete):
            self._session.flush()
            table = _table(statement)
            query = select(*table.primary_key)
            query = query if statement.whereclause is None else query.where(statement.whereclause)
            self._note(table.name, [tuple(key) for key in self._session.connection().execute(query)])
        return None

    def _note_insert(self, state: ORMExecuteState, table: Table) -> Result[tuple[object, ...]]:
        """An insert says neither which keys its rows got nor which gave way to rows that were there."""
        self._session.flush()
        connection, keys = self._session.connection(), list(table.primary_key)
        if len(keys) == 1 and isinstance(keys[0].type, Integer):
            newest = connection.execute(select(func.max(keys[0]))).scalar() or 0
            added = select(*keys).where(keys[0] > newest)
            known: set[Key] = set()
        else:
            added = select(*keys)
            known = {tuple(key) for key in connection.execute(added)}
        result: Result[tuple[object, ...]] = state.invoke_statement()
        for key in connection.execute(added):
            if tuple(key) not in known:
                self.before.setdefault((table.name, tuple(key)), None)
        return result

    def _note(self, table: str, keys: list[Key]) -> None:
        fresh = [key for key in keys if (table, key) not in self.before]
        for key, values in read_rows(self._session.connection(), _table(table), fresh).items():
            self.before[table, key] = values


def _table(changed: str | Insert | Update | Delete) -> Table:
    """The plain table of this name, or that a statement changes."""
    name = changed if isinstance(changed, str) else cast("Table", changed.table).name
    return Row.metadata.tables[name]
