"""Documents and passages that are new, changed or gone between two versions of a corpus, by their hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from hcat.core.records.documents import DocumentSummary
from hcat.core.records.passages import CorpusPassage


@dataclass(frozen=True, slots=True)
class CorpusContents:
    """The contents of one version of a corpus that are compared with another version."""

    documents: Sequence[DocumentSummary]
    passages: Sequence[CorpusPassage]


@dataclass(frozen=True, slots=True)
class ChangeCounts:
    """Numbers of items that are unchanged, new, changed and gone."""

    same: int = 0
    new: int = 0
    changed: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A document that is new, changed or gone, with the effect on its passages. `renamed_from` names a document that is
    gone and had the same text."""

    document: str
    status: str
    passages: ChangeCounts
    renamed_from: str = ""


@dataclass(frozen=True, slots=True)
class CorpusChanges:
    """Documents that are new, changed or gone, in their order, and the counts of all documents and passages."""

    documents: ChangeCounts
    passages: ChangeCounts
    changes: tuple[DocumentChange, ...]

    @property
    def any(self) -> bool:
        """Whether any document or passage is new, changed or gone."""
        counts = (self.documents, self.passages)
        return any(count.new or count.changed or count.gone for count in counts)


def compare_corpora(before: CorpusContents, after: CorpusContents) -> CorpusChanges:
    """The changes from one version to the next. A passage that only moved within its document is unchanged; one that
    was rewritten in place is changed, and has another id."""
    earlier, later = ({document.id: document for document in x.documents} for x in (before, after))
    texts_before, texts_after = _texts(before.passages), _texts(after.passages)
    gone_by_hash = {earlier[name].content_hash: name for name in earlier if name not in later}
    rows: list[tuple[str, DocumentChange]] = []
    for name in [*later, *(name for name in earlier if name not in later)]:
        passages = _passage_counts(texts_before.get(name, []), texts_after.get(name, []))
        renamed = gone_by_hash.get(later[name].content_hash, "") if name in later and name not in earlier else ""
        status = _status(earlier.get(name), later.get(name))
        rows.append((status, DocumentChange(name, status, passages, renamed)))
    statuses = [status for status, _ in rows]
    return CorpusChanges(
        ChangeCounts(*(statuses.count(status) for status in ("same", "new", "changed", "gone"))),
        _total([change.passages for _, change in rows]),
        tuple(
            change
            for status, change in rows
            if status != "same" or change.passages.new or change.passages.changed or change.passages.gone
        ),
    )


def _status(before: DocumentSummary | None, after: DocumentSummary | None) -> str:
    if before is None or after is None:
        return "new" if before is None else "gone"
    return "same" if before.content_hash == after.content_hash else "changed"


def _passage_counts(before: Sequence[str], after: Sequence[str]) -> ChangeCounts:
    if before == after:
        return ChangeCounts(same=len(after))
    same = new = changed = gone = 0
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            same += b - a
            continue
        pairs = min(b - a, d - c)
        changed, new, gone = changed + pairs, new + (d - c) - pairs, gone + (b - a) - pairs
    return ChangeCounts(same, new, changed, gone)


def _texts(passages: Sequence[CorpusPassage]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.document, []).append(passage.text)
    return texts


def _total(counts: Sequence[ChangeCounts]) -> ChangeCounts:
    return ChangeCounts(
        sum(count.same for count in counts),
        sum(count.new for count in counts),
        sum(count.changed for count in counts),
        sum(count.gone for count in counts),
    )
