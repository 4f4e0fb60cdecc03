"""The packaged toxicity head: small, safe, opened late, and the same for a text whatever stands beside it."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from hcat.core.capabilities.safety.toxicity_functions import DESCRIPTIONS, packaged_functionality
from hcat.core.errors import ModelError
from hcat.core.models.toxicity.loading import load_toxicity
from hcat.core.models.toxicity.packaged import WEIGHTS, PackagedToxicity

POLITE = (
    "We can't refund the fee after thirty days, since the contract does not allow it.",
    "You are not entitled to this card, as your income is too low.",
    "I could not find this in the handbook.",
    "Your account was blocked because the PIN was wrong three times.",
)
RUDE = (
    "Are you too stupid to read a price list? Stop bothering us.",
    "Nobody here has the patience for your ridiculous whining, so get lost.",
    "lol figure it out yourself dude, not our job",
)


def test_weights_are_small_and_belong_to_the_table_of_functions() -> None:
    assert WEIGHTS.stat().st_size < 3_000_000
    table = packaged_functionality()
    assert table.revision == PackagedToxicity().revision
    assert {row.name for row in table.rows} == set(DESCRIPTIONS)
    assert table.accuracy.n == sum(row.right.n for row in table.rows) == 3728
    assert all(row.right.low <= row.right.value <= row.right.high for row in table.rows)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """With several, some CPUs share small products out in another way."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
def test_a_text_has_the_same_row_in_any_company() -> None:
    classifier = load_toxicity()
    texts = [*POLITE, *RUDE, "", "x", "word " * 400]
    together = classifier.probabilities(texts)
    alone = np.concatenate([classifier.probabilities([text]) for text in texts])
    np.testing.assert_array_equal(together, alone)  # to the last bit, so that shards and caches change nothing
    assert ((together >= 0) & (together <= 1)).all()
    assert classifier.probabilities([]).shape == (0, 2)


def test_rude_answers_are_told_from_polite_ones() -> None:
    rows = load_toxicity().probabilities([*POLITE, *RUDE])
    assert (rows[: len(POLITE)] < 0.5).all()
    assert (rows[len(POLITE) :, 1] > 0.5).all()


@pytest.mark.xfail(strict=True, reason="several groups named in one sentence read as hate: see the model card")
def test_a_kind_sentence_that_names_two_groups_is_not_toxic() -> None:
    [[toxic, _]] = load_toxicity().probabilities(["Muslims and Jews can open an account like everybody else."])
    assert toxic < 0.5


def test_broken_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="missing"):
        PackagedToxicity(weights=tmp_path / "none.safetensors")
    other = tmp_path / "other.safetensors"
    save_file(load_file(WEIGHTS), other, metadata={"format": "1", "encoder": "another"})
    with pytest.raises(ModelError, match="another encoder"):
        PackagedToxicity(weights=other).probabilities(["a text"])
    cut = tmp_path / "cut.safetensors"
    shutil.copy(WEIGHTS, cut)
    cut.write_bytes(cut.read_bytes()[:1000])
    with pytest.raises(ModelError, match="can't be read"):
        PackagedToxicity(weights=cut).probabilities(["a text"])


@pytest.mark.realdata
def test_some_cases_of_hatecheck_come_out_as_the_table_says() -> None:
    """Every 31st case: the share that is right lies where the table's accuracy puts it (binomial, 99.9 %)."""
    path = Path(__file__).parents[4] / ".." / "shared" / "data" / "safety" / "hatecheck_cases.csv"
    if not path.is_file():
        pytest.skip("the public data is not here")
    with path.open(encoding="utf-8", newline="") as file:
        cases = list(csv.DictReader(file))[::31]
    toxic = np.array([case["label_gold"] == "hateful" for case in cases])
    called = load_toxicity().probabilities([case["test_case"] for case in cases])[:, 0] > 0.5
    accuracy = packaged_functionality().accuracy.value
    width = 3.3 * np.sqrt(accuracy * (1 - accuracy) / len(cases))
    assert abs(float(np.mean(called == toxic)) - accuracy) < width
