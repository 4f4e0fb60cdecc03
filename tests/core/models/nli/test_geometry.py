"""D is a Euclidean distance: checked by projecting onto the boundary, not by the formula that computes it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from hcat.core.errors import ModelError
from hcat.core.models.nli.geometry import boundary_distance, boundary_score


def test_one_logit_is_divided_by_the_length_of_its_weights():
    # w = (3, 4), ‖w‖ = 5; z = 10 -> D = 2, z = -2.5 -> D = -0.5
    D = boundary_distance(np.array([[10.0], [-2.5]]), np.array([[3.0, 4.0]]))
    assert pytest.approx([2.0, -0.5]) == D


def test_several_classes_take_the_nearest_boundary():
    # w_e − w_1 = (2, 0): (5 − 1)/2 = 2.  w_e − w_2 = (1, 1): (5 − 4)/√2 = 0.7071, the smaller
    W = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, -1.0]])
    assert boundary_distance(np.array([[5.0, 1.0, 4.0]]), W) == pytest.approx([1 / np.sqrt(2)])


@given(st.integers(0, 10_000), st.integers(2, 4), st.data())
def test_distance_equals_an_independent_projection_onto_the_hyperplanes(seed, classes, data):
    rng = np.random.default_rng(seed)
    entailment = data.draw(st.integers(0, classes - 1))
    W, b, x = rng.normal(size=(classes, 5)), rng.normal(size=classes), rng.normal(size=5)
    z = W @ x + b
    signed = []
    for other in set(range(classes)) - {entailment}:
        normal, offset = W[entailment] - W[other], b[entailment] - b[other]
        # the foot of the perpendicular by least squares: min ‖y − x‖ subject to normal·y + offset = 0
        step = np.linalg.lstsq(normal[None, :], np.array([-offset - normal @ x]), rcond=None)[0]
        assert normal @ (x + step) + offset == pytest.approx(0, abs=1e-9)
        signed.append(np.sign(z[entailment] - z[other]) * np.linalg.norm(step))
    assert boundary_distance(z[None, :], W, entailment=entailment) == pytest.approx([min(signed)])


def test_where_entailment_wins_the_distance_is_to_the_nearest_point_that_loses():
    # a numerical search over the region where another class wins, with no hyperplane formula in it
    W = np.array([[1.0, 0.2], [-0.5, 0.8], [0.1, -1.0]])
    b, x = np.array([0.3, -0.1, 0.0]), np.array([1.5, 0.1])
    z = W @ x + b
    nearest = min(
        minimize(
            lambda y: np.sum((y - x) ** 2),
            x,
            constraints={"type": "ineq", "fun": lambda y, c=c: (W[c] + 0) @ y + b[c] - (W[0] @ y + b[0])},
        ).fun
        for c in (1, 2)
    )
    assert z.argmax() == 0
    assert boundary_distance(z[None, :], W) == pytest.approx([np.sqrt(nearest)], abs=1e-4)


@given(st.floats(0.01, 100))
def test_scaling_the_last_layer_changes_no_distance(scale):
    W, z = np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([[0.7, -0.2]])
    assert boundary_distance(z * scale, W * scale) == pytest.approx(boundary_distance(z, W))


def test_score_is_one_half_on_the_boundary_and_does_not_overflow():
    assert boundary_score(np.array([0.0, np.log(3.0), -1e4, 1e4])) == pytest.approx([0.5, 0.75, 0.0, 1.0])


def test_equal_weights_have_no_boundary_between_them():
    with pytest.raises(ModelError, match="does not tell entailment"):
        boundary_distance(np.zeros((1, 2)), np.ones((2, 3)))


def test_logits_and_classes_must_fit():
    with pytest.raises(ModelError, match="do not fit"):
        boundary_distance(np.zeros((1, 3)), np.ones((2, 3)))
