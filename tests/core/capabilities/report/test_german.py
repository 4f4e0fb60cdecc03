"""The German edition: every message is translated, nothing is left over, and the numbers are the English ones."""

from __future__ import annotations

import ast
import html
import importlib
import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from hcat.core.capabilities.metrics.heads import kinds, methods
from hcat.core.capabilities.report.build import build_report
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.frameworks.framework import framework_names, frameworks
from hcat.core.capabilities.report.template import ReportTemplate
from hcat.core.display import messages
from hcat.core.display.edition import edition
from hcat.core.display.messages import catalogue, entries
from hcat.core.metrics.registry import metrics
from hcat.core.metrics.retrieval import AT_ANY
from hcat.core.scoring.bare_texts import DATE, FEW_WORDS, NUMBER
from hcat.core.settings import ROOT
from hcat.core.types import Estimate
from hcat.core.view.renderers.json_tree import read_report, render_json
from hcat.core.view.renderers.render import RENDERERS, render
from hcat.core.view.tree import Quantity, Quotation, Report

SAYING = {"say", "tell", "column"}
COUNTING = {"counted", "_count"}
SETS = {"{pass}", "{fail}", "{fail, pass}"}
"""Prediction sets: braces that are no placeholders."""
GERMAN = ReportTemplate(language="de", frameworks=framework_names())
ENGLISH = replace(GERMAN, language="en")
PARTS = ("answer", "contexts", "reference")
"""Of a sample, by which reasons name why there is no score."""
ENGLISH_WORDS = frozenset(
    [
        "the",
        "of",
        "and",
        "is",
        "are",
        "were",
        "with",
        "that",
        "this",
        "which",
        "not",
        "by",
        "from",
        "for",
        "to",
        "at",
        "its",
        "their",
        "than",
        "there",
        "have",
        "has",
        "been",
        "each",
        "other",
        "only",
        "whether",
        "where",
        "what",
        "how",
    ]
)
TYPED = frozenset({"groundedness", "answer_length", "baseline", "topic", "query_type", "logistic"})
"""Names in the fixture that look like words of ours, and are those of runs, metrics, dimensions and methods."""


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted((ROOT / "core").rglob("*.py"))}


def has_words(message: str) -> bool:
    return re.search(r"[a-z]{2}", re.sub(r"\{[^}]*\}", "", message)) is not None


def said_in(path: Path, tree: ast.Module) -> Iterator[str]:
    """The messages that the module says as literals or by the names of constants, and what it counts."""
    if path.name == "messages.py" or not any(
        isinstance(node, ast.ImportFrom) and any(alias.name in SAYING for alias in node.names)
        for node in ast.walk(tree)
    ):
        return
    module = importlib.import_module(".".join(("hcat", *path.relative_to(ROOT).with_suffix("").parts)))
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        if node.func.id in SAYING:
            yield from texts_of(node.args[0], module)
        elif node.func.id in COUNTING and len(node.args) > 1:
            for noun in texts_of(node.args[1], module):
                yield from (f"{{n}} {noun}", f"{{n}} {noun}s")


def texts_of(node: ast.expr, module: object) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*texts_of(node.body, module), *texts_of(node.orelse, module))
    elif isinstance(node, ast.Name) and isinstance(constant := getattr(module, node.id, None), str):
        yield constant


def every_text() -> set[str]:
    """All that code and data of the product can say: its strings, what it counts, and data that it quotes."""
    found: set[str] = set()
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value, node.value.capitalize()}
    found |= {f"{{n}} {noun}{ending}" for noun in found for ending in ("", "s") if re.fullmatch(r"[a-z ]+", noun)}
    found |= {f"{noun}s, the least tested first" for noun in ("Topic", "Document")}
    for path, tree in trees().items():
        found |= set(said_in(path, tree))
    found |= {description for _, description in AT_ANY.values()}
    found |= heads()
    found |= {text for each in metrics() for text in (each.title, each.source, each.description, each.limit)}
    for framework in frameworks():
        found |= {framework.title, framework.edition, framework.note, framework.checked}
        found |= {text for clause in framework.clauses for text in (clause.number, clause.asks, clause.gap)}
    for part in (*PARTS, "query", "relevant ids", "reference or answer"):
        found |= {f"no {part}", f"empty {part}", f"no words in the {part}", f"no numbers in the {part}"}
        found |= {f"no numbers in the {part} besides the query's"}
        found |= {f"the {part} is {kind}" for kind in (NUMBER, DATE, FEW_WORDS)}
    found.add(json.loads((ROOT / "core/models/toxicity/weights/functionality.json").read_text("utf-8"))["source"])
    template = (ROOT / "core/view/renderers/templates/report.html.j2").read_text("utf-8")
    return found | set(re.findall(r'say\("([^"]+)"', template))


def heads() -> set[str]:
    """What is said of kinds of metrics and of methods."""
    return {text for each in (*kinds(), *methods()) for text in (each.title, *each.heads, *each.heads.values())}


def placeholders(message: str) -> list[tuple[str, str | None]]:
    return sorted((name, conversion) for _, name, _, conversion in Formatter().parse(message) if name)


def numbers_in(message: str) -> list[str]:
    """The numbers of the words, not of the placeholders, without the marks that languages write differently."""
    words = "".join(words for words, _, _, _ in Formatter().parse(message))
    return sorted(re.sub(r"[.,]", "", number) for number in re.findall(r"\d+(?:[.,]\d+)*", words))


def test_every_message_is_translated() -> None:
    said = {message for path, tree in trees().items() for message in said_in(path, tree)}
    assert len(said) > 900
    assert sorted(message for message in said if has_words(message) and message not in catalogue("de")) == []
    data = {text for each in metrics() for text in (each.title, each.source, each.description, each.limit)}
    data |= {description for _, description in AT_ANY.values()}
    data |= heads()
    for framework in frameworks():
        data |= {framework.title, framework.edition, framework.note, framework.checked}
        data |= {text for clause in framework.clauses for text in (clause.number, clause.asks, clause.gap)}
    assert sorted(text for text in data if has_words(text) and text not in catalogue("de")) == []


def test_no_translation_is_left_over_or_there_twice() -> None:
    keys = [english for _, english, _ in entries("de")]
    assert len(keys) == len(set(keys))
    assert sorted(set(keys) - every_text()) == []


def test_translations_keep_placeholders_numbers_and_blanks() -> None:
    for _, english, german in entries("de"):
        assert german.strip(), english
        assert (english[:1] == " ", english[-1:] == " ") == (german[:1] == " ", german[-1:] == " "), english
        if english not in SETS:
            assert placeholders(english) == placeholders(german), english
            kept = numbers_in(english.replace("at 95%", "").replace("of 95%", "").replace("a rule", ""))
            assert set(kept) - {"1"} <= {*numbers_in(german), "10"}, english


def test_a_report_says_nothing_that_is_not_translated(
    german_evidence: Evidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()

    class Asked(dict[str, str]):
        def get(self, key: str, default: object = None) -> str:  # type: ignore[override]
            asked.add(key)
            return super().get(key, key)

    known = Asked(catalogue("de"))
    monkeypatch.setattr(messages, "catalogue", lambda _: known)
    report = build_report(german_evidence, template=GERMAN)
    for format_ in RENDERERS:
        render(report, format=format_)
    assert len(asked) > 400
    assert {message for message in asked if has_words(message) and message not in known} <= TYPED


def numbers_of(value: object) -> Iterator[object]:
    """Every number of the tree and every word that code chooses among, in order; of a text the numbers alone, sorted,
    since words around them stand in another order."""
    if isinstance(value, Quantity):
        yield value.kind
        yield from (
            numbers_of(value.value) if not isinstance(value.value, str) or value.kind in ("verdict", "code") else ()
        )
    elif isinstance(value, Estimate | bool | int | float) or value is None:
        yield repr(value)
    elif isinstance(value, tuple) and all(isinstance(part, str | Quantity) for part in value):
        yield sorted(map(repr, (part for part in value if isinstance(part, Quantity) and part.kind != "text")))
    elif isinstance(value, tuple):
        yield len(value)
        for item in value:
            yield from numbers_of(item)
    elif is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__
        for field in fields(value):
            if field.name != "language":
                yield from numbers_of(getattr(value, field.name))


def test_both_editions_have_the_same_numbers(evidence: Evidence, german_evidence: Evidence) -> None:
    english, german = (
        build_report(evidence, template=ENGLISH),
        build_report(german_evidence, template=GERMAN),
    )
    first, second = list(numbers_of(english)), list(numbers_of(german))
    assert len(first) > 1500
    assert first == second
    assert english.language == "en" and german.language == "de"
    assert english.sections[0].title != german.sections[0].title


def words_of(page: str) -> str:
    """What the page says in hcat's words: without what users wrote, code, drawings and the titles of works."""
    page = re.sub(r'<(style|code|blockquote|svg)\b.*?</\1>|<dd class="quoted.*?</dd>', " ", page, flags=re.S)
    text = html.unescape(re.sub(r"<[^>]+>", " ", page))
    return re.sub(r"„[^“]*“|Journal of [A-Za-z ]*", " ", text)


def test_the_german_page_has_no_english_sentence(german_evidence: Evidence) -> None:
    silent = replace(german_evidence, description="", findings=(), packages={}, settings={}, hashes={})
    note = replace(silent.metrics["groundedness"], description="", source="")
    page = render(
        build_report(replace(silent, metrics={"groundedness": note}), template=GERMAN), format="html"
    ).decode()
    assert '<html lang="de">' in page
    words = re.findall(r"[A-Za-zäöüÄÖÜß]+", words_of(page))
    assert len(words) > 3000
    assert sorted({word for word in words if word.lower() in ENGLISH_WORDS}) == []


def test_a_german_report_is_read_again(german_evidence: Evidence) -> None:
    report = build_report(german_evidence, template=GERMAN)
    document = render_json(report).decode()
    assert json.loads(document)["language"] == "de"
    assert read_report(document) == report
    assert "language" not in json.loads(render_json(build_report(german_evidence, template=ENGLISH)))


def test_texts_of_a_template_stay_as_they_are(german_evidence: Evidence) -> None:
    own = replace(GERMAN, title="Validation report", cover={"Department": "Model Risk", "Author": "not translated"})
    report: Report = build_report(replace(german_evidence, author=""), template=own)
    page = render(report, format="html").decode()
    assert "<h1>Validation report</h1>" in page and "<dt>Department</dt><dd>Model Risk</dd>" in page
    assert "Modellvalidierung" in page and "<dt>Stand</dt><dd>2. März 2026, 09:30 UTC</dd>" in page
    quoted = [block for section in report.sections for block in section.blocks if isinstance(block, Quotation)]
    assert any("Every statement of the answer" in block.text for block in quoted)


def test_only_this_thread_and_block_are_in_german() -> None:
    assert messages.say("Labels") == "Labels" and messages.say("Run") == "Run"
    with edition("de"):
        assert messages.say("Run") == "Lauf"
        assert messages.say("{n} samples", n="1.234") == "1.234 Fälle"
        assert messages.say("said by nobody here") == "said by nobody here"
    assert messages.say("Run") == "Run"
