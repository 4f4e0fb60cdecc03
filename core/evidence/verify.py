"""Whether a pack or a report in PDF is what was signed: offline, without a database."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.display.numbers import counted
from core.errors import FileFormatError
from core.evidence.standalone import LOG, MOST_BYTES, UnreadableError, check, read_files
from core.records.file_limits import check_bytes
from core.records.json_text import json_object
from core.records.signing import PublicKey

if TYPE_CHECKING:
    from core.evidence.recompute import Difference

MOST_NAMED = 50
GIVEN = "Taken as given, not computed again: scores, fitted calibrations, findings, coverage, policy checks, opinions."
NOT_PROVED = (
    "Not proved: who holds the key, when it was signed, and that what people and systems put in is true. Compare the "
    "fingerprint with the one that the signer gave you by another way."
)


@dataclass(frozen=True, slots=True)
class Verification:
    """What differs, each thing by its name, and what is proved and is not, as sentences."""

    problems: tuple[str, ...]
    proved: tuple[str, ...]
    not_proved: tuple[str, ...]

    @property
    def intact(self) -> bool:
        return not self.problems


def verify(content: bytes, *, key: PublicKey | None = None, recompute: bool = False) -> Verification:
    """Check a pack, or a report in PDF. With `recompute` every number is computed again from the pack.

    FileFormatError or LimitError where the file is neither, or is made to do harm.
    """
    check_bytes(len(content), most=MOST_BYTES)
    if b"%PDF-" in content[:1024]:
        raise FileFormatError("this is a PDF")
    return verify_pack(content, key=key, recompute=recompute)


def verify_pack(content: bytes, *, key: PublicKey | None, recompute: bool) -> Verification:
    """The same of a pack."""
    try:
        files = read_files(io.BytesIO(content))
    except UnreadableError as error:
        raise FileFormatError(f"this is no evidence pack: {error}") from None
    problems, said = check(files, None if key is None else key.raw)
    if problems:
        return Verification(_limited(problems), (), (NOT_PROVED,))
    proved = [*_signed(said, key), f"Of {counted(len(files), 'file')} none was changed, added or removed."]
    proved += _log(said, files)
    not_proved = [*_withheld(said), NOT_PROVED]
    if recompute:
        again, not_redone, problems = _again(files)
        proved, not_proved = [*proved, *again], [*not_redone, GIVEN, *not_proved]
    return Verification(_limited(problems), tuple(proved), tuple(not_proved))


def _again(files: Mapping[str, bytes]) -> tuple[list[str], list[str], list[str]]:
    """What was computed again, what can't be, and what differs."""
    from core.evidence.pack import REPORT
    from core.evidence.recompute import count_numbers, differences, not_redone

    known = not_redone(files)
    found = [each for each in differences(files) if each.path not in known]
    total = count_numbers(json_object(files[REPORT]))
    left = [f"{counted(len(known), 'place')} of the report rest on withheld texts and were not computed again."]
    if found:
        return [], left if known else [], [f"{REPORT}: {_difference(each)}" for each in found]
    return [f"The report was computed again; all {total:,} numbers in it agree."], left if known else [], []


def _difference(item: Difference) -> str:
    return f"{item.where}: {item.path.rsplit('/', 1)[-1]} is reported as {item.reported}, and computes to {item.again}"


def _signed(said: Mapping[str, Any], key: PublicKey | None) -> list[str]:
    signer = PublicKey(base64.b64decode(str(said["public_key"]))).fingerprint
    whose = "the key that you named" if key is not None else "a key that you did not name"
    return [f"The manifest is signed by {whose}: {signer}."]


def _log(said: Mapping[str, Any], files: Mapping[str, bytes]) -> list[str]:
    rows = files[LOG].count(b"\n") if LOG in files else 0
    return [f"The label log has all its {counted(rows, 'row')}, in order."] if said.get("label_log") and rows else []


def _withheld(said: Mapping[str, Any]) -> list[str]:
    return ["Texts of samples are withheld: their digests are in the pack."] if said.get("withheld") else []


def _limited(problems: Sequence[str]) -> tuple[str, ...]:
    more = len(problems) - MOST_NAMED
    return tuple(problems) if more <= 0 else (*problems[:MOST_NAMED], f"and {more:,} more")
