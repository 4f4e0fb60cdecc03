"""How numbers are written on pages, in reports and on the command line. The full value always goes with the text."""

from __future__ import annotations

import math
from dataclasses import replace

from core.display.edition import current_language, in_edition
from core.display.messages import say
from core.types import Estimate

MISSING = "–"
"""Shown where there is no number; never 0."""

_NOT_ZERO = 0.001
_MINUS = "−"


def at_least_zero(estimate: Estimate) -> Estimate:
    """An estimate of what can't be negative, as it is shown: 0 stands in for a value or bound that chance put below."""
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
    text = format_number(value, decimals=decimals)
    return text if text == MISSING or text.startswith(_MINUS) or not value or _is_zero(text) else "+" + text


def format_interval(estimate: Estimate, *, percent: bool = False) -> str:
    """ "[0.65, 0.77]", or "" where n is too small for an interval."""
    if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
        return ""
    low, high = (_like(bound, estimate, percent=percent) for bound in (estimate.low, estimate.high))
    return interval_text(low, high)


def interval_text(low: str, high: str) -> str:
    """ "[0.65, 0.77]" of bounds as they are written: a semicolon keeps them apart where a comma marks decimals."""
    return f"[{low}{', ' if current_language() == 'en' else '; '}{high}]"


def format_estimate(estimate: Estimate, *, percent: bool = False) -> str:
    """ "0.71 [0.65, 0.77], n = 83": value, interval and n, which are always shown together."""
    value = _like(estimate.value, estimate, percent=percent)
    interval = format_interval(estimate, percent=percent)
    return f"{value} {interval}".rstrip() + f", n = {format_count(estimate.n)}"


def _like(value: float, estimate: Estimate, *, percent: bool) -> str:
    """Value and bounds show the same decimals."""
    if percent:
        return format_percent(value)
    return format_number(value, decimals=_decimals(estimate.value) if math.isfinite(estimate.value) else None)


def _decimals(value: float) -> int:
    size = abs(value)
    return 2 if size < 9.995 else 1 if size < 999.95 else 0


def _signed(text: str) -> str:
    """A typographic minus, and none before a rounded zero."""
    if not text.startswith("-"):
        return text
    return text[1:] if _is_zero(text[1:]) else _MINUS + text[1:]


def _is_zero(text: str) -> bool:
    return not text.strip("0.,")
