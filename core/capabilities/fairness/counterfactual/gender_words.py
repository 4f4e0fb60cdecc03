"""Words for men and for women, and the form of a pronoun in its position.

The parser distinguishes pronouns: "her" becomes "his" before a possession and "him" elsewhere, "his" becomes "her"
before a possession and "hers" elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hcat.core.capabilities.fairness.counterfactual.names import NameGender, gender_of_name, other_gender_name

if TYPE_CHECKING:
    from spacy.tokens import Token

_PAIRS = """man woman;men women;boy girl;boys girls;father mother;fathers mothers;dad mom;dads moms;daddy mommy;
grandfather grandmother;grandfathers grandmothers;grandpa grandma;son daughter;sons daughters;stepson stepdaughter;
grandson granddaughter;grandsons granddaughters;brother sister;brothers sisters;uncle aunt;uncles aunts;nephew niece;
nephews nieces;husband wife;husbands wives;boyfriend girlfriend;boyfriends girlfriends;groom bride;widower widow;
widowers widows;king queen;prince princess;gentleman lady;gentlemen ladies;actor actress;actors actresses;
waiter waitress;waiters waitresses;heir heiress;heirs heiresses;steward stewardess;male female;males females;
masculine feminine;masculinity femininity;manly womanly;godfather godmother;stepfather stepmother;father-in-law
mother-in-law;son-in-law daughter-in-law;brother-in-law sister-in-law;businessman businesswoman;businessmen
businesswomen;salesman saleswoman;salesmen saleswomen;policeman policewoman;policemen policewomen;chairman chairwoman;
spokesman spokeswoman;congressman congresswoman;sportsman sportswoman;sportsmen sportswomen;he she;himself herself;
sir madam;fatherhood motherhood;brotherhood sisterhood;manhood womanhood;boyhood girlhood;cowboy cowgirl;
schoolboy schoolgirl;schoolboys schoolgirls"""
_MEN_TO_WOMEN: dict[str, str] = {}
_WOMEN_TO_MEN: dict[str, str] = {}
for _pair in " ".join(_PAIRS.split()).split(";"):
    _man, _woman = _pair.split()
    _MEN_TO_WOMEN[_man] = _woman
    _WOMEN_TO_MEN[_woman] = _man
_MEN_TO_WOMEN |= {"mr": "Ms", "mr.": "Ms."}
_WOMEN_TO_MEN |= {"mrs": "Mr", "mrs.": "Mr.", "ms": "Mr", "ms.": "Mr.", "miss": "Mr", "mum": "dad", "mums": "dads",
                  "mummy": "daddy", "granny": "grandad", "ma'am": "sir", "gran": "grandad"}  # fmt: skip
_TITLES = frozenset(["mr", "mr.", "mrs", "mrs.", "ms", "ms.", "miss"])
_PRONOUNS = frozenset(["he", "she", "him", "her", "his", "hers", "himself", "herself"])
_OPENING = frozenset(['"', "“", "'", "("])
_OTHER_OWNERS = frozenset(["my", "your", "our", "their", "its"])
_NEVER_OWNED_WORDS = """the a an this that these those it nothing something anything everything alone too also now
yesterday today tomorrow but what why how when where whether if eur usd gbp € $ £"""
_NEVER_OWNED = frozenset(_NEVER_OWNED_WORDS.split())
"""Words that may follow "her" and "his" without being a possession."""


def gender_of(token: Token) -> NameGender | None:
    """The gender of a word; None for one without gender, or within another name ("Women's World Bank")."""
    lower = token.lower_.replace("’", "'")
    if lower in _PRONOUNS:
        return "man" if lower.startswith("hi") or lower == "he" else "woman"
    if lower == "miss" and (token.i + 1 >= len(token.doc) or not token.nbor(1).text[:1].isupper()):
        return None
    if lower in _TITLES and token.text[:1].isupper():
        return "man" if lower in _MEN_TO_WOMEN else "woman"
    if lower in _MEN_TO_WOMEN or lower in _WOMEN_TO_MEN:
        if _is_in_a_name(token) or token.pos_ == "VERB":
            return None
        return "man" if lower in _MEN_TO_WOMEN else "woman"
    return gender_of_name(token.text) if _may_be_first_name(token) else None


def is_listed(token: Token) -> bool:
    """Whether it is a pronoun, a noun or a title of the lists, and thus no name."""
    return token.lower_ in _PRONOUNS or token.lower_ in _MEN_TO_WOMEN or token.lower_ in _WOMEN_TO_MEN


def counterpart(token: Token) -> str | None:
    """The word for the other gender in its position, with the same capitalisation."""
    lower = token.lower_.replace("’", "'")
    other = _pronoun(token, lower) or _MEN_TO_WOMEN.get(lower) or _WOMEN_TO_MEN.get(lower)
    if other is None:
        return other_gender_name(token.text)
    if token.text.isupper() and len(token.text) > 1:
        return other.upper()
    return other[:1].upper() + other[1:] if token.text[:1].isupper() else other


def _pronoun(token: Token, lower: str) -> str | None:
    if lower == "him":
        return "her"
    if lower == "hers":
        return "his"
    if lower == "his":
        return "her" if _owns(token) else "hers"
    if lower == "her":
        return "his" if _owns(token) else "him"
    return None


def _owns(token: Token) -> bool:
    """Whether a possession follows: "her old card", but not "ask her now", "owe her interest", "the choice is his"."""
    if token.i + 1 >= len(token.doc) or (token.nbor(1).is_punct and token.nbor(1).text not in _OPENING):
        return False
    following = token.nbor(1).lower_
    if following in {"and", "or"} and token.i + 2 < len(token.doc):
        return token.nbor(2).lower_ in _OTHER_OWNERS
    if following in _NEVER_OWNED or (token.i > 0 and token.nbor(-1).lemma_ == "owe"):
        return False
    return bool(token.dep_ == "poss" and token.head.i > token.i)


def _is_in_a_name(token: Token) -> bool:
    """Whether it is capitalised within a sentence that is not all capitals."""
    if not token.text[:1].isupper() or token.is_sent_start or token.i == 0:
        return False
    return not token.text.isupper() and token.nbor(-1).text not in {'"', "“", ":", "'", "‘", "-", "–", "("}


def _may_be_first_name(token: Token) -> bool:
    return token.text[:1].isupper() and token.pos_ in {"PROPN", "NOUN", "ADJ", "X", "INTJ", "VERB", "ADV"}
