"""Half precision is used where it is close: by the probe's cosines, and never where rows are no numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from hcat.core.models.encoder.precision import (
    MOST_DIFFERENCE,
    PROBE,
    half_if_close,
    probe_difference,
)


@dataclass(frozen=True)
class Turned:
    """Unit rows at equal steps on a circle, the last one turned further by an angle."""

    angle: float = 0.0
    name: str = "turned"
    revision: str = "0" * 64
    dimension: int = 2

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        angles = np.linspace(0.0, np.pi / 2, len(texts))
        angles[-1] += self.angle
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_the_difference_is_the_greatest_of_any_two_texts() -> None:
    # The last row is at a right angle to the first: turned by a, their cosine goes from 0 to -sin a.
    assert probe_difference(Turned(), Turned(0.01)) == pytest.approx(np.sin(0.01), abs=1e-6)
    assert probe_difference(Turned(), Turned()) == 0.0
    assert len(set(PROBE)) == len(PROBE)


@pytest.mark.parametrize(("angle", "close"), [(0.0, True), (0.9e-3, True), (1.1e-3, False), (np.nan, False)])
def test_only_what_is_closer_than_the_limit_is_taken(angle: float, close: bool) -> None:
    single, half = Turned(), Turned(angle)
    assert MOST_DIFFERENCE == 1e-3
    assert half_if_close(single, half) is (half if close else single)
