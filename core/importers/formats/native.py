"""The run file of hcat itself: one field of a sample a column."""

from __future__ import annotations

from core.importers.formats.format import Format
from core.importers.reading.cells import as_filled_text, as_identifier, as_share, as_text, as_whole
from core.importers.reading.contexts import NO_CONTEXTS, as_native_contexts
from core.importers.reading.row_reader import RowReader
from core.importers.reading.structures import as_grades, as_levels, as_object, as_texts, as_variant
from core.types import Sample

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
    contexts, context_metadata = row.structure("contexts", as_native_contexts, NO_CONTEXTS)
    return Sample(
        # Label and score files call it sample_id.
        id=row.value("sample_id" if "sample_id" in row and "id" not in row else "id", as_identifier, ""),
        query=row.required("query", as_filled_text, ""),
        answer=row.value("answer", as_text, None),
        contexts=contexts,
        reference=row.value("reference", as_text, None),
        reference_contexts=row.structure("reference_contexts", as_texts, ()),
        relevant_ids=row.structure("relevant_ids", as_grades, {}),
        dimensions=row.structure("dimensions", as_levels, {}),
        test_case=row.value("test_case", as_identifier, None),
        trial=row.number("trial", as_whole, 0),
        group=row.value("group", as_identifier, None),
        variant=row.structure("variant", as_variant, None),
        expected=row.number("expected", as_share, None),
        metadata={**context_metadata, **row.structure("metadata", as_object, {})},
    )


NATIVE = Format(
    name="native",
    title="hcat run file",
    required=("query", "answer"),
    fields={name: name for name in FIELDS},
    read=read,
    # GRAMMAR's results call the reference "answer".
    excluded=frozenset({"gpt_response"}),
)
