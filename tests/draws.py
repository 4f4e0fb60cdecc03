"""How many draws a simulation makes: half as many in `make test` as in `make test-all`. Bounds follow from them."""

from __future__ import annotations

import os


def fewer(usual: int) -> int:
    """Half of the usual draws; all of them where HCAT_LARGER is set, as `make test-all` does, or HCAT_DRAWS."""
    return usual if {"HCAT_LARGER", "HCAT_DRAWS"} & os.environ.keys() else usual // 2
