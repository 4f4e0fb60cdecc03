"""Topics in a file of `hcat topics`, as a dimension of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError, HcatError

if TYPE_CHECKING:
    from hcat.core.opened.run import RunColumns


def with_topics(columns: RunColumns, path: Path) -> RunColumns:
    """The run with the topic of each sample from a file. HcatError where that is of other texts."""
    levels = topic_levels(path)
    missing = sum(sample.id not in levels for sample in columns.samples)
    if missing:
        raise HcatError(
            f"{path} has no topic for {missing} of the {len(columns.samples)} samples: make it from this run's queries "
            "with `hcat topics RUN -o FILE`"
        )
    return replace(columns, given_topics=levels)


def topic_levels(path: Path) -> dict[str, str | None]:
    """The topic of each text by its id; None where it lies between topics."""
    ids, titles = topic_columns(path, ("id", "title"))
    return {str(name): None if title is None else str(title) for name, title in zip(ids, titles, strict=True)}


def topic_columns(path: Path, names: tuple[str, ...]) -> list[list[object]]:
    """These columns of the file. FileFormatError where it holds no topics."""
    import pyarrow as pa

    from hcat.core.records.parquet import check_unpacked, read_table

    try:
        check_unpacked(path)
        table = read_table(path, columns=names)
        if any(pa.types.is_nested(table[name].type) for name in names):
            raise KeyError("a column of lists")
        return [table[name].to_pylist() for name in names]
    except (pa.ArrowException, OSError, KeyError) as error:
        raise FileFormatError(f"{path} holds no topics; make them with `hcat topics`") from error
