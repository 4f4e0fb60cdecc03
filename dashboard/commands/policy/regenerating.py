"""`hcat policy regenerate`: what a policy sends back, asked of the system again and scored again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.display.numbers import counted, format_percent
from core.errors import HcatError
from core.records.atomic import write_whole
from core.types import JsonValue, Progress
from dashboard.commands.output import (
    AsJson,
    document,
    print_document,
    print_table,
    progress_bar,
    read_text,
    write_parquet,
)
from dashboard.commands.policy.policies import PolicyFile
from dashboard.commands.runs import embedding_cache, open_columns
from dashboard.commands.score_files import ScoresFile

if TYPE_CHECKING:
    from core.analysis.regeneration import Ask, Regeneration, Rescore
    from core.estimates.policy.policy import Policy
    from core.systems.description import Target
    from core.types import Sample


def regenerate(
    run: Annotated[Path, typer.Argument(help="The run file that the scores are of.")],
    scores: ScoresFile,
    policy: PolicyFile,
    target: Annotated[Path, typer.Option(help="How the system is asked (YAML); {{reason}} in it takes the reason.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Where the run with the new answers goes (JSON Lines).")
    ],
    new_scores: Annotated[Path, typer.Option(help="Where its scores on the policy's metrics go (Parquet).")],
    actions: Annotated[Path | None, typer.Option(help="Where the actions on it go (Parquet).")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked at most, and what it costs; ask nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask the system again for each answer that the policy sends back, with the reason, and score what comes.

    As often as the policy says. A new answer gets an id of its own: labels of the first one do not count for it. The
    same command goes on where it ended.
    """
    from core.analysis import regeneration
    from core.estimates.policy.policy import Policy
    from core.records.run_file import to_jsonl
    from core.systems.description import described, read_target
    from core.wording.policy.regeneration import reason_text

    stated, file = Policy.from_json(read_text(policy)), read_target(target)
    columns = open_columns(run, scores)
    again = regeneration.to_regenerate(columns, stated)
    about = document(
        inputs={"run": run, "scores": scores, "policy": policy},
        settings={"target": described(file), "attempts": stated.failing.attempts, "criterion": stated.criterion},
        policy_hash=stated.hash,
    )
    if dry_run:
        _print_plan(about, len(again), stated, file, as_json=as_json)
        return
    with progress_bar() as show:
        done = regeneration.regenerate(
            columns, stated, ask=_asking(file, output, show), rescore=_rescoring(stated), reason=reason_text
        )
    write_whole(output, to_jsonl(done.samples).encode())
    done.scores.write(new_scores)
    if actions is not None:
        write_parquet(done.decisions, actions, about=about)
    _print_done(about, done, output, as_json=as_json)


def _asking(file: Target, output: Path, show: Callable[[Progress], None]) -> Ask:
    """Each attempt has a journal beside the output; the budget is for all of them."""
    from core.analysis.regeneration import Replies
    from core.settings import settings
    from core.systems.collect import Collection
    from core.systems.opening import open_system

    system = open_system(file, allow_private=settings().allow_private_targets)
    requests: list[int] = []

    def ask(number: int, samples: Sequence[Sample], reasons: Mapping[str, str]) -> Replies:
        limits = file.limits
        if limits.requests is not None:
            limits = replace(limits, requests=max(0, limits.requests - sum(requests)))
        cases = [replace(sample, answer=None, contexts=()) for sample in samples]
        journal = output.with_name(f"{output.name}.attempt-{number}.journal")
        collection = Collection(cases, system, limits=limits, trials=1, journal=journal, reasons=reasons)
        found = collection.run(
            again=not collection.plan().answered,
            on_answer=lambda done, of: show(Progress(f"regenerate, attempt {number}", done, of)),
        )
        requests.append(found.requests)
        if not found.complete:
            raise HcatError(f"stopped: {found.stopped}. Nothing is written; the same command goes on where it ended")
        if number == 1 and not found.answered:
            reasons_why = "; ".join(found.failures)
            raise HcatError(f"no answer came: {reasons_why}. Nothing is written: mend the target and try again")
        answers = {sample.id: sample for sample in collection.samples() if "failure" not in sample.metadata}
        return Replies(answers, found.failures)

    return ask


def _rescoring(policy: Policy) -> Rescore:
    """The policy's metrics by the models that the settings name, loaded once."""
    from core.metrics.registry import select
    from core.models.encoder.encoder import ENCODER
    from core.models.model_set import load_models
    from core.scoring.evaluate import score_samples
    from core.settings import settings

    names = policy.fitted.metrics
    models = load_models(settings(), {role for metric in select(names) for role in metric.models}).with_verifier()
    store = embedding_cache(models[ENCODER])
    return lambda samples: score_samples(samples, metrics=names, models=models, store=store, seed=settings().seed)


def _print_plan(about: Mapping[str, JsonValue], answers: int, policy: Policy, file: Target, *, as_json: bool) -> None:
    most = answers * policy.failing.attempts * file.attempts
    most = most if file.budget is None else min(most, file.budget)
    cost = None if file.price is None else file.price * answers * policy.failing.attempts
    if as_json:
        print_document({**about, "answers": answers, "most_requests": most, "cost": cost})
        return
    typer.echo(
        f"{counted(answers, 'answer')} to regenerate, each at most {counted(policy.failing.attempts, 'time')}; at most "
        f"{counted(most, 'request')}."
    )
    if cost is not None:
        typer.echo(f"At one request an attempt: at most {cost:g} at the price that the target states.")


def _print_done(about: Mapping[str, JsonValue], done: Regeneration, output: Path, *, as_json: bool) -> None:
    from core.estimates.policy.policy import ACTIONS
    from core.records.codec import JSON
    from core.wording.policy.policies import ACTION_TITLES
    from core.wording.policy.regeneration import attempt_sentences

    n, said = len(done.decisions), attempt_sentences(done.attempts)
    counts: dict[str, int] = {action: int((done.decisions["action"] == action).sum()) for action in ACTIONS}
    if as_json:
        says: list[JsonValue] = [*said]
        print_document(
            {**about, "n": n, "attempts": JSON.write(list(done.attempts)), "actions": {**counts}, "says": says}
        )
        return
    print_table(
        f"{counted(n, 'answer')} → {output}",
        ("action", "answers", "share"),
        [(ACTION_TITLES[action], str(k), format_percent(k / max(n, 1))) for action, k in counts.items()],
    )
    for sentence in said:
        typer.echo(sentence)
