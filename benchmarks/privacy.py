"""How well leaks are told: `python -m benchmarks.privacy [DATA]`.

A planted corpus: 1,000 answers that repeat, in another layout, a value that a context or the question holds, and 1,000
that tell a value of the same kind which nobody holds; which share is decided wrongly. With DATA, the folder of public
sets, also presidio-research's 1,500 sentences: recall and precision of the types that have a checksum or a format, F2
of all personal data with an interval over templates, how much of each type is seen, and how many sentences a second of
processor time are read.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.privacy_spans import counts, f2, f2_interval, recall_by_type
from hcat.core.display.numbers import format_estimate
from hcat.core.privacy.addresses import addresses
from hcat.core.privacy.identifiers import identifiers
from hcat.core.privacy.leaks import leaks
from hcat.core.privacy.names import names, names_of
from hcat.core.privacy.phrases import account_phrases
from hcat.core.statistics.intervals import proportion_interval
from hcat.core.types import Passage, Sample

PLANTED = 1000
STRUCTURED: Mapping[str, str] = {
    "EMAIL_ADDRESS": "e-mail address",
    "IBAN_CODE": "IBAN",
    "US_SSN": "United States social security number",
    "IP_ADDRESS": "IP address",
    "CREDIT_CARD": "card number",
}
"""The set's types that a checksum or a format confirms, and what they are called here."""


@dataclass(frozen=True)
class Value:
    """A value as one text writes it and as another does, with the sentence that tells it."""

    sentence: str
    written: str
    otherwise: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--planted", type=int, default=PLANTED)
    arguments = parser.parse_args()
    wrong = planted_errors(arguments.planted, Random(7))
    for title, errors in wrong.items():
        share = proportion_interval(len(errors), arguments.planted)
        print(f"{title}: {len(errors)} of {arguments.planted}, {format_estimate(share, percent=True)}")
        for text in errors[:5]:
            print(f"    {text}")
    if arguments.data is not None:
        sentences = json.loads((arguments.data / "safety" / "synth_dataset_v2.json").read_text(encoding="utf-8"))
        structured_types(sentences)
        all_types(sentences)


def planted_errors(n: int, rng: Random) -> dict[str, list[str]]:
    """The answers that were decided wrongly: public values called leaks, and planted ones missed."""
    public = [sample for sample in planted(n, rng, held=True) if leaks(sample)]
    missed = [sample for sample in planted(n, rng, held=False) if not leaks(sample)]
    return {
        "public value called a leak": [f"{each.answer} | {each.contexts[0].text} | {each.query}" for each in public],
        "planted value missed": [f"{each.answer} | {each.contexts[0].text}" for each in missed],
    }


def planted(n: int, rng: Random, *, held: bool) -> Iterator[Sample]:
    """Answers that tell a value; where it is `held`, a context has it, or for every third one the question."""
    for number in range(n):
        make = KINDS[number % len(KINDS)]
        value, other = make(rng), make(rng)
        source = value if held else other
        told = source.sentence.format(source.otherwise)
        context, query = (told, "What is it?") if number % 3 else ("Fees are listed in the app.", f"{told} Right?")
        passage = Passage(f"p{number}", f"Our branches open at 9. {context} A card costs EUR 12 each year.")
        yield Sample(str(number), query, f"As you asked: {value.sentence.format(value.written)}", (passage,))


def structured_types(sentences: list[dict[str, object]]) -> None:
    """Print recall and precision of each type, where spans are the same but for signs at their ends."""
    found_in = [identifiers(str(each["full_text"])) for each in sentences]
    for theirs, ours in STRUCTURED.items():
        true, right, said = 0, 0, 0
        for each, hits in zip(sentences, found_in, strict=True):
            spans = each["spans"]
            assert isinstance(spans, list)
            gold = {(span["start_position"], span["end_position"]) for span in spans if span["entity_type"] == theirs}
            found = {(hit.start, hit.end) for hit in hits if ours in (hit.kind, hit.detail)}
            true, right, said = true + len(gold), right + len(gold & found), said + len(found)
        recall, precision = proportion_interval(right, true), proportion_interval(right, said)
        print(f"{ours}: recall {format_estimate(recall)}, precision {format_estimate(precision)}")


def all_types(sentences: list[dict[str, object]]) -> None:
    """Print F2 of all personal data, the share of each type that is seen whole, and sentences a second of one core."""
    texts = [str(each["full_text"]) for each in sentences]
    marked = [_marked(each) for each in sentences]
    import torch

    torch.set_num_threads(1)
    names("Warm Anna Weber up on 020 7946 0958.")
    began = time.process_time()
    by_rule = [(*identifiers(text), *addresses(text), *account_phrases(text)) for text in texts]
    between = time.process_time()
    by_model = names_of(texts)
    took = (between - began, time.process_time() - between)
    began = time.process_time()
    for text in texts:
        names_of((text,))
    alone = len(texts) / (time.process_time() - began)
    found = [[(hit.start, hit.end) for hit in (*a, *b)] for a, b in zip(by_rule, by_model, strict=True)]
    each = [
        counts(text, [(start, end) for start, end, _ in spans], places)
        for text, spans, places in zip(texts, marked, found, strict=True)
    ]
    rows = np.array([(one.marked, one.found, one.right) for one in each], dtype=np.int64)
    precision, recall, _ = f2(rows)
    interval = f2_interval(each, [int(str(one["template_id"])) for one in sentences], np.random.default_rng(7))
    print(f"all personal data: F2 {format_estimate(interval)}, precision {precision:.3f}, recall {recall:.3f}")
    for kind, (whole, n) in recall_by_type(list(zip(texts, marked, strict=True)), found).items():
        print(f"    {kind}: {format_estimate(proportion_interval(whole, n))} seen whole")
    n = len(texts)
    rules, named, both = n / took[0], n / took[1], n / sum(took)
    print(f"sentences a second of processor time: rules {rules:.0f}, names {named:.0f}, both {both:.0f}")
    print(f"names one text at a time: {alone:.0f} a second of processor time, {alone / named:.2f} of that together")


def _marked(sentence: dict[str, object]) -> list[tuple[int, int, str]]:
    spans = sentence["spans"]
    assert isinstance(spans, list)
    return [(span["start_position"], span["end_position"], span["entity_type"]) for span in spans]


def _digits(rng: Random, n: int) -> str:
    return "".join(str(rng.randrange(10)) for _ in range(n))


def _iban(rng: Random) -> Value:
    from stdnum import iban

    body = f"WEST{_digits(rng, 14)}"
    value = f"GB{iban.calc_check_digits(f'GB00{body}')}{body}"
    return Value("The IBAN is {}.", " ".join(value[at : at + 4] for at in range(0, 22, 4)), value)


def _card(rng: Random) -> Value:
    from stdnum import luhn

    body = f"4{_digits(rng, 14)}"
    value = body + luhn.calc_check_digit(body)
    return Value("It was paid by card {}.", value, "-".join(value[at : at + 4] for at in range(0, 16, 4)))


def _phone(rng: Random) -> Value:
    area, line = "20", f"79{_digits(rng, 2)} {_digits(rng, 4)}"
    return Value("You reach her on {}.", f"0{area} {line}", f"+44 (0){area} {line}")


def _mail(rng: Random) -> Value:
    name = f"{rng.choice(('maud', 'orrin', 'tess', 'ivo'))}.{rng.choice(('tell', 'ferrin', 'moss'))}{_digits(rng, 3)}"
    return Value("Write to {}.", f"{name}@example.co.uk", f"{name.title()}@Example.co.uk")


def _social_security(rng: Random) -> Value:
    value = f"{rng.randrange(100, 600)}-{rng.randrange(10, 99)}-{rng.randrange(1000, 9999)}"
    return Value("Her social security number is {}.", value, value.replace("-", " "))


def _account(rng: Random) -> Value:
    value = f"{rng.randrange(1, 9)}{_digits(rng, 7)}"
    return Value("The account number is {}.", value, f"{value[:4]} {value[4:]}")


def _balance(rng: Random) -> Value:
    amount = rng.randrange(1_000, 99_999)
    cents = rng.randrange(10, 99)
    return Value("Her balance is {}.", f"EUR {amount:,}.{cents}", f"EUR {amount}.{cents}")


def _transfer(rng: Random) -> Value:
    amount = rng.randrange(1_000, 99_999)
    return Value("She transferred {} to Orrin Tell.", f"EUR {amount:,}.00", f"EUR {amount}")


def _key(rng: Random) -> Value:
    value = "".join(rng.choice("abcdefghjkmnp23456789") for _ in range(19)) + "7x"
    return Value("The api key is {}.", value, value)


def _born(rng: Random) -> Value:
    value = f"{rng.randrange(1, 28)} {rng.choice(('March', 'May', 'June'))} {rng.randrange(1940, 2005)}"
    return Value("She was born on {}.", value, value)


KINDS: tuple[Callable[[Random], Value], ...] = (
    *(_iban, _card, _phone, _mail, _social_security),
    *(_account, _balance, _transfer, _key, _born),
)
"""What is planted, in turns."""

if __name__ == "__main__":
    main()
