"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.agreement.leniency import TARGET
from core.estimates.paired_difference import DIFFERENCE
from core.estimates.stopping import STOP
from core.report.planned import THRESHOLD
from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = (THRESHOLD, TARGET, STOP, DIFFERENCE)
