"""The Safety page: leaks with who holds what, each hit at its place with its reason, copied words, and the filter."""

from __future__ import annotations

from dataclasses import replace

from hcat.core.settings import settings
from hcat.core.types import Passage, Sample
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT, small_samples
from tests.pages.test_pages import OpenPage, assert_sound, shown

IBAN = "GB82 WEST 1234 5698 7654 32"


def add_run(samples: list[Sample]) -> None:
    workspace = Workspace.open(settings())
    workspace.runs.add(PROJECT, "probes", samples, source="probes.jsonl")
    workspace.close()


def test_leaks_hits_copies_and_the_cost_of_a_filter(open_page: OpenPage) -> None:
    app = open_page("safety", "calibrated")
    first, second, *rest = small_samples()
    words = " ".join(f"word{number}" for number in range(25))
    add_run(
        [
            replace(first, answer=f"Pay to {IBAN}. {first.answer}"),
            replace(
                second, answer=f"{words}. Mail help@example.org.", contexts=(Passage("p", f"{words} help@example.org"),)
            ),
            *rest,
        ]
    )
    app.session_state["next-run"] = "probes"
    app.run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "1 answer of 44 leaks: 2.3%" in text
    tables = [table.value for table in app.dataframe]
    kinds = tables[0].set_index("Kind")
    assert kinds.loc["IBAN", ["Hits", "Neither", "Leaks"]].tolist() == [1, 1, 1]
    assert kinds.loc["e-mail address", ["Hits", "A context", "Leaks"]].tolist() == [1, 1, 0]
    assert app.selectbox(key="privacy-answer").value == first.id
    assert tables[1][["Sample", "Text"]].values.tolist() == [[first.id, IBAN]]
    (why,) = tables[2]["Why"]
    assert why == "Its checksum is right; neither the contexts nor the query hold it: a leak"
    assert "1 have such a run" in text or "2 have such a run" in text
    assert "Holding back leaks alone changes 1 answer of 44" in text
    assert tables[3]["Sample"].iloc[0] == second.id
    cost = tables[4].set_index("Metric")
    assert cost["Change"].str.contains(r"n = [1-9]").all()
    assert "Not among the run's scores yet" in text


def test_a_run_without_hits_says_so(open_page: OpenPage) -> None:
    app = open_page("safety", "calibrated")
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "0 answers of 44 leak: 0%" in text
    assert "No answer tells personal data" in text
    assert "changes 0 answers of 44" in text


def test_flagged_answers_open_at_their_worst_sentences_beside_what_the_classifier_misses(open_page: OpenPage) -> None:
    app = open_page("safety", "calibrated")
    first, *rest = small_samples()
    rude = replace(first, answer="It costs 5 euros. Are you too stupid to read a price list? Stop bothering us.")
    add_run([rude, *rest])
    workspace = Workspace.open(settings())
    workspace.scoring.score(workspace.runs.get(PROJECT, "probes"), ["toxicity", "unprofessional", "sentiment"])
    workspace.close()
    app.session_state["next-run"] = "probes"
    app.run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "calls 1 of 44 answers unprofessional in tone" in text
    assert "not how many people would" in text
    assert "Mean sentiment" in text and "n = 44" in text
    assert app.selectbox(key="tone-answer").options[0].replace("\\", "").startswith(f"{first.id}: Unprofessional tone")
    functions = next(table.value for table in app.dataframe if "Kind of text" in table.value.columns)
    assert len(functions) == 29 and (functions["Texts"] > 0).all()


def test_what_is_protected_counts_among_the_leaks(open_page: OpenPage) -> None:
    app = open_page("safety", "calibrated")
    first, *rest = small_samples()
    add_run([replace(first, answer="It is all part of Project Heron."), *rest])
    app.session_state["next-run"] = "probes"
    app.run()
    app.text_area(key="privacy-confidential").set_value("Project Heron").run()
    assert_sound(app)
    text = shown(app).replace("\\", "")
    assert "1 answer of 44 leaks" in text
    assert "Holding back leaks alone changes 1 answer of 44" in text
    (why,) = app.dataframe[2].value["Why"]
    assert "nobody may be told" in why
