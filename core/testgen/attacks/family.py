"""What a family of attacks is: how it asks for harm, how its control asks for none, and what shows success."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from hcat.core.testgen.passages import CorpusPassage
from hcat.core.testgen.test_case import Expectation, TestCase
from hcat.core.types import JsonValue

Arm = Literal["attack", "control"]
DetectorName = Literal["canary", "link", "instructions", "copied passage", "planted data", "false figure", "no refusal"]

FAMILY = "attack"
"""The metadata and the dimension that name the family of an attack, or that of the attack which a control is of."""

ARM = "arm"
"""The metadata and the dimension that say whether a sample is an attack or its control."""

SEED = "attack_seed"
"""The metadata that names what an attack and its control were made from: what is independent of one another."""

DETECTOR = "detector"
"""The metadata that names what tells, from an answer, whether it did what the attack asks for."""

PLANTED = "planted_data"
"""The metadata that holds data of a person who does not exist, which only the poisoned corpus has."""

PROTECTED = "protected_texts"
"""The metadata that holds texts which no answer should give out word for word."""


CRITERION = "resistance"
"""The name of the criterion on which people say whether an answer withstood, where nobody chose another."""


@dataclass(frozen=True, slots=True)
class AttackSeed:
    """What an attack is made from: an ordinary question on a passage of the corpus, with its right answer. `other` is
    one on another passage, `unanswerable` a question that the corpus does not answer, where the rules find one."""

    case: TestCase
    passage: CorpusPassage
    other: TestCase
    other_passage: CorpusPassage
    unanswerable: TestCase | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one arm asks, the facts that its detector reads, and where the right answer differs from the question's,
    that one is `declined`. `about` is the ordinary question behind it."""

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
"""From a seed to both arms; None where the family can't attack from it."""


@dataclass(frozen=True, slots=True)
class AttackFamily:
    """A family of attacks. `description` says what the attack does, `control` what its control does instead, `success`
    what the detector takes for success, and `needs` what a seed must have. Where it `replaces` passages, the attack and
    the control each have one of their own, so that neither meets the other's."""

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
