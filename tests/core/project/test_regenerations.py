"""What a policy sends back, regenerated as a job of a project: each answer asked for once, whatever ends the work."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.collect.description import Target, target_from
from hcat.core.capabilities.policy.analysis.policy import PolicySpec
from hcat.core.errors import ConflictError, HcatError
from hcat.core.records.policy import PolicyRecord
from hcat.core.records.project import RunInfo
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Progress, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import app as cli
from tests.core.capabilities.collect.servers import Response, Seen, serving

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
N = 96


class StoppedError(Exception):
    pass


@pytest.fixture
def policed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Workspace, RunInfo, PolicyRecord]]:
    """A run whose policy sends the poorest answers back, in a store that commands find too."""
    for name, value in (("DATABASE_URL", f"sqlite:///{tmp_path / 'hcat.db'}"), ("ARTIFACTS", str(tmp_path / "a"))):
        monkeypatch.setenv(f"HCAT_{name}", value)
    monkeypatch.setenv("HCAT_ALLOW_PRIVATE_TARGETS", "1")
    settings.cache_clear()
    chance = random.Random(3)
    samples = [
        Sample(f"s{k}", f"question {k}", " ".join(WORDS[: k % 8 + 1]), reference=" ".join(WORDS)) for k in range(N)
    ]
    with Workspace.open(settings()) as workspace:
        project = workspace.projects.create("bank")
        criterion = workspace.criteria.add(project, Criterion("correctness"))
        run = workspace.runs.add(project, "first", samples, source="x")
        workspace.scoring.score(run, ["token_recall"])
        labels = [Label(f"s{k}", "correctness", int(chance.random() < (k % 8) / 7), "ann") for k in range(N)]
        workspace.labels.add(run, criterion, labels)
        fitted = calibrate(workspace.run_data.open(run), criterion, metrics=["token_recall"])
        workspace.calibrations.save(run, fitted, author="ann", reason="a test")
        policy = workspace.applied_policies.fit(run, criterion, PolicySpec(accept_from=0.7, fail_below=0.3))
        yield workspace, run, workspace.policies.switch_on(run, policy, author="lee", reason="a test")
    settings.cache_clear()


def improving(seen: Seen) -> Response:
    """Good answers to even questions, the same poor one to odd ones."""
    assert isinstance(seen.content, dict)
    number = int(str(seen.content["q"]).split()[-1])
    return Response({"a": " ".join(WORDS) if number % 2 == 0 else "one"})


def target(url: str, **limits: object) -> Target:
    body = {"q": "{{query}}", "why": "{{reason}}"}
    return target_from({"kind": "http", "url": url, "body": body, "answer": "$.a", "concurrency": 1, **limits})


def test_what_is_cancelled_goes_on_and_each_answer_is_asked_for_once(
    policed: tuple[Workspace, RunInfo, PolicyRecord],
) -> None:
    workspace, run, record = policed
    before = workspace.applied_policies.decide(run, record).set_index("sample_id")["action"]
    sent_back = {str(name) for name in before.index[before == "regenerate"]}
    with serving(improving) as server:
        request = workspace.regenerations.prepare(run, record, "again", target(server.url))
        assert workspace.regenerations.plan(request).answers == len(sent_back)

        def stop(progress: Progress) -> None:
            if progress.done >= 3:
                raise StoppedError

        with pytest.raises(StoppedError):
            workspace.regenerations.regenerate(request, on_progress=stop)
        assert "again" not in {each.name for each in workspace.runs.all("bank")} and len(server.seen) >= 3
        added = workspace.regenerations.regenerate(request)
        assert workspace.regenerations.regenerate(request) == added  # a job that ended before it could say so
        keys = [seen.key for seen in server.seen]
    assert len(set(keys)) == len(keys)  # nothing is asked for, and paid, twice
    odd = {name for name in sent_back if int(name[1:]) % 2}
    assert len(keys) == len(sent_back) + len(odd)  # the odd ones a second time, as another attempt
    after = workspace.applied_policies.decide(added, record).set_index("sample_id")["action"]
    assert "regenerate" not in set(after) and len(after) == N
    assert {f"{name}@1" for name in sent_back - odd} <= set(after.index[after == "accept"])
    assert {f"{name}@2" for name in odd} <= set(after.index[after == "person"])
    assert workspace.applied_policies.windows(workspace.projects.get("bank"), record) == []
    with pytest.raises(HcatError, match="already"):
        workspace.regenerations.prepare(added, record, "once more", target("http://127.0.0.1:1"))
    with pytest.raises(ConflictError):
        workspace.regenerations.prepare(run, record, "again", target("http://127.0.0.1:1"))


def test_a_job_and_the_command_line_regenerate_alike(
    policed: tuple[Workspace, RunInfo, PolicyRecord], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, run, record = policed
    from hcat.core.jobs.processes import this_worker

    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    with serving(improving) as server:
        request = workspace.regenerations.prepare(run, record, "by job", target(server.url), from_page=True)
        job = workspace.jobs.start(workspace.projects.get("bank"), request)
        assert run_job(workspace, job.id) and workspace.jobs.get(job.id).status == "done"
        file = tmp_path / "target.yaml"
        file.write_text(f'kind: http\nurl: {server.url}\nbody: {{q: "{{{{query}}}}"}}\nanswer: $.a\n', "utf-8")
        options = ["--project", "bank", "--run", "first", "--name", "by command", "--target", str(file)]
        plan = CliRunner().invoke(cli, ["policy", "regenerate", *options, "--dry-run"])
        assert plan.exit_code == 0 and "to regenerate, each at most 2 times" in plan.output
        asked = len(server.seen)
        file.write_text(file.read_text("utf-8").replace("{q: ", '{why: "{{reason}}", q: '), "utf-8")
        done = CliRunner().invoke(cli, ["policy", "regenerate", *options])
        assert done.exit_code == 0 and len(server.seen) == 2 * asked
    assert "It is not promised of regenerated ones" in " ".join(done.output.split())
    first, second = (workspace.runs.get("bank", name) for name in ("by job", "by command"))
    assert first.content_hash == second.content_hash
