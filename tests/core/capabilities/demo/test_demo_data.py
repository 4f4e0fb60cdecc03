"""The demo's files agree with each other: database, handbook, facts, test cases and the rule that labels."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hcat.core.capabilities.demo.bank import (
    FOLDER,
    UNANSWERABLE,
    contains,
    correctness,
    key_facts,
    normalise,
    read_handbook,
    read_test_cases,
    reference_verdict,
    rule_labels,
)
from hcat.core.capabilities.demo.reference_rag import ABSTENTION, split_sentences
from hcat.core.errors import FileFormatError
from hcat.core.types import Sample

PASSAGES = {passage.id: passage for passage in read_handbook()}
CASES = read_test_cases()
ANSWERABLE = [case for case in CASES if case.dimensions["query_type"] != UNANSWERABLE]
FACTS = [json.loads(line) for line in (FOLDER / "facts.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def bank() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript((FOLDER / "bank.sql").read_text(encoding="utf-8"))
    yield connection
    connection.close()


def of_type(query_type: str) -> list[Sample]:
    return [case for case in CASES if case.dimensions["query_type"] == query_type]


def readings(row: tuple[object, ...]) -> set[str]:
    """How a SQL result may read in prose, as data/demo/README.md defines it."""
    value, *unit = row
    if not unit:
        return {str(value)}
    number = float(str(value))
    if unit == ["EUR"]:
        return {f"EUR {number:,.0f}" if number.is_integer() else f"EUR {number:,.2f}"}
    if unit == ["%"]:
        return {f"{number:g}%", f"{number:.2f}%"}
    return {f"{number:,.0f} {unit[0]}"}


def stands_in(text: str, passage: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(text)}(?![\w%]|[.,]\d)", passage) is not None


def broken_facts(connection: sqlite3.Connection) -> list[str]:
    broken = []
    for fact in FACTS:
        rows = connection.execute(fact["sql"]).fetchall()
        if len(rows) != 1 or fact["text"] not in readings(rows[0]):
            broken.append(f"{fact['sql']} gives {rows}, not {fact['text']}")
        elif not stands_in(fact["text"], PASSAGES[fact["passage"]].text):
            broken.append(f"{fact['passage']} does not say {fact['text']}")
    return broken


def test_handbook_has_the_announced_size_and_shape() -> None:
    topics = Counter(passage.topic for passage in PASSAGES.values())
    assert len(PASSAGES) == 154
    assert len(topics) == 14
    assert min(topics.values()) >= 8
    assert all(2 <= len(split_sentences(passage.text)) <= 6 for passage in PASSAGES.values())
    assert len({passage.title for passage in PASSAGES.values()}) == len(PASSAGES)
    assert len({passage.text for passage in PASSAGES.values()}) == len(PASSAGES)


def test_every_fact_reads_the_same_in_database_and_handbook(bank: sqlite3.Connection) -> None:
    assert len(FACTS) >= 150
    assert broken_facts(bank) == []


def test_a_changed_price_is_noticed(bank: sqlite3.Connection) -> None:
    bank.execute("UPDATE card SET annual_fee = 25 WHERE code = 'harbour'")
    assert len(broken_facts(bank)) == 1


def test_facts_cover_nearly_all_passages_with_figures() -> None:
    with_figures = {passage.id for passage in PASSAGES.values() if re.search(r"\d", passage.text)}
    covered = {fact["passage"] for fact in FACTS}
    assert len(with_figures & covered) / len(with_figures) > 0.95


@pytest.mark.parametrize("table", ["fee", "rate", "amount_limit", "count_limit", "term", "clock_time", "contact"])
def test_every_row_of_the_rule_tables_is_told_in_the_handbook(bank: sqlite3.Connection, table: str) -> None:
    codes = {code for (code,) in bank.execute(f"SELECT code FROM {table}")}
    told = {fact["sql"].split("'")[-2] for fact in FACTS if f"FROM {table} " in fact["sql"]}
    assert codes == told


def test_a_malformed_heading_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "01-x.md").write_text("# Topic\n\n## no bar here\n\nText.\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"01-x\.md.*no bar here"):
        read_handbook(tmp_path)


def test_an_empty_folder_is_no_handbook(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="needs passages"):
        read_handbook(tmp_path)


def test_cases_are_many_distinct_and_spread() -> None:
    areas = Counter((case.dimensions["area"], case.dimensions["query_type"]) for case in ANSWERABLE)
    topics = Counter(case.dimensions["topic"] for case in CASES)
    types = Counter(case.dimensions["query_type"] for case in CASES)
    cells = Counter((case.dimensions["topic"], case.dimensions["query_type"]) for case in CASES)
    assert 290 <= len(CASES) <= 310
    assert len({case.id for case in CASES}) == len({case.query for case in CASES}) == len(CASES)
    assert set(topics) == {passage.topic for passage in PASSAGES.values()}
    assert min(topics.values()) >= 15
    assert types[UNANSWERABLE] == 14
    assert len(areas) == 4 * 6
    assert min(areas.values()) >= 10
    assert sum(n >= 10 for n in cells.values()) >= 4


def test_relevant_passages_exist_and_the_first_belongs_to_the_topic() -> None:
    for case in ANSWERABLE:
        assert case.relevant_ids.keys() <= PASSAGES.keys(), case.id
        assert set(case.relevant_ids.values()) <= {1, 2}
        assert 2 in case.relevant_ids.values()
        assert case.dimensions["topic"] in {PASSAGES[identity].topic for identity in case.relevant_ids}, case.id


def test_every_key_fact_stands_in_reference_and_relevant_passages() -> None:
    for case in ANSWERABLE:
        told = " ".join(PASSAGES[identity].text for identity in case.relevant_ids)
        assert key_facts(case), case.id
        for wordings in key_facts(case):
            assert any(contains(case.reference or "", wording) for wording in wordings), (case.id, wordings)
            assert any(contains(told, wording) for wording in wordings), (case.id, wordings)


def test_only_conclusions_state_numbers_that_the_passages_do_not() -> None:
    number = re.compile(r"\d[\d.:]*\d|\d")
    for case in ANSWERABLE:
        told = " ".join(PASSAGES[identity].text for identity in case.relevant_ids)
        new = set(number.findall(normalise(case.reference or ""))) - set(number.findall(normalise(told)))
        assert not new or case.dimensions["query_type"] == "inference", (case.id, new)


def test_no_single_passage_answers_a_multi_hop_case() -> None:
    for case in of_type("multi-hop"):
        assert sum(grade == 2 for grade in case.relevant_ids.values()) >= 2, case.id
        for identity in case.relevant_ids:
            text = PASSAGES[identity].text
            assert not all(any(contains(text, w) for w in wordings) for wordings in key_facts(case)), case.id


def test_yes_no_references_begin_with_the_verdict() -> None:
    for case in of_type("yes/no"):
        assert str(case.metadata["verdict"]) == (case.reference or "").split(".")[0].lower(), case.id


def test_multiple_choice_references_name_the_one_right_option() -> None:
    for case in of_type("multiple choice"):
        options = dict(re.findall(r"\(([abc])\) (.*?)(?= \([abc]\)|$)", case.query))
        named = (case.reference or "")[1]
        holding = {
            letter
            for letter, option in options.items()
            if any(contains(option, w) or contains(w, option) for wordings in key_facts(case) for w in wordings)
        }
        assert len(options) == 3
        assert holding == {named}, case.id


def test_unanswerable_cases_claim_nothing() -> None:
    for case in of_type(UNANSWERABLE):
        assert not case.relevant_ids
        assert not key_facts(case)
        assert (case.reference or "").startswith("The handbook does not cover")


def test_questions_do_not_copy_the_sentences_that_answer_them() -> None:
    for case in ANSWERABLE:
        asked = set(re.findall(r"\w+", case.query.lower()))
        for identity in case.relevant_ids:
            for sentence in split_sentences(PASSAGES[identity].text):
                told = set(re.findall(r"\w+", sentence.lower()))
                assert len(asked & told) / len(asked | told) < 0.6, (case.id, sentence)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EUR  1,500.00", "eur 1500"),
        ("€12", "eur 12"),
        ("12 euros", "eur 12"),
        ("4.50 EUR", "eur 4.5"),
        ("3.40 %", "3.4%"),
        ("5 percent", "5%"),
        ("15 per cent", "15%"),
        ("until 13:00", "until 13:00"),
        ("10.05%", "10.05%"),
        ("0555 010 222", "0555 010 222"),
        ("EUR 12 euros", "eur 12 euros"),
    ],
)
def test_normalise(text: str, expected: str) -> None:
    assert normalise(text) == expected


@given(st.integers(0, 10**9), st.integers(0, 99))
def test_amounts_normalise_alike_however_they_are_written(euros: int, cents: int) -> None:
    amount = f"{euros:,}.{cents:02d}"
    written = {f"EUR {amount}", f"€{amount.replace(',', '')}", f"{amount} euros", f"{euros}.{cents:02d} EUR"}
    assert len({normalise(text) for text in written}) == 1
    assert contains(f"It costs {amount} euros.", f"EUR {amount}")
    assert not contains(f"It costs {amount} euros.", f"EUR {euros + 1}.{cents:02d}")


@pytest.mark.parametrize(
    ("text", "fact", "found"),
    [
        ("It costs EUR 5.50 a month.", "EUR 5", False),
        ("It costs €5.", "EUR 5.00", True),
        ("The rate is 0.5%.", "5%", False),
        ("The rate is 5%.", "5", False),
        ("within 30 days", "3", False),
        ("within 10 business days", "10 days", False),
        ("within 6 months", "6 month", False),
        ("a sum of EUR 25,000, no more", "25000", True),
    ],
)
def test_facts_are_found_as_whole_words_and_numbers(text: str, fact: str, found: bool) -> None:
    assert contains(text, fact) is found


def passes(sample: Sample) -> bool:
    return reference_verdict(sample).passed


def test_every_reference_passes_its_own_rule() -> None:
    assert all(passes(replace(case, answer=case.reference)) for case in ANSWERABLE)


def test_the_reference_of_another_case_rarely_passes() -> None:
    # Shift by 7 cases: mostly another question of the same topic, which is the hard case.
    shifted = [replace(case, answer=other.reference) for case, other in zip(ANSWERABLE, ANSWERABLE[7:], strict=False)]
    assert sum(map(passes, shifted)) / len(shifted) < 0.05


@pytest.mark.parametrize("answer", [ABSTENTION, None, ""])
def test_not_answering_fails_answerable_cases(answer: str | None) -> None:
    assert reference_verdict(replace(ANSWERABLE[0], answer=answer)).rationale == "did not answer an answerable question"
    assert not passes(replace(ANSWERABLE[0], answer=answer))


def test_only_abstaining_passes_unanswerable_cases() -> None:
    case = of_type(UNANSWERABLE)[0]
    assert passes(replace(case, answer=ABSTENTION))
    assert not passes(replace(case, answer="Yes, it does."))
    assert not passes(replace(case, answer=None))


def test_the_wrong_verdict_fails_in_spite_of_the_right_fact() -> None:
    case = next(case for case in of_type("yes/no") if case.metadata["verdict"] == "no")
    right = case.reference or ""
    assert passes(replace(case, answer=right))
    assert not passes(replace(case, answer=right.replace("No.", "Yes.", 1)))
    assert passes(replace(case, answer=right.replace("No. ", "", 1)))


def test_a_missing_fact_is_named() -> None:
    case = replace(
        CASES[0], answer="It costs a little.", metadata={"key_facts": [["EUR 4", "four euros"], ["a little"]]}
    )
    assert reference_verdict(case).rationale == "missing: EUR 4"


def test_a_sample_without_key_facts_is_refused() -> None:
    with pytest.raises(ValueError, match="no key facts"):
        reference_verdict(replace(ANSWERABLE[0], answer="Yes.", metadata={}))


def test_rule_labels_draw_a_stated_half() -> None:
    samples = [replace(case, answer=case.reference) for case in CASES[:7]]
    labels = rule_labels(samples, run="r", seed=3)
    assert len(labels) == 4  # half of 7, rounded up
    assert {label.probability for label in labels} == {4 / 7}
    assert {(label.source, label.annotator, label.run, label.criterion) for label in labels} == {
        ("rule", "reference-rule", "r", "correctness")
    }
    assert labels == rule_labels(samples, run="r", seed=3)
    assert rule_labels([], run="r", seed=3) == ()


def test_rule_labels_draw_every_sample_equally_often() -> None:
    samples = [replace(case, answer=case.reference) for case in CASES[:6]]
    drawn = Counter(label.sample_id for seed in range(400) for label in rule_labels(samples, run="r", seed=seed))
    # 400 draws with probability 1/2: mean 200, standard deviation 10; 5 deviations allowed.
    assert np.all(np.abs(np.array([drawn[sample.id] for sample in samples]) - 200) <= 50)


def test_criterion_is_binary_and_has_its_guideline() -> None:
    criterion = correctness()
    assert criterion.is_binary
    assert criterion.name == "correctness"
    assert {"## Levels", "## How to judge", "## Settled cases"} <= set(criterion.guideline.splitlines())
    assert f"version {criterion.guideline_version}" in criterion.guideline.splitlines()[0]


def test_the_readme_states_the_sizes_of_the_files() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"14 chapters, {len(PASSAGES)} passages" in text
    assert f"{len(FACTS)} statements" in text
    assert f"{len(CASES)} test cases" in text
