// A map of any number of points. The server draws tiles of it, or sends the points where few are in view; a selection
// goes to the server as the corners of a polygon, so that it holds points that are not drawn, too.

const BUTTONS = [
  ["tool", "move", "Move", "Move the map by dragging (M); with the other tools, hold Shift"],
  ["tool", "lasso", "Lasso", "Draw around points to select them (L)"],
  ["tool", "box", "Box", "Select the points in a rectangle (B)"],
  ["action", "v", "Select view", "Select all that is in view (V)"],
  ["action", "+", "+", "Zoom in (+)"],
  ["action", "-", "−", "Zoom out (−)"],
  ["action", "0", "All", "Show all (0)"],
];
const KEYS = "Arrow keys move, + and − zoom, 0 shows all.";
const SELECTING_KEYS = `${KEYS} L, B and M choose lasso, box and moving, V selects what is in view, Escape drops the selection.`;

const buttons = (map) => {
  const bar = element("div", "tools");
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Tools of the map");
  for (const [kind, name, text, title] of BUTTONS) {
    if (!map.data.selectable && (kind === "tool" || name === "v")) continue;
    const button = element("button", "", text);
    Object.assign(button, { type: "button", title });
    button.setAttribute("aria-label", title);
    if (kind === "tool") button.dataset.tool = name;
    button.addEventListener("click", () =>
      kind === "tool" ? take(map, name) : (actions[name] ?? selecting[name])(map)
    );
    bar.append(button);
  }
  return bar;
};

const build = (parent, data) => {
  const root = element("div", "map");
  const map = {
    root, data, tiles: new Map(), names: [], points: null, places: null, selection: null, view: null, drag: null,
    asked: performance.now(), inView: 0, answered: 0, failed: 0, turn: 0, failure: "", isDue: false, width: 0, height: 0, ratio: 1, least: 1,
    frame: element("div", "frame"), canvas: element("canvas"), labels: element("div", "names"), tip: element("div", "tip"),
    status: element("p", "status"), legend: element("div", "legend-box"),
  };
  map.labels.setAttribute("aria-hidden", "true"); // the table below has them
  map.tip.hidden = true;
  map.status.setAttribute("role", "status");
  Object.assign(map.frame, { tabIndex: 0 });
  map.frame.setAttribute("role", "application");
  map.frame.setAttribute("aria-roledescription", "map");
  map.frame.append(map.canvas, map.labels, map.tip);
  map.bar = buttons(map);
  root.append(map.bar, map.frame, map.status, map.legend);
  listen(map);
  parent.append(root);
  return map;
};

const listen = (map) => {
  map.frame.addEventListener("keydown", (event) => onKey(map, event));
  map.frame.addEventListener("pointerdown", (event) => onDown(map, event));
  map.frame.addEventListener("pointermove", (event) => onMove(map, event));
  map.frame.addEventListener("pointerup", (event) => onUp(map, event));
  map.frame.addEventListener("pointercancel", () => ((map.drag = null), draw(map)));
  map.frame.addEventListener("pointerleave", () => hideTip(map));
  map.frame.addEventListener("wheel", (event) => onWheel(map, event), { passive: false });
  new ResizeObserver(() => resize(map)).observe(map.frame);
};

const resize = (map) => {
  const { clientWidth: width, clientHeight: height } = map.frame;
  if (!width || !height || !map.data.n) return;
  const whole = viewOf(map.data.extent, width, height);
  Object.assign(map, { width, height, ratio: window.devicePixelRatio || 1, least: whole.pixels / 4 });
  Object.assign(map.canvas, { width: width * map.ratio, height: height * map.ratio });
  map.view ??= whole;
  draw(map);
  askForView(map);
};

const bring = (map, data) => {
  const isAnother = map.data.token !== data.token;
  const hasMoved = JSON.stringify(map.data.plane) !== JSON.stringify(data.plane);
  map.data = data;
  map.frame.setAttribute("aria-label", `${data.title} ${data.selectable ? SELECTING_KEYS : KEYS}`);
  if (isAnother) {
    map.tiles.forEach((tile) => tile?.close());
    map.tiles.clear();
    if (hasMoved) map.view = null;
    map.points = map.stamps = null;
  }
  map.selection = data.selection;
  drawLegend(map);
  if (isAnother) resize(map);
  else draw(map);
};

const maps = new WeakMap();

export default ({ data, parentElement, setStateValue, setTriggerValue }) => {
  let map = maps.get(parentElement);
  if (!map || !map.root.isConnected) {
    map = build(parentElement, data);
    maps.set(parentElement, map);
    take(map, data.selectable ? "lasso" : "move");
  }
  Object.assign(map, { setState: setStateValue, trigger: setTriggerValue });
  bring(map, data);
};
