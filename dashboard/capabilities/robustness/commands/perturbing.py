"""`hcat perturb`: variants of test cases by families, each with what the system should make of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from hcat.core.errors import HcatError
from hcat.dashboard.capabilities.corpus.commands.corpus_index import searchable
from hcat.dashboard.capabilities.test_sets.commands.generating import language_at
from hcat.dashboard.commands.output import AsJson, names_in, print_json, print_table, progress_bar
from hcat.dashboard.commands.output_files import check_outputs

if TYPE_CHECKING:
    from hcat.core.capabilities.robustness.variants.by_model.writer import ModelWriter
    from hcat.core.capabilities.robustness.variants.family import Family
    from hcat.core.capabilities.robustness.variants.perturb import Perturbed, PerturbedCorpus
    from hcat.core.models.llm.language import LanguageModel
    from hcat.core.records.passages import CorpusPassage
    from hcat.core.types import JsonValue, Progress


def perturb(
    tests: Annotated[
        Path | None, typer.Argument(help="Test cases (JSON Lines), or a run file, of whose queries variants are made.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the variants.")] = None,
    family: Annotated[
        str,
        typer.Option(
            help="Families, comma-separated; an attribute such as gender; a kind (“input variation”); or all."
        ),
    ] = "spelling",
    strength: Annotated[
        str, typer.Option(help="Strengths above 0 and up to 1, comma-separated; several show a dose and its response.")
    ] = "0.2",
    corpus: Annotated[
        Path | None, typer.Option(help="Passages of the corpus (JSON Lines), which families of contexts change.")
    ] = None,
    perturbed_corpus: Annotated[
        Path | None,
        typer.Option(
            help="Where to write copies of the corpus with the passages that variants add or replace: one for each "
            "family and strength, as copy-FAMILY-STRENGTH.jsonl where you name copy.jsonl. Index each in an instance "
            "of the system of its own, and ask that one the variants that are written beside -o under the same name."
        ),
    ] = None,
    with_origins: Annotated[
        bool, typer.Option("--with-origins", help="Write the origins too, so that one run answers both.")
    ] = False,
    families: Annotated[bool, typer.Option("--families", help="List the families instead.")] = False,
    endpoint: Annotated[
        str | None,
        typer.Option(help="For families by a language model: its OpenAI-compatible address. Queries alone are sent."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="With --endpoint: the model's name.")] = None,
    language: Annotated[
        str, typer.Option(help="Languages of translations, comma-separated; each query gets one. By default all.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make variants of test cases: the same asked otherwise, amid false statements, or of something else (HCAT 6.1)."""
    from hcat.core.capabilities.robustness.variants.perturb import perturb as make_variants
    from hcat.core.capabilities.robustness.variants.registry import FAMILIES, chosen_families
    from hcat.core.capabilities.robustness.wording.variants import (
        perturbed_document,
        perturbed_rows,
        unchanged_sentences,
    )
    from hcat.core.display.numbers import counted
    from hcat.core.importers.origins import read_origins
    from hcat.core.importers.passage_file import read_passage_file
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.passages import passages_jsonl
    from hcat.core.records.test_case import test_cases_jsonl
    from hcat.core.settings import settings

    if families:
        _print_families(list(FAMILIES.values()), as_json=as_json)
        return
    if tests is None or output is None:
        raise HcatError("name the test cases, and with -o the file for the variants; --families lists the families")
    if perturbed_corpus is not None and corpus is None:
        raise HcatError("--perturbed-corpus changes a copy of the corpus: name that with --corpus")
    chosen, strengths = chosen_families(names_in(family)), strengths_of(strength)
    chosen_seed = settings().seed if seed is None else seed
    origins, contexts = read_origins(tests)
    passages = contexts if corpus is None else read_passage_file(corpus)
    languages = languages_of(language)
    with progress_bar() as show:
        asked_model = language_at(endpoint, model)
        writer = None
        if asked_model is not None:
            writer = _writer(asked_model, () if corpus is None else passages, languages, on_progress=show)
        made = make_variants(
            origins, chosen, strengths, seed=chosen_seed, corpus=passages, writer=writer, on_progress=show
        )
    if not made.variants:
        raise HcatError(f"no variant could be made, and nothing is written: {unchanged_sentences(made)[0]}")
    copies = () if perturbed_corpus is None else _copies(passages, made, perturbed_corpus, output, (tests, corpus))
    write_whole(output, test_cases_jsonl((*origins, *made.variants) if with_origins else made.variants).encode())
    for copy in copies:
        write_whole(copy.corpus, passages_jsonl(copy.made.passages).encode())
        write_whole(copy.tests, test_cases_jsonl(copy.made.variants).encode())
    if as_json:
        inputs = {"tests": tests} if corpus is None else {"tests": tests, "corpus": corpus}
        asked: dict[str, JsonValue] = {"families": [each.name for each in chosen], "strengths": list(strengths)}
        asked |= {} if writer is None else {"writer": {**writer.settings}}
        counts = perturbed_document(made, chosen, cases=len(origins))
        counts["perturbed_corpora"] = [{"corpus": str(copy.corpus), "tests": str(copy.tests)} for copy in copies]
        print_json(inputs=inputs, settings={**asked, "seed": chosen_seed}, **counts)
        return
    columns = ("family", "the answer must", "variants", "not made")
    print_table(counted(len(made.variants), "variant"), columns, perturbed_rows(made, chosen))
    for sentence in unchanged_sentences(made):
        typer.echo(sentence)
    for copy in copies:
        typer.echo(f"Ask {copy.tests} of a system that holds {copy.corpus}.")


class _Copy(NamedTuple):
    """A changed copy of the corpus, where it is written, and where the variants that it is for."""

    made: PerturbedCorpus
    corpus: Path
    tests: Path


def _copies(
    passages: Sequence[CorpusPassage], made: Perturbed, corpus: Path, output: Path, read: Sequence[Path | None]
) -> list[_Copy]:
    """The copies of the corpus that the variants need. HcatError where none does, or a file can't be written."""
    from hcat.core.capabilities.robustness.variants.perturb import perturbed_corpora

    copies = [
        _Copy(copy, *(path.with_name(f"{path.stem}-{copy.name}{path.suffix}") for path in (corpus, output)))
        for copy in perturbed_corpora(passages, made.variants)
    ]
    if not copies:
        raise HcatError("no variant adds or replaces passages, so the corpus stays as it is: no --perturbed-corpus")
    written = [output, *(path for copy in copies for path in (copy.corpus, copy.tests))]
    check_outputs(written, [path for path in read if path is not None])
    return copies


def strengths_of(listed: str) -> tuple[float, ...]:
    """Strengths from a list with commas, in order; HcatError for anything else than numbers."""
    try:
        return tuple(sorted({float(name) for name in names_in(listed)}))
    except ValueError:
        raise HcatError(f"--strength {listed!r} is no number: write 0.2, or several as 0.1,0.3,0.5") from None


def languages_of(listed: str) -> tuple[str, ...]:
    """Languages from a list with commas, all of them for an empty one; HcatError for one that there is none of."""
    from hcat.core.capabilities.robustness.variants.by_model.families import LANGUAGES

    chosen = tuple(name.strip().capitalize() for name in names_in(listed))
    unknown = next((name for name in chosen if name not in LANGUAGES), None)
    if unknown is not None:
        raise HcatError(f"no translations into {unknown!r}: choose among {', '.join(LANGUAGES)}")
    return chosen or tuple(LANGUAGES)


def _writer(
    model: LanguageModel,
    passages: Sequence[CorpusPassage],
    languages: Sequence[str],
    *,
    on_progress: Callable[[Progress], None],
) -> ModelWriter:
    """Writes by this model. With passages of the corpus its variants go through the selection of test cases."""
    from hcat.core.capabilities.robustness.variants.by_model.writer import ModelWriter
    from hcat.core.models.encoder.encoder import ENCODER
    from hcat.core.models.model_set import load_models
    from hcat.core.settings import settings

    if not passages:
        return ModelWriter(model, load_models(settings(), set())[ENCODER], languages=languages)
    index, entailment = searchable(tuple(passages), on_progress=on_progress)
    return ModelWriter(model, index.encoder, index, entailment, languages)


def _print_families(families: Sequence[Family], *, as_json: bool) -> None:
    from hcat.core.capabilities.robustness.wording.variants import families_document

    if as_json:
        print_json(inputs={}, settings={}, families=[*families_document(families)])
        return
    print_table(
        "Families of variants",
        ("family", "kind", "the answer must", "strength", "what it does"),
        [(each.name, each.kind, each.expectation, each.strength, each.description) for each in families],
    )
