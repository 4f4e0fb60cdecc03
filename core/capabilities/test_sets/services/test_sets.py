"""Test sets of a project: immutable versions, the decisions of reviewers on them, and frozen versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hcat.core.capabilities.test_sets.case_changes import TestSetChanges, compare_cases
from hcat.core.capabilities.test_sets.review import cases_to_freeze, decision_counts
from hcat.core.capabilities.test_sets.services.numbered import numbered
from hcat.core.errors import ConflictError, HcatError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import TestCase, record
from hcat.core.records.test_set import CaseDecision, ReviewDecision, TestSetInfo, TestSetVersion, Unreviewed
from hcat.core.storage.case_files import CaseFiles, hash_of_cases
from hcat.core.storage.write import Write
from hcat.core.types import JsonValue, Progress

if TYPE_CHECKING:
    from hcat.core.capabilities.robustness.variants.perturb import VariantWriter


@dataclass(frozen=True)
class TestSets:
    """The test sets of each project, version by version."""

    __test__ = False

    store: OpenStore
    projects: Projects

    def check_name(self, project: ProjectInfo | str, name: str) -> str:
        """The name without blanks around it; HcatError where it can't be one, ConflictError where it is taken."""
        name = checked_name(name, "test set")
        if name in self.store.test_set_table.names(self.projects.id_of(project)):
            raise ConflictError(f"the project already has a test set {name!r}: choose another name")
        return name

    def add(
        self,
        project: ProjectInfo | str,
        name: str,
        cases: Sequence[TestCase],
        *,
        source: str,
        corpus: CorpusInfo | None = None,
        account: Mapping[str, JsonValue] | None = None,
    ) -> TestSetInfo:
        """Store cases as version 1 of a new test set. `account` describes how they were made, `source` is their origin.

        The file is written first and the rows last, so that a test set is whole or not there. HcatError without cases
        or with an id twice, ConflictError when the name is taken.
        """
        name = self.check_name(project, name)
        version = self._written(
            cases, source=source, corpus_id=None if corpus is None else corpus.id, account=account or {}
        )
        with self.store.write(self.store.actor, "test_set.add", self.projects.id_of(project)) as write:
            return self.store.test_set_table.add(write, self.projects.id_of(project), name, version)

    def add_version(self, newest: TestSetInfo, cases: Sequence[TestCase], *, source: str) -> TestSetInfo:
        """Store cases as the version after the newest one, open for review.

        ConflictError where there is a newer one by now.
        """
        version = self._written(cases, source=source, corpus_id=newest.corpus_version_id, account={})
        with self.store.write(self.store.actor, "test_set.add_version", newest.project_id) as write:
            return self._next(write, newest, version)

    def add_variants(
        self,
        project: ProjectInfo | str,
        origins: TestSetInfo,
        name: str,
        *,
        families: Sequence[str],
        strengths: Sequence[float],
        seed: int,
        passages: Sequence[CorpusPassage] = (),
        writer: VariantWriter | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> TestSetInfo:
        """Store the cases of a version and variants of them as version 1 of a new test set, so that one run answers
        both. Its account counts the variants of each family, and those that could not be made, with why.

        `passages` are those of the corpus, for families that change contexts; `writer` writes those of a language
        model. HcatError where the version holds
        variants itself, no family is named or no variant can be made; ConflictError when the name is taken.
        """
        from hcat.core.capabilities.robustness.variants.perturb import perturb
        from hcat.core.capabilities.robustness.variants.registry import chosen_families
        from hcat.core.capabilities.robustness.wording.variants import perturbed_document, unchanged_sentences

        name = self.check_name(project, name)
        chosen = chosen_families(families)
        if not chosen:
            raise HcatError("choose at least one family of variants")
        cases = self.cases(origins)
        if any(case.variant is not None for case in cases):
            raise HcatError("this test set holds variants: make further ones of the test set that they were made from")
        made = perturb(cases, chosen, strengths, seed=seed, corpus=passages, writer=writer, on_progress=on_progress)
        if not made.variants:
            raise HcatError(f"no variant could be made, and nothing is stored: {unchanged_sentences(made)[0]}")
        version = self._written(
            (*cases, *made.variants),
            source=f"variants of {origins.name}, version {origins.version}",
            corpus_id=origins.corpus_version_id,
            account={
                **{part: origins.account[part] for part in ("untestable",) if part in origins.account},
                "variants_of": {"name": origins.name, "version": origins.version, "hash": origins.content_hash},
                "strengths": list(strengths),
                "seed": seed,
                **({} if writer is None else {"writer": {**writer.settings}}),
                **perturbed_document(made, chosen, cases=len(cases)),
            },
        )
        with self.store.write(self.store.actor, "test_set.add", self.projects.id_of(project)) as write:
            return self.store.test_set_table.add(write, self.projects.id_of(project), name, version)

    def all(self, project: ProjectInfo | str) -> list[TestSetInfo]:
        """The newest version of each test set but those that are archived, oldest test set first."""
        return self.store.test_set_table.newest(self.projects.id_of(project))

    def versions(self, project: ProjectInfo | str, name: str) -> list[TestSetInfo]:
        """Every version of a test set, archived or not, newest first; or NotFoundError."""
        return self.store.test_set_table.versions(self.projects.id_of(project), name)

    def version(self, project: ProjectInfo | str, name: str, number: int | None = None) -> TestSetInfo:
        """The version of this number, by default the newest; or NotFoundError."""
        return numbered(self.versions(project, name), number, of=f"test set {name!r}")

    def cases(self, test_set: TestSetInfo) -> tuple[TestCase, ...]:
        """The cases of this version, in order. StorageError where the file is missing or differs from the stored
        one."""
        self.store.access.check_reading("results", test_set.project_id)
        return CaseFiles(self.store.artifacts).all(test_set.artifact, content_hash=test_set.content_hash)

    def decisions(self, test_set: TestSetInfo) -> list[CaseDecision]:
        """The log of the reviews of this version, oldest first."""
        self.store.access.check_reading("results", test_set.project_id)
        return self.store.case_decisions.of(test_set.id)

    def decide(
        self,
        test_set: TestSetInfo,
        case: TestCase,
        decision: ReviewDecision,
        *,
        reviewer: str,
        previous: int = 0,
        reason: str = "",
        edited: TestCase | None = None,
    ) -> CaseDecision:
        """Add a decision to the log. `previous` is the last entry on this case that the reviewer saw, 0 for none.

        HcatError for a frozen version, a rejection without a reason, or an edit without a query; ConflictError where
        somebody else decided on the case meanwhile.
        """
        if test_set.frozen:
            raise HcatError("this version is frozen: make a new version of it to review its cases again")
        if decision == "reject" and not reason.strip():
            raise HcatError("say why the case is rejected: the reason stands in the log")
        if decision == "edit" and (edited is None or not edited.query.strip()):
            raise HcatError("an edited case needs a query: reject the case to leave it out")
        content = None if decision != "edit" or edited is None else record(replace(edited, id=case.id))
        with self.store.write(reviewer, "test_set.decide", test_set.project_id) as write:
            return self.store.case_decisions.decide(
                write, test_set.id, case.id, decision, previous=previous, reason=reason.strip(), edited=content
            )

    def freeze(self, test_set: TestSetInfo, *, unreviewed: Unreviewed, actor: str) -> TestSetInfo:
        """A new version, frozen: the accepted cases, the edited ones as edited, and the unreviewed ones if included.

        It records whether unreviewed cases are included. HcatError where no case would remain, ConflictError where
        there is a newer version by now that this one does not know of.
        """
        if test_set.frozen:
            raise HcatError(f"version {test_set.version} is frozen already")
        cases, log = self.cases(test_set), self.decisions(test_set)
        standing = cases_to_freeze(cases, log, unreviewed=unreviewed)
        if not standing:
            raise HcatError("no case would stand: accept some first, or include the unreviewed ones")
        counts = decision_counts(cases, log)
        frozen_from: dict[str, JsonValue] = {
            "version": test_set.version,
            "unreviewed": unreviewed,
            **{name: counts[name] for name in ("accepted", "edited", "rejected")},
            "unreviewed_cases": counts["unreviewed"],
        }
        version = self._written(
            standing,
            source=f"frozen from version {test_set.version}, unreviewed cases {unreviewed}",
            corpus_id=test_set.corpus_version_id,
            account={**test_set.account, "frozen_from": frozen_from},
        )
        newest = self.store.test_set_table.versions(test_set.project_id, test_set.name)[0]
        with self.store.write(actor, "test_set.freeze", test_set.project_id) as write:
            return self._next(write, newest, replace(version, frozen=True))

    def changes(self, before: TestSetInfo, after: TestSetInfo) -> TestSetChanges:
        """New, removed and changed cases from one version to another."""
        return compare_cases(self.cases(before), self.cases(after))

    def _next(self, write: Write, newest: TestSetInfo, version: TestSetVersion) -> TestSetInfo:
        return self.store.test_set_table.add_version(write, newest.test_set_id, version, number=newest.version + 1)

    def _written(
        self, cases: Sequence[TestCase], *, source: str, corpus_id: int | None, account: Mapping[str, JsonValue]
    ) -> TestSetVersion:
        if not cases:
            raise HcatError("there are no test cases to store: a test set has at least one")
        if len({case.id for case in cases}) < len(cases):
            raise HcatError("two test cases have the same id: give each its own")
        return TestSetVersion(
            content_hash=hash_of_cases(cases),
            artifact=CaseFiles(self.store.artifacts).write(cases),
            n_cases=len(cases),
            corpus_version_id=corpus_id,
            account=account,
            source=source,
        )
