"""Texts that state nothing are told by a rule; the texts were written before the rule was run on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hcat.core.importers import read_run
from hcat.core.scoring.bare_texts import DATE, FEW_WORDS, NUMBER, bare_kind, bare_references
from hcat.core.scoring.domain import outside_domain
from hcat.core.scoring.provenance import VERIFIED_BY, Provenance
from hcat.core.types import Passage, Sample
from hcat.core.wording.bare_references import bare_references_note
from hcat.core.wording.importing import notes_on_samples

FINANCEBENCH = Path(__file__).parents[4] / "shared/data/financebench/gpt-4_oracle.jsonl"
PROSE = "The monthly fee of the account is EUR 4.50, and students pay nothing."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("$1577.00", NUMBER),
        ("1.5 billion USD", NUMBER),
        ("24.26%", NUMBER),
        ("EUR 4.50 a month", NUMBER),
        ("-0.5x", NUMBER),
        ("4.5 percentage points", NUMBER),
        ("approximately 5 days", NUMBER),
        ("12", NUMBER),
        ("$400,000,000 increase.", NUMBER),
        ("31 December 2018", DATE),
        ("FY2018", DATE),
        ("Q3 2022", DATE),
        ("on 5 May 2021", DATE),
        ("Paris", FEW_WORDS),
        ("Yes", FEW_WORDS),
        ("No.", FEW_WORDS),
        ("The gold card", FEW_WORDS),
        ("Chief Executive Officer", FEW_WORDS),
        ("Trillium, Array, and Therachon", FEW_WORDS),
        ("Jane Doe", FEW_WORDS),
        ("", None),
        ("The fee is EUR 4.50.", None),
        ("Fees rose 5%.", None),
        ("Yes, the fee is waived.", None),
        ("It depends.", None),
        ("There are none", None),
        ("No dividends were paid.", None),
        ("Sales increased 5%.", None),
        (PROSE, None),
        ("月费为4.50欧元。", None),
        ("The head of the retail division of the bank in Vienna", None),
    ],
)
def test_what_states_nothing(text: str, kind: str | None) -> None:
    assert bare_kind(text) == kind


def test_a_verb_that_may_be_a_noun_is_not_seen() -> None:
    assert bare_kind("Cards cost EUR 5 a month.") == FEW_WORDS


def _outside(sample: Sample) -> dict[str, str]:
    names = ("faithfulness", "context_recall", "answer_correctness", "context_precision", "groundedness_nli")
    provenance = Provenance("0", "hash", names, parameters={name: {VERIFIED_BY: {"by": "nli"}} for name in names})
    return {metric: reasons["s"] for metric, reasons in outside_domain([sample], provenance).items() if reasons}


def test_only_metrics_of_the_bare_part_are_outside_their_domain() -> None:
    contexts = (Passage("p", PROSE),)
    assert _outside(Sample("s", "q", PROSE, contexts, PROSE)) == {}
    by_reference = dict.fromkeys(("context_recall", "answer_correctness", "context_precision"))
    assert _outside(Sample("s", "q", PROSE, contexts, "$4.50")) == by_reference | dict.fromkeys(
        by_reference, "the reference is a number"
    )
    by_answer = ("faithfulness", "answer_correctness", "groundedness_nli")
    assert _outside(Sample("s", "q", "EUR 4.50", contexts, PROSE)) == dict.fromkeys(by_answer, "the answer is a number")
    alone = _outside(Sample("s", "q", "May 2021", contexts))
    assert alone["context_precision"] == "the answer is a date"


def test_a_short_passage_is_no_reason() -> None:
    assert _outside(Sample("s", "q", PROSE, (Passage("p", "EUR 4.50"),), PROSE)) == {}


def test_the_note_counts_and_names_what_to_use() -> None:
    samples = [
        Sample(str(i), "q", PROSE, (Passage("p", PROSE),), reference)
        for i, reference in enumerate(("$4.50", "5%", "Paris", PROSE))
    ]
    note = (
        "3 of 4 references are not statements (a number: 2, a name or a few words: 1). Claims can't be verified "
        "against them: means of claim metrics leave these samples out. Compare numbers by “Factual numbers, "
        "reference” and “Factual numbers, recall”, few words by “Token recall” or by labels."
    )
    assert bare_references_note(bare_references(samples)) == note
    assert notes_on_samples(samples) == (f"Note: {note}",)
    assert bare_references_note(bare_references(samples[3:])) == ""
    assert bare_references([]).n == 0


@pytest.mark.realdata
@pytest.mark.skipif(not FINANCEBENCH.is_file(), reason="the public data sets are not beside the repository")
def test_on_financebench_the_bare_numbers_are_told_and_no_sentence_is() -> None:
    samples = read_run(FINANCEBENCH, filename=FINANCEBENCH.name).samples
    references = [sample.reference or "" for sample in samples]
    counts = bare_references(samples)
    # 32 references are digits, signs and nothing else, another is "$400,000,000 increase."; of the few words one is
    # "Yes" and three are names. A list of four names has six words and is not told.
    digits = [text for text in references if text and not any(letter.isalpha() for letter in text)]
    assert len(digits) == 32
    assert {bare_kind(text) for text in digits} == {NUMBER}
    assert (counts.n, dict(counts.kinds)) == (83, {NUMBER: 33, FEW_WORDS: 4})
