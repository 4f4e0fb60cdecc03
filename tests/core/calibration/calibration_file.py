"""A calibration as the text of its file."""

from __future__ import annotations

import json

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document


def calibration_json(calibration: Calibration) -> str:
    """Its document, as `hcat calibrate` writes it."""
    return json.dumps(calibration_document(calibration), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
