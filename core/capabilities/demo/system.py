"""The demo's reference system as a function of a query, for the server and for collecting without one."""

from __future__ import annotations

import threading
from functools import cache

from hcat.core.capabilities.demo.reference_rag import BASELINE, CANDIDATE, ReferenceRag

_CONFIGURATIONS = {config.name: config for config in (BASELINE, CANDIDATE)}
_LOADING = threading.Lock()


def ask(query: str, *, configuration: str = CANDIDATE.name) -> dict[str, object]:
    """Answer, contexts with ids and scores, and the candidates of the first stage."""
    with _LOADING:
        system = _system(configuration)
    return reply(system, query)


def reply(system: ReferenceRag, query: str) -> dict[str, object]:
    """A system's reply to a query, as JSON."""
    result = system.answer(query)
    return {
        "answer": result.text,
        "contexts": [{"id": p.id, "text": p.text, "score": p.score} for p in result.contexts],
        "candidates": list(result.candidates),
    }


@cache
def _system(configuration: str) -> ReferenceRag:
    from hcat.core.capabilities.demo.bank import read_handbook
    from hcat.core.models.cache import MemoryEmbeddings
    from hcat.core.models.encoder.encoder import load_encoder

    return ReferenceRag(
        read_handbook(), load_encoder(), store=MemoryEmbeddings(), config=_CONFIGURATIONS[configuration]
    )
