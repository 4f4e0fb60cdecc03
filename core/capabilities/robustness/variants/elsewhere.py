"""Questions that the documents don't answer: another domain, an unknown name, nonsense, and an ambiguous word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin, how_many
from hcat.core.capabilities.robustness.variants.sentence import Edit, lexicon

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_OTHER_FIELDS = (
    "How long should a soft-boiled egg cook?",
    "Which vitamin prevents scurvy?",
    "How many players are on the ice for one ice hockey team?",
    "At what temperature does copper melt?",
    "Who composed the opera Rusalka?",
    "How deep should tulip bulbs be planted?",
    "What is the gestation period of a red deer?",
    "Which knot is best for tying two ropes of different thickness together?",
    "How far is Neptune from the sun on average?",
    "What is the difference between a viola and a violin?",
    "How often should a sourdough starter be fed?",
    "Which muscle flexes the knee?",
    "What was the outcome of the Battle of Lepanto?",
    "How do I remove red wine from a wool carpet?",
    "Which gases make up the atmosphere of Titan?",
    "How many moves does the shortest possible checkmate take?",
    "What does a seismograph record?",
    "How long do swifts stay in the air without landing?",
    "Which dose of paracetamol is safe for a toddler?",
    "How is felt made from wool?",
    "When does the hunting season for pheasants begin?",
    "What is the boiling point of ethanol at the height of Everest?",
    "How do I tune a ukulele?",
    "Which tree has the hardest wood in Europe?",
    "What do hedgehogs eat in autumn?",
    "How many chromosomes does a potato have?",
    "What is the meaning of a yellow flag in a sailing race?",
    "How do glaciers form moraines?",
    "Which spices belong in garam masala?",
    "Who holds the women's record in the pole vault?",
)
_NAMES = frozenset({"ORG", "PRODUCT", "PERSON", "GPE", "FAC", "WORK_OF_ART", "LOC"})
_CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV", "PROPN"})
_QUESTION_WORDS = frozenset({"WDT", "WP", "WP$", "WRB"})
_ASKED_ABOUT = frozenset({"nsubj", "nsubjpass", "dobj", "pobj"})
_ONSETS = (
    "br",
    "d",
    "dr",
    "f",
    "gl",
    "h",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "z",
)
_VOWELS = ("a", "e", "i", "o", "u", "ea", "ou")
_CODAS = ("", "b", "ck", "l", "m", "n", "nd", "p", "rt", "s", "t", "x")


def other_domain(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Ask about another domain."""
    corpus = {passage.text.lower() for passage in origin.corpus}
    fields = [query for query in _OTHER_FIELDS if not any(query.lower() in text for text in corpus)]
    return Change(fields[int(rng.integers(len(fields)))]) if fields else None


def outside_corpus(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Ask the same about something whose name is in no document."""
    names = [token for token in origin.query.doc if _begins_name(token)]
    if not names:
        return None
    chosen = rng.permutation(len(names))[: how_many(strength, len(names))]
    invented: dict[str, str] = {}
    edits = []
    for position in chosen:
        token = names[int(position)]
        new = invented.setdefault(token.text, _invented_name(origin, rng))
        edits.append(Edit(token.idx, token.idx + len(token.text), new))
    names_now = ", ".join(sorted(invented.values()))
    return Change(origin.query.edited(edits), metadata={"invented_name": names_now})


def nonsense(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:
    """Replace content words by pseudo-words."""
    words = [token for token in origin.query.doc if token.pos_ in _CONTENT and token.is_alpha]
    if not words:
        return None
    chosen = rng.permutation(len(words))[: how_many(0.5 + strength / 2, len(words))]
    edits = []
    for position in chosen:
        token = words[int(position)]
        made_up = _pseudo_word(len(token.text), rng)
        written = made_up.capitalize() if token.text[0].isupper() else made_up
        edits.append(Edit(token.idx, token.idx + len(token.text), written))
    return Change(origin.query.edited(edits))


def ambiguous(origin: Origin, strength: float, rng: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Replace the subject of a question by a pronoun: a named thing, or the only thing mentioned."""
    sentence = origin.query
    if len(list(sentence.doc.sents)) != 1 or "," in sentence.text or not sentence.text.endswith("?"):
        return None  # another part may say what the pronoun is
    phrases = [phrase for token in sentence.doc if (phrase := _phrase_of(token)) is not None]
    named = [phrase for phrase in phrases if any(token.pos_ == "PROPN" for token in phrase)]
    if not phrases:
        return None
    phrase = (named or phrases)[-1]
    apart = [other for other in named or phrases if other.end <= phrase.start or phrase.end <= other.start]
    if apart or any(character.isdigit() for character in sentence.text.replace(phrase.text, "")):
        return None  # what is left would still say it
    plural = "they" if phrase.root.dep_.startswith("nsubj") else "them"
    pronoun = plural if phrase.root.tag_ in {"NNS", "NNPS"} else "it"
    if phrase.start == 0:
        pronoun = pronoun.capitalize()
    query = sentence.edited([Edit(phrase.start_char, phrase.end_char, pronoun)])
    return Change(query, metadata={"left_out": phrase.text})


def _phrase_of(token: Token) -> Span | None:
    """The whole phrase of a noun that is asked about, such as "the fee of the Classic account". None if it contains the
    question word or a clause, is in a subordinate clause, or is a date or an amount."""
    if token.dep_ not in _ASKED_ABOUT or token.pos_ not in {"NOUN", "PROPN"}:
        return None
    phrase = token.doc[token.left_edge.i : token.right_edge.i + 1]
    asks = any(part.tag_ in _QUESTION_WORDS or part.pos_ in {"VERB", "AUX"} or part.dep_ == "conj" for part in phrase)
    beside = any(part.dep_ in {"advcl", "ccomp", "conj"} and part.pos_ == "VERB" for part in token.ancestors)
    return None if asks or beside or token.ent_type_ in {"DATE", "TIME", "MONEY", "PERCENT"} else phrase


def _begins_name(token: Token) -> bool:
    """Whether it is the first word of a name with one capital, as "Classic" in "the Classic account"."""
    if not (token.text[:1].isupper() and token.text[1:].islower() and token.is_alpha and len(token.text) > 2):
        return False
    previous = token.nbor(-1) if token.i else None
    if previous is not None and previous.text[:1].isupper() and previous.tag_ in {"NNP", "NNPS"}:
        return False
    if token.ent_type_ and token.ent_type_ not in _NAMES:
        return False
    begins = token.is_sent_start or token.i == 0
    return token.ent_type_ in _NAMES if begins else token.tag_ in {"NNP", "NNPS", "JJ", "NN"}


def _invented_name(origin: Origin, rng: np.random.Generator) -> str:
    while True:
        name = _pseudo_word(int(rng.integers(6, 9)), rng).capitalize()
        if not any(name in passage.text for passage in origin.corpus):
            return name


def _pseudo_word(letters: int, rng: np.random.Generator) -> str:
    """A pronounceable word without meaning."""
    while True:
        word = ""
        while len(word) < max(letters, 3):
            word += str(rng.choice(_ONSETS)) + str(rng.choice(_VOWELS)) + str(rng.choice(_CODAS))
        word = word[: max(letters, 3) + 1]
        if word not in lexicon():
            return word


OTHER_DOMAIN = Family(
    name="other domain",
    title="Another field",
    kind="out of distribution",
    expectation="refuse",
    strength="not graded",
    needs="a query",
    description="A question about cooking, sport, nature or music, which the documents do not answer.",
    make=other_domain,
    is_graded=False,
)
OUTSIDE_CORPUS = Family(
    name="outside the corpus",
    title="Outside the corpus",
    kind="out of distribution",
    expectation="refuse",
    strength="share of the names that are replaced by invented ones, at least one",
    needs="a name in the query",
    description="The same question about a product, place or company that doesn't exist.",
    make=outside_corpus,
)
NONSENSE = Family(
    name="nonsense",
    title="Nonsense",
    kind="out of distribution",
    expectation="refuse",
    strength="share of the meaningful words that are replaced by made-up ones: half of them at 0, all at 1",
    needs="a noun, verb, adjective or adverb",
    description="The shape of the question with words that don't exist.",
    make=nonsense,
)
AMBIGUOUS = Family(
    name="ambiguous",
    title="Ambiguous",
    kind="out of distribution",
    expectation="refuse",
    strength="not graded",
    needs="a single question about one thing, or about one that bears a name",
    description="The question with “it” or “them” in place of what it asks about: only asking back is right.",
    make=ambiguous,
    is_graded=False,
)
