"""Verifies that an evidence pack, or a PDF from one, is what was signed: offline, without a database."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hcat.core import __version__
from hcat.core.capabilities.evidence.layout import REPORT, TYPESETTER
from hcat.core.capabilities.evidence.recompute import Difference, count_numbers, differences, not_redone
from hcat.core.capabilities.evidence.renderings import rendering
from hcat.core.capabilities.evidence.signed_pdf import check_signed_pdf, typesetter
from hcat.core.capabilities.evidence.standalone import BROKEN, LOG, check, read_files
from hcat.core.capabilities.report.sections.reproducibility import installed_versions
from hcat.core.display.numbers import counted
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.json_text import json_object
from hcat.core.records.signing import PublicKey
from hcat.core.view.renderers.json_tree import read_report

MOST_NAMED = 50
GIVEN = "Taken as given, not computed again: scores, fitted calibrations, findings, coverage, policy checks, opinions."
NOT_COMPUTED = (
    "Not checked without --recompute: that the numbers follow from the files, and the report's pages from its numbers."
)
NOT_PROVED = (
    "Not proved: who holds the key, when it was signed, and that what people and systems put in is true. Compare the "
    "fingerprint with the one that the signer gave you by another way."
)


@dataclass(frozen=True, slots=True)
class Verification:
    """The differences by name, what could not be checked, and what is proved and is not, as sentences.

    `unchecked` is not empty if no key was given, or if pages were made by programs that are not installed."""

    problems: tuple[str, ...]
    proved: tuple[str, ...]
    not_proved: tuple[str, ...]
    unchecked: tuple[str, ...] = ()
    signer: str = ""

    @property
    def intact(self) -> bool:
        """Whether everything was checked, and nothing differs."""
        return not self.problems and not self.unchecked

    @property
    def headline(self) -> str:
        """The first line: the differences, or what was not checked, or that all is as the named key signed it."""
        if self.problems:
            return f"Not intact: {counted(len(self.problems), 'thing')} found."
        if self.unchecked:
            return f"Not checked: {'; '.join(self.unchecked)}. Else as signed by {self.signer}."
        return f"Intact: as signed by the key that you named, {self.signer}."


def verify(content: bytes, *, key: PublicKey | None = None, recompute: bool = False) -> Verification:
    """Check a pack, or a report as PDF from one.

    With `recompute` every number is recomputed from the pack, except those that depend on withheld texts, and each
    rendering is made again from the report. FileFormatError if it is neither, or is malicious; HcatError for
    `recompute` on a PDF."""
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
    not_proved, unchecked = [*_withheld(said), NOT_PROVED], _nobody(key)
    if recompute:
        again, left, problems = _again(files)
        proved, not_proved = [*proved, *again], [*left, GIVEN, *not_proved]
        if not problems:
            same, other, problems = _rendered(files, said)
            proved, unchecked = [*proved, *same], [*unchecked, *other]
    else:
        not_proved = [NOT_COMPUTED, *not_proved]
    return Verification(_limited(problems), tuple(proved), tuple(not_proved), tuple(unchecked), _fingerprint(said))


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
    unchecked = _nobody(key)
    if found.pages:
        proved.append("The pages are those that follow from the signed report: set again, the PDF has the same bytes.")
    else:
        unchecked.insert(0, f"the pages, which {made} set (not here), so that they may say anything")
    left = "Not checked: the files that the numbers follow from, and the numbers. They are in the pack of this PDF."
    not_proved = (left, *_withheld(said), NOT_PROVED)
    return Verification((), tuple(proved), not_proved, tuple(unchecked), _fingerprint(said))


def _rendered(files: Mapping[str, bytes], said: Mapping[str, Any]) -> tuple[list[str], list[str], list[str]]:
    """The renderings that follow from the signed report, those by other programs, and those that do not follow."""
    names = sorted(name for name in files if name.startswith("report.") and name != REPORT)
    report = read_report(files[REPORT].decode("utf-8"))
    others = [name for name in names if rendering(report, name, files) != files[name]]
    here = {"hcat": __version__, TYPESETTER: said.get(TYPESETTER) and typesetter(), **installed_versions()}
    there = {"hcat": said.get("hcat"), TYPESETTER: said.get(TYPESETTER), **dict(said.get("packages", {}))}
    same = [name for name in names if name not in others]
    proved = [f"Made again from report.json, {', '.join(same)} has the same bytes."] if same else []
    if here == there:
        return proved, [], [f"{name}: it does not follow from report.json" for name in others]
    made = f"the pages of {', '.join(others)}, which other versions of programs made, so that they may say anything"
    return proved, [made] if others else [], []


def _again(files: Mapping[str, bytes]) -> tuple[list[str], list[str], list[str]]:
    """The recomputed results, those that can't be recomputed, and the differences."""
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
    """The parts of the report that depend on withheld texts, by chapter."""
    chapters = "; ".join(dict.fromkeys(each.where.split(" › ")[1] for each in resting if " › " in each.where))
    return (
        f"{numbers:,} of the {total:,} numbers, and {counted(len(resting), 'place')} in all, were not computed again: "
        f"they depend on texts that are withheld. They are in these chapters: {chapters}."
    )


def _difference(item: Difference) -> str:
    name = item.path.rpartition("/")[2]
    name = f"value {int(name) + 1}" if name.isdecimal() else name
    return f"{item.where}: {name} is reported as {item.reported}, and computes to {item.again}"


def _nobody(key: PublicKey | None) -> list[str]:
    return [] if key is not None else ["who signed, since you named no key"]


def _fingerprint(said: Mapping[str, Any]) -> str:
    return PublicKey(base64.b64decode(str(said["public_key"]))).fingerprint


def _signed(said: Mapping[str, Any], key: PublicKey | None) -> list[str]:
    signer = _fingerprint(said)
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
