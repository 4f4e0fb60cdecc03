from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
from sqlmodel import col, update

from hcat.core import worker as worker_module
from hcat.core.errors import ConflictError, HcatError, NotFoundError
from hcat.core.executors.ray_cluster import RayExecutor
from hcat.core.faults.work_folder import work_folder
from hcat.core.jobs.forecast import Forecast
from hcat.core.jobs.processes import is_alive, launch, log_file, stop, this_worker
from hcat.core.records.job import JobEngine, JobForecast, JobInfo, Worker
from hcat.core.records.people import Identity
from hcat.core.settings import Settings
from hcat.core.storage.stores.jobs import is_stale
from hcat.core.storage.tables.projects import JobRow
from hcat.core.storage.tables.row import now
from hcat.core.types import Criterion, JsonValue, Progress
from hcat.core.worker import JobLostError, Reporter, run_job
from hcat.core.worker.__main__ import main
from hcat.core.workspace import Workspace

ROOT = Path(__file__).parents[3]
GONE = Worker(this_worker().host, 2**22 + 1, 1.0)  # above the largest pid there can be

Job = Callable[[Workspace, JobInfo, Reporter], None]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.open(
        Settings(database_url=f"sqlite:///{tmp_path / 'hcat.db'}", artifacts=str(tmp_path / "artifacts"))
    )


@pytest.fixture
def define(monkeypatch: pytest.MonkeyPatch) -> Callable[[Job], None]:
    """Make `test` a kind of job that does what it is given."""

    def work(job: Job) -> None:
        monkeypatch.setattr(worker_module, "WORK", {"test": job})

    return work


def add(workspace: Workspace) -> int:
    return add_kind(workspace, "test", {"run": 1})


def add_kind(workspace: Workspace, kind: str, arguments: dict[str, JsonValue]) -> int:
    with workspace.write("tests", "job.start") as write:
        return workspace.store.job_table.add(write, kind, arguments, project_id=None).id


def requeue(workspace: Workspace, seen: JobInfo) -> bool:
    with workspace.write("tests", "job.resume") as write:
        return workspace.store.job_table.requeue(write, seen)


def launched(workspace: Workspace, job_id: int, worker: Worker) -> None:
    with workspace.write("tests", "job.launch") as write:
        assert workspace.store.job_table.launched(write, job_id, worker)


def set_row(workspace: Workspace, job_id: int, **values: object) -> None:
    with workspace.write("tests", "job.beat") as write, write.transaction() as session:
        session.exec(update(JobRow).where(col(JobRow.id) == job_id).values(**values))


def test_a_job_that_works_is_done(workspace: Workspace, define: Callable[[Job], None]):
    define(lambda workspace, job, report: report(Progress("count", 3, 3)))
    job_id = add(workspace)
    assert workspace.jobs.get(job_id).status == "queued"
    assert run_job(workspace, job_id)
    job = workspace.jobs.get(job_id)
    assert (job.status, job.stage, job.done, job.total, job.error) == ("done", "count", 3, 3, None)
    assert job.finished_at is not None
    assert job.started_at is not None
    assert job.created_at <= job.started_at <= job.finished_at


def test_an_error_that_a_user_can_mend_is_shown(workspace: Workspace, define: Callable[[Job], None]):
    def fail(workspace: Workspace, job: JobInfo, report: Reporter) -> None:
        raise HcatError("the disk is full: free some space")

    define(fail)
    job_id = add(workspace)
    assert run_job(workspace, job_id)
    assert (workspace.jobs.get(job_id).status, workspace.jobs.get(job_id).error) == (
        "failed",
        "the disk is full: free some space",
    )


def test_an_unexpected_error_fails_the_job_and_goes_on(workspace: Workspace, define: Callable[[Job], None]):
    def fail(workspace: Workspace, job: JobInfo, report: Reporter) -> None:
        raise ZeroDivisionError("1/0")

    define(fail)
    job_id = add(workspace)
    assert run_job(workspace, job_id)
    failed = workspace.jobs.get(job_id)
    assert failed.status == "failed"
    logs = work_folder(workspace.settings) / "logs"
    (log,) = logs.glob("error-*.log")
    assert failed.error == (
        f"this is a defect of hcat (ZeroDivisionError): send {log} to whoever maintains it, and say what you did"
    )
    assert "ZeroDivisionError: 1/0" in log.read_text("utf-8")


def test_a_job_of_an_unknown_kind_fails(workspace: Workspace):
    job_id = add(workspace)
    assert run_job(workspace, job_id)
    assert "no jobs of the kind 'test'" in str(workspace.jobs.get(job_id).error)


def test_what_a_job_stores_is_signed_by_who_started_it(workspace: Workspace, define: Callable[[Job], None]):
    signed: list[str] = []
    define(lambda workspace, job, reporter: signed.append(workspace.store.actor))
    job_id = add(workspace)
    seen = workspace.jobs.get(job_id)
    assert (seen.actor, dict(seen.arguments)) == ("tests", {"run": 1})
    assert run_job(workspace, job_id)
    assert signed == ["tests"]
    set_row(workspace, add(workspace), arguments={"run": 1})  # as an earlier version stored it
    old = workspace.jobs.all()[0].id
    assert run_job(workspace, old)
    assert signed[1] == this_worker().name


def test_a_job_is_bound_by_the_role_that_its_starter_has_when_it_writes(
    workspace: Workspace, define: Callable[[Job], None]
):
    project = workspace.projects.create("bank")
    lee = workspace.people.register(Identity("https://login.example", "7", "lee"))
    workspace.people.set_role(project, lee, "validator")
    starter = workspace.acting_for(Identity("https://login.example", "7", "lee"), actor="lee")
    for taken_away in (False, True):

        def work(own: Workspace, job: JobInfo, reporter: Reporter, taken_away: bool = taken_away) -> None:
            if taken_away:
                workspace.people.remove(project, lee)
            own.criteria.add(own.projects.get("bank"), Criterion(f"taken-away-{taken_away}"))

        define(work)
        with starter.write("lee", "job.start", project.id) as write:
            queued = starter.store.job_table.add(
                write, "test", {"again": taken_away}, project_id=project.id, starter=starter.store.identity
            )
        assert run_job(workspace, queued.id)
    done, failed = reversed(workspace.jobs.all())
    assert (done.status, failed.status) == ("done", "failed")
    assert "you are no member of project 'bank'" in str(failed.error)
    assert [criterion.name for criterion in workspace.criteria.all(project)] == ["taken-away-False"]
    assert {entry.role for entry in workspace.audit.entries() if entry.actor == "lee"} == {"validator"}


def asked_for(workspace: Workspace, engine: JobEngine | None) -> int:
    with workspace.write("tests", "job.start") as write:
        return workspace.store.job_table.add(write, "test", {}, project_id=None, engine=engine).id


def test_a_job_says_which_engine_did_its_work_with_how_many_workers(
    workspace: Workspace, define: Callable[[Job], None], monkeypatch: pytest.MonkeyPatch
):
    """Ray stands in for itself: it is told of two shards, and starts as many workers as it was asked for, or one."""

    def run(ray: RayExecutor, *_: object) -> None:
        assert ray.on_workers is not None
        ray.on_workers(ray.workers or 1)

    def work(own: Workspace, job: JobInfo, _: Reporter) -> None:
        executor = own.store.executor()
        seen.append(executor)
        if executor is not None:
            executor.run(None, [], int, None)  # type: ignore[arg-type]

    monkeypatch.setattr(RayExecutor, "run", run)
    define(work)
    server = Workspace.open(workspace.settings.model_copy(update={"ray_address": "10.0.0.1:6379", "ray_workers": 3}))
    seen: list[object] = []
    for asked, used in (
        (None, JobEngine("local", 1)),
        (JobEngine("local"), JobEngine("local", 1)),
        (JobEngine("ray", 2), JobEngine("ray", 2)),
        (JobEngine("ray"), JobEngine("ray", 3)),
    ):
        job_id = asked_for(server, asked)
        assert server.jobs.get(job_id).used is None
        assert run_job(server, job_id)
        job = server.jobs.get(job_id)
        assert (job.status, job.asked, job.used) == ("done", asked, used)
    addresses = {executor.address for executor in seen if isinstance(executor, RayExecutor)}
    assert addresses == {"10.0.0.1:6379"}
    requeue_finished(server, job_id)
    assert server.jobs.get(job_id).used is None


def requeue_finished(workspace: Workspace, job_id: int) -> None:
    set_row(workspace, job_id, status="failed")
    assert requeue(workspace, workspace.jobs.get(job_id))


def test_a_job_that_was_to_have_more_workers_than_it_may_now_fails_with_a_word(
    workspace: Workspace, define: Callable[[Job], None]
):
    define(lambda own, job, report: None)
    job_id = asked_for(workspace, JobEngine("ray", 10_000))
    assert run_job(workspace, job_id)
    failed = workspace.jobs.get(job_id)
    assert failed.status == "failed" and "choose fewer" in str(failed.error)


def test_what_names_no_engine_in_a_row_is_none(workspace: Workspace):
    """An address that somebody wrote into a row reaches nobody."""
    for stored in (["ray", 2, "10.9.9.9:6379"], ["other", 2], "ray", ["ray", "2"]):
        job_id = add(workspace)
        set_row(workspace, job_id, arguments={"engine chosen": stored})
        assert workspace.jobs.get(job_id).asked is None


def test_damaged_arguments_fail_the_job(workspace: Workspace):
    job_id = add_kind(workspace, "score", {"run": "one", "metrics": []})
    assert run_job(workspace, job_id)
    assert workspace.jobs.get(job_id).error == "the job's arguments are damaged: start it again"


def test_a_running_job_stops_at_its_next_step_when_cancelled(workspace: Workspace, define: Callable[[Job], None]):
    steps = []

    def work(workspace: Workspace, job: JobInfo, report: Reporter) -> None:
        for step in range(10):
            steps.append(step)
            if step == 3:
                assert workspace.jobs.cancel(job.id).status == "running"  # asked, not stopped yet
            report.check(Progress("count", step, 10))

    define(work)
    job_id = add(workspace)
    assert run_job(workspace, job_id)
    assert workspace.jobs.get(job_id).status == "cancelled"
    assert steps == [0, 1, 2, 3]


def test_a_waiting_job_is_cancelled_at_once_and_never_run(workspace: Workspace, define: Callable[[Job], None]):
    define(lambda workspace, job, report: pytest.fail("it ran"))
    job_id = add(workspace)
    assert workspace.jobs.cancel(job_id).status == "cancelled"
    assert not run_job(workspace, job_id)
    assert workspace.jobs.cancel(job_id).status == "cancelled"


def test_one_of_many_workers_gets_the_job(workspace: Workspace, define: Callable[[Job], None]):
    ran = []
    define(lambda workspace, job, report: ran.append(job.id))
    job_id = add(workspace)
    together, took = threading.Barrier(6), []

    def work() -> None:
        together.wait()
        took.append(run_job(workspace, job_id))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (sum(took), ran) == (1, [job_id])


def test_a_worker_that_lost_its_job_stops_and_changes_nothing(workspace: Workspace, define: Callable[[Job], None]):
    def work(workspace: Workspace, job: JobInfo, report: Reporter) -> None:
        assert requeue(workspace, replace(workspace.jobs.get(job.id), status="interrupted"))
        report.check(Progress("too late", 1, 1))
        pytest.fail("it went on")

    define(work)
    job_id = add(workspace)
    run_job(workspace, job_id)
    job = workspace.jobs.get(job_id)
    assert (job.status, job.attempt, job.stage) == ("queued", 2, "")


def test_progress_is_written_at_most_a_few_times_a_second(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    clock = [100.0]
    monkeypatch.setattr(worker_module.time, "monotonic", lambda: clock[0])
    job_id, worker = add(workspace), this_worker()
    workspace.jobs.claim(job_id, worker)
    reporter = Reporter(workspace.jobs, job_id, worker)
    written = []
    for step in range(1, 101):  # a step takes 10 ms: one second in all
        reporter(Progress("count", step, 100))
        written.append(workspace.jobs.get(job_id).done)
        clock[0] += 0.01
    # The first, then every 25 or 26 steps, and the last one in any case.
    assert 4 <= len(set(written)) <= 6
    assert written[0] == 1
    assert written[-1] == 100


def test_a_worker_shows_life_while_it_is_silent(
    workspace: Workspace, define: Callable[[Job], None], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker_module, "BEAT_SECONDS", 0.01)

    def work(workspace: Workspace, job: JobInfo, report: Reporter) -> None:
        first = workspace.store.job_table.state(job.id).heartbeat
        deadline = time.monotonic() + 240
        while workspace.store.job_table.state(job.id).heartbeat == first:
            assert time.monotonic() < deadline, "no beat"
            time.sleep(0.01)

    define(work)
    job_id = add(workspace)
    run_job(workspace, job_id)
    assert workspace.jobs.get(job_id).status == "done"


def test_a_job_whose_process_is_gone_is_interrupted_and_can_be_given_up(workspace: Workspace):
    job_id = add(workspace)
    workspace.jobs.claim(job_id, GONE)
    assert workspace.jobs.get(job_id).status == "interrupted"
    assert [job.status for job in workspace.jobs.all()] == ["interrupted"]
    assert workspace.jobs.cancel(job_id).status == "cancelled"


def test_a_reused_pid_is_not_the_worker(workspace: Workspace):
    me = this_worker()
    assert is_alive(me) is True
    assert is_alive(replace(me, started=me.started - 60)) is False
    assert is_alive(replace(me, host="elsewhere")) is None
    job_id = add(workspace)
    workspace.jobs.claim(job_id, replace(me, started=me.started - 60))
    assert workspace.jobs.get(job_id).status == "interrupted"


@pytest.mark.parametrize("host", [this_worker().host, "elsewhere"])
def test_a_job_that_was_silent_too_long_is_interrupted(workspace: Workspace, host: str):
    job_id = add(workspace)
    workspace.jobs.claim(job_id, replace(this_worker(), host=host))
    assert workspace.jobs.get(job_id).status == "running"
    set_row(workspace, job_id, heartbeat=now() - timedelta(seconds=31))
    assert is_stale(workspace.store.job_table.state(job_id), after=timedelta(seconds=30))
    assert workspace.jobs.get(job_id).status == "interrupted"


def test_a_queued_job_without_process_is_interrupted_after_a_while(workspace: Workspace):
    job_id = add(workspace)
    assert workspace.jobs.get(job_id).status == "queued"
    set_row(workspace, job_id, queued_at=now() - timedelta(seconds=16))
    assert workspace.jobs.get(job_id).status == "interrupted"


def test_a_queued_job_whose_process_died_is_interrupted_at_once(workspace: Workspace):
    job_id = add(workspace)
    launched(workspace, job_id, GONE)
    assert workspace.jobs.get(job_id).status == "interrupted"


def test_only_one_of_two_who_resume_gets_it(workspace: Workspace):
    job_id = add(workspace)
    workspace.jobs.claim(job_id, GONE)
    seen = workspace.jobs.get(job_id)
    assert requeue(workspace, seen)
    assert not requeue(workspace, seen)
    with workspace.write("tests", "job.cancel") as write:
        assert not workspace.store.job_table.abandon(write, seen)


@pytest.mark.parametrize("status", ["queued", "running", "done"])
def test_there_is_nothing_to_resume_in_a_job_that_is_not_broken(workspace: Workspace, status: str):
    job_id = add(workspace)
    if status != "queued":
        workspace.jobs.claim(job_id, this_worker())
    if status == "done":
        workspace.jobs.finish(job_id, this_worker(), "done")
    with pytest.raises(ConflictError, match=f"job {job_id} is {status}: there is nothing to resume"):
        workspace.jobs.resume(job_id)


def test_an_unknown_job_is_not_found(workspace: Workspace):
    for verb in (workspace.jobs.get, workspace.jobs.cancel, workspace.jobs.resume):
        with pytest.raises(NotFoundError, match="no job with id 7"):
            verb(7)


def wait_until_over(workspace: Workspace, job_id: int) -> JobInfo:
    deadline = time.monotonic() + 240
    while workspace.jobs.get(job_id).is_active:
        assert time.monotonic() < deadline, "the job does not end"
        time.sleep(0.02)
    return workspace.jobs.get(job_id)


def test_a_launched_process_does_the_job_in_a_session_of_its_own(workspace: Workspace, tmp_path: Path):
    """The kind is unknown to the worker's process, which must say so in the row: database and settings reached it."""
    job_id = add(workspace)
    worker = launch(workspace.settings, job_id)
    launched(workspace, job_id, worker)
    assert os.getsid(worker.pid) != os.getsid(0)
    assert "no jobs of the kind 'test'" in str(wait_until_over(workspace, job_id).error)
    assert log_file(workspace.settings, job_id) == tmp_path / "logs" / f"job-{job_id}.log"
    assert log_file(workspace.settings, job_id).read_text() == ""


def test_a_resumed_job_gets_a_new_process_and_attempt(workspace: Workspace):
    job_id = add(workspace)
    workspace.jobs.claim(job_id, GONE)
    resumed = workspace.jobs.resume(job_id)
    assert resumed.attempt == 2
    over = wait_until_over(workspace, job_id)
    assert (over.status, over.attempt) == ("failed", 2)  # of an unknown kind, as its new process found


def test_a_worker_that_is_told_to_stop_ends():
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    worker = Worker(this_worker().host, process.pid, psutil.Process(process.pid).create_time())
    assert is_alive(worker)
    stop(replace(worker, started=worker.started - 60))  # another process's number: left alone
    assert is_alive(worker)
    stop(worker)
    assert is_alive(worker) is False
    stop(worker)
    process.wait(10)


def test_a_zombie_is_dead():
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    worker = Worker(this_worker().host, process.pid, psutil.Process(process.pid).create_time())
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has taken note
    assert psutil.Process(process.pid).status() == psutil.STATUS_ZOMBIE
    assert is_alive(worker) is False
    process.wait()


def test_the_module_refuses_what_is_no_job(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    environment = {
        **os.environ,
        "HCAT_DATABASE_URL": workspace.settings.database_url,
        "HCAT_ARTIFACTS": workspace.settings.artifacts,
    }
    command = [sys.executable, "-m", "hcat.core.worker", "99"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=300)
    assert ended.returncode == 2
    assert b"Traceback" not in ended.stderr
    for arguments in (["x"], []):
        assert main(arguments) == 2
        assert capsys.readouterr().err == "name one job by its number\n"


def test_what_a_job_takes_stands_in_its_row_and_its_log(
    workspace: Workspace, define: Callable[[Job], None], capsys: pytest.CaptureFixture[str]
):
    forecast = Forecast(40_000, 90.0, 2e9, {Path("/a"): 1e6, Path("/b"): 2e6})
    define(lambda workspace, job, report: report.tell(forecast))
    job_id = add(workspace)
    assert run_job(workspace, job_id)
    job = workspace.jobs.get(job_id)
    assert job.status == "done" and job.forecast == JobForecast(40_000, 90.0, 2e9, 3e6)
    assert dict(job.arguments) == {"run": 1}, "what it is to do stays as it was"
    assert "40,000 samples: at most 90 s of one processor, 2.0 GB of memory, 3.0 MB of disk" in capsys.readouterr().out


def test_a_lost_job_takes_no_forecast(workspace: Workspace):
    job_id = add(workspace)
    assert workspace.jobs.claim(job_id, GONE)
    with pytest.raises(JobLostError):
        Reporter(workspace.jobs, job_id, this_worker()).tell(Forecast(1, 1.0, 1.0))
    assert workspace.jobs.get(job_id).forecast is None
