"""Reads the texts of a sample as people would, and recognises placeholders for a missing answer."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.importers.reading.row_reader import RowReader
from hcat.core.legible import is_placeholder, legible, without_thoughts
from hcat.core.types import Passage, Sample

THOUGHTS = "thoughts"
"""The metadata key for an answer with its reasoning, if that was removed."""


def read_as_said(sample: Sample, row: RowReader, *, leave_out_thoughts: bool) -> Sample:
    """The sample without terminal codes and invisible characters, and without placeholders as answers ("null", "…").

    Changes are remarked on to the row's reader. With `leave_out_thoughts` the answer is what follows a model's
    reasoning; the whole is saved in the metadata."""
    sample = _legible(sample, row)
    answer = sample.answer
    if answer is None or not answer.strip():
        return sample
    if is_placeholder(answer) and answer.strip().casefold() != (sample.reference or "").strip().casefold():
        row.remark("no answer", answer.strip()[:20])
        return replace(sample, answer=None)
    said = without_thoughts(answer)
    if said == answer:
        return sample
    row.remark("thoughts left out" if leave_out_thoughts else "thoughts", "")
    if not leave_out_thoughts:
        return sample
    return replace(sample, answer=said or None, metadata={**sample.metadata, THOUGHTS: answer})


def _legible(sample: Sample, row: RowReader) -> Sample:
    texts = {
        "query": legible(sample.query),
        "answer": None if sample.answer is None else legible(sample.answer),
        "reference": None if sample.reference is None else legible(sample.reference),
    }
    contexts = tuple(_legible_passage(passage) for passage in sample.contexts)
    sources = tuple(map(legible, sample.reference_contexts))
    changed = [name for name, text in texts.items() if text != getattr(sample, name)]
    changed += ["contexts"] * (contexts != sample.contexts) + ["reference_contexts"] * (
        sources != sample.reference_contexts
    )
    if not changed or not (texts["query"] or "").strip():
        return sample
    for name in changed:
        row.remark("signs", name)
    return replace(
        sample,
        query=texts["query"] or "",
        answer=texts["answer"],
        reference=texts["reference"],
        contexts=contexts,
        reference_contexts=sources,
    )


def _legible_passage(passage: Passage) -> Passage:
    text = legible(passage.text)
    return passage if text is passage.text else replace(passage, text=text)
