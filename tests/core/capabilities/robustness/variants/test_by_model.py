"""Variants by a language model, over a real loopback server: what it is sent, and what of its answers is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.capabilities.robustness.variants.by_model.families import LANGUAGES
from hcat.core.capabilities.robustness.variants.by_model.writer import ModelWriter
from hcat.core.capabilities.robustness.variants.perturb import Perturbed, perturb
from hcat.core.capabilities.robustness.variants.registry import FAMILIES, chosen_families
from hcat.core.capabilities.test_sets.selection import index_corpus
from hcat.core.errors import HcatError
from hcat.core.models.cache import MemoryEmbeddings
from hcat.core.models.encoder.encoder import load_encoder
from hcat.core.models.llm.endpoint import Limits, OpenAILanguage
from hcat.core.models.nli.loading import load_entailment
from hcat.core.records import test_case
from hcat.core.records.passages import CorpusPassage, passages_jsonl
from hcat.core.records.test_case import TestCase
from hcat.core.settings import settings
from hcat.dashboard.cli import app
from tests.core.models.llm.instruct import instruct_model
from tests.core.models.llm.scripted import Answer, Asked, Endpoint, Raw, endpoint

PASSAGES = (
    CorpusPassage("fee", "The Classic account costs EUR 4.50 a month. Statements on paper are extra.", "tariff"),
    CorpusPassage("card", "A lost card is replaced within 5 working days. The replacement is free.", "cards"),
    CorpusPassage("loan", "Personal loans run from 12 to 84 months. The rate is fixed for the whole term.", "loans"),
)
FEE = TestCase(
    "fee-1",
    "How much does the Classic account cost a month?",
    reference="The Classic account costs EUR 4.50 a month.",
    passages=("fee",),
)
CARD = TestCase(
    "card-1",
    "Is a lost card not replaced within 5 working days?",
    reference="Yes.",
    passages=("card",),
    type="yes/no",
)
ABROAD = TestCase("abroad-1", "For international transfers, do you charge EUR 15 for the exchange?", reference="Yes.")
GOOD = "What is the price of the Classic account for a month?"
PARAPHRASE, TRANSLATION = FAMILIES["model paraphrase"], FAMILIES["model translation"]


@pytest.fixture
def scripted() -> Iterator[Endpoint]:
    with endpoint() as running:
        yield running


def writer(scripted: Endpoint, *, with_corpus: bool = False, languages: tuple[str, ...] = ("German",)) -> ModelWriter:
    model = OpenAILanguage(name="tiny", base_url=scripted.url, limits=Limits(attempts=1, backoff=0.0, parallel=2))
    if not with_corpus:
        return ModelWriter(model, load_encoder(), languages=languages)
    index = index_corpus(PASSAGES, encoder=load_encoder(), store=MemoryEmbeddings())
    return ModelWriter(model, index.encoder, index, load_entailment(), languages)


def reworded(scripted: Endpoint, case: TestCase, *texts: str, with_corpus: bool = False) -> Perturbed:
    scripted.answer = lambda asked: {"questions": [*texts]}
    return perturb([case], [PARAPHRASE], [0.5], seed=1, writer=writer(scripted, with_corpus=with_corpus))


def test_the_first_good_wording_is_taken_through_the_selection(scripted: Endpoint) -> None:
    made = reworded(scripted, FEE, "How much is EUR 5?", FEE.query.upper(), GOOD, with_corpus=True)
    [variant] = made.variants
    assert (variant.query, variant.reference, variant.passages) == (GOOD, FEE.reference, FEE.passages)
    assert variant.id == "fee-1~model-paraphrase"
    assert variant.variant is not None
    assert (variant.variant.of, variant.expectation) == ("fee-1", "stay")
    assert variant.metadata["written_by"] == "tiny, paraphrase_query v1"
    assert variant.dimensions["wording"] == "partly copied"
    assert variant.overlap is not None
    assert 0 < variant.overlap < 1
    asked = scripted.asked[0]
    assert asked.data["question"] == FEE.query
    assert {"Classic", "month"} <= set(asked.data["keep"])
    assert asked.body["response_format"]["json_schema"]["schema"]["properties"]["questions"]["minItems"] == 3


@pytest.mark.parametrize(
    ("case", "text", "problem"),
    [
        (FEE, "How much does the Basic account cost a month?", "changed a name or a unit"),
        (FEE, "How much does the Classic account cost a year?", "changed a name or a unit"),
        (FEE, "How much does the Classic account cost for 1 month?", "changed a number"),
        (FEE, "How much do you pay a month for the Classic account in Spain?", "added a number, a name or a unit"),
        (FEE, "How much does the Classic account cost, a month?", "the same words again"),
        (FEE, "How tall is the Classic oak after a month?", "asks something else"),
        (CARD, "Will you replace a lost card within 5 working days?", "changed a negation"),
        (CARD, "Is a lost card not replaced within 3 working days?", "changed a number"),
        (CARD, "When is a lost card not replaced within 5 working days?", "no longer answered by yes or no"),
        (ABROAD, "Do you charge EUR 15 for the exchange?", "dropped what the query is about"),
    ],
)
def test_what_changes_the_meaning_is_dropped_with_its_reason(
    scripted: Endpoint, case: TestCase, text: str, problem: str
) -> None:
    made = reworded(scripted, case, text, f"{text} ", f" {text}")
    assert made.variants == ()
    assert [each.reason for each in made.unchanged] == [f"language model: {problem}"]


def test_an_article_before_a_unit_may_go(scripted: Endpoint) -> None:
    [variant] = reworded(scripted, FEE, *3 * ["How much is the Classic account per month?"]).variants
    assert variant.query == "How much is the Classic account per month?"
    assert "a" not in scripted.asked[0].data["keep"]


def test_a_wording_that_no_longer_finds_its_passage_is_dropped(scripted: Endpoint) -> None:
    elsewhere = FEE.passages[0]
    lost = TestCase("x", FEE.query, reference="It costs EUR 99.", passages=(elsewhere,))
    made = reworded(scripted, lost, GOOD, GOOD, GOOD, with_corpus=True)
    assert [each.reason for each in made.unchanged] == ["language model: answer not in its passage"]


def test_an_offered_option_stays(scripted: Endpoint) -> None:
    options = ("free of charge", "with a deposit", "by post", "never")
    query = "How is a lost card replaced: free of charge, with a deposit, by post or never?"
    case = TestCase("c", query, reference="free of charge", type="multiple choice", options=options)
    text = "In what way is a card that was lost replaced: free of charge, with some money, by post or never?"
    made = reworded(scripted, case, text, text, text)
    assert made.unchanged[0].reason == "language model: changed an option"


def translated(scripted: Endpoint, case: TestCase, there: str, back: str) -> Perturbed:
    def answer(asked: Asked) -> Answer:
        assert asked.prompt == "translate_query"
        return {"translation": back if asked.data["into"] == "English" else there}

    scripted.answer = answer
    return perturb([case], [TRANSLATION], [0.5], seed=1, writer=writer(scripted))


def test_a_translation_is_proved_by_its_translation_back(scripted: Endpoint) -> None:
    german = "Wie viel kostet das Classic Konto im Monat?"
    [variant] = translated(scripted, FEE, german, "How much is the Classic account a month?").variants
    assert variant.query == f"{german} {LANGUAGES['German']}"
    assert variant.metadata["language"] == "German"
    assert variant.metadata["translated_back"] == "How much is the Classic account a month?"
    assert scripted.asked[0].data == {"question": FEE.query, "into": "German", "keep": ["Classic"]}
    assert scripted.asked[1].data == {"question": german, "into": "English", "keep": []}


@pytest.mark.parametrize(
    ("there", "back", "problem"),
    [
        (FEE.query, FEE.query, "not in German"),
        ("Combien coûte le compte Classic par mois et par les clients ?", FEE.query, "not in German"),
        ("Wie viel kostet das klassische Konto im Monat?", FEE.query, "changed a name or a unit"),
        ("Wie viel kostet das Classic Konto in 2 Monaten?", FEE.query, "changed a number"),
        ("Was kostet das Classic Konto im Jahr?", "What does the Classic account cost a year?",
         "changed a name or a unit (seen in its translation back)"),
    ],
)  # fmt: skip
def test_a_translation_that_lost_something_is_dropped(scripted: Endpoint, there: str, back: str, problem: str) -> None:
    made = translated(scripted, FEE, there, back)
    assert made.variants == ()
    assert [each.reason for each in made.unchanged] == [f"language model: {problem}"]


def test_an_endpoint_that_fails_is_said(scripted: Endpoint) -> None:
    scripted.answer = lambda asked: Raw(500, "no")
    for family in (PARAPHRASE, TRANSLATION):
        made = perturb([FEE], [family], [0.5], seed=1, writer=writer(scripted))
        assert made.unchanged[0].reason == "language model: the endpoint answered HTTP 500"


def test_without_a_model_they_are_refused_and_no_part_of_all() -> None:
    with pytest.raises(HcatError, match="model paraphrase is written by a language model"):
        perturb([FEE], [PARAPHRASE], [0.5], seed=1)
    assert not any(family.by_model for family in chosen_families(["all", "input variation"]))
    assert chosen_families(["model-paraphrase"]) == (PARAPHRASE,)


def test_the_command_line_writes_them_beside_those_by_rule(
    scripted: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    settings.cache_clear()
    tests, corpus, output = (tmp_path / name for name in ("t.jsonl", "c.jsonl", "v.jsonl"))
    tests.write_text(test_case.test_cases_jsonl([FEE]), "utf-8")
    corpus.write_text(passages_jsonl(PASSAGES), "utf-8")
    scripted.answer = lambda asked: {"questions": [GOOD, GOOD, GOOD]}
    line = ["perturb", str(tests), "--corpus", str(corpus), "-o", str(output), "--family", "filler,model paraphrase"]
    result = CliRunner().invoke(app, [*line, "--endpoint", scripted.url, "--model", "tiny", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [row["variants"] for row in document["families"]] == [1, 1]
    assert document["settings"]["writer"]["generator"] == "tiny"
    assert document["settings"]["writer"]["selection"] is True
    assert "prompts" in document["settings"]["writer"]
    assert GOOD in output.read_text("utf-8")
    refused = CliRunner().invoke(app, [*line, "--language", "Klingon"])
    assert "no translations into 'Klingon'" in str(refused.exception)
    refused = CliRunner().invoke(app, line)
    assert "is written by a language model" in str(refused.exception)


@pytest.mark.llm
def test_a_real_model_words_queries_otherwise() -> None:
    model = instruct_model(requests=3, tokens=200)  # three wordings; a translation there and back
    by_model = ModelWriter(model, load_encoder(), languages=("German",))
    made = perturb([FEE], [PARAPHRASE, TRANSLATION], [1.0], seed=1, writer=by_model)
    print([case.query for case in made.variants], [each.reason for each in made.unchanged])
    assert len(made.variants) + len(made.unchanged) == 2
    assert not any("no connection" in each.reason or "no answer" in each.reason for each in made.unchanged)
