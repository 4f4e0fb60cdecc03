"""All verdicts that results can give, in the order in which people meet them."""

from __future__ import annotations

from hcat.core.calibration.checks.comparison import BEATS_A_CONSTANT
from hcat.core.calibration.checks.diagnostics import COVERAGE
from hcat.core.calibration.checks.evidence import ABOVE_CHANCE, BELOW_CHANCE
from hcat.core.calibration.checks.exchangeability import UNLIKE_THE_RUN
from hcat.core.calibration.checks.fitness import FIT_FOR_USE, NOT_FIT_FOR_USE
from hcat.core.calibration.checks.proportional_odds import PROPORTIONAL_ODDS
from hcat.core.capabilities.agreement.drift import DRIFT
from hcat.core.capabilities.agreement.leniency import LENIENCY, TARGET
from hcat.core.capabilities.attacks.results import ATTACK
from hcat.core.capabilities.fairness.gap import EQUIVALENT, GAP
from hcat.core.capabilities.grammar.differences import GRAMMAR_DIFFERENCE
from hcat.core.capabilities.judges.against_people import BEYOND_CHANCE, RUBRIC_GAIN
from hcat.core.capabilities.judges.manipulations import MANIPULATED
from hcat.core.capabilities.judges.pairs import PAIR_BIAS
from hcat.core.capabilities.judges.self_preference import PREFERENCE
from hcat.core.capabilities.policy.check import ERROR_ALARM, POLICY_ALARM
from hcat.core.capabilities.policy.drift import DRIFT_ALARM
from hcat.core.capabilities.policy.looks import POLICY_EVER_SHOWN
from hcat.core.capabilities.policy.thresholds import POLICY_SHOWN, RULE_SHOWN
from hcat.core.capabilities.report.planned import THRESHOLD
from hcat.core.capabilities.robustness.change import CHANGE
from hcat.core.capabilities.robustness.dose_response import TREND
from hcat.core.estimates.fresh_labels import CONFIRMED_BY_FRESH_LABELS
from hcat.core.estimates.paired_difference import DIFFERENCE
from hcat.core.estimates.stopping import STOPPED
from hcat.core.slices.beside_labels import DISAGREEMENT
from hcat.core.slices.paired import IN_SLICES
from hcat.core.slices.verdicts import BY_CORRECTED_RATES, BY_LABELS_ALONE, BY_ONE_SLICE, BY_SCORES
from hcat.core.types import Verdict

VERDICTS: tuple[Verdict, ...] = (
    THRESHOLD,
    TARGET,
    LENIENCY,
    DRIFT,
    BEYOND_CHANCE,
    RUBRIC_GAIN,
    MANIPULATED,
    PAIR_BIAS,
    PREFERENCE,
    DIFFERENCE,
    FIT_FOR_USE,
    NOT_FIT_FOR_USE,
    ABOVE_CHANCE,
    BELOW_CHANCE,
    BEATS_A_CONSTANT,
    COVERAGE,
    UNLIKE_THE_RUN,
    PROPORTIONAL_ODDS,
    CONFIRMED_BY_FRESH_LABELS,
    DISAGREEMENT,
    IN_SLICES,
    BY_SCORES,
    BY_LABELS_ALONE,
    BY_CORRECTED_RATES,
    BY_ONE_SLICE,
    CHANGE,
    TREND,
    GAP,
    EQUIVALENT,
    ATTACK,
    GRAMMAR_DIFFERENCE,
    ERROR_ALARM,
    POLICY_ALARM,
    DRIFT_ALARM,
    POLICY_EVER_SHOWN,
    POLICY_SHOWN,
    RULE_SHOWN,
    STOPPED,
)
