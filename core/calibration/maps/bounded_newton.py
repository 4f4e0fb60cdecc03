"""Penalised logistic regression, with coefficients that may be bounded below by 0."""

from __future__ import annotations

import math

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.errors import HcatError

_ITERATIONS = 100
_TOLERANCE = 1e-10
_NEAR_BOUND = 1e-3
_DECREASE = 1e-4


def minimise_logistic(
    design: Floats,
    y: Floats,
    weights: Floats,
    ridge: Floats,
    *,
    bounded: Bools | None = None,
    start: Floats | None = None,
) -> Floats:
    """The β (columns,) that minimises Σ w · log-loss + ½ Σ ridge · β², with β ≥ 0 where `bounded`.

    The first column of `design` is the intercept. Projected Newton's method; without bounds it is plain Newton. The
    problem is convex, so a point without a projected gradient is the optimum. HcatError if it is not reached. Source:
    Bertsekas 1982, Projected Newton Methods, section 2."""
    held = None if bounded is None or not bounded.any() else bounded
    beta = _base_rate(y, weights, design.shape[1]) if start is None else start
    with np.errstate(over="ignore", invalid="ignore"):  # odds beyond e⁷⁰⁹ are infinite, and so is their loss
        return _minimise(beta, design, y, weights, ridge, held)


def _minimise(beta: Floats, design: Floats, y: Floats, weights: Floats, ridge: Floats, held: Bools | None) -> Floats:
    # Each row turned towards its label: the log-odds of the label is one product, and pass and fail are one case.
    towards = np.multiply(design.T, 2 * y - 1, order="C")
    penalty = np.diag(ridge)
    loss, missed = _loss_at(beta, towards, weights, ridge)
    for _ in range(_ITERATIONS):
        pull = weights * missed
        gradient = ridge * beta - towards @ pull
        distance = float(np.abs(gradient if held is None else beta - _project(beta - gradient, held)).max())
        if distance <= _TOLERANCE * len(y):
            return beta
        curvature = (towards * (pull * (1 - missed))) @ towards.T + penalty
        stuck = None if held is None else held & (beta <= min(_NEAR_BOUND, distance)) & (gradient > 0)
        step = _newton_step(curvature, gradient, stuck)
        size, candidate = 1.0, _project(beta - step, held)
        new, there = _loss_at(candidate, towards, weights, ridge)
        while new > loss - _DECREASE * float(gradient @ (beta - candidate)) and size > _TOLERANCE:
            size /= 2
            candidate = _project(beta - size * step, held)
            new, there = _loss_at(candidate, towards, weights, ridge)
        moved = float(np.abs(candidate - beta).max())
        beta, loss, missed = (candidate, new, there) if new <= loss else (beta, loss, missed)
        if moved <= _TOLERANCE:
            return beta
    raise HcatError("the logistic map did not converge: look for extreme scores or weights")


def _loss_at(beta: Floats, towards: Floats, weights: Floats, ridge: Floats) -> tuple[float, Floats]:
    """The loss, and the probabilities (n,) of the class that is not the label; an infinite loss if odds exceed e⁷⁰⁹."""
    odds = np.exp(-beta @ towards)
    loss = float(weights @ np.log1p(odds) + 0.5 * (ridge @ beta**2))
    missed = 1 + odds
    return loss, np.divide(odds, missed, out=missed)


def _base_rate(y: Floats, weights: Floats, columns: int) -> Floats:
    share = float((y * weights).sum() / weights.sum())
    beta = np.zeros(columns)
    beta[0] = math.log(share) - math.log1p(-share)
    return beta


def _newton_step(curvature: Floats, gradient: Floats, stuck: Bools | None) -> Floats:
    if stuck is None or not stuck.any():
        return _solve(curvature, gradient)
    free = ~stuck
    step = np.empty_like(gradient)
    step[stuck] = gradient[stuck] / np.diag(curvature)[stuck]
    step[free] = _solve(curvature[np.ix_(free, free)], gradient[free])
    return step


def _solve(curvature: Floats, gradient: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.solve(curvature, gradient), dtype=np.float64)
    except np.linalg.LinAlgError:  # flat in some direction: the shortest step is as good as any
        return np.asarray(np.linalg.lstsq(curvature, gradient, rcond=None)[0], dtype=np.float64)


def _project(beta: Floats, held: Bools | None) -> Floats:
    return beta if held is None else np.where(held, np.maximum(beta, 0.0), beta)
