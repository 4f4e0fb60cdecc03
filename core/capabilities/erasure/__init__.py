"""Texts of samples erased on request or after a time."""

from hcat.core.capability import Capability

CAPABILITY = Capability(
    "erasure",
    commands={"erase": "command:erase", "erasures": "command:erasures", "retention": "command:retention"},
    actions={"sample.erase": "administer", "retention.settle": "administer"},
)
