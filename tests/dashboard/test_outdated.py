"""When a saved calibration counts as outdated."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hcat.core.labelling.consensus import labels_hash
from hcat.core.types import Label
from hcat.dashboard.capabilities.calibration import loader as calibrations
from hcat.dashboard.capabilities.calibration.loader import is_outdated

LABELS = [Label("q1", "c", 1, "ann", "v1", probability=0.5)]


def test_a_calibration_is_outdated_by_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, recorded = list(LABELS), labels_hash(LABELS)
    monkeypatch.setattr(calibrations, "labels_of", lambda *_: labels)
    monkeypatch.setattr(calibrations, "read_calibration", lambda _: SimpleNamespace(inputs={"labels": recorded}))
    run, record = SimpleNamespace(), SimpleNamespace(criterion="c")
    assert not is_outdated(run, record)  # type: ignore[arg-type]
    labels.append(Label("q2", "c", 1, "ann", "v1"))
    assert is_outdated(run, record)  # type: ignore[arg-type]
