"""Attacks on a project's system: made from its corpora as test sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from hcat.core.capabilities.corpus.service import Corpora
from hcat.core.capabilities.test_sets.services.test_sets import TestSets
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import Progress


@dataclass(frozen=True, slots=True)
class AttackRequest:
    """A request for a test set of this name with n attacks of each family and their controls, from a version of a
    corpus. They attack from the questions of a test set, or of rules where none is named."""

    job_kind: ClassVar[str] = "attack"

    name: str
    corpus: str
    corpus_version: int
    families: tuple[str, ...]
    n: int
    seed: int
    test_set: str | None = None
    test_set_version: int | None = None
    system_prompt: str = ""


@dataclass(frozen=True)
class Attacks:
    """The attacks of each project."""

    corpora: Corpora
    test_sets: TestSets

    def make(
        self,
        project: ProjectInfo | str,
        request: AttackRequest,
        *,
        tests: Sequence[TestCase] = (),
        on_progress: Callable[[Progress], None] | None = None,
    ) -> TestSetInfo:
        """Store the attacks, each with its control, as version 1 of a new test set; see `make_attacks`. `tests` are
        used where the request names no test set.

        Its account says what was made and what was not. What `on_progress` raises ends the work, and nothing is stored
        then. ConflictError when the name is taken.
        """
        from hcat.core.capabilities.attacks.make import make_attacks
        from hcat.core.capabilities.attacks.registry import chosen_attacks
        from hcat.core.capabilities.attacks.wording import made_document, made_sentences

        name = self.test_sets.check_name(project, request.name)
        chosen = chosen_attacks(request.families)
        if not chosen:
            raise HcatError("choose at least one family of attacks")
        corpus = self.corpora.version(project, request.corpus, request.corpus_version)
        if request.test_set is not None:
            stored = self.test_sets.version(project, request.test_set, request.test_set_version)
            tests = self.test_sets.cases(stored)
        made = make_attacks(
            self.corpora.passages(corpus),
            chosen,
            request.n,
            tests=tests,
            system_prompt=request.system_prompt,
            seed=request.seed,
            on_progress=on_progress,
        )
        return self.test_sets.add(
            project,
            name,
            made.cases,
            source=f"attacks from corpus {corpus.name}, version {corpus.version}",
            corpus=corpus,
            account={**made_document(made, chosen), "seed": request.seed, "notes": [*made_sentences(made, chosen)]},
        )

    def poisoned_corpus(self, project: ProjectInfo | str, test_set: TestSetInfo) -> tuple[CorpusPassage, ...]:
        """The corpus of a test set of attacks with what they put into it: what the system under test must hold."""
        from hcat.core.capabilities.attacks.make import poisoned_corpus

        corpus = self.corpora.behind(project, test_set)
        if corpus is None:
            raise HcatError(f"the corpus that test set {test_set.name!r} was made from is not in the project any more")
        return poisoned_corpus(self.corpora.passages(corpus), self.test_sets.cases(test_set))
