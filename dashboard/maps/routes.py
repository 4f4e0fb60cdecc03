"""`/map/TOKEN/…`: data that a page's map requests, for the person the page was drawn for, while they may read it.

The layers before it have refused foreign names and origins, and people who are not signed in. The token is given to one
page alone; it opens nothing to anybody else, and nothing once the role that allowed it is gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from hcat.core.errors import HcatError, NotAllowedError, NotFoundError
from hcat.core.figures.point_map.placed import Box
from hcat.core.figures.point_map.view import View
from hcat.dashboard.access.login.gate import signed_content
from hcat.dashboard.maps.shown import ShownMap, shown_maps

FRESH = {"cache-control": "no-store"}
MOST_CHARACTERS = 8_000
"""Of the numbers in an address."""
BAD_ADDRESS = "not an address of a map: load the page again"


def _view(shown: ShownMap, request: Request) -> Response:
    """All that is drawn of a part of the plane: see `PointMap.answer`."""
    tiles = [tile.split(".") for tile in _text(request, "tiles").split(",") if tile]
    view = View(
        _box(request),
        float(_text(request, "pixels")),
        int(_text(request, "zoom")),
        tuple((int(x), int(y)) for x, y in tiles),
    )
    return Response(shown.chart.map.answer(view), media_type="application/octet-stream", headers=FRESH)


def _point(shown: ShownMap, request: Request) -> Response:
    """Text on the point at a place among those in view."""
    row = shown.chart.map.row_at(_box(request), int(_text(request, "place")))
    return JSONResponse({"lines": [*shown.chart.point_lines(row), *shown.lines(row)]}, headers=FRESH)


def _cell(shown: ShownMap, request: Request) -> Response:
    """Text on the cell of a tile at a place."""
    found = shown.chart.map.cell_at(int(_text(request, "zoom")), float(_text(request, "u")), float(_text(request, "v")))
    return JSONResponse({"lines": [] if found is None else shown.chart.cell_lines(*found)}, headers=FRESH)


def _answering(answer: Callable[[ShownMap, Request], Response]) -> Callable[[Request], Response]:
    """The answer if the person has permission; else one line with the reason for the refusal."""

    def endpoint(request: Request) -> Response:
        try:
            return answer(_allowed(request), request)
        except NotAllowedError as error:
            return PlainTextResponse(str(error), status_code=403, headers=FRESH)
        except NotFoundError as error:
            return PlainTextResponse(str(error), status_code=404, headers=FRESH)
        except HcatError as error:
            return PlainTextResponse(str(error), status_code=400, headers=FRESH)
        except (ValueError, OverflowError):
            return PlainTextResponse(BAD_ADDRESS, status_code=400, headers=FRESH)

    return endpoint


def _allowed(request: Request) -> ShownMap:
    shown = shown_maps.find(request.path_params["token"])
    if shown.who is not None and shown.who.subject != _subject(request):
        raise NotFoundError("this map is not shown any more: load the page again")
    shown.check()
    return shown


def _subject(request: Request) -> str | None:
    """The requesting person, by the cookie that this server signed; the layer before has seen that their session
    lasts."""
    content = signed_content(request.cookies)
    return None if content is None else str(json.loads(content).get("sub"))


def _box(request: Request) -> Box:
    u0, v0, u1, v1 = (float(part) for part in _text(request, "box").split(","))
    return u0, v0, u1, v1


def _text(request: Request, name: str) -> str:
    text = request.query_params.get(name, "")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(name)
    return text


MAP_ROUTES = [
    Route(f"/map/{{token}}/{name}", _answering(answer))
    for name, answer in (("view", _view), ("point", _point), ("cell", _cell))
]
