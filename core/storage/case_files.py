"""The cases of a test set as one Parquet file: a column of ids, and a column of records, one JSON object a case."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from hcat.core.errors import StorageError
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.test_case import TestCase, from_record, record, test_cases_jsonl
from hcat.core.storage.artifacts import ArtifactStore

KIND = "cases"


@dataclass(frozen=True)
class CaseFiles:
    """The files with test cases in a store of artifacts, by the artifact that names each."""

    artifacts: ArtifactStore

    def write(self, cases: Sequence[TestCase]) -> str:
        """Store cases, and give the name of their file."""
        table = pa.table(
            {
                "id": pa.array([case.id for case in cases], pa.large_string()),
                "record": pa.array([json.dumps(record(case)) for case in cases], pa.large_string()),
            }
        )
        return self.artifacts.write_table(KIND, table)

    def all(self, artifact: str, *, content_hash: str) -> tuple[TestCase, ...]:
        """All cases in order. StorageError when the file is missing, damaged, or not of this content hash."""
        rows = self.artifacts.read_table(KIND, artifact, columns=["record"])["record"].to_pylist()
        cases = tuple(from_record(json.loads(row), at="a stored test case") for row in rows)
        if hash_of_cases(cases) != content_hash:
            raise StorageError("a stored test set no longer has its content hash: restore it from a backup")
        return cases


def hash_of_cases(cases: Sequence[TestCase]) -> str:
    """The SHA-256 of the file that holds these cases, one a line."""
    return sha256_of_text(test_cases_jsonl(cases))
