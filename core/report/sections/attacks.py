"""Attacks beside their controls: the figure of the Attacks page, its table, and the hits by family."""

from __future__ import annotations

from core.figures.attacks import attack_forest
from core.report.evidence.records import Evidence
from core.report.tree import Block, Bullets, Column, Figure, Heading, Paragraph, Quantity, Section, Table, Value
from core.testgen.attacks.results import AttackResults
from core.types import Estimate
from core.wording.testgen.attacks import family_sentence, result_notes

INTRODUCTION = (
    "Attacks were made from the corpus, each beside a control that holds everything but the attack. What counts is the "
    "rate of success under attack less that of the control, so that what any answer returns is no success."
)


def attacks_section(evidence: Evidence) -> Section | None:
    """None where no run was asked attacks."""
    if not evidence.attacks:
        return None
    blocks: list[Block] = [Paragraph((INTRODUCTION,))]
    for results in evidence.attacks:
        blocks += _of_run(results)
    return Section("attacks", "Attacks", tuple(blocks))


def _of_run(results: AttackResults) -> list[Block]:
    blocks: list[Block] = [Heading(results.run)]
    forest = attack_forest(results)
    if forest.rows:
        blocks.append(Figure("Success under attack less that of the control", forest, ("Largest excess first.",)))
    blocks.append(_rates(results))
    blocks.append(Bullets(tuple((family_sentence(family),) for family in results.families)))
    if results.detectors:
        blocks.append(_detectors(results))
    blocks.append(Paragraph((" ".join(result_notes(results)),)))
    return blocks


def _rates(results: AttackResults) -> Table:
    columns = (
        *(Column("Family"), Column("Attack", "share"), Column("Control", "share"), Column("Excess", "share")),
        *(Column("Corrected excess", "share"), Column("Seeds", "count"), Column("Adjusted p", "p-value")),
        Column("The detector reports", "verdict"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            each.family,
            _share(each.success.detected.attack),
            _share(each.success.detected.control),
            _share(each.success.detected.excess),
            None if each.success.corrected is None else _share(each.success.corrected.excess),
            each.success.seeds,
            each.adjusted_p,
            each.verdict,
        )
        for each in results.families
    )
    return Table("Success of attacks and of their controls", columns, rows)


def _detectors(results: AttackResults) -> Table:
    columns = (
        *(Column("Detector"), Column("Sensitivity", "share"), Column("Specificity", "share")),
        Column("Labelled", "count"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (each.detector, _share(each.errors.sensitivity), _share(each.errors.specificity), each.labelled)
        for each in results.detectors
    )
    return Table("The detectors against the labels", columns, rows)


def _share(estimate: Estimate) -> Quantity:
    return Quantity(estimate, "share")
