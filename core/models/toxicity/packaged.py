"""The packaged toxicity head on the packaged encoder. It is opened when a text is first asked about."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.models.batches import batches_on, padded
from hcat.core.models.devices import CPU, fetched, inference, name_on, revision_on
from hcat.core.models.encoder.heads import open_head
from hcat.core.records.hashing import sha256_of_files

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertModel, PreTrainedTokenizerBase

    from hcat.core.models.toxicity.network import ToxicityHead

WEIGHTS = Path(__file__).parent / "weights" / "toxicity.safetensors"
NAME = "hcat-toxicity-minilm"
FORMAT = "1"
LONGEST = 256
"""Word pieces read of a text; what comes after is cut off."""


class PackagedToxicity:
    """A head over the encoder's states, with a probability of toxic and one of unprofessional."""

    def __init__(self, *, device: str = CPU, weights: Path = WEIGHTS) -> None:
        if not weights.is_file():
            raise ModelError(f"The packaged toxicity weights are missing at {weights}: install hcat again.")
        self.name = name_on(device, NAME)
        self.revision = revision_on(device, sha256_of_files([weights]))
        self._weights = weights
        self._device = device
        self._batches = batches_on(device)
        self._opened: tuple[BertModel, ToxicityHead, PreTrainedTokenizerBase] | None = None
        self._lock = threading.Lock()  # for opening, and as the fast tokenizer refuses to be used by two threads

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """A row (toxic, unprofessional) for each text, in their order."""
        if not texts:
            return np.zeros((0, 2))
        with self._lock:
            encoder, head, tokenizer = self._open()
            pieces: list[list[int]] = tokenizer(list(texts), truncation=True, max_length=LONGEST)["input_ids"]
        rows = np.zeros((len(texts), 2))
        lengths = [len(ids) for ids in pieces]
        for members, said in self._batches.computed(
            lengths, lambda some: self._forward(encoder, head, [pieces[i] for i in some])
        ):
            rows[members] = said[: len(members)]
        return rows

    def _forward(
        self, encoder: BertModel, head: ToxicityHead, pieces: Sequence[list[int]]
    ) -> Callable[[], NDArray[np.float64]]:
        import torch
        from scipy.special import expit

        from hcat.core.models.toxicity.network import READ_LAYERS

        ids, mask = (
            torch.from_numpy(padded(rows)).to(self._device) for rows in (pieces, [[1] * len(row) for row in pieces])
        )
        with inference(self._device):
            layers: tuple[Tensor, ...] = encoder(
                input_ids=ids, attention_mask=mask, output_hidden_states=True
            ).hidden_states
            words = _words_alone(mask)
            x = head.represent(torch.cat([layers[number] for number in READ_LAYERS], dim=-1), words)
            read = fetched(x.double())
        W, b = self._leaving

        def said() -> NDArray[np.float64]:
            # Row by row: the last digits of a product of matrices depend on how many rows it has.
            return np.asarray(expit((read()[:, None, :] * W).sum(axis=-1) + b), dtype=np.float64)

        return said

    @cached_property
    def _leaving(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """W (2, size) and b (2,) of the head's last layer."""
        leave = self._open()[1].leave
        return leave.weight.detach().double().cpu().numpy(), leave.bias.detach().double().cpu().numpy()

    def _open(self) -> tuple[BertModel, ToxicityHead, PreTrainedTokenizerBase]:
        if self._opened is None:
            self._opened = _open(self._weights, self._device)
        return self._opened


def _words_alone(mask: Tensor) -> Tensor:
    """The mask without the marks before and after a text. A text of no words keeps the first."""
    words = mask.clone()
    words[:, 0] = 0
    lengths = mask.sum(1)
    words[range(len(words)), lengths - 1] = 0
    words[lengths <= 2, 0] = 1
    return words


def _open(weights: Path, device: str) -> tuple[BertModel, ToxicityHead, PreTrainedTokenizerBase]:
    from hcat.core.models.toxicity.network import ToxicityHead

    return open_head(weights, ToxicityHead, file_format=FORMAT, title="toxicity weights", device=device)
