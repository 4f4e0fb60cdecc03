from __future__ import annotations

from hcat.core.records.hashing import sha256_of_json
from hcat.core.slices.sample_columns import LEVELS, MEASURES_VERSION, NUMBERS, ColumnsOfSamples
from hcat.core.types import Passage, Sample
from tests.core.refusals import refusal_sentences, refusals_in_other_languages

MEASURED = "8a7d453ac85d49b790fe289ee566a948fd11d1eb05da1f0ed085d9d7fce9717a"
"""What version MEASURES_VERSION measures of the texts below."""


def test_files_that_were_measured_otherwise_are_told_by_the_version():
    """Stored runs keep what was measured of their texts. If this fails, what is measured has changed: raise
    MEASURES_VERSION, so that they are measured anew, and put the new hash here."""
    texts = [
        text
        for module in (refusal_sentences, refusals_in_other_languages)
        for name, given in sorted(vars(module).items())
        if name.isupper()
        for text in _texts(given)
    ]
    samples = [
        Sample(str(k), text, text, (Passage("p", text, k / 7),), texts[k - 1], relevant_ids={"p": k % 2})
        for k, text in enumerate(texts)
    ]
    columns = ColumnsOfSamples(samples)
    levels = [columns.levels(name).texts() for name in LEVELS]
    numbers = [[None if value != value else value for value in columns.numbers(name).tolist()] for name in NUMBERS]
    assert len(samples) > 300
    assert (MEASURES_VERSION, sha256_of_json([levels, numbers])) == (4, MEASURED)


def _texts(given: object) -> list[str]:
    if isinstance(given, str):
        return [given]
    items = given.values() if isinstance(given, dict) else given if isinstance(given, list | tuple) else ()
    return [text for item in items for text in _texts(item)]
