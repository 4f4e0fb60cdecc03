"""`hcat judge` and `hcat collect` killed at random moments: the same command again ends as if nothing had happened.

A server on the loopback counts what it is asked. A kill may lose the answers that were under way, and no other.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hcat.core.records.run_file import to_jsonl
from hcat.core.settings import settings
from hcat.core.types import Passage, Sample
from tests.core.capabilities.collect.servers import Response, Seen, Server, serving
from tests.core.executors.killing import ends_of_killed_commands
from tests.core.models.llm.scripted import Asked, Endpoint, endpoint

N, KILLS, PARALLEL = 80, 5, 3
"""Answers wanted; kills, each after at most `MOST` further requests; requests at once."""
MOST = 14


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.setenv("HCAT_ALLOW_PRIVATE_TARGETS", "1")
    monkeypatch.setenv("HCAT_LLM_PARALLEL", str(PARALLEL))
    settings.cache_clear()
    yield
    settings.cache_clear()


def check_asked(questions: Counter[str]) -> None:
    """Everything was asked, and again only what a kill can have interrupted."""
    assert len(questions) == N
    assert questions.total() - N <= KILLS * PARALLEL
    assert max(questions.values()) <= 1 + KILLS


def read(asked: Asked) -> dict[str, Any]:
    score = 1 + len(asked.data["item"]["answer"]) % 5
    return {
        name: {"reason": "read", "score": score}
        for name in asked.body["response_format"]["json_schema"]["schema"]["properties"]
    }


def judge_into(folder: Path, server: Endpoint) -> tuple[list[str], tuple[Path, ...]]:
    """The command, and the files that it writes."""
    folder.mkdir()
    run, files = folder / "run.jsonl", tuple(folder / name for name in ("s.parquet", "v.jsonl", "llm.csv"))
    samples = (
        Sample(f"s{n}", f"What is {n}?", "x" * (n + 1), (Passage("p", f"It is {n}."),), f"{n}") for n in range(N)
    )
    run.write_text(to_jsonl(tuple(samples)), "utf-8")
    outputs = ("-o", str(files[0]), "--verdicts", str(files[1]), "--llm-labels", str(files[2]))
    asking = ("--endpoint", server.url, "--model", "small", "--criteria", "captured_rate")
    return ["judge", str(run), *outputs, *asking], files


def test_judging_goes_on_after_kills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(read) as server:
        command, files = judge_into(tmp_path / "killed", server)
        ends = ends_of_killed_commands(command, lambda: server.calls, kills=KILLS, most=MOST)
        assert ends == [-signal.SIGKILL] * KILLS + [0]
        check_asked(Counter(asked.data["item"]["reference"] for asked in server.asked))
        before = server.calls
        assert ends_of_killed_commands(command, lambda: server.calls, kills=0, most=0) == [0]
        assert server.calls == before
        monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "other"))
        settings.cache_clear()
        command, undisturbed = judge_into(tmp_path / "undisturbed", server)
        assert ends_of_killed_commands(command, lambda: server.calls, kills=0, most=0) == [0]
        assert server.calls == before + N
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in undisturbed]


def echo(seen: Seen) -> Response:
    assert isinstance(seen.content, dict)
    return Response({"answer": f"answer to {seen.content['q']}", "contexts": ["text"]})


def collect_into(folder: Path, server: Server) -> tuple[list[str], Path]:
    """The command, and the run file that it writes."""
    folder.mkdir()
    tests, target, output = folder / "tests.jsonl", folder / "target.yaml", folder / "run.jsonl"
    cases = ({"id": f"c{n}", "query": f"What is {n}?"} for n in range(N // 2))
    tests.write_text("".join(json.dumps(case) + "\n" for case in cases), "utf-8")
    target.write_text(
        f"kind: http\nurl: {server.url}\nbody: {{q: '{{{{query}}}}'}}\nanswer: $.answer\ncontexts: $.contexts[*]\n"
        f"backoff: 0\nconcurrency: {PARALLEL}\n",
        "utf-8",
    )
    return ["collect", str(tests), "--target", str(target), "-o", str(output), "--trials", "2"], output


def without_times(run: Path) -> list[dict[str, Any]]:
    """The run as it was collected, but for how long answers took."""
    rows = [json.loads(line) for line in run.read_text("utf-8").splitlines()]
    for row in rows:
        row.get("metadata", {}).pop("seconds", None)
    return rows


def test_collecting_goes_on_after_kills(tmp_path: Path) -> None:
    with serving(echo) as server:
        command, output = collect_into(tmp_path / "killed", server)
        ends = ends_of_killed_commands(command, lambda: len(server.seen), kills=KILLS, most=MOST)
        assert ends == [-signal.SIGKILL] * KILLS + [0]
        check_asked(Counter(seen.key for seen in server.seen))
        before = len(server.seen)
        command, undisturbed = collect_into(tmp_path / "undisturbed", server)
        assert ends_of_killed_commands(command, lambda: len(server.seen), kills=0, most=0) == [0]
        assert len(server.seen) == before + N
    assert without_times(output) == without_times(undisturbed)
