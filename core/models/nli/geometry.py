"""The distance of a pair from the decision boundary on the entailed side, in the input space of the last layer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError

Matrix = NDArray[np.float64]


def boundary_distance(z: Matrix, W: Matrix, *, entailment: int = 0) -> Matrix:
    """Signed Euclidean distance D (n,) of x from the entailment boundary of the last layer z = Wx + b.

    `z` is (n, classes), `W` is (classes, size). With one logit D = z/‖w‖. With several it is the least of (z_e −
    z_c)/‖w_e − w_c‖ over the other classes c: positive if entailment is the most probable class, and then the distance
    to the nearest boundary. Any real number. Raises ModelError if a boundary does not exist, its weights being zero.
    Source: HCAT 3.2.2, which has one logit; several are the same distance to each boundary between two classes."""
    classes = W.shape[0]
    if z.ndim != 2 or z.shape[1] != classes or not 0 <= entailment < classes:
        raise ModelError(f"{z.shape} logits do not fit {classes} classes with entailment as number {entailment}.")
    if classes == 1:
        return np.asarray(z[:, 0] / _norm(W[0]), dtype=np.float64)
    others = [index for index in range(classes) if index != entailment]
    gaps = [(z[:, entailment] - z[:, index]) / _norm(W[entailment] - W[index]) for index in others]
    return np.asarray(np.min(gaps, axis=0), dtype=np.float64)


def boundary_score(D: Matrix) -> Matrix:
    """σ(D) (n,), in [0, 1], without overflow for large distances."""
    half: Matrix = np.tanh(D / 2)
    return np.asarray((1.0 + half) / 2, dtype=np.float64)


def _norm(weights: Matrix) -> float:
    norm = float(np.linalg.norm(weights))
    if norm == 0.0 or not np.isfinite(norm):
        raise ModelError("The model's last layer does not tell entailment from another class: use a trained model.")
    return norm
