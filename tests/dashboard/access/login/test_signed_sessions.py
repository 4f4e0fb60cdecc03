"""A session ends by signing out, by idle time, and at its greatest age; nothing else revives it."""

from __future__ import annotations

import pytest

from hcat.dashboard.access.login.signed_sessions import SignedSessions


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> SignedSessions:
    begun = SignedSessions(idle_seconds=1800, longest_seconds=43_200, clock=clock)
    begun.begin("ann")
    return begun


def test_what_never_began_is_not_active(sessions: SignedSessions) -> None:
    assert not sessions.is_active("bob")
    assert not sessions.note("bob")


def test_idle_time_ends_it(sessions: SignedSessions, clock: Clock) -> None:
    clock.now += 1799
    assert sessions.is_active("ann")
    clock.now += 1
    assert not sessions.is_active("ann")
    assert not sessions.note("ann")


def test_being_looked_at_does_not_prolong_it_and_acting_does(sessions: SignedSessions, clock: Clock) -> None:
    clock.now += 1700
    assert sessions.is_active("ann")
    assert sessions.note("ann")
    clock.now += 1799
    assert sessions.is_active("ann")
    clock.now += 1
    assert not sessions.is_active("ann")


def test_the_greatest_age_ends_it_whatever_is_done(sessions: SignedSessions, clock: Clock) -> None:
    for _ in range(43):
        clock.now += 1000
        assert sessions.note("ann")
    clock.now += 200
    assert not sessions.note("ann")


def test_signing_out_ends_it_and_no_other(sessions: SignedSessions) -> None:
    sessions.begin("bob")
    sessions.end("ann")
    sessions.end("nobody")
    assert not sessions.note("ann")
    assert sessions.note("bob")


def test_sessions_that_are_over_are_forgotten(sessions: SignedSessions, clock: Clock) -> None:
    clock.now += 1800
    sessions.begin("bob")
    assert list(sessions._sessions) == ["bob"]
