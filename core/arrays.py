"""Types of NumPy arrays. Shapes are given in the docstrings of the functions that use them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Names = NDArray[np.object_]
"""A column of texts."""

Codes = NDArray[np.intp]
"""Integers from 0 that number classes, clusters or the levels of a dimension."""
