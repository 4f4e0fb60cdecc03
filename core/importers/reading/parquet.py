"""Parquet files, read in a separate process.

A broken file can make the Parquet library end the process that reads it (an abort in C++, which no `except` sees), and
a hostile one can take all memory. So it ends a process that does nothing else and holds no secrets.
"""

from __future__ import annotations

import os
import subprocess
import sys

from core.errors import FileFormatError, LimitError
from core.importers.limits import Limits
from core.importers.reading.json_records import parse_json
from core.importers.reading.table import Row, Table, make_table
from core.settings import ROOT

MARK = b"PAR1"
SMALLEST = 12
TIMEOUT_SECONDS = 300
_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "TZ")


def read_parquet(data: bytes, limits: Limits) -> Table:
    """The rows of a Parquet file. Dates become ISO texts, decimals numbers, NaN None.

    Raises FileFormatError where the file is broken, and LimitError where it has too many rows or unpacks to too much.
    """
    if len(data) < SMALLEST or not data.endswith(MARK):
        raise FileFormatError("the Parquet file is cut off: upload it again, or export it as CSV")
    answer = _answer(data, limits)
    if "limit" in answer:
        raise LimitError(str(answer["limit"]))
    rows = answer.get("rows")
    if not isinstance(rows, list):
        raise FileFormatError(f"the Parquet file can't be read: {answer.get('broken', 'it is broken')}")
    return make_table("parquet", [Row(number, row) for number, row in enumerate(rows, 1) if isinstance(row, dict)])


def _answer(data: bytes, limits: Limits) -> dict[str, object]:
    program = "core.importers.reading.parquet_process"
    command = [sys.executable, "-m", program, str(limits.max_file_mb), str(limits.max_rows)]
    environment = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    try:
        done = subprocess.run(  # noqa: S603  our own module, without a shell
            command, input=data, capture_output=True, cwd=ROOT, env=environment, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise LimitError(f"the Parquet file takes more than {TIMEOUT_SECONDS} seconds to read: split it") from None
    except OSError as error:
        raise FileFormatError(f"no process could be started to read the Parquet file: {error.strerror}") from None
    try:
        answer = parse_json(done.stdout.decode("utf-8"))
    except (ValueError, RecursionError):
        answer = None
    return dict(answer) if isinstance(answer, dict) and done.returncode == 0 else {}
