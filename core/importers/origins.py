"""Test cases from files, to make variants of: test sets and run files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.importers import Limits, read_run
from hcat.core.importers.reading.content import read_bytes
from hcat.core.records.file_limits import SPLIT_OR_RAISE, check_values
from hcat.core.records.origins import as_test_case, passages_of
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase, from_record
from hcat.core.types import JsonValue, Sample

_FIELDS = frozenset(field.name for field in fields(TestCase))


def read_origins(path: Path) -> tuple[tuple[TestCase, ...], tuple[CorpusPassage, ...]]:
    """The test cases of a test file or run file, and the passages in a run's contexts. Variants are left out.

    Raises FileFormatError with the first line that is wrong; HcatError if nothing is left."""
    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: check the path")
    content = _content(path)
    rows = _test_case_rows(content)
    if rows is not None:
        cases = [from_record(row, at=f"{path.name}: line {number}") for number, row in enumerate(rows, start=1)]
        passages: tuple[CorpusPassage, ...] = ()
    else:
        samples = _samples(path, content)
        cases, passages = [as_test_case(sample) for sample in samples], passages_of(samples)
    origins = _distinct(case for case in cases if case.variant is None)
    if not origins:
        raise HcatError(f"{path.name} has no test case that is not itself a variant")
    return origins, passages


def _content(path: Path) -> bytes:
    limits = Limits.from_settings()
    try:
        content = read_bytes(path, limits)
        check_values(content, most=limits.max_values, advice=SPLIT_OR_RAISE)
    except (FileFormatError, LimitError) as error:
        raise type(error)(f"{path.name}: {error}") from None
    return content


def _test_case_rows(content: bytes) -> list[JsonValue] | None:
    """The lines as test cases; None if the file is of another kind."""
    try:
        rows: list[JsonValue] = [json.loads(line) for line in content.decode("utf-8").splitlines() if line.strip()]
    except ValueError:
        return None
    distinctive = {"passages", "type", "expectation"}
    are_cases = [isinstance(row, dict) and set(row) <= _FIELDS and distinctive & set(row) != set() for row in rows]
    return rows if rows and all(are_cases) else None


def _samples(path: Path, content: bytes) -> tuple[Sample, ...]:
    """The samples of a run file; a file of queries alone is read as missing answers."""
    preview = read_run(_with_answers(content), filename=path.name)
    if preview.problems:
        first = preview.problems[0]
        raise FileFormatError(
            f"{path.name}: line {first.row}, {first.column}: expected {first.expected}, found {first.found}"
        )
    return preview.samples


def _with_answers(content: bytes) -> bytes:
    try:
        rows = [json.loads(line) for line in content.decode("utf-8").splitlines() if line.strip()]
    except ValueError:
        return content
    if not rows or not all(isinstance(row, dict) and "query" in row for row in rows):
        return content
    return "".join(json.dumps({"answer": None, **row}) + "\n" for row in rows).encode()


def _distinct(cases: Iterable[TestCase]) -> tuple[TestCase, ...]:
    """The first of each id: a run has one sample for each trial of a test case."""
    by_id: dict[str, TestCase] = {}
    for case in cases:
        by_id.setdefault(case.id, case)
    return tuple(by_id.values())
