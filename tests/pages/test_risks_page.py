"""The Risks page, and the register in commands and the report."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from hcat.core.errors import HcatError
from hcat.core.records.risks import Risk, RiskEvidence, RiskRegister, RiskScope, risk_coverage
from hcat.core.settings import settings
from hcat.core.view.renderers.json_tree import render_json
from hcat.core.workspace import Workspace
from hcat.dashboard.capabilities.risks.register import risk_table, risks_of
from hcat.dashboard.cli import app as cli
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, shown

REGISTER = RiskRegister(
    RiskScope("Answers questions of customers.", "English only.", "Complaints."),
    (
        Risk("Wrong fee", "States a fee of another product", "high", ("Run first-run",), "open"),
        Risk("Rude answer", "Is unfriendly", "low"),
    ),
)


def test_untouched_risks_and_links_that_lead_nowhere_are_said() -> None:
    evidence = (RiskEvidence("Run first-run", "44 answers"), RiskEvidence("Test set fees", "test cases"))
    coverage = risk_coverage(REGISTER, evidence)
    assert coverage.untouched == ("Rude answer",) and coverage.unused == ("Test set fees",)
    assert risk_coverage(REGISTER, ()).gone == (("Wrong fee", "Run first-run"),)
    assert risk_coverage(REGISTER, ()).untouched == ("Wrong fee", "Rude answer")


def test_a_verdict_rests_on_something_and_names_are_told_apart() -> None:
    with pytest.raises(HcatError, match="rests on nothing"):
        Risk("Wrong fee", verdict="acceptable")
    with pytest.raises(HcatError, match="twice"):
        RiskRegister(risks=(Risk("Wrong fee"), Risk("wrong fee ")))


def test_the_table_gives_back_the_risks_and_leaves_empty_rows_out() -> None:
    table = risk_table(REGISTER)
    assert risks_of(table) == REGISTER.risks
    empty = pd.DataFrame([dict.fromkeys(table.columns)])
    assert risks_of(pd.concat([table, empty], ignore_index=True)) == REGISTER.risks
    assert risks_of(risk_table(RiskRegister())) == ()


def test_page_command_and_report_show_the_register(open_page: OpenPage, tmp_path: Path) -> None:
    app = open_page("risks", "calibrated")
    assert_sound(app)
    assert "Nobody has signed a register yet" in shown(app) and "Run first-run" in shown(app)
    document = tmp_path / "register.json"
    scope = {"use": "Answers questions of customers.", "limits": "English only.", "excluded": "Complaints."}
    risks = [
        {"risk": "Wrong fee", "failure_mode": "States another fee", "severity": "high", "evidence": ["Run first-run"]},
        {"risk": "Rude answer"},
    ]
    document.write_text(json.dumps({"scope": scope, "risks": risks}), "utf-8")
    signed = CliRunner().invoke(cli, ["risks", "state", str(document), "--project", PROJECT, "--author", "V. Lead"])
    assert signed.exit_code == 0, signed.output
    listed = CliRunner().invoke(cli, ["risks", "show", "--project", PROJECT])
    assert "No test or finding touches: Rude answer." in listed.output
    app.run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "Version 1, signed by" in text and "touches: Rude answer" in text
    app.text_area(key=next(each.key for each in app.text_area if "risk-use" in str(each.key))).set_value("Fees only.")
    app.text_input(key=next(each.key for each in app.text_input if "risk-author" in str(each.key))).set_value("R. Two")
    app.button(key="risk-save").click().run()
    assert_sound(app)
    with Workspace.open(settings()) as workspace:
        project = workspace.projects.get(PROJECT)
        registers = workspace.risks.all(project)
        assert [each.version for each in registers] == [2, 1]
        assert registers[0].scope.use == "Fees only." and registers[0].risks == registers[1].risks
        report = workspace.reports.build(project, chapters=["risks"])
    [section] = report.sections
    text = render_json(report).decode("utf-8")
    assert section.title == "Risks" and "No test or finding touches: Rude answer." in text and "44 answers" in text
