"""The document of a calibration, with its sentences."""

from __future__ import annotations

from hcat.core.calibration.calibration import DOCUMENT, Calibration
from hcat.core.capabilities.calibration.wording.checklist import verdict_conditions
from hcat.core.capabilities.calibration.wording.guarantee import guarantee_of
from hcat.core.capabilities.calibration.wording.proportional_odds import proportional_odds_sentence, untested_reason
from hcat.core.capabilities.calibration.wording.verdict import verdict_reason_of
from hcat.core.records.layout import JsonObject
from hcat.core.types import JsonValue


def calibration_document(calibration: Calibration) -> JsonObject:
    """The stored form of a calibration, as JSON values; `Calibration.from_document` is the inverse."""
    document = DOCUMENT.write_object(calibration)
    document["guarantee"] = guarantee_of(calibration)
    document["fit_for_use"] = _with(document["fit_for_use"], reason=verdict_reason_of(calibration)) | {
        "conditions": DOCUMENT.write(verdict_conditions(calibration))
    }
    odds = calibration.proportional_odds
    if odds is not None:
        document["proportional_odds"] = _with(
            document["proportional_odds"], reason=untested_reason(odds), says=proportional_odds_sentence(odds)
        )
    return document


def _with(part: JsonValue, **sentences: str) -> JsonObject:
    """This object with its sentences, each at the place of its key."""
    if not isinstance(part, dict):
        raise TypeError("only an object has sentences")
    return {**part, **sentences}
