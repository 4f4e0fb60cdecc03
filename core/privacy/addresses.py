"""Postal addresses and postcodes, by how they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.privacy.hit import Hit

_CAPITAL = r"[^\W\da-z_](?:[^\W\d_]|[.'’-](?=\w))*(?!\w)"
_TYPES = (
    "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Square|Sq|Terrace|Close|Crescent|"
    "Way|Parkway|Pkwy|Highway|Hwy|Circle|Row|Mews|Garden|Gardens|Grove|Hill|Park|Quay|Walk|Alley|Plaza|Gate|Trail|Loop"
)
_STREET_TYPE = rf"(?:{_TYPES}|{_TYPES.lower()})\b\.?"
_BEFORE_NAME = (
    r"(?:Rua|Rue|Via|Viale|Piazza|Calle|Avenida|Av\.|Plaza|Corso|Largo|Praça|Travessa|Ul\.|Ulica|Boulevard|Avenue|"
    r"Chemin|Impasse|Allée|Strada|Carrer|Camino|Place|Cours|Quai|rua|rue|via|viale|piazza|calle|avenida|ul\.|avenue)"
)
_LINK = r"(?:d[aeiou]s?\s+|d[’']|de\s+la\s+|l[’'])?"
_COMPOUND = (
    r"[^\W\da-z_][^\W\d_]+(?:straße|strasse|str\.|weg|gasse|platz|allee|ring|damm|ufer|laan|straat|plein|gracht|kade|dijk|singel|"
    r"vej|gade|stræde|gata|gatan|vägen|vegen|veien|katu|tie|kuja|utca|út|tér)"
)
_HOUSE = r"\d{1,5}(?:[-/]\d{1,4})?\s?[A-Za-z]?(?![\w%])"
_UNIT = (
    r"(?:(?:Apt|Apartment|Suite|Ste|Unit|Flat|Room|Floor|Box|Building|apt|apartment|suite|unit|flat)\b\.?\s?"
    r"[\dA-Z][\w-]{0,5})"
)
_POSTCODE = (
    r"(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{5}-\d{4}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}-\d{4,6}|"
    r"\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4,6})(?!\w)"
)
_PLACE = rf"{_CAPITAL}(?: {_CAPITAL}){{0,3}}"
_BREAK = r"(?:\s*[,\n]\s*,?\s*)"
_TAIL = rf"(?:{_BREAK}(?:{_UNIT}|{_POSTCODE}|{_PLACE})|\s+(?:{_UNIT}|{_POSTCODE}))"
_STREETS = (
    rf"{_HOUSE}\s+(?:{_CAPITAL}\s+){{1,4}}?{_STREET_TYPE}",
    rf"{_CAPITAL}(?:\s+{_CAPITAL}){{0,2}}\s+{_STREET_TYPE}\s+{_HOUSE}",
    rf"{_BEFORE_NAME}\s+{_LINK}{_PLACE},?\s+{_HOUSE}",
    rf"{_HOUSE},?\s+{_BEFORE_NAME}\s+{_LINK}{_PLACE}",
    rf"(?:{_CAPITAL}\s+){{0,2}}{_COMPOUND}\s+{_HOUSE}",
    r"P\.?\s?O\.?\s?Box\s+\d{1,6}",
    r"(?:PSC|Unit|CMR|USNV|USS|USNS|USCGC)\s[\w ]{1,20}(?:,?\sBox\s\d+)?\s+[ADF]PO\s(?:AA|AE|AP)\s\d{5}",
)
_AT_START = r"(?<![\w#])(?!(?<=\w[.'’-])[^\W\d_])"
"""No letter before it, nor a mark within a word: else each letter of one long word would begin a search to its end."""
_ADDRESS = re.compile(rf"{_AT_START}(?:{'|'.join(_STREETS)})(?:{_TAIL}){{0,5}}")
_ANNOUNCED = re.compile(
    r"\b(?:[Aa]ddress(?:\s+(?:of|for)\s+[\w .'’-]{1,40}?)?\s*(?:is|was|:|to)|(?:live|lives|lived|living|resides?|"
    r"residing)\s+(?:at|on|in)|(?:moved|deliver|delivered|ship|shipped)\s+to|located\s+(?:at|on))\s+"
    rf"(?P<address>(?:\d[\w/-]*\s+{_CAPITAL}|{_CAPITAL}(?:\s+{_CAPITAL}){{0,3}}\s+\d[\w/-]*)(?:{_TAIL}|\s+{_CAPITAL}){{0,8}})"
)
_WORDED_POSTCODE = re.compile(
    r"\b(?:[Zz]ip|ZIP|[Pp]ost(?:al)?)[ -]?[Cc]odes?\b(?:\s+(?:of|for)\s+[\w .'’-]{1,40}?)?\s*(?:is|are|was|to|:)?\s*"
    rf"(?P<code>{_POSTCODE})"
)


def addresses(text: str) -> Iterator[Hit]:
    """Streets with numbers and what belongs to them, what is announced as an address, and announced postcodes."""
    for match in _ADDRESS.finditer(text):
        yield _hit("address", match.start(), match.group())
    for match in _ANNOUNCED.finditer(text):
        yield _hit("address", match.start("address"), match["address"])
    for match in _WORDED_POSTCODE.finditer(text):
        yield _hit("postcode", match.start("code"), match["code"])


def _hit(kind: str, start: int, text: str) -> Hit:
    stripped = text.rstrip(" ,\n")
    return Hit(kind, "entity", start, start + len(stripped), stripped, "wording", stripped.casefold())
