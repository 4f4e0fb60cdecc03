"""The options that say who does the work of a command: this process, or the workers of a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hcat.dashboard.commands.output import print_note

if TYPE_CHECKING:
    from hcat.core.executors.executor import Executor
    from hcat.core.workspace import Workspace

EngineName = Literal["local", "ray"]
Engine = Annotated[
    EngineName | None,
    typer.Option(
        help="Who does the work: this process, or workers of a Ray cluster (extra hcat[ray]). Default: HCAT_ENGINE."
    ),
]
Address = Annotated[
    str | None, typer.Option(help="host:port of the head of a running Ray cluster. Without it one is started here.")
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Ray workers. Default: HCAT_RAY_WORKERS, else one per processor.")
]


@contextmanager
def executor_of(
    engine: EngineName | None, address: str | None, workers: int | None, *, device: str | None = None
) -> Iterator[Executor | None]:
    """The executor that these options or the settings choose; None for this process. HcatError where they conflict.

    At the end it is said where Ray was chosen, and there was too little work to start it.
    """
    from hcat.core.executors.chosen import chosen_executor, with_engine
    from hcat.core.settings import settings

    chosen, started = with_engine(settings(), engine=engine, address=address, workers=workers), list[int]()
    yield chosen_executor(chosen, device=device, on_workers=started.append)
    _note_little_work(chosen.engine, started)


@contextmanager
def project_workspace(engine: EngineName | None, address: str | None, workers: int | None) -> Iterator[Workspace]:
    """The workspace, with its long work done by the engine of these options, or of the settings; otherwise alike."""
    from hcat.core.workspace import Workspace

    started: list[int] = []
    with Workspace.open(actor="command line") as opened:
        chosen = opened.worked_by(engine, address=address, workers=workers, on_workers=started.append)
        yield chosen
        _note_little_work(chosen.settings.engine, started)


def _note_little_work(engine: EngineName, started: list[int]) -> None:
    from hcat.core.wording.jobs.engines import LITTLE_WORK

    if engine == "ray" and not started:
        print_note(LITTLE_WORK)
