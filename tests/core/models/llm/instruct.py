"""The real instruct model of the tests marked `llm`: they ask it little, so that each ends within a minute or two."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.models.llm.language import LanguageModel, Reply, Request

VARIABLE = "HCAT_TEST_LLM"


@dataclass
class Bounded:
    """A model that may be asked so many times at most."""

    model: LanguageModel
    most: int
    asked: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def ask(self, request: Request) -> Reply:
        self.asked += 1
        assert self.asked <= self.most, f"more than {self.most} requests"
        reply = self.model.ask(request)
        print(f"{request.prompt.title}, {reply.usage.seconds:.0f} s: {reply.content or reply.reason}")
        return reply


def instruct_model(*, requests: int, tokens: int) -> Bounded:
    """The model of the GGUF file that HCAT_TEST_LLM names, on one thread; the test is skipped where it names none."""
    file = os.environ.get(VARIABLE)
    if not file:
        pytest.skip(f"{VARIABLE} names no GGUF file")
    name, address = _served(file)
    limits = Limits(timeout=120.0, attempts=1, tokens=tokens, parallel=1)
    return Bounded(OpenAILanguage(name=name, base_url=address, limits=limits), requests)


@cache
def _served(file: str) -> tuple[str, str]:
    """Name and address of a server that lives as long as the tests."""
    from hcat.core.models.llm.local_server import LocalServer

    server = LocalServer(Path(file), threads=1, context=4096)
    _SERVERS.append(server)
    return server.name, server.address


_SERVERS: list[object] = []
