"""Everything that can be done to a project, once: each verb of each service is called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from types import MappingProxyType

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hcat.core.capabilities.agreement.analysis import annotator_ratings, policies
from hcat.core.capabilities.attacks.analysis import evaluate_attacks
from hcat.core.capabilities.attacks.service import AttackRequest
from hcat.core.capabilities.calibration.calibrate import (
    calibrate,
    check_exchangeability,
    compare_methods,
    evaluate_labels,
    predict,
)
from hcat.core.capabilities.calibration.fitness import fitness_beside
from hcat.core.capabilities.collect.description import target_of
from hcat.core.capabilities.corpus.corpus_import import CorpusImport
from hcat.core.capabilities.estimates.estimate import compare_runs, estimate_pass_rate, learning_curve, prepare
from hcat.core.capabilities.fairness.analysis.matched import comparable, compare_people
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.services.judges import JudgeRequest
from hcat.core.capabilities.judges.services.pair_judgements import PairRequest
from hcat.core.capabilities.judges.services.rubric_gains import RubricRequest
from hcat.core.capabilities.policy.analysis.policy import PolicySpec
from hcat.core.capabilities.report.services.report_requests import ReportRequest
from hcat.core.capabilities.robustness.analysis.robustness import compare_variants
from hcat.core.capabilities.samples.answers import answer_kinds
from hcat.core.capabilities.test_sets.query_source import Written
from hcat.core.capabilities.test_sets.rule_source import RuleSource
from hcat.core.capabilities.test_sets.services.generation import GenerationRequest, VariantsRequest
from hcat.core.capabilities.test_sets.services.readings import ReadingRequest
from hcat.core.capabilities.weaknesses.paired_slices import compare_runs_by_slice
from hcat.core.capabilities.weaknesses.slice_metrics import default_dimensions, default_metric, slice_metrics
from hcat.core.capabilities.weaknesses.weaknesses import compare_slices
from hcat.core.errors import ConflictError, HcatError, ModelError
from hcat.core.estimates.label_evaluation import CalibrationSpec
from hcat.core.jobs.processes import this_worker
from hcat.core.labelling.queue import QueueItem, QueueRules
from hcat.core.labelling.selection import ChosenSamples
from hcat.core.models.llm.language import Reply, Request, Usage
from hcat.core.opened.sample_filter import sample_facts
from hcat.core.project.jobs import request_of
from hcat.core.records.documents import Document, DocumentProblem
from hcat.core.records.fairness import FairnessSettings
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.people import Identity
from hcat.core.records.preregistration import Plan
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.report import Opinion
from hcat.core.records.risks import Risk, RiskRegister
from hcat.core.records.run_file import Run
from hcat.core.records.signing import SigningKey
from hcat.core.records.test_case import TestCase
from hcat.core.scoring.score_file import ScoreColumn, ScoreFile
from hcat.core.types import Criterion, JsonValue, Label, Progress, Sample, Score, Variant
from hcat.core.view.renderers.json_tree import report_hash
from hcat.core.workspace import Workspace

METRICS = ("token_f1", "answer_length")


@dataclass(frozen=True)
class Place:
    """Where the walk is."""

    workspace: Workspace
    project: ProjectInfo
    criterion: Criterion
    run: RunInfo
    other: RunInfo


def walk(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    place = _begun(workspace)
    _criteria(place)
    _scores_and_topics(place)
    _queues(place)
    _labels(place)
    _judgements(place)
    _judges(place, monkeypatch)
    _exports(place)
    _corpora(place)
    _test_sets(place)
    _attacks(place)
    _calibrations(place)
    _estimates(place)
    _policies(place)
    _findings(place)
    _risks(place)
    _reports(place)
    _jobs(place, monkeypatch)
    _collections(place, monkeypatch)
    _generation(place, monkeypatch)
    _variants(place)
    _pairs(place)
    _erasures(place)
    _housekeeping(place)
    _audit(place)
    _people(place)
    monkeypatch.setattr("hcat.core.capabilities.demo.bank.demo_runs", lambda *_, **__: ())
    monkeypatch.setattr("hcat.core.capabilities.demo.variants.answered_variants", lambda *_, **__: _samples()[:2])
    monkeypatch.setattr("hcat.core.capabilities.demo.variants.variant_labels", lambda *_, **__: ())
    monkeypatch.setattr("hcat.core.capabilities.demo.variants.METRICS", "token_f1")
    monkeypatch.setattr(
        "hcat.core.capabilities.demo.planted.table.planted_run", lambda *_: Run("safety probes", tuple(_samples()[:2]))
    )
    monkeypatch.setattr("hcat.core.capabilities.demo.service.METRICS", "token_f1")
    workspace.demo.load()


def _samples() -> list[Sample]:
    """Forty samples of twenty test cases, half of them right."""
    return [
        Sample(
            f"q{k}",
            f"What is fee {k}?",
            f"fee {k}" if k % 4 < 2 else "no idea at all",
            reference=f"fee {k}",
            dimensions={"area": "ab"[k % 2]},
            test_case=f"t{k // 2}",
        )
        for k in range(40)
    ]


def _begun(workspace: Workspace) -> Place:
    project = workspace.projects.create("bank")
    assert workspace.projects.get("bank") == project
    criterion = workspace.criteria.add(project, Criterion("correctness"))
    run, other = (workspace.runs.add(project, name, _samples(), source="x") for name in ("v1", "v2"))
    assert workspace.projects.of(run) == project
    assert workspace.projects.id_of(project) == project.id
    assert workspace.projects.all() == [project]
    assert workspace.runs.all(project) == [run, other]
    assert workspace.runs.by_id(run.id) == workspace.runs.get(project, "v1") == run
    workspace.runs.check_samples(run, [workspace.runs.sample(run, "q0").id, *workspace.runs.some(run, ["q1"])])
    assert [sample.id for sample in workspace.runs.samples_at(run, [1])] == ["q1"]
    workspace.mappings.save(project, ["a", "b"], {"a": "query"})
    assert workspace.mappings.find(project, ["a", "b"]) is not None
    workspace.mappings.save_levels(project, criterion, {"Refusal": "skip"})
    assert workspace.mappings.find_levels(project, criterion) == {"Refusal": "skip"}
    return Place(workspace, project, criterion, run, other)


def _criteria(place: Place) -> None:
    criteria, project = place.workspace.criteria, place.project
    criteria.edit_guideline(project, place.criterion, "Pass what states the fee.")
    assert len(criteria.guidelines(project, "correctness")) == 2
    example = criteria.add_example(project, place.criterion, "fee 7", 1)
    assert criteria.examples(project, "correctness") == [example]
    criteria.remove_example(example)
    assert criteria.all(project) == [criteria.get(project, "correctness")]
    plans, plan = place.workspace.preregistrations, Plan("correctness", 8, 0.9, 0.1, ("area",), ("answer_f1",))
    registered = plans.register(project, plan, author="lee")
    assert (registered.version, registered.guideline_version, registered.labels_before) == (1, 2, 0)
    assert plans.all(project) == plans.of(project, "correctness") == [plans.get(project, "correctness")]


def _scores_and_topics(place: Place) -> None:
    workspace = place.workspace
    for run in (place.run, place.other):
        assert workspace.scoring.forecast(run, METRICS) is None
        workspace.scoring.score(run, METRICS)
        workspace.scoring.add_own(run, workspace.scoring.required(run))
        assert workspace.scoring.latest(run) is not None
    workspace.scoring.encoder_and_store()
    workspace.scoring.explain(place.run, "q0", METRICS)
    column = ScoreColumn("judge", {"q0": Score(1.0)}, "higher")
    workspace.scoring.add_from_file(place.run, ScoreFile("theirs.csv", "ab" * 32, ("q0",), (column,)))
    workspace.topics.find(place.run)
    assert workspace.topics.latest(place.run) is not None
    assert "area" in workspace.run_data.columns(place.run).dimensions
    first = workspace.runs.samples(place.run)[0]
    assert first.id in workspace.run_data.holding(place.run, first.query.upper())
    workspace.slices.strata(place.run, "area")


def _queues(place: Place) -> None:
    queues, run, criterion = place.workspace.queues, place.run, place.criterion
    queue = queues.plan(run, criterion, planned=6, rules=QueueRules(overlap=2))
    assert queues.all(run, criterion) == [queue]
    assert len(queues.items(queue)) == 6
    item = _next(place, "ann")
    assert queues.hold(queue, item, "ann")
    assert queues.release(item, "ann")
    assert queues.progress(queue, "ann").open == queues.open_items(run, criterion, "ann") == 6
    assert queues.team_progress(queue).held == queues.held(queue)
    fees = ChosenSamples("area = a", tuple(f"q{k}" for k in range(0, 40, 2)))
    assert queues.sizes(run, criterion, fees, planned=8).of_slice == 6
    assert queues.plan(place.other, criterion, kind="slice", chosen=fees, planned=8).name == "slice: area = a"


def _next(place: Place, annotator: str) -> QueueItem:
    [queue] = place.workspace.queues.all(place.run)
    item = place.workspace.queues.next_item(queue, annotator)
    assert item is not None
    return item


def _labels(place: Place) -> None:
    labels, run, criterion = place.workspace.labels, place.run, place.criterion
    item = _next(place, "ann")
    labels.record(run, criterion, item.sample_id, 1, annotator="ann", item=item)
    labels.undo(run, criterion, annotator="ann")
    labels.skip(run, criterion, "q1", annotator="bob")
    labels.cannot_judge(run, criterion, "q1", "unclear", annotator="bob")
    for each in (run, place.other):
        given = [Label(f"q{k}", "correctness", int(k % 4 < 2) ^ (k % 9 == 0), "ann") for k in range(40)]
        labels.add(each, criterion, given)
    labels.record(run, criterion, "q2", 1, annotator="bob")
    assert labels.judgements(run, criterion)
    assert {record.annotator for record in labels.own(run, criterion, "ann")} == {"ann"}
    assert labels.history(place.project)
    labels.as_first_sampled(run, labels.current(place.project, "correctness", run))


def _judgements(place: Place) -> None:
    workspace, run, criterion = place.workspace, place.run, place.criterion
    assert workspace.gold.add(run, criterion, {"q2": 0}, author="lee") == workspace.gold.items(run, criterion)
    workspace.gold.answers(run, criterion)
    [found] = workspace.disagreements.all(run, criterion)
    workspace.disagreements.reveal(run, criterion, found.sample_id, "bob")
    workspace.disagreements.adjudicate(run, criterion, found.sample_id, 0, author="lee")
    assert len(workspace.disagreements.adjudications(run)) == 1
    annotators = workspace.annotators
    annotators.unblind(run, criterion, ["q3"], annotator="bob")
    assert annotators.unblinded(run, criterion, "bob") == {"q2", "q3"}
    assert annotators.independent_labels(run, criterion)
    annotators.repeat_pairs(run, criterion)
    annotators.consistency(run, criterion, rng=np.random.default_rng(1))
    annotators.accuracy(run, criterion)
    opened = workspace.run_data.open(run)
    annotator_ratings(opened, criterion)
    policies(opened, criterion, metrics=METRICS[:1])


class _Model:
    """A language model that finds everything good."""

    name, revision, parallel, settings = "model", "0", 1, MappingProxyType({"seed": 7})

    def ask(self, request: Request) -> Reply:
        content: dict[str, JsonValue] = {name: {"reason": "fine", "score": 4} for name in request.schema["properties"]}  # type: ignore[union-attr]
        return Reply(content, Usage(calls=1))


def _judges(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, project, run = place.workspace, place.project, place.run
    rubric, version = workspace.rubrics.newest(project)
    assert (rubric, version) == (FUNNEL, 0)
    with pytest.raises(ConflictError, match="nothing in the rubric was changed"):
        workspace.rubrics.save(project, rubric, author="lee")
    changed = rubric.with_criterion(replace(rubric.criteria[1], question="Does it say what the reference says?"))
    saved = workspace.rubrics.save(project, changed, author="lee", note="clearer")
    assert workspace.rubrics.newest(project, rubric.name) == (changed, 1)
    assert workspace.rubrics.versions(project) == [saved]
    request = JudgeRequest(run.id, rubric.name, ("captured_rate",))
    with pytest.raises(ModelError, match="No language model is set to judge"):
        workspace.judges.forecast(project, run, request)
    monkeypatch.setattr("hcat.core.models.llm.loading.load_trials", lambda settings, trials, temperature: (_Model(),))
    assert workspace.judges.forecast(project, run, request).requests > 0
    judged = workspace.judges.judge(project, run, request)
    trial = workspace.judges.judge(project, run, replace(request, work="trial", sample=2))
    bias = workspace.judges.judge(project, run, replace(request, work="bias", sample=2))
    assert workspace.judges.all(run) == [bias, trial, judged]
    assert (judged.rubric_version, trial.n, bias.work) == (1, 2, "bias")
    assert {verdict.score for verdict in workspace.judges.verdicts(judged)} == {4}
    assert len(workspace.judges.biases(bias).shifts) == 3
    with pytest.raises(HcatError, match="answers of the judge's own family and answers of others"):
        workspace.judges.self_preference(project, {run.name: True}, "judge", Criterion("correctness"))
    assert [each.facts for each in workspace.judges.newest(project, run)] == [judged.facts, bias.facts]
    assert workspace.rubrics.by_number(project, rubric.name, 0) == FUNNEL
    assert workspace.rubrics.by_number(project, rubric.name, 2) is None
    _rubric_gains(place, rubric.name)
    table = workspace.scoring.required(run)
    assert "judge:captured_rate" in table.metrics
    assert set(METRICS) <= set(table.metrics)


def _rubric_gains(place: Place, name: str) -> None:
    """Version 1 is compared with the one that comes."""
    workspace, project, run = place.workspace, place.project, place.run
    tested = RubricRequest(run.id, name, "captured_rate", "correctness", against=0)
    gains = workspace.rubric_gains
    assert gains.labelled(project, run, tested).people.name == place.criterion.name
    assert gains.forecast(project, run, tested).requests >= 0
    stored, result = gains.measure(project, run, tested)
    assert gains.all(run) == [stored]
    assert gains.result(stored).second == result.measured.second


def _exports(place: Place) -> None:
    exports, labels = place.workspace.exports, place.workspace.labels
    held = labels.current(place.project, "correctness", place.run)
    assert exports.with_names(place.project, exports.with_pseudonyms(place.project, held)) == held
    exports.log_with_pseudonyms(place.project, labels.history(place.project))
    exports.label_file(place.project, place.criterion, place.run)
    exports.label_log(place.project, place.criterion, place.run)
    exports.write_label_file(BytesIO(), place.project, place.criterion, place.run)
    exports.write_label_log(BytesIO(), place.project, place.criterion, place.run)
    assert exports.named_label_file(place.project, place.criterion).count('"ann"') == len(
        [label for label in labels.current(place.project, "correctness") if label.annotator == "ann"]
    )
    facts = sample_facts(place.workspace.run_data.open(place.run), place.criterion, [], None)
    written = BytesIO()
    exports.write_samples(written, ["q0"], facts, None, criterion="correctness")
    assert written.getvalue().count(b"\n") == 2


def _corpora(place: Place) -> None:
    corpora, project = place.workspace.corpora, place.project
    document = Document("a.md", "Card fees are low here.")
    imported = CorpusImport((CorpusPassage("a.md#1", document.text, "a.md", end=23),), (document,), source="a.md")
    corpus = corpora.add(project, "handbook", imported)
    left_out = replace(imported, problems=(DocumentProblem("b.pdf", "it has a password"),))
    newer = corpora.add_version(corpus, left_out)
    assert corpora.versions(project, "handbook") == [newer, corpus]
    assert corpora.version(project, "handbook", 1) == corpus
    assert corpora.all(project) == [newer]
    assert corpora.passages(newer) == imported.passages
    assert corpora.documents(newer) == imported.documents
    assert corpora.summaries(newer) == imported.summaries
    assert corpora.problems(newer) == left_out.problems
    assert not corpora.changes(corpus, newer).any
    topics = place.workspace.corpus_topics
    topics.find(newer)
    assert topics.rename(newer, 0, "Fees").titles == {0: "Fees"}
    latest, found = topics.latest(newer), topics.read(newer)
    assert latest is not None
    assert latest.names == {0: "Fees"}
    assert found is not None
    assert found.levels == {"a.md#1": "Fees"}


def _test_sets(place: Place) -> None:
    test_sets, project = place.workspace.test_sets, place.project
    cases = tuple(TestCase(f"t{k}", f"What is fee {k}?", f"fee {k}") for k in range(3))
    assert test_sets.check_name(project, " fees ") == "fees"
    made = test_sets.add(project, "fees", cases, source="a file", account={"asked": 3})
    entry = test_sets.decide(made, cases[0], "accept", reviewer="ann")
    assert test_sets.decisions(made) == [entry]
    frozen = test_sets.freeze(made, unreviewed="left out", actor="ann")
    again = test_sets.add_version(frozen, cases, source="version 1")
    assert test_sets.all(project) == [again] == test_sets.versions(project, "fees")[:1]
    assert test_sets.version(project, "fees", 2) == frozen
    assert test_sets.cases(frozen) == cases[:1]
    assert len(test_sets.changes(frozen, again).added) == 2
    covered, corpus = place.workspace.coverage, place.workspace.corpora.all(project)[0]
    assert covered.of_test_set(frozen, corpus).cases == 1
    assert covered.corpus_of(frozen) is None
    assert covered.of_run(place.run, _samples()) is None
    with pytest.raises(HcatError, match="variant"):
        compare_variants(place.workspace.run_data.open(place.run))
    variants = test_sets.add_variants(project, again, "variants", families=["spelling"], strengths=[0.5], seed=1)
    assert place.workspace.corpora.behind(project, variants) is None
    assert variants.account["test_cases"] == len(test_sets.cases(again))


def _attacks(place: Place) -> None:
    attacks, corpora = place.workspace.attacks, place.workspace.corpora
    documents = [Document(f"{k}.md", f"Fee {k} is low.") for k in range(2)]
    passages = tuple(CorpusPassage(f"{one.id}#1", one.text, one.id, end=len(one.text)) for one in documents)
    corpus = corpora.add(place.project, "fees", CorpusImport(passages, tuple(documents), source="fees"))
    cases = [TestCase(f"t{k}", f"How high is fee {k}?", "low", (passage.id,)) for k, passage in enumerate(passages)]
    request = AttackRequest("attacks", corpus.name, corpus.version, ("direct override",), 2, 1)
    made = attacks.make(place.project, request, tests=cases)
    assert attacks.poisoned_corpus(place.project, made) == passages
    with pytest.raises(HcatError, match="holds no attacks"):
        evaluate_attacks(place.workspace.run_data.open(place.run))


def _calibrations(place: Place) -> None:
    calibrations, run, criterion = place.workspace.calibrations, place.run, place.criterion
    opened = place.workspace.run_data.open(run)
    calibration = calibrate(opened, criterion, metrics=METRICS[:1])
    record = calibrations.save(run, calibration, reason="a test")
    assert calibrations.all(run) == [record]
    assert calibrations.read(record).metrics == calibrations.newest(run).metrics
    predict(opened.columns, calibration)
    evaluate_labels(opened, CalibrationSpec(criterion, METRICS[:1]), replicates=0)
    compare_methods(opened, criterion, metrics=METRICS[:1])
    check_exchangeability(opened, criterion)
    opened = place.workspace.run_data.open(run)
    assert opened.in_force().metrics == calibration.metrics
    compare_slices(opened, METRICS[0])
    assert default_metric(opened) in slice_metrics(opened)
    assert default_dimensions(opened, METRICS[0])
    assert fitness_beside(opened, METRICS[0]) is not None


def _estimates(place: Place) -> None:
    criterion, metrics = place.criterion, METRICS[:1]
    run, other = (place.workspace.run_data.open(one) for one in (place.run, place.other))
    prepare(run, criterion, metrics=metrics)
    estimate_pass_rate(run, criterion, metrics=metrics)
    learning_curve(run, criterion, metrics=metrics)
    compare_runs(run, other, criterion, metrics=metrics)
    dimensions = default_dimensions(run, METRICS[0])
    assert compare_runs_by_slice(run, other, METRICS[0], by=dimensions).metric == METRICS[0]
    encoder, store = place.workspace.scoring.encoder_and_store()
    answer_kinds(run.columns.samples, encoder=encoder, store=store)


def _policies(place: Place) -> None:
    workspace, policies = place.workspace, place.workspace.policies
    calibration = workspace.calibrations.newest(place.run)
    criterion = workspace.criteria.get(place.project, calibration.criterion)
    policy = workspace.applied_policies.fit(place.run, criterion, PolicySpec(accept_from=0.9))
    with pytest.raises(HcatError, match="give a reason"):
        policies.switch_on(place.run, policy, author="lee")
    record = policies.switch_on(place.run, policy, author="lee", reason="a walk")
    assert policies.all(place.project) == [record] == [policies.in_use(place.project, criterion.name)]
    assert policies.read(record).hash == policy.hash == record.hash
    switched_on = policies.read(record).switched_on
    assert switched_on is not None and switched_on.author == "lee"
    applied = workspace.applied_policies
    assert applied.fit(place.run, criterion, PolicySpec(accept_from=0.9)).hash == policy.hash
    assert len(applied.decide(place.run, record)) == place.run.n
    assert applied.in_use(place.project) == [record]
    assert applied.windows(place.project, record) == [place.other]
    assert applied.check(record, [place.other]).load.seen == place.other.n


def _findings(place: Place) -> None:
    findings = place.workspace.findings
    selection = findings.freeze(place.run, "wrong", metric=METRICS[0], scores={"q2": 0.0}, filter={})
    found = findings.confirm(place.run, "Fees", selection=selection, severity="low", author="lee")
    assert findings.selection(found) == selection
    assert findings.all(place.project) == [found]
    findings.change(found, status="closed")
    withdrawn = findings.withdraw(found, reason="a mistake in the labels", author="lee")
    found = findings.change(withdrawn, status="open", author="lee")
    confirmations = place.workspace.confirmations
    assert confirmations.judgements(found) == ()
    other = findings.confirm(
        place.other,
        "Area a",
        selection=findings.freeze(place.other, "a", metric=METRICS[0], scores={"q2": 0.0, "q4": 0.0}, filter={}),
        severity="low",
        author="lee",
    )
    relevance = place.workspace.criteria.add(place.project, Criterion("relevance"))
    sizes = confirmations.sizes(other, relevance, planned=6)
    queue = confirmations.plan(other, relevance, planned=6)
    assert (queue.planned, sizes.of_slice) == (sizes.total, 2)
    assert confirmations.judgements(other)[0].comparison.needs == queue.planned


def _risks(place: Place) -> None:
    risks, project = place.workspace.risks, place.project
    names = [each.name for each in risks.evidence(project)]
    assert "Run v1" in names and "Policy on correctness" in names
    register = risks.state(project, RiskRegister(risks=(Risk("wrong fee", evidence=("Run v1",)),)), author="lee")
    assert risks.current(project) == register == risks.state(project, register, author="lee")
    assert risks.all(project) == [register]


def _reports(place: Place) -> None:
    reports, opinions, project = place.workspace.reports, place.workspace.opinions, place.project
    stated = opinions.state(project, Opinion("not fit", "lee", "Fees are wrong."))
    assert opinions.current(project) == stated
    assert opinions.all(project) == [stated]
    report = reports.build(project, author="lee", runs=["v1"], chapters=["summary", "findings"], note="first")
    [version] = reports.versions(project)
    assert [run.name for run in reports.evidence(project, runs=["v1"]).runs] == ["v1"]
    assert (version.version, version.author, version.note) == (1, "lee", "first")
    assert report_hash(reports.read(version)) == report_hash(report) == version.hash
    source = reports.with_source(project, author="lee", runs=["v1"], chapters=["summary", "findings"])
    assert (report_hash(source.report), [each.run.name for each in source.runs]) == (version.hash, ["v1"])
    offs = place.workspace.sign_offs
    assert offs.submit(version, author="lee").state == "submitted"
    assert offs.return_(version, reviewer="kim", comment="say more of fees").state == "returned"
    offs.submit(version, author="lee")
    assert offs.approve(version, reviewer="kim").state == "approved"
    assert offs.all(project) == [offs.of(version)]
    assert "Approved by kim" in offs.on_cover(project, report).facts["Sign-off"]


def _jobs(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, worker = place.workspace.jobs, this_worker()
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: worker)
    job = jobs.start_scoring(place.run, METRICS)
    assert jobs.claim(job.id, worker)
    assert jobs.claimed(job.id, worker).id == job.id
    assert jobs.beat(job.id, worker, Progress("score", 1, 2))
    assert jobs.finish(job.id, worker, "failed", "no")
    assert jobs.resume(job.id).attempt == 2
    assert jobs.cancel(job.id) == jobs.get(job.id)
    jobs.start_topics(place.run)
    jobs.start_demo()
    request = ReportRequest("lee", ("v1",), ("summary",))
    asked = jobs.start(place.project, request)
    assert (asked.kind, request_of(asked, ReportRequest)) == ("report", request)
    assert len(jobs.all(place.project)) == 3
    _readings(place)


def _readings(place: Place) -> None:
    """Two files that were uploaded: read, looked at, and discarded."""
    readings, project = place.workspace.readings, place.project
    job = readings.start(project, [("h/a.md", b"# Fees"), ("h/b.pdf", b"no pdf")], source="h")
    assert readings.latest(project) is None
    request = request_of(job, ReadingRequest)
    readings.read(request)
    assert place.workspace.jobs.claim(job.id, this_worker())
    assert place.workspace.jobs.finish(job.id, this_worker(), "done")
    reading = readings.latest(project)
    assert reading is not None and reading.request == request
    assert [document.id for document in reading.documents] == ["a.md"]
    assert [problem.document for problem in reading.problems] == ["b.pdf"]
    readings.discard(project)
    assert readings.latest(project) is None


def _collections(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two collections by a system that knows one answer: one job, and one whose answers are stored by hand."""
    workspace, project = place.workspace, place.project
    monkeypatch.setattr("hcat.core.capabilities.demo.system.ask", lambda query, configuration: "fee 1")
    collections, target = workspace.collections, target_of("kind: demo")
    cases = [replace(sample, answer=None) for sample in _samples()[:2]]
    request, other = (collections.prepare(project, name, cases, target, source="x", hash="ab") for name in ("c1", "c2"))
    assert workspace.projects.by_id(project.id) == project
    assert workspace.jobs.start(project, request).kind == "collect"
    assert collections.plan(project, request).answers == 2
    assert collections.collect(project, request).n == 2
    assert collections.ask(project, other).complete
    assert collections.store_answers(project, other).n == 2
    [record] = workspace.policies.all(project)
    regenerations = workspace.regenerations
    again = regenerations.prepare(place.run, record, "again", target)
    assert workspace.jobs.start(project, again).kind == "regenerate"
    assert regenerations.plan(again).answers > 0
    assert regenerations.regenerate(again).format == "regenerated"
    asked = JudgeRequest(place.run.id, FUNNEL.name)
    assert workspace.jobs.start(project, asked).kind == "judge"
    tested = RubricRequest(place.run.id, FUNNEL.name, "captured_rate", "correctness", against=0)
    assert workspace.jobs.start(project, tested).kind == "distil"
    compared = PairRequest(place.run.id, place.other.id, FUNNEL.name, "captured_rate")
    assert workspace.jobs.start(project, compared).kind == "judge pairs"


def _generation(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, project = place.workspace, place.project
    case = TestCase("low", "How high are the fees?", "Fees are low", ("a.md#1",), type="open")
    monkeypatch.setattr(RuleSource, "write", lambda self, asks: tuple(Written((case,)) for _ in asks[:1]))
    corpus = workspace.corpora.all(project)[0]
    request = GenerationRequest("made", corpus.name, corpus.version, 1, {"open": 1.0}, by=("document",))
    assert workspace.jobs.start(project, request).kind == "generate"
    assert workspace.generation.design(project, request).n == 1
    made = workspace.generation.generate(project, request)
    assert made.n_cases == 1
    reworded = VariantsRequest("made-variants", made.name, made.version, ("filler",), (0.5,))
    assert workspace.jobs.start(project, reworded).kind == "perturb"
    attacked = AttackRequest("attacked", corpus.name, corpus.version, ("direct override",), 2, 1)
    assert workspace.jobs.start(project, attacked).kind == "attack"
    assert workspace.generation.perturb(project, reworded).n_cases == 2


def _variants(place: Place) -> None:
    """A variant beside its origin, both without an answer that was scored."""
    origin = _samples()[0]
    variant = replace(origin, id="v0", test_case="v0", variant=Variant("spelling", origin.test_case or origin.id))
    run = place.workspace.runs.add(place.project, "variants", [origin, variant], source="x")
    assert len(compare_variants(place.workspace.run_data.open(run)).pairs) == 1
    fairness, settings = place.workspace.fairness, FairnessSettings(margin=0.05, outcomes=("refusal",))
    assert fairness.settled(place.project) == []
    settled = fairness.settle(place.project, settings, author="V. Lead")
    assert fairness.settled(place.project) == [settled]
    opened = place.workspace.run_data.open(place.run)
    assert "refusal" in comparable(opened, by=("area",)).limit(settings).outcomes
    assert compare_people(opened, settings, by=("area",), match=()).outcome("refusal").gaps[0].reference == "a"


def _pairs(place: Place) -> None:
    """Answers of two runs, compared by a model that does not choose."""
    workspace, project, run = place.workspace, place.project, place.run
    pairs = workspace.pair_judgements
    other = workspace.runs.add(project, "v3", [replace(each, answer="It is 3.") for each in _samples()], source="x")
    compared = PairRequest(run.id, other.id, FUNNEL.name, "captured_rate", sample=2)
    assert pairs.asked(project, compared)[1] == 1
    assert pairs.forecast(project, run, compared).requests == 4
    kept = pairs.judge(project, run, compared)
    judgement, bias = pairs.result(kept)
    assert (pairs.all(run), len(judgement.pairs), bias) == ([kept], 2, None)


def _erasures(place: Place) -> None:
    workspace, project = place.workspace, place.project
    erasures, retentions = workspace.erasures, workspace.retentions
    run = workspace.runs.add_each(project, "to erase", iter(_samples()[:3]), several=(), source="x")
    for job in workspace.jobs.all(project):  # one that builds a report would read the run
        if job.is_active:
            workspace.jobs.cancel(job.id)
    assert erasures.traces(run, ["q1"]).notes == 0
    erased = erasures.erase(run, ["q1"], reason="asked", author="lee")
    assert erasures.all(project) == erased
    assert erasures.finish() == 0
    assert retentions.get(project) is None
    settled = retentions.settle(project, 3650, author="lee")
    assert retentions.get(project) == settled
    assert ("to erase", 2) in [(due.run, due.texts) for due in retentions.due(project)]
    assert retentions.apply(project, author="lee") == []


def _audit(place: Place) -> None:
    audit = place.workspace.audit
    assert audit.count() == len(audit.entries()) == audit.state().n
    assert "store" in audit.names()["project"]
    key = SigningKey(Ed25519PrivateKey.generate())
    assert audit.verify(audit.checkpoint(key), key=key.public).fault is None
    assert audit.as_csv().count(b"\n") == 1 + audit.count()


def _people(place: Place) -> None:
    """Roles come into use with the first administrator, who is whoever walks here."""
    people, project, own = place.workspace.people, place.project, place.workspace.store.identity
    access = place.workspace.access
    assert access.person() is access.signing_name() is None
    assert access.may("run.add", project.id) and access.may_read("results", project.id)
    lee = people.register(Identity("https://login.example", "7", "Lee", "lee@example.com"))
    people.set_role(project, lee, "validator")
    assert [(each.person, each.role) for each in people.members(project)] == [(lee, "validator")]
    people.remove(project, people.find("Lee"))
    people.set_role(project, lee, "viewer")
    me = people.register(own)
    people.set_administrator(me, administrator=True)
    assert [each.name for each in people.all()] == sorted(["Lee", me.name])
    assert access.person() == replace(me, administrator=True)
    assert access.signing_name() == me.name
    with pytest.raises(ConflictError, match="the last administrator"):
        people.set_administrator(me, administrator=False)


def _housekeeping(place: Place) -> None:
    housekeeping = place.workspace.housekeeping
    shop = place.workspace.projects.create("shop")
    assert "shop" in [item.name for item in housekeeping.all()]
    item = housekeeping.rename(housekeeping.get("project", "shop"), "store")
    assert housekeeping.restore(housekeeping.archive(item)).id == shop.id
    housekeeping.delete(item, housekeeping.contents(item), confirmed="store", author="lee")
    assert len(housekeeping.log()) == 4
