"""Twenty projects that differ in what a report tells of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.demo.planted.table import planted_run
from hcat.core.capabilities.policy.analysis.policy import PolicySpec, fit_policy
from hcat.core.capabilities.report.frameworks.framework import framework_names
from hcat.core.capabilities.report.opinion import stated_opinion
from hcat.core.capabilities.report.template import DEFAULT, ReportTemplate, read_template
from hcat.core.records.preregistration import Plan
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.risks import Risk, RiskRegister, RiskScope
from hcat.core.types import Criterion, Label, Passage, Sample, Variant
from hcat.core.workspace import Workspace

Build = Callable[[Workspace, ProjectInfo], ReportTemplate]
METRICS = ["token_f1", "answer_length", "refusal"]
CORRECTNESS = Criterion(
    "correctness", guideline="# What counts\n\n| level | when |\n|---|---|\n| pass | right |\n\n- one\n- two"
)
HOSTILE = (
    '#read("/etc/passwd") $x$ <script>alert(1)</script> =HYPERLINK("http://evil.example") \x1b[31m \u202eabc\u202c '
    "<w:p/> ]]> {{7*7}} [a](http://evil.example) \x00 \ud83d \U0001f600".encode("utf-8", "replace").decode()
)
NAME = '#read("/etc/passwd") $x$ *b* <script>alert(1)</script> =HYPERLINK("http://evil.example") <w:p/> ]]>'
FOREIGN = "信用卡丢失了怎么办？ ما هي رسوم البطاقة؟ מה העמלה? Какая комиссия? ค่าธรรมเนียม हिन्दी 한국어 e\u0301"


def samples(n: int = 40, *, text: str = "", levels: int = 2) -> list[Sample]:
    """Half of them right, in so many areas; `text` stands in each of their texts."""
    return [
        Sample(
            f"q{k}",
            f"What is fee {k}? {text}".strip(),
            f"fee {k} {text}".strip() if k % 4 < 2 else "no idea at all",
            (Passage(f"p{k}", f"The fee is {k}. {text}"),),
            f"fee {k}",
            dimensions={"area": f"area {k % levels}", "kind": "xyz"[k % 3]},
            relevant_ids={f"p{k}": 1},
        )
        for k in range(n)
    ]


def add_run(workspace: Workspace, project: ProjectInfo, given: list[Sample], name: str = "v1") -> RunInfo:
    run = workspace.runs.add(project, name, given, source="x")
    workspace.scoring.score(run, METRICS)
    return run


def add_labels(
    workspace: Workspace, run: RunInfo, *, criterion: Criterion = CORRECTNESS, by: tuple[str, ...] = ("ann",)
) -> Criterion:
    project = workspace.projects.of(run)
    known = {each.name for each in workspace.criteria.all(project)}
    made = (
        workspace.criteria.get(project, criterion.name)
        if criterion.name in known
        else workspace.criteria.add(project, criterion)
    )
    top = len(made.levels) - 1
    given = [
        Label(each.id, made.name, top if (k % 4 < 2) ^ (k % 11 == place) else k % max(top, 1), who)
        for k, each in enumerate(workspace.runs.samples(run))
        for place, who in enumerate(by)
    ]
    workspace.labels.add(run, made, given)
    return made


def one_of(build: Callable[[Workspace, ProjectInfo], object]) -> Build:
    """With the usual template."""

    def built(workspace: Workspace, project: ProjectInfo) -> ReportTemplate:
        build(workspace, project)
        return DEFAULT

    return built


def _nothing(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.criteria.add(project, CORRECTNESS)


def _no_answer(workspace: Workspace, project: ProjectInfo) -> None:
    add_run(workspace, project, [replace(each, answer=None) for each in samples(12)])


def _labelled(workspace: Workspace, project: ProjectInfo) -> None:
    add_labels(workspace, add_run(workspace, project, samples(80)))


def _hostile(workspace: Workspace, project: ProjectInfo) -> None:
    given = [replace(each, dimensions={HOSTILE[:60]: HOSTILE[:80]}) for each in samples(text=HOSTILE)]
    add_labels(workspace, add_run(workspace, project, given, NAME))


def _foreign(workspace: Workspace, project: ProjectInfo) -> None:
    given = [
        replace(each, dimensions={"领域": FOREIGN[:12], "kind": "xy"[k % 2]})
        for k, each in enumerate(samples(text=FOREIGN))
    ]
    add_labels(workspace, add_run(workspace, project, given, "第一次运行"))


def _levels(workspace: Workspace, project: ProjectInfo) -> None:
    levels = Criterion("usefulness", ("wrong", "mostly wrong", "mostly right", "right"), passing=2)
    add_labels(workspace, add_run(workspace, project, samples(60)), criterion=levels, by=("ann", "bea"))


def _several_runs(workspace: Workspace, project: ProjectInfo) -> None:
    for k, name in enumerate(("v1", "v2", "v3")):
        given = [
            replace(each, answer=each.reference if i % 3 < k else each.answer) for i, each in enumerate(samples(60))
        ]
        add_labels(workspace, add_run(workspace, project, given, name))


def _slices(workspace: Workspace, project: ProjectInfo) -> None:
    add_labels(workspace, add_run(workspace, project, samples(240, levels=24)))


def _calibrated(workspace: Workspace, project: ProjectInfo) -> RunInfo:
    run = add_run(workspace, project, samples(120))
    fitted = calibrate(
        workspace.run_data.open(run), add_labels(workspace, run), metrics=["token_f1"], method="logistic"
    )
    workspace.calibrations.save(run, fitted, reason="a test")
    return run


def _policy(workspace: Workspace, project: ProjectInfo) -> None:
    run = _calibrated(workspace, project)
    spec = PolicySpec(accept_from=0.9)
    opened, criterion = workspace.run_data.open(run), workspace.criteria.get(project, "correctness")
    fitted = fit_policy(opened, workspace.calibrations.newest(run), criterion, spec)
    workspace.policies.switch_on(run, fitted, author="lee", reason="a test")


def _trials(workspace: Workspace, project: ProjectInfo) -> None:
    given = [
        replace(each, id=f"q{k}", test_case=f"t{k // 3}", trial=k % 3, query=f"Fee {k // 3}?")
        for k, each in enumerate(samples(60))
    ]
    add_labels(workspace, add_run(workspace, project, given))


def _variants(workspace: Workspace, project: ProjectInfo) -> None:
    first = samples(30)
    made = [
        replace(
            each,
            id=f"{each.id}-{strength}",
            query=each.query.upper(),
            test_case=None,
            variant=Variant("case", each.id, strength),
        )
        for each in first
        for strength in (0.2, 0.8)
    ]
    add_labels(workspace, add_run(workspace, project, [*first, *made]))


def _planted(workspace: Workspace, project: ProjectInfo) -> None:
    """Attacks beside controls, questions for people of different groups, and answers that leak."""
    given = list(planted_run(*workspace.scoring.encoder_and_store()).samples)
    run = workspace.runs.add(project, "probes", given, source="x")
    workspace.scoring.score(run, [*METRICS, "pii_leak", "sentiment"])


def _findings(workspace: Workspace, project: ProjectInfo) -> None:
    run = add_run(workspace, project, samples(60))
    add_labels(workspace, run)
    worst = {f"q{k}": 0.0 for k in range(60) if k % 4 > 1}
    for title, severity in (("Fees are wrong", "high"), (NAME, "low")):
        frozen = workspace.findings.freeze(run, title, metric="token_f1", scores=worst, filter={})
        found = workspace.findings.confirm(run, title, selection=frozen, severity=severity, author="lee")
    workspace.findings.withdraw(found, reason="a mistake", author="lee")


def _governed(workspace: Workspace, project: ProjectInfo) -> ReportTemplate:
    """All frameworks, an opinion with conditions, and a register of risks."""
    _labelled(workspace, project)
    scope = RiskScope(use="Answers to staff on fees.")
    workspace.risks.state(project, RiskRegister(scope, (Risk("wrong fee", evidence=("Run v1",)),)), author="lee")
    reasons, conditions = "Right where people looked.", ("Check fees.",)
    opinion = stated_opinion("fit with conditions", author="lee", reasons=reasons, conditions=conditions)
    workspace.opinions.state(project, opinion)
    return replace(DEFAULT, frameworks=framework_names())


def _planned(workspace: Workspace, project: ProjectInfo) -> None:
    workspace.criteria.add(project, CORRECTNESS)
    plan = Plan("correctness", 40, 0.4, 0.1, ("area",), ("token_f1",))
    workspace.preregistrations.register(project, plan, author="lee")
    add_labels(workspace, add_run(workspace, project, samples()))


def _of_a_bank(workspace: Workspace, project: ProjectInfo) -> ReportTemplate:
    """A template with titles, texts and tables of the bank's own."""
    _labelled(workspace, project)
    return read_template(
        "title: Of the bank\ncover: {Unit: Validation, Class: internal}\nframeworks: [sr-26-2]\n"
        'chapters:\n  - {title: Foreword, text: "# One\\n\\n1. *a*\\n2. `b`\\n\\n| x | y |\\n|---|---|\\n| 1 | 2 |"}\n'
        '  - {chapter: results, title: What came out, before: "**Mind** the interval.", after: "> as it is"}\n'
        "  - frameworks\n  - limitations\n  - verifier\n"
    )


def _third_version(workspace: Workspace, project: ProjectInfo) -> None:
    run = add_run(workspace, project, samples())
    criterion = workspace.criteria.add(project, CORRECTNESS)
    for first in (0, 10, 20):
        given = [Label(f"q{k}", "correctness", int(k % 4 < 2), "ann") for k in range(first, first + 10)]
        workspace.labels.add(run, criterion, given)
        workspace.reports.build(project, author="lee", note=f"from label {first}")


PROJECTS: Mapping[str, Build] = {
    "no run at all": one_of(_nothing),
    "no answer": one_of(_no_answer),
    "one sample": one_of(lambda workspace, project: add_run(workspace, project, samples(1))),
    "no labels": one_of(lambda workspace, project: add_run(workspace, project, samples())),
    "labels by one person": one_of(_labelled),
    "hostile texts": one_of(_hostile),
    "texts in many scripts": one_of(_foreign),
    "four levels by two people": one_of(_levels),
    "three runs of the same questions": one_of(_several_runs),
    "many slices": one_of(_slices),
    "a calibration": one_of(_calibrated),
    "a policy": one_of(_policy),
    "trials": one_of(_trials),
    "variants": one_of(_variants),
    "attacks, groups and leaks": one_of(_planted),
    "findings": one_of(_findings),
    "frameworks, opinion and risks": _governed,
    "a plan before the labels": one_of(_planned),
    "a template of the bank's own": _of_a_bank,
    "a third version": one_of(_third_version),
}
