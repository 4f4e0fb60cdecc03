"""The packaged head of names: what it finds, the same one by one and together, and what it says when it is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hcat.core.errors import ModelError
from hcat.core.models.names.packaged import PackagedNames, packaged_names
from hcat.core.models.names.pieces import KINDS, shapes, spans, words

TEXTS = (
    "Yesterday Agnieszka Wójcik from Gdańsk called.",
    "She works as a dental nurse.",
    "my name is ikaika maleko",
    "The fee is EUR 5 each month.",
    "",
)


def test_people_places_and_occupations_are_found_whoever_they_are() -> None:
    found = [
        {(each.kind, text[each.start : each.end]) for each in spans}
        for text, spans in zip(TEXTS, packaged_names().spans(TEXTS), strict=True)
    ]
    assert found[0] >= {("person", "Agnieszka Wójcik"), ("place", "Gdańsk")}
    assert found[1] == {("post", "dental nurse")}
    assert found[2] == {("person", "ikaika maleko")}
    assert found[3] == found[4] == set()


def test_a_text_is_read_alike_alone_and_among_others() -> None:
    head = packaged_names()
    for text, together in zip(TEXTS, head.spans(TEXTS), strict=True):
        (alone,) = head.spans([text])
        assert [(each.start, each.end, each.kind) for each in alone] == [
            (each.start, each.end, each.kind) for each in together
        ]
        assert np.allclose([each.probability for each in alone], [each.probability for each in together], atol=1e-5)
    assert head.spans([]) == []


def test_the_lower_layers_are_those_of_the_encoder() -> None:
    import torch

    from hcat.core.models.encoder.heads import open_head
    from hcat.core.models.names.network import READ_LAYERS, NamesHead, lower_states
    from hcat.core.models.names.packaged import FORMAT, WEIGHTS

    encoder, _, tokenizer = open_head(WEIGHTS, NamesHead, file_format=FORMAT, title="weights of names")
    for texts in (TEXTS[:1], TEXTS[:3]):  # one text alone has no padding and no mask
        read = tokenizer(list(texts), padding=True, return_tensors="pt")
        ids, mask = read["input_ids"], read["attention_mask"]
        with torch.inference_mode():
            layers = encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True).hidden_states
            own = lower_states(encoder, ids, mask)
        expected = torch.cat([layers[number] for number in READ_LAYERS], dim=-1)
        assert torch.allclose(own[mask == 1], expected[mask == 1], atol=1e-5)


def test_missing_and_broken_weights_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="install hcat again"):
        PackagedNames(weights=tmp_path / "none.safetensors")
    broken = tmp_path / "broken.safetensors"
    broken.write_bytes(b"no weights")
    with pytest.raises(ModelError, match="can't be read"):
        PackagedNames(weights=broken).spans(["Anna"])


def test_pieces_of_a_word_belong_together_and_have_their_shapes() -> None:
    text, offsets = "Ana-Lu SAYS\n42", [(0, 2), (2, 3), (3, 4), (4, 6), (7, 11), (12, 14)]
    assert words(text, offsets) == [0, 0, 2, 3, 4, 5]
    goes_on, capital, capitals, digit, sign, new_line = shapes(text, offsets)[:, :6].T.astype(int).tolist()
    assert goes_on == [0, 1, 0, 0, 0, 0]
    assert capital == [1, 0, 0, 1, 1, 0]
    assert capitals == [0, 0, 0, 0, 1, 0]
    assert (digit, sign, new_line) == ([0, 0, 0, 0, 0, 1], [0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 1])


def test_a_span_has_the_mean_of_a_words_pieces_and_no_signs_at_its_ends() -> None:
    text, offsets = "Ana, Leeds.", [(0, 2), (2, 3), (3, 4), (5, 10), (10, 11)]
    likely = np.full((5, 1 + len(KINDS)), 0.01)
    person, place = 1 + KINDS.index("person"), 1 + KINDS.index("place")
    likely[[0, 2], person], likely[1, 0], likely[[3, 4], place] = 0.9, 0.5, 0.8  # the second piece alone would be none
    (first, second) = spans(text, offsets, likely)
    assert (first.start, first.end, first.kind) == (0, 3, "person")
    assert first.probability == pytest.approx((0.9 + 0.01) / 2)
    assert (second.start, second.end, second.kind) == (5, 10, "place")
    assert list(spans("", [], np.zeros((0, 1 + len(KINDS))))) == []
