"""The attacks of a run, and their results."""

from __future__ import annotations

import streamlit as st

from hcat.core.attack_detectors import FAMILY
from hcat.core.capabilities.attacks.analysis import evaluate_attacks
from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.records.passages import passages_jsonl
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import Criterion
from hcat.dashboard.capabilities.test_sets.loaders.test_sets import stored_cases
from hcat.dashboard.loaders.keys import labelled_as
from hcat.dashboard.loaders.runs import open_run
from hcat.dashboard.loaders.workspace import workspace


def has_attacks(run: RunInfo) -> bool:
    """Whether a run was asked attacks."""
    return _has_attacks(run.artifact, run)


@st.cache_data(max_entries=64, show_spinner=False)
def _has_attacks(artifact: str, _run: RunInfo) -> bool:
    return workspace().runs.columns(_run).levels("attack_family").is_given


def attack_results(run: RunInfo, criterion: Criterion | None) -> AttackResults:
    """Attack results of a run by its present labels."""
    labelled = "" if criterion is None else (criterion.name, criterion.passing, labelled_as(run, criterion.name))
    return _results((run.artifact, labelled), run, criterion)


@st.cache_resource(max_entries=8, show_spinner="Evaluating the attacks …")
def _results(key: tuple[object, ...], _run: RunInfo, _criterion: Criterion | None) -> AttackResults:
    return evaluate_attacks(open_run(_run), _criterion)


def holds_attacks(test_set: TestSetInfo) -> bool:
    """Whether a test set was made of attacks."""
    return any(FAMILY in case.metadata for case in stored_cases(test_set))


def poisoned_copy(project: ProjectInfo, test_set: TestSetInfo) -> str:
    """The corpus with the passages that the attacks of a test set add to it, as JSON Lines."""
    return passages_jsonl(workspace().attacks.poisoned_corpus(project, test_set))
