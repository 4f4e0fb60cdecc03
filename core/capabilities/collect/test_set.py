"""Test cases to ask, from a file of JSON Lines: samples that nobody has answered yet."""

from __future__ import annotations

import json
from pathlib import Path

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers import read_run
from hcat.core.records.file_limits import check_bytes, check_values
from hcat.core.records.json_text import json_value
from hcat.core.types import JsonValue, Sample

_DIMENSIONS = {"topic": "topic", "type": "query_type", "difficulty": "difficulty", "style": "style"}
_METADATA = ("probability", "generator", "key_fact", "passages", "expectation")


def read_test_cases(path: Path) -> tuple[Sample, ...]:
    """The test cases of a file, in its order. Each needs `query`; an answer in it is left out.

    Raises FileFormatError with the first line that is wrong, and for ids that occur twice.
    """
    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: check the path")
    return test_cases_in(path.read_bytes(), name=path.name)


def test_cases_in(content: bytes, *, name: str) -> tuple[Sample, ...]:
    """The test cases in the content of a file of this name."""
    try:
        check_bytes(len(content))
        check_values(content)
        lines = [line for line in content.decode("utf-8").splitlines() if line.strip()]
    except LimitError as error:
        raise LimitError(f"{name}: {error}") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{name} is not UTF-8 text: check the path") from None
    rows = "".join(json.dumps(_unanswered(name, number, line)) + "\n" for number, line in enumerate(lines, start=1))
    preview = read_run(rows.encode(), filename=name, format="native")
    if preview.problems:
        first = preview.problems[0]
        raise FileFormatError(
            f"{name}: line {first.row}, {first.column}: expected {first.expected}, found {first.found}"
        )
    return preview.samples


def _unanswered(name: str, number: int, line: str) -> dict[str, JsonValue]:
    try:
        row = json_value(line)
    except ValueError:
        raise FileFormatError(f"{name}: line {number} is no JSON") from None
    if not isinstance(row, dict):
        raise FileFormatError(f"{name}: line {number}: expected an object with query")
    query = row.get("query")
    if not isinstance(query, str) or not query.strip():
        raise FileFormatError(f"{name}: line {number}: expected a query")
    dimensions, metadata = (row.pop(field, None) or {} for field in ("dimensions", "metadata"))
    if not isinstance(dimensions, dict) or not isinstance(metadata, dict):
        raise FileFormatError(f"{name}: line {number}: expected dimensions and metadata as objects")
    for field, dimension in _DIMENSIONS.items():
        if row.get(field) is not None:
            dimensions.setdefault(dimension, str(row.pop(field)))
    grades, passages = row.pop("grades", None), row.get("passages")
    for field in _METADATA:
        if field in row:
            metadata[field] = row.pop(field)
    row.pop("contexts", None)
    if isinstance(passages, list) and passages and "relevant_ids" not in row:
        graded = grades if isinstance(grades, dict) else {}
        row["relevant_ids"] = {str(passage): graded.get(str(passage), 1) for passage in passages}
    row.setdefault("test_case", row.get("id"))
    return {**row, "answer": None, "dimensions": dimensions, "metadata": metadata}
