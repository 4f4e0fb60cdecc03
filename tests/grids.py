"""Grids of parameters of which `make test` takes some cells and `make test-all` every one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import pytest
from _pytest.mark.structures import ParameterSet


def each_value_once(*axes: Sequence[object]) -> list[ParameterSet]:
    """All combinations for `parametrize`. Each value of each axis is in one that always runs: the n-th of each axis
    together, those of shorter axes over again. The others are `slow`. A tuple stands for several parameters."""
    places = [tuple(place % len(axis) for axis in axes) for place in range(max(map(len, axes)))]
    cells = product(*(range(len(axis)) for axis in axes))
    return [
        pytest.param(
            *_flat(axis[place] for axis, place in zip(axes, cell, strict=True)),
            marks=() if cell in places else pytest.mark.slow,
        )
        for cell in cells
    ]


def _flat(values: Iterable[object]) -> list[object]:
    return [part for value in values for part in (value if isinstance(value, tuple) else (value,))]


def first_ones(values: Sequence[object], always: int) -> list[ParameterSet]:
    """All values for `parametrize`, of which the first so many always run and the others are `slow`. A tuple stands for
    several parameters."""
    return [
        pytest.param(*_flat((value,)), marks=() if place < always else pytest.mark.slow)
        for place, value in enumerate(values)
    ]
