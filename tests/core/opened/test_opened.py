"""A run opened from files without a command: what is read when, what is said where something is missing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hcat.core.capabilities.calibration.calibrate import calibrate
from hcat.core.capabilities.estimates.estimate import estimate_pass_rate
from hcat.core.errors import FileFormatError, HcatError, NotFoundError
from hcat.core.inputs.files import FileOptions, reading
from hcat.core.inputs.inputs import Inputs, opened
from hcat.core.opened.columns import FileLabels
from hcat.core.opened.run import Opened
from hcat.core.records.run_file import content_hash, to_jsonl
from hcat.core.scoring.score_table import Provenance, score_table
from hcat.core.scoring.statements import Statement
from hcat.core.types import Criterion, Sample, Score
from tests.core.calibration.calibration_file import calibration_json

N = 60
SAMPLES = tuple(Sample(f"s{k}", f"question {k}", "yes", dimensions={"area": "ab"[k % 2]}) for k in range(N))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Inputs:
    """A run with its scores, labels on two criteria, and a calibration on the first."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "may.jsonl").write_text(to_jsonl(SAMPLES), "utf-8")
    values = {"f1": [Score((k * 7 % N) / N) for k in range(N)]}
    score_table([s.id for s in SAMPLES], values, Provenance("0", content_hash(SAMPLES), ("f1",))).write(
        folder / "s.parquet"
    )
    rows = [
        f"s{k},{name},{('fail', 'pass')[k * 7 % N > 20 or k % 5 == 0]}"
        for k in range(N)
        for name in ("right", "polite")
    ]
    (folder / "l.csv").write_text("\n".join(["sample_id,criterion,label", *rows]), "utf-8")
    given = Inputs(run=folder / "may.jsonl", scores=folder / "s.parquet", labels=folder / "l.csv", criteria=("right",))
    run = given.read()
    (folder / "c.json").write_text(calibration_json(calibrate(run, run.criteria[0], metrics=["f1"])), "utf-8")
    return given


def changed(files: Inputs, **fields: object) -> Inputs:
    return Inputs(**{**vars(files), **fields})  # type: ignore[arg-type]


def test_python_opens_a_run_as_commands_do(files: Inputs) -> None:
    run = files.read()
    assert (run.name, run.calibration, [each.name for each in run.criteria]) == ("may", None, ["right"])
    assert estimate_pass_rate(run, run.criterion("right"), metrics=["f1"]).n_labels == N
    with opened(files, files) as runs:
        assert [len(each.labels(each.criteria[0]).sample_ids) for each in runs] == [N, N]


def test_nothing_is_read_before_it_is_asked_for(files: Inputs, tmp_path: Path) -> None:
    run = changed(files, run=tmp_path / "gone.jsonl", labels=None, criteria=(), warns=False).read()
    assert (run.name, run.criteria) == ("gone", ())
    with pytest.raises(FileFormatError, match=r"gone\.jsonl is not a file"):
        len(run.columns.samples)


def test_labels_are_on_the_criterion_of_the_calibration_where_none_is_named(files: Inputs) -> None:
    assert files.run is not None
    fitted = files.run.with_name("c.json")
    run = changed(files, criteria=(), calibrations=(fitted,)).read()
    assert [each.name for each in run.criteria] == ["right"]
    assert run.calibration is not None and run.in_force("right") is run.calibration
    with pytest.raises(NotFoundError, match="no saved calibration on 'polite'"):
        run.in_force("polite")
    with pytest.raises(HcatError, match="two calibrations are on right"):
        changed(files, calibrations=(fitted, fitted)).read()
    with pytest.raises(HcatError, match="--labels needs --criterion"):
        changed(files, criteria=()).read()
    several = changed(files, criteria=("polite", "right")).read()
    assert [len(several.labels(each).sample_ids) for each in several.criteria] == [N, N]


def test_what_is_missing_or_too_much_is_said() -> None:
    with (
        pytest.raises(HcatError, match="give a run file, a score file and a calibration, or --project and --run"),
        opened(Inputs(run=Path("r")), needs=["run", "scores", "calibrations"]),
    ):
        pass
    with pytest.raises(HcatError, match="name the run of the project by --run"):
        Inputs(project="bank").check()
    with pytest.raises(HcatError, match="leave out the files"):
        Inputs(project="bank", name="may", levels="bad,good").check()


def test_how_files_are_read_holds_for_a_while(files: Inputs, tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text("sample_id,criterion,label\ns1,right,Fine\ns2,right,pass\n", "utf-8")
    given = changed(files, labels=tmp_path / "l.csv", levels="fail,pass")
    with pytest.raises(FileFormatError, match="Labels that stand for no level: 'Fine'"):
        given.read()
    with reading(FileOptions(levels={"Fine": "pass"})):
        run = given.read()
    assert run.labels(run.criteria[0]).levels.tolist() == [1, 1]


def test_a_run_with_other_criteria_shares_what_was_read(files: Inputs, monkeypatch: pytest.MonkeyPatch) -> None:
    run, asked = files.read(), Counter[str]()
    read = FileLabels.labels

    def counted(source: FileLabels, criterion: str, **of: object) -> object:
        asked[criterion] += 1
        return read(source, criterion, **of)  # type: ignore[arg-type]

    monkeypatch.setattr(FileLabels, "labels", counted)
    [right] = run.criteria
    both: list[Opened] = [run, run.on(right, Criterion("polite")), run.by()]
    assert {each.labels(right).hash for each in both} == {run.labels(right).hash}
    assert asked == {"right": 1}
    with pytest.raises(NotFoundError, match="there is no criterion 'tone'; there are: right, polite"):
        both[1].criterion("tone")


def test_labels_may_be_on_samples_without_scores_and_not_on_others(
    files: Inputs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = [sample.id for sample in SAMPLES[:20]]
    score_table(ids, {"f1": [Score(0.5)] * 20}, Provenance("0", content_hash(SAMPLES), ("f1",))).write(
        tmp_path / "first.parquet"
    )
    labels = tmp_path / "last.csv"
    labels.write_text("sample_id,criterion,label\n" + "".join(f"s{k},right,pass\n" for k in range(40, N)), "utf-8")
    run = changed(files, scores=tmp_path / "first.parquet", labels=labels).read()
    assert len(run.labels(run.criteria[0]).sample_ids) == 20
    assert "skipped" not in capsys.readouterr().err
    labels.write_text(labels.read_text("utf-8").replace("\ns", "\nt"), "utf-8")
    for scores in (None, files.scores):
        with pytest.raises(FileFormatError, match=r"20 of the 20 samples in last\.csv are not in the run"):
            changed(files, scores=scores, labels=labels).read()


def test_a_project_takes_no_statements_on_metrics() -> None:
    asked = Inputs(project="bank", name="may", stated={"f1": Statement(direction="lower")})
    with pytest.raises(HcatError, match="leave out the files"):
        asked.check()
