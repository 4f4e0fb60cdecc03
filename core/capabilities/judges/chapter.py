"""Chapter on language models as judges: their rubrics, their agreement with people, and their biases."""

from __future__ import annotations

from hcat.core.capabilities.judges.manipulations import ScoreBias
from hcat.core.capabilities.judges.view import beside_people_view, biases_view
from hcat.core.capabilities.judges.wording.verdicts import (
    CALIBRATE,
    NOT_CHECKED,
    OTHER_VERSION,
    reasons_text,
)
from hcat.core.capabilities.report.chapter import Chapter
from hcat.core.capabilities.report.evidence.machine_records import JudgedCriterion, JudgeEvidence
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.display.messages import say
from hcat.core.records.judging import JudgeFacts
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Heading, KeyValues, Paragraph, Quantity, Section, Table, Value


def judges_section(evidence: Evidence) -> Section | None:
    """None where no judge judged a run or was checked on it."""
    if not evidence.judges:
        return None
    blocks: list[Block] = [Paragraph((say(CALIBRATE),))]
    for item in evidence.judges:
        blocks += _of_judge(item)
    return Section("judges", say("Language models as judges"), tuple(blocks))


def _of_judge(item: JudgeEvidence) -> list[Block]:
    blocks: list[Block] = [Heading(say("{item.judge} on {item.run}", item=item))]
    if item.judged is not None:
        blocks += [_facts(item.judged), _verdicts(item), *_agreement(item.criteria)]
    if item.checked is None or item.biases is None:
        return [*blocks, Paragraph((say(NOT_CHECKED),))]
    return [*blocks, *_biases(item.checked, item.biases, item.judged)]


def _facts(judged: JudgeFacts) -> KeyValues:
    settings = judged.settings
    facts = (
        (say("Model"), Quantity(str(settings.get("model", "")), "text")),
        (say("Rubric"), Quantity(_rubric(judged), "text")),
        (say("Version of the judge"), Quantity(judged.version[:12], "code")),
        (say("Trials a sample"), Quantity(str(settings.get("trials", 1)), "text")),
        (say("Samples"), Quantity(judged.n, "count")),
    )
    return KeyValues(facts)


def _rubric(judged: JudgeFacts) -> str:
    """The rubric by its version, or by its hash where versions are not kept."""
    if judged.rubric_version is None:
        return f"{judged.rubric}, {str(judged.settings.get('rubric_hash', ''))[:12]}"
    return say("{judged.rubric}, version {judged.rubric_version}", judged=judged)


def _verdicts(item: JudgeEvidence) -> Table:
    columns = (column("Criterion"), column("Scored", "count"), column("Unscored", "count"), column("Why unscored"))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.name, each.scored, each.n - each.scored, reasons_text(each.unscored)) for each in item.criteria
    )
    return Table(say("Verdicts"), columns, rows, (say("An unscored sample is in no mean and in no agreement."),))


def _agreement(criteria: tuple[JudgedCriterion, ...]) -> list[Block]:
    pairs = [(each.name, people, agreement) for each in criteria for people, agreement in each.beside.items()]
    if not pairs:
        return [Paragraph((say("There are no labels: how far this judge agrees with people is not known."),))]
    return list(beside_people_view(pairs).blocks)


def _biases(checked: JudgeFacts, biases: ScoreBias, judged: JudgeFacts | None) -> list[Block]:
    other = judged is not None and judged.version != checked.version
    return [*biases_view(biases, checked.n).blocks, *([Paragraph((say(OTHER_VERSION),))] if other else [])]


CHAPTER = Chapter("judges", "Language models as judges", judges_section, after="people")
