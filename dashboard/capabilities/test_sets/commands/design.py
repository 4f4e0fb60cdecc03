"""`hcat design`: which passages a test set asks about, and with which probability each was drawn."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.capabilities.test_sets.allocation import KINDS, DesignKind
from hcat.core.display.numbers import counted
from hcat.core.errors import FileFormatError, HcatError
from hcat.dashboard.capabilities.topics.commands.topic_files import sampling_topics
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    existing,
    names_in,
    print_document,
    print_table,
    progress_bar,
)

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.design import SamplingDesign
    from hcat.core.types import JsonValue

MOST_ROWS = 100


def design(
    passages: Annotated[
        str,
        typer.Argument(
            help="Passages (JSON Lines), as `hcat corpus` writes them; with --project the name of a corpus."
        ),
    ],
    n: Annotated[int, typer.Option("-n", help="How many test cases.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Where to write the design (.json), or its table of strata (.csv).")
    ],
    topics: Annotated[Path | None, typer.Option(help="The passages' topics, from `hcat topics`.")] = None,
    by: Annotated[
        str,
        typer.Option(
            help="Strata: topic, document, heading, length. By default the topic, if given or with --project, else "
            "document."
        ),
    ] = "",
    kind: Annotated[str, typer.Option(help="proportional, equal or weighted.")] = "proportional",
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="LEVEL=NUMBER: how much of the test set a level gets.")
    ] = None,
    weights: Annotated[Path | None, typer.Option(help="The same as a CSV file with the columns level, weight.")] = None,
    minimum: Annotated[
        int | None,
        typer.Option(help="Fewest cases of each stratum. By default 1 of each topic where -n reaches for all."),
    ] = None,
    per_passage: Annotated[
        int | None, typer.Option(help="Most cases from one passage. By default as few as -n takes.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Another seed draws other passages.")] = None,
    project: Annotated[
        str | None, typer.Option(help="A project: the design that its page Test sets generates by.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw passages for a test set from strata, each case with a known probability, by which estimates weight it."""
    from hcat.core.settings import settings

    if output.suffix not in (".json", ".csv"):
        raise HcatError(f"a design is written as .json or .csv, not as {output.suffix or 'a file without an ending'}")
    dimensions = tuple(names_in(by)) or (("document",) if topics is None and project is None else ("topic",))
    asked = _Asked(
        n=n,
        by=dimensions,
        kind=kind_of(kind),
        weights=weights_of(weight or [], weights),
        minimum=minimum,
        per_passage=per_passage,
        seed=settings().seed if seed is None else seed,
    )
    inputs: dict[str, Path] = {}
    of: dict[str, JsonValue] = {}
    if project is None:
        inputs = {"passages": Path(passages)} | ({} if topics is None else {"topics": topics})
        found = _of_file(Path(passages), topics, asked)
    elif topics is not None:
        raise HcatError(
            "--topics is for files: a project's topics are found by `hcat topics --project P --corpus NAME`"
        )
    else:
        found, of["corpus_version"] = _of_project(project, passages, asked)
        of |= {"project": project, "corpus": passages}
    about = document(
        inputs=inputs,
        settings={
            **of,
            "n": n,
            "by": list(dimensions),
            "kind": found.kind,
            "per_passage": found.per_passage,
            "minimum": minimum,
            "seed": asked.seed,
        },
        unequal=found.is_unequal,
    )
    _write(output, found, about)
    if as_json:
        print_document({**about, "strata": found.document()["strata"], "left_out": {**found.left_out}})
        return
    _print(found, output)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The design that the options ask for."""

    n: int
    by: tuple[str, ...]
    kind: DesignKind
    weights: Mapping[str, float]
    minimum: int | None
    per_passage: int | None
    seed: int


def _of_file(passages: Path, topics: Path | None, asked: _Asked) -> SamplingDesign:
    import numpy as np

    from hcat.core.capabilities.test_sets.design import draw
    from hcat.core.capabilities.test_sets.frame import frame_of
    from hcat.core.records.passages import iterate_passages

    levels = None if topics is None else sampling_topics(topics)
    frame = frame_of(iterate_passages(existing(passages)), by=asked.by, topics=levels)
    return draw(
        frame.strata,
        asked.n,
        kind=asked.kind,
        weights=asked.weights,
        least=asked.minimum,
        per_passage=asked.per_passage,
        rng=np.random.default_rng(asked.seed),
        dimensions=asked.by,
        left_out=frame.left_out,
    )


def _of_project(project: str, corpus: str, asked: _Asked) -> tuple[SamplingDesign, int]:
    """The design over the newest version of the corpus, and the number of that version."""
    from hcat.core.capabilities.test_sets.services.generation import GenerationRequest
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        owner = workspace.projects.get(project)
        version = workspace.corpora.versions(owner, corpus)[0].version
        request = GenerationRequest(
            name="",
            corpus=corpus,
            corpus_version=version,
            n=asked.n,
            types={},
            kind=asked.kind,
            by=asked.by,
            weights=asked.weights,
            minimum=asked.minimum,
            per_passage=asked.per_passage,
            seed=asked.seed,
        )
        return workspace.generation.design(owner, request, on_progress=show), version


def kind_of(name: str) -> DesignKind:
    """The kind of design of this name, or HcatError."""
    for kind in KINDS:
        if kind == name:
            return kind
    raise HcatError(f"no kind of design {name!r}: choose one of {', '.join(KINDS)}")


def weights_of(stated: list[str], path: Path | None) -> dict[str, float]:
    """Weights from a file, and over them those stated as LEVEL=NUMBER. HcatError where one is no number."""
    rows: list[tuple[str, str]] = []
    if path is not None:
        with existing(path).open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            if not {"level", "weight"} <= set(table.fieldnames or ()):
                raise FileFormatError(f"{path.name}: expected the columns level and weight")
            rows = [(row["level"] or "", row["weight"] or "") for row in table]
    for text in stated:
        level, separator, number = text.rpartition("=")
        if not separator or not level:
            raise HcatError(f"a weight is stated as LEVEL=NUMBER, not as {text!r}")
        rows.append((level, number))
    weights = {}
    for level, number in rows:
        try:
            weights[level.strip()] = float(number)
        except ValueError:
            raise HcatError(f"the weight of {level!r} is {number!r}: expected a number") from None
    return weights


def _write(path: Path, found: SamplingDesign, about: Mapping[str, JsonValue]) -> None:
    from hcat.core.importers.reading.spreadsheet import Cell, as_csv
    from hcat.core.records.atomic import write_whole

    if path.suffix == ".json":
        write_whole(path, json.dumps({**about, **found.document()}, ensure_ascii=False, indent=1).encode())
        return
    head = (*found.dimensions, "size", "target", "drawn", "probability")
    rows: list[tuple[Cell, ...]] = [
        (*row.levels, row.size, row.target, row.drawn, row.probability) for row in found.strata
    ]
    write_whole(path, as_csv([head, *rows]))


def _print(found: SamplingDesign, output: Path) -> None:
    from hcat.core.capabilities.test_sets.wording.test_sets import left_out_sentence

    print_table(
        f"{counted(found.n, 'case')} from {counted(len(found.units), 'passage')}, by "
        f"{' × '.join(found.dimensions)} → {output}",
        (" × ".join(found.dimensions), "passages", "target", "drawn", "probability"),
        [
            (" × ".join(row.levels), str(row.size), f"{row.target:.2f}", str(row.drawn), f"{row.probability:.4g}")
            for row in found.strata[:MOST_ROWS]
        ],
    )
    if len(found.strata) > MOST_ROWS:
        typer.echo(f"{len(found.strata) - MOST_ROWS} more strata are in the file.")
    if found.left_out:
        typer.echo(left_out_sentence(len(found.left_out)))
    if found.is_unequal:
        typer.echo("The probabilities are unequal: estimates from these cases weight each by the inverse of its own.")
