"""Who does the work of jobs, in a sentence."""

from __future__ import annotations

from core.executors.chosen import Engine

NO_RAY = "pip install hcat[ray], or set HCAT_ENGINE=local"


def engine_sentence(engine: Engine, address: str | None, *, ray: str | None) -> str:
    """Who scores by these settings; `ray` is the version that is installed. Nothing is said where there is no choice.

    Where the settings ask for what is not installed, the sentence says so.
    """
    if engine == "ray" and ray is None:
        return f"HCAT_ENGINE is ray, which is not installed: {NO_RAY}."
    if engine == "ray":
        return f"Workers of Ray score {'on this machine' if address is None else f'at {address}'}."
    if ray is not None:
        return "One process scores. HCAT_ENGINE=ray shares the work out among processors or machines."
    return ""
