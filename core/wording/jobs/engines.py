"""Sentences on the engine that does or did long work."""

from __future__ import annotations

from hcat.core.display.numbers import counted
from hcat.core.records.job import Engine, JobEngine, JobInfo

NO_RAY = "pip install hcat[ray], or set HCAT_ENGINE=local"
LITTLE_WORK = "No more than one shard of work was left, so this process did it without Ray."
TITLES: dict[Engine, str] = {"local": "one process", "ray": "Ray"}


def workers_text(engine: JobEngine) -> str:
    """Such as "one process", "2 workers of Ray"."""
    if engine.name == "local":
        return TITLES["local"]
    return "Ray" if engine.workers is None else f"{counted(engine.workers, 'worker')} of Ray"


def engine_caption(engine: Engine, address: str | None, *, ray: str | None) -> str:
    """The effect of choosing an engine here; `ray` is the version that is installed."""
    if engine == "local":
        return "On this server."
    if ray is None:
        return "Not installed on this server. Whoever runs it can add it: pip install hcat[ray]"
    place = "on this server" if address is None else f"of the cluster at {address}, as the settings say"
    return f"Workers {place} share the samples out. The scores are the same, bit for bit."


def little_work_sentence(engine: Engine, n: int, *, shard: int) -> str:
    """The reason why a run of n samples is scored by one process although Ray is chosen, where shards have so many
    samples; empty where it is not."""
    if engine == "local" or n > shard:
        return ""
    return f"Up to {shard:,} samples are one shard, which can't be shared out: one process scores this run."


def last_engine_sentence(job: JobInfo) -> str:
    """The engine that did the work of a finished job; empty where that is not known."""
    if job.used is None:
        return ""
    asked_in_vain = job.asked is not None and job.asked.name == "ray" and job.used.name == "local"
    why = ", without Ray: there was no more than one shard of work" if asked_in_vain else ""
    return f"The last scoring was done by {workers_text(job.used)}{why}."
