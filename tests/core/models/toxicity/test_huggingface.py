"""Any local sequence classifier as HCAT_TOXICITY: which of its classes is meant, and what it can't be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from hcat.core.errors import ModelError
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.toxicity.cached import CachedToxicity
from hcat.core.models.toxicity.huggingface import toxic_class
from hcat.core.models.toxicity.loading import load_toxicity
from hcat.core.settings import Settings

WORDS = ["[PAD]", "[UNK]", "good", "bad", "answer", "fees"]
TEXTS = ["good answer", "bad bad answer fees", "fees", "good answer"]


def save(folder: Path, *labels: str, many: bool = False) -> None:
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: index for index, label in enumerate(labels)}
    config.problem_type = "multi_label_classification" if many else None
    torch.manual_seed(4)
    BertForSequenceClassification(config).save_pretrained(folder)
    words = Tokenizer(models.WordLevel({word: index for index, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]")
    tokenizer.model_max_length = 32
    tokenizer.save_pretrained(folder)


@pytest.mark.parametrize("many", [False, True])
def test_the_toxic_class_has_its_probability_and_says_nothing_of_tone(tmp_path: Path, many: bool) -> None:
    save(tmp_path, "neutral", "toxic", "insult", many=many)
    classifier = load_toxicity(str(tmp_path))
    rows = classifier.probabilities(TEXTS)
    model = BertForSequenceClassification.from_pretrained(tmp_path).eval()
    with torch.inference_mode():
        logits = model(torch.tensor([[2, 4]])).logits[0].double()  # "good answer", alone
    wanted = torch.sigmoid(logits)[1] if many else torch.softmax(logits, 0)[1]
    assert rows[0, 0] == pytest.approx(float(wanted), abs=1e-5)
    assert rows[0, 0] == rows[3, 0]
    assert np.isnan(rows[:, 1]).all()
    assert len(classifier.revision) == 64


@pytest.mark.parametrize(
    ("labels", "index"),
    [
        (("LABEL",), 0),
        (("not-toxic", "toxic"), 1),
        (("non_hateful", "hateful"), 1),
        (("nothate", "hate"), 1),
        (("hate", "not hate"), 0),
        (("obscene", "severe_toxic", "toxic"), 2),
        (("neither", "offensive"), 1),
    ],
)
def test_labels_say_which_class_is_meant(labels: tuple[str, ...], index: int) -> None:
    assert toxic_class(dict(enumerate(labels)), len(labels)) == index


def test_what_is_no_toxicity_classifier_is_refused(tmp_path: Path) -> None:
    save(tmp_path, "cat", "dog")
    with pytest.raises(ModelError, match="Which class means toxic"):
        load_toxicity(str(tmp_path))
    with pytest.raises(ModelError, match="hcat downloads nothing"):
        load_toxicity("nobody/no-such-classifier")
    assert Settings(toxicity="x").toxicity == "x"


def test_cached_probabilities_are_read_once(tmp_path: Path) -> None:
    save(tmp_path, "neutral", "toxic")
    store, told = MemoryEmbeddings(), []
    cached = CachedToxicity(load_toxicity(str(tmp_path)), store)
    first = cached.reporting(lambda done, total: told.append((done, total))).probabilities(TEXTS)
    assert told == [(3, 3)]
    assert len(store.keys) == 3
    assert np.array_equal(cached.probabilities(TEXTS), first, equal_nan=True)
    assert cached.probabilities([]).shape == (0, 2)
