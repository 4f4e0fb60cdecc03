"""Choice of the report's content: runs, a template of the bank's own, language, frameworks, and chapters."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from hcat.core.capabilities.report.build import chapter_titles
from hcat.core.capabilities.report.frameworks.framework import frameworks
from hcat.core.capabilities.report.template import DEFAULT, MOST_CHARACTERS, ReportTemplate, read_template
from hcat.core.capabilities.report.template_file import default_template
from hcat.core.display.edition import LANGUAGES
from hcat.core.errors import HcatError
from hcat.dashboard.components.markdown import plain, sentence

HELP = "YAML: title, cover, chapters in order with your own titles and texts, frameworks. Start from the usual one."


def choose(names: list[str]) -> tuple[list[str], ReportTemplate, list[str]]:
    """The runs, the template with its language and frameworks, and the chapters; all, unless somebody chooses."""
    with st.expander("Choose runs, template and chapters", icon=":material/checklist:", key="report-choice"):
        runs = st.multiselect("Runs", names, default=names, key="report-runs")
        template = _template()
        languages = list(LANGUAGES)
        language = st.selectbox(
            "Language",
            languages,
            index=languages.index(template.language),
            format_func=LANGUAGES.__getitem__,
            key=f"report-language-{template.language}",
            help="Of hcat's own words and of numbers. What people typed stays as it is.",
        )
        titles = {each.id: f"{each.title} ({each.edition})" for each in frameworks()}
        mapped = st.multiselect(
            "Frameworks",
            list(titles),
            default=list(template.frameworks),
            format_func=titles.__getitem__,
            key=f"report-frameworks-{hash(template.frameworks)}",
            help="The chapter Frameworks says which clause the report serves, and what is missing. No legal advice.",
        )
        chapters = _chapters(template)
    return runs, replace(template, language=language, frameworks=tuple(mapped)), chapters


def _template() -> ReportTemplate:
    """The template that was given, else the usual one; an error is reported with its line."""
    given = st.file_uploader("Template", type=["yaml", "yml"], help=HELP, key="report-template")
    st.download_button(
        "Download the usual template",
        default_template(),
        file_name="hcat-template.yaml",
        mime="application/yaml",
        icon=":material/download:",
        on_click="ignore",
        key="default-template",
    )
    if given is None:
        return DEFAULT
    try:
        template = read_template(given.getvalue()[: 4 * MOST_CHARACTERS + 4].decode("utf-8-sig"), name=given.name)
    except UnicodeDecodeError:
        st.error(f"{plain(given.name)} is no text in UTF-8: save it as UTF-8. The usual template is used.")
        return DEFAULT
    except HcatError as error:
        st.error(f"{sentence(error)} The usual template is used.")
        return DEFAULT
    st.caption(f"The report follows {plain(given.name)}.")
    return template


def _chapters(template: ReportTemplate) -> list[str]:
    titles = chapter_titles(template)
    usual = template.chapters == DEFAULT.chapters
    return st.multiselect(
        "Chapters",
        list(titles),
        default=list(titles),
        format_func=titles.__getitem__,
        key="report-chapters" if usual else f"report-chapters-{hash(template.chapters)}",
        help="In the order of the template. The cover of the report names the chapters that are left out.",
    )
