"""`hcat topics`: of a file, or of a run or a corpus of a project."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hcat.core.errors import HcatError
from hcat.core.topics.choice import TopicChoice
from hcat.core.types import JsonValue
from hcat.dashboard.commands.engine_options import Address, Engine, Workers, executor_of, project_workspace
from hcat.dashboard.commands.file_options import reads_files
from hcat.dashboard.commands.output import (
    AsJson,
    document,
    print_document,
    progress_bar,
    write_parquet,
)

if TYPE_CHECKING:
    from hcat.core.executors.executor import Executor
    from hcat.core.project.topics import Source
    from hcat.core.topics.model import TopicModel
    from hcat.core.workspace import Workspace


@reads_files
def topics(
    corpus: Annotated[
        Path | None, typer.Argument(help="Passages (JSON Lines), a folder or document, or a run file.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where to write the topics (Parquet).")] = None,
    on: Annotated[str, typer.Option(help="What to find topics in: query or contexts.")] = "query",
    project: Annotated[str | None, typer.Option(help="Instead of a file: a project; its topics are stored.")] = None,
    run: Annotated[str | None, typer.Option(help="With --project: the run.")] = None,
    stored: Annotated[
        str | None, typer.Option("--corpus", help="With --project: a corpus, of whose passages topics are found.")
    ] = None,
    reduction: Annotated[str, typer.Option("--reduce", "--reduction", help="auto, umap or pca.")] = "auto",
    clustering: Annotated[
        str, typer.Option("--cluster", "--clustering", help="auto, hdbscan, dbscan or k-means.")
    ] = "auto",
    k: Annotated[int | None, typer.Option("--k", help="How many topics, by k-means.")] = None,
    least: Annotated[int | None, typer.Option("--least", help="Fewest texts of a topic, by hdbscan or dbscan.")] = None,
    radius: Annotated[float | None, typer.Option(help="How near texts of a topic lie, by dbscan.")] = None,
    dimensions: Annotated[int | None, typer.Option(help="To how many dimensions texts are reduced first.")] = None,
    neighbours: Annotated[int | None, typer.Option(help="How many neighbours umap looks at.")] = None,
    engine: Engine = None,
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Group texts by topic, with key terms; the same texts give the same topics."""
    sources: tuple[Source, ...] = ("query", "contexts")
    source = next((known for known in sources if known == on), None)
    if source is None:
        raise HcatError(f"topics are found in query or contexts, not in {on!r}")
    choice = TopicChoice.of(
        reduction=reduction,
        clustering=clustering,
        k=k,
        least=least,
        radius=radius,
        dimensions=dimensions,
        neighbours=neighbours,
    )
    of_files = project is None and run is None and stored is None
    if project is not None and (run is None) != (stored is None) and corpus is None and output is None:
        with project_workspace(engine, address, workers) as workspace:
            if stored is None:
                _of_project(workspace, project, run or "", source, choice, as_json)
            else:
                _of_corpus(workspace, project, stored, choice, as_json)
    elif of_files and corpus is not None and output is not None:
        with executor_of(engine, address, workers) as executor:
            _of_file(corpus, output, source, choice, executor, as_json)
    else:
        raise HcatError("name a file and -o for its topics, or --project and --run or --corpus")


def _of_project(workspace: Workspace, project: str, run: str, on: Source, choice: TopicChoice, as_json: bool) -> None:
    with progress_bar() as show:
        model = workspace.topics.find(workspace.runs.get(project, run), on=on, choice=choice, on_progress=show).model
    if as_json:
        settings: dict[str, JsonValue] = {"project": project, "run": run, "on": on, **model.settings}
        about = {**model.metadata(), **document(inputs={}, settings=settings)}
        print_document({**about, "n": model.n, "without_topic": model.without_topic})
        return
    _print_topics(model, f"{project} / {run}")


def _of_corpus(workspace: Workspace, project: str, corpus: str, choice: TopicChoice, as_json: bool) -> None:
    with progress_bar() as show:
        version = workspace.corpora.versions(project, corpus)[0]
        found = workspace.corpus_topics.find(version, choice=choice, on_progress=show)
    model = found.model
    if as_json:
        settings: dict[str, JsonValue] = {"project": project, "corpus": corpus, "version": version.version}
        about = {**model.metadata(), **document(inputs={}, settings={**settings, **model.settings})}
        titles: list[JsonValue] = [found.titles[topic.id] for topic in model.topics]
        counts = {"n": model.n, "without_topic": model.without_topic, "left_out": version.n_passages - model.n}
        print_document({**about, "titles": titles, **counts})
        return
    _print_topics(model, f"{project} / {corpus}, version {version.version}", found.titles)
    _print_left_out(version.n_passages - model.n)


def _of_file(
    corpus: Path, output: Path, on: Source, choice: TopicChoice, executor: Executor | None, as_json: bool
) -> None:
    from hcat.core.capabilities.test_sets.frame import LEAST_WORDS, is_testable
    from hcat.core.executors.encoding import encode_by
    from hcat.core.models.embedding_matrix import embed_distinct
    from hcat.core.models.encoder.encoder import load_encoder
    from hcat.core.models.opened import ModelsOfSettings
    from hcat.core.settings import settings
    from hcat.core.topics.model import find_topics
    from hcat.dashboard.capabilities.runs.commands.runs import embedding_cache, read_texts

    ids, texts, documents = read_texts(corpus, on=on)
    before = len(texts)
    if documents is not None:
        testable = [place for place, text in enumerate(texts) if is_testable(text)]
        ids, texts, documents = ([column[place] for place in testable] for column in (ids, texts, documents))
    if not texts:
        raise HcatError(f"{corpus} has no text of {LEAST_WORDS} words or more to find topics in")
    encoder = load_encoder(settings().embedder, device=settings().device)
    with progress_bar() as show:
        encode_by(executor, texts, open_models=ModelsOfSettings(settings(), frozenset()), on_progress=show)
        embedded = embed_distinct(texts, encoder=encoder, store=embedding_cache(encoder), on_progress=show)
    model = find_topics(texts, embedded.in_order(texts), seed=settings().seed, choice=choice)
    frame = model.to_frame()
    frame.insert(0, "id", ids)
    frame["title"] = list(model.levels())
    if documents is not None:
        frame["document"] = documents
    inputs = {"corpus": corpus} if corpus.is_file() else {}
    said = document(inputs=inputs, settings={"on": on, "encoder": encoder.revision, **model.settings})
    about = {**model.metadata(), **said}
    write_parquet(frame, output, about=about)
    if as_json:
        counts = {"n": model.n, "without_topic": model.without_topic, "left_out": before - model.n}
        print_document({**about, **counts})
        return
    _print_topics(model, f"{corpus} → {output}")
    _print_left_out(before - model.n)


def _print_topics(model: TopicModel, of: str, titles: Mapping[int, str] | None = None) -> None:
    from hcat.core.capabilities.topics.view import topics_view
    from hcat.dashboard.commands.printed_view import print_view

    print_view(topics_view(model, of, titles))


def _print_left_out(n: int) -> None:
    from hcat.core.capabilities.test_sets.wording.test_sets import left_out_sentence

    if n:
        typer.echo(left_out_sentence(n))
