"""The packaged head of names on the packaged encoder. It is opened when a text is first asked about."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.models.batches import batches_on, padded_length
from hcat.core.models.devices import CPU
from hcat.core.models.encoder.heads import open_head
from hcat.core.models.names.pieces import SHAPES, NameSpan, Offsets, shapes, spans

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase

    from hcat.core.models.names.network import NamesHead

WEIGHTS = Path(__file__).parent / "weights" / "names.safetensors"
FORMAT = "1"
LONGEST = 256
"""Word pieces read of a text; what comes after is left out."""


class PackagedNames:
    """Spans of people, places, organisations and the like, by a head over the encoder's lower layers."""

    def __init__(self, *, weights: Path = WEIGHTS) -> None:
        if not weights.is_file():
            raise ModelError(f"The packaged weights of names are missing at {weights}: install hcat again.")
        self._weights = weights
        self._opened: tuple[BertModel, NamesHead, PreTrainedTokenizerBase] | None = None
        self._lock = threading.Lock()  # for opening, and as the fast tokenizer refuses to be used by two threads

    def spans(self, texts: Sequence[str]) -> list[tuple[NameSpan, ...]]:
        """The spans of each text, in the order of the texts and of their places."""
        if not texts:
            return []
        with self._lock:
            encoder, head, tokenizer = self._opened = self._opened or _open(self._weights)
            read = tokenizer(list(texts), truncation=True, max_length=LONGEST, return_offsets_mapping=True)
        pieces: list[list[int]] = read["input_ids"]
        offsets: list[Offsets] = [each[1:-1] for each in read["offset_mapping"]]
        rows: list[tuple[NameSpan, ...]] = [()] * len(texts)

        def begin(some: list[int]) -> Callable[[], NDArray[np.float64]]:
            found = _probabilities(encoder, head, [(pieces[i], shapes(texts[i], offsets[i])) for i in some])
            return lambda: found

        for members, found in batches_on(CPU).computed([len(ids) for ids in pieces], begin):
            for i, probabilities in zip(members, found[: len(members)], strict=True):
                rows[i] = tuple(spans(texts[i], offsets[i], probabilities[1 : 1 + len(offsets[i])]))
        return rows


@cache
def packaged_names() -> PackagedNames:
    """The packaged head, opened once."""
    return PackagedNames()


def _probabilities(
    encoder: BertModel, head: NamesHead, batch: Sequence[tuple[list[int], NDArray[np.float32]]]
) -> NDArray[np.float64]:
    """Probabilities (n, length, 1 + kinds) of texts given by their pieces and how these are written."""
    import torch

    from hcat.core.models.names.network import lower_states

    longest = max(len(ids) for ids, _ in batch)
    length = longest if len(batch) == 1 else padded_length(longest)  # one text alone needs no padding
    ids, mask = torch.zeros((2, len(batch), length), dtype=torch.long)
    written = torch.zeros((len(batch), length, SHAPES))
    for row, (numbers, forms) in enumerate(batch):
        ids[row, : len(numbers)] = torch.tensor(numbers)
        mask[row, : len(numbers)] = 1
        written[row, 1 : 1 + len(forms)] = torch.from_numpy(forms)
    with torch.inference_mode():
        z = head(lower_states(encoder, ids, mask), written, mask)
        return np.asarray(torch.softmax(z.double(), dim=-1).numpy(), dtype=np.float64)


def _open(weights: Path) -> tuple[BertModel, NamesHead, PreTrainedTokenizerBase]:
    from hcat.core.models.names.network import NamesHead

    return open_head(weights, NamesHead, file_format=FORMAT, title="weights of names")
