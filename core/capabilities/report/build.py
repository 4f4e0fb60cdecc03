"""From evidence to the report's tree: the chapters of a template, in its order, as far as they were chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hcat.core.capabilities.report.chapters import CHANGES, CHAPTERS, FRAMEWORKS
from hcat.core.capabilities.report.consistency import contradiction_callout
from hcat.core.capabilities.report.evidence.records import Evidence
from hcat.core.capabilities.report.frameworks.framework import find_framework
from hcat.core.capabilities.report.sections.changes import changes_section
from hcat.core.capabilities.report.sections.frameworks import frameworks_section
from hcat.core.capabilities.report.template import DEFAULT, ReportTemplate
from hcat.core.display.edition import edition
from hcat.core.display.messages import say
from hcat.core.display.numbers import format_count
from hcat.core.errors import HcatError
from hcat.core.view.tree import Quotation, Report, Section

SUBTITLE = "Human-calibrated automated testing of a retrieval-augmented generation system"


def build_report(
    evidence: Evidence, *, chapters: Sequence[str] | None = None, template: ReportTemplate = DEFAULT
) -> Report:
    """The validation report that follows from the evidence. Parts without evidence say so, and a report that
    contradicts itself begins with a warning that names the contradictions.

    `chapters` chooses among those of the template; the cover names those that are left out. HcatError for one that is
    unknown, or not in the template.
    """
    with edition(template.language):
        return _report(evidence, chapters, template)


def _report(evidence: Evidence, chapters: Sequence[str] | None, template: ReportTemplate) -> Report:
    own = [chapter for chapter in template.chapters if chapter.name is None]
    there = {chapter.name: chapter for chapter in template.chapters if chapter.name is not None}
    chosen = tuple(there) if chapters is None else tuple(chapters)
    _check(chosen, list(there), nothing=not chosen and not own)
    sections = {name: section for name, chapter in CHAPTERS.items() if (section := chapter.section(evidence))}
    sections |= _about_the_others(evidence, template, sections, [name for name in there if name in chosen])
    warned = contradiction_callout(evidence, sections)
    made = tuple(_in_order(template, chosen, sections))
    first = [replace(section, blocks=(*warned, *section.blocks)) for section in made[:1]]
    left_out = [section.title for name, section in sections.items() if name not in chosen]
    return Report(
        title=template.title or say("Validation report: {evidence.project}", evidence=evidence),
        subtitle=template.subtitle or say(SUBTITLE),
        created_at=evidence.created_at,
        version=evidence.version,
        facts=dict(template.cover)
        | _facts(evidence)
        | ({"Chapters left out": ", ".join(left_out)} if left_out else {}),
        sections=(*first, *made[1:]),
        language=template.language,
        inputs={f"run {run.name}": run.content_hash for run in evidence.runs} | dict(evidence.hashes),
        settings=evidence.settings,
    )


def chapter_titles(template: ReportTemplate = DEFAULT) -> dict[str, str]:
    """Titles of the template's chapters, in its order and in the edition's language."""
    return {
        chapter.name: chapter.title or say(CHAPTERS[chapter.name].title)
        for chapter in template.chapters
        if chapter.name is not None
    }


def _check(chosen: Sequence[str], known: Sequence[str], *, nothing: bool) -> None:
    unknown = next((name for name in chosen if name not in known), None)
    if unknown is not None:
        raise HcatError(f"a report has no chapter {unknown!r}: choose from {', '.join(known)}")
    if nothing:
        raise HcatError(f"a report needs a chapter: choose from {', '.join(known)}")


def _about_the_others(
    evidence: Evidence, template: ReportTemplate, sections: Mapping[str, Section], chosen: Sequence[str]
) -> dict[str, Section]:
    """The chapters on the contents of the chosen others, and on the changes in them."""
    present = {name: sections[name] for name in chosen if name in sections}
    evidenced = {name for name in present if CHAPTERS[name].evidenced(evidence)}
    evidenced |= {CHANGES} if CHANGES in chosen and CHAPTERS[CHANGES].evidenced(evidence) else set()
    titles = {name: say(chapter.title) for name, chapter in CHAPTERS.items()} | chapter_titles(template)
    made = {CHANGES: changes_section(evidence, list(present.values()))}
    mapped = frameworks_section(list(map(find_framework, template.frameworks)), titles=titles, evidenced=evidenced)
    return made if mapped is None else {**made, FRAMEWORKS: mapped}


def _in_order(template: ReportTemplate, chosen: Sequence[str], sections: Mapping[str, Section]) -> Iterator[Section]:
    """The sections of the template's chapters, with its titles and texts. A chapter with nothing to say is left out,
    and the texts around it with it."""
    for number, chapter in enumerate(template.chapters, start=1):
        if chapter.name is None:
            yield Section(f"own-{number}", chapter.title, (Quotation(chapter.text),))
        elif chapter.name in chosen and chapter.name in sections:
            section = sections[chapter.name]
            before, after = ((Quotation(text),) if text else () for text in (chapter.before, chapter.after))
            yield replace(section, title=chapter.title or section.title, blocks=(*before, *section.blocks, *after))


def _facts(evidence: Evidence) -> dict[str, str]:
    """The names stay English here, so that whoever reads the tree finds a fact; see `own_facts`."""
    facts = {
        "Project": evidence.project,
        "Runs": "; ".join(run.name for run in evidence.runs) or say("none"),
        "Questions": _of_runs([run.test_cases for run in evidence.runs]),
        "Samples": _of_runs([run.n for run in evidence.runs]),
        "Prepared": say("{at:%-d %B %Y, %H:%M %Z}", at=evidence.created_at).strip(),
        "Software": f"hcat {evidence.version}",
    }
    if evidence.changes:
        facts["Version"] = str(evidence.changes[-1].version)
    return facts | ({"Author": evidence.author} if evidence.author else {})


def _of_runs(counts: Sequence[int]) -> str:
    """ "67 in each of 2 runs", "67 + 40"."""
    if len(counts) > 1 and len(set(counts)) == 1:
        return say("{n} in each of {runs} runs", n=format_count(counts[0]), runs=len(counts))
    return " + ".join(map(format_count, counts)) or "0"
