from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.records.parquet import read_table

TABLE = pa.table({"a": [1, 2, None], "b": ["x", None, "z"]}).replace_schema_metadata({"hcat": "about"})


def test_what_was_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path)
    assert read_table(path).equals(TABLE, check_metadata=True)
    assert read_table(path, columns=["b"]).column_names == ["b"]
    with path.open("rb") as file:
        assert read_table(file).equals(TABLE)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises((pa.ArrowException, OSError)):
        read_table(path)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted as Linux tells them")
def test_reading_starts_no_thread(tmp_path: Path) -> None:
    """One that runs while the process ends may abort it, after all its work."""
    pq.write_table(TABLE, tmp_path / "t.parquet")
    code = (
        "import sys, json, os; from pathlib import Path; import pyarrow.parquet;"
        "from hcat.core.records.parquet import read_table;"
        "threads = lambda: len(os.listdir('/proc/self/task')); before = threads();"
        "read_table(Path(sys.argv[1])); print(json.dumps([before, threads()]))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "t.parquet")], capture_output=True, text=True, check=True
    )
    before, after = json.loads(ended.stdout)
    assert before == after
