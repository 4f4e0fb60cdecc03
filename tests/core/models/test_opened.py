"""Models that are loaded elsewhere: the same settings, without secrets on the way."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.errors import ModelError
from core.models.encoder.encoder import ENCODER
from core.models.opened import ModelsOfSettings
from core.settings import Settings


def test_no_secret_travels_and_the_other_side_takes_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = Settings(artifacts=str(tmp_path), llm_api_key=SecretStr("mine-alone"), llm_model="m", seed=11)
    sent = pickle.dumps(ModelsOfSettings(here, frozenset({"encoder"}), "cpu", "llm", required=True))
    assert b"mine-alone" not in sent
    monkeypatch.setenv("HCAT_LLM_API_KEY", "theirs")
    monkeypatch.setenv("HCAT_SEED", "5")
    there = pickle.loads(sent)
    assert there.settings.llm_api_key == SecretStr("theirs")
    assert (there.settings.seed, there.settings.artifacts, there.settings.llm_model) == (11, str(tmp_path), "m")
    assert (there.roles, there.device, there.verifier, there.required) == (frozenset({"encoder"}), "cpu", "llm", True)


def test_the_models_come_with_the_cache_beside_the_artifacts(tmp_path: Path) -> None:
    models, store = ModelsOfSettings(Settings(artifacts=str(tmp_path)), frozenset())()
    assert store is not None
    store.put(["k"], models[ENCODER].encode(["a"]))
    assert [path.parts[-3] for path in tmp_path.rglob("*.parquet")] == ["embeddings"]
    with pytest.raises(ModelError, match="HCAT_LLM_BASE_URL"):
        ModelsOfSettings(Settings(artifacts=str(tmp_path)), frozenset(), None, "llm", required=True)()
