"""`hcat policy check`: a policy in use against its promise, with an exit code for pipelines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from hcat.core.errors import HcatError
from hcat.core.inputs.inputs import open_columns
from hcat.core.inputs.labels import calibrated_criterion, read_label_file, stated_criterion
from hcat.core.records.file_limits import parse_document
from hcat.dashboard.capabilities.policy.commands.stored import InProject, OnCriterion, check_in_project, no_files
from hcat.dashboard.commands.label_files import LevelNames, Passing, Positive
from hcat.dashboard.commands.output import AsJson, print_json, read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hcat.core.calibration.calibration import Calibration
    from hcat.core.capabilities.policy.check import PolicyCheck
    from hcat.core.capabilities.policy.policy import Policy
    from hcat.core.opened.run import Opened
    from hcat.core.types import Criterion, JsonValue, Label

ALARM = 1
"""The exit code of an alarm; 0 where the promise is not shown to be broken."""


def check(
    policy: Annotated[Path | None, typer.Argument(help="The policy from `hcat policy fit` (JSON).")] = None,
    scores: Annotated[
        list[Path] | None, typer.Argument(help="Score files of the answers decided on, in order of time.")
    ] = None,
    project: InProject = None,
    on_criterion: OnCriterion = None,
    in_runs: Annotated[
        str | None,
        typer.Option(
            "--runs",
            help="With --project: these runs in order of time, comma-separated; by default those imported since.",
        ),
    ] = None,
    labels: Annotated[
        list[Path] | None,
        typer.Option(help="Labels (CSV) of accepted answers, drawn at random: one file for all, or one for each."),
    ] = None,
    samples: Annotated[
        list[Path] | None, typer.Option(help="The run file of each score file, where the policy is by a dimension.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="The chance of a false alarm, over all windows ever looked at.")] = 0.05,
    positive: Positive = None,
    levels: LevelNames = None,
    passing: Passing = None,
    as_json: AsJson = False,
) -> None:
    """Hold a policy in use against its promise, window by window. Exit code 1 where it is shown to be broken.

    Each score file is one window. Looking after every window is allowed for: α holds over all of them.
    """
    from hcat.core.capabilities.policy.view import drift_view
    from hcat.core.capabilities.policy.wording.drift import check_sentences
    from hcat.core.records.codec import JSON
    from hcat.dashboard.commands.printed_view import print_view

    inputs: dict[str, Path] = {}
    about: dict[str, JsonValue] = {"alpha": alpha}
    if project is not None:
        no_files(POLICY=policy, SCORES=scores, labels=labels, samples=samples)
        stated, checked, windows = check_in_project(project, on_criterion, in_runs, alpha=alpha)
        about |= {"project": project, "runs": [each.name for each in windows]}
    elif policy is None or not scores:
        raise HcatError("give POLICY and at least one file of SCORES, or --project")
    else:
        stated, checked = _check_files(
            policy, scores, labels or [], samples or [], (positive, levels, passing), alpha=alpha
        )
        inputs = {"policy": policy, **{f"scores {number}": path for number, path in enumerate(scores, start=1)}}
    if as_json:
        sentences: list[JsonValue] = [*check_sentences(checked)]
        print_json(
            inputs=inputs,
            settings={**about, "policy_hash": stated.hash, "criterion": stated.criterion},
            error=JSON.write(checked.errors[0]),
            errors=JSON.write(list(checked.errors)),
            load=JSON.write(checked.load),
            labelled=checked.labelled,
            alarm=checked.alarm,
            says=sentences,
        )
    else:
        print_view(drift_view(checked))
    if checked.alarm:
        raise typer.Exit(ALARM)


def read_check(path: Path, policy: Policy) -> PolicyCheck:
    """Read the output of `hcat policy check --json` on this policy; FileFormatError on anything else."""
    from hcat.core.capabilities.policy.check import PolicyCheck
    from hcat.core.errors import FileFormatError
    from hcat.core.records.codec import JSON

    try:
        document = cast("dict[str, dict[str, JsonValue]]", parse_document(read_text(path)))
        parts: dict[str, JsonValue] = {name: document[name] for name in ("errors", "load", "labelled")}
        checked, hash_of = JSON.read(PolicyCheck, parts), document["settings"]["policy_hash"]
    except (ValueError, KeyError, TypeError, HcatError) as error:
        raise FileFormatError(
            f"{path.name} is no check of a policy ({error}): make it with `hcat policy check --json`"
        ) from None
    if hash_of != policy.hash:
        raise FileFormatError(f"{path.name} is a check of another policy than the one that is given")
    return checked


def _check_files(
    policy: Path,
    scores: Sequence[Path],
    labels: Sequence[Path],
    samples: Sequence[Path],
    options: tuple[str | None, str | None, str | None],
    *,
    alpha: float,
) -> tuple[Policy, PolicyCheck]:
    from hcat.core.capabilities.policy.analysis.policy_check import check_policy
    from hcat.core.capabilities.policy.policy import Policy

    stated = Policy.from_json(read_text(policy))
    runs, criteria = _windows(stated, scores, labels, samples, options)
    return stated, check_policy(stated, runs, criteria, alpha=alpha)


def _windows(
    policy: Policy,
    scores: Sequence[Path],
    labels: Sequence[Path],
    samples: Sequence[Path],
    options: tuple[str | None, str | None, str | None],
) -> tuple[list[Opened], list[Criterion]]:
    from hcat.core.opened.columns import run_from_files
    from hcat.core.types import Criterion

    if len(labels) not in (0, 1, len(scores)):
        raise HcatError(f"there are {len(scores)} score files and {len(labels)} label files: give one, or one for each")
    if len(samples) not in (0, len(scores)):
        raise HcatError(f"there are {len(scores)} score files and {len(samples)} run files: give none, or one for each")
    criteria = {name: Criterion(name) for name in policy.criteria}
    runs = []
    for number, path in enumerate(scores):
        columns = open_columns(samples[number] if samples else None, path)
        stated: list[Label] = []
        if labels:
            for name, fitted in policy.maps.items():
                own, criteria[name] = _labels(labels[min(number, len(labels) - 1)], fitted, options)
                stated += [label for label in own if label.sample_id in set(columns.scores.sample_ids)]
        runs.append(run_from_files(columns, stated))
    return runs, [*criteria.values()]


def _labels(
    path: Path, fitted: Calibration, options: tuple[str | None, str | None, str | None]
) -> tuple[Sequence[Label], Criterion]:
    positive, levels, passing = options
    preview = read_label_file(
        path,
        criterion=fitted.criterion,
        positive=positive,
        run=None,
        levels=stated_criterion(fitted.criterion, levels, positive),
    )
    return preview.labels, calibrated_criterion(preview, fitted, passing=passing)
