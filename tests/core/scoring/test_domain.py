"""Which texts an entailment model was not made for, and what that does to a mean of its verdicts."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest

from hcat.core.capabilities.judges.wording.machine_verdicts import mean_text, withheld_sentences
from hcat.core.metrics.registry import METRICS
from hcat.core.scoring.domain import LANGUAGE, LIST, TABLE, kind_of_text, outside_domain, outside_domain_in
from hcat.core.scoring.provenance import VERIFIED_BY, Provenance
from hcat.core.scoring.score_table import ScoreTable, score_table
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.types import Passage, Sample, Score

PROSE = "The fee is EUR 25 a month, and it is waived for customers under the age of 26 who study at a university."
BARS = "| | 2022 | 2021 |\n| Revenue | 8,738 | 8,124 |\n| Cost | 5,100 | 4,900 |"
GERMAN = (
    "Die Bank hat im vergangenen Jahr einen Gewinn von drei Millionen Euro erzielt, und die Einlagen der Kunden sind "
    "in allen Filialen um vier Prozent gestiegen."
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (PROSE, None),
        ("", None),
        (f"{PROSE}\n\n{PROSE}", None),
        ("It rose 5% in 2022.\nIt fell 3% in 2021.\nIt was flat before.", None),
        (BARS, TABLE),
        ("Revenue\t8,738\t8,124\nCost\t5,100\t4,900\nResult\t3,638\t3,224", TABLE),
        ("Revenue 8,738 8,124\nCost 5,100 4,900\nResult (3,638) $ 3,224", TABLE),
        ("Revenue\n$\n8,738\n$\n8,124\nCost\n5,100\n4,900", TABLE),
        ("Fees:\n- monthly EUR 5\n- yearly EUR 50\n- cards EUR 10", LIST),
        ("1. Open the app.\n2. Choose a card.\n3. Block it.", LIST),
        (GERMAN, LANGUAGE),
        ("銀行は昨年三百万ユーロの利益を上げた", LANGUAGE),
    ],
)
def test_kind_of_text(text: str, kind: str | None) -> None:
    assert kind_of_text(text) == kind


def _samples() -> list[Sample]:
    return [
        Sample(str(i), "q", PROSE, (Passage("p", PROSE if i < 6 else BARS),), PROSE if i else GERMAN) for i in range(10)
    ]


def _table(by: str = "nli") -> ScoreTable:
    names = ("faithfulness", "answer_correctness", "token_f1")
    provenance = Provenance("0", "hash", names, parameters={name: {VERIFIED_BY: {"by": by}} for name in names[:2]})
    scores = {name: [Score(float(i % 2)) for i in range(10)] for name in names}
    scores["faithfulness"][9] = Score(None, "no claims")
    return score_table([str(i) for i in range(10)], scores, provenance)


def test_each_metric_looks_at_the_texts_that_its_verdicts_are_about() -> None:
    outside = outside_domain(_samples(), _table().provenance)
    assert outside == {
        "faithfulness": dict.fromkeys("6789", TABLE),
        "answer_correctness": {"0": LANGUAGE},
    }
    assert outside_domain(_samples(), _table("llm").provenance) == {}


TEXTS = (None, "", PROSE, BARS, GERMAN, "EUR 25", "in May 2022", "Rusalka", "- a b\n- c d\n- e f")


@pytest.mark.parametrize("erased", [None, "erased by a person"])
def test_the_columns_of_a_run_tell_the_same(erased: str | None) -> None:
    """Of all combinations of such texts, for every metric that a model verifies."""
    parts = itertools.product(TEXTS, TEXTS, (None, *TEXTS[2:5]))
    samples = [
        Sample(str(k), "q", answer, () if text is None else (Passage("o", PROSE), Passage("p", text)), reference)
        for k, (answer, reference, text) in enumerate(parts)
    ]
    samples[7] = replace(samples[7], erased=erased)
    names = tuple(metric.name for metric in METRICS if metric.judged)
    provenance = Provenance("0", "hash", names, parameters={name: {VERIFIED_BY: {"by": "nli"}} for name in names})
    outside = outside_domain(samples, provenance)
    assert outside_domain_in(ColumnsOfSamples(samples), provenance) == outside
    assert len(names) > 3 and all(outside.values()) and ("text erased" in str(outside)) == (erased is not None)


def test_a_mean_of_machine_verdicts_has_no_interval_and_leaves_out_what_is_outside() -> None:
    summary = _table().summary(samples=_samples())
    said = summary["faithfulness"]
    assert (said.mean.value, said.mean.n, said.judged) == (0.5, 6, True)  # 0, 1, 0, 1, 0, 1
    assert math.isnan(said.mean.low)
    assert math.isnan(said.mean.high)
    assert said.outside == {TABLE: 3}  # the fourth is unscored
    assert mean_text(said) == "machine says 0.50, n = 6; withheld: 3 samples outside its domain (table: 3)"
    assert withheld_sentences(summary) == [
        "Withheld: 3 samples outside its domain (table: 3): faithfulness.",
        "Withheld: 1 sample outside its domain (not English: 1): answer_correctness.",
    ]
    assert not summary["token_f1"].judged
    assert "[" in mean_text(summary["token_f1"])


def test_without_a_sample_inside_the_mean_is_withheld() -> None:
    tables = [Sample(str(i), "q", PROSE, (Passage("p", BARS),)) for i in range(10)]
    said = _table().summary(samples=tables)["faithfulness"]
    assert said.mean.n == 0
    assert mean_text(said) == "withheld: 9 samples outside its domain (table: 9)"
