"""What is said of runs that are not in English."""

from __future__ import annotations

from hcat.core.importers import read_run
from hcat.core.scoring.domain import LANGUAGE, kind_of_text
from hcat.core.scoring.languages import languages_of, not_validated_in
from hcat.core.types import Sample
from hcat.core.wording.importing import notes_on_file
from hcat.core.wording.languages import language_warning, languages_text, validation_note

GERMAN = Sample("d", "Wie hoch ist die Gebühr für das Konto?", "Dazu kann ich leider keine Angaben machen.")
ENGLISH = Sample("e", "What is the fee of the account?", "It is 4.50 euros a month.")
SHORT = Sample("s", "Fee?", "4.50")
RUN = [GERMAN, ENGLISH, ENGLISH, SHORT]


def test_languages_are_counted_and_said() -> None:
    counts = languages_of(RUN)
    assert counts == {"English": 2, "German": 1}
    assert languages_text(counts, 4) == "Language of query and answer: English 2, German 1; too short to tell: 1."
    assert language_warning(counts).startswith("1 sample in German: metrics that rest on a model")
    assert "English only (models of the scores: a, b)." in language_warning(counts, ("a", "b"))
    assert language_warning({"English": 4}) == languages_text({}, 3) == ""


def test_metrics_of_models_and_of_english_wording_are_marked() -> None:
    counts = languages_of(RUN)
    for metric in ("groundedness", "faithfulness", "refusal", "bertscore_f1"):
        assert validation_note(metric, counts) == "not validated in German (1 sample)"
    assert (
        validation_note("faithfulness", counts, ("my-nli",)) == "not validated in German (1 sample); scored with my-nli"
    )
    for metric in ("token_f1", "factual_numbers", "recall@8", "theirs"):
        assert not_validated_in(metric, counts) == {}
        assert validation_note(metric, counts) == ""


def test_it_is_said_before_an_import() -> None:
    rows = b'{"query": "Wie hoch ist der Zins?", "answer": "Der Zins ist nicht fest.", "contexts": ["a"]}\n'
    [languages, warning] = notes_on_file(read_run(rows, filename="x"))
    assert languages == "Note: Language of query and answer: German 1."
    assert "validated in English only" in warning


def test_machine_verdicts_are_withheld_from_short_texts_of_other_languages() -> None:
    assert kind_of_text(str(GERMAN.answer)) == LANGUAGE
    assert kind_of_text("账户的月费是多少？") == LANGUAGE
    assert kind_of_text("The fee is 4.50 euros.") is None
    assert kind_of_text("$1577.00") is None
