"""Samples with all that is known of them as a file for a spreadsheet, which runs no cell as a formula."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence

from core.analysis.sample_filter import SampleFacts
from core.importers.reading.spreadsheet import escape_formula
from core.scoring.score_table import ScoreTable
from core.types import Sample

Cell = str | float | None

MOST_CHARACTERS = 32_767
"""What a cell of Excel holds at most; a longer text ends with CUT there."""
CUT = " … (cut: a cell of Excel holds no more)"
FIXED = ("sample_id", "query", "answer", "reference", "contexts")


def sample_rows(
    sample_ids: Sequence[str], facts: SampleFacts, table: ScoreTable | None, *, criterion: str | None
) -> list[list[Cell]]:
    """A head, then one row a sample: texts, the label on the criterion, the prediction by the calibration in force,
    levels of all dimensions, and all scores. Contexts are one JSON list, in rank order. An unscored metric is empty."""
    dimensions = [str(name) for name in facts.dimensions]
    metrics = () if table is None else table.metrics
    label = [] if criterion is None else [f"label:{criterion}"]
    predictions = ["prediction"] if facts.decisions else []
    rows: list[list[Cell]] = [[*FIXED, *label, *predictions, *(f"dimension:{name}" for name in dimensions), *metrics]]
    levels = {
        name: dict(zip(facts.dimensions.index, facts.dimensions[name].astype("str"), strict=True))
        for name in dimensions
    }
    scored = (
        [dict(zip(table.sample_ids, table.values(name).tolist(), strict=True)) for name in metrics] if table else []
    )
    rows.extend(
        [
            *_texts(facts.samples[sample_id]),
            *([facts.label(sample_id)] if criterion is not None else []),
            *([facts.decisions.get(sample_id, "")] if predictions else []),
            *(levels[name][sample_id] for name in dimensions),
            *(_finite(scores.get(sample_id)) for scores in scored),
        ]
        for sample_id in sample_ids
    )
    return rows


def as_csv(rows: Sequence[Sequence[Cell]]) -> bytes:
    """UTF-8 with a byte order mark, by which Excel knows it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    for row in rows:
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8", "replace")


def as_excel(rows: Sequence[Sequence[Cell]]) -> bytes:
    """One sheet, whose texts are texts: never formulas or links."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("samples")
    sheet.freeze_panes = "B2"
    for row in rows:
        cells: list[object] = []
        for value in row:
            cell = WriteOnlyCell(sheet, value=_fitting(value) if isinstance(value, str) else value)
            if isinstance(value, str):
                cell.data_type = "s"
            cells.append(cell)
        sheet.append(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fitting(text: str) -> str:
    """The text without what a workbook can't hold, defused like a cell of CSV, as which such files are saved too."""
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    clean = escape_formula(str(ILLEGAL_CHARACTERS_RE.sub(" ", text)).encode("utf-8", "replace").decode())
    return clean if len(clean) <= MOST_CHARACTERS else clean[: MOST_CHARACTERS - len(CUT)] + CUT


def _texts(sample: Sample) -> tuple[Cell, ...]:
    contexts = json.dumps([context.text for context in sample.contexts], ensure_ascii=False) if sample.contexts else ""
    return sample.id, sample.query, sample.answer, sample.reference, contexts


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
