"""Refusals by rule: wordings of many systems, answers that look like them, and FinanceBench's three-way labels."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.demo.bank import read_handbook, read_test_cases
from hcat.core.capabilities.demo.reference_rag import ABSTENTION
from hcat.core.refusals.detection import answerable, answering
from hcat.core.types import Passage, Sample
from tests.core.refusals.refusal_sentences import ANSWERING, DECLINING, MISREAD

FINANCEBENCH = Path(__file__).parents[3].parent / "shared/data/financebench"

REFUSED = [
    ABSTENTION,
    "I don't know.",
    "I do not know the answer to that.",
    "I’m sorry, but I can’t help with that.",
    "Sorry, I couldn't find any information about that.",
    "No answer found.",
    "N/A",
    "Not specified in the documents.",
    "The answer is not available in the given context.",
    "There is no information about fees in the provided documents.",
    "I have no information about this.",
    "Unknown.",
    "Unfortunately, the context does not say when the branch opens.",
    "The provided passages don't mention overdraft fees.",
    "I was unable to find an answer to your question.",
    "I am not able to answer this based on the context.",
    "This question is outside the scope of the documents.",
    "As an AI language model, I cannot provide financial advice.",
    "The context is insufficient to answer the question.",
    "The context provided is not sufficient to determine the rate.",
    "It is not possible to determine the fee from the text.",
    "The fee cannot be determined from the given information.",
    "No relevant documents were found.",
    "I cannot answer this question.",
    "I apologize, but I don't have access to account data.",
    "Neither document mentions the penalty.",
    "None of the passages mention the penalty.",
    "The search results do not contain the answer.",
    "I'm afraid I don't have that information.",
    "That information isn't available.",
    "The question cannot be answered with the given context.",
    "We cannot determine the rate from the context.",
    "Based on the given context, I cannot determine the rate.",
    "i dont know",
    "Don't know.",
    "The text doesn't say.",
    "I'm not sure.",
    "I must decline to answer.",
    "Insufficient information.",
    "Insufficient context to answer.",
    "Nothing in the context addresses early repayment.",
    "The handbook says nothing about early repayment.",
    "The documents are silent on this point.",
    "I can't find that in the sources.",
    "I won't be able to answer that.",
    "There isn't enough information to answer.",
    "Details about the fee are not provided.",
    "This is not mentioned in the context.",
    "The context makes no mention of fees.",
    "I'm unable to assist with that request.",
    "My apologies, I cannot locate it.",
    "I lack the information needed to answer.",
    "No data available.",
    "I am unaware of any such fee.",
]

ANSWERED = [
    "The fee is 25 euros.",
    "We do not offer loans to non-residents.",
    "The bank does not provide insurance.",
    "No.",
    "No, the account cannot be opened by minors.",
    "The context does not state the fee, but the handbook's table lists 25 euros a month.",
    "Although the passage does not say when, the branch opens at nine on weekdays.",
    "If the documents do not include a signature, the application is rejected.",
    "Customers who do not know their PIN must visit a branch.",
    "The report does not include a penalty because the breach was remedied within 30 days, so the fee is 0.",
    "The company cannot reasonably estimate the loss.",
    "Refunds are not available after 14 days.",
    "The application is declined if information is missing.",
    "A loan is not granted when data is not provided by the customer.",
    "I don't know the exact figure, but it is about 5 million.",
    "Transfers are not possible on Sundays.",
    "The card cannot be used abroad.",
    "You need to visit a branch and bring your passport.",
    "Customers are not able to change the limit online.",
    "The data controller does not share personal data.",
    "The contract does not contain a penalty clause.",
    "The policy does not cover floods.",
    "Tables may not be reserved.",
    "If you don't know your number, call us.",
    "Unknown transactions must be reported within 13 months.",
    "The bank will not disclose customer information to third parties.",
    "Yes. The text does not give a date, however.",
    "I think it's 4%.",
    "The account statement does not show pending payments.",
    "Card details are not stored by the merchant.",
    "Staff may not share client information outside the team.",
    "The records are not available to the public before 30 days.",
    "Revenue was $5m. The margin is not disclosed in the filing.",
    "Minors cannot be identified by video.",
]


@pytest.mark.parametrize("text", REFUSED)
def test_refusals(text: str) -> None:
    found = answering(text)
    assert found.kind == "refused"
    assert found.wholly_refused
    assert found.declining[0].phrase


@pytest.mark.parametrize("text", ANSWERED)
def test_answers_that_look_like_refusals(text: str) -> None:
    assert answering(text).kind == "answered"


@pytest.mark.parametrize("text", DECLINING)
def test_declining_sentences_in_the_manner_of_banks(text: str) -> None:
    found = answering(text)
    assert found.kind == "refused"
    assert found.declining[0].phrase


@pytest.mark.parametrize("text", ANSWERING)
def test_sentences_that_only_look_declining(text: str) -> None:
    assert answering(text).kind == "answered"


@pytest.mark.parametrize(("text", "kind"), MISREAD.items())
@pytest.mark.xfail(strict=True, reason="no rule sees it")
def test_what_the_rules_do_not_see(text: str, kind: str) -> None:
    assert answering(text).kind == kind


@pytest.mark.parametrize(("text", "kind"), [(None, "error"), ("", "empty"), (" \n\t", "empty"), ("?!", "answered")])
def test_no_answer_is_no_refusal(text: str | None, kind: str) -> None:
    found = answering(text)
    assert found.kind == kind
    assert not found.wholly_refused


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # how to find the answer, with an example made up for it, is still no answer
        (
            "I do not have access to the filing. To calculate the ratio, divide income by assets. "
            "For example, if income were $3 million, the ratio would be 1.5.",
            "refused",
        ),
        # figures that lead to nothing
        (
            "Revenue was $5 million. Costs are not given in the context. Therefore, I cannot determine profit.",
            "refused",
        ),
        # a result in spite of a gap
        (
            "The text does not provide the margin. However, it mentions a profit of $2 million on $10 million.",
            "answered",
        ),
        ("The profit was $2 million in 2023. For 2022, the document does not provide any information.", "answered"),
        # figures on the way, and then no result: "I cannot" takes them back, whatever the answer begins with
        (
            "Based on the report, income was $3 million in 2022. Assets for 2021 are not given. "
            "Therefore, I cannot say whether the ratio improved.",
            "refused",
        ),
        # only the details are withheld
        ("Based on the report, the ratio improved. I cannot give any further details.", "answered"),
        # a formula's constants are no result
        (
            "I do not have the accounts. Divide income by assets and multiply by 100 %. Then compare both years.",
            "refused",
        ),
        # an offer or a need is no answer
        ("To compare them, one would need the accounts of both years. If you share them, I can help.", "refused"),
        # what another is reported to lack is the answer
        ("The report says that the auditor does not have access to the minutes.", "answered"),
        # the answer first, then its limits
        ("Based on the text, no spin-off is planned. The text does not mention any other plans.", "answered"),
    ],
)
def test_position_decides_in_longer_answers(text: str, kind: str) -> None:
    assert answering(text).kind == kind


def test_a_refusal_that_also_states_something_is_not_wholly_one() -> None:
    found = answering("I could not find the fee in the handbook. The account was renamed in March.")
    assert found.kind == "refused"
    assert not found.wholly_refused
    assert [one.role for one in found.roles] == ["declines", "states"]


def test_the_phrase_stands_where_the_offsets_say() -> None:
    text = "Sorry.  I’m afraid I cannot answer that."
    (one,) = answering(text).declining
    assert one.phrase == "I cannot answer"
    assert text[one.sentence.start : one.sentence.end] == one.sentence.text == "I’m afraid I cannot answer that."


@given(st.text(max_size=300))
def test_any_text_is_of_one_kind(text: str) -> None:
    found = answering(text)
    assert found.kind == ("answered" if text.strip() else "empty") or found.kind == "refused"
    assert all(text[one.sentence.start : one.sentence.end] == one.sentence.text for one in found.roles)


def test_long_texts_take_no_time_out_of_proportion() -> None:
    for piece in ("although text ", "the context, ", "i do not have ", "no "):
        assert answering(piece * 3000).kind in ("answered", "refused")


def test_the_handbook_declines_nothing_and_its_unanswerable_cases_do() -> None:
    assert all(answering(passage.text).kind == "answered" for passage in read_handbook())
    cases = read_test_cases()
    for case in cases:
        assert answerable(case) == (case.dimensions["query_type"] != "unanswerable")
    assert {answerable(case) for case in cases} == {True, False}


def test_whether_the_corpus_holds_the_answer() -> None:
    bare = Sample("a", "query", "answer", (Passage("p", "text"),))
    assert answerable(bare) is None
    assert answerable(Sample("a", "query", "answer", relevant_ids={"p": 1})) is True
    assert answerable(Sample("a", "query", "answer", relevant_ids={"p": 0})) is None
    assert answerable(Sample("a", "query", "answer", reference_contexts=("text",))) is True
    assert answerable(Sample("a", "query", "answer", reference="25 euros")) is True
    assert answerable(Sample("a", "query", "answer", reference="The handbook does not cover this.")) is False
    # the reference was written by somebody who read the relevant passages
    assert answerable(Sample("a", "query", "answer", reference="Not in the context.", relevant_ids={"p": 1})) is False


def _labelled(names: list[str]) -> Iterator[tuple[bool, bool]]:
    with (FINANCEBENCH / "labels.csv").open(newline="") as file:
        labels = {(row["run"], row["sample_id"]): row["label"] for row in csv.DictReader(file)}
    for name in names:
        for line in (FINANCEBENCH / f"{name}.jsonl").read_text("utf-8").splitlines():
            record = json.loads(line)
            yield answering(record["answer"]).kind == "refused", labels[name, record["id"]] == "Refusal"


@pytest.mark.realdata
@pytest.mark.skipif(not FINANCEBENCH.is_dir(), reason="the public data sets are not beside the repository")
@pytest.mark.parametrize(
    ("half", "precision", "recall"),
    # The answers of every second run by name were read while the rules were written; those of the others only once,
    # after which five wordings were added. Before that: 0.973 and 0.984 on the former, 0.954 and 0.945 on the latter.
    # A regular expression of ten phrases reaches 0.87 and 0.89. One answer is about 0.005.
    [(0, 0.97, 0.98), (1, 0.95, 0.96)],
    ids=["read while writing", "read once"],
)
def test_financebench(half: int, precision: float, recall: float, capsys: pytest.CaptureFixture[str]) -> None:
    names = sorted(path.stem for path in FINANCEBENCH.glob("*.jsonl"))[half::2]
    pairs = list(_labelled(names))
    hits = sum(found and true for found, true in pairs)
    found, true = sum(found for found, _ in pairs), sum(true for _, true in pairs)
    with capsys.disabled():
        print(
            f"\nrefusals, {len(names)} runs: precision {hits}/{found} = {hits / found:.3f}, "
            f"recall {hits}/{true} = {hits / true:.3f}"
        )
    assert hits / found >= precision
    assert hits / true >= recall
