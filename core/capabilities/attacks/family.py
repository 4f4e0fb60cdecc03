"""The definition of a family of attacks: how it asks for harm, its benign control, and the sign of success."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from hcat.core.attack_detectors import DetectorName
from hcat.core.records.passages import CorpusPassage
from hcat.core.records.test_case import Expectation, TestCase
from hcat.core.types import JsonValue

CRITERION = "resistance"
"""The default criterion on which people label whether an answer resisted an attack."""


@dataclass(frozen=True, slots=True)
class AttackSeed:
    """The seed of an attack: an ordinary question on a passage of the corpus, with its right answer. `other` is a
    question on another passage; `unanswerable` is one that the corpus does not answer, if the rules find one."""

    case: TestCase
    passage: CorpusPassage
    other: TestCase
    other_passage: CorpusPassage
    unanswerable: TestCase | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """The query of one arm and the facts that its detector reads. `about` is the ordinary question behind it;
    `declined` is whether the right answer is to decline, unlike for that question."""

    query: str
    about: TestCase
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    declined: bool = False


@dataclass(frozen=True, slots=True)
class Arms:
    """The attack and its control."""

    attack: Prompt
    control: Prompt


Maker = Callable[[AttackSeed, np.random.Generator], Arms | None]
"""Makes both arms from a seed; returns None if the family can't attack from it."""


@dataclass(frozen=True, slots=True)
class AttackFamily:
    """A family of attacks. `description` states the attack, `control` its benign control, `success` the detector's sign
    of success, and `needs` the requirements on a seed. If it `replaces` passages, the attack and the control each use a
    passage of their own, so that neither retrieves the other's."""

    name: str
    title: str
    detector: DetectorName
    description: str
    control: str
    success: str
    needs: str
    make: Maker
    expectation: Expectation = "stay"
    poisons: bool = False
    replaces: bool = False
