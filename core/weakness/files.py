"""Weakness tables as Parquet files, with the settings they were computed with in the file's metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from core.errors import FileFormatError
from core.records.atomic import new_file
from core.records.codec import JSON
from core.records.parquet import check_unpacked, read_table
from core.refusals.state import ANSWER_STATES
from core.types import JsonValue
from core.weakness.rows import COLUMNS
from core.weakness.table import WeaknessSettings, WeaknessTable
from core.weakness.verdicts import of_today

ENDS = tuple(f"{name}_{end}" for name in ("difference", "effect", "shrunken", "selected") for end in ("low", "high"))
LATER: dict[str, object] = {
    **dict.fromkeys((*ANSWER_STATES, "labels", "samples")),
    **dict.fromkeys((*ENDS, "label_pass_rate", "label_low", "label_high"), float("nan")),
    **dict.fromkeys(("basis", "disagreement"), ""),
}
"""Columns that files of earlier versions may lack, with what stands there."""


def write_weaknesses(table: WeaknessTable, path: Path, *, about: Mapping[str, JsonValue]) -> None:
    """Write the table; `about` goes into the metadata `hcat` beside its settings. It is never left half-written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = json.dumps({**about, "table": JSON.write(table.settings)}, ensure_ascii=False)
    content = pa.Table.from_pandas(table.frame, preserve_index=False).replace_schema_metadata({"hcat": metadata})
    with new_file(path) as file:
        pq.write_table(content, file)


def read_weaknesses(path: Path) -> WeaknessTable:
    """The inverse of `write_weaknesses`, with verdicts in the words of today. FileFormatError for anything else."""
    import pandas as pd
    import pyarrow as pa

    try:
        check_unpacked(path)
        table = read_table(path)
        settings = JSON.read(WeaknessSettings, json.loads((table.schema.metadata or {})[b"hcat"])["table"])
        frame = table.to_pandas(use_threads=False)
        later = {name: pd.NA if value is None else value for name, value in LATER.items() if name not in frame}
        frame = frame.assign(**later)[list(COLUMNS)].astype(COLUMNS)
        words = zip(frame["verdict"], frame["basis"], frame["metric"], strict=True)
        frame["verdict"] = [
            of_today(word, basis=basis, direction=settings.directions[metric]) for word, basis, metric in words
        ]
        frame = frame.astype(COLUMNS)
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError, FileFormatError) as error:
        raise FileFormatError(
            f"{path} is not a weakness table of hcat; make one with `hcat weakness … -o FILE`"
        ) from error
    return WeaknessTable(frame, settings)
