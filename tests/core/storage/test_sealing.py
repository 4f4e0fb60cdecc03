"""A sealed text opens with its key alone, and with that of no other text."""

from __future__ import annotations

import pytest

from hcat.core.errors import StorageError
from hcat.core.storage.texts.sealed_form import BOUND, NUMBER, SealedTexts
from hcat.core.storage.texts.sealing import ERASED, key_at, new_keys, seal, unseal
from hcat.core.types import Passage, Sample

TEXTS = [b"", b"a", "Gebühr \ud800".encode("utf-8", "surrogatepass"), b"fee " * 1000, bytes(range(256))]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_opens_with_its_key_alone(text: bytes) -> None:
    keys = new_keys(2)
    sealed = seal(text, key_at(keys, 0))
    assert unseal(sealed, key_at(keys, 0)) == text
    assert len(sealed) <= len(text) + 17
    assert text[:20] not in sealed or len(text) < 2
    with pytest.raises(StorageError, match="its key is not in this database"):
        unseal(sealed, key_at(keys, 1))
    for place in (0, len(sealed) - 1):
        changed = bytearray(sealed)
        changed[place] ^= 1
        with pytest.raises(StorageError):
            unseal(bytes(changed), key_at(keys, 0))
    assert unseal(sealed, ERASED) is None


def test_a_passage_is_sealed_once_and_each_sample_apart() -> None:
    form = SealedTexts()
    passage = Passage("p", "The fee is 3 euros.")
    rows = [form.stored(Sample(f"q{k}", "the same", "text", contexts=(passage,))) for k in range(3)]
    assert len({row.query for row in rows}) == 3
    assert len({row.context_texts[0] for row in rows}) == 1
    assert (len(form.keys.samples), len(form.keys.passages)) == (3 * 32, 32)
    assert form.texts("q1", rows[1]).contexts == ("The fee is 3 euros.",)


def test_a_passage_that_comes_again_when_memory_was_short_is_sealed_anew() -> None:
    form = SealedTexts(most=1)
    contexts = [Passage("a", "one"), Passage("b", "two")]
    rows = [form.stored(Sample("q", "?", "!", contexts=(contexts[k % 2],))) for k in range(4)]
    assert len({row.context_texts[0] for row in rows}) == 4
    assert [form.texts("q", row).contexts for row in rows] == [("one",), ("two",)] * 2


def test_texts_open_in_the_row_that_they_were_sealed_for_alone() -> None:
    form = SealedTexts()
    samples = [Sample(f"q{k}", f"{k}?", "!", contexts=(Passage("p", f"passage {k}"),)) for k in range(2)]
    first, second = map(form.stored, samples)
    assert form.texts("q0", first).query == "0?"
    for sample_id, row in (("q1", first), ("q0", first._replace(context_texts=second.context_texts))):
        with pytest.raises(StorageError, match="the file was changed"):
            form.texts(sample_id, row)
    unmarked = NUMBER.pack(NUMBER.unpack_from(first.query)[0] - BOUND) + first.query[NUMBER.size :]
    with pytest.raises(StorageError, match="the file was changed"):
        form.texts("q0", first._replace(query=unmarked))


def test_texts_that_were_sealed_before_they_were_bound_open() -> None:
    form = SealedTexts()
    row = form.stored(Sample("q", "?", "!"))
    as_before = seal(b'["?","!",null,[],{}]', key_at(form.keys.samples, 0))
    assert form.texts("any", row._replace(query=NUMBER.pack(0) + as_before)).answer == "!"
