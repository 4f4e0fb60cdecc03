"""Whatever is wrong with a call, it is one line that begins with `hcat:`, and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hcat.core.settings import settings
from hcat.dashboard import cli

NAMES = [command.name for command in cli.app.registered_commands]

MISSING_FILE = {
    "import": "import none.jsonl --project p --run r",
    "score": "score none.jsonl -o s.parquet",
    "agreement": "agreement none.csv --criterion correctness",
    "calibrate": "calibrate none.parquet none.csv --criterion c --metrics m -o cal.json",
    "fitness": "fitness none.parquet none.csv --criterion c",
    "predict": "predict none.parquet none.json -o d.parquet",
    "estimate": "estimate none.parquet none.csv --criterion c --metrics m",
    "compare": "compare a.jsonl b.jsonl --scores-a a.parquet --scores-b b.parquet --labels-a a.csv --labels-b b.csv "
    "--criterion c --metrics m",
    "plan": "plan none.parquet none.csv --criterion c --metrics m",
    "trials": "trials none.jsonl",
    "weakness": "weakness none.jsonl none.parquet --by topic -o w.parquet",
    "topics": "topics none.jsonl -o t.parquet",
    "generate": "generate none.jsonl -o t.jsonl",
    "select": "select none.jsonl none.jsonl -o t.jsonl",
    "design": "design none.jsonl -n 5 -o d.json",
    "perturb": "perturb none.jsonl -o v.jsonl",
    "robustness": "robustness none.jsonl",
    "attack": "attack none.jsonl -o a.jsonl",
    "attack-rates": "attack-rates none.jsonl",
    "bias": "bias none.jsonl",
    "corpus": "corpus none -o p.jsonl",
    "coverage": "coverage none.jsonl none.jsonl",
    "collect": "collect none.jsonl --target t.yaml -o r.jsonl",
    "retrieval": "retrieval none.jsonl",
    "safety": "safety none.jsonl -o s.parquet",
    "restore": "restore none.zip",
    "verify": "verify none.zip",
    "report": "report --run none.jsonl --scores none.parquet -o r.html",
}
TAKES_NO_FILE = {"demo", "serve", "metrics", "glossary", "compare-slices", "backup", "migrate", "doctor"} | {
    "erase",
    "erasures",
}

BAD_VALUES = (
    "demo --port none",
    "serve --port 0",
    "restore run.jsonl",
    "backup no/such/folder/b.zip",
    "migrate now",
    "doctor --deep=none",
    "erase q1 --finish=none",
    "erasures --json=none",
    "serve --address 256.1.1.1",
    "serve --address 0.0.0.0",
    "import run.jsonl --project p --run r --format none",
    "import run.jsonl --project p --run r --map query",
    "score run.jsonl -o s.parquet --metrics none",
    "score run.jsonl -o s.parquet --claims none",
    "safety run.jsonl",
    "safety run.jsonl -o s.parquet --filter none",
    "safety run.jsonl -o s.parquet --filtered f.jsonl",
    "safety none --project none",
    "score run.jsonl -o no/such/folder/s.parquet --metrics answer_length",
    "metrics --json=none",
    "glossary no-such-word",
    "agreement labels.csv --criterion none",
    "agreement labels.csv --criterion correctness --seed none",
    "calibrate s.parquet labels.csv --criterion correctness --metrics none -o c.json",
    "calibrate s.parquet labels.csv --criterion correctness --metrics answer_length -o c.json --alpha none",
    "fitness s.parquet labels.csv --criterion none",
    "fitness s.parquet labels.csv --criterion correctness --metrics none",
    "fitness s.parquet --criterion correctness",
    "fitness --project none --run r --criterion c",
    "compare run.jsonl --criterion correctness --metrics answer_length",
    "compare r s t --project none --criterion correctness --metrics answer_length",
    "trials --project none --run r",
    "trials run.jsonl --scores s.parquet --metric answer_length=high",
    "trials run.jsonl --labels labels.csv --criterion correctness --expected run.jsonl",
    "agreement --project none --run r --criterion c",
    "plan --project none --run r --criterion c --metrics m",
    "predict --project none --run r -o d.parquet",
    "retrieval --project none --run r",
    "grammar evaluate r --project none --verbatim",
    "grammar build c.sqlite -o p.yaml --requirements fees",
    "predict s.parquet s.parquet -o d.parquet",
    "estimate s.parquet labels.csv --criterion correctness --metrics none",
    "compare a b --project none --criterion correctness --metrics none",
    "plan s.parquet labels.csv --criterion correctness --metrics answer_length --width none",
    "trials run.jsonl --calibration s.parquet --scores s.parquet",
    "trials run.jsonl --threshold none",
    "weakness run.jsonl s.parquet --by topic --calibration s.parquet -o w.parquet",
    "weakness run.jsonl s.parquet --by topic -o w.parquet --minimum-n none",
    "topics run.jsonl -o t.parquet --on none",
    "topics run.jsonl",
    "topics --project p",
    "topics --project p --run r --corpus c",
    "topics --project none --corpus c",
    "generate run.jsonl -o t.jsonl",
    "generate none -o t.jsonl --types none",
    "generate none -o t.jsonl --types open=x",
    "generate none -o t.jsonl --endpoint http://127.0.0.1:9/v1",
    "select run.jsonl s.parquet -o t.jsonl",
    "select labels.csv run.jsonl -o t.jsonl",
    "design run.jsonl -n 5 -o d.json",
    "design passages.jsonl -n 0 -o d.json",
    "design c -n 5 -o d.json --project none",
    "design c -n 5 -o d.json --project none --topics passages.jsonl",
    "design passages.jsonl -n 2 -o d.txt",
    "design passages.jsonl -n 2 -o d.json --by none",
    "design passages.jsonl -n 2 -o d.json --topics passages.jsonl",
    "design passages.jsonl -n 2 -o d.json --kind none",
    "design passages.jsonl -n 2 -o d.json --kind weighted --weight p0",
    "design passages.jsonl -n 2 -o d.json --kind weighted --weight none=2",
    "design passages.jsonl -n 9 -o d.json --per-passage 1",
    "design passages.jsonl -n 2 -o d.json --minimum 2",
    "robustness run.jsonl",
    "demo --system-corpus passages.jsonl",
    "demo --serve-system --system-corpus none.jsonl",
    "attack",
    "attack passages.jsonl",
    "attack passages.jsonl -o a.jsonl --project p",
    "attack passages.jsonl -o a.jsonl --family none",
    "attack passages.jsonl -o a.jsonl -n 1",
    "attack passages.jsonl -o a.jsonl --below 2",
    "attack passages.jsonl -o a.jsonl --tests run.jsonl",
    "attack passages.jsonl -o a.jsonl --system-prompt none.txt",
    "attack none --project none",
    "attack-rates run.jsonl",
    "attack-rates run.jsonl --labels labels.csv",
    "attack-rates none --project none",
    "robustness run.jsonl --metrics none",
    "robustness none --project none",
    "bias",
    "bias run.jsonl",
    "bias run.jsonl --margin none",
    "bias run.jsonl --margin -1",
    "bias run.jsonl --reference gender",
    "bias run.jsonl --by none",
    "bias run.jsonl --labels labels.csv",
    "bias --questions 1",
    "bias --settle me --margin 0.05",
    "bias --settle me --project none",
    "bias none --project none",
    "perturb run.jsonl",
    "perturb run.jsonl -o v.jsonl --family none",
    "perturb run.jsonl -o v.jsonl --strength none",
    "perturb run.jsonl -o v.jsonl --strength 2",
    "perturb run.jsonl -o v.jsonl --perturbed-corpus c.jsonl",
    "corpus run.jsonl",
    "corpus run.jsonl -o p.jsonl",
    "corpus passages.jsonl -o p.jsonl --words 5",
    "corpus passages.jsonl -o p.jsonl --overlap 100",
    "corpus passages.jsonl -o p.jsonl --project p",
    "corpus run.jsonl -o p.jsonl --passages",
    "corpus passages.jsonl passages.jsonl -o p.jsonl --passages",
    "corpus -o p.jsonl",
    "corpus -o p.jsonl --run r",
    "corpus --project none --run r",
    "corpora list --project none",
    "corpora rename c other --project none",
    "corpora archive c --project none",
    "corpora restore c --project none",
    "corpora delete c --project none",
    "coverage labels.csv passages.jsonl",
    "coverage run.jsonl",
    "coverage t --project none",
    "coverage t c --project none --untestable labels.csv",
    "coverage run.jsonl passages.jsonl --declared run.jsonl",
    "coverage run.jsonl passages.jsonl --untestable labels.csv",
    "coverage run.jsonl passages.jsonl --topics labels.csv",
    "topics passages.jsonl -o t.parquet --cluster kmeans --radius 2",
    "collect run.jsonl --target none.yaml -o r.jsonl",
    "collect run.jsonl --target run.jsonl -o r.jsonl --trials 0",
    "grammar evaluate run.jsonl",
    "tests list --project none",
    "tests show t --project none",
    "tests import run.jsonl --project none --name t",
    "tests generate c --project none --name t",
    "tests generate c --project none --name t --writer none",
    "tests export t --project none -o t.jsonl",
    "tests freeze t --project none --author a --unreviewed none",
    "tests freeze t --project none --author a --unreviewed included",
    "tests diff t --project none --from 1",
    "tests perturb t --project none --to v",
    "tests perturb t --project none --to v --strength none",
    "llm serve none.gguf",
    "judge none.jsonl -o s.parquet",
    "judge run.jsonl",
    "judge run.jsonl -o s.parquet",
    "judge run.jsonl -o s.parquet --endpoint http://127.0.0.1:9/v1",
    "judge run.jsonl --dry-run --criteria none",
    "judge run.jsonl --dry-run --rubric run.jsonl",
    "judge run.jsonl --dry-run --name a,b",
    "judge run.jsonl --dry-run --labels labels.csv",
    "judge run.jsonl --dry-run --examples 2 --criteria value_add",
    "judge run.jsonl --dry-run --trials 0",
    "judge run.jsonl --dry-run --keep-labels",
    "judge r --project none",
    "judge r --project none --labels labels.csv --criterion correctness",
    "judge r --project none --keep-labels --sample 3",
    "judge run.jsonl -o s.parquet --llm-labels l.csv",
    "judge bias run.jsonl",
    "judge bias none.jsonl.gz",
    "judge bias run.jsonl --run",
    "judge bias run.jsonl --own gpt",
    "judge rubric --rubric none.json",
    "judge panel s.parquet --metrics answer_length",
    "judge panel s.parquet --metrics none,other",
    "judge distil run.jsonl labels.csv --criterion correctness --criteria none -o r.json",
    "judge distil run.jsonl labels.csv --criterion correctness --criteria captured_rate",
    "judge distil r labels.csv --criterion correctness --criteria captured_rate --project none",
    "judge gain run.jsonl labels.csv --criterion correctness --criteria captured_rate --against none.json",
    "judge gain r --criterion correctness --criteria captured_rate --against one --project none",
    "judge self-preference j.json --own gpt --wrote gpt-4 --criterion correctness",
    "judge self-preference j.json --own gpt --wrote gpt-4 --wrote other --criterion correctness",
    "judge self-preference run.jsonl --run run.jsonl --labels labels.csv --own g --wrote g --criterion correctness",
    "judge self-preference r --project none --own gpt --wrote gpt-4 --criterion correctness",
    "judge pairs run.jsonl run.jsonl --criteria captured_rate",
    "judge pairs run.jsonl none.jsonl --criteria captured_rate -o v.jsonl",
    "judge pairs r s --criteria captured_rate --project none",
    "judge rubric --version 1",
    "judge rubric --project none --save run.jsonl",
    "judge rubric --project none --save run.jsonl --author a",
    "llm serve run.jsonl",
    "grammar generate none.sqlite -o t.jsonl",
    "grammar company c.sqlite --employees 2",
    "compare-slices --project none --run r --against s --metric answer_f1",
    "retrieval run.jsonl",
    "queue plan --project none --run r",
    "queue plan --project none --run r --kind slice",
    "queue plan --project none --run r --kind confirming",
    "queue list --project none --run r",
    "samples export --project none --run r -o s.csv",
    "samples export --project none --run r -o s.doc",
    "queue items --project none --run r -o i.csv",
    "queue archive random --project none --run r",
    "queue restore random --project none --run r",
    "queue delete random --project none --run r",
    "members list --project none",
    "members add nobody --project none",
    "members add nobody --administrator",
    "members add nobody",
    "members add ann --account --project none",
    "members role nobody viewer",
    "members role nobody viewer --project none",
    "members remove nobody",
    "members remove nobody --project none",
    "projects rename none other",
    "projects archive none",
    "projects restore none",
    "projects delete none --confirm none --author a",
    "runs list --project none",
    "runs rename r other --project none",
    "runs archive r --project none",
    "runs restore r --project none",
    "runs delete r --project none",
    "criteria list --project none",
    "criteria rename c other --project none",
    "criteria archive c --project none",
    "criteria restore c --project none",
    "criteria delete c --project none",
    "labels export --project none -o l.csv",
    "labels disagreements --project none --run r",
    "labels decide s0 pass --project none --run r --author a --rationale b",
    "calibration save s.parquet --project none --run r --author a",
    "calibration show --project none --run r",
    "policy show s.parquet",
    "policy fit s.parquet labels.csv s.parquet -o p.json",
    "policy fit s.parquet labels.csv none.json -o p.json --error 2",
    "policy check s.parquet s.parquet",
    "policy fit -o p.json",
    "policy fit -o p.json --project none --run r",
    "policy fit s.parquet labels.csv none.json -o p.json --project none --run r",
    "policy apply -o a.parquet --project none --run r",
    "policy check --project none",
    "policy regenerate --target none.yaml",
    "policy regenerate --target none.yaml --project none --run r --name n",
    "policy check",
    "policy switch-on s.parquet --project none --run r --author a",
    "policy list --project none",
    "risks show --project none",
    "risks state s.parquet --project none --author a",
    "risks state run.jsonl --project none --author a",
    "policy apply s.parquet s.parquet -o a.parquet",
    "policy regenerate run.jsonl s.parquet s.parquet --target none.yaml -o n.jsonl --new-scores n.parquet",
    "report --run run.jsonl --scores s.parquet -o r.html --withhold-texts",
    "report --run run.jsonl --scores s.parquet -o r.html --pack no/such/folder/p.zip",
    "verify labels.csv",
    "verify labels.csv --recompute",
    "verify labels.csv --key labels.csv",
    "verify labels.csv --key none.pem",
    "audit list --since yesterday",
    "audit list --newest 0",
    "audit export -o no/such/folder/a.csv",
    "audit checkpoint no/such/folder/c.json",
    "audit verify --checkpoint none.json",
    "audit verify --checkpoint labels.csv",
    "audit verify --checkpoint labels.csv --key labels.csv",
    "findings list --project none",
    "findings confirm title --project none --run r --metric m --where topic=t --severity low --author a",
    "findings change 1 --project none --status closed",
    "findings rename 1 title --project none --author a",
    "findings withdraw 1 --project none --reason r --author a",
    "findings queue 1 --project none",
    "findings judge 1 --project none",
    "findings history 1 --project none",
    "report --run run.jsonl --scores s.parquet --calibration s.parquet --labels labels.csv -o r.html",
    "report --project none -o r.html",
    "preregistration register --project none --criterion c --n 9 --threshold 0.9 --alpha 0.1 --rule r --author a",
    "preregistration list --project none",
    "preregistration show --project none --criterion c",
    "sign-off list --project none",
    "sign-off submit --project none --author a",
    "sign-off approve --project none --reviewer r",
    "sign-off return --project none --reviewer r --comment c",
    "report -o r.none",
    "report --project p",
    "report --project p -o r.html --template run.jsonl",
    "report --project p -o r.html --template none.yaml",
    "report --project p -o r.html --since none.json",
    "report --run run.jsonl --scores s.parquet -o r.html --since run.jsonl",
    "report --template-out no/such/folder/t.yaml",
    "report --schema-out no/such/folder/s.json",
    "none",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A run with scores and labels, in the folder that commands run in, and a store that does not exist yet."""
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'h.db'}")
    monkeypatch.setenv("HCAT_ARTIFACTS", str(tmp_path / "artifacts"))
    monkeypatch.chdir(tmp_path)
    settings.cache_clear()
    rows = [f'{{"id": "s{k}", "query": "q{k}", "answer": "a", "dimensions": {{"topic": "t"}}}}\n' for k in range(4)]
    Path("run.jsonl").write_text("".join(rows), "utf-8")
    Path("labels.csv").write_text("sample_id,criterion,label,annotator\ns0,correctness,pass,ann\n", "utf-8")
    passages = [f'{{"id": "p{k}", "text": "a text of five words", "document": "p{k}"}}\n' for k in range(4)]
    Path("passages.jsonl").write_text("".join(passages), "utf-8")
    monkeypatch.setattr(sys, "argv", ["hcat", "score", "run.jsonl", "-o", "s.parquet", "--metrics", "answer_length"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    yield tmp_path
    settings.cache_clear()


def refusal(call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """The line that the call ends in."""
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["hcat", *call.split()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr()
    assert ended.value.code == 2
    assert said.out == ""
    assert said.err.startswith("hcat: ")
    assert said.err.count("\n") == 1
    assert said.err.endswith("\n")
    return said.err


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_option(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    line = refusal(f"{name} --no-such-option", monkeypatch, capsys)
    assert "No such option: --no-such-option" in line
    assert f"see `hcat {name} --help`" in line


@pytest.mark.parametrize("name", MISSING_FILE)
def test_a_missing_file(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    line = refusal(MISSING_FILE[name], monkeypatch, capsys)
    messages = (
        "is not a file: check the path",
        "is not a file or folder: check the path",
        "can't be read: No such file",
    )
    assert any(message in line for message in messages)


def test_every_command_is_tried_without_its_file_and_with_a_bad_value() -> None:
    assert set(MISSING_FILE) | TAKES_NO_FILE == set(NAMES)
    assert {call.split()[0] for call in BAD_VALUES} >= set(NAMES)


@pytest.mark.parametrize("call", BAD_VALUES)
def test_a_bad_value(call: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    refusal(call, monkeypatch, capsys)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HCAT_SEED", "none"),
        ("HCAT_SEED", "-1"),
        ("HCAT_SEED", "9" * 400),
        ("HCAT_MAX_ROWS", "abc"),
        ("HCAT_MAX_ROWS", "0"),
        ("HCAT_MAX_FILE_MB", "abc"),
        ("HCAT_MAX_CELL_CHARACTERS", "abc"),
        ("HCAT_LLM_TIMEOUT", "-1"),
        ("HCAT_LLM_MAX_TOKENS", "abc"),
        ("HCAT_LLM_PARALLEL", "0"),
        ("HCAT_LLM_PRICE_IN", "inf"),
        ("HCAT_ALLOW_PRIVATE_TARGETS", "abc"),
        ("HCAT_ARTIFACTS", "data:,x"),
        ("HCAT_ARTIFACTS", "memory://x"),
        ("HCAT_ARTIFACTS", " "),
        ("HCAT_DATABASE_URL", "postgresql://u:p@h:notaport/db"),
        ("HCAT_DATABASE_URL", "[::1"),
        ("HCAT_DATABASE_URL", "sqlite+aiosqlite:///x.db"),
        ("HCAT_DATABASE_URL", "nonsense"),
        ("HCAT_DATABASE_URL", "sqlite://"),
        ("HCAT_ENV_FILE", "none.env"),
    ],
)
def test_a_bad_setting_is_named(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.cache_clear()
    monkeypatch.setenv(name, value)
    assert name in refusal("report --project p -o r.html", monkeypatch, capsys)


def test_a_database_that_does_not_answer_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.cache_clear()
    monkeypatch.setenv("HCAT_DATABASE_URL", "postgresql://127.0.0.1:9/x?user=u&password=SECRETPW&connect_timeout=5")
    line = refusal("runs list --project p", monkeypatch, capsys)
    assert "can't be used: " in line
    assert "SECRETPW" not in line


def test_an_option_of_a_database_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings.cache_clear()
    monkeypatch.setenv("HCAT_DATABASE_URL", f"sqlite:///{tmp_path / 'x.db'}?timeout=abc")
    assert "has an option that can't be used" in refusal("runs list --project p", monkeypatch, capsys)


@pytest.mark.parametrize("url", ["[::1", "http://[::1/v1", "ftp://x", "http://127.0.0.1:99999/v1", "here"])
def test_an_address_of_a_language_model_that_is_none(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.cache_clear()
    monkeypatch.setenv("HCAT_LLM_BASE_URL", url)
    monkeypatch.setenv("HCAT_LLM_MODEL", "m")
    line = refusal("judge run.jsonl --criteria captured_rate -o j.parquet", monkeypatch, capsys)
    assert "is no address of an endpoint" in line


def test_help_is_shown_where_no_command_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    monkeypatch.setattr(sys, "argv", ["hcat"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    assert "Commands:" in capsys.readouterr().out
