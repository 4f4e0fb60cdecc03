"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.calibration.checks.diagnostics import COVERAGE
from core.calibration.checks.proportional_odds import PROPORTIONAL_ODDS
from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = (COVERAGE, PROPORTIONAL_ODDS)
