"""One case met by the real command line or a real page, and what was wrong with how it was met."""

from __future__ import annotations

import io
import re
import shutil
import sqlite3
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from hcat.core.settings import ROOT, settings
from tests.fuzz.cases import Case
from tests.fuzz.material import FILES, STORE, work_in

LONGEST_MESSAGE = 3_000
EXIT_CODES = {0, 1, 2}
"""1 where a command says so: a check that found something, a problem worth a script's attention."""
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that move the cursor, colour the terminal or turn the direction of writing, and those that are no text."""
TRACEBACK, RAW_SIGNS, UNCLEAR, HALF_STORED = "traceback", "raw control characters", "no clear line", "half stored"
WANTED = ("bad.jsonl", "problems.csv")
"""What a refused import was asked to write: its bad rows, and what is wrong with them."""
KINDS = (TRACEBACK, RAW_SIGNS, UNCLEAR, HALF_STORED)


@dataclass(frozen=True)
class Fault:
    """What was wrong, of one of the kinds, and what shows it."""

    kind: str
    shown: str


@dataclass(frozen=True)
class Answer:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


def attempt(case: Case, material: Path, folder: Path) -> list[Fault]:
    """Meet the case in copies of the sound files and the store, below the folder."""
    shutil.copytree(material / FILES, folder / FILES)
    shutil.copytree(material / STORE, folder / STORE)
    (folder / "tmp").mkdir()
    for name, data in case.files.items():
        (folder / FILES / name).write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        work_in(folder / FILES, folder / STORE, patch)
        patch.setenv("TMPDIR", str(folder / "tmp"))
        patch.setattr("tempfile.tempdir", None)
        try:
            return _opened(case) if case.page else _called(case, folder, patch)
        finally:
            settings.cache_clear()


def _called(case: Case, folder: Path, patch: pytest.MonkeyPatch) -> list[Fault]:
    before = _contents(folder)
    answer = call(case.call, patch)
    return [*_said_wrong(answer), *_stored_wrong(before, _contents(folder), answer)]


def call(arguments: tuple[str, ...], patch: pytest.MonkeyPatch) -> Answer:
    """Run `hcat` in this process, with streams that encode as those of a terminal do."""
    from hcat.dashboard import cli

    patch.setattr(sys, "argv", ["hcat", *arguments])
    with _streams() as (out, err):
        code = 0
        try:
            cli.main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        except BaseException:  # noqa: BLE001  whatever it is, it is a fault to report
            code = -1
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        printed, told = (stream.getvalue().decode("utf-8", "replace") for stream in (out, err))
    return Answer(code, printed, told)


@contextmanager
def _streams() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    with (
        redirect_stdout(io.TextIOWrapper(out, "utf-8", "strict")),
        redirect_stderr(io.TextIOWrapper(err, "utf-8", "backslashreplace")),
    ):
        yield out, err


def _said_wrong(answer: Answer) -> Iterator[Fault]:
    if answer.code not in EXIT_CODES or "Traceback (most recent call last)" in answer.err:
        yield Fault(TRACEBACK, answer.err[-LONGEST_MESSAGE:])
        return
    found = RAW.search(answer.err) or RAW.search(answer.out)
    if found is not None:
        yield Fault(RAW_SIGNS, ascii(found.string[max(0, found.start() - 100) : found.end() + 60]))
    lines = answer.err.splitlines()
    clear = answer.code != 2 or (bool(lines) and lines[-1].startswith("hcat: "))  # behind notes, if there are any
    if not clear or len(answer.err) > LONGEST_MESSAGE + 400 * len(lines):
        yield Fault(UNCLEAR, answer.err[:LONGEST_MESSAGE])


def _stored_wrong(before: Mapping[str, object], after: Mapping[str, object], answer: Answer) -> Iterator[Fault]:
    """Whatever happened, no part of a file is left behind; after a refusal nothing else is new either."""
    new = {name: value for name, value in after.items() if before.get(name) != value}
    left = [name for name in new if name.endswith(".part") or name.startswith("tmp/")]
    if answer.code == 2:
        left += [name for name in new if name not in left and not name.endswith(WANTED)]
        left += [name for name in before if name not in after]
    if left:
        yield Fault(HALF_STORED, f"{left[:8]} after exit {answer.code}: {answer.err[-300:]}")


def _contents(folder: Path) -> dict[str, object]:
    """The files by name with their sizes, and the tables of the store with their numbers of rows."""
    store = folder / STORE
    files = {
        str(path.relative_to(folder)): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not path.is_relative_to(store / "artifacts" / "embeddings") and ".db" not in path.name
    }
    return {**files, **_rows(store / "hcat.db")}


def _rows(database: Path) -> dict[str, int]:
    if not database.is_file():
        return {}
    with sqlite3.connect(database) as connection:
        names = [row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")]
        rows = {f"table {name}": connection.execute(f'select count(*) from "{name}"').fetchone()[0] for name in names}
    connection.close()
    return rows


def _opened(case: Case) -> list[Fault]:
    import streamlit as st
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_file(str(ROOT / "dashboard" / "app.py"), default_timeout=120)
    app.query_params.update(case.query)
    page = ROOT / "pages" / f"{case.page}.py"
    with _streams():
        app = app.run() if case.page == "overview" else app.run().switch_page(f"../pages/{page.name}").run()
    st.cache_resource.clear()
    st.cache_data.clear()
    return [Fault(TRACEBACK, f"{error.message}\n{chr(10).join(error.stack_trace)}") for error in app.exception]
