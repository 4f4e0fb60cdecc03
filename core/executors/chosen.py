"""The executor that settings or options choose."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Literal

from core.errors import HcatError
from core.executors.executor import Executor

if TYPE_CHECKING:
    from core.settings import Settings

Engine = Literal["local", "ray"]


def chosen_executor(
    settings: Settings,
    *,
    engine: Engine | None = None,
    address: str | None = None,
    workers: int | None = None,
    device: str | None = None,
) -> Executor | None:
    """Ray's workers, or None for this process. What is not said here the settings say. HcatError where it conflicts."""
    at = address or settings.ray_address
    if (engine or ("ray" if address else settings.engine)) == "local":
        if address or workers:
            raise HcatError("--address and --workers are of the Ray engine: say --engine ray, or leave them out.")
        return None
    if at is not None and "://" in at:
        raise HcatError(f"{at} is no address of a Ray cluster: say host:port of its head, as `ray start --head` does.")
    from core.executors.ray_cluster import RayExecutor

    return RayExecutor(at, workers, on_gpus=(device or settings.device).startswith("cuda"))


def installed_ray() -> str | None:
    """The version of Ray that is installed; None without it."""
    try:
        return version("ray")
    except PackageNotFoundError:
        return None
