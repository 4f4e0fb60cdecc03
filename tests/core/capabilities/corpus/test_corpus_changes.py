"""What a second import says: by hashes of texts, and not by places."""

from __future__ import annotations

from functools import partial

from hcat.core.capabilities.corpus.corpus_changes import ChangeCounts, CorpusChanges, CorpusContents, compare_corpora
from hcat.core.capabilities.corpus.corpus_import import CorpusImport, corpus_of_contexts, corpus_of_documents
from hcat.core.records.documents import Block, Document
from hcat.core.records.passages import CorpusPassage
from hcat.core.types import Passage, Sample
from tests.line_counts import lines_run


def document(name: str, *paragraphs: str) -> Document:
    """A document with a section for each paragraph, so that each is a passage of its own."""
    text, blocks = "", []
    for number, paragraph in enumerate(paragraphs):
        for kind, words in (("heading", f"Section {number}"), ("paragraph", paragraph)):
            start = len(text) + (2 if text else 0)
            text += ("\n\n" if text else "") + words
            blocks.append(Block(kind, start, len(text), 1 if kind == "heading" else 0))  # type: ignore[arg-type]
    return Document(name, text, tuple(blocks))


def corpus(*documents: Document, words: int = 120) -> CorpusImport:
    return corpus_of_documents(documents, words=words, source="test")


def changes(before: CorpusImport, after: CorpusImport) -> CorpusChanges:
    return compare_corpora(*(CorpusContents(each.summaries, each.passages) for each in (before, after)))


def test_the_same_corpus_has_not_changed():
    one = corpus(document("a.md", "First.", "Second."))
    assert not changes(one, one).any
    assert changes(one, one).changes == ()
    assert one.content_hash == corpus(document("a.md", "First.", "Second.")).content_hash


def test_documents_and_passages_that_are_new_changed_and_gone():
    before = corpus(document("a.md", "First.", "Second.", "Third."), document("b.md", "Gone."))
    after = corpus(document("a.md", "First.", "Inserted.", "Second.", "Other."), document("c.md", "New."))
    found = changes(before, after)
    assert found.documents == ChangeCounts(same=0, new=1, changed=1, gone=1)
    # a.md: First and Second stay, Inserted is new, Third became Other; c.md adds one, b.md takes one away.
    assert found.passages == ChangeCounts(same=2, new=2, changed=1, gone=1)
    assert [(change.document, change.status) for change in found.changes] == [
        ("a.md", "changed"),
        ("c.md", "new"),
        ("b.md", "gone"),
    ]
    assert before.content_hash != after.content_hash


def test_a_renamed_document_names_the_one_that_had_its_text():
    found = changes(corpus(document("old.md", "Text.")), corpus(document("new.md", "Text.")))
    assert [(change.document, change.renamed_from) for change in found.changes] == [
        ("new.md", "old.md"),
        ("old.md", ""),
    ]


def test_another_length_changes_passages_and_no_document():
    paragraph = " ".join(f"Sentence number {k} is here." for k in range(20))
    found = changes(corpus(document("a.md", paragraph)), corpus(document("a.md", paragraph), words=50))
    assert found.documents == ChangeCounts(same=1)
    assert found.passages.new + found.passages.changed > 0
    assert [(change.document, change.status) for change in found.changes] == [("a.md", "same")]


def test_a_large_document_is_compared_in_steps_in_proportion_to_its_passages():
    def edited(paragraphs: int) -> tuple[CorpusImport, CorpusImport]:
        texts = [f"Paragraph number {k}." for k in range(paragraphs)]
        half = paragraphs // 2
        return corpus(document("a.md", *texts)), corpus(document("a.md", "New.", *texts[:half], *texts[half + 100 :]))

    small, large = edited(300), edited(1200)
    assert changes(*large).passages == ChangeCounts(same=1100, new=1, changed=0, gone=100)
    assert 300 < lines_run(partial(changes, *large)) < 6 * lines_run(partial(changes, *small))


def test_contexts_are_taken_once_each():
    contexts = (Passage("a#1", "One."), Passage("b", "Two."), Passage("empty", " "))
    imported = corpus_of_contexts([Sample("q", "?", "x", contexts=contexts)] * 2, source="run v1")
    assert imported.passages == (
        CorpusPassage("a#1", "One.", "a", end=4),
        CorpusPassage("b", "Two.", "b", end=4),
    )
    assert [(row.id, row.passages) for row in imported.summaries] == [("a", 1), ("b", 1)]
