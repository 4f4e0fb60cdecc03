from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest

from core.records.run_file import from_record, to_record
from core.storage import sample_files
from core.storage.artifacts import ArtifactStore
from core.storage.sample_files import ROWS_A_GROUP, SampleFiles
from core.types import Sample

N = 3 * ROWS_A_GROUP + 5
SAMPLES = tuple(Sample(f"q{k}", f"question {k}", f"answer {k}") for k in range(N))


@pytest.fixture
def files(tmp_path: Path) -> SampleFiles:
    return SampleFiles(ArtifactStore(str(tmp_path)))


def test_samples_come_back_in_order_from_all_groups(files: SampleFiles):
    assert files.all(files.write(SAMPLES)) == SAMPLES


@pytest.mark.parametrize("row", [0, ROWS_A_GROUP - 1, ROWS_A_GROUP, N - 1])
def test_one_sample_is_decoded_alone(files: SampleFiles, monkeypatch: pytest.MonkeyPatch, row: int):
    artifact = files.write(SAMPLES)
    decoded: list[str] = []
    monkeypatch.setattr(sample_files, "from_record", lambda record: decoded.append(record["id"]) or from_record(record))
    assert files.one(artifact, f"q{row}") == SAMPLES[row]
    assert decoded == [f"q{row}"]
    assert files.one(artifact, "q") is None


def test_a_file_in_one_group_of_rows_is_read_as_before(files: SampleFiles):
    records = [json.dumps(to_record(sample)) for sample in SAMPLES]
    artifact = files.artifacts.write_table(
        "samples", pa.table({"id": [sample.id for sample in SAMPLES], "record": records})
    )
    assert files.all(artifact) == SAMPLES
    assert files.one(artifact, "q200") == SAMPLES[200]


def test_ids_that_are_stored_alike_are_told_apart(files: SampleFiles):
    """Half a surrogate pair is stored as its escape, which may be another sample's id."""
    half, escape = Sample("\ud800", "one", "1"), Sample("\\ud800", "two", "2")
    artifact = files.write([half, escape])
    assert files.one(artifact, "\\ud800") == escape
    assert files.one(artifact, "\ud800") == half
    assert files.missing(artifact, ["\ud800", "x"]) == ["x"]
