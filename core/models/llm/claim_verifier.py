"""Claims found and verified by a language model: one request for the claims of a text, one for some verdicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from hcat.core.claims.claim import Claim
from hcat.core.claims.task import ClaimTask
from hcat.core.claims.verdict import Verdict
from hcat.core.models.llm.language import LanguageModel, Reply, Request, Usage, ask_all, total
from hcat.core.prompts import Prompt, load_prompt
from hcat.core.records.hashing import sha256_of_text
from hcat.core.types import JsonValue

CLAIMS_A_REQUEST = 10
"""The claims that are verified in one request: few enough that the model overlooks none."""
VERDICTS = {"supported": True, "not supported": False}
CLAIMS_SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {"claims": {"type": "array", "items": {"type": "string"}}},
    "required": ["claims"],
    "additionalProperties": False,
}

OnReply = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class _TaskClaims:
    """The claims of a task's text, or why there are none to verify, and the cost of finding them."""

    claims: tuple[Claim, ...]
    reason: str | None = None
    usage: Usage | None = None


class LanguageClaimVerifier:
    """A claim verifier by language model. Its revision hashes model, settings and prompts.

    Texts are data: a model sees them quoted, and only the schema of its reply counts. A verdict that is missing,
    malformed or for another id is no verdict."""

    def __init__(self, model: LanguageModel, *, on_reply: OnReply | None = None) -> None:
        self.model = model
        self.name = model.name
        self._extract, self._verify = load_prompt("extract_claims"), load_prompt("verify_claims")
        self._on_reply = on_reply
        self.revision = sha256_of_text("\n".join((model.revision, *self.prompts)))

    @property
    def prompts(self) -> tuple[str, str]:
        """Name, version and hash of the prompts."""
        return self._extract.title, self._verify.title

    @property
    def parameters(self) -> Mapping[str, JsonValue]:
        """The parameters that the scores' provenance records besides name and revision."""
        return {**self.model.settings, "prompts": [*self.prompts]}

    def verify(self, tasks: Sequence[ClaimTask]) -> tuple[tuple[Verdict, ...], ...]:
        """The verdicts on each task's claims. Raises ModelError only if no request could succeed."""
        claims_by_task = self._claims(tasks)
        requests = [
            [_verification(self._verify, task, portion) for portion in _portions(task_claims.claims)]
            if _says_something(task)
            else []
            for task, task_claims in zip(tasks, claims_by_task, strict=True)
        ]
        replies = iter(self._ask([request for some in requests for request in some]))
        return tuple(
            self._verdicts(task, task_claims, [next(replies) for _ in some])
            for task, task_claims, some in zip(tasks, claims_by_task, requests, strict=True)
        )

    def _claims(self, tasks: Sequence[ClaimTask]) -> list[_TaskClaims]:
        worded = [task for task in tasks if task.check.unit == "claim" and task.text.strip()]
        replies = iter(self._ask([_extraction(self._extract, task) for task in worded]))
        return [
            _extracted(task.text, next(replies))
            if task.check.unit == "claim" and task.text.strip()
            else _sentences_as_claims(task)
            for task in tasks
        ]

    def _ask(self, requests: Sequence[Request]) -> tuple[Reply, ...]:
        return ask_all(self.model, requests, on_reply=self._on_reply)

    def _verdicts(self, task: ClaimTask, task_claims: _TaskClaims, replies: Sequence[Reply]) -> tuple[Verdict, ...]:
        usage = total([*([task_claims.usage] if task_claims.usage else []), *(reply.usage for reply in replies)])
        asked: dict[str, JsonValue] = {"model": self.name, "prompts": [*self.prompts], "usage": usage.record()}
        if task_claims.reason is not None:
            return (Verdict(Claim(task.text, 0, len(task.text)), None, reason=task_claims.reason, asked=asked),)
        if not _says_something(task):
            return tuple(
                Verdict(claim, False, reason="the evidence is blank", asked=asked) for claim in task_claims.claims
            )
        only = task.evidence[0].id if task.check.against == "contexts" and len(task.evidence) == 1 else None
        verdicts = [
            verdict
            for portion, reply in zip(_portions(task_claims.claims), replies, strict=True)
            for verdict in _read(portion, reply)
        ]
        return tuple(replace(verdict, passage=only if verdict.supported else None, asked=asked) for verdict in verdicts)


def _extraction(prompt: Prompt, task: ClaimTask) -> Request:
    return Request(prompt, {"question": task.sample.sample.query, "text": task.text}, CLAIMS_SCHEMA)


def _extracted(text: str, reply: Reply) -> _TaskClaims:
    if reply.content is None:
        return _TaskClaims((), reply.reason or "language model: no claims", reply.usage)
    claims = reply.content.get("claims")
    if not isinstance(claims, list) or not all(isinstance(claim, str) for claim in claims):
        return _TaskClaims((), "language model: an answer that does not match the schema", reply.usage)
    worded = dict.fromkeys(str(claim).strip() for claim in claims)
    return _TaskClaims(tuple(_located(claim, text) for claim in worded if claim), None, reply.usage)


def _located(claim: str, text: str) -> Claim:
    """The claim, with offsets if the model repeated the text's own words."""
    start = text.find(claim)
    return Claim(claim) if start < 0 else Claim(claim, start, start + len(claim))


def _sentences_as_claims(task: ClaimTask) -> _TaskClaims:
    """The sentences of the part as claims, without a request."""
    placed = task.sample.parts[task.check.part]
    return _TaskClaims(
        tuple(
            Claim(placed_sentence.sentence.text, placed_sentence.sentence.start, placed_sentence.sentence.end)
            for placed_sentence in placed
        )
    )


def _portions(claims: Sequence[Claim]) -> list[Sequence[Claim]]:
    return [claims[start : start + CLAIMS_A_REQUEST] for start in range(0, len(claims), CLAIMS_A_REQUEST)]


def _says_something(task: ClaimTask) -> bool:
    return any(passage.text.strip() for passage in task.evidence)


def _ids(claims: Sequence[Claim]) -> list[str]:
    return [f"c{number}" for number in range(1, len(claims) + 1)]


def _verification(prompt: Prompt, task: ClaimTask, claims: Sequence[Claim]) -> Request:
    ids = _ids(claims)
    data: dict[str, JsonValue] = {
        "evidence": [passage.text for passage in task.evidence],
        "claims": dict(zip(ids, (claim.text for claim in claims), strict=True)),
    }
    if task.check.against != "contexts":
        data["question"] = task.sample.sample.query
    return Request(prompt, data, _verdict_schema(ids))


def _verdict_schema(ids: Sequence[str]) -> dict[str, JsonValue]:
    """A schema with one required object per id and nothing else, so that the server can enforce exact ids."""
    verdict: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"reason": {"type": "string"}, "verdict": {"type": "string", "enum": [*VERDICTS]}},
        "required": ["reason", "verdict"],
        "additionalProperties": False,
    }
    properties: dict[str, JsonValue] = dict.fromkeys(ids, verdict)
    return {"type": "object", "properties": properties, "required": [*ids], "additionalProperties": False}


def _read(claims: Sequence[Claim], reply: Reply) -> list[Verdict]:
    """A verdict per claim; none if an id is missing or unknown, since the other ids can't be trusted then."""
    ids, content = _ids(claims), reply.content
    if content is None:
        return [Verdict(claim, None, reason=reply.reason or "language model: no verdict") for claim in claims]
    if set(content) != set(ids):
        return [Verdict(claim, None, reason="language model: verdicts on other claims") for claim in claims]
    return [_verdict(claim, content[name]) for name, claim in zip(ids, claims, strict=True)]


def _verdict(claim: Claim, reply: JsonValue) -> Verdict:
    word = reply.get("verdict") if isinstance(reply, dict) else None
    if not isinstance(reply, dict) or not isinstance(word, str) or word not in VERDICTS:
        return Verdict(claim, None, reason="language model: a malformed verdict")
    return Verdict(claim, VERDICTS[word], reason=str(reply.get("reason") or ""))
