"""Run files and label files of other tools: recognised by content, every cell checked, every fault reported.

To add a format: one module that declares a `Format`, one row in `recognition.FORMATS`, a fixture, a round trip and a
malformed file.
"""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.limits import Limits
from hcat.core.importers.mapping import FileColumns, fingerprint, read_columns
from hcat.core.importers.preview import Preview, read_run
from hcat.core.importers.problems import BadRow, Problem, bad_rows_jsonl, problems_csv
from hcat.core.importers.recognition import FORMATS
from hcat.core.importers.suggestion import suggest_mapping
from hcat.core.records.run_file import to_jsonl as write_run

__all__ = [
    "FORMATS",
    "BadRow",
    "FileColumns",
    "Format",
    "Limits",
    "Preview",
    "Problem",
    "bad_rows_jsonl",
    "fingerprint",
    "problems_csv",
    "read_columns",
    "read_run",
    "suggest_mapping",
    "write_run",
]
