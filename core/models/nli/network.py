"""The packaged entailment network: the encoder's layers over premise and hypothesis together, and a linear head.

Imports torch: only the adapters and the training script import this module, and only when a model is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from transformers import BertModel

MATCHES = 6
"""The number of features about the other text for each word piece: `matches` lists them."""


class EntailmentNetwork(nn.Module):
    """z = w·x + b over x = (mean and maximum of the hypothesis's states, strongest doubt, lexical features).

    The first `frozen` layers are the encoder's own. The matches of a word piece in the other text are added to its
    state between the frozen and the trained layers; `doubt` marks the pieces that look unsupported."""

    def __init__(self, encoder: BertModel, *, frozen: int, features: int) -> None:
        super().__init__()
        self.means: Tensor
        self.scales: Tensor
        self.stretch: Tensor
        size = encoder.config.hidden_size
        self.embeddings = encoder.embeddings
        self.lower = nn.ModuleList(encoder.encoder.layer[:frozen])
        self.upper = nn.ModuleList(encoder.encoder.layer[frozen:])
        self.match = nn.Linear(2 * MATCHES, size)
        self.doubt = nn.Linear(size, 1)
        self.register_buffer("means", torch.zeros(features))
        self.register_buffer("scales", torch.ones(features))
        self.register_buffer("stretch", torch.ones(()))  # set when packed, so that the head's weights have length 1
        self.head = nn.Linear(2 * size + 1 + features, 1)
        for layer in (self.match, self.doubt, self.head):  # begin empty: what is packed is added to what stands here
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)
        for parameter in (*self.embeddings.parameters(), *self.lower.parameters()):
            parameter.requires_grad = False

    def lower_states(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """States (n, length, size) after the frozen layers. They never change, so training caches them."""
        with torch.no_grad():
            states: Tensor = self.embeddings(input_ids=ids, token_type_ids=segments)
            return _through(self.lower, states, mask)

    def upper_states(self, states: Tensor, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """States (n, length, size) after the trained layers."""
        matched = self.matches(ids, segments, mask)
        side = segments.unsqueeze(-1).to(matched.dtype)
        return _through(
            self.upper, states + self.match(torch.cat([matched * side, matched * (1 - side)], dim=-1)), mask
        )

    def represent(self, states: Tensor, segments: Tensor, mask: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        """x (n, 2·size + 1 + features), the input of the head, and the doubt (n, length) about each word piece."""
        hypothesis = (segments * mask).bool()
        last = hypothesis.cumsum(1) == hypothesis.sum(1, keepdim=True)
        hypothesis = hypothesis & ~last  # the closing separator is no word of the hypothesis
        weight = hypothesis.unsqueeze(-1).to(states.dtype)
        mean = (states * weight).sum(1) / weight.sum(1).clamp(min=1)
        top = states.masked_fill(~hypothesis.unsqueeze(-1), -1e4).amax(1)
        doubt = self.doubt(states).squeeze(-1).masked_fill(~hypothesis, -10.0)
        scaled = (features - self.means) / self.scales
        x = torch.cat([mean, top, doubt.amax(1, keepdim=True), scaled], dim=1)
        return x * self.stretch, doubt

    def matches(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """Features of each word piece (n, length, MATCHES) about the other text.

        Is it in the other text, with its left, right and both neighbours; the largest cosine of its word vector there;
        and how often it occurs there (log)."""
        visible = mask.bool() & (ids != ids[:, :1])
        other = (segments.unsqueeze(2) != segments.unsqueeze(1)) & visible.unsqueeze(1) & visible.unsqueeze(2)
        same = (ids.unsqueeze(2) == ids.unsqueeze(1)) & other
        left = same & functional.pad(same, (1, 0, 1, 0))[:, :-1, :-1]
        right = same & functional.pad(same, (0, 1, 0, 1))[:, 1:, 1:]
        vectors = functional.normalize(self.embeddings.word_embeddings(ids), dim=-1)
        cosine = (vectors @ vectors.transpose(1, 2)).masked_fill(~other, 0).amax(2)
        flags = [pairs.any(2).to(cosine.dtype) for pairs in (same, left, right, left & right)]
        return torch.stack([*flags, cosine, torch.log1p(same.sum(2).to(cosine.dtype))], dim=-1)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor, features: Tensor) -> tuple[Tensor, Tensor]:
        """Logits z (n,), and the doubt (n, length) about each word piece of the hypothesis."""
        states = self.upper_states(self.lower_states(ids, segments, mask), ids, segments, mask)
        x, doubt = self.represent(states, segments, mask, features)
        return self.head(x).squeeze(-1), doubt


def _through(layers: nn.ModuleList, states: Tensor, mask: Tensor) -> Tensor:
    seen = mask[:, None, None, :].bool()
    for layer in layers:
        output = layer(states, seen)
        states = output[0] if isinstance(output, tuple) else output
    return states
