"""Read the output of `hcat judge RUN --json` and `hcat judge bias RUN --run --json` for a report or a comparison."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hcat.core.errors import FileFormatError, HcatError
from hcat.dashboard.commands.output import read_text

if TYPE_CHECKING:
    from hcat.core.capabilities.judges.stored import StoredCheck, StoredJudgement
    from hcat.core.records.judging import JudgeFacts
    from hcat.core.types import JsonValue

TRIAL = "trial"


def read_judges(files: Sequence[Path], run_hash: str) -> tuple[StoredJudgement | StoredCheck, ...]:
    """A judgement and a check for bias of each judge at most, all of the run of this content hash."""
    read = [read_judge(file, run_hash) for file in files]
    kinds = [(type(each), each.facts.judge) for each in read]
    for file, kind in zip(files, kinds, strict=True):
        if kinds.count(kind) > 1:
            raise HcatError(
                f"{file.name} and another file are of a judge named {kind[1]!r}: give each judge its own --name"
            )
    return tuple(read)


def read_judge(file: Path, run_hash: str) -> StoredJudgement | StoredCheck:
    """The judgement, or the check for bias, in the file. FileFormatError on anything else, or another run."""
    try:
        document = json.loads(read_text(file))
        facts, is_trial = _facts(document), document.get("work") == TRIAL
        read = _check(document, facts) if "shifts" in document else _judgement(document, facts)
    except (ValueError, KeyError, TypeError, AttributeError, HcatError) as error:
        raise FileFormatError(
            f"{file.name} is nothing that a judge said ({error}): make it with `hcat judge RUN --json`, or with "
            "`hcat judge bias RUN --run --json`"
        ) from None
    if document["run_hash"] != run_hash:
        raise FileFormatError(f"{file.name} is of another run than the one that is given: judge this run")
    if is_trial:
        raise FileFormatError(f"{file.name} is a trial on {facts.n} samples: judge the whole run, without --sample")
    return read


def _facts(document: Mapping[str, JsonValue]) -> JudgeFacts:
    from hcat.core.records.judging import JudgeFacts

    settings, n = document["settings"], document["n"]
    if not isinstance(settings, dict) or not isinstance(n, int):
        raise TypeError("its settings are no object, or n is no number")
    version = settings.get("rubric_version")
    return JudgeFacts(
        judge=str(settings["name"]),
        version=str(settings["version"]),
        rubric=str(settings["rubric"]),
        rubric_version=version if isinstance(version, int) else None,
        n=n,
        settings=settings,
    )


def _judgement(document: Mapping[str, JsonValue], facts: JudgeFacts) -> StoredJudgement:
    from hcat.core.capabilities.judges.rubric import Rubric, checked
    from hcat.core.capabilities.judges.stored import StoredJudgement
    from hcat.core.capabilities.judges.verdict import JudgeVerdict
    from hcat.core.records.codec import JSON

    verdicts = document["verdicts"]
    if not isinstance(verdicts, list):
        raise TypeError("its verdicts are no list")
    rubric = checked(JSON.read(Rubric, document["rubric"], at="rubric"))
    read = tuple(JSON.read(JudgeVerdict, each, at=f"verdicts[{place}]") for place, each in enumerate(verdicts))
    return StoredJudgement(facts, rubric, read)


def _check(document: Mapping[str, JsonValue], facts: JudgeFacts) -> StoredCheck:
    from hcat.core.capabilities.judges.manipulations import ScoreBias
    from hcat.core.capabilities.judges.stored import StoredCheck
    from hcat.core.records.codec import JSON

    parts = {name: document[name] for name in ("shifts", "refusals", "usage")}
    return StoredCheck(facts, JSON.read(ScoreBias, parts))
