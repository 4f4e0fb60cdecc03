"""A corpus as read and cut, before it is stored: documents, passages, problems, and their source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hcat.core.errors import FileFormatError
from hcat.core.records.cutting import OVERLAP, WORDS, cut
from hcat.core.records.documents import Document, DocumentProblem, DocumentSummary, summarise_documents
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.passages import CorpusPassage
from hcat.core.types import JsonValue, Sample


@dataclass(frozen=True, slots=True)
class CorpusImport:
    """The result of an import from files, a file of passages, or a run's contexts. `settings` records how documents
    were cut. Without stored documents, each passage names its document."""

    passages: tuple[CorpusPassage, ...]
    documents: tuple[Document, ...] = ()
    problems: tuple[DocumentProblem, ...] = ()
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    source: str = ""

    @property
    def summaries(self) -> tuple[DocumentSummary, ...]:
        """The documents, summarised for a list."""
        return summarise_documents(self.documents, self.passages)

    @property
    def content_hash(self) -> str:
        """SHA-256 of the documents' texts and of the passages with their ids; equal for equal corpora."""
        documents: list[JsonValue] = [[document.id, document.content_hash] for document in self.documents]
        passages: list[JsonValue] = [[passage.id, passage.content_hash] for passage in self.passages]
        return sha256_of_json({"documents": documents, "passages": passages})


def corpus_of_documents(
    documents: Sequence[Document],
    problems: Sequence[DocumentProblem] = (),
    *,
    words: int = WORDS,
    overlap: int = OVERLAP,
    source: str,
) -> CorpusImport:
    """Documents cut into passages of at most this many words."""
    passages = tuple(passage for document in documents for passage in cut(document, words=words, overlap=overlap))
    settings: dict[str, JsonValue] = {"from": "documents", "words": words, "overlap": overlap}
    return CorpusImport(passages, tuple(documents), tuple(problems), settings, source)


def corpus_of_passages(passages: Sequence[CorpusPassage], *, source: str) -> CorpusImport:
    """Passages that were cut elsewhere, such as in the index of the system under test, unchanged."""
    return CorpusImport(tuple(passages), settings={"from": "passages"}, source=source)


def corpus_of_contexts(samples: Iterable[Sample], *, source: str) -> CorpusImport:
    """The contexts that a run retrieved, each once, as passages. They are only a part of the corpus: passages that were
    never retrieved are missing.

    Raises FileFormatError if no sample has contexts. Of two texts with the same id, the second becomes `id-2`."""
    texts: dict[str, str] = {}
    for context in (context for sample in samples for context in sample.contexts if context.text.strip()):
        name, number = context.id, 1
        while texts.get(name, context.text) != context.text:
            number += 1
            name = f"{context.id}-{number}"
        texts.setdefault(name, context.text)
    if not texts:
        raise FileFormatError(f"no sample of {source} has contexts: import the documents themselves")
    passages = tuple(
        CorpusPassage(name, text, name.partition("#")[0] or name, end=len(text)) for name, text in texts.items()
    )
    return CorpusImport(passages, settings={"from": "contexts of a run"}, source=source)
