"""The parts of the set-up for a team: what the container file runs, what the services may do, what the proxy strips."""

from __future__ import annotations

import http.server
import json
import re
import shlex
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import typer.main
import yaml

from benchmarks.supply.lock import pins_of
from hcat.core import __version__
from hcat.core.settings import ROOT, Settings
from hcat.dashboard import cli

LINES = re.sub(r"\\\n", "", (ROOT / "Containerfile").read_text("utf-8")).splitlines()
INSTRUCTIONS = [tuple(line.split(None, 1)) for line in LINES if line and not line.startswith("#")]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
CADDY = (ROOT / "deploy" / "Caddyfile").read_text("utf-8")
KNOWN = {"ARG", "FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}


def of(kind: str) -> list[str]:
    return [words for name, words in INSTRUCTIONS if name == kind]


def last_stage() -> list[tuple[str, str]]:
    start = max(place for place, (name, _) in enumerate(INSTRUCTIONS) if name == "FROM")
    return INSTRUCTIONS[start:]


def test_the_container_file_is_made_of_known_instructions() -> None:
    assert {name for name, _ in INSTRUCTIONS} == KNOWN
    assert of("ARG")[0] == "BASE=docker.io/library/python:3.11-slim"
    assert [stage.split()[0] for stage in of("FROM")] == ["${BASE}", "${BASE}"]


def test_what_is_copied_is_there_and_not_left_out_of_the_context() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    sources = [word for words in of("COPY") if "--from" not in words for word in words.split()[:-1]]
    assert sources and all((ROOT / source).exists() for source in sources)
    assert ignored[0] == "*"
    assert {f"!{source.rstrip('/')}" for source in sources} == {line for line in ignored if line.startswith("!")}
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]["find"]
    assert {name.rstrip("*").replace(".", "/") + "/" for name in packages["include"]} <= set(sources)


def test_every_package_is_installed_by_its_hash_and_hcat_from_its_tree() -> None:
    installs = [shlex.split(words) for words in of("RUN") if "pip install" in words]
    files = [words[place + 1] for words in installs for place, word in enumerate(words) if word == "--requirement"]
    assert files == ["requirements/cpu.txt", "requirements/run.txt", "requirements/postgres.txt"]
    assert all("--no-deps" in words for words in installs)
    assert ["--require-hashes" in words for words in installs] == [True, True, False]
    assert installs[-1][-1] == "." and "--no-index" in installs[-1] and "--no-build-isolation" in installs[-1]
    pins = {name for file in files for name in pins_of((ROOT / file).read_text("utf-8"))}
    assert {"torch", "psycopg", "psycopg-binary", "setuptools"} <= pins


@pytest.mark.parametrize("words", [words for words in of("RUN") if "pip install" in words], ids=["cpu", "run", "hcat"])
def test_pip_knows_the_options(words: str) -> None:
    """The index stays unasked: pip stops at a file that is not there, after it has read its options."""
    arguments = [word for word in shlex.split(words)[3:] if not word.startswith("${")]
    arguments = [word.replace("requirements/", "/no/such/") if "requirements/" in word else word for word in arguments]
    arguments = ["/no/such/tree" if word == "." else word for word in arguments if word != "--index-url"]
    done = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr  # 2 is what pip says of a wrong option
    assert "/no/such/" in done.stderr


def test_it_runs_as_nobody_in_particular_and_holds_no_secret() -> None:
    stage = dict(last_stage())
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", stage["USER"])
    variables = {word.partition("=")[0] for words in of("ENV") for word in shlex.split(words)}
    variables -= {"PATH", "HOME", "XDG_DATA_HOME", "HF_HUB_OFFLINE", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    assert variables == {"HCAT_ARTIFACTS"}
    assert not re.search(r"curl|wget|ADD |apt-get|password|sudo", "\n".join(LINES), re.IGNORECASE)


def options_of(arguments: list[str]) -> dict[str, Any]:
    """What the real command line makes of the arguments."""
    group = typer.main.get_command(cli.app)
    command = group.get_command(group.make_context("hcat", [*arguments]), arguments[0])  # type: ignore[attr-defined]
    assert command is not None
    return dict(command.make_context(arguments[0], arguments[1:]).params)


def test_the_commands_are_those_of_the_command_line() -> None:
    stage = dict(last_stage())
    assert json.loads(stage["ENTRYPOINT"]) == ["/opt/hcat/bin/hcat"]
    assert options_of(json.loads(stage["CMD"]))["port"] == int(stage["EXPOSE"]) == 8501
    options = options_of(SERVICES["hcat"]["command"])
    assert (options["address"], options["without_login"]) == ("0.0.0.0", False)


@contextmanager
def answering(status: int) -> Iterator[int]:
    """A server that gives this answer to /readyz."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 500)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False)])
def test_the_health_check_asks_whether_hcat_is_ready(status: int, healthy: bool) -> None:
    (check,) = of("HEALTHCHECK")
    interpreter, *arguments = json.loads(check.partition("CMD ")[2])
    assert interpreter.startswith("/opt/hcat/")
    with answering(status) as port:
        asked = [argument.replace(":8501/", f":{port}/") for argument in arguments]
        done = subprocess.run([sys.executable, *asked], capture_output=True, check=False)
    assert (done.returncode == 0) == healthy


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_no_more_rights_than_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert ("ports" in service) == (name == "proxy")
    assert re.search(r":v?\d[\w.]*$", service["image"]), "an image has a version"
    assert not {"privileged", "network_mode", "pid", "devices"} & service.keys()
    assert set(service.get("secrets", ())) <= COMPOSE["secrets"].keys()
    if name in ("database", "provider"):
        assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"])


def test_hcat_and_its_database_have_no_way_out() -> None:
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert SERVICES["hcat"]["networks"] == SERVICES["database"]["networks"] == ["inside"]
    assert SERVICES["proxy"]["networks"]["inside"] == {"aliases": ["${HCAT_NAME}"]}  # the way to the provider
    assert SERVICES["hcat"]["image"].endswith(f":{__version__}")
    assert SERVICES["hcat"]["depends_on"]["database"]["condition"] == "service_healthy"


def test_secrets_are_files_that_are_not_committed_and_each_is_used() -> None:
    used = {name for service in SERVICES.values() for name in service.get("secrets", ())}
    assert used == COMPOSE["secrets"].keys()
    assert all(secret["file"].startswith("./secrets/") for secret in COMPOSE["secrets"].values())
    assert "/secrets/" in (ROOT / ".gitignore").read_text("utf-8").split()
    assert "secrets" not in (ROOT / ".dockerignore").read_text("utf-8")
    given = {name: value for service in SERVICES.values() for name, value in service.get("environment", {}).items()}
    assert all(str(value).startswith("/run/secrets/") for name, value in given.items() if "FILE" in name)
    assert not [name for name in given if re.search(r"PASSWORD$|SECRET|TOKEN|KEY", name)]
    assert {name for name in given if name.startswith("HCAT_")} == {"HCAT_ENV_FILE", "HCAT_NAME"}
    page = (ROOT / "docs" / "team.md").read_text("utf-8")
    assert all(f"`{secret['file'].removeprefix('./secrets/')}`" in page for secret in COMPOSE["secrets"].values())


def test_the_proxy_believes_nobody_outside_and_leaves_the_login_to_hcat() -> None:
    assert CADDY.count("{") == CADDY.count("}")
    site = CADDY[CADDY.index("{$HCAT_NAME}") :]
    assert site.count("hcat:8501") == 1
    assert set(re.findall(r"reverse_proxy (\S+)", site)) == {"hcat:8501", "provider:5556"}
    stripped = re.findall(r"request_header -(\S+)", site)
    assert {"X-Auth-Request-*", "X-Forwarded-User", "X-Forwarded-Email"} <= set(stripped)
    assert "header_up Host" not in site  # the name that was asked for is passed on
    for path in ("/healthz", "/readyz"):
        assert re.search(rf"handle {path} \{{\s+respond 404\s+\}}", site)
    (most,) = re.findall(r"max_size (\d+)MB", site)
    assert int(most) > Settings.model_fields["max_file_mb"].default


def test_streamlit_believes_no_header_of_who_somebody_is() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert "trustedUserHeaders" not in config["server"]
