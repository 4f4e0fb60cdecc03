"""The map refitted with one more label: at each score and with each level that the new sample could have.

Labels are counted by cell of the score axis, `counts` (cells, levels). A candidate is a cell and a level, in this
order, level after level within a cell. The result is each candidate's map at each cell: probabilities (cells · levels,
cells, levels)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from hcat.core.arrays import Bools, Floats
from hcat.core.calibration.maps import logistic
from hcat.core.errors import HcatError
from hcat.core.types import Direction

Candidates = Callable[[Floats, Floats], Floats]
"""Maps the scores of cells (cells,) and the counts of labels (cells, levels) to the probabilities of all candidates."""

Problem = tuple[Callable[[Floats], Floats], Callable[[Floats], tuple[Floats, Floats]]]
"""Functions of the coefficients (k, candidates): the loss of each candidate, and its gradient and Newton step."""

_NEARLY_NONE = 1e-3
"""A negligible penalty: with it the refits of a maximum likelihood map all exist."""
_ITERATIONS = 60
_TOLERANCE = 1e-9
_SMALLEST = 1e-12
_SHORT = 0.1
"""A step no longer than this does not increase the loss: the curvature hardly changes along it."""


def logistic_candidates(scores: Floats, counts: Floats, *, penalty: float = logistic.PENALTY) -> Floats:
    """Candidates' probabilities by logistic regression, penalised as in `fit_logistic`."""
    cells = len(scores)
    z, spread = _standardised(scores, counts, levels=2)
    own, of_pass = np.repeat(z, 2), np.tile([0.0, 1.0], cells)
    fails, passes = counts[:, 0], counts[:, 1]
    total, moments = fails + passes, np.column_stack([fails + passes, (fails + passes) * z, (fails + passes) * z**2])

    def problem(rows: slice) -> Problem:
        x, ridge = own[rows], penalty * spread[rows] ** 2
        # The sums over passes do not change from step to step.
        passed, passed_z = passes.sum() + of_pass[rows], passes @ z + of_pass[rows] * x

        def loss_at(b: Floats) -> Floats:
            odds, own_odds = b[0][:, None] + b[1][:, None] * z, b[0] + b[1] * x
            every = np.logaddexp(0, odds) @ total + np.logaddexp(0, own_odds)
            return np.asarray(every - b[0] * passed - b[1] * passed_z + 0.5 * ridge * b[1] ** 2, dtype=np.float64)

        def step_at(b: Floats) -> tuple[Floats, Floats]:
            p, own_p = _sigmoid(b[0][:, None] + b[1][:, None] * z), _sigmoid(b[0] + b[1] * x)
            first, second = (p @ moments[:, :2] + np.column_stack([own_p, own_p * x])).T
            gradient = np.stack([first - passed, second - passed_z + ridge * b[1]])
            own_weight = own_p * (1 - own_p)
            a, c, d = ((p * (1 - p)) @ moments + own_weight[:, None] * np.column_stack([x**0, x, x**2])).T
            d = d + ridge
            determinant = a * d - c**2
            flat = determinant <= _SMALLEST * a * d  # all labels in one cell: there is no slope to find
            safe = np.where(flat, np.inf, determinant)
            step = np.stack([d * gradient[0] - c * gradient[1], a * gradient[1] - c * gradient[0]]) / safe
            step[0] = np.where(flat, gradient[0] / np.maximum(a, _SMALLEST), step[0])
            return gradient, step

        return loss_at, step_at

    share = (passes.sum() + of_pass) / (counts.sum() + 1)
    start = np.stack([np.log(share) - np.log1p(-share), np.zeros(2 * cells)])
    beta = _solved(start, problem, float(counts.sum() + 1))
    p = np.clip(_sigmoid(beta[0][:, None] + beta[1][:, None] * z), _SMALLEST, 1 - _SMALLEST)
    return np.stack([1 - p, p], axis=2)


def isotonic_candidates(scores: Floats, counts: Floats, *, direction: Direction) -> Floats:
    """Candidates' probabilities by isotonic regression, bounded as in `monotone_knots`.

    Cells without labels have a value only as candidates."""
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
    """Candidates' probabilities by proportional odds, penalised as in `fit_ordinal`."""
    levels = counts.shape[1]
    z, spread = _standardised(scores, counts, levels=levels)
    ridge = np.zeros((len(spread), levels))
    ridge[:, -1] = logistic.PENALTY * spread**2
    below = np.cumsum(_with_candidate(counts), axis=1)[:, :-1] / (counts.sum() + 1)
    start = np.column_stack([np.log(below) - np.log1p(-below), np.zeros(len(spread))])

    def cumulative(beta: Floats) -> Floats:
        found = np.ones((len(beta), len(z), levels + 1))
        found[..., 1:-1] = _sigmoid(beta[:, -1:, None] * z[None, :, None] - beta[:, None, :-1])
        found[..., -1] = 0.0
        return found

    def at(beta: Floats) -> Floats:
        edges = cumulative(beta)
        return np.asarray(edges[..., :-1] - edges[..., 1:])

    def moves(beta: Floats) -> Floats:
        edges = cumulative(beta)
        slope = edges * (1 - edges)
        found = np.zeros((*slope.shape[:2], levels, levels))
        for cut in range(levels - 1):
            found[..., cut, cut], found[..., cut + 1, cut] = slope[..., cut + 1], -slope[..., cut + 1]
        found[..., -1] = (slope[..., :-1] - slope[..., 1:]) * z[None, :, None]
        return found

    return _by_scoring(start, at, moves, counts, ridge)


def multinomial_candidates(scores: Floats, counts: Floats) -> Floats:
    """Candidates' probabilities by multinomial logistic regression, penalised as in `fit_multinomial`."""
    levels = counts.shape[1]
    z, spread = _standardised(scores, counts, levels=levels)
    share = _with_candidate(counts) / (counts.sum() + 1)
    start = np.column_stack([np.log(share[:, 1:] / share[:, :1]), np.zeros((len(spread), levels))])
    ridge = np.zeros_like(start)
    ridge[:, levels - 1 :] = (logistic.PENALTY * spread**2)[:, None]

    def at(beta: Floats) -> Floats:
        lean = beta[:, None, levels - 1 :] * z[None, :, None]
        lean[..., 1:] += beta[:, None, : levels - 1]
        raised = np.exp(lean - lean.max(axis=2, keepdims=True))
        return np.asarray(raised / raised.sum(axis=2, keepdims=True))

    def moves(beta: Floats) -> Floats:
        p = at(beta)
        between = p[..., :, None] * (np.eye(levels) - p[..., None, :])  # how p of a level moves with each lean
        return np.concatenate([between[..., 1:], between * z[None, :, None, None]], axis=3)

    return _by_scoring(start, at, moves, counts, ridge)


_BINARY: Mapping[str, Callable[[Direction], Candidates]] = {
    "logistic": lambda _: logistic_candidates,
    "platt": lambda _: partial(logistic_candidates, penalty=_NEARLY_NONE),
    "isotonic": lambda direction: partial(isotonic_candidates, direction=direction),
    "isotonic_steps": lambda direction: partial(isotonic_candidates, direction=direction),
}
_BY_LEVEL: Mapping[str, Candidates] = {"ordinal": ordinal_candidates, "multinomial": multinomial_candidates}


def candidates_of(method: str, direction: Direction, *, by_level: bool) -> Candidates | None:
    """The function that refits a method with one more label; None if that is not possible.

    That is if it would be too slow for thousands of candidates, or if the fit depends on more than the labels, such as
    on folds."""
    if by_level:
        return _BY_LEVEL.get(method)
    if method in _BY_LEVEL:
        return logistic_candidates  # which both are over fail and pass
    made = _BINARY.get(method)
    return None if made is None else made(direction)


def _standardised(scores: Floats, counts: Floats, *, levels: int) -> tuple[Floats, Floats]:
    """The scores of cells (cells,), standardised over all cells, and the labels' standard deviation on this scale.

    The latter is with each candidate (candidates,): the penalty is on a slope of that scale."""
    scale = float(scores.std())
    z = (scores - scores.mean()) / (scale or 1.0)
    mass = counts.sum(axis=1)
    n = mass.sum() + 1
    mean = (mass @ z + z) / n
    square = (mass @ z**2 + z**2) / n
    return z, np.repeat(np.sqrt(np.maximum(square - mean**2, 0.0)), levels)


def _with_candidate(counts: Floats) -> Floats:
    """The number of labels of each level, including the candidate's, (candidates, levels)."""
    levels = counts.shape[1]
    return np.asarray(counts.sum(axis=0) + np.tile(np.eye(levels), (len(counts), 1)), dtype=np.float64)


def _by_scoring(
    start: Floats,
    at: Callable[[Floats], Floats],
    moves: Callable[[Floats], Floats],
    counts: Floats,
    ridge: Floats,
) -> Floats:
    """The probabilities of candidates by Fisher scoring, from coefficients `start` (candidates, k).

    `at` gives the probabilities (candidates, cells, levels) at coefficients, `moves` their derivatives, (candidates,
    cells, levels, k)."""
    cells, levels = counts.shape
    every = np.arange(cells * levels)
    mass = counts.sum(axis=1)

    def problem(rows: slice) -> Problem:
        own, given = np.divmod(every[rows], levels)
        held, place = ridge[rows], np.arange(len(own))

        def loss_at(beta: Floats) -> Floats:
            logs = np.log(np.maximum(at(beta.T), _SMALLEST))
            said = -logs.reshape(len(logs), -1) @ counts.ravel() - logs[place, own, given]
            return np.asarray(said + 0.5 * (held * beta.T**2).sum(axis=1), dtype=np.float64)

        def step_at(beta: Floats) -> tuple[Floats, Floats]:
            moved = moves(beta.T)
            each = moved / np.maximum(at(beta.T), _SMALLEST)[..., None]
            flat = each.reshape(len(each), -1, each.shape[3])
            gradient = held * beta.T - counts.ravel() @ flat - each[place, own, given]
            weighted = (moved * mass[None, :, None, None]).reshape(flat.shape)
            information = np.swapaxes(flat, 1, 2) @ weighted
            information += np.swapaxes(moved[place, own], 1, 2) @ each[place, own]
            diagonal = np.arange(held.shape[1])
            information[:, diagonal, diagonal] += held + _SMALLEST
            return gradient.T, np.linalg.solve(information, gradient[..., None])[..., 0].T

        return loss_at, step_at

    return at(_solved(start.T, problem, float(mass.sum() + 1)).T)


def _solved(start: Floats, problem: Callable[[slice], Problem], n: float) -> Floats:
    """The coefficients (k, candidates) of all candidates, each started at those of the first: they differ by a
    label."""
    first = _minimised(start[:, :1], *problem(slice(1)), n)
    return _minimised(np.repeat(first, start.shape[1], axis=1), *problem(slice(None)), n)


def _minimised(
    beta: Floats,
    loss_at: Callable[[Floats], Floats],
    step_at: Callable[[Floats], tuple[Floats, Floats]],
    n: float,
) -> Floats:
    """The coefficients (k, candidates) at which the gradient vanishes, by steps that are halved if they increase the
    loss."""
    for _ in range(_ITERATIONS):
        gradient, step = step_at(beta)
        if float(np.abs(gradient).max()) <= _TOLERANCE * n:
            return beta
        longest = float(np.abs(step).max())
        if longest > _SHORT:
            step = _halved(beta, step, loss_at)
        beta = beta - step
        if longest <= _TOLERANCE:
            return beta
    raise HcatError("the maps with one more label did not converge: look for extreme scores")


def _halved(beta: Floats, step: Floats, loss_at: Callable[[Floats], Floats]) -> Floats:
    """The steps, halved until none increases the loss."""
    loss, size = loss_at(beta), np.ones(beta.shape[1])
    while (worse := _is_worse(loss_at(beta - size * step), loss) & (size > _SMALLEST)).any():
        size[worse] /= 2
    return np.asarray(size * step)


def _is_worse(new: Floats, loss: Floats) -> Bools:
    return ~(new <= loss + _SMALLEST * np.abs(loss))


def _sigmoid(z: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-z)), dtype=np.float64)
