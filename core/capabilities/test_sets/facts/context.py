"""Whether words can be understood without their passage, and the context that the heading adds.

A pronoun or "the fee" has a meaning only with its passage. If the heading names the thing, the query names it too; if
that is not certain, no query is made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hcat.core.capabilities.test_sets.facts.lexicon import lowered, word_set
from hcat.core.capabilities.test_sets.facts.parsing import ParsedSentence, Word

_POINTING = word_set(
    "he she him her his this that these those one ones here there then such so both either neither another other "
    "others same former latter above below further more anything else otherwise however therefore thus also instead "
    "moreover meanwhile respectively following aforementioned foregoing former others rest beyond latest "
    "afterwards later earlier too remaining last next"
)
"""Words that refer to another sentence, unless a noun before or after gives the reference."""
_ALWAYS_POINTING = word_set(
    "he she him her his this these those here such another others former latter anything else otherwise however "
    "therefore thus also instead moreover meanwhile respectively aforementioned foregoing afterwards too yet"
)
_PRONOUNS = frozenset({"it", "they", "them", "its", "their", "itself", "themselves"})
_KNOWN_THINGS = word_set(
    "bank customer holder app company law country market internet police euro board year month day week time world "
    "public government applicant borrower owner website sec court people quarter period date end beginning middle "
    "president chief executive officer staff union economy weekend morning evening hour account name case "
    "fact most register"
)
"""Nouns that take a definite article without an earlier mention."""
_AFTER_HEAD = word_set("of for to from and on in with at by without outside between about when that")
_NAMED_THINGS = word_set("loan account card fund plan policy mortgage deposit agreement package programme")
_MASS = word_set("cash fraud advice insurance access maintenance marketing trouble information proof")
_ABSTRACT = ("tion", "ing", "ence", "theft", "ency", "ness", "cash", "advice", "fraud", "privacy", "safety", "secrecy")
_ACTIVITIES = frozenset({"banking", "lending", "trading", "investing", "reporting", "phishing"})
"""Nouns of people's activities, which take no article."""
_WH = re.compile(
    r"^(?:how|what|when|where|who|which|why|if|whether|after|before|telling)\b|\bat a glance\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"(?:how|what|when|where|who|if)\b", re.IGNORECASE)
_CODE = re.compile(r"^[\w.-]+\s\|\s")
_MOST_TOPIC_WORDS, _FEWEST_CLAUSE_WORDS = 8, 2


@dataclass(frozen=True, slots=True)
class Topic:
    """The thing that a heading names: `phrase` in mid-sentence form; `name` is whether it is a proper name ("Harbour
    Credit").

    `clause` is whether it begins with a question word or "if": "when the fixed rate ends"."""

    phrase: str
    name: bool
    parent: str = ""
    clause: bool = False

    @property
    def words(self) -> frozenset[str]:
        """The lower-case words of the heading and of the one above it, without plural s."""
        return frozenset(map(_singular, re.findall(r"[a-z]+", f"{self.phrase} {self.parent}".lower())))

    @property
    def is_action(self) -> bool:
        """Whether it names an action ("closing an account")."""
        return self.phrase.split()[0].endswith("ing")

    @property
    def is_condition(self) -> bool:
        """Whether it states a condition ("when …", "if …") and names nothing."""
        return self.clause and self.phrase.split()[0].lower() in ("when", "if", "where")

    @property
    def lead(self) -> str:
        """The words that put a query under the heading."""
        if self.clause:
            return (
                f"{self.phrase[0].upper()}{self.phrase[1:]}" if self.is_condition else f"When it comes to {self.phrase}"
            )
        return f"When it comes to {self.phrase}" if self.is_action or self._is_abstract else f"For {self.with_article}"

    @property
    def with_article(self) -> str:
        """The phrase with "the" if it is a singular countable noun that needs an article."""
        words = self.phrase.split()
        head = self._head
        if self.is_action or self.clause:
            return self.phrase
        if words[0].lower() in ("our", "your", "the", "a", "an", "how") or words[0].endswith(("'s", "’s")):
            return self.phrase
        if head[:1].isupper() and not head.isupper() and head.lower() not in _NAMED_THINGS:
            return self.phrase
        single = not head.endswith("s") and head.lower() not in _ACTIVITIES and len(words) > 1 and words[0] not in _MASS
        return f"the {self.phrase}" if single and not self._is_abstract else self.phrase

    @property
    def _head(self) -> str:
        """The noun that the rest of the phrase belongs to."""
        words = self.phrase.split()
        if " and " in self.phrase and not _AFTER_HEAD & set(words):
            return words[-1]
        following = pairwise(words)
        ends = (before for before, after in following if after in _AFTER_HEAD or _is_participle(after))
        return next(ends, words[-1])

    @property
    def _is_abstract(self) -> bool:
        """Whether it names a matter rather than a thing: it takes no article."""
        return not self.name and self._head.endswith(_ABSTRACT) and " of " not in self.phrase


def topic_of(heading: Sequence[str], vocabulary: frozenset[str] = frozenset()) -> Topic | None:
    """The thing that the heading names, or None if it can't be used in a sentence: a question, a long one, or a list.

    `vocabulary` contains the words that the corpus writes in lower case, by which names are recognised."""
    if not heading:
        return None
    title = _CODE.sub("", heading[-1]).strip().rstrip(".:")
    parent = _CODE.sub("", heading[-2]).strip() if len(heading) > 1 else ""
    named, colon, _ = title.partition(": ")
    words = named.split()
    if not words or len(words) > _MOST_TOPIC_WORDS or re.search(r"[?!;,()|/]", named):
        return None
    if _CLAUSE.match(named) and len(words) > _FEWEST_CLAUSE_WORDS and not colon:
        return Topic(lowered(named), name=False, parent=parent, clause=True)
    if _WH.search(named):
        return None
    capitals = sum(word[0].isupper() for word in words)
    if len(words) == 1 and colon and named not in vocabulary and parent.split()[1:] and " and " not in parent:
        return Topic(f"{named} {_singular(parent.split()[-1].lower())}", name=True, parent=parent)
    unseen = len(words) == 1 and named.lower() not in vocabulary
    if colon and (capitals > 1 or unseen) and not words[0].endswith("ing"):
        return Topic(named, name=True, parent=parent)
    if len(words) > 1 and capitals == len([word for word in words if len(word) > 3 or word[0].isupper()]):
        return Topic(named, name=True, parent=parent)
    if len(words) == 1 and named.lower() not in vocabulary and not named.endswith("s"):
        return Topic(named, name=True, parent=parent)
    proper = words[0][1:2].isupper() or (words[1:2] and words[1][0].isupper())
    first = named if proper else named[0].lower() + named[1:]
    return Topic(first, name=False, parent=parent)


def points_elsewhere(sentence: ParsedSentence, positions: Iterable[int], *, subject: tuple[int, int]) -> bool:
    """Whether a word at these positions refers to something outside the sentence.

    "It", "they" and "their" may refer to a full noun phrase before them in the sentence."""
    chosen = set(positions)
    head_is_noun = any(sentence.words[place].tag.startswith("NN") for place in range(*subject))
    for position in sorted(chosen):
        word = sentence.words[position]
        lower = word.text.lower()
        if lower in _PRONOUNS:
            antecedent = (
                head_is_noun
                and word.dep in ("poss", "nsubj", "nsubjpass")
                and position >= subject[1]
                and any(place in chosen for place in range(*subject))
            )
            if not antecedent:
                return True
        elif lower in _ALWAYS_POINTING or (lower in _POINTING and _dangles(sentence, word)):
            return True
    return False


def _dangles(sentence: ParsedSentence, word: Word) -> bool:
    lower = word.text.lower()
    children = sentence.children(word.position)
    following = sentence.words[word.position + 1] if word.position + 1 < len(sentence.words) else word
    if lower == "that":
        return (
            sentence.words[word.head].dep != "relcl"
            and word.dep in ("det", "nsubj", "nsubjpass", "dobj", "pobj")
            and not word.tag.startswith("W")
        )
    if lower == "there":
        return word.dep != "expl"
    if lower == "one":
        return word.tag not in ("CD",) or word.dep in ("pobj", "dobj", "nsubj", "nsubjpass")
    if lower == "same":
        return following.lemma not in ("day", "time")
    if lower == "other":
        articles = {child.text.lower() for child in sentence.children(word.head, "det")}
        return following.tag != "NNS" or bool(articles)
    if lower in ("last", "next", "remaining", "following", "latest"):
        return word.tag == "JJ" and (word.dep != "amod" or lower in ("remaining", "following"))
    if lower in ("above", "below", "beyond"):
        return following.tag not in ("CD", "$", "NN", "NNS", "NNP", "DT", "PRP$", "JJ")
    if lower in ("more", "both", "either", "neither", "rest", "so", "then"):
        return not (lower == "more" and following.text.lower() in ("than", "time"))
    return word.dep in ("advmod", "nsubj", "nsubjpass", "dobj", "pobj") and not children


def unnamed_things(sentence: ParsedSentence, positions: Iterable[int]) -> frozenset[str]:
    """Nouns with "the" that nothing else in the sentence identifies, so that only the heading can."""
    chosen = sorted(positions)
    unnamed: set[str] = set()
    for position in chosen:
        article = sentence.words[position]
        if article.text.lower() != "the" or article.dep != "det":
            continue
        noun = sentence.words[article.head]
        inside = sentence.subtree(noun.position)
        described = any(
            sentence.words[place].dep in ("prep", "relcl", "acl", "compound", "poss", "nummod", "appos")
            for place in inside
            if sentence.words[place].head == noun.position
        )
        proper = noun.tag.startswith("NNP")
        before = any(
            sentence.words[place].lemma == noun.lemma and sentence.words[place].tag.startswith("NN")
            for place in chosen
            if place < position
        )
        if not (described or proper or before or noun.lemma in _KNOWN_THINGS):
            unnamed.add(noun.lemma)
    return frozenset(unnamed)


def resolved_subject(sentence: ParsedSentence, subject: tuple[int, int], topic: Topic | None) -> str | None:
    """The subject with the heading's name in place of "the account" or "this branch"; None if that is not certain.

    The subject must be a bare noun that is a word of the heading or of the one above it."""
    words = sentence.words[subject[0] : subject[1]]
    if (
        topic is None
        or topic.is_action
        or topic.clause
        or " and " in topic.phrase
        or len(words) != 2
        or words[0].text.lower() not in ("the", "this")
    ):
        return None
    noun = words[1].text
    if words[1].tag not in ("NN",) or _singular(noun.lower()) not in topic.words:
        return None
    last = topic.phrase.split()[-1]
    if topic.name:
        if last.lower() == noun.lower():
            return f"the {topic.phrase}" if noun.lower() in _NAMED_THINGS else None
        return f"the {topic.phrase} {noun}"
    if _singular(last.lower()) != noun.lower():
        return None
    bare = " ".join([*topic.phrase.split()[:-1], noun])
    return f"{'an' if bare[0] in 'aeio' else 'a'} {bare}" if last.endswith("s") else f"the {bare}"


def _is_participle(word: str) -> bool:
    return word.endswith("ing") and word.lower() not in _ACTIVITIES


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
