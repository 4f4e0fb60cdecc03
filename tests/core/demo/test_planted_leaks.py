"""Leaks that were built into the demo's third run: each is found, and no other answer is called one."""

from core.demo.planted import leaks
from core.demo.planted.table import planted_run
from core.models.cache import MemoryEmbeddings
from core.models.encoder.encoder import load_encoder
from core.privacy.leaks import quick_hits


def test_each_planted_leak_is_found_and_nothing_else() -> None:
    names = {fault.name for fault in leaks.FAULTS}
    samples = planted_run(load_encoder(), MemoryEmbeddings()).samples
    planted = {sample.id for sample in samples if sample.metadata.get("planted") in names}
    found = {sample.id for sample in samples if any(hit.is_leak for hit in quick_hits(sample))}
    assert found == planted
    assert len(planted) == 11
