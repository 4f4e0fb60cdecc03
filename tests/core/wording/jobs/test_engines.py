"""What people read of who scores, and of who did."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from hcat.core.records.job import JobEngine, JobInfo
from hcat.core.wording.jobs.engines import engine_caption, last_engine_sentence, little_work_sentence, workers_text

JOB = JobInfo(
    *(1, 1, "score", {}, "done", 1, "", 0, 0, False, None, None),
    *(datetime(2026, 1, 1, tzinfo=UTC), None, None),
)


def test_an_engine_that_is_not_there_comes_with_what_to_do() -> None:
    assert "pip install hcat[ray]" in engine_caption("ray", None, ray=None)
    assert "on this server" in engine_caption("ray", None, ray="2.60.0")
    assert "10.0.0.1:6379, as the settings say" in engine_caption("ray", "10.0.0.1:6379", ray="2.60.0")


def test_a_single_shard_is_said_to_be_scored_by_one_process() -> None:
    assert little_work_sentence("local", 10, shard=1000) == ""
    assert little_work_sentence("ray", 1001, shard=1000) == ""
    assert "one process scores this run" in little_work_sentence("ray", 1000, shard=1000)


@pytest.mark.parametrize(
    ("asked", "used", "said"),
    [
        (None, None, ""),
        (None, JobEngine("local", 1), "The last scoring was done by one process."),
        (JobEngine("ray", 2), JobEngine("ray", 1), "The last scoring was done by 1 worker of Ray."),
        (JobEngine("ray"), JobEngine("local", 1), "The last scoring was done by one process, without Ray: there was"),
    ],
)
def test_who_did_the_work_is_said_of_a_job(asked: JobEngine | None, used: JobEngine | None, said: str) -> None:
    told = last_engine_sentence(replace(JOB, asked=asked, used=used))
    assert told.startswith(said) and bool(told) == bool(said)


def test_workers_are_counted() -> None:
    assert [workers_text(JobEngine("ray", n)) for n in (None, 1, 3)] == ["Ray", "1 worker of Ray", "3 workers of Ray"]
