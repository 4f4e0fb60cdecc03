"""When the next request may go out: no more a minute than allowed, and none while the system asks to wait."""

from __future__ import annotations

import threading
import time


class Pace:
    """Shared by the threads that ask. Requests are spaced evenly, so that no minute holds more than `per_minute`."""

    def __init__(self, per_minute: float | None) -> None:
        self._step = 0.0 if per_minute is None else 60.0 / per_minute
        self._next = time.monotonic()
        self._lock = threading.Lock()

    def turn(self, stop: threading.Event) -> bool:
        """Wait for the next turn; False where it is to stop."""
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
        """No request for so long, of any thread."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)
