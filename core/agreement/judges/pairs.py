"""Recorded verdicts on pairs of answers, each pair shown in both orders: is the judge right, and does order decide?

An answer that is better is better wherever it stands, so each pair is its own control.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.arrays import Floats
from core.errors import FileFormatError
from core.statistics.intervals import mean_interval
from core.statistics.multiplicity import holm
from core.statistics.proportions import weighted_proportion
from core.statistics.sign_flip import sign_flip_p
from core.types import Estimate, JsonValue

Choice = Literal["A", "B", "tie"]
_DECISIONS: Mapping[str, Choice] = {"A>B": "A", "B>A": "B", "A=B": "tie"}
_VALUE: Mapping[Choice | None, float] = {"A": 1.0, "tie": 0.5, "B": 0.0, None: 0.5}
MINIMUM_PAIRS = 10
FLAGGED_AT = 0.05


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What a judge chose of answers A and B: with A shown first, and with B shown first; None where it did not say.

    `right` is the better answer. Lengths and the models that wrote the answers, where they are known.
    """

    pair: str
    judge: str
    a_first: Choice | None
    b_first: Choice | None
    right: Choice
    length_a: float = math.nan
    length_b: float = math.nan
    model_a: str = ""
    model_b: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """A bias of a judge on `n` pairs: by how much it moves what the judge prefers, the p of no bias, and p by Holm over
    all that are tested together. NaN throughout where nothing tells of it; `why_not` then says what is missing.
    """

    name: str
    effect: Estimate
    p: float
    p_holm: float
    why_not: str = ""

    @property
    def is_flagged(self) -> bool:
        """Whether chance alone hardly explains it."""
        return self.p_holm <= FLAGGED_AT


@dataclass(frozen=True, slots=True)
class PairBias:
    """One judge on pairs in both orders.

    `accuracy` counts a pair as right where the right answer gets more of its two verdicts than the wrong one;
    `consistent` where both orders give the same answer, no verdict included. `first_slot` is the share of the decided
    verdicts for whatever stood first. `accuracy_if_first` and `accuracy_if_second` are the shares of pairs that are
    right when the right answer stands first, or second: what the order costs.
    """

    judge: str
    n: int
    accuracy: Estimate
    consistent: Estimate
    first_slot: Estimate
    accuracy_if_first: Estimate
    accuracy_if_second: Estimate
    effects: tuple[Effect, ...]

    def effect(self, name: str) -> Effect:
        """The effect of this name."""
        return next(effect for effect in self.effects if effect.name == name)


POSITION, VERBOSITY, SELF = "position", "verbosity", "self-preference"


def pair_biases(verdicts: Sequence[PairVerdict], *, own: Mapping[str, str] | None = None) -> tuple[PairBias, ...]:
    """Each judge's accuracy, consistency and biases. `own` maps a judge to the model family that is its own.

    The position effect is by how much an answer gains when it stands first. The effects of length and of the judge's
    own family are by how much more often the judge prefers the longer answer, or its own family's, than that one is
    right: so a judge that is right about long answers is not biased. p is that of changed signs of pairs, two-sided,
    adjusted by Holm over judges and effects.
    """
    judges = list(dict.fromkeys(verdict.judge for verdict in verdicts))
    by_judge = {judge: [verdict for verdict in verdicts if verdict.judge == judge] for judge in judges}
    families = own or {}
    tested = {judge: _effects(rows, families.get(judge, "")) for judge, rows in by_judge.items()}
    adjusted = iter(holm([effect.p for effects in tested.values() for effect in effects]).tolist())
    final = {
        judge: tuple(Effect(e.name, e.effect, e.p, next(adjusted), e.why_not) for e in effects)
        for judge, effects in tested.items()
    }
    return tuple(_bias(judge, rows, final[judge]) for judge, rows in by_judge.items())


def read_pair_verdicts(text: str, *, name: str = "The file") -> tuple[PairVerdict, ...]:
    """Verdicts in JSON Lines: `judge`, `pair_id`, `label` and two `decisions`, "A>B", "B>A", "A=B" or null.

    The first decision is with A shown first. The second is with the answers swapped and names them as they stood, so
    that "A>B" means that B won. `length_a`, `length_b`, `model_a`, `model_b` are read where they are there. Raises
    FileFormatError that names the line.
    """
    verdicts = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            verdicts.append(_read(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileFormatError(
                f"{name}: line {number} is no verdict on a pair ({error}): it needs judge, pair_id, label and two "
                'decisions, each "A>B", "B>A", "A=B" or null'
            ) from None
    if not verdicts:
        raise FileFormatError(f"{name} holds no verdicts on pairs")
    return tuple(verdicts)


def _bias(judge: str, rows: Sequence[PairVerdict], effects: tuple[Effect, ...]) -> PairBias:
    accurate = [_margin(row) > 0 for row in rows]
    consistent = [row.a_first == row.b_first for row in rows]
    first, pair = [], []
    for row in rows:
        for choice, slot in ((row.a_first, "A"), (row.b_first, "B")):
            if choice in ("A", "B"):
                first.append(choice == slot)
                pair.append(row.pair)
    when_first = [(row.a_first if row.right == "A" else row.b_first) == row.right for row in rows]
    when_second = [(row.b_first if row.right == "A" else row.a_first) == row.right for row in rows]
    return PairBias(
        judge,
        len(rows),
        weighted_proportion(accurate),
        weighted_proportion(consistent),
        weighted_proportion(first, clusters=np.asarray(pair, dtype=np.str_)),
        weighted_proportion(when_first),
        weighted_proportion(when_second),
        effects,
    )


def _margin(row: PairVerdict) -> int:
    wrong = "B" if row.right == "A" else "A"
    return sum((choice == row.right) - (choice == wrong) for choice in (row.a_first, row.b_first))


def _effects(rows: Sequence[PairVerdict], family: str) -> list[Effect]:
    of_a = [(_VALUE[row.a_first], _VALUE[row.b_first]) for row in rows]
    position = np.array([first - second for first, second in of_a], dtype=np.float64)
    share_a = np.array([(first + second) / 2 for first, second in of_a], dtype=np.float64)
    right_a = np.array([_VALUE[row.right] for row in rows], dtype=np.float64)
    longer = np.array([_side(row.length_a, row.length_b) for row in rows], dtype=np.float64)
    own = np.array([_own(row, family) for row in rows], dtype=np.float64)
    no_lengths = "" if np.isfinite(longer).any() else "the lengths of the answers are not recorded"
    no_family = "" if np.isfinite(own).any() else "no pair has one answer of the judge's own family and one of another"
    return [
        _effect(POSITION, position, ""),
        _effect(VERBOSITY, (share_a - right_a) * longer, no_lengths),
        _effect(SELF, (share_a - right_a) * own, no_family),
    ]


def _side(a: float, b: float) -> float:
    """1 where A is longer, −1 where B is, NaN where neither is or it is not known."""
    return math.nan if math.isnan(a) or math.isnan(b) or a == b else math.copysign(1.0, a - b)


def _own(row: PairVerdict, family: str) -> float:
    of_a, of_b = (bool(family) and family.casefold() in model.casefold() for model in (row.model_a, row.model_b))
    return math.nan if of_a == of_b else (1.0 if of_a else -1.0)


def _effect(name: str, differences: Floats, why_not: str) -> Effect:
    usable = differences[np.isfinite(differences)]
    effect = mean_interval(usable, within=(-1.0, 1.0))
    if len(usable) < MINIMUM_PAIRS:
        return Effect(name, effect, math.nan, math.nan, why_not or f"fewer than {MINIMUM_PAIRS} pairs tell of it")
    return Effect(name, effect, float(sign_flip_p(usable[:, None])[0]), math.nan)


def _read(record: JsonValue) -> PairVerdict:
    if not isinstance(record, dict):
        raise TypeError("not an object")
    decisions = record["decisions"]
    if not isinstance(decisions, list) or len(decisions) != 2:
        raise ValueError("two decisions are needed, one for each order")
    right = _decision(record["label"])
    if right not in ("A", "B"):
        raise ValueError("the label must be A>B or B>A")
    return PairVerdict(
        pair=str(record["pair_id"]),
        judge=str(record["judge"]),
        a_first=_decision(decisions[0]),
        b_first=_swapped(_decision(decisions[1])),
        right=right,
        length_a=_number(record.get("length_a")),
        length_b=_number(record.get("length_b")),
        model_a=str(record.get("model_a") or record.get("response_model") or ""),
        model_b=str(record.get("model_b") or record.get("response_model") or ""),
    )


def _decision(value: JsonValue) -> Choice | None:
    if value is None:
        return None
    if str(value) not in _DECISIONS:
        raise ValueError(f"{value!r} is no decision")
    return _DECISIONS[str(value)]


def _swapped(choice: Choice | None) -> Choice | None:
    turned: Mapping[Choice | None, Choice | None] = {"A": "B", "B": "A", "tie": "tie", None: None}
    return turned[choice]


def _number(value: JsonValue) -> float:
    return math.nan if value is None else float(str(value))
