"""What the sample view draws of each family's explanation, and the tables beside it."""

from __future__ import annotations

from hcat.core.types import JsonValue, Passage, Sample
from hcat.dashboard.components.sample_view.blocks import blocks
from hcat.dashboard.components.sample_view.marks import marks
from hcat.dashboard.components.sample_view.tables import claim_counts, facts_table, list_table

SAMPLE = Sample(
    "s", "Which fee?", "It is 3 euros. It rose.", (Passage("p1", "The fee is 3 euros."), Passage("p2", "Nothing."))
)
MATCH: dict[str, JsonValue] = {"passage": "p1", "text": "The fee is 3 euros.", "start": 0, "end": 19}


def segments(explanation: dict[str, JsonValue] | None, role: str) -> list[dict[str, JsonValue]]:
    [block] = [block for block in blocks(SAMPLE, explanation, dark=False) if block["role"] == role]
    return [segment for text in block["texts"] for segment in text["segments"]]


def claim(text: str, supported: bool | None, **more: JsonValue) -> dict[str, JsonValue]:
    start = SAMPLE.answer.index(text) if SAMPLE.answer and text in SAMPLE.answer else None
    end = None if start is None else start + len(text)
    return {"text": text, "start": start, "end": end, "supported": supported, **more}


def test_claims_are_marked_with_their_verdict_and_linked_to_what_decided() -> None:
    found: dict[str, JsonValue] = {
        "part": "answer",
        "against": "contexts",
        "claims": [
            claim("It is 3 euros.", True, D=1.5, score=0.82, match=MATCH, premise={"text": "The fee", "sentences": []}),
            claim("It rose.", None, reason="timed out"),
            claim("worded by a model", False),
        ],
    }
    first, gap, second = segments(found, "answer")
    assert (first["text"], first["score"], first["flag"], first["best"]) == (
        "It is 3 euros.",
        "✓",
        False,
        "contexts/p1/0",
    )
    assert gap == {"text": " "}
    assert (second["score"], second["color"], second["flag"]) == ("?", None, False)
    assert second["note"] == "no verdict by the contexts: timed out"
    assert [segment.get("id") for segment in segments(found, "contexts")] == ["contexts/p1/0", None]
    table = list_table(found, "claims")
    assert table["Verdict"].tolist() == ["supported", "no verdict", "not supported"]
    assert table["Premise"].tolist()[0] == "The fee"


def test_facts_stand_under_their_claim_and_what_was_compared_in_its_place_beside_it() -> None:
    fact: dict[str, JsonValue] = {"text": "It is 3 euros.", "supported": True, "verdict": "supported"}
    row = claim("It is 3 euros.", False, verdict="partly supported", facts=[fact, {**fact, "supported": False}])
    row["hypothesis"] = {"text": "The fee is 3 euros.", "note": "stated with the query's words"}
    explanation: dict[str, JsonValue] = {"part": "answer", "against": "contexts", "claims": [row]}
    table = list_table(explanation, "claims")
    assert table["Text"].tolist() == ["It is 3 euros.", "↳ It is 3 euros.", "↳ It is 3 euros."]
    assert table["Verdict"].tolist()[:2] == ["partly supported", "supported"]
    assert table["Compared as"].tolist()[0] == "The fee is 3 euros."
    assert segments(explanation, "answer")[0]["note"] == "partly supported by the contexts"


def test_a_context_says_how_many_claims_it_supports_in_part() -> None:
    context: dict[str, JsonValue] = {"supported": 1, "partly_supported": 1, "claims": [{"text": "a"}, {"text": "b"}]}
    table = list_table({"contexts": [context]}, "contexts")
    assert table.iloc[0].to_dict()["Verdict"] == "supports 1 of 2 claims, 1 in part"


def test_doubtful_numbers_are_flagged_with_the_reading_that_would_fit() -> None:
    row: dict[str, JsonValue] = {"text": "3", "start": 6, "end": 7, "kind": "number", "value": 3.0}
    match: dict[str, JsonValue] = {"passage": "p1", "text": "3", "start": 11, "end": 12}
    doubtful = {**row, "verdict": "doubtful", "reading": "same size, opposite sign", "match": match, "notes": []}
    found: dict[str, JsonValue] = {"part": "answer", "against": "contexts", "numbers": [doubtful]}
    marked = next(segment for segment in segments(found, "answer") if "id" in segment)
    assert (marked["text"], marked["score"], marked["flag"]) == ("3", "?", True)
    assert marked["note"] == "doubtful: same size, opposite sign"
    assert list_table(found, "numbers")["Doubtful because"].tolist() == ["same size, opposite sign"]


def test_a_number_that_may_be_said_of_another_thing_is_flagged_with_the_nearer_sentence() -> None:
    row: dict[str, JsonValue] = {"text": "3", "start": 6, "end": 7, "kind": "number", "value": 3.0, "verdict": "found"}
    nearer: dict[str, JsonValue] = {"passage": "p1", "text": "The fee is 4.", "start": 0, "end": 13}
    found: dict[str, JsonValue] = {"part": "answer", "against": "contexts", "numbers": [{**row, "nearer": nearer}]}
    [mark] = marks(found)
    assert (mark.tone, mark.flagged, mark.note) == (1.0, True, "found, but nearer by its words is: The fee is 4.")
    assert list_table(found, "numbers")["Nearer by its words"].tolist() == ["The fee is 4."]


def test_numbers_are_marked_where_they_stand() -> None:
    row: dict[str, JsonValue] = {"text": "3", "start": 6, "end": 7, "kind": "number", "value": 3.0}
    near = {"passage": "p1", "text": "4", "start": 0, "end": 1, "difference": 0.25}
    found: dict[str, JsonValue] = {
        "part": "answer",
        "against": "contexts",
        "distinct": 1,
        "found": 0,
        "not_found": ["3"],
        "numbers": [{**row, "verdict": "not found", "nearest": {**near}}],
    }
    [mark] = marks(found)
    assert (mark.spot.id, mark.tone, mark.flagged) == ("answer//6", 0.0, True)
    assert "".join(str(segment["text"]) for segment in segments(found, "answer")) == SAMPLE.answer
    table = list_table(found, "numbers")
    assert table[["Verdict", "Nearest candidate", "Difference", "In passage"]].to_numpy().tolist() == [
        ["not found", "4", 0.25, "p1"]
    ]
    assert dict(facts_table(found).to_numpy()) == {"distinct": "1", "found": "0", "not found": "3"}


def test_a_judged_stretch_takes_the_place_of_a_match_that_overlaps_it() -> None:
    sample = Sample("s", "q", "One. Two.", reference="One and two.")
    found: dict[str, JsonValue] = {
        "answer_claims": [
            {"text": "One.", "start": 0, "end": 4, "supported": True, "match": {"text": "x", "start": 0, "end": 12}}
        ],
        "reference_claims": [{"text": "two.", "start": 8, "end": 12, "supported": False}],
    }
    query = blocks(sample, found, dark=True)[0]
    reference = query["texts"][1]["segments"]
    assert "".join(segment["text"] for segment in reference) == "One and two."
    answer = blocks(sample, found, dark=True)[2]["texts"][0]["segments"]
    assert answer[0]["best"] == "reference//8"


def test_sentences_tell_what_their_score_measures() -> None:
    row: dict[str, JsonValue] = {"text": "It rose.", "start": 15, "end": 23, "score": 0.2}
    found: dict[str, JsonValue] = {
        "part": "answer",
        "against": "contexts",
        "measure": "σ(D), the entailment score",
        "sentences": [{**row, "D": -1.4, "supported": False}],
        "flagged": [0],
    }
    [mark] = marks(found)
    assert (mark.note, mark.flagged, mark.match) == ("σ(D), the entailment score: 0.200", True, None)
    assert list_table(found, "sentences").loc[0, ["Score", "Distance D", "Verdict"]].tolist() == [
        0.2,
        -1.4,
        "not supported",
    ]


def test_correctness_counts_and_contexts_and_questions_are_tables() -> None:
    assert claim_counts({"num_tp": 2, "num_fp": 1, "num_fn": 0}) == {"TP": 2, "FP": 1, "FN": 0}
    contexts: dict[str, JsonValue] = {
        "judged": "reference",
        "contexts": [{"rank": 1, "passage": "p1", "relevant": True, "precision": 1.0, "supported": 1, "claims": [{}]}],
    }
    table = list_table(contexts, "contexts")
    assert table.loc[0, "Verdict"] == "supports 1 of 1 claims"
    assert table.loc[0, "Relevant"] == "yes"
    questions: dict[str, JsonValue] = {"questions": [{"text": "Why?", "cosine": 0.9, "embedding": [0.1]}]}
    assert list_table(questions, "questions").to_dict("records") == [{"Text": "Why?", "Cosine": 0.9}]


def test_the_blind_view_marks_nothing() -> None:
    assert all(set(segment) == {"text"} for role in ("query", "contexts", "answer") for segment in segments(None, role))
