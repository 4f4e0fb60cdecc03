"""Made-up people, places, organisations, addresses, posts and numbers, as one writes them in many countries."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

from training.names import lists

CENSUS = Path(__file__).parent / "census"
"""The most frequent first names and surnames of the US Census of 1990, in the public domain."""
_BEFORE_TOWNS = ("San", "Saint", "Bad", "Santa", "Upper", "Great")
MADE_UP = 0.25
"""The share of names that are made of syllables, so that a head learns what stands around a name too."""


@cache
def first_names() -> tuple[str, ...]:
    return (*lists.FIRST, *lists.FIRST, *(CENSUS / "first_names.txt").read_text(encoding="utf-8").split())


@cache
def surnames() -> tuple[str, ...]:
    written = [name.replace("_", " ") for name in lists.SURNAMES]
    return (*written, *written, *(CENSUS / "surnames.txt").read_text(encoding="utf-8").split())


@cache
def towns() -> tuple[str, ...]:
    """Names of towns: those of the time zones and of the world's area codes."""
    import tzdata
    from phonenumbers.geodata import data0, data10, data20

    regions = (each.data.values() for each in (data0, data10, data20))
    areas = {
        names["en"].partition(",")[0].partition("/")[0].partition(" (")[0]
        for data in regions
        for names in data
        if "en" in names
    }
    zones = (Path(str(tzdata.__file__)).parent / "zones").read_text(encoding="utf-8").split()
    cities = {
        zone.rpartition("/")[2].replace("_", " ") for zone in zones if "/" in zone and not re.search(r"Etc|\d", zone)
    }
    plain = {name for name in areas | cities if re.fullmatch(r"[^\W\d_][\w .'’-]{2,22}", name)}
    return tuple(sorted(plain))


def word(rng: Random) -> str:
    """A word that nobody wrote before."""
    return "".join(rng.choice(lists.SYLLABLES) for _ in range(rng.choice((1, 2, 2, 3))))


def first(rng: Random) -> str:
    if rng.random() < MADE_UP:
        return (word(rng) + rng.choice(("", "a", "o", "i", "e", "n", "el", "in"))).capitalize()
    name = rng.choice(first_names())
    return f"{name}-{rng.choice(first_names())}" if rng.random() < 0.02 else name


def last(rng: Random) -> str:
    draw = rng.random()
    if draw < MADE_UP:
        return (word(rng) + rng.choice(lists.NAME_ENDS)).capitalize()
    name = rng.choice(surnames())
    if draw < MADE_UP + 0.05:
        particle = rng.choice(lists.PARTICLES)
        return f"{particle}{name}" if particle in ("Mc", "O'") else f"{particle} {name}"
    return f"{name}-{rng.choice(surnames())}" if draw < MADE_UP + 0.08 else name


def full(rng: Random) -> str:
    draw = rng.random()
    given, family = first(rng), last(rng)
    if draw < 0.68:
        return f"{given} {family}"
    if draw < 0.76:
        return f"{given} {rng.choice('ABCDEFGHJKLMNPRSTW')}. {family}"
    if draw < 0.82:
        return f"{given} {first(rng)} {family}"
    if draw < 0.87:
        return f"{given} {family} {last(rng)}"
    if draw < 0.92:
        return f"{family}, {given}"
    if draw < 0.96:
        return f"{given[0]}. {family}"
    return f"{family} {given}"


def person(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.55:
        return full(rng)
    if draw < 0.78:
        return first(rng)
    if draw < 0.92:
        return f"{rng.choice(lists.HONORIFICS)} {last(rng) if rng.random() < 0.7 else full(rng)}"
    return last(rng)


def town(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.6:
        return rng.choice(towns())
    if draw < 0.75:
        before = rng.choice(("New", "East", "West", "North", "South", "Port", "Lake", *_BEFORE_TOWNS))
        return f"{before} {_capital(word(rng)) if rng.random() < 0.5 else last(rng)}"
    stem = word(rng) if draw < 0.9 else rng.choice(surnames()).lower()
    return (
        stem + rng.choice((*lists.TOWN_ENDS, "", "a", "o", "e", "ów", "ice", "lla", "ino", "ão", "sk", "ki"))
    ).capitalize()


def country(rng: Random) -> str:
    return rng.choice(lists.COUNTRIES)


def state(rng: Random) -> str:
    long, _, short = rng.choice(lists.STATES).rpartition(" ")
    return long if rng.random() < 0.7 else short


def place(rng: Random) -> str:
    draw = rng.random()
    return town(rng) if draw < 0.55 else country(rng) if draw < 0.88 else state(rng)


def organisation(rng: Random) -> str:
    draw = rng.random()
    legal, sector = rng.choice(lists.LEGAL_FORMS).replace("_", " "), rng.choice(lists.SECTORS)
    names = [last(rng) for _ in range(3)]
    if draw < 0.12:
        return f"{names[0]} {legal}"
    if draw < 0.2:
        return f"{names[0]}{rng.choice(('-', ' and ', ' & ', ', '))}{names[1]}{rng.choice(('', f' {legal}'))}"
    if draw < 0.25:
        return f"{names[0]}, {names[1]} {rng.choice(('and', '&'))} {names[2]}"
    if draw < 0.35:
        return f"{rng.choice((names[0], town(rng)))} {sector}"
    if draw < 0.42:
        body = rng.choice(("Bank", "University", "Ministry", "Museum", "Institute", "City", "Port"))
        return f"{body} of {rng.choice((town(rng), country(rng)))}"
    if draw < 0.58:
        return _brand(rng)
    if draw < 0.7:
        return f"{_brand(rng)} {rng.choice((sector, legal))}"
    if draw < 0.76:
        return "".join(rng.choice("ABCDEFGHIKLMNOPRSTUVW") for _ in range(rng.choice((2, 3, 3, 4))))
    words = " ".join(rng.choice(lists.BRAND_WORDS).capitalize() for _ in range(rng.choice((2, 2, 3))))
    return (
        words if draw < 0.84 else f"{words} {rng.choice((sector, legal))}" if draw < 0.94 else f"The {words} {sector}"
    )


def _brand(rng: Random) -> str:
    """One word, of words or syllables, or in camel case."""
    draw = rng.random()
    two = [rng.choice(lists.BRAND_WORDS) for _ in range(2)]
    if draw < 0.35:
        return (two[0] + two[1]).capitalize()
    if draw < 0.5:
        return two[0].capitalize() + two[1].capitalize()
    if draw < 0.9:
        return (
            word(rng)
            + rng.choice(
                ("", "o", "ly", "ify", "ix", "io", "ex", "us", "tech", "soft", "co", "ware", "data", "za", "la")
            )
        ).capitalize()
    return f"{two[0].capitalize()}{rng.choice(('.com', '.io', '.co', '24', '360', '!'))}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def postcode(rng: Random) -> str:
    pattern = rng.choice(
        (
            "#####",
            "#####",
            "#####",
            "#####-####",
            "####",
            "####",
            "######",
            "@# #@@",
            "@@## #@@",
            "@#@ #@#",
            "#### @@",
            "##-###",
            "####-###",
            "### ##",
            "@-####",
            "@@-#####",
            "#####-###",
        )
    )
    return filled(pattern, rng)


def filled(pattern: str, rng: Random) -> str:
    """The pattern with a digit for each # and a letter for each @."""
    return "".join(
        str(rng.randrange(10)) if sign == "#" else rng.choice("ABCDEFGHJKLMNPRSTUVWXY") if sign == "@" else sign
        for sign in pattern
    )


def house(rng: Random) -> str:
    number = str(
        rng.choice(
            (rng.randrange(1, 100), rng.randrange(1, 300), rng.randrange(300, 9999), rng.randrange(10000, 99999))
        )
    )
    return f"{number}{rng.choice('abcABCD')}" if rng.random() < 0.07 else number


def unit(rng: Random) -> str:
    kind = rng.choice(
        ("Apt.", "Apt", "Suite", "Unit", "Flat", "Room", "Apartment", "Floor", "#", "No.", "Box", "Bldg.")
    )
    return f"{kind} {rng.choice((rng.randrange(1, 40), rng.randrange(100, 999), filled('#@', rng)))}"


def street_name(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.35:
        return rng.choice(lists.STREET_NAMES)
    if draw < 0.45:
        before = rng.choice(("North", "South", "W.", "E.", "Old", "New", "Upper", "St."))
        return f"{before} {rng.choice(lists.STREET_NAMES)}"
    return last(rng) if draw < 0.75 else full(rng).replace(",", "") if draw < 0.82 else town(rng)


def street(rng: Random) -> str:
    draw = rng.random()
    number, name = house(rng), street_name(rng)
    if draw < 0.38:
        return f"{number} {name} {rng.choice(lists.STREET_TYPES)}"
    if draw < 0.58:
        stem = rng.choice((word(rng), rng.choice(lists.STREET_NAMES).lower(), rng.choice(surnames()).lower()))
        return f"{_capital(stem + rng.choice(lists.STREET_SUFFIXES))} {number}"
    if draw < 0.76:
        before = rng.choice(lists.STREET_PREFIXES).replace("_", " ")
        return rng.choice(
            (
                f"{before} {name} {number}",
                f"{number} {before} {name}",
                f"{number}, {before} {name}",
                f"{before} {name}, {number}",
            )
        )
    if draw < 0.86:
        return f"{name} {rng.choice(lists.STREET_ENDS)} {number}{rng.choice(('', '.'))}"
    if draw < 0.95:
        return f"{_capital(word(rng))}{rng.choice(('', '', 'a', 'en', 'ova'))} {number}"
    return rng.choice(
        (
            f"P.O. Box {number}",
            f"PO Box {number}",
            f"Unit {filled('####', rng)} Box {filled('####', rng)}",
            f"{number} {name}",
        )
    )


def address(rng: Random) -> str:
    """A street with its number alone, or with more of the address behind it."""
    parts = [street(rng)]
    draw, code, city = rng.random(), postcode(rng), town(rng)
    if rng.random() < 0.22:
        parts.append(unit(rng))
    if draw > 0.3:
        parts.append(
            rng.choice(
                (f"{code} {city}", f"{city} {code}", f"{city}, {state(rng)} {code}", f"{city}", f"{city}, {code}")
            )
        )
    if draw > 0.72:
        parts.append(country(rng))
    return rng.choice((", ", ", ", ", ", "\n", " ", ",\n")).join(parts)


def post(rng: Random) -> str:
    draw = rng.random()
    if draw < 0.45:
        return rng.choice(lists.JOBS)
    made = f"{rng.choice(lists.FIELDS)} {rng.choice(lists.ROLES)}"
    if draw < 0.6:
        made = f"{rng.choice(lists.GRADES)} {made if rng.random() < 0.5 else rng.choice(lists.ROLES)}"
    if draw > 0.93:
        made = f"{rng.choice(lists.ROLES)}, {rng.choice(lists.FIELDS)}"
    return _capital(made) if rng.random() < 0.35 else made


def nationality(rng: Random) -> str:
    return rng.choice(lists.NATIONALITIES)


def faith(rng: Random) -> str:
    return rng.choice(lists.FAITHS)


def age(rng: Random) -> str:
    return str(rng.randrange(1, 100))


def date(rng: Random) -> str:
    day, month, year = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(1935, 2026)
    name, weekday = calendar.month_name[month], rng.choice(tuple(calendar.day_name))
    return rng.choice(
        (
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
            f"{day:02}/{month:02}/{year}",
            f"{year}-{month:02}-{day:02}",
            f"{day}.{month}.{year}",
            f"{name} {year}",
            str(year),
            weekday,
            f"{name} {day}",
            f"{day} {name}",
            f"{weekday}, {day} {name}",
        )
    )


def number(rng: Random) -> str:
    """Phone numbers, accounts, cards, licences and other identifiers, valid or not."""
    pattern = rng.choice(
        (
            "+## ## #### ####",
            "0### ######",
            "(###) ###-####",
            "###-###-####",
            "###.###.####",
            "### ####",
            "## ## ## ##",
            "### ### ###",
            "0## ### ## ##",
            "####-####",
            "##-##-##-##",
            "+##########",
            "#### #### #### ####",
            "################",
            "###-##-####",
            "@########",
            "@@######",
            "########",
            "##########",
            "@###-####-####",
            "@#######@",
            "###-###-####x###",
            "001-###-###-####",
            "##/##/##/##",
            "@@ ## ## ## @",
            "#########",
        )
    )
    return filled(pattern, rng)


def amount(rng: Random) -> str:
    value = rng.randrange(2, 90_000)
    return rng.choice(
        (f"EUR {value:,}", f"${value:,}.{rng.randrange(10, 99)}", f"£{value}", f"{value} euros", f"{value:,} pounds")
    )


def count(rng: Random) -> str:
    return str(rng.choice((rng.randrange(2, 13), rng.randrange(2, 100), rng.randrange(100, 3000))))


def product(rng: Random) -> str:
    return rng.choice(lists.PRODUCTS)


VALUES: Mapping[str, tuple[str, Callable[[Random], str]]] = {
    "person": ("person", person),
    "full": ("person", full),
    "first": ("person", first),
    "last": ("person", last),
    "place": ("place", place),
    "town": ("place", town),
    "country": ("place", country),
    "state": ("place", state),
    "org": ("organisation", organisation),
    "nat": ("nationality", nationality),
    "faith": ("nationality", faith),
    "address": ("address", address),
    "street": ("address", street),
    "code": ("address", postcode),
    "post": ("post", post),
    "age": ("age", age),
    "date": ("", date),
    "number": ("number", number),
    "amount": ("", amount),
    "count": ("", count),
    "product": ("", product),
}
"""What a slot of a template is filled with, and what that is; nothing to find where the kind is empty."""
