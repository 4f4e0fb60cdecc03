"""As many requests run at once as the model allows, also where these are more than a batch used to hold."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from hcat.core.capabilities.judges.asking import AT_A_TIME, Counted, ask_in_batches
from hcat.core.models.llm.language import Reply, Request, Usage
from hcat.core.prompts import Prompt
from hcat.core.types import JsonValue, Progress

PARALLEL = AT_A_TIME + 36


class WaitsForAll:
    """Answers when as many requests as may run at once are there; notes the most that were."""

    name, revision, parallel = "waits", "0" * 64, PARALLEL
    settings: Mapping[str, JsonValue] = {}

    def __init__(self) -> None:
        self.most, self._now = 0, 0
        self._lock, self._all = threading.Lock(), threading.Barrier(PARALLEL)

    def ask(self, request: Request) -> Reply:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        self._all.wait(timeout=60)
        with self._lock:
            self._now -= 1
        return Reply({"number": request.data["number"]}, Usage())


def test_threads_keep_an_endpoint_busy_up_to_its_limit_and_no_further() -> None:
    model, told = WaitsForAll(), list[Progress]()
    requests = [Request(Prompt("p", 1, "Say the number."), {"number": number}, {}) for number in range(2 * PARALLEL)]
    replies = ask_in_batches(model, requests, Counted(told.append, len(requests)))
    assert [reply.content for reply in replies] == [{"number": number} for number in range(2 * PARALLEL)]
    assert model.most == PARALLEL
    assert told[-1].done == len(requests)
