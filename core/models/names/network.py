"""The packaged head of names: two small attention layers over the encoder's lower layers, and a kind for each piece.

Imports torch: only the adapter and the training scripts use the network, and only when a name is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from core.models.names.pieces import KINDS, SHAPES

if TYPE_CHECKING:
    from transformers import BertModel

READ_LAYERS = (1, 3)
"""The layers of the encoder whose states are read: words with their neighbours. Those above are never computed, which
halves the time."""
SIZE = 128


class NamesHead(nn.Module):
    """Logits (n, length, 1 + kinds) of word pieces: nothing first, then the kinds in their order."""

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
    """The states of the read layers side by side (n, length, layers · encoder size)."""
    states: Tensor = encoder.embeddings(input_ids=ids, token_type_ids=torch.zeros_like(ids))
    seen = mask[:, None, None, :].bool()
    read = []
    for number, layer in enumerate(encoder.encoder.layer[: max(READ_LAYERS)], start=1):
        output = layer(states, seen)
        states = output[0] if isinstance(output, tuple) else output
        if number in READ_LAYERS:
            read.append(states)
    return torch.cat(read, dim=-1)
