"""Generation of a test set from a corpus: passages by design, candidates from a source, cases by selection.

Each drawn passage has a place for a case. In rounds, candidates are requested for open places, selected, and assigned
so that the types match their shares. A passage that gives nothing is replaced by the next one of its stratum. Cases
that a stratum can't give are reallocated to other strata; a remaining shortfall is reported."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hcat.core.capabilities.test_sets.allocation import Levels
from hcat.core.capabilities.test_sets.generated import Generated, StratumCount, TypeCount
from hcat.core.capabilities.test_sets.places import Place, Places, fill, replace_passages, share_out, substitute
from hcat.core.capabilities.test_sets.query_source import Ask, QuerySource
from hcat.core.capabilities.test_sets.selection import CorpusIndex, select
from hcat.core.capabilities.test_sets.selection.select import SELECTION_SETTINGS
from hcat.core.errors import HcatError
from hcat.core.records.test_case import QueryType, TestCase
from hcat.core.types import JsonValue, Progress

if TYPE_CHECKING:
    from hcat.core.capabilities.test_sets.design import SamplingDesign
    from hcat.core.models.nli.entailment import EntailmentModel

MOST_ROUNDS = 60
DEFAULT_SHARES: Mapping[QueryType, float] = {
    "simple factual": 0.3,
    "inference": 0.1,
    "multi-hop": 0.1,
    "yes/no": 0.15,
    "multiple choice": 0.1,
    "open": 0.1,
    "unanswerable": 0.15,
}


def generate(
    index: CorpusIndex,
    design: SamplingDesign,
    *,
    source: QuerySource,
    entailment: EntailmentModel,
    shares: Mapping[QueryType, float] = DEFAULT_SHARES,
    topics: Mapping[str, str] | None = None,
    rng: np.random.Generator,
    on_progress: Callable[[Progress], None] | None = None,
) -> Generated:
    """The test set of a design: `design.n` cases of types in these `shares`, or fewer, with the reasons.

    `topics` gives the topic of each passage. Exceptions from `on_progress` end the work. Raises HcatError for invalid
    shares, and for a design with passages that the corpus lacks."""
    work = _started(index, design, shares)
    targets = {stratum.levels: stratum.target for stratum in design.strata}
    for _ in range(MOST_ROUNDS):
        asks = _asks(work, source.types_at_once, index, rng)
        if asks:
            _round(work, asks, index, source, entailment)
            fill(work, rng)
        elif not (substitute(work) or replace_passages(work) or _ask_any_type(work) or share_out(work, targets, rng)):
            break
        _report(on_progress, work, design.n)
        if not work.open_places:
            break
    substitute(work)
    return _result(work, design, source, shares, topics or {}, index, rng)


def counts_by_share(shares: Mapping[QueryType, float], n: int) -> dict[QueryType, int]:
    """n allocated by share, rounded down or up by the largest remainder method."""
    total = sum(shares.values())
    if not shares or not all(math.isfinite(share) and share >= 0 for share in shares.values()) or total <= 0:
        raise HcatError("the shares of query types must be numbers of at least 0, and not all of them 0")
    exact = {name: n * share / total for name, share in shares.items()}
    counts = {name: math.floor(value) for name, value in exact.items()}
    for name in sorted(exact, key=lambda name: counts[name] - exact[name])[: n - sum(counts.values())]:
        counts[name] += 1
    return counts


def _started(index: CorpusIndex, design: SamplingDesign, shares: Mapping[QueryType, float]) -> Places:
    missing = next((unit.id for unit in design.units if unit.id not in index.positions), None)
    if missing is not None:
        raise HcatError(f"the design draws passage {missing!r}, which is not in the corpus: draw it from this corpus")
    places = [Place(unit.stratum, unit.id) for unit in design.units for _ in range(unit.cases)]
    return Places(
        needed=Counter(counts_by_share(shares, len(places))),
        places=places,
        reserve={levels: list(ids) for levels, ids in design.reserve.items()},
        tried=Counter(place.levels for place in places),
        most_per_passage=design.most_per_passage,
    )


def _asks(work: Places, at_once: int, index: CorpusIndex, rng: np.random.Generator) -> list[Ask]:
    """The requests for passages with open places: of types that are still needed, with probability by need."""
    planned: Counter[QueryType] = Counter()
    asks: list[Ask] = []
    for place in work.open_places:
        types = [name for name in work.needed if (place.passage, name) not in work.asked]
        wanted = np.array([max(work.needed[name] - planned[name], 0) for name in types], dtype=np.float64)
        if not types or (at_once == 1 and not work.any_type and not wanted.any()):
            continue
        wanted = wanted if wanted.any() else np.ones(len(types))
        order = rng.permutation(len(types)) if at_once > 1 else [int(rng.choice(len(types), p=wanted / wanted.sum()))]
        for name in [types[int(number)] for number in order][:at_once]:
            planned[name] += 1
            work.asked.add((place.passage, name))
            asks.append(Ask(index.passages[index.positions[place.passage]], name))
    return asks


def _ask_any_type(work: Places) -> bool:
    """From now on also request types that are no longer needed: the number of cases has priority over their shares."""
    changed, work.any_type = not work.any_type, True
    return changed


def _round(
    work: Places, asks: Sequence[Ask], index: CorpusIndex, source: QuerySource, entailment: EntailmentModel
) -> None:
    """Request and select candidates, and add the accepted ones to the pool."""
    levels = {place.passage: place.levels for place in work.places}
    origin: dict[str, Ask] = {}
    candidates: list[TestCase] = []
    for ask, written in zip(asks, source.write(asks), strict=True):
        work.unwritten.update(written.problems)
        if written.nothing:
            work.nothing[ask.passage.id] = written.nothing
        for case in written.candidates:
            origin.setdefault(case.id, ask)
            candidates.append(case)
            work.written[case.type] += 1
    selection = select(candidates, index, entailment=entailment, existing=work.accepted, balanced=False)
    for case in selection.accepted:
        work.pool[origin[case.id].passage.id, case.type].append(case)
    work.accepted += selection.accepted
    work.dropped += [(levels[origin[drop.case.id].passage.id], drop) for drop in selection.dropped]


def _report(on_progress: Callable[[Progress], None] | None, work: Places, n: int) -> None:
    if on_progress is not None:
        done = len(work.chosen)
        on_progress(Progress("generate", done, n, done / n))


def _result(
    work: Places,
    design: SamplingDesign,
    source: QuerySource,
    shares: Mapping[QueryType, float],
    topics: Mapping[str, str],
    index: CorpusIndex,
    rng: np.random.Generator,
) -> Generated:
    cases = [case for place in work.places for case in _case(place, design, work, topics, index)]
    settings: dict[str, JsonValue] = {
        "design": design.kind,
        "dimensions": list[JsonValue](design.dimensions),
        "per_passage": design.per_passage,
        "types": {str(name): share for name, share in shares.items()},
        "source": {**source.settings},
        "selection": {**SELECTION_SETTINGS},
    }
    return Generated(
        cases=tuple(cases[int(number)] for number in rng.permutation(len(cases))),
        asked=design.n,
        candidates=sum(work.written.values()),
        spare=len(work.accepted) - len(cases),
        dropped=tuple(drop for _, drop in work.dropped),
        unwritten=dict(work.unwritten),
        types=tuple(_type_counts(work, cases, shares, design.n)),
        strata=tuple(_stratum_counts(work, design)),
        settings=settings,
        untestable={**design.left_out, **_untestable(work)},
        left_out=len(design.left_out),
    )


def _case(
    place: Place, design: SamplingDesign, work: Places, topics: Mapping[str, str], index: CorpusIndex
) -> Iterator[TestCase]:
    """The case of a place with its topic, its stratum, and the probability with which the design drew it."""
    if place.case is None:
        return
    stratum = next(stratum for stratum in design.strata if stratum.levels == place.levels)
    levels = dict(zip(design.dimensions, place.levels, strict=False))
    levels.setdefault("document", index.passages[index.positions[place.passage]].document)
    yield replace(
        place.case,
        topic=topics.get(place.passage),
        probability=work.probability(stratum),
        dimensions={**place.case.dimensions, **{name: level for name, level in levels.items() if name != "topic"}},
        metadata={**place.case.metadata, "drawn_from": place.passage},
    )


def _untestable(work: Places) -> dict[str, str]:
    """The passages that were requested and gave no accepted case, with the requested types."""
    gave = {passage for (passage, _), cases in work.pool.items() if cases}
    gave |= {place.passage for place in work.places if place.case is not None}
    types: dict[str, list[str]] = {}
    for passage, name in sorted(work.asked):
        if passage not in gave:
            types.setdefault(passage, []).append(name)
    return {
        passage: work.nothing.get(passage) or f"tried, and no case was accepted ({', '.join(names)})"
        for passage, names in types.items()
    }


def _type_counts(
    work: Places, cases: Sequence[TestCase], shares: Mapping[QueryType, float], n: int
) -> Iterator[TypeCount]:
    made, dropped = Counter(case.type for case in cases), Counter(drop.case.type for _, drop in work.dropped)
    for name, asked in counts_by_share(shares, n).items():
        yield TypeCount(name, asked, made[name], work.written[name], dropped[name])


def _stratum_counts(work: Places, design: SamplingDesign) -> Iterator[StratumCount]:
    made = Counter(place.levels for place in work.places if place.case is not None)
    for stratum in design.strata:
        lacks = made[stratum.levels] < stratum.drawn
        why = _why(work, stratum.levels, design) if lacks else ""
        yield StratumCount(stratum.levels, stratum.drawn, made[stratum.levels], work.tried[stratum.levels], why)


def _why(work: Places, levels: Levels, design: SamplingDesign) -> str:
    """The reasons why a stratum has too few cases, from its dropped candidates."""
    reasons = Counter(drop.reason for place, drop in work.dropped if place == levels).most_common(2)
    size = next(stratum.size for stratum in design.strata if stratum.levels == levels)
    passages = f"all {size} passages" if size > 1 else "its only passage"
    if not reasons:
        return f"{passages} gave no further candidate"
    return f"{passages} gave no further case; dropped: " + ", ".join(f"{n} × {reason}" for reason, n in reasons)
