"""Parts of a map are answered to whom the page was drawn for, as long as they may read it, and to nobody else."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from hcat.core.errors import NotAllowedError
from hcat.core.figures.point_map.placed import PlacedPoints
from hcat.core.records.people import Identity
from hcat.dashboard.charts.maps import MapChart, MapTopics, number_chart
from hcat.dashboard.maps import routes
from hcat.dashboard.maps.routes import BAD_ADDRESS, MAP_ROUTES
from hcat.dashboard.maps.shown import ShownMap, ShownMaps, shown_maps

ANN, BOB = Identity("https://login.example", "ann"), Identity("https://login.example", "bob")
VIEW = "view?box=0,0,1,1&pixels=500&zoom=1&tiles=0.0,0.1"


def a_chart(n: int = 20) -> MapChart:
    coordinates = np.random.default_rng(1).random((n, 2))
    topics = MapTopics(np.zeros(n, dtype=np.int64), ["<b>fees</b>"])
    return number_chart(
        PlacedPoints.place(coordinates),
        np.linspace(0, 1, n),
        title="m",
        topics=topics,
        noun="sample",
        higher_is_better=True,
        machine=False,
        dark=False,
    )


class Role:
    """Whether somebody may read the project."""

    given = True

    def check(self) -> None:
        if not self.given:
            raise NotAllowedError("you have no role in this project")


@pytest.fixture
def role() -> Role:
    return Role()


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """The cookie says who asks, as if this server had signed it."""
    monkeypatch.setattr(routes, "signed_content", lambda cookies: cookies.get("who", "").encode() or None)
    with TestClient(Starlette(routes=MAP_ROUTES), raise_server_exceptions=True) as opened:
        yield opened


def show(role: Role, who: Identity | None) -> str:
    made = ShownMap(a_chart(), who, role.check, lambda row: [f"s{row}", "What does it cost?"])
    return shown_maps.show((object(), who), lambda: made)[0]


def signed(who: Identity) -> dict[str, str]:
    return {"cookie": f"who={json.dumps({'sub': who.subject}, separators=(',', ':'))}"}


def test_a_view_is_answered_and_never_stored(client: TestClient, role: Role) -> None:
    answer = client.get(f"/map/{show(role, None)}/{VIEW}")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    length = int.from_bytes(answer.content[:4], "little")
    assert json.loads(answer.content[4 : 4 + length])["n"] == 20


def test_a_point_is_told_by_its_place_in_view(client: TestClient, role: Role) -> None:
    token = show(role, None)
    chart = shown_maps.find(token).chart
    lines = client.get(f"/map/{token}/point?box=0,0,1,1&place=3").json()["lines"]
    row = chart.map.row_at((0, 0, 1, 1), 3)
    assert lines == ["<b>fees</b>", chart.value(row), f"s{row}", "What does it cost?"]


def test_a_cell_is_told_by_its_place(client: TestClient, role: Role) -> None:
    token = show(role, None)
    points = shown_maps.find(token).chart.map.points
    told = client.get(f"/map/{token}/cell?zoom=1&u={points.u[0]}&v={points.v[0]}").json()["lines"]
    assert told[0] == "1 sample here"
    assert client.get(f"/map/{token}/cell?zoom=1&u=0.0&v=0.0").json()["lines"] == []


def test_a_strangers_guess_finds_nothing(client: TestClient) -> None:
    assert client.get(f"/map/guessed/{VIEW}").status_code == 404


@pytest.mark.parametrize("path", [VIEW, "point?box=0,0,1,1&place=0", "cell?zoom=0&u=0.5&v=0.5"])
def test_a_token_opens_nothing_to_somebody_else(client: TestClient, role: Role, path: str) -> None:
    token = show(role, ANN)
    assert client.get(f"/map/{token}/{path}", headers=signed(ANN)).status_code == 200
    assert client.get(f"/map/{token}/{path}", headers=signed(BOB)).status_code == 404
    assert client.get(f"/map/{token}/{path}").status_code == 404


@pytest.mark.parametrize("path", [VIEW, "point?box=0,0,1,1&place=0", "cell?zoom=0&u=0.5&v=0.5"])
def test_a_role_that_is_taken_away_ends_at_once(client: TestClient, role: Role, path: str) -> None:
    token = show(role, ANN)
    role.given = False
    answer = client.get(f"/map/{token}/{path}", headers=signed(ANN))
    assert (answer.status_code, answer.text) == (403, "you have no role in this project")


@pytest.mark.parametrize(
    "path",
    [
        "view",
        "view?box=0,0,1&pixels=500&zoom=1",
        "view?box=0,0,1,1&pixels=many&zoom=1",
        "view?box=0,0,1,1&pixels=500&zoom=99",
        "view?box=nan,0,1,1&pixels=500&zoom=1",
        "view?box=0,0,1,1&pixels=1e999&zoom=1",
        "view?box=0,0,1,1&pixels=500&zoom=1&tiles=9.9",
        "view?box=0,0,1,1&pixels=500&zoom=1&tiles=1",
        "view?box=0,0,1,1&pixels=500&zoom=1&tiles=" + "0.0," * 3_000,
        "point?box=0,0,1,1&place=99",
        "point?box=0,0,1,1&place=" + "9" * 5_000,
        "cell?zoom=x&u=0&v=0",
    ],
)
def test_an_address_that_is_none_has_one_line(client: TestClient, role: Role, path: str) -> None:
    answer = client.get(f"/map/{show(role, None)}/{path}")
    assert answer.status_code == 400
    assert "load the page again" in answer.text
    assert "\n" not in answer.text
    assert BAD_ADDRESS.endswith("load the page again")


def test_only_reading_is_possible(client: TestClient, role: Role) -> None:
    assert client.post(f"/map/{show(role, None)}/view").status_code == 405


def test_the_same_map_keeps_its_token_and_the_oldest_are_dropped() -> None:
    maps, role = ShownMaps(most_points=50), Role()
    made = [0]

    def make() -> ShownMap:
        made[0] += 1
        return ShownMap(a_chart(20), None, role.check, lambda row: [])

    first, shown = maps.show("a", make)
    assert maps.show("a", make) == (first, shown)
    assert made == [1]
    tokens = [maps.show(key, make)[0] for key in ("b", "a", "c")]
    assert tokens[1] == first  # it was shown since, so "b" is the oldest
    assert maps.find(first) is shown
    with pytest.raises(Exception, match="not shown any more"):
        maps.find(tokens[0])


def test_a_map_larger_than_the_limit_is_shown_by_itself() -> None:
    maps = ShownMaps(most_points=5)
    token, shown = maps.show("a", lambda: ShownMap(a_chart(20), None, Role().check, lambda row: []))
    assert maps.find(token) is shown
