"""Whatever a sample holds comes back as it was; whatever a file holds gives a preview or an HcatError."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.importers import Preview, bad_rows_jsonl, problems_csv, read_run, write_run
from hcat.core.importers.reading.cells import as_identifier
from hcat.core.records.run_file import content_hash
from hcat.core.types import Passage, Sample, Variant

# NUL and half surrogate pairs are what a run file may not hold.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
NASTY = st.sampled_from(
    ["", '"', "''", "\n", "\r\n", "\u2028", "\x85", "\x1c", "=1+1", "[]", "{'a'", "\\", "\ufeff", "null", "NaN"]
)
TEXT = NASTY | st.text(CHARACTERS, max_size=30)
NAME = TEXT.filter(bool)
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCALAR = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | FINITE | TEXT
JSON = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=6
)

SAMPLES = st.lists(
    st.builds(
        Sample,
        id=NAME,
        query=TEXT.filter(lambda text: bool(text.strip())),
        answer=st.none() | TEXT,
        contexts=st.lists(
            st.builds(Passage, id=NAME, text=TEXT, score=st.none() | FINITE.filter(lambda x: abs(x) < 1e300)),
            max_size=3,
        ).map(tuple),
        reference=st.none() | TEXT,
        reference_contexts=st.lists(TEXT, max_size=2).map(tuple),
        relevant_ids=st.dictionaries(TEXT, st.integers(0, 3), max_size=2),
        dimensions=st.dictionaries(TEXT, TEXT, max_size=2),
        test_case=st.none() | NAME,
        trial=st.integers(0, 5),
        group=st.none() | NAME,
        variant=st.none() | st.builds(Variant, family=TEXT, of=NAME, strength=st.none() | st.floats(0, 1)),
        expected=st.none() | st.floats(0, 1),
        metadata=st.dictionaries(TEXT, JSON, max_size=3),
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda sample: (as_identifier(sample.id), sample.trial),
)


@settings(deadline=None)
@given(SAMPLES)
def test_a_run_file_reads_back_as_it_was_written(samples: list[Sample]) -> None:
    preview = read_run(write_run(samples).encode(), filename="run.jsonl")
    assert preview.problems == ()
    again = read_run(write_run(preview.samples).encode(), filename="run.jsonl")
    assert again.samples == preview.samples
    assert content_hash(again.samples) == content_hash(preview.samples)
    if not preview.account.remarks and all(map(has_clean_names, samples)):
        assert preview.samples == tuple(samples)


def has_clean_names(sample: Sample) -> bool:
    """Whether its names have no outer blanks or invisible characters, which are taken off."""
    names = [sample.id, sample.test_case, sample.group, *(passage.id for passage in sample.contexts)]
    names += [*sample.relevant_ids, *([sample.variant.of] if sample.variant else [])]
    return all(as_identifier(name) == name for name in names if name)


def accepted(data: bytes) -> Preview | None:
    try:
        preview = read_run(data, filename="upload")
    except HcatError as error:
        assert "\n" not in str(error)
        return None
    assert preview.rows == len(preview.samples) + preview.bad
    assert len({(sample.id, sample.trial) for sample in preview.samples}) == len(preview.samples)
    # What was accepted can be written, and what was not can be downloaded.
    assert (
        read_run(write_run(preview.samples).encode(), filename="x").samples == preview.samples
        if preview.samples
        else True
    )
    problems_csv(preview.problems).decode("utf-8")
    assert len(bad_rows_jsonl(preview.bad_rows).splitlines()) == len(preview.bad_rows)
    return preview


@settings(deadline=None)
@given(st.binary(max_size=300))
@example(b"PAR1PAR1")
@example(b"\xff\xfe")
@example(b"query,answer\n\x00,\x00")
def test_arbitrary_bytes_give_a_preview_or_an_hcat_error(data: bytes) -> None:
    accepted(data)


@settings(deadline=None)
@given(
    st.text(st.characters(categories=["L", "N", "P", "S", "Z", "Cc"]), max_size=200),
    st.sampled_from(["query,answer,contexts,trial\n", "user_input;response\n", "question\tcontexts\tanswer\n", "["]),
)
def test_arbitrary_text_under_a_known_header_gives_a_preview_or_an_hcat_error(text: str, header: str) -> None:
    accepted((header + text).encode())


COLUMN = st.sampled_from(
    [
        "id",
        "query",
        "answer",
        "contexts",
        "trial",
        "relevant_ids",
        "variant",
        "expected",
        "metadata",
        "dimensions",
        "user_input",
        "response",
        "other",
        "",
    ]
)
ANYTHING = JSON | st.text(max_size=5) | st.floats() | st.integers()


@settings(deadline=None)
@given(st.lists(st.dictionaries(COLUMN, ANYTHING, max_size=6), max_size=4), st.booleans())
def test_arbitrary_records_give_a_preview_or_an_hcat_error(records: list[dict[str, object]], lines: bool) -> None:
    records = [{"query": "q", "answer": "a"}, *records]
    preview = accepted(("\n".join(map(json.dumps, records)) if lines else json.dumps(records)).encode())
    assert preview is not None
    assert preview.rows == len(records)


@settings(deadline=None)
@given(
    st.lists(
        st.lists(st.text(CHARACTERS, max_size=10) | NASTY | JSON.map(str), min_size=4, max_size=4),
        min_size=1,
        max_size=4,
    )
)
def test_arbitrary_csv_cells_give_a_preview(rows: list[list[str]]) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["query", "answer", "contexts", "metadata"], *rows])
    preview = accepted(out.getvalue().encode())
    assert preview is not None
    assert preview.rows == len(rows)
