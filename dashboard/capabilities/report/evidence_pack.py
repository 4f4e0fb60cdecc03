"""The evidence pack of a report: made here, and any pack checked, also one from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from hcat.core.capabilities.evidence.installation import installation_key
from hcat.core.capabilities.evidence.pack import make_pack
from hcat.core.capabilities.evidence.verify import Verification, verify
from hcat.core.capabilities.report.template import ReportTemplate
from hcat.core.errors import HcatError
from hcat.core.records.project import ProjectInfo
from hcat.core.records.signing import read_public_key
from hcat.core.view.renderers.render import RENDERERS
from hcat.dashboard.components.markdown import plain, sentence
from hcat.dashboard.components.progress import progress_bar
from hcat.dashboard.loaders.workspace import workspace


@dataclass(frozen=True, slots=True)
class _Packed:
    """The pack that was made last on this page, and its contents."""

    made_of: tuple[object, ...]
    content: bytes


def evidence_panel(
    project: ProjectInfo, runs: Sequence[str], look: ReportTemplate, chapters: Sequence[str], *, author: str
) -> None:
    """Make the pack of the content chosen above, and check an existing one."""
    make, check = st.columns(2)
    with make, st.expander("Make an evidence pack", icon=":material/inventory_2:", key="pack-make"):
        _make(project, list(runs), look, list(chapters), author)
    with check, st.expander("Check an evidence pack", icon=":material/verified:", key="pack-check"):
        _check()


def _make(project: ProjectInfo, runs: list[str], look: ReportTemplate, chapters: list[str], author: str) -> None:
    st.caption(
        "One zip file, signed by this installation's key: the report of what is chosen above, all that its numbers "
        "follow from, the label log under pseudonyms, and a program of 150 lines that checks it without hcat."
    )
    formats = [name for name in RENDERERS if name != "json"]
    kind = st.selectbox("Format of the report in it", formats, index=formats.index("pdf"), key="pack-format")
    withhold = st.checkbox(
        "Leave the texts of samples out",
        key="pack-withhold",
        help="Digests stand in their place. What rests on a text can then not be computed again, and is named.",
    )
    made_of = (project.id, tuple(runs), look, tuple(chapters), kind, withhold)
    if st.button("Make the pack", key="pack-now", icon=":material/inventory_2:"):
        if not runs or not chapters:
            st.error("Choose at least one run and one chapter.")
            return
        try:
            with progress_bar("Gathering the evidence.") as show:
                key = installation_key()
                source = workspace().reports.with_source(
                    project, author=author, runs=runs, chapters=chapters, template=look, on_progress=show
                )
                made = make_pack(source, key, formats=[kind], withhold=withhold)
        except HcatError as error:
            st.error(sentence(error))
            return
        st.session_state["pack"] = _Packed(made_of, made)
    packed: _Packed | None = st.session_state.get("pack")
    if packed is not None and packed.made_of == made_of:
        st.download_button(
            f"Download the pack ({len(packed.content) / 1e6:.1f} MB)",
            packed.content,
            file_name="evidence.zip",
            mime="application/zip",
            icon=":material/download:",
            on_click="ignore",
            key="pack-download",
        )
        st.caption(f"Signed by {plain(installation_key().public.fingerprint)}. Give this fingerprint by another way.")


def _check() -> None:
    st.caption("Whether a pack, or the PDF from one, is what was signed, and with which key. Nothing of it is stored.")
    given = st.file_uploader("Evidence pack or its PDF", type=["zip", "pdf"], key="pack-file")
    key = st.file_uploader(
        "Public key of who signed it (optional)",
        type=["pem", "pub"],
        key="pack-key",
        help="Without it nobody knows who signed: the check says so.",
    )
    again = st.checkbox("Compute its numbers again, and make its pages again", key="pack-again")
    if not st.button("Check the pack", key="pack-check-now", disabled=given is None) or given is None:
        return
    try:
        with st.spinner("Checking the pack …"):
            signer = None if key is None else read_public_key(key.getvalue(), name=key.name)
            found = verify(given.getvalue(), key=signer, recompute=again)
    except HcatError as error:
        st.error(sentence(error))
        return
    _say(found, given.name)


def _say(found: Verification, name: str) -> None:
    first = f"{plain(name)}. {plain(found.headline)}"
    if found.problems:
        st.error(first, icon=":material/error:")
    elif found.unchecked:
        st.warning(first, icon=":material/help:")
    else:
        st.success(first, icon=":material/check:")
    for title, lines in (("Wrong", found.problems), ("Proved", found.proved), ("Limits", found.not_proved)):
        if lines:
            st.markdown("\n".join([f"**{title}**", "", *(f"- {plain(line)}" for line in lines)]))
