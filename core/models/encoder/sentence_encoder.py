"""A sentence-transformers model as an encoder: batches whose rows don't depend on each other, and token states."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.models.batches import Batches, batches_on, padded
from hcat.core.models.devices import CPU, fetched, inference
from hcat.core.models.encoder.token_states import MOST_PIECES, TokenStates, Window, windows

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PIECES_ON_A_CPU = 1024
"""The word pieces of a batch on a CPU, padding included: measured on two cores."""
LONGEST_INPUT = 512
"""The word pieces that are read of a text by a model without a stated limit."""


class SentenceEncoder:
    """A sentence-transformers model on one device, with the pooling that the model's own files prescribe.

    A text is padded to a length that depends on it alone (its word pieces, rounded up), and only texts of one such
    length share a batch. A row then has the same bits in any of the `batches`, and little work goes into padding.

    The model is opened by `open_model` when it first reads a text, which raises its ModelError."""

    def __init__(
        self,
        open_model: Callable[[], SentenceTransformer],
        *,
        name: str,
        revision: str,
        dimension: int,
        batches: Batches | None = None,
    ) -> None:
        self.name = name
        self.revision = revision
        self.dimension = dimension
        self._open_model = open_model
        self._batches = batches or batches_on(CPU, on_cpu=PIECES_ON_A_CPU)
        self._lock = threading.Lock()  # the fast tokenizer refuses to be used by two threads at once

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows of shape (n, dimension), in the order of the texts."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        pieces = self._pieces(texts, longest=self._longest)
        for members, (embeddings,) in self._computed(pieces, ("sentence_embedding",)):
            rows[members] = embeddings[: len(members)]
        return rows

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Each text's word pieces, special ones included, for any length."""
        return self._pieces([text.strip() for text in texts], longest=None)

    def encode_tokens(self, texts: Sequence[str]) -> tuple[TokenStates, ...]:
        """Last-layer states of whole texts, in their order; in windows of the length that the model can read at once.

        Source: BERTScore (Zhang et al. 2020), section 3, which cuts a long text instead."""
        pieces = self.token_ids(texts)
        before, after = self._added
        most = self._positions - len(before) - len(after)
        inner = [ids[len(before) : len(ids) - len(after)] for ids in pieces]
        read = [ids[:MOST_PIECES] for ids in inner]
        jobs = [(number, window) for number, ids in enumerate(read) for window in windows(len(ids), most)]
        inputs = [[*before, *read[number][window.start : window.end], *after] for number, window in jobs]
        states = [np.empty((len(before) + len(ids) + len(after), self.dimension), dtype=np.float32) for ids in read]
        rows: dict[int, NDArray[np.float32]] = {}
        for members, (tokens, embeddings) in self._computed(inputs, ("token_embeddings", "sentence_embedding")):
            for place, member in enumerate(members):
                number, window = jobs[member]
                _keep(states[number], tokens[place], window, len(inputs[member]), (len(before), len(after)))
                if len(inputs[member]) <= self._longest and len(inner[number]) <= most:
                    rows[number] = embeddings[place].copy()
        return tuple(
            self._states([*before, *ids, *after], states[number], rows.get(number), len(inner[number]) - len(ids))
            for number, ids in enumerate(read)
        )

    def _states(
        self, ids: list[int], states: NDArray[np.float32], row: NDArray[np.float32] | None, left_out: int
    ) -> TokenStates:
        added = np.isin(ids, [*self._added[0], *self._added[1]])
        words = self._model.tokenizer.convert_ids_to_tokens(ids)
        return TokenStates(np.asarray(ids, dtype=np.int64), tuple(words), added, states, row, left_out)

    @property
    def is_open(self) -> bool:
        """Whether the model has been opened."""
        return "_model" in self.__dict__

    @cached_property
    def _model(self) -> SentenceTransformer:
        return self._open_model()

    @property
    def _longest(self) -> int:
        return int(self._model.max_seq_length or LONGEST_INPUT)

    @property
    def _positions(self) -> int:
        """The word pieces that the model has positions for: with some models more than it reads of a sentence."""
        configuration = getattr(getattr(self._model[0], "auto_model", None), "config", None)
        return min(LONGEST_INPUT, getattr(configuration, "max_position_embeddings", LONGEST_INPUT))

    @cached_property
    def _added(self) -> tuple[list[int], list[int]]:
        """The pieces that the tokenizer adds before and after a text."""
        with self._lock:
            encoded = self._model.tokenizer(["a"], return_special_tokens_mask=True)
        ids, mask = encoded["input_ids"][0], encoded["special_tokens_mask"][0]
        start = mask.index(0)
        end = len(mask) - mask[::-1].index(0)
        return list(ids[:start]), list(ids[end:])

    def _pieces(self, texts: Sequence[str], *, longest: int | None) -> list[list[int]]:
        """The word pieces of each text in the form for the model: with its prompt, and cut at `longest`."""
        prompt = self._model.prompts.get(self._model.default_prompt_name or "") or "" if longest else ""
        if not texts:
            return []
        with self._lock:
            encoded = self._model.tokenizer(
                [prompt + _readable(text) for text in texts],
                truncation=longest is not None,
                max_length=longest,
                return_attention_mask=False,
                verbose=False,
            )
        return list(encoded["input_ids"])

    def _computed(
        self, pieces: Sequence[list[int]], wanted: tuple[str, ...]
    ) -> Iterator[tuple[list[int], list[NDArray[np.float32]]]]:
        """Positions of texts with the requested outputs of the model, as vectors of length one."""

        def begin(some: list[int]) -> Callable[[], list[NDArray[np.float32]]]:
            outputs = self._forward([pieces[i] for i in some], wanted)
            return lambda: [wait() for wait in outputs]

        return self._batches.computed([len(ids) for ids in pieces], begin)

    def _forward(self, pieces: list[list[int]], wanted: tuple[str, ...]) -> list[Callable[[], NDArray[np.float32]]]:
        """Functions that wait for the model's outputs for texts of one padded length, converted to single precision."""
        import torch

        tokenizer, device = self._model.tokenizer, self._model.device
        left = tokenizer.padding_side == "left"
        ids = padded(pieces, value=tokenizer.pad_token_id or 0, left=left)
        mask = padded([[1] * len(row) for row in pieces], left=left)
        with inference(device.type):
            output = self._model(
                {"input_ids": torch.from_numpy(ids).to(device), "attention_mask": torch.from_numpy(mask).to(device)}
            )
            return [fetched(torch.nn.functional.normalize(output[name].float(), p=2, dim=-1)) for name in wanted]


def _keep(
    states: NDArray[np.float32], tokens: NDArray[np.float32], window: Window, size: int, added: tuple[int, int]
) -> None:
    """Copy the states that are used from one window; those of added tokens are from the first and the last window."""
    before, after = added
    first = 0 if window.first == 0 else before + window.first
    last = before + window.last
    states[first:last] = tokens[first - window.start : last - window.start]
    if last == len(states) - after:
        states[last:] = tokens[size - after : size]


def _readable(text: str) -> str:
    """The text without lone surrogates, which are not Unicode and which tokenizers reject."""
    return text.encode("utf-8", "replace").decode()
