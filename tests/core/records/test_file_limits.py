"""Every kind of file that is read whole is refused in one line where it would take more memory than it may."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.collect.description import target_of
from hcat.core.capabilities.collect.test_set import test_cases_in as cases_to_ask_in
from hcat.core.capabilities.judges.pair_file import read_pair_file
from hcat.core.capabilities.judges.rubric import read_rubric
from hcat.core.capabilities.judges.verdict import read_verdicts_jsonl
from hcat.core.capabilities.policy.policy import Policy
from hcat.core.capabilities.report.opinion import read_opinion
from hcat.core.capabilities.test_sets.case_file import read_cases
from hcat.core.errors import FileFormatError, HcatError, LimitError
from hcat.core.importers.labels.label_file import read_labels
from hcat.core.importers.limits import Limits
from hcat.core.importers.origins import read_origins
from hcat.core.importers.passage_file import read_passage_file
from hcat.core.importers.scores.read_scores import read_scores
from hcat.core.records import file_limits
from hcat.core.records.file_limits import count_values, parse_document, parse_yaml, unzipped
from hcat.core.records.parquet import check_unpacked
from hcat.core.records.passages import passages_in
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.frozen import FrozenSelection

MOST = 20_000
LISTS = "[" + "[]," * MOST + "[]]"


@pytest.fixture
def few_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of 5,000,000 values, lowered: a file of so many takes long to count under the memory's count."""
    monkeypatch.setattr(file_limits, "MOST_VALUES", MOST)


@pytest.mark.parametrize(
    "read",
    [
        lambda text: parse_document(text),
        lambda text: read_rubric(text),
        lambda text: Policy.from_json(text),
        lambda text: Calibration.from_json(text),
        lambda text: FrozenSelection.from_json(text),
        lambda text: read_opinion(text, filename="opinion.json"),
        lambda text: read_verdicts_jsonl(text),
        lambda text: read_cases(text.encode(), filename="cases.jsonl"),
        lambda text: cases_to_ask_in(text.encode(), name="cases.jsonl"),
        lambda text: passages_in(text.encode(), name="passages.jsonl"),
        lambda text: read_pair_file(text.encode(), name="pairs.jsonl"),
        lambda text: read_labels(text.encode(), limits=Limits(max_values=MOST)),
        lambda text: read_scores(text.encode(), filename="scores.json", limits=Limits(max_values=MOST)),
    ],
    ids=lambda read: "-".join(read.__code__.co_names),
)
@pytest.mark.usefixtures("few_values")
def test_many_small_values_are_counted_and_not_parsed(read: Callable[[str], object]) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match=r"more than 20,000 cells"):
            read(LISTS)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(LISTS)  # parsed, they take 25 times their text
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", [read_origins, read_passage_file])
def test_files_on_the_disk_count_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], object]
) -> None:
    monkeypatch.setattr(Limits, "from_settings", lambda: Limits(max_values=MOST))
    path = tmp_path / "a.jsonl"
    path.write_text(LISTS)
    with pytest.raises(LimitError, match=r"more than 20,000 cells .* raise HCAT_MAX_FILE_MB"):
        read(path)


def test_who_raises_the_size_of_a_file_may_read_more_values(monkeypatch: pytest.MonkeyPatch) -> None:
    from hcat.core.settings import settings

    monkeypatch.setenv("HCAT_MAX_FILE_MB", "600")
    settings.cache_clear()
    try:
        assert Limits.from_settings().max_values == 15_000_000  # 100,000 samples of 10 contexts with id, text, score
    finally:
        monkeypatch.undo()
        settings.cache_clear()
    assert Limits.from_settings().max_values == 5_000_000


def test_a_gzip_file_is_not_unpacked_beyond_the_limit() -> None:
    bomb = gzip.compress(bytes(30_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match="more than 1 MB"):
            unzipped(bomb, most=1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert unzipped(gzip.compress(b"x"), most=1) == b"x"


@pytest.mark.parametrize(
    "content",
    [b"", b"\x1f\x8b", gzip.compress(b"x" * 99)[:-9], b"\x1f\x8b\x08" + b"\xff" * 40],
    ids=["empty", "only the mark", "cut short", "not deflated"],  # a gzip file holds its time, an id must not
)
def test_a_broken_gzip_file_is_told_in_one_line(content: bytes) -> None:
    with pytest.raises(FileFormatError, match=r"pairs.jsonl.gz"):
        read_pair_file(content, name="pairs.jsonl.gz")


def test_signs_count_alike_in_text_and_bytes() -> None:
    text = '{"q": "a, [b], é 😀 {", "r": [1, 2]}'
    assert count_values(text, most=4) == count_values(text.encode(), most=4) == 4
    assert count_values(text, most=100) == count_values(text.encode(), most=100)


NINE_NAMES = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (NINE_NAMES, "values by name"),
        ("a: [" + "1," * 60_000 + "1]", "more than 50,000 values"),
        ("a: '" + "x" * 1_000_001 + "'", "more than 1,000,000 characters"),
    ],
    ids=["names", "values", "characters"],
)
def test_yaml_that_stands_for_more_than_it_says_is_refused(text: str, told: str) -> None:
    with pytest.raises(LimitError, match=f"^target.yaml: {told}"):
        target_of(text, name="target.yaml")


@pytest.mark.parametrize("text", ["[" * 5_000, "a: [1", "a: b: c", "\x00", "2025-02-30", "a: " + "9" * 4_301])
def test_broken_yaml_is_told_in_one_line(text: str) -> None:
    with pytest.raises(HcatError, match=r"^plan") as error:
        parse_yaml(text, name="plan")
    assert "\n" not in str(error.value)


def test_deep_json_is_told_like_broken_json() -> None:
    with pytest.raises(FileFormatError, match="nested too deeply"):
        read_rubric("[" * 200_000)


def parquet(rows: int, text: str) -> bytes:
    out = io.BytesIO()
    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))
    pq.write_table(pa.table({"sample_id": column}).replace_schema_metadata({"hcat": "{}"}), out)
    return out.getvalue()


def test_a_score_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "scores.parquet"
    path.write_bytes(parquet(100_000, "x" * 100_000))  # 10 GB
    with pytest.raises(LimitError, match=r"scores.parquet: the Parquet file unpacks to more than 1000 MB"):
        ScoreTable.read(path)
    check_unpacked(io.BytesIO(parquet(10, "x")))
    monkeypatch.setattr("hcat.core.records.parquet.MOST_CELLS", 5)
    with pytest.raises(LimitError, match="more than 5 cells"):
        check_unpacked(io.BytesIO(parquet(10, "x")))


def test_reading_ends_once_it_takes_too_long() -> None:
    from hcat.core.importers import read_run

    with pytest.raises(LimitError, match=r"^run.csv: it takes more than -1 seconds to read: split the file"):
        read_run(b"query,answer\nq,a\n", filename="run.csv", limits=Limits(max_seconds=-1))
    assert Limits().max_values == file_limits.MOST_VALUES


def test_rows_of_equal_content_are_numbered_in_one_step_each() -> None:
    from hcat.core.importers.preview import Counter, named
    from hcat.core.types import Sample

    class Names(set[str]):
        looked = 0

        def __contains__(self, name: object) -> bool:
            self.looked += 1
            return super().__contains__(name)

    used, copies = Names(), Counter[str]()
    names = [named(Sample("", "q", "a"), used, copies).id for _ in range(500)]
    assert len(set(names)) == 500
    assert names[1:3] == [f"{names[0]}-2", f"{names[0]}-3"]
    assert used.looked == 500
