"""Coverage of a corpus by a test set: the topics, documents and passages that it tests, compared with the design.

All values are counts of the cases of one test set over one corpus. They are facts, not estimates, and have no
interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from hcat.core.capabilities.test_sets.frame import TOO_SHORT, is_testable
from hcat.core.errors import HcatError
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import TestCase
from hcat.core.types import JsonValue

CoverageStatus = Literal["tested", "not tested", "untestable"]
TESTED, NOT_TESTED, UNTESTABLE = "tested", "not tested", "untestable"

TYPE, DIFFICULTY, TOPIC, DOCUMENT = "type", "difficulty", "topic", "document"


@dataclass(frozen=True, slots=True)
class PassageCoverage:
    """A passage with the number of cases that test it; `reason` is why it is untestable."""

    id: str
    document: str
    topic: str
    status: CoverageStatus
    cases: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LevelCoverage:
    """Numbers of tested and untestable passages of a topic or document, and of cases about it."""

    level: str
    passages: int
    tested: int
    untestable: int
    cases: int

    @property
    def status(self) -> CoverageStatus:
        """ "tested" if any of its passages is, "untestable" if all of them are."""
        if self.tested:
            return "tested"
        return "untestable" if self.untestable == self.passages else "not tested"


@dataclass(frozen=True, slots=True)
class Distribution:
    """Number of cases of a level, and the number that the design declared (None if it declared nothing)."""

    dimension: str
    level: str
    declared: float | None
    realised: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Coverage of a corpus by a test set. `cases` is the size of the test set; `without_passage` of them ask for
    content that the corpus lacks, and `of_other_corpora` name passages that are not in it."""

    passages: tuple[PassageCoverage, ...]
    topics: tuple[LevelCoverage, ...]
    documents: tuple[LevelCoverage, ...]
    distributions: tuple[Distribution, ...]
    cases: int
    without_passage: int
    of_other_corpora: int

    def count(self, status: CoverageStatus) -> int:
        """Number of passages with this status."""
        return sum(passage.status == status for passage in self.passages)


Declared = Mapping[str, Mapping[str, float]]
"""Cases by dimension and level, as a design declares them."""


def coverage(
    cases: Sequence[TestCase],
    passages: Iterable[CorpusPassage],
    *,
    topics: Mapping[str, str] | None = None,
    untestable: Mapping[str, str] | None = None,
    declared: Declared | None = None,
) -> Coverage:
    """Coverage by the test set. A passage is tested if a case is answered from it; identical text elsewhere does not
    count.

    `topics` gives the topic of each passage that has one, `untestable` why a passage can't be tested; passages of fewer
    than five words can't either. Raises HcatError if there is no passage."""
    reasons = dict(untestable or {})
    rows = [(p.id, p.document, is_testable(p.text)) for p in passages]
    if not rows:
        raise HcatError("there is no passage: coverage is of a corpus")
    asked = Counter(name for case in cases for name in set(case.passages))
    found = []
    for name, document, testable in rows:
        reason = "" if asked[name] else reasons.get(name, "" if testable else TOO_SHORT)
        status: CoverageStatus = "tested" if asked[name] else "untestable" if reason else "not tested"
        found.append(PassageCoverage(name, document, (topics or {}).get(name, ""), status, asked[name], reason))
    place = {passage.id: passage for passage in found}
    levels = {
        name: [{str(getattr(place[p], name)) for p in case.passages if p in place} for case in cases]
        for name in (TOPIC, DOCUMENT)
    }
    return Coverage(
        passages=tuple(found),
        topics=_levels(found, TOPIC, levels[TOPIC]) if topics else (),
        documents=_levels(found, DOCUMENT, levels[DOCUMENT]),
        distributions=tuple(_distributions(cases, levels, declared or {}, with_topics=bool(topics))),
        cases=len(cases),
        without_passage=sum(not case.passages for case in cases),
        of_other_corpora=sum(any(name not in place for name in case.passages) for case in cases),
    )


def attest(
    cases: Sequence[TestCase],
    passages: Iterable[CorpusPassage],
    *,
    topics: Mapping[str, str] | None,
    account: Mapping[str, JsonValue],
) -> Coverage:
    """The coverage of tests over a stored corpus. `account` records how they were made: declared numbers, and why
    passages gave no case. Without a record of declared numbers, nothing counts as declared."""
    untestable = account.get("untestable")
    try:
        declared = declared_of(account)
    except HcatError:
        declared = None
    return coverage(
        cases,
        passages,
        topics=topics,
        untestable={name: str(why) for name, why in untestable.items()} if isinstance(untestable, dict) else {},
        declared=declared,
    )


def declared_of(record: Mapping[str, JsonValue]) -> dict[str, dict[str, float]]:
    """Declared numbers of cases, by dimension and level, from the JSON of `hcat design` or `hcat generate --json`.

    Strata give the cases of each level of each dimension; a generation also gives those of each type. Raises HcatError
    if it has neither."""
    settings = record.get("settings")
    dimensions = settings.get("by", settings.get("dimensions")) if isinstance(settings, dict) else None
    strata, types = record.get("strata"), record.get("types")
    declared: dict[str, dict[str, float]] = {}
    for stratum in strata if isinstance(strata, list) else []:
        levels = stratum.get("levels") if isinstance(stratum, dict) else None
        if isinstance(stratum, dict) and isinstance(levels, list) and isinstance(dimensions, list):
            wanted = _number(stratum.get("target", stratum.get("asked")))
            for dimension, level in zip(dimensions, levels, strict=False):
                counts = declared.setdefault(str(dimension), {})
                counts[str(level)] = counts.get(str(level), 0.0) + wanted
    for row in types if isinstance(types, list) else []:
        if isinstance(row, dict):
            declared.setdefault(TYPE, {})[str(row.get("type"))] = _number(row.get("asked"))
    if not declared:
        raise HcatError("nothing is declared here: give the file of `hcat design -o`, or of `hcat generate --json`")
    return declared


def _levels(passages: Sequence[PassageCoverage], name: str, of_case: Sequence[set[str]]) -> tuple[LevelCoverage, ...]:
    size: Counter[str] = Counter(getattr(passage, name) for passage in passages)
    tested = Counter(getattr(passage, name) for passage in passages if passage.status == TESTED)
    untestable = Counter(getattr(passage, name) for passage in passages if passage.status == UNTESTABLE)
    cases = Counter(level for levels in of_case for level in levels)
    return tuple(
        LevelCoverage(level, size[level], tested[level], untestable[level], cases[level])
        for level in sorted(size)
        if level  # passages that can't be tested are in no topic
    )


def _distributions(
    cases: Sequence[TestCase],
    levels: Mapping[str, Sequence[set[str]]],
    declared: Declared,
    *,
    with_topics: bool,
) -> Iterable[Distribution]:
    realised: dict[str, Counter[str]] = {
        TYPE: Counter(str(case.type) for case in cases),
        DIFFICULTY: Counter(str(case.difficulty) for case in cases),
        DOCUMENT: _of_drawn(cases, DOCUMENT, levels[DOCUMENT]),
    }
    if with_topics or TOPIC in declared:
        realised[TOPIC] = _of_drawn(cases, TOPIC, levels[TOPIC])
    for dimension in declared:
        if dimension not in realised:
            realised[dimension] = Counter(case.dimensions.get(dimension, "(none)") for case in cases)
    for dimension in sorted(realised, key=lambda name: (TOPIC, DOCUMENT, TYPE, DIFFICULTY, name).index(name)):
        wanted = declared.get(dimension)
        for level in sorted({*realised[dimension], *(wanted or {})}):
            said = None if wanted is None else wanted.get(level, 0.0)
            yield Distribution(dimension, level, said, realised[dimension][level])


def _of_drawn(cases: Sequence[TestCase], name: str, of_case: Sequence[set[str]]) -> Counter[str]:
    """Cases of each level by the passage from which the design drew them, each once: the level that the case states,
    otherwise the first level of its passages."""
    counts: Counter[str] = Counter()
    for case, levels in zip(cases, of_case, strict=True):
        own = case.topic if name == TOPIC else case.dimensions.get(name)
        counts[own or min(filter(None, levels), default="(none)")] += 1
    return counts


def _number(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
