"""Groups of people in a project's runs compared, by margins that were set beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hcat.core.records.codec import JSON
from hcat.core.records.fairness import FairnessSettings, SettledFairness
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.stores.documents import StatedDocument
from hcat.core.workspace.calibrations import Calibrations
from hcat.core.workspace.criteria import Criteria
from hcat.core.workspace.open_runs import OpenRuns
from hcat.core.workspace.open_store import OpenStore
from hcat.core.workspace.projects import Projects, checked_name

if TYPE_CHECKING:
    from hcat.core.analysis.run_data import RunColumns, RunData
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.testgen.variants.counterfactual.comparison import Comparable, Fairness


@dataclass(frozen=True)
class FairnessComparisons:
    """What the runs show of groups of people."""

    store: OpenStore
    projects: Projects
    criteria: Criteria
    run_data: OpenRuns
    calibrations: Calibrations

    def settle(self, project: ProjectInfo, settings: FairnessSettings, *, author: str) -> SettledFairness:
        """Keep margins, reference groups and outcomes as the project's newest, signed by its author now."""
        name = checked_name(author, "author")
        with self.store.write(name, "fairness.settle", project.id) as write:
            document = JSON.write_object(settings)
            return _settled(self.store.documents.add(write, project.id, "fairness", document, author=name))

    def settled(self, project: ProjectInfo) -> list[SettledFairness]:
        """All that was settled on, newest first: this holds."""
        self.store.access.check_reading("results", project.id)
        return settled_fairness(self.store, project.id)

    def comparable(self, run: RunInfo, *, by: Sequence[str] = (), columns: RunColumns | None = None) -> Comparable:
        """The groups that the run, or its dimensions `by`, can be compared on, its outcomes, and what to match on."""
        from hcat.core.analysis.fairness.matched import comparable

        opened = self.run_data.open(run, columns=columns)
        criteria = self.criteria.all(self.projects.of(run))
        return comparable(opened, by=by, criteria=criteria, calibration=self._calibration(run, opened))

    def compare(
        self,
        run: RunInfo,
        settings: FairnessSettings,
        *,
        by: Sequence[str] = (),
        match: Sequence[str] | None = None,
        columns: RunColumns | None = None,
    ) -> Fairness:
        """The groups of the run's counterfactual variants, or of the dimensions `by` matched on `match`: by labels, by
        the calibration that was saved last, by what the settings choose. `columns` spare reading what is open already.

        Without variants and `by` the settings say both. HcatError where there are no two groups to compare.
        """
        from hcat.core.analysis.fairness.matched import compare_levels
        from hcat.core.analysis.fairness.paired import compare_groups
        from hcat.core.testgen.variants.counterfactual.pairing import counterfactuals_in

        opened = self.run_data.open(run, columns=columns)
        criteria = self.criteria.all(self.projects.of(run))
        calibration = self._calibration(run, opened)
        own = tuple(by) or (() if counterfactuals_in(opened.columns.sample_columns) else settings.by)
        if not own:
            return compare_groups(opened, settings, criteria=criteria, calibration=calibration)
        matched = settings.match if match is None else match
        return compare_levels(opened, own, settings, match=matched, criteria=criteria, calibration=calibration)

    def _calibration(self, run: RunInfo, opened: RunData) -> Calibration | None:
        saved = self.calibrations.newest(run) if self.calibrations.all(run) else None
        return saved if opened.columns.given_scores is not None else None


def settled_fairness(store: OpenStore, project_id: int) -> list[SettledFairness]:
    """The same for who may use it without reading it."""
    return [_settled(each) for each in store.documents.all(project_id, "fairness")]


def _settled(stated: StatedDocument) -> SettledFairness:
    return SettledFairness(JSON.read(FairnessSettings, dict(stated.document)), stated.author, stated.at)
