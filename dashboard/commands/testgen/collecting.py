"""`hcat collect`: a test set asked of a live system."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from core.errors import HcatError
from dashboard.commands.output import AsJson, document, print_document, progress_bar


def collect(
    tests: Annotated[Path, typer.Argument(help="Test cases (JSON Lines with id and query).")],
    target: Annotated[Path, typer.Option(help="How the system is asked (YAML).")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the run file (JSON Lines).")],
    trials: Annotated[int, typer.Option(min=1, help="How often each test case is asked.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what it costs; ask nothing.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Ask once more for what failed before.")] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Write the run file even where answers are missing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask a live system, and write its answers as a run file. A journal beside it lets the same command go on."""
    from core.records.atomic import write_whole
    from core.records.run_file import to_jsonl
    from core.settings import settings
    from core.systems.collect import Collection
    from core.systems.description import described, read_target
    from core.systems.opening import open_system
    from core.systems.test_set import read_test_cases
    from core.types import Progress
    from core.wording.collecting import collected_document, collected_sentences, plan_document, plan_sentences

    cases = read_test_cases(tests)
    file = read_target(target)
    system = open_system(file, allow_private=settings().allow_private_targets)
    journal = output.with_name(f"{output.name}.journal")
    collection = Collection(cases, system, limits=file.limits, trials=trials, journal=journal)
    about = document(inputs={"tests": tests}, settings={"target": described(file), "trials": trials})
    if dry_run:
        plan = collection.plan()
        if as_json:
            print_document({**about, **plan_document(plan)})
            return
        for sentence in plan_sentences(plan):
            typer.echo(sentence)
        return
    with progress_bar() as show, _stopped_by_the_user() as stop:
        found = collection.run(
            again=again, stop=stop, on_answer=lambda done, of: show(Progress("collect answers", done, of))
        )
    if found.complete or partial:
        write_whole(output, to_jsonl(collection.samples()).encode())
    if as_json:
        print_document({**about, **collected_document(found)})
    else:
        for sentence in collected_sentences(found):
            typer.echo(sentence)
    if not found.complete and not partial:
        raise HcatError(f"{output} is not written before every answer is there; --partial writes what is")


@contextmanager
def _stopped_by_the_user() -> Iterator[threading.Event]:
    """Ctrl+C ends the asking after the requests under way."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGINT, lambda *_: stop.set())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
