"""Progress of the team on a queue, and the number of labels of each annotator."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from hcat.core.errors import HcatError
from hcat.core.labelling.records import QueueInfo
from hcat.dashboard.capabilities.labelling.actions import rerun_if_stale
from hcat.dashboard.capabilities.labelling.session import REFRESH
from hcat.dashboard.components.estimates import Figure, figure_cards
from hcat.dashboard.components.markdown import sentence
from hcat.dashboard.components.tables import data_table
from hcat.dashboard.loaders.workspace import workspace


@st.fragment
def team_panel(queue: QueueInfo | None) -> None:
    """Read only while it is open; it catches up after each label."""
    rerun_if_stale()
    with st.expander("The team", icon=":material/group:", on_change="rerun", key="team-open") as panel:
        if not panel.open:
            return
        if queue is None:
            st.caption("This queue is planned with its first item.")
            return
        try:
            team = workspace().queues.team_progress(queue)
        except HcatError as error:
            st.error(sentence(error))
            return
        needed = "at least one label" if queue.rules.overlap is None else f"all {queue.rules.overlap} labels"
        figure_cards(
            [
                Figure("Done", f"{team.complete} of {team.planned}", "", f"Items that have {needed}."),
                Figure("Open", str(team.planned - team.complete), "", "Items that still need labels."),
                Figure("Claimed", str(team.held), "", "Items that somebody has open now."),
                Figure("Can't judge", str(team.cannot_judge), "", "Items that somebody could not judge."),
                Figure("Skipped", str(team.skipped), "", "Items that were skipped and that nobody judged."),
            ]
        )
        if team.labels:
            rows = sorted(team.labels.items(), key=lambda entry: (-entry[1], entry[0]))
            frame = pd.DataFrame(rows, columns=["Annotator", "Items judged"])
            data_table(frame, hide_index=True, key="team-table", alt="How many items each annotator judged")
        st.caption("Hidden repeats and gold items are left out; labels by a rule are not counted.")
        st.button("Refresh", key=REFRESH[1], icon=":material/refresh:")
