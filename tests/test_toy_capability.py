"""A new capability is two folders, a page and one line: here it counts the words of answers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hcat.core.settings import ROOT

FILES = {
    "core/capabilities/lengths/__init__.py": '''"""Lengths of answers."""

from hcat.core.capability import Capability, Page

CAPABILITY = Capability(
    "lengths",
    page=Page("Lengths", ":material/straighten:", "Explore"),
    commands={"lengths": "command:lengths"},
    chapters=("chapter:CHAPTER",),
    evidence="answers:lengths_of_run",
    terms={"What is tested": "terms:TERMS"},
    actions={"lengths.settle": "prepare"},
)
''',
    "core/capabilities/lengths/answers.py": '''"""Words of answers."""

from collections.abc import Iterable
from dataclasses import dataclass

from hcat.core.opened.run import Opened
from hcat.core.types import Sample


@dataclass(frozen=True, slots=True)
class Lengths:
    """Words of `n` answers: the fewest, the mean and the most."""

    n: int
    shortest: int
    mean: float
    longest: int


def answer_lengths(samples: Iterable[Sample]) -> Lengths:
    """ValueError without a sample."""
    words = [len((sample.answer or "").split()) for sample in samples]
    return Lengths(len(words), min(words), sum(words) / len(words), max(words))


def lengths_of_run(run: Opened) -> Lengths:
    """Those of all answers of an opened run."""
    return answer_lengths(run.columns.samples)
''',
    "core/capabilities/lengths/view.py": '''"""Lengths of answers as people see them."""

from hcat.core.capabilities.lengths.answers import Lengths
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Table
from hcat.core.view.view import View


def lengths_view(lengths: Lengths) -> View:
    """One row."""
    columns = (column("Answers", "count"), column("Shortest", "count"), column("Mean words", "number"))
    row = (lengths.n, lengths.shortest, lengths.mean)
    return View((Table(say("Words of answers"), columns, (row,)),))
''',
    "core/capabilities/lengths/chapter.py": '''"""The chapter on lengths."""

from typing import cast

from hcat.core.capabilities.lengths.answers import Lengths
from hcat.core.capabilities.lengths.view import lengths_view
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.view.tree import Heading, Section


def lengths_section(evidence: Evidence) -> Section:
    """Each run."""
    blocks = []
    for run, lengths in evidence.gathered["lengths"].items():
        blocks += [Heading(run), *lengths_view(cast("Lengths", lengths)).blocks]
    return Section("lengths", say("Lengths of answers"), tuple(blocks))


CHAPTER = Chapter("lengths", "Lengths of answers", lengths_section, after="tone")
''',
    "core/capabilities/lengths/terms.py": '''"""Terms of lengths."""

from hcat.core.glossary.term import Term

TERMS = (Term("answer-length", "answer length", "The number of words of an answer."),)
''',
    "core/capabilities/lengths/de.po": """# Lengths, in German.
msgid ""
msgstr ""
"Language: de\\n"

#: hcat.core.capabilities.lengths.view
msgid "Words of answers"
msgstr "Wörter der Antworten"

#: hcat.core.capabilities.lengths.chapter
msgid "Lengths of answers"
msgstr "Längen der Antworten"
""",
    "dashboard/capabilities/lengths/__init__.py": '"""Lengths of answers: the command."""\n',
    "dashboard/capabilities/lengths/command.py": '''"""`hcat lengths`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hcat.core.inputs.inputs import Inputs, opened
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.output import AsJson, print_json


@reads_files
def lengths(run: Annotated[Path, typer.Argument(help="Run file.")], as_json: AsJson = False) -> None:
    """Count the words of answers."""
    from hcat.core.capabilities.lengths.answers import lengths_of_run
    from hcat.core.capabilities.lengths.view import lengths_view
    from hcat.dashboard.commands.printed_view import print_view

    with opened(Inputs(run=run), needs=["run"]) as (asked,):
        found = lengths_of_run(asked)
    if as_json:
        print_json(inputs={"run": run}, settings={}, lengths=asdict(found))
        return
    print_view(lengths_view(found))
''',
    "pages/lengths.py": '''"""Words of answers."""

import streamlit as st

from hcat.core.capabilities.lengths.answers import answer_lengths
from hcat.core.capabilities.lengths.view import lengths_view
from hcat.dashboard.components.sidebar import current_run
from hcat.dashboard.components.view import show_view
from hcat.dashboard.loaders.runs import samples

st.title("Lengths")
_, run = current_run()
show_view(lengths_view(answer_lengths(samples(run).values())), key="lengths", draw={})
''',
}
REGISTRY = "core/capabilities/__init__.py"
ANSWERS = ["One two three", "One", "One two three four five"]

CHECKS = """
import json, sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
from hcat.core.capabilities.lengths.answers import answer_lengths
from hcat.core.capabilities.lengths.view import lengths_view
from hcat.core.display.edition import edition
from hcat.core.glossary.lookup import find_term
from hcat.core.project.roles.permissions import MAY_DO
from hcat.core.settings import ROOT
from hcat.core.types import Sample
from hcat.core.workspace import Workspace

samples = [Sample(f"q{k}", "q", text) for k, text in enumerate(sys.argv[1:])]
with Workspace.open(actor="test") as workspace:
    workspace.runs.add(workspace.projects.create("bank"), "May", samples, source="x")
view = lengths_view(answer_lengths(samples))
app = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120).run()
app.switch_page("../pages/lengths.py").run()
with edition("de"):
    german = lengths_view(answer_lengths(samples))._repr_html_()
print(json.dumps({
    "notebook": "Words of answers" in view._repr_html_(),
    "german": "Wörter der Antworten" in german,
    "term": find_term("answer length").meaning,
    "roles": sorted(MAY_DO["lengths.settle"]),
    "page": [app.title[0].value, app.dataframe[0].value.to_dict("records")],
    "faults": [each.value for each in app.exception],
}))
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the product with the capability in it."""
    root = tmp_path_factory.mktemp("toy")
    skipped = shutil.ignore_patterns("__pycache__")
    for folder in ("hcat", "core", "dashboard", "pages", "data/demo", ".streamlit"):
        shutil.copytree(ROOT / folder, root / folder, symlinks=True, ignore=skipped)
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    registry = root / REGISTRY
    before = registry.read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(before) if '"samples"' in text)
    after = [*before[: line + 1], '    "lengths",', *before[line + 1 :]]
    registry.write_text("\n".join([*after, ""]), "utf-8")
    header = ["id,query,answer", *(f"q{number},q,{answer}" for number, answer in enumerate(ANSWERS))]
    (root / "run.csv").write_text("\n".join([*header, ""]), "utf-8")
    return root


def run(tree: Path, *arguments: str) -> str:
    store = {"HCAT_DATABASE_URL": f"sqlite:///{tree / 'hcat.db'}", "HCAT_ARTIFACTS": str(tree / "artifacts")}
    environment = {**os.environ, **store, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tree, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_small() -> None:
    folders = {Path(name).parent.as_posix() for name in FILES} - {"pages"}
    assert len(FILES) <= 12
    assert folders == {"core/capabilities/lengths", "dashboard/capabilities/lengths"}


def test_a_command_prints_its_view_and_its_json(tree: Path) -> None:
    printed = run(tree, "-m", "hcat.dashboard.cli", "lengths", "run.csv")
    assert "Words of answers" in printed and "3.0" in printed
    written = json.loads(run(tree, "-m", "hcat.dashboard.cli", "lengths", "run.csv", "--json"))
    assert written["lengths"] == {"n": 3, "shortest": 1, "mean": 3.0, "longest": 5}


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Lengths of answers"), ("de", "Längen der Antworten")], ids=["English", "German"]
)
def test_a_report_has_its_chapter(tree: Path, language: str, title: str) -> None:
    program = ("-m", "hcat.dashboard.cli")
    run(tree, *program, "score", "run.csv", "--metrics", "answer_length", "--output", "scores.parquet")
    given = ("--run", "run.csv", "--scores", "scores.parquet", "--language", language)
    run(tree, *program, "report", *given, "--output", f"report-{language}.json")
    written = json.loads((tree / f"report-{language}.json").read_text("utf-8"))
    assert title in [section["title"] for section in written["sections"]]


def test_page_notebook_german_glossary_and_roles_know_it(tree: Path) -> None:
    found = json.loads(run(tree, "-c", CHECKS, *ANSWERS).splitlines()[-1])
    assert found["faults"] == []
    title, rows = found["page"]
    assert title == "Lengths" and rows[0]["Shortest"] == 1
    assert found["notebook"] and found["german"]
    assert found["term"] == "The number of words of an answer."
    assert found["roles"] == ["administrator", "validator"]
