"""Files of recorded verdicts on pairs of answers, each pair judged in both orders, from hcat or other programs."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping

from hcat.core.capabilities.judges.asked_pairs import AskedPair, PairJudgement
from hcat.core.capabilities.judges.pairs import Choice, PairVerdict
from hcat.core.errors import FileFormatError, LimitError
from hcat.core.records.file_limits import check_values, unzipped
from hcat.core.records.json_text import json_object
from hcat.core.types import JsonValue

_DECISIONS: Mapping[str, Choice] = {"A>B": "A", "B>A": "B", "A=B": "tie"}
_WRITTEN: Mapping[Choice, str] = {choice: decision for decision, choice in _DECISIONS.items()}
_SWAPPED: Mapping[Choice, Choice] = {"A": "B", "B": "A", "tie": "tie"}
"""The second decision names the answers in their original order, so that "A>B" means that B won."""


def read_pair_verdicts(text: str, *, name: str = "The file") -> tuple[PairVerdict, ...]:
    """Verdicts in JSON Lines: `judge`, `pair_id`, `label` and two `decisions`, "A>B", "B>A", "A=B" or null.

    The first decision is with A shown first. The second is with the answers swapped and names them by position, so that
    "A>B" means that B won. `length_a`, `length_b`, `model_a`, `model_b`, `cluster` are optional, the label may be null,
    and a line with the key `unscored` is a pair without verdicts, which is left out. Raises FileFormatError that names
    the line."""
    verdicts = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            record = json_object(line)
            if not record.get("unscored"):
                verdicts.append(_read(record))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FileFormatError(
                f"{name}: line {number} is no verdict on a pair ({error}): it needs judge, pair_id, label and two "
                'decisions, each "A>B", "B>A", "A=B" or null'
            ) from None
    if not verdicts:
        raise FileFormatError(f"{name} holds no verdicts on pairs")
    return tuple(verdicts)


def read_pair_file(content: bytes, *, name: str) -> tuple[PairVerdict, ...]:
    """The same from a file's bytes, compressed by gzip if its name ends in .gz."""
    try:
        data = unzipped(content) if name.endswith(".gz") else content
        check_values(data)
        text = data.decode()
    except LimitError as error:
        raise LimitError(f"{name}: {error}") from None
    except (OSError, EOFError, zlib.error, UnicodeDecodeError):
        kind = "gzip file of UTF-8 text" if name.endswith(".gz") else "UTF-8 text"
        raise FileFormatError(f"{name} is no {kind}: check the file") from None
    return read_pair_verdicts(text, name=name)


def asked_pairs_jsonl(judgement: PairJudgement, *, judge: str) -> str:
    """The judgement as a file of recorded verdicts, which `read_pair_file` reads; unscored pairs with their reason."""
    return "".join(json.dumps(_record(pair, judge), ensure_ascii=False) + "\n" for pair in judgement.pairs)


def _record(pair: AskedPair, judge: str) -> dict[str, JsonValue]:
    verdict = pair.verdict
    record: dict[str, JsonValue] = {"judge": judge, "pair_id": verdict.pair}
    if pair.unscored or verdict.a_first is None or verdict.b_first is None:
        return record | {"unscored": pair.unscored}
    return record | {
        "label": None if verdict.right is None else _WRITTEN[verdict.right],
        "decisions": [_WRITTEN[verdict.a_first], _WRITTEN[_SWAPPED[verdict.b_first]]],
        "reasons": [pair.reason_a_first, pair.reason_b_first],
        "length_a": verdict.length_a,
        "length_b": verdict.length_b,
        "model_a": verdict.model_a,
        "model_b": verdict.model_b,
        "cluster": verdict.cluster,
    }


def _read(record: JsonValue) -> PairVerdict:
    if not isinstance(record, dict):
        raise TypeError("not an object")
    decisions = record["decisions"]
    if not isinstance(decisions, list) or len(decisions) != 2:
        raise ValueError("two decisions are needed, one for each order")
    first, second = map(_decision, decisions)
    right = _decision(record.get("label"))
    if right == "tie":
        raise ValueError("the label must be A>B or B>A, or null where it is not known")
    return PairVerdict(
        pair=str(record["pair_id"]),
        judge=str(record["judge"]),
        a_first=first,
        b_first=None if second is None else _SWAPPED[second],
        right=right,
        length_a=_number(record.get("length_a")),
        length_b=_number(record.get("length_b")),
        model_a=str(record.get("model_a") or record.get("response_model") or ""),
        model_b=str(record.get("model_b") or record.get("response_model") or ""),
        cluster=str(record.get("cluster") or ""),
    )


def _decision(value: JsonValue) -> Choice | None:
    if value is None:
        return None
    if str(value) not in _DECISIONS:
        raise ValueError(f"{value!r} is no decision")
    return _DECISIONS[str(value)]


def _number(value: JsonValue) -> float:
    return math.nan if value is None else float(str(value))
