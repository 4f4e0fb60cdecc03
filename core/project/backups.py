"""The whole store as one file, and back. No workspace is opened for it: a store that is damaged could not be."""

from __future__ import annotations

from pathlib import Path

from hcat.core.settings import Settings, settings
from hcat.core.storage.backup import Backup, read_backup, write_backup

__all__ = ["Backup", "back_up", "restore"]


def back_up(target: Path, chosen: Settings | None = None) -> Backup:
    """Write the store to the file, also while others write to the store."""
    return write_backup(chosen or settings(), target)


def restore(source: Path, chosen: Settings | None = None, *, replace: bool = False) -> Backup:
    """Put the file into the store; one that is there is replaced where that is asked for, and a copy of it is kept."""
    return read_backup(source, chosen or settings(), replace=replace)
