"""Whether the learned combination of groundedness was fitted for the entailment model in use, in words."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.scoring.provenance import COMBINATION, Provenance


def combination_note(provenance: Provenance) -> str:
    """A warning where coefficients were fitted for other entailment weights than scored; "" where they were not."""
    for metric, parameters in provenance.parameters.items():
        record = parameters.get(COMBINATION) if isinstance(parameters, dict) else None
        if isinstance(record, dict) and record.get("same_model") is False:
            return say(
                "The coefficients of {metric} are fitted for the entailment weights {fitted_for}, not for the "
                "model that scored this run. Hold it against labels before you rely on it",
                metric=metric,
                fitted_for=str(record["fitted_for"])[:12],
            )
    return ""
