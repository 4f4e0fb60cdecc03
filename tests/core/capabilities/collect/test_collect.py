"""Asking a whole test set: order, trials, retries, budget, cancelling, going on."""

from __future__ import annotations

import errno
import json
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.capabilities.collect.collect import Collection
from hcat.core.capabilities.collect.description import HttpTargetFile, PythonTargetFile, read_target
from hcat.core.capabilities.collect.journal import Journal
from hcat.core.capabilities.collect.opening import open_system
from hcat.core.capabilities.collect.reply import Limits
from hcat.core.capabilities.collect.test_set import read_test_cases
from hcat.core.errors import ConflictError, FileFormatError, HcatError, StorageError
from hcat.core.records import test_case as generated
from hcat.core.refusals.detection import answerable
from hcat.core.types import Sample
from tests.core.capabilities.collect.servers import Response, Seen, Server, serving

CASES = tuple(
    Sample(f"c{number}", f"question {number}", None, reference="r", group="g", dimensions={"topic": "t"})
    for number in range(6)
)


def echo(seen: Seen) -> Response:
    content = seen.content
    assert isinstance(content, dict)
    return Response({"answer": f"to {content['q']}", "contexts": [{"id": "p", "text": "text"}]})


def collection(
    server: Server, path: Path, *, cases: tuple[Sample, ...] = CASES, trials: int = 1, **limits: object
) -> Collection:
    target = HttpTargetFile(
        kind="http", url=server.url, body={"q": "{{query}}"}, answer="$.answer", contexts="$.contexts[*]"
    )
    options: dict[str, object] = {"concurrency": 3, "backoff": 0.01, "timeout": 120.0}
    return Collection(
        cases,
        open_system(target, allow_private=True),
        limits=Limits(**{**options, **limits}),  # type: ignore[arg-type]
        trials=trials,
        journal=path,
    )


def test_every_trial_becomes_a_sample_in_order(tmp_path: Path) -> None:
    with serving(echo) as server:
        asked = collection(server, tmp_path / "j", trials=2)
        found = asked.run()
    assert (found.answered, found.answers, found.requests, found.complete) == (12, 12, 12, True)
    samples = asked.samples()
    assert [sample.id for sample in samples][:3] == ["c0#1", "c0#2", "c1#1"]
    first = samples[1]
    assert (first.test_case, first.trial, first.answer) == ("c0", 1, "to question 0")
    assert (first.group, first.reference, first.dimensions) == ("g", "r", {"topic": "t"})
    assert first.contexts[0].id == "p"
    assert len({seen.key for seen in server.seen}) == 12


def test_what_is_there_is_never_asked_for_again(tmp_path: Path) -> None:
    with serving(echo) as server:
        collection(server, tmp_path / "j").run()
        found = collection(server, tmp_path / "j").run()
    assert len(server.seen) == 6
    assert found.answered == 6


def test_passing_failures_are_repeated_under_the_same_key(tmp_path: Path) -> None:
    times: Counter[str] = Counter()

    def flaky(seen: Seen) -> Response:
        times[seen.key] += 1
        return Response({}, status=500) if times[seen.key] < 3 else echo(seen)

    with serving(flaky) as server:
        found = collection(server, tmp_path / "j").run()
    assert found.answered == 6
    assert set(times.values()) == {3}
    assert found.requests == 18


def test_a_failure_is_unscored_with_its_reason_and_can_be_asked_again(tmp_path: Path) -> None:
    broken = True

    def half(seen: Seen) -> Response:
        content = seen.content
        assert isinstance(content, dict)
        return Response({}, status=422) if broken and content["q"] == "question 1" else echo(seen)

    with serving(half) as server:
        asked = collection(server, tmp_path / "j")
        found = asked.run()
        assert found.failures == {"HTTP 422": 1}
        failed = asked.samples()[1]
        assert (failed.answer, failed.metadata) == (None, {"failure": "HTTP 422"})
        assert collection(server, tmp_path / "j").plan().failed == 1
        broken = False
        again = collection(server, tmp_path / "j").run(again=True)
    assert (again.answered, again.failures) == (6, {})
    assert len(server.seen) == 7


def test_after_some_attempts_it_is_a_failure(tmp_path: Path) -> None:
    with serving(lambda _: Response({}, status=503)) as server:
        found = collection(server, tmp_path / "j", cases=CASES[:1], attempts=3).run()
    assert found.failures == {"HTTP 503 (3 requests)": 1}
    assert len(server.seen) == 3


def test_retry_after_holds_for_every_thread(tmp_path: Path) -> None:
    def busy(seen: Seen) -> Response:
        return Response({}, status=429, headers={"retry-after": "0.5"}) if seen.number == 1 else echo(seen)

    with serving(busy) as server:
        collection(server, tmp_path / "j", concurrency=1).run()
    waited = server.seen[1].at - server.seen[0].at
    assert waited >= 0.5


def test_a_set_rate_slows_all_threads_together(tmp_path: Path) -> None:
    with serving(echo) as server:
        began = time.monotonic()
        collection(server, tmp_path / "j", trials=2, per_minute=1200).run()
        took = time.monotonic() - began
    # 1,200 a minute are 20 a second: 11 steps of 50 ms between 12 requests, however many threads there are.
    assert len(server.seen) == 12
    assert took >= 11 * 0.05


def test_a_budget_ends_it_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with serving(echo) as server:
        first = collection(server, tmp_path / "j", requests=4)
        found = first.run()
        assert (found.complete, found.answered) == (False, 4)
        assert "budget of 4 requests" in found.stopped
        plan = collection(server, tmp_path / "j", requests=10, price=0.5).plan()
        assert (plan.answered, plan.most_requests, plan.cost) == (4, 6, 1.0)
        assert collection(server, tmp_path / "j").run().answered == 6
    assert len(server.seen) == 6


def test_cancelling_loses_nothing(tmp_path: Path) -> None:
    stop = threading.Event()

    def slow(seen: Seen) -> Response:
        if seen.number == 3:
            stop.set()
        return Response(echo(seen).content, delay=0.15)

    with serving(slow) as server:
        found = collection(server, tmp_path / "j", concurrency=1).run(stop=stop)
        assert found.stopped == "cancelled"
        asked = len(server.seen)
        assert found.answered == asked < 6
        assert collection(server, tmp_path / "j").run().answered == 6
    assert len(server.seen) == 6


def test_a_system_that_refuses_all_ends_it_at_once(tmp_path: Path) -> None:
    with serving(lambda _: Response({}, status=401)) as server:
        with pytest.raises(HcatError, match="refuses access"):
            collection(server, tmp_path / "j", concurrency=1).run()
        assert len(server.seen) == 1


def test_a_dry_run_asks_nothing_and_leaves_nothing(tmp_path: Path) -> None:
    with serving(echo) as server:
        plan = collection(server, tmp_path / "j", trials=3, price=0.01, attempts=5).plan()
    assert (plan.answers, plan.answered, plan.most_requests) == (18, 0, 90)
    assert plan.cost == pytest.approx(0.18)
    assert not server.seen
    assert not (tmp_path / "j").exists()


def test_a_journal_of_other_tests_is_refused(tmp_path: Path) -> None:
    with serving(echo) as server:
        collection(server, tmp_path / "j").run()
        with pytest.raises(ConflictError, match="other tests"):
            collection(server, tmp_path / "j", cases=CASES[:3]).run()
        with pytest.raises(ConflictError, match="other tests"):
            collection(server, tmp_path / "j", trials=2).run()
    (tmp_path / "other").write_text("no journal\n", "utf-8")
    with serving(echo) as server, pytest.raises(FileFormatError, match="no journal"):
        collection(server, tmp_path / "other").run()


def test_an_unfinished_line_is_dropped_and_asked_under_the_same_key(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with serving(echo) as server:
        collection(server, path, concurrency=1).run()
        keys = [seen.key for seen in server.seen]
        content = path.read_bytes()
        path.write_bytes(content[:-20])  # as a kill in the middle of writing the last answer
        assert collection(server, path, concurrency=1).plan().unknown == 1
        assert collection(server, path, concurrency=1).run().answered == 6
    assert [seen.key for seen in server.seen] == [*keys, keys[-1]]
    lines = path.read_text("utf-8").splitlines()
    assert all(json.loads(line) for line in lines)


def test_a_python_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_rag.py").write_text(
        "def ask(query, shout=False):\n"
        "    if query == 'question 2':\n        raise RuntimeError('broken')\n"
        "    text = query.upper() if shout else query\n"
        "    return {'answer': text, 'contexts': ['one', {'id': 'b', 'text': 'two'}]}\n",
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    system = open_system(
        PythonTargetFile(kind="python", callable="my_rag:ask", settings={"shout": True}), allow_private=False
    )
    asked = Collection(CASES, system, limits=Limits(), trials=1, journal=tmp_path / "j")
    found = asked.run()
    assert found.failures == {"the function raised RuntimeError: broken": 1}
    assert asked.samples()[0].answer == "QUESTION 0"
    assert [passage.text for passage in asked.samples()[0].contexts] == ["one", "two"]
    with pytest.raises(FileFormatError, match="can't be imported"):
        open_system(PythonTargetFile(kind="python", callable="my_rag:nothing"), allow_private=False)


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with serving(echo) as server:
        collection(server, tmp_path / "j", concurrency=1).run(on_answer=lambda done, of: told.append((done, of)))
    assert told == [(number, 6) for number in range(1, 7)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: http\nanswer: $.a\n", "url is missing: add it"),
        ("kind: gopher\n", "kind: expected http, chat, python or demo, not 'gopher'"),
        ("url: http://x\n", "kind: expected http, chat, python or demo. `hcat collect --example http` prints"),
        ("kind: http\nurl: http://x\nanswer: $.a\ncolour: red\n", "colour is no field of this kind of target"),
        ("kind: http\nurl: http://x\nanswer: $.a\ntimeout: -1\n", "timeout: expected a number above 0"),
        ("kind: http\nurl: http://x\nanswer: $.a\nconcurrency: 65\n", "concurrency: expected a number of at most 64"),
        ("kind: http\nurl: http://x\nanswer: $.a\nconcurrency: many\n", "concurrency: expected a whole number"),
        ("kind: http\nurl: 1\nanswer: $.a\n", "url: expected a text"),
        ("kind: http\nurl: http://x\nanswer: $.a\nheaders: no\n", "headers: expected names with values"),
        ("kind: http\nurl: http://x\nanswer: $.a\nmethod: PUT\n", "method: expected 'GET' or 'POST', not 'PUT'"),
        ("a: [1\n", "no YAML: line 2"),
        ("just words", "expected fields"),
    ],
)
def test_a_wrong_target_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(FileFormatError, match=said) as caught:
        read_target(path)
    assert "\n" not in str(caught.value)


def test_test_cases_keep_what_they_say_of_themselves(tmp_path: Path) -> None:
    path = tmp_path / "tests.jsonl"
    row = {
        "id": "a",
        "query": "q",
        "reference": "r",
        "passages": ["p1"],
        "topic": "fees",
        "type": "yes/no",
        "difficulty": "easy",
        "probability": 0.25,
        "generator": "rule",
        "key_fact": "12 euros",
        "variant": {"family": "spelling", "of": "a0", "strength": 0.2},
    }
    path.write_text(json.dumps(row) + "\n", "utf-8")
    [case] = read_test_cases(path)
    assert case.dimensions == {"topic": "fees", "query_type": "yes/no", "difficulty": "easy"}
    assert case.metadata == {"probability": 0.25, "generator": "rule", "key_fact": "12 euros", "passages": ["p1"]}
    assert (case.relevant_ids, case.test_case) == ({"p1": 1}, "a")
    assert case.variant is not None and case.variant.of == "a0"
    path.write_text('{"id": "a"}\n', "utf-8")
    with pytest.raises(FileFormatError, match="query"):
        read_test_cases(path)
    for broken in ("{", "[" * 100_000):
        path.write_text(broken + "\n", "utf-8")
        with pytest.raises(FileFormatError, match="line 1 is no JSON"):
            read_test_cases(path)


def test_a_file_of_generated_cases_is_asked_as_the_cases_of_a_project_are(tmp_path: Path) -> None:
    cases = (
        generated.TestCase("a", "Which fee?", "5 euros", ("p1", "p2"), topic="fees", probability=0.5, grades={"p2": 2}),
        generated.TestCase("b", "Which bonus?", None, nearest=("p9",), type="unanswerable"),
    )
    path = tmp_path / "tests.jsonl"
    path.write_text(generated.test_cases_jsonl(cases), "utf-8")
    of_file = read_test_cases(path)
    for read, stored in zip(of_file, map(generated.as_sample, cases), strict=True):
        assert replace(read, metadata={}) == replace(stored, metadata={})
        assert stored.metadata.items() <= read.metadata.items()
    assert [answerable(sample) for sample in of_file] == [True, False]


def test_a_full_disk_stops_all_and_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0

    def full_soon(_: int) -> None:
        nonlocal written
        written += 1
        if written > 5:
            raise OSError(errno.ENOSPC, "No space left on device")

    with serving(echo) as server:
        monkeypatch.setattr("hcat.core.capabilities.collect.journal.os.fsync", full_soon)
        with pytest.raises(StorageError, match=r"No space left on device.*make room"):
            collection(server, tmp_path / "j", concurrency=1).run()
        assert len(server.seen) < 6
        monkeypatch.undo()
        assert collection(server, tmp_path / "j").run().answered == 6


def test_waiting_ends_when_cancelled(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with serving(lambda _: Response({}, status=429, headers={"retry-after": "3600"})) as server:
        found = collection(server, tmp_path / "j").run(stop=stop)  # and not an hour later
    assert found.stopped == "cancelled"


def test_two_processes_never_write_one_journal(tmp_path: Path) -> None:
    with serving(echo) as server:
        journal = Journal(tmp_path / "j", collection(server, tmp_path / "j")._header)
        with pytest.raises(ConflictError, match="being written by another process"):
            collection(server, tmp_path / "j").run()
        journal.close()
        assert collection(server, tmp_path / "j").run().answered == 6
