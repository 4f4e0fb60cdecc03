"""What the test cases that a run asked cover of the corpus that they were made from."""

from __future__ import annotations

from dataclasses import dataclass

from hcat.core.testgen.coverage import Coverage


@dataclass(frozen=True, slots=True)
class CoveredCorpus:
    """The version of a corpus that tests were made from; `newest` is the number of its newest one. Files have none."""

    name: str
    version: int | None
    newest: int | None
    documents: int
    passages: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """What the test cases that one run asked cover of a corpus; `unanswered` of them have no answer in it.

    `test_set` names the stored set of `of_cases` cases that they are from; empty where the run was asked others.
    """

    run: str
    corpus: CoveredCorpus
    coverage: Coverage
    unanswered: int = 0
    test_set: str = ""
    of_cases: int = 0
