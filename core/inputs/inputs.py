"""A run opened for a capability, from files or from a project: as commands take it, and as Python does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hcat.core.errors import HcatError
from hcat.core.inputs.files import print_note, read_run_scores, read_samples, read_score_table, read_text
from hcat.core.inputs.labels import (
    KnownSamples,
    calibrated_criterion,
    labelled_criterion,
    read_label_file,
    stated_criterion,
)
from hcat.core.inputs.topics import with_topics

if TYPE_CHECKING:
    from hcat.core.calibration.calibration import Calibration
    from hcat.core.opened.run import Opened, RunColumns
    from hcat.core.records.samples.likely_trials import LikelyTrials
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import Criterion, JsonValue, Label
    from hcat.core.workspace import Workspace

NAMES = {"run": "a run file", "scores": "a score file", "labels": "a label file", "calibrations": "a calibration"}


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The inputs of a capability: the run `name` of a project, or files; None for those that are not given.

    Of files, `name` is the run whose labels count, and the fields from `positive` on say how labels and scores are
    read. Labels are on the criteria that are named, else on those of the calibrations. `stratum` is the dimension by
    whose levels samples were drawn for labelling. With `warns` doubts about clusters are said on standard error.
    """

    project: str | None = None
    name: str | None = None
    run: Path | None = None
    scores: Path | None = None
    labels: Path | None = None
    calibrations: Sequence[Path] = ()
    topics: Path | None = None
    criteria: Sequence[str] = ()
    positive: str | None = None
    levels: str | None = None
    passing: str | None = None
    stratum: str | None = None
    stated: Mapping[str, Statement] = field(default_factory=dict)
    warns: bool = True

    @property
    def place(self) -> dict[str, JsonValue]:
        """Project and run as settings of a JSON document; empty for files."""
        return {} if self.project is None else {"project": self.project, "run": self.name}

    def files(self, *names: str) -> dict[str, Path]:
        """The files of these names that are given, as inputs of a JSON document."""
        given = {**vars(self), "calibration": next(iter(self.calibrations), None)}
        return {name: given[name] for name in names if given[name] is not None}

    def check(self, *needs: str) -> None:
        """HcatError where a required file is missing, or files are given together with a project."""
        if self.project is None:
            if all(getattr(self, name) for name in needs):
                return
            *first, last = (NAMES[name] for name in needs)
            listed = f"{', '.join(first)} and {last}" if first else last
            raise HcatError(f"give {listed}, or --project and --run")
        if self.name is None:
            raise HcatError("name the run of the project by --run")
        of_files = (self.run, self.scores, self.labels, self.topics)
        if any(
            given is not None
            for given in (*of_files, self.positive, self.levels, self.passing, self.stratum, self.stated or None)
        ):
            raise HcatError(
                "--project takes scores and labels of the stored run: leave out the files, and what they need"
            )

    def read(self) -> Opened:
        """The run of the files."""
        from hcat.core.opened.columns import run_from_files
        from hcat.core.records.samples.likely_trials import likely_trials_by_id

        columns = open_columns(self.run, self.scores, self.stated)
        if self.topics is not None:
            columns = with_topics(columns, self.topics)
        if self.calibrations and self.scores is not None:
            columns.given_scores  # noqa: B018 - of two wrong files the scores are named first
        fitted = self.read_calibrations()
        labels, criteria = ((), ()) if self.labels is None else self._judged(self.labels, columns, fitted)
        if self.warns and self.run is None and self.scores is None:
            warn_of_likely_trials(likely_trials_by_id(sorted({label.sample_id for label in labels})))
        elif self.warns:
            warn_of_clusters(columns)
        return run_from_files(columns, labels, criteria, calibrations=fitted, stratum=self.stratum)

    def read_calibrations(self) -> list[Calibration]:
        """The calibrations in the files. HcatError where two are on one criterion."""
        from hcat.core.calibration.calibration import Calibration

        found: dict[str, Calibration] = {}
        for path in self.calibrations:
            fitted = Calibration.from_json(read_text(path))
            if fitted.criterion in found:
                raise HcatError(f"two calibrations are on {fitted.criterion}: give one for each criterion")
            found[fitted.criterion] = fitted
        return list(found.values())

    def _judged(
        self, path: Path, columns: RunColumns, calibrations: Sequence[Calibration]
    ) -> tuple[list[Label], list[Criterion]]:
        of_calibration = {} if self.criteria else {each.criterion: each for each in calibrations}
        labels: list[Label] = []
        criteria: list[Criterion] = []
        known = self._known_samples(columns)
        for name in self.criteria or of_calibration:
            preview = read_label_file(
                path,
                criterion=name,
                positive=self.positive,
                run=self.name,
                levels=stated_criterion(name, self.levels, self.positive),
                known=known,
            )
            fitted, labels = of_calibration.get(name), [*labels, *preview.labels]
            criteria.append(
                labelled_criterion(preview, name, passing=self.passing)
                if fitted is None
                else calibrated_criterion(preview, fitted, passing=self.passing)
            )
        if not criteria:
            raise HcatError("--labels needs --criterion: the criterion of the labels")
        return labels, criteria

    def _known_samples(self, columns: RunColumns) -> KnownSamples | None:
        """None where neither a run nor scores are given."""
        if self.run is not None:
            return KnownSamples(columns.sample_ids, "run")
        return None if self.scores is None else KnownSamples(columns.scores.sample_ids, "scores")

    def stored(self, workspace: Workspace) -> Opened:
        """The run of the project, with the criteria and calibrations that are named, else all of its own."""
        run = workspace.run_data.open(workspace.runs.get(cast(str, self.project), cast(str, self.name)))
        if self.criteria:
            run = run.on(*(workspace.criteria.get(cast(str, self.project), name) for name in self.criteria))
        return run.by(*self.read_calibrations()) if self.calibrations else run


@contextmanager
def opened(*inputs: Inputs, needs: Sequence[str] = ()) -> Iterator[tuple[Opened, ...]]:
    """The runs, open as long as they are needed; `needs` are the files that must be given where no project is.

    Files need no database."""
    for each in inputs:
        each.check(*needs)
    if inputs[0].project is None:
        yield tuple(each.read() for each in inputs)
        return
    from hcat.core.workspace import Workspace

    with Workspace.open() as workspace:
        yield tuple(each.stored(workspace) for each in inputs)


def open_columns(run: Path | None, scores: Path | None, stated: Mapping[str, Statement] | None = None) -> RunColumns:
    """A run from these files, each read when first needed; None for a file that is not given.

    `stated` says of metrics from files which way is better, and between what (`statements`).
    """
    from hcat.core.opened.columns import FileColumns
    from hcat.core.opened.run import RunColumns

    read_run = None if run is None else cache(partial(read_samples, run))

    def read_scores() -> ScoreTable:
        path = cast(Path, scores)
        if read_run is None:
            return read_score_table(path, None, stated or {})
        return read_run_scores(path, read_run(), stated or {})

    source = FileColumns(read_run, None if scores is None else read_scores)
    return RunColumns("" if run is None else run.stem, source, filename="" if run is None else run.name)


def warn_of_clusters(columns: RunColumns) -> None:
    """Say on stderr where it is in doubt which samples depend on one another, and where design weights apply."""
    from hcat.core.records.design_weights import design_summary
    from hcat.core.wording.clusters import cluster_conflict_warning
    from hcat.core.wording.design_weights import design_sentence

    warn_of_likely_trials(columns.likely_trials)
    if columns.cluster_conflict is not None:
        print_note(f"hcat: {cluster_conflict_warning(columns.cluster_conflict)}")
    if note := design_sentence(design_summary(columns.design_probabilities)):
        print_note(f"hcat: {note}")


def warn_of_likely_trials(found: LikelyTrials | None) -> None:
    """Say on stderr that samples look like trials, where they do."""
    from hcat.core.wording.clusters import likely_trials_warning

    if found is not None:
        print_note(f"hcat: {likely_trials_warning(found)}")
