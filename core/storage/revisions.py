"""The revisions of the schema, read from the first lines of their files: alembic itself takes long to import."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
DECLARED = re.compile(r'^revision = "(?P<this>\w+)"\ndown_revision = (?:None|"(?P<before>\w+)")$', re.MULTILINE)


@cache
def revisions() -> dict[str, str | None]:
    """Each revision, and the one that it follows."""
    texts = (path.read_text("utf-8") for path in sorted((MIGRATIONS / "versions").glob("*.py")))
    return {found["this"]: found["before"] for text in texts for found in DECLARED.finditer(text)}


def newest_revision() -> str:
    """The one that no other follows."""
    (newest,) = revisions().keys() - revisions().values()
    return newest


def why_not_read(revision: str | None) -> str:
    """The reason why a database of this revision is not read, and what to do; empty where it is. Revisions count up."""
    if revision in revisions():
        return ""
    oldest = min(revisions())
    if revision is not None and revision < oldest:
        return (
            f"was written by an hcat that was never released (schema {revision}) and is not read: import its runs and "
            "labels into a new store"
        )
    return f"was written by a newer hcat (schema {revision}): upgrade hcat"
