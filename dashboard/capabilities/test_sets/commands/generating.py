"""`hcat generate`: a test set from a corpus, by rules or by a language model behind an endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from hcat.core.errors import HcatError
from hcat.core.records.test_case import QueryType
from hcat.dashboard.capabilities.corpus.commands.corpus_files import passages_at
from hcat.dashboard.capabilities.corpus.commands.corpus_index import searchable
from hcat.dashboard.capabilities.test_sets.commands.design import kind_of, weights_of
from hcat.dashboard.capabilities.topics.commands.topic_files import sampling_topics
from hcat.dashboard.commands.engine_options import Address, Engine, Workers, executor_of
from hcat.dashboard.commands.output import AsJson, document, names_in, print_document, print_table, progress_bar

if TYPE_CHECKING:
    from collections.abc import Callable

    from hcat.core.capabilities.test_sets.query_source import QuerySource
    from hcat.core.capabilities.test_sets.selection import CorpusIndex
    from hcat.core.models.llm.language import LanguageModel
    from hcat.core.types import Progress

TYPES: tuple[QueryType, ...] = get_args(QueryType)


def generate(
    passages: Annotated[Path, typer.Argument(help="The corpus: passages (JSON Lines), or a folder of documents.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write the test cases (JSON Lines).")],
    n: Annotated[int, typer.Option("-n", help="How many test cases.")] = 200,
    types: Annotated[
        str, typer.Option(help='Query types, comma-separated, each with its share if you like: "open=1,yes/no=2".')
    ] = "",
    design: Annotated[str, typer.Option(help="proportional, equal or weighted.")] = "proportional",
    topics: Annotated[Path | None, typer.Option(help="The passages' topics, from `hcat topics`.")] = None,
    by: Annotated[
        str,
        typer.Option(help="Strata: topic, document, heading, length. By default the topic, if given, else document."),
    ] = "",
    weight: Annotated[
        list[str] | None, typer.Option("--weight", help="LEVEL=NUMBER: how much of the test set a level gets.")
    ] = None,
    minimum: Annotated[
        int | None, typer.Option(help="Fewest cases of each stratum. By default 1 of each topic where -n reaches.")
    ] = None,
    per_passage: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Most cases of one passage. By default as few as -n takes, and more where its stratum runs out of "
            "others.",
        ),
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(help="Ask a language model: its OpenAI-compatible address. By default rules write.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="With --endpoint: the model's name.")] = None,
    seed: Annotated[int | None, typer.Option(help="By default HCAT_SEED.")] = None,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Generate test cases: passages drawn by design, queries by rules or an endpoint, the same selection for both."""
    import numpy as np

    from hcat.core.capabilities.test_sets.design import draw
    from hcat.core.capabilities.test_sets.frame import frame_of
    from hcat.core.capabilities.test_sets.generate import generate as generate_cases
    from hcat.core.capabilities.test_sets.rule_source import sharded_rules
    from hcat.core.capabilities.test_sets.wording.test_sets import (
        dropped_rows,
        generated_sentences,
        nothing_rows,
        type_rows,
    )
    from hcat.core.records.atomic import write_whole
    from hcat.core.records.test_case import test_cases_jsonl
    from hcat.core.settings import settings

    shares = shares_of(types)
    language = language_at(endpoint, model)
    chosen_seed = settings().seed if seed is None else seed
    corpus = passages_at(passages)
    levels = None if topics is None else sampling_topics(topics)
    dimensions = tuple(names_in(by)) or (("document",) if topics is None else ("topic",))
    rng = np.random.default_rng(chosen_seed)
    frame = frame_of(corpus, by=dimensions, topics=levels)
    drawn = draw(
        frame.strata,
        n,
        kind=kind_of(design),
        weights=weights_of(weight or [], None),
        least=minimum,
        per_passage=per_passage,
        rng=rng,
        dimensions=dimensions,
        left_out=frame.left_out,
    )
    with ExitStack() as files:
        executor = files.enter_context(executor_of(engine, address, workers))
        show = files.enter_context(progress_bar())
        index, entailment = searchable(corpus, on_progress=show, executor=executor)
        rules = sharded_rules(index.passages, seed=chosen_seed, executor=executor, root=settings().artifacts)
        source = files.enter_context(rules) if language is None else _asking(language, index, chosen_seed, show)
        result = generate_cases(
            index,
            drawn,
            source=source,
            entailment=entailment,
            shares=shares,
            topics=levels,
            rng=rng,
            on_progress=show,
        )
    write_whole(output, test_cases_jsonl(result.cases).encode())
    if as_json:
        inputs = {"passages": passages} if passages.is_file() else {}
        inputs |= {} if topics is None else {"topics": topics}
        about = document(inputs=inputs, settings={**result.settings, "seed": chosen_seed, "n": n})
        print_document({**about, **result.document()})
        return
    columns = ("type", "asked", "made", "candidates", "dropped")
    print_table(f"{len(result.cases)} of {result.asked} test cases → {output}", columns, type_rows(result))
    if result.reasons:
        print_table("", ("dropped because", "candidates"), dropped_rows(result))
    if result.untestable:
        print_table("", ("no test case because", "passages"), nothing_rows(result))
    for sentence in generated_sentences(result):
        typer.echo(sentence)


def shares_of(listed: str) -> Mapping[QueryType, float]:
    """The shares of the types in a list such as "open=1,yes/no=2"; the usual ones for an empty list."""
    from hcat.core.capabilities.test_sets.generate import DEFAULT_SHARES

    shares: dict[QueryType, float] = {}
    for entry in names_in(listed):
        name, _, number = entry.partition("=")
        query_type = next((known for known in TYPES if known == name.strip()), None)
        if query_type is None:
            raise HcatError(f"no query type {name.strip()!r}: choose among {', '.join(TYPES)}")
        try:
            shares[query_type] = float(number) if number else 1.0
        except ValueError:
            raise HcatError(f"the share of {name.strip()!r} is {number!r}: expected a number") from None
    return shares or DEFAULT_SHARES


def language_at(endpoint: str | None, model: str | None) -> LanguageModel | None:
    """The language model of this name behind this address; None where neither is given, HcatError for one alone."""
    if endpoint is None and model is None:
        return None
    if endpoint is None or model is None:
        raise HcatError("name both --endpoint and --model: a language model needs an address and a name")
    from hcat.core.models.llm.loading import load_language
    from hcat.core.settings import settings

    return load_language(settings().model_copy(update={"llm_base_url": endpoint, "llm_model": model}))


def _asking(
    language: LanguageModel, index: CorpusIndex, seed: int, on_progress: Callable[[Progress], None]
) -> QuerySource:
    from hcat.core.capabilities.test_sets.endpoint import EndpointSource
    from hcat.core.types import Progress

    return EndpointSource(language, index, seed=seed, on_reply=lambda done, of: on_progress(Progress("ask", done, of)))
