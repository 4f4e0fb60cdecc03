"""A templated request and its reply, over a real server."""

from __future__ import annotations

import pytest

from hcat.core.capabilities.collect.description import ChatTargetFile, HttpTargetFile
from hcat.core.capabilities.collect.http_target import HttpSystem, chat_system
from hcat.core.capabilities.collect.reply import NoReply
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.types import Passage
from tests.core.capabilities.collect.servers import Response, serving

REPLY = {
    "result": {"text": "It is 12 euros."},
    "documents": [{"id": "a", "text": "Fees", "score": 0.5}, {"id": "b", "page_content": "Rates"}, "plain"],
    "first": ["a", "b", "c"],
}


def target(url: str, **fields: object) -> HttpTargetFile:
    given: dict[str, object] = {"body": {"q": "{{query}}", "k": 3}, "answer": "$.result.text", "timeout": 120.0}
    return HttpTargetFile.model_validate({"kind": "http", "url": url, **given, **fields})


def opened(url: str, **fields: object) -> HttpSystem:
    return HttpSystem(target(url, **fields), allow_private=True)


def test_a_query_goes_out_and_the_reply_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_TOKEN", "s3cret")
    with serving(lambda _: Response(REPLY)) as server:
        system = opened(
            f"{server.url}/ask",
            headers={"Authorization": "Bearer ${RAG_TOKEN}"},
            contexts="$.documents[*]",
            candidates="$.first[*]",
        )
        reply = system.ask('the "fee"?\n', key="k1")
    [seen] = server.seen
    assert seen.content == {"q": 'the "fee"?\n', "k": 3}
    assert seen.headers["authorization"] == "Bearer s3cret"
    assert seen.key == "k1"
    assert reply.answer == "It is 12 euros."
    assert reply.contexts[:2] == (Passage("a", "Fees", 0.5), Passage("b", "Rates"))
    assert reply.contexts[2].text == "plain" and reply.contexts[2].id
    assert reply.candidates == ("a", "b", "c")
    assert "s3cret" not in str(system.description)


def test_ids_may_stand_apart() -> None:
    with serving(lambda _: Response({"a": 3, "texts": ["x", "y"], "ids": [7, 8]})) as server:
        system = opened(server.url, answer="$.a", contexts="$.texts[*]", context_ids="$.ids[*]")
        reply = system.ask("q", key="k")
    assert reply.answer == "3"
    assert reply.contexts == (Passage("7", "x"), Passage("8", "y"))


def test_a_query_in_the_address_is_quoted() -> None:
    with serving(lambda _: Response({"a": "x"})) as server:
        system = opened(f"{server.url}/ask?q={{{{query}}}}", method="GET", body=None, answer="$.a")
        system.ask("a&b=c d/é", key="k")
    assert server.seen[0].path == "/ask?q=a%26b%3Dc%20d%2F%C3%A9"


def test_a_chat_endpoint() -> None:
    with serving(lambda _: Response({"choices": [{"message": {"content": "Hello."}}]})) as server:
        chat = ChatTargetFile(kind="chat", url=f"{server.url}/v1/", model="m", system="Be short.")
        reply = chat_system(chat, allow_private=True).ask("Hi?", key="k")
    assert reply.answer == "Hello."
    [seen] = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.content == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hi?"}],
    }


@pytest.mark.parametrize(
    ("response", "reason", "passing"),
    [
        (Response({}, status=429, headers={"retry-after": "7"}), "HTTP 429", True),
        (Response({}, status=503), "HTTP 503", True),
        (Response({}, status=422), "HTTP 422", False),
        (Response({"other": 1}), r"holds nothing at \$\.result\.text", False),
        (Response({"result": {"text": ["x"]}}), "holds no text", False),
        (Response(REPLY, delay=5.0), "within 0.3 seconds", True),
    ],
)
def test_no_reply_says_why_and_whether_to_ask_again(response: Response, reason: str, passing: bool) -> None:
    with serving(lambda _: response) as server:
        system = opened(server.url, timeout=0.3 if response.delay else 120.0)
        with pytest.raises(NoReply, match=reason) as caught:
            system.ask("q", key="k")
    assert caught.value.passing is passing
    assert caught.value.wait == (7.0 if response.status == 429 else 0.0)


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (Response({}, status=401), "refuses access"),
        (Response({}, status=404), "has nothing at /ask"),
        (Response({}, status=302, headers={"location": "http://169.254.169.254/latest"}), "redirects are not followed"),
    ],
)
def test_what_no_query_can_mend_ends_it(response: Response, said: str) -> None:
    with serving(lambda _: response) as server, pytest.raises(HcatError, match=said):
        opened(f"{server.url}/ask").ask("q", key="k")
    assert len(server.seen) == 1


def test_nobody_listening_is_no_connection() -> None:
    with serving(lambda _: Response(REPLY)) as server:
        system = opened(server.url)
    with pytest.raises(NoReply, match="no connection") as caught:
        system.ask("q", key="k")
    assert caught.value.passing


def test_null_is_a_system_that_failed_to_answer() -> None:
    with serving(lambda _: Response({"a": None})) as server:
        assert opened(server.url, answer="$.a").ask("q", key="k").answer is None


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answer": "$..["}, "is no JSONPath"),
        ({"url": "ftp://127.0.0.1/x"}, "begins with http"),
        ({"body": {"q": "fixed"}}, "nowhere holds"),
        ({"headers": {"Authorization": "${NOT_SET_ANYWHERE}"}}, "set it in the environment"),
    ],
)
def test_a_target_that_cannot_work_is_refused_before_anything_is_asked(fields: dict[str, object], said: str) -> None:
    with pytest.raises((FileFormatError, HcatError), match=said):
        HttpSystem(target(str(fields.pop("url", "http://127.0.0.1:9/")), **fields), allow_private=True)
