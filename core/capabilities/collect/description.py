"""A target file: how a live system is queried, in YAML. Secrets are given as ${NAME} and read from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from hcat.core.capabilities.collect.reply import Limits
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.file_limits import check_bytes, parse_yaml
from hcat.core.types import JsonValue

_SECRET = re.compile(r"\$\{(\w+)\}")
QUERY, REASON = "{{query}}", "{{reason}}"


class _Target(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    concurrency: int = Field(default=4, ge=1, le=64)
    requests_per_minute: float | None = Field(default=None, gt=0)
    attempts: int = Field(default=5, ge=1, le=20)
    budget: int | None = Field(default=None, ge=1)
    timeout: float = Field(default=60.0, gt=0, le=3600)
    backoff: float = Field(default=1.0, ge=0, le=60)
    price: float | None = Field(default=None, ge=0)

    @property
    def limits(self) -> Limits:
        return Limits(
            self.concurrency,
            self.requests_per_minute,
            self.attempts,
            self.budget,
            self.timeout,
            self.backoff,
            self.price,
        )


class HttpTargetFile(_Target):
    """Any HTTP endpoint: a templated request, and the paths of the answer and the contexts in its JSON."""

    kind: Literal["http"]
    url: str
    method: Literal["GET", "POST"] = "POST"
    headers: dict[str, str] = {}
    body: object = None
    answer: str
    contexts: str | None = None
    context_ids: str | None = None
    candidates: str | None = None


class ChatTargetFile(_Target):
    """An OpenAI-compatible chat endpoint, with or without contexts in its reply."""

    kind: Literal["chat"]
    url: str
    model: str
    key: str | None = None
    system: str | None = None
    contexts: str | None = None
    context_ids: str | None = None
    options: dict[str, object] = {}


class PythonTargetFile(_Target):
    """A Python function of the user's: it takes a query and returns the answer, or the reply as a dictionary."""

    kind: Literal["python"]
    callable: str
    settings: dict[str, object] = {}


class DemoTargetFile(_Target):
    """The demo's reference system, in this process: it answers from the demo's handbook and needs no network."""

    kind: Literal["demo"]
    configuration: Literal["candidate", "baseline"] = "candidate"


Target = HttpTargetFile | ChatTargetFile | PythonTargetFile | DemoTargetFile
_ADAPTER: TypeAdapter[Target] = TypeAdapter(Annotated[Target, Field(discriminator="kind")])
_KINDS = ("http", "chat", "python", "demo")
_BOUNDS = {"ge": "a number of at least", "gt": "a number above", "le": "a number of at most", "lt": "a number below"}
_TYPES = {"int": "a whole number", "float": "a number", "string": "a text", "dict": "names with values"}
"""The expected value, by the violated bound and by the beginning of the fault's name."""


def read_target(path: Path) -> Target:
    """The target in a file. Raises FileFormatError with the field that is wrong and why."""
    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: check the path")
    try:
        check_bytes(path.stat().st_size)
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        raise FileFormatError(f"{path.name} is no YAML") from None
    return target_of(text, name=path.name)


def target_of(text: str, *, name: str = "the target") -> Target:
    """The target in a YAML text. Raises FileFormatError with the field that is wrong and why."""
    return target_from(parse_yaml(text, name=name), name=name)


def target_from(content: object, *, name: str = "the target") -> Target:
    """The target in an object of its fields."""
    if not isinstance(content, Mapping):
        raise FileFormatError(f"{name}: expected fields such as kind, url and answer")
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError as error:
        raise FileFormatError(f"{name}: {_fault(error)}") from None


def _fault(error: ValidationError) -> str:
    """The first fault of a target, in words of our own."""
    wrong = error.errors(include_url=False)[0]
    kind, limits = str(wrong["type"]), wrong.get("ctx", {})
    place = ".".join(str(part) for part in wrong["loc"] if part not in _KINDS)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        found = f", not {limits['tag']!r}" if "tag" in limits else ""
        kinds = f"{', '.join(_KINDS[:-1])} or {_KINDS[-1]}"
        return f"kind: expected {kinds}{found}. `hcat collect --example http` prints a target file to start from"
    if kind == "missing":
        return f"{place} is missing: add it"
    if kind == "extra_forbidden":
        return f"{place} is no field of this kind of target: leave it out"
    if kind == "literal_error":
        return f"{place}: expected {limits['expected']}, not {wrong['input']!r}"
    bound = next((f"{words} {limits[key]:g}" for key, words in _BOUNDS.items() if key in limits), None)
    expected = bound or next((words for part, words in _TYPES.items() if kind.startswith(part)), "another value")
    return f"{place}: expected {expected}"


def target_record(target: Target) -> dict[str, JsonValue]:
    """The whole target as JSON, with its limits; the inverse of `target_from`. Secrets are given by name."""
    content: dict[str, JsonValue] = target.model_dump(mode="json", exclude_defaults=True)
    return {"kind": target.kind, **content}


def described(target: Target) -> dict[str, JsonValue]:
    """The parts of the target that determine its answers, as JSON: without the limits, and secrets by their names."""
    content: dict[str, JsonValue] = target.model_dump(
        mode="json", exclude_defaults=True, exclude=set(_Target.model_fields)
    )
    return content


def secret_names(text: str) -> tuple[str, ...]:
    """The variables of the environment that a text names as ${NAME}."""
    return tuple(_SECRET.findall(text))


def with_secrets(value: object, environment: Mapping[str, str] | None = None) -> object:
    """The same with each ${NAME} replaced. Raises HcatError if the environment lacks one."""
    known = os.environ if environment is None else environment
    if isinstance(value, str):
        for name in secret_names(value):
            if name not in known:
                raise HcatError(f"the target needs {name}: set it in the environment")
        return _SECRET.sub(lambda match: known[match[1]], value)
    if isinstance(value, Mapping):
        return {name: with_secrets(part, known) for name, part in value.items()}
    if isinstance(value, list):
        return [with_secrets(part, known) for part in value]
    return value


def with_query(value: object, query: str, *, reason: str = "") -> object:
    """The same with each {{query}} and {{reason}} replaced, within strings of any depth."""
    if isinstance(value, str):
        return value.replace(REASON, reason).replace(QUERY, query)
    if isinstance(value, Mapping):
        return {name: with_query(part, query, reason=reason) for name, part in value.items()}
    if isinstance(value, list):
        return [with_query(part, query, reason=reason) for part in value]
    return value
