"""`hcat collect`: a test set asked of a live system."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hcat.core.errors import HcatError
from hcat.core.types import JsonValue
from hcat.dashboard.commands.output import AsJson, document, print_document, progress_bar

if TYPE_CHECKING:
    from hcat.core.capabilities.collect.collect import Collected, Plan
    from hcat.core.capabilities.collect.description import Target


def collect(
    target: Annotated[Path | None, typer.Option(help="How the system is asked (YAML); see --example.")] = None,
    tests: Annotated[Path | None, typer.Argument(help="Test cases (JSON Lines with id and query).")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where to write the run file (JSON Lines).")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Instead of -o: a project; the answers become its run.")] = None,
    run: Annotated[str | None, typer.Option(help="With --project: the name of the new run.")] = None,
    test_set: Annotated[
        str | None,
        typer.Option("--test-set", help="With --project, instead of a file: a test set, NAME or NAME@VERSION."),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="How often each test case is asked.")] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what it costs; ask nothing.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Ask once more for what failed before.")] = False,
    partial: Annotated[
        bool, typer.Option("--partial", help="Write the run file even where answers are missing.")
    ] = False,
    example: Annotated[
        Literal["http", "chat", "python"] | None,
        typer.Option(help="Print a target file of this kind to start from, and end."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a live system, and write its answers as a run file, or store them as a run of a project.

    A journal beside the file, or the database, lets the same command go on."""
    if example is not None:
        from hcat.core.capabilities.collect.examples import EXAMPLES

        typer.echo(EXAMPLES[example], nl=False)
        return
    if target is None:
        raise HcatError("say by --target how the system is asked; `hcat collect --example http` prints such a file")
    asked = _Asked(target, trials, again, partial, dry_run, as_json)
    if (tests is None) == (test_set is None) or (test_set is not None and project is None):
        raise HcatError("name a file of test cases, or with --project a --test-set")
    if output is not None and tests is not None and project is None and run is None:
        _into_file(asked, tests, output)
    elif output is None and project is not None and run is not None:
        _into_project(asked, tests, test_set or "", project, run)
    else:
        raise HcatError("name a run file by -o, or --project and --run")


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command's options but where the answers go."""

    target: Path
    trials: int
    again: bool
    partial: bool
    dry_run: bool
    as_json: bool

    def about(self, target: Target, tests: Path | None, **more: str) -> dict[str, JsonValue]:
        from hcat.core.capabilities.collect.description import described

        settings: dict[str, JsonValue] = {"target": described(target), "trials": self.trials, **more}
        return document(inputs={} if tests is None else {"tests": tests}, settings=settings)


def _into_file(asked: _Asked, tests: Path, output: Path) -> None:
    from hcat.core.capabilities.collect.collect import Collection
    from hcat.core.capabilities.collect.description import read_target
    from hcat.core.capabilities.collect.opening import check_address, open_system
    from hcat.core.capabilities.collect.test_set import read_test_cases
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.run_file import to_jsonl
    from hcat.core.settings import settings
    from hcat.core.types import Progress

    cases = read_test_cases(tests)
    file = read_target(asked.target)
    system = open_system(file, allow_private=settings().allow_private_targets)
    journal = output.with_name(f"{output.name}.journal")
    collection = Collection(cases, system, limits=file.limits, trials=asked.trials, journal=journal)
    about = asked.about(file, tests)
    if asked.dry_run:
        check_address(file, allow_private=settings().allow_private_targets)
        _print_plan(about, collection.plan(), as_json=asked.as_json)
        return
    with progress_bar() as show, _stopped_by_the_user() as stop:
        found = collection.run(
            again=asked.again, stop=stop, on_answer=lambda done, of: show(Progress("collect", done, of))
        )
    if found.complete or asked.partial:
        write_whole(output, to_jsonl(collection.samples()).encode())
    _print_collected(about, found, as_json=asked.as_json)
    if not found.complete and not asked.partial:
        raise HcatError(f"{output} is not written before every answer is there; --partial writes what is")


def _into_project(asked: _Asked, tests: Path | None, test_set: str, project: str, run: str) -> None:
    from hcat.core.capabilities.collect.description import read_target
    from hcat.core.capabilities.collect.test_set import read_test_cases
    from hcat.core.records.hashing import sha256_of_files
    from hcat.core.records.test_case import as_sample
    from hcat.core.workspace import Workspace

    file = read_target(asked.target)
    with Workspace.open(actor="command line") as workspace:
        owner, collections = workspace.projects.get(project), workspace.collections
        if tests is None:
            version = workspace.test_sets.version(owner, *_name_and_version(test_set))
            cases = tuple(as_sample(case) for case in workspace.test_sets.cases(version))
            source, digest = f"test set {version.name}, version {version.version}", version.content_hash
        else:
            cases, source, digest = read_test_cases(tests), tests.name, sha256_of_files([tests])
        about = asked.about(file, tests, project=project, run=run, source=source, hash=digest)
        request = collections.prepare(
            owner, run, cases, file, source=source, hash=digest, trials=asked.trials, again=asked.again
        )
        if asked.dry_run:
            _print_plan(about, collections.plan(owner, request), as_json=asked.as_json)
            return
        with progress_bar() as show, _stopped_by_the_user() as stop:
            found = collections.ask(owner, request, on_progress=show, stop=stop)
        if found.complete or asked.partial:
            collections.store_answers(owner, request)
    _print_collected(about, found, as_json=asked.as_json)
    if not found.complete and not asked.partial:
        raise HcatError(f"the run {run!r} is not stored before every answer is there; --partial stores what is")


def _name_and_version(test_set: str) -> tuple[str, int | None]:
    """Of NAME or NAME@VERSION."""
    name, separator, number = test_set.rpartition("@")
    if not separator:
        return test_set, None
    if not number.isdigit():
        raise HcatError(f"--test-set {test_set}: write NAME@VERSION with the number of the version")
    return name, int(number)


def _print_plan(about: Mapping[str, JsonValue], plan: Plan, *, as_json: bool) -> None:
    from hcat.core.capabilities.collect.wording import plan_document, plan_sentences

    if as_json:
        print_document({**about, **plan_document(plan)})
        return
    for sentence in plan_sentences(plan):
        typer.echo(sentence)


def _print_collected(about: Mapping[str, JsonValue], found: Collected, *, as_json: bool) -> None:
    from hcat.core.capabilities.collect.wording import collected_document, collected_sentences

    if as_json:
        print_document({**about, **collected_document(found)})
        return
    for sentence in collected_sentences(found):
        typer.echo(sentence)


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
