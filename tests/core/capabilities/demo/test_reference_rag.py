"""The reference RAG system: retrieval, extraction, abstention, and the two configurations on real vectors."""

import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hcat.core.capabilities.demo.bank import read_handbook, read_test_cases
from hcat.core.capabilities.demo.reference_rag import (
    ABSTENTION,
    BASELINE,
    CANDIDATE,
    GAP,
    HandbookPassage,
    RagConfig,
    ReferenceRag,
    cut_pieces,
    run_reference_rag,
    split_sentences,
)
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.types import Progress, Sample

PASSAGES = (
    HandbookPassage("cat", "Pets", "Cats", "They sleep all day. A cat eats fish and costs 5 coins. Cats purr."),
    HandbookPassage("dog", "Pets", "Dogs", "A dog eats bones. It costs 9 coins. It barks."),
    HandbookPassage("oak", "Trees", "Oak", "Its wood is hard. The acorn falls in autumn."),
)
PLAIN = RagConfig("plain", top_k=2, answer_sentences=2, index="text", abstain_below=0.1)


class WordEncoder:
    """Counts of words, so that a cosine can be worked out by hand."""

    name, revision, dimension = "words", "0" * 64, 4096

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").replace("?", " ").split():
                row[zlib.crc32(word.encode()) % self.dimension] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def rag(config: RagConfig) -> ReferenceRag:
    return ReferenceRag(PASSAGES, WordEncoder(), store=MemoryEmbeddings(), config=config)


def test_passages_come_in_the_order_of_their_cosine() -> None:
    contexts = rag(PLAIN).answer("dog barks").contexts
    # dog: a dog eats bones it costs 9 coins it barks. "it" twice, so the norm is sqrt(8 + 4) = sqrt(12);
    # query (dog, barks) has norm sqrt(2): cosine = 2 / sqrt(24) = 0.4082. The others share no word.
    assert contexts[0].id == "dog"
    assert contexts[0].score == pytest.approx(0.4082)
    assert contexts[1].score == 0.0


def test_candidates_are_all_passages_in_the_order_of_their_best_piece() -> None:
    pieces = replace(PLAIN, chunk_words=3)
    found = rag(pieces).answer("dog barks")
    assert found.candidates[0] == "dog"
    assert sorted(found.candidates) == ["cat", "dog", "oak"]
    assert [passage.id for passage in found.contexts] == [*found.candidates[: len(found.contexts)]]
    case = Sample("s", "dog barks", None, metadata={"kept": 1})
    (sample,) = run_reference_rag([case], pieces, passages=PASSAGES, encoder=WordEncoder(), store=MemoryEmbeddings())
    assert sample.metadata == {"kept": 1, "candidates": [*found.candidates]}


def test_answer_takes_the_most_similar_sentences_in_reading_order() -> None:
    answer = rag(PLAIN).answer("cats purr and eats fish costs")
    assert answer.text == "A cat eats fish and costs 5 coins. Cats purr."
    assert rag(replace(PLAIN, answer_sentences=1)).answer("purr cats").text == "Cats purr."


def test_the_title_is_indexed_only_on_request() -> None:
    assert rag(PLAIN).answer("oak").abstained
    found = rag(replace(PLAIN, index="title and text")).answer("oak")
    assert found.contexts[0].id == "oak"
    assert found.contexts[0].text == PASSAGES[2].text  # the title is for retrieval, the context stays the passage


def test_the_passage_counts_beside_the_sentence() -> None:
    query = "dog bones barks costs 5 coins"
    alone = rag(replace(PLAIN, answer_sentences=1)).answer(query)
    together = rag(replace(PLAIN, answer_sentences=1, passage_weight=5.0)).answer(query)
    assert together.contexts[0].id == "dog"
    assert together.text is not None
    assert together.text in PASSAGES[1].text
    assert alone.text is not None


def test_below_the_threshold_it_abstains_and_shows_what_it_saw() -> None:
    answer = rag(PLAIN).answer("submarine")
    assert answer.text == ABSTENTION
    assert answer.abstained
    assert len(answer.contexts) == 2


def test_an_empty_query_has_no_answer() -> None:
    answer = rag(PLAIN).answer("  ")
    assert answer.text is None
    assert answer.contexts == ()
    assert not answer.abstained


def test_pieces_of_one_passage_make_one_context() -> None:
    config = replace(PLAIN, chunk_words=4, top_k=2)
    # Pieces of dog: "A dog eats bones." / "It costs 9 coins." / "It barks."
    apart = rag(config).answer("dog barks").contexts
    assert [context.id for context in apart] == ["dog"]
    assert apart[0].text == f"A dog eats bones.{GAP}It barks."
    adjacent = rag(config).answer("dog eats bones 9 coins").contexts
    assert adjacent[0].text == "A dog eats bones. It costs 9 coins."


@given(st.lists(st.text(alphabet="ab", min_size=1, max_size=3), min_size=1, max_size=30), st.integers(1, 9))
def test_cutting_loses_and_adds_no_word(words: list[str], size: int) -> None:
    passage = HandbookPassage("p", "t", "T", " ".join(words))
    pieces = cut_pieces([passage], replace(PLAIN, chunk_words=size))
    assert " ".join(piece.text for piece in pieces).split() == words
    assert max(len(piece.text.split()) for piece in pieces) <= size
    assert [piece.position for piece in pieces] == list(range(len(pieces)))


def test_sentences_end_before_a_capital_or_digit_only() -> None:
    text = "It costs EUR 4.50 a month. Up to 3.5% is free! Why? 2 keys are given."
    assert split_sentences(text) == ("It costs EUR 4.50 a month.", "Up to 3.5% is free!", "Why?", "2 keys are given.")


@pytest.mark.parametrize("change", [{"top_k": 0}, {"answer_sentences": 0}, {"chunk_words": 0}])
def test_impossible_settings_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        replace(PLAIN, **change)  # type: ignore[arg-type]


def test_no_passages_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one passage"):
        ReferenceRag((), WordEncoder(), store=MemoryEmbeddings(), config=PLAIN)


def test_a_run_keeps_the_cases_and_reports_progress() -> None:
    cases = [
        Sample("a", "dog barks", None, reference="r", dimensions={"topic": "Pets"}),
        Sample("b", "submarine", None),
    ]
    seen: list[Progress] = []
    samples = run_reference_rag(
        cases, PLAIN, passages=PASSAGES, encoder=WordEncoder(), store=MemoryEmbeddings(), on_progress=seen.append
    )
    assert [(s.id, s.test_case, s.query, s.reference) for s in samples] == [
        ("a", "a", "dog barks", "r"),
        ("b", "b", "submarine", None),
    ]
    assert samples[0].answer is not None
    assert "barks" in samples[0].answer
    assert samples[1].answer == ABSTENTION
    assert [(p.done, p.total) for p in seen] == [(1, 2), (2, 2)]


def test_real_vectors_retrieve_as_brute_force_does() -> None:
    from hcat.core.models.encoder.encoder import load_encoder

    cases = [case for case in read_test_cases() if case.dimensions["query_type"] == "simple factual"][::5]
    wanted = {identity for case in cases for identity in case.relevant_ids}
    passages = [p for number, p in enumerate(read_handbook()) if p.id in wanted or number % 24 == 0]
    encoder = load_encoder()
    store = MemoryEmbeddings()
    candidate = run_reference_rag(cases, CANDIDATE, passages=passages, encoder=encoder, store=store)

    corpus = encoder.encode([f"{p.title}. {p.text}" for p in passages])
    similarity = encoder.encode([case.query for case in cases]) @ corpus.T
    for sample, row in zip(candidate, similarity, strict=True):
        assert len(sample.contexts) == CANDIDATE.top_k
        np.testing.assert_allclose([c.score for c in sample.contexts], np.sort(row)[::-1][:5], atol=2e-4)
        assert sample.answer is not None
        told = " ".join(context.text for context in sample.contexts)
        assert sample.answer == ABSTENTION or all(s in told for s in split_sentences(sample.answer))

    baseline = run_reference_rag(cases, BASELINE, passages=passages, encoder=encoder, store=store)

    def found(samples: Sequence[Sample]) -> int:
        return sum(bool(s.relevant_ids.keys() & {c.id for c in s.contexts}) for s in samples)

    assert found(candidate) > found(baseline) > len(cases) / 2


def test_real_vectors_give_the_same_run_twice() -> None:
    from hcat.core.models.encoder.encoder import load_encoder

    passages, cases, encoder = read_handbook()[:6], read_test_cases()[:6], load_encoder()
    first, second = (
        run_reference_rag(cases, BASELINE, passages=passages, encoder=encoder, store=MemoryEmbeddings())
        for _ in range(2)
    )
    assert first == second
