"""A language model each of whose replies is written down: a measurement goes on where it stopped, and can be counted
again without the model.

Every reply counts once, also one that was cut or is of no use: it is not asked for again. A server that does not answer
ends the measurement.
"""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Mapping
from pathlib import Path

from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.models.llm.language import JsonObject, Reply, Request, Usage
from hcat.core.types import JsonValue

TIMEOUT = 600.0
"""Seconds that an answer may take: a local model on a busy core is slow."""


class JournalledModel:
    """A model whose replies are appended to a file of JSON Lines, and read from there where they are."""

    def __init__(self, model: OpenAILanguage, file: Path) -> None:
        self.name, self.revision, self.parallel = model.name, model.revision, 1
        self.settings: Mapping[str, JsonValue] = model.settings
        self._model, self._file, self._lock = model, file, threading.Lock()
        self._replies = dict(map(_read, _lines(file)))

    def ask(self, request: Request) -> Reply:
        """The reply in the journal, or else the model's."""
        key = f"{self.name} {self.settings['max_tokens']} {request.key}"
        with self._lock:
            if key not in self._replies:
                reply = self._model.ask(request)
                if reply.content is None and not reply.usage.tokens_out:
                    raise SystemExit(f"{reply.reason}: start the server and run the same command again")
                self._replies[key] = reply
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(_record(key, request, reply), ensure_ascii=False) + "\n")
        return self._replies[key]

    @property
    def usages(self) -> list[Usage]:
        """What each reply of the journal took."""
        return [reply.usage for reply in self._replies.values()]


def add_model(parser: argparse.ArgumentParser) -> None:
    """The arguments that name the model and its journal."""
    parser.add_argument("--endpoint", required=True, help="address of the server, such as that of `hcat llm serve`")
    parser.add_argument("--model", required=True, help="the model's name there")
    parser.add_argument("--journal", type=Path, required=True, help="its replies: written, or read where they are")


def opened(arguments: argparse.Namespace, *, tokens: int) -> JournalledModel:
    """The model that the arguments name, which may write at most so many tokens."""
    limits = Limits(timeout=TIMEOUT, attempts=1, tokens=tokens, parallel=1)
    model = OpenAILanguage(name=arguments.model, base_url=arguments.endpoint, limits=limits)
    return JournalledModel(model, arguments.journal)


def _lines(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines() if file.exists() else []


def _record(key: str, request: Request, reply: Reply) -> JsonObject:
    return {
        "key": key,
        "prompt": request.prompt.title,
        "data": dict(request.data),
        "content": reply.content,
        "reason": reply.reason,
        "usage": reply.usage.record(),
    }


def _read(line: str) -> tuple[str, Reply]:
    row = json.loads(line)
    return row["key"], Reply(row["content"], Usage(**row["usage"]), row["reason"])
