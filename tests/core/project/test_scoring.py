"""Scores of a run when models change: what another model computed is computed anew, and nothing else is."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from hcat.core.capabilities.weaknesses.weaknesses import compare_slices, find_weaknesses
from hcat.core.errors import ModelError, UnknownMetricError
from hcat.core.metrics.declaration import Metric
from hcat.core.models.nli.entailment import EntailmentResult
from hcat.core.models.nli.premises import READING
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import RunColumns
from hcat.core.records.project import RunInfo
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.settings import Settings
from hcat.core.types import Passage, Sample
from hcat.core.workspace import Workspace


class Encoder:
    """A row of 16 numbers from the text's hash; it counts what it encodes."""

    name, dimension = "encoder", 16

    def __init__(self, revision: str = "e" * 64) -> None:
        self.revision, self.encoded = revision, 0

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.encoded += len(texts)
        digests = [hashlib.sha256(f"{self.revision}{text}".encode()).digest()[:16] for text in texts]
        rows = np.array([list(digest) for digest in digests], dtype=np.float32) - 127.5
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Entailment:
    """D from the pair's hash and the revision; it counts what it takes."""

    name, pieces = "nli", 64

    def __init__(self, revision: str = "1" * 64) -> None:
        self.revision, self.taken = revision, 0

    def entail(self, pairs: Sequence[tuple[str, str]]) -> EntailmentResult:
        self.taken += len(pairs)
        digests = [hashlib.sha256(f"{self.revision}{pair}".encode()).digest() for pair in pairs]
        return EntailmentResult.of(np.array([digest[0] / 64 - 2 for digest in digests], dtype=np.float64))


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def models(encoder: Encoder, entailment: Entailment) -> None:
        monkeypatch.setattr("hcat.core.models.encoder.encoder.load_encoder", lambda name, *, device: encoder)
        monkeypatch.setattr("hcat.core.models.nli.loading.load_entailment", lambda name, *, device: entailment)

    return models


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    url = f"sqlite:///{tmp_path / 'hcat.db'}"
    return Workspace.open(Settings(database_url=url, artifacts=str(tmp_path / "artifacts")))


@pytest.fixture
def run(workspace: Workspace) -> RunInfo:
    samples = [
        Sample(
            f"q{n}", f"What of {n}?", f"Fact {n} holds. It is so.", (Passage("p", f"Fact {n} is known."),), f"Fact {n}."
        )
        for n in range(5)
    ]
    return workspace.runs.add(workspace.projects.create("p"), "r", samples, source="x")


def test_a_new_entailment_model_costs_only_its_own_metrics(workspace: Workspace, run: RunInfo, use) -> None:  # type: ignore[no-untyped-def]
    use(Encoder(), Entailment())
    old = workspace.scoring.score(run, "groundedness,groundedness_nli,faithfulness,token_f1")
    use(Encoder(), Entailment("2" * 64))
    new = workspace.scoring.score(run, "answer_length")
    assert set(new.metrics) == {*old.metrics, "answer_length"}
    assert new.provenance.models == {"encoder": "e" * 64, "nli": "2" * 64}
    assert new.provenance.parameters["faithfulness"]["verifier"]["revision"] == "2" * 64  # type: ignore[index, call-overload]
    for name in ("groundedness", "token_f1"):
        assert (new.values(name) == old.values(name)).all()
    assert not np.array_equal(new.values("groundedness_nli"), old.values("groundedness_nli"))


def test_a_new_encoder_costs_all_that_rest_on_it(workspace: Workspace, run: RunInfo, use) -> None:  # type: ignore[no-untyped-def]
    use(Encoder(), Entailment())
    old = workspace.scoring.score(run, "groundedness,token_f1")
    use(Encoder("f" * 64), Entailment())
    new = workspace.scoring.score(run, "answer_length")
    assert new.provenance.models == {"encoder": "f" * 64}
    assert not np.array_equal(new.values("groundedness"), old.values("groundedness"))
    assert (new.values("token_f1") == old.values("token_f1")).all()


def test_a_second_scoring_and_an_explanation_verify_nothing(workspace: Workspace, run: RunInfo, use) -> None:  # type: ignore[no-untyped-def]
    names = "groundedness_nli,faithfulness,context_recall,context_precision,answer_correctness"
    use(Encoder(), Entailment())
    first = workspace.scoring.score(run, names)
    idle = Entailment()
    use(Encoder(), idle)
    assert workspace.scoring.score(run, names).to_bytes() == first.to_bytes()
    explained = workspace.scoring.explain(run, "q1", names)
    assert set(explained) == set(names.split(","))
    assert idle.taken == 0


def test_scores_made_before_states_stay_until_the_run_is_scored_again(
    workspace: Workspace,
    use,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(Encoder(), Entailment())
    samples = [
        Sample("a", "What fee?", "I don't know.", reference="25 euros"),
        Sample("b", "What fee?", "25", (), "25"),
    ]
    run = workspace.runs.add(workspace.projects.create("old"), "r", samples, source="x")
    with monkeypatch.context() as before:
        before.setattr(Metric, "_skips", lambda metric, answer: False)
        before.setattr("hcat.core.scoring.evaluate.score_table", lambda *table, **_states: score_table(*table))
        old = workspace.scoring.score(run, "token_f1,answer_length")
    assert old.answer_states is None
    assert old.values("token_f1").tolist() == [0.0, 1.0]
    new = workspace.scoring.score(run, "refusal")
    assert new.answer_states == ("wrong_refusal", "answered")
    assert new.metrics == ("answer_length", "token_f1", "refusal")
    assert new.score("a", "token_f1").reason == "refusal"


def test_all_takes_what_the_run_allows_and_keeps_the_reasons(workspace: Workspace, run: RunInfo, use) -> None:  # type: ignore[no-untyped-def]
    use(Encoder(), Entailment())
    table = workspace.scoring.score(run, "all")
    assert "faithfulness" in table.metrics and "rr" not in table.metrics
    kept = workspace.scoring.table(run)
    assert kept is not None
    assert kept.provenance.left_out["rr"] == "no sample has relevant ids"
    with pytest.raises(UnknownMetricError, match="'rr' was left out of these scores: no sample has relevant ids"):
        kept.values("rr")
    named = workspace.scoring.score(run, "rr")
    assert "rr" not in named.provenance.left_out
    assert named.reasons("rr") == {"no relevant ids": 5}


def test_a_job_for_all_decides_what_that_is_when_it_runs(
    workspace: Workspace, run: RunInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: None)
    monkeypatch.setattr("hcat.core.storage.stores.jobs.JobTable.launched", lambda table, write, job_id, worker: None)
    assert workspace.jobs.start_scoring(run, "all").arguments["metrics"] == ["all"]


def test_a_model_that_is_not_there_is_one_clear_line(tmp_path: Path, run: RunInfo, workspace: Workspace) -> None:
    settings = Settings(
        database_url=workspace.settings.database_url, artifacts=workspace.settings.artifacts, nli=str(tmp_path / "none")
    )
    other = Workspace.open(settings)
    with pytest.raises(ModelError, match=r"No entailment model .*none.*or use the default") as caught:
        other.scoring.score(run, "groundedness_nli")
    assert "\n" not in str(caught.value)
    other.scoring.score(run, "token_f1")  # and costs nobody else anything


def test_a_store_of_an_earlier_version_names_its_claim_verifier_otherwise_and_is_as_fresh(
    workspace: Workspace,
    run: RunInfo,
    use,  # type: ignore[no-untyped-def]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use(Encoder(), Entailment())
    names = "groundedness_nli,faithfulness,context_recall"
    written = ScoreTable.to_bytes
    monkeypatch.setattr(ScoreTable, "to_bytes", lambda table: _with_earlier_words(written(table)))
    workspace.scoring.score(run, names)
    monkeypatch.undo()
    idle = Entailment()
    use(Encoder(), idle)
    (stored,) = (Path(workspace.settings.artifacts) / "scores").rglob("*.parquet")
    earlier = json.loads(pq.read_schema(stored).metadata[b"hcat"])["parameters"]
    assert earlier["faithfulness"] == {"judge": {"by": "nli", "name": "nli", "revision": "1" * 64, **READING}}
    before = workspace.scoring.table(run)
    assert before is not None
    assert before.provenance.parameters["faithfulness"] == {"verifier": earlier["faithfulness"]["judge"]}
    table = workspace.scoring.score(run, "answer_length")
    assert idle.taken == 0
    for name in before.metrics:
        assert (table.values(name) == before.values(name)).all()


def _with_earlier_words(content: bytes) -> bytes:
    """A score file as versions before the word "verifier" wrote it."""
    table = pq.read_table(io.BytesIO(content))
    provenance = json.loads(table.schema.metadata[b"hcat"])
    for given in provenance["parameters"].values():
        if "verifier" in given:
            given["judge"] = given.pop("verifier")
    sink = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"hcat": json.dumps(provenance)}), sink)
    return sink.getvalue()


def test_a_project_and_its_files_count_the_same_states(workspace: Workspace, use, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    use(Encoder(), Entailment())
    answers = {"right": "25", "declines": "I don't know.", "nothing": None}
    references = {"held": "25", "not held": "The handbook does not say.", "unknown": None}
    samples = [
        Sample(f"{kind} {known} {k}", "Fee?", answer, reference=reference, dimensions={"known": known})
        for kind, answer in answers.items()
        for known, reference in references.items()
        for k in range(2)
    ]
    run = workspace.runs.add(workspace.projects.create("states"), "r", samples, source="x")
    workspace.scoring.score(run, "answer_length,token_f1").write(tmp_path / "scores.parquet")
    stored, read = workspace.scoring.table(run), ScoreTable.read(tmp_path / "scores.parquet")
    assert stored is not None
    counts = {"answered": 6, "correct_refusal": 2, "wrong_refusal": 2, "refusal": 2, "no_answer": 6}
    assert stored.state_counts() == read.state_counts() == counts
    of_files = run_from_files(RunColumns("r", FileColumns(lambda: samples, lambda: read)))
    by_files = find_weaknesses(of_files, "token_f1", by=["known"], minimum_n=2).frame
    of_project = compare_slices(workspace.run_data.open(run), "token_f1", by=["known"], minimum_n=2).frame
    pd.testing.assert_frame_equal(by_files, of_project)
    levels = of_project.set_index("level_1")
    assert levels.loc["not held", [*counts]].tolist() == [2, 2, 0, 0, 2]
    assert levels.loc["held", [*counts]].tolist() == [2, 0, 2, 0, 2]
    assert levels.loc["unknown", [*counts]].tolist() == [2, 0, 0, 2, 2]
