"""Units, scale words, months and numbers written out."""

from __future__ import annotations

from decimal import Decimal

SCALES = {
    "hundred": 2, "thousand": 3, "thousands": 3, "k": 3, "000": 3, "000s": 3, "lakh": 5,
    "tausend": 3, "tsd": 3, "millionen": 6, "milliarde": 9, "milliarden": 9,
    "lakhs": 5, "million": 6, "millions": 6, "m": 6, "mm": 6, "mn": 6, "mln": 6, "mio": 6, "crore": 7, "crores": 7,
    "billion": 9, "billions": 9, "bn": 9, "b": 9, "mrd": 9, "trillion": 12, "trillions": 12, "tn": 12, "t": 12,
}  # fmt: skip
"""Powers of ten."""

CURRENCIES = {
    "$": "USD", "us$": "USD", "usd": "USD", "u.s.$": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR",
    "euro": "EUR", "euros": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds": "GBP", "sterling": "GBP",
    "¥": "JPY", "jpy": "JPY", "yen": "JPY", "chf": "CHF", "francs": "CHF", "cad": "CAD", "c$": "CAD", "aud": "AUD",
    "a$": "AUD", "inr": "INR", "₹": "INR", "cny": "CNY", "rmb": "CNY", "sek": "SEK", "nok": "NOK", "dkk": "DKK",
    "us-dollar": "USD", "us-dollars": "USD", "pfund": "GBP", "franken": "CHF", "ca$": "CAD", "au$": "AUD", "nzd": "NZD",
    "nz$": "NZD", "hkd": "HKD", "hk$": "HKD", "sgd": "SGD", "s$": "SGD", "mxn": "MXN", "mx$": "MXN", "brl": "BRL",
    "r$": "BRL", "zar": "ZAR", "pln": "PLN", "zł": "PLN", "czk": "CZK", "huf": "HUF", "ron": "RON", "try": "TRY",
    "₺": "TRY", "krw": "KRW", "₩": "KRW", "thb": "THB", "aed": "AED", "ils": "ILS", "₪": "ILS",
}  # fmt: skip

_MONTH_NAMES = "january february march april may june july august september october november december"
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES.split(), start=1)}
MONTHS |= {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_GERMAN_MONTHS = "januar februar märz april mai juni juli august september oktober november dezember"
_GERMAN = {name: number for number, name in enumerate(_GERMAN_MONTHS.split(), start=1)}
_GERMAN |= {"jän": 1, "jänner": 1, "mär": 3, "mrz": 3, "okt": 10, "dez": 12}
GERMAN_MONTHS = frozenset(_GERMAN.keys() - MONTHS.keys())
MONTHS |= _GERMAN

_SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SMALL_WORDS = {word: number for number, word in enumerate(_SMALL.split())}
SMALL_WORDS |= {word: 10 * number for number, word in enumerate(_TENS.split(), start=2)}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}

_RANKS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"""
RANKS = {word: number for number, word in enumerate(_RANKS.split(), start=1)} | {"thirtieth": 30}
FRACTIONS = {"half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}
FRACTIONS |= {"eighth": 8, "ninth": 9, "tenth": 10, "twentieth": 20}


def scale(word: str) -> Decimal:
    """The factor of a scale word."""
    return Decimal(1).scaleb(SCALES[word.lower().replace("'", "")])


def written_out(text: str) -> Decimal:
    """The value of number words: "twenty-five", "two hundred and ten"; without scale words from thousand on."""
    total = 0
    for word in text.lower().replace("-", " ").split():
        if word == "hundred":
            total = max(total, 1) * 100
        elif word != "and":
            total += SMALL_WORDS[word]
    return Decimal(total)
