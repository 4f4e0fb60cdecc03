"""Reading run files for commands, and the embedding cache that they share with the dashboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING


from core.errors import FileFormatError
from dashboard.commands.output import existing

if TYPE_CHECKING:
    from core.embeddings import EmbeddingStore
    from core.importers import Preview
    from core.models.encoder import Encoder
    from core.types import Sample


def read_samples(path: Path, *, format: str | None = None) -> tuple[Sample, ...]:  # noqa: A002
    """The samples of a run file; a file with any bad row is refused, with the first problems named."""
    preview = preview_run(path, format=format)
    if preview.problems:
        raise FileFormatError(describe_problems(path, preview))
    return preview.samples


def preview_run(path: Path, *, format: str | None = None) -> Preview:  # noqa: A002
    """What the file holds, good and bad."""
    from core.importers import read_run

    return read_run(existing(path), filename=path.name, format=format)


def describe_problems(path: Path, preview: Preview) -> str:
    """One line on what is wrong with the file's rows."""
    first = preview.problems[0]
    place = f"row {first.row}, column {first.column}" if first.column else f"row {first.row}"
    return (
        f"{path.name}: {len(preview.problems)} problems in {preview.rows} rows. The first: {place}: expected "
        f"{first.expected}, found {first.found}. `hcat import --keep-good` takes the good rows"
    )


def embedding_cache(encoder: Encoder) -> EmbeddingStore:
    """The cache on disk that commands, jobs and the dashboard share."""
    from core.embeddings import ParquetEmbeddings
    from core.settings import settings

    return ParquetEmbeddings(settings().artifacts, revision=encoder.revision)
