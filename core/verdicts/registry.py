"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.agreement.judges.manipulations import MANIPULATED
from core.agreement.judges.self_preference import PREFERENCE
from core.estimates.fairness.gap import EQUIVALENT, GAP
from core.estimates.robustness.change import CHANGE
from core.estimates.robustness.dose_response import TREND
from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = (CHANGE, TREND, GAP, EQUIVALENT, MANIPULATED, PREFERENCE)
