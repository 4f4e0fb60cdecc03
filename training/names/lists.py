"""Words that names, places, organisations and addresses are put together from: `words.txt`, written for this project
from general knowledge. A line that is not indented names a list, whose words stand below it."""

from __future__ import annotations

import re
from pathlib import Path

_TEXT = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8")
_WORDS = {
    name: tuple(word.strip() for word in block.replace("\n", " ").split("|") if word.strip())
    for name, block in re.findall(r"^(\w+)\n((?: .*\n)+)", _TEXT, re.MULTILINE)
}

FIRST = _WORDS["FIRST"]
SURNAMES = _WORDS["SURNAMES"]
SYLLABLES = _WORDS["SYLLABLES"]
NAME_ENDS = _WORDS["NAME_ENDS"]
PARTICLES = _WORDS["PARTICLES"]
HONORIFICS = _WORDS["HONORIFICS"]
COUNTRIES = _WORDS["COUNTRIES"]
STATES = _WORDS["STATES"]
NATIONALITIES = _WORDS["NATIONALITIES"]
FAITHS = _WORDS["FAITHS"]
FIELDS = _WORDS["FIELDS"]
ROLES = _WORDS["ROLES"]
JOBS = _WORDS["JOBS"]
GRADES = _WORDS["GRADES"]
LEGAL_FORMS = _WORDS["LEGAL_FORMS"]
SECTORS = _WORDS["SECTORS"]
BRAND_WORDS = _WORDS["BRAND_WORDS"]
STREET_TYPES = _WORDS["STREET_TYPES"]
STREET_SUFFIXES = _WORDS["STREET_SUFFIXES"]
STREET_PREFIXES = _WORDS["STREET_PREFIXES"]
STREET_ENDS = _WORDS["STREET_ENDS"]
STREET_NAMES = _WORDS["STREET_NAMES"]
TOWN_ENDS = _WORDS["TOWN_ENDS"]
PRODUCTS = _WORDS["PRODUCTS"]
