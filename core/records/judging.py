"""Rubrics that a project keeps, and what judges said of its runs, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from hcat.core.types import JsonValue

JudgeWork = Literal["run", "trial", "bias", "pairs", "distil", "gain"]
"""Verdicts on a whole run, which become its scores; on some of its samples, to try a rubric; a check for bias; verdicts
on pairs of answers of two runs; a rubric distilled from critiques; or what one version gains over another."""
VERDICT_FILES: Mapping[JudgeWork, str] = {
    "run": "verdicts",
    "trial": "verdicts",
    "bias": "verdicts",
    "pairs": "pair-verdicts",
    "distil": "rubric-gains",
    "gain": "rubric-gains",
}
"""The kind of the file, which is its folder, that holds what came of each work."""


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
    """Which judge judged `n` samples by what, in a project or on files. `version` is the judge's hash; `rubric_version`
    is 0 for the rubric that comes with hcat and None where versions are not kept, as on files."""

    judge: str
    version: str
    rubric: str
    rubric_version: int | None
    n: int
    settings: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class JudgeRun:
    """What a judge said, once. `version` is the judge's hash, `rubric_version` 0 for the rubric that comes with hcat;
    `settings` and `usage` are documents, and the verdicts lie in the file `artifact`."""

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
        """What is told of it wherever the verdicts lie."""
        return JudgeFacts(self.judge, self.version, self.rubric, self.rubric_version, self.n, self.settings)
