"""The triggers by which the database itself refuses to change logs, and whether they are there."""

from __future__ import annotations

from sqlalchemy import Connection, text

APPEND_ONLY = (
    "adjudication",
    "audit",
    "erasure",
    "housekeeping",
    "label",
    "preregistration",
    "retention",
    "signature",
)
"""The tables whose rows the database lets nobody change."""
_ON_SQLITE = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE(ABORT%'"
_ON_POSTGRESQL = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'"


def missing_guards(connection: Connection) -> list[str]:
    """The triggers that are gone, or that somebody turned off, by name."""
    on_server = connection.dialect.name == "postgresql"
    found = set(connection.execute(text(_ON_POSTGRESQL if on_server else _ON_SQLITE)).scalars())
    return sorted(name for table in APPEND_ONLY for name in _guards(table, on_server=on_server) if name not in found)


def _guards(table: str, *, on_server: bool) -> tuple[str, ...]:
    if on_server:
        return ("audit_no_row_change", "audit_no_statement_change") if table == "audit" else (f"{table}_append_only",)
    own = (f"{table}_no_update", f"{table}_no_delete")
    return (*own, "audit_no_replace") if table == "audit" else own
