"""A process to be killed: told a line, it forks a child that does the work, and prints the child's pid.

Loading torch takes seconds, a fork none, so that many kills fit into a test. The work is the real one.
Lines: `FOLDER job ID` does what `python -m hcat.core.worker ID` does in the workspace there, `FOLDER import NAME FILE`
imports a run file into its project "p".
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import sentence_transformers  # noqa: F401
import torch

import hcat.core.models.cache
from hcat.core.records.run_file import from_record
from hcat.core.worker.__main__ import main
from hcat.core.workspace import Workspace


def work(words: list[str]) -> int:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    folder, verb, *arguments = words
    os.environ["HCAT_DATABASE_URL"] = f"sqlite:///{folder}/hcat.db"
    os.environ["HCAT_ARTIFACTS"] = f"{folder}/artifacts"
    if verb == "job":
        return main(arguments)
    name, file = arguments
    samples = [from_record(json.loads(line)) for line in Path(file).read_text().splitlines()]
    Workspace.open().runs.add("p", name, samples, source="run.jsonl")
    return 0


def say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def fork(words: list[str]) -> int:
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os._exit(work(words))
    return pid


torch.set_num_threads(1)  # a child must not wait for threads that only its parent has
hcat.core.models.cache.CHUNK_SIZE = int(sys.argv[1])
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead leave no zombies
say("ready")
for line in sys.stdin:
    say(str(fork(line.split())))
