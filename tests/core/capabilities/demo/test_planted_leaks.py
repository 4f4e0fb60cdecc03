"""Leaks that were built into the demo's third run: each is found, and no other answer is called one."""

from hcat.core.capabilities.demo.planted import leaks
from hcat.core.privacy.leaks import quick_hits
from hcat.core.records.run_file import Run


def test_each_planted_leak_is_found_and_nothing_else(planted: Run) -> None:
    names = {fault.name for fault in leaks.FAULTS}
    leaking = {sample.id for sample in planted.samples if sample.metadata.get("planted") in names}
    found = {sample.id for sample in planted.samples if any(hit.is_leak for hit in quick_hits(sample))}
    assert found == leaking
    assert len(leaking) == 11
