"""`hcat attack`: attacks and their controls from a corpus, and the poisoned copy that the system must hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.commands.output import AsJson, existing, names_in, print_json, print_table, progress_bar, read_text

if TYPE_CHECKING:
    from hcat.core.capabilities.attacks.family import AttackFamily
    from hcat.core.records.test_case import TestCase
    from hcat.core.types import JsonValue


class AskedAttacks(NamedTuple):
    """The attacks to be made."""

    families: tuple[AttackFamily, ...]
    n: int
    tests: tuple[TestCase, ...]
    system_prompt: str
    seed: int


def attack(
    passages: Annotated[
        str | None,
        typer.Argument(help="The corpus: passages (JSON Lines) or a folder; with --project the name of a corpus."),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the test cases.")] = None,
    poisoned: Annotated[
        Path | None,
        typer.Option(help="Where to write the poisoned copy of the corpus. By default beside the test cases."),
    ] = None,
    family: Annotated[str, typer.Option(help="Families, comma-separated; or all.")] = "all",
    n: Annotated[int, typer.Option("-n", help="Seeds a family: each gives an attack and its control.")] = 30,
    below: Annotated[
        float | None,
        typer.Option(help="Instead of -n: as many seeds as show a rate below this where none succeeds (95%)."),
    ] = None,
    tests: Annotated[
        Path | None, typer.Option(help="Test cases (JSON Lines) to attack from. By default rules write questions.")
    ] = None,
    system_prompt: Annotated[
        Path | None, typer.Option(help="The system's instructions (a text file), to recognise them in answers.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Take the corpus of this project and store a test set.")] = None,
    name: Annotated[str | None, typer.Option(help="With --project: the name of the test set.")] = None,
    families: Annotated[bool, typer.Option("--families", help="List the families instead.")] = False,
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make attacks on the system from its own corpus, each beside a benign control; `hcat collect` asks them."""
    from hcat.core.capabilities.attacks.make import make_attacks, poisoned_corpus
    from hcat.core.capabilities.attacks.planning import seeds_for_bound
    from hcat.core.capabilities.attacks.registry import ATTACKS, chosen_attacks
    from hcat.core.capabilities.attacks.wording import families_document, made_document, made_rows, made_sentences
    from hcat.core.capabilities.test_sets.case_file import read_cases
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.passages import passages_jsonl
    from hcat.core.records.test_case import test_cases_jsonl
    from hcat.core.settings import settings
    from hcat.dashboard.capabilities.corpus.commands.corpus_files import passages_at

    if families:
        if as_json:
            print_json(inputs={}, settings={}, families=[*families_document(ATTACKS.values())])
            return
        rows = [(each.name, each.description, each.control, each.success) for each in ATTACKS.values()]
        print_table("Families of attacks", ("family", "the attack", "its control", "success"), rows)
        return
    if passages is None or (output is None) == (project is None):
        raise HcatError("name the corpus, and with -o the file for the attacks; --families lists the families")
    chosen = chosen_attacks(names_in(family))
    seeds = n if below is None else seeds_for_bound(below)
    asked: dict[str, JsonValue] = {"families": [each.name for each in chosen], "n": seeds}
    asked["seed"] = chosen_seed = settings().seed if seed is None else seed
    instructions = "" if system_prompt is None else read_text(system_prompt)
    questions = () if tests is None else read_cases(existing(tests).read_bytes(), filename=tests.name)
    request = AskedAttacks(chosen, seeds, questions, instructions, chosen_seed)
    if output is None:
        _store(request, str(project), passages, name or "attacks", poisoned, as_json=as_json)
        return
    corpus = passages_at(Path(passages))
    with progress_bar() as show:
        made = make_attacks(
            corpus, chosen, seeds, tests=questions, system_prompt=instructions, seed=chosen_seed, on_progress=show
        )
    beside = output.with_name(f"{output.stem}-corpus.jsonl") if poisoned is None else poisoned
    write_whole(output, test_cases_jsonl(made.cases).encode())
    write_whole(beside, passages_jsonl(poisoned_corpus(corpus, made.cases)).encode())
    if as_json:
        inputs = {"passages": Path(passages)} if Path(passages).is_file() else {}
        inputs |= {} if tests is None else {"tests": tests}
        print_json(inputs=inputs, settings=asked, poisoned_corpus=str(beside), **made_document(made, chosen))
        return
    title = f"{len(made.cases)} test cases → {output}; poisoned copy of the corpus → {beside}"
    print_table(title, ("family", "seeds", "success", "the control"), made_rows(made, chosen))
    for sentence in made_sentences(made, chosen):
        typer.echo(sentence)


def _store(
    request: AskedAttacks, project: str, corpus: str, name: str, poisoned: Path | None, *, as_json: bool
) -> None:
    from hcat.core.capabilities.attacks.service import AttackRequest
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.passages import passages_jsonl
    from hcat.core.workspace import Workspace

    with Workspace.open(actor="command line") as workspace, progress_bar() as show:
        owner = workspace.projects.get(project)
        newest = workspace.corpora.version(owner, corpus)
        asked = AttackRequest(
            name,
            corpus,
            newest.version,
            tuple(family.name for family in request.families),
            request.n,
            request.seed,
            system_prompt=request.system_prompt,
        )
        stored = workspace.attacks.make(owner, asked, tests=request.tests, on_progress=show)
        if poisoned is not None:
            copied = workspace.attacks.poisoned_corpus(owner, stored)
            write_whole(poisoned, passages_jsonl(copied).encode())
    if as_json:
        settings: dict[str, JsonValue] = {"project": project, "corpus": corpus, "test_set": stored.name}
        print_json(inputs={}, settings=settings, **stored.account)
        return
    typer.echo(f"{stored.n_cases} test cases → test set {stored.name!r} of {project}")
    notes = stored.account.get("notes")
    for note in notes if isinstance(notes, list) else ():
        typer.echo(str(note))
