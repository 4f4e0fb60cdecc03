"""A new kind of model is an adapter, a step and a metric, each with one row in its table: irony, as an example.

Everything that it takes stands between the two lines below; nothing else in the product knows of irony.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from typer.testing import CliRunner

from hcat.core.metrics import registry
from hcat.core.metrics.declaration import Outcome, metric, scored, unscored
from hcat.core.metrics.registry import METRICS
from hcat.core.metrics.sample_view import SampleView
from hcat.core.models import model_set as model_sets
from hcat.core.models.kind import ModelKind
from hcat.core.models.model_set import MODEL_KINDS, ModelSet
from hcat.core.records.project import RunInfo
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.block import Block
from hcat.core.scoring.evaluate import explain_sample, score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.scoring.steps import table as steps
from hcat.core.scoring.steps.step import RunStep, Step, StepInputs
from hcat.core.scoring.steps.table import STEPS
from hcat.core.settings import Settings
from hcat.core.types import OnProgress, Passage, Progress, Sample
from hcat.core.workspace import Workspace
from tests.core.scoring.model_sets import model_set
from tests.core.scoring.test_evaluate import HashEncoder

# ------------------------------------------------------------------------ core/models/irony/classifier.py


class IronyModel(Protocol):
    """How ironic texts are, each in [0, 1]."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    def probabilities(self, texts: Sequence[str]) -> list[float]: ...


@dataclass
class SwearWords:
    """The share of a text's words that are on a list."""

    revision: str = "1" * 64
    name: str = "swear words"
    asked: int = 0

    def probabilities(self, texts: Sequence[str]) -> list[float]:
        self.asked += len(texts)
        shares = [[word.strip(".,!").lower() in ("damn", "fool") for word in text.split()] for text in texts]
        return [sum(share) / max(1, len(share)) for share in shares]


MODEL = SwearWords()


def open_irony(given: Settings, device: str) -> IronyModel | None:
    return MODEL


IRONY: ModelKind[IronyModel] = ModelKind("irony", "no irony model", open_irony)

# ------------------------------------------------------------------------ core/scoring/steps/classify_irony.py


@dataclass(frozen=True)
class IronyOfAnswer:
    """The probability that each sentence of the answer is ironic."""

    sentences: tuple[float, ...]


def prepare(inputs: StepInputs) -> RunStep:
    model = inputs.models.get(IRONY)

    def run(block: Block, on_progress: OnProgress | None) -> Block:
        if model is None:
            return block
        found = [model.probabilities([one.sentence.text for one in sample.parts["answer"]]) for sample in block]
        if on_progress is not None:
            on_progress(Progress("irony", len(block), len(block)))
        return [sample.with_results(IronyOfAnswer(tuple(values))) for sample, values in zip(block, found, strict=True)]

    return run


CLASSIFY_IRONY = Step("irony", ("irony",), prepare, lambda metric, models: {"words": 2})

# ------------------------------------------------------------------------ core/metrics/irony.py


@metric(
    title="Irony",
    family="safety",
    needs=("answer",),
    range=(0.0, 1.0),
    direction="lower",
    source="An example",
    description="How ironic the most ironic sentence of the answer is.",
    models=("irony",),
)
def irony(sample: SampleView) -> Outcome:
    found = sample.result(IronyOfAnswer)
    if found is None:
        return unscored("no irony model")
    return scored(max(found.sentences), lambda: {"part": "answer", "sentences": [*found.sentences]})


# ------------------------------------------------------------------------ one row in each of the three tables


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_sets, "MODEL_KINDS", (*MODEL_KINDS, IRONY))
    monkeypatch.setattr(steps, "STEPS", (*STEPS, CLASSIFY_IRONY))
    monkeypatch.setattr(registry, "METRICS", (*METRICS, irony))


# ------------------------------------------------------------------------ that is all; what follows are the tests

SAMPLES = [
    Sample("rude", "Why?", "You fool. It is so.", (Passage("p", "It is so."),)),
    Sample("kind", "Why?", "It is so.", (Passage("p", "It is so."),)),
    Sample("none", "Why?", None),
]
# "You fool." has one word of two on the list
SCORES = [0.5, 0.0, pytest.approx(float("nan"), nan_ok=True)]


def use(monkeypatch: pytest.MonkeyPatch, model: SwearWords) -> SwearWords:
    monkeypatch.setattr(f"{__name__}.MODEL", model)
    monkeypatch.setattr(
        "hcat.core.models.encoder.encoder.load_encoder", lambda name="default", *, device="cpu": HashEncoder()
    )
    return model


def test_its_metric_is_scored_and_explained_and_its_provenance_told() -> None:
    told: list[Progress] = []
    models = ModelSet((*model_set(HashEncoder()).loaded, IRONY.of(MODEL)))
    table = score_samples(SAMPLES, metrics="irony,groundedness", models=models, on_progress=told.append)
    assert table.values("irony").tolist() == SCORES
    assert table.reasons("irony") == {"no answer": 1}
    assert table.provenance.models == {"fake": HashEncoder.revision, "swear words": MODEL.revision}
    assert table.provenance.parameters["irony"] == {"words": 2}
    assert ("irony", 3, 3) in [(progress.stage, progress.done, progress.total) for progress in told]
    explained = explain_sample(SAMPLES[0], metrics="irony", models=models)
    assert explained == {"irony": {"part": "answer", "sentences": [0.5, 0.0]}}


def test_without_its_model_the_metric_is_left_out_and_nothing_else_is() -> None:
    without = score_samples(SAMPLES, metrics="all", models=model_set(HashEncoder()))
    assert without.provenance.left_out["irony"] == "no irony model"
    assert "groundedness" in without.metrics
    named = score_samples(SAMPLES, metrics="irony", models=model_set(HashEncoder()))
    assert named.reasons("irony") == {"no irony model": 2, "no answer": 1}


def test_a_stored_run_is_scored_explained_and_scored_anew_where_its_model_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use(monkeypatch, SwearWords())
    url, artifacts = f"sqlite:///{tmp_path / 'hcat.db'}", str(tmp_path / "artifacts")
    workspace = Workspace.open(Settings(_env_file=None, database_url=url, artifacts=artifacts))
    run: RunInfo = workspace.runs.add(workspace.projects.create("p"), "r", SAMPLES, source="x")
    assert workspace.scoring.score(run, "irony,token_f1").values("irony").tolist() == SCORES
    assert workspace.scoring.explain(run, "kind", "irony") == {"irony": {"part": "answer", "sentences": [0.0]}}
    same = use(monkeypatch, SwearWords())
    workspace.scoring.score(run, "answer_length")
    assert same.asked == 0
    other = use(monkeypatch, SwearWords(revision="2" * 64))
    table = workspace.scoring.score(run, "refusal")
    assert other.asked > 0
    assert table.provenance.models == {"swear words": "2" * 64}
    workspace.close()


def test_the_command_line_scores_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hcat.dashboard.cli import app

    use(monkeypatch, SwearWords())
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    run, scores = tmp_path / "run.jsonl", tmp_path / "scores.parquet"
    run.write_text(to_jsonl(SAMPLES), encoding="utf-8")
    done = CliRunner().invoke(app, ["score", str(run), "-o", str(scores), "--metrics", "irony", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["settings"]["models"] == {"swear words": "1" * 64}
    assert ScoreTable.read(scores).values("irony").tolist() == SCORES
    listed = CliRunner().invoke(app, ["metrics", "--json"])
    assert "irony" in [row["name"] for row in json.loads(listed.stdout)["metrics"]]


def test_each_step_names_roles_that_some_kind_of_model_fills() -> None:
    known = {role.name for kind in MODEL_KINDS for role in kind.roles}
    assert {role for step in STEPS for role in step.roles} <= known
