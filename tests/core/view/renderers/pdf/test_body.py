"""The body of a report is short: tables of all metrics and of all slices are in its appendix, in every format."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import pypdfium2
import pytest

from hcat.core.capabilities.metrics.chapter import MOST
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence, MetricNote
from hcat.core.capabilities.report.template import DEFAULT
from hcat.core.display.edition import Language, edition
from hcat.core.display.messages import say
from hcat.core.view.renderers.render import render
from hcat.core.view.tree import Report, Table
from tests.core.view.renderers.pdf.test_pdf import squeezed

MOST_PAGES = 15
NAMES = tuple(f"metric_{number}" for number in range(40))
RUNS = ("first", "second", "third", "fourth")


def with_many(evidence: Evidence) -> Evidence:
    """Four runs with 40 metrics each, and slices of each run."""
    summary = evidence.runs[0].scores["groundedness"]
    scores = {**evidence.runs[0].scores, **dict.fromkeys(NAMES, summary)}
    notes = {name: MetricNote(name, "higher", "", "How close the answer is to its contexts.") for name in NAMES}
    return replace(
        evidence,
        runs=tuple(replace(evidence.runs[0], name=run, scores=scores) for run in RUNS),
        metrics={**evidence.metrics, **notes},
        weaknesses=tuple(replace(evidence.weaknesses[0], run=run) for run in RUNS),
    )


def tables(report: Report, chapter: str) -> dict[str, Table]:
    """The tables of a chapter by their titles."""
    return {
        block.title: block
        for section in report.sections
        if section.id == chapter
        for block in section.blocks
        if isinstance(block, Table)
    }


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_body_of_a_report_has_few_pages(language: Language, evidence: Evidence, german_evidence: Evidence) -> None:
    many = with_many(evidence if language == "en" else german_evidence)
    report = build_report(many, template=replace(DEFAULT, language=language))
    pdf = pypdfium2.PdfDocument(render(report, format="pdf"))
    chapters = [(each.get_title(), each.get_dest().get_index()) for each in pdf.get_toc() if each.level == 0]
    with edition(language):
        of_metrics, of_slices = say("Appendix: scores and metrics in full"), say("Appendix: results by slice in full")
        moved = [say("What the metrics measure"), say("Lowest slices by {title}, run {item.run}").split("{")[0]]
    first = next(page for title, page in chapters if title.endswith(of_metrics))
    assert chapters[-1][0].endswith(of_slices) and first <= MOST_PAGES < len(pdf)
    body, appendix = (
        squeezed("\n".join(pdf[page].get_textpage().get_text_range() for page in pages))
        for pages in (range(2, first), range(first, len(pdf)))
    )
    for title in moved:
        assert squeezed(title) in appendix and squeezed(title) not in body
    assert squeezed(of_metrics) in body and squeezed(of_slices) in body  # the body says where the rest is


def test_what_leaves_the_body_is_whole_in_the_appendix_of_every_format(evidence: Evidence) -> None:
    many = with_many(evidence)
    report = build_report(many)
    whole, body = tables(report, "all-metrics"), tables(report, "metrics")
    for run in RUNS:
        title = f"Scores of run {run}"
        assert len(whole[title].rows) == len(NAMES) + 2 and len(body[title].rows) == MOST
        assert f"Shown are {MOST} of 42 metrics" in str(body[title].note)
        assert body[title].rows[0] in whole[title].rows and body[title].rows[0][0] == "Groundedness"
    assert {row[0] for row in whole["What the metrics measure"].rows} == {"Groundedness", *NAMES}
    slices = {f"Lowest slices by Groundedness, run {run}" for run in RUNS}
    assert slices < set(tables(report, "all-slices")) and not slices & set(tables(report, "weaknesses"))
    read = json.loads(render(report, format="json"))
    page = render(report, format="html").decode()
    with zipfile.ZipFile(io.BytesIO(render(report, format="docx"))) as word:
        document = word.read("word/document.xml").decode()
    titles = [section["title"] for section in read["sections"]]
    for title in ("Appendix: scores and metrics in full", "Appendix: results by slice in full"):
        assert title in titles and title in page and title in document


def test_few_metrics_stay_in_the_body_and_are_not_said_twice(evidence: Evidence) -> None:
    report = build_report(evidence)
    assert "Scores of run baseline" in tables(report, "metrics")
    assert "Scores of run baseline" not in tables(report, "all-metrics")


def test_what_a_calibration_rests_on_is_in_the_body_whatever_its_place(evidence: Evidence) -> None:
    many = with_many(evidence)
    item = evidence.calibrations[0]
    calibrated = replace(item, run="first", calibration=replace(item.calibration, metrics=(NAMES[-1],)))
    rows = {
        run: {str(row[0]) for row in tables(report, "metrics")[f"Scores of run {run}"].rows}
        for report in [build_report(replace(many, calibrations=(calibrated,), pass_rates=()))]
        for run in ("first", "second")
    }
    assert NAMES[-1] in rows["first"] and NAMES[-1] not in rows["second"]


def test_the_body_names_the_slices_that_labels_show(evidence: Evidence) -> None:
    found = evidence.weaknesses[0]
    frame = found.table.frame
    shown = frame["verdict"] == "lower score"
    assert shown.any()
    by_scores = tables(build_report(evidence), "weaknesses")
    assert set(by_scores) == {"Verdicts on slices"}
    labelled = frame.assign(basis="people", labels=frame["n"], verdict=frame["verdict"].where(~shown, "weak"))
    judged = replace(found, table=replace(found.table, frame=labelled))
    by_people = tables(build_report(replace(evidence, weaknesses=(judged,))), "weaknesses")
    tested = int((frame["verdict"] != "insufficient evidence").sum())
    for made, basis in ((by_scores, "scores"), (by_people, "labels")):
        [row] = made["Verdicts on slices"].rows
        assert row[1:6] == ("baseline", basis, len(frame), tested, int(shown.sum()))
    listed = by_people["Slices that labels show or suggest to be worse"].rows
    assert [row[-1] for row in listed][: int(shown.sum())] == ["weak"] * int(shown.sum())
    assert not any("not shown" in str(row[-1]) for row in listed)
