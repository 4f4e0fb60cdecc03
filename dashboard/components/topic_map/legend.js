// What colours mean, with how many points have them.

const swatch = (color, symbol) => {
  const drawn = element("canvas", "swatch");
  drawn.width = drawn.height = 28;
  const pen = drawn.getContext("2d");
  pen.scale(2, 2);
  trace(pen, symbol, 7, 7, symbol < 0 ? 4 : 5);
  pen.fillStyle = pen.strokeStyle = color;
  pen.lineWidth = 1.5;
  if (symbol < 0) pen.stroke();
  else pen.fill();
  return drawn;
};

const hatched = (color) => {
  const box = element("span", "hatched");
  box.style.setProperty("--hatch", color);
  return box;
};

const entry = (mark, text) => {
  const item = element("li");
  item.append(mark, element("span", "", text));
  return item;
};

const gradient = ({ low, high }, swatches) => {
  const item = element("li", "gradient");
  const bar = element("span", "bar");
  const steps = swatches.map(({ color }, place) => {
    const [from, to] = [place, place + 1].map((end) => `${((100 * end) / swatches.length).toFixed(2)}%`);
    return `${color} ${from} ${to}`;
  });
  bar.style.background = `linear-gradient(to right, ${steps.join(", ")})`;
  item.append(element("span", "", low), bar, element("span", "", high));
  return item;
};

const drawLegend = (map) => {
  const { legend, swatches, absent, hatch } = map.data;
  const list = element("ul", "legend");
  list.setAttribute("aria-label", `Legend: ${legend.title}`);
  list.append(element("li", "legend-title", legend.title));
  if (legend.scale) list.append(gradient(legend.scale, swatches));
  for (const { text, color } of legend.entries) list.append(entry(swatch(swatches[color].color, swatches[color].symbol), text));
  if (legend.absent) list.append(entry(swatch(absent, -1), legend.absent));
  if (legend.hatched && !map.points) list.append(entry(hatched(hatch), legend.hatched));
  map.legend.replaceChildren(list, ...(map.points ? [] : [element("p", "legend-note", legend.note)]));
};
