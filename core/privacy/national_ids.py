"""Identity, tax and insurance numbers of countries, by their checksums (python-stdnum)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from hcat.core.privacy.hit import Evidence, Hit

BEFORE = 60
"""The number of characters before a number that are searched for its wording."""


@dataclass(frozen=True, slots=True)
class NationalId:
    """A number that `stdnum.<module>` validates.

    With `wording`, the number looks like any other, and only counts after these words."""

    detail: str
    module: str
    pattern: str
    wording: str = ""
    evidence: Evidence = "checksum"


IDS: tuple[NationalId, ...] = (
    NationalId("United States social security number", "us.ssn", r"\d{3}-\d{2}-\d{4}", evidence="format"),
    NationalId("United States social security number", "us.ssn", r"\d{9}", r"social security|\bssn\b", "format"),
    NationalId("United States taxpayer number", "us.itin", r"9\d{2}-\d{2}-\d{4}", evidence="format"),
    NationalId(
        "United Kingdom national insurance number",
        "",
        r"(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]",
        evidence="format",
    ),
    NationalId("United Kingdom health service number", "gb.nhs", r"\d{3}[ -]?\d{3}[ -]?\d{4}", r"\bnhs\b|health"),
    NationalId("United Kingdom taxpayer reference", "gb.utr", r"\d{10}K?", r"\butr\b|taxpayer|tax reference"),
    NationalId("Canadian social insurance number", "ca.sin", r"\d{3}[ -]\d{3}[ -]\d{3}", r"\bsin\b|social insurance"),
    NationalId("German tax number", "de.idnr", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", r"tax|steuer|\bidnr\b"),
    NationalId("French social security number", "fr.nir", r"[12] ?\d\d ?[0-9AB]{2} ?\d[0-9AB] ?\d{3} ?\d{3} ?\d\d"),
    NationalId("Spanish identity number", "es.nif", r"[XYZ]?-?\d{7,8}-?[A-Z]"),
    NationalId("Italian fiscal code", "it.codicefiscale", r"[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]"),
    NationalId("Dutch citizen number", "nl.bsn", r"\d{9}|\d{4}\.\d{2}\.\d{3}", r"\bbsn\b|burgerservice|citizen"),
    NationalId("Belgian national number", "be.nn", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}"),
    NationalId("Polish identity number", "pl.pesel", r"\d{11}", r"\bpesel\b|identity|national"),
    NationalId("Swedish personal number", "se.personnummer", r"(?:\d{2})?\d{6}[-+]\d{4}"),
    NationalId("Finnish personal code", "fi.hetu", r"\d{6}[-+A]\d{3}[0-9A-Y]"),
    NationalId("Danish personal number", "dk.cpr", r"\d{6}-\d{4}", r"\bcpr\b|personal|identity", "format"),
    NationalId(
        "Norwegian identity number", "no.fodselsnummer", r"\d{6} ?\d{5}", r"personnummer|identity|national|birth"
    ),
    NationalId("Irish personal public service number", "ie.pps", r"\d{7}[A-W][A-I]?"),
    NationalId("Portuguese tax number", "pt.nif", r"\d{9}", r"\bnif\b|contribuinte|tax"),
    NationalId("Austrian insurance number", "at.vnr", r"\d{4} ?\d{6}", r"insurance|versicherung|\bsvnr\b"),
    NationalId("Swiss social security number", "ch.ssn", r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}"),
    NationalId("Indian identity number", "in_.aadhaar", r"\d{4}[ -]?\d{4}[ -]?\d{4}", r"aadhaar|identity"),
    NationalId("Indian tax number", "in_.pan", r"[A-Z]{5}\d{4}[A-Z]", evidence="format"),
    NationalId("Brazilian tax number", "br.cpf", r"\d{3}\.\d{3}\.\d{3}-\d{2}"),
    NationalId("Australian tax file number", "au.tfn", r"\d{3} ?\d{3} ?\d{3}", r"\btfn\b|tax"),
    NationalId("South African identity number", "za.idnr", r"\d{13}", r"identity|\bid\b"),
    NationalId("passport number", "", r"[A-Z]{0,2}\d{6,9}", r"passport", "wording"),
    NationalId(
        "driving licence number", "", r"[A-Z0-9]{1,5}\d{4,12}[A-Z0-9]{0,5}", r"driv\w+'?s? licen[cs]e", "wording"
    ),
)
"""Without a module, only the format or the wording is checked. Dates of birth within a number are checked by stdnum."""


def national_ids(text: str) -> Iterator[Hit]:
    """The numbers of all countries in a text. One that several countries could have issued is reported once for
    each."""
    if not any(character.isdigit() for character in text):
        return
    for each in IDS:
        for match in _pattern(each.pattern).finditer(text):
            if each.wording and not _worded(each.wording, text, match.start()):
                continue
            if not each.module or _validator(each.module).is_valid(match.group()):
                key = re.sub(r"[\W_]", "", match.group()).casefold()
                place = (match.start(), match.end())
                yield Hit("identity number", "entity", *place, match.group(), each.evidence, key, each.detail)


def _worded(wording: str, text: str, start: int) -> bool:
    return re.search(wording, text[max(0, start - BEFORE) : start], re.IGNORECASE) is not None


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,-])(?:{pattern})(?![\w]|[.,-]\w)")


@cache
def _validator(module: str) -> ModuleType:
    return import_module(f"stdnum.{module}")
