"""Uploaded run files that are too large to be read whole: row by row, as `hcat import` reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile

import streamlit as st

from hcat.core.errors import FileFormatError, LimitError
from hcat.core.importers import FileColumns, Limits, streamed
from hcat.core.importers.reading.content import shown_name
from hcat.core.importers.reading.row_stream import RowStream, row_stream
from hcat.core.importers.streamed import StreamedRun
from hcat.core.jobs.forecast import Forecast
from hcat.core.project.import_forecast import import_forecast
from hcat.dashboard.loaders.uploads import Upload
from hcat.dashboard.loaders.workspace import workspace


def is_read_by_row(uploaded: Upload) -> bool:
    """Whether the file is large, and of a kind that is read row by row."""
    return len(uploaded.getvalue()) >= streamed.STREAMED_BYTES and _is_streamed(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner=False)
def _is_streamed(file_id: str, _uploaded: Upload) -> bool:
    with _on_disk(_uploaded) as stream:
        return stream is not None


def first_columns(uploaded: Upload) -> FileColumns:
    """The columns of the file's first rows. Raises HcatError where it can't be read."""
    return _first_columns(uploaded.file_id, uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the first rows …")
def _first_columns(file_id: str, _uploaded: Upload) -> FileColumns:
    with _stream(_uploaded) as stream:
        return streamed.file_columns(stream)


def forecast_of(uploaded: Upload, mapping: Mapping[str, str]) -> Forecast:
    """Forecast of the resources for importing the file, by its first rows. Raises HcatError if these show that it can't
    be."""
    return _forecast(uploaded.file_id, tuple(sorted(mapping.items())), uploaded)


@st.cache_resource(max_entries=4, scope="session", show_spinner="Reading the first rows …")
def _forecast(file_id: str, mapping: tuple[tuple[str, str], ...], _uploaded: Upload) -> Forecast:
    with _stream(_uploaded) as stream:
        return import_forecast(
            stream, workspace().store, mapping=dict(mapping), copied=float(stream.path.stat().st_size)
        )


def rows_of_upload(uploaded: Upload, mapping: Mapping[str, str], *, without_thoughts: bool = False) -> StreamedRun:
    """The file's good rows, kept on the disk until the session ends or has read another file, and the errors in the
    others. Raises HcatError if it can't be read."""
    return _rows(uploaded.file_id, tuple(sorted(mapping.items())), without_thoughts, uploaded)


@st.cache_resource(
    max_entries=1, scope="session", show_spinner="Reading the file row by row …", on_release=StreamedRun.close
)
def _rows(file_id: str, mapping: tuple[tuple[str, str], ...], without_thoughts: bool, _uploaded: Upload) -> StreamedRun:
    kept = TemporaryFile()  # noqa: SIM115  closed with what is read
    try:
        with _stream(_uploaded) as stream:
            return streamed.read_stream(stream, None, dict(mapping), kept, without_thoughts)
    except BaseException:
        kept.close()
        raise


@contextmanager
def _stream(uploaded: Upload) -> Iterator[RowStream]:
    with _on_disk(uploaded) as stream:
        assert stream is not None
        yield stream


@contextmanager
def _on_disk(uploaded: Upload) -> Iterator[RowStream | None]:
    """The file, to be read row by row; None where that can't be."""
    with NamedTemporaryFile() as copy:
        copy.write(uploaded.getvalue())
        copy.flush()
        try:
            yield row_stream(Path(copy.name), Limits.from_settings())
        except (FileFormatError, LimitError) as error:
            raise type(error)(f"{shown_name(uploaded.name)}: {error}") from None
