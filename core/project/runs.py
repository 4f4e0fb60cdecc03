"""Runs: the samples in a file named by its content, then one row that makes them visible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hcat.core.errors import ConflictError, FileFormatError, NotFoundError, StorageError
from hcat.core.project.open_store import OpenStore
from hcat.core.project.projects import Projects, checked_name
from hcat.core.records.project import ProjectInfo, RunInfo
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.storage.sample_files import KIND, SampleFiles
from hcat.core.storage.texts.sealed_form import SealedTexts
from hcat.core.types import Sample

Target = ProjectInfo | str | Callable[[], ProjectInfo]
"""The project that a run goes to; or what makes it, called once the run's file is written, so that a run that can't be
stored leaves no empty project."""
NO_SAMPLES = "there are no samples to import: a run needs at least one"


@dataclass(frozen=True)
class Runs:
    """The runs of each project, and their samples."""

    store: OpenStore
    projects: Projects

    def add(
        self,
        project: Target,
        name: str,
        samples: Sequence[Sample],
        *,
        source: str,
        format: str = "native",  # noqa: A002  the word of the interface
    ) -> RunInfo:
        """Store samples as a run of the project; `source` is the name of the file that they came from.

        The file with the samples is written first and the row last, so that a run is whole or not there. Trials of one
        test case that share an id get the distinct ids `id#trial`. ConflictError when the name is taken,
        FileFormatError when there are no samples or two have the same id and trial.
        """
        name, stored = checked_name(name, "run"), _told_apart(samples)
        return self._add(project, name, stored, source=source, format=format)

    def add_each(
        self,
        project: Target,
        name: str,
        samples: Iterable[Sample],
        *,
        several: Collection[str],
        source: str,
        format: str = "native",  # noqa: A002  the word of the interface
    ) -> RunInfo:
        """Like `add`, for samples that come one after another and need not fit into memory. `several` are the ids that
        trials share, which are made distinct. An exception while samples come leaves nothing stored."""
        stored = _each_told_apart(samples, several)
        return self._add(project, checked_name(name, "run"), stored, source=source, format=format)

    def _add(
        self,
        project: Target,
        name: str,
        stored: Iterable[Sample],
        *,
        source: str,
        format: str,  # noqa: A002  the word of the interface
    ) -> RunInfo:
        if callable(project):
            self.store.access.check_action("project.create", None, actor=self.store.actor, own=self.store.actor)
        elif name in self._names(project):  # before a file is written for nothing
            raise ConflictError(f"the project already has a run {name!r}: choose another name")
        else:
            owner = self.projects.id_of(project)
            self.store.access.check_action("run.add", owner, actor=self.store.actor, own=self.store.actor)
        form = SealedTexts()
        written = SampleFiles(self.store.artifacts, form).write(stored)
        try:
            owner = self.projects.id_of(project() if callable(project) else project)
            with self.store.write(self.store.actor, "run.add", owner) as write:
                return self.store.repository.add_run(
                    write,
                    owner,
                    name,
                    content_hash=written.content_hash,
                    artifact=written.artifact,
                    n=written.n,
                    filename=source,
                    format=format,
                    keys=form.keys,
                )
        except BaseException:  # its texts are sealed under keys of its own, so that no other run has this file
            self.store.artifacts.remove(KIND, written.artifact)
            raise

    def all(self, project: ProjectInfo | str) -> list[RunInfo]:
        """The project's runs but those that are archived, oldest first."""
        return self.store.repository.runs(self.projects.id_of(project))

    def get(self, project: ProjectInfo | str, name: str) -> RunInfo:
        """The run of this name, archived or not, or NotFoundError."""
        return self.store.repository.run(self.projects.id_of(project), name)

    def samples(self, run: RunInfo) -> tuple[Sample, ...]:
        """The run's samples, in the order of its file. StorageError when the file is missing or damaged."""
        return tuple(self.each_sample(run))

    def each_sample(self, run: RunInfo) -> Iterator[Sample]:
        """The same one after another: the run need not fit into memory."""
        self.store.access.check_reading("project", run.project_id)
        self._check_count(run)
        return sample_files(self.store, run).each(run.artifact)

    def columns(self, run: RunInfo) -> SampleColumns:
        """The columns of the run's samples besides their texts, each read when it is asked for."""
        self.store.access.check_reading("project", run.project_id)
        self._check_count(run)
        return sample_files(self.store, run).columns(run.artifact)

    def some(self, run: RunInfo, sample_ids: Iterable[str]) -> dict[str, Sample]:
        """These samples of the run by id, without decoding the others; ids that it does not have are left out."""
        self.store.access.check_reading("project", run.project_id)
        return sample_files(self.store, run).some(run.artifact, sample_ids)

    def samples_at(self, run: RunInfo, rows: Iterable[int]) -> Iterator[Sample]:
        """The samples in these rows of the run, in rising order, without decoding the others."""
        self.store.access.check_reading("project", run.project_id)
        return sample_files(self.store, run).at(run.artifact, rows)

    def sample(self, run: RunInfo, sample_id: str) -> Sample:
        """One sample of the run, without decoding the others; or NotFoundError."""
        self.store.access.check_reading("project", run.project_id)
        sample = sample_files(self.store, run).one(run.artifact, sample_id)
        if sample is None:
            raise NotFoundError(f"run {run.name!r} has no sample {sample_id!r}")
        return sample

    def by_id(self, run_id: int) -> RunInfo:
        """The run with this id, or NotFoundError."""
        run = self.store.repository.run_by_id(run_id)
        self.store.access.check_reading("project", run.project_id)
        return run

    def check_samples(self, run: RunInfo, sample_ids: Sequence[str]) -> None:
        """NotFoundError where the run does not have one of these samples."""
        unknown = self._missing_samples(run, sample_ids)
        if unknown:
            more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
            raise NotFoundError(f"run {run.name!r} has no sample {unknown[0]!r}{more}: correct the ids and try again")

    def _check_count(self, run: RunInfo) -> None:
        count = sample_files(self.store, run).count(run.artifact)
        if count != run.n:
            raise StorageError(f"run {run.name!r} should hold {run.n} samples, its file holds {count}: import it again")

    def _names(self, project: ProjectInfo | str) -> set[str]:
        return {run.name for run in self.store.repository.runs(self.projects.id_of(project), archived=True)}

    def _missing_samples(self, run: RunInfo, sample_ids: Iterable[str]) -> list[str]:
        """The given ids that the run does not have."""
        return sample_files(self.store, run).missing(run.artifact, sample_ids)


def sample_files(store: OpenStore, run: RunInfo) -> SampleFiles:
    """The files with samples, as one reads the run's, with the keys of its texts."""
    return SampleFiles(store.artifacts, SealedTexts(store.text_keys.reader(run.key_ring)))


def _told_apart(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    count = Counter(sample.id for sample in samples)
    return tuple(_each_told_apart(samples, {name for name, times in count.items() if times > 1}))


def _each_told_apart(samples: Iterable[Sample], several: Collection[str]) -> Iterator[Sample]:
    """The samples with an id each: `id#trial` where several trials share an id. FileFormatError where two are alike."""
    ids: set[str] = set()
    for sample in samples:
        own = sample
        if sample.id in several:
            own = replace(sample, id=f"{sample.id}#{sample.trial}", test_case=sample.test_case or sample.id)
        if own.id in ids:
            raise FileFormatError(f"two samples have the id {own.id!r}: give each its own id, or its own trial")
        ids.add(own.id)
        yield own
    if not ids:
        raise FileFormatError(NO_SAMPLES)
