"""Cases for as long as one likes, each in a process of its own whose time and memory are watched."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

from tests.fuzz.attempts import HALF_STORED, KINDS, TRACEBACK, Fault, attempt
from tests.fuzz.cases import PARTS, Case, Cases

MOST_SECONDS = 30
"""Of the processor, so that a busy machine makes nothing slow; a case that only waits is ended after WAITED."""
WAITED = 10 * MOST_SECONDS
MOST_BYTES = 2_000_000_000
SLOW, LARGE = f"above {MOST_SECONDS} s", "above 2 GB"
AT_ONCE = 2
_ANSWER = "faults.json"


@dataclass
class Tally:
    """How many cases there were, and how many had a fault of each kind."""

    inputs: int = 0
    faulty: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        others = ", ".join(f"{self.faulty[kind]} {kind}" for kind in KINDS if kind not in (TRACEBACK, HALF_STORED))
        return (
            f"{self.inputs:,} inputs: {self.faulty[TRACEBACK]} tracebacks, {self.faulty[SLOW]} {SLOW}, "
            f"{self.faulty[LARGE]} {LARGE}, {self.faulty[HALF_STORED]} half stored; {others}"
        )


@dataclass(frozen=True)
class _Running:
    case: Case
    process: psutil.Process
    folder: Path
    start: float


def fuzz(cases: Cases, *, minutes: float, kept: Path) -> Tally:
    """Go through the parts in turn until the time is over; a case with faults is kept with what repeats it."""
    tally, end = Tally(), time.monotonic() + 60 * minutes
    numbered, running = _numbered(cases), list[_Running]()
    while running or time.monotonic() < end:
        while len(running) < AT_ONCE and time.monotonic() < end:
            running.append(_start(next(numbered), cases.material))
        time.sleep(0.02)
        for one in list(running):
            faults = _finished(one)
            if faults is not None:
                running.remove(one)
                _record(one, faults, tally, kept, cases.seed)
    return tally


def _numbered(cases: Cases) -> Iterator[Case]:
    number = 0
    while True:
        for part in PARTS:
            if part != "addresses" or number % 10 == 0:  # a page takes as long as many commands
                yield cases.case(part, number)
        number += 1


def _start(case: Case, material: Path) -> _Running:
    folder = Path(tempfile.mkdtemp(prefix="hcat-fuzz-"))
    pid = os.fork()
    if pid == 0:
        _be_the_child(case, material, folder)
    return _Running(case, psutil.Process(pid), folder, time.monotonic())


def _be_the_child(case: Case, material: Path, folder: Path) -> None:
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        os.setsid()
        faults = attempt(case, material, folder)
    except BaseException:  # noqa: BLE001  of this module, or an end that no command may come to
        faults = [Fault(TRACEBACK, traceback.format_exc())]
    (folder / _ANSWER).write_text(json.dumps([asdict(fault) for fault in faults]), "utf-8")
    os._exit(0)


def _finished(one: _Running) -> list[Fault] | None:
    """The faults of a case that is over, or is ended since it takes too much; None while it goes on."""
    excess = _excess(one)
    if excess is not None:
        os.killpg(one.process.pid, signal.SIGKILL)
    ended, status, usage = os.wait4(one.process.pid, 0 if excess else os.WNOHANG)
    if excess is not None:
        return [excess]
    if not ended:
        return None
    seconds, most = usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss
    faults = [Fault(SLOW, f"{seconds:.0f} s")] if seconds > MOST_SECONDS else []
    faults += [Fault(LARGE, f"{most / 1e9:.1f} GB")] if most > MOST_BYTES else []
    if not (one.folder / _ANSWER).is_file():
        return [*faults, Fault(TRACEBACK, f"ended with status {status}")]
    return [*faults, *(Fault(**fault) for fault in json.loads((one.folder / _ANSWER).read_text("utf-8")))]


def _excess(one: _Running) -> Fault | None:
    """What the case and the processes that it started take too much of, while it runs."""
    try:
        tree = [one.process, *one.process.children(recursive=True)]
        seconds = sum(sum(process.cpu_times()[:2]) for process in tree)
        most = sum(process.memory_info().rss for process in tree)
    except psutil.Error:  # one of them ended in the meantime
        return None
    if most > MOST_BYTES:
        return Fault(LARGE, f"{most / 1e9:.1f} GB")
    if seconds > MOST_SECONDS or time.monotonic() - one.start > WAITED:
        return Fault(SLOW, f"{seconds:.0f} s of the processor, {time.monotonic() - one.start:.0f} s in all")
    return None


def _record(one: _Running, faults: list[Fault], tally: Tally, kept: Path, seed: int) -> None:
    tally.inputs += 1
    for kind in {fault.kind for fault in faults}:
        tally.faulty[kind] += 1
    if faults:
        keep(one.case, faults, kept, seed)
    shutil.rmtree(one.folder, ignore_errors=True)


def keep(case: Case, faults: list[Fault], kept: Path, seed: int) -> None:
    """The case's files, its call, what was wrong and the command that repeats it, in a folder of its name."""
    folder = kept / case.name.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in case.files.items():
        (folder / name).write_bytes(data)
    met = f"page {case.page} {case.query}" if case.page else f"hcat {shlex.join(case.call)}"
    lines = [
        f"make fuzz SEED={seed} CASE={case.name}",
        ascii(met),
        *(f"{fault.kind}: {fault.shown}" for fault in faults),
    ]
    (folder / "fault.txt").write_text("\n".join(lines), "utf-8", "backslashreplace")
    print(f"{case.name}: {', '.join(sorted({fault.kind for fault in faults}))} → {folder}", flush=True)
