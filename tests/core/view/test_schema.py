"""The published schema: every report is one by it, and it can't change without another version."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.settings import ROOT
from hcat.core.view.renderers.json_tree import read_report, render_json
from hcat.core.view.schema import SCHEMA_VERSION, report_schema, schema_text
from hcat.core.view.tree import Quantity, Report, Table
from hcat.dashboard.cli import app
from tests.core.view.renderers.conftest import Maker
from tests.grids import first_ones

VALIDATOR = Draft202012Validator(report_schema())


def test_the_published_schema_is_that_of_the_tree() -> None:
    Draft202012Validator.check_schema(report_schema())
    published = ROOT / "docs" / f"report-schema-{SCHEMA_VERSION}.json"
    assert published.read_text("utf-8") == schema_text(), (
        "the tree of reports has changed: raise SCHEMA_VERSION, write the schema by "
        f"`hcat report --schema-out docs/report-schema-{SCHEMA_VERSION + 1}.json`, and keep the earlier one"
    )


@pytest.mark.parametrize("seed", first_ones(range(20), 4))
def test_every_report_is_one_by_the_schema(seed: int) -> None:
    assert list(VALIDATOR.iter_errors(json.loads(render_json(Maker(seed).report())))) == []


def test_a_real_report_is_one_by_the_schema(evidence: Evidence) -> None:
    report = build_report(evidence)
    document = json.loads(render_json(report))
    assert list(VALIDATOR.iter_errors(document)) == []
    assert document["hcat"] == evidence.version and document["settings"] == dict(evidence.settings)
    assert document["inputs"] == {"run baseline": evidence.runs[0].content_hash, **evidence.hashes}
    assert read_report(render_json(report).decode()) == report


def test_a_report_of_before_is_read_and_keeps_its_hash() -> None:
    report = replace(Maker(3).report(), inputs={}, settings={})
    document = json.loads(render_json(report))
    assert not {"inputs", "settings"} & set(document)
    assert read_report(render_json(report).decode()) == report


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document.pop("title"),
        lambda document: document.update(version=1),
        lambda document: document.update(further="key"),
        lambda document: document["sections"][0].update(blocks=[{"type": "picture"}]),
        lambda document: document["sections"][0].pop("id"),
    ],
)
def test_what_is_no_report_is_found(change: Callable[[dict], object]) -> None:
    document = json.loads(render_json(Maker(1).report()))
    change(document)
    assert list(VALIDATOR.iter_errors(document))


def test_a_number_that_is_not_finite_is_null() -> None:
    report: Report = Maker(2).report()
    table = next(block for block in report.sections[0].blocks if isinstance(block, Table))
    row = (Quantity(float("nan")), *table.rows[0][1:])
    section = replace(report.sections[0], blocks=(replace(table, rows=(row,)),))
    assert list(VALIDATOR.iter_errors(json.loads(render_json(replace(report, sections=(section,)))))) == []


def test_the_command_writes_it(tmp_path) -> None:
    made = CliRunner().invoke(app, ["report", "--schema-out", str(tmp_path / "schema.json")])
    assert made.exit_code == 0, made.output
    assert (tmp_path / "schema.json").read_text("utf-8") == schema_text()
