"""Scores from a file of another tool: its columns, and the score table that they make."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hcat.core import __version__
from hcat.core.errors import FileFormatError
from hcat.core.metrics.facts import registered_facts
from hcat.core.records.clusters import cluster_sources_in, clusters_in
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.refusals.state import ANSWER_STATES, AnswerState
from hcat.core.scoring.file_metric import FileMetric
from hcat.core.scoring.provenance import Provenance
from hcat.core.scoring.score_table import OWN_COLUMNS, REASON_SUFFIX, ScoreTable, score_table
from hcat.core.types import Direction, Score

NOT_IN_FILE = "not in the file"
TAKEN_NAMES = frozenset({*OWN_COLUMNS, "pass_probability", "baseline", "log_odds", "all"})
"""Names that tables of scores and of results use for other columns."""

MOST_CHARACTERS = 80
_NOT_IN_NAMES = str.maketrans(dict.fromkeys(",=$*`<>[]|\\~", " "))
"""Signs with a meaning of their own in lists on the command line, options and formatted texts."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of scores: each sample's number, or why it has none; and the documentation of its tool."""

    name: str
    scores: Mapping[str, Score]
    direction: Direction | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """The scores in a file. `framework` is the name of the tool's format, "" for a plain table of ids and numbers.

    `clusters` are those of the samples, if the file has them. `left_out` says why other columns are no scores."""

    file: str
    sha256: str
    sample_ids: tuple[str, ...]
    columns: tuple[ScoreColumn, ...]
    framework: str = ""
    clusters: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """The name of each column's metric: its own, or with a prefix if that is in use ("ragas:faithfulness")."""
        made: dict[str, str] = {}
        for column in self.columns:
            name, times = metric_name(column.name, self.framework), 1
            while name in made.values():
                times += 1
                name = f"{metric_name(column.name, self.framework)} ({times})"
            made[column.name] = name
        return made


def metric_name(column: str, framework: str) -> str:
    """The name for a metric from this column: one that commands can list, and that is not a name of hcat's own."""
    printable = "".join(letter if letter.isprintable() else " " for letter in column.removeprefix("feedback."))
    name = " ".join(printable.translate(_NOT_IN_NAMES).split())[:MOST_CHARACTERS].strip() or "scores"
    own = name in TAKEN_NAMES or name.endswith(REASON_SUFFIX) or registered_facts(name) is not None
    return f"{framework or 'file'}:{name}" if own else name


@dataclass(frozen=True, slots=True)
class RunBeside:
    """The samples of the run to which scores are added, in their order, without texts."""

    ids: Sequence[str]
    content_hash: str
    cluster_sources: tuple[str, ...]
    clusters: Mapping[str, str]
    answer_states: Sequence[AnswerState]
    probabilities: Mapping[str, float]


def run_beside(columns: SampleColumns, content_hash: str) -> RunBeside:
    """The run to add scores to, from the columns of a stored run with this content hash; no text is read."""
    ids, drawn = columns.ids(), columns.numbers("design_probability")
    of_name: dict[str | None, AnswerState] = {state: state for state in ANSWER_STATES}
    given = zip(ids, drawn.tolist(), strict=True)
    return RunBeside(
        ids,
        content_hash,
        cluster_sources_in(columns),
        clusters_in(columns),
        [of_name[state] for state in columns.levels("answer_state").texts()],
        {sample_id: probability for sample_id, probability in given if not math.isnan(probability)},
    )


def run_scored_as(table: ScoreTable) -> RunBeside:
    """The run to add scores to, from a table that was just computed: nothing is read again."""
    return RunBeside(
        table.sample_ids,
        table.provenance.run_hash,
        table.provenance.cluster_sources,
        table.cluster_of or {},
        table.answer_states or (),
        {name: known for name, known in (table.probability_of or {}).items() if known is not None},
    )


def file_score_table(
    file: ScoreFile, *, run: RunBeside | None = None, columns: Sequence[str] | None = None, seed: int = 7
) -> ScoreTable:
    """The table of the file's scores, for all columns or these.

    With a `run`, it has the ids of its samples: one without a row is unscored, and rows of others are counted
    (`FileMetric.not_in_run`). FileFormatError if no row is of the run."""
    ids = list(file.sample_ids if run is None else run.ids)
    strangers = sorted(set(file.sample_ids) - set(ids))
    if ids and len(strangers) == len(file.sample_ids):
        raise FileFormatError(
            f"{file.file}: no row is of this run: it has no sample {strangers[0]!r}, the run begins with {ids[0]!r}"
        )
    names = file.names
    chosen = [column for column in file.columns if columns is None or column.name in columns]
    absent = Score(None, NOT_IN_FILE)
    scores = {names[column.name]: [column.scores.get(name, absent) for name in ids] for column in chosen}
    provenance = Provenance(
        version=__version__,
        run_hash="" if run is None else run.content_hash,
        metrics=tuple(scores),
        seed=seed,
        left_out=dict(file.left_out),
        cluster_sources=run.cluster_sources if run is not None else ("test case",) if file.clusters else (),
        from_files={names[column.name]: _declared(column, file, len(strangers)) for column in chosen},
    )
    cluster_of = file.clusters if run is None else run.clusters
    return score_table(
        ids,
        scores,
        provenance,
        answer_states=None if run is None else run.answer_states,
        clusters=[cluster_of.get(name, name) for name in ids] if cluster_of else None,
        probabilities=None if run is None else run.probabilities,
    )


def _declared(column: ScoreColumn, file: ScoreFile, strangers: int) -> FileMetric:
    return FileMetric(
        column=column.name,
        file=file.file,
        sha256=file.sha256,
        direction=column.direction,
        low=column.low,
        high=column.high,
        framework=file.framework,
        not_in_run=strangers,
    )
