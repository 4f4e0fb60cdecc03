"""Made-up rules and entitlements, as in policies and handbooks: what follows from them, in other words, and what not.

A form's first text stands in the document; each of the `true` follows from it, none of the `false` does. A slot is
drawn once for a statement; `{must}` and the other synonyms are drawn anew in each text. Numbers of false texts differ
from all numbers of the document.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from training.sources import Pair, document_key


@dataclass(frozen=True)
class Form:
    document: str
    true: tuple[str, ...]
    false: tuple[str, ...]


SYNONYMS: dict[str, tuple[str, ...]] = {
    "must": ("must", "are required to", "have to", "are obliged to", "shall", "need to"),
    "ensure": ("ensure that", "make sure that", "see to it that"),
    "working": ("are in proper working order", "are functional", "work properly", "are in working condition"),
    "broken": ("are out of order", "do not work", "are defective"),
    "entitled": ("are entitled to", "have a right to", "can take", "receive"),
    "atmost": ("at most", "no more than", "up to", "a maximum of"),
    "atleast": ("at least", "no fewer than", "a minimum of", "not less than"),
    "yearly": ("every year", "each year", "annually", "once a year"),
    "free": ("free of charge", "without a fee", "at no cost"),
    "forbidden": ("is forbidden", "is not allowed", "is prohibited", "is not permitted"),
    "allowed": ("is allowed", "is permitted", "may be done"),
    "written": ("in writing", "by letter or e-mail", "in written form"),
    "before": ("before", "prior to", "ahead of"),
    "within": ("within", "in no more than", "in at most"),
    "ends": ("ends", "expires", "runs out", "terminates"),
    "sum": ("in total", "altogether", "in all", "overall"),
}
SLOTS: dict[str, tuple[str, ...]] = {
    "who": ("Branches", "Suppliers", "Employers", "Insurers", "Operators", "Schools", "Lenders", "Carriers", "Dealers"),
    "other": ("auditors", "visitors", "brokers", "directors", "agents", "contractors", "trainees"),
    "things": ("lifts and ramps", "alarms", "meters and valves", "cash machines", "scanners", "pumps and fans"),
    "part": ("the fire doors", "the back-up servers", "the cooling units", "the safety rails", "the vaults"),
    "benefit": ("study leave", "sick pay", "travel cover", "training", "sabbatical leave", "carer's leave"),
    "unit": ("days", "weeks", "months"),
    "place": ("France", "Ireland", "Ontario", "Denmark", "Kenya", "New Zealand", "the branch in Leeds"),
    "law": ("the Act of 2011", "the policy", "the collective agreement", "rule 14", "the directive", "the charter"),
    "doc": ("a passport", "proof of income", "a signed form", "a bank statement", "a medical certificate"),
    "doc2": ("a photograph", "a birth certificate", "a reference", "a tax return", "a utility bill"),
    "act": ("Smoking on the premises", "Sharing passwords", "Short selling", "Storing card numbers", "Resale"),
    "service": ("The transfer of an account", "A second card", "Cancelling the contract", "The annual statement"),
}

FORMS: tuple[Form, ...] = (
    Form(
        "{who} {must} {ensure} {things} {working} and that {part} are inspected {yearly}.",
        (
            "{who} {must} {ensure} {things} {working}.",
            "{part} {must} be inspected {yearly}.",
            "It is a duty of {who} that {things} {working}.",
        ),
        (
            "{who} need not {ensure} {things} {working}.",
            "{other} {must} {ensure} {things} {working}.",
            "{part} {must} be inspected every month.",
            "{things} {must} be replaced {yearly}.",
            "{things} of {who} {broken}.",
        ),
    ),
    Form(
        "Under {law}, staff {entitled} {n} {unit} of {benefit}: "
        "the first {a} {unit} are paid in full, the rest at half pay.",
        (
            "{benefit} is {n} {unit}.",
            "Staff {entitled} {n} {unit} of {benefit} {sum}.",
            "{benefit} lasts {n} {unit}, of which {a} {unit} are fully paid.",
            "For the first {a} {unit} of {benefit}, staff get full pay.",
        ),
        (
            "{benefit} is {x} {unit}.",
            "{benefit} is {a} {unit} {sum}.",
            "Staff {entitled} {x} {unit} of {benefit} {sum}.",
            "For the first {n} {unit} of {benefit}, staff get full pay.",
            "{benefit} is unpaid.",
        ),
    ),
    Form(
        "{benefit} is available for {atmost} {n} {unit}; it can be extended by {a} {unit} where a manager agrees.",
        (
            "{benefit} can be taken for {atmost} {n} {unit}.",
            "With a manager's consent, {benefit} can be {a} {unit} longer.",
            "A manager can extend {benefit}.",
        ),
        (
            "{benefit} is always {x} {unit} long.",
            "{benefit} can be taken for {atleast} {n} {unit}.",
            "{benefit} can be extended by {x} {unit}.",
            "{benefit} can't be extended.",
            "{benefit} is extended automatically.",
        ),
    ),
    Form(
        "Applicants {must} provide {doc} and {doc2} {within} {n} {unit}; otherwise the application is rejected.",
        (
            "Applicants {must} hand in {doc}.",
            "{doc2} is needed for an application.",
            "An application without {doc} is turned down after {n} {unit}.",
            "Applicants have {n} {unit} to supply {doc} and {doc2}.",
        ),
        (
            "Applicants may choose between {doc} and {doc2}.",
            "{doc2} is optional.",
            "Applicants have {x} {unit} to supply {doc}.",
            "An application without {doc} is still accepted.",
        ),
    ),
    Form(
        "{act} {forbidden}, except with the approval of two {other}.",
        (
            "{act} {forbidden} unless two {other} approve.",
            "With the consent of two {other}, {act} {allowed}.",
            "{act} without approval {forbidden}.",
        ),
        (
            "{act} is never possible.",
            "{act} {allowed} without approval.",
            "The approval of one of the {other} is enough for {act}.",
            "{act} {forbidden} even where two {other} approve.",
        ),
    ),
    Form(
        "{service} is {free} for private customers; businesses pay {n} euros.",
        (
            "Private customers get this {free}: {service}.",
            "{service} costs businesses {n} euros.",
            "Private customers pay nothing for this: {service}.",
        ),
        (
            "{service} is {free} for businesses.",
            "{service} costs private customers {n} euros.",
            "{service} costs businesses {x} euros.",
            "{service} is {free} for everybody.",
        ),
    ),
    Form(
        "A contract {ends} after {n} {unit} unless it is renewed {written} {before} its last day.",
        (
            "Without renewal, a contract {ends} after {n} {unit}.",
            "A renewal has to be made {written}.",
            "Whoever wants to renew {must} do so {before} the last day.",
        ),
        (
            "A contract is renewed automatically after {n} {unit}.",
            "A renewal can be made by telephone.",
            "A contract {ends} after {x} {unit}.",
            "A renewal is possible after the last day.",
        ),
    ),
    Form(
        "In {place}, {who} {must} keep records for {atleast} {n} years, and {other} may read them on request.",
        (
            "Records {must} be kept for {atleast} {n} years in {place}.",
            "{other} are allowed to read the records if they ask.",
            "{who} in {place} {must} store records for {n} years or longer.",
        ),
        (
            "Records {must} be destroyed after {n} years.",
            "{who} {must} keep records for {atmost} {n} years.",
            "{other} may change the records.",
            "Records {must} be kept for {atleast} {x} years.",
            "{other} may not see the records.",
        ),
    ),
    Form(
        "Claims above {n} euros {must} be checked by two {other}; smaller ones are paid {within} {a} days.",
        (
            "Two {other} check claims of more than {n} euros.",
            "Claims below {n} euros are settled {within} {a} days.",
            "A small claim is paid {within} {a} days.",
        ),
        (
            "All claims {must} be checked by two {other}.",
            "Claims above {n} euros are paid without a check.",
            "Claims below {n} euros {must} be checked by two {other}.",
            "A small claim is paid {within} {x} days.",
        ),
    ),
    Form(
        "{law} applies to {who} in {place}, but not to {other}.",
        (
            "{other} are exempt from {law}.",
            "{who} in {place} are subject to {law}.",
            "{law} covers {who} in {place}.",
        ),
        (
            "{other} are subject to {law}.",
            "{who} in {place} are exempt from {law}.",
            "{law} applies to everybody in {place}.",
        ),
    ),
)


def rule_pairs(count: int, rng: np.random.Generator) -> list[list[Pair]]:
    """Twins over documents of one to three statements of different forms: (supported, not supported)."""
    return [_twins(rng) for _ in range(count // 2)]


def _twins(rng: np.random.Generator) -> list[Pair]:
    chosen = [FORMS[index] for index in rng.permutation(len(FORMS))[: int(rng.integers(1, 4))]]
    numbers = rng.permutation(np.arange(2, 95))
    slots = [_slots(rng, numbers[3 * place : 3 * place + 3].tolist()) for place in range(len(chosen))]
    document = " ".join(_fill(form.document, values, rng) for form, values in zip(chosen, slots, strict=True))
    form, values = chosen[0], slots[0]
    texts = (_fill(side[int(rng.integers(len(side)))], values, rng) for side in (form.true, form.false))
    shuffled = " ".join(part for part in _shuffled(document, rng))
    return [
        Pair(shuffled, text, entailed, "made-up rules", document_key(shuffled), "train")
        for text, entailed in zip(texts, (1, 0), strict=True)
    ]


def _slots(rng: np.random.Generator, numbers: list[int]) -> dict[str, str]:
    """One value of each slot; a < n, and x is neither of them."""
    a, n = sorted(numbers[:2])
    values = {name: options[int(rng.integers(len(options)))] for name, options in SLOTS.items()}
    return values | {"a": str(a), "n": str(n), "x": str(numbers[2])}


def _fill(text: str, values: dict[str, str], rng: np.random.Generator) -> str:
    def value(match: re.Match[str]) -> str:
        options = SYNONYMS.get(match.group(1), (values.get(match.group(1), ""),))
        return options[int(rng.integers(len(options)))]

    filled = re.sub(r"\{(\w+)\}", value, text)
    return filled[:1].upper() + filled[1:]


def _shuffled(document: str, rng: np.random.Generator) -> list[str]:
    sentences = re.split(r"(?<=\.) ", document)
    return [sentences[index] for index in rng.permutation(len(sentences))]
