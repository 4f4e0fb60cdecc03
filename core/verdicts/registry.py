"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.agreement.drift import DRIFT
from core.agreement.judges.against_people import BEYOND_CHANCE, RUBRIC_GAIN
from core.agreement.judges.pairs import PAIR_BIAS
from core.agreement.leniency import LENIENCY
from core.testgen.attacks.results import ATTACK
from core.testgen.grammar.differences import GRAMMAR_DIFFERENCE
from core.verdicts.verdict import Verdict

VERDICTS: tuple[Verdict, ...] = (
    *(LENIENCY, DRIFT),
    *(BEYOND_CHANCE, PAIR_BIAS, RUBRIC_GAIN),
    *(ATTACK, GRAMMAR_DIFFERENCE),
)
