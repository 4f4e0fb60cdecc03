"""Half precision if it changes scores by less than a thousandth: tested on many kinds of text as a model loads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

MOST_DIFFERENCE = 1e-3
"""Scores are cosines and means of cosines: none may differ by this much from the value with 32 bits."""
_SENTENCES = (
    "The fee is 25 euros.",
    "The fee is 52 euros.",
    "No fee is charged for the first three transfers of a month.",
    "A transfer costs nothing.",
    "Customers may cancel within 14 days of receipt, in writing, without giving reasons.",
    "The contract can be ended by either side at the end of a quarter.",
    "Die Gebühr beträgt 25 Euro und wird am Monatsende abgebucht.",
    "Les virements sont gratuits.",
    "Interest of 3.75 % a year is paid on balances above 10,000.00, and 0.5 % below.",
    "I could not find this in the handbook.",
    "yes",
    "Q3",
    "§ 675f BGB (2), see IBAN DE89 3704 0044 0532 0130 00",
)
PROBE = (*_SENTENCES, *(" ".join(_SENTENCES[start:] + _SENTENCES[:start]) for start in range(0, len(_SENTENCES), 4)))
"""Short and long texts, similar and dissimilar, with numbers and in three languages."""


class Encodes(Protocol):
    """Turns texts into unit rows (n, dimension)."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


Either = TypeVar("Either", bound=Encodes)


def probe_difference(encoder: Encodes, other: Encodes) -> float:
    """The largest difference between the cosines of any two texts of the probe by one encoder and by the other."""
    rows = [np.asarray(one.encode(PROBE), dtype=np.float64) for one in (encoder, other)]
    cosines, others = (matrix @ matrix.T for matrix in rows)
    return float(np.abs(cosines - others).max())


def half_if_close(single: Either, half: Either) -> Either:
    """The encoder in half precision if it is close to the one in single precision; else the latter.

    Rows that are not finite, as for a model whose values exceed 16 bits, are not close."""
    return half if probe_difference(single, half) < MOST_DIFFERENCE else single
