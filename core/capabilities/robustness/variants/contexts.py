"""Passages given to the system with its own or in their place: contradicting, irrelevant, poisoned, updated.

The query is unchanged. The passages are in the variant's metadata, and in the changed copy of the corpus that `hcat
perturb` writes. The system must be able to retrieve them when it is asked the variant."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from hcat.core.attack_detectors import ADDED, FALSE_FIGURE
from hcat.core.capabilities.robustness.variants.family import REMOVED, Change, Family, Origin
from hcat.core.capabilities.robustness.variants.figures import wrong_figure
from hcat.core.records.passages import CorpusPassage
from hcat.core.types import JsonValue

MOST_IRRELEVANT = 5
MOST_COPIES = 3
_WORD = re.compile(r"[a-z]{4,}")
_LEAD_INS = (
    "{query} {answer}",
    "Frequently asked: {query} The answer: {answer}",
    "On the question “{query}”: {answer}",
)


def added(passages: Sequence[tuple[str, str]]) -> list[JsonValue]:
    """Passages (id, text) in the form of the metadata."""
    return [{"id": name, "text": text} for name, text in passages]


def contradicting(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Add a copy of the passage with the answer, with another figure in it."""
    reference = origin.case.reference or ""
    for passage in origin.evidence:
        figure = wrong_figure(passage.text, strength, rng, of=reference)
        if figure is not None:
            break
    else:
        figure = None if origin.evidence else wrong_figure(reference, strength, rng)
    if figure is None:
        return None
    passages = [(f"{origin.case.id}~contradicting", figure.text)]
    return Change(origin.case.query, metadata={ADDED: added(passages), FALSE_FIGURE: figure.wrong})


def irrelevant(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Add copies of passages that have almost no word in common with question and answer."""
    number = max(1, round(strength * MOST_IRRELEVANT))
    own = set(_WORD.findall(f"{origin.case.query} {origin.case.reference or ''}".lower()))
    others = [passage for passage in origin.corpus if passage.id not in origin.case.passages]
    if len(others) < 2 * number:
        return None
    farthest = sorted(others, key=lambda passage: (_shared(passage, own), passage.id))[: max(len(others) // 2, number)]
    chosen = [farthest[int(position)] for position in rng.permutation(len(farthest))[:number]]
    passages = [(f"{origin.case.id}~irrelevant-{n}", passage.text) for n, passage in enumerate(chosen, start=1)]
    return Change(origin.case.query, metadata={ADDED: added(passages)})


def poisoned(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Add passages written to be retrieved: the question itself, with a wrong answer."""
    figure = wrong_figure(origin.case.reference or "", strength, rng)
    if figure is None:
        return None
    copies = max(1, round(strength * MOST_COPIES))
    passages = [
        (f"{origin.case.id}~poisoned-{n + 1}", _LEAD_INS[n].format(query=origin.case.query, answer=figure.text))
        for n in range(copies)
    ]
    return Change(origin.case.query, metadata={ADDED: added(passages), FALSE_FIGURE: figure.wrong})


def updated(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Replace the passages that state the answer's figure by copies with another one, which is then the right
    answer."""
    reference = origin.case.reference or ""
    figure = wrong_figure(reference, strength, rng)
    if figure is None or not origin.evidence:
        return None
    replaced = [(passage, _with_figure(passage, figure.right, figure.wrong)) for passage in origin.evidence]
    changed = [(passage, text) for passage, text in replaced if text != passage.text]
    if not changed:
        return None
    passages = [(f"{origin.case.id}~updated-{n}", text) for n, (_, text) in enumerate(changed, start=1)]
    removed: list[JsonValue] = [passage.id for passage, _ in changed]
    metadata: dict[str, JsonValue] = {ADDED: added(passages), REMOVED: removed, "outdated_figure": figure.right}
    return Change(origin.case.query, metadata=metadata, reference=figure.text)


def _with_figure(passage: CorpusPassage, right: str, wrong: str) -> str:
    return re.sub(rf"(?<![\d.,]){re.escape(right)}(?![\d]|[.,]\d)", wrong, passage.text)


def _shared(passage: CorpusPassage, words: set[str]) -> float:
    own = set(_WORD.findall(passage.text.lower()))
    return len(own & words) / max(len(own), 1)


_FIGURE = "how far the wrong figure is from the right one, as a share of it"

CONTRADICTING = Family(
    name="contradicting context",
    title="Contradicting context",
    kind="adversarial",
    expectation="stay",
    strength=_FIGURE,
    needs="a right answer with a figure, which a passage that holds the answer states too",
    description="A second copy of the passage with another figure; the right answer stays, or the conflict is named.",
    make=contradicting,
)
IRRELEVANT = Family(
    name="irrelevant context",
    title="Irrelevant contexts",
    kind="adversarial",
    expectation="stay",
    strength=f"passages added, of {MOST_IRRELEVANT}, at least one",
    needs="the passages of the corpus, or contexts in the run",
    description="Passages about something else, in addition to those with the answer.",
    make=irrelevant,
)
POISONED = Family(
    name="poisoned context",
    title="Poisoned contexts",
    kind="adversarial",
    expectation="stay",
    strength=f"passages added, of {MOST_COPIES}, at least one, and how far their figure is from the right one",
    needs="a right answer with a figure",
    description="Passages written to be retrieved that answer this very question wrongly.",
    make=poisoned,
)
UPDATED = Family(
    name="updated context",
    title="Updated contexts",
    kind="adversarial",
    expectation="change",
    strength="how far the new figure is from the old one, as a share of it",
    needs="the passages of the corpus, and a right answer with a figure that they state in the same way",
    description="The passage is replaced by one with another figure, which a system that reads it states.",
    make=updated,
)
