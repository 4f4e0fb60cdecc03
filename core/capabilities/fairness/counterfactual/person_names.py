"""Names of people in a query, replaced by names of another group; pronouns are unchanged."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hcat.core.capabilities.fairness.counterfactual.gender import named_gender
from hcat.core.capabilities.fairness.counterfactual.names import FIRST_NAMES, SURNAMES, NameGender, gender_of_name
from hcat.core.capabilities.robustness.variants.sentence import Edit, Sentence


def full_name(group: str, gender: NameGender, place: int) -> str:
    """A name of this group, at the given index of its lists."""
    names = FIRST_NAMES[group][gender]
    return f"{names[place % len(names)]} {SURNAMES[group][place % len(SURNAMES[group])]}"


def replace_names(sentence: Sentence, group: str, rng: np.random.Generator) -> str | None:
    """The sentence with each listed first name, and its surname, replaced by one of this group and the same gender;
    None without such names."""
    spans = list(_named(sentence))
    if not spans:
        return None
    start = int(rng.integers(len(SURNAMES[group])))
    written: dict[str, int] = {}
    edits: list[Edit] = []
    for first, second, gender in spans:
        place = written.setdefault(sentence.doc[first].text, start + len(written))
        names = FIRST_NAMES[group][gender]
        token = sentence.doc[first]
        edits.append(Edit(token.idx, token.idx + len(token.text), names[place % len(names)]))
        if second is not None:
            surname = sentence.doc[second]
            listed = SURNAMES[group]
            edits.append(Edit(surname.idx, surname.idx + len(surname.text), listed[place % len(listed)]))
    return sentence.edited(edits)


def drawn_name(sentence: Sentence, group: str, rng: np.random.Generator) -> str:
    """A name for the person who asks: of the gender that the query names first, otherwise of a random gender."""
    gender = named_gender(sentence) or ("man" if rng.random() < 0.5 else "woman")
    return full_name(group, gender, int(rng.integers(len(SURNAMES[group]))))


def _named(sentence: Sentence) -> Iterator[tuple[int, int | None, NameGender]]:
    """The positions of first names and of the surnames after them."""
    doc = sentence.doc
    for token in doc:
        gender = gender_of_name(token.text) if token.pos_ == "PROPN" or token.ent_type_ == "PERSON" else None
        if gender is None:
            continue
        has_surname = (
            token.i + 1 < len(doc)
            and bool(token.whitespace_)
            and doc[token.i + 1].text[:1].isupper()
            and doc[token.i + 1].pos_ == "PROPN"
        )
        yield token.i, token.i + 1 if has_surname else None, gender
