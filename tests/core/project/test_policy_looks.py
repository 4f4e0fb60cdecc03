"""Looks at a policy are noted as they happen, and enter the level at which its promise is tested."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.policy.analysis.policy import PolicySpec
from hcat.core.capabilities.policy.looks import Looks
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.policy.promise import Promise
from hcat.core.capabilities.policy.wording.policies import policy_sentence
from hcat.core.errors import HcatError
from hcat.core.records.preregistration import Plan
from hcat.core.records.project import RunInfo
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app as cli

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
CRITERION = Criterion("correctness")
N = 120
Project = tuple[Workspace, RunInfo]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Project]:
    """A calibrated run of a store that commands find too; with a plan of 120 labels where that is asked for."""
    for name, value in (("DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}"), ("ARTIFACTS", str(tmp_path / "a"))):
        monkeypatch.setenv(f"HCAT_{name}", value)
    settings.cache_clear()
    chance = random.Random(3)
    samples = [Sample(f"s{k}", f"q {k}", " ".join(WORDS[: k % 8 + 1]), reference=" ".join(WORDS)) for k in range(N)]
    with Workspace.open(settings()) as workspace:
        bank = workspace.projects.create("bank")
        criterion = workspace.criteria.add(bank, CRITERION)
        if getattr(request, "param", None) == "planned":
            plan = Plan("correctness", N, 0.9, 0.1, metrics=("token_recall",))
            workspace.preregistrations.register(bank, plan, author="ann")
        run = workspace.runs.add(bank, "first", samples, source="x")
        workspace.scoring.score(run, ["token_recall"])
        labels = [Label(f"s{k}", "correctness", int(chance.random() < (k % 8) / 7), "ann") for k in range(N)]
        workspace.labels.add(run, criterion, labels)
        fitted = calibrate(workspace.run_data.open(run), criterion, metrics=["token_recall"])
        workspace.calibrations.save(run, fitted, author="ann", reason="a test")
        yield workspace, run
    settings.cache_clear()


def fit(project: Project, spec: PolicySpec) -> Policy:
    workspace, run = project
    return workspace.applied_policies.fit(run, CRITERION, spec)


def test_another_promise_is_another_try_and_the_same_look_again_is_none(project: Project) -> None:
    workspace, run = project
    first = fit(project, PolicySpec())
    assert first.looks == Looks.counted(1, beside_plan=False)
    assert fit(project, PolicySpec(accept_from=0.9)).looks == first.looks  # a threshold by hand is no try
    assert fit(project, PolicySpec(Promise(0.2))).looks == Looks.counted(2, beside_plan=False)
    assert fit(project, PolicySpec(cap=1)).looks == Looks.counted(3, beside_plan=False)
    assert fit(project, PolicySpec()).looks == first.looks
    looks = workspace.store.policy_looks.of(run.project_id, run.id, "correctness")
    assert [(each.labels, each.metrics) for each in looks] == [(N, ("token_recall",))] * 3
    assert "Tested at 8%: this is try 1 of maps and promises on these labels" in policy_sentence(first)
    noted = [entry.action for entry in workspace.store.audit_log.entries()]
    assert noted.count("policy.look") == 3


@pytest.mark.parametrize("project", ["planned"], indirect=True)
def test_the_look_that_a_plan_registered_has_most_of_delta(project: Project) -> None:
    planned = fit(project, PolicySpec())
    assert planned.looks == Looks.planned()
    assert "that a plan registered before them" in policy_sentence(planned)
    beside = fit(project, PolicySpec(Promise(0.2)))
    assert beside.looks == Looks.counted(1, beside_plan=True)
    assert "Tested at 1%: this is try 1 on these labels beside the plan" in policy_sentence(beside)


def test_the_command_counts_with_the_page_and_takes_no_declaration(project: Project, tmp_path: Path) -> None:
    fit(project, PolicySpec(Promise(0.3)))
    asked = ["policy", "fit", "--project", "bank", "--run", "first", "-o", str(tmp_path / "p.json")]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    assert Policy.from_json((tmp_path / "p.json").read_text("utf-8")).looks == Looks.counted(2, beside_plan=False)
    refused = CliRunner().invoke(cli, [*asked, "--tries", "1"])
    assert isinstance(refused.exception, HcatError) and "counts its looks and tries itself" in str(refused.exception)


def test_a_document_of_before_looks_were_counted_keeps_its_hash(project: Project) -> None:
    document = fit(project, PolicySpec()).document()
    old = {name: value for name, value in document.items() if name not in ("looks", "clusters")}
    read = Policy.from_document(old)
    assert read.looks is None and read.hash != document["hash"]
    rules = old["rules"]
    assert isinstance(rules, list) and isinstance(rules[0], dict) and isinstance(rules[0]["certificate"], dict)
    del rules[0]["certificate"]["units"]
    assert Policy.from_document(old).hash == read.hash
    assert "Neither the number of looks nor of tries was declared" in policy_sentence(read)
