"""The samples of a run file of any size, for commands that go through them one after another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError
from hcat.core.inputs.files import describe_problems, leaves_out_thoughts, read_samples
from hcat.dashboard.capabilities.runs.commands import run_import
from hcat.dashboard.commands.output import existing, print_note

if TYPE_CHECKING:
    from hcat.core.importers import Limits
    from hcat.core.scoring.overview import Samples


@contextmanager
def opened_samples(path: Path, *, format: str | None = None, limits: Limits | None = None) -> Iterator[Samples]:  # noqa: A002
    """The samples of a run file, as `read_samples` gives them.

    A large file is read row by row, and its rows are kept on the disk until the end.
    """
    from hcat.core.importers import streamed as streaming
    from hcat.core.importers.reading.row_stream import row_stream
    from hcat.core.jobs import forecast as forecasting
    from hcat.core.wording.importing import notes_on_texts

    limits = limits or run_import.raised_limits(None, None)
    size = existing(path).stat().st_size
    if size < streaming.STREAMED_BYTES or row_stream(path, limits) is None:
        yield read_samples(path, format=format, limits=limits)
        return
    kept = forecasting.Forecast(0, 0.0, 0.0, {Path(gettempdir()): float(size)})
    forecasting.check_room(kept, forecasting.room_for(kept))
    thoughts = leaves_out_thoughts()
    with streaming.stream_run(
        path, filename=path.name, format=format, limits=limits, leave_out_thoughts=thoughts
    ) as streamed:
        assert streamed is not None
        for note in notes_on_texts(streamed.preview):
            print_note(note)
        if streamed.n_problems:
            raise FileFormatError(describe_problems(path, streamed.preview, n_problems=streamed.n_problems))
        yield streamed
