"""All capabilities, in the order of the validator's work.

To add one: a folder here, one in `dashboard/capabilities`, its page, and a line in `NAMES`.
"""

from __future__ import annotations

from importlib import import_module

from hcat.core.capability import Capability

NAMES = (
    *("overview", "runs", "metrics", "members"),
    *("corpus", "test_sets", "coverage", "grammar", "collect"),
    *("topics", "weaknesses", "robustness", "fairness", "safety", "attacks", "retrieval", "samples", "findings"),
    *("labelling", "agreement", "judges", "calibration", "estimates", "trials"),
    *("policy", "risks"),
    *("report", "sign_off", "evidence", "audit", "erasure"),
    *("glossary", "demo"),
)


def _declared(name: str) -> Capability:
    found = import_module(f"hcat.core.capabilities.{name}").CAPABILITY
    assert isinstance(found, Capability)
    return found


CAPABILITIES: tuple[Capability, ...] = tuple(map(_declared, NAMES))
