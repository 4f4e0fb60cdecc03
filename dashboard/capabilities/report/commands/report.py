"""`hcat report`: the evidence of a project, or of a folder of files, as a document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from hcat.core.display.edition import edition, find_language
from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import Inputs
from hcat.core.records.atomic import write_whole
from hcat.core.records.hashing import sha256_of_files
from hcat.dashboard.capabilities.coverage.command import covered_by
from hcat.dashboard.capabilities.judges.commands.judge_documents import read_judges
from hcat.dashboard.capabilities.report.commands.looks import earlier_report, tell_of_undrawn, template_of
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.label_files import LevelNames, Positive
from hcat.dashboard.commands.output import existing, names_in, print_note, read_text
from hcat.dashboard.commands.score_files import Directions, Ranges, statements

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hcat.core.capabilities.evidence.source import ReportSource
    from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
    from hcat.core.capabilities.report.evidence.policy_records import PolicyEvidence
    from hcat.core.capabilities.report.evidence.records import Evidence
    from hcat.core.opened.run import Opened
    from hcat.core.records.report import Opinion


@reads_files
def report(
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the report.")] = None,
    project: Annotated[str | None, typer.Option(help="A project of the workspace; otherwise give files.")] = None,
    run: Annotated[Path | None, typer.Option(help="Run file.")] = None,
    scores: Annotated[Path | None, typer.Option(help="Its scores: a score file, or a table of your own.")] = None,
    labels: Annotated[Path | None, typer.Option(help="Labels (CSV).")] = None,
    calibration: Annotated[Path | None, typer.Option(help="A calibration (JSON).")] = None,
    weakness: Annotated[Path | None, typer.Option(help="A weakness table (Parquet).")] = None,
    policy: Annotated[Path | None, typer.Option(help="The policy from `hcat policy fit` (JSON).")] = None,
    policy_check: Annotated[
        Path | None, typer.Option(help="With --policy: what `hcat policy check --json` says of later answers.")
    ] = None,
    judge: Annotated[
        list[Path] | None,
        typer.Option(
            help="What `hcat judge RUN --json` says of this run, or `hcat judge bias RUN --run --json`; once for each."
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(help="Passages (JSON Lines) or documents that the tests were made from: what they cover of them."),
    ] = None,
    topics: Annotated[Path | None, typer.Option(help="With --corpus: its topics, from `hcat topics`.")] = None,
    declared: Annotated[
        Path | None,
        typer.Option(help="With --corpus: a file of `hcat design`, or of `hcat generate --json`."),
    ] = None,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Annotated[
        str | None, typer.Option(help="The lowest level that counts as a pass; by default, the calibration's.")
    ] = None,
    label_run: Annotated[str | None, typer.Option(help="Use only the labels of this run.")] = None,
    format: Annotated[str | None, typer.Option(help="Report format; by default, from the output's file name.")] = None,  # noqa: A002
    author: Annotated[str, typer.Option(help="Author of the report.")] = "",
    criterion: Annotated[
        str | None, typer.Option(help="The criterion of the labels, where no calibration names it.")
    ] = None,
    opinion: Annotated[
        Path | None,
        typer.Option(help="An opinion (TOML or JSON): rating, author, reasons, conditions, limitations."),
    ] = None,
    runs: Annotated[str | None, typer.Option(help="With --project: only these runs, comma-separated.")] = None,
    chapters: Annotated[str | None, typer.Option(help="Only these chapters, comma-separated.")] = None,
    note: Annotated[str, typer.Option(help="With --project: what changed since the last version.")] = "",
    template: Annotated[
        Path | None, typer.Option(help="A template (YAML): title, chapters in order, own texts, frameworks.")
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(help="Language of the report: en or de. By default the template's, else English."),
    ] = None,
    template_out: Annotated[
        Path | None, typer.Option(help="Write the usual template here, to start your own from, and end.")
    ] = None,
    schema_out: Annotated[
        Path | None, typer.Option(help="Write the JSON Schema of reports as JSON to this file, and no report.")
    ] = None,
    since: Annotated[
        Path | None, typer.Option(help="For a run in files: an earlier report (JSON) to compare the numbers with.")
    ] = None,
    pack: Annotated[
        Path | None,
        typer.Option(help="Also write a signed evidence pack (ZIP): the report, what it follows from, their hashes."),
    ] = None,
    withhold_texts: Annotated[
        bool, typer.Option("--withhold-texts", help="With --pack: digests in place of the texts of samples.")
    ] = False,
    date: Annotated[
        str | None,
        typer.Option(
            help="The date or time that the report states, as 2026-05-31; by default SOURCE_DATE_EPOCH, else now. The "
            "same inputs and date give the same bytes."
        ),
    ] = None,
    directions: Directions = None,
    ranges: Ranges = None,
) -> None:
    """Write the validation report."""
    from hcat.core.capabilities.evidence.source import ReportSource
    from hcat.core.capabilities.evidence.standalone import read_files
    from hcat.core.capabilities.report.build import build_report
    from hcat.core.capabilities.report.build_time import build_time
    from hcat.core.settings import settings
    from hcat.core.view.renderers.render import RENDERERS, render

    if template_out is not None:
        _write_template(template_out)
        return
    if schema_out is not None:
        _write_schema(schema_out)
        return
    if output is None:
        raise HcatError("say by -o where to write the report")
    look, earlier = template_of(template), earlier_report(since)
    if language is not None:
        look = replace(look, language=find_language(language))
    kind = format or output.suffix.lstrip(".")
    if kind not in RENDERERS:
        raise HcatError(f"no report format {kind!r}: choose one of {', '.join(RENDERERS)} with --format")
    if withhold_texts and pack is None:
        raise HcatError("--withhold-texts is of an evidence pack: give --pack")
    chosen, at = None if chapters is None else names_in(chapters), build_time(date)
    stated = None if opinion is None else _opinion(opinion)
    if project is not None and (policy or policy_check):
        raise HcatError("--policy is for a run in files: a project reports on the policies that it has in use")
    if project is not None and judge:
        raise HcatError("--judge is for a run in files: a project reports on the judges of its runs")
    if project is not None and since is not None:
        raise HcatError("--since is for a run in files: a project compares its report with its last version")
    if project is not None and corpus is not None:
        raise HcatError("--corpus is for a run in files: a project reports on the corpora that it holds")
    if project is not None:
        from hcat.core.workspace import Workspace

        with Workspace.open(actor="command line") as workspace:
            owner = workspace.projects.get(project)
            if stated is not None:
                workspace.opinions.state(owner, stated)
            only = None if runs is None else names_in(runs)
            source = workspace.reports.with_source(
                owner, author=author, runs=only, chapters=chosen, template=look, note=note, at=at
            )
            if date is not None and source.report.created_at != at:
                print_note("hcat: nothing has changed since the last version of this report, which keeps its date")
            source = replace(source, report=workspace.sign_offs.on_cover(owner, source.report))
    elif policy is None and policy_check is not None:
        raise HcatError("--policy-check is of a policy: give --policy")
    elif corpus is None and (topics is not None or declared is not None):
        raise HcatError("--topics and --declared are of a corpus: give --corpus")
    elif runs is not None or note:
        raise HcatError("--runs and --note are for the runs and versions of a project: give --project")
    elif run is None or scores is None:
        raise HcatError("give --project, or at least --run and --scores")
    else:
        if labels is not None and calibration is None and criterion is None:
            raise HcatError(f"say by --criterion which labels of {labels.name} to report, or give --calibration")
        files = {"labels": labels, "calibration": calibration, "weakness": weakness, "policy": policy}
        files["check of the policy"] = policy_check
        given = {name: existing(path) for name, path in files.items() if path is not None}
        of_run = Inputs(
            name=label_run,
            run=existing(run),
            scores=existing(scores),
            labels=labels,
            calibrations=() if calibration is None else (calibration,),
            criteria=() if criterion is None or calibration is not None or labels is None else (criterion,),
            positive=positive,
            levels=levels,
            passing=passing,
            stated=statements(directions, ranges),
        )
        given |= {f"judge {number}": existing(path) for number, path in enumerate(judge or (), start=1)}
        with edition(look.language):
            gathered, reported = _from_files(of_run, given, author)
        covered = () if corpus is None else (covered_by(reported.run.columns, corpus, topics, declared),)
        evidence = replace(gathered, created_at=at, coverage=covered, opinion=stated, previous=earlier)
        tree = build_report(evidence, chapters=chosen, template=look)
        looked_at = None if chosen is None else tuple(chosen)
        source = ReportSource(tree, evidence, (reported,), looked_at, look, settings().seed)
    packed = None if pack is None else _packed(source, kind, withhold=withhold_texts)
    if packed is None or withhold_texts:
        content = render(source.report, format=kind)
    else:
        content = read_files(packed)[f"report.{kind}"]  # a PDF of a pack carries the signed manifest
    write_whole(output, content)
    typer.echo(f"{output}: {counted(len(source.report.sections), 'section')}, {len(content):,} bytes")
    if kind == "pdf":
        tell_of_undrawn(source.report)
    if pack is not None and packed is not None:
        write_whole(pack, packed)
        typer.echo(f"{pack}: evidence pack, {len(packed):,} bytes; check it with `hcat verify {pack}`")
        from hcat.core.capabilities.evidence.layout import verifier_hash

        for name, value in verifier_hash().items():
            typer.echo(f"SHA-256 of {name}: {value}")


def _packed(source: ReportSource, format: str, *, withhold: bool) -> bytes:  # noqa: A002
    from hcat.core.capabilities.evidence.installation import installation_key
    from hcat.core.capabilities.evidence.pack import make_pack

    return make_pack(source, installation_key(), formats=[format], withhold=withhold)


def _write_template(path: Path) -> None:
    from hcat.core.capabilities.report.template_file import default_template

    write_whole(path, default_template().encode("utf-8"))
    typer.echo(f"{path}: the usual template")


def _write_schema(path: Path) -> None:
    from hcat.core.view.schema import SCHEMA_VERSION, schema_text

    write_whole(path, schema_text().encode("utf-8"))
    typer.echo(f"{path}: version {SCHEMA_VERSION} of the schema")


def _opinion(path: Path) -> Opinion:
    from hcat.core.capabilities.report.opinion import read_opinion

    return read_opinion(read_text(existing(path)), filename=path.name)


def _from_files(of_run: Inputs, given: dict[str, Path], author: str) -> tuple[Evidence, ReportedRun]:
    from hcat.core.capabilities.evidence.layout import verifier_hash, verifier_text
    from hcat.core.capabilities.report.analysis.evidence import gather_evidence
    from hcat.core.capabilities.report.analysis.reported_run import ReportedRun
    from hcat.core.capabilities.report.commands import FilesOfRun, reproducing_commands
    from hcat.core.settings import settings
    from hcat.core.slices.files import read_weaknesses

    run, scores = cast(Path, of_run.run), cast(Path, of_run.scores)
    opened = of_run.read()
    columns, criteria, fitted = opened.columns, opened.criteria, opened.calibration
    if columns.scores.provenance.run_hash != columns.content_hash:
        raise HcatError(f"{scores.name} has the scores of a different run, not of {run.name}: score this run again")
    reported = ReportedRun(
        opened,
        criteria,
        (fitted,) if criteria and fitted is not None else (),
        newest=fitted,
        weaknesses=read_weaknesses(given["weakness"]) if "weakness" in given else None,
        find=False,
        answer_vectors=_vectors(opened),
        judges=read_judges([path for name, path in given.items() if name.startswith("judge ")], columns.content_hash),
    )
    gathered = gather_evidence(
        [reported],
        project=columns.name,
        author=author,
        criteria=criteria,
        hashes=verifier_hash()
        | {"run": columns.content_hash, "scores": sha256_of_files([scores])}
        | {kind: sha256_of_files([path]) for kind, path in given.items()},
        seed=settings().seed,
    )
    files = FilesOfRun(str(run), str(scores), {x.name: str(given["labels"]) for x in criteria if "labels" in given})
    commands = reproducing_commands(gathered, {columns.name: files})
    policies = _policies(reported, given)
    return replace(gathered, commands=commands, policies=policies, verifier=verifier_text()), reported


def _policies(reported: ReportedRun, given: dict[str, Path]) -> tuple[PolicyEvidence, ...]:
    from hcat.core.capabilities.policy.analysis.evidence import policy_evidence
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.dashboard.capabilities.policy.commands.checking import read_check

    if "policy" not in given:
        return ()
    policy, name = Policy.from_json(read_text(given["policy"])), "check of the policy"
    check = read_check(given[name], policy) if name in given else None
    return (policy_evidence(policy, [reported.run], check=check),)


def _vectors(run: Opened) -> dict[str, NDArray[np.float32]] | None:
    """The vectors of the answers, which a run with variants is compared by."""
    from hcat.core.capabilities.robustness.analysis.robustness import vectors_of_pairs
    from hcat.dashboard.capabilities.runs.commands.runs import encoder_and_store

    if not run.columns.sample_columns.levels("variant_family").is_given:
        return None
    encoder, store = encoder_and_store()
    return vectors_of_pairs(run, encoder=encoder, store=store)
