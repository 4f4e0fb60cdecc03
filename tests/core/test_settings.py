"""One store, whichever folder one stands in; places that lose data and passwords in messages are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hcat.core import settings as module
from hcat.core.display.addresses import without_secrets
from hcat.core.errors import HcatError
from hcat.core.settings import FILE_VARIABLE, Settings, settings, settings_file, stated


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HCAT_DATABASE_URL", "HCAT_ARTIFACTS", "HCAT_EMBEDDER", FILE_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    settings.cache_clear()
    monkeypatch.chdir(tmp_path)


def read(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Settings:
    for name, value in variables.items():
        monkeypatch.setenv(f"HCAT_{name.upper()}", value)
    settings.cache_clear()
    try:
        return settings()
    finally:
        settings.cache_clear()


def test_relative_paths_of_the_environment_start_where_one_stands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model").mkdir()
    chosen = read(monkeypatch, database_url="sqlite:///rel.db", artifacts="files", embedder="model")
    assert chosen.database_url == f"sqlite:///{tmp_path / 'rel.db'}"
    assert chosen.artifacts == str(tmp_path / "files")
    assert chosen.embedder == str(tmp_path / "model")
    other = stated(chosen)
    assert other["HCAT_DATABASE_URL"] == chosen.database_url
    monkeypatch.chdir("/")
    assert read(monkeypatch, **{name.removeprefix("HCAT_").lower(): value for name, value in other.items()}) == chosen


@pytest.mark.parametrize(
    "url", ["sqlite:////absolute.db", "sqlite:///:memory:", "sqlite://", "postgresql://u@127.0.0.1/hcat"]
)
def test_other_addresses_stay_as_they_are(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    assert read(monkeypatch, database_url=url).database_url == url


def test_files_lie_beside_a_database_that_is_named_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read(monkeypatch, database_url="sqlite:///other/rel.db").artifacts == str(tmp_path / "other" / "artifacts")
    assert read(monkeypatch, database_url="postgresql://u@127.0.0.1/hcat").artifacts == read(monkeypatch).artifacts
    monkeypatch.delenv("HCAT_DATABASE_URL")
    chosen = read(monkeypatch)
    assert chosen.database_url == f"sqlite:///{Path(chosen.artifacts).parent / 'hcat.db'}"


def test_a_file_of_the_folder_one_stands_in_is_not_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("HCAT_SEED=99\n")
    assert read(monkeypatch).seed != 99


def test_a_file_that_is_named_is_read_and_its_paths_start_at_its_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "bank.env").write_text("HCAT_SEED=99\nHCAT_ARTIFACTS=files\nHCAT_DATABASE_URL=sqlite:///bank.db\n")
    chosen = read(monkeypatch, env_file="elsewhere/bank.env")
    assert (chosen.seed, chosen.artifacts) == (99, str(folder / "files"))
    assert chosen.database_url == f"sqlite:///{folder / 'bank.db'}"
    assert read(monkeypatch, seed="5").seed == 5, "the environment comes before the file"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    plain = read(monkeypatch)
    assert read(monkeypatch, **{name: ""}) == plain
    (tmp_path / "bank.env").write_text(f"HCAT_{name.upper()}=\nHCAT_SEED=99\n")
    expected = plain if name == "seed" else plain.model_copy(update={"seed": 99})
    if name == "seed":
        (tmp_path / "bank.env").write_text('HCAT_SEED=""\n')
    assert read(monkeypatch, env_file="bank.env", **{name: ""}) == expected


def test_an_empty_variable_of_the_environment_leaves_what_the_file_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bank.env").write_text("HCAT_LLM_MODEL=theirs\n")
    assert read(monkeypatch, env_file="bank.env", llm_model="").llm_model == "theirs"
    assert Settings(llm_model="").llm_model == "", "what code says is said"


def test_a_file_that_is_named_and_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HcatError, match="is not a file"):
        read(monkeypatch, env_file="none.env")


def test_the_file_of_the_project_is_read(tmp_path: Path) -> None:
    assert settings_file(tmp_path) is None
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".env").touch()
    assert settings_file(tmp_path) == tmp_path / ".env"
    assert tmp_path != module.ROOT


@pytest.mark.parametrize("place", ["memory://x", " ", "data:,x", "data://x", "http://host/x", "zip://a::file://b"])
def test_places_that_keep_nothing_are_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    with pytest.raises(HcatError, match="HCAT_ARTIFACTS") as refused:
        read(monkeypatch, artifacts=place)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://127.0.0.1:9/x?user=u&password=SECRETPW",
        "postgresql://u:SECRETPW@127.0.0.1:9/x",
        "postgresql://127.0.0.1/x?sslpassword=SECRETPW can't be used",
        'invalid connection option "password=SECRETPW"',
        "s3://key:SECRETPW@bucket/x",
        "host=x PASSWORD = SECRETPW user=u",
    ],
)
def test_passwords_are_hidden_wherever_they_stand(text: str) -> None:
    assert "SECRETPW" not in without_secrets(text)
    assert "***" in without_secrets(text)


def test_addresses_without_secrets_stay_readable() -> None:
    url = "postgresql://u@127.0.0.1:9/x?sslmode=require"
    assert without_secrets(url) == url
