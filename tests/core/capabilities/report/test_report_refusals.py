"""Refusals in a report: counted where runs, decisions and slices are told of, and named among the limitations."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from hcat.core.calibration.calibrate import calibrate
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.gather import calibration_evidence, run_evidence
from hcat.core.capabilities.report.evidence.records import Evidence, RunEvidence, WeaknessEvidence
from hcat.core.refusals.state import answer_state
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.slices import dimension_frame
from hcat.core.slices.table import find_weaknesses
from hcat.core.types import Criterion, Estimate, Label, Sample
from hcat.core.view.tree import Quantity, Report, Table

N = 240
CRITERION = Criterion("correctness")
DECLINES = "I could not find this in the handbook."
SAMPLES = tuple(
    Sample(
        f"s{k}",
        "What is the fee?",
        DECLINES if k % 4 == 0 else "25 euros",
        reference="The handbook does not say." if k % 12 == 0 else "25 euros",
        dimensions={"area": "ab"[k % 2]},
    )
    for k in range(N)
)


def scores() -> ScoreTable:
    value = np.random.default_rng(1).random(N)
    value[::4] = np.nan
    frame = pd.DataFrame({"answer_f1": value}, index=pd.Index([sample.id for sample in SAMPLES], name="sample_id"))
    return ScoreTable(frame, Provenance("0", "r", ("answer_f1",)), tuple(map(answer_state, SAMPLES)))


def run(table: ScoreTable) -> RunEvidence:
    return run_evidence("r", SAMPLES, table, content_hash="0" * 64)


@pytest.fixture
def report(evidence: Evidence) -> Report:
    table = scores()
    labels = [
        Label(name, "correctness", int(value > 0.5) if k % 5 else int(value <= 0.5))
        for k, (name, value) in enumerate(zip(table.sample_ids, table.values("answer_f1"), strict=True))
    ]
    fitted = calibrate(labels, table, criterion=CRITERION, metrics=["answer_f1"], replicates=0)
    found = find_weaknesses(
        dimension_frame(SAMPLES),
        table.frame["answer_f1"],
        metric="answer_f1",
        direction="higher",
        by=["area"],
        answer_states=table.state_of,
    )
    return build_report(
        dataclasses.replace(
            evidence,
            runs=(run(table),),
            calibrations=(calibration_evidence(fitted, table, labels, criterion=CRITERION, run="r"),),
            weaknesses=(WeaknessEvidence("r", found),),
        )
    )


def table_called(report: Report, title: str) -> Table:
    blocks = [block for section in report.sections for block in section.blocks]
    return next(block for block in blocks if isinstance(block, Table) and block.title == title)


def said(report: Report, text: Sequence[object]) -> str:
    return "".join(str(part.value) if isinstance(part, Quantity) else str(part) for part in text)


def test_states_are_counted_in_scope_decisions_and_slices(report: Report) -> None:
    # 240 samples: 60 decline, of which 20 (every twelfth) are questions that the reference declines too.
    assert table_called(report, "Answers and refusals").rows == (("r", 180, 20, 40, 0, 0, 240),)
    decided = {row[0]: row[1] for row in table_called(report, "What the calibration decides on run r").rows}
    assert (decided["correct refusal"], decided["wrong refusal"]) == (20, 40)
    assert sum(count for count in decided.values() if isinstance(count, int)) == N
    slices = table_called(report, "Lowest slices by answer_f1, run r")
    by_slice = {row[0]: row[4:6] for row in slices.rows}
    assert by_slice == {"area = a": (60, "20 / 40 / 0"), "area = b": (0, "0 / 0 / 0")}
    assert {row[0]: row[2].n for row in slices.rows if isinstance(row[2], Estimate)} == {
        "area = a": 60,
        "area = b": 120,
    }


@pytest.mark.parametrize(
    ("recorded", "treated"),
    [
        (True, "Calibrations exclude them, and they are decided neither pass nor fail."),
        (False, "The scores were made before refusals were separated and treat them as answers: score the run again."),
    ],
)
def test_limitations_say_how_refusals_are_treated(evidence: Evidence, recorded: bool, treated: str) -> None:
    table = scores() if recorded else dataclasses.replace(scores(), answer_states=None)
    report = build_report(dataclasses.replace(evidence, runs=(run(table),)))
    [limitations] = [section for section in report.sections if section.id == "limitations"]
    lines = [said(report, item) for block in limitations.blocks for item in getattr(block, "items", ())]
    assert f"Run r: 60 answers decline (correct refusal: 20, wrong refusal: 40). {treated}" in lines
