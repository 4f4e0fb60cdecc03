"""Any Hugging Face sequence classifier with a class for toxic, hateful or offensive texts, as a toxicity classifier."""

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
from hcat.core.models.devices import fetched, inference, name_on, revision_on
from hcat.core.models.nli.huggingface import longest_input
from hcat.core.models.weights import folder_revision, model_folder, quiet_loading

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

_TOXIC = re.compile(r"(?<![a-z])(toxic|hate|hateful|hatespeech|offensive|abusive|hostile)")
_DENIED = re.compile(r"(?<![a-z])(not?|non|neither|neutral)(?![a-z])|(?<![a-z])(no|non|not)(toxic|hate|offens|abus)")


class ClassifierModel:
    """A sequence-classification model on one device: the probability of its toxic class. It does not cover tone."""

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        *,
        name: str,
        revision: str,
        toxic: int,
    ) -> None:
        self._device = str(model.device)
        self._batches = batches_on(self._device)
        self.name = name_on(self._device, name)
        self.revision = revision_on(self._device, revision)
        self._model = model.train(False)
        self._tokenizer = tokenizer
        self._toxic = toxic
        self._lock = threading.Lock()  # the fast tokenizer refuses to be used by two threads at once
        self._longest = longest_input(model, tokenizer)

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """A row (toxic, NaN) for each text, in their order."""
        rows = np.full((len(texts), 2), np.nan)
        if not texts:
            return rows
        with self._lock:
            encoded = self._tokenizer(list(texts), truncation=True, max_length=self._longest)
        lengths = [len(ids) for ids in encoded["input_ids"]]

        def begin(some: list[int]) -> Callable[[], NDArray[np.float64]]:
            return self._forward({name: [values[i] for i in some] for name, values in encoded.items()})

        for members, toxic in self._batches.computed(lengths, begin):
            rows[members, 0] = toxic[: len(members)]
        return rows

    def _forward(self, encoded: dict[str, list[list[int]]]) -> Callable[[], NDArray[np.float64]]:
        import torch

        length = min(padded_length(max(len(ids) for ids in encoded["input_ids"])), self._longest)
        with self._lock:
            inputs = self._tokenizer.pad(encoded, padding="max_length", max_length=length, return_tensors="pt")
        with inference(self._device):
            logits = self._model(**inputs.to(self._device)).logits.double()
        alone = logits.shape[1] == 1 or self._model.config.problem_type == "multi_label_classification"
        chosen = torch.sigmoid(logits) if alone else torch.softmax(logits, dim=1)
        return fetched(chosen[:, self._toxic])


@quiet_loading()
def open_classifier(name: str, *, device: str) -> ClassifierModel:
    """The classifier in a local folder or the local Hub cache. Raises ModelError; downloads nothing."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = model_folder(name, kind="toxicity classifier", otherwise="unset HCAT_TOXICITY for the packaged one")
    revision = folder_revision(folder, needed="HCAT_TOXICITY needs a folder with a config and such weights")
    try:
        model = AutoModelForSequenceClassification.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True
        )
        tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"The toxicity classifier {name!r} can't be loaded from {folder}: {first}") from error
    index = toxic_class(dict(model.config.id2label or {}), model.config.num_labels)
    title = Path(name).name if Path(name).is_dir() else name
    return ClassifierModel(model.to(device), tokenizer, name=title, revision=revision, toxic=index)


def toxic_class(labels: Mapping[int, str], classes: int) -> int:
    """The index of the toxic class: the only one, or the first whose label says so. ModelError if none does."""
    if classes == 1:
        return 0
    names = {int(index): str(label).casefold() for index, label in labels.items()}
    fits = [index for index, label in sorted(names.items()) if _TOXIC.search(label) and not _DENIED.search(label)]
    exact = [index for index in fits if names[index] in {"toxic", "toxicity", "hate", "hateful"}]
    if not fits:
        said = ", ".join(str(label) for label in labels.values())
        raise ModelError(
            f"Which class means toxic? The classifier's labels are {said}: "
            "name one “toxic” in its config.json (id2label)."
        )
    return (exact or fits)[0]
