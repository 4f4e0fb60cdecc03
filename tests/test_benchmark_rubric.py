"""The measurement of a distilled rubric, over a loopback server: asked once, and counted again without asking."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.growth import StubEncoder
from benchmarks.judge_rubric import main
from tests.core.models.llm.scripted import Asked, Endpoint, Raw, endpoint


def answer(asked: Asked) -> dict[str, Any]:
    """A judge that says 5 by its own rubric where people rated well, and 1 by the first."""
    if asked.prompt == "distil_rubric":
        return {"question": "Is it fine?", "levels": {str(score): f"level {score}" for score in range(1, 6)}}
    [name] = asked.body["response_format"]["json_schema"]["schema"]["properties"]
    by_own = "Is it fine?" in asked.body["messages"][0]["content"]
    return {name: {"score": 5 if by_own and "well" in asked.data["item"]["answer"] else 1, "reason": "read"}}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sets") / "ordinal"
    folder.mkdir()
    said = ["It ended well.", "It ended."]
    alce = [
        {"run": "r", "id": f"{n}", "question": f"How did {n} end?", "output": said[n % 2],
         "utility_score": 1 if n % 2 else 5, "automatic_correctness_scores": [True, bool(n % 2)]}
        for n in range(60)
    ]  # fmt: skip
    (folder / "alce_utility.jsonl").write_text("\n".join(map(json.dumps, alce)), "utf-8")
    scores = {"understandability": 1.0, "naturalness": 2.0, "coherence": 3.0, "engagingness": 1.5, "groundedness": 0.0}
    usr = [
        {"source": f"Tell me of {n}.", "system_output": said[n % 2], "scores": scores | {"overall": 5.0 - 4 * (n % 2)}}
        for n in range(60)
    ]
    (folder / "topical_chat_usr.jsonl").write_text("\n".join(map(json.dumps, usr)), "utf-8")
    return folder.parent


def measured(server: Endpoint, data: Path, journal: Path, *, name: str, capsys: pytest.CaptureFixture[str]) -> str:
    words = ["judge_rubric", str(data), "--endpoint", server.url, "--model", "m", "--journal", str(journal)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("benchmarks.judge.load_encoder", StubEncoder)
        patch.setattr(sys, "argv", [*words, "--set", name, "--most", "10"])
        main()
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["ALCE", "USR"])
def test_a_gain_is_told_with_its_interval_and_counted_again_from_the_journal(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with endpoint(answer) as server:
        said = measured(server, data, tmp_path / "j.jsonl", name=name, capsys=capsys)
        assert f"{name}: 10 held-out answers" in said
        assert "Is it fine?" in said and "5 = level 5" in said
        assert "κ with people by the distilled rubric 1.00" in said
        assert "10 held-out answers that neither was written from" in said
        assert said.count("Fit for use: not shown to be fit") == 2
        asked = server.calls
        assert asked == 1 + 2 * 10
        assert measured(server, data, tmp_path / "j.jsonl", name=name, capsys=capsys) == said
        assert server.calls == asked


def test_a_model_that_writes_no_rubric_is_told(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with endpoint(lambda asked: Raw(200, json.dumps(
        {"choices": [{"message": {"content": "no"}, "finish_reason": "stop"}], "model": "m",
         "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10}}
    ))) as server:  # fmt: skip
        assert "The model wrote no rubric" in measured(server, data, tmp_path / "j.jsonl", name="ALCE", capsys=capsys)
