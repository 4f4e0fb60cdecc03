"""Stored runs and the command line with a language model: who verified claims is told and never mixed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from hcat.core.errors import ModelError
from hcat.core.models.llm.loading import load_language
from hcat.core.models.nli.entailment import EntailmentResult, Pair
from hcat.core.project import scoring
from hcat.core.records.project import RunInfo
from hcat.core.settings import Settings
from hcat.core.types import Passage, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.core.models.llm.scripted import SECRET, Answer, Asked, Endpoint
from tests.core.models.llm.test_claim_verifier import OneHot
from tests.core.scoring.model_sets import model_set

SAMPLES = [
    Sample(f"s{n}", "What is the fee?", f"The fee is {n}.", (Passage("p", "The fee is 12."),), "The fee is 12.")
    for n in range(3)
]


class Never:
    """An entailment model that finds nothing entailed."""

    name, revision, pieces = "never", "cd" * 32, 256

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        return EntailmentResult.of(np.full(len(pairs), -1.0))


def always(asked: Asked) -> Answer:
    """Every text makes one claim, which is supported; questions are what they are."""
    if asked.prompt == "extract_claims":
        return {"claims": [asked.data["text"]]}
    if asked.prompt == "reverse_questions":
        return {f"question_{number}": "What is the fee?" for number in (1, 2, 3)}
    return {name: {"reason": "", "verdict": "supported"} for name in asked.data["claims"]}


def opened(folder: Path, endpoint: Endpoint | None) -> Workspace:
    given = {} if endpoint is None else {"llm_base_url": endpoint.url, "llm_model": "judge-1"}
    return Workspace.open(
        Settings(
            _env_file=None,
            database_url=f"sqlite:///{folder / 'h.db'}",
            artifacts=str(folder / "artifacts"),
            llm_api_key=SecretStr(SECRET),
            **given,
        )
    )


@pytest.fixture
def workspace(scripted: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    for name in ("BASE_URL", "MODEL", "API_KEY"):
        monkeypatch.delenv(f"HCAT_LLM_{name}", raising=False)
    monkeypatch.setattr(
        "hcat.core.models.encoder.encoder.load_encoder", lambda name="default", *, device="cpu": OneHot()
    )
    monkeypatch.setattr("hcat.core.models.nli.loading.load_entailment", lambda name="default", *, device="cpu": Never())
    scripted.answer = always
    found = opened(tmp_path, scripted)
    found.projects.create("P")
    found.runs.add("P", "r", SAMPLES, source="r.jsonl")
    yield found
    found.close()


def the_run(workspace: Workspace) -> RunInfo:
    return workspace.runs.get("P", "r")


def verifier_of(workspace: Workspace, metric: str = "faithfulness") -> Any:
    table = workspace.scoring.table(the_run(workspace))
    assert table is not None
    parameters: Any = table.provenance.parameters[metric]
    return parameters["verifier"]


def test_entailment_verifies_unless_somebody_asks_for_the_language_model(
    workspace: Workspace, scripted: Endpoint
) -> None:
    table = workspace.scoring.score(the_run(workspace), "faithfulness")
    assert (table.values("faithfulness").tolist(), verifier_of(workspace)["by"], scripted.calls) == (
        [0.0] * 3,
        "nli",
        0,
    )
    table = workspace.scoring.score(the_run(workspace), "faithfulness", claims="llm")
    assert (table.values("faithfulness").tolist(), verifier_of(workspace)["by"]) == ([1.0] * 3, "llm")
    assert scripted.calls > 0


def test_a_table_holds_one_verifiers_verdicts(workspace: Workspace) -> None:
    run = the_run(workspace)
    workspace.scoring.score(run, "faithfulness,answer_length", claims="llm")
    table = workspace.scoring.score(run, "context_recall")  # whoever verified before verifies again
    assert verifier_of(workspace, "context_recall") == verifier_of(workspace, "faithfulness")
    assert table.values("context_recall").tolist() == [1.0] * 3
    table = workspace.scoring.score(run, "context_recall", claims="nli")
    assert (verifier_of(workspace)["by"], verifier_of(workspace, "context_recall")["by"]) == ("nli", "nli")
    assert table.values("faithfulness").tolist() == [0.0] * 3
    assert "answer_length" in table.metrics


def test_an_explanation_is_the_verifiers_whose_score_it_explains(workspace: Workspace) -> None:
    workspace.scoring.score(the_run(workspace), "faithfulness", claims="llm")
    found: Any = workspace.scoring.explain(the_run(workspace), "s1", ["faithfulness"])["faithfulness"]
    assert found["claims"][0]["asked"]["model"] == "judge-1"
    workspace.scoring.score(the_run(workspace), "faithfulness", claims="nli")
    found = workspace.scoring.explain(the_run(workspace), "s1", ["faithfulness"])["faithfulness"]
    assert "asked" not in found["claims"][0]


def test_a_job_scores_by_the_verifier_that_it_was_given(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hcat.core.project.jobs.Jobs._launch", lambda jobs, job_id, *_: jobs.get(job_id))
    job = workspace.jobs.start_scoring(the_run(workspace), ["faithfulness"], claims="llm")
    assert run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).status == "done"
    assert verifier_of(workspace)["by"] == "llm"


def test_without_an_endpoint_the_language_model_can_not_be_asked_for(workspace: Workspace, tmp_path: Path) -> None:
    run = the_run(workspace)
    workspace.scoring.score(run, "faithfulness,answer_relevance_reverse", claims="llm")
    without = opened(tmp_path, None)
    with pytest.raises(ModelError, match="HCAT_LLM_BASE_URL and HCAT_LLM_MODEL"):
        without.scoring.score(run, "faithfulness", claims="llm")
    table = without.scoring.score(run, "answer_length")  # other metrics are scored, and what is there is let be
    without.close()
    assert {"faithfulness", "answer_relevance_reverse", "answer_length"} == set(table.metrics)
    assert table.values("faithfulness").tolist() == [1.0] * 3
    assert verifier_of(workspace)["by"] == "llm"


def test_all_leaves_out_what_needs_an_endpoint_and_takes_it_in_with_one(workspace: Workspace, tmp_path: Path) -> None:
    run = the_run(workspace)
    without = opened(tmp_path, None)
    table = without.scoring.score(run, "all")
    without.close()
    assert "no language model is set" in table.provenance.left_out["answer_relevance_reverse"]
    table = workspace.scoring.score(run, "all")
    assert table.values("answer_relevance_reverse").tolist() == [1.0] * 3
    assert "answer_relevance_reverse" not in table.provenance.left_out


def test_no_secret_is_stored(workspace: Workspace, scripted: Endpoint, tmp_path: Path) -> None:
    workspace.scoring.score(the_run(workspace), "faithfulness,answer_relevance_reverse", claims="llm")
    assert scripted.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    stored = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(stored) > 5
    assert not any(SECRET.encode() in path.read_bytes() for path in stored)
    assert SECRET not in json.dumps(dict(workspace.scoring.table(the_run(workspace)).provenance.parameters))  # type: ignore[union-attr]


def test_the_workspaces_answers_are_those_of_the_command_line(workspace: Workspace, scripted: Endpoint) -> None:
    workspace.scoring.score(the_run(workspace), "faithfulness", claims="llm")
    before = scripted.calls
    model = load_language(workspace.settings)
    assert model is not None
    samples = workspace.runs.samples(the_run(workspace))
    from hcat.core.scoring.evaluate import score_samples

    score_samples(samples, metrics="faithfulness", models=model_set(OneHot(), language=model, verifier="llm"))
    assert scripted.calls == before
    assert scoring.verifier_of(workspace.scoring.table(the_run(workspace))) == "llm"
