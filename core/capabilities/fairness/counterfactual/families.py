"""The families of counterfactual variants: one for each group of each attribute."""

from __future__ import annotations

from functools import partial

import numpy as np

from hcat.core.capabilities.fairness.counterfactual.attribute import FORM, Attribute, Group
from hcat.core.capabilities.fairness.counterfactual.attributes import (
    AGE,
    DISABILITY,
    ETHNICITY,
    GENDER,
    INCOME,
    NAMES,
    NATIONALITY,
    POSTCODE,
    POSTCODES,
    RELIGION,
)
from hcat.core.capabilities.fairness.counterfactual.gender import has_unclear_name, named_gender, swap_gender
from hcat.core.capabilities.fairness.counterfactual.people import mentions, named_group, replace_group
from hcat.core.capabilities.fairness.counterfactual.person_names import drawn_name, replace_names
from hcat.core.capabilities.robustness.variants.family import Change, Family, Origin
from hcat.core.records.stated import ATTRIBUTE, GROUP, ORIGIN_GROUP
from hcat.core.types import JsonValue

ATTRIBUTES: dict[str, Attribute] = {
    attribute.name: attribute
    for attribute in (GENDER, ETHNICITY, NATIONALITY, RELIGION, AGE, DISABILITY, INCOME, NAMES, POSTCODE)
}


def family_name(attribute: Attribute, group: Group) -> str:
    """ "gender woman"."""
    return f"{attribute.name} {group.name}"


def _make(
    attribute: Attribute,
    group: Group,
    origin: Origin,
    strength: float,  # noqa: ARG001  not graded
    rng: np.random.Generator,
) -> Change | None:
    if any(token.lower_ in attribute.speaks_of for token in origin.query.doc):
        return None
    if attribute is GENDER:
        return _of_gender(group, origin)
    if attribute is NAMES:
        return _of_names(group, origin, rng)
    named = named_group(origin.query, attribute)
    if named is not None:
        text = replace_group(origin.query, attribute, group)
        return None if text is None or named is group else _change(attribute, group, text, "replaced", named.name)
    if mentions(origin.query, attribute):
        return None
    return _stated(attribute, group, origin, _statement(attribute, group, rng))


def _of_gender(group: Group, origin: Origin) -> Change | None:
    named = named_gender(origin.query)
    if named is None:
        return None if has_unclear_name(origin.query) else _stated(GENDER, group, origin, group.statement)
    if group.name in (named, "nonbinary") or has_unclear_name(origin.query):
        return None
    return _change(GENDER, group, swap_gender(origin.query), "replaced", named)


def _of_names(group: Group, origin: Origin, rng: np.random.Generator) -> Change | None:
    replaced = replace_names(origin.query, group.name, rng)
    if replaced is not None:
        return _change(NAMES, group, replaced, "replaced", None)
    if has_unclear_name(origin.query):
        return None
    name = drawn_name(origin.query, group.name, rng)
    return _stated(NAMES, group, origin, group.statement.format(name=name))


def _statement(attribute: Attribute, group: Group, rng: np.random.Generator) -> str:
    if attribute is not POSTCODE:
        return group.statement
    listed = POSTCODES[group.name]
    return group.statement.format(postcode=listed[int(rng.integers(len(listed)))])


def _stated(attribute: Attribute, group: Group, origin: Origin, statement: str) -> Change:
    return _change(attribute, group, f"{statement} {origin.query.text}", "stated", None)


def _change(attribute: Attribute, group: Group, text: str, form: str, origin_group: str | None) -> Change:
    about: dict[str, JsonValue] = {ATTRIBUTE: attribute.name, GROUP: group.name, FORM: form}
    return Change(text, metadata=about if origin_group is None else {**about, ORIGIN_GROUP: origin_group})


def _family(attribute: Attribute, group: Group) -> Family:
    return Family(
        name=family_name(attribute, group),
        title=f"{attribute.title}: {group.name}",
        kind="counterfactual",
        expectation="stay",
        strength="not graded",
        needs=f"a query whose right answer can't depend on {attribute.name}, and that names no other group",
        description=f"The same question by or about people of the group “{group.name}”. Compared with the other groups "
        f"of {attribute.name}, not with the origin.",
        make=partial(_make, attribute, group),
        is_graded=False,
        draws_as=attribute.name,
    )


COUNTERFACTUALS: dict[str, Family] = {
    family.name: family
    for attribute in ATTRIBUTES.values()
    for family in (_family(attribute, group) for group in attribute.groups)
}
