"""Pages on numbers open a run without decoding the texts of its samples, and others decode those that they show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from hcat.core.capabilities.samples.answers import answer_kinds, kinds_of_trials
from hcat.core.project.runs import Runs
from hcat.core.records.project import RunInfo
from hcat.core.settings import settings
from hcat.core.storage.sample_texts import PlainTexts
from hcat.core.storage.texts.sealed_form import SealedTexts
from hcat.core.types import Sample
from hcat.core.workspace import Workspace
from hcat.dashboard.components import sample_table
from tests.core.opened.counted_calls import calls_of
from tests.pages.small_project import PROJECT, small_samples
from tests.pages.test_fairness_page import answers
from tests.pages.test_pages import OpenPage, assert_sound
from tests.pages.test_retrieval_page import with_relevance
from tests.pages.test_robustness_page import variants

OPENERS = {"sealed": SealedTexts.texts, "plain": PlainTexts.texts}
"""What turns the stored texts of one sample into texts."""


@pytest.mark.parametrize(
    "page",
    [
        "overview",
        "metrics",
        "weaknesses",
        "estimates",
        "calibration",
        "policy",
        "trials",
        "robustness",
        "attacks",
        "risks",
    ],
)
def test_no_text_is_decoded_for_numbers(open_page: OpenPage, page: str) -> None:
    """Also where machines judged, whose verdicts may be outside their domain: `calibrated` has such scores."""
    with calls_of(**OPENERS) as counted:
        assert_sound(open_page(page, "calibrated"))
    assert counted == {}


@pytest.mark.parametrize("page", ["samples", "labelling", "agreement", "fairness"])
def test_other_pages_decode_each_sample_once_at_most(open_page: OpenPage, page: str) -> None:
    """The page Samples opens one besides, to show it, to explain its scores, and to tell what erasing takes."""
    with calls_of(**OPENERS) as counted:
        assert_sound(open_page(page, "calibrated"))
    assert counted.total() <= len(small_samples()) + 3 * (page == "samples")


def test_the_count_sees_a_page_that_shows_texts(open_page: OpenPage) -> None:
    with calls_of(**OPENERS) as counted:
        assert_sound(open_page("samples", "calibrated"))
    assert counted["sealed"] > 0


def added_run(name: str, samples: Sequence[Sample]) -> RunInfo:
    with Workspace.open(settings()) as workspace:
        run = workspace.runs.add(PROJECT, name, samples, source="x.jsonl")
        workspace.scoring.score(run, ["answer_length", "token_f1"])
        return run


@contextmanager
def texts_of(run: RunInfo) -> Iterator[set[str]]:
    """The samples of the run of which a page reads a text."""
    read: set[str] = set()
    taken, each, some = Runs.samples_at, Runs.each_sample, Runs.some

    def noted(samples: Iterable[Sample], of: RunInfo) -> Iterator[Sample]:
        for sample in samples:
            read.update([sample.id] * (of.id == run.id))
            yield sample

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Runs, "samples_at", lambda self, of, rows: noted(taken(self, of, rows), of))
        patch.setattr(Runs, "each_sample", lambda self, of: noted(each(self, of), of))
        patch.setattr(Runs, "some", lambda self, of, ids: {x.id: x for x in noted(some(self, of, ids).values(), of)})
        yield read


def open_on(open_page: OpenPage, page: str, samples: Sequence[Sample]) -> set[str]:
    """The samples whose texts are read where the page is opened on a run of these."""
    app = open_page(page, "unscored")
    run = added_run("of this test", samples)
    with texts_of(run) as read:
        app.session_state["next-run"] = run.name
        app.run()
    assert_sound(app)
    return read


def test_retrieval_reads_the_queries_that_it_shows(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_table, "MOST_ROWS", 5)
    read = open_on(open_page, "retrieval", with_relevance(candidates=True))
    assert 5 <= len(read) <= 6, "the part of the list that is shown, and samples that have a passage of its first row"


def test_trials_reads_answers_that_are_compared_and_one_question_of_each_case(open_page: OpenPage) -> None:
    cases = {"may": [0, 1], "also": [2, 3, 4]}
    samples = [
        replace(sample, test_case=next((case for case, own in cases.items() if number in own), None))
        for number, sample in enumerate(small_samples())
    ]
    open_on(open_page, "trials", samples)
    assert kinds_read(samples) == {sample.id for sample in samples[:5]}, "one that stands alone is of one kind unread"


def kinds_read(samples: Sequence[Sample]) -> set[str]:
    with Workspace.open(settings()) as workspace:
        run = next(run for run in workspace.runs.all(PROJECT) if run.name == "of this test")
        encoder, store = workspace.scoring.encoder_and_store()
        with texts_of(run) as read:
            opened = workspace.run_data.columns(run)
            kinds = kinds_of_trials(opened, encoder=encoder, store=store)
        assert kinds == answer_kinds(samples, encoder=encoder, store=store)
    return read


def test_robustness_reads_variants_and_their_origins(open_page: OpenPage) -> None:
    alone = [replace(sample, id=f"alone {sample.id}", query="q") for sample in small_samples()]
    read = open_on(open_page, "robustness", [*small_samples(), *variants(), *alone])
    assert read == {sample.id for sample in (*small_samples(), *variants())}


def test_fairness_reads_the_pairs_that_it_shows(open_page: OpenPage) -> None:
    app = open_page("fairness", "unscored")
    run = added_run("of this test", answers())
    app.session_state["next-run"] = run.name
    app.run()
    app.text_input(key="fairness-author").set_value("V. Lead")
    with texts_of(run) as read:
        next(button for button in app.button if button.label == "Set").click().run()
    assert_sound(app)
    assert app.dataframe and len(read) == 10, "five pairs"


def test_attacks_reads_the_answers_that_it_shows(open_page: OpenPage) -> None:
    asked = [
        Sample(f"{arm}{k}", f"Say {k}", "MARIGOLD-1", metadata={"attack": "override", "arm": arm, "detector": "canary",
               "marker": "MARIGOLD-1", "attack_seed": f"s{k}"})
        for arm in ("attack", "control") for k in range(20)
    ]  # fmt: skip
    read = open_on(open_page, "attacks", asked)
    assert read == {f"attack{k}" for k in (0, 1, 10, 11, 12)}, "five hits, by their ids"
