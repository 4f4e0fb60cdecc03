"""Toxicity classifiers: the probabilities that a person finds a text toxic, and unprofessional."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class ToxicityClassifier(Protocol):
    """Takes texts. `revision` is the SHA-256 of the weights; caches and reports include it."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    def probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """A row for each text, in their order: the probabilities (n, 2) of toxic and of unprofessional.

        NaN if the classifier does not answer a question. A row does not depend on the other texts."""
        ...
