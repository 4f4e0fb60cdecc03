"""The packaged entailment model: the packaged encoder, plus the changes by training, as differences in eight bits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.models.batches import batches_on, padded
from hcat.core.models.devices import CPU, fetched, inference, name_on, revision_on
from hcat.core.models.encoder.encoder import PACKAGED_WEIGHTS, packaged_encoder
from hcat.core.models.nli.entailment import EntailmentResult, Pair, entail_distinct
from hcat.core.models.nli.features import FEATURES, lexical_features
from hcat.core.models.nli.geometry import boundary_distance
from hcat.core.models.weights import quiet_loading
from hcat.core.records.hashing import sha256_of_files

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase

    from hcat.core.models.nli.network import EntailmentNetwork

WEIGHTS = Path(__file__).parent / "weights" / "entailment.safetensors"
NAME = "hcat-entailment-minilm"
FORMAT = "1"

Pieces = tuple[list[int], list[int]]
"""A pair's word pieces, and the side of each: 0 premise, 1 hypothesis."""

QUANTISED, SCALE = "int8.", "scale."
"""Prefixes of a matrix's differences in eight bits, and of the width of a step in each of its rows."""


class PackagedEntailment:
    """One logit over the encoder's states and lexical features. Its head has ‖w‖ = 1, so that D = z.

    σ(D) of one pair was calibrated on balanced held-out pairs. On answers of a system, whose pairs are neither balanced
    nor similar, and in means over sentences, it is a score, which labels calibrate."""

    def __init__(
        self,
        network: EntailmentNetwork,
        tokenizer: PreTrainedTokenizerBase,
        *,
        revision: str,
        pieces: int,
        device: str = CPU,
    ) -> None:
        self.name = name_on(device, NAME)
        self.revision = revision_on(device, revision)
        self.pieces = pieces
        self._device = device
        self._batches = batches_on(device)
        self._network = network.to(device).eval()
        self._tokenizer = tokenizer
        self._lock = threading.Lock()  # the fast tokenizer refuses to be used by two threads at once

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """W (1, size) of the head."""
        return np.asarray(self._network.head.weight.detach().double().cpu().numpy(), dtype=np.float64)

    @cached_property
    def _bias(self) -> float:
        return float(self._network.head.bias.item())

    def entail(self, pairs: Sequence[Pair]) -> EntailmentResult:
        """A row for each pair, in their order."""
        pieces: dict[Pair, Pieces] = {}

        def lengths(distinct: Sequence[Pair]) -> list[int]:
            pieces.update(zip(distinct, self._pieces(distinct), strict=True))
            return [len(ids) for ids, _ in pieces.values()]

        return entail_distinct(
            pairs,
            lengths=lengths,
            begin=lambda batch: self._distances(batch, [pieces[pair] for pair in batch]),
            batches=self._batches,
        )

    def _distances(self, pairs: Sequence[Pair], pieces: Sequence[Pieces]) -> Callable[[], NDArray[np.float64]]:
        x = fetched(self._read(pairs, pieces))
        return lambda: boundary_distance(self._said(x()), self.weight)

    def last_layer(self, pairs: Sequence[Pair]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The input x (n, size) and the output z (n, 1) of the head."""
        x = fetched(self._read(pairs, self._pieces(pairs)))()
        return x, self._said(x)

    def _read(self, pairs: Sequence[Pair], pieces: Sequence[Pieces]) -> Tensor:
        """x (n, size) on the model's device, where the computation may still be running."""
        import torch

        ids, segments, mask = self._tensors(pieces)
        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        features = lexical_features(list(places))[[places[pair] for pair in pairs]]
        with inference(self._device):
            states = self._network.lower_states(ids, segments, mask)
            states = self._network.upper_states(states, ids, segments, mask)
            x, _ = self._network.represent(states, segments, mask, torch.from_numpy(features).to(ids.device))
            return x.double()

    def _said(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        # Row by row: the last digits of a product of matrices depend on how many rows it has.
        z = (x * self.weight).sum(axis=1, keepdims=True) + self._bias
        return np.asarray(z, dtype=np.float64)

    def _pieces(self, pairs: Sequence[Pair]) -> list[Pieces]:
        """The word pieces of each pair, tokenised once for both the lengths and the tensors."""
        if not pairs:
            return []
        with self._lock:
            encoded: Mapping[str, list[list[int]]] = self._tokenizer(
                [premise for premise, _ in pairs],
                [hypothesis for _, hypothesis in pairs],
                truncation="longest_first",
                max_length=self.pieces,
            )
        return list(zip(encoded["input_ids"], encoded["token_type_ids"], strict=True))

    def _tensors(self, pieces: Sequence[Pieces]) -> tuple[Tensor, Tensor, Tensor]:
        import torch

        ids, segments, mask = (
            torch.from_numpy(padded(rows)).to(self._device)
            for rows in zip(*((ids, sides, [1] * len(ids)) for ids, sides in pieces), strict=True)
        )
        return ids, segments, mask


@quiet_loading()
def open_packaged(*, device: str = "cpu", weights: Path = WEIGHTS) -> PackagedEntailment:
    """The packaged model on a device. Raises ModelError if its weights, or the encoder under them, are not right."""
    from safetensors import SafetensorError, safe_open
    from transformers import AutoTokenizer

    if not weights.is_file():
        raise ModelError(f"The packaged entailment weights are missing at {weights}: install hcat again.")
    try:
        with safe_open(str(weights), framework="pt") as file:
            about = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError) as error:
        raise ModelError(f"The packaged entailment weights at {weights} can't be read: install hcat again.") from error
    if about.get("format") != FORMAT or about.get("encoder") != PACKAGED_WEIGHTS:
        raise ModelError("The packaged entailment weights belong to another encoder: install hcat again.")
    folder = packaged_encoder()
    network = bare_network(folder, frozen=int(about["frozen"]))
    apply_differences(network, tensors)
    return PackagedEntailment(
        network,
        AutoTokenizer.from_pretrained(str(folder), local_files_only=True),
        revision=sha256_of_files([weights]),
        pieces=int(about["pieces"]),
        device=device,
    )


@quiet_loading()
def bare_network(folder: Path, *, frozen: int) -> EntailmentNetwork:
    """The network before training: the encoder's own layers and an empty head."""
    import torch
    from transformers import AutoModel

    from hcat.core.models.nli.network import EntailmentNetwork

    encoder = AutoModel.from_pretrained(
        str(folder), local_files_only=True, attn_implementation="sdpa", dtype=torch.float32
    )
    return EntailmentNetwork(encoder, frozen=frozen, features=len(FEATURES))


def differences(network: EntailmentNetwork, start: EntailmentNetwork) -> dict[str, Tensor]:
    """The changes by training: matrices of the upper layers in eight bits with one step per row, all else unchanged."""
    import torch

    before = start.state_dict()
    packed: dict[str, Tensor] = {}
    for name, value in network.state_dict().items():
        if name.startswith(("embeddings.", "lower.")):
            continue
        change = (value - before[name]).float()
        if value.dim() == 2 and name.startswith("upper."):
            step = change.abs().amax(1).clamp(min=1e-12) / 127
            packed[QUANTISED + name] = torch.round(change / step[:, None]).to(torch.int8)
            packed[SCALE + name] = step
        else:
            packed[name] = change.clone()
    return packed


def apply_differences(network: EntailmentNetwork, packed: Mapping[str, Tensor]) -> None:
    """Add the packed differences to a bare network. Raises ModelError if a part is missing or of another shape."""
    import torch

    changed = network.state_dict()
    wanted = {name for name in changed if not name.startswith(("embeddings.", "lower."))}
    for name in sorted(wanted):
        matrix, step, plain = packed.get(QUANTISED + name), packed.get(SCALE + name), packed.get(name)
        change = plain if matrix is None or step is None else matrix.float() * step[:, None]
        if change is None or change.shape != changed[name].shape:
            raise ModelError(f"The packaged entailment weights lack {name}: install hcat again.")
        with torch.no_grad():
            changed[name].add_(change)
