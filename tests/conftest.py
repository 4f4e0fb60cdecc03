"""For all tests: properties are tried on the same examples each time, and have no deadline.

What fails, then fails for everybody, and a busy machine is no fault of the code. `HYPOTHESIS_PROFILE=search` looks for
new examples.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
