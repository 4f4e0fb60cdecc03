"""The packaged head of names: two small attention layers over the encoder's lower layers, and a kind for each piece.

Imports torch: only the adapter and the training scripts use the network, and only when a name is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from hcat.core.models.names.pieces import KINDS, SHAPES

if TYPE_CHECKING:
    from transformers import BertModel
    from transformers.models.bert.modeling_bert import BertLayer

READ_LAYERS = (1, 3)
"""The layers of the encoder whose states are read: words with their neighbours.

Those above are never computed, which halves the time."""
SIZE = 128


class NamesHead(nn.Module):
    """Logits (n, length, 1 + kinds) of word pieces: no kind first, then the kinds in their order."""

    def __init__(self, encoder_size: int) -> None:
        super().__init__()
        self.enter = nn.Linear(len(READ_LAYERS) * encoder_size + SHAPES, SIZE)
        layers = [
            nn.TransformerEncoderLayer(SIZE, nhead=4, dim_feedforward=2 * SIZE, dropout=0.1, batch_first=True)
            for _ in range(2)
        ]
        self.layers = nn.ModuleList(layers)
        self.leave = nn.Linear(SIZE, 1 + len(KINDS))
        self.drop = nn.Dropout(0.15)

    def forward(self, states: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        """`states` (n, length, layers · encoder size), `shapes` (n, length, SHAPES), `mask` (n, length)."""
        hidden = self.enter(torch.cat([self.drop(states), shapes], dim=-1))
        for layer in self.layers:
            hidden = layer(hidden, src_key_padding_mask=mask == 0)
        logits: Tensor = self.leave(hidden)
        return logits


def lower_states(encoder: BertModel, ids: Tensor, mask: Tensor) -> Tensor:
    """The states of the read layers, concatenated (n, length, layers · encoder size).

    The layers are computed here from their weights, since the library's own wrapping takes a tenth of the time of a
    single text. Without padding, nothing is masked."""
    states: Tensor = encoder.embeddings(input_ids=ids, token_type_ids=torch.zeros_like(ids))
    seen = None if bool(mask.all()) else mask[:, None, None, :].bool()
    read = []
    layers = cast("Sequence[BertLayer]", encoder.encoder.layer)
    for number, layer in enumerate(layers[: max(READ_LAYERS)], start=1):
        states = _layer(layer, states, seen)
        if number in READ_LAYERS:
            read.append(states)
    return torch.cat(read, dim=-1)


def _layer(layer: BertLayer, states: Tensor, seen: Tensor | None) -> Tensor:
    """One layer of the encoder, without dropout: attention, then the two dense steps, each added and normalised."""
    attention, read = layer.attention.self, layer.attention.output
    n, length, _ = states.shape
    query, key, value = (
        functional.linear(states, part.weight, part.bias)
        .view(n, length, attention.num_attention_heads, -1)
        .transpose(1, 2)
        for part in (attention.query, attention.key, attention.value)
    )
    attended = functional.scaled_dot_product_attention(query, key, value, attn_mask=seen)
    states = _normed(read.LayerNorm, read.dense, attended.transpose(1, 2).reshape(states.shape), states)
    inside = layer.intermediate.dense
    wide = functional.gelu(functional.linear(states, inside.weight, inside.bias))
    return _normed(layer.output.LayerNorm, layer.output.dense, wide, states)


def _normed(norm: nn.LayerNorm, dense: nn.Linear, states: Tensor, before: Tensor) -> Tensor:
    added = functional.linear(states, dense.weight, dense.bias) + before
    return functional.layer_norm(added, norm.normalized_shape, norm.weight, norm.bias, norm.eps)
