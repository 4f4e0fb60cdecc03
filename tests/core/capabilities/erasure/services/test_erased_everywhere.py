"""After all that a project can do with a text, erasing it leaves it nowhere: no row, file, report or pack holds it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pyarrow.parquet as pq
import pytest

from hcat.core.capabilities.erasure.wording import traces_text
from hcat.core.capabilities.evidence.pack import make_pack
from hcat.core.capabilities.judges.funnel import FUNNEL
from hcat.core.capabilities.judges.services.judges import JudgeRequest
from hcat.core.capabilities.judges.services.pair_judgements import PairRequest
from hcat.core.capabilities.judges.services.rubric_gains import RubricRequest
from hcat.core.labelling.queue import QueueRules
from hcat.core.models.llm.language import Reply, Request, Usage
from hcat.core.project.installation.store_checks import check_store
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.storage.audit.digests import all_rows
from hcat.core.storage.tables.row import Row
from hcat.core.storage.texts.sealed_files import SEALED
from hcat.core.types import Criterion, Label, Sample, Slice
from hcat.core.workspace import Workspace
from tests.core.capabilities.evidence.packed import KEY
from tests.core.storage.conftest import database_url  # noqa: F401  both databases, as the storage tests have
from tests.core.storage.made_stores import MadeStores
from tests.pages.conftest import word_models

SECRET = "quillfeather"
"""Stands in the texts of twelve samples, and in nothing else."""
CRITERION = Criterion("correctness")
N, NAMED = 48, 12


class Quoting:
    """A language model that gives every answer the best grade, and quotes what it was asked about."""

    name, revision, parallel, settings = "model", "0", 1, MappingProxyType({"seed": 7})

    def ask(self, request: Request) -> Reply:
        said = f"It says: {json.dumps(dict(request.data))[:400]}"
        properties = request.schema["properties"]
        assert isinstance(properties, dict)
        if "better" in properties:
            return Reply({"reason": said, "better": "first"}, Usage(calls=1))
        return Reply({name: {"reason": said, "score": 4} for name in properties}, Usage(calls=1))


def samples(*, end: str = "") -> list[Sample]:
    def sample(k: int) -> Sample:
        about = (
            "the passport of Xanthippe Quillfeather" if k < NAMED else "opening an account, which fee is due in a month"
        )
        return Sample(
            f"q{k}",
            f"What about {about}, number {k}?",
            f"For {about} see page {k} of the book{end}.",
            reference=f"See page {k}.",
            dimensions={"area": "ab"[k % 2]},
        )

    return [sample(k) for k in range(N)]


def add_all(workspace: Workspace) -> None:
    """All that reads texts, done once."""
    project = workspace.projects.create("bank")
    workspace.criteria.add(project, CRITERION)
    run = workspace.runs.add(project, "v1", samples(), source="x")
    other = workspace.runs.add(project, "v2", samples(end=" a year"), source="x")
    for each in (run, other):
        workspace.scoring.score(each, ["token_f1", "answer_length"])
        levels = [Label(f"q{k}", "correctness", int(k % 3 > 0), "ann", rationale="wrong fee") for k in range(0, N, 2)]
        workspace.labels.add(each, CRITERION, levels)
    workspace.topics.find(run)
    workspace.topics.find(run)
    workspace.queues.plan(
        *(run, CRITERION), planned=N // 2, rules=QueueRules(overlap=1), kind="stratified", dimension="topic"
    )
    topic = title_of(workspace, run)
    scores = {f"q{k}": 0.0 for k in range(NAMED)}
    selection = workspace.findings.freeze(
        run, f"topic = {topic}", metric="token_f1", scores=scores, filter={"topic": topic}, statistics={"level": topic}
    )
    workspace.findings.confirm(
        *(run, f"Topic {topic} is weak"),
        selection=selection,
        severity="low",
        author="lee",
        slice=Slice("topic", topic),
    )
    judge(workspace, project, run, other)
    workspace.reports.build(project, author="lee")


def judge(workspace: Workspace, project: ProjectInfo, run: RunInfo, other: RunInfo) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hcat.core.models.llm.loading.load_trials", lambda settings, trials, temperature: (Quoting(),))
        request = JudgeRequest(run.id, FUNNEL.name, ("captured_rate",))
        workspace.judges.judge(project, run, request)
        workspace.judges.judge(project, run, replace(request, work="bias", sample=12))
        workspace.pair_judgements.judge(
            project, run, PairRequest(run.id, other.id, FUNNEL.name, "captured_rate", sample=None)
        )
        workspace.pair_judgements.judge(
            project, other, PairRequest(other.id, run.id, FUNNEL.name, "captured_rate", sample=None)
        )
        changed = FUNNEL.with_criterion(replace(FUNNEL.criteria[1], question="Does it say what the reference says?"))
        workspace.rubrics.save(project, changed, author="lee")
        workspace.rubric_gains.measure(
            project, run, RubricRequest(run.id, FUNNEL.name, "captured_rate", "correctness", against=0)
        )


def title_of(workspace: Workspace, run: RunInfo) -> str:
    """The title of the topic that the name stands in."""
    topics = workspace.topics.read(run)
    assert topics is not None
    return str(topics.levels["q0"])


@pytest.fixture
def workspace(
    database_url: str,  # noqa: F811
    tmp_path: Path,
    made_stores: MadeStores,
) -> Iterator[Workspace]:
    with word_models(), made_stores.opened(add_all, database_url, tmp_path, actor="tests") as opened:
        yield opened


def erase(workspace: Workspace, run: str) -> None:
    ids = [f"q{k}" for k in range(NAMED)]
    workspace.erasures.erase(workspace.runs.get("bank", run), ids, reason="the customer asked", author="V. Lead")


def opened(workspace: Workspace, path: Path) -> str:
    """What the file says to whoever holds the database too."""
    content = path.read_bytes()
    if content.startswith(SEALED):
        content = workspace.store.sealed_files.get(path.parent.name, path.stem)
    if content.startswith(b"PAR1"):
        table = pq.read_table(io.BytesIO(content), use_threads=False)
        return f"{table.to_pydict()} {table.schema.metadata}"
    return content.decode("utf-8", "replace")


def holding(workspace: Workspace, folder: Path) -> list[str]:
    """The rows and files that hold the name."""
    found = [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and SECRET in opened(workspace, path).lower()
    ]
    with workspace.store.database.read() as session:
        for table in Row.metadata.sorted_tables:
            rows = all_rows(session.connection(), table)
            found += [f"{table.name} {key}" for key, values in rows if SECRET in str(dict(values)).lower()]
    return found


def held_in_pack(pack: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(pack)) as files:
        contents = {name: files.read(name) for name in files.namelist()}
    tables = {name: pq.read_table(io.BytesIO(content)) for name, content in contents.items() if content[:4] == b"PAR1"}
    told = {name: content.decode("utf-8", "replace") for name, content in contents.items()}
    told |= {name: f"{table.to_pydict()} {table.schema.metadata}" for name, table in tables.items()}
    return [name for name, text in told.items() if SECRET in text.lower()]


def test_what_is_erased_is_nowhere(workspace: Workspace, tmp_path: Path) -> None:
    project, run = workspace.projects.get("bank"), workspace.runs.get("bank", "v1")
    assert SECRET in title_of(workspace, run)
    before = workspace.topics.read(run)
    kinds = {place.split("/")[1] for place in holding(workspace, tmp_path) if place.startswith("artifacts")}
    assert {"findings", "queues", "topics", "reports", "verdicts", "pair-verdicts"} <= kinds
    erase(workspace, "v2")
    erase(workspace, "v1")
    after = workspace.topics.read(workspace.runs.get("bank", "v1"))
    assert before is not None
    assert after is not None
    assert after.model.assignment.tolist() == before.model.assignment.tolist()
    others = {topic for topic in before.model.topics if topic.title != before.levels["q0"]}
    assert others <= set(after.model.topics)
    workspace.reports.build(project, author="lee")
    for withhold in (False, True):
        assert (
            held_in_pack(make_pack(workspace.reports.with_source(project, author="lee"), KEY, withhold=withhold)) == []
        )
    assert holding(workspace, tmp_path) == []
    [finding] = workspace.findings.all(project)
    selection = workspace.findings.selection(finding)
    assert selection is not None
    assert selection.filter == {"topic": finding.slice["level_1"]}
    assert workspace.audit.verify().fault is None


def test_a_sound_store_with_pairs_and_rubrics_is_sound(workspace: Workspace) -> None:
    for erased in (False, True):
        if erased:
            erase(workspace, "v1")
        checks = list(check_store(workspace.store.settings, deep=True))
        assert [check for check in checks if check.state == "broken"] == []


def test_the_form_names_topics_and_other_runs(workspace: Workspace) -> None:
    traces = workspace.erasures.traces(workspace.runs.get("bank", "v1"), [f"q{k}" for k in range(NAMED)])
    assert (traces.judgements, traces.topics, traces.runs) == (3, 2, ["v2"])
    assert "out of 2 topic lists" in traces_text(traces)
    assert "Other runs hold the same question or text and stay: v2." in traces_text(traces)
    only = workspace.erasures.traces(workspace.runs.get("bank", "v1"), ["q0"])
    assert (only.topics, only.runs) == (0, ["v2"])
