"""`hcat grammar evaluate`, on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hcat.core.settings import settings
from hcat.dashboard.cli import app

BLUE = {"id": "blue", "text": "The fee of Blue is 12 euros."}


def write(path: Path, answers: dict[str, list[str | None]], **more: object) -> Path:
    rows = [
        {
            "id": f"{group}{number}",
            "query": "What is the fee of 'Blue'?",
            "answer": answer,
            "contexts": [BLUE],
            "reference": "12 euros",
            "relevant_ids": {"blue": 1},
            "group": group,
            **more,
        }
        for group, some in answers.items()
        for number, answer in enumerate(some)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    short = write(tmp_path / "s.jsonl", {"a": ["12 euros"] * 2, "b": ["12 euros", "free"], "c": [None, "free"]})
    long = write(tmp_path / "l.jsonl", {"a": ["12 euros", "free"], "b": ["free"] * 2, "c": [None, "free"]})
    return [f"short={short}", f"long={long}"]


def evaluate(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["grammar", "evaluate", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_document_holds_groups_rates_and_differences(files: list[str]) -> None:
    found = json.loads(evaluate(*files, "--verbatim", "--json"))
    assert found["settings"] == {"verdicts": "verbatim", "closed_domain": False}
    short = found["runs"]["short"]
    assert short["groups"] == {"gap": 1, "robust": 1, "non_robust": 1, "total": 3}
    assert short["R"]["value"] == pytest.approx(3 / 4)
    assert short["accuracy"]["value"] == pytest.approx(3 / 6)
    assert short["attribution"] == {"language_model": 1, "retrieval": 0, "undecided": 0}
    assert short["right_without_document"]["value"] == 0
    [difference] = found["differences"]
    assert (difference["a"], difference["b"]) == ("short", "long")
    assert difference["R"]["value"] == pytest.approx(1 - 1 / 2)  # on group a, which both answer
    assert difference["R_published"] == pytest.approx(3 / 4 - 1 / 2)
    assert (difference["groups_only_a"], difference["groups_only_b"]) == (1, 0)
    assert difference["R_test"]["verdict"] == "too few groups"
    assert set(found["inputs"]) == {"short", "long"}


def test_the_table_says_the_same_in_words(files: list[str]) -> None:
    text = evaluate(*files, "--verbatim")
    assert "non-robust: some right" in text
    assert "R, short less long, on 1 group that both answer: +0.50 [" in " ".join(text.split())
    assert "a rule, not a person" in text


def test_labels_say_what_is_right(files: list[str], tmp_path: Path) -> None:
    rows = [
        f"{name},correctness,{label},{run}"
        for run in ("short", "long")
        for name, label in (
            ("a0", "pass"),
            ("a1", "pass"),
            ("b0", "pass"),
            ("b1", "fail"),
            ("c0", "fail"),
            ("c1", "fail"),
        )
    ]
    labels = tmp_path / "labels.csv"
    labels.write_text("sample_id,criterion,label,run\n" + "\n".join(rows), "utf-8")
    found = json.loads(evaluate(*files, "--labels", str(labels), "--criterion", "correctness", "--json"))
    assert found["runs"]["short"]["R"]["value"] == found["runs"]["long"]["R"]["value"] == pytest.approx(3 / 4)
    assert found["differences"][0]["R"]["low"] < 0 < found["differences"][0]["R"]["high"]


def test_recorded_verdicts_are_the_default(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", {"a": ["yes", "no"]}, metadata={"judgement": "Correct"})
    assert json.loads(evaluate(str(path), "--json"))["runs"]["run"]["R"]["value"] == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "no answer has a verdict"),
        (["--verbatim", "--labels", "x.csv"], "choose one"),
        (["--labels", "x.csv"], "needs --criterion"),
        (["--verbatim", "--documents", "none.json"], "not a file"),
    ],
)
def test_a_mistake_is_one_line(files: list[str], more: list[str], said: str) -> None:
    result = CliRunner().invoke(app, ["grammar", "evaluate", *files, *more])
    assert said in str(result.exception)


def test_two_runs_of_one_name_are_refused(files: list[str]) -> None:
    result = CliRunner().invoke(app, ["grammar", "evaluate", files[0], files[0]])
    assert "name each as CRITERION=FILE" in str(result.exception)


def test_from_a_company_to_groups_on_files(tmp_path: Path) -> None:
    company, tests, pages = tmp_path / "company.sqlite", tmp_path / "tests.jsonl", tmp_path / "documents"
    result = CliRunner().invoke(app, ["grammar", "company", str(company), "--employees", "24", "--seed", "1"])
    assert result.exit_code == 0, result.output
    options = ["-o", str(tests), "--most", "3", "--documents", str(pages), "--criteria", "formal,casual"]
    result = CliRunner().invoke(app, ["grammar", "generate", str(company), *options, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    rows = [json.loads(line) for line in tests.read_text("utf-8").splitlines()]
    assert len(rows) == found["queries"] == 8 * found["groups"]
    assert found["text_templates"] == {"formal": 4, "casual": 4}
    assert sum(row["queries"] for row in found["sql_templates"]) == found["queries"]
    assert {row["dimensions"]["criterion"] for row in rows} == {"formal", "casual"}
    needed = {name for row in rows for name in row["relevant_ids"]}
    assert needed <= {path.stem for path in pages.glob("*.md")}
    # A system that answers every query from its page is robust in every group.
    run = tmp_path / "run.jsonl"
    answered = [
        {
            **row,
            "answer": row["reference"],
            "contexts": [{"id": name, "text": (pages / f"{name}.md").read_text("utf-8")}],
        }
        for row in rows
        for name in row["relevant_ids"]
    ]
    run.write_text("\n".join(json.dumps(row) for row in answered), "utf-8")
    apart = json.loads(evaluate(str(run), "--verbatim", "--by-criterion", "--json"))["runs"]
    assert list(apart) == ["run: formal", "run: casual"]
    runs = json.loads(evaluate(str(run), "--verbatim", "--json"))["runs"]["run"]
    assert runs["groups"]["robust"] == runs["groups"]["total"] == found["groups"]
    assert runs["retrieval_accuracy"]["value"] == 1


def test_own_text_templates(tmp_path: Path) -> None:
    company, own, tests = tmp_path / "c.sqlite", tmp_path / "own.json", tmp_path / "t.jsonl"
    CliRunner().invoke(app, ["grammar", "company", str(company)])
    own.write_text(json.dumps({"pirate": ["Arr, the {question} of the {subject} '{value}'!"]}), "utf-8")
    result = CliRunner().invoke(
        app, ["grammar", "generate", str(company), "-o", str(tests), "--templates", str(own), "--most", "1"]
    )
    assert result.exit_code == 0, result.output
    assert "pirate 1" in result.stdout
    assert all(json.loads(line)["query"].startswith("Arr, the ") for line in tests.read_text("utf-8").splitlines())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.sqlite"], "not a file"),
        (["none.sqlite", "--criteria", "rude"], "no text templates for rude"),
        (["none.sqlite", "--documents", "."], "there already"),
        (["none.sqlite", "--templates", "none.json"], "not a file"),
    ],
)
def test_a_mistake_in_generating_is_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    output = tmp_path / "t.jsonl"
    result = CliRunner().invoke(app, ["grammar", "generate", *arguments, "-o", str(output)])
    assert said in str(result.exception)
    assert not output.exists()


def test_a_plan_is_built_edited_and_filled(tmp_path: Path) -> None:
    database, plan, tests = tmp_path / "c.sqlite", tmp_path / "plan.yaml", tmp_path / "tests.jsonl"
    run("company", str(database), "--employees", "24", "--seed", "3")
    built = json.loads(run("build", str(database), "-o", str(plan), "--json"))
    assert len(built["sql_templates"]) > 20
    assert not [row for row in built["sql_templates"] if row["problem"]]
    text = plan.read_text("utf-8")
    own = "- sql: SELECT salary FROM employee WHERE job_title = '[employee.job_title]' AND name = '[employee.name]'\n"
    short = "What does '[employee.name]' earn as '[employee.job_title]'?"
    long = "Pay of '[employee.name]', '[employee.job_title]'?"
    texts = f'  texts: {{short: ["{short}"], long: ["{long}"]}}\n'
    plan.write_text(f"{text}{own}{texts}", "utf-8")
    pages = tmp_path / "pages"
    found = json.loads(run("fill", str(database), str(plan), "-o", str(tests), "--documents", str(pages), "--json"))
    last = found["sql_templates"][-1]
    assert (last["groups"], last["queries"], last["dropped"].keys()) == (24, 48, {"no row"})
    rows = [json.loads(line) for line in tests.read_text("utf-8").splitlines()]
    assert len(rows) == found["queries"]
    assert all(len(row["relevant_ids"]) == 1 for row in rows)
    assert {path.stem for path in pages.iterdir()} >= {name for row in rows for name in row["relevant_ids"]}


def test_the_database_of_the_settings_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "c.sqlite"
    run("company", str(database), "--employees", "24")
    monkeypatch.setenv("HCAT_GRAMMAR_DATABASE_URL", f"sqlite:///{database}")
    settings.cache_clear()
    assert "HCAT" not in run("build", "settings", "-o", str(tmp_path / "plan.yaml"))
    assert str(database) not in (tmp_path / "plan.yaml").read_text("utf-8")
    monkeypatch.delenv("HCAT_GRAMMAR_DATABASE_URL")
    settings.cache_clear()
    result = CliRunner().invoke(app, ["grammar", "build", "settings", "-o", str(tmp_path / "other.yaml")])
    assert "set HCAT_GRAMMAR_DATABASE_URL" in str(result.exception)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["grammar", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_evaluators_are_compared_with_what_is_right(files: list[str], tmp_path: Path) -> None:
    for name, file in (pair.split("=") for pair in files):
        rows = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
        judged = [f"{row['id']},{int(row['answer'] == '12 euros')},{len(row['id'])}" for row in rows]
        (tmp_path / f"{name}.csv").write_text("\n".join(["sample_id,judge,length", *judged]), "utf-8")
    scores = [option for name in ("short", "long") for option in ("--scores", f"{name}={tmp_path / name}.csv")]
    scores += ["--direction", "judge=higher"]
    found = json.loads(evaluate(*files, "--verbatim", *scores, "--threshold", "judge=0.5", "--json"))
    judge = next(row for row in found["evaluators"] if row["evaluator"] == "judge")
    assert (judge["threshold"], judge["n"], judge["precision"]["value"], judge["recall"]["value"]) == (0.5, 12, 1, 1)
    assert judge["base_rate"]["value"] == pytest.approx(4 / 12)
    assert judge["auc"]["value"] == 1
    assert "held-out folds" in evaluate(*files, "--verbatim", *scores)
    result = CliRunner().invoke(app, ["grammar", "evaluate", *files, "--verbatim", "--scores", "x=y.csv"])
    assert "with a run among short, long" in str(result.exception)
