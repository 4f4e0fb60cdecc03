"""Weakness tables as Parquet files, with the settings they were computed with in the file's metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from hcat.core.errors import FileFormatError
from hcat.core.records.atomic import new_file
from hcat.core.records.codec import JSON
from hcat.core.records.json_text import json_object
from hcat.core.records.parquet import check_unpacked, read_table
from hcat.core.refusals.state import ANSWER_STATES
from hcat.core.slices.rows import COLUMNS
from hcat.core.slices.table import WeaknessSettings, WeaknessTable
from hcat.core.slices.verdicts import VERDICTS, of_today
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

ENDS = tuple(f"{name}_{end}" for name in ("difference", "effect", "shrunken", "selected") for end in ("low", "high"))
FINITE = ("mean", "low", "high", "difference", "p", "q", "shrunken")
_SLICE = ["dimension_1", "level_1", "dimension_2", "level_2", "metric"]
_MAKE_ONE = "make one with `hcat weakness … -o FILE`"
LATER: dict[str, object] = {
    **dict.fromkeys((*ANSWER_STATES, "labels", "samples")),
    **dict.fromkeys((*ENDS, "label_pass_rate", "label_low", "label_high"), float("nan")),
    **dict.fromkeys(("basis", "disagreement"), ""),
}
"""Columns that files of earlier versions may lack, with their default values."""


def write_weaknesses(table: WeaknessTable, path: Path, *, about: Mapping[str, JsonValue]) -> None:
    """Write the table; `about` goes into the metadata `hcat` with its settings. It is never left half-written."""
    import pyarrow.parquet as pq

    with new_file(path) as file:
        pq.write_table(weaknesses_table(table, about=about), file)


def weaknesses_table(table: WeaknessTable, *, about: Mapping[str, JsonValue]) -> pa.Table:
    """The table as it is written to files."""
    import pyarrow as pa

    metadata = json.dumps({**about, "table": JSON.write(table.settings)}, ensure_ascii=False)
    return pa.Table.from_pandas(table.frame, preserve_index=False).replace_schema_metadata({"hcat": metadata})


def read_weaknesses(source: Path | BinaryIO) -> WeaknessTable:
    """The inverse of `write_weaknesses`, with verdicts in the words of today. FileFormatError for anything else."""
    import pandas as pd
    import pyarrow as pa

    name = source if isinstance(source, Path) else "this"
    try:
        check_unpacked(source)
        table = read_table(source)
        settings = JSON.read(WeaknessSettings, json_object((table.schema.metadata or {})[b"hcat"])["table"])
        if len(set(table.column_names)) < len(table.column_names):
            raise FileFormatError("it has a column twice")
        frame = table.to_pandas(use_threads=False)
        later = {name: pd.NA if value is None else value for name, value in LATER.items() if name not in frame}
        frame = frame.assign(**later)[list(COLUMNS)].astype(COLUMNS)
        words = zip(frame["verdict"], frame["basis"], frame["metric"], strict=True)
        frame["verdict"] = [
            of_today(word, basis=basis, direction=settings.directions[metric]) for word, basis, metric in words
        ]
        frame = frame.astype(COLUMNS)
        _check(frame, settings)
    except FileFormatError as error:
        raise FileFormatError(f"{name} is not a weakness table of hcat ({error}); {_MAKE_ONE}") from error
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise FileFormatError(f"{name} is not a weakness table of hcat; {_MAKE_ONE}") from error
    return WeaknessTable(frame, settings)


def _check(frame: pd.DataFrame, settings: WeaknessSettings) -> None:
    """FileFormatError with the first thing that no table of hcat has."""
    unknown = next((word for word in frame["verdict"] if word not in VERDICTS), None)
    if unknown is not None:
        raise FileFormatError(f"the verdict {unknown!r} is unknown")
    for name in frame["metric"].unique():
        if not all(name in stated for stated in (settings.overall, settings.spread, settings.unscored)):
            raise FileFormatError(f"nothing is stated of the metric {name!r}")
    infinite = next((name for name in FINITE if np.isinf(frame[name].to_numpy(dtype=np.float64)).any()), None)
    if infinite is not None:
        raise FileFormatError(f"a value of {infinite} is infinite")
    if frame.duplicated(_SLICE).any():
        raise FileFormatError("it has a slice twice")
