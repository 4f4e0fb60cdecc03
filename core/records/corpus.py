"""A stored corpus, as plain values. Ids are the database's own and mean nothing elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hcat.core.types import JsonValue


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """One version of a project's corpus. `content_hash` names its passages and the texts of its documents; `artifact`
    has the passages, `documents_artifact` the texts. `settings` say how it was cut, `source` from what."""

    id: int
    corpus_id: int
    project_id: int
    name: str
    version: int
    content_hash: str
    artifact: str
    documents_artifact: str
    n_documents: int
    n_passages: int
    problems: tuple[Mapping[str, JsonValue], ...]
    settings: Mapping[str, JsonValue]
    source: str
    actor: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CorpusTopicsInfo:
    """Topics of one version of a corpus. `names` are what people call topics, by the topic's number; `last_name` is the
    newest entry of their log, 0 without any."""

    id: int
    corpus_version_id: int
    artifact: str
    settings: Mapping[str, JsonValue]
    names: Mapping[int, str]
    last_name: int
    actor: str
    created_at: datetime
