"""The run file of hcat itself: one field of a sample per column."""

from __future__ import annotations

from hcat.core.importers.formats.format import Format
from hcat.core.importers.reading.cells import as_filled_text, as_identifier, as_share, as_text, as_whole
from hcat.core.importers.reading.contexts import NO_CONTEXTS, as_document_or_documents
from hcat.core.importers.reading.field_names import MADE_BY_SYSTEMS
from hcat.core.importers.reading.messages import as_references
from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.importers.reading.structures import (
    as_grades_or_identifiers,
    as_levels,
    as_metadata,
    as_one_or_more_texts,
    as_variant,
)
from hcat.core.records.samples.right_answers import with_right_answers
from hcat.core.types import Sample

FIELDS = (
    "id",
    "query",
    "answer",
    "contexts",
    "reference",
    "reference_contexts",
    "relevant_ids",
    "dimensions",
    "test_case",
    "trial",
    "group",
    "variant",
    "expected",
    "metadata",
)


def read(row: RowReader) -> Sample:
    """The sample of a native row. A null answer says that the system failed; a missing field is a problem."""
    if "answer" not in row:
        row.problem("answer", "text, or null where the system failed to answer", "the field is missing")
    contexts, context_metadata = row.structure("contexts", as_document_or_documents, NO_CONTEXTS)
    sample = Sample(
        id=row.value("id|sample_id", as_identifier, ""),
        query=row.required("query", as_filled_text, ""),
        answer=row.value("answer", as_text, None),
        contexts=contexts,
        reference_contexts=row.structure("reference_contexts", as_one_or_more_texts, ()),
        relevant_ids=row.structure("relevant_ids", as_grades_or_identifiers, {}),
        dimensions=row.structure("dimensions", as_levels, {}),
        test_case=row.value("test_case", as_identifier, None),
        trial=row.number("trial", as_whole, 0),
        group=row.value("group", as_identifier, None),
        variant=row.structure("variant", as_variant, None),
        expected=row.number("expected", as_share, None),
        metadata={**context_metadata, **row.further("metadata", as_metadata, {})},
    )
    return with_right_answers(sample, row.value("reference", as_references, ()))


NATIVE = Format(
    name="native",
    title="hcat run file",
    required=("query", "answer"),
    # Label and score files call it sample_id.
    fields={"id|sample_id": "id", **{name: name for name in FIELDS if name != "id"}},
    read=read,
    # With such a column, "answer" is the reference, as in GRAMMAR's results.
    excluded=frozenset(MADE_BY_SYSTEMS),
)
