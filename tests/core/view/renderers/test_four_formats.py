"""One report in every format: each says the same numbers, and none of them says another."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator

import pytest

from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.template import ReportTemplate
from hcat.core.display.edition import LANGUAGES, Language, edition
from hcat.core.types import JsonValue
from hcat.core.view.renderers.json_tree import read_report
from hcat.core.view.renderers.pdf.glyphs import shown
from hcat.core.view.renderers.render import MEDIA_TYPES, RENDERERS, render
from hcat.core.view.renderers.word.elements import readable
from hcat.core.view.tree import Report
from tests.core.view.renderers.pdf.test_pdf import is_in, squeezed, values_of
from tests.core.view.renderers.pdf.test_pdf import text_of as text_of_pdf
from tests.core.view.renderers.test_word import text_of as text_of_word
from tests.grids import first_ones

TEXTS: dict[str, Callable[[bytes], str]] = {
    "html": lambda made: html.unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>", " ", made.decode(), flags=re.S)),
    "pdf": text_of_pdf,
    "docx": text_of_word,
}
ESCAPES: dict[str, Callable[[str], str]] = {"html": str, "pdf": shown, "docx": readable}
NUMBER = re.compile(r"\d[\d,]*[.,]\d+")


def missing(report: Report, format: str) -> list[str]:  # noqa: A002
    text = squeezed(TEXTS[format](render(report, format=format)))
    with edition(report.language):
        return [value for value in values_of(report) if not is_in(text, ESCAPES[format](value))]


def numbers_of(value: JsonValue) -> Iterator[float]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield float(value)
    else:
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers_of(item)


def test_every_format_is_tested_here() -> None:
    assert set(RENDERERS) == set(MEDIA_TYPES) == {*TEXTS, "json"}


@pytest.mark.parametrize("format", TEXTS)
@pytest.mark.parametrize("seed", first_ones(range(3), 1))
def test_every_number_of_the_tree_is_in_each_format(
    format: str,  # noqa: A002
    seed: int,
    made_report: Callable[[int], Report],
) -> None:
    assert missing(made_report(seed), format) == []


@pytest.mark.parametrize("format", TEXTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_a_real_report_is_in_each_format(
    format: str,  # noqa: A002
    language: Language,
    evidence: Evidence,
) -> None:
    assert missing(build_report(evidence, template=ReportTemplate(language=language)), format) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_printed_formats_say_no_number_that_the_tree_does_not(language: Language, evidence: Evidence) -> None:
    """Between them the texts of the body have the same numbers: those of pages, fields and hashes are left out."""
    report = build_report(evidence, template=ReportTemplate(language=language))
    said = {}
    for name in ("html", "docx"):
        text = TEXTS[name](render(report, format=name))
        said[name] = set(NUMBER.findall(text))
    assert said["docx"] <= said["html"], sorted(said["docx"] - said["html"])[:20]


def test_json_has_the_very_tree(made_report: Callable[[int], Report], evidence: Evidence) -> None:
    for report in (made_report(0), build_report(evidence)):
        made = render(report, format="json")
        assert read_report(made.decode()) == report
        assert len(list(numbers_of(json.loads(made)))) > 50
