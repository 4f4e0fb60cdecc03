"""Topics from `hcat topics` as strata and as levels of passages."""

from __future__ import annotations

from pathlib import Path

from hcat.core.errors import FileFormatError
from hcat.core.inputs.topics import topic_columns, topic_levels


def sampling_topics(path: Path) -> dict[str, str]:
    """The topic of each text by its id, with those between topics given to the nearest, so that each has a stratum."""
    ids, titles, topics, nearest = topic_columns(path, ("id", "title", "topic", "nearest"))
    named = dict(zip(topics, titles, strict=True))
    if not named.keys() >= set(nearest):
        raise FileFormatError(f"{path} names a nearest topic that has no text; make it anew with `hcat topics`")
    return {str(name): str(named[number]) for name, number in zip(ids, nearest, strict=True)}


def passage_topics(path: Path) -> dict[str, str]:
    """The topic of each passage by its id, "(no topic)" where it lies between topics."""
    return {name: title or "" for name, title in topic_levels(path).items()}
