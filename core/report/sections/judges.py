"""Language models that judged: by which rubric, how far they agree with people, and what sways them."""

from __future__ import annotations

from core.agreement.judges.manipulations import ScoreBias
from core.agreement.pairwise import MINIMUM_N
from core.records.judging import JudgeFacts
from core.report.evidence.machine_records import JudgedCriterion, JudgeEvidence
from core.report.evidence.records import Evidence
from core.report.tree import Block, Bullets, Column, Heading, KeyValues, Paragraph, Quantity, Section, Table, Value
from core.wording.judging.biases import (
    consequence_sentences,
    refusal_sentence,
    shift_title,
    shift_verdict,
)
from core.wording.judging.verdicts import (
    CALIBRATE,
    NOT_CHECKED,
    OTHER_VERSION,
    kappa_verdict,
    reasons_text,
)


def judges_section(evidence: Evidence) -> Section | None:
    """None where no judge judged a run or was checked on it."""
    if not evidence.judges:
        return None
    blocks: list[Block] = [Paragraph((CALIBRATE,))]
    for item in evidence.judges:
        blocks += _of_judge(item)
    return Section("judges", "Language models as judges", tuple(blocks))


def _of_judge(item: JudgeEvidence) -> list[Block]:
    blocks: list[Block] = [Heading(f"{item.judge} on {item.run}")]
    if item.judged is not None:
        blocks += [_facts(item.judged), _verdicts(item), *_agreement(item.criteria)]
    if item.checked is None or item.biases is None:
        return [*blocks, Paragraph((NOT_CHECKED,))]
    return [*blocks, *_biases(item.checked, item.biases, item.judged)]


def _facts(judged: JudgeFacts) -> KeyValues:
    settings = judged.settings
    facts = (
        ("Model", Quantity(str(settings.get("model", "")), "text")),
        ("Rubric", Quantity(_rubric(judged), "text")),
        ("Version of the judge", Quantity(judged.version[:12], "code")),
        ("Trials a sample", Quantity(str(settings.get("trials", 1)), "text")),
        ("Samples", Quantity(judged.n, "count")),
    )
    return KeyValues(facts)


def _rubric(judged: JudgeFacts) -> str:
    """The rubric by its version, or by its hash where versions are not kept."""
    if judged.rubric_version is None:
        return f"{judged.rubric}, {str(judged.settings.get('rubric_hash', ''))[:12]}"
    return f"{judged.rubric}, version {judged.rubric_version}"


def _verdicts(item: JudgeEvidence) -> Table:
    columns = (Column("Criterion"), Column("Scored", "count"), Column("Unscored", "count"), Column("Why unscored"))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.name, each.scored, each.n - each.scored, reasons_text(each.unscored)) for each in item.criteria
    )
    return Table("Verdicts", columns, rows, ("An unscored sample is in no mean and in no agreement.",))


def _agreement(criteria: tuple[JudgedCriterion, ...]) -> list[Block]:
    pairs = [(each.name, people, agreement) for each in criteria for people, agreement in each.beside.items()]
    if not pairs:
        return [Paragraph(("There are no labels: how far this judge agrees with people is not known.",))]
    columns = (
        *(Column("Judge's criterion"), Column("Labels on"), Column("Both", "count"), Column("By a rule", "count")),
        *(Column("κ", "estimate"), Column("Same verdict", "share"), Column("Beyond chance", "verdict")),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(name, people, agreement.n, agreement.n - agreement.by_people),
            agreement.kappa if agreement.enough else None,
            agreement.same if agreement.enough else None,
            kappa_verdict(agreement),
        )
        for name, people, agreement in pairs
    )
    note = (
        "Cohen's κ of pass and fail. Both: samples with a verdict and a label. By a rule: labels that no person gave. "
        f"Below {MINIMUM_N} samples nothing is said. Each interval is valid on its own; they are not valid jointly.",
    )
    return [Table("Agreement with the labels", columns, rows, note)]


def _biases(checked: JudgeFacts, biases: ScoreBias, judged: JudgeFacts | None) -> list[Block]:
    columns = (
        *(Column("Change of the answer"), Column("Criterion"), Column("Pairs", "count")),
        *(Column("Scores move by", "estimate"), Column("Pass rate moves by", "share"), Column("p (Holm)", "p-value")),
        Column("Bias", "verdict"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            *(shift_title(shift), shift.criterion, shift.n, shift.shift if shift.n else None),
            *(shift.pass_rate if shift.n else None, shift.p_holm, shift_verdict(shift)),
        )
        for shift in biases.shifts
    )
    note = ("Each sample was judged as it is and changed in a way that changes nothing of what it says.",)
    if judged is not None and judged.version != checked.version:
        note = (f"{note[0]} {OTHER_VERSION}",)
    sentences = [*consequence_sentences(biases.shifts), *map(refusal_sentence, biases.refusals)]
    return [
        Table(f"Biases, on {checked.n} samples", columns, rows, note),
        *([Bullets(tuple((sentence,) for sentence in sentences))] if sentences else []),
    ]
