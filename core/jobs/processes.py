"""Worker processes: starting them detached, and recognising whether one is alive, dead or a different one."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
from pathlib import Path

import psutil

from hcat.core.errors import StorageError
from hcat.core.faults.work_folder import work_folder
from hcat.core.records.job import Worker
from hcat.core.settings import IMPORTED_FROM, Settings, stated

CLOCK_TOLERANCE = 2.0
STOP_SECONDS = 5.0


def this_worker() -> Worker:
    """The calling process."""
    return Worker(platform.node(), os.getpid(), float(psutil.Process().create_time()))


def is_alive(worker: Worker) -> bool | None:
    """Whether the process still runs; None for another machine's. A reused pid is another process, a zombie is dead."""
    if worker.host != platform.node():
        return None
    return _process(worker) is not None


def launch(settings: Settings, job_id: int) -> Worker:
    """Start the job's worker as a process that outlives this one; its output goes to the job's log."""
    log = log_file(settings, job_id)
    try:
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(log, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as output:
            process = subprocess.Popen(  # noqa: S603  our own module, no shell
                [sys.executable, "-m", "hcat.core.worker", str(job_id)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=_environment(settings),
                start_new_session=True,
            )
    except OSError as error:
        raise StorageError(f"job {job_id} can't be started: {error}") from error
    # Somebody has to take note of its end, or it would stay in the process table.
    threading.Thread(target=process.wait, name=f"job-{job_id}", daemon=True).start()
    return Worker(platform.node(), process.pid, _start_time(process.pid))


def stop(worker: Worker) -> None:
    """End a process of ours that no longer responds. Nothing happens if it is gone or is another process."""
    process = _process(worker)
    if process is None:
        return
    try:
        process.terminate()
        process.wait(STOP_SECONDS)
    except psutil.TimeoutExpired:
        process.kill()
    except psutil.NoSuchProcess:
        return


def log_file(settings: Settings, job_id: int) -> Path:
    """The log file of the job's worker."""
    return work_folder(settings) / "logs" / f"job-{job_id}.log"


def _process(worker: Worker) -> psutil.Process | None:
    try:
        process = psutil.Process(worker.pid)
        same = abs(process.create_time() - worker.started) <= CLOCK_TOLERANCE
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def _start_time(pid: int) -> float:
    try:
        return float(psutil.Process(pid).create_time())
    except psutil.NoSuchProcess:
        return 0.0


def _environment(settings: Settings) -> dict[str, str]:
    # Settings from code reach the worker too; secrets only by the environment or `.env`.
    path = os.pathsep.join(filter(None, [str(IMPORTED_FROM), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **stated(settings), "PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
