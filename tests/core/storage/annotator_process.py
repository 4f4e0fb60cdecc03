"""An annotator in a process of their own: labels a queue until it is through, and says what was stored."""

from __future__ import annotations

import sys
import zlib

from core.settings import Settings
from core.workspace import Workspace


def level_by(annotator: str, sample_id: str) -> int:
    """What this annotator gives this sample, so that a label in the wrong place is seen."""
    return zlib.crc32(f"{annotator} {sample_id}".encode()) % 2


def main(url: str, artifacts: str, annotator: str, most: int) -> None:
    workspace = Workspace.open(Settings(database_url=url, artifacts=artifacts))
    run, criterion = workspace.runs.get("bank", "v1"), workspace.criteria.get("bank", "correctness")
    [queue] = workspace.queues.all(run)
    print("ready", flush=True)
    sys.stdin.readline()
    done = 0
    while item := workspace.queues.next_item(queue, annotator):
        if done == most:
            print(f"holding {item.sample_id}", flush=True)
            sys.stdin.readline()
        level = level_by(annotator, item.sample_id)
        workspace.labels.record(run, criterion, item.sample_id, level, annotator=annotator, item=item, seconds=1.0)
        print(f"stored {item.sample_id}", flush=True)
        done += 1


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
