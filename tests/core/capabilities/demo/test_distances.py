"""The distances that come with the demo are those of the packaged model, and are used for no other."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hcat.core.capabilities.demo.bank import read_test_cases
from hcat.core.capabilities.demo.distances import (
    FILE,
    DemoDistances,
    compute_distances,
    read_distances,
    write_distances,
)
from hcat.core.capabilities.demo.variants import read_variants
from hcat.core.errors import FileFormatError
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import ENCODER, load_encoder
from hcat.core.models.model_set import ModelSet
from hcat.core.models.nli.loading import ENTAILMENT, load_entailment
from hcat.core.settings import Settings
from hcat.core.workspace import Workspace

EVERY = pytest.mark.parametrize("every", [150, pytest.param(60, marks=pytest.mark.slow)])
"""Every how many of the 304 test cases are computed anew: three of them, or six, of which each has about 70 pairs."""


@pytest.fixture(scope="module")
def distances() -> DemoDistances:
    shipped = read_distances()
    assert shipped is not None
    return shipped


@pytest.fixture
def few_cases(every: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many there are."""
    cases, variants = read_test_cases()[::every], read_variants()[:1]
    monkeypatch.setattr("hcat.core.capabilities.demo.bank.read_test_cases", lambda: cases)
    monkeypatch.setattr("hcat.core.capabilities.demo.variants.read_variants", lambda: variants)
    return len(cases)


@pytest.fixture
def models() -> ModelSet:
    # the bare model: not what an earlier run has left in a cache
    return ModelSet((ENCODER.of(load_encoder()), ENTAILMENT.of(load_entailment())))


@EVERY
def test_the_model_itself_computes_the_same(distances: DemoDistances, models: ModelSet, few_cases: int) -> None:
    assert distances.are_of(models)
    computed = compute_distances(models, MemoryEmbeddings())
    shipped = dict(zip(distances.keys, distances.rows[:, 0], strict=True))
    assert len(computed.keys) > 13 * few_cases
    assert set(computed.keys) <= shipped.keys()
    expected = np.array([shipped[key] for key in computed.keys])
    assert computed.rows[:, 0] == pytest.approx(expected, abs=1e-4)
    assert expected.std() > 1  # not one number throughout


def test_the_file_is_small_and_sorted(distances: DemoDistances) -> None:
    assert FILE.stat().st_size <= 2_000_000
    assert list(distances.keys) == sorted(set(distances.keys))
    assert np.isfinite(distances.rows).all()


def test_distances_come_back_as_they_were_written(distances: DemoDistances, tmp_path: Path) -> None:
    path = tmp_path / "some.parquet"
    assert read_distances(path) is None
    write_distances(distances, path)
    again = read_distances(path)
    assert again is not None
    assert (again.encoder, again.entailment, again.keys) == (distances.encoder, distances.entailment, distances.keys)
    assert (again.rows == distances.rows).all()
    path.write_text("not Parquet")
    with pytest.raises(FileFormatError, match="does not hold the demo's distances"):
        read_distances(path)


@pytest.mark.parametrize("role", ["encoder", "entailment"])
def test_distances_of_another_revision_are_not_of_these_models(
    distances: DemoDistances, models: ModelSet, role: str
) -> None:
    other = replace(distances, **{role: "ab" * 32})  # type: ignore[arg-type]
    assert not other.are_of(models)


@pytest.fixture
def begun(encoded: Path, tmp_path: Path) -> Path:
    """A folder for a store of a test's own, whose handbook is encoded."""
    shutil.copytree(encoded, tmp_path / "artifacts")
    return tmp_path


def _workspace(folder: Path, **given: str) -> Workspace:
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        database_url=f"sqlite:///{folder / 'hcat.db'}",
        artifacts=str(folder / "artifacts"),
        **given,  # type: ignore[arg-type]
    )
    return Workspace.open(settings, actor="test")


@EVERY
def test_the_demo_leaves_no_metric_unscored(begun: Path, few_cases: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from hcat.core.metrics.registry import metrics
    from hcat.core.models.nli.packaged import PackagedEntailment

    def refuse(*_: object) -> None:
        raise AssertionError("a pair was computed that comes with the demo")

    monkeypatch.setattr(PackagedEntailment, "entail", refuse)
    with _workspace(begun) as workspace:
        project = workspace.demo.load()
        for run in workspace.runs.all(project)[:2]:
            table = workspace.scoring.required(run)
            assert {metric.name for metric in metrics()} == {*table.metrics, *table.provenance.left_out}
            asked_for = {metric.name for metric in metrics() if metric.on_request}
            assert {*table.provenance.left_out} == {"answer_relevance_reverse", *asked_for}
            assert table.summary()["faithfulness"].judged


@EVERY
def test_another_entailment_model_is_left_to_a_click(begun: Path, few_cases: int) -> None:
    with _workspace(begun, nli="/no/such/model") as workspace:
        run = workspace.runs.all(workspace.demo.load())[0]
        table = workspace.scoring.required(run)
        assert "token_f1" in table.metrics
        assert not {"groundedness_nli", "faithfulness"} & set(table.metrics)
