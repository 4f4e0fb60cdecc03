"""Stored test sets and the decisions of their reviewers, as plain values. Ids are the database's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from hcat.core.types import JsonValue

ReviewDecision = Literal["accept", "edit", "reject", "undo"]
Unreviewed = Literal["included", "left out"]
"""The treatment of cases without a review when a version is frozen."""


@dataclass(frozen=True, slots=True)
class TestSetInfo:
    """One version of a project's test set; no version is ever changed.

    `content_hash` is the SHA-256 of its file of test cases, `corpus_version_id` the version of the corpus that it was
    made from, if it was. `account` records its origin: what was requested, made and dropped, or what was frozen from
    which version. Only versions that are not `frozen` are reviewed."""

    __test__ = False

    id: int
    test_set_id: int
    project_id: int
    name: str
    version: int
    content_hash: str
    artifact: str
    n_cases: int
    frozen: bool
    corpus_version_id: int | None
    account: Mapping[str, JsonValue]
    source: str
    actor: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """One entry of the log of reviews.

    `edited` is the case as the reviewer wrote it, for an edit; `reason` why a case was rejected. An undo reverts the
    entry before it."""

    id: int
    case_id: str
    decision: ReviewDecision
    reviewer: str
    at: datetime
    reason: str = ""
    edited: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True, slots=True)
class TestSetVersion:
    """The content of a version, before it has a number."""

    __test__ = False

    content_hash: str
    artifact: str
    n_cases: int
    frozen: bool = False
    corpus_version_id: int | None = None
    account: Mapping[str, JsonValue] = field(default_factory=dict)
    source: str = ""
