"""Test sets generated from a project's corpus, and variants of them, by rules or the language model in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from hcat.core.capabilities.corpus.service import Corpora
from hcat.core.capabilities.test_sets.allocation import DesignKind
from hcat.core.capabilities.test_sets.services.test_sets import TestSets
from hcat.core.capabilities.topics.corpus_service import CorpusTopics
from hcat.core.errors import HcatError
from hcat.core.project.open_store import OpenStore
from hcat.core.records.corpus import CorpusInfo
from hcat.core.records.project import ProjectInfo
from hcat.core.records.test_set import TestSetInfo
from hcat.core.types import OnProgress, Progress

if TYPE_CHECKING:
    import numpy as np

    from hcat.core.capabilities.robustness.variants.perturb import VariantWriter
    from hcat.core.capabilities.test_sets.design import SamplingDesign
    from hcat.core.capabilities.test_sets.query_source import QuerySource
    from hcat.core.capabilities.test_sets.selection import CorpusIndex
    from hcat.core.models.llm.language import LanguageModel
    from hcat.core.records.passages import CorpusPassage

RULES, ENDPOINT = "rules", "endpoint"


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """Request to generate a test set with n cases of `types` in these shares from a version of a corpus.

    `by` names the dimensions of the strata, `writer` is "rules" or "endpoint".
    """

    job_kind: ClassVar[str] = "generate"

    name: str
    corpus: str
    corpus_version: int
    n: int
    types: Mapping[str, float]
    kind: DesignKind = "proportional"
    by: tuple[str, ...] = ("topic",)
    weights: Mapping[str, float] = field(default_factory=dict)
    minimum: int | None = None
    per_passage: int | None = None
    writer: str = RULES
    seed: int = 7


@dataclass(frozen=True, slots=True)
class VariantsRequest:
    """Request to make a test set with the cases of a version of another one and variants of them.

    `languages` are those of translations, all that there are where none is named.
    """

    job_kind: ClassVar[str] = "perturb"

    name: str
    test_set: str
    version: int
    families: tuple[str, ...]
    strengths: tuple[float, ...]
    seed: int = 7
    languages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Generation:
    """Makes test sets. Nothing is stored before all cases are there."""

    store: OpenStore
    corpora: Corpora
    corpus_topics: CorpusTopics
    test_sets: TestSets

    def generate(
        self, project: ProjectInfo, request: GenerationRequest, *, on_progress: OnProgress | None = None
    ) -> TestSetInfo:
        """Make and store the test set, with the counts of cases requested, made and dropped.

        An exception from `on_progress` ends the work, and nothing is stored then. HcatError where the name is taken,
        the corpus is not there, or the design can't be drawn.
        """
        import numpy as np

        from hcat.core.capabilities.test_sets.generate import generate
        from hcat.core.models.model_set import load_models
        from hcat.core.models.nli.loading import ENTAILMENT

        self.test_sets.check_name(project, request.name)
        corpus = self._corpus(project, request)
        models = load_models(self.store.settings, {ENTAILMENT.name})
        index = self._index(corpus, on_progress)
        topics = self._topics(corpus, index, request.seed) if "topic" in request.by else None
        rng = np.random.default_rng(request.seed)
        with self._source(request, index, on_progress) as source:
            result = generate(
                index,
                _drawn(request, index.passages, topics, rng),
                source=source,
                entailment=models[ENTAILMENT],
                shares=request.types,  # type: ignore[arg-type]
                topics=topics,
                rng=rng,
                on_progress=on_progress,
            )
        if not result.cases:
            reasons = ", ".join(f"{n} × {reason}" for reason, n in list(result.reasons.items())[:3])
            raise HcatError(f"no test case could be made of this corpus: {reasons or 'no query could be written'}")
        return self.test_sets.add(
            project,
            request.name,
            result.cases,
            source=f"generated from corpus {corpus.name}, version {corpus.version}, by {request.writer}",
            corpus=corpus,
            account={**result.document(), "settings": {**result.settings, "seed": request.seed}},
        )

    def design(
        self, project: ProjectInfo, request: GenerationRequest, *, on_progress: OnProgress | None = None
    ) -> SamplingDesign:
        """The passages that `generate` begins with for the same request. Nothing is stored.

        HcatError where the corpus is not there, or the design can't be drawn.
        """
        import numpy as np

        corpus = self._corpus(project, request)
        topics = None
        if "topic" in request.by:
            stored = self.corpus_topics.read(corpus)
            topics = (
                self._topics(corpus, self._index(corpus, on_progress), request.seed)
                if stored is None
                else dict(stored.strata)
            )
        return _drawn(request, self.corpora.passages(corpus), topics, np.random.default_rng(request.seed))

    def perturb(
        self, project: ProjectInfo, request: VariantsRequest, *, on_progress: OnProgress | None = None
    ) -> TestSetInfo:
        """Make the variants and store them together with their origins, over the corpus of the origins.

        An exception from `on_progress` ends the work, and nothing is stored then. HcatError as `TestSets.add_variants`,
        and where a family asks a language model and none is set.
        """
        self.test_sets.check_name(project, request.name)
        origins = self.test_sets.version(project, request.test_set, request.version)
        corpus = self.corpora.behind(project, origins)
        return self.test_sets.add_variants(
            project,
            origins,
            request.name,
            families=request.families,
            strengths=request.strengths,
            seed=request.seed,
            passages=() if corpus is None else self.corpora.passages(corpus),
            writer=self._writer(request, corpus, on_progress),
            on_progress=on_progress,
        )

    def _writer(
        self, request: VariantsRequest, corpus: CorpusInfo | None, on_progress: OnProgress | None
    ) -> VariantWriter | None:
        """Writer of the families that need a language model; None where none of the families does."""
        from hcat.core.capabilities.robustness.variants.by_model.families import LANGUAGES
        from hcat.core.capabilities.robustness.variants.by_model.writer import ModelWriter
        from hcat.core.capabilities.robustness.variants.registry import chosen_families
        from hcat.core.models.encoder.encoder import ENCODER
        from hcat.core.models.model_set import load_models
        from hcat.core.models.nli.loading import ENTAILMENT

        if not any(family.by_model for family in chosen_families(request.families)):
            return None
        language, languages = self._language(), request.languages or tuple(LANGUAGES)
        models = load_models(self.store.settings, set() if corpus is None else {ENTAILMENT.name})
        if corpus is None:
            return ModelWriter(language, models[ENCODER], languages=languages)
        index = self._index(corpus, on_progress)
        return ModelWriter(language, index.encoder, index, models[ENTAILMENT], languages)

    def _language(self) -> LanguageModel:
        from hcat.core.models.llm.loading import load_language

        language = load_language(self.store.settings)
        if language is None:
            raise HcatError("no language model is set: set HCAT_LLM_BASE_URL and HCAT_LLM_MODEL, or let rules write")
        return language

    def _corpus(self, project: ProjectInfo, request: GenerationRequest) -> CorpusInfo:
        versions = self.corpora.versions(project, request.corpus)
        corpus = next((each for each in versions if each.version == request.corpus_version), None)
        if corpus is None:
            raise HcatError(
                f"corpus {request.corpus!r} has no version {request.corpus_version} any more: choose another"
            )
        return corpus

    def _index(self, corpus: CorpusInfo, on_progress: OnProgress | None) -> CorpusIndex:
        from hcat.core.capabilities.test_sets.selection import index_corpus, text_with_headings
        from hcat.core.executors.encoding import encode_by
        from hcat.core.models.cache import ParquetEmbeddings
        from hcat.core.models.encoder.encoder import ENCODER
        from hcat.core.models.opened import ModelsOfSettings

        settings, passages = self.store.settings, self.corpora.passages(corpus)
        opening = ModelsOfSettings(settings, frozenset())
        texts = map(text_with_headings, passages)
        encode_by(self.store.executor(), texts, open_models=opening, on_progress=on_progress)
        encoder = opening().models[ENCODER]
        cache = ParquetEmbeddings(self.store.artifacts.root, revision=encoder.revision)
        return index_corpus(passages, encoder=encoder, store=cache, on_progress=on_progress)

    def _topics(self, corpus: CorpusInfo, index: CorpusIndex, seed: int) -> dict[str, str]:
        """The topic of each passage that can be tested. Passages between topics have the nearest one, so that each has
        a stratum. Topics are the stored ones, as people named them, else some that are computed now."""
        from hcat.core.capabilities.test_sets.frame import is_testable
        from hcat.core.topics.model import find_topics

        stored = self.corpus_topics.read(corpus)
        if stored is not None:
            return dict(stored.strata)
        places = [place for place, passage in enumerate(index.passages) if is_testable(passage.text)]
        if not places:
            return {}
        texts = [index.passages[place].text for place in places]
        levels = find_topics(texts, index.vectors[places], seed=seed).levels(noise="nearest")
        return {index.passages[place].id: level for place, level in zip(places, levels, strict=True)}

    @contextmanager
    def _source(
        self, request: GenerationRequest, index: CorpusIndex, on_progress: OnProgress | None
    ) -> Iterator[QuerySource]:
        from hcat.core.capabilities.test_sets.endpoint import EndpointSource
        from hcat.core.capabilities.test_sets.rule_source import sharded_rules

        if request.writer == RULES:
            executor, root = self.store.executor(), self.store.artifacts.root
            with sharded_rules(index.passages, seed=request.seed, executor=executor, root=root) as rules:
                yield rules
            return
        language = self._language()

        def tell(done: int, of: int) -> None:
            if on_progress is not None:
                on_progress(Progress("ask", done, of))

        yield EndpointSource(language, index, seed=request.seed, on_reply=tell)


def _drawn(
    request: GenerationRequest,
    passages: Iterable[CorpusPassage],
    topics: Mapping[str, str] | None,
    rng: np.random.Generator,
) -> SamplingDesign:
    from hcat.core.capabilities.test_sets.design import draw
    from hcat.core.capabilities.test_sets.frame import frame_of

    frame = frame_of(passages, by=request.by, topics=topics)
    return draw(
        frame.strata,
        request.n,
        kind=request.kind,
        weights=request.weights,
        least=request.minimum,
        per_passage=request.per_passage,
        rng=rng,
        dimensions=request.by,
        left_out=frame.left_out,
    )
