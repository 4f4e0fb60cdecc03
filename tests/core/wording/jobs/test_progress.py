"""How far long work is, in words."""

from __future__ import annotations

import pytest

from hcat.core.types import Progress
from hcat.core.wording.jobs.progress import clock_text, progress_text, remaining_seconds, stage_text
from hcat.dashboard.commands.output import ProgressLines


def test_the_stage_the_whole_and_the_time() -> None:
    text = progress_text(Progress("verify", 40, 67, 0.25), elapsed=30)
    assert text == "Checking claims, 40 of 67 · 25% in all · 0:30, about 1:30 left"  # 30 s for a quarter
    assert progress_text(Progress("load", 0, 0, 0.0), elapsed=61) == "Loading the models · 0% in all · 1:01"
    assert stage_text("answer (baseline)") == "Answer (baseline)"
    assert clock_text(3723) == "1:02:03"


@pytest.mark.parametrize(("share", "elapsed"), [(None, 60), (0.01, 60), (0.5, 2)])
def test_nobody_guesses_the_rest_too_early(share: float | None, elapsed: float) -> None:
    assert remaining_seconds(share, elapsed) is None


def test_without_a_terminal_a_line_is_written_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 1.0, 5.0, 6.0, 11.0])
    lines = ProgressLines(clock=lambda: next(times))
    for done in range(4):
        lines(Progress("encode", done, 4, done / 4))
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "hcat: Reading sentences, 1 of 4 · 25% in all · 0:05, about 0:15 left",
        "hcat: Reading sentences, 3 of 4 · 75% in all · 0:11, about 0:03 left",
    ]
