"""A forecast of the needs of a job from a small measured part, with a refusal if this machine has no room."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hcat.core.errors import LimitError
from hcat.core.records.job import JobForecast


@dataclass(frozen=True, slots=True)
class Forecast:
    """The needs of a job over so many rows.

    `seconds` of one processor, bytes of `memory`, and bytes on the `disk` of each folder that it writes to."""

    rows: int
    seconds: float
    memory: float
    disk: Mapping[Path, float] = field(default_factory=dict)

    @property
    def totals(self) -> JobForecast:
        """The same with the total of all folders."""
        return JobForecast(self.rows, self.seconds, self.memory, sum(self.disk.values()))


@dataclass(frozen=True, slots=True)
class Room:
    """The free memory and disk of this machine."""

    memory: float
    disk: Mapping[Path, float]


def room_for(forecast: Forecast) -> Room:
    """The free memory and disk for a job now."""
    return Room(free_memory(), {folder: float(shutil.disk_usage(_existing(folder)).free) for folder in forecast.disk})


def free_memory() -> float:
    """The bytes of memory that this process can still use; infinite if the system doesn't say."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return next(1024.0 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):
        return float("inf")


def check_room(forecast: Forecast, room: Room) -> None:
    """Raise LimitError if the job does not fit: its needs, what is free, and what to do."""
    rows = f"{forecast.rows:,} rows" if forecast.rows else "its rows"
    if forecast.memory > room.memory:
        raise LimitError(
            f"{rows} need about {_size(forecast.memory)} of memory, and {_size(room.memory)} are free: "
            "end other programs, or split the file"
        )
    taken: dict[int, float] = {}
    for folder, size in forecast.disk.items():
        device = _existing(folder).stat().st_dev
        taken[device] = taken.get(device, 0.0) + size
        if taken[device] > room.disk[folder]:
            raise LimitError(
                f"{rows} need about {_size(taken[device])} on the disk of {folder}, and "
                f"{_size(room.disk[folder])} are free: free some space, or name another folder (HCAT_ARTIFACTS; TMPDIR)"
            )


def log_line(forecast: JobForecast) -> str:
    """The most that the job takes, for its log."""
    return (
        f"{forecast.rows:,} samples: at most {forecast.seconds:,.0f} s of one processor, {_size(forecast.memory)} of "
        f"memory, {_size(forecast.disk)} of disk"
    )


def _size(size: float) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e8 else f"{size / 1e6:,.1f} MB"


def _existing(place: Path) -> Path:
    """The folder that exists: the place, or the first above it."""
    return next(path for path in (place, *place.absolute().parents) if path.is_dir())
