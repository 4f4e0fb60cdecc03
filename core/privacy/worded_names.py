"""Rules for names, ages, dates and parts of addresses by the words around them or their layout, besides the models.

None is a leak by itself, so these rules may find more than the ones that decide."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hcat.core.privacy.addresses import addresses
from hcat.core.privacy.hit import Hit, without_overlaps

_CAPITAL = r"[^\W\da-z_](?:[^\W\d_]|[.'’-](?=\w))*(?!\w)"
_AT_START = r"(?<![\w#])(?!(?<=\w[.'’-])[^\W\d_]|(?<=\w[/-])\d)"
"""No letter before it, nor a mark within a word or number: else each letter of one long word would begin a search to
its end."""
_PARTICLE = r"(?:van der|van den|van de|van|von|de la|de|del|da|dos|di|du|le|la|el|al|bin|ter|zu)"
_HONORIFIC = r"(?:Mr|Mrs|Ms|Mx|Miss|Dr|Prof|Professor|Sir|Dame|Lady|Lord|Madam|Herr|Frau|Monsieur|Madame|Señora?)"
_TITLED = re.compile(rf"\b{_HONORIFIC}\b\.?[ ](?:{_PARTICLE}[ ])?{_CAPITAL}(?:[ ](?:{_PARTICLE}[ ])?{_CAPITAL}){{0,3}}")
_LEGAL_FORM = (
    r"(?:Inc|Incorporated|Ltd|Limited|LLC|L\.L\.C|LLP|PLC|plc|Corp|Corporation|GmbH|AG|KG|SE|S\.A|SA|SAS|SARL|SpA|S\.p\.A|"
    r"S\.r\.l|Srl|Oy|Oyj|AB|A/S|ApS|ASA|BV|B\.V|NV|N\.V|Pty|Pvt|Co|Company|Group|Holdings?|Associates|Partners|"
    r"(?:and|&) Sons|(?:and|&) Co)"
)
_COMPANY = re.compile(
    rf"{_AT_START}{_CAPITAL}(?:(?:,| and| &|-| of)?[ ]{_CAPITAL}){{0,4}},?[ ]{_LEGAL_FORM}\b(?:\.(?=\W))?"
)
_FIRM = re.compile(rf"{_AT_START}{_CAPITAL}, {_CAPITAL},? (?:and|&) {_CAPITAL}(?=\W|$)")
_AGE = re.compile(
    r"\b(?:[Aa]ged?|[Aa]ge:|[Aa]ge is|age of|turn(?:s|ed|ing)?)[ ](?P<told>1?\d{1,2})\b(?![.,]\d|[%/:-]\d)"
    r"|\b(?P<years>1?\d{1,2})(?:[ -]?(?:years?|yrs?|y)(?:[ -]old|[ -]of[ -]age)\b|[ ]?y/?o\b)"
    r"|\b(?:I['’]?m|I am|[Hh]e['’]?s|[Hh]e is|[Ss]he['’]?s|[Ss]he is|i['’]?m)[ ]"
    r"(?:now |already |only |just )?(?P<being>\d{2})"
    r"(?=[ ]*(?:[.,;!?)]|$|years?\b(?! (?:ago|away|late|in|behind))|and\b|now\b|already\b|today\b))",
    re.MULTILINE,
)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_YEAR = r"(?:1[89]|20)\d\d"
_DATE = re.compile(
    rf"(?<![\w/.-])(?:{_YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:{_YEAR}|\d\d))"
    rf"(?:[ T]\d\d:\d\d(?::\d\d)?)?(?![\w/-])"
    rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? )?{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?,? {_YEAR}\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b"
    rf"|\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Yy]ear|[Ff]rom|[Bb]y|[Bb]orn) \b(?P<year>{_YEAR})\b(?![.,]\d)"
    r"|\b(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)day\b",
)
_UNIT = r"(?:(?:Apt|Apartment|Suite|Ste|Flat|Unit|apt|apartment|suite|flat)\b\.?[ ]?#?(?:\d[\w-]{0,5}|[A-Z]\d{0,4}\b))"
_WORD = r"(?:[^\W\d_](?:[^\W\d_]|[.'’-](?=\w))*\.?)"
_BREAK = r"(?:[ ]*[,;\n][\s>|,]*)"
_LINE = (
    rf"(?:\d[\w/-]*,?[ ](?:{_WORD}[ ]){{0,4}}{_WORD}|"
    rf"(?:\d{{1,6}}[ ])?{_WORD}(?:[ ]{_WORD}){{0,3}}[ ]\d[\w/-]*\.?)(?:[ ]\d[\w/-]*\.?)?"
)
_LINK = r"(?:de|del|da|di|do|am|an der|ob der|sur|la|le|les|upon|on|in|im|na|nad|of|the)"
_LOCALITY = rf"{_CAPITAL}(?:[ -](?:{_LINK}[ -]){{0,2}}{_CAPITAL}){{0,3}}"
_CODE = (
    r"(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|\d{5}-\d{3,4}|\d{4} ?[A-Z]{2}|[A-Z]{1,2}-\d{4,6}|"
    r"\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4,6})(?![\w-])"
)
_REST = rf"(?:{_BREAK}(?:{_UNIT}|{_CODE}(?:[ ]{_LOCALITY})?|{_LOCALITY}(?:[ ]{_CODE})?)|[ ](?:{_UNIT}|{_CODE}))"
_WITH_UNIT = re.compile(rf"{_AT_START}(?:{_LINE}{_BREAK}|{_LINE}[ ])?{_UNIT}(?:[ ](?!I\b){_LOCALITY})?{_REST}{{0,5}}")
_WITH_CODE = re.compile(
    rf"(?:^|(?<=[\n>]))[^\S\n]*"
    rf"(?P<block>{_LINE}{_BREAK}(?:{_CODE}[ ]{_LOCALITY}|{_LOCALITY},?[ ]{_CODE}){_REST}{{0,3}})",
    re.MULTILINE,
)
_CORNER = re.compile(rf"\b(?:the )?corner of [^,.;\n]{{3,60}}? and (?:{_CAPITAL}[ ]){{0,3}}{_CAPITAL}")
_FURTHER = re.compile(rf"(?:{_REST}){{1,5}}")
_NUMBER_BEFORE = re.compile(r"(?<![\w.,/-])\d{1,6}[ ]$")
_ANNOUNCED_CODE = re.compile(rf"\b(?i:zip|post(?:al)?)(?i:[ -]?code)?\b[^\w\n]{{0,3}}(?P<block>{_CODE})")


def worded_names(text: str) -> tuple[Hit, ...]:
    """Names after a title, organisations by their legal form, ages, calendar dates and blocks of an address."""
    return without_overlaps(_all(text))


def is_calendar_date(text: str) -> bool:
    """Whether a text names a day, a month or a year of the calendar, and not a duration such as "30 days"."""
    return re.search(rf"\b(?:{_MONTH}|{_YEAR})(?!\w)|\d[-/.]\d|\wday\b", text, re.IGNORECASE) is not None


def _all(text: str) -> Iterator[Hit]:
    for match in _TITLED.finditer(text):
        yield _hit("person", match.start(), match.group())
    for pattern in (_COMPANY, _FIRM):
        for match in pattern.finditer(text):
            yield _hit("organisation", match.start(), match.group())
    for match in _AGE.finditer(text):
        name = next(name for name, value in match.groupdict().items() if value is not None)
        yield _hit("age", match.start(name), match[name])
    for match in _DATE.finditer(text):
        group = "year" if match["year"] else 0
        yield _hit("date", match.start(group), match[group])
    blocks = [match.span() for pattern in (_WITH_UNIT, _CORNER) for match in pattern.finditer(text)]
    blocks += [match.span("block") for pattern in (_WITH_CODE, _ANNOUNCED_CODE) for match in pattern.finditer(text)]
    for start, end in (*blocks, *((hit.start, hit.end) for hit in addresses(text))):
        yield _grown(text, start, end)


def _grown(text: str, start: int, end: int) -> Hit:
    """An address with the number of a house or flat before it, and the rest of the address after it.

    It is called a place: only the stricter rules of addresses decide."""
    before = _NUMBER_BEFORE.search(text, max(0, start - 8), start)
    further = _FURTHER.match(text, end)
    first, last = before.start() if before else start, further.end() if further else end
    return _hit("place", first, text[first:last])


def _hit(kind: str, start: int, text: str) -> Hit:
    stripped = text.rstrip(" ,;>\n")
    return Hit(kind, "entity", start, start + len(stripped), stripped, "wording", stripped.casefold())
