"""The inputs of the measurements: the demo's runs, and public data where it lies beside the repository."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hcat.core.capabilities.demo.bank import demo_runs
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.records.run_file import Run, from_record
from hcat.core.types import Sample

FINANCEBENCH = Path(__file__).resolve().parents[2] / "shared" / "data" / "financebench"
DEMO_FACTOR = 5
"""The demo's contexts are a few short passages, so that it takes more test cases to measure anything."""


@dataclass(frozen=True, slots=True)
class Input:
    """Samples by name; `note` says where they come from, or that they are absent."""

    name: str
    samples: tuple[Sample, ...]
    note: str


def inputs(*, cases: int) -> Iterator[Input]:
    """The inputs, with `cases` test cases of each run spread evenly over it (0 = all)."""
    yield _financebench(cases)
    yield _demo(cases * DEMO_FACTOR)


def _financebench(cases: int) -> Input:
    paths = sorted(FINANCEBENCH.glob("*_oracle*.jsonl"))
    name = "FinanceBench oracle runs"
    if not paths:
        return Input(name, (), "absent: the public data is not beside the repository")
    return Input(name, _samples((_read(path) for path in paths), cases), f"{len(paths)} runs of the same test cases")


def _demo(cases: int) -> Input:
    runs = demo_runs(load_encoder(), MemoryEmbeddings())
    return Input("demo", _samples(runs, cases), f"{len(runs)} runs of the same test cases")


def _read(path: Path) -> Run:
    lines = path.read_text(encoding="utf-8").splitlines()
    return Run(path.stem, tuple(from_record(json.loads(line)) for line in lines))


def _samples(runs: Iterable[Run], cases: int) -> tuple[Sample, ...]:
    return tuple(
        replace(sample, id=f"{run.name}/{sample.id}") for run in runs for sample in _spread(run.samples, cases)
    )


def _spread(samples: tuple[Sample, ...], cases: int) -> tuple[Sample, ...]:
    step = max(1, len(samples) // cases) if cases else 1
    return samples[::step][: cases or None]
