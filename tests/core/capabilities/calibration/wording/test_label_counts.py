from __future__ import annotations

import dataclasses
import json

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.wording.label_counts import labels_to_samples
from hcat.core.labelling.consensus import resolve_labels
from hcat.core.settings import ROOT
from hcat.core.types import Criterion, Label

FILE = ROOT / "tests" / "core" / "records" / "documents" / "isotonic.json"


def test_labels_decisions_and_samples_add_up() -> None:
    fitted = dataclasses.replace(
        Calibration.from_document(json.loads(FILE.read_text("utf-8"))),
        split_sizes={"fit": 4, "conformal": 2, "check": 1},
        left_out={"tie": 1, "unscored": 2, "refusal": 0},
    )
    labels = [Label(f"s{k}", "correctness", 1, "ann") for k in range(10)]
    labels += [Label("s0", "correctness", 0, "bea"), Label("s1", "correctness", 0, "bea")]
    labels.append(Label("s1", "correctness", 0, "lead", source="adjudication"))
    judged = resolve_labels(labels, Criterion("correctness"))
    assert labels_to_samples(judged, fitted) == (
        "12 labels and 1 decision on 10 samples. 7 of these samples are used: 4 fit the curve, 2 set the threshold, 1 "
        "check both. 3 are not: 1 tied between annotators, 2 without a score that the map needs."
    )
    assert fitted.labelled_samples + judged.ties + 2 == 10
