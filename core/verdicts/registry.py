"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.calibration.checks.comparison import BEATS_A_CONSTANT
from core.calibration.checks.evidence import ABOVE_CHANCE, BELOW_CHANCE
from core.calibration.checks.exchangeability import UNLIKE_THE_RUN
from core.calibration.checks.fitness import FIT_FOR_USE, NOT_FIT_FOR_USE
from core.estimates.fresh_labels import CONFIRMED_BY_FRESH_LABELS
from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = (
    FIT_FOR_USE,
    NOT_FIT_FOR_USE,
    ABOVE_CHANCE,
    BELOW_CHANCE,
    UNLIKE_THE_RUN,
    BEATS_A_CONSTANT,
    CONFIRMED_BY_FRESH_LABELS,
)
