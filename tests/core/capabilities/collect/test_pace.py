"""When requests may go out, by a clock that stands still unless somebody waits."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from hcat.core.capabilities.collect import pace
from hcat.core.capabilities.collect.pace import Pace


@dataclass
class Clock:
    """The time, and what waits for it."""

    now: float = 100.0
    stop: threading.Event = field(default_factory=threading.Event)

    def monotonic(self) -> float:
        return self.now

    def is_set(self) -> bool:
        return self.stop.is_set()

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return False


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moving = Clock()
    monkeypatch.setattr(pace, "time", moving)
    return moving


def turns(of: Pace, clock: Clock, n: int) -> list[float]:
    times = []
    for _ in range(n):
        assert of.turn(clock)  # type: ignore[arg-type]
        times.append(clock.now)
    return times


def test_turns_are_spaced_evenly_from_the_first_on(clock: Clock) -> None:
    assert turns(Pace(1200), clock, 4) == pytest.approx([100.0, 100.05, 100.1, 100.15])


def test_time_that_nobody_used_is_not_made_up_for(clock: Clock) -> None:
    of = Pace(60)
    assert turns(of, clock, 1) == [100.0]
    clock.now = 110.5
    assert turns(of, clock, 3) == pytest.approx([110.5, 111.5, 112.5])


def test_a_pause_holds_back_every_thread_and_a_shorter_one_does_not_end_it(clock: Clock) -> None:
    of = Pace(None)
    of.pause(30.0)
    of.pause(1.0)
    assert turns(of, clock, 2) == [130.0, 130.0]


def test_whoever_is_to_stop_gets_no_turn(clock: Clock) -> None:
    clock.stop.set()
    assert not Pace(1200).turn(clock)  # type: ignore[arg-type]
