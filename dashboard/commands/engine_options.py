"""The options that say who does the work of a command: this process, or the workers of a Ray cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from core.executors.executor import Executor

Engine = Annotated[
    Literal["local", "ray"] | None,
    typer.Option(
        help="Who does the work: this process, or workers of a Ray cluster (extra hcat[ray]). Default: HCAT_ENGINE."
    ),
]
Address = Annotated[
    str | None, typer.Option(help="host:port of the head of a running Ray cluster. Without it one is started here.")
]
Workers = Annotated[int | None, typer.Option(min=1, help="Ray workers. Default: one per processor.")]


def executor_of(
    engine: Literal["local", "ray"] | None, address: str | None, workers: int | None, *, device: str | None = None
) -> Executor | None:
    """The executor that these options or the settings choose; None for this process. HcatError where they conflict."""
    from core.executors.chosen import chosen_executor
    from core.settings import settings

    return chosen_executor(settings(), engine=engine, address=address, workers=workers, device=device)
