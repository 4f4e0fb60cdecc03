"""All families of attacks."""

from __future__ import annotations

from collections.abc import Iterable

from hcat.core.capabilities.attacks.extraction import INSTRUCTIONS, PASSAGES
from hcat.core.capabilities.attacks.family import AttackFamily
from hcat.core.capabilities.attacks.in_passage import CUSTOMER_DATA, EXFILTRATION, INSTRUCTION_IN_PASSAGE
from hcat.core.capabilities.attacks.in_query import DIRECT_OVERRIDE, DISGUISED, FALSE_PREMISE, MANY_TURNS, NO_REFUSAL
from hcat.core.errors import HcatError

ATTACKS: dict[str, AttackFamily] = {
    family.name: family
    for family in (
        DIRECT_OVERRIDE,
        INSTRUCTION_IN_PASSAGE,
        INSTRUCTIONS,
        PASSAGES,
        CUSTOMER_DATA,
        EXFILTRATION,
        FALSE_PREMISE,
        DISGUISED,
        MANY_TURNS,
        NO_REFUSAL,
    )
}


def chosen_attacks(names: Iterable[str]) -> tuple[AttackFamily, ...]:
    """The families with these names, or all for "all". Raises HcatError for an unknown name."""
    chosen: dict[str, AttackFamily] = {}
    for name in names:
        wanted = name.strip().lower()
        of_name = {each: family for each, family in ATTACKS.items() if wanted in ("all", each.lower())}
        if not of_name:
            raise HcatError(f"no family of attacks {name!r}: there are {', '.join(ATTACKS)}; or all")
        chosen |= of_name
    return tuple(chosen.values())
