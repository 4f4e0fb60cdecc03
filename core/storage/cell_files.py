"""Files with the cells of runs: `cells/<SHA-256 of the run's file>/<name>.parquet`. They go with the run's file."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from hcat.core.errors import HcatError
from hcat.core.storage.artifacts import ArtifactStore

KIND = "cells"
MOST_FILES = 64
"""Largest number of files of one run. Files of replaced scores are not deleted with them: the oldest are deleted."""


@dataclass(frozen=True, slots=True)
class CellFilesOf:
    """The cells that were counted of one run's file; no text is in them, nor the name of a sample or a level."""

    artifacts: ArtifactStore
    samples: str

    def read(self, name: str) -> bytes | None:
        """The file of this name; None where there is none, or where it can't be read."""
        try:
            return self.artifacts.beside(KIND, self.samples, name)
        except (OSError, HcatError) as error:
            logging.getLogger(__name__).warning("cells are counted again: %s", error)
            return None

    def write(self, name: str, content: bytes) -> None:
        """Put the whole file in the place of the one of this name. Where that fails, cells are counted again."""
        try:
            self.artifacts.put_beside(KIND, self.samples, name, content, most=MOST_FILES)
        except (OSError, HcatError) as error:
            logging.getLogger(__name__).warning("cells are not kept: %s", error)
