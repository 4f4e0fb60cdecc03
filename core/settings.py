"""Settings from the environment (`HCAT_*`) and from one `.env` file: the project's, or the one that is named.

Relative paths become absolute: those in the environment start at the current folder, those in a file at its folder. So
command line, server and workers use the same store, wherever they run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from hcat.core.errors import HcatError

ROOT = Path(__file__).resolve().parents[1]
"""The folder with `core`, `dashboard`, `pages` and `data`: the checkout, or the installed package."""
IMPORTED_FROM = Path(__file__).parents[2]
"""The folder that contains the package `hcat`: subprocesses are started here, with `-m`."""


_PLAIN = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "LANG", "TZ")


def plain_environment() -> dict[str, str]:
    """The environment variables for a program that reads files of others: without secrets."""
    return {name: os.environ[name] for name in _PLAIN if name in os.environ}


def default_workspace(root: Path = ROOT) -> Path:
    """The default folder of the store: in a checkout below `data`, else in the user's home folder."""
    if (root / "pyproject.toml").is_file():
        return root / "data" / "workspace"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "hcat"


WORKSPACE = default_workspace()
FILE_VARIABLE = "HCAT_ENV_FILE"
LASTING = frozenset({"file", "local", "s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "hdfs", "sftp", "smb"})
"""Protocols of places where written files persist."""
_SQLITE = "sqlite:///"
_MODELS = ("embedder", "nli", "toxicity")


def settings_file(root: Path = ROOT) -> Path | None:
    """The `.env` file to read: the one that HCAT_ENV_FILE names, else the project's own. Never one of another
    folder."""
    named = os.environ.get(FILE_VARIABLE)
    if named:
        path = Path(named).resolve()
        if not path.is_file():
            raise HcatError(f"{FILE_VARIABLE} names {path}, which is not a file")
        return path
    own = (root if (root / "pyproject.toml").is_file() else default_workspace(root)) / ".env"
    return own if own.is_file() else None


class Settings(BaseSettings):
    """All settings. A model is "default" (the packaged one), a local path, or a Hub name.

    An empty variable counts as not set, as in a template with a line that was not filled in."""

    model_config = SettingsConfigDict(env_prefix="HCAT_", env_ignore_empty=True, extra="ignore", frozen=True)

    database_url: str = Field(f"sqlite:///{WORKSPACE / 'hcat.db'}", repr=False)
    artifacts: str = Field(default_factory=lambda known: _default_artifacts(str(known.get("database_url", ""))))
    embedder: str = "default"
    nli: str = "default"
    toxicity: str = "default"
    llm_base_url: str | None = Field(None, repr=False)
    llm_api_key: SecretStr | None = None
    llm_model: str | None = None
    llm_timeout: float = Field(60.0, gt=0, allow_inf_nan=False)
    llm_max_tokens: int = Field(2048, ge=1)
    llm_parallel: int = Field(4, ge=1)
    llm_price_in: float | None = Field(None, ge=0, allow_inf_nan=False)
    llm_price_out: float | None = Field(None, ge=0, allow_inf_nan=False)
    device: str = "cpu"
    engine: Literal["local", "ray"] = "local"
    ray_address: str | None = None
    ray_workers: int | None = Field(None, ge=1)
    seed: int = Field(7, ge=0, lt=2**32)
    signing_key: str | None = None
    grammar_database_url: SecretStr | None = None
    allow_private_targets: bool = False
    allow_python_targets: bool = False
    login_issuer: str | None = None
    login_client_id: str | None = None
    login_client_secret: SecretStr | None = None
    login_name_claim: str = "sub"
    login_idle_minutes: float = Field(30, gt=0, le=720)
    login_hours: float = Field(12, gt=0, le=12)
    public_url: str | None = None
    max_file_mb: int = Field(200, ge=1)
    max_rows: int = Field(200_000, ge=1)
    max_cell_characters: int = Field(200_000, ge=1)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The settings that are never passed to another process, which reads its own."""
        return "llm_api_key", "grammar_database_url", "login_client_secret"

    @field_validator("artifacts")
    @classmethod
    def _check_artifacts(cls, value: str) -> str:
        kind = value.partition("://")[0] if "://" in value else "data" if value.startswith("data:") else "file"
        if not value.strip() or kind not in LASTING or "::" in value:
            raise ValueError(
                "name a folder, or an address such as s3://bucket/folder, that keeps what is written there"
            )
        return value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003  the names are the base class's
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The order of precedence: arguments in code, then the environment, then the file."""
        environment = _FromEnvironment(settings_cls)
        path = dotenv_settings.env_file if isinstance(dotenv_settings, DotEnvSettingsSource) else None
        if not isinstance(path, Path):
            return init_settings, environment
        return init_settings, environment, _FromFile(settings_cls, env_file=path)


class _FromEnvironment(EnvSettingsSource):
    def __call__(self) -> dict[str, object]:
        return absolute(super().__call__(), Path.cwd())


class _FromFile(DotEnvSettingsSource):
    def __call__(self) -> dict[str, object]:
        return absolute(super().__call__(), Path(str(self.env_file)).parent)


def absolute(values: Mapping[str, object], folder: Path) -> dict[str, object]:
    """The values, with each relative path resolved from the folder."""
    return {name: _placed(name, value, folder) if isinstance(value, str) else value for name, value in values.items()}


def _placed(name: str, value: str, folder: Path) -> str:
    path = value.removeprefix(_SQLITE)
    if name == "database_url" and value.startswith(_SQLITE) and path and not path.startswith((":", "file:", "?")):
        return _SQLITE + str(folder / path)
    if name == "signing_key":
        return str(folder / value)
    if name == "artifacts" and value.strip() and "://" not in value and not value.startswith("data:"):
        return str(folder / value)
    if name in _MODELS and (folder / value).is_dir():
        return str(folder / value)
    return value


def _default_artifacts(database_url: str) -> str:
    """The default folder for files: next to the file of a SQLite database, in the workspace for a server's."""
    path = database_url.removeprefix(_SQLITE).partition("?")[0]
    own = database_url.startswith(_SQLITE) and path and not path.startswith((":", "file:"))
    return str((Path(path).parent if own else WORKSPACE) / "artifacts")


@cache
def settings() -> Settings:
    """The settings of this process, read once. Raises HcatError for a value that a setting can't have."""
    try:
        return Settings(_env_file=settings_file())  # type: ignore[call-arg]  # which pydantic takes beside the fields
    except ValidationError as error:
        wrong = error.errors(include_input=False)[0]
        name = f"HCAT_{wrong['loc'][0]}".upper()
        raise HcatError(
            f"the setting {name} has a value that it can't have: {wrong['msg'].removeprefix('Value error, ')}"
        ) from None


def stated(chosen: Settings) -> dict[str, str]:
    """Environment variables that give another process the same settings, without the secrets."""
    values = chosen.model_dump(exclude=set(chosen.secrets), exclude_none=True)
    return {f"HCAT_{name.upper()}": str(value) for name, value in values.items()}
