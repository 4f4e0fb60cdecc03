"""Test cases from a file of JSON Lines, as `hcat generate` writes them and people edit them."""

from __future__ import annotations

from collections.abc import Iterator

from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.records.file_limits import check_bytes, check_values, parse_document
from hcat.core.records.test_case import TestCase, case_id, from_record


def read_cases(content: bytes, *, filename: str) -> tuple[TestCase, ...]:
    """The cases of a file, in its order. Each line needs a query; a missing id is derived from it.

    Raises FileFormatError with the first wrong line, for duplicate ids, and for a file without cases."""
    try:
        check_bytes(len(content))
        check_values(content)
        lines = content.decode("utf-8-sig").splitlines()
    except LimitError as error:
        raise LimitError(f"{filename}: {error}") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{filename} is not UTF-8 text: it should hold one test case a line, as JSON") from None
    cases = tuple(_cases(lines, filename))
    if not cases:
        raise FileFormatError(f"{filename} holds no test case")
    return cases


def _cases(lines: list[str], filename: str) -> Iterator[TestCase]:
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        case = _case(line, f"{filename}: line {number}")
        if case.id in seen:
            raise FileFormatError(f"{filename}: line {number}: the id {case.id!r} occurs twice")
        seen.add(case.id)
        yield case


def _case(line: str, at: str) -> TestCase:
    try:
        row = parse_document(line)
    except ValueError:
        raise FileFormatError(f"{at} is no JSON") from None
    query = row.get("query") if isinstance(row, dict) else None
    if not isinstance(row, dict) or not isinstance(query, str) or not query.strip():
        raise FileFormatError(f"{at}: expected an object with query")
    if not row.get("id"):
        passages = row.get("passages")
        names = [str(name) for name in passages] if isinstance(passages, list) else []
        row = {**row, "id": case_id(query, names)}
    try:
        return from_record(row, at=at)
    except HcatError as error:
        raise FileFormatError(str(error)) from None
