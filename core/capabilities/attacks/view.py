"""Families of attacks compared with their controls."""

from __future__ import annotations

from hcat.core.capabilities.attacks.figures import attack_forest
from hcat.core.capabilities.attacks.registry import ATTACKS
from hcat.core.capabilities.attacks.results import AttackResults
from hcat.core.capabilities.attacks.success import AttackSuccess
from hcat.core.capabilities.attacks.wording import family_sentence, result_notes
from hcat.core.display.messages import say
from hcat.core.view.telling import column
from hcat.core.view.tree import Block, Bullets, Figure, Paragraph, Table, Value
from hcat.core.view.view import View


def attacks_view(results: AttackResults) -> View:
    """The success of each family less that of its control, the detectors against labels, what each family does, and
    the notes."""
    blocks: list[Block] = []
    forest = attack_forest(results)
    if forest.rows:
        caption = (say("Largest excess first."),)
        blocks.append(Figure(say("Success under attack less that of the control"), forest, caption))
    blocks.append(_rates(results))
    blocks.append(Bullets(tuple((family_sentence(family),) for family in results.families)))
    if results.detectors:
        blocks.append(_detectors(results))
    return View((*blocks, _families(results), Paragraph((" ".join(result_notes(results)),))))


def _rates(results: AttackResults) -> Table:
    columns = (
        *(column("Family"), column("Attack", "share"), column("Control", "share"), column("Excess", "share")),
        *(column("Corrected excess", "share"), column("Seeds", "count"), column("Adjusted p", "p-value")),
        column("The detector reports", "verdict"),
    )
    rows: list[tuple[Value, ...]] = [
        (*_success(each.family, each.success), each.adjusted_p, each.verdict) for each in results.families
    ]
    if len(rows) > 1:
        rows.append((*_success("all", results.overall), None, None))
    return Table(say("Success of attacks and of their controls"), columns, tuple(rows))


def _success(name: str, success: AttackSuccess) -> tuple[Value, ...]:
    detected, corrected = success.detected, success.corrected
    excess = None if corrected is None else corrected.excess
    return (say(name), detected.attack, detected.control, detected.excess, excess, success.seeds)


def _detectors(results: AttackResults) -> Table:
    columns = (
        *(column("Detector"), column("Sensitivity", "share"), column("Specificity", "share")),
        column("Labelled", "count"),
    )
    rows = tuple(
        (say(each.detector), each.errors.sensitivity, each.errors.specificity, each.labelled)
        for each in results.detectors
    )
    return Table(say("The detectors against the labels"), columns, rows)


def _families(results: AttackResults) -> Table:
    columns = (column("Family"), column("The attack"), column("The control"), column("Success by the detector"))
    known = [ATTACKS[each.family] for each in results.families if each.family in ATTACKS]
    rows = tuple((say(each.name), say(each.description), say(each.control), say(each.success)) for each in known)
    return Table(say("What each family does, and what its control does instead"), columns, rows)
