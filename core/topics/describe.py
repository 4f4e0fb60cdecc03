"""Key terms of each topic by class-based TF-IDF (Grootendorst 2022, section 3.3), and titles made from them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from hcat.core.arrays import Ints
from hcat.core.stopwords import STOP_WORDS

_PHRASE_END = re.compile(r"[.,;:!?()\[\]{}\"“”\n|/]+")
_WORD = re.compile(r"[^\W_]+(?:['’\-&][^\W_]+)*")
_FIELD = re.compile(r"^\s*(?:[-*•]\s+)?([^\W\d_]+(?: [^\W\d_]+)?):(?=\s)", re.M)
"""The name of a field at the beginning of a line: the "Area" of "Area: Everyday banking"."""
FIELD_TEXTS = 3
"""The least number of texts in which a field's name begins a line."""
_HAS_LETTER = re.compile(r"[^\W\d_]")

TERMS = 10
TITLE_TERMS = 3

STEM = 5
"""The number of first letters by which words count as the same in a title: "verify, verification"."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a pair of adjacent words, with its c-TF-IDF weight."""

    text: str
    weight: float


def terms_of(text: str) -> list[str]:
    """The words of a text in lower case without stop words and bare numbers, then the pairs of adjacent ones.

    A stop word or a punctuation mark between two words prevents a pair."""
    words: list[str] = []
    pairs: list[str] = []
    for phrase in _PHRASE_END.split(text.lower()):
        previous: str | None = None
        for match in _WORD.finditer(phrase):
            word: str | None = match.group().removesuffix("'s").removesuffix("’s")
            if not word or not _carries_meaning(word):
                word = None
            else:
                words.append(word)
                if previous is not None:
                    pairs.append(f"{previous} {word}")
            previous = word
    return words + pairs


def class_tfidf(documents: Sequence[Sequence[str] | Counter[str]]) -> list[dict[str, float]]:
    """c-TF-IDF weights: one mapping term -> weight for each class, from the terms of all its texts, or their counts.

    W(t, c) = tf(t, c) · ln(1 + A / f(t)), with tf the share of t in the terms of c, f(t) its count over all classes, A
    the mean number of terms per class. Grootendorst 2022, equation 2."""
    counts = [Counter(terms) for terms in documents]
    totals: Counter[str] = Counter()
    for count in counts:
        totals.update(count)
    average = sum(totals.values()) / len(counts) if counts else 0.0
    return [
        {term: (times / count.total()) * log(1 + average / totals[term]) for term, times in count.items()}
        for count in counts
    ]


def key_terms(
    texts: Sequence[str],
    assignment: NDArray[np.int64],
    *,
    count: int,
    terms: int = TERMS,
    most: int | None = None,
) -> list[tuple[Term, ...]]:
    """The heaviest terms of each of `count` clusters, heaviest first; in a tie, pairs before words.

    Words that mostly name fields ("Area: …") are excluded: they do not describe the subject. At `most` so many texts of
    a cluster are read, evenly spaced over all of its texts."""
    if most is not None:
        places = np.concatenate([_spaced(assignment, number, most) for number in range(count)] or [np.zeros(0, int)])
        texts, assignment = [texts[place] for place in places.tolist()], assignment[places]
    documents: list[Counter[str]] = [Counter() for _ in range(count)]
    fields = _field_names(texts)
    for text, number in zip(texts, assignment, strict=True):
        if number >= 0:
            documents[int(number)].update(term for term in terms_of(text) if fields.isdisjoint(term.split()))
    return [_heaviest(weights, terms) for weights in class_tfidf(documents)]


def _spaced(assignment: NDArray[np.int64], number: int, most: int) -> Ints:
    places = np.flatnonzero(assignment == number)
    return places if len(places) <= most else places[np.arange(most) * len(places) // most]


def _field_names(texts: Sequence[str]) -> frozenset[str]:
    """The words that mostly name a field at the beginning of lines, in at least `FIELD_TEXTS` texts."""
    starts: Counter[str] = Counter()
    holders: Counter[str] = Counter()
    for text in texts:
        words = [word for name in _FIELD.findall(text.lower()) for word in name.split()]
        starts.update(words)
        holders.update(set(words))
    repeated = {word for word, n in holders.items() if n >= FIELD_TEXTS}
    if not repeated:
        return frozenset()
    occurring = Counter(word for text in texts for word in _WORD.findall(text.lower()) if word in repeated)
    return frozenset(word for word in repeated if 2 * starts[word] > occurring[word])


def titles(terms: Sequence[Sequence[Term]]) -> list[str]:
    """A title for each topic from its heaviest terms; a topic without terms is named by its number, counted from 1."""
    distinct: list[str] = []
    for number, topic_terms in enumerate(terms, start=1):
        title = ", ".join(_distinct_words(topic_terms)) or f"topic {number}"
        distinct.append(title if title not in distinct else f"{title} ({number})")
    return distinct


def _carries_meaning(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS and _HAS_LETTER.search(word) is not None


def _heaviest(weights: dict[str, float], terms: int) -> tuple[Term, ...]:
    ranked = sorted(weights.items(), key=lambda item: (-item[1], -item[0].count(" "), item[0]))
    return tuple(Term(text, weight) for text, weight in ranked[:terms])


def _distinct_words(terms: Sequence[Term]) -> list[str]:
    """The first three terms that repeat no word: "card arrive, delivery", never "card, card arrive, arriving"."""
    chosen: list[str] = []
    taken: list[str] = []
    for term in terms:
        words = re.split(r"[ \-]", term.text)
        if len(chosen) < TITLE_TERMS and not any(_same_stem(word, other) for word in words for other in taken):
            chosen.append(term.text)
            taken += words
    return chosen


def _same_stem(word: str, other: str) -> bool:
    return word.startswith(other[:STEM]) or other.startswith(word[:STEM])
