"""The time of the next request: no more a minute than allowed, and none while the system asks to wait."""

from __future__ import annotations

import threading
import time


class Pace:
    """Shared by the requesting threads. Requests are spaced evenly, so that no minute has more than `per_minute`."""

    def __init__(self, per_minute: float | None) -> None:
        self._step = 0.0 if per_minute is None else 60.0 / per_minute
        self._next = time.monotonic()
        self._lock = threading.Lock()

    def turn(self, stop: threading.Event) -> bool:
        """Wait for the next turn; False if it is to stop."""
        while not stop.is_set():
            with self._lock:
                now = time.monotonic()
                if now >= self._next:
                    self._next = now + self._step
                    return True
                wait = self._next - now
            stop.wait(wait)
        return False

    def pause(self, seconds: float) -> None:
        """Delay requests of all threads by so many seconds."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)
