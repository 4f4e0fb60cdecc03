// Draws the map on a canvas: tiles or single points, and the selection; names stand above it as texts.

const SYMBOLS = 4;

const element = (name, className, text) => {
  const node = document.createElement(name);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

const radiusFor = (n) => (n > 8000 ? 2 : n > 2000 ? 3 : n > 500 ? 4 : 4.5);

const trace = (pen, symbol, x, y, r) => {
  pen.beginPath();
  if (symbol === 1) [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]].forEach(([a, b]) => pen.lineTo(x + a * r, y + b * r));
  else if (symbol === 2) pen.rect(x - 0.9 * r, y - 0.9 * r, 1.8 * r, 1.8 * r);
  else if (symbol === 3) [[0, -1.2], [1.15, 0.85], [-1.15, 0.85]].forEach(([a, b]) => pen.lineTo(x + a * r, y + b * r));
  else pen.arc(x, y, r, 0, 2 * Math.PI);
  pen.closePath();
};

// One small picture for each colour: drawing thousands of these is much faster than drawing shapes.
const stamps = (data, r, ratio) =>
  [{ color: data.absent, symbol: -1 }, ...data.swatches].map(({ color, symbol }) => {
    const size = Math.ceil(3 * r + 3) * ratio;
    const stamp = element("canvas");
    stamp.width = stamp.height = size;
    const pen = stamp.getContext("2d");
    pen.scale(ratio, ratio);
    const middle = size / ratio / 2;
    trace(pen, symbol, middle, middle, symbol < 0 ? r - 0.75 : r);
    pen.lineWidth = symbol < 0 ? 1.5 : 0.75;
    pen.strokeStyle = symbol < 0 ? color : data.paper;
    pen.fillStyle = color;
    if (symbol >= 0) pen.fill();
    pen.stroke();
    return stamp;
  });

const drawTiles = (map, pen) => {
  const zoom = zoomOf(map.view);
  pen.imageSmoothingEnabled = false;
  for (const [x, y] of tilesIn(boxOf(map.view, map.width, map.height), zoom)) {
    for (let up = 0; up <= zoom; up += 1) {
      const tile = map.tiles.get(`${zoom - up}/${x >> up}/${y >> up}`);
      if (tile === undefined) continue; // a tile further out stands in until this one is there
      if (tile) drawTile(map, pen, tile, zoom, x, y, up);
      break;
    }
  }
};

const drawTile = (map, pen, tile, zoom, x, y, up) => {
  const side = 2 ** -zoom;
  const part = tile.width / 2 ** up;
  const [left, top] = toScreen(map.view, map.width, map.height, x * side, y * side).map(Math.round);
  const [right, bottom] = toScreen(map.view, map.width, map.height, (x + 1) * side, (y + 1) * side).map(Math.round);
  const place = [(x % 2 ** up) * part, (y % 2 ** up) * part];
  pen.drawImage(tile, ...place, part, part, left, top, right - left, bottom - top);
};

// Where each single point is on the screen, as one array for columns and one for rows.
const pointPlaces = (map) => {
  const { box, n, x, y } = map.points;
  const [across, down] = [(box[2] - box[0]) / 65536, (box[3] - box[1]) / 65536];
  const columns = new Float64Array(n);
  const rows = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    columns[i] = (box[0] + (x[i] + 0.5) * across - map.view.u) * map.view.pixels + map.width / 2;
    rows[i] = (box[1] + (y[i] + 0.5) * down - map.view.v) * map.view.pixels + map.height / 2;
  }
  return [columns, rows];
};

const drawPoints = (map, pen) => {
  const radius = radiusFor(map.points.n);
  const key = `${map.data.token} ${radius} ${map.ratio}`;
  if (map.stamps?.key !== key) map.stamps = { key, all: stamps(map.data, radius, map.ratio) };
  const [columns, rows] = (map.places = pointPlaces(map));
  const half = map.stamps.all[0].width / map.ratio / 2;
  for (let i = 0; i < map.points.n; i += 1)
    pen.drawImage(map.stamps.all[map.points.color[i]], columns[i] - half, rows[i] - half, 2 * half, 2 * half);
};

const drawSelection = (map, pen, corners, isDone) => {
  if (corners.length < 2) return;
  pen.beginPath();
  corners.forEach(([x, y]) => pen.lineTo(x, y));
  if (isDone) pen.closePath();
  pen.globalAlpha = 0.14;
  pen.fillStyle = map.data.accent;
  pen.fill("evenodd");
  pen.globalAlpha = 1;
  for (const [width, color] of [[4, map.data.paper], [2, map.data.accent]]) {
    pen.lineWidth = width;
    pen.strokeStyle = color;
    pen.stroke();
  }
};

const drawNames = (map) => {
  while (map.labels.childElementCount < map.names.length) map.labels.append(element("span", "name"));
  [...map.labels.children].forEach((label, place) => {
    const name = map.names[place];
    label.hidden = !name;
    if (!name) return;
    const [x, y] = toScreen(map.view, map.width, map.height, name.u, name.v);
    if (label.textContent !== name.text) label.textContent = name.text;
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
  });
};

const draw = (map) => {
  if (map.isDue) return;
  map.isDue = true;
  requestAnimationFrame(() => {
    map.isDue = false;
    if (!map.width || !map.view) return;
    const pen = map.canvas.getContext("2d");
    pen.setTransform(map.ratio, 0, 0, map.ratio, 0, 0);
    pen.clearRect(0, 0, map.width, map.height);
    if (map.points) drawPoints(map, pen);
    else drawTiles(map, pen);
    const chosen = map.selection?.map(([x, y]) => toScreen(map.view, map.width, map.height, ...fromData(map.data.plane, x, y)));
    if (map.drag?.corners) drawSelection(map, pen, map.drag.corners, map.tool === "box");
    else if (chosen) drawSelection(map, pen, chosen, true);
    drawNames(map);
    tell(map);
  });
};

// What is in view, in words, for people who hear the page too; and for tests which answer is drawn, after how long.
const tell = (map) => {
  const { noun } = map.data;
  const many = `${map.inView.toLocaleString("en")} ${noun}${map.inView === 1 ? "" : "s"} in view`;
  const how = map.points ? "each drawn" : "drawn as squares of about 2 pixels";
  const text = map.failure || (map.answered ? `${many}${map.inView ? `, ${how}` : ""}` : "Drawing the map …");
  if (map.status.textContent !== text) map.status.textContent = text;
  map.root.classList.toggle("failing", Boolean(map.failure));
  map.frame.setAttribute("aria-busy", String(!map.answered && !map.failure));
  const { dataset } = map.root;
  if (Number(dataset.painted ?? 0) < map.answered) dataset.milliseconds = (performance.now() - map.asked).toFixed(1);
  Object.assign(dataset, { drawn: map.points ? "points" : "tiles", painted: map.answered, inView: map.inView });
};
