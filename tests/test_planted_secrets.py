"""A secret in every setting that takes one, then everything that goes wrong and everything that is written: 0 hits.

Servers that refuse quote the request back, as some do. What is looked through: all output, logging, every file that
is left, also within backups and packs.
"""

from __future__ import annotations

import io
import json
import logging
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.capabilities.report.services.report_requests import ReportRequest
from hcat.core.faults.error_log import line_for
from hcat.core.jobs.processes import this_worker
from hcat.core.project.installation.doctor import examine
from hcat.core.records.signing import PASSPHRASE_VARIABLE
from hcat.core.records.test_case import TestCase
from hcat.core.settings import settings
from hcat.core.types import Criterion, Label, Sample
from hcat.core.worker import run_job
from hcat.core.workspace import Workspace
from hcat.dashboard.cli import main
from tests.core.capabilities.collect.servers import Response, Seen, serving

PLANTED = {
    "database": "pl4nted-database-Q7",
    "language model": "pl4nted-model-Q7",
    "address of the language model": "pl4nted-address-Q7",
    "grammar database": "pl4nted-grammar-Q7",
    "login": "pl4nted-login-Q7",
    "target": "pl4nted-target-Q7",
    "passphrase": "pl4nted-passphrase-Q7",
}
NOWHERE = "127.0.0.1:9"
ON_WRONG_DATABASE = (
    ["doctor"],
    ["doctor", "--deep"],
    ["migrate", "--check"],
    ["migrate"],
    ["projects", "list"],
    ["audit", "verify"],
    ["backup", "b.zip"],
    ["report", "--project", "bank", "-o", "r.html"],
    ["import", "run.jsonl", "--project", "bank", "--run", "v1"],
)
ON_FILES_AND_PROJECT = (
    ["score", "run.jsonl", "-o", "s.parquet", "--metrics", "answer_relevance_reverse"],
    ["judge", "run.jsonl", "--criteria", "captured_rate", "-o", "j.parquet"],
    ["judge", "v1", "--project", "bank", "--criteria", "captured_rate"],
    ["grammar", "generate", "settings", "-o", "g.jsonl"],
    ["grammar", "generate", f"postgresql://u:{PLANTED['grammar database']}@{NOWHERE}/g", "-o", "g.jsonl"],
    ["collect", "tests.jsonl", "--target", "target.yaml", "-o", "c.jsonl"],
    ["collect", "tests.jsonl", "--target", "target.yaml", "--project", "bank", "--run", "c1"],
    ["report", "--project", "bank", "-o", "r.html", "--pack", "p.zip"],
    ["report", "--project", "bank", "-o", "r.json"],
    ["verify", "p.zip", "--recompute"],
    ["key", "show"],
    ["audit", "checkpoint", "checkpoint.json"],
    ["audit", "export", "-o", "audit.csv"],
    ["audit", "list"],
    ["backup", "backup.zip"],
    ["doctor", "--deep"],
)


def refusing(seen: Seen) -> Response:
    """401, with what was sent in it."""
    return Response({"error": {"message": f"refused: {seen.path} {dict(seen.headers)}"}}, status=401)


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The settings with their secrets; the database is a file, since only a server's has a password."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with serving(refusing) as server:
        host = server.url.removeprefix("http://")
        said = {
            "DATABASE_URL": f"sqlite:///{tmp_path / 'hcat.db'}",
            "ARTIFACTS": str(tmp_path / "artifacts"),
            "LLM_BASE_URL": f"http://user:{PLANTED['address of the language model']}@{host}/v1",
            "LLM_MODEL": "a-model",
            "LLM_API_KEY": PLANTED["language model"],
            "GRAMMAR_DATABASE_URL": f"postgresql://u:{PLANTED['grammar database']}@{NOWHERE}/g",
            "LOGIN_ISSUER": f"https://{NOWHERE}",
            "LOGIN_CLIENT_ID": "hcat",
            "LOGIN_CLIENT_SECRET": PLANTED["login"],
            "PUBLIC_URL": "https://hcat.example",
            "ALLOW_PRIVATE_TARGETS": "1",
        }
        for name, value in said.items():
            monkeypatch.setenv(f"HCAT_{name}", value)
        monkeypatch.setenv("TARGET_TOKEN", PLANTED["target"])
        monkeypatch.setenv(PASSPHRASE_VARIABLE, PLANTED["passphrase"])
        settings.cache_clear()
        (tmp_path / "target.yaml").write_text(
            f"kind: http\nurl: {server.url}/ask?token=${{TARGET_TOKEN}}\n"
            "headers: {Authorization: 'Bearer ${TARGET_TOKEN}'}\nbody: {q: '{{query}}'}\n"
            "answer: $.answer\nbackoff: 0\nretries: 0\n",
            "utf-8",
        )
        (tmp_path / "tests.jsonl").write_text('{"id": "a", "query": "one"}\n', "utf-8")
        samples = [
            {"id": f"q{k}", "query": f"Fee {k}?", "answer": f"fee {k}", "contexts": [f"fee {k}"]} for k in range(6)
        ]
        (tmp_path / "run.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in samples), "utf-8")
        yield tmp_path
    settings.cache_clear()


def run_line(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The command as the terminal runs it; its exit code."""
    monkeypatch.setattr(sys, "argv", ["hcat", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0) if not isinstance(ended.value.code, str) else 1


def hits(name: str, content: bytes) -> list[tuple[str, str]]:
    """Which planted secrets stand in the content, and within zip files in it."""
    found = [(name, kind) for kind, secret in PLANTED.items() if secret.encode() in content]
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inner in archive.namelist():
                found += hits(f"{name}/{inner}", archive.read(inner))
    return found


def filled() -> Workspace:
    """A project with a run, labels and a report."""
    workspace = Workspace.open(settings(), actor="tests")
    project = workspace.projects.create("bank")
    run = workspace.runs.add(project, "v1", [Sample(f"q{k}", f"Fee {k}?", f"fee {k}") for k in range(6)], source="x")
    criterion = workspace.criteria.add(project, Criterion("correctness"))
    workspace.labels.add(run, criterion, [Label(f"q{k}", "correctness", k % 2, "ann") for k in range(4)])
    workspace.test_sets.add(project, "first", [TestCase("a", "one")], source="x")
    return workspace


def test_no_secret_of_a_setting_comes_out_anywhere(
    planted: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("hcat.core.project.jobs.launch", lambda settings, job_id: this_worker())
    codes = {}
    with filled() as workspace:
        project = workspace.projects.get("bank")
        run = workspace.runs.get(project, "v1")
        asked = workspace.jobs.start_scoring(run, ["answer_relevance_reverse"])
        built = workspace.jobs.start(project, ReportRequest("ann"))
        assert run_job(workspace, asked.id) and run_job(workspace, built.id)
        said = [json.dumps(dict(job.arguments)) + str(job.error) for job in workspace.jobs.all(project)]
        assert (workspace.jobs.get(asked.id).status, workspace.jobs.get(built.id).error) == ("failed", None)
        said += [str(check) for check in examine(settings(), deep=True)]
        said += [repr(settings()), str(settings()), repr(workspace.settings)]
    for line in ON_FILES_AND_PROJECT:
        codes[" ".join(line)] = run_line(line, monkeypatch)
    for secret in PLANTED.values():
        try:
            raise KeyError(f"postgresql://u:{secret}@{NOWHERE}/x?password={secret}")
        except KeyError as error:
            said.append(line_for(error, during=f"a page at http://u:{secret}@h/"))
    monkeypatch.setenv("HCAT_DATABASE_URL", f"postgresql://hcat:{PLANTED['database']}@{NOWHERE}/hcat")
    settings.cache_clear()
    said.append(repr(settings()))
    for line in ON_WRONG_DATABASE:
        codes[f"wrong: {' '.join(line)}"] = run_line(line, monkeypatch)
    shown = capfd.readouterr()
    for name, text in (("output", shown.out), ("errors", shown.err), ("log", caplog.text), ("said", "\n".join(said))):
        assert hits(name, text.encode()) == [], text
    written = [path for path in planted.rglob("*") if path.is_file()]
    [key] = [path for path in written if b"PRIVATE KEY" in path.read_bytes()]
    assert key.stat().st_mode & 0o777 == 0o600
    assert {"hcat.db", "p.zip", "r.html", "backup.zip", "tests.jsonl"} <= {path.name for path in written}
    assert [found for path in written for found in hits(path.relative_to(planted).as_posix(), path.read_bytes())] == []
    assert codes["report --project bank -o r.html --pack p.zip"] == 0 == codes["backup backup.zip"], codes
    failed = {line for line, code in codes.items() if code}
    assert {f"wrong: {' '.join(line)}" for line in ON_WRONG_DATABASE} <= failed, codes
    assert {"grammar generate settings -o g.jsonl", "doctor --deep"} <= failed, codes
