"""Candidates by rule from the key facts of a passage; many passages are read in shards, by any executor."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from hcat.core import __version__
from hcat.core.capabilities.test_sets.query_source import Ask, Written
from hcat.core.errors import HcatError
from hcat.core.executors.executor import Executor
from hcat.core.executors.local import LocalExecutor
from hcat.core.executors.shard import Shard, shards_of
from hcat.core.executors.shard_folder import ShardFolder
from hcat.core.executors.sharded import Make, made_of_shards
from hcat.core.records.codec import Codec
from hcat.core.records.hashing import sha256_of_text
from hcat.core.records.json_text import json_object
from hcat.core.records.passages import CorpusPassage, passages_jsonl
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue, OnProgress

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.queries import CorpusIndex

MOST_A_TYPE = 3
"""Maximum number of candidates of one type from a passage, drawn at random from all that the rules make."""
SHARD = 64
"""Number of passages in a shard. Up to this many are read without files."""
READINGS = "rule-shards"
_CODEC = Codec()


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading a passage: candidates by type, or the reason why there are none."""

    candidates: Mapping[str, tuple[TestCase, ...]] = field(default_factory=dict)
    nothing: str = ""


Read = Callable[[Sequence[CorpusPassage]], Iterable[Reading]]


class RuleSource:
    """The rules over one corpus. Each passage is read once, with the same result for the same seed."""

    name = "rules"
    types_at_once = 7

    def __init__(self, corpus: Sequence[CorpusPassage], *, seed: int, read: Read | None = None) -> None:
        self.settings: Mapping[str, JsonValue] = {"generator": self.name, "candidates_a_type": MOST_A_TYPE}
        self._read = read or _Rules(tuple(corpus), seed)
        self._readings: dict[str, Reading] = {}

    def write(self, asks: Sequence[Ask]) -> tuple[Written, ...]:
        """Up to `MOST_A_TYPE` candidates for each ask; none if the rules make none from the passage."""
        new = {ask.passage.id: ask.passage for ask in asks if ask.passage.id not in self._readings}
        if new:
            self._readings.update(zip(new, self._read(tuple(new.values())), strict=True))
        readings = ((self._readings[ask.passage.id], ask.type) for ask in asks)
        return tuple(Written(reading.candidates.get(of, ()), nothing=reading.nothing) for reading, of in readings)


@contextmanager
def sharded_rules(
    corpus: Sequence[CorpusPassage], *, seed: int, executor: Executor | None = None, root: str
) -> Iterator[RuleSource]:
    """The rules over a corpus. For many passages, one file per shard is written under `root`, so that an interrupted
    run resumes. The files are deleted when the block ends without an error."""
    folders: list[ShardFolder] = []
    read = partial(_read_in_shards, _Job(tuple(corpus), seed), executor, root, folders)
    yield RuleSource(corpus, seed=seed, read=read)
    for folder in folders:
        folder.remove()


@dataclass(frozen=True, eq=False)
class _Rules:
    """Reads passages in this process."""

    corpus: tuple[CorpusPassage, ...]
    seed: int

    def __call__(self, passages: Sequence[CorpusPassage]) -> Iterator[Reading]:
        return map(self._reading, passages)

    def _reading(self, passage: CorpusPassage) -> Reading:
        from hcat.core.capabilities.test_sets.queries import generate_queries, why_nothing

        rng = random.Random(f"{self.seed} {passage.id}")  # noqa: S311 - a draw, no secret
        try:
            cases = list(generate_queries([passage], rng=rng, index=self._index, own_words=True))
        except HcatError:  # the next passage may be in English
            return Reading(nothing="it is not in English")
        by_type: dict[str, list[TestCase]] = defaultdict(list)
        for case in rng.sample(cases, len(cases)):
            if len(by_type[case.type]) < MOST_A_TYPE:
                by_type[case.type].append(case)
        nothing = "" if cases else why_nothing(passage, self._index)
        return Reading({of: tuple(some) for of, some in by_type.items()}, nothing)

    @cached_property
    def _index(self) -> CorpusIndex:
        from hcat.core.capabilities.test_sets.queries import CorpusIndex

        return CorpusIndex(self.corpus)


@dataclass(frozen=True, eq=False, slots=True)
class _Job:
    """The information needed to read any shard of passages, in a form that can be sent to another process."""

    corpus: tuple[CorpusPassage, ...]
    seed: int

    def worker(self) -> Make[CorpusPassage]:
        rules = _Rules(self.corpus, self.seed)

        def read(shard: Shard[CorpusPassage], _: OnProgress | None) -> bytes:
            return "".join(json.dumps(_CODEC.write_object(one)) + "\n" for one in rules(shard.items)).encode()

        return read

    def among(self, workers: int) -> Sequence[_Job]:
        return [self] * workers


def _read_in_shards(
    job: _Job, executor: Executor | None, root: str, folders: list[ShardFolder], passages: Sequence[CorpusPassage]
) -> Iterator[Reading]:
    """The reading of each passage. `folders` provides the folder for the results of shards."""
    if len(passages) <= SHARD:
        yield from _Rules(job.corpus, job.seed)(passages)
        return
    inputs = {"corpus": _hash(job.corpus), "passages": _hash(passages)}
    folder = ShardFolder.of(root, {"version": __version__, "seed": job.seed, **inputs}, kind=READINGS, ending="jsonl")
    folders.append(folder)
    files = made_of_shards(
        lambda: shards_of(passages, SHARD, _hash),
        job,
        folder=folder,
        executor=executor or LocalExecutor(),
        on_done=lambda _: None,
    )
    for file in files:
        yield from (_CODEC.read(Reading, json_object(line), at="") for line in file.splitlines())


def _hash(passages: Sequence[CorpusPassage]) -> str:
    return sha256_of_text(passages_jsonl(passages))
