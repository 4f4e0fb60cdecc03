// What the server answers: a header, then pictures of tiles or single points. Asked for one view at a time, the newest.

const MOST_KEPT = 600; // tiles
const WAITS = [1000, 2000, 4000, 8000]; // ms before the server is asked again

const unpack = async (response) => {
  const bytes = await response.arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  return { header, bytes, start: 4 + length };
};

const singlePoints = ({ header, bytes, start }, box) => {
  const rest = bytes.slice(start); // two-byte numbers begin at an even place
  const n = header.n;
  return { box, n, x: new Uint16Array(rest, 0, n), y: new Uint16Array(rest, 2 * n, n), color: new Uint8Array(rest, 4 * n, n) };
};

const remember = async (tiles, { header, bytes, start }) => {
  let at = start;
  const waiting = header.tiles.map(async ([x, y, size]) => {
    const picture = size && new Blob([bytes.slice(at, (at += size))], { type: "image/png" });
    tiles.set(`${header.zoom}/${x}/${y}`, picture ? await createImageBitmap(picture) : null);
  });
  await Promise.all(waiting);
  for (const key of tiles.keys()) {
    if (tiles.size <= MOST_KEPT) break;
    tiles.get(key)?.close();
    tiles.delete(key);
  }
};

const addressOf = (token, what, query) => {
  const base = window.__streamlit?.BACKEND_BASE_URL ?? new URL(".", location.href).href;
  return new URL(`map/${token}/${what}?${new URLSearchParams(query)}`, base);
};

// Asks for what is in view; while an answer is on its way, later views wait, and only the last of them is asked for.
const askForView = async (map) => {
  if (map.asking) {
    map.askAgain = true;
    return;
  }
  map.asking = true;
  map.askAgain = false;
  const { token } = map.data;
  const box = boxOf(map.view, map.width, map.height);
  const zoom = zoomOf(map.view);
  const missing = tilesIn(box, zoom).filter(([x, y]) => !map.tiles.has(`${zoom}/${x}/${y}`));
  try {
    const query = { box: box.join(), pixels: map.view.pixels, zoom, tiles: missing.map((tile) => tile.join(".")).join() };
    const response = await fetch(addressOf(token, "view", query));
    if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
    const answer = await unpack(response);
    if (token === map.data.token) await receive(map, answer, box);
  } catch (error) {
    if (token === map.data.token) fail(map, error);
  }
  map.asking = false;
  if (map.askAgain || token !== map.data.token) askForView(map);
};

const receive = async (map, answer, box) => {
  const { header } = answer;
  if (header.drawn === "tiles") await remember(map.tiles, answer);
  const wasPoints = Boolean(map.points);
  map.points = header.drawn === "points" ? singlePoints(answer, box) : null;
  Object.assign(map, { inView: header.n, names: header.names, failure: "", failed: 0, answered: map.answered + 1 });
  if (wasPoints !== Boolean(map.points)) drawLegend(map);
  draw(map);
};

const fail = (map, error) => {
  const told = { 403: "You may not read this project.", 401: "You are signed out: load the page again." }[error.status];
  map.failure = told ?? (error.status === 404 ? "Bringing the map back …" : "The server does not answer: trying again …");
  if (error.status === 404 && map.lost !== map.data.token) {
    map.lost = map.data.token;
    map.trigger("lost", map.data.token); // the server has forgotten this map: the page brings another
  } else if (!told && error.status !== 404) {
    const wait = WAITS[Math.min(map.failed, WAITS.length - 1)];
    map.failed += 1;
    setTimeout(() => map.root.isConnected && askForView(map), wait);
  }
  draw(map);
};

// Lines about what is drawn at a place; null where there is nothing, or where something else was asked for since.
const askWhat = async (map, what, query) => {
  const turn = (map.turn += 1);
  try {
    const response = await fetch(addressOf(map.data.token, what, query));
    const told = response.ok && turn === map.turn ? await response.json() : null;
    return turn === map.turn ? told : null;
  } catch {
    return null;
  }
};
