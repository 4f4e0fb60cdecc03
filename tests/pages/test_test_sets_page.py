"""The Test sets page: generated or uploaded, reviewed case by case, frozen, compared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from hcat.core.capabilities.corpus.corpus_import import CorpusImport, corpus_of_documents
from hcat.core.capabilities.test_sets.review import review_order
from hcat.core.capabilities.test_sets.services.generation import GenerationRequest
from hcat.core.jobs.processes import this_worker
from hcat.core.project.jobs import request_of
from hcat.core.records import test_case
from hcat.core.records.documents import Document
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.records.test_set import TestSetInfo
from hcat.core.settings import ROOT, settings
from hcat.core.types import JsonValue
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from tests.core.models.llm.scripted import endpoint
from tests.pages.conftest import OpenPage
from tests.pages.small_project import PROJECT
from tests.pages.test_pages import assert_sound, press, shown

TEXT = "The Gold card costs 60 euros a year.\n\nLost cards are blocked at once. They cost [nothing](http://x)."
WHY = "all 2 passages gave no further case"
ACCOUNT: dict[str, JsonValue] = {
    "asked": 8, "made": 6, "candidates": 9, "spare": 1, "dropped": {"near-duplicate": 2},
    "types": [{"type": "open", "asked": 8, "made": 6, "candidates": 9, "dropped": 2}],
    "strata": [{"levels": ["a.md"], "asked": 8, "made": 6, "passages": 2, "why": WHY}],
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs wait until the test does them."""
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("test_sets", "no run")


@pytest.fixture
def workspace(page: AppTest) -> Iterator[Workspace]:
    with Workspace.open(settings()) as opened:
        yield opened


def add_test_set(workspace: Workspace) -> TestSetInfo:
    """Six cases over a corpus of one document."""
    document = Document("a.md", TEXT)
    passages = (CorpusPassage("a.md#1", TEXT, "a.md", heading=("Cards",), end=len(TEXT)),)
    imported = CorpusImport(passages, (document,), source="a.md")
    corpus = workspace.corpora.add(PROJECT, "handbook", imported)
    passage = imported.passages[0].id
    cases = [
        TestCase(f"c{k}", f"What does card {k} *cost*?", "60 euros", (passage,), generator="rule: secret",
                 key_fact="The Gold card costs 60 euros a year.") for k in range(5)
    ]  # fmt: skip
    cases.append(TestCase("none", "What does the Platinum card cost?", None, nearest=(passage,), type="unanswerable"))
    return workspace.test_sets.add(PROJECT, "fees", cases, source="a test", corpus=corpus, account=ACCOUNT)


def reviewing(app: AppTest, name: str = "Ann") -> AppTest:
    app.run()
    app.text_input(key="annotator-name").input(name)
    return press(app, "Begin")


def view(app: AppTest, name: str) -> AppTest:
    return app.segmented_control(key="test-set-view").set_value(name).run()


def test_a_file_is_uploaded_and_shown(page: AppTest, workspace: Workspace) -> None:
    cases = (TestCase("a", "What does it say in § 5?", "No."), TestCase("b", "Why?", None, type="unanswerable"))
    content = test_case.test_cases_jsonl(cases).encode()
    page.file_uploader[0].upload("mine.jsonl", content, "application/jsonl").run()
    press(page, "Store the test set")
    assert_sound(page)
    [stored] = workspace.test_sets.all(PROJECT)
    assert (stored.name, workspace.test_sets.cases(stored)) == ("mine", cases)
    view(page, "Asked and made")
    assert "was not generated here" in shown(page)
    view(page, "Cases")
    assert page.dataframe[0].value["Answer"].tolist() == ["No.", "(to decline)"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"query\n", b'{"query": "a"}\n{"query": "a"}'])
def test_a_broken_file_is_one_message_and_nothing_is_stored(
    page: AppTest, workspace: Workspace, content: bytes
) -> None:
    page.file_uploader[0].upload("bad.jsonl", content, "application/jsonl").run()
    assert not page.exception
    assert "Nothing was stored" in page.error[0].value
    assert workspace.test_sets.all(PROJECT) == []


def test_a_case_is_accepted_edited_rejected_and_undone(page: AppTest, workspace: Workspace) -> None:
    made = add_test_set(workspace)
    order = review_order(workspace.test_sets.cases(made), content_hash=made.content_hash, reviewer="Ann")
    app = reviewing(page)
    assert_sound(app)
    assert "0 of 6 cases reviewed" in shown(app)
    assert "secret" not in shown(app)
    app.button(key="review-accept").click().run()
    app.button(key="review-reject").click().run()
    assert "Why is it rejected" in shown(app)
    app.button(key="review-because-1").click().run()
    app.button(key="review-edit").click().run()
    third = order[2]
    app.text_area(key=f"review-query-{third}").input("What does a card cost?").run()
    app.button(key="review-save").click().run()
    assert_sound(app)
    log = workspace.test_sets.decisions(made)
    assert [(entry.case_id, entry.decision, entry.reviewer) for entry in log] == [
        (order[0], "accept", "Ann"), (order[1], "reject", "Ann"), (order[2], "edit", "Ann")
    ]  # fmt: skip
    assert log[1].reason
    assert log[2].edited is not None
    assert log[2].edited["query"] == "What does a card cost?"
    assert "3 of 6 cases reviewed" in shown(app)
    app.button(key="review-undo").click().run()
    assert "2 of 6 cases reviewed" in shown(app)
    rates = next(table.value for table in app.dataframe if "Accepted as it is" in table.value.columns)
    assert rates["Accepted as it is"].tolist()[0].startswith("50.0% [")
    assert rates["Reviewed"].tolist()[0] == "2 of 6"


def test_the_answer_is_marked_in_its_passage_and_users_text_is_no_markdown(page: AppTest, workspace: Workspace) -> None:
    made = add_test_set(workspace)
    app = reviewing(page)
    order = review_order(workspace.test_sets.cases(made), content_hash=made.content_hash, reviewer="Ann")
    lines = [each.value for each in app.markdown]
    marked = [line for line in lines if ":green-background[" in line]
    assert bool(marked) == (order[0] != "none")
    assert not any("*cost*" in line.replace("\\*", "") for line in lines)
    assert not any("](http" in line for line in lines)


def test_two_reviewers_meet_on_one_case(page: AppTest, workspace: Workspace) -> None:
    made = add_test_set(workspace)
    app = reviewing(page)
    cases = {case.id: case for case in workspace.test_sets.cases(made)}
    first = review_order(tuple(cases.values()), content_hash=made.content_hash, reviewer="Ann")[0]
    workspace.test_sets.decide(made, cases[first], "accept", reviewer="Bob")
    app.button(key="review-accept").click().run()
    assert_sound(app)
    assert "somebody else decided" in app.warning[0].value
    assert len(workspace.test_sets.decisions(made)) == 1


def test_a_version_is_frozen_with_a_choice_and_compared(page: AppTest, workspace: Workspace) -> None:
    made = add_test_set(workspace)
    app = reviewing(page)
    app.button(key="review-accept").click().run()
    view(app, "Versions")
    assert "Choose what becomes of the unreviewed cases" in shown(app)
    app.radio(key=f"freeze-unreviewed-{made.id}").set_value("left out").run()
    press(app, "Freeze 1 case")
    assert_sound(app)
    frozen = workspace.test_sets.version(PROJECT, "fees")
    assert (frozen.version, frozen.frozen, frozen.n_cases, frozen.actor) == (2, True, 1, "Ann")
    assert "frozen" in shown(app)
    view(app, "Versions")
    assert "0 cases added, 5 gone, 0 changed, 1 the same" in shown(app)
    press(app, "Open version 2 for review again, as version 3")
    assert_sound(app)
    assert workspace.test_sets.version(PROJECT, "fees").version == 3
    view(app, "Asked and made")
    assert "was not generated here" in shown(app)


def test_what_was_asked_made_and_dropped_is_shown(page: AppTest, workspace: Workspace) -> None:
    add_test_set(workspace)
    app = view(page.run(), "Asked and made")
    assert_sound(app)
    assert WHY in app.dataframe[0].value["Why"].tolist()
    assert {"Candidates", "Because"} <= {column for table in app.dataframe for column in table.value.columns}


def test_cases_that_other_strata_gave_and_passages_left_out_are_shown(page: AppTest, workspace: Workspace) -> None:
    made = add_test_set(workspace)
    account: dict[str, JsonValue] = {**ACCOUNT, "asked": 6, "left_out": 14}
    workspace.test_sets.add(PROJECT, "again", workspace.test_sets.cases(made), source="a test", account=account)
    app = page.run()
    app.selectbox(key="test-set").set_value("again").run()
    view(app, "Asked and made")
    assert_sound(app)
    assert "Some strata gave fewer test cases than their share" in shown(app)
    assert "Fewer test cases than asked" not in shown(app)
    assert "14 passages have fewer than 5 words and can't be tested" in shown(app)


def test_a_damaged_file_is_said(page: AppTest, workspace: Workspace) -> None:
    add_test_set(workspace)
    for path in (ROOT / workspace.store.artifacts.root / "cases").glob("*"):
        path.write_bytes(b"x")
    app = page.run()
    assert not app.exception
    assert "damaged" in app.error[0].value


def test_a_test_set_is_generated_as_a_job(page: AppTest, workspace: Workspace) -> None:
    handbook = (ROOT / "data" / "demo" / "handbook" / "02-cards.md").read_text("utf-8")
    from hcat.core.importers.documents import read_files, uploaded_files

    documents, _ = read_files(uploaded_files([("02-cards.md", handbook.encode())]))
    imported = corpus_of_documents(documents, (), words=120, overlap=0, source="cards")
    workspace.corpora.add(PROJECT, "handbook", imported)
    app = page.run()
    app.number_input(key="generate-n").set_value(4).run()
    app.multiselect(key="generate-by").set_value(["document"]).run()
    press(app, "Generate 4 test cases")
    assert "Generating the test set is running" in shown(app)
    [job] = workspace.jobs.all()
    assert run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).error is None
    app.run()
    assert_sound(app)
    [made] = workspace.test_sets.all(PROJECT)
    assert made.n_cases == 4
    assert made.account["asked"] == 4
    assert all(case.probability for case in workspace.test_sets.cases(made))


def test_a_design_by_weights_with_limits_is_what_was_typed(page: AppTest, workspace: Workspace) -> None:
    passages = tuple(CorpusPassage(f"{name}{k}", TEXT, f"{name}.md") for name in "ab" for k in range(3))
    workspace.corpora.add(PROJECT, "handbook", CorpusImport(passages))
    app = page.run()
    app.selectbox(key="generate-kind").set_value("weighted").run()
    assert "Find the topics of this corpus first" in shown(app)
    app.multiselect(key="generate-by").set_value(["document"]).run()
    assert_sound(app)
    assert app.dataframe[0].value[["Level", "Passages", "Weight"]].values.tolist() == [
        ["a.md", 3, 1.0],
        ["b.md", 3, 1.0],
    ]
    app.number_input(key="generate-n").set_value(4).run()
    app.number_input(key="generate-minimum").set_value(1).run()
    app.number_input(key="generate-per-passage").set_value(2).run()
    press(app, "Generate 4 test cases")
    [job] = workspace.jobs.all()
    request = request_of(job, GenerationRequest)
    assert (request.kind, request.minimum, request.per_passage) == ("weighted", 1, 2)
    assert request.weights == {"a.md": 1.0, "b.md": 1.0}


def test_a_generation_that_is_cancelled_leaves_nothing(page: AppTest, workspace: Workspace) -> None:
    add_test_set(workspace)
    app = page.run()
    app.text_input(key="generate-name-1").set_value("second").run()
    press(app, "Generate 200 test cases")
    [job] = workspace.jobs.all()
    workspace.jobs.cancel(job.id)
    run_job(workspace, job.id)
    assert workspace.jobs.get(job.id).status == "cancelled"
    assert [test_set.name for test_set in workspace.test_sets.all(PROJECT)] == ["fees"]


def test_variants_of_a_version_become_a_test_set(page: AppTest, workspace: Workspace) -> None:
    made = add_test_set(workspace)
    workspace.test_sets.freeze(made, unreviewed="included", actor="Ann")
    page.run()
    view(page, "Variants")
    assert "At most 24 variants of 6 cases" in shown(page)
    page.multiselect(key="variant-families").set_value(["spelling", "updated context"])
    page.multiselect(key="variant-strengths").set_value([0.2, 0.8]).run()
    press(page, "Make variants")
    assert_sound(page)
    variants = workspace.test_sets.version(PROJECT, "fees-variants")
    cases = workspace.test_sets.cases(variants)
    assert cases[:6] == workspace.test_sets.cases(made)
    assert {case.variant.family for case in cases[6:] if case.variant} == {"spelling", "updated context"}
    text = shown(page)
    assert "6 test cases of fees, version 2" in text and "Not made, and why" in text
    by_family, not_made = (table.value for table in page.dataframe[:2])
    assert by_family["Variants"].sum() == len(cases) - 6
    assert not_made["Variants not made"].sum() == by_family["Not made"].sum() > 0
    view(page, "Variants")
    assert "Further variants are made of the test set" in shown(page)
    assert "index the changed corpus" in shown(page)
    assert page.selectbox(key="variant-copy").options == ["updated-context-0.2", "updated-context-0.8"]
    app = reviewing(view(page, "Review"))
    while "Made from:" not in shown(app):
        app.button(key="review-accept").click().run()
    assert "after which the right answer" in shown(app)
    assert_sound(app)


def test_a_language_model_writes_variants_in_a_job(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(lambda asked: {"questions": [f"Please tell me: {asked.data['question']}"] * 3}) as scripted:
        monkeypatch.setenv("HCAT_LLM_BASE_URL", scripted.url)
        monkeypatch.setenv("HCAT_LLM_MODEL", "tiny")
        page = open_page("test_sets", "no run")
        with Workspace.open(settings()) as workspace:
            made = add_test_set(workspace)
            workspace.test_sets.freeze(made, unreviewed="included", actor="Ann")
            view(page.run(), "Variants")
            page.multiselect(key="variant-families").set_value(["model paraphrase"]).run()
            assert "is sent the queries and nothing else" in shown(page)
            press(page, "Make variants")
            assert_sound(page)
            [job] = workspace.jobs.all()
            assert (job.kind, job.actor) == ("perturb", "dashboard")
            assert run_job(workspace, job.id)
            assert workspace.jobs.get(job.id).status == "done"
            stored = workspace.test_sets.version(PROJECT, "fees-variants")
            assert stored.actor == "dashboard"
            assert stored.account["writer"]["generator"] == "tiny"  # type: ignore[index, call-overload]
            assert stored.n_cases > made.n_cases
