"""The texts that the toxicity head learns from, and those that are kept to choose by: public data and rules.

A text is hateful or not, unprofessional or not, or nobody says so (-1). Rules and groups that are kept to choose by are
never learnt from, and neither is a text whose words occur in HateCheck, which is for testing only.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from hcat.core.capabilities.demo.bank import read_handbook
from hcat.core.capabilities.demo.reference_rag import split_sentences
from hcat.core.records.hashing import sha256_of_text
from training.toxicity import templates, tone
from training.toxicity.words import EXCLAMATIONS, SLURS, SWEAR_ADJECTIVES, words_of

Rng = np.random.Generator
UNKNOWN = -1


@dataclass(frozen=True)
class Text:
    text: str
    hateful: int
    source: str
    unprofessional: int = UNKNOWN
    kept: bool = False
    """Kept to choose by."""


def all_texts(data: Path, rng: Rng) -> list[Text]:
    """Everything, in a random order, without what stands in HateCheck."""
    public = [*_emoji(data), *_tweets(data, rng), *_forum(data, rng), *_customers(data, rng)]
    words = [text.text for text in public]
    made = [*_rules(words, rng), *_quotations(public, rng), *_tone(words, rng)]
    texts = [*public, *made]
    texts += _among_others(texts, rng) + _misspelt(texts, rng)
    tested = {plain(row["test_case"]) for row in _rows(data / "safety/hatecheck_cases.csv")}
    texts = [text for text in texts if text.text.strip() and plain(text.text) not in tested]
    return [texts[place] for place in rng.permutation(len(texts))]


def plain(text: str) -> str:
    """The letters and digits of a text in lower case."""
    return "".join(re.findall(r"[a-z0-9]+", text.lower()))


def _keep(name: str, of: int = 10) -> bool:
    """Whether what has this name is kept to choose by: one in `of`."""
    return int(sha256_of_text(name)[:8], 16) % of == 0


def _rows(path: Path) -> list[dict[str, str]]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _emoji(data: Path) -> list[Text]:
    rows = _rows(data / "safety/hatemoji_train.csv.gz")
    pair = [min(row["entry_id"], row["matched_id"] or row["entry_id"]) for row in rows]
    return [
        Text(row["text"], int(row["label_gold"]), "hatemoji", kept=_keep(f"hatemoji {name}"))
        for row, name in zip(rows, pair, strict=True)
    ]


def _tweets(data: Path, rng: Rng) -> list[Text]:
    """Hateful tweets and those that are neither; the merely offensive ones only teach what is unprofessional."""
    texts = []
    for row in _rows(data / "safety/davidson_tweets.csv.gz"):
        offensive = row["class"] == "1"
        if rng.random() > {"0": 1.0, "1": 0.06, "2": 0.5}[row["class"]]:
            continue
        hateful = UNKNOWN if offensive else int(row["class"] == "0")
        written = _tweet(row["tweet"])
        rude = UNKNOWN if row["class"] == "2" else 1
        texts.append(Text(written, hateful, "tweets", rude, _keep(f"tweet {written}")))
    return texts


def _tweet(text: str) -> str:
    text = re.sub(r"&amp;", "&", re.sub(r"&#\d+;", " ", text))
    text = re.sub(r"https?://\S+|\bRT\b|@\w+:?", " ", text)
    return " ".join(text.strip("! \"'").split())


def _forum(data: Path, rng: Rng) -> list[Text]:
    texts = []
    for row in _rows(data / "safety/forum_sentences.csv.gz"):
        hateful = {"hate": 1, "noHate": 0}.get(row["label"])
        if hateful is None or (not hateful and rng.random() > 0.22):
            continue
        texts.append(Text(row["text"], hateful, "forum", kept=_keep(f"forum {row['id'].partition('_')[0]}")))
    return texts


def _customers(data: Path, rng: Rng) -> list[Text]:
    """Questions of a bank's customers: no hate in them."""
    rows = _rows(data / "topics/banking77_train.csv")
    chosen = rng.choice(len(rows), size=600, replace=False)
    column = "text" if "text" in rows[0] else next(iter(rows[0]))
    return [Text(rows[i][column], 0, "customers", kept=_keep(rows[i][column])) for i in chosen]


def _rules(public: Sequence[str], rng: Rng) -> list[Text]:
    slurs, swears = words_of(public, SLURS), words_of(public, SWEAR_ADJECTIVES)
    alone = words_of(public, EXCLAMATIONS)
    people = {
        "hate": (templates.HATE, 1, 22),
        "kind": (templates.KIND, 0, 16),
        "neutral": (templates.NEUTRAL, 0, 16),
        "denied": (templates.NOT_HATE, 0, 22),
        "answered": (templates.AGAINST_HATE, 0, 22),
    }
    texts = []
    for name, (rules, hateful, times) in people.items():
        for rule in rules:
            texts += _filled(rule, templates.GROUPS, hateful, f"rule: {name}", times, rng)
    for name, targets, times in (("others", templates.OTHERS, 5), ("things", templates.THINGS, 2)):
        for rule in templates.HATE:
            texts += _filled(rule, targets, 0, f"rule: {name}", times, rng)
    for rules, hateful, name in (
        (templates.SLUR_HATE, 1, "slur"),
        (templates.SLUR_NO_HATE, 0, "slur, no hate"),
    ):
        texts += [
            Text(_worded(rule, w), hateful, f"rule: {name}", kept=_keep(rule, 8) or _keep(w, 8))
            for rule in rules
            for w in rng.choice(slurs, size=20, replace=False)
        ]
    for rule in templates.SWEARING:
        for _ in range(12):
            said = _sworn(rule, swears, alone, rng)
            texts.append(Text(said, 0, "rule: swearing", 1, _keep(rule, 8)))
    for rule in templates.PERSON:
        for _ in range(8):
            said = _sworn(rule, swears, alone, rng)
            texts.append(Text(said, 0, "rule: person", 1, _keep(rule, 8)))
    for text in [text for text in texts if text.source == "rule: hate" and rng.random() < 0.12]:
        word = str(rng.choice(swears))
        texts.append(replace(text, text=_with_swearing(text.text, word), source="rule: hate, swearing"))
    return texts


def _filled(
    rule: str, targets: Sequence[tuple[str, ...]], hateful: int, source: str, times: int, rng: Rng
) -> list[Text]:
    chosen = rng.choice(len(targets), size=min(times, len(targets)), replace=False)
    texts = []
    for place in chosen:
        many, one = targets[place]
        said = rule.format(g=many, s=one, n=one.partition(" ")[2])
        said = said[0].upper() + said[1:]
        if rng.random() < 0.2:
            said = said.lower() if rng.random() < 0.5 else said.rstrip(".")
        texts.append(Text(said, hateful, source, kept=_keep(rule, 8) or _keep(many, 8)))
    return texts


def _worded(rule: str, word: str) -> str:
    a = "an" if word[0] in "aeiou" else "a"
    return rule.format(w=word, W=word.capitalize(), a=a)


def _sworn(rule: str, swears: Sequence[str], alone: Sequence[str], rng: Rng) -> str:
    word, cry = str(rng.choice(swears)), str(rng.choice(alone))
    return rule.format(p=word, e=cry, E=cry.capitalize())


def _with_swearing(text: str, word: str) -> str:
    words = text.split()
    place = next((i for i, w in enumerate(words) if w.lower() in {"are", "is", "these", "such", "so"}), 0)
    return " ".join([*words[: place + 1], word, *words[place + 1 :]])


def _quotations(public: Sequence[Text], rng: Rng) -> list[Text]:
    """Hate, written by people or by rule, quoted by those who reject it and by those who share it."""
    hate = [t for t in public if t.hateful == 1 and 15 < len(t.text) < 140 and '"' not in t.text]
    ruled = [t for t in _rules([p.text for p in public], rng) if t.hateful == 1]
    texts = []
    for rules, hateful, size in ((templates.QUOTED_AGAINST, 0, 2200), (templates.QUOTED_FOR, 1, 800)):
        name = "rule: quoted, rejected" if hateful == 0 else "rule: quoted, shared"
        for _ in range(size):
            pool = ruled if rng.random() < 0.6 else hate
            text = pool[rng.integers(len(pool))]
            rule = rules[rng.integers(len(rules))]
            said = rule.format(q=text.text.rstrip(".") if rng.random() < 0.7 else text.text)
            texts.append(Text(said, hateful, name, kept=text.kept or _keep(rule, 8)))
    return texts


def _tone(public: Sequence[str], rng: Rng) -> list[Text]:
    swears = words_of(public, SWEAR_ADJECTIVES)
    texts = []
    for rules, rude, times in ((tone.UNPROFESSIONAL, 1, 10), (tone.PROFESSIONAL, 0, 10)):
        name = "rule: unprofessional" if rude else "rule: professional"
        for rule in rules:
            for topic in rng.choice(tone.TOPICS, size=times, replace=False):
                said = rule.format(t=topic, p=str(rng.choice(swears)))
                texts.append(Text(said[0].upper() + said[1:], 0, name, rude, _keep(rule, 6)))
    for passage in read_handbook():
        kept = _keep(passage.id)
        texts += [Text(sentence, 0, "handbook", 0, kept) for sentence in split_sentences(passage.text)]
    return texts


def _among_others(texts: Sequence[Text], rng: Rng) -> list[Text]:
    """Some of the texts before or after an ordinary sentence of a bank: what they are does not change."""
    ordinary = [t for t in texts if t.source == "handbook"]
    chosen = [t for t in texts if t.source not in ("handbook", "customers") and rng.random() < 0.08]
    made = []
    for text in chosen:
        other = ordinary[rng.integers(len(ordinary))]
        pieces = [text.text, other.text] if rng.random() < 0.5 else [other.text, text.text]
        made.append(replace(text, text=" ".join(pieces), source=f"{text.source}, among others"))
    return made


def _misspelt(texts: Sequence[Text], rng: Rng) -> list[Text]:
    """Some of the texts with a word disguised: letters swapped or left out, digits for letters, spaces moved."""
    ways: tuple[Callable[[str, Rng], str], ...] = (_swapped, _shortened, _in_digits, _spaced)
    made = []
    for text in texts:
        share = {1: 0.28, 0: 0.10}.get(text.hateful, 0.0)
        if rng.random() > share:
            continue
        words = text.text.split()
        long = [i for i, word in enumerate(words) if len(word) > 3 and word.strip(".,!?").isalpha()]
        if not long:
            continue
        way = ways[rng.integers(len(ways))]
        for i in rng.choice(long, size=min(len(long), int(rng.integers(1, 3))), replace=False):
            words[i] = way(words[i], rng)
        said = " ".join(words)
        if rng.random() < 0.2 and len(words) > 2:
            i = int(rng.integers(len(words) - 1))
            said = " ".join([*words[:i], words[i] + words[i + 1], *words[i + 2 :]])
        made.append(replace(text, text=said, source=f"{text.source.partition(',')[0]}, misspelt"))
    return made


def _swapped(word: str, rng: Rng) -> str:
    i = int(rng.integers(1, len(word) - 2))
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


def _shortened(word: str, rng: Rng) -> str:
    i = int(rng.integers(1, len(word) - 1))
    return word[:i] + word[i + 1 :]


def _in_digits(word: str, rng: Rng) -> str:  # noqa: ARG001 - as the others
    return word.translate(str.maketrans("aeiost", "43105+" if len(word) % 2 else "@31057"))


def _spaced(word: str, rng: Rng) -> str:
    if rng.random() < 0.6:
        return " ".join(word)
    i = int(rng.integers(1, len(word) - 1))
    return f"{word[:i]} {word[i:]}"
