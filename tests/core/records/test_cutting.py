"""Passages: where documents are cut, what their offsets mean, and which ids stay when a text is edited."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.errors import HcatError
from hcat.core.importers.documents.builder import DocumentBuilder
from hcat.core.records.cutting import cut
from hcat.core.records.documents import Document
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.words import count_words


def document(*blocks: tuple[str, object]) -> Document:
    """A document of ("h1", text), ("p", text), ("li", text) and ("table", rows)."""
    builder = DocumentBuilder()
    for kind, content in blocks:
        if kind[0] == "h":
            builder.heading(str(content), int(kind[1:]))
        elif kind == "p":
            builder.paragraph(str(content))
        elif kind == "li":
            builder.item(str(content))
        else:
            builder.table(content)  # type: ignore[arg-type]
    text, parts = builder.result()
    return Document("a.md", text, parts)


def check_offsets(source: Document, passage: CorpusPassage) -> None:
    """What the offsets are said to mean."""
    stretch = source.text[passage.start : passage.end]
    assert passage.text == (f"{passage.header}\n{stretch}" if passage.header else stretch)


def sentence(name: str, words: int) -> str:
    """Such as "Alpha word word word." of four words."""
    return " ".join([name, *["word"] * (words - 1)]) + "."


def test_passages_end_at_headings_and_carry_the_path_of_headings():
    passages = cut(
        document(
            *(("h1", "Cards"), ("p", "All cards."), ("h2", "Fees"), ("p", "Low."), ("h2", "Limits"), ("p", "High.")),
            *(("h1", "Loans"), ("p", "None.")),
        )
    )
    assert [(passage.heading, passage.text) for passage in passages] == [
        (("Cards",), "All cards."),
        (("Cards", "Fees"), "Low."),
        (("Cards", "Limits"), "High."),
        (("Loans",), "None."),
    ]


def test_a_heading_without_text_is_text_of_its_parent():
    """Else what somebody wrote as headings alone would be tested by nothing."""
    passages = cut(document(("h1", "Rules"), ("h2", "Cash is never sent by post."), ("h2", "Cards are.")))
    assert [(passage.heading, passage.text) for passage in passages] == [
        (("Rules",), "Cash is never sent by post."),
        (("Rules",), "Cards are."),
    ]


def test_paragraphs_are_joined_while_they_fit():
    passages = cut(document(("p", sentence("A", 5)), ("p", sentence("B", 5)), ("p", sentence("C", 5))), words=10)
    assert [count_words(passage.text) for passage in passages] == [10, 5]
    assert passages[0].text == f"{sentence('A', 5)}\n\n{sentence('B', 5)}"


def test_a_long_paragraph_is_cut_between_sentences_and_a_long_sentence_between_words():
    text = " ".join([sentence("Alpha", 6), sentence("Beta", 6), sentence("Gamma", 25)])
    passages = cut(document(("p", text)), words=12)
    assert [count_words(passage.text) for passage in passages] == [12, 12, 12, 1]
    assert passages[1].text.startswith("Gamma word")


def test_a_passage_begins_with_the_last_sentences_of_the_one_before():
    text = " ".join(sentence(name, 5) for name in ("A1", "B1", "C1", "D1"))
    passages = cut(document(("p", text)), words=10, overlap=5)
    assert [passage.text.split()[0] for passage in passages] == ["A1", "B1", "C1"]
    assert passages[0].end > passages[1].start
    assert all(count_words(passage.text) <= 10 for passage in passages)


def test_overlap_does_not_cross_a_heading():
    passages = cut(document(("h1", "A"), ("p", sentence("A1", 9)), ("h1", "B"), ("p", "Other.")), words=10, overlap=5)
    assert passages[-1].text == "Other."


def test_each_part_of_a_table_has_its_header():
    rows = [["Account", "Fee"], *([f"Account {k}", f"EUR {k}"] for k in range(6))]
    passages = cut(document(("p", "Fees:"), ("table", rows), ("p", "End.")), words=15)
    # The header counts 3 words ("Account | Fee"), a row 5 ("Account 0 | EUR 0"): two rows fit into the 12 left.
    tables = [passage for passage in passages if passage.header]
    assert [passage.text.count("\n") for passage in tables] == [2, 2, 2]
    assert {passage.header for passage in tables} == {"Account | Fee"}
    assert tables[1].text == "Account | Fee\nAccount 2 | EUR 2\nAccount 3 | EUR 3"
    assert [passage.text for passage in passages if not passage.header] == ["Fees:", "End."]


def test_a_row_longer_than_a_passage_is_cut_and_keeps_the_header():
    rows = [["Question", "Answer"], ["Why?", " ".join(sentence(name, 8) for name in "ABC")]]
    passages = cut(document(("table", rows)), words=15)
    assert len(passages) == 3
    assert all(passage.text.startswith("Question | Answer\n") for passage in passages)


def test_passages_that_did_not_change_keep_their_ids():
    sections = [(("h1", name), ("p", sentence(name, 8))) for name in ("A", "B", "C")]
    before = cut(document(*(block for section in sections for block in section)))
    inserted = [sections[0], (("h1", "New"), ("p", "A new section.")), *sections[1:]]
    after = cut(document(*(block for section in inserted for block in section)))
    assert {passage.id for passage in before} < {passage.id for passage in after}
    edited = cut(document(("h1", "A"), ("p", "Other words."), *sections[1], *sections[2]))
    assert len({passage.id for passage in before} & {passage.id for passage in edited}) == 2


def test_passages_of_the_same_text_have_ids_of_their_own():
    passages = cut(document(("h1", "A"), ("p", "Ask us."), ("h1", "B"), ("p", "Ask us.")))
    assert passages[1].id == f"{passages[0].id}-2"


def test_chinese_is_counted_by_the_character():
    # Six characters and a full stop, which is a word of its own here: three sentences of seven fit.
    passages = cut(document(("p", "银行收取费用。" * 7)), words=21)
    assert [count_words(passage.text) for passage in passages] == [21, 21, 7]


@pytest.mark.parametrize(("words", "overlap"), [(9, 0), (2001, 0), (100, 51), (100, -1)])
def test_impossible_lengths_are_refused(words: int, overlap: int):
    with pytest.raises(HcatError, match="words"):
        cut(document(("p", "Text.")), words=words, overlap=overlap)


WORD = st.text(st.characters(categories=("Ll", "Lu", "Nd", "Lo", "Po"), max_codepoint=0x4FFF), min_size=1, max_size=6)
PROSE = st.lists(WORD, min_size=1, max_size=60).map(" ".join)
BLOCK = st.one_of(
    st.tuples(st.sampled_from(["h1", "h2", "h3", "p", "p", "p", "li"]), PROSE),
    st.tuples(st.just("table"), st.lists(st.lists(PROSE, min_size=1, max_size=3), min_size=1, max_size=5)),
)


@settings(max_examples=150, deadline=None)
@given(blocks=st.lists(BLOCK, min_size=1, max_size=8), words=st.integers(10, 60), share=st.floats(0, 0.5))
def test_offsets_recover_every_text_and_nothing_is_lost(blocks: list[tuple[str, object]], words: int, share: float):
    source = document(*blocks)
    passages = cut(source, words=words, overlap=int(share * words))
    assert len({passage.id for passage in passages}) == len(passages)
    covered = bytearray(len(source.text))
    for passage in passages:
        check_offsets(source, passage)
        covered[passage.start : passage.end] = b"\x01" * (passage.end - passage.start)
        assert count_words(source.text[passage.start : passage.end]) <= words
    titles = {title for passage in passages for title in passage.heading}
    for block in source.blocks:
        text = source.text[block.start : block.end]
        whole = all(covered[k] or source.text[k].isspace() for k in range(block.start, block.end))
        assert whole or text in titles or any(text == passage.header for passage in passages)
