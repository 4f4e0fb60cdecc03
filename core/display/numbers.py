"""Formats numbers for pages, reports and the command line. The full value is always available with the text."""

from __future__ import annotations

import math
from dataclasses import replace

from hcat.core.display.edition import current_language, in_edition
from hcat.core.display.messages import say
from hcat.core.types import Estimate

MISSING = "–"
"""Shown for a missing number; never 0."""

_NOT_ZERO = 0.001
_MINUS = "−"


def at_least_zero(estimate: Estimate) -> Estimate:
    """An estimate of a nonnegative quantity for display: 0 replaces a value or bound below it."""
    low = max(estimate.low, 0.0) if estimate.low == estimate.low else estimate.low
    return replace(estimate, value=max(estimate.value, 0.0), low=low) if estimate.value == estimate.value else estimate


def format_number(value: float | None, *, decimals: int | None = None) -> str:
    """ "0.71", "12.3", "1,234": two decimals below 10, one below 1,000, then none, unless `decimals` says otherwise."""
    if value is None or not math.isfinite(value):
        return MISSING
    places = _decimals(value) if decimals is None else decimals
    return in_edition(_signed(f"{value:,.{places}f}"))


def format_count(value: int | None) -> str:
    """ "1,234"."""
    return MISSING if value is None else in_edition(_signed(f"{value:,d}"))


def counted(n: int, what: str) -> str:
    """ "1 problem", "1,234 problems"."""
    return say(f"{{n}} {what}" if n == 1 else f"{{n}} {what}s", n=format_count(n))


def format_percent(share: float | None, *, decimals: int = 1) -> str:
    """ "71.1%" for 0.711. A share that rounding would make none or all reads "<0.1%" or ">99.9%"."""
    if share is None or not math.isfinite(share):
        return MISSING
    step = 10.0**-decimals
    percent = 100 * share
    if 0 < percent < step / 2:
        return in_edition(f"<{step:.{decimals}f}%")
    if 100 - step / 2 <= percent < 100:
        return in_edition(f">{100 - step:.{decimals}f}%")
    text = f"{percent:.{decimals}f}"
    return in_edition(_signed(text.removesuffix("." + "0" * decimals) if percent in (0, 100) else text) + "%")


def format_p_value(value: float | None) -> str:
    """ "0.034", "<0.001": p and q never read as 0."""
    if value is None or not math.isfinite(value):
        return MISSING
    return in_edition("<0.001" if value < _NOT_ZERO else f"{value:.3f}" if value < 0.1 else f"{value:.2f}")


def p_value_text(symbol: str, value: float | None) -> str:
    """ "q = 0.034", "p < 0.001": the symbol with its value, by one relation sign."""
    text = format_p_value(value)
    return f"{symbol} < {text[1:]}" if text.startswith("<") else f"{symbol} = {text}"


def format_difference(value: float | None, *, decimals: int | None = None) -> str:
    """ "+0.12", "−0.05": a difference carries its sign."""
    return _with_sign(format_number(value, decimals=decimals), value)


def _with_sign(text: str, value: float | None) -> str:
    return text if text == MISSING or text.startswith(_MINUS) or not value or _is_zero(text) else "+" + text


def format_interval(estimate: Estimate, *, percent: bool = False) -> str:
    """ "[0.65, 0.77]", or "" if n is too small for an interval."""
    if not _has_interval(estimate):
        return ""
    places = _places(estimate, percent=percent)
    low, high = (_like(bound, places, percent=percent) for bound in (estimate.low, estimate.high))
    return interval_text(low, high)


def interval_text(low: str, high: str) -> str:
    """ "[0.65, 0.77]" from formatted bounds: a semicolon separates them if a comma marks decimals."""
    return f"[{low}{', ' if current_language() == 'en' else '; '}{high}]"


def format_with_interval(estimate: Estimate, *, percent: bool = False, signed: bool = False) -> str:
    """ "0.71 [0.65, 0.77]", and "+0.12 [0.05, 0.19]" for a difference, which is `signed`.

    Value and bounds have the same decimals, more than usual if both bounds would otherwise read alike."""
    places = _places(estimate, percent=percent)
    value = _like(estimate.value, places, percent=percent)
    value = _with_sign(value, estimate.value) if signed else value
    return f"{value} {format_interval(estimate, percent=percent)}".rstrip()


def format_estimate(estimate: Estimate, *, percent: bool = False, signed: bool = False) -> str:
    """ "0.71 [0.65, 0.77], n = 83": value, interval and n, which are always shown together."""
    return f"{format_with_interval(estimate, percent=percent, signed=signed)}, n = {format_count(estimate.n)}"


def _has_interval(estimate: Estimate) -> bool:
    return math.isfinite(estimate.low) and math.isfinite(estimate.high)


def _places(estimate: Estimate, *, percent: bool) -> int:
    """The decimals of value and bounds.

    An interval narrower than the last of them gets as many more that its width is at least two of the last, at most
    three more."""
    usual = 1 if percent else _decimals(estimate.value) if math.isfinite(estimate.value) else 2
    width = (estimate.high - estimate.low) * (100 if percent else 1)
    if not _has_interval(estimate) or width >= 10.0**-usual:
        return usual
    return next((places for places in range(usual, usual + 4) if width >= 2 * 10.0**-places), usual)


def _like(value: float, places: int, *, percent: bool) -> str:
    return format_percent(value, decimals=places) if percent else format_number(value, decimals=places)


def _decimals(value: float) -> int:
    size = abs(value)
    return 2 if size < 9.995 else 1 if size < 999.95 else 0


def _signed(text: str) -> str:
    """A typographic minus, and none before a rounded zero."""
    if not text.startswith("-"):
        return text
    return text[1:] if _is_zero(text[1:]) else _MINUS + text[1:]


def _is_zero(text: str) -> bool:
    return not text.strip("0.,% \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")
