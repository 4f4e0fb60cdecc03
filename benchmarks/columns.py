"""`python -m benchmarks.columns TASK FOLDER`: import the run file in the folder, export or open what is stored."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks import telling
from benchmarks.growth import PASSAGES
from benchmarks.growth_rows import growth
from benchmarks.made_run import workspace_in
from benchmarks.rows import Measured
from benchmarks.timing import interleaved
from hcat.core.attack_detectors import attacks_in
from hcat.core.metrics.funnel import run_funnel
from hcat.core.records.clusters import clusters_in
from hcat.core.records.run_file import from_record, to_record
from hcat.core.records.samples.columns import SampleColumns, trials_in
from hcat.core.records.samples.outlines import outlines_in
from hcat.core.scoring.domain import outside_domain_in
from hcat.core.scoring.provenance import VERIFIED_BY, Provenance
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.slices.slices import dimension_frame
from hcat.core.storage.artifacts import ArtifactStore
from hcat.core.storage.sample_files import KIND, SampleFiles
from hcat.core.types import Criterion, Label, Passage, Sample

RUN = "run.jsonl"
COMPARED = 20_000
"""Samples of the ratios against the layout of before, which decodes all of them."""
MOST_GIGABYTES = 2.0
LABELLED = 1_000
"""Samples that labels are on."""
TOPICS, AREAS = 40, 12


def made_up(count: int, *, answers: int | None = None) -> Iterator[Sample]:
    """Samples one after another: three passages of two thousand, two dimensions, an answer of the sample's own, or one
    of so many `answers`."""
    rng = np.random.default_rng(1)
    passages = [
        Passage(f"p{number}", " ".join(f"Item {number} of area {area} rose by {number % 90}%." for area in range(4)))
        for number in range(PASSAGES)
    ]
    for number in range(count):
        own = number if answers is None else number % answers
        contexts = tuple(replace(passages[k], score=1 / (k + 1)) for k in rng.integers(PASSAGES, size=3))
        yield Sample(
            f"s{number * 7_919 % count:07}",
            f"By how much did item {own % 5_000} rise?",
            f"It rose by {own % 90}%. In case {own}, area {own % 7} was spared.",
            contexts,
            f"Item {own % 5_000} rose by {own % 90}%.",
            dimensions={"topic": f"topic {number % TOPICS}", "area": f"area {number * 31 % AREAS}"},
        )


def rows(sizes: Sequence[int], pairs: int) -> Iterator[Measured]:
    """A run imported, exported, and opened; one sample and the dimensions beside the layout of before."""
    yield from growth("columns", _importing, sizes, 1.1, what="samples imported", at_most_gigabytes=MOST_GIGABYTES)
    yield from growth("columns", _exporting, sizes, 1.1, what="samples exported", at_most_gigabytes=MOST_GIGABYTES)
    yield from growth("columns", _opening, sizes, 1.1, what="samples' dimensions")
    yield from growth("columns", partial(_labelled, "label-log"), sizes, 1.1, what="entries of a label log exported")
    yield from growth("columns", partial(_labelled, "label-file"), sizes, 1.1, what="labels in force exported")
    yield from _beside_the_layout_of_before(pairs)
    yield from telling.rows(pairs)


def _importing(size: int, folder: Path) -> list[str]:
    with (folder / RUN).open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(to_record(sample)) + "\n" for sample in made_up(size))
    return [sys.executable, "-m", "benchmarks.columns", "import", str(folder)]


def _exporting(size: int, folder: Path) -> list[str]:
    with workspace_in(folder) as workspace:
        project = workspace.projects.create("P")
        workspace.criteria.add(project, Criterion("correctness"))
        workspace.runs.add_each(project, "R", made_up(size), several=(), source=RUN)
    return [sys.executable, "-m", "benchmarks.columns", "export", str(folder)]


def _opening(size: int, folder: Path) -> list[str]:
    written = SampleFiles(ArtifactStore(str(folder))).write(made_up(size, answers=1_000))
    return [sys.executable, "-m", "benchmarks.columns", "open", f"{folder}/{KIND}/{written.artifact}"]


def _labelled(task: str, size: int, folder: Path) -> list[str]:
    """A run of 1,000 samples with so many labels, each sample's by as many people as it takes."""
    with workspace_in(folder) as workspace:
        project, criterion = workspace.projects.create("P"), Criterion("correctness")
        workspace.criteria.add(project, criterion)
        run = workspace.runs.add_each(project, "R", made_up(LABELLED), several=(), source=RUN)
        label = Label("s0000000", "correctness", 1, annotator="first", run="R", rationale="The fee is right.")
        workspace.labels.add(run, criterion, [label])
    own = {"id": "k", "sample_id": f"printf('s%07d', k % {LABELLED})", "annotator": f"'person ' || (k / {LABELLED})"}
    with closing(sqlite3.connect(folder / "hcat.db")) as database, database:
        names = [name for _, name, *_ in database.execute("PRAGMA table_info(label)")]
        cells = ", ".join(own.get(name, f'"{name}"') for name in names)
        database.execute(
            "WITH RECURSIVE each_label(k) AS (SELECT 2 UNION ALL SELECT k + 1 FROM each_label WHERE k < ?) "
            f"INSERT INTO label SELECT {cells} FROM label CROSS JOIN each_label",
            (size,),
        )
    return [sys.executable, "-m", "benchmarks.columns", task, str(folder)]


def _beside_the_layout_of_before(pairs: int) -> Iterator[Measured]:
    with tempfile.TemporaryDirectory() as folder:
        files, samples = SampleFiles(ArtifactStore(folder)), list(made_up(COMPARED, answers=1_000))
        artifact = files.write(samples).artifact
        records = [json.dumps(to_record(sample)) for sample in samples]
        table = pa.table({"id": [sample.id for sample in samples], "record": records})
        before = files.artifacts.write_table(KIND, table, rows_a_group=128)

        def decode() -> list[Sample]:
            stored = files.artifacts.read_table(KIND, before, columns=["record"])["record"].to_pylist()
            return [from_record(json.loads(record)) for record in stored]

        def whole() -> object:
            return dimension_frame(decode())

        name = f"{COMPARED:,} samples"
        sizes = [len(files.artifacts.get(KIND, each)) for each in (artifact, before)]
        note = f"{sizes[0] / 1e6:.1f} MB on disk, before {sizes[1] / 1e6:.1f} MB"
        ratio = interleaved(lambda: files.one(artifact, samples[-1].id), decode, pairs=pairs)
        yield Measured("columns", name, "one sample / all, as before", ratio, at_most=0.1, note=note)
        ratio = interleaved(
            lambda: _of_pages(files.columns(artifact)),
            lambda: _of_pages(ColumnsOfSamples(files.all(artifact))),
            pairs=pairs,
        )
        yield Measured("columns", name, "what pages need of texts / by decoding all", ratio, at_most=0.5)
        ratio = interleaved(lambda: dimension_frame(files.columns(artifact)), whole, pairs=pairs)
        yield Measured("columns", name, "dimensions / by decoding all", ratio, at_most=0.1)


def _of_pages(columns: SampleColumns) -> object:
    """What Overview, Retrieval, Trials, Robustness and Attacks need of a run whose claims a model verified."""
    verified = Provenance("0", "", ("faithfulness",), parameters={"faithfulness": {VERIFIED_BY: {"by": "nli"}}})
    return (
        outside_domain_in(columns, verified),
        run_funnel(columns),
        trials_in(columns),
        outlines_in(columns),
        attacks_in(columns),
    )


def _import(folder: Path) -> None:
    """`hcat import` row by row, however small the file is."""
    os.environ |= {"HCAT_DATABASE_URL": f"sqlite:///{folder}/hcat.sqlite", "HCAT_ARTIFACTS": str(folder / "artifacts")}
    from hcat.core.importers import streamed
    from hcat.dashboard.capabilities.runs.commands.project import import_

    streamed.STREAMED_BYTES = 0
    import_(folder / RUN, project="P", run="R", max_file_mb=100_000, max_rows=100_000_000)


def _export(folder: Path) -> None:
    """`hcat samples export` of all samples."""
    os.environ |= {"HCAT_DATABASE_URL": f"sqlite:///{folder}/hcat.db", "HCAT_ARTIFACTS": str(folder / "artifacts")}
    from hcat.dashboard.capabilities.samples.command import export

    export(project="P", run="R", output=folder / "samples.parquet", criterion="correctness")


def _export_labels(folder: Path, *, log: bool) -> None:
    """`hcat labels export`, of all entries or of the labels in force."""
    os.environ |= {"HCAT_DATABASE_URL": f"sqlite:///{folder}/hcat.db", "HCAT_ARTIFACTS": str(folder / "artifacts")}
    from hcat.dashboard.capabilities.labelling.commands.labels import export

    export(project="P", output=folder / "labels.csv", run="R", criterion="correctness", log=log)


def _open(stored: Path) -> None:
    """The table of dimensions and the clusters of a stored run; what is loaded before does not count."""
    columns = SampleFiles(ArtifactStore(str(stored.parent.parent))).columns(stored.name)
    dimension_frame(list(made_up(100)))
    started = time.process_time()
    frame, clusters = dimension_frame(columns), clusters_in(columns)
    print(json.dumps({"seconds": time.process_time() - started, "rows": len(frame), "clusters": len(clusters)}))


if __name__ == "__main__":
    TASKS = {"import": _import, "export": _export, "open": _open}
    TASKS |= {"label-log": partial(_export_labels, log=True), "label-file": partial(_export_labels, log=False)}
    TASKS[sys.argv[1]](Path(sys.argv[2]))
