"""Questions that somebody might have asked to get an answer, and how similar each is to the query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hcat.core.types import JsonValue

QUESTIONS = 3
"""Questions an answer, N in the definition."""


@dataclass(frozen=True, eq=False)
class ReverseQuestions:
    """The questions to an answer, or the reason why there are none.

    `query` (d,) and `rows` (n, d) are the unit embeddings of the query and of the questions, `cosines` (n,) their
    products in [-1, 1]. `asked` records model, prompt, settings and usage.
    """

    texts: tuple[str, ...]
    query: NDArray[np.float64]
    rows: NDArray[np.float64]
    asked: Mapping[str, JsonValue] = field(default_factory=dict)
    reason: str | None = None

    @property
    def cosines(self) -> NDArray[np.float64]:
        return np.clip(self.rows @ self.query, -1.0, 1.0)
