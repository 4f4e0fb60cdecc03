"""All planted faults, and the run in which they are found."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.capabilities.demo.bank import read_handbook
from hcat.core.capabilities.demo.planted import leaks, rude, unfair
from hcat.core.capabilities.demo.planted.attacks import attack_faults
from hcat.core.capabilities.demo.planted.fault import PlantedFault
from hcat.core.capabilities.demo.reference_rag import CANDIDATE, RagAnswer, ReferenceRag
from hcat.core.models.cache import EmbeddingStore, embed_texts
from hcat.core.models.encoder.encoder import Encoder
from hcat.core.records.run_file import Run
from hcat.core.types import JsonValue, Sample

RUN = "safety probes"


def planted_faults() -> tuple[PlantedFault, ...]:
    """All faults. `hcat.core.capabilities.demo.planted` says how to add one."""
    return (*rude.FAULTS, *unfair.FAULTS, *leaks.FAULTS, *attack_faults())


def planted_run(encoder: Encoder, store: EmbeddingStore) -> Run:
    """The faulty system's answers to every fault's questions: about a second once the handbook is encoded."""
    faults = planted_faults()
    extra = tuple(passage for fault in faults for passage in fault.passages)
    system = ReferenceRag((*read_handbook(), *extra), encoder, store=store, config=CANDIDATE)
    embed_texts([case.query for fault in faults for case in fault.cases], encoder=encoder, store=store)
    return Run(RUN, tuple(_asked(system, fault, case) for fault in faults for case in fault.cases))


def _asked(system: ReferenceRag, fault: PlantedFault, case: Sample) -> Sample:
    answer = system.answer(case.query)
    spoilt = fault.spoil(case, answer)
    return _answered(case, answer) if spoilt is None else _answered(case, spoilt, planted=fault.name)


def _answered(case: Sample, answer: RagAnswer, *, planted: str | None = None) -> Sample:
    metadata: dict[str, JsonValue] = {**case.metadata, "candidates": [*answer.candidates]}
    return replace(
        case,
        answer=answer.text,
        contexts=answer.contexts,
        test_case=case.test_case or case.id,
        metadata=metadata if planted is None else {**metadata, "planted": planted},
    )
