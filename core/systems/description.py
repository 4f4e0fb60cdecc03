"""A target file: how a live system is asked, in YAML. Secrets stand in it as ${NAME} and come from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.errors import FileFormatError, HcatError
from core.systems.reply import Limits
from core.types import JsonValue

_SECRET = re.compile(r"\$\{(\w+)\}")
QUERY = "{{query}}"


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
    """Any HTTP endpoint: a templated request, and where the answer and the contexts stand in its JSON."""

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


TargetFile = Annotated[HttpTargetFile | ChatTargetFile | PythonTargetFile, Field(discriminator="kind")]


def read_target(path: Path) -> HttpTargetFile | ChatTargetFile | PythonTargetFile:
    """The target that a file describes. Raises FileFormatError with the field that is wrong and why."""
    import yaml

    if not path.is_file():
        raise FileFormatError(f"{path} is not a file: check the path")
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        raise FileFormatError(f"{path.name} is no YAML{'' if line is None else f': line {line + 1}'}") from None
    if not isinstance(content, dict):
        raise FileFormatError(f"{path.name}: expected fields such as kind, url and answer")
    try:
        target = TypeAdapter[HttpTargetFile | ChatTargetFile | PythonTargetFile](TargetFile).validate_python(content)
    except ValidationError as error:
        wrong = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(str(part) for part in wrong["loc"] if part not in ("http", "chat", "python")) or "kind"
        raise FileFormatError(f"{path.name}: {place}: {wrong['msg'][:1].lower()}{wrong['msg'][1:]}") from None
    return target


def described(target: _Target) -> dict[str, JsonValue]:
    """What of the target decides its answers, as JSON: without the limits, and secrets still by their names."""
    content: dict[str, JsonValue] = target.model_dump(
        mode="json", exclude_defaults=True, exclude=set(_Target.model_fields)
    )
    return content


def with_secrets(value: object, environment: Mapping[str, str] | None = None) -> object:
    """The same with each ${NAME} replaced. Raises HcatError where the environment lacks one."""
    known = os.environ if environment is None else environment
    if isinstance(value, str):
        for name in _SECRET.findall(value):
            if name not in known:
                raise HcatError(f"the target needs {name}: set it in the environment")
        return _SECRET.sub(lambda match: known[match[1]], value)
    if isinstance(value, Mapping):
        return {name: with_secrets(part, known) for name, part in value.items()}
    if isinstance(value, list):
        return [with_secrets(part, known) for part in value]
    return value


def with_query(value: object, query: str) -> object:
    """The same with each {{query}} replaced, within strings of any depth."""
    if isinstance(value, str):
        return value.replace(QUERY, query)
    if isinstance(value, Mapping):
        return {name: with_query(part, query) for name, part in value.items()}
    if isinstance(value, list):
        return [with_query(part, query) for part in value]
    return value
