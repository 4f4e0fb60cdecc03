"""Any Hugging Face sequence-classification cross-encoder with an entailment class, as an entailment model."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.models.batches import batches_on, padded_length
from hcat.core.models.devices import inference, name_on, revision_on
from hcat.core.models.nli.entailment import EntailmentResult, Pair, entail_distinct
from hcat.core.models.nli.geometry import boundary_distance
from hcat.core.models.weights import folder_revision, model_folder, quiet_loading

if TYPE_CHECKING:
    from torch import Tensor, nn
    from transformers import BatchEncoding, PreTrainedModel, PreTrainedTokenizerBase

LONGEST = 512
"""The word pieces that are read of a pair by a model without a stated limit."""

_ENTAILED = re.compile(r"(?<![a-z])(entail|support|consistent|faithful|grounded)")
_DENIED = re.compile(r"(?<![a-z])(not?|non|neither)(?![a-z])|unentail")


class CrossEncoder:
    """A sequence-classification model on one device. D is read from its last linear layer."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        name: str,
        revision: str,
        entailment: int,
    ) -> None:
        device = str(model.device)
        self.name = name_on(device, name)
        self.revision = revision_on(device, revision)
        self.pieces = longest_input(model, tokenizer)
        self._device = device
        self._batches = batches_on(device)
        self._model = model.train(False)
        self._tokenizer = tokenizer
        self._entailment = entailment
        self._last = last_linear(model)
        self._lock = threading.Lock()  # the fast tokenizer refuses to be used by two threads at once

    @property
    def weight(self) -> NDArray[np.float64]:
        """W (classes, size) of the last linear layer."""
        return np.asarray(self._last.weight.detach().double().cpu().numpy(), dtype=np.float64)

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        """A row for each pair, in their order."""
        return entail_distinct(pairs, lengths=self._lengths, begin=self._distances, batches=self._batches)

    def last_layer(self, pairs: Sequence[Pair]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The input x (n, size) and output z (n, classes) of the last layer.

        Raises ModelError if its output is not what the model returns: D would then be the distance to some other
        boundary."""
        import torch

        seen: list[Tensor] = []
        encoded = self._encode(pairs)
        length = min(padded_length(max(len(ids) for ids in encoded["input_ids"])), self.pieces)
        with self._lock:
            inputs = self._tokenizer.pad(encoded, padding="max_length", max_length=length, return_tensors="pt")
        hook = self._last.register_forward_pre_hook(lambda _, layer_inputs: seen.append(layer_inputs[0]))
        try:
            with inference(self._device):
                z = self._model(**inputs.to(self._device)).logits.double()
                x = seen[-1].double() if seen else z[:, :0]
        finally:
            hook.remove()
        bias = 0 if self._last.bias is None else self._last.bias.detach().double()
        if x.shape != (len(pairs), self._last.in_features) or not torch.allclose(
            x @ self._last.weight.detach().double().T + bias, z, atol=1e-3, rtol=1e-3
        ):
            raise ModelError(f"{self.name}: the last linear layer does not give the logits, so no distance is defined.")
        return x.cpu().numpy(), z.cpu().numpy()

    def _distances(self, pairs: Sequence[Pair]) -> Callable[[], NDArray[np.float64]]:
        D = boundary_distance(self.last_layer(pairs)[1], self.weight, entailment=self._entailment)
        return lambda: D

    def _lengths(self, pairs: Sequence[Pair]) -> list[int]:
        return [len(ids) for ids in self._encode(pairs)["input_ids"]] if pairs else []

    def _encode(self, pairs: Sequence[Pair]) -> BatchEncoding:
        with self._lock:
            encoded: BatchEncoding = self._tokenizer(
                [premise for premise, _ in pairs],
                [hypothesis for _, hypothesis in pairs],
                truncation="longest_first",
                max_length=self.pieces,
            )
        return encoded


@quiet_loading()
def open_cross_encoder(name: str, *, device: str, entailment: str | None) -> CrossEncoder:
    """The cross-encoder in a local folder or the local Hub cache. Raises ModelError; downloads nothing."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model_folder(name, kind="entailment model", otherwise="use the default")
    revision = folder_revision(folder, needed="an entailment model is a folder with a config and such weights")
    try:
        model = AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True
        )
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"The entailment model {name!r} can't be loaded from {folder}: {first}") from error
    index = entailment_class(dict(model.config.id2label or {}), model.config.num_labels, entailment)
    title = Path(name).name if Path(name).is_dir() else name
    return CrossEncoder(model.to(device), tokenizer, name=title, revision=revision, entailment=index)


def entailment_class(labels: Mapping[int, str], classes: int, entailment: str | None = None) -> int:
    """The index of the class for entailment: the one named, the only one, or the only one whose label says so.

    Raises ModelError if none or several do."""
    if classes == 1:
        return 0
    names = {int(index): str(label).casefold() for index, label in labels.items()}
    if entailment is not None:
        fits = [index for index, label in names.items() if label == entailment.casefold()]
    else:
        fits = [i for i, label in names.items() if _ENTAILED.search(label) and not _DENIED.search(_spaced(label))]
    if len(fits) != 1:
        label_names = ", ".join(str(label) for label in labels.values())
        raise ModelError(f"Which class means entailment? The model's labels are {label_names}: name one of them.")
    return fits[0]


def last_linear(model: PreTrainedModel) -> nn.Linear:
    """The last linear layer with one output per class: `classifier`, or `classifier.out_proj` in RoBERTa's manner."""
    from torch import nn

    linear = [layer for layer in model.modules() if isinstance(layer, nn.Linear)]
    fitting = [layer for layer in linear if layer.out_features == model.config.num_labels]
    if not fitting:
        raise ModelError("The model does not end in a linear layer over its classes, so no distance is defined.")
    return fitting[-1]


def _spaced(label: str) -> str:
    return re.sub(r"[^a-z]+", " ", label)


def longest_input(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """The number of word pieces that a model reads at once, at most `LONGEST`."""
    positions = getattr(model.config, "max_position_embeddings", LONGEST) or LONGEST
    if model.config.model_type in {"roberta", "xlm-roberta", "camembert"}:
        positions -= 2  # their positions begin after the padding's own
    return int(min(LONGEST, positions, tokenizer.model_max_length))
