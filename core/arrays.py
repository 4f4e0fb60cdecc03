"""NumPy arrays by what they hold. Shapes are told where a function is described."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
Names = NDArray[np.object_]
"""A column of texts."""

Codes = NDArray[np.intp]
"""Integers from 0 on that number classes, clusters or the levels of a dimension."""
