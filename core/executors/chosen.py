"""The executor chosen by settings, options or a job."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from hcat.core.errors import HcatError, MissingExtraError
from hcat.core.executors.executor import Executor
from hcat.core.models.devices import CUDA, kind_of
from hcat.core.records.job import Engine, JobEngine

if TYPE_CHECKING:
    from hcat.core.settings import Settings


def chosen_executor(
    settings: Settings, *, device: str | None = None, on_workers: Callable[[int], None] | None = None
) -> Executor | None:
    """Ray's workers, or None for this process. HcatError if the address is invalid.

    `on_workers` is called with the number of workers each time that some are started."""
    if settings.engine == "local":
        return None
    at = settings.ray_address
    if at is not None and ("://" in at or not at.rpartition(":")[2].isdecimal()):
        raise HcatError(f"{at} is no address of a Ray cluster: say host:port of its head, as `ray start --head` does.")
    from hcat.core.executors.ray_cluster import RayExecutor

    on = device or settings.device
    if kind_of(on) == CUDA and on not in (CUDA, f"{CUDA}:0"):
        raise HcatError(f"Each of Ray's workers has one graphics card, its first one: say cuda, not {on}, with Ray.")
    return RayExecutor(at, settings.ray_workers, on_gpus=kind_of(on) == CUDA, on_workers=on_workers)


def with_engine(
    settings: Settings, *, engine: Engine | None = None, address: str | None = None, workers: int | None = None
) -> Settings:
    """The settings with these options in place of their own. HcatError if they conflict."""
    chosen = engine or ("ray" if address else settings.engine)
    if chosen == "local" and (address or workers):
        raise HcatError("--address and --workers are of the Ray engine: say --engine ray, or leave them out.")
    update = {
        "engine": chosen,
        "ray_address": address or settings.ray_address,
        "ray_workers": workers or settings.ray_workers,
    }
    return settings.model_copy(update=update)


def most_workers(settings: Settings) -> int | None:
    """The most of Ray's workers that a job may use.

    As HCAT_RAY_WORKERS says, else one per processor of this machine; None for a cluster elsewhere, which has no more
    than its processors."""
    if settings.ray_workers is not None:
        return settings.ray_workers
    return (os.cpu_count() or 1) if settings.ray_address is None else None


def check_engine(settings: Settings, choice: JobEngine) -> None:
    """Raise MissingExtraError if a job can't have the engine, HcatError if it can't have so many workers."""
    if choice.name == "ray" and installed_ray() is None:
        raise MissingExtraError("Ray is not installed here: pip install hcat[ray], or choose one process.")
    most = most_workers(settings)
    if choice.workers is None:
        return
    if choice.name == "local" or choice.workers < 1:
        raise HcatError("a number of workers, 1 or more, is of the engine ray: leave it out for one process")
    if most is not None and choice.workers > most:
        raise HcatError(
            f"a job may have {most} of Ray's workers here, not {choice.workers}: choose fewer, or have "
            "HCAT_RAY_WORKERS set to more"
        )


def installed_ray() -> str | None:
    """The version of Ray that is installed; None without it."""
    try:
        return version("ray")
    except PackageNotFoundError:
        return None
