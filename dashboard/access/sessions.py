"""A browser's session that sends all that was drawn, also where the next drawing is asked for in between."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData


class WholeRuns(AppSession):
    """Streamlit's session, in which no run of a page loses its end.

    Streamlit starts a new runner where the last has ended, and from then on ignores the unsent drawing of the last one.
    A card or an opened panel then stays as it was (see its own remark in `request_rerun`). Here what is asked for
    between the end of a runner and its last event waits for that event, in order.
    """

    def __init__(self, *args: object, **options: object) -> None:
        self._waiting: list[Callable[[], None]] = []
        super().__init__(*args, **options)  # type: ignore[arg-type]

    def request_rerun(self, client_state: ClientState | None) -> None:
        """Run the page, or a part of it, after what was asked for before."""
        if self._waiting:
            self._waiting.append(partial(super().request_rerun, client_state))
        else:
            super().request_rerun(client_state)

    def _create_scriptrunner(self, initial_rerun_data: RerunData) -> None:
        create = partial(super()._create_scriptrunner, initial_rerun_data)
        if self._scriptrunner is None:
            create()
        else:  # it has ended, and its last event is on the way
            self._waiting.append(create)

    def _handle_scriptrunner_event_on_event_loop(self, *args: object, **options: object) -> None:
        super()._handle_scriptrunner_event_on_event_loop(*args, **options)  # type: ignore[arg-type]
        if self._scriptrunner is None:
            waiting, self._waiting = self._waiting, []
            for ask in waiting:
                ask()
