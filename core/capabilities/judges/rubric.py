"""Rubrics: the criteria of a judge, on ordered levels that are each described."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.codec import JSON
from hcat.core.records.file_limits import parse_document
from hcat.core.records.hashing import sha256_of_json

Need = Literal["contexts", "reference", "confidence"]
"""Parts that a sample needs besides its answer: "confidence" is a statement in the answer of how sure it is."""

MOST_LEVELS = 10
MOST_CHARACTERS = 4_000
_NAME = re.compile(r"[a-z][a-z0-9_]{0,59}")


@dataclass(frozen=True, slots=True)
class RubricCriterion:
    """One property to judge. `levels` describe the answers for each score, from score 1, the worst, upwards.

    `passing` is the lowest score that counts as a pass, if the judge is compared with people who say pass or fail."""

    name: str
    title: str
    question: str
    levels: tuple[str, ...]
    needs: tuple[str, ...] = ()
    passing: int = 4

    @property
    def scores(self) -> range:
        """The scores that a judge may give."""
        return range(1, len(self.levels) + 1)

    @property
    def range(self) -> tuple[float, float]:
        """The smallest and largest score."""
        return (1.0, float(len(self.levels)))


@dataclass(frozen=True, slots=True)
class Rubric:
    """A named set of criteria and the role in which the judge reads them."""

    name: str
    role: str
    criteria: tuple[RubricCriterion, ...]

    def criterion(self, name: str) -> RubricCriterion:
        """The criterion of this name. HcatError if there is none."""
        for criterion in self.criteria:
            if criterion.name == name:
                return criterion
        raise HcatError(
            f"the rubric {self.name!r} has no criterion {name!r}: {', '.join(c.name for c in self.criteria)}"
        )

    def only(self, names: Sequence[str]) -> Rubric:
        """The same rubric with these criteria alone, in its order. HcatError for an unknown name."""
        chosen = {self.criterion(name).name for name in names}
        return replace(self, criteria=tuple(each for each in self.criteria if each.name in chosen))

    def with_criterion(self, changed: RubricCriterion) -> Rubric:
        """The same rubric with this criterion in the place of the one of its name, or as its last."""
        if all(each.name != changed.name for each in self.criteria):
            return checked(replace(self, criteria=(*self.criteria, changed)))
        swapped = tuple(changed if each.name == changed.name else each for each in self.criteria)
        return checked(replace(self, criteria=swapped))

    @property
    def hash(self) -> str:
        """SHA-256 of the full content of the rubric."""
        return sha256_of_json(JSON.write_object(self))


def rubric_json(rubric: Rubric) -> str:
    """The rubric as a file for people to edit."""
    return json.dumps(JSON.write_object(rubric), indent=2, ensure_ascii=False) + "\n"


def read_rubric(text: str, *, name: str = "The file") -> Rubric:
    """The rubric in a JSON document. Raises FileFormatError with the problem and its place."""
    try:
        document = parse_document(text)
    except ValueError as error:
        raise FileFormatError(f"{name} is not JSON ({error}): start from `hcat judge rubric -o rubric.json`") from None
    try:
        return checked(JSON.read(Rubric, document))
    except HcatError as error:
        raise FileFormatError(f"{name} is no rubric: {error}") from None


def checked(rubric: Rubric) -> Rubric:
    """The same rubric. HcatError if a judge could not use it."""
    if not rubric.criteria:
        raise HcatError("a rubric needs at least one criterion")
    names = [criterion.name for criterion in rubric.criteria]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise HcatError(f"the criterion {twice!r} occurs twice")
    for criterion in rubric.criteria:
        _check(criterion)
    return rubric


def _check(criterion: RubricCriterion) -> None:
    if not _NAME.fullmatch(criterion.name):
        raise HcatError(f"the name {criterion.name!r} needs small letters, digits and underscores, a letter first")
    where = f"criterion {criterion.name!r}"
    if not 2 <= len(criterion.levels) <= MOST_LEVELS:
        raise HcatError(f"{where}: between 2 and {MOST_LEVELS} levels are needed, not {len(criterion.levels)}")
    if not criterion.question.strip() or not all(level.strip() for level in criterion.levels):
        raise HcatError(f"{where}: the question and each level need words")
    if max(map(len, (criterion.question, *criterion.levels))) > MOST_CHARACTERS:
        raise HcatError(f"{where}: no text may have more than {MOST_CHARACTERS} characters")
    if not 2 <= criterion.passing <= len(criterion.levels):
        raise HcatError(
            f"{where}: passing starts at a score from 2 to {len(criterion.levels)}, not {criterion.passing}"
        )
    unknown = next((need for need in criterion.needs if need not in get_args(Need)), None)
    if unknown is not None:
        raise HcatError(f"{where}: needs are {', '.join(get_args(Need))}, not {unknown!r}")
