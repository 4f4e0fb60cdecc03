"""Language models' answers cached on disk: a second scoring sends no requests, and an interrupted one continues."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import replace

from hcat.core.errors import StorageError
from hcat.core.models.llm.language import JsonObject, LanguageModel, Reply, Request, Usage
from hcat.core.records.atomic import put_whole
from hcat.core.records.hashing import sha256_of_json
from hcat.core.records.json_text import json_object
from hcat.core.records.stores.file_store import open_store
from hcat.core.types import JsonValue


class CachedLanguageModel:
    """A model whose answers are cached as `<root>/language/<revision[:16]>/<key[:2]>/<key>.json`, by fsspec.

    The key consists of the hashes of prompt and schema; the revision of model, endpoint and settings. A file is written
    under a temporary name and then renamed, as soon as its answer arrives, and checked when it is read: a damaged one
    is requested again. Only answers are cached, never a missing one. Several processes may share a root."""

    def __init__(self, model: LanguageModel, *, root: str) -> None:
        self._model = model
        self._filesystem, base = open_store(root)
        self._folder = f"{base.rstrip('/')}/language/{model.revision[:16]}"

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def revision(self) -> str:
        return self._model.revision

    @property
    def parallel(self) -> int:
        return self._model.parallel

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        return self._model.settings

    def holds(self, request: Request) -> bool:
        """Whether the answer is cached, so that the request costs nothing."""
        return self._read(self._path(request), request) is not None

    def ask(self, request: Request) -> Reply:
        """The cached answer, or else the model's, which is cached at once."""
        path = self._path(request)
        cached = self._read(path, request)
        if cached is not None:
            return cached
        reply = self._model.ask(request)
        if reply.content is not None:
            self._write(path, _document(request, reply, self.revision))
        return reply

    def _path(self, request: Request) -> str:
        return f"{self._folder}/{request.key[:2]}/{request.key}.json"

    def _read(self, path: str, request: Request) -> Reply | None:
        try:
            document = json_object(self._filesystem.cat_file(path))
            return _reply(document, request, self.revision)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            logging.getLogger(__name__).warning("ignored the cached answer %s: %s", path, error)
            return None

    def _write(self, path: str, document: JsonObject) -> None:
        folder, _ = path.rsplit("/", 1)
        try:
            self._filesystem.makedirs(folder, exist_ok=True)
            put_whole(self._filesystem, path, json.dumps(document, ensure_ascii=True, indent=1).encode())
        except OSError as error:
            raise StorageError(f"A language model's answer can't be written under {folder}: {error}") from error


def _document(request: Request, reply: Reply, revision: str) -> JsonObject:
    return {
        "kind": "language reply",
        "revision": revision,
        "prompt": request.prompt.title,
        "prompt_hash": request.prompt_hash,
        "schema_hash": request.schema_hash,
        "content": reply.content,
        "content_hash": sha256_of_json(reply.content),
        "usage": reply.usage.record(),
        "sent": dict(reply.sent),
    }


def _reply(document: JsonObject, request: Request, revision: str) -> Reply:
    expected = (revision, request.prompt_hash, request.schema_hash)
    if (document["revision"], document["prompt_hash"], document["schema_hash"]) != expected:
        raise ValueError("it is the answer to another request")
    content, usage, sent = document["content"], document["usage"], document["sent"]
    if not isinstance(content, dict) or not isinstance(usage, dict) or not isinstance(sent, dict):
        raise ValueError("content, usage or settings of another shape")
    if document["content_hash"] != sha256_of_json(content):
        raise ValueError("the content does not have the hash that was stored with it")
    return Reply(content, replace(_usage(usage), cached=True), sent=sent)


def _usage(record: JsonObject) -> Usage:
    cost = record["cost"]
    return Usage(
        tokens_in=int(str(record["tokens_in"])),
        tokens_out=int(str(record["tokens_out"])),
        seconds=float(str(record["seconds"])),
        calls=int(str(record["calls"])),
        cost=None if cost is None else float(str(cost)),
    )


def forget_answers(root: str) -> None:
    """Remove all cached answers of all language models. StorageError if they can't be removed."""
    filesystem, base = open_store(root)
    folder = f"{base.rstrip('/')}/language"
    try:
        if filesystem.exists(folder):
            filesystem.rm(folder, recursive=True)
    except OSError as error:
        raise StorageError(f"the cached answers of language models under {folder} can't be removed: {error}") from error
