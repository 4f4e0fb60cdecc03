"""For all tests: no property has a deadline, since a busy machine is no fault of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("hcat", deadline=None)
settings.load_profile("hcat")
