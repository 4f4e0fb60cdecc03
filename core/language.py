"""Detects the language of a text from its script and function words: offline, and undecided for short texts.

Latin-script languages are recognised by frequent function words ("the", "und", "les"). A language outside the table is
reported as unknown, never guessed."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from hcat.core.text import remembered

ENGLISH = "English"
SCRIPTS: Mapping[str, str] = {
    "CJK": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "ARABIC": "Arabic",
    "CYRILLIC": "Russian or another language in Cyrillic script",
    "GREEK": "Greek",
    "HEBREW": "Hebrew",
    "DEVANAGARI": "Hindi or another language in Devanagari script",
    "THAI": "Thai",
}
"""The language of a script, by the first word of its letters' Unicode names."""
FUNCTION_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        ENGLISH: "the of and to is are was were for that this these with by from or not be been it its as at which you "
        "your we our they their will would can could has have had does do did on if there what when how who an in may "
        "must should than then yes per every",
        "German": "der die das und ist sind nicht ein eine einen einem einer eines zu mit von für auf im dem den des "
        "sich werden wird wurde war auch als wie bei oder aber nach aus ich sie wir ihr ihre kann können leider keine "
        "kein dazu nur noch über unter zum zur was wer wann",
        "French": "le la les et est sont une un des du de dans pour que qui ne pas sur avec par au aux ce cette ces il "
        "elle nous vous ils leur son ses sa plus ou mais être été avoir quel quelle comment peut",
        "Spanish": "el la los las y es son un una unos de del en que por con para no se su sus al lo como más pero o "
        "este esta estos puede está ser fue ha han cuál qué cuánto usted",
        "Italian": "il lo la gli le e è sono un una di del della dei delle che non per con in da al alla nel nella si "
        "come più ma o questo questa può essere stato ha hanno qual quale quanto anche",
        "Portuguese": "o a os as e é são um uma de do da dos das em no na que não por com para se ao à mais mas ou "
        "este esta pode ser foi tem têm qual quanto você seu sua também",
        "Dutch": "de het een en is zijn niet van te in op voor met dat die door aan bij als ook maar of om naar uit "
        "wordt worden kan kunnen heeft hebben deze dit wat wie hoe uw u geen",
    }.items()
}
_LANGUAGES_OF: Mapping[str, tuple[str, ...]] = {
    word: tuple(language for language, own in FUNCTION_WORDS.items() if word in own)
    for word in frozenset().union(*FUNCTION_WORDS.values())
}
FEWEST_HITS, LEAST_SHARE = 2, 0.15
"""The least number of function words, and their least share of all words, for a language to be recognised."""
MOST_CHARACTERS = 4_000
"""Only the beginning of longer texts is read."""
_WORD = re.compile(r"[^\W\d_]+")


@remembered(16_384)
def language_of(text: str) -> str | None:
    """The language of a text; None if the text is too short or its language is not in the tables.

    None also if two Latin-script languages have equally many matching words."""
    words = _WORD.findall(text[:MOST_CHARACTERS].casefold())
    if not words:
        return None
    letters = "".join(words)
    script = None if letters.isascii() else script_of_most(letters)
    if script is not None:
        return script
    hits = Counter(language for word in words for language in _LANGUAGES_OF.get(word, ()))
    (language, most), (_, second) = [*hits.most_common(2), ("", 0), ("", 0)][:2]
    if most < FEWEST_HITS or most < LEAST_SHARE * len(words) or most == second:
        return None
    return language


def script_of_most(letters: str) -> str | None:
    """The language of the script of most letters; None for Latin letters. Japanese text may contain Chinese
    characters."""
    counts = Counter(_script_of(letter) for letter in letters)
    if counts["Japanese"] > 0.1 * len(letters):
        return "Japanese"
    name, n = counts.most_common(1)[0]
    return name or None if 2 * n > len(letters) else None


@lru_cache(maxsize=4096)
def _script_of(letter: str) -> str:
    return SCRIPTS.get(unicodedata.name(letter, "").split(" ", 1)[0].split("-", 1)[0], "")
