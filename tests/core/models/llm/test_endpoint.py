"""The adapter of OpenAI-compatible endpoints against a scripted server: errors, retries, what is sent, secrets."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import SecretStr

from hcat.core.errors import HcatError, ModelError
from hcat.core.models.llm import endpoint as language_openai
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage, Prices
from hcat.core.models.llm.language import Request, Usage, ask_all, total
from hcat.core.models.llm.loading import load_language
from hcat.core.prompts import Prompt
from hcat.core.settings import Settings
from tests.core.models.llm.scripted import SECRET, Answer, Asked, Endpoint, Raw, completion, refusal

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
WORD: dict[str, Any] = {"word": "yes"}


def request(text: str = "text") -> Request:
    return Request(Prompt("say_word", 1, "Say a word."), {"text": text}, SCHEMA)


def model(endpoint: Endpoint, **given: Any) -> OpenAILanguage:
    limits = Limits(**{"timeout": 120.0, "attempts": 3, "backoff": 0.0, "parallel": 2, **given.pop("limits", {})})
    return OpenAILanguage(name="judge-1", base_url=endpoint.url, api_key=SecretStr(SECRET), limits=limits, **given)


def in_turn(*answers: Answer) -> Callable[[Asked], Answer]:
    """One answer after the other; the last one for ever."""
    left = list(answers)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


def test_a_schema_a_seed_and_temperature_zero_are_sent(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: WORD
    reply = model(scripted, seed=11, prices=Prices(2.0, 10.0)).ask(request())
    assert reply.content == WORD
    body = scripted.asked[0].body
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("judge-1", 0.0, 11, 2048)
    assert body["response_format"]["json_schema"] == {"name": "say_word", "strict": True, "schema": SCHEMA}
    assert scripted.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert reply.sent == {"response_format": "json_schema", "temperature": 0.0, "seed": 11, "max_tokens": 2048}
    usage = reply.usage
    assert (usage.tokens_in, usage.tokens_out, usage.calls, usage.cached) == (100, 10, 1, False)
    assert usage.cost == pytest.approx(100 * 2e-6 + 10 * 10e-6)  # 2 and 10 a million
    assert usage.seconds > 0


def test_429_and_then_success(scripted: Endpoint) -> None:
    scripted.answer = in_turn(Raw(429, "{}", {"Retry-After": "0"}), WORD)
    reply = model(scripted).ask(request())
    assert (reply.content, reply.usage.calls, scripted.calls) == (WORD, 2, 2)


def test_the_server_says_how_long_to_wait_within_bounds(scripted: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(language_openai.time, "sleep", slept.append)
    answers = [Raw(503, "", {"Retry-After": wait}) for wait in ("7", "86400", "Wed, 21 Oct 2026 07:28:00 GMT", "-3")]
    scripted.answer = in_turn(*answers, WORD)
    assert model(scripted, limits={"attempts": 5, "backoff": 0.5}).ask(request()).content == WORD
    # what it asked for; not a day; no number: 0.5 · 2²; nothing negative: 0.5 · 2³
    assert slept == [7.0, language_openai.LONGEST_WAIT, 2.0, 4.0]


def test_500_for_ever_is_given_up(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: refusal(500, f"stack trace with {SECRET}")
    reply = model(scripted).ask(request())
    assert (reply.content, scripted.calls) == (None, 3)
    assert reply.reason == "language model: the endpoint answered HTTP 500 (3 calls)"


def test_an_endpoint_that_is_down_is_left_alone_for_a_while(
    scripted: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted.answer = lambda asked: refusal(503)
    asking = model(scripted, limits={"attempts": 1})
    for number in range(6):
        reply = asking.ask(request(str(number)))
    assert scripted.calls == language_openai.GIVE_UP_AFTER
    assert reply.reason == "language model: the endpoint does not answer"
    scripted.answer = lambda asked: WORD
    now = language_openai.time.monotonic() + language_openai.PAUSE
    monkeypatch.setattr(language_openai.time, "monotonic", lambda: now)
    assert asking.ask(request()).content == WORD


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("not JSON at all", "an answer that is not JSON"),
        ('{"word": "yes"', "an answer that is not JSON"),
        ('{"word": NaN}', "an answer that is not JSON"),
        ('{"word": "yes", "word": "no"}', "an answer that gives one name twice"),
        ("[" * 100_000, "an answer that is not JSON"),
        ('{"word": 1}', "an answer that does not match the schema"),
        ('{"word": "yes", "more": 1}', "an answer that does not match the schema"),
        ('["word"]', "an answer that does not match the schema"),
        ('{"word": "yes"} or {"word": "no"}', "an answer that is not JSON"),
        ('<think>{"word": "yes"}', "an answer that is not JSON"),
        ("", "an answer that is not JSON"),
        (json.dumps({"word": "x" * 300_000}), "an answer too long to be read"),
    ],
)
def test_an_answer_that_is_not_what_was_asked_for_is_no_answer(scripted: Endpoint, answer: str, reason: str) -> None:
    scripted.answer = lambda asked: answer
    reply = model(scripted).ask(request())
    assert (reply.content, reply.reason, scripted.calls) == (None, f"language model: {reason} (3 calls)", 3)
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (300, 30)  # wasted calls cost, too


@pytest.mark.parametrize(
    "answer",
    [
        '<think>Is it {"word": "no"}?</think>{"word": "yes"}',
        'The word is no, then yes.</think>\n```json\n{"word": "yes"}\n```',
        'Sure! Here is my verdict:\n\n{"word": "yes"}\n\nI hope that helps.',
        '[THINK]hm[/THINK]{"word": "yes"}',
    ],
)
def test_thoughts_and_words_around_an_answer_are_read_over(scripted: Endpoint, answer: str) -> None:
    scripted.answer = lambda asked: answer
    assert model(scripted).ask(request()).content == {"word": "yes"}


@pytest.mark.parametrize(
    "answer",
    [
        Raw(200, "<html>hello</html>", kind="text/html"),
        Raw(200, "{broken"),
        Raw(200, "{}"),
        Raw(200, "null"),
        Raw(200, '{"choices": []}'),
        Raw(200, '{"choices": [{"message": null}]}'),
        Raw(200, '"a string"'),
    ],
)
def test_an_answer_that_is_no_completion_is_no_answer(scripted: Endpoint, answer: Raw) -> None:
    scripted.answer = lambda asked: answer
    reply = model(scripted).ask(request())
    assert reply.content is None
    assert reply.reason == "language model: the endpoint's answer is not a chat completion (3 calls)"


def test_an_answer_without_usage_counts_no_tokens(scripted: Endpoint) -> None:
    body = json.loads(completion(json.dumps(WORD)).body)
    del body["usage"]
    scripted.answer = lambda asked: Raw(body=json.dumps(body))
    reply = model(scripted).ask(request())
    assert (reply.content, reply.usage.tokens_in) == (WORD, 0)


def test_a_code_fence_around_the_json_is_taken_off(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: f"```json\n{json.dumps(WORD)}\n```"
    assert model(scripted).ask(request()).content == WORD


def test_invalid_json_and_then_success(scripted: Endpoint) -> None:
    scripted.answer = in_turn("Sure! Here it is", WORD)
    reply = model(scripted).ask(request())
    assert (reply.content, reply.usage.calls, reply.usage.tokens_in) == (WORD, 2, 200)


def test_an_answer_that_was_cut_says_what_to_do_and_is_not_asked_for_again(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: completion('{"word": "ye', finish="length")
    reply = model(scripted).ask(request())
    assert (reply.content, scripted.calls) == (None, 1)
    assert reply.reason == "language model: an answer cut at 2048 tokens: raise HCAT_LLM_MAX_TOKENS"


def test_a_model_that_declines_is_not_asked_again(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: completion("", refusal="I can't help with that.")
    reply = model(scripted).ask(request())
    assert (reply.content, reply.reason, scripted.calls) == (None, "language model: the model declined to answer", 1)


def test_a_slow_answer_is_not_waited_for(scripted: Endpoint) -> None:
    released = threading.Event()
    scripted.answer = lambda asked: {"word": f"late: {released.wait(30)}"}
    try:
        reply = model(scripted, limits={"timeout": 0.1, "attempts": 2}).ask(request())
    finally:
        released.set()
    assert reply.reason == "language model: no answer within 0.1 s (2 calls)"


def test_no_server_is_no_answer(scripted: Endpoint) -> None:
    asking = OpenAILanguage(name="m", base_url="http://127.0.0.1:9/v1", limits=Limits(attempts=2, backoff=0.0))
    assert asking.ask(request()).reason == "language model: no connection to the endpoint (2 calls)"


def test_a_server_without_schemas_is_asked_for_json_and_told_the_schema(scripted: Endpoint) -> None:
    def answer(asked: Asked) -> Answer:
        kind = asked.body.get("response_format", {}).get("type")
        return refusal(400, "response_format.type must be text or json_object") if kind == "json_schema" else WORD

    scripted.answer = answer
    asking = model(scripted)
    reply = asking.ask(request())
    assert (reply.content, reply.sent["response_format"], scripted.calls) == (WORD, "json_object", 2)
    told = scripted.asked[1].body["messages"][0]["content"]
    assert json.loads(told.partition("JSON schema of the reply:\n")[2]) == SCHEMA
    asking.ask(request("another"))
    assert scripted.calls == 3  # it is remembered
    scripted.answer = lambda asked: "no JSON" if "schema" not in asked.body["response_format"]["type"] else refusal(400)
    assert asking.ask(request("third")).content is None  # what comes back is checked all the same


def test_a_server_that_knows_no_response_format_is_asked_in_words(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: refusal(422, "unknown field") if "response_format" in asked.body else WORD
    reply = model(scripted).ask(request())
    assert (reply.content, reply.sent["response_format"], scripted.calls) == (WORD, "text", 3)


def test_settings_that_a_model_refuses_are_left_out_and_the_record_says_so(scripted: Endpoint) -> None:
    def answer(asked: Asked) -> Answer:
        if "max_tokens" in asked.body:
            return refusal(400, "Unsupported parameter: use 'max_completion_tokens' instead.", param="max_tokens")
        for name in ("temperature", "seed"):
            if name in asked.body:
                return refusal(400, "Unsupported value.", param=name)
        return WORD

    scripted.answer = answer
    reply = model(scripted).ask(request())
    assert reply.content == WORD
    assert scripted.asked[-1].body["max_completion_tokens"] == 2048
    assert reply.sent == {"response_format": "json_schema", "temperature": None, "seed": None, "max_tokens": 2048}


def test_a_text_that_is_too_long_does_not_cost_the_schema(scripted: Endpoint) -> None:
    scripted.answer = in_turn(refusal(400, "maximum context length", code="context_length_exceeded"), WORD)
    asking = model(scripted)
    reply = asking.ask(request("long"))
    assert (reply.reason, scripted.calls) == ("language model: the endpoint answered HTTP 400", 1)
    assert asking.ask(request()).sent["response_format"] == "json_schema"


@pytest.mark.parametrize(("status", "hint"), [(401, "HCAT_LLM_API_KEY"), (403, "HCAT_LLM_API_KEY"), (404, "LLM_MODEL")])
def test_what_no_retry_can_mend_stops_the_work_and_says_what_to_do(scripted: Endpoint, status: int, hint: str) -> None:
    scripted.answer = lambda asked: refusal(status, f"Incorrect API key provided: {SECRET}")
    with pytest.raises(ModelError, match=hint) as caught:
        ask_all(model(scripted), [request(str(number)) for number in range(20)])
    assert scripted.calls < 20
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None


def _all_of(error: BaseException | None) -> Iterable[str]:
    while error is not None:
        yield f"{error!r} {error}"
        error = None if error.__suppress_context__ else error.__cause__ or error.__context__


def test_the_key_is_in_no_message_log_or_document(scripted: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    scripted.answer = lambda asked: refusal(500, f"your key {SECRET} is not liked")
    asking = model(scripted)
    shown = [repr(asking), str(vars(asking)), str(asking.settings), asking.revision, str(asking.ask(request()))]
    scripted.answer = lambda asked: refusal(401, f"your key {SECRET} is not liked")
    with pytest.raises(HcatError) as caught:
        asking.ask(request())
    shown += [*_all_of(caught.value), caplog.text]
    assert scripted.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert not any(SECRET in text for text in shown)


def test_a_password_in_the_address_is_not_shown() -> None:
    asking = OpenAILanguage(name="m", base_url="https://user:pa55@host.example:8443/v1?key=pa55#pa55")
    assert asking.settings["endpoint"] == "https://host.example:8443/v1"


def test_without_a_key_no_other_endpoints_key_is_sent(scripted: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    scripted.answer = lambda asked: WORD
    OpenAILanguage(name="m", base_url=scripted.url).ask(request())
    assert SECRET not in str(scripted.asked[0].headers)


def test_at_most_as_many_calls_as_allowed_are_under_way(scripted: Endpoint) -> None:
    lock, both = threading.Lock(), threading.Barrier(3)
    under_way = most = 0

    def answer(asked: Asked) -> Answer:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        both.wait(30)  # three must be there at once, or the test fails
        with lock:
            under_way -= 1
        return {"word": asked.data["text"]}

    scripted.answer = answer
    steps: list[tuple[int, int]] = []
    requests = [request(str(number % 9)) for number in range(12)]
    replies = ask_all(
        model(scripted, limits={"parallel": 3}), requests, on_reply=lambda done, of: steps.append((done, of))
    )
    assert [reply.content for reply in replies] == [{"word": str(number % 9)} for number in range(12)]
    assert (most, scripted.calls) == (3, 9)  # equal requests are asked once
    assert steps == [(done, 9) for done in range(1, 10)]


def test_texts_without_unicode_are_asked_about_all_the_same(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: WORD
    assert model(scripted).ask(request("\ud800 \x00 \u202e")).content == WORD
    assert scripted.asked[0].data == {"text": "? \x00 \u202e"}


def test_the_settings_name_the_model_or_say_what_is_missing(tmp_path: Any) -> None:
    assert load_language(Settings(_env_file=None, llm_base_url=None, llm_model=None)) is None
    with pytest.raises(ModelError, match="HCAT_LLM_MODEL"):
        load_language(Settings(_env_file=None, llm_base_url="http://127.0.0.1:9/v1", llm_model=None))
    given = Settings(
        _env_file=None,
        llm_base_url="http://127.0.0.1:9/v1",
        llm_model="m",
        llm_api_key=SecretStr(SECRET),
        artifacts=str(tmp_path),
    )
    found = load_language(given)
    assert found is not None
    assert (found.name, found.parallel, found.settings["seed"]) == ("m", 4, 7)
    assert SECRET not in str(given)


def test_sums_of_usage() -> None:
    one, other = Usage(10, 2, 0.5, 1, 0.25, True), Usage(5, 1, 0.25, 2, 0.5)
    assert total([one, other]) == Usage(15, 3, 0.75, 3, 0.75, False)
    assert total([one, Usage(1, 1, 0.0, 1, None)]).cost is None
    assert total([one]).cached
    assert not total([]).cached


def test_texts_follow_no_redirect_to_another_address() -> None:
    seen: list[str] = []

    class Redirecting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.path)
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(307)
            self.send_header("location", "/elsewhere")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Redirecting)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}/v1"
        reply = OpenAILanguage(base_url=address, name="m", limits=Limits(attempts=1)).ask(request())
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert seen == ["/v1/chat/completions"]
    assert reply.content is None
    assert "HTTP 307" in str(reply.reason)
