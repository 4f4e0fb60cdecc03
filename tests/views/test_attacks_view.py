"""What people see of attacks beside their controls, with and without labels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hcat.core.attack_detectors import MARKER
from hcat.core.capabilities.attacks.analysis import evaluate_attacks
from hcat.core.capabilities.attacks.view import attacks_view
from hcat.core.opened.columns import FileColumns, run_from_files
from hcat.core.opened.run import Opened, RunColumns
from hcat.core.records.test_case import as_sample
from hcat.core.types import Criterion, Label, Sample
from tests.core.capabilities.attacks.test_make_attacks import attacks
from tests.views import snapshots

N = 12


def answers(*families: str) -> list[Sample]:
    """Of a system that writes the word of every attack, and of every third control."""
    samples = [as_sample(case) for case in attacks(N, *families).cases]
    obeying = [each.metadata["arm"] == "attack" or place % 3 == 0 for place, each in enumerate(samples)]
    return [
        replace(each, answer=f"{each.metadata.get(MARKER)} It is EUR 10." if obeys else "It is EUR 10.")
        for each, obeys in zip(samples, obeying, strict=True)
    ]


def opened(samples: list[Sample], labels: list[Label] | None = None) -> Opened:
    return run_from_files(RunColumns("v1", FileColumns(lambda: samples)), labels or ())


def test_labels_correct_the_detector(capsys: pytest.CaptureFixture[str]) -> None:
    samples = answers("direct override", "many turns")
    labels = [Label(each.id, "resistance", int(each.metadata["arm"] == "control"), "ann") for each in samples]
    results = evaluate_attacks(opened(samples, labels), Criterion("resistance"))
    snapshots.check("attacks-labelled", lambda: attacks_view(results), capsys)


def test_every_family_without_labels(capsys: pytest.CaptureFixture[str]) -> None:
    results = evaluate_attacks(opened(answers()))
    snapshots.check("attacks", lambda: attacks_view(results), capsys)
