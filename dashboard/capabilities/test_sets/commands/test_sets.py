"""`hcat tests`: the test sets of a project, their reviews and versions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from hcat.core.display.numbers import counted, format_estimate
from hcat.core.errors import HcatError
from hcat.core.types import Estimate, JsonValue
from hcat.dashboard.capabilities.robustness.commands.perturbing import languages_of, strengths_of
from hcat.dashboard.capabilities.runs.commands.housekeeping import Author
from hcat.dashboard.capabilities.test_sets.commands.design import kind_of, weights_of
from hcat.dashboard.capabilities.test_sets.commands.generating import shares_of
from hcat.dashboard.commands.engine_options import Address, Engine, Workers, project_workspace
from hcat.dashboard.commands.output import AsJson, document, existing, names_in, print_document, print_table
from hcat.dashboard.commands.project_options import ProjectOption

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hcat.core.records.test_case import TestCase
    from hcat.core.records.test_set import ReviewDecision, TestSetInfo, Unreviewed

app = typer.Typer(help="Test sets of a project: generate, import, review, freeze, compare.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The test set.")]
Version = Annotated[int | None, typer.Option(help="Its version; by default the newest.")]


@app.command("generate")
def generate_(
    corpus: Annotated[str, typer.Argument(help="The corpus of the project.")],
    project: ProjectOption,
    name: Annotated[str, typer.Option(help="The name of the test set.")],
    n: Annotated[int, typer.Option("-n", help="How many test cases.")] = 200,
    types: Annotated[str, typer.Option(help='Query types with shares, such as "open=1,yes/no=2".')] = "",
    design: Annotated[str, typer.Option(help="proportional, equal or weighted.")] = "proportional",
    by: Annotated[str, typer.Option(help="Strata: topic, document, heading, length.")] = "topic",
    weight: Annotated[list[str] | None, typer.Option("--weight", help="LEVEL=NUMBER.")] = None,
    minimum: Annotated[int | None, typer.Option(help="Fewest cases of each stratum.")] = None,
    per_passage: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Most cases of one passage. By default as few as -n takes, and more where its stratum runs out of "
            "others.",
        ),
    ] = None,
    writer: Annotated[str, typer.Option(help="rules, or endpoint: the language model in the settings.")] = "rules",
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Generate a test set from a corpus of the project, as the page Test sets does."""
    from hcat.core.capabilities.test_sets.services.generation import ENDPOINT, RULES, GenerationRequest
    from hcat.core.settings import settings
    from hcat.dashboard.commands.output import progress_bar

    if writer not in (RULES, ENDPOINT):
        raise HcatError(f"queries are written by {RULES} or {ENDPOINT}, not by {writer!r}")
    with project_workspace(engine, address, workers) as workspace, progress_bar() as show:
        owner = workspace.projects.get(project)
        newest = workspace.corpora.versions(owner, corpus)[0]
        request = GenerationRequest(
            name=name,
            corpus=newest.name,
            corpus_version=newest.version,
            n=n,
            types={str(query_type): share for query_type, share in shares_of(types).items()},
            kind=kind_of(design),
            by=tuple(names_in(by)),
            weights=weights_of(weight or [], None),
            minimum=minimum,
            per_passage=per_passage,
            writer=writer,
            seed=settings().seed if seed is None else seed,
        )
        made = workspace.generation.generate(owner, request, on_progress=show)
    _print_made(made, as_json=as_json)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="Test cases (JSON Lines).")],
    project: ProjectOption,
    name: Annotated[str, typer.Option(help="The test set; an existing one gets a further version.")],
    as_json: AsJson = False,
) -> None:
    """Store test cases of a file as a test set, or as its next version."""
    from hcat.core.capabilities.test_sets.case_file import read_cases
    from hcat.core.workspace import Workspace

    cases = read_cases(existing(file).read_bytes(), filename=file.name)
    with Workspace.open(actor="command line") as workspace:
        newest = next((each for each in workspace.test_sets.all(project) if each.name == name), None)
        source = f"file {file.name}"
        if newest is None:
            stored = workspace.test_sets.add(project, name, cases, source=source)
        else:
            stored = workspace.test_sets.add_version(newest, cases, source=source)
    _print_made(stored, as_json=as_json)


@app.command("list")
def list_(project: ProjectOption, as_json: AsJson = False) -> None:
    """The newest version of each test set."""
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        test_sets = workspace.test_sets.all(project)
    if as_json:
        about = document(inputs={}, settings={"project": project})
        print_document({**about, "test_sets": [_facts(each) for each in test_sets]})
        return
    rows = [(each.name, str(each.version), str(each.n_cases), _state(each), each.source) for each in test_sets]
    print_table(f"Test sets of {project}", ("test set", "version", "cases", "state", "from"), rows)


@app.command()
def show(name: Name, project: ProjectOption, version: Version = None, as_json: AsJson = False) -> None:
    """A version: how it came to be, its reviews, and the acceptance rate of each type with its interval."""
    from hcat.core.capabilities.test_sets.review import acceptance_rates, decision_counts
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = workspace.test_sets.version(project, name, version)
        cases, log = workspace.test_sets.cases(chosen), workspace.test_sets.decisions(chosen)
    rates, counts = acceptance_rates(cases, log), decision_counts(cases, log)
    if as_json:
        about = document(inputs={}, settings={"project": project})
        parts: dict[str, JsonValue] = {"account": dict(chosen.account), "reviews": {**counts}}
        parts["acceptance"] = [JSON.write_object(rate) for rate in rates]
        print_document({**about, **_facts(chosen), **parts})
        return
    rows = [
        (rate.type, str(rate.n), str(rate.reviewed), _rate(rate.reviewed, rate.accepted),
         _rate(rate.reviewed, rate.standing))
        for rate in rates
    ]  # fmt: skip
    reviewed = ", ".join(f"{n} {what}" for what, n in counts.items())
    print_table(
        f"{chosen.name}, version {chosen.version} ({_state(chosen)}): {reviewed}",
        ("type", "cases", "reviewed", "accepted as it is", "accepted or edited"),
        rows,
    )


@app.command()
def review(
    name: Name,
    project: ProjectOption,
    reviewer: Annotated[str, typer.Option(help="Who decides; the log keeps this name.")] = "",
    accept: Annotated[
        list[str] | None, typer.Option(help="The id of a case that stands as it is; once for each.")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option(help="The id of a case to leave out, with --reason; once for each.")
    ] = None,
    edit: Annotated[
        Path | None,
        typer.Option(
            help="Cases as they should read (JSON Lines with id, query and reference, as `hcat tests export` writes)."
        ),
    ] = None,
    reason: Annotated[str, typer.Option(help="Why cases are rejected.")] = "",
    version: Version = None,
    as_json: AsJson = False,
) -> None:
    """Accept, reject or edit cases, as the page Test sets does. Without a decision, list those that nobody decided on.

    The list is in random order, so that what is reviewed first is a fair draw of the set."""
    from hcat.core.capabilities.test_sets.review import decision_counts, decisions_in_force, last_entries, review_order
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = workspace.test_sets.version(project, name, version)
        cases = {case.id: case for case in workspace.test_sets.cases(chosen)}
        edited = [] if edit is None else _edited(edit, cases)
        decided: list[tuple[ReviewDecision, str]] = [("accept", case) for case in accept or ()]
        decided += [("reject", case) for case in reject or ()]
        decided += [("edit", case.id) for case in edited]
        _check_review(decided, cases, reviewer, reason)
        log = workspace.test_sets.decisions(chosen)
        last, texts = last_entries(log), {case.id: case for case in edited}
        for decision, case_id in decided:
            workspace.test_sets.decide(
                chosen,
                cases[case_id],
                decision,
                reviewer=reviewer,
                previous=last.get(case_id, 0),
                reason=reason if decision == "reject" else "",
                edited=texts.get(case_id) if decision == "edit" else None,
            )
        log = workspace.test_sets.decisions(chosen)
    counts, done = decision_counts(list(cases.values()), log), decisions_in_force(log)
    order = review_order(list(cases.values()), content_hash=chosen.content_hash, reviewer=reviewer)
    left = [cases[case_id] for case_id in order if case_id not in done]
    if as_json:
        about = document(inputs={} if edit is None else {"edit": edit}, settings={"project": project})
        print_document({**about, **_facts(chosen), "reviews": {**counts}, "unreviewed": [case.id for case in left]})
        return
    title = f"{chosen.name}, version {chosen.version}: {', '.join(f'{n} {what}' for what, n in counts.items())}"
    if decided:
        typer.echo(title)
        return
    rows = [(case.id, case.type, case.query, case.reference or "") for case in left]
    print_table(f"{title}. Not decided", ("id", "type", "query", "reference"), rows)


def _edited(file: Path, cases: Mapping[str, TestCase]) -> list[TestCase]:
    """The cases of a file whose query or reference is another one; all else of a case stays, and a reference that the
    file leaves out."""
    from hcat.core.capabilities.test_sets.case_file import read_cases

    rows = read_cases(existing(file).read_bytes(), filename=file.name)
    unknown = next((row.id for row in rows if row.id not in cases), None)
    if unknown is not None:
        raise HcatError(f"{file.name}: the test set has no case {unknown!r}: give the ids of `hcat tests export`")
    new = [replace(cases[row.id], query=row.query, reference=row.reference or cases[row.id].reference) for row in rows]
    changed = [case for case in new if case != cases[case.id]]
    if not changed:
        raise HcatError(f"{file.name} changes no case: edit query or reference, or accept the cases")
    return changed


def _check_review(
    decided: Sequence[tuple[str, str]], cases: Mapping[str, TestCase], reviewer: str, reason: str
) -> None:
    """HcatError, before any decision is stored, for a case that there is not or that is decided on twice, and where
    nobody decides or a rejection has no reason."""
    ids = [case_id for _, case_id in decided]
    unknown = next((case_id for case_id in ids if case_id not in cases), None)
    if unknown is not None:
        raise HcatError(f"the test set has no case {unknown!r}: `hcat tests review` without a decision lists its cases")
    twice = next((case_id for case_id in ids if ids.count(case_id) > 1), None)
    if twice is not None:
        raise HcatError(f"there are two decisions on the case {twice!r}: give one")
    if decided and not reviewer.strip():
        raise HcatError("say who decides: --reviewer NAME")
    if not reason.strip() and any(decision == "reject" for decision, _ in decided):
        raise HcatError("say why the case is rejected: --reason stands in the log")


@app.command()
def export(
    name: Name,
    project: ProjectOption,
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the test cases (JSON Lines).")],
    version: Version = None,
    decisions: Annotated[Path | None, typer.Option(help="Also write the log of reviews (JSON Lines).")] = None,
) -> None:
    """Write the cases of a version as a file, which `hcat collect` and `hcat perturb` read."""
    import json

    from hcat.core.records.atomic import write_whole
    from hcat.core.records.codec import JSON
    from hcat.core.records.test_case import test_cases_jsonl
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        chosen = workspace.test_sets.version(project, name, version)
        write_whole(output, test_cases_jsonl(workspace.test_sets.cases(chosen)).encode())
        if decisions is not None:
            log = [JSON.write_object(entry) for entry in workspace.test_sets.decisions(chosen)]
            write_whole(decisions, "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in log).encode())
    typer.echo(f"{counted(chosen.n_cases, 'test case')} of {chosen.name}, version {chosen.version} → {output}")


@app.command()
def freeze(
    name: Name,
    project: ProjectOption,
    author: Author,
    unreviewed: Annotated[str, typer.Option(help="What becomes of unreviewed cases: included, or left-out.")],
    version: Version = None,
    as_json: AsJson = False,
) -> None:
    """Make a frozen version: the accepted cases, the edited ones as edited, and the unreviewed ones if included."""
    from hcat.core.workspace import Workspace

    choice = unreviewed.replace("-", " ")
    if choice not in ("included", "left out"):
        raise HcatError(f"unreviewed cases are included or left-out, not {unreviewed!r}")
    with Workspace.open(actor="command line") as workspace:
        chosen = workspace.test_sets.version(project, name, version)
        frozen = workspace.test_sets.freeze(chosen, unreviewed=cast("Unreviewed", choice), actor=author)
    _print_made(frozen, as_json=as_json)


@app.command()
def perturb(
    name: Name,
    project: ProjectOption,
    to: Annotated[str, typer.Option("--to", help="The name of the new test set, with cases and variants.")],
    family: Annotated[
        str, typer.Option(help="Families, comma-separated; a kind such as “input variation”; or all.")
    ] = "spelling",
    strength: Annotated[str, typer.Option(help="Strengths above 0 and up to 1, comma-separated.")] = "0.3",
    language: Annotated[str, typer.Option(help="Languages of translations, comma-separated. By default all.")] = "",
    version: Version = None,
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
    as_json: AsJson = False,
) -> None:
    """Store the cases of a version and variants of them as a new test set, as the page Test sets does."""
    from hcat.core.capabilities.test_sets.services.generation import VariantsRequest
    from hcat.core.settings import settings
    from hcat.core.workspace import Workspace
    from hcat.dashboard.commands.output import progress_bar

    strengths = strengths_of(strength)
    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        owner = workspace.projects.get(project)
        request = VariantsRequest(
            to,
            name,
            workspace.test_sets.version(owner, name, version).version,
            tuple(names_in(family)),
            strengths,
            seed=settings().seed if seed is None else seed,
            languages=languages_of(language),
        )
        variants = workspace.generation.perturb(owner, request, on_progress=show)
    _print_made(variants, as_json=as_json)


@app.command()
def diff(
    name: Name,
    project: ProjectOption,
    before: Annotated[int, typer.Option("--from", help="The earlier version.")],
    after: Annotated[int | None, typer.Option("--to", help="The later one; by default the newest.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what is new, gone and changed from one version to another."""
    from hcat.core.records.codec import JSON
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace:
        earlier, later = (workspace.test_sets.version(project, name, number) for number in (before, after))
        changes = workspace.test_sets.changes(earlier, later)
    if as_json:
        about = document(inputs={}, settings={"project": project, "from": earlier.version, "to": later.version})
        print_document({**about, **JSON.write_object(changes)})
        return
    rows: list[tuple[str, str, str]] = [
        *(("added", case.id, case.query) for case in changes.added),
        *(("gone", case.id, case.query) for case in changes.gone),
        *(("changed", each.after.id, each.after.query) for each in changes.changed),
    ]
    print_table(
        f"{name}, version {earlier.version} to {later.version}: {len(changes.added)} added, {len(changes.gone)} gone, "
        f"{len(changes.changed)} changed, {changes.unchanged} the same",
        ("change", "id", "query"),
        rows,
    )


def _print_made(test_set: TestSetInfo, *, as_json: bool) -> None:
    if as_json:
        about = document(inputs={}, settings={})
        print_document({**about, **_facts(test_set), "account": dict(test_set.account)})
        return
    asked = test_set.account.get("asked")
    of = f" of {asked} asked for" if isinstance(asked, int) and not test_set.frozen else ""
    cases = counted(test_set.n_cases, "test case")
    title = f"{test_set.name}, version {test_set.version} ({_state(test_set)})"
    typer.echo(f"{title}: {cases}{of}, SHA-256 {test_set.content_hash}")


def _facts(test_set: TestSetInfo) -> dict[str, JsonValue]:
    return {
        "name": test_set.name,
        "version": test_set.version,
        "cases": test_set.n_cases,
        "frozen": test_set.frozen,
        "content_hash": test_set.content_hash,
        "source": test_set.source,
    }


def _state(test_set: TestSetInfo) -> Literal["frozen", "open for review"]:
    return "frozen" if test_set.frozen else "open for review"


def _rate(reviewed: int, rate: Estimate) -> str:
    return format_estimate(rate, percent=True) if reviewed else "—"
