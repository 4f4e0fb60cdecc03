"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.agreement.leniency import TARGET
from core.estimates.paired_difference import DIFFERENCE
from core.estimates.policy.check import ERROR_ALARM, POLICY_ALARM
from core.estimates.policy.drift import DRIFT_ALARM
from core.estimates.policy.looks import POLICY_EVER_SHOWN
from core.estimates.policy.thresholds import POLICY_SHOWN, RULE_SHOWN
from core.estimates.stopping import STOPPED
from core.report.planned import THRESHOLD
from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = (
    THRESHOLD,
    TARGET,
    DIFFERENCE,
    POLICY_SHOWN,
    RULE_SHOWN,
    POLICY_EVER_SHOWN,
    DRIFT_ALARM,
    ERROR_ALARM,
    POLICY_ALARM,
    STOPPED,
)
