"""`python -m benchmarks.hostile_files`: what files made to be costly cost: memory, processor time, and what is said.

Each file is read in a process of its own. Memory is the largest that the process, or one that it started, had in use
at once; "none" stands first for what the program itself takes. `--own FOLDER` measures files of yours instead.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hcat.core.capabilities.collect.description import read_target
from hcat.core.capabilities.collect.test_set import read_test_cases
from hcat.core.capabilities.judges.pair_file import read_pair_file
from hcat.core.errors import HcatError
from hcat.core.importers import read_columns, read_run
from hcat.core.importers.labels.label_file import read_labels
from hcat.core.importers.scores.read_scores import read_scores
from hcat.core.records.passages import read_passages
from hcat.core.scoring.score_table import ScoreTable

ROOT = Path(__file__).resolve().parents[1]
BLOCK = 1_000_000


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file: how it is read, its name, and its bytes in pieces."""

    reader: str
    name: str
    pieces: Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Cost:
    """Megabytes, seconds of processor time, and the outcome in a line."""

    memory: float
    seconds: float
    outcome: str


READERS: Mapping[str, Callable[[Path], object]] = {
    "none": lambda path: path,
    "run": lambda path: read_run(path, filename=path.name),
    "columns": lambda path: read_columns(path, filename=path.name),
    "scores": lambda path: read_scores(path, filename=path.name),
    "labels": read_labels,
    "score table": ScoreTable.read,
    "test cases": read_test_cases,
    "passages": read_passages,
    "pairs": lambda path: read_pair_file(path.read_bytes(), name=path.name),
    "target": read_target,
}


def main() -> None:
    """Measure every file, or those of a folder, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile_files", description=__doc__)
    parser.add_argument("--own", type=Path, metavar="FOLDER", help="measure the import of these run files instead")
    parser.add_argument("--like", default="", metavar="TEXT", help="only files whose name holds this")
    parser.add_argument("--read", nargs=2, metavar=("READER", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(_read(options.read[0], Path(options.read[1]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        files = _own(options.own) if options.own else _written(Path(folder), options.like)
        print(f"{'read as':<13}{'file':<52}{'MB':>7}{'memory MB':>11}{'CPU s':>8}  outcome")
        for reader, name, path in files:
            cost = measured(reader, path)
            size = path.stat().st_size / 1e6
            line = f"{reader:<13}{name:<52}{size:>7.1f}{cost.memory:>11.0f}{cost.seconds:>8.1f}  {cost.outcome}"
            print(line, flush=True)


def measured(reader: str, path: Path) -> Cost:
    """What reading the file costs a process that does nothing else."""
    command = [sys.executable, "-m", "benchmarks.hostile_files", "--read", reader, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT, check=False)
    try:
        return Cost(**json.loads(done.stdout))
    except ValueError:
        last = done.stderr.strip().splitlines()[-1:] or [f"ended with {done.returncode}"]
        return Cost(float("nan"), float("nan"), f"BROKE OFF: {last[0][:120]}")


def _read(reader: str, path: Path) -> dict[str, float | str]:
    try:
        result = READERS[reader](path)
        outcome = f"read: {_told(result)}"
    except HcatError as error:
        outcome = f"refused: {error}"
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime
    return {"memory": max(_most_memory(), others.ru_maxrss / 1024), "seconds": seconds, "outcome": outcome[:160]}


def _most_memory() -> float:
    # The usual count of a process begins with what its parent used.
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(float(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def _told(result: object) -> str:
    samples, bad = getattr(result, "samples", None), getattr(result, "bad", 0)
    if isinstance(samples, Sequence):
        return f"{len(samples):,} samples, {bad:,} rows left out"
    return f"{len(result):,} entries" if isinstance(result, tuple) else type(result).__name__


def _own(folder: Path) -> Iterator[tuple[str, str, Path]]:
    for path in sorted(folder.iterdir()):
        yield "run", path.name, path


def _written(folder: Path, like: str) -> Iterator[tuple[str, str, Path]]:
    """Each file on the disk as long as it is measured."""
    for number, hostile in enumerate(FILES):
        if like not in f"{hostile.reader} {hostile.name}":
            continue
        path = folder / f"{number}{Path(hostile.name.split(' ')[0]).suffix}"
        with path.open("wb") as file:
            file.writelines(hostile.pieces())
        yield hostile.reader, hostile.name.partition(" ")[2], path
        path.unlink()


def _repeated(head: bytes, body: bytes, times: int, end: bytes = b"") -> Callable[[], Iterator[bytes]]:
    def pieces() -> Iterator[bytes]:
        yield head
        block = max(1, BLOCK // len(body))
        for _ in range(times // block):
            yield body * block
        yield body * (times % block)
        yield end

    return pieces


def _lines(line: Callable[[int], bytes], count: int) -> Callable[[], Iterator[bytes]]:
    return lambda: (line(number) for number in range(count))


def _parquet(contexts: int) -> Callable[[], Iterator[bytes]]:
    def pieces() -> Iterator[bytes]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        repeated = pa.DictionaryArray.from_arrays(pa.array([0] * contexts, pa.int32()), pa.array(["x"])).cast("string")
        lists = pa.ListArray.from_arrays(pa.array([0, contexts], pa.int32()), repeated)
        sink = io.BytesIO()
        pq.write_table(pa.table({"query": ["q"], "answer": ["a"], "contexts": lists}), sink, compression="zstd")
        yield sink.getvalue()

    return pieces


def _parquet_scores(rows: int) -> Callable[[], Iterator[bytes]]:
    def pieces() -> Iterator[bytes]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["x" * 100_000]))
        sink = io.BytesIO()
        pq.write_table(pa.table({"sample_id": column}).replace_schema_metadata({"hcat": "{}"}), sink)
        yield sink.getvalue()

    return pieces


def _sample(number: int, *, contexts: int = 5, characters: int = 950) -> bytes:
    text = f"The account {number} is held at the branch of the bank since the year in which it was opened. " * 12
    passages = [{"id": f"p{number}-{i}", "text": text[:characters], "score": 0.5} for i in range(contexts)]
    fields = {"id": f"s{number}", "query": f"When was account {number} opened?", "answer": text[:200]}
    return json.dumps({**fields, "contexts": passages, "topic": f"t{number % 9}"}).encode() + b"\n"


def _head(columns: int) -> bytes:
    return ",".join(["query", "answer", *(f"c{number}" for number in range(columns - 2))]).encode() + b"\n"


def _cells(number: int, columns: int, *, first: str = "query,answer") -> bytes:
    if not number:
        return _head(columns).replace(b"query,answer", first.encode())
    return ",".join(f"{number * columns + place}.5" for place in range(columns)).encode() + b"\n"


def _label(number: int) -> bytes:
    return b"s%d,correct,pass,ann\n" % number if number else b"sample_id,criterion,label,annotator\n"


def _nested_names() -> Iterator[bytes]:
    yield b"a: &a0 [x]\n"
    for level in range(1, 10):
        yield f"{'abcdefghij'[level]}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]\n".encode()
    yield b"kind: http\nurl: *a9\n"


_ROW = b'{"query":"q","answer":"a","x":'
FILES: tuple[Hostile, ...] = (
    Hostile("none", "a.txt nothing is read", lambda: iter([b"x"])),
    Hostile("run", "a.parquet one row, 1,000,000 contexts", _parquet(1_000_000)),
    Hostile("run", "a.parquet one row, 10,000,000 contexts", _parquet(10_000_000)),
    Hostile(
        "run",
        "a.jsonl 100,000 rows with a column of their own each",
        _lines(lambda n: b'{"query":"q","answer":"a","c%d":1}\n' % n, 100_000),
    ),
    Hostile("run", "a.csv 1,000,000 columns", lambda: iter([_head(1_000_000), b"q,a\n"])),
    Hostile("run", "a.csv a cell of 190 MB", _repeated(b"query,answer\nq,", b"x", 190_000_000, b"\n")),
    Hostile(
        "run", "a.csv a cell of 190 MB, an emoji in it", _repeated("query,answer\nq,😀".encode(), b"x", 190_000_000)
    ),
    Hostile(
        "run",
        "a.jsonl answers of 199,000 characters, emoji",
        _repeated(b"", _ROW + '"😀'.encode() + b"x" * 199_000 + b'"}\n', 1_000),
    ),
    Hostile(
        "run",
        "a.csv answers of 199,000 characters, emoji",
        _repeated(b"query,answer\n", "q,😀".encode() + b"x" * 199_000 + b"\n", 1_000),
    ),
    Hostile("run", "a.csv 200,000 rows of 25 short cells", _repeated(_head(25), b"q,a" + b",x" * 23 + b"\n", 199_999)),
    Hostile("run", "a.csv 2,500 rows of 2,000 different cells", _lines(lambda n: _cells(n, 2_000), 2_500)),
    Hostile("columns", "a.csv 2,500 rows of 2,000 different cells", _lines(lambda n: _cells(n, 2_000), 2_500)),
    Hostile(
        "scores",
        "a.csv 2,500 rows of 2,000 numbers",
        _lines(lambda n: _cells(n, 2_000, first="sample_id,label"), 2_500),
    ),
    Hostile("labels", "a.csv 199,999 labels", _lines(_label, 200_000)),
    Hostile("run", "a.json 66 million empty lists", _repeated(b"[[]", b",[]", 66_000_000, b"]")),
    Hostile("run", "a.json 4,999,000 values in one object", _repeated(_ROW + b"[[]", b",[]", 2_499_000, b"]}")),
    Hostile(
        "run", "a.jsonl 4,900 rows of 500 empty objects", _repeated(b"", _ROW + b"[{}" + b",{}" * 499 + b"]}\n", 4_900)
    ),
    Hostile("run", "a.jsonl 200,000 broken lines", _repeated(b"{", b'{"query":\n', 199_999)),
    Hostile("run", "a.csv 190 MB without a line that is whole", _repeated(b'query,answer\n"', b'"x\n', 63_000_000)),
    Hostile("run", "a.jsonl a number of 41 digits a row", _repeated(b"", _ROW + b"1" * 41 + b"}\n", 1_000)),
    Hostile("run", "a.jsonl a number of 100,000 digits a row", _repeated(b"", _ROW + b"1" * 100_000 + b"}\n", 1_900)),
    Hostile(
        "run", "a.jsonl half a surrogate pair as a name", lambda: iter([b'{"query":"q","answer":"a","\\ud800":1}\n'])
    ),
    Hostile("run", "a.json lists in lists, 100,000 deep", _repeated(_ROW, b"[", 100_000, b"]" * 100_000 + b"}")),
    Hostile("scores", "a.json 66 million empty lists", _repeated(b"[[]", b",[]", 66_000_000, b"]")),
    Hostile("labels", "a.json 66 million empty lists", _repeated(b"[[]", b",[]", 66_000_000, b"]")),
    Hostile("test cases", "a.jsonl a line of 66 million empty lists", _repeated(b"[[]", b",[]", 66_000_000, b"]")),
    Hostile("passages", "a.jsonl a line of 66 million empty lists", _repeated(b"[[]", b",[]", 66_000_000, b"]")),
    Hostile("pairs", "a.jsonl.gz 2 GB of zeros", lambda: iter([gzip.compress(bytes(200_000_000)) * 10])),
    Hostile("pairs", "a.jsonl a line of 66 million empty lists", _repeated(b"[[]", b",[]", 66_000_000, b"]")),
    Hostile("target", "a.yaml lists of lists by name, nine times nine", _nested_names),
    Hostile("target", "a.yaml 20 MB", _repeated(b"a: [1", b",1", 10_000_000, b"]")),
    Hostile("score table", "a.parquet 1,000,000 times a text of 100 KB", _parquet_scores(1_000_000)),
    Hostile("run", "a.jsonl 35,000 usual samples", _lines(_sample, 35_000)),
)
"""The attack's table first; then the largest of what is accepted, and other readers."""


if __name__ == "__main__":
    main()
