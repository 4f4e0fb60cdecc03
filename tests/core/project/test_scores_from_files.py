"""Scores from files in a stored run: beside ours, which rescoring renews, and never in the place of others unasked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.errors import ConflictError, FileFormatError
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_file import ScoreColumn, ScoreFile
from hcat.core.scoring.statements import Statement
from hcat.core.settings import Settings
from hcat.core.types import Sample, Score
from hcat.core.workspace import Workspace

OURS = ("token_f1", "answer_length")


def opened(folder: Path, *, seed: int = 7) -> Workspace:
    url = f"sqlite:///{folder / 'x.db'}"
    return Workspace.open(Settings(database_url=url, artifacts=str(folder), seed=seed), actor="test")


@pytest.fixture
def place(tmp_path: Path) -> tuple[Workspace, RunInfo]:
    workspace = opened(tmp_path)
    project = workspace.projects.create("bank")
    samples = [Sample(f"s{k}", "q?", f"answer {k}", reference=f"answer {k}") for k in range(4)]
    return workspace, workspace.runs.add(project, "v1", samples, source="x")


def file(values: Mapping[str, float], *, sha256: str = "ab" * 32, name: str = "judge") -> ScoreFile:
    scores = {key: Score(value) for key, value in values.items()}
    return ScoreFile("theirs.csv", sha256, tuple(values), (ScoreColumn(name, scores, "higher"),))


def test_theirs_and_ours_live_side_by_side(place: tuple[Workspace, RunInfo]) -> None:
    workspace, run = place
    workspace.scoring.add_from_file(
        run, file({"s0": 1.0, "s1": 2.0}), statements={"judge": Statement(bounds=(0.0, 5.0))}
    )
    workspace.scoring.score(run, OURS)
    workspace.scoring.add_from_file(run, file({"s2": 3.0}, sha256="cd" * 32, name="second"))
    workspace.scoring.score(run, "token_recall")
    table = workspace.scoring.required(run)
    assert set(table.metrics) == {*OURS, "token_recall", "judge", "second"}
    assert table.facts("judge").range == (0.0, 5.0)
    assert table.reasons("judge") == {"not in the file": 2}
    assert (table.n_scored("token_f1"), table.n_scored("second")) == (4, 1)
    assert table.answer_states is not None


def test_scoring_with_another_seed_renews_ours_and_leaves_theirs(
    place: tuple[Workspace, RunInfo], tmp_path: Path
) -> None:
    workspace, run = place
    workspace.scoring.score(run, OURS)
    workspace.scoring.add_from_file(run, file({"s0": 1.0}))
    table = opened(tmp_path, seed=8).scoring.score(run, OURS[:1])
    assert set(table.metrics) == {*OURS, "judge"}
    assert table.provenance.seed == 8
    assert table.score("s0", "judge").value == 1.0
    assert table.provenance.from_files["judge"].sha256 == "ab" * 32


def test_the_same_file_again_may_say_more(place: tuple[Workspace, RunInfo]) -> None:
    workspace, run = place
    workspace.scoring.add_from_file(run, file({"s0": 1.0}))
    again = workspace.scoring.add_from_file(run, file({"s0": 1.0}), statements={"judge": Statement("lower")})
    assert again.direction_of("judge") == "lower"


def test_another_file_takes_its_place_only_when_asked(place: tuple[Workspace, RunInfo]) -> None:
    workspace, run = place
    workspace.scoring.add_from_file(run, file({"s0": 1.0}))
    other = file({"s0": 2.0}, sha256="cd" * 32)
    with pytest.raises(ConflictError, match=r"'judge' already, from file theirs\.csv, SHA-256 abababababab"):
        workspace.scoring.add_from_file(run, other)
    workspace.scoring.add_from_file(run, other, statements={"judge": Statement(name="judge_2")})
    assert workspace.scoring.required(run).score("s0", "judge").value == 1.0
    assert workspace.scoring.add_from_file(run, other, overwrite=True).score("s0", "judge").value == 2.0


def test_a_metric_of_hcat_is_never_written_over(place: tuple[Workspace, RunInfo]) -> None:
    workspace, run = place
    ours = workspace.scoring.score(run, OURS)
    table = workspace.scoring.add_from_file(run, replace(file({"s0": 9.0}, name="token_f1"), framework="ragas"))
    assert table.values("token_f1").tolist() == ours.values("token_f1").tolist()
    assert table.score("s0", "ragas:token_f1").value == 9.0


def test_scores_of_another_run_are_refused(place: tuple[Workspace, RunInfo]) -> None:
    workspace, run = place
    with pytest.raises(FileFormatError, match="no row is of this run"):
        workspace.scoring.add_from_file(run, file({"x": 1.0}))
    assert workspace.scoring.table(run) is None


def test_what_is_known_of_how_a_score_came_about(place: tuple[Workspace, RunInfo]) -> None:
    workspace, run = place
    workspace.scoring.add_from_file(run, file({"s0": 1.0}))
    assert workspace.scoring.explain(run, "s0", ["judge"]) == {
        "judge": {"from_file": "from file theirs.csv, SHA-256 abababababab"}
    }
