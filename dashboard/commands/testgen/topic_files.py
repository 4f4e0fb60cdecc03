"""Topics from `hcat topics` as a dimension of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError, HcatError

if TYPE_CHECKING:
    from hcat.core.analysis.run_data import RunColumns


def with_topics(columns: RunColumns, path: Path) -> RunColumns:
    """The run with the topic of each sample from a file. HcatError where that is of other texts."""
    levels = _topic_levels(path)
    missing = sum(sample.id not in levels for sample in columns.samples)
    if missing:
        raise HcatError(
            f"{path} has no topic for {missing} of the {len(columns.samples)} samples: make it from this run's queries "
            "with `hcat topics RUN -o FILE`"
        )
    return replace(columns, given_topics=levels)


def sampling_topics(path: Path) -> dict[str, str]:
    """The topic of each text by its id, with those between topics given to the nearest, so that each has a stratum."""
    ids, titles, topics, nearest = _columns(path, ("id", "title", "topic", "nearest"))
    named = dict(zip(topics, titles, strict=True))
    if not named.keys() >= set(nearest):
        raise FileFormatError(f"{path} names a nearest topic that has no text; make it anew with `hcat topics`")
    return {str(name): str(named[number]) for name, number in zip(ids, nearest, strict=True)}


def passage_topics(path: Path) -> dict[str, str]:
    """The topic of each passage by its id, "(no topic)" where it lies between topics."""
    return {name: title or "" for name, title in _topic_levels(path).items()}


def _topic_levels(path: Path) -> dict[str, str | None]:
    ids, titles = _columns(path, ("id", "title"))
    return {str(name): None if title is None else str(title) for name, title in zip(ids, titles, strict=True)}


def _columns(path: Path, names: tuple[str, ...]) -> list[list[object]]:
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
