"""Units of measurement after a number: durations, lengths, masses, areas, energy. Currencies are in words.py."""

from __future__ import annotations

import re
from decimal import Decimal

from hcat.core.numbers.number import Measure

_UNITS: dict[str, tuple[tuple[str, str], ...]] = {
    "duration": (
        ("second", "1"), ("minute", "60"), ("hour", "3600"), ("day", "86400"), ("week", "604800"),
    ),
    "calendar duration": (("month", "1"), ("quarter", "3"), ("year", "12"), ("decade", "120")),
    "working days": (("working day", "1"),),
    "length": (
        ("millimetre", "0.001"), ("centimetre", "0.01"), ("metre", "1"), ("kilometre", "1000"), ("inch", "0.0254"),
        ("foot", "0.3048"), ("yard", "0.9144"), ("mile", "1609.344"),
    ),
    "mass": (("gram", "0.001"), ("kilogram", "1"), ("tonne", "1000"), ("ounce", "0.028349523"), ("lb", "0.45359237")),
    "area": (("square metre", "1"), ("square foot", "0.09290304"), ("acre", "4046.8564"), ("hectare", "10000")),
    "power": (("kilowatt", "0.001"), ("megawatt", "1"), ("gigawatt", "1000")),
    "energy": (("kilowatt hour", "0.001"), ("megawatt hour", "1"), ("gigawatt hour", "1000")),
    "data": (("kilobyte", "0.001"), ("megabyte", "1"), ("gigabyte", "1000"), ("terabyte", "1000000")),
    "volume": (("litre", "1"), ("gallon", "3.785411784"), ("barrel", "158.98729")),
}  # fmt: skip
"""Units by what they measure, each in the smallest or usual one. A month has no fixed number of days."""

_SPELLINGS = {
    "second": "seconds?|secs?", "minute": "minutes?|mins?", "hour": "hours?|hrs?", "day": "(?:calendar )?days?",
    "week": "weeks?", "month": "(?:calendar )?months?", "quarter": "quarters?", "year": "years?|yrs?",
    "decade": "decades?", "working day": "(?:working|business|banking|trading|work)[ -]?days?",
    "millimetre": "millimet(?:re|er)s?", "centimetre": "cm|centimet(?:re|er)s?", "metre": "met(?:re|er)s?",
    "kilometre": "kms?|kilomet(?:re|er)s?", "inch": "inch(?:es)?", "foot": "feet|foot", "yard": "yards?",
    "mile": "miles?", "gram": "grams?", "kilogram": "kgs?|kilos?|kilograms?", "tonne": "tonnes?|tons?",
    "ounce": "ounces?|oz", "lb": "lbs?", "square metre": "square met(?:re|er)s?|sq\\.? ?m|m²|m2",
    "square foot": "square (?:feet|foot)|sq\\.? ?ft", "acre": "acres?", "hectare": "hectares?",
    "kilowatt": "kW|kilowatts?", "megawatt": "MW|megawatts?", "gigawatt": "GW|gigawatts?",
    "kilowatt hour": "kWh|kilowatt[ -]hours?", "megawatt hour": "MWh|megawatt[ -]hours?",
    "gigawatt hour": "GWh|gigawatt[ -]hours?", "kilobyte": "kB|kilobytes?", "megabyte": "MB|megabytes?",
    "gigabyte": "GB|gigabytes?", "terabyte": "TB|terabytes?", "litre": "lit(?:re|er)s?", "gallon": "gallons?",
    "barrel": "barrels?",
}  # fmt: skip

_MEASURES = {
    name: Measure(name, dimension, Decimal(factor)) for dimension, units in _UNITS.items() for name, factor in units
}
_NAMES = sorted(_SPELLINGS, key=lambda name: -len(name))
_AFTER = re.compile(
    r"[  -]?(?:consecutive |full |more |additional |further |successive )?(?:"
    + "|".join(f"(?P<{name.replace(' ', '_')}>{_SPELLINGS[name]})" for name in _NAMES)
    + r")(?![\w²])",
    re.IGNORECASE,
)
_YEAR_OF = re.compile(r"\s(?:ended|ending)\b", re.IGNORECASE)


def measure_after(text: str, end: int) -> Measure | None:
    """The unit of measurement that directly follows, if any."""
    match = _AFTER.match(text, end)
    if match is None or match.lastgroup is None or _YEAR_OF.match(text, match.end()):
        return None
    return _MEASURES[match.lastgroup.replace("_", " ")]
