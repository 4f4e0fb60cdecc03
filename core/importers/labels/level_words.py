"""The level of a label's text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from hcat.core.errors import FileFormatError
from hcat.core.importers.reading.cells import number_in_text
from hcat.core.types import Criterion

FAIL_WORDS = frozenset({"fail", "0", "no", "false"})
PASS_WORDS = frozenset({"pass", "1", "yes", "true"})
MAX_INFERRED_LEVELS = 20
SKIP = "skip"
"""The target of labels without a level: their rows are left out."""
WRONG_WORDS = frozenset({"incorrect", "wrong", "fail", "failed", "false", "bad", "no", "not", "inaccurate", "falsch"})
RIGHT_WORDS = frozenset({"correct", "right", "pass", "passed", "true", "good", "yes", "accurate", "richtig"})

NO_SCALE = (
    "pass/fail, 1/0, yes/no, true/false or whole numbers; for other levels give the criterion with their order "
    "(--levels, from worst to best)"
)


@dataclass(frozen=True, slots=True)
class Scale:
    """A criterion with the words of its labels, in lower case, and the level of each."""

    criterion: Criterion
    levels: Mapping[str, int]
    rest: int | None = None
    expected: str = ""

    def level(self, label: str) -> int | None:
        """The level of a label; None if it has none."""
        return self.levels.get(normal(label), self.rest)


def normal(label: str) -> str:
    """The label in lower case without outer spaces; a whole number without a fraction of zero ("4.0" is "4")."""
    number = number_in_text(label)
    return str(number) if isinstance(number, int) else label.strip().casefold()


def scale_of(criterion: Criterion) -> Scale:
    """The scale of a known criterion: its level names, and on two levels the usual words for pass and fail too.

    Numbers are levels only if the levels have these names: whether the lowest of five named levels would be 0 or 1 is
    not stated in a file."""
    names = {normal(name): index for index, name in enumerate(criterion.levels)}
    words = {**dict.fromkeys(FAIL_WORDS, 0), **dict.fromkeys(PASS_WORDS, 1)}
    expected = f"one of {', '.join(criterion.levels)}"
    if not criterion.is_binary or _contradict(names, words):
        return Scale(criterion, names, expected=expected)
    return Scale(criterion, {**words, **names}, expected=f"{expected} (or fail/pass, 0/1, no/yes, false/true)")


def mapped_scale(criterion: Criterion, values: Mapping[str, str]) -> Scale:
    """The criterion's scale with further words for its levels. FileFormatError for a level that it does not have."""
    own = scale_of(criterion)
    mapped = {}
    for value, level in values.items():
        if level == SKIP:
            continue
        if level not in criterion.levels:
            raise FileFormatError(
                f'"{value}" is mapped to "{level}", which is no level of {criterion.name}: use one of '
                f"{', '.join(criterion.levels)}, or {SKIP}"
            )
        mapped[normal(value)] = criterion.levels.index(level)
    return replace(own, levels={**own.levels, **mapped})


def is_skipped(values: Mapping[str, str], label: str) -> bool:
    """Whether the label is mapped to no level."""
    return any(level == SKIP and normal(value) == normal(label) for value, level in values.items())


def likely_level(criterion: Criterion, value: str) -> str | None:
    """The level that the words of a label suggest, for a criterion with two; None if they suggest none."""
    words = set(re.findall(r"\w+", value.casefold()))
    if not criterion.is_binary or not words & (WRONG_WORDS | RIGHT_WORDS):
        return None
    return criterion.levels[0 if words & WRONG_WORDS else 1]


def _contradict(names: Mapping[str, int], words: Mapping[str, int]) -> bool:
    """Whether level names give the usual words another meaning: "yes, no" from worst to best do, and so do 1 and 2."""
    return any(
        words.get(name, index) != index or (name.isdecimal() and name not in words) for name, index in names.items()
    )


def positive_scale(criterion: Criterion, positive: str) -> Scale:
    """One value against the rest: `positive` passes, any other value fails."""
    return Scale(criterion, {normal(positive): 1}, rest=0, expected=f"{positive}, or another label")


def has_one_opposite(labels: Iterable[str], positive: str) -> bool:
    """Whether the values other than `positive` can only mean a fail: one other word, or the usual ones for it."""
    others = {normal(label) for label in labels} - {normal(positive)}
    return len(others) <= 1 or others <= FAIL_WORDS


def inferred_scale(name: str, labels: Iterable[str]) -> Scale | None:
    """The scale of most of a criterion's labels; None if they are neither the usual words nor numbers.

    Whole numbers beyond 0 and 1 make an ordinal criterion from 1 (or the lowest number, if that is lower) to the
    highest, whose upper half passes: of 1 to 5, 4 and 5. Specify the criterion if the scale extends further."""
    words = [normal(label) for label in labels]
    binary = sum(label in FAIL_WORDS or label in PASS_WORDS for label in words)
    numbers = [number for label in words if isinstance(number := number_in_text(label), int)]
    if len(numbers) > binary:
        return _ordinal(name, min(1, *numbers), max(numbers))
    return scale_of(Criterion(name)) if binary else None


def _ordinal(name: str, low: int, high: int) -> Scale | None:
    count = high - low + 1
    if not 2 <= count <= MAX_INFERRED_LEVELS:
        return None
    names = tuple(str(number) for number in range(low, high + 1))
    criterion = Criterion(name, levels=names, passing=(count + 1) // 2)
    return Scale(criterion, {level: index for index, level in enumerate(names)}, expected=f"{low} to {high}")
