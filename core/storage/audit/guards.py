"""The triggers by which the database itself refuses to change logs: making them, and whether they are there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, text


def _deletes(item: str) -> str:
    """Whether the log has an unfinished deletion of this item: only its transaction sees it."""
    under_way = "h.action = 'delete' AND h.finished_at IS NULL"
    return f"EXISTS (SELECT 1 FROM housekeeping AS h WHERE {under_way} AND {item})"  # noqa: S608


_WITH_PROJECT = _deletes("h.kind = 'project' AND h.item_id = OLD.project_id")
_WITH_RUN = _deletes(
    "((h.kind = 'run' AND h.item_id = OLD.run_id) OR (h.kind = 'criterion' AND h.item_id = OLD.criterion_id) "
    "OR (h.kind = 'project' AND h.item_id = (SELECT run.project_id FROM run WHERE run.id = OLD.run_id)))"
)


_WITH_ANY = _deletes(
    "((h.kind = 'run' AND h.item_id = OLD.run_id) OR (h.kind = 'criterion' AND h.item_id = OLD.criterion_id) "
    "OR (h.kind = 'project' AND h.item_id = OLD.project_id))"
)


@dataclass(frozen=True, slots=True)
class _Guard:
    """The name of a table's rows in messages, and the conditions under which one may be deleted or updated; never where
    empty."""

    words: str
    delete_if: str = ""
    update_if: str = ""


APPEND_ONLY: Mapping[str, _Guard] = {
    "adjudication": _Guard("adjudications", _WITH_RUN),
    "audit": _Guard("the audit log"),
    "document": _Guard("documents", _WITH_ANY),
    "erasure": _Guard("erasures of texts", _WITH_PROJECT),
    "housekeeping": _Guard("the log of housekeeping", update_if="OLD.finished_at IS NULL"),
    "label": _Guard("labels", _WITH_RUN),
    "signature": _Guard("signatures", _WITH_PROJECT),
}
"""The tables whose rows the database lets nobody change."""
_ON_SQLITE = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'"
_ON_POSTGRESQL = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"


def missing_guards(connection: Connection) -> list[str]:
    """The triggers that are gone, or that somebody turned off, by name."""
    on_server = connection.dialect.name == "postgresql"
    found = set(connection.execute(text(_ON_POSTGRESQL if on_server else _ON_SQLITE)).scalars())
    return sorted(name for table in APPEND_ONLY for name in _guards(table, on_server=on_server) if name not in found)


def make_guards(connection: Connection, tables: Iterable[str] = APPEND_ONLY) -> None:
    """Make the triggers of these tables, which have none yet."""
    statements = _postgresql if connection.dialect.name == "postgresql" else _sqlite
    for table in tables:
        for statement in statements(table, APPEND_ONLY[table]):
            connection.exec_driver_sql(statement)


def _guards(table: str, *, on_server: bool) -> tuple[str, ...]:
    if on_server:
        return ("audit_no_row_change", "audit_no_statement_change") if table == "audit" else (f"{table}_append_only",)
    own = (f"{table}_no_update", f"{table}_no_delete")
    return (*own, "audit_no_replace") if table == "audit" else own


def _sqlite(table: str, guard: _Guard) -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{guard.words} {_are(table)} append-only'); END"
    changes = {"UPDATE": guard.update_if, "DELETE": guard.delete_if}
    statements = [
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        + (f"WHEN NOT {allowed} {refuse}" if allowed else refuse)
        for change, allowed in changes.items()
    ]
    if table == "audit":  # INSERT OR REPLACE deletes a row without asking the triggers of deletions
        taken = "EXISTS (SELECT 1 FROM audit WHERE sequence >= NEW.sequence)"
        statements.append(f"CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN {taken} {refuse}")
    return statements


def _postgresql(table: str, guard: _Guard) -> list[str]:
    function = f"refuse_{table}_change()"
    allowed = "".join(
        f"IF TG_OP = '{change}' THEN IF {condition} THEN RETURN {row}; END IF; END IF; "
        for change, row, condition in (("UPDATE", "NEW", guard.update_if), ("DELETE", "OLD", guard.delete_if))
        if condition
    )
    statements = [
        f"CREATE FUNCTION {function} RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {allowed}RAISE EXCEPTION '{guard.words} {_are(table)} append-only'; END $$"
    ]
    names = _guards(table, on_server=True)
    for name, when, each in zip(names, ("UPDATE OR DELETE", "TRUNCATE"), ("ROW", "STATEMENT"), strict=False):
        made = f"CREATE TRIGGER {name} BEFORE {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {function}"
        statements.append(made)
    if table == "audit":
        statements.append("REVOKE UPDATE, DELETE, TRUNCATE ON audit FROM PUBLIC, CURRENT_USER")
    return statements


def _are(table: str) -> str:
    return "is" if table in ("audit", "housekeeping") else "are"
