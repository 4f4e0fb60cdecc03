"""The sound files and the store that cases break, made once by the commands themselves."""

from __future__ import annotations

import io
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from hcat.core.importers import write_run
from hcat.core.settings import ROOT, settings
from hcat.core.workspace import Workspace
from hcat.dashboard import cli
from tests.core.importers.documents import small_files
from tests.pages.conftest import word_models
from tests.pages.small_project import add_project, add_run, label_level, small_samples

FIXTURES = ROOT / "tests" / "core" / "importers" / "fixtures"
CHAPTER = ROOT / "data" / "demo" / "handbook" / "02-cards.md"
FILES = "files"
STORE = "store"
LINES = (
    "score run.jsonl -o scores.parquet --metrics answer_f1,answer_length,token_f1 --explain explanations.jsonl",
    "calibrate scores.parquet labels.csv --criterion correctness --metrics answer_f1 -o calibration.json",
    "predict scores.parquet calibration.json -o decisions.parquet",
    "weakness run.jsonl scores.parquet --by kind,customer --pairs -o weakness.parquet",
    "policy fit scores.parquet labels.csv calibration.json --error 0.4 --confidence 0.6 -o policy.json",
    "corpus {chapter} -o passages.jsonl",
    "design passages.jsonl -n 5 -o design.json",
    "topics run.jsonl -o topics.parquet --k 3",
    "backup backup.zip",
)


def make_material(folder: Path) -> Path:
    """`files` (a run and what the commands make of it) and `store` (a project with that run) in the folder."""
    files, store = folder / FILES, folder / STORE
    files.mkdir()
    store.mkdir()
    with pytest.MonkeyPatch.context() as patch, word_models():
        work_in(files, store, patch)
        (files / "run.jsonl").write_text(write_run(small_samples()), "utf-8")
        (files / "labels.csv").write_text(_labels(), "utf-8")
        with Workspace.open(actor="command line") as workspace:
            add_project(workspace)
            add_run(workspace)
        for line in LINES:
            _run(line.format(chapter=CHAPTER).split(), patch)
    shutil.copy(ROOT / "data" / "demo" / "tests.jsonl", files)
    (files / "target.yaml").write_text("kind: demo\n", "utf-8")
    settings.cache_clear()
    return folder


def work_in(files: Path, store: Path, patch: pytest.MonkeyPatch) -> None:
    """Commands then run in `files` and keep what they store in `store`."""
    patch.chdir(files)
    patch.setenv("HCAT_DATABASE_URL", f"sqlite:///{store / 'hcat.db'}")
    patch.setenv("HCAT_ARTIFACTS", str(store / "artifacts"))
    settings.cache_clear()


def _run(arguments: list[str], patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sys, "argv", ["hcat", *arguments])
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code, arguments


def _labels() -> str:
    rows = [
        f"{sample.id},correctness,{'pass' if label_level(sample) else 'fail'},{annotator}"
        for sample in small_samples()
        for annotator in ("ann", "ben")
    ]
    return "\n".join(["sample_id,criterion,label,annotator", *rows, ""])


def run_files() -> dict[str, bytes]:
    """Run files of every format, as each tool writes them, and as Parquet and an Excel workbook."""
    files = {path.name: path.read_bytes() for path in sorted(FIXTURES.iterdir()) if path.name != "labels.csv"}
    return {**files, "native.parquet": _as_parquet(), "native.xlsx": _as_workbook()}


def _as_parquet() -> bytes:
    import pandas as pd

    out = io.BytesIO()
    pd.DataFrame(
        {
            "id": ["a", "b", "c"],
            "query": ["What does gold cost?", "May I cancel?", "Who?"],
            "answer": ["90 euros", None, "A bank"],
            "contexts": [["Gold costs 90 euros."], [], ["A bank.", "By the sea."]],
            "trial": [0, 1, 2],
            "expected": [1.0, 0.5, None],
            "topic": ["fees", "fees", "about"],
        }
    ).to_parquet(out)
    return out.getvalue()


def _as_workbook() -> bytes:
    import openpyxl

    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in (("id", "query", "answer", "topic"), ("a", "q", "90", "fees"), ("b", "r", 90.5, "fees")):
        book.active.append(row)
    book.save(out)
    return out.getvalue()


def documents() -> dict[str, bytes]:
    """Documents of each kind that a corpus is made of."""
    page = "<html><body><h1>Fees</h1><p>Gold costs 90.</p><table><tr><td>Blue</td><td>0</td></tr></table></body></html>"
    chapter = CHAPTER.read_bytes()[:4_000]
    plain = {"page.html": page.encode(), "chapter.md": chapter, "chapter.txt": chapter}
    printed = {
        "word.docx": small_files.word_file(),
        "print.pdf": small_files.pdf([[(20, "Fees"), (10, "Gold costs 90.")]]),
    }
    return {**plain, **printed, "all.zip": small_files.zip_of({**plain, **printed})}
