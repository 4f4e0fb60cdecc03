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
