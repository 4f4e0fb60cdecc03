"""Identifiers in a text that a checksum, a numbering plan or a format confirms: no model, no network."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from hcat.core.privacy.hit import Evidence, Hit, without_overlaps
from hcat.core.privacy.national_ids import national_ids

if TYPE_CHECKING:
    from tldextract import TLDExtract

REGIONS = ("GB", "US", "IE", "DE", "FR", "ES", "IT", "NL", "CH", "AU")
"""Countries in whose numbering plans numbers without a country code are read. English ones first."""

_EMAIL = re.compile(r"(?<![\w.+-])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63}(?![\w@-])")
_WEB = re.compile(r"\b(?:https?://|www\.)[^\s<>\"'()\[\]]+[^\s<>\"'()\[\].,;:!?]")
_IP4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)")
_IP6 = re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:])")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")
_CARD = re.compile(r"(?<![\w.,-])\d(?:[ -]?\d){11,18}(?![\w]|[.,-]\d)")
_PHONE_WORDING = re.compile(
    r"\b(?:phone|telephone|tel|mobile|cell|cellphone|call|calling|called|ring|dial|fax|text|sms|whatsapp|"
    r"number|hotline|helpline|contact|reach)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_WORDED_PHONE = re.compile(r"(?<![\w.,/-])[+(]?\d[\d\s().x/-]{5,20}\d(?![\w]|[.,]\d)")
NETWORKS: tuple[tuple[str, str], ...] = (
    ("Visa", r"4\d{12}(?:\d{3}){0,2}"),
    ("Mastercard", r"(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})"),
    ("American Express", r"3[47]\d{13}"),
    ("Diners Club", r"3(?:0[0-5]|[689]\d)\d{11}"),
    ("Discover", r"6(?:011|5\d\d|4[4-9]\d)\d{12}"),
    ("JCB", r"(?:2131|1800)\d{11}|35\d{14}"),
    ("UnionPay", r"62\d{14,17}"),
    ("Maestro", r"(?:5[0678]|6\d)\d{10,17}"),
)
"""Card networks by the numbers that they issue (ISO/IEC 7812), the more specific first."""


def identifiers(text: str) -> tuple[Hit, ...]:
    """E-mail, web and IP addresses, IBANs, card numbers, national ids and phone numbers, in their order."""
    finders = (_emails, _web_addresses, _ip_addresses, _ibans, _cards, national_ids, _crypto_wallets)
    confirmed = without_overlaps(hit for find in finders for hit in find(text))
    return without_overlaps((*confirmed, *_phones(text, confirmed)))


def _emails(text: str) -> Iterator[Hit]:
    for match in _EMAIL.finditer(text):
        if _has_public_suffix(match.group().rpartition("@")[2]):
            yield _hit("e-mail address", match.start(), match.group(), "format", match.group().casefold())


def _web_addresses(text: str) -> Iterator[Hit]:
    for match in _WEB.finditer(text):
        if _has_public_suffix(match.group()):
            yield _hit("web address", match.start(), match.group(), "format", match.group().casefold())


def _ip_addresses(text: str) -> Iterator[Hit]:
    for pattern in (_IP4, _IP6):
        for match in pattern.finditer(text):
            try:
                address = ipaddress.ip_address(match.group())
            except ValueError:
                continue
            if not address.is_unspecified:
                yield _hit("IP address", match.start(), match.group(), "format", match.group().casefold())


def _ibans(text: str) -> Iterator[Hit]:
    from stdnum import iban

    for match in _IBAN.finditer(text):
        for value in _shortened(match.group()):
            if iban.is_valid(value):
                yield _hit("IBAN", match.start(), value, "checksum", iban.compact(value), value[:2].upper())
                break


def _shortened(text: str) -> Iterator[str]:
    """The text, then without its last word, and so on: a pattern may have read into the next word."""
    while text:
        yield text
        text = text.rpartition(" ")[0]


def _cards(text: str) -> Iterator[Hit]:
    from stdnum import luhn

    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        network = next((name for name, pattern in NETWORKS if re.fullmatch(pattern, digits)), None)
        if network is not None and luhn.is_valid(digits) and len(set(digits)) > 1:
            yield _hit("card number", match.start(), match.group(), "checksum", digits, network)


def _crypto_wallets(text: str) -> Iterator[Hit]:
    from stdnum import bitcoin

    for match in re.finditer(r"\b(?:bc1[02-9ac-hj-np-z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,34})\b", text):
        if bitcoin.is_valid(match.group()):
            yield _hit("cryptocurrency address", match.start(), match.group(), "checksum", match.group())


def _phones(text: str, others: Sequence[Hit]) -> Iterator[Hit]:
    """Valid phone numbers: with a country code anywhere, without one if they are written or announced as a number.

    Matching is tried only with enough digits, since the library is slow."""
    if sum(character.isdigit() for character in text) < 6:
        return
    from phonenumbers import Leniency, PhoneNumberMatcher

    free = list(text)
    for hit in others:
        free[hit.start : hit.end] = "\x00" * (hit.end - hit.start)
    rest = "".join(free)
    seen: set[tuple[int, int]] = set()
    for region in REGIONS:
        for match in PhoneNumberMatcher(rest, region, leniency=Leniency.VALID):
            place = (match.start, match.end)
            if place not in seen and (match.raw_string.startswith("+") or _reads_as_phone(rest, *place)):
                seen.add(place)
                key = f"{match.number.country_code} {match.number.national_number}"
                yield _hit("phone number", match.start, match.raw_string, "numbering plan", key, region)
    for number in _WORDED_PHONE.finditer(rest):
        digits = re.sub(r"\D", "", number.group())
        if 7 <= len(digits) <= 15 and not _is_date(number.group()) and _announced(rest, number.start()):
            yield _hit("phone number", number.start(), number.group(), "wording", digits)


def _reads_as_phone(text: str, start: int, end: int) -> bool:
    """Whether a number without a country code is a phone number by its words or format.

    It is announced as one, or written in groups with a leading 0 or an area code in brackets."""
    number = text[start:end]
    grouped = len(re.findall(r"\d+", number)) >= 3 and not _is_date(number)
    return _announced(text, start) or (grouped and (number[0] in "0(" or re.fullmatch(r"[\d.-]+", number) is not None))


def _announced(text: str, start: int) -> bool:
    return _PHONE_WORDING.search(text, max(0, start - 60), start) is not None


def _is_date(text: str) -> bool:
    return (
        re.fullmatch(r"\s*(?:\d{4}[-/. ]\d{1,2}[-/. ]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4})\s*", text) is not None
    )


def _hit(kind: str, start: int, text: str, evidence: Evidence, key: str, detail: str = "") -> Hit:
    stripped = text.rstrip()
    return Hit(kind, "entity", start, start + len(stripped), stripped, evidence, key, detail)


def _has_public_suffix(address: str) -> bool:
    """Whether the address ends in a public suffix (.com, .co.uk), by the list that comes with the package."""
    return bool(_suffixes()(address).suffix)


@cache
def _suffixes() -> TLDExtract:
    """The packaged list of suffixes. With its defaults the library fetches a new one from the network."""
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
