"""Any cross-encoder: D is read off its last layer, whatever the architecture and the labels' order."""

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from hcat.core.errors import ModelError
from hcat.core.models.nli.huggingface import entailment_class, last_linear
from hcat.core.models.nli.loading import load_entailment

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
TEXT = "the bank raised lowered its rate fees by one two three per cent in May June"
WORDS = [*SPECIAL, *TEXT.split()]
SIZES = {
    "vocab_size": len(WORDS),
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 66,
    "pad_token_id": 0,
}
KINDS = {
    "bert": (BertForSequenceClassification, BertConfig(**SIZES)),
    "roberta": (RobertaForSequenceClassification, RobertaConfig(**SIZES, type_vocab_size=1)),
    "deberta": (
        DebertaV2ForSequenceClassification,
        DebertaV2Config(**SIZES, relative_attention=True, pos_att_type=["p2c", "c2p"], type_vocab_size=0),
    ),
}
PAIRS = [
    ("the bank raised its rate by two per cent in May", "the bank raised its rate"),
    ("the bank raised its rate by two per cent in May", "the bank lowered its fees by three per cent in June"),
    ("fees", "rate"),
    ("the bank raised its rate by two per cent in May", "the bank raised its rate"),
]


def save(folder, kind, labels, *, seed=3):
    make, config = KINDS[kind]
    config.id2label = dict(enumerate(labels))
    config.label2id = {label: index for index, label in enumerate(labels)}
    torch.manual_seed(seed)
    model = make(config)
    with torch.no_grad():
        for part in model.modules():
            if isinstance(part, torch.nn.Linear):
                part.weight.normal_(0, 0.3)  # the usual start is so small that all pairs come out alike
                part.bias.normal_(0, 0.1)
    model.save_pretrained(folder)
    plain = Tokenizer(models.WordLevel({word: index for index, word in enumerate(WORDS)}, unk_token="[UNK]"))
    plain.pre_tokenizer = pre_tokenizers.Whitespace()
    plain.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = ["input_ids", "attention_mask"]
    PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]",
        model_max_length=64, model_input_names=names,
    ).save_pretrained(folder)  # fmt: skip
    return str(folder)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("labels", "entailment"),
    [
        (["contradiction", "entailment", "neutral"], 1),
        (["ENTAILMENT", "NEUTRAL", "CONTRADICTION"], 0),
        (["not_entailment", "entailment"], 1),
        (["LABEL_0"], 0),
    ],
)
def test_distance_is_that_of_the_last_layers_input_to_the_hyperplanes(tmp_path, kind, labels, entailment):
    model = load_entailment(save(tmp_path, kind, labels))
    D = model.entail(PAIRS).D
    x = np.vstack([model.last_layer([pair])[0] for pair in PAIRS])
    layer = last_linear(model._model)
    W, b = layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy()
    for row, found in zip(x, D, strict=True):
        z = W @ row + b
        others = [c for c in range(len(labels)) if c != entailment]
        planes = [(W[entailment] - W[c], b[entailment] - b[c]) for c in others] or [(W[0], b[0])]
        # the foot of each perpendicular, found by least squares and checked to lie on its hyperplane
        signed = []
        for normal, offset in planes:
            step = np.linalg.lstsq(normal[None, :], np.array([-(normal @ row + offset)]), rcond=None)[0]
            assert normal @ (row + step) + offset == pytest.approx(0, abs=1e-9)
            signed.append(np.sign(normal @ row + offset) * np.linalg.norm(step))
        assert found == pytest.approx(min(signed), abs=1e-5)
        if others:
            assert (found > 0) == (z.argmax() == entailment)


@pytest.mark.parametrize("kind", KINDS)
def test_logits_are_the_models_own(tmp_path, kind):
    model = load_entailment(save(tmp_path, kind, ["entailment", "neutral", "contradiction"]))
    for premise, hypothesis in PAIRS[:2]:
        inputs = model._tokenizer(premise, hypothesis, return_tensors="pt")
        with torch.inference_mode():
            expected = model._model(**inputs).logits.numpy()
        assert model.last_layer([(premise, hypothesis)])[1] == pytest.approx(expected, abs=1e-5)


def test_order_and_company_do_not_change_a_row(tmp_path):
    model = load_entailment(save(tmp_path, "bert", ["entailment", "neutral", "contradiction"]))
    together, alone = model.entail(PAIRS).D, [model.entail([pair]).D[0] for pair in PAIRS]
    assert together == pytest.approx(alone, abs=1e-6)
    assert pytest.approx(together[::-1], abs=1e-6) == model.entail(PAIRS[::-1]).D
    assert together[0] == together[3]
    assert np.ptp(together) > 1e-3


def test_a_long_pair_is_cut_and_none_is_fine(tmp_path):
    model = load_entailment(save(tmp_path, "roberta", ["entailment", "neutral", "contradiction"]))
    assert model.pieces == 64
    assert np.isfinite(model.entail([("the bank " * 200, "the rate " * 200)]).D).all()
    assert model.entail([]).n == 0


def test_revision_is_that_of_the_weights(tmp_path):
    one = load_entailment(save(tmp_path / "a", "bert", ["entailment", "no"], seed=1))
    two = load_entailment(save(tmp_path / "b", "bert", ["entailment", "no"], seed=2))
    assert len(one.revision) == 64
    assert one.revision != two.revision


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["contradiction", "neutral", "entailment"], 2),
        (["not_entailment", "entailment"], 1),
        (["entailment", "not_entailment"], 0),
        (["REFUTES", "SUPPORTS", "NOT ENOUGH INFO"], 1),
        (["unsupported", "supported"], 1),
        (["inconsistent", "consistent"], 1),
        (["non-entailment", "entailment"], 1),
        (["anything"], 0),
    ],
)
def test_the_entailment_class_is_found_by_its_label(labels, expected):
    assert entailment_class(dict(enumerate(labels)), len(labels)) == expected


def test_unnamed_classes_need_a_name():
    labels = {0: "LABEL_0", 1: "LABEL_1"}
    with pytest.raises(ModelError, match="Which class means entailment"):
        entailment_class(labels, 2)
    assert entailment_class(labels, 2, "label_1") == 1


def test_what_is_no_model_says_so(tmp_path):
    with pytest.raises(ModelError, match="neither a folder nor in the local Hub cache"):
        load_entailment("nobody/no-such-model")
    with pytest.raises(ModelError, match=r"\.safetensors"):
        load_entailment(str(tmp_path))


def test_a_model_whose_logits_are_not_its_last_layers_is_refused(tmp_path):
    model = load_entailment(save(tmp_path, "bert", ["entailment", "neutral"]))
    model._model.register_forward_hook(lambda _, __, output: setattr(output, "logits", output.logits * 2) or output)
    with pytest.raises(ModelError, match="does not give the logits"):
        model.entail(PAIRS)
