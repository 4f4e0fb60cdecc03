"""Factual numbers of an answer, in the contexts and in the reference."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.capabilities.demo.bank import read_handbook, read_test_cases
from hcat.core.metrics.registry import find_metric
from hcat.core.metrics.sample_view import PARTS, SampleView, placed_sentences
from hcat.core.numbers.parsing import parse_numbers
from hcat.core.records.run_file import from_record
from hcat.core.text import sentences
from hcat.core.types import Passage, Sample

FINANCEBENCH = Path(__file__).parents[3].parent / "shared/data/financebench"
CONTEXTS, REFERENCE = find_metric("factual_numbers"), find_metric("factual_numbers_reference")


def _encoded(answer: str, *contexts: str, query: str = "query", reference: str | None = None) -> SampleView:
    passages = tuple(Passage(f"p{rank}", text) for rank, text in enumerate(contexts))
    sample = Sample("s", query, answer, passages, reference)
    return SampleView(sample, {part: placed_sentences(sample, part, sentences) for part in PARTS})


def test_the_share_of_distinct_numbers_found() -> None:
    # $8.738 billion and 2022 are found, 15% is not; 2022 counts once
    encoded = _encoded(
        "Revenue was $8.738 billion in 2022, up 15% (2022).", "December 31, 2022 (in millions)\nRevenue 8,738"
    )
    assert CONTEXTS(encoded).score.value == 2 / 3


def test_each_number_is_shown_with_its_match_or_the_nearest_candidate() -> None:
    contexts = ("Nothing here.", "Fees: EUR 25 a month, EUR 30 at most.")
    answer = "It is EUR 25, or EUR 31 abroad."
    explanation = CONTEXTS(_encoded(answer, *contexts)).explain()
    assert (explanation["distinct"], explanation["found"], explanation["not_found"]) == (2, 1, ["EUR 31"])
    found, missing = explanation["numbers"]  # type: ignore[misc]
    assert (found["verdict"], found["match"]) == (  # type: ignore[index, call-overload]
        "found",
        {"passage": "p1", "text": "EUR 25", "start": 6, "end": 12},
    )
    nearest = missing["nearest"]  # type: ignore[index, call-overload]
    assert (nearest["text"], nearest["passage"]) == ("EUR 30", "p1")  # type: ignore[index, call-overload]
    assert nearest["difference"] == pytest.approx(1 / 31)  # type: ignore[index, call-overload]
    for row in explanation["numbers"]:  # type: ignore[union-attr]
        assert answer[row["start"] : row["end"]] == row["text"]  # type: ignore[index, call-overload]
    json.dumps(explanation, allow_nan=False)


def test_a_doubtful_number_counts_as_not_found_and_says_which_reading_would_fit() -> None:
    outcome = CONTEXTS(_encoded("Revenue rose 5% to $8,738.", "(in millions)\nRevenue 8,738\nRevenue rose 5%"))
    explanation = outcome.explain()
    assert outcome.score.value == 1 / 2
    assert (explanation["found"], explanation["doubtful"], explanation["not_found"]) == (1, ["$8,738"], [])
    row = explanation["numbers"][1]  # type: ignore[index, call-overload]
    assert (row["verdict"], row["reading"]) == ("doubtful", "fits if the table is not in millions")  # type: ignore[index, call-overload]
    assert row["match"]["text"] == "8,738"  # type: ignore[index, call-overload]


def test_of_a_number_stated_twice_the_worst_verdict_counts() -> None:
    outcome = CONTEXTS(_encoded("A loss of $5 million. Then a profit of $5 million.", "A loss of $5 million."))
    assert outcome.score.value == 0.0


def test_what_only_repeats_the_query_does_not_count() -> None:
    query = "What was revenue in FY2019?"
    encoded = _encoded("Revenue in FY2019 was $5 million.", "Revenue: $5 million", query=query)
    assert CONTEXTS(encoded).score.value == 1.0
    assert CONTEXTS(encoded).explain()["numbers"][0]["verdict"] == "from the query"  # type: ignore[index, call-overload]
    only = CONTEXTS(_encoded("It rose in FY2019.", "Revenue: $5 million", query=query))
    assert only.score.reason == "no numbers in the answer besides the query's"


def test_the_query_may_ask_for_a_scale() -> None:
    query = "What is capex? Answer in USD millions."
    assert CONTEXTS(_encoded("1577", "Capex was $1.577 billion.", query=query)).score.value == 1.0
    assert REFERENCE(_encoded("$1.577 billion", reference="$1577.00", query=query)).score.value == 1.0
    assert REFERENCE(_encoded("1577", reference="$1,577 million", query=query)).score.value == 1.0
    assert REFERENCE(_encoded("1578", reference="$1,577 million", query=query)).score.value == 0.0


def test_recall_looks_the_references_numbers_up_in_the_answer() -> None:
    recall = find_metric("factual_numbers_recall")
    encoded = _encoded("(689 + 1,875) / 4,476 gives 0.573", reference="0.57 in FY2023")
    # the answer states more digits than the reference, which it thereby holds; the year is missing
    assert recall(encoded).score.value == 1 / 2
    assert recall(_encoded("5%", reference="It rose.")).score.reason == "no numbers in the reference"


def test_unscored() -> None:
    assert CONTEXTS(_encoded("It rose.", "by 5%")).score.reason == "no numbers in the answer"
    assert REFERENCE(_encoded("It rose.", reference="by 5%")).score.reason == "no numbers in the answer"
    assert CONTEXTS(_encoded("5%")).score.reason == "no contexts"
    refusal = _encoded("I could not find the 2022 figures in the handbook.", "Fees in 2023")
    assert CONTEXTS(refusal).score.reason == "refusal"


def test_a_source_without_numbers_supports_none() -> None:
    outcome = CONTEXTS(_encoded("It rose by 5%.", "It rose."))
    assert outcome.score.value == 0.0
    assert outcome.explain()["numbers"][0]["nearest"] is None  # type: ignore[index, call-overload]


def test_passages_of_one_text_are_told_apart() -> None:
    explanation = CONTEXTS(_encoded("EUR 25", "EUR 25", "EUR 25")).explain()
    assert explanation["numbers"][0]["match"]["passage"] == "p0"  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("answer", "context", "nearer"),
    [
        (
            "A lost card costs £25.",
            "Replacing a lost card costs £12. A CHAPS payment costs £25.",
            "Replacing a lost card costs £12.",
        ),
        (
            "Alice has a salary of 51200.",
            "The salary of Alice is 83300. The salary of Bob is 51200.",
            "The salary of Alice is 83300.",
        ),
        ("A CHAPS payment costs £25.", "Replacing a lost card costs £12. A CHAPS payment costs £25.", None),
        (
            "A lost card costs £12, and a CHAPS payment £25.",
            "Replacing a lost card costs £12. A CHAPS payment costs £25.",
            None,
        ),
        ("You pay £25 for a lost card.", "£12. £25.", None),
        ("It was agreed on 5 May 2021.", "The loan was agreed on 4 May 2021. It ended on 5 May 2021.", None),
    ],
)
def test_a_number_that_may_be_said_of_another_thing_is_named_and_counts_as_found(
    answer: str, context: str, nearer: str | None
) -> None:
    outcome = CONTEXTS(_encoded(answer, context))
    explanation = outcome.explain()
    assert outcome.score.value == 1.0
    places = [row["nearer"] for row in explanation["numbers"] if "nearer" in row]  # type: ignore[union-attr, index, call-overload]
    assert [place["text"] for place in places] == ([] if nearer is None else [nearer])  # type: ignore[index, call-overload]
    assert ("maybe_of_another" in explanation) == (nearer is not None)
    assert all(context[place["start"] : place["end"]] == nearer for place in places)  # type: ignore[index, call-overload]


def _doubted(case: Sample) -> list[tuple[str, bool]]:
    """Each number of the answer that is found, and whether it may be said of another thing."""
    parts = {part: placed_sentences(case, part, sentences) for part in PARTS}
    rows = CONTEXTS(SampleView(case, parts)).explain().get("numbers", [])
    return [(row["text"], "nearer" in row) for row in rows if row["verdict"] == "found"]  # type: ignore[union-attr, index, call-overload, operator, misc]


def test_of_swapped_amounts_a_third_are_named_and_of_right_ones_hardly_any() -> None:
    right, swapped = [], []
    for case in _handbook_cases():
        stated = parse_numbers(case.answer or "")
        right += _doubted(case)
        amounts = [number for context in case.contexts for number in parse_numbers(context.text)]
        for number in stated:
            others = [
                other.text
                for other in amounts
                if (other.kind, other.unit, other.measure) == (number.kind, number.unit, number.measure)
                and not other.dates
                and other.value != number.value
            ]
            if others and not number.dates:
                wrong = f"{(case.answer or '')[: number.start]}{others[-1]}{(case.answer or '')[number.end :]}"
                swapped += [doubt for text, doubt in _doubted(replace(case, answer=wrong)) if text == others[-1]]
    assert (len(right) > 200, len(swapped) > 150) == (True, True)
    assert sum(doubt for _, doubt in right) / len(right) < 0.02  # measured: 3 of 309
    assert sum(swapped) / len(swapped) > 0.35  # measured: 75 of 199; the others share a sentence, or are reworded


def _handbook_cases() -> list[Sample]:
    passages = {passage.id: passage.text for passage in read_handbook()}
    cases = [case for case in read_test_cases() if case.relevant_ids and case.dimensions["query_type"] != "inference"]
    return [
        Sample(case.id, case.query, case.reference, tuple(Passage(name, passages[name]) for name in case.relevant_ids))
        for case in cases
    ]


def _value(sample: Sample) -> float | None:
    parts = {part: placed_sentences(sample, part, sentences) for part in PARTS}
    return CONTEXTS(SampleView(sample, parts)).score.value


def test_the_handbook_holds_the_numbers_of_all_references_that_calculate_nothing() -> None:
    values = [_value(case) for case in _handbook_cases()]
    assert sum(value is not None for value in values) > 150
    assert {value for value in values if value is not None} == {1.0}


def test_a_changed_digit_is_noticed() -> None:
    changed = noticed = 0
    for case in _handbook_cases():
        edited = re.sub(
            r"(?<![\d.,])([1-9])(?=\d)", lambda match: str(int(match[1]) % 9 + 1), case.answer or "", count=1
        )
        value = _value(Sample(case.id, case.query, edited, case.contexts))
        if edited != case.answer and value is not None:
            changed += 1
            noticed += value < 1.0
    # 100 %, were it not that the other number may stand in the passage by chance
    assert changed > 100
    assert noticed / changed > 0.93


@pytest.mark.realdata
@pytest.mark.skipif(not FINANCEBENCH.is_dir(), reason="the public data sets are not beside the repository")
def test_financebench_line_items_are_found_where_the_filing_states_them() -> None:
    lines = (FINANCEBENCH / "gpt-4-1106-preview_oracle.jsonl").read_text("utf-8").splitlines()
    samples = [from_record(json.loads(line)) for line in lines]
    wrong: list[str] = []
    for sample in samples:
        parts = {part: placed_sentences(sample, part, sentences) for part in PARTS}
        explanation = CONTEXTS(SampleView(sample, parts)).explain()
        text = " ".join(passage.text for passage in sample.contexts)
        for row in explanation.get("numbers", []):  # type: ignore[union-attr]
            digits = re.search(r"\d{1,3}(?:,\d{3})+", row["text"])  # type: ignore[index, call-overload]
            stated = digits is not None and re.search(rf"(?<![\d,.]){digits.group()}(?![\d,.])", text)
            if stated and row["verdict"] == "not found":  # type: ignore[index, call-overload]
                wrong.append(f"{sample.id}: {row['text']}")  # type: ignore[index, call-overload]
    assert wrong == []


@pytest.mark.realdata
@pytest.mark.skipif(not FINANCEBENCH.is_dir(), reason="the public data sets are not beside the repository")
def test_recall_tells_right_from_wrong_answers_on_financebench() -> None:
    from sklearn.metrics import roc_auc_score

    with (FINANCEBENCH / "labels.csv").open(newline="") as file:
        labels = {(row["run"], row["sample_id"]): row["label"] for row in csv.DictReader(file)}
    values, right = [], []
    for path in sorted(FINANCEBENCH.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            sample = from_record(json.loads(line))
            label = labels[path.stem, sample.id]
            parts = {part: placed_sentences(sample, part, sentences) for part in ("answer", "reference")}
            value = find_metric("factual_numbers_recall")(SampleView(sample, {**dict.fromkeys(PARTS, ()), **parts}))
            if label != "Refusal" and value.score.value is not None:
                values.append(value.score.value)
                right.append(label == "Correct Answer")
    assert len(values) > 700
    assert roc_auc_score(right, values) > 0.79  # measured: 0.814, by question 0.75 to 0.87


@pytest.mark.parametrize(
    ("answer", "context", "share"),
    [
        ("The notice period is thirty (30) days.", "The notice period is 30 days.", 1),
        ("The margin (2.5%) is added.", "The margin is 2.5%.", 1),
        ("The fee is 5 EUR (99 EUR for couples).", "The fee is 5 EUR. For couples it is 10 EUR.", 1 / 2),
        ("It costs USD 5 (EUR 99).", "It costs USD 5, that is EUR 4.60.", 1 / 2),
        ("Der Kredit beträgt 250.000 €.", "Der Kredit beträgt 250 €.", 0),
        ("Das Limit ist 5.000 Euro, die Gebühr 3,50 Euro.", "Das Limit ist 5 Euro, die Gebühr 3,50 Euro.", 1 / 2),
        ("Das Limit ist 12.500 Euro.", "Das Limit ist 12500 Euro.", 1),
        ("The rate rose by ½ %.", "The rate rose by 50 %.", 0),
        ("It rose by ¼ percentage point.", "It rose by 0.25 percentage points.", 1),
        ("Pay to IBAN DE89 3704 0044 0532 0130 00.", "Pay to IBAN DE89370400440532013000.", 1),
        ("Pay to IBAN DE89 3704 0044 0532 0130 01.", "Pay to IBAN DE89370400440532013000.", 0),
        ("Card 4111111111111111", "Card 4111 1111 1111 1111", 1),
        ("Call 030 1234567.", "Call +49 30 1234567.", 1),
        ("Signed at 2024-05-01T10:00:00Z.", "Signed on 1 May 2024.", 1),
        ("Signed at 10:00 on 1 May 2024.", "2024-05-01T10:00:00Z", 1),
        ("The total is $9{,}500$ EUR.", "The total is 9,500 EUR.", 1),
        ("The rate is **5%**.", "The rate is 5%.", 1),
        ("$6-10 billion of debt", "between $6 billion and $10 billion of debt", 1),
    ],
)
def test_numbers_as_chat_answers_write_them(answer: str, context: str, share: float) -> None:
    assert CONTEXTS(_encoded(answer, context)).score.value == share
