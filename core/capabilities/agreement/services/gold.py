"""Gold items: samples whose right level is known, and what annotators gave on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hcat.core.labelling.records import GoldItem
from hcat.core.project.criteria import check_level
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import checked_name
from hcat.core.project.runs import Runs
from hcat.core.records.project import RunInfo
from hcat.core.types import Criterion


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """The level that an annotator gave on an item whose right level is known."""

    annotator: str
    sample_id: str
    right: int
    given: int | None


@dataclass(frozen=True)
class Gold:
    """The gold items of each run and criterion."""

    store: OpenStore
    runs: Runs
    labels: Labels

    def items(self, run: RunInfo, criterion: Criterion) -> list[GoldItem]:
        """The samples of the run whose right level is known, oldest first."""
        self.store.access.check_reading("results", run.project_id)
        return self.store.standards.gold(run.project_id, run.id, criterion.name)

    def add(
        self,
        run: RunInfo,
        criterion: Criterion,
        levels: Mapping[str, int],
        *,
        author: str,
        rationale: str = "",
    ) -> list[GoldItem]:
        """Say which level is right, by sample id: all or none. Queues with a gold share mix these samples in."""
        for level in levels.values():
            check_level(criterion, level)
        self.runs.check_samples(run, list(levels))
        name = checked_name(author, "author")
        with self.store.write(name, "gold.add", run.project_id) as write:
            self.store.standards.add_gold(
                write,
                run.project_id,
                run.id,
                criterion.name,
                list(levels.items()),
                rationale=rationale,
                author=name,
            )
        return self.items(run, criterion)

    def answers(self, run: RunInfo, criterion: Criterion) -> list[GoldAnswer]:
        """The answers of annotators on gold items, whether those were mixed in or drawn like any other."""
        right = {item.sample_id: item.level for item in self.items(run, criterion)}
        return [
            GoldAnswer(record.annotator, record.sample_id, right[record.sample_id], record.level)
            for record in self.labels.judgements(run, criterion)
            if record.sample_id in right and record.purpose in ("gold", "estimate")
        ]
