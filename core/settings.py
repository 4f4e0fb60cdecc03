"""Settings from the environment (`HCAT_*`) or a `.env` file."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import HcatError

ROOT = Path(__file__).resolve().parents[1]


def default_workspace(root: Path = ROOT) -> Path:
    """Where the store is by default: in a checkout below `data`, else in the user's own folder."""
    if (root / "pyproject.toml").is_file():
        return root / "data" / "workspace"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "hcat"


WORKSPACE = default_workspace()


class Settings(BaseSettings):
    """All that can be set. A model is "default" (the packaged one), a local path, or a Hub name."""

    model_config = SettingsConfigDict(env_prefix="HCAT_", env_file=".env", extra="ignore", frozen=True)

    database_url: str = f"sqlite:///{WORKSPACE / 'hcat.db'}"
    artifacts: str = str(WORKSPACE / "artifacts")
    embedder: str = "default"
    nli: str = "default"
    toxicity: str = "default"
    llm_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    llm_model: str | None = None
    llm_timeout: float = 60.0
    llm_max_tokens: int = 2048
    llm_parallel: int = 4
    llm_price_in: float | None = None
    llm_price_out: float | None = None
    device: str = "cpu"
    seed: int = 7
    grammar_database_url: SecretStr | None = None
    allow_private_targets: bool = False
    allow_python_targets: bool = False
    max_file_mb: int = 200
    max_rows: int = 200_000
    max_cell_characters: int = 200_000


@cache
def settings() -> Settings:
    """The settings of this process, read once. Raises HcatError for a value that a setting can't have."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = error.errors(include_input=False)[0]
        name = f"HCAT_{wrong['loc'][0]}".upper()
        raise HcatError(f"the setting {name} has a value that it can't have: {wrong['msg']}") from None
