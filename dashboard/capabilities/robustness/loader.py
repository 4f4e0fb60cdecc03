"""The variants of a run compared with their origins."""

from __future__ import annotations

import streamlit as st

from hcat.core.capabilities.robustness.analysis.robustness import compare_variants, paired_variants, vectors_of_pairs
from hcat.core.capabilities.robustness.variants.comparison import Robustness
from hcat.core.records.project import RunInfo
from hcat.dashboard.capabilities.calibration.loader import saved_calibration
from hcat.dashboard.loaders.keys import identity, labelled_as, scored_as
from hcat.dashboard.loaders.runs import columns, open_run
from hcat.dashboard.loaders.stored import criteria_of, project_of
from hcat.dashboard.loaders.workspace import workspace


def has_variants(run: RunInfo) -> bool:
    """Whether some sample of the run is a variant."""
    return _has_variants(run.artifact, run)


@st.cache_data(max_entries=64, show_spinner=False)
def _has_variants(artifact: str, _run: RunInfo) -> bool:
    return workspace().runs.columns(_run).levels("variant_family").is_given


def has_origins(run: RunInfo, origins: RunInfo) -> bool:
    """Whether one run answers the test cases that variants of the other were made from."""
    return bool(_pairs(run.artifact, origins.artifact, run, origins))


@st.cache_data(max_entries=32, show_spinner=False)
def _pairs(artifact: str, of_origins: str, _run: RunInfo, _origins: RunInfo) -> int:
    others = None if artifact == of_origins else columns(_origins)
    return len(paired_variants(columns(_run), others).pairs)


def robustness(run: RunInfo, origins: RunInfo) -> Robustness:
    """Each variant compared with the answer to its origin, by the present labels, saved calibration and metrics."""
    names = [criterion.name for criterion in criteria_of(project_of(run))]
    labelled = tuple(labelled_as(each, name) for name in names for each in (run, origins))
    saved = saved_calibration(run)
    calibrated = "" if saved is None else identity(saved)
    key = (run.artifact, origins.artifact, scored_as(run), scored_as(origins), calibrated, *labelled)
    return _robustness(key, run, origins)


@st.cache_resource(max_entries=8, show_spinner="Comparing variants with their origins …")
def _robustness(key: tuple[str, ...], _run: RunInfo, _origins: RunInfo) -> Robustness:
    other = None if _run.artifact == _origins.artifact else _origins
    run, origins = open_run(_run), None if other is None else open_run(other)
    encoder, store = workspace().scoring.encoder_and_store()
    return compare_variants(run, origins, vectors=vectors_of_pairs(run, origins, encoder=encoder, store=store))
