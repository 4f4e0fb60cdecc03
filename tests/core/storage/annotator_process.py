"""An annotator in a process of their own, forked from the test's: labels a queue until it is through, and says what was
stored."""

from __future__ import annotations

import multiprocessing
import zlib
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess

from hcat.core.settings import Settings
from hcat.core.workspace import Workspace

FORK = multiprocessing.get_context("fork")
PATIENCE = 240.0


def level_by(annotator: str, sample_id: str) -> int:
    """What this annotator gives this sample, so that a label in the wrong place is seen."""
    return zlib.crc32(f"{annotator} {sample_id}".encode()) % 2


@dataclass(frozen=True)
class AnnotatorProcess:
    """Waits until it is told to go. It is `ready`, has `stored` samples, and is `holding` one after the most it may."""

    process: ForkProcess
    connection: Connection

    @classmethod
    def start(cls, settings: Settings, annotator: str, most: int = -1) -> AnnotatorProcess:
        ours, theirs = FORK.Pipe()
        process = FORK.Process(target=label, args=[theirs, settings, annotator, most])
        process.start()
        theirs.close()  # so that the line ends with the process
        return cls(process, ours)

    def line(self) -> str:
        """What it says next; EOFError where it is no more."""
        assert self.connection.poll(PATIENCE)
        return str(self.connection.recv())

    def go(self) -> None:
        self.connection.send("go")

    def rest(self) -> list[str]:
        """What it says until its end."""
        said = []
        try:
            while True:
                said.append(self.line())
        except (EOFError, OSError):  # the latter in the middle of a word
            self.end()
            return said

    def end(self) -> int | None:
        self.process.join(PATIENCE)
        return self.process.exitcode


def label(connection: Connection, settings: Settings, annotator: str, most: int) -> None:
    with Workspace.open(settings) as workspace:
        run, criterion = workspace.runs.get("bank", "v1"), workspace.criteria.get("bank", "correctness")
        [queue] = workspace.queues.all(run)
        connection.send("ready")
        connection.recv()
        done = 0
        while item := workspace.queues.next_item(queue, annotator):
            if done == most:
                connection.send(f"holding {item.sample_id}")
                connection.recv()
            level = level_by(annotator, item.sample_id)
            workspace.labels.record(run, criterion, item.sample_id, level, annotator=annotator, item=item, seconds=1.0)
            connection.send(f"stored {item.sample_id}")
            done += 1
