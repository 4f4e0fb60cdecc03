"""Cases: which files are broken how, and the command or page that meets them. The seed and a number make the case."""

from __future__ import annotations

import gzip
import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

from tests.fuzz.material import FILES, documents, run_files
from tests.fuzz.mutations import HOSTILE_TEXTS, mutated
from tests.pages.small_project import PROJECT, RUN


@dataclass(frozen=True)
class Case:
    """Files to lie beside the sound ones, and the arguments of `hcat`; or a page with the parameters of its address."""

    name: str
    call: tuple[str, ...]
    files: Mapping[str, bytes]
    page: str = ""

    @property
    def query(self) -> dict[str, str]:
        """The parameters of a page's address: the call's words, by twos."""
        return dict(zip(self.call[::2], self.call[1::2], strict=True))


@dataclass(frozen=True)
class Cases:
    """The cases of a seed, on the sound files in a folder."""

    material: Path
    seed: int

    @cached_property
    def _run_files(self) -> dict[str, bytes]:
        return run_files()

    @cached_property
    def _documents(self) -> dict[str, bytes]:
        return documents()

    def case(self, part: str, number: int) -> Case:
        """The same for the same seed, part and number."""
        return PARTS[part](self, f"{part}:{number}", Random(f"{self.seed}:{part}:{number}"))

    def imported(self, name: str, chance: Random) -> Case:
        """A broken file of runs, labels or scores."""
        kind = chance.choice(("", "", "", "", "labels", "scores"))
        if kind:
            original, data = ("labels.csv", self._sound("labels.csv"))
            if kind == "scores":
                original, data = ("scores.parquet", self._sound("scores.parquet"))
            options = ["--run", RUN, "--format", kind]
        else:
            original = chance.choice(list(self._run_files))
            data, options = self._run_files[original], ["--run", "fuzzed"]
        # One file ends the process that reads it, so only its bytes are broken here.
        broken = mutated(data, chance, name="" if original == ABORTING else original)
        if chance.random() < 0.03:
            original, broken = f"{original}.gz", gzip.compress(broken)
        project = PROJECT if kind or chance.random() < 0.5 else "new"
        extra = chance.choice(
            ([], [], ["--keep-good"], ["--json"], ["--bad-rows", "bad.jsonl", "--problems", "problems.csv"])
        )
        return Case(
            name, ("import", f"x-{original}", "--project", project, *options, *extra), {f"x-{original}": broken}
        )

    def artifact(self, name: str, chance: Random) -> Case:
        """A command on files of which one is broken."""
        words = shlex.split(chance.choice(COMMANDS))
        sound = [word for word in words if (self.material / FILES / word).is_file()]
        target = chance.choice(sound)
        call = tuple(f"x-{word}" if word == target else word for word in words)
        return Case(name, call, {f"x-{target}": mutated(self._sound(target), chance, name=target)})

    def option(self, name: str, chance: Random) -> Case:
        """A command with a word of it replaced by a hostile one: a name, a path, a number, an option."""
        words = shlex.split(chance.choice((*COMMANDS, *NAMED)))
        place = chance.randrange(1, len(words))
        # The operating system hands on neither NULs nor what it can't encode, and at most 128 KB a word.
        hostile = chance.choice(HOSTILE_TEXTS).replace("\x00", "?")[:100_000]
        words[place] = hostile.encode("utf-8", "replace").decode() if chance.random() < 0.8 else f"{words[place]}\udcff"
        if words[0] in SERVING and _is_number(words[2]):
            words[2] = "none"  # a sound port: the command would serve until it is ended
        return Case(name, tuple(words), {})

    def document(self, name: str, chance: Random) -> Case:
        """A broken document of a corpus."""
        original = chance.choice(list(self._documents))
        broken = mutated(self._documents[original], chance, name=original)
        into = chance.choice((["-o", "out.jsonl"], ["--project", PROJECT]))
        return Case(name, ("corpus", f"x-{original}", *into), {f"x-{original}": broken})

    def address(self, name: str, chance: Random) -> Case:
        """A page opened with a hostile address."""
        page = chance.choice(PAGES)
        keys = chance.sample(KEYS, chance.choice((1, 1, 2)))
        query = [word for key in keys for word in (key, _parameter(chance))]
        return Case(name, tuple(query), {}, page=page)

    def _sound(self, name: str) -> bytes:
        return (self.material / FILES / name).read_bytes()


def _is_number(text: str) -> bool:
    """Whether Python, and so the command, reads the text as a whole number: 1_000 is one."""
    try:
        int(text)
    except ValueError:
        return False
    return True


def _parameter(chance: Random) -> str:
    text = chance.choice(HOSTILE_TEXTS).encode("utf-8", "replace").decode()[:10_000]
    return text if chance.random() < 0.6 else json.dumps([text] * chance.choice((1, 2, 4)))


ABORTING = "aborts_the_library.parquet"
PARTS: dict[str, Callable[[Cases, str, Random], Case]] = {
    "imports": Cases.imported,
    "artifacts": Cases.artifact,
    "options": Cases.option,
    "documents": Cases.document,
    "addresses": Cases.address,
}
PAGES = ("samples", "labelling", "calibration", "glossary", "overview", "weaknesses", "metrics", "runs")
KEYS = (
    *("project", "run", "slice", "ids", "marks", "sample", "queue", "term", "metric", "criterion", "version"),
    *("by", "nonsense", "topic", "case"),
)
CRITERION = "--criterion correctness --metrics answer_f1"
COMMANDS = (
    "score run.jsonl -o out.parquet --metrics answer_f1,answer_length",
    "score run.jsonl --with scores.parquet -o out.parquet --metrics answer_length",
    f"calibrate scores.parquet labels.csv {CRITERION} -o out.json",
    f"calibrate scores.parquet labels.csv {CRITERION} --method isotonic -o out.json",
    "predict scores.parquet calibration.json -o out.parquet",
    f"estimate scores.parquet labels.csv {CRITERION} --run-file run.jsonl --by kind",
    f"compare run.jsonl run.jsonl --scores-a scores.parquet --scores-b scores.parquet --labels-a labels.csv "
    f"--labels-b labels.csv {CRITERION}",
    f"plan scores.parquet labels.csv {CRITERION}",
    "agreement labels.csv --criterion correctness",
    "trials run.jsonl --labels labels.csv --criterion correctness",
    "weakness run.jsonl scores.parquet --by kind,customer -o out.parquet",
    "weakness run.jsonl scores.parquet --topics topics.parquet --by kind -o out.parquet",
    "weakness run.jsonl scores.parquet --calibration calibration.json --by kind -o out.parquet",
    "report --run run.jsonl --scores scores.parquet --weakness weakness.parquet -o out.html",
    "report --run run.jsonl --scores scores.parquet --calibration calibration.json --labels labels.csv -o out.html",
    "policy show policy.json",
    "policy fit scores.parquet labels.csv calibration.json --error 0.4 --confidence 0.6 -o out.json",
    "policy apply scores.parquet policy.json --samples run.jsonl -o out.parquet",
    "policy check policy.json scores.parquet --labels labels.csv",
    "design passages.jsonl -n 5 -o out.json",
    "design passages.jsonl -n 5 --topics topics.parquet --by topic -o out.json",
    "coverage tests.jsonl passages.jsonl",
    "coverage tests.jsonl passages.jsonl --declared design.json",
    "corpus passages.jsonl --passages -o out.jsonl",
    "retrieval run.jsonl",
    "robustness run.jsonl scores.parquet",
    "bias run.jsonl scores.parquet",
    "attack-rates run.jsonl --labels labels.csv --criterion correctness",
    "judge bias explanations.jsonl",
    "collect tests.jsonl --target target.yaml -o out.jsonl --dry-run",
    "grammar evaluate run.jsonl",
    "restore backup.zip",
    f"tests import tests.jsonl --project '{PROJECT}' --name t",
)
"""Commands on the sound files; an output is named out."""
NAMED = (
    f"import run.jsonl --project '{PROJECT}' --run {RUN}",
    f"import run.jsonl --project '{PROJECT}' --run {RUN} --map query=query --map kind=dimension",
    f"projects rename '{PROJECT}' q",
    f"projects archive '{PROJECT}'",
    f"runs rename {RUN} s --project '{PROJECT}'",
    f"runs list --project '{PROJECT}'",
    f"criteria list --project '{PROJECT}'",
    f"labels export --project '{PROJECT}' -o out.csv",
    f"findings confirm title --project '{PROJECT}' --run {RUN} --metric m --where topic=t --severity low --author a",
    f"findings list --project '{PROJECT}'",
    f"queue list --project '{PROJECT}' --run {RUN}",
    f"samples export --project '{PROJECT}' --run {RUN} -o out.csv",
    f"risks show --project '{PROJECT}'",
    f"report --project '{PROJECT}' -o out.html",
    "glossary interval",
    "metrics --json",
    "backup out.zip",
    "demo --port none",
    "serve --port none --address localhost",
)
"""Commands whose words are names."""
SERVING = ("demo", "serve")
