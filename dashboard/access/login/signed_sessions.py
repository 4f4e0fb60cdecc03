"""Sessions that are signed in at present. They are stored in memory: after a restart of the server, all sign in
again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class _Session:
    started: float
    seen: float


@dataclass
class SignedSessions:
    """Sessions by the digest of their cookie. They end on signing out, after idle time, and at their greatest age."""

    idle_seconds: float
    longest_seconds: float
    clock: Callable[[], float] = time.monotonic
    _sessions: dict[str, _Session] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, key: str) -> None:
        """Somebody has signed in; whose sessions are over is forgotten."""
        now = self.clock()
        with self._lock:
            self._sessions = {name: each for name, each in self._sessions.items() if self._lasts(each, now)}
            self._sessions[key] = _Session(now, now)

    def is_active(self, key: str) -> bool:
        """Whether the session lasts."""
        with self._lock:
            session = self._sessions.get(key)
            return session is not None and self._lasts(session, self.clock())

    def note(self, key: str) -> bool:
        """Note that its person did something now. False where the session is over."""
        now = self.clock()
        with self._lock:
            session = self._sessions.get(key)
            if session is None or not self._lasts(session, now):
                return False
            session.seen = now
            return True

    def end(self, key: str) -> None:
        """Its person has signed out."""
        with self._lock:
            self._sessions.pop(key, None)

    def _lasts(self, session: _Session, now: float) -> bool:
        return now - session.seen < self.idle_seconds and now - session.started < self.longest_seconds
