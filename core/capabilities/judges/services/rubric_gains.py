"""Rubrics distilled from the critiques of a project, and the gain of one version over another on held-out answers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hcat.core.capabilities.judges.services.opening import Order, open_judge
from hcat.core.capabilities.judges.services.rubrics import Rubrics
from hcat.core.errors import HcatError, NotFoundError
from hcat.core.project.criteria import Criteria
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.records.clusters import clusters_of
from hcat.core.records.codec import JSON
from hcat.core.records.judging import VERDICT_FILES, JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import OnProgress

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.distil import Distilled, LabelledRun, RubricGain
    from hcat.core.capabilities.judges.forecast import JudgeForecast
    from hcat.core.capabilities.judges.judge import Judge
    from hcat.core.capabilities.judges.rubric import Rubric

KIND = VERDICT_FILES["gain"]


@dataclass(frozen=True, slots=True)
class RubricRequest:
    """Request to rewrite a criterion of a rubric from critiques on the criterion `labelled_on`, and to test it on other
    labels.

    With `against`, a version of the rubric, nothing is written: the newest version is tested against that one. At most
    `most` held-out answers are judged, each twice.
    """

    job_kind: ClassVar[str] = "distil"

    run: int
    rubric: str
    criterion: str
    labelled_on: str
    against: int | None = None
    most: int | None = None
    model: str = ""
    trials: int = 1
    temperature: float = 0.0
    order: Order = "reason first"


@dataclass(frozen=True)
class RubricGains:
    """Gains of rubrics in agreement with people, measured on answers from which they were not written."""

    store: OpenStore
    runs: Runs
    rubrics: Rubrics
    labels: Labels
    criteria: Criteria

    def labelled(self, project: ProjectInfo, run: RunInfo, request: RubricRequest) -> LabelledRun:
        """The labels on the criterion, in a part to write from and a part to test on."""
        from hcat.core.capabilities.judges.distil import LabelledRun

        samples = self.runs.samples(run)
        return LabelledRun(
            self.labels.current(project, request.labelled_on, run),
            {sample.id: sample for sample in samples},
            clusters_of(samples),
            self.criteria.get(project, request.labelled_on),
            self.store.settings.seed,
            request.most,
            tries=1 + self._tried(run, request.labelled_on),
        )

    def forecast(self, project: ProjectInfo, run: RunInfo, request: RubricRequest) -> JudgeForecast:
        """Forecast of the calls, tokens and cost of judging the held-out answers twice. Sends no request."""
        from hcat.core.capabilities.judges.forecast import forecast, together

        settings = self.store.settings
        prices = (settings.llm_price_in, settings.llm_price_out)
        first, second, _ = self._judges(project, request)
        held_out = self.labelled(project, run, request).held_out(first)
        return together(*(forecast(judge, held_out, prices=prices) for judge in (first, second or first)))

    def measure(
        self, project: ProjectInfo, run: RunInfo, request: RubricRequest, *, on_progress: OnProgress | None = None
    ) -> tuple[JudgeRun, Distilled]:
        """Write a rubric and test it, or only test the newest, and store the result. No version of the rubric is saved:
        people do that."""
        from hcat.core.capabilities.judges.distil import compare_rubrics, distil

        first, second, version = self._judges(project, request)
        labelled = self.labelled(project, run, request)
        if second is None:
            result = distil(first, labelled, on_progress=on_progress)
        else:
            result = compare_rubrics(first, second, labelled, on_progress=on_progress)
        content = json.dumps(JSON.write_object(result.measured), ensure_ascii=False)
        artifact, keys = self.store.sealed_files.put(KIND, content.encode())
        with self.store.write(self.store.actor, "judge.distil", run.project_id) as write:
            stored = self.store.judging_table.add_run(
                write,
                run.id,
                work="distil" if second is None else "gain",
                judge="judge",
                version=first.version,
                rubric=request.rubric,
                rubric_version=version,
                n=result.measured.gain.gain.n,
                artifact=artifact,
                keys=keys,
                settings={
                    **first.settings(),
                    "criteria": [request.criterion],
                    "against": request.against,
                    "labelled_on": request.labelled_on,
                },
                usage=result.usage.record(),
            )
        return stored, result

    def all(self, run: RunInfo) -> list[JudgeRun]:
        """Stored rubrics distilled from the run's labels, and tests of them on these labels, newest first."""
        self.store.access.check_reading("results", run.project_id)
        return [each for each in self.store.judging_table.runs(run.id) if each.work in ("distil", "gain")]

    def result(self, stored: JudgeRun) -> RubricGain:
        """Both wordings, and the gain."""
        self.store.access.check_reading_of("results", stored.run_id)
        from hcat.core.capabilities.judges.distil import RubricGain

        return JSON.read(RubricGain, json.loads(self.store.sealed_files.get(KIND, stored.artifact)))

    def _tried(self, run: RunInfo, labelled_on: str) -> int:
        """Number of comparisons of rubrics on the held-out answers of the run with labels on this criterion. Older
        results that do not name their criterion are counted."""
        stored = (each for each in self.store.judging_table.runs(run.id) if each.work in ("distil", "gain"))
        return sum(each.settings.get("labelled_on", labelled_on) == labelled_on for each in stored)

    def _judges(self, project: ProjectInfo, request: RubricRequest) -> tuple[Judge, Judge | None, int]:
        """The judge by the rubric that is to be bettered, the one by the newest version where they are compared, and
        the version of the newest."""
        newest, version = self.rubrics.newest(project, request.rubric)
        settings = self.store.settings

        def judge(rubric: Rubric) -> Judge:
            return open_judge(settings, rubric.only([request.criterion]), request)

        if request.against is None:
            return judge(newest), None, version
        if request.against == version:
            raise HcatError(f"version {version} is the newest: name an earlier one to compare it with")
        earlier = self.rubrics.by_number(project, request.rubric, request.against)
        if earlier is None:
            raise NotFoundError(f"the rubric {request.rubric!r} has no version {request.against}")
        return judge(earlier), judge(newest), version
