"""Compute the content of the first page after a start, while the browser loads its own part."""

from __future__ import annotations

from hcat.dashboard.capabilities.overview.overview import estimate_rows
from hcat.dashboard.capabilities.overview.weakest import weakest_slices
from hcat.dashboard.loaders.workspace import workspace


def prepare_overview() -> None:
    """Fill the loaders' caches with the data of the overview of the project and run that are chosen at first."""
    project = next(iter(workspace().projects.all()), None)
    run = None if project is None else next(iter(workspace().runs.all(project)), None)
    if project is not None and run is not None:
        estimate_rows(project, run)
        weakest_slices(run)
