"""What another version measured is measured once, and kept beside the run's file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hcat.core.records.samples.columns import SampleColumns
from hcat.core.records.samples.likely_trials import likely_trials
from hcat.core.slices.sample_columns import LEVELS, NUMBERS, ColumnsOfSamples
from hcat.core.storage import sample_rows
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.measured_files import KIND, is_whole
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.types import Sample
from tests.core.storage.test_sample_files import KINDS, SAMPLES, CountedTexts

RUN = (*KINDS, *SAMPLES[:500])


@pytest.fixture
def files(tmp_path: Path) -> SampleFiles:
    return SampleFiles(ArtifactStore(str(tmp_path)), CountedTexts())


@pytest.fixture
def artifact(files: SampleFiles, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A run of an earlier version, which measured otherwise."""
    with monkeypatch.context() as before:
        before.setitem(LEVELS, "answer_state", lambda sample: "answered")
        before.setattr(sample_rows, "MEASURES_VERSION", 0)
        written = files.write(RUN).artifact
    yield written


def told(columns: SampleColumns) -> list[object]:
    levels = [columns.levels(name).texts() for name in LEVELS]
    numbers = [np.nan_to_num(columns.numbers(name), nan=-1.0).tolist() for name in NUMBERS]
    return [levels, numbers, list(columns.retrieved()), columns.likely_trials()]


def test_texts_are_read_once_whatever_is_asked(files: SampleFiles, artifact: str) -> None:
    expected = told(ColumnsOfSamples(RUN))
    assert told(files.columns(artifact)) == expected and files.columns(artifact).likely_trials() == likely_trials(RUN)
    assert files.form == CountedTexts(len(RUN))
    assert told(files.columns(artifact)) == expected
    assert files.form == CountedTexts(len(RUN)), "another opening reads what was measured"


def test_a_damaged_file_is_measured_again(files: SampleFiles, artifact: str) -> None:
    expected = told(files.columns(artifact))
    [kept] = Path(files.artifacts.folder(KIND)).rglob("*.parquet")
    content = kept.read_bytes()
    assert is_whole(content)
    for damaged in (b"", content[: len(content) // 2], content[:200] + bytes(64) + content[264:]):
        assert not is_whole(damaged)
        kept.write_bytes(damaged)
        assert told(files.columns(artifact)) == expected
        assert kept.read_bytes() == content


def test_it_goes_with_the_run(files: SampleFiles, artifact: str) -> None:
    columns = files.columns(artifact)
    told(columns)
    files.artifacts.remove("samples", artifact)
    assert not list(Path(files.artifacts.folder(KIND)).rglob("*.parquet"))


def test_what_can_not_be_kept_is_measured_all_the_same(
    files: SampleFiles, artifact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(ArtifactStore, "put_beside", full)
    assert told(files.columns(artifact)) == told(ColumnsOfSamples(RUN))


def test_a_run_of_this_version_has_its_columns_in_its_file(files: SampleFiles) -> None:
    written = files.write(RUN).artifact
    assert told(files.columns(written)) == told(ColumnsOfSamples(RUN))
    assert files.form == CountedTexts(0) and not Path(files.artifacts.folder(KIND)).exists()


def test_candidates_and_grades_come_back(files: SampleFiles) -> None:
    samples = [
        Sample("a", "q", "a", metadata={"candidates": ["p", "\udfff", 3]}, relevant_ids={"p": 2}),
        Sample("b", "q", "a", metadata={"candidates": []}),
        Sample("c", "q", "a", metadata={"candidates": "p"}),
    ]
    columns = files.columns(files.write(samples).artifact)
    assert list(columns.retrieved()) == list(ColumnsOfSamples(samples).retrieved())
    assert [each.candidates for each in columns.retrieved()] == [("p", "\udfff", "3"), (), None]
