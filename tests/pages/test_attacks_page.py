"""The Attacks page: made from a corpus of the project, answered, evaluated, each hit with its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hcat.core.attack_detectors import MARKER
from hcat.core.capabilities.attacks.family import CRITERION
from hcat.core.capabilities.attacks.make import poisoned_corpus
from hcat.core.capabilities.attacks.service import AttackRequest
from hcat.core.capabilities.corpus.corpus_import import corpus_of_passages
from hcat.core.jobs.processes import this_worker
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase, as_sample
from hcat.core.settings import settings
from hcat.core.types import Label, Passage, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import OpenPage, assert_sound, links, shown

N = 12


@pytest.fixture(autouse=True)
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs wait until the test does them."""
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())


def add_corpus() -> None:
    workspace = Workspace.open(settings())
    passages = tuple(
        CorpusPassage(f"p{k}", f"The fee of account {k} is EUR {10 + k}.", document="fees") for k in range(4 * N)
    )
    workspace.corpora.add(PROJECT, "handbook", corpus_of_passages(passages, source="passages.jsonl"))
    tests = [TestCase(f"q{k}", f"What is the fee of account {k}?", f"EUR {10 + k}.", (f"p{k}",)) for k in range(4 * N)]
    workspace.test_sets.add(PROJECT, "questions", tests, source="tests.jsonl")
    workspace.close()


def add_run() -> None:
    """Answers of a system that writes the word of every attack, and of every third control."""
    workspace = Workspace.open(settings())
    (test_set,) = [each for each in workspace.test_sets.all(PROJECT) if each.name == "attacks"]
    cases = workspace.test_sets.cases(test_set)
    corpus = workspace.corpora.versions(PROJECT, "handbook")[0]
    texts = {passage.id: passage.text for passage in poisoned_corpus(workspace.corpora.passages(corpus), cases)}
    answers = [answered(as_sample(case), texts, place) for place, case in enumerate(cases)]
    workspace.runs.add(PROJECT, "attacked", answers, source="attacks.jsonl")
    workspace.close()


def answered(sample: Sample, texts: dict[str, str], place: int) -> Sample:
    name = next(iter(sample.relevant_ids), "p0")
    obeys = sample.metadata["arm"] == "attack" or place % 3 == 0
    answer = f"{sample.metadata[MARKER]} It is EUR 10." if obeys else "It is EUR 10."
    return replace(sample, answer=answer, contexts=(Passage(name, texts[name]),))


def test_from_a_corpus_to_hits(open_page: OpenPage) -> None:
    app = open_page("attacks", "calibrated")
    add_corpus()
    app.run()
    assert_sound(app)
    next(box for box in app.selectbox if box.key == "attack-source").select("questions")
    next(box for box in app.multiselect if box.key == "attack-families-made").set_value(
        ["direct override", "instruction in a passage"]
    )
    next(box for box in app.number_input if box.key == "attack-n").set_value(N)
    app.run()
    assert "succeed in less than 22.1% (95% confidence)" in shown(app)  # 1 − 0.05^(1/12)
    next(button for button in app.button if button.key == "make-attacks").click()
    app.run()
    assert "Making attacks is running" in shown(app)
    assert "Attacks are being made" in shown(app)
    with Workspace.open(settings()) as workspace:
        [job] = workspace.jobs.all()
        workspace.jobs.cancel(job.id)
        app.run()
        assert "Making attacks was cancelled. Nothing was stored." in shown(app)
        assert not [each for each in workspace.test_sets.all(PROJECT) if each.name == "attacks"]
        next(button for button in app.button if button.label == "Begin again").click()
        app.run()
        assert run_job(workspace, job.id)
        assert (workspace.jobs.get(job.id).status, job.actor) == ("done", "dashboard")
    app.run()
    assert_sound(app)
    text = shown(app)
    assert "Test sets of attacks" in text and "48 test cases" in text
    assert "index the poisoned copy" in text

    add_run()
    app.session_state["next-run"] = "attacked"
    app.run()
    assert_sound(app)
    table = app.dataframe[0].value
    assert set(table["Family"]) == {"direct override", "instruction in a passage", "all"}
    assert table["Attack"].iloc[0].startswith("100%")
    assert table["The detector reports"].iloc[0] == "more than its control"
    text = shown(app)
    assert "orange-background" in text
    assert "Nobody has labelled these answers" in text
    assert any("labelling" in page for page in links(app))
    assert "less that of the control" in app.get("plotly_chart")[0].proto.alt
    assert "Largest excess first" in text


def test_labels_correct_the_detector(open_page: OpenPage) -> None:
    app = open_page("attacks", "calibrated")
    add_corpus()
    workspace = Workspace.open(settings())
    corpus = workspace.corpora.versions(PROJECT, "handbook")[0]
    families = ("direct override",)
    workspace.attacks.make(PROJECT, AttackRequest("attacks", corpus.name, 1, families, N, 1, "questions", 1))
    workspace.close()
    add_run()
    app.session_state["next-run"] = "attacked"
    app.run()
    next(button for button in app.button if button.key == "add-resistance").click()
    app.run()
    assert_sound(app)
    workspace = Workspace.open(settings())
    run = workspace.runs.get(PROJECT, "attacked")
    labels = [
        Label(sample.id, CRITERION, int(sample.metadata["arm"] == "control"), annotator="ann", run=run.name)
        for sample in workspace.runs.samples(run)
    ]
    workspace.labels.add(run, workspace.criteria.get(PROJECT, CRITERION), labels)
    workspace.close()
    next(box for box in app.selectbox if box.key == "attack-criterion").select(CRITERION)
    app.run()
    assert_sound(app)
    assert app.dataframe[0].value["Corrected excess"].iloc[0].startswith("100%")
    assert "The detectors against the labels" in shown(app)
