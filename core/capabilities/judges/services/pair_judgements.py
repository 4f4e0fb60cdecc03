"""Comparisons of the answers of two runs of a project by a judge in both orders, and the biases of its choices."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hcat.core.capabilities.judges.services.opening import Order, open_judge
from hcat.core.capabilities.judges.services.rubrics import Rubrics
from hcat.core.errors import HcatError
from hcat.core.project.criteria import Criteria
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.records.codec import JSON
from hcat.core.records.judging import VERDICT_FILES, JudgeRun
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import OnProgress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hcat.core.capabilities.judges.asked_pairs import AnswerPair, PairJudgement
    from hcat.core.capabilities.judges.forecast import JudgeForecast
    from hcat.core.capabilities.judges.judge import Judge
    from hcat.core.capabilities.judges.pairs import PairBias

KIND = VERDICT_FILES["pairs"]


@dataclass(frozen=True, slots=True)
class PairRequest:
    """Answers of `run` (A) and of the run `against` (B) to the same questions, compared by one criterion of a rubric.

    People's labels on `labelled_on` say which answer is right, where they differ. `model_a` and `model_b` wrote the
    answers, `family` is part of the names of the judge's own models: all three are for self-preference. At most
    `sample` pairs are asked about, drawn at random by the seed of the settings.
    """

    job_kind: ClassVar[str] = "judge pairs"

    run: int
    against: int
    rubric: str
    criterion: str
    labelled_on: str = ""
    sample: int | None = None
    model_a: str = ""
    model_b: str = ""
    family: str = ""
    model: str = ""
    trials: int = 1
    temperature: float = 0.0
    order: Order = "reason first"


@dataclass(frozen=True)
class PairJudgements:
    """Answers of two runs, compared by language models."""

    store: OpenStore
    runs: Runs
    rubrics: Rubrics
    labels: Labels
    criteria: Criteria

    def forecast(self, project: ProjectInfo, run: RunInfo, request: PairRequest) -> JudgeForecast:
        """Forecast of the comparison's calls, tokens and cost: two requests a pair. HcatError where the runs have no
        answers to compare."""
        from hcat.core.capabilities.judges.asked_pairs import forecast_pairs

        settings = self.store.settings
        prices = (settings.llm_price_in, settings.llm_price_out)
        judge, _ = self.asked(project, request)
        return forecast_pairs(judge, self._pairs(project, run, request, judge), prices=prices)

    def judge(
        self, project: ProjectInfo, run: RunInfo, request: PairRequest, *, on_progress: OnProgress | None = None
    ) -> JudgeRun:
        """Ask about each pair in both orders, and store the choices with their reasons."""
        from hcat.core.capabilities.judges.asked_pairs import judge_pairs

        judge, version = self.asked(project, request)
        pairs = self._pairs(project, run, request, judge)
        judgement = judge_pairs(judge, pairs, on_progress=on_progress)
        content = json.dumps(JSON.write_object(judgement), ensure_ascii=False)
        artifact, keys = self.store.sealed_files.put(KIND, content.encode())
        with self.store.write(self.store.actor, "judge.pairs", run.project_id) as write:
            return self.store.judging_table.add_run(
                write,
                run.id,
                work="pairs",
                judge="judge",
                version=judge.version,
                rubric=request.rubric,
                rubric_version=version,
                n=len(pairs),
                artifact=artifact,
                keys=keys,
                settings={
                    **judge.settings(),
                    "criteria": [request.criterion],
                    "against": self.runs.by_id(request.against).name,
                    "family": request.family,
                },
                usage={**judgement.usage.record(), "cached": judgement.cached},
            )

    def all(self, run: RunInfo) -> list[JudgeRun]:
        """The comparisons of the run's answers with another run's, newest first."""
        self.store.access.check_reading("results", run.project_id)
        return [each for each in self.store.judging_table.runs(run.id) if each.work == "pairs"]

    def result(self, stored: JudgeRun) -> tuple[PairJudgement, PairBias | None]:
        """The stored judgement of pairs, and the biases of its choices; None for the latter where no pair has a
        verdict."""
        self.store.access.check_reading_of("results", stored.run_id)
        from hcat.core.capabilities.judges.asked_pairs import PairJudgement
        from hcat.core.capabilities.judges.pairs import pair_biases

        judgement = JSON.read(PairJudgement, json.loads(self.store.sealed_files.get(KIND, stored.artifact)))
        model, family = str(stored.settings.get("model")), str(stored.settings.get("family") or "")
        biases = pair_biases(judgement.verdicts, own={model: family})
        return judgement, biases[0] if biases else None

    def asked(self, project: ProjectInfo, request: PairRequest) -> tuple[Judge, int]:
        """The judge that the request names, and the version of its rubric."""
        rubric, version = self.rubrics.newest(project, request.rubric)
        return open_judge(self.store.settings, rubric.only([request.criterion]), request), version

    def _pairs(self, project: ProjectInfo, run: RunInfo, request: PairRequest, judge: Judge) -> Sequence[AnswerPair]:
        from hcat.core.capabilities.judges.asked_pairs import drawn_pairs, pairs_of_runs

        if request.run == request.against:
            raise HcatError("choose another run to compare with")
        other = self.runs.by_id(request.against)
        pairs = pairs_of_runs(
            self.runs.samples(run),
            self.runs.samples(other),
            judge.rubric.criteria[0],
            levels=(self._levels(project, run, request), self._levels(project, other, request)),
            models=(request.model_a, request.model_b),
        )
        return drawn_pairs(pairs, request.sample, seed=self.store.settings.seed)

    def _levels(self, project: ProjectInfo, run: RunInfo, request: PairRequest) -> Mapping[str, int]:
        from hcat.core.labelling.consensus import resolve_labels

        if not request.labelled_on:
            return {}
        people = self.criteria.get(project, request.labelled_on)
        agreed = resolve_labels(self.labels.current(project, people.name, run), people)
        return dict(zip(agreed.sample_ids, agreed.levels.tolist(), strict=True))
