"""The response format and settings that an endpoint accepts, learned from its refusals."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hcat.core.models.llm.language import JsonObject, Request
from hcat.core.types import JsonValue

if TYPE_CHECKING:
    from openai import APIStatusError

SIMPLER_FORMAT = {"json_schema": "json_object", "json_object": "text"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """The settings that are sent.

    `format` is json_schema, json_object or text; `limit` the limit's field; `degree` the temperature that is sent if
    the endpoint accepts one."""

    format: str = "json_schema"
    limit: str = "max_tokens"
    temperature: bool = True
    seed: bool = True
    degree: float = 0.0

    def options(self, request: Request, *, seed: int, tokens: int) -> JsonObject:
        """The body of a call, without the model's name."""
        options: JsonObject = {"messages": self._messages(request), self.limit: tokens}
        if self.temperature:
            options["temperature"] = self.degree
        if self.seed:
            options["seed"] = seed
        if self.format == "json_schema":
            schema: JsonValue = {"name": request.prompt.name, "strict": True, "schema": dict(request.schema)}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif self.format == "json_object":
            options["response_format"] = {"type": "json_object"}
        return options

    def sent(self, seed: int, tokens: int) -> JsonObject:
        """The same for the record; None = left out because the endpoint refuses it."""
        return {
            "response_format": self.format,
            "temperature": self.degree if self.temperature else None,
            "seed": seed if self.seed else None,
            "max_tokens": tokens,
        }

    def simpler(self, error: APIStatusError) -> Dialect | None:
        """The dialect without the refused setting; None if nothing is left to leave out.

        Endpoints name the refused field as `param` or in their words. A refusal that names none is attributed to the
        response format, in which servers differ most, unless it is about the length of the text."""
        named = f"{error.param or ''} {error.message}".lower()
        if "max_completion_tokens" in named and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in named and self.temperature:
            return replace(self, temperature=False)
        if "seed" in named and self.seed:
            return replace(self, seed=False)
        if error.code == "context_length_exceeded" or "context" in named or self.format not in SIMPLER_FORMAT:
            return None
        return replace(self, format=SIMPLER_FORMAT[self.format])

    def _messages(self, request: Request) -> JsonValue:
        messages = [{"role": role, "content": text} for role, text in request.messages]
        if self.format != "json_schema":  # nobody else tells the model what the JSON must look like
            messages[0]["content"] += f"\n\nJSON schema of the reply:\n{json.dumps(dict(request.schema))}"
        json_messages: list[JsonValue] = [dict(message) for message in messages]
        return json_messages
