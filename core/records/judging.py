"""Rubrics of a project, and judges' verdicts on its runs, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hcat.core.types import JsonValue

JudgeWork = Literal["run", "trial", "bias", "pairs", "distil", "gain"]
"""The kinds of judging.

Verdicts on a whole run, which become its scores; on some of its samples, to try a rubric; a check for bias; verdicts on
pairs of answers of two runs; a rubric distilled from critiques; or the gain of one version over another."""
VERDICT_FILES: Mapping[JudgeWork, str] = {
    "run": "verdicts",
    "trial": "verdicts",
    "bias": "verdicts",
    "pairs": "pair-verdicts",
    "distil": "rubric-gains",
    "gain": "rubric-gains",
}
"""The kind of the file, which is its folder, for the results of each kind of judging."""


@dataclass(frozen=True, slots=True)
class RubricVersion:
    """A version of a rubric. It never changes; the newest one counts."""

    name: str
    version: int
    document: Mapping[str, JsonValue]
    note: str
    author: str
    at: datetime


@dataclass(frozen=True, slots=True)
class JudgeFacts:
    """The judge of `n` samples and its settings, in a project or on files.

    `version` is the judge's hash; `rubric_version` is 0 for the rubric that comes with hcat and None without stored
    versions, as on files."""

    judge: str
    version: str
    rubric: str
    rubric_version: int | None
    n: int
    settings: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class JudgeRun:
    """One judgement of a run.

    `version` is the judge's hash, `rubric_version` 0 for the rubric that comes with hcat; `settings` and `usage` are
    documents, and the verdicts are in the file `artifact`."""

    id: int
    run_id: int
    work: JudgeWork
    judge: str
    version: str
    rubric: str
    rubric_version: int
    n: int
    artifact: str
    settings: Mapping[str, JsonValue]
    usage: Mapping[str, JsonValue]
    actor: str
    created_at: datetime

    @property
    def kind(self) -> str:
        """The kind of its file."""
        return VERDICT_FILES[self.work]

    @property
    def facts(self) -> JudgeFacts:
        """The facts that are reported wherever the verdicts are stored."""
        return JudgeFacts(self.judge, self.version, self.rubric, self.rubric_version, self.n, self.settings)
