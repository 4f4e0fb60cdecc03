// The part of the plane that is in view. The plane is a square of side 1, u to the right and v downwards; a view is its
// middle with the pixels to a unit.

const TILE = 280; // pixels: a tile, of 128 cells each way, is drawn at 0.7 to 1.4 of it, so that a step needs few of them
const DEEPEST = 13;
const MOST_PIXELS = 2 ** 40;

const boxOf = ({ u, v, pixels }, width, height) => [
  u - width / 2 / pixels, v - height / 2 / pixels, u + width / 2 / pixels, v + height / 2 / pixels,
];

const zoomOf = ({ pixels }) => Math.min(Math.max(Math.round(Math.log2(pixels / TILE)), 0), DEEPEST);

// The view that shows a box as a whole, with some room around it.
const viewOf = ([u0, v0, u1, v1], width, height) => ({
  u: (u0 + u1) / 2,
  v: (v0 + v1) / 2,
  pixels: Math.min(width / Math.max(u1 - u0, 1e-9), height / Math.max(v1 - v0, 1e-9), MOST_PIXELS) * 0.94,
});

// Zoomed by a factor about a place of the screen, which stays where it is; never much further out than the whole.
const zoomed = (view, factor, x, y, width, height, least) => {
  const pixels = Math.min(Math.max(view.pixels * factor, least), MOST_PIXELS);
  const [dx, dy] = [x - width / 2, y - height / 2];
  return { u: view.u + dx / view.pixels - dx / pixels, v: view.v + dy / view.pixels - dy / pixels, pixels };
};

// At least a part of the plane stays in view.
const clamped = ({ u, v, pixels }) => ({ u: Math.min(Math.max(u, 0), 1), v: Math.min(Math.max(v, 0), 1), pixels });

const toScreen = (view, width, height, u, v) => [
  (u - view.u) * view.pixels + width / 2, (v - view.v) * view.pixels + height / 2,
];

const fromScreen = (view, width, height, x, y) => [
  view.u + (x - width / 2) / view.pixels, view.v + (y - height / 2) / view.pixels,
];

// [x, y] of the tiles that a box touches.
const tilesIn = ([u0, v0, u1, v1], zoom) => {
  const parts = 2 ** zoom;
  const found = [];
  const last = (end) => Math.min(Math.ceil(end * parts), parts);
  for (let y = Math.max(Math.floor(v0 * parts), 0); y < last(v1); y += 1)
    for (let x = Math.max(Math.floor(u0 * parts), 0); x < last(u1); x += 1) found.push([x, y]);
  return found;
};

const toData = ({ left, top, side }, u, v) => [left + u * side, top - v * side];

const fromData = ({ left, top, side }, x, y) => [(x - left) / side, (top - y) / side];
