"""A reported run to and from files of a pack: all that is needed to recompute every number of the run."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, cast, get_type_hints

import numpy as np
from numpy.typing import NDArray

from hcat.core.calibration.calibration import Calibration
from hcat.core.capabilities.calibration.wording.calibration_document import calibration_document
from hcat.core.capabilities.evidence.withheld import withheld_sample
from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
from hcat.core.errors import FileFormatError, NotFoundError
from hcat.core.opened.run import Labeller, Opened, RunColumns
from hcat.core.records.canonical import canonical_json
from hcat.core.records.codec import Codec
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.json_text import json_object
from hcat.core.records.parquet import read_table, table_bytes
from hcat.core.records.reading import Reader
from hcat.core.records.run_file import from_record, to_jsonl
from hcat.core.records.samples.columns import SampleColumns
from hcat.core.scoring.score_table import ScoreTable
from hcat.core.slices.files import read_weaknesses, weaknesses_table
from hcat.core.slices.sample_columns import ColumnsOfSamples
from hcat.core.topics.run_topics import RunTopics, read_topics, topics_table
from hcat.core.types import Criterion, JsonValue, Label, Sample

if TYPE_CHECKING:
    import pyarrow as pa

Files = Mapping[str, bytes]
TAGGED = Codec(tag="type")
SAMPLES, WITHHELD, SCORES, LABELS, TOPICS = (
    *("samples.jsonl", "samples_withheld.jsonl", "scores.parquet", "labels.jsonl"),
    "topics.parquet",
)
WEAKNESSES, VECTORS, FACTS = "weaknesses.parquet", "answer_vectors.parquet", "run.json"
OF_OWN = {"run", "calibrations", "newest", "weaknesses", "answer_vectors"}
"""Fields of a reported run with files or keys of their own; the others are written by their types."""
KINDS: tuple[Labeller | None, ...] = (None, "people", "rule")


@dataclass(frozen=True)
class PackedLabels:
    """The labels of one run in a pack, by criterion and kind of labeller, and the strata of samples."""

    by_kind: Mapping[tuple[str, Labeller | None], Sequence[Label]]
    strata_of: Mapping[str, Mapping[str, str] | None]

    def labels(self, criterion: str, *, by: Labeller | None = None) -> Sequence[Label]:
        return self.by_kind.get((criterion, by), ())

    def strata(self, criterion: Criterion) -> Mapping[str, str] | None:
        return self.strata_of.get(criterion.name)

    def inclusion(self, criterion: Criterion) -> None:
        """None: no number of a report depends on it."""

    def as_first_sampled(self, labels: Sequence[Label]) -> Sequence[Label]:
        return labels

    def registered_plans(self, criterion: str) -> tuple[()]:  # noqa: ARG002
        """None: calibrations, and the verdicts on metrics, are stored in the pack with their declared looks."""
        return ()

    def independent_labels(self, criterion: Criterion) -> Sequence[Label]:
        return self.labels(criterion.name, by="people")

    def criteria(self) -> tuple[()]:
        """A pack's criteria and calibrations are chosen when it is read."""
        return ()

    def calibration(self, criterion: str | None) -> None:
        """The same."""


@dataclass(frozen=True)
class PackedColumns:
    """Samples, scores and topics of a pack."""

    given_samples: tuple[Sample, ...] | None
    given_scores: ScoreTable | None
    found: RunTopics | None

    def samples(self) -> tuple[Sample, ...] | None:
        return self.given_samples

    def samples_at(self, rows: Iterable[int]) -> Iterator[Sample]:
        given = self.given_samples or ()
        return (given[row] for row in rows)

    def columns(self) -> SampleColumns | None:
        return None if self.given_samples is None else ColumnsOfSamples(self.given_samples)

    def sample(self, sample_id: str) -> Sample:
        sample = next((each for each in self.given_samples or () if each.id == sample_id), None)
        if sample is None:
            raise NotFoundError(f"the pack has no sample {sample_id!r}")
        return sample

    def scores(self) -> ScoreTable | None:
        return self.given_scores

    def topics(self) -> RunTopics | None:
        return self.found


def run_files(reported: ReportedRun, names: Mapping[str, str], *, withhold: bool) -> dict[str, bytes]:
    """The files of one run; `names` are the pseudonyms of labellers.

    With `withhold` the texts of samples are replaced by digests."""
    run, columns = reported.run, reported.run.columns
    files = {FACTS: json_bytes(_facts(reported)), LABELS: b"".join(_label_lines(reported, names))}
    if columns.given_samples is not None and withhold:
        files[WITHHELD] = to_jsonl(map(withheld_sample, columns.samples)).encode("utf-8")
    elif columns.given_samples is not None:
        files[SAMPLES] = to_jsonl(columns.samples).encode("utf-8", "surrogatepass")
    if columns.given_scores is not None:
        files[SCORES] = columns.scores.to_bytes()
    if run.columns.topics is not None:
        files[TOPICS] = table_bytes(topics_table(run.columns.topics))
    if reported.weaknesses is not None:
        files[WEAKNESSES] = table_bytes(weaknesses_table(reported.weaknesses, about={}))
    if reported.answer_vectors is not None:
        files[VECTORS] = table_bytes(_vectors_table(reported.answer_vectors))
    return files


def read_run(files: Files) -> ReportedRun:
    """The inverse of `run_files`. FileFormatError names the file that is not what it should be."""
    facts = _object(files, FACTS)
    stated = cast("dict[str, JsonValue]", facts["run"])
    samples = _samples(files)
    scores = ScoreTable.from_bytes(files[SCORES], name=SCORES) if SCORES in files else None
    topics = read_topics(read_table(io.BytesIO(files[TOPICS]))) if TOPICS in files else None
    source = PackedColumns(samples, scores, topics)
    strata = cast("dict[str, dict[str, str] | None]", facts["strata"])
    given = cast("dict[str, str] | None", facts["given_topics"])
    columns = RunColumns(str(stated["name"]), source, str(stated["filename"]),
                         str(stated["format"]), str(stated["content_hash"]), given)  # fmt: skip
    calibrations = [Calibration.from_document(each) for each in cast("list[JsonValue]", facts["calibrations"])]
    newest = facts["newest"]
    hints, reader = get_type_hints(ReportedRun), Reader({}, TAGGED.tag)
    others = cast("dict[str, JsonValue]", facts["reported"])
    read = {name: reader.read(hints[name], value, name) for name, value in others.items() if name in hints}
    criteria = cast("tuple[Criterion, ...]", read["criteria"])
    last = None if newest is None else calibrations[-1 if newest == "other" else int(str(newest))]
    in_force = () if scores is None or last is None else (last,)
    return ReportedRun(
        Opened(columns, PackedLabels(_labels(files), strata), criteria, in_force),
        calibrations=tuple(calibrations[: len(calibrations) - (newest == "other")]),
        newest=last,
        weaknesses=read_weaknesses(io.BytesIO(files[WEAKNESSES])) if WEAKNESSES in files else None,
        answer_vectors=_vectors(files, samples or ()),
        **read,  # type: ignore[arg-type]  # each read by the type of its field
    )


def json_bytes(value: Mapping[str, JsonValue]) -> bytes:
    """Compact JSON with the order of keys unchanged, since tables of a report depend on it."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")


def _facts(reported: ReportedRun) -> dict[str, JsonValue]:
    columns = reported.run.columns
    calibrations = list(reported.calibrations)
    newest: JsonValue = next((i for i, each in enumerate(calibrations) if each is reported.newest), None)
    if newest is None and reported.newest is not None:
        newest, calibrations = "other", [*calibrations, reported.newest]
    others = [field.name for field in fields(reported) if field.name not in OF_OWN]
    return {
        "run": {
            "name": columns.name,
            "filename": columns.filename,
            "format": columns.format,
            "content_hash": columns.content_hash,
        },
        "strata": {
            criterion.name: None if strata is None else dict(strata)
            for criterion in reported.criteria
            for strata in (reported.run.strata(criterion),)
        },
        "given_topics": None if columns.given_topics is None else dict(columns.given_topics),
        "calibrations": [calibration_document(each) for each in calibrations],
        "newest": newest,
        "reported": {name: TAGGED.write(getattr(reported, name)) for name in others},
    }


def _label_lines(reported: ReportedRun, names: Mapping[str, str]) -> Iterator[bytes]:
    for criterion in reported.criteria:
        for kind in KINDS:
            for label in reported.run.label_source.labels(criterion.name, by=kind):
                row = label._asdict() | {
                    "annotator": names.get(label.annotator, label.annotator),
                    "at": None if label.at is None else label.at.isoformat(),
                    "rationale": None,
                    "by": kind,
                }
                yield canonical_json(row) + b"\n"


def _labels(files: Files) -> dict[tuple[str, Labeller | None], list[Label]]:
    found: dict[tuple[str, Labeller | None], list[Label]] = {}
    for number, line in enumerate(files[LABELS].splitlines(), start=1):
        try:
            row = json.loads(line)
            kind, at = row.pop("by"), row.pop("at")
            label = Label(**row, at=None if at is None else datetime.fromisoformat(at))
        except (ValueError, TypeError, KeyError) as error:
            raise FileFormatError(f"{LABELS}, row {number}, is no label: {error}") from None
        found.setdefault((label.criterion, kind), []).append(label)
    return found


def _samples(files: Files) -> tuple[Sample, ...] | None:
    name = next((name for name in (SAMPLES, WITHHELD) if name in files), None)
    if name is None:
        return None
    lines = files[name].decode("utf-8", "surrogatepass").split("\n")[:-1]
    try:
        return tuple(from_record(json_object(line)) for line in lines)
    except (ValueError, KeyError) as error:
        raise FileFormatError(f"{name} holds what is no sample: {error}") from None


def _object(files: Files, name: str) -> dict[str, JsonValue]:
    try:
        return json_object(files[name])
    except (KeyError, ValueError) as error:
        raise FileFormatError(f"{name} is missing or no JSON object: {error}") from None


def _vectors_table(vectors: Mapping[str, NDArray[np.float32]]) -> pa.Table:
    """The vectors by the hash of their text."""
    import pyarrow as pa

    by_hash = {sha256_of_text(text): vector.tolist() for text, vector in vectors.items()}
    rows = pa.array([by_hash[name] for name in sorted(by_hash)], pa.list_(pa.float32()))
    return pa.table({"sha256": sorted(by_hash), "vector": rows})


def _vectors(files: Files, samples: Sequence[Sample]) -> dict[str, NDArray[np.float32]] | None:
    if VECTORS not in files:
        return None
    table = read_table(io.BytesIO(files[VECTORS]))
    by_hash = dict(zip(table["sha256"].to_pylist(), table["vector"].to_pylist(), strict=True))
    texts = {sample.answer.strip(): sha256_of_text(sample.answer.strip()) for sample in samples if sample.answer}
    return {text: np.array(by_hash[name], np.float32) for text, name in texts.items() if name in by_hash}
