"""Attacks beside their controls: the figure of the Attacks page, its table, and the hits by family."""

from __future__ import annotations

from hcat.core.display.messages import say
from hcat.core.figures.attacks import attack_forest
from hcat.core.report.evidence.records import Evidence
from hcat.core.testgen.attacks.results import AttackResults
from hcat.core.types import Estimate
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Figure, Heading, Paragraph, Quantity, Section, Table, Value
from hcat.core.wording.testgen.attacks import family_sentence, result_notes

INTRODUCTION = (
    "Attacks were made from the corpus, each beside a control that holds everything but the attack. What counts is the "
    "rate of success under attack less that of the control, so that what any answer returns is no success."
)


def attacks_section(evidence: Evidence) -> Section | None:
    """None where no run was asked attacks."""
    if not evidence.attacks:
        return None
    blocks: list[Block] = [Paragraph((say(INTRODUCTION),))]
    for results in evidence.attacks:
        blocks += _of_run(results)
    return Section("attacks", say("Attacks"), tuple(blocks))


def _of_run(results: AttackResults) -> list[Block]:
    blocks: list[Block] = [Heading(results.run)]
    forest = attack_forest(results)
    if forest.rows:
        blocks.append(
            Figure(say("Success under attack less that of the control"), forest, (say("Largest excess first."),))
        )
    blocks.append(_rates(results))
    blocks.append(Bullets(tuple((family_sentence(family),) for family in results.families)))
    if results.detectors:
        blocks.append(_detectors(results))
    blocks.append(Paragraph((" ".join(result_notes(results)),)))
    return blocks


def _rates(results: AttackResults) -> Table:
    columns = (
        *(column("Family"), column("Attack", "share"), column("Control", "share"), column("Excess", "share")),
        *(column("Corrected excess", "share"), column("Seeds", "count"), column("Adjusted p", "p-value")),
        column("The detector reports", "verdict"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (
            say(each.family),
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
    return Table(say("Success of attacks and of their controls"), columns, rows)


def _detectors(results: AttackResults) -> Table:
    columns = (
        *(column("Detector"), column("Sensitivity", "share"), column("Specificity", "share")),
        column("Labelled", "count"),
    )
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (say(each.detector), _share(each.errors.sensitivity), _share(each.errors.specificity), each.labelled)
        for each in results.detectors
    )
    return Table(say("The detectors against the labels"), columns, rows)


def _share(estimate: Estimate) -> Quantity:
    return Quantity(estimate, "share")
