"""`hcat select`: which candidates become test cases, whoever wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from hcat.dashboard.capabilities.corpus.commands.corpus_files import passages_at
from hcat.dashboard.capabilities.corpus.commands.corpus_index import searchable
from hcat.dashboard.commands.output import AsJson, document, existing, print_document, print_table, progress_bar


def select(
    candidates: Annotated[Path, typer.Argument(help="Test cases to examine (JSON Lines with query and passages).")],
    passages: Annotated[Path, typer.Argument(help="The corpus they were made from: passages (JSON Lines).")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the accepted ones (JSON Lines).")],
    dropped: Annotated[
        Path | None, typer.Option(help="Also write the dropped ones, each with its reason (JSON Lines).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Select test cases: each stands alone, finds its passage, has its answer there, and asks what no other asks."""
    from hcat.core.capabilities.test_sets.case_file import read_cases
    from hcat.core.capabilities.test_sets.selection import select as select_cases
    from hcat.core.capabilities.test_sets.selection.select import SELECTION_SETTINGS
    from hcat.core.capabilities.test_sets.wording.test_sets import selection_document, selection_sentence
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.test_case import record, test_cases_jsonl

    cases = read_cases(existing(candidates).read_bytes(), filename=candidates.name)
    corpus = passages_at(passages)
    with progress_bar() as show:
        index, entailment = searchable(corpus, on_progress=show)
        selection = select_cases(cases, index, entailment=entailment, on_progress=show)
    write_whole(output, test_cases_jsonl(selection.accepted).encode())
    if dropped is not None:
        rows = [
            {**record(drop.case), "dropped": {"reason": drop.reason, "detail": drop.detail}}
            for drop in selection.dropped
        ]
        write_whole(dropped, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    if as_json:
        about = document(inputs={"candidates": candidates, "passages": passages}, settings=SELECTION_SETTINGS)
        print_document({**about, **selection_document(selection)})
        return
    rows_of_reasons = [(reason, str(n)) for reason, n in selection.reasons.items()]
    print_table(f"{selection_sentence(selection)} → {output}", ("dropped because", "candidates"), rows_of_reasons)
