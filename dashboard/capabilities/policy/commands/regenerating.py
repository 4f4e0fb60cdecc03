"""`hcat policy regenerate`: what a policy sends back, asked of the system again and scored again."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.display.numbers import counted
from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import open_columns
from hcat.core.records.atomic import write_whole
from hcat.core.types import JsonValue, Progress
from hcat.dashboard.capabilities.policy.commands.policies import SomePolicy, SomeScores
from hcat.dashboard.capabilities.policy.commands.stored import InProject, OnCriterion, in_use, no_files, opened, run_of
from hcat.dashboard.capabilities.runs.commands.runs import embedding_cache
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    print_document,
    progress_bar,
    read_text,
    write_parquet,
)

if TYPE_CHECKING:
    import pandas as pd

    from hcat.core.capabilities.collect.description import Target
    from hcat.core.capabilities.policy.analysis.asking_again import RegenerationPlan
    from hcat.core.capabilities.policy.analysis.regeneration import Attempt, Rescore
    from hcat.core.capabilities.policy.policy import Policy


def regenerate(
    target: Annotated[Path, typer.Option(help="How the system is asked (YAML); {{reason}} in it takes the reason.")],
    run: Annotated[Path | None, typer.Argument(help="The run file that the scores are of.")] = None,
    scores: SomeScores = None,
    policy: SomePolicy = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where the run with the new answers goes (JSON Lines).")
    ] = None,
    new_scores: Annotated[
        Path | None, typer.Option(help="Where its scores on the policy's metrics go (Parquet).")
    ] = None,
    actions: Annotated[Path | None, typer.Option(help="Where the actions on it go (Parquet).")] = None,
    project: InProject = None,
    in_run: Annotated[
        str | None, typer.Option("--run", help="With --project: the run that the policy in use decided on.")
    ] = None,
    on_criterion: OnCriterion = None,
    name: Annotated[str | None, typer.Option(help="With --project: the name of the run with the new answers.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked at most, and what it costs; ask nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask the system again for each answer that the policy sends back, with the reason, and score what comes.

    As often as the policy says. A new answer gets an id of its own: labels of the first one do not count for it. The
    same command goes on where it ended.
    """
    from hcat.core.capabilities.collect.description import described, read_target

    file = read_target(target)
    about: dict[str, JsonValue] = {"target": described(file)}
    if project is not None:
        no_files(RUN=run, SCORES=scores, POLICY=policy, output=output, new_scores=new_scores, actions=actions)
        if name is None:
            raise HcatError("name the run with the new answers by --name")
        about |= {"project": project, "run": in_run, "name": name}
        _in_project(about, project, in_run, on_criterion, name, file, dry_run=dry_run, as_json=as_json)
    elif run is None or scores is None or policy is None or output is None or new_scores is None:
        raise HcatError("give RUN, SCORES, POLICY, -o and --new-scores, or --project, --run and --name")
    else:
        files = _Files(run, scores, policy, output, new_scores, actions)
        _on_files(about, files, file, dry_run=dry_run, as_json=as_json)


class _Files(NamedTuple):
    """Files with the first answers, and files for the new ones."""

    run: Path
    scores: Path
    policy: Path
    output: Path
    new_scores: Path
    actions: Path | None


def _on_files(about: dict[str, JsonValue], files: _Files, file: Target, *, dry_run: bool, as_json: bool) -> None:
    from hcat.core.capabilities.collect.opening import open_system
    from hcat.core.capabilities.policy.analysis import regeneration
    from hcat.core.capabilities.policy.analysis.asking_again import AskingAgain, plan_regeneration
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.core.capabilities.policy.wording.regeneration import attempt_sentences, reason_text
    from hcat.core.records.run_file import to_jsonl
    from hcat.core.settings import settings

    stated = Policy.from_json(read_text(files.policy))
    columns = open_columns(files.run, files.scores)
    again = regeneration.to_regenerate(columns, stated)
    said = document(
        inputs={"run": files.run, "scores": files.scores, "policy": files.policy},
        settings={**about, "attempts": stated.failing.attempts, "criterion": stated.criterion},
        policy_hash=stated.hash,
    )
    if dry_run:
        _print_plan(said, plan_regeneration(len(again), stated, file.limits), as_json=as_json)
        return
    system = open_system(file, allow_private=settings().allow_private_targets)
    with progress_bar() as show:
        ask = AskingAgain(
            system,
            file.limits,
            lambda number: files.output.with_name(f"{files.output.name}.attempt-{number}.journal"),
            lambda number: nullcontext(
                (threading.Event(), lambda done, of: show(Progress(f"asking again, attempt {number}", done, of)))
            ),
        )
        done = regeneration.regenerate(columns, stated, ask=ask, rescore=_rescoring(stated), reason=reason_text)
    write_whole(files.output, to_jsonl(done.samples).encode())
    done.scores.write(files.new_scores)
    if files.actions is not None:
        write_parquet(done.decisions, files.actions, about=said)
    _print_done(
        said, done.decisions, attempt_sentences(done.attempts), str(files.output), done.attempts, as_json=as_json
    )


def _in_project(
    about: dict[str, JsonValue],
    project: str,
    run: str | None,
    criterion: str | None,
    name: str,
    file: Target,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    from hcat.core.capabilities.policy.wording.regeneration import regenerated_sentences

    with opened(project) as workspace:
        stored, record = run_of(workspace, project, run), in_use(workspace, project, criterion)
        policy = workspace.policies.read(record)
        request = workspace.regenerations.prepare(stored, record, name, file)
        said = document(
            inputs={},
            settings={**about, "attempts": policy.failing.attempts, "criterion": policy.criterion},
            policy_hash=policy.hash,
        )
        if dry_run:
            _print_plan(said, workspace.regenerations.plan(request), as_json=as_json)
            return
        with progress_bar() as show:
            added = workspace.regenerations.regenerate(request, on_progress=show)
        decisions = workspace.applied_policies.decide(added, record)
        sentences = regenerated_sentences(workspace.runs.samples(added), decisions)
    _print_done(said, decisions, sentences, f"run {name}", None, as_json=as_json)


def _rescoring(policy: Policy) -> Rescore:
    """The policy's metrics by the models that the settings name, loaded once."""
    from hcat.core.metrics.registry import select
    from hcat.core.models.encoder.encoder import ENCODER
    from hcat.core.models.model_set import load_models
    from hcat.core.scoring.evaluate import score_samples
    from hcat.core.settings import settings

    names = policy.metrics
    models = load_models(settings(), {role for metric in select(names) for role in metric.models}).with_verifier()
    store = embedding_cache(models[ENCODER])
    return lambda samples: score_samples(samples, metrics=names, models=models, store=store, seed=settings().seed)


def _print_plan(about: Mapping[str, JsonValue], plan: RegenerationPlan, *, as_json: bool) -> None:
    from hcat.core.capabilities.policy.wording.regeneration import plan_sentence

    if as_json:
        print_document({**about, "answers": plan.answers, "most_requests": plan.most_requests, "cost": plan.cost})
        return
    typer.echo(plan_sentence(plan))


def _print_done(
    about: Mapping[str, JsonValue],
    decisions: pd.DataFrame,
    said: Sequence[str],
    place: str,
    attempts: Sequence[Attempt] | None,
    *,
    as_json: bool,
) -> None:
    from hcat.core.capabilities.policy.decide import Decisions
    from hcat.core.capabilities.policy.view import decisions_view
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    counts = Decisions.of(decisions)
    if as_json:
        says: list[JsonValue] = [*said]
        of_attempts = {} if attempts is None else {"attempts": JSON.write(list(attempts))}
        print_document({**about, "n": counts.n, **of_attempts, "actions": {**counts.actions}, "says": says})
        return
    print_view(decisions_view(counts, title=f"{counted(counts.n, 'answer')} → {place}"))
    for sentence in said:
        typer.echo(sentence)
