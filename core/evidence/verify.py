"""Whether an evidence pack, or a PDF from one, is what was signed: offline, without a database."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core import __version__
from core.display.numbers import counted
from core.errors import FileFormatError, HcatError
from core.evidence.layout import REPORT, TYPESETTER
from core.evidence.recompute import Difference, count_numbers, differences, not_redone
from core.evidence.signed_pdf import check_signed_pdf
from core.evidence.standalone import BROKEN, LOG, check, read_files
from core.records.json_text import json_object
from core.records.signing import PublicKey

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
    """Check a pack, or a report as PDF that came from one. With `recompute` every number is computed again from the
    pack, but those that rest on withheld texts.

    FileFormatError where it is neither, or is made to do harm; HcatError for `recompute` on a PDF.
    """
    if content.startswith(b"%PDF-"):
        return _verify_pdf(content, key, recompute=recompute)
    try:
        files = read_files(content)
    except BROKEN as error:
        raise FileFormatError(f"this is no evidence pack: {error}") from None
    problems, said = check(files, None if key is None else key.raw)
    if problems:
        return Verification(_limited(problems), (), (NOT_PROVED,))
    proved = [*_signed(said, key), f"Of {counted(len(files), 'file')} none was changed, added or removed."]
    proved += _log(said, files)
    not_proved = [*_withheld(said), NOT_PROVED]
    if recompute:
        again, left, problems = _again(files)
        proved, not_proved = [*proved, *again], [*left, GIVEN, *not_proved]
    return Verification(_limited(problems), tuple(proved), tuple(not_proved))


def _verify_pdf(content: bytes, key: PublicKey | None, *, recompute: bool) -> Verification:
    if recompute:
        raise HcatError("a PDF does not hold what its numbers follow from: give the pack that it came in")
    found = check_signed_pdf(content, key=key, hcat=__version__)
    if found.problems:
        return Verification(_limited(found.problems), (), (NOT_PROVED,))
    said = found.manifest
    proved = [*_signed(said, key), f"Of {counted(len(found.files), 'attached file')} none was changed or added."]
    proved += _log(said, found.files)
    made = f"hcat {said.get('hcat')} and {said.get(TYPESETTER)}"
    unknown = []
    if found.pages:
        proved.append("The pages are those that follow from the signed report: set anew, the PDF has the same bytes.")
    else:
        unknown.append(f"The pages were not compared with the signed report: {made} set them, which are not here.")
    left = "Not checked: the files that the numbers follow from, and the numbers. They are in the pack of this PDF."
    return Verification((), tuple(proved), (*unknown, left, *_withheld(said), NOT_PROVED))


def _again(files: Mapping[str, bytes]) -> tuple[list[str], list[str], list[str]]:
    """What was computed again, what can't be, and what differs."""
    known, other = not_redone(files), differences(files)
    total = count_numbers(json_object(files[REPORT]))
    resting, found = ([x for x in other if (x.path in known) == inside] for inside in (True, False))
    numbers = sum(each.numbers for each in resting)
    left = [_resting(numbers, total, resting)] if resting else []
    if found:
        return [], left, [f"{REPORT}: {_difference(each)}" for each in found]
    agree = f"all {total:,} numbers" if not resting else f"{total - numbers:,} of its {total:,} numbers"
    return [f"The report was built again from the files of the pack: {agree} agree with those in it."], left, []


def _resting(numbers: int, total: int, resting: Sequence[Difference]) -> str:
    """What of the report rests on texts that are not there, by chapter."""
    chapters = "; ".join(dict.fromkeys(each.where.split(" › ")[1] for each in resting if " › " in each.where))
    return (
        f"{numbers:,} of the {total:,} numbers, and {counted(len(resting), 'place')} in all, were not computed again: "
        f"they rest on texts that are withheld. They stand in these chapters: {chapters}."
    )


def _difference(item: Difference) -> str:
    name = item.path.rpartition("/")[2]
    name = f"value {int(name) + 1}" if name.isdecimal() else name
    return f"{item.where}: {name} is reported as {item.reported}, and computes to {item.again}"


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
