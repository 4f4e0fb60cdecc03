"""All families of variants."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import HcatError
from core.testgen.variants.case_punctuation import CASE
from core.testgen.variants.colloquial import COLLOQUIAL
from core.testgen.variants.contexts import CONTRADICTING, IRRELEVANT, POISONED, UPDATED
from core.testgen.variants.elsewhere import NONSENSE, OTHER_DOMAIN, OUTSIDE_CORPUS
from core.testgen.variants.family import Family
from core.testgen.variants.filler import FILLER
from core.testgen.variants.injection import INJECTION_IN_PASSAGE, INJECTION_IN_QUERY
from core.testgen.variants.learners import GRAMMAR
from core.testgen.variants.misleading import MISLEADING
from core.testgen.variants.opposite import OPPOSITE
from core.testgen.variants.other_language import OTHER_LANGUAGE
from core.testgen.variants.paraphrase import PARAPHRASE
from core.testgen.variants.register import REGISTER
from core.testgen.variants.spelling import SPELLING
from core.testgen.variants.word_order import WORD_ORDER

FAMILIES: dict[str, Family] = {
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
    )
}


def chosen_families(names: Iterable[str]) -> tuple[Family, ...]:
    """The families of these names; "all", or a kind such as "adversarial", stands for several. HcatError otherwise."""
    chosen: dict[str, Family] = {}
    for name in names:
        wanted = name.strip().lower().replace("_", " ").replace("-", " ")
        of_name = {
            family.name: family
            for family in FAMILIES.values()
            if wanted in {"all", family.name, family.kind, f"{family.kind}s"}
        }
        if not of_name:
            raise HcatError(f"no family of variants {name!r}: there are {', '.join(FAMILIES)}; or all")
        chosen |= of_name
    return tuple(chosen.values())
