"""Language models' answers on disk: asked once, whole or not there, resumed after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hcat.core.errors import StorageError
from hcat.core.models.llm.cached import CachedLanguageModel
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.models.llm.language import Reply, Request, ask_all
from hcat.core.prompts import Prompt
from tests.core.models.llm.scripted import Answer, Asked, Endpoint

ROOT = Path(__file__).parents[4]
SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
PROMPT = Prompt("say_word", 1, "Say a word.")


def request(text: str = "text", prompt: Prompt = PROMPT, schema: dict[str, object] = SCHEMA) -> Request:  # type: ignore[assignment]
    return Request(prompt, {"text": text}, schema)  # type: ignore[arg-type]


def echo(asked: Asked) -> Answer:
    return {"word": asked.data["text"]}


def cached(
    endpoint: Endpoint, root: Path, *, name: str = "m", seed: int = 7, tokens: int = 2048
) -> CachedLanguageModel:
    limits = Limits(attempts=1, backoff=0.0, parallel=2, tokens=tokens)
    return CachedLanguageModel(
        OpenAILanguage(name=name, base_url=endpoint.url, seed=seed, limits=limits), root=str(root)
    )


def files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*") if path.is_file())


def test_a_second_asking_asks_nothing(scripted: Endpoint, tmp_path: Path) -> None:
    scripted.answer = echo
    requests = [request(str(number)) for number in range(6)]
    first = ask_all(cached(scripted, tmp_path), requests)
    assert scripted.calls == 6
    second = ask_all(cached(scripted, tmp_path), requests)
    assert scripted.calls == 6
    assert [reply.content for reply in second] == [reply.content for reply in first]
    assert [reply.usage for reply in second] == [replace(reply.usage, cached=True) for reply in first]
    assert [reply.sent for reply in second] == [reply.sent for reply in first]


@pytest.mark.parametrize(
    "other",
    [
        request("other"),
        request(prompt=replace(PROMPT, text="Say another word.")),
        request(schema={**SCHEMA, "additionalProperties": False}),
    ],
    ids=["data", "prompt", "schema"],
)
def test_another_request_is_asked(scripted: Endpoint, tmp_path: Path, other: Request) -> None:
    scripted.answer = echo
    model = cached(scripted, tmp_path)
    model.ask(request())
    assert not model.ask(other).usage.cached
    assert scripted.calls == 2


@pytest.mark.parametrize(
    "changed", [{"name": "n"}, {"seed": 8}, {"tokens": 100}], ids=lambda changed: next(iter(changed))
)
def test_another_model_or_setting_is_asked(scripted: Endpoint, tmp_path: Path, changed: dict[str, int]) -> None:
    scripted.answer = echo
    cached(scripted, tmp_path).ask(request())
    assert not cached(scripted, tmp_path, **changed).ask(request()).usage.cached  # type: ignore[arg-type]


def test_the_lack_of_an_answer_is_not_kept(scripted: Endpoint, tmp_path: Path) -> None:
    scripted.answer = lambda asked: "no JSON"
    assert cached(scripted, tmp_path).ask(request()).content is None
    assert files(tmp_path) == []
    scripted.answer = echo
    assert cached(scripted, tmp_path).ask(request()).content == {"word": "text"}


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", "change"])
def test_a_damaged_file_is_asked_for_again(scripted: Endpoint, tmp_path: Path, damage: str) -> None:
    scripted.answer = echo
    model = cached(scripted, tmp_path)
    model.ask(request())
    (path,) = files(tmp_path)
    whole = path.read_text("utf-8")
    path.write_text(whole.replace('"word": "text"', '"word": "lies"') if damage == "change" else damage, "utf-8")
    reply = model.ask(request())
    assert (reply.content, reply.usage.cached, scripted.calls) == ({"word": "text"}, False, 2)
    assert model.ask(request()).usage.cached


def test_an_answer_under_another_requests_name_is_not_taken(scripted: Endpoint, tmp_path: Path) -> None:
    scripted.answer = echo
    model = cached(scripted, tmp_path)
    model.ask(request("one"))
    (path,) = files(tmp_path)
    other = path.parents[1] / request("two").key[:2] / f"{request('two').key}.json"
    other.parent.mkdir(exist_ok=True)
    other.write_bytes(path.read_bytes())
    assert model.ask(request("two")).content == {"word": "two"}


def test_a_folder_that_can_not_be_written_says_so(scripted: Endpoint, tmp_path: Path) -> None:
    scripted.answer = echo
    (tmp_path / "language").write_text("a file in the way")
    with pytest.raises(StorageError, match="can't be written"):
        cached(scripted, tmp_path).ask(request())


def test_what_is_stopped_begins_no_further_request(scripted: Endpoint, tmp_path: Path) -> None:
    scripted.answer = echo

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask_all(cached(scripted, tmp_path), [request(str(number)) for number in range(50)], on_reply=stop)
    assert scripted.calls < 50


KILLED = """
import json, sys
from hcat.core.models.llm.language import Request, ask_all
from hcat.core.models.llm.cached import CachedLanguageModel
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.prompts import Prompt
url, root, prompt, schema = sys.argv[1], sys.argv[2], Prompt(*json.loads(sys.argv[3])), json.loads(sys.argv[4])
model = OpenAILanguage(name="m", base_url=url, limits=Limits(attempts=1, backoff=0.0, parallel=2))
requests = [Request(prompt, {"text": str(number)}, schema) for number in range(20)]
ask_all(CachedLanguageModel(model, root=root), requests)
"""


def test_a_killed_asking_goes_on_where_it_was(scripted: Endpoint, tmp_path: Path) -> None:
    process: list[subprocess.Popen[bytes]] = []

    def answer(asked: Asked) -> Answer:
        if scripted.calls == 12:
            os.kill(process[0].pid, signal.SIGKILL)
        return echo(asked)

    scripted.answer = answer
    given = [json.dumps([PROMPT.name, PROMPT.version, PROMPT.text]), json.dumps(SCHEMA)]
    process.append(subprocess.Popen([sys.executable, "-c", KILLED, scripted.url, str(tmp_path), *given], cwd=ROOT))
    assert process[0].wait(60) == -signal.SIGKILL
    kept = sum(not path.name.startswith(".") for path in files(tmp_path))
    assert 0 < kept < 20
    before = scripted.calls
    scripted.answer = echo
    replies: tuple[Reply, ...] = ask_all(cached(scripted, tmp_path), [request(str(number)) for number in range(20)])
    assert [reply.content for reply in replies] == [{"word": str(number)} for number in range(20)]
    assert scripted.calls - before == 20 - kept == sum(not reply.usage.cached for reply in replies)
