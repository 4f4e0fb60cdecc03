"""Limitations of the report, derived from its evidence so that no limitation is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from hcat.core.calibration.calibration import SAMPLE, TEST_CASE
from hcat.core.calibration.checks.fitness import LEAST_CHECKED
from hcat.core.capabilities.calibration.chapter import calibrated
from hcat.core.capabilities.calibration.wording.combination import combination_note
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.capabilities.report.evidence.records import CalibrationEvidence, Evidence, LabelEvidence, RunEvidence
from hcat.core.display.messages import lower_first, say
from hcat.core.display.numbers import format_percent
from hcat.core.refusals.state import REFUSALS, TITLES
from hcat.core.slices.verdicts import INSUFFICIENT, SHOWN
from hcat.core.view.telling import tell
from hcat.core.view.tree import Bullets, Paragraph, Quantity, Section, Text
from hcat.core.wording.bare_references import bare_references_note
from hcat.core.wording.clusters import CLUSTERS, level_clusters_warning, likely_trials_warning
from hcat.core.wording.design_weights import design_sentence
from hcat.core.wording.languages import language_warning

NOTABLE_UNSCORED = 0.05
FEW_LABELS = 50

MACHINE_VERDICT = (
    "Run {run.name}: {metrics} is the verdict of a machine on claims. Their means say what the machine decided, not "
    "how often people would agree."
)
MACHINE_VERDICTS = (
    "Run {run.name}: {metrics} are verdicts of a machine on claims. Their means say what the machine decided, not how "
    "often people would agree."
)
ONE_DECLINES = "Run {run.name}: {total} answer declines ({counts}). {treated}"
SEVERAL_DECLINE = "Run {run.name}: {total} answers decline ({counts}). {treated}"


def limitations_section(evidence: Evidence) -> Section:
    """One statement per limitation, with its numbers."""
    statements = tuple(limitations(evidence))
    intro = Paragraph((say("Derived from the evidence of this report. Each statement narrows what may be concluded."),))
    return Section("limitations", say("Limitations"), (intro, Bullets(statements)))


def limitations(evidence: Evidence) -> Iterator[Text]:
    """Every limitation that follows from the evidence, the most general ones last."""
    for run in evidence.runs:
        yield from _of_run(evidence, run)
    yield from _of_criteria(evidence)
    yield from _of_labels(evidence)
    for rate in evidence.pass_rates:
        for found in rate.likely_clusters:
            warning = level_clusters_warning(found)
            yield (say("Run {run}, {criterion}: {warning}", run=rate.run, criterion=rate.criterion, warning=warning),)
    if not evidence.calibrations:
        yield (say("No score was calibrated against labels, so no score can replace human judgement."),)
    runs = {run.name: run for run in evidence.runs}
    for calibration in evidence.calibrations:
        yield from _of_calibration(evidence, calibration)
        yield from _of_split(evidence, calibration, runs.get(calibration.run))
    yield from _of_weaknesses(evidence)
    yield from _of_topics(evidence)
    if not evidence.findings:
        yield (say("No person has confirmed a finding: verdicts on slices are statistical results only."),)
    yield (
        say(
            "All results hold for these test cases. How well the test cases represent the questions that "
            "users will ask is not measured here."
        ),
    )


def _of_run(evidence: Evidence, run: RunEvidence) -> Iterator[Text]:
    if not run.scores:
        yield (say("Run {run.name} was not scored.", run=run),)
    if run.unanswered:
        share = Quantity(run.unanswered / run.n, "percent")
        yield tell(
            "Run {run.name}: the system gave no answer to {unanswered} samples ({share}).",
            run=run,
            unanswered=Quantity(run.unanswered, "count"),
            share=share,
        )
    models = () if run.provenance is None else tuple(run.provenance.models)
    if run.scores and (warning := language_warning(run.languages, models)):
        yield (say("Run {run.name}: {warning}.", run=run, warning=lower_first(warning)),)
    if run.scores and run.bare_references is not None and (note := bare_references_note(run.bare_references)):
        yield (say("Run {run.name}: {note}", run=run, note=note),)
    if run.provenance is not None and (note := combination_note(run.provenance)):
        yield (say("Run {run.name}: {note}.", run=run, note=lower_first(note)),)
    yield from _of_clusters(run)
    yield from _of_design(run)
    yield from _of_refusals(run)
    yield from _of_machine_verdicts(evidence, run)
    yield from _of_limits(evidence, run)
    yield from _of_doubtful(evidence, run)
    yield from _of_unscored(evidence, run)


def _of_unscored(evidence: Evidence, run: RunEvidence) -> Iterator[Text]:
    """Metrics that left many samples unscored; those that left as many, for the same reasons, in one statement."""
    alike: dict[tuple[int, str], list[str]] = {}
    for name, summary in run.scores.items():
        left_out = sum(summary.unscored.values())
        if left_out and left_out / run.n >= NOTABLE_UNSCORED:
            counts = ", ".join(f"{say(reason)}: {count}" for reason, count in summary.unscored.items())
            alike.setdefault((left_out, counts), []).append(evidence.title(name))
    for (left_out, counts), titles in alike.items():
        names = "; ".join(titles)
        if left_out == run.n:
            yield (
                say("Run {run.name}: no sample is scored ({counts}) on {names}.", run=run, counts=counts, names=names),
            )
            continue
        yield tell(
            "Run {run.name}: {left_out} of {samples} samples ({share}) are unscored and left out of the mean "
            "({counts}): {names}.",
            run=run,
            left_out=Quantity(left_out, "count"),
            samples=Quantity(run.n, "count"),
            share=Quantity(left_out / run.n, "percent"),
            counts=counts,
            names=names,
        )


def _of_limits(evidence: Evidence, run: RunEvidence) -> Iterator[Text]:
    """Statements on errors that the run's metrics do not detect, one for all metrics with the same limit."""
    alike: dict[str, list[str]] = {}
    for name in run.scores:
        if (note := evidence.metrics.get(name)) is not None and note.limit:
            alike.setdefault(note.limit, []).append(note.title)
    for limit, titles in alike.items():
        yield (say("Run {run.name}, {names}: {limit}", run=run, names="; ".join(titles), limit=lower_first(limit)),)


def _of_doubtful(evidence: Evidence, run: RunEvidence) -> Iterator[Text]:
    for item in run.doubtful:
        if item.numbers:
            yield tell(
                "Run {run.name}, {metric}: doubtful numbers, found only under another sign, scale, unit or period: "
                "{numbers}, in {samples} of {scored}. They count as not found; a person should look at them.",
                run=run,
                metric=evidence.title(item.metric),
                numbers=Quantity(item.numbers, "count"),
                samples=Quantity(item.samples, "count"),
                scored=_samples(item.scored),
            )
        if item.of_another:
            yield tell(
                "Run {run.name}, {metric}: in {samples}, a number that is found may be said of another thing, since a "
                "sentence with another number is nearer by its words. It counts as found; a person should look at it.",
                run=run,
                metric=evidence.title(item.metric),
                samples=_samples(item.of_another),
            )


def _of_machine_verdicts(evidence: Evidence, run: RunEvidence) -> Iterator[Text]:
    judged = [evidence.title(name) for name, summary in run.scores.items() if summary.judged]
    if judged:
        yield (say(MACHINE_VERDICTS if len(judged) > 1 else MACHINE_VERDICT, run=run, metrics="; ".join(judged)),)


def _of_criteria(evidence: Evidence) -> Iterator[Text]:
    labelled = {labels.criterion for labels in evidence.labels if labels.kind == "people"}
    for criterion in evidence.criteria:
        if criterion.name in labelled and not criterion.guideline:
            yield (
                say(
                    "Labels on {criterion.name} follow no written guideline: the criterion has none.",
                    criterion=criterion,
                ),
            )


def _of_clusters(run: RunEvidence) -> Iterator[Text]:
    if run.clusters is not None and run.clusters < run.n:
        samples, clusters = Quantity(run.n, "count"), Quantity(run.clusters, "count")
        yield tell(
            "Run {run.name}: {samples} samples come from only {clusters} clusters. {clusters_2}",
            run=run,
            samples=samples,
            clusters=clusters,
            clusters_2=say(CLUSTERS),
        )
    if run.likely_trials is not None:
        yield (
            say(
                "Run {run.name}: {likely_trials_warning}",
                run=run,
                likely_trials_warning=likely_trials_warning(run.likely_trials),
            ),
        )


def _of_design(run: RunEvidence) -> Iterator[Text]:
    if note := design_sentence(run.design):
        yield (say("Run {run.name}: {note}", run=run, note=note),)


def _of_refusals(run: RunEvidence) -> Iterator[Text]:
    refused = {state: run.answer_states.get(state, 0) for state in REFUSALS}
    if not any(refused.values()):
        return
    total = Quantity(sum(refused.values()), "count")
    counts = ", ".join(f"{say(TITLES[state])}: {count}" for state, count in refused.items() if count)
    if run.refusals_as_answers:
        treated = say(
            "The scores were made before refusals were separated and treat them as answers: score the run again."
        )
    else:
        treated = say("Calibrations exclude them, and they are decided neither pass nor fail.")
    message = ONE_DECLINES if total.value == 1 else SEVERAL_DECLINE
    yield tell(message, run=run, total=total, counts=counts, treated=treated)


def _of_labels(evidence: Evidence) -> Iterator[Text]:
    if not evidence.labels:
        yield (say("There are no labels: nothing here was compared with human judgement."),)
    for labels in evidence.labels:
        yield from _of_label_kind(labels)
    judged = {(x.run, x.criterion) for x in evidence.labels if x.kind == "people"}
    for x in evidence.labels:
        if x.kind == "rule" and (x.run, x.criterion) not in judged:
            yield (
                say(
                    "Run {x.run}: no person has labelled {x.criterion}. Agreement with labels here means agreement "
                    "with the rule.",
                    x=x,
                ),
            )


def _of_label_kind(labels: LabelEvidence) -> Iterator[Text]:
    where = say("Run {labels.run}, {labels.criterion}: ", labels=labels)
    if labels.kind == "rule":
        yield tell(
            "{where}{labels} labels were derived by a rule, not given by a person.",
            where=where,
            labels=Quantity(labels.labels, "count"),
        )
        return
    if labels.samples < FEW_LABELS:
        yield tell(
            "{where}only {samples} samples have labels by people.",
            where=(where,),
            samples=Quantity(labels.samples, "count"),
        )
    if len(labels.annotators) == 1:
        yield (where, say("all labels come from one person, so agreement between people is unknown."))
    if not labels.drawn_equally:
        yield (
            where,
            say("samples were drawn for labelling with unequal probabilities, and are weighted."),
        )
    yield from _of_undecided(labels, where)


def _samples(n: int) -> Text:
    return Quantity(n, "count"), " sample" if n == 1 else " samples"


def _of_undecided(labels: LabelEvidence, where: str) -> Iterator[Text]:
    """Samples that annotators looked at and that have no consensus: ties, skips, and those that nobody could judge."""
    if labels.ties:
        tied = tell("{ties} samples were left out because the votes were tied", ties=Quantity(labels.ties, "count"))
        if labels.tied is None:
            yield tell("{where}{tied}.", where=where, tied=tied)
        else:
            failed, passed = (Quantity(end.value, "percent") for end in (labels.tied.failed, labels.tied.passed))
            yield tell(
                "{where}{tied}; the pass rate would be {failed} if all failed and {passed} if all passed.",
                where=where,
                tied=tied,
                failed=failed,
                passed=passed,
            )
    without = labels.without_label
    if without is not None and without.skipped:
        yield tell(
            "{where}{samples} skipped by an annotator and without a label.",
            where=where,
            samples=_samples(without.skipped),
        )
    if without is not None and without.not_judged:
        n = _samples(without.not_judged)
        yield tell("{where}{n} marked “can't judge”: whether they pass is unknown.", where=where, n=n)


def _of_calibration(evidence: Evidence, item: CalibrationEvidence) -> Iterator[Text]:
    calibration = item.calibration
    where = f"{calibrated(item, evidence)}: "
    if calibration.fit_for_use.value != "yes":
        verdict = (
            say("not fit for use") if calibration.fit_for_use.value == "no" else say("fitness for use is not shown")
        )
        yield (where, f"{verdict}. {verdict_reason_of(calibration)}")
    if not calibration.threshold.enough:
        have, need = Quantity(calibration.threshold.n, "count"), Quantity(calibration.threshold.needed, "count")
        yield tell(
            "{where}{have} labels set the threshold; α needs {need}. Every prediction set holds both labels.",
            where=where,
            have=have,
            need=need,
        )
    if calibration.diagnostics is None:
        yield (where, say("no labels were left to check the calibration with."))
    elif calibration.diagnostics.n < LEAST_CHECKED:
        yield tell(
            "{where}only {n} labels check the calibration.",
            where=(where,),
            n=Quantity(calibration.diagnostics.n, "count"),
        )
    left_out = sum(calibration.left_out.values())
    if left_out:
        reasons = ", ".join(f"{say(reason)}: {count}" for reason, count in calibration.left_out.items() if count)
        yield tell(
            "{where}{left_out} labelled samples were not used ({reasons}).",
            where=where,
            left_out=Quantity(left_out, "count"),
            reasons=reasons,
        )


def _of_split(evidence: Evidence, item: CalibrationEvidence, run: RunEvidence | None) -> Iterator[Text]:
    """Statement on a calibration whose labels were split by units smaller than clusters, as in an earlier version."""
    if run is None or run.clusters is None:
        return
    units = {SAMPLE: run.n, TEST_CASE: run.test_cases}.get(str(item.calibration.split_by), run.clusters)
    if run.clusters < units:
        divided = say("its labels were divided by {item.calibration.split_by}", item=item)
        yield (
            say(
                "{calibrated}: {divided}, so that samples of one cluster may have fitted and checked it, and "
                "its intervals may be too narrow: calibrate again.",
                calibrated=calibrated(item, evidence),
                divided=divided,
            ),
        )


def _of_weaknesses(evidence: Evidence) -> Iterator[Text]:
    if not evidence.weaknesses:
        yield (say("Slices were not compared: weaknesses in parts of the test set may have been missed."),)
    for item in evidence.weaknesses:
        frame, settings = item.table.frame, item.table.settings
        thin = int((frame["verdict"] == INSUFFICIENT).sum())
        if thin:
            yield tell(
                "Run {item.run}: {thin} of {frame} slices have insufficient evidence. They may be worse than the rest "
                "without being detected.",
                item=item,
                thin=Quantity(thin, "count"),
                frame=Quantity(len(frame), "count"),
            )
        shown = [verdict for verdict in SHOWN if (frame["verdict"] == verdict).any()]
        if shown:
            words = say(" or ").join(say("“{word}”", word=say(verdict)) for verdict in shown)
            yield (
                say(
                    "Run {item.run}: of the slices that differ from the rest with q ≤ {limit:g}, better or worse, at "
                    "most {q} are expected to be false discoveries, levels and pairs apart. {words} are the worse ones "
                    "among them.",
                    item=item,
                    words=words,
                    limit=settings.q,
                    q=format_percent(settings.q, decimals=0),
                ),
            )


def _of_topics(evidence: Evidence) -> Iterator[Text]:
    for item in evidence.topics:
        if item.model.without_topic:
            share = Quantity(item.model.without_topic / item.model.n, "percent")
            yield tell(
                "Run {item.run}: {share} of the texts were not assigned to a topic and form the level “(no topic)”.",
                item=item,
                share=share,
            )
