"""The folder for files of hcat's own processes."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import make_url

from hcat.core.settings import WORKSPACE, Settings


def work_folder(settings: Settings) -> Path:
    """The folder of an embedded database, else the default workspace."""
    url = make_url(settings.database_url)
    return Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else WORKSPACE
