"""Judges of a project's runs: forecast, verdicts, which become scores, and checks for bias."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hcat.core.capabilities.judges.services.opening import Order, open_judge
from hcat.core.capabilities.judges.services.rubrics import Rubrics
from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.project.criteria import Criteria
from hcat.core.project.labels import Labels
from hcat.core.project.open_store import OpenStore
from hcat.core.project.runs import Runs
from hcat.core.project.scoring import Scoring
from hcat.core.records.codec import JSON
from hcat.core.records.judging import VERDICT_FILES, JudgeRun, JudgeWork
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.types import Criterion, JsonValue, OnProgress, Sample

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.forecast import JudgeForecast
    from hcat.core.capabilities.judges.judge import Judge
    from hcat.core.capabilities.judges.manipulations import ScoreBias
    from hcat.core.capabilities.judges.rubric import RubricCriterion
    from hcat.core.capabilities.judges.self_preference import SelfPreference
    from hcat.core.capabilities.judges.stored import StoredCheck, StoredJudgement
    from hcat.core.capabilities.judges.verdict import JudgeVerdict

KIND = VERDICT_FILES["run"]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """Request to judge a run: criteria of the rubric (none: all), number of trials, temperature and further options.

    `work` says what it is. A trial or a check for bias takes `sample` samples that can be judged, drawn by the seed of
    the settings, those with a label on the criterion `labelled_on` first. So many `examples` are drawn from the labels
    with critiques on that criterion, and neither they nor their test cases are judged. `model` is another model at the
    address of the settings. With `keep_labels` the verdicts on the run are kept as labels of a language model, too, on
    criteria with the rubric's names and levels.
    """

    job_kind: ClassVar[str] = "judge"

    run: int
    rubric: str
    criteria: tuple[str, ...] = ()
    name: str = "judge"
    trials: int = 1
    temperature: float = 0.0
    order: Order = "reason first"
    work: JudgeWork = "run"
    sample: int | None = None
    labelled_on: str = ""
    examples: int = 0
    model: str = ""
    keep_labels: bool = False


@dataclass(frozen=True)
class Judges:
    """Language models that judge a project's runs by its rubrics."""

    store: OpenStore
    runs: Runs
    scoring: Scoring
    rubrics: Rubrics
    labels: Labels
    criteria: Criteria

    def forecast(self, project: ProjectInfo, run: RunInfo, request: JudgeRequest) -> JudgeForecast:
        """Forecast of the calls, tokens and cost of the request, and the number of answers already cached. Sends no
        request."""
        from hcat.core.capabilities.judges.forecast import forecast

        settings = self.store.settings
        prices = (settings.llm_price_in, settings.llm_price_out)
        judge, _ = self.asked(project, run, request)
        return forecast(judge, self._samples(project, run, request, judge), prices=prices)

    def judge(
        self, project: ProjectInfo, run: RunInfo, request: JudgeRequest, *, on_progress: OnProgress | None = None
    ) -> JudgeRun:
        """Carry out the request and store its result. Verdicts on the whole run are added to its scores.

        What `on_progress` raises ends the work; what was answered until then is cached, and nothing else is stored.
        """
        from hcat.core.capabilities.judges.judge import judge_samples
        from hcat.core.capabilities.judges.manipulations import score_biases
        from hcat.core.capabilities.judges.scores import judge_metric, judge_score_table
        from hcat.core.capabilities.judges.verdict import verdicts_jsonl

        judge, version = self.asked(project, run, request)
        for criterion in judge.rubric.criteria:
            judge_metric(request.name, criterion.name)
        if request.keep_labels:
            self._check_criteria(project, judge)
        samples = self._samples(project, run, request, judge)
        if request.work == "bias":
            biases = score_biases(judge, samples, on_progress=on_progress)
            content = json.dumps(JSON.write_object(biases), ensure_ascii=False)
            return self._store(run, request, judge, version, len(samples), content, biases.usage.record())
        judgement = judge_samples(judge, samples, on_progress=on_progress)
        usage = {**judgement.usage.record(), "cached": judgement.cached}
        if request.work == "run":
            table = judge_score_table(
                judgement.verdicts, self.runs.samples(run), judge, name=request.name, seed=self.store.settings.seed
            )
            self.scoring.add_judged(run, table)
        if request.keep_labels:
            self._keep_labels(project, run, judge, judgement.verdicts, name=request.name)
        return self._store(run, request, judge, version, len(samples), verdicts_jsonl(judgement.verdicts), usage)

    def all(self, run: RunInfo) -> list[JudgeRun]:
        """Stored judgements of the run (whole runs, trials, checks for bias), newest first."""
        self.store.access.check_reading("results", run.project_id)
        return [each for each in self.store.judging_table.runs(run.id) if each.work in ("run", "trial", "bias")]

    def verdicts(self, judged: JudgeRun) -> tuple[JudgeVerdict, ...]:
        """The verdicts of a run or a trial, verified against their hash."""
        self.store.access.check_reading_of("results", judged.run_id)
        from hcat.core.capabilities.judges.verdict import read_verdicts_jsonl

        return read_verdicts_jsonl(self.store.sealed_files.get(KIND, judged.artifact).decode(), name="the stored file")

    def biases(self, judged: JudgeRun) -> ScoreBias:
        """Stored result of a check for bias."""
        self.store.access.check_reading_of("results", judged.run_id)
        from hcat.core.capabilities.judges.manipulations import ScoreBias

        return JSON.read(ScoreBias, json.loads(self.store.sealed_files.get(KIND, judged.artifact)))

    def newest(self, project: ProjectInfo, run: RunInfo) -> tuple[StoredJudgement | StoredCheck, ...]:
        """The newest judgement of the whole run and the newest check for bias of each judge, in the order of time."""
        from hcat.core.capabilities.judges.stored import StoredCheck, StoredJudgement

        last = {(each.judge, each.work): each for each in reversed(self.all(run)) if each.work != "trial"}
        stored: list[StoredJudgement | StoredCheck] = []
        for judged in sorted(last.values(), key=lambda each: each.id):
            if judged.work == "bias":
                stored.append(StoredCheck(judged.facts, self.biases(judged)))
            elif (rubric := self.rubrics.by_number(project, judged.rubric, judged.rubric_version)) is not None:
                stored.append(StoredJudgement(judged.facts, rubric, self.verdicts(judged)))
        return tuple(stored)

    def self_preference(
        self, project: ProjectInfo, runs: Mapping[str, bool], judge: str, people: Criterion
    ) -> tuple[SelfPreference, ...]:
        """Preference of the judge of this name for runs of its own family (True) over others (False).

        HcatError where it has not judged each of them whole, in one version.
        """
        from hcat.core.capabilities.judges.self_preference import AnswersOfModel, self_preferences
        from hcat.core.capabilities.judges.stored import StoredJudgement, of_one_version

        judged, answers = [], []
        for name, is_own in runs.items():
            run = self.runs.get(project, name)
            newest = [each for each in self.newest(project, run) if isinstance(each, StoredJudgement)]
            stored = next((each for each in newest if each.facts.judge == judge), None)
            if stored is None:
                raise HcatError(f"the judge {judge!r} has not judged the run {name!r}: judge the whole run first")
            judged.append(stored)
            labels = self.labels.current(project, people.name, run)
            answers.append(AnswersOfModel(self.runs.samples(run), stored.verdicts, labels, is_own))
        return self_preferences(answers, of_one_version(judged), people)

    def asked(self, project: ProjectInfo, run: RunInfo, request: JudgeRequest) -> tuple[Judge, int]:
        """The judge that the request names, and the version of its rubric."""
        from hcat.core.capabilities.judges.drawing import examples_for

        rubric, version = self.rubrics.newest(project, request.rubric)
        chosen = rubric.only(request.criteria) if request.criteria else rubric
        if not request.examples:
            return open_judge(self.store.settings, chosen, request), version
        if not request.labelled_on:
            raise HcatError("examples come from labels: say on which criterion of the project")
        people = self.criteria.get(project, request.labelled_on)
        labels = self.labels.current(project, people.name, run)
        samples, seed = self.runs.samples(run), self.store.settings.seed
        examples = examples_for(chosen, labels, samples, people, n=request.examples, seed=seed)
        return open_judge(self.store.settings, chosen, request, examples), version

    def _samples(self, project: ProjectInfo, run: RunInfo, request: JudgeRequest, judge: Judge) -> Sequence[Sample]:
        from hcat.core.capabilities.judges.drawing import drawn_samples, without_examples

        samples = without_examples(self.runs.samples(run), judge.examples)
        if request.work == "run":
            return samples
        if request.sample is None or request.sample < 1:
            raise HcatError("say on how many samples to try it")
        labelled = set[str]()
        if request.labelled_on:
            labels = self.labels.current(project, request.labelled_on, run)
            labelled = {label.sample_id for label in labels if label.source != "llm"}
        return drawn_samples(judge, samples, request.sample, seed=self.store.settings.seed, first=labelled)

    def _check_criteria(self, project: ProjectInfo, judge: Judge) -> None:
        """ConflictError where the project has a criterion of the rubric's name that has other levels."""
        for criterion in judge.rubric.criteria:
            self._own_criterion(project, criterion)

    def _own_criterion(self, project: ProjectInfo, criterion: RubricCriterion) -> Criterion | None:
        from hcat.core.capabilities.judges.scores import judge_criterion

        wanted = judge_criterion(criterion)
        try:
            held = self.criteria.get(project, wanted.name)
        except NotFoundError:
            return None
        if (held.levels, held.passing) != (wanted.levels, wanted.passing):
            raise ConflictError(
                f"the project's criterion {held.name!r} has other levels than the rubric's: the verdicts can't be kept "
                "as labels on it"
            )
        return held

    def _keep_labels(
        self, project: ProjectInfo, run: RunInfo, judge: Judge, verdicts: Sequence[JudgeVerdict], *, name: str
    ) -> None:
        from hcat.core.capabilities.judges.scores import judge_criterion, judge_labels

        for each in judge.rubric.criteria:
            on = self._own_criterion(project, each) or self.criteria.add(project, judge_criterion(each))
            labels = judge_labels(verdicts, each, annotator=f"{name} ({judge.name}, version {judge.version[:8]})")
            self.labels.add(run, on, labels, queue="judge")

    def _store(
        self,
        run: RunInfo,
        request: JudgeRequest,
        judge: Judge,
        rubric_version: int,
        n: int,
        content: str,
        usage: dict[str, JsonValue],
    ) -> JudgeRun:
        artifact, keys = self.store.sealed_files.put(KIND, content.encode())
        with self.store.write(self.store.actor, "judge.run", run.project_id) as write:
            return self.store.judging_table.add_run(
                write,
                run.id,
                work=request.work,
                judge=request.name,
                version=judge.version,
                rubric=judge.rubric.name,
                rubric_version=rubric_version,
                n=n,
                artifact=artifact,
                keys=keys,
                settings={**judge.settings(), "criteria": [each.name for each in judge.rubric.criteria]},
                usage=usage,
            )
