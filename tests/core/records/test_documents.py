"""Documents that an earlier version wrote are read, and what is written has not changed by a byte."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hcat.core.calibration.calibration import TWO_LEVELS, Calibration
from hcat.core.capabilities.trials.variance_components import ComponentSplit
from hcat.core.capabilities.trials.wording import trials_document, variance_document
from hcat.core.errors import FileFormatError
from hcat.core.estimates.probabilistic import ProbabilisticScores
from hcat.core.records.codec import Codec
from hcat.core.records.layout import JsonObject
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.files import read_weaknesses, write_weaknesses
from hcat.core.slices.frozen import FrozenSelection
from hcat.core.types import JsonValue
from hcat.core.view.renderers.json_tree import render_json
from hcat.core.view.tree import Report
from tests.core.calibration.calibration_file import calibration_json
from tests.core.records.results import REPORT, RESULTS

FILES = Path(__file__).parent / "documents"
REPORT_TREE = Codec(tag="type")
CALIBRATIONS = ("logistic-by-topic", "isotonic", "combined", "ordinal-by-class", "multinomial", "xgboost")


@pytest.mark.parametrize("name", CALIBRATIONS)
def test_a_calibration_is_written_as_it_was_read(name: str) -> None:
    text = (FILES / f"{name}.json").read_text("utf-8")
    assert json.loads(calibration_json(Calibration.from_json(text))) == with_later_keys(json.loads(text))


def with_later_keys(document: JsonObject) -> JsonObject:
    """The document of an earlier version with what later ones add, each at its default."""
    added: JsonObject = {"use": None, "sets_by_score": None}
    diagnostics, evidence = document["diagnostics"], document["evidence"]
    assert isinstance(diagnostics, dict)
    added["diagnostics"] = diagnostics | {"auc_of_score": False}
    if isinstance(evidence, dict) and isinstance(evidence["discrimination"], dict):
        later = dict.fromkeys(("beaten_by", "independent", "alone", "planned", "auc_tested", "auc_alone"))
        repeated = evidence["repeated"]
        added["evidence"] = evidence | {
            "discrimination": evidence["discrimination"] | later,
            "repeated": repeated | {"coverage_level": None} if isinstance(repeated, dict) else None,
            "labels_needed": None,
        }
    assert isinstance(document["fit_for_use"], dict)
    added["fit_for_use"] = document["fit_for_use"] | {"conditions": []}
    return document | added


def test_a_calibration_from_before_there_were_levels_is_read() -> None:
    document = json.loads((FILES / "isotonic.json").read_text("utf-8"))
    for name in (
        *("levels", "passing", "conditional", "thresholds", "weighted", "proportional_odds"),
        *("evidence", "weights"),
    ):
        del document[name]
    for name in ("folds", "ece_corrected", "brier_parts", "decided", "cells"):
        del document["diagnostics"][name]
    for name in ("test_cases", "alike", "effective_n", "by_weight"):
        del document["threshold"][name]
    read = Calibration.from_document(document)
    assert (read.levels, read.passing, read.conditional, read.thresholds) == (TWO_LEVELS, 1, "none", None)
    assert read.diagnostics is not None and (read.diagnostics.folds, read.diagnostics.cells) == (1, {})
    assert (read.threshold.test_cases, read.threshold.alike) == (None, True)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("diagnostics.coverage.low", "0.5", r"diagnostics\.coverage\.low: a number was expected"),
        ("diagnostics.reliability.0.n", 1.5, r"diagnostics\.reliability\[0\]\.n: a whole number was expected"),
        ("q_hat", None, r"q_hat: a finite number was expected"),
        ("parameters.scores.1", None, r"parameters\.scores\[1\]: a finite number was expected"),
        ("threshold", 0.5, r"threshold: an object was expected"),
        ("fit_for_use.value", "maybe", r"fit_for_use\.value: “yes” or “not shown” or “no” was expected"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(path: str, value: object, message: str) -> None:
    document = json.loads((FILES / "isotonic.json").read_text("utf-8"))
    *owners, last = (int(part) if part.isdigit() else part for part in path.split("."))
    inner = document
    for part in owners:
        inner = inner[part]
    inner[last] = value
    with pytest.raises(FileFormatError, match=rf"no calibration of hcat \({message}\)"):
        Calibration.from_json(json.dumps(document))


def test_a_calibration_without_its_version_is_refused() -> None:
    document = json.loads((FILES / "isotonic.json").read_text("utf-8"))
    del document["hcat"]
    with pytest.raises(FileFormatError, match="hcat is missing"):
        Calibration.from_document(document)


@pytest.mark.parametrize("name", list(RESULTS))
def test_what_commands_print_has_not_changed(name: str) -> None:
    expected = json.loads((FILES / "results.json").read_text("utf-8"))[name]
    assert json.dumps(_document(name), indent=1) == json.dumps(expected, indent=1)


def test_a_report_is_written_as_before_and_read_again() -> None:
    written = (FILES / "report.json").read_bytes()
    assert render_json(REPORT) == written
    assert render_json(REPORT_TREE.read(Report, json.loads(written))) == written


def test_a_report_from_before_findings_had_pages_is_read() -> None:
    written = json.loads((FILES / "report-without-pages.json").read_bytes())
    assert render_json(REPORT_TREE.read(Report, written)) == (FILES / "report.json").read_bytes()


def test_a_report_with_an_unknown_block_is_refused() -> None:
    document = json.loads((FILES / "report.json").read_text("utf-8"))
    document["sections"][0]["blocks"][1]["type"] = "poem"
    with pytest.raises(FileFormatError, match=r"^sections\[0\]\.blocks\[1\]: an object of type “heading” or"):
        REPORT_TREE.read(Report, document)


def test_a_selection_keeps_its_hash() -> None:
    text = (FILES / "selection.json").read_text("utf-8")
    read = FrozenSelection.from_json(text)
    assert read.to_json() == text and read.sample_ids == ("q1", "q0")


def test_a_weakness_table_keeps_its_settings(tmp_path: Path) -> None:
    table = read_weaknesses(FILES / "weaknesses.parquet")
    write_weaknesses(table, tmp_path / "again.parquet", about={"hcat": "é"})
    paths = (tmp_path / "again.parquet", FILES / "weaknesses.parquet")
    again, before = (json.loads(_metadata(path)) for path in paths)
    added = {"ranges": {}, "labels": {}, "machine": [], "share": 1.0, "outside": 0, "pair_share": None}
    assert again == before | {"table": {**before["table"], **added}}


def test_a_score_table_keeps_its_provenance(tmp_path: Path) -> None:
    ScoreTable.read(FILES / "scores.parquet").write(tmp_path / "again.parquet")
    again, before = (json.loads(_metadata(path)) for path in (tmp_path / "again.parquet", FILES / "scores.parquet"))
    assert again == before | {"cluster_sources": [], "from_files": {}, "models_of": {}}


def _document(name: str) -> JsonValue:
    result = RESULTS[name]
    if isinstance(result, ProbabilisticScores):
        return trials_document(result)
    return variance_document(result) if isinstance(result, ComponentSplit) else result.document()


def _metadata(path: Path) -> bytes:
    return pq.read_schema(path).metadata[b"hcat"]
