"""Rows of financial statements and of pipe tables: item, period and value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

PeriodKind = Literal["during", "at the end of"]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a row: `period` is the year, `text` the value as in the table, `value` in units of the table."""

    period: str
    text: str
    value: Decimal


@dataclass(frozen=True, slots=True)
class TableFact:
    """A row: its label, its cells, the currency sign and scale word of the table, and its offsets in the text."""

    label: str
    cells: tuple[Cell, ...]
    currency: str
    scale: str
    period_kind: PeriodKind
    start: int
    end: int


_LINE = re.compile(r"[^\n]+")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_YEAR_AT_END = re.compile(
    r"(?:(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+\d{1,2},?\s*)?"
    r"((?:19|20)\d\d)\Z"
)
_MONTH_DAY = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\s+\d{1,2},?\Z"
)
_CELLS = re.compile(r"(?:\$?\s*\(?\$?\s*\d[\d,]*(?:\.\d+)?\s*\)?\s*\$?\s*)+\Z")
_CELL = re.compile(r"(?P<open>\(\s*)?\$?\s*(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<close>\))?")
_EMPTY = re.compile(r"[\s$—–\-\x96\x97]*\Z")
_SCALE = re.compile(r"\(?\s*(?:[Dd]ollars\s+|\$\s*|USD\s+)?\s*[Ii]n\s+(thousands|millions|billions)\b", re.IGNORECASE)
_SCALE_AFTER = re.compile(r"\(\s*(?:\$\s*)?(thousand|million|billion)s?\b", re.IGNORECASE)
_BALANCE = re.compile(
    r"balance\s?sheets?|financial\s?position|total\s?(?:current\s)?(?:assets|liabilities)|holders['’]?\s?equity",
    re.IGNORECASE,
)
_FLOW = re.compile(
    r"statements?\s?of\s?(?:consolidated\s?)?(?:cash\s?flows?|income|operations|earnings)|years?\s?ended|"
    r"\b(?:revenues?|sales)\b",
    re.IGNORECASE,
)
_HEADER_MONTH = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December)\s+\d{1,2},?"
)
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_HEADED = re.compile(
    r"(interest|revenue|sales|net sales|operating (?:income|profit)|earnings)s?:|interest", re.IGNORECASE
)
"""Headings under which a row's label is ambiguous unless it repeats the word."""
_CASH_FLOWS = re.compile(r"statements? of (?:consolidated )?cash flows?|operating activities", re.IGNORECASE)
_PART_YEAR = re.compile(r"(?:three|six|nine|\d+)[ -](?:months?|weeks) ended|quarter ended|unaudited", re.IGNORECASE)
_PART_YEAR_HEADER = re.compile(r"(?:three|six|nine|\d+)[ -](?:months?|weeks)", re.IGNORECASE)
"""In a header also without "ended"; in a row, "more than three months" describes a kind of investment."""
_REFUSED_LABEL = re.compile(
    r"\bother\b|\bper\b|\bshares?\b|\d|\bsee\b|\bnote\b|%|[:;*]|\bvs\b|\bweighted\b|\bbeginning\b|\brate\b|\bmargin\b"
    r"|\b(?:company|corporation|inc|plc|segments?)\b|^(?:from|of|and|or|to|on|in|less|plus|add|change|effect|basic|diluted|current|foreign|domestic)\b"
    r"|\band in \d|\bbefore changes\b|\beliminations?\b|\)\s*\w|/",
    re.IGNORECASE,
)
_FLOW_LABEL = re.compile(
    r"^(?:net (?:cash|income|earnings|increase|decrease)|capital expenditures?|dividends? paid|cash dividends|"
    r"depreciation|proceeds from|repayments? of|purchases? of|payments? (?:of|for)|repurchases? of|acquisitions?|"
    r"(?:share|stock)-based compensation|cash paid for|additions to property|common stock repurchase)",
    re.IGNORECASE,
)
_OUTFLOW_LABEL = re.compile(
    r"\b(?:used|paid|payments?|repayments?|purchases?|repurchases?|expenditures?|expenses?|acquisitions?|dividends?|"
    r"additions|costs?|taxes|treasury|deficit|amortization|depreciation)\b",
    re.IGNORECASE,
)
_EITHER_SIGN = re.compile(
    r"\((?:loss|used|income|expense|benefit|decrease|increase|gain|deficit)[^)]*\)|\bgain|\bloss", re.I
)
_LONGEST_WORD, _MOST_WORDS, _FEWEST_LETTERS = 17, 12, 6


def table_facts(text: str) -> tuple[TableFact, ...]:
    """The rows of tables in a text whose columns are years and whose rows have one value for every year.

    Skipped: labels that occur twice or depend on a heading, shares and values per share, parts of a year, and texts
    whose words are run together."""
    lines = [(match.group(), match.start(), match.end()) for match in _LINE.finditer(text)]
    years, first = _years(lines)
    scale = _scale(text)
    header = "\n".join(line for line, _, _ in lines[:first])
    part_year = is_of_part_of_a_year(text) or _PART_YEAR_HEADER.search(header)
    if len(years) < 2 or len(set(years)) != len(years) or scale is None or part_year:
        return ()
    balance, cash = bool(_BALANCE.search(text)), bool(_CASH_FLOWS.search(text))
    if not (balance or cash or _FLOW.search(text)) or _mixed_months([line for line, _, _ in lines[:first]]):
        return ()
    rows = [row for row in _rows(lines[first:], len(years)) if _is_label(row[0], cash=cash)]
    counts = Counter(_tidy(line.strip().strip("| ")).lower() for line, _, _ in lines)
    kind: PeriodKind = "at the end of" if balance and not cash else "during"
    currency = "$" if "$" in text or "dollar" in text.lower() else "€" if "€" in text else ""
    return tuple(
        TableFact(_tidy(label), cells, currency, scale, kind, start, end)
        for label, values, start, end in rows
        if counts[_tidy(label).lower()] == 1 and (cells := _cells(label, values, years))
    )


def is_of_part_of_a_year(text: str) -> bool:
    """Whether a table states that it covers months, weeks or a quarter, or is not audited."""
    return _PART_YEAR.search(text) is not None


Line = tuple[str, int, int]
Row = tuple[str, list[str], int, int]


def _years(lines: Sequence[Line]) -> tuple[list[str], int]:
    """The years at the heads of the columns, and the line after them."""
    years: list[str] = []
    for index, (line, _, _) in enumerate(lines):
        stripped = line.strip()
        separate = stripped.split()
        if len(separate) > 1 and all(_YEAR.match(part) for part in separate):
            return separate, index + 1
        match = _YEAR_AT_END.match(stripped)
        if match is not None:
            years.append(match[1])
        elif years and stripped and not _MONTH_DAY.match(stripped):
            if len(years) > 1:
                return years, index
            years = []
    return [], 0


def _mixed_months(header: Sequence[str]) -> bool:
    """Whether the columns end in different parts of the year, such as June and December."""
    places = {_MONTHS.index(match[1]) for line in header for match in _HEADER_MONTH.finditer(line)}
    return bool(places) and max(places) - min(places) > 1 and places != {0, 11}


def _scale(text: str) -> str | None:
    match = _SCALE.search(text) or _SCALE_AFTER.search(text)
    return None if match is None else match[1].lower().rstrip("s")


def _rows(lines: Sequence[Line], columns: int) -> Iterator[Row]:
    """Labels with the values that follow them: on the same line or on the next ones."""
    label, start, end, clean, heading = "", 0, 0, True, ""
    values: list[str] = []
    for line, line_start, line_end in lines:
        stripped = line.strip().strip("| ")
        if _EMPTY.fullmatch(stripped):
            if stripped.strip("$ ") and label:
                clean = False
            continue
        if _CELLS.fullmatch(stripped):
            values.extend(match.group().strip() for match in _CELL.finditer(stripped))
            end = line_end
            continue
        if label and clean and len(values) == columns and heading in label.lower():
            yield label, values, start, end
        heading = _heading(stripped, heading)
        label, start, end, values, clean = stripped, line_start, line_end, [], True
    if label and clean and len(values) == columns and heading in label.lower():
        yield label, values, start, end


def _heading(line: str, before: str) -> str:
    """The word that the labels under a heading must repeat, until a total or another heading."""
    match = _HEADED.fullmatch(line)
    if match is not None:
        return (match[1] or "interest").lower()
    ended = line.endswith(":") or line.lower().startswith(("total", before or "total"))
    return "" if ended else before


def _is_label(label: str, *, cash: bool) -> bool:
    plain = _tidy(label)
    words = plain.split()
    if not words or len(words) > _MOST_WORDS or len(plain) < _FEWEST_LETTERS or not plain[0].isupper():
        return False
    if max(map(len, words)) > _LONGEST_WORD or _REFUSED_LABEL.search(plain) or re.search(r"[a-z][A-Z]", plain):
        return False
    if cash:
        return _FLOW_LABEL.match(plain) is not None
    return len(words) > 1 or plain.lower() in ("goodwill", "inventories", "revenue", "revenues")


def _tidy(label: str) -> str:
    label = re.sub(r"\.{2,}.*", "", label)
    return re.sub(r"\s+", " ", re.sub(r"\s*\((?:Note|Notes|See)[^)]*\)", "", label, flags=re.I)).strip(" .$")


def _cells(label: str, values: Sequence[str], years: Sequence[str]) -> tuple[Cell, ...]:
    """The values as positive amounts; empty if a sign is ambiguous."""
    cells = []
    for text, year in zip(values, years, strict=True):
        match = _CELL.fullmatch(text)
        if match is None:
            return ()
        negative = match["open"] is not None
        if negative and (_EITHER_SIGN.search(label) or not _OUTFLOW_LABEL.search(label)):
            return ()
        cells.append(Cell(year, match["number"], Decimal(match["number"].replace(",", ""))))
    signs = {text.strip().strip("$ ").startswith("(") for text in values}
    return tuple(cells) if len(signs) == 1 else ()
