"""Coverage of a corpus by the test cases of a run."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.capabilities.coverage.coverage import Coverage


@dataclass(frozen=True, slots=True)
class CoveredCorpus:
    """The version of a corpus from which tests were made; `newest` is the number of its newest version, None for
    files."""

    name: str
    version: int | None
    newest: int | None
    documents: int
    passages: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """Coverage of a corpus by the test cases of one run; `unanswered` of them have no answer in the run.

    `test_set` names the stored set of `of_cases` cases that they come from; empty if the run used other cases."""

    run: str
    corpus: CoveredCorpus
    coverage: Coverage
    unanswered: int = 0
    test_set: str = ""
    of_cases: int = 0
