"""A bank's own template of the report: title, chapters in order, own titles and texts, cover, frameworks. YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hcat.core.capabilities.report.chapters import CHAPTERS
from hcat.core.capabilities.report.frameworks.framework import framework_names
from hcat.core.display.edition import Language, find_language
from hcat.core.errors import FileFormatError, HcatError
from hcat.core.records.file_limits import parse_yaml
from hcat.core.records.yaml_loader import BoundedLoader

if TYPE_CHECKING:
    import yaml

MOST_CHARACTERS = 200_000
MOST_CHAPTERS = 100
MOST_FACTS = 40
KEYS = ("language", "title", "subtitle", "cover", "frameworks", "chapters")
CHAPTER_KEYS = ("chapter", "title", "before", "after", "text")


@dataclass(frozen=True, slots=True)
class TemplateChapter:
    """A chapter of the report by its `name`, or one of the bank's own: no name, a title and a text.

    `title` takes the place of the usual one. `before` and `after` are texts around the chapter, `text` is the own
    chapter's, all in Markdown.
    """

    name: str | None
    title: str = ""
    before: str = ""
    after: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class ReportTemplate:
    """Form and content of a bank's report. `cover` are facts for the first page, `frameworks` ids of those reported.
    Its own texts are as given, all others in the `language`."""

    title: str = ""
    subtitle: str = ""
    cover: Mapping[str, str] = field(default_factory=dict)
    frameworks: tuple[str, ...] = ()
    chapters: tuple[TemplateChapter, ...] = tuple(TemplateChapter(name) for name in CHAPTERS)
    language: Language = "en"


DEFAULT = ReportTemplate()


def read_template(text: str, *, name: str = "the template") -> ReportTemplate:
    """The template that a YAML text states. FileFormatError with the line of the first fault."""
    if len(text) > MOST_CHARACTERS:
        raise FileFormatError(f"{name}: more than {MOST_CHARACTERS:,} characters: shorten its texts")
    content = parse_yaml(text, name=name)
    return _Reading(name, _root(text)).template(content)


def _root(text: str) -> yaml.Node | None:
    """The same document with the lines of its parts."""
    loader = BoundedLoader(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return node


@dataclass(frozen=True, slots=True)
class _Reading:
    """One file being read: its name and its nodes, which know their lines."""

    name: str
    root: yaml.Node | None

    def template(self, content: object) -> ReportTemplate:
        given = self._mapping(content, KEYS, [])
        if "chapters" not in given:
            raise self.fault("say by chapters: which chapters the report has", [])
        return ReportTemplate(
            title=self._text(given, "title", []),
            subtitle=self._text(given, "subtitle", []),
            cover=self._cover(given.get("cover")),
            frameworks=self._frameworks(given.get("frameworks")),
            chapters=tuple(self._chapters(given["chapters"])),
            language=self._language(given),
        )

    def _language(self, given: Mapping[str, object]) -> Language:
        try:
            return find_language(self._text(given, "language", []) or "en")
        except HcatError as error:
            raise self.fault(f"language: {error}", ["language"]) from None

    def _chapters(self, content: object) -> Iterator[TemplateChapter]:
        path: list[str | int] = ["chapters"]
        if not isinstance(content, list) or not content:
            raise self.fault("chapters: must be a list of at least one chapter", path)
        if len(content) > MOST_CHAPTERS:
            raise self.fault(f"more than {MOST_CHAPTERS} chapters", path)
        seen: set[str] = set()
        for place, item in enumerate(content):
            chapter = self._chapter({"chapter": item} if isinstance(item, str) else item, [*path, place])
            if chapter.name in seen:
                raise self.fault(f"the chapter {chapter.name!r} is there twice: leave one out", [*path, place])
            seen |= {chapter.name} if chapter.name is not None else set()
            yield chapter

    def _chapter(self, content: object, path: list[str | int]) -> TemplateChapter:
        given = self._mapping(content, CHAPTER_KEYS, path)
        name = self._text(given, "chapter", path) or None
        title, before, after, text = (self._text(given, key, path) for key in ("title", "before", "after", "text"))
        if name is not None and name not in CHAPTERS:
            raise self.fault(f"a report has no chapter {name!r}: choose from {', '.join(CHAPTERS)}", path)
        if name is not None and text:
            raise self.fault("text: is for a chapter of your own: use before: or after:", path)
        if name is None and (not title or not text):
            raise self.fault("a chapter of your own needs title: and text:, any other chapter: its name", path)
        if name is None and (before or after):
            raise self.fault("a chapter of your own takes text:, not before: or after:", path)
        return TemplateChapter(name, title, before, after, text)

    def _cover(self, content: object) -> dict[str, str]:
        if content is None:
            return {}
        if not isinstance(content, Mapping) or len(content) > MOST_FACTS:
            raise self.fault(f"cover: must be at most {MOST_FACTS} lines of NAME: TEXT", ["cover"])
        for key, value in content.items():
            if not isinstance(key, str) or not isinstance(value, str) or not key.strip() or not value.strip():
                raise self.fault(f"cover: {key}: must be a text: write it in quotes", ["cover", str(key)])
        return {key.strip(): value.strip() for key, value in content.items()}

    def _frameworks(self, content: object) -> tuple[str, ...]:
        path: list[str | int] = ["frameworks"]
        known = framework_names()
        if content is not None and not isinstance(content, list):
            raise self.fault("frameworks: must be a list", path)
        for place, item in enumerate(content or []):
            if item not in known:
                raise self.fault(f"there is no framework {item!r}: choose from {', '.join(known)}", [*path, place])
        return tuple(dict.fromkeys(content or []))

    def _mapping(self, content: object, keys: Sequence[str], path: list[str | int]) -> Mapping[str, object]:
        if not isinstance(content, Mapping):
            raise self.fault(f"expected lines of NAME: VALUE with the names {', '.join(keys)}", path)
        unknown = next((key for key in content if key not in keys), None)
        if unknown is not None:
            raise self.fault(f"{unknown!r} is not known here: choose from {', '.join(keys)}", [*path, str(unknown)])
        return content

    def _text(self, given: Mapping[str, object], key: str, path: list[str | int]) -> str:
        value = given.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.fault(f"{key}: must be a text: write it in quotes", [*path, key])
        return value.strip()

    def fault(self, what: str, path: Sequence[str | int]) -> FileFormatError:
        return FileFormatError(f"{self.name}, line {self._line(path)}: {what}")

    def _line(self, path: Sequence[str | int]) -> int:
        """Line of the part, or of the nearest existing part around it."""
        node, line = self.root, 1
        for step in path:
            found = None if node is None else _child(node, step)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line + 1
        return line


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The key and the value of a part: of an item of a list, twice the item."""
    if isinstance(step, int):
        return (node.value[step], node.value[step]) if isinstance(node.value, list) else None
    pairs = node.value if isinstance(node.value, list) else []
    return next((pair for pair in pairs if isinstance(pair, tuple) and str(pair[0].value) == step), None)
