"""The packaged toxicity head: two small attention layers over the encoder's states, and one logit for each question.

Imports torch: only the adapter and the training script import this module, and only when a model is needed."""

from __future__ import annotations

import torch
from torch import Tensor, nn

QUESTIONS = ("toxic", "unprofessional")
"""The questions of the two logits, in their order."""
READ_LAYERS = (3, 6)
"""The layers of the encoder whose states are read: words and their neighbours, and the sentence's meaning."""
SIZE = 128


class ToxicityHead(nn.Module):
    """z = W·x + b, with x the mean and the maximum of the head's states of a text's word pieces."""

    def __init__(self, encoder_size: int) -> None:
        super().__init__()
        self.enter = nn.Linear(len(READ_LAYERS) * encoder_size, SIZE)
        layers = [
            nn.TransformerEncoderLayer(SIZE, nhead=4, dim_feedforward=2 * SIZE, dropout=0.15, batch_first=True)
            for _ in range(2)
        ]
        self.layers = nn.ModuleList(layers)
        self.leave = nn.Linear(2 * SIZE, len(QUESTIONS))
        self.drop = nn.Dropout(0.15)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Logits (n, questions) of texts whose word pieces have the states (n, length, layers · encoder size)."""
        logits: Tensor = self.leave(self.represent(states, mask))
        return logits

    def represent(self, states: Tensor, mask: Tensor) -> Tensor:
        """x (n, 2 · SIZE), from which the logits are computed."""
        hidden = self.enter(self.drop(states))
        for layer in self.layers:
            hidden = layer(hidden, src_key_padding_mask=mask == 0)
        weight = mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * weight).sum(1) / weight.sum(1).clamp(min=1)
        top = hidden.masked_fill(weight == 0, -1e4).amax(1)
        return torch.cat([mean, top], dim=1)
