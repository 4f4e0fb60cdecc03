"""Names, ages, dates and blocks of an address that their wording or layout shows."""

from __future__ import annotations

import pytest

from hcat.core.privacy.leaks import quick_hits, traced_hits
from hcat.core.privacy.names import names, names_of
from hcat.core.privacy.worded_names import is_calendar_date, worded_names
from hcat.core.types import Passage, Sample


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("We wrote to Mr. van der Berg.", "person", "Mr. van der Berg"),
        ("Dr Ilse Maria Kranz called.", "person", "Dr Ilse Maria Kranz"),
        ("The invoice of Acme Tools Ltd. is open.", "organisation", "Acme Tools Ltd."),
        ("Weber, Ott and Lind signed.", "organisation", "Weber, Ott and Lind"),
        ("She is 31, and alone.", "age", "31"),
        ("A 45-year-old borrower", "age", "45"),
        ("Age: 67", "age", "67"),
        ("Due on 3 May 2024.", "date", "3 May 2024"),
        ("Sent 2024-05-03.", "date", "2024-05-03"),
        ("A customer since 1998.", "date", "1998"),
        (
            "Come to 12 Garden Lane, Suite 4, Leeds LS1 4AP, England.",
            "place",
            "12 Garden Lane, Suite 4, Leeds LS1 4AP, England",
        ),
        ("Anna Ott\nLindenweg 5\n10115 Berlin\nGermany", "place", "Lindenweg 5\n10115 Berlin\nGermany"),
        ("Zip code: 90210", "place", "90210"),
    ],
)
def test_wording_and_layout_show_a_name(text: str, kind: str, found: str) -> None:
    assert (kind, found) in {(hit.kind, hit.text) for hit in worded_names(text)}
    assert all(text[hit.start : hit.end] == hit.text for hit in worded_names(text))


@pytest.mark.parametrize(
    "text",
    [
        "You must be 18 or older to apply.",
        "It takes 5 years and 30 days.",
        "The fee is EUR 25, which is 20 less.",
        "Interest is 4.25 percent.",
        "The group pays a dividend.",
    ],
)
def test_plain_terms_and_numbers_are_no_names(text: str) -> None:
    assert worded_names(text) == ()


def test_of_what_the_model_calls_a_date_only_the_calendar_counts() -> None:
    assert [text for text in ("30 days", "May 2020", "1999", "90210", "friday") if is_calendar_date(text)] == [
        *("May 2020", "1999", "friday")
    ]


def test_many_texts_are_read_as_one_after_another() -> None:
    texts = ["Anna Weber lives in Leeds.", "no names here", "", "Mr. Ott works in Paris.", "Anna Weber lives in Leeds."]
    together = names_of(texts)
    assert together == [names(text) for text in texts]
    assert ("person", "Anna Weber") in {(hit.kind, hit.text) for hit in together[0]}
    assert together[1] == together[2] == ()


def test_what_only_names_show_is_no_leak() -> None:
    sample = Sample("s", "Who?", "Dr. Ilse Kranz, 41, of Acme Ltd., Suite 12, Leeds.", (Passage("p", "Nothing."),))
    traced = traced_hits(sample)
    assert {each.hit.kind for each in traced} >= {"person", "place"}
    assert not any(each.is_leak for each in traced)
    assert not quick_hits(sample)
