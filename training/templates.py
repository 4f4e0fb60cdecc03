"""Made-up statements from reports and meetings, with their paraphrases, and one slot changed to make them wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_FIRST = [
    "Alvon",
    "Brenta",
    "Corvid",
    "Dunmore",
    "Elmstead",
    "Farrow",
    "Galvin",
    "Hartle",
    "Isolde",
    "Jarrow",
    "Kestrel",
    "Lorne",
    "Mirren",
    "Norvik",
    "Ostrava",
]
_KIND = ["Holdings", "Bank", "Group", "Energy", "Foods", "Logistics", "Pharma", "Systems", "Insurance", "Capital"]
_PEOPLE = [
    f"{a} {b}"
    for a in ["Anna", "Boris", "Clara", "David", "Elena", "Frank", "Grace", "Hugo", "Ines", "Jonas"]
    for b in ["Keller", "Moore", "Novak", "Okafor", "Patel", "Quinn", "Rossi", "Sato", "Turner", "Weber"]
]
_METRICS = [
    "revenue",
    "net income",
    "operating profit",
    "operating expenses",
    "gross margin",
    "total assets",
    "cash flow",
    "capital expenditure",
    "interest expense",
    "headcount costs",
    "deposits",
    "loan losses",
]
_UNITS = [
    "Europe",
    "Asia",
    "North America",
    "the retail segment",
    "the wholesale segment",
    "the insurance unit",
    "Latin America",
]
_TOPICS = [
    "the new branch",
    "the audit plan",
    "the merger",
    "the budget",
    "the risk policy",
    "the hiring freeze",
    "the pension scheme",
    "the data centre",
    "the share buyback",
    "the supplier contract",
]
_MONTHS = ["January", "March", "April", "May", "June", "July", "September", "October", "November"]


@dataclass(frozen=True)
class Statement:
    """`long` stands in the document; each of `short` follows from it; `slots` can be changed to make it wrong."""

    long: str
    short: tuple[str, ...]
    slots: dict[str, str]


_FORMS: list[tuple[str, tuple[str, ...]]] = [
    (
        "{metric} of {company} {up} by {pct}% to {cur}{amount} million in fiscal {year}, compared "
        "with {cur}{before} million in fiscal {prior}.",
        (
            "{company}'s {metric} {up} {pct}% in fiscal {year}.",
            "In {year}, {metric} was {cur}{amount} million.",
            "{metric} stood at {cur}{before} million in {prior}.",
            "{company} reported {metric} of {cur}{amount} million for {year}, against {cur}{before} "
            "million the year before.",
        ),
    ),
    (
        "In {unit}, {metric} {up} {pct}% in the {quarter} quarter of {year}, driven by {reason}.",
        (
            "{metric} in {unit} {up} by {pct} percent in the {quarter} quarter.",
            "The change in {metric} in {unit} was due to {reason}.",
            "In the {quarter} quarter of {year}, {metric} {up} in {unit}.",
        ),
    ),
    (
        "{company} had {staff} employees at the end of {year}, of whom {part} worked in {unit}.",
        (
            "{company} employed {staff} people at the end of {year}.",
            "{part} employees worked in {unit}.",
            "At year-end {year}, {company} had {staff} employees.",
        ),
    ),
    (
        "The board of {company} {decided} {topic} on {day} {month} {year} with {votes} votes to "
        "{against}; {person} abstained.",
        (
            "The board {decided} {topic}.",
            "{person} abstained from the vote on {topic}.",
            "{votes} members voted for it and {against} against.",
            "On {day} {month} {year} the board of {company} {decided} {topic}.",
        ),
    ),
    (
        "{person} reported that {topic} would cost {cur}{amount} million and be finished by "
        "{month} {year}; {other} asked for a second estimate.",
        (
            "{person} said that {topic} would cost {cur}{amount} million.",
            "{other} asked for a second estimate.",
            "{topic} is to be finished by {month} {year}.",
            "According to {person}, the cost of {topic} is {cur}{amount} million.",
        ),
    ),
    (
        "The notes bear interest of {pct}% a year, mature on {day} {month} {year} and are "
        "repayable at {part} days' notice.",
        (
            "The notes mature in {month} {year}.",
            "Interest on the notes is {pct}% per year.",
            "The notes can be repaid at {part} days' notice.",
            "The notes pay {pct} percent a year and mature on {day} {month} {year}.",
        ),
    ),
    (
        "{company} acquired {percent}% of {target} for {cur}{amount} million on {day} {month} "
        "{year}, financed by {reason}.",
        (
            "{company} bought {percent}% of {target}.",
            "{target} was acquired by {company} for {cur}{amount} million.",
            "The acquisition of {target} was financed by {reason}.",
            "{company} paid {cur}{amount} million for {target} in {year}.",
        ),
    ),
    (
        "{person} will prepare {topic} for the next meeting, while {other} will contact {company} "
        "before the end of {month}.",
        (
            "{person} will prepare {topic}.",
            "{other} is to contact {company}.",
            "{other} will contact {company} by the end of {month}.",
            "The task of preparing {topic} went to {person}.",
        ),
    ),
    (
        "Customers pay a fee of {cur}{part} for each transfer above {cur}{staff}; transfers below "
        "that are free of charge.",
        (
            "A transfer above {cur}{staff} costs {cur}{part}.",
            "Transfers below {cur}{staff} are free.",
            "The fee for transfers above {cur}{staff} is {cur}{part}.",
        ),
    ),
    (
        "{metric} | {year}: {cur}{amount} | {prior}: {cur}{before} | (in millions)",
        (
            "{metric} was {cur}{amount} million in {year}.",
            "In {prior}, {metric} amounted to {cur}{before} million.",
            "{metric} for {year} came to {cur}{amount} million.",
        ),
    ),
]
_UP = [("increased", "rose"), ("decreased", "fell"), ("grew", "rose"), ("declined", "fell")]
_DECIDED = ["approved", "rejected", "postponed"]
_REASONS = [
    "higher prices",
    "new customers",
    "a weaker dollar",
    "bank loans",
    "the sale of a warehouse",
    "cash on hand",
    "lower demand",
    "restructuring",
]


def report(rng: np.random.Generator, *, statements: int) -> list[Statement]:
    """Statements of different kinds about one company, so that none of them can support a wrong one about another."""
    company, year = company_name(rng), int(rng.integers(2005, 2025))
    kinds = [_FORMS[index] for index in rng.permutation(len(_FORMS))[:statements]]
    slots = [slot_values(rng, company, year - int(rng.integers(0, 2))) for _ in kinds]
    return [Statement(_fill(form, values), shorts, values) for (form, shorts), values in zip(kinds, slots, strict=True)]


def company_name(rng: np.random.Generator) -> str:
    return f"{_choose(_FIRST, rng)} {_choose(_KIND, rng)}"


def slot_values(rng: np.random.Generator, company: str, year: int) -> dict[str, str]:
    amount = _amount(rng)
    return {
        "company": company,
        "target": company_name(rng),
        "metric": _choose(_METRICS, rng),
        "unit": _choose(_UNITS, rng),
        "up": _choose([p[0] for p in _UP], rng),
        "pct": f"{rng.integers(1, 60)}" + (f".{rng.integers(1, 10)}" if rng.random() < 0.5 else ""),
        "percent": str(rng.integers(10, 100)),
        "cur": _choose(["$", "€", "£", "EUR ", "USD "], rng),
        "amount": amount,
        "before": _amount(rng),
        "year": str(year),
        "prior": str(year - 1),
        "quarter": _choose(["first", "second", "third", "fourth"], rng),
        "reason": _choose(_REASONS, rng),
        "staff": f"{rng.integers(1000, 40000):,}",
        "part": str(rng.integers(2, 99)),
        "decided": _choose(_DECIDED, rng),
        "topic": _choose(_TOPICS, rng),
        "day": str(rng.integers(1, 29)),
        "month": _choose(_MONTHS, rng),
        "votes": str(rng.integers(5, 12)),
        "against": str(rng.integers(0, 5)),
        "person": _choose(_PEOPLE[:50], rng),
        "other": _choose(_PEOPLE[50:], rng),
    }


def hypothesis(
    said: Statement, rng: np.random.Generator, *, wrong: bool, elsewhere: dict[str, str]
) -> tuple[str, tuple[int, int]] | None:
    """A paraphrase of the statement, with one slot of it changed where `wrong`, half the time to a value that the
    document gives elsewhere. The characters that are wrong come with it."""
    form = said.short[int(rng.integers(len(said.short)))]
    if not wrong:
        return _fill(form, {**said.slots, "up": _other_word(said.slots["up"])} if rng.random() < 0.5 else said.slots), (
            0,
            0,
        )
    names = [name for name in said.slots if "{" + name + "}" in form and name not in ("cur",)]
    name = names[int(rng.integers(len(names)))]
    new = elsewhere[name] if rng.random() < 0.5 else _changed(name, said.slots[name], rng)
    if new == said.slots[name] or (
        name == "up" and new in (said.slots["up"], _other_word(said.slots["up"]), *_alike(said.slots["up"]))
    ):
        return None
    text = _fill(form, {**said.slots, name: new})
    start = len(_fill(form.split("{" + name + "}")[0], said.slots))
    return text, (start, min(start + len(new), len(text)))


def _changed(name: str, old: str, rng: np.random.Generator) -> str:
    if name == "up":
        return {"increased": "decreased", "decreased": "increased", "grew": "declined", "declined": "grew"}[old]
    if name == "decided":
        return _choose([d for d in _DECIDED if d != old], rng)
    if any(character.isdigit() for character in old):
        at = [i for i, c in enumerate(old) if c.isdigit()]
        i = at[int(rng.integers(len(at)))]
        return old[:i] + _choose([d for d in "123456789" if d != old[i]], rng) + old[i + 1 :]
    return slot_values(rng, company_name(rng), 2000)[name]


def _alike(word: str) -> list[str]:
    rising = word in ("increased", "grew")
    return ["increased", "grew", "rose"] if rising else ["decreased", "declined", "fell"]


def _other_word(word: str) -> str:
    return dict(_UP)[word]


def _amount(rng: np.random.Generator) -> str:
    return f"{rng.integers(1, 9999):,}" if rng.random() < 0.5 else f"{rng.integers(1, 999)}.{rng.integers(1, 10)}"


def _choose(items: list[str], rng: np.random.Generator) -> str:
    return items[int(rng.integers(len(items)))]


def _fill(form: str, slots: dict[str, str]) -> str:
    text = form.format(**slots)
    return text[:1].upper() + text[1:]
