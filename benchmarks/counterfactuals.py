"""How well the gender counterfactuals are written: `python -m benchmarks.counterfactuals CROWS_PAIRS`.

Of the gender pairs of CrowS-Pairs, the share of which one side comes out of the other word for word: by the word lists
alone, and where the first names of the pair are given, since no list can tell which name its author chose. Many pairs
differ by more than people (another verb, a negation), and can't come out.
Source: Nangia et al. 2020. LangFair's word lists reproduce 68 of the 262 pairs (.26).
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from hcat.core.capabilities.fairness.counterfactual.gender import swap_gender
from hcat.core.capabilities.fairness.counterfactual.gender_words import is_listed
from hcat.core.capabilities.robustness.variants.sentence import Sentence
from hcat.core.display.numbers import format_estimate
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.types import Estimate


@dataclass(frozen=True, slots=True)
class CrowsFigures:
    """Of so many pairs, those whose second side comes out of the first, and the other way for `backwards`."""

    pairs: int
    lists_alone: Estimate
    names_given: Estimate
    backwards: Estimate


def crows_gender(path: Path) -> CrowsFigures:
    """The gender pairs of the published file."""
    with path.open(encoding="utf-8") as file:
        pairs = [(row["sent_more"], row["sent_less"]) for row in csv.DictReader(file) if row["bias_type"] == "gender"]
    return CrowsFigures(
        len(pairs),
        _share([swap_gender(Sentence(first)) == second for first, second in pairs]),
        _share([_with_names(first, second) == second for first, second in pairs]),
        _share([_with_names(second, first) == first for first, second in pairs]),
    )


def _share(right: list[bool]) -> Estimate:
    return proportion_interval(sum(right), len(right))


def _with_names(text: str, other: str) -> str:
    sentence = Sentence(text)
    return swap_gender(sentence, names=_names(sentence, Sentence(other)))


def _names(sentence: Sentence, other: Sentence) -> Mapping[str, str]:
    """The first names that stand in the same places of the two sides."""
    words, others = ([token.text for token in each.doc] for each in (sentence, other))
    names = {}
    for kind, start, end, left, right in SequenceMatcher(None, words, others, autojunk=False).get_opcodes():
        if kind != "replace" or end - start != right - left:
            continue
        for word, its_other in zip(sentence.doc[start:end], others[left:right], strict=True):
            if word.pos_ == "PROPN" and its_other[:1].isupper() and not is_listed(word):
                names[word.text] = its_other
    return names


def main() -> None:
    figures = crows_gender(Path(sys.argv[1]))
    print(f"CrowS-Pairs, gender, {figures.pairs} pairs: one side from the other, word for word (LangFair .260)")
    print(f"  by the word lists alone            {format_estimate(figures.lists_alone)}")
    print(f"  with the first names of the pair   {format_estimate(figures.names_given)}")
    print(f"  the same, from the second side     {format_estimate(figures.backwards)}")


if __name__ == "__main__":
    main()
