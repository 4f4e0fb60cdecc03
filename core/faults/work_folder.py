"""Where hcat's processes leave files of their own."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url

from hcat.core.settings import WORKSPACE, Settings


def work_folder(settings: Settings) -> Path:
    """Beside an embedded database, else in the default workspace."""
    url = make_url(settings.database_url)
    return Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else WORKSPACE
