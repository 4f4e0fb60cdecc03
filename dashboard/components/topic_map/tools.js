// Mouse, touch and keys: moving, zooming, drawing a selection, pointing at something.

const STEP = 1.6; // of a zoom by key or button
const MOVE = 0.18; // of the view, by key
const APART = 3; // pixels between the corners of a lasso
const CLICK = 4; // pixels that the mouse may move in a click
const NEAR = 9; // pixels from the mouse to the point that it means
const REST = 90; // ms that the mouse rests before the server is asked what it points at

const look = (map, view) => {
  map.view = clamped(view);
  map.asked = performance.now();
  hideTip(map);
  draw(map);
  askForView(map);
};

const zoomBy = (map, factor, x = map.width / 2, y = map.height / 2) =>
  look(map, zoomed(map.view, factor, x, y, map.width, map.height, map.least));

const moveBy = (map, across, down) =>
  look(map, { ...map.view, u: map.view.u + across / map.view.pixels, v: map.view.v + down / map.view.pixels });

const showAll = (map) => look(map, viewOf(map.data.extent, map.width, map.height));

const take = (map, tool) => {
  map.tool = tool;
  for (const button of map.bar.querySelectorAll("[data-tool]"))
    button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  map.frame.dataset.tool = tool;
};

const select = (map, corners) => {
  const data = corners?.map(([x, y]) => toData(map.data.plane, ...fromScreen(map.view, map.width, map.height, x, y)));
  map.selection = data ?? null;
  map.setState("polygon", map.selection);
  draw(map);
};

const selectView = (map) => select(map, [[0, 0], [map.width, 0], [map.width, map.height], [0, map.height]]);

const actions = {
  ArrowLeft: (map) => moveBy(map, -MOVE * map.width, 0),
  ArrowRight: (map) => moveBy(map, MOVE * map.width, 0),
  ArrowUp: (map) => moveBy(map, 0, -MOVE * map.height),
  ArrowDown: (map) => moveBy(map, 0, MOVE * map.height),
  "+": (map) => zoomBy(map, STEP),
  "=": (map) => zoomBy(map, STEP),
  "-": (map) => zoomBy(map, 1 / STEP),
  0: showAll,
  Home: showAll,
};
const selecting = {
  l: (map) => take(map, "lasso"),
  b: (map) => take(map, "box"),
  m: (map) => take(map, "move"),
  v: selectView,
  Escape: (map) => map.selection && select(map, null),
};

const onKey = (map, event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions[key] ?? (map.data.selectable ? selecting[key] : undefined);
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  action(map);
};

const placeOf = (map, event) => {
  const box = map.frame.getBoundingClientRect();
  return [event.clientX - box.left - map.frame.clientLeft, event.clientY - box.top - map.frame.clientTop];
};

const onDown = (map, event) => {
  if (event.button > 1) return;
  map.frame.focus({ preventScroll: true });
  map.frame.setPointerCapture(event.pointerId);
  const place = placeOf(map, event);
  const moves = map.tool === "move" || event.shiftKey || event.button === 1;
  map.drag = { start: place, last: place, far: 0, corners: moves ? null : [place] };
  hideTip(map);
};

const onMove = (map, event) => {
  const place = placeOf(map, event);
  if (!map.drag) return pointAt(map, place);
  const { drag } = map;
  drag.far = Math.max(drag.far, Math.hypot(place[0] - drag.start[0], place[1] - drag.start[1]));
  if (!drag.corners) {
    moveBy(map, drag.last[0] - place[0], drag.last[1] - place[1]);
    drag.last = place;
  } else if (map.tool === "box") {
    drag.corners = [drag.start, [place[0], drag.start[1]], place, [drag.start[0], place[1]]];
    draw(map);
  } else {
    const end = drag.corners.at(-1);
    if (Math.hypot(place[0] - end[0], place[1] - end[1]) >= APART) drag.corners.push(place);
    draw(map);
  }
};

const onUp = (map, event) => {
  const { drag } = map;
  map.drag = null;
  if (!drag) return;
  if (drag.far < CLICK) open(map, placeOf(map, event));
  else if (drag.corners?.length > 2) select(map, drag.corners);
  draw(map);
};

const onWheel = (map, event) => {
  if (!event.ctrlKey && map.root.getRootNode().activeElement !== map.frame) return; // the page scrolls
  event.preventDefault();
  zoomBy(map, Math.exp(-0.002 * event.deltaY * (event.deltaMode === 1 ? 20 : 1)), ...placeOf(map, event));
};

const nearest = (map, [x, y]) => {
  const [columns, rows] = map.places;
  let [found, best] = [-1, NEAR * NEAR];
  for (let i = 0; i < map.points.n; i += 1) {
    const distance = (columns[i] - x) ** 2 + (rows[i] - y) ** 2;
    if (distance < best) [found, best] = [i, distance];
  }
  return found;
};

const open = (map, place) => {
  if (!map.points || !map.places) return;
  const point = nearest(map, place);
  if (point >= 0) map.trigger("opened", { box: map.points.box, place: point });
};

const hideTip = (map) => {
  clearTimeout(map.resting);
  map.turn += 1;
  map.tip.hidden = true;
};

const pointAt = (map, place) => {
  hideTip(map);
  map.resting = setTimeout(async () => {
    const point = map.points && map.places ? nearest(map, place) : -1;
    if (map.points && point < 0) return;
    const [u, v] = fromScreen(map.view, map.width, map.height, ...place);
    const told = map.points
      ? await askWhat(map, "point", { box: map.points.box.join(), place: point })
      : await askWhat(map, "cell", { zoom: zoomOf(map.view), u, v });
    if (told?.lines.length) showTip(map, place, told.lines);
  }, REST);
};

const showTip = (map, [x, y], lines) => {
  map.tip.replaceChildren(...lines.map((line, place) => element("div", place ? "" : "tip-title", line)));
  map.tip.hidden = false;
  const left = x + 14 + map.tip.offsetWidth > map.width ? Math.max(x - 14 - map.tip.offsetWidth, 4) : x + 14;
  const top = Math.max(Math.min(y + 14, map.height - map.tip.offsetHeight - 4), 4);
  map.tip.style.transform = `translate(${left}px, ${top}px)`;
};
