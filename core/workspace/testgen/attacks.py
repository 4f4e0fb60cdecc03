"""Attacks on a project's system: made from its corpora as test sets, and evaluated on the runs that answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import HcatError
from core.records.corpus import CorpusInfo
from core.records.project import ProjectInfo, RunInfo
from core.records.test_set import TestSetInfo
from core.testgen.passages import CorpusPassage
from core.testgen.test_case import TestCase
from core.types import Criterion, Progress
from core.workspace.open_runs import OpenRuns
from core.workspace.testgen.corpora import Corpora
from core.workspace.testgen.test_sets import TestSets

if TYPE_CHECKING:
    from core.analysis.run_data import RunColumns
    from core.testgen.attacks.results import AttackResults


@dataclass(frozen=True)
class Attacks:
    """The attacks of each project."""

    corpora: Corpora
    test_sets: TestSets
    run_data: OpenRuns

    def make(
        self,
        project: ProjectInfo | str,
        corpus: CorpusInfo,
        name: str,
        *,
        families: Sequence[str],
        n: int,
        seed: int,
        tests: Sequence[TestCase] = (),
        system_prompt: str = "",
        on_progress: Callable[[Progress], None] | None = None,
    ) -> TestSetInfo:
        """Store n attacks of each family, each with its control, as version 1 of a new test set; see `make_attacks`.

        Its account says what was made and what was not. ConflictError when the name is taken.
        """
        from core.testgen.attacks.make import make_attacks
        from core.testgen.attacks.registry import chosen_attacks
        from core.wording.testgen.attacks import made_document, made_sentences

        name = self.test_sets.check_name(project, name)
        chosen = chosen_attacks(families)
        if not chosen:
            raise HcatError("choose at least one family of attacks")
        passages = self.corpora.passages(corpus)
        made = make_attacks(
            passages, chosen, n, tests=tests, system_prompt=system_prompt, seed=seed, on_progress=on_progress
        )
        return self.test_sets.add(
            project,
            name,
            made.cases,
            source=f"attacks from corpus {corpus.name}, version {corpus.version}",
            corpus=corpus,
            account={**made_document(made, chosen), "seed": seed, "notes": [*made_sentences(made, chosen)]},
        )

    def poisoned_corpus(self, project: ProjectInfo | str, test_set: TestSetInfo) -> tuple[CorpusPassage, ...]:
        """The corpus of a test set of attacks with what they put into it: what the system under test must hold."""
        from core.testgen.attacks.make import poisoned_corpus

        corpus = self.corpora.behind(project, test_set)
        if corpus is None:
            raise HcatError(f"the corpus that test set {test_set.name!r} was made from is not in the project any more")
        return poisoned_corpus(self.corpora.passages(corpus), self.test_sets.cases(test_set))

    def evaluate(
        self, run: RunInfo, criterion: Criterion | None = None, *, columns: RunColumns | None = None
    ) -> AttackResults:
        """What a run's attacks show, corrected by labels on the criterion, where one is given."""
        from core.analysis.attacks import evaluate_attacks

        return evaluate_attacks(self.run_data.open(run, columns=columns), criterion)
