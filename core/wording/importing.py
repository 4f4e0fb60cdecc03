"""Sentences about a file that was read, and about what it will take to read one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hcat.core.display.messages import say
from hcat.core.display.numbers import counted
from hcat.core.scoring.bare_texts import bare_among
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.wording.bare_references import bare_references_note
from hcat.core.wording.languages import language_warning, languages_text

if TYPE_CHECKING:
    from hcat.core.importers import Preview
    from hcat.core.importers.account import Account, ColumnAccount
    from hcat.core.records.job import JobForecast
    from hcat.core.records.samples.columns import SampleColumns
    from hcat.core.types import JsonValue, Sample


NO_CONTEXTS = (
    "Note: no sample of the file has contexts, so metrics that compare with contexts have no scores. If a column holds "
    "them, map it."
)


def notes_on_file(preview: Preview) -> tuple[str, ...]:
    """Notes before a run file is imported: on its samples, and on the way its cells were read."""
    return (*notes_on_samples(preview.samples), *notes_on_texts(preview))


def notes_on_samples(samples: Iterable[Sample]) -> tuple[str, ...]:
    """Notes before samples are scored: no contexts, languages that metrics were not validated in, and references that
    state nothing."""
    return notes_on_columns(ColumnsOfSamples(samples))


def notes_on_columns(columns: SampleColumns) -> tuple[str, ...]:
    """The same by the columns of a run."""
    contexts = columns.numbers("contexts")
    without = len(contexts) > 0 and not contexts.any()
    languages = columns.levels("language").counts()
    warning = language_warning(languages)
    about = (f"Note: {languages_text(languages, len(contexts))}", f"Note: {warning}.") if warning else ()
    bare = bare_references_note(bare_among(columns.levels("reference_kind")))
    return (*((NO_CONTEXTS,) if without else ()), *about, *((f"Note: {bare}",) if bare else ()))


def notes_on_texts(preview: Preview) -> tuple[str, ...]:
    """Notes on changes to cells, on columns that were read by their names alone, and on those that are not used though
    they are named like a field."""
    account = preview.account
    as_text = (
        f"Note: in {counted(rows, 'row')}, column {column} holds a number or true/false; it is read as that text."
        for column, rows in preview.read_as_text.items()
    )
    guessed = [f"{each.column} → {each.field}" for each in account.columns if each.by_name]
    by_name = [say("Read by the names of columns: {columns}.", columns=", ".join(guessed))] if guessed else []
    unused = [
        say("Column {column} is not used, though it is named like {field}.", column=each.column, field=each.like)
        for each in account.columns
        if each.like is not None
    ]
    unread = [
        say("Column {column}: {n:,} cells can't be stored (too long, or no text) and are left out.", column=name, n=n)
        for name, n in ((each.column, each.unread) for each in account.columns)
        if n
    ]
    remarks = [remark_sentence(kind, about, n) for (kind, about), n in account.remarks.items()]
    return (*as_text, *(f"{say('Note')}: {each}" for each in (*by_name, *unused, *unread, *remarks)))


def remark_sentence(kind: str, about: str, n: int) -> str:
    """Remark on a change to cells of `n` rows; `about` names the column, the row or the text."""
    match kind:
        case "like rows":
            return say(
                "Row {row}: {n:,} lines within one cell look like rows of the table. A quote may be missing or left "
                "over there: check the file.",
                row=about,
                n=n,
            )
        case "no answer":
            return say(
                "In {n:,} rows the answer is “{text}”, which stands for none: read as no answer.", text=about, n=n
            )
        case "thoughts":
            return say(
                "{n:,} answers hold a model's thoughts (such as <think>…</think>), which are scored as part of the "
                "answer. To leave them out: --without-thoughts, or the switch on the Runs page.",
                n=n,
            )
        case "thoughts left out":
            return say("A model's thoughts are left out of {n:,} answers; the metadata have the whole text.", n=n)
        case "signs":
            return say(
                "In {n:,} rows, codes for a terminal and invisible characters were taken out of {field}.",
                field=about,
                n=n,
            )
        case "whole":
            return say(
                "In {n:,} rows, column {column} holds a table, whose signs can't be told from those between texts: "
                "the cell is read as one text.",
                column=about,
                n=n,
            )
    raise ValueError(f"no remark is of this kind: {kind}")


def account_columns() -> tuple[str, str, str]:
    """The heads of `account_rows`."""
    return say("column"), say("used as"), say("remark")


def account_rows(account: Account) -> list[tuple[str, str, str]]:
    """Name, use and remark of each column."""
    return [(each.column, _use(each), _remark(each)) for each in account.columns]


def _use(column: ColumnAccount) -> str:
    if column.use == "field":
        return str(column.field)
    if column.use == "dimension":
        return say("dimension")
    return say("stored in the metadata") if column.use == "metadata" else say("left out")


def _remark(column: ColumnAccount) -> str:
    said = [say("by its name")] if column.by_name else []
    if column.like is not None:
        said.append(say("named like {field}, and not used as one", field=column.like))
    if column.unread:
        said.append(say("{n:,} cells can't be stored", n=column.unread))
    return "; ".join(said)


def lines_sentence(account: Account, rows: int) -> str:
    """The number of lines that were read, and their distribution over the rows; empty for a file without lines."""
    lines = account.lines
    if not lines.read:
        return ""
    text = say(
        "{read:,} lines read: {above:,} up to the header, and {rows:,} rows.",
        read=lines.read,
        above=lines.above,
        rows=rows,
    )
    if lines.longest < 2:
        return text
    longest = say("The longest row, {row:,}, takes {n:,} lines.", row=lines.longest_row, n=lines.longest)
    return f"{text} {longest}"


def account_document(account: Account) -> dict[str, JsonValue]:
    """The account as JSON."""
    lines = account.lines
    columns: list[JsonValue] = [
        {
            "column": each.column,
            "use": each.use,
            "field": each.field,
            "by_name": each.by_name,
            "named_like": each.like,
            "cells_left_out": each.unread,
        }
        for each in account.columns
    ]
    remarks: list[JsonValue] = [{"kind": kind, "about": about, "n": n} for (kind, about), n in account.remarks.items()]
    counts: dict[str, JsonValue] = {
        "read": lines.read,
        "up_to_the_header": lines.above,
        "in_rows": lines.in_rows,
        "in_rows_left_out": lines.in_bad_rows,
        "longest_row": lines.longest_row,
        "lines_of_longest_row": lines.longest,
    }
    return {"columns": columns, "lines": counts, "remarks": remarks}


def alike_sentence(names: Sequence[str]) -> str:
    """Remark on annotators whose names differ in case and blanks only."""
    return say(
        "The annotators {names} differ in case and blanks only: if they are one person, write the name in one way.",
        names=", ".join(f"“{name}”" for name in names),
    )


def forecast_sentence(forecast: JobForecast) -> str:
    """About how long it takes, how much memory, and how much disk."""
    return (
        f"About {float(f'{forecast.rows:.2g}'):,.0f} rows: {_duration(forecast.seconds)} on one processor, "
        f"{_size(forecast.memory)} of memory, {_size(forecast.disk)} of disk."
    )


def scoring_forecast_sentence(forecast: JobForecast) -> str:
    """The same before a run is scored. The time is an upper bound: texts that come again are read once."""
    return (
        f"{forecast.rows:,} samples: up to {_duration(forecast.seconds)} on one processor, by the first samples, "
        "without the answers of a language model; "
        f"about {_size(forecast.memory)} of memory, up to {_size(forecast.disk)} of disk."
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _size(size: float) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{max(size / 1e6, 0.1):.1f} MB"
