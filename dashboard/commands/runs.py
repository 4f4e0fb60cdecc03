"""Reading run files for commands, and the embedding cache shared with the dashboard."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hcat.core.display.numbers import counted
from hcat.core.errors import FileFormatError
from hcat.core.records.file_limits import parse_document
from hcat.dashboard.commands.file_options import chosen_sheet, leaves_out_thoughts
from hcat.dashboard.commands.output import existing, print_note
from hcat.dashboard.commands.score_files import read_run_scores, read_score_table

if TYPE_CHECKING:
    from hcat.core.analysis.run_data import RunColumns
    from hcat.core.importers import Limits, Preview
    from hcat.core.models.cache import EmbeddingStore
    from hcat.core.models.encoder.encoder import Encoder
    from hcat.core.records.samples.likely_trials import LikelyTrials
    from hcat.core.scoring.score_table import ScoreTable
    from hcat.core.scoring.statements import Statement
    from hcat.core.types import Sample


def read_samples(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
) -> tuple[Sample, ...]:
    """The samples of a run file; a file with any bad row is refused, with the first problems named."""
    preview = preview_run(path, format=format, limits=limits)
    if preview.problems:
        raise FileFormatError(describe_problems(path, preview))
    return preview.samples


def open_columns(run: Path | None, scores: Path | None, stated: Mapping[str, Statement] | None = None) -> RunColumns:
    """A run from these files, each read when first needed; None for a file that is not given.

    `stated` says of metrics from files which way is better, and between what (`statements`).
    """
    from hcat.core.analysis.files import FileColumns
    from hcat.core.analysis.run_data import RunColumns

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
    from hcat.core.wording.testgen.design_weights import design_sentence

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


def preview_run(
    path: Path,
    *,
    format: str | None = None,  # noqa: A002
    mapping: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Preview:
    """What the file contains: its samples and its problems. Notes on how it was read go to standard error."""
    from hcat.core.importers import read_run
    from hcat.core.wording.importing import notes_on_texts

    with chosen_sheet(existing(path)) as file:
        preview = read_run(
            file,
            filename=path.name,
            format=format,
            mapping=mapping,
            limits=limits,
            leave_out_thoughts=leaves_out_thoughts(),
        )
    for note in notes_on_texts(preview):
        print_note(note)
    return preview


def describe_problems(path: Path, preview: Preview, *, n_problems: int | None = None) -> str:
    """One line on what is wrong with the file's rows; `n_problems` where there are more than those of the preview."""
    count = counted(len(preview.problems) if n_problems is None else n_problems, "problem")
    first = preview.problems[0]
    place = f"row {first.row}, column {first.column}" if first.column else f"row {first.row}"
    return (
        f"{path.name}: {count} in {counted(preview.rows, 'row')}. The first: "
        f"{place}: expected {first.expected}, found {first.found}. `hcat import --keep-good` imports the usable rows, "
        "--bad-rows FILE writes the others"
    )


def embedding_cache(encoder: Encoder) -> EmbeddingStore:
    """The cache on disk that commands, jobs and the dashboard share."""
    from hcat.core.models.cache import ParquetEmbeddings
    from hcat.core.settings import settings

    return ParquetEmbeddings(settings().artifacts, revision=encoder.revision)


def read_texts(path: Path, *, on: str) -> tuple[list[str], list[str], list[str] | None]:
    """Ids, texts and documents of what to find topics in: passages (`id`, `text`) as JSON Lines, a folder or document
    that is cut into passages, or a run's queries or contexts, which have no documents."""
    from hcat.dashboard.commands.testgen.corpus_files import DOCUMENTS, passages_at

    if path.is_dir() or path.suffix.lower() in DOCUMENTS - {".csv"} or _holds_passages(existing(path)):
        passages = passages_at(path)
        columns = ([getattr(passage, name) for passage in passages] for name in ("id", "text", "document"))
        ids, texts, documents = columns
        return ids, texts, documents
    samples = read_samples(path)
    found = [s.query if on == "query" else "\n".join(passage.text for passage in s.contexts) for s in samples]
    used = [(sample.id, text) for sample, text in zip(samples, found, strict=True) if text.strip()]
    if not used:
        raise FileFormatError(f"no sample of {path.name} has text to find topics in")
    return [sample_id for sample_id, _ in used], [text for _, text in used], None


def _holds_passages(path: Path) -> bool:
    """Whether the first line of a file is a passage: an object with an id and a text, and no query."""
    with path.open(encoding="utf-8", errors="replace") as lines:
        first = next((line for line in lines if line.strip()), "")
    try:
        record = parse_document(first)
    except ValueError:
        return False
    return isinstance(record, dict) and {"id", "text"} <= set(record) and "query" not in record
