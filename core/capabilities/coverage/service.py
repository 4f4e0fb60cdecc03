"""Coverage of a project's corpora by a stored test set, and by the test cases that a run asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hcat.core.capabilities.corpus.service import Corpora
from hcat.core.capabilities.coverage.coverage import Coverage, attest
from hcat.core.capabilities.coverage.run_coverage import CoveredCorpus, RunCoverage
from hcat.core.capabilities.test_sets.services.test_sets import TestSets
from hcat.core.capabilities.topics.corpus_service import CorpusTopics
from hcat.core.project.projects import Projects
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.project import RunInfo
from hcat.core.records.test_case import TestCase, cases_of
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import Sample

_HASH = re.compile(r"SHA-256 ([0-9a-f]{12})$")
"""By which a collected run names the test set that it was asked."""


@dataclass(frozen=True)
class TestCoverage:
    """The coverage of corpora by tests."""

    __test__ = False

    projects: Projects
    corpora: Corpora
    corpus_topics: CorpusTopics
    test_sets: TestSets

    def of_test_set(self, test_set: TestSetInfo, corpus: CorpusInfo) -> Coverage:
        """The coverage of a version of a corpus by a version of a test set, with its topics where they were found."""
        return self._attest(self.test_sets.cases(test_set), corpus, test_set)

    def corpus_of(self, test_set: TestSetInfo) -> CorpusInfo | None:
        """The newest version of the corpus that a test set was made from; None where it was made from none."""
        stored = self.corpora.all(self.projects.by_id(test_set.project_id))
        return next((newest for newest in stored if test_set.corpus_version_id in self._ids(newest)), None)

    def of_run(self, run: RunInfo, samples: Sequence[Sample]) -> RunCoverage | None:
        """The coverage of a corpus by the test cases that a run asked and that were made from it.

        That is the version which the run's test set names; for other test cases, the newest version of the corpus that
        has most of the passages they name. None where there is no such corpus.
        """
        project = self.projects.of(run)
        stored = self.corpora.all(project)
        cases = cases_of(samples) if stored else ()
        if not cases:
            return None
        test_set = self._test_set(run)
        versions = [version for each in stored for version in self.corpora.versions(project, each.name)]
        made_from = None if test_set is None else test_set.corpus_version_id
        corpus = next((version for version in versions if version.id == made_from), None)
        corpus = corpus or self._with_most(stored, cases)
        if corpus is None:
            return None
        answered = {sample.test_case or sample.id for sample in samples if sample.answer is not None}
        return RunCoverage(
            run.name,
            CoveredCorpus(
                corpus.name,
                corpus.version,
                max(version.version for version in versions if version.corpus_id == corpus.corpus_id),
                corpus.n_documents,
                corpus.n_passages,
                corpus.content_hash,
            ),
            self._attest(cases, corpus, test_set),
            unanswered=sum(case.id not in answered for case in cases),
            test_set="" if test_set is None else f"test set {test_set.name}, version {test_set.version}",
            of_cases=0 if test_set is None else test_set.n_cases,
        )

    def _ids(self, newest: CorpusInfo) -> set[int]:
        versions = self.corpora.versions(self.projects.by_id(newest.project_id), newest.name)
        return {version.id for version in versions}

    def _attest(self, cases: Sequence[TestCase], corpus: CorpusInfo, test_set: TestSetInfo | None) -> Coverage:
        topics = self.corpus_topics.read(corpus)
        return attest(
            cases,
            self.corpora.passages(corpus),
            topics=None if topics is None else topics.levels,
            account={} if test_set is None else test_set.account,
        )

    def _test_set(self, run: RunInfo) -> TestSetInfo | None:
        """The version that the run was asked, by the hash that the run names; of several with the same cases, the one
        that is named too."""
        match = _HASH.search(run.filename)
        if match is None:
            return None
        same = [version for version in self._versions(run) if version.content_hash.startswith(match[1])]
        named = (each for each in same if run.filename.startswith(f"test set {each.name}, version {each.version},"))
        return next(named, next(iter(same), None))

    def _versions(self, run: RunInfo) -> Iterator[TestSetInfo]:
        project = self.projects.of(run)
        for newest in self.test_sets.all(project):
            yield from self.test_sets.versions(project, newest.name)

    def _with_most(self, corpora: Sequence[CorpusInfo], cases: Sequence[TestCase]) -> CorpusInfo | None:
        names = {name for case in cases for name in case.passages}
        shared = [sum(passage.id in names for passage in self.corpora.passages(corpus)) for corpus in corpora]
        most = max(shared)
        return corpora[shared.index(most)] if most else None
