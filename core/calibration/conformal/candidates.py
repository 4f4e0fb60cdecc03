"""The map fitted again to all labels and one more: at each score and with each level that the new sample could have.

Labels count as they fall into cells of the score axis, `counts` (cells, levels). A candidate is a cell and a level,
in this order, level after level within a cell. What is returned is what each candidate's map says of each cell:
probabilities (cells · levels, cells, levels).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from core.arrays import Bools, Floats
from core.calibration.maps import logistic
from core.errors import HcatError
from core.types import Direction

Candidates = Callable[[Floats, Floats], Floats]
"""Of the scores of cells (cells,) and the counts of labels (cells, levels): the probabilities of all candidates."""

_NEARLY_NONE = 1e-3
"""The penalty that stands for none: with it the refits of a map of maximum likelihood all exist."""
_ITERATIONS = 60
_TOLERANCE = 1e-9
_SMALLEST = 1e-12


def logistic_candidates(scores: Floats, counts: Floats, *, penalty: float = logistic.PENALTY) -> Floats:
    """By logistic regression, penalised as in `fit_logistic`."""
    cells = len(scores)
    z, spread = _standardised(scores, counts, levels=2)
    ridge = penalty * spread**2
    fails, passes = counts[:, 0], counts[:, 1]
    own = np.repeat(np.arange(cells), 2)
    of_pass = np.tile([0.0, 1.0], cells)
    n, own_z = counts.sum() + 1, z[own]
    share = (passes.sum() + of_pass) / n
    beta = np.stack([np.log(share) - np.log1p(-share), np.zeros(len(own))])
    total = fails + passes
    # What does not change from candidate to candidate, and from step to step.
    passed, passed_z = passes.sum() + of_pass, passes @ z + of_pass * own_z

    def loss_at(b: Floats) -> Floats:
        odds = b[0][:, None] + b[1][:, None] * z
        own_odds = b[0] + b[1] * own_z
        every = np.logaddexp(0, odds) @ total + np.logaddexp(0, own_odds)
        return np.asarray(every - b[0] * passed - b[1] * passed_z + 0.5 * ridge * b[1] ** 2, dtype=np.float64)

    def step_at(b: Floats) -> tuple[Floats, Floats]:
        p = _sigmoid(b[0][:, None] + b[1][:, None] * z)
        own_p = _sigmoid(b[0] + b[1] * own_z)
        weight, own_weight = p * (1 - p), own_p * (1 - own_p)
        gradient = np.stack(
            [p @ total + own_p - passed, p @ (total * z) + own_p * own_z - passed_z + ridge * b[1]]
        )
        a = weight @ total + own_weight
        c = weight @ (total * z) + own_weight * own_z
        d = weight @ (total * z**2) + own_weight * own_z**2 + ridge
        determinant = a * d - c**2
        safe = np.where(determinant > _SMALLEST * a * d, determinant, np.inf)
        step = np.stack([d * gradient[0] - c * gradient[1], a * gradient[1] - c * gradient[0]]) / safe
        flat = np.isinf(safe)  # all labels in one cell: there is no slope to find
        step[0] = np.where(flat, gradient[0] / np.maximum(a, _SMALLEST), step[0])
        return gradient, step

    beta = _minimised(beta, loss_at, step_at, float(n))
    p = np.clip(_sigmoid(beta[0][:, None] + beta[1][:, None] * z), _SMALLEST, 1 - _SMALLEST)
    return np.stack([1 - p, p], axis=2)


def isotonic_candidates(scores: Floats, counts: Floats, *, direction: Direction) -> Floats:
    """By isotonic regression, bounded as in `monotone_knots`. Cells without labels have a value as candidates alone."""
    from scipy.optimize import isotonic_regression

    cells = len(scores)
    edge = 1 / (counts.sum() + 3)
    labelled = counts.sum(axis=1) > 0
    found = np.full((2 * cells, cells), 0.5)
    for cell in range(cells):
        places = np.flatnonzero(labelled | (np.arange(cells) == cell))
        for level in (0, 1):
            own = counts[places]
            own[np.searchsorted(places, cell), level] += 1
            mass = own.sum(axis=1)
            mean = own[:, 1] / mass
            fits = {
                rises: isotonic_regression(mean, weights=mass, increasing=rises).x
                for rises, wanted in ((True, direction != "lower"), (False, direction != "higher"))
                if wanted
            }
            errors = {rises: float(mass @ (fit - mean) ** 2) for rises, fit in fits.items()}
            found[2 * cell + level, places] = np.clip(fits[min(errors, key=errors.__getitem__)], edge, 1 - edge)
    return np.stack([1 - found, found], axis=2)


def ordinal_candidates(scores: Floats, counts: Floats) -> Floats:
    """By proportional odds, penalised as in `fit_ordinal`."""
    levels = counts.shape[1]
    z, spread = _standardised(scores, counts, levels=levels)
    ridge = np.zeros((len(spread), levels))
    ridge[:, -1] = logistic.PENALTY * spread**2
    share = np.cumsum(_with_candidate(counts), axis=1)[:, :-1]
    below = share / (counts.sum() + 1)
    start = np.column_stack([np.log(below) - np.log1p(-below), np.zeros(len(spread))])

    def at(beta: Floats) -> tuple[Floats, Floats]:
        lean = beta[:, -1:, None] * z[None, :, None] - beta[:, None, :-1]
        cumulative = _sigmoid(lean)
        slope = cumulative * (1 - cumulative)
        edges = np.ones((*lean.shape[:2], levels + 1))
        edges[..., 1:-1], edges[..., -1] = cumulative, 0.0
        moves = np.zeros((*lean.shape[:2], levels + 1, levels))
        for cut in range(levels - 1):
            moves[..., cut + 1, cut] = -slope[..., cut]
            moves[..., cut + 1, -1] = slope[..., cut] * z[None, :]
        return edges[..., :-1] - edges[..., 1:], moves[..., :-1, :] - moves[..., 1:, :]

    return _by_scoring(start, at, counts, ridge)


def multinomial_candidates(scores: Floats, counts: Floats) -> Floats:
    """By multinomial logistic regression, penalised as in `fit_multinomial`."""
    levels = counts.shape[1]
    z, spread = _standardised(scores, counts, levels=levels)
    share = _with_candidate(counts) / (counts.sum() + 1)
    start = np.column_stack([np.log(share[:, 1:] / share[:, :1]), np.zeros((len(spread), levels))])
    ridge = np.zeros_like(start)
    ridge[:, levels - 1 :] = (logistic.PENALTY * spread**2)[:, None]

    def at(beta: Floats) -> tuple[Floats, Floats]:
        lean = beta[:, None, levels - 1 :] * z[None, :, None]
        lean[..., 1:] += beta[:, None, : levels - 1]
        raised = np.exp(lean - lean.max(axis=2, keepdims=True))
        p = raised / raised.sum(axis=2, keepdims=True)
        between = p[..., :, None] * (np.eye(levels) - p[..., None, :])  # how p of a level moves with each lean
        return p, np.concatenate([between[..., 1:], between * z[None, :, None, None]], axis=3)

    return _by_scoring(start, at, counts, ridge)


_BINARY: Mapping[str, Callable[[Direction], Candidates]] = {
    "logistic": lambda _: logistic_candidates,
    "platt": lambda _: partial(logistic_candidates, penalty=_NEARLY_NONE),
    "isotonic": lambda direction: partial(isotonic_candidates, direction=direction),
    "isotonic_steps": lambda direction: partial(isotonic_candidates, direction=direction),
}
_BY_LEVEL: Mapping[str, Candidates] = {"ordinal": ordinal_candidates, "multinomial": multinomial_candidates}


def candidates_of(method: str, direction: Direction, *, by_level: bool) -> Candidates | None:
    """How a method is fitted again with one label more; None where that can't be done for thousands of them, or where
    the fit depends on more than the labels, such as on folds."""
    if by_level:
        return _BY_LEVEL.get(method)
    if method in _BY_LEVEL:
        return logistic_candidates  # which both are over fail and pass
    made = _BINARY.get(method)
    return None if made is None else made(direction)


def _standardised(scores: Floats, counts: Floats, *, levels: int) -> tuple[Floats, Floats]:
    """Scores of cells (cells,) by the mean and standard deviation of all cells, and the standard deviation, on this
    scale, of the labels with each candidate (candidates,): the penalty is on a slope of that scale."""
    scale = float(scores.std())
    z = (scores - scores.mean()) / (scale or 1.0)
    mass = counts.sum(axis=1)
    n = mass.sum() + 1
    mean = (mass @ z + z) / n
    square = (mass @ z**2 + z**2) / n
    return z, np.repeat(np.sqrt(np.maximum(square - mean**2, 0.0)), levels)


def _with_candidate(counts: Floats) -> Floats:
    """How many labels have each level, with those of the candidate, (candidates, levels)."""
    levels = counts.shape[1]
    return counts.sum(axis=0) + np.tile(np.eye(levels), (len(counts), 1))


def _by_scoring(
    start: Floats, at: Callable[[Floats], tuple[Floats, Floats]], counts: Floats, ridge: Floats
) -> Floats:
    """The probabilities of candidates by Fisher's method of scoring, from coefficients `start` (candidates, k).

    `at` gives the probabilities (candidates, cells, levels) of coefficients, and how each moves with these,
    (candidates, cells, levels, k).
    """
    cells, levels = counts.shape
    own, given = np.divmod(np.arange(cells * levels), levels)
    mass, rows = counts.sum(axis=1), np.arange(cells * levels)

    def loss_at(beta: Floats) -> Floats:
        p = np.maximum(at(beta.T)[0], _SMALLEST)
        said = -np.einsum("cgl,gl->c", np.log(p), counts) - np.log(p[rows, own, given])
        return np.asarray(said + 0.5 * (ridge * beta.T**2).sum(axis=1), dtype=np.float64)

    def step_at(beta: Floats) -> tuple[Floats, Floats]:
        p, moves = at(beta.T)
        p = np.maximum(p, _SMALLEST)
        each = moves / p[..., None]
        gradient = ridge * beta.T - np.einsum("cglk,gl->ck", each, counts) - each[rows, own, given]
        flat, weighted = moves.reshape(len(p), -1, moves.shape[3]), (each * mass[None, :, None, None])
        information = np.swapaxes(flat, 1, 2) @ weighted.reshape(flat.shape)
        information += np.swapaxes(moves[rows, own], 1, 2) @ each[rows, own]
        diagonal = np.arange(ridge.shape[1])
        information[:, diagonal, diagonal] += ridge + _SMALLEST
        return gradient.T, np.linalg.solve(information, gradient[..., None])[..., 0].T

    return at(_minimised(start.T, loss_at, step_at, float(mass.sum() + 1)).T)[0]


def _minimised(
    beta: Floats,
    loss_at: Callable[[Floats], Floats],
    step_at: Callable[[Floats], tuple[Floats, Floats]],
    n: float,
) -> Floats:
    """The coefficients (k, candidates) without a gradient, by steps that are halved where they do not lead down."""
    loss = loss_at(beta)
    for _ in range(_ITERATIONS):
        gradient, step = step_at(beta)
        if float(np.abs(gradient).max()) <= _TOLERANCE * n:
            return beta
        size = np.ones(beta.shape[1])
        new = loss_at(beta - step)
        while (worse := _is_worse(new, loss) & (size > _SMALLEST)).any():
            size[worse] /= 2
            new = loss_at(beta - size * step)
        beta, loss = np.where(_is_worse(new, loss), beta, beta - size * step), new
        if float(np.abs(size * step).max()) <= _TOLERANCE:
            return beta
    raise HcatError("the maps with one more label did not converge: look for extreme scores")


def _is_worse(new: Floats, loss: Floats) -> Bools:
    return ~(new <= loss + _SMALLEST * np.abs(loss))


def _sigmoid(z: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-z)), dtype=np.float64)
