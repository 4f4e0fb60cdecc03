"""A collection against a server that fails on purpose, killed again and again: every answer, each paid once.

10 % of the requests get 429, 5 % get 500, 2 % hang. The server charges for an idempotency key once.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from hcat.core.capabilities.collect.test_set import read_test_cases
from tests.core.capabilities.collect.servers import Response, Seen, serving

ANSWERS = 300
PER_MINUTE = 12_000
ROOT = Path(__file__).parents[4]

COLLECT = """
import sys
from pathlib import Path
from hcat.core.capabilities.collect.collect import Collection
from hcat.core.capabilities.collect.description import read_target
from hcat.core.capabilities.collect.opening import open_system
from hcat.core.capabilities.collect.test_set import read_test_cases

folder = Path(sys.argv[1])
target = read_target(folder / "target.yaml")
cases = read_test_cases(folder / "tests.jsonl")
asked = Collection(
    cases, open_system(target, allow_private=True), limits=target.limits, trials=3, journal=folder / "journal"
)
print("ready", flush=True)
found = asked.run()
print("complete" if found.complete and not found.failures else found, flush=True)
"""


@pytest.mark.parametrize("wanted", [4, pytest.param(20, marks=pytest.mark.slow)])
def test_every_answer_once_through_failures_and_kills(tmp_path: Path, wanted: int) -> None:
    chance = random.Random(4)
    lock = threading.Lock()
    paid: Counter[str] = Counter()
    answers: dict[str, str] = {}

    def faulty(seen: Seen) -> Response:
        with lock:
            draw = chance.random()
        if draw < 0.10:
            return Response({}, status=429, headers={"retry-after": "0.02"})
        if draw < 0.15:
            return Response({}, status=500)
        with lock:
            if seen.key not in answers:
                content = seen.content
                assert isinstance(content, dict)
                paid[seen.key] += 1
                answers[seen.key] = f"to {content['q']}, number {len(answers)}"
        return Response({"answer": answers[seen.key]}, delay=5.0 if draw < 0.17 else 0.01)

    cases = [{"id": f"c{number}", "query": f"question {number}"} for number in range(ANSWERS // 3)]
    (tmp_path / "tests.jsonl").write_text("\n".join(json.dumps(case) for case in cases), "utf-8")
    with serving(faulty) as server:
        (tmp_path / "target.yaml").write_text(
            f"kind: http\nurl: {server.url}\nbody: {{q: '{{{{query}}}}'}}\nanswer: $.answer\n"
            f"timeout: 0.5\nbackoff: 0.01\nattempts: 20\nconcurrency: 4\nrequests_per_minute: {PER_MINUTE}\n",
            "utf-8",
        )
        kills = 0
        while True:
            process = subprocess.Popen(
                [sys.executable, "-c", COLLECT, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
            )
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            before = len(server.seen)
            if kills < wanted:
                # Killed after some requests of this process, in the middle of others.
                goal = before + chance.randint(1, 14)
                while len(server.seen) < goal and process.poll() is None:
                    threading.Event().wait(0.002)
                process.kill()
                kills += 1
                process.communicate()
                continue
            [said] = process.communicate(timeout=300)[0].split("\n")[:1]
            assert said == "complete"
            break
    replies = [json.loads(line) for line in (tmp_path / "journal").read_text("utf-8").splitlines()]
    answered = Counter(tuple(line["answered"]) for line in replies if "answered" in line)
    assert len(answered) == ANSWERS
    assert set(answered.values()) == {1}
    assert len(paid) == ANSWERS and set(paid.values()) == {1}
    assert sorted(line["reply"]["answer"] for line in replies if "answered" in line) == sorted(answers.values())
    # No two trials of a case have one answer.
    assert len(set(answers.values())) == ANSWERS
    assert len(read_test_cases(tmp_path / "tests.jsonl")) == ANSWERS // 3
    assert kills == wanted
