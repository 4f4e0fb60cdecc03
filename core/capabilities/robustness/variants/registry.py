"""All families of variants: those for robustness, and the counterfactual ones, several per attribute."""

from __future__ import annotations

from collections.abc import Iterable

from hcat.core.capabilities.fairness.counterfactual.families import ATTRIBUTES, COUNTERFACTUALS
from hcat.core.capabilities.robustness.variants.by_model.families import MODEL_PARAPHRASE, MODEL_TRANSLATION
from hcat.core.capabilities.robustness.variants.case_punctuation import CASE
from hcat.core.capabilities.robustness.variants.colloquial import COLLOQUIAL
from hcat.core.capabilities.robustness.variants.contexts import CONTRADICTING, IRRELEVANT, POISONED, UPDATED
from hcat.core.capabilities.robustness.variants.elsewhere import AMBIGUOUS, NONSENSE, OTHER_DOMAIN, OUTSIDE_CORPUS
from hcat.core.capabilities.robustness.variants.family import Family
from hcat.core.capabilities.robustness.variants.filler import FILLER
from hcat.core.capabilities.robustness.variants.injection import INJECTION_IN_PASSAGE, INJECTION_IN_QUERY
from hcat.core.capabilities.robustness.variants.learners import GRAMMAR
from hcat.core.capabilities.robustness.variants.misleading import MISLEADING
from hcat.core.capabilities.robustness.variants.opposite import OPPOSITE
from hcat.core.capabilities.robustness.variants.other_language import OTHER_LANGUAGE
from hcat.core.capabilities.robustness.variants.paraphrase import PARAPHRASE
from hcat.core.capabilities.robustness.variants.register import REGISTER
from hcat.core.capabilities.robustness.variants.spelling import SPELLING
from hcat.core.capabilities.robustness.variants.word_order import WORD_ORDER
from hcat.core.errors import HcatError

ROBUSTNESS: dict[str, Family] = {
    family.name: family
    for family in (
        SPELLING,
        GRAMMAR,
        COLLOQUIAL,
        CASE,
        PARAPHRASE,
        WORD_ORDER,
        FILLER,
        REGISTER,
        MISLEADING,
        CONTRADICTING,
        IRRELEVANT,
        POISONED,
        UPDATED,
        INJECTION_IN_QUERY,
        INJECTION_IN_PASSAGE,
        OPPOSITE,
        OTHER_DOMAIN,
        OTHER_LANGUAGE,
        OUTSIDE_CORPUS,
        NONSENSE,
        AMBIGUOUS,
    )
}
"""Families for robustness tests: each by itself, against the origin."""

BY_MODEL: dict[str, Family] = {family.name: family for family in (MODEL_PARAPHRASE, MODEL_TRANSLATION)}
"""Families that a language model writes, if there is one."""

FAMILIES: dict[str, Family] = {**ROBUSTNESS, **COUNTERFACTUALS, **BY_MODEL}

CHOICES: dict[str, tuple[Family, ...]] = {
    **{name: (family,) for name, family in ROBUSTNESS.items()},
    **{name: tuple(family for family in COUNTERFACTUALS.values() if family.draws_as == name) for name in ATTRIBUTES},
}
"""Choices for users: a family, or an attribute with the families of all its groups, which are informative only
together."""


def chosen_families(names: Iterable[str]) -> tuple[Family, ...]:
    """The families with these names. An attribute such as "gender", or a kind such as "adversarial", selects several,
    and "all" those of robustness. Families by a language model must be named individually. Raises HcatError for an
    unknown name."""
    chosen: dict[str, Family] = {}
    for name in names:
        wanted = name.strip().lower().replace("_", " ").replace("-", " ")
        of_name = {family.name: family for family in FAMILIES.values() if _is_meant(family, wanted)}
        if not of_name:
            listed = ", ".join(CHOICES)
            raise HcatError(f"no family of variants {name!r}: there are {listed}; all of robustness are “all”")
        chosen |= of_name
    return tuple(chosen.values())


def _is_meant(family: Family, wanted: str) -> bool:
    if family.by_model:
        return wanted == family.name
    if wanted == "all":
        return family.kind != "counterfactual"
    return wanted in {family.name, family.kind, f"{family.kind}s", family.draws_as or family.name}
