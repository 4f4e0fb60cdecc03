"""All verdicts that results can give, in the order of the chapters in which people meet them."""

from __future__ import annotations

from core.verdicts.verdict import Verdict
from core.weakness.beside_labels import DISAGREEMENT
from core.weakness.paired import IN_SLICES
from core.weakness.verdicts import BY_CORRECTED_RATES, BY_LABELS_ALONE, BY_ONE_SLICE, BY_SCORES

VERDICTS: tuple[Verdict, ...] = (
    *(BY_SCORES, BY_ONE_SLICE, BY_LABELS_ALONE, BY_CORRECTED_RATES, DISAGREEMENT, IN_SLICES),
)
