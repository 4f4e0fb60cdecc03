"""Erasing the texts of samples: their keys are destroyed, and what quotes them is stored again without them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass

from hcat.core.capabilities.erasure.services.lost_terms import ChangedTopics, changed_topics
from hcat.core.capabilities.erasure.services.quotations import (
    ErasedTexts,
    is_quotable,
    lines_without_reasons,
    without_quotations,
)
from hcat.core.capabilities.findings.services.findings import KIND as FINDINGS
from hcat.core.capabilities.findings.services.findings import frozen_file
from hcat.core.capabilities.judges.services.rubric_gains import KIND as RUBRIC_GAINS
from hcat.core.capabilities.report.services.reports import KIND as REPORTS
from hcat.core.capabilities.report.services.reports import report_text
from hcat.core.errors import ConflictError, HcatError, NotFoundError, StorageError
from hcat.core.executors.shard_folder import EXPLANATIONS, forget_shards
from hcat.core.faults.work_folder import work_folder
from hcat.core.models.cache import forget_texts
from hcat.core.models.llm.cached import forget_answers
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.project.queue_plans import KIND as QUEUES
from hcat.core.project.runs import Runs, sample_files
from hcat.core.project.topics import KIND as TOPICS
from hcat.core.project.topics import stored_topics
from hcat.core.records.erasure import Erasure, Renamed, Traces
from hcat.core.records.json_text import json_value
from hcat.core.records.judging import VERDICT_FILES
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.slices.frozen import FrozenSelection
from hcat.core.storage.case_files import CaseFiles
from hcat.core.storage.sample_files import SampleFiles
from hcat.core.storage.stores.erasures import ErasedRun, ErasureChange, ReplacedFile
from hcat.core.storage.tables.judging import JudgeRunRow
from hcat.core.storage.tables.labelling import QueueRow
from hcat.core.storage.tables.projects import FindingRow, TopicsRow
from hcat.core.storage.tables.reports import ReportVersionRow
from hcat.core.storage.texts.sealed_form import SealedTexts
from hcat.core.text import sentences
from hcat.core.types import Sample

ATTEMPTS = 5


@dataclass(frozen=True)
class Erasures:
    """The texts that were erased in each project."""

    store: OpenStore
    projects: Projects
    runs: Runs

    def all(self, project: ProjectInfo | str) -> list[Erasure]:
        """All erasures of the project, oldest first."""
        owner = self.projects.id_of(project)
        self.store.access.check_reading("results", owner)
        return self.store.erasures.of(owner)

    def traces(self, run: RunInfo, sample_ids: Sequence[str]) -> Traces:
        """Other places that hold these texts, or words about them. Nothing is changed."""
        self.store.access.check_reading("results", run.project_id)
        samples = self._samples(run, sample_ids)
        texts = ErasedTexts.of(samples, dict.fromkeys(sample_ids, "text erased"), ())
        topics = list(changed_topics(self.store, run, sample_ids))
        replaced = list(self._replaced(run, texts, topics, store=False))
        versions = {row.id: row.version for row in self.store.report_table.versions(run.project_id)}
        return Traces(
            sorted(versions[each.row] for each in replaced if each.kind == REPORTS),
            sum(each.kind in VERDICT_FILES.values() for each in replaced),
            len(topics),
            self._other_runs(run, samples),
            self._test_sets(run, samples),
            self._notes(run, sample_ids),
        )

    def erase(self, run: RunInfo, sample_ids: Sequence[str], *, reason: str, author: str) -> list[Erasure]:
        """Erase the texts of these samples: at once, or not at all. Scores, labels, ids and dimensions stay.

        NotFoundError for ids that the run does not have, ConflictError for texts that are erased already or while a job
        works on the run, HcatError without a reason. What quotes the texts among reports and verdicts is stored again
        without them; cached embeddings of them go, and all cached answers of language models.
        """
        name = checked_name(author, "author")
        if not reason.strip() or not reason.isprintable():
            raise HcatError("say in one line why the text is erased: pages show the reason where the text was")
        for _ in range(ATTEMPTS):
            current = self.runs.by_id(run.id)
            samples = self._samples(current, sample_ids)
            with self.store.write(name, "sample.erase", run.project_id) as write:
                erasures = [
                    Erasure(current.name, current.content_hash, each.id, name, reason.strip(), write.at)
                    for each in samples
                ]
                change = self._change(current, samples, erasures)
                try:
                    self.store.erasures.erase(write, change)
                except ConflictError:
                    self._discard(change)
                    if self.runs.by_id(run.id).artifact == current.artifact:
                        raise
                    continue
            self._forget(samples, change.gone)
            self._remove_collected(run, samples)
            self._finish(run.project_id)
            return erasures
        raise ConflictError(f"run {run.name!r} is being changed by several people at once: try again")

    def finish(self) -> int:
        """Remove what erasures replaced and left, as after a crash: how many files that were."""
        self.store.access.check_installation()
        return self._finish(None)

    def _finish(self, project_id: int | None) -> int:
        """The same of one project, or of all."""
        self.store.erasures.purge()
        rows = [row for row in self.store.erasures.unfinished() if project_id in (None, row[1])]
        for row, owner, (kind, artifact) in rows:
            self.store.artifacts.remove(kind, artifact)
            with self.store.write(self.store.actor, "sample.erase", owner) as write:
                self.store.erasures.finished(write, row)
        return len(rows)

    def _samples(self, run: RunInfo, sample_ids: Sequence[str]) -> list[Sample]:
        """The samples, none of them erased."""
        if not sample_ids:
            raise HcatError("name the samples whose text is to be erased")
        found = self.runs.some(run, sample_ids)
        unknown = [name for name in sample_ids if name not in found]
        if unknown:
            raise NotFoundError(f"run {run.name!r} has no sample {unknown[0]!r}: nothing was erased")
        for sample in found.values():
            if sample.erased is not None:
                raise ConflictError(f"{sample.id}: {sample.erased}. Nothing further was erased")
        return [found[name] for name in dict.fromkeys(sample_ids)]

    def _change(self, run: RunInfo, samples: Sequence[Sample], erasures: Sequence[Erasure]) -> ErasureChange:
        statements, files = {each.sample_id: each.statement for each in erasures}, sample_files(self.store, run)
        form = SealedTexts(self.store.text_keys.reader(run.key_ring), most=None)
        erased = files.erase(run.artifact, form, statements)
        texts = ErasedTexts.of(samples, statements, erased.gone)
        topics = list(changed_topics(self.store, run, statements))
        replaced = tuple(self._replaced(run, texts, topics, store=True))
        own = ErasedRun(erased.artifact, erased.samples, erased.passages)
        return ErasureChange(run, own, erasures, replaced, tuple(erased.gone), _renamed(topics))

    def _replaced(
        self, run: RunInfo, texts: ErasedTexts, topics: Sequence[ChangedTopics], *, store: bool
    ) -> Iterator[ReplacedFile]:
        """The files that quote the texts, each with what takes its place, which is stored where it is asked for."""
        names = _renamed(topics)
        yield from self._quoting(run, texts, names, store=store)
        for each in topics:
            artifact, keys = stored_topics(self.store, each.topics) if store else (each.stored.artifact, None)
            yield ReplacedFile(TOPICS, TopicsRow, each.stored.id, each.stored.artifact, artifact, keys)
        if names.names:
            yield from self._named_by(run, names, store=store)

    def _named_by(self, run: RunInfo, names: Renamed, *, store: bool) -> Iterator[ReplacedFile]:
        """Plans of queues and frozen selections that name topics of the run, with the new names."""
        artifacts = self.store.artifacts
        for queue in self.store.queue_table.of_run(run.id):
            plan = artifacts.read_table(QUEUES, queue.artifact)
            strata = [each and names.text(each) for each in plan["stratum"].to_pylist()]
            if strata != plan["stratum"].to_pylist():
                column = plan.schema.get_field_index("stratum")
                plan = plan.set_column(column, plan.schema.field(column), [strata])
                after = artifacts.write_table(QUEUES, plan) if store else queue.artifact
                yield ReplacedFile(QUEUES, QueueRow, queue.id, queue.artifact, after, None)
        for finding in self.store.finding_table.of(run.project_id):
            if finding.run_id == run.id and finding.frozen is not None:
                before = str(finding.frozen["artifact"])
                content = str(artifacts.read_table(FINDINGS, before)["document"][0].as_py())
                left = FrozenSelection.from_json(json.dumps(names.document(json_value(content))))
                if left.to_json() != content:
                    after = frozen_file(self.store, left) if store else before
                    yield ReplacedFile(FINDINGS, FindingRow, finding.id, before, after, None, left.hash)

    def _quoting(self, run: RunInfo, texts: ErasedTexts, names: Renamed, *, store: bool) -> Iterator[ReplacedFile]:
        """Reports, and what judges said."""
        for version in self.store.report_table.versions(run.project_id):
            document = json_value(report_text(self.store.sealed_files.get(REPORTS, version.artifact)))
            changed = names.document(without_quotations(document, texts))
            if changed != document:
                content = json.dumps(changed, ensure_ascii=False, indent=2) + "\n"
                yield self._replacement(REPORTS, version.id, version.artifact, content, store=store)
        runs = self.store.repository.runs(run.project_id, archived=True)
        others = {other.name for other in runs} - {run.name}
        for other in runs:
            for judged in self.store.judging_table.runs(other.id):
                if other.id == run.id or (judged.work == "pairs" and judged.settings.get("against") not in others):
                    content = self.store.sealed_files.get(judged.kind, judged.artifact).decode()
                    left = lines_without_reasons(content, texts, wording=judged.kind == RUBRIC_GAINS)
                    if left != content:
                        yield self._replacement(judged.kind, judged.id, judged.artifact, left, store=store)

    def _replacement(self, kind: str, row: int, before: str, content: str, *, store: bool) -> ReplacedFile:
        table = ReportVersionRow if kind == REPORTS else JudgeRunRow
        if not store:
            return ReplacedFile(kind, table, row, before, before, None)
        after, keys = self.store.sealed_files.put(kind, content.encode("utf-8", "replace"))
        return ReplacedFile(kind, table, row, before, after, keys)

    def _discard(self, change: ErasureChange) -> None:
        """Remove the files of a change that was not made."""
        self.store.artifacts.remove("samples", change.erased.artifact)
        for file in change.replaced:
            self.store.artifacts.remove(file.kind, file.after)

    def _forget(self, samples: Iterable[Sample], passages: Sequence[str]) -> None:
        """Remove cached embeddings of the texts, and all answers of language models: which of these are on the texts is
        unknown."""
        texts = [text for each in samples for text in (each.query, each.answer, each.reference) if text]
        texts += passages
        parts = [sentence.text for text in texts for sentence in sentences(text)]
        forget_texts(self.store.artifacts.root, [*texts, *parts])
        forget_answers(self.store.artifacts.root)
        forget_shards(self.store.artifacts.root, EXPLANATIONS)

    def _remove_collected(self, run: RunInfo, samples: Iterable[Sample]) -> None:
        """Remove what a collection left outside the run: the journal of its answers, and files of test cases, which no
        row names, that ask one of the queries."""
        folder = work_folder(self.store.settings) / "collections"
        for journal in folder.glob(f"run-{run.id}-*.journal"):
            journal.unlink(missing_ok=True)
        named, queries = {name for kind, name in self.store.housekeeping.files() if kind == "samples"}, set[str]()
        queries.update(sample.query for sample in samples)
        files = SampleFiles(self.store.artifacts)
        for name in self.store.artifacts.names("samples"):
            with suppress(StorageError):  # somebody else removed it meanwhile
                if name not in named and files.asks(name, queries):
                    self.store.artifacts.remove("samples", name)

    def _test_sets(self, run: RunInfo, samples: Sequence[Sample]) -> list[str]:
        """Test sets of the project that ask one of these queries."""
        queries, files = {each.query for each in samples}, CaseFiles(self.store.artifacts)
        table = self.store.test_set_table
        versions = [each for name in table.names(run.project_id) for each in table.versions(run.project_id, name)]
        return sorted(
            f"{each.name}, version {each.version}"
            for each in versions
            if any(case.query in queries for case in files.all(each.artifact, content_hash=each.content_hash))
        )

    def _other_runs(self, run: RunInfo, samples: Sequence[Sample]) -> list[str]:
        """Other runs of the project that hold one of the queries, or one of the longer answers and references."""
        held = {each.query for each in samples}
        held |= {text for each in samples for text in (each.answer, each.reference) if text and is_quotable(text)}
        others = self.store.repository.runs(run.project_id, archived=True)
        return sorted(other.name for other in others if other.id != run.id and self._holds(other, held))

    def _holds(self, run: RunInfo, texts: Set[str]) -> bool:
        each = sample_files(self.store, run).each_text(run.artifact)
        return any(text in texts for _, searched in each for text in searched if text)

    def _notes(self, run: RunInfo, sample_ids: Sequence[str]) -> int:
        """Entries of the label log on these samples in which people wrote something."""
        chosen = set(sample_ids)
        entries = self.store.log.history(run.project_id)
        return sum(
            bool(each.rationale or each.details.comment)
            for each in entries
            if each.run_id == run.id and each.sample_id in chosen
        )


def _renamed(topics: Iterable[ChangedTopics]) -> Renamed:
    return Renamed({old: new for each in topics for old, new in each.names.items()})
