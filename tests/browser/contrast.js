// The contrast ratio of every text on the page against what lies behind it, as the browser paints it.
() => {
  const pen = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d", {willReadFrequently: true});
  const channels = color => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const linear = value => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = color => 0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);
  const ratio = (first, second) => {
    const [lighter, darker] = [luminance(first), luminance(second)].sort((a, b) => b - a);
    return (lighter + 0.05) / (darker + 0.05);
  };
  const ancestors = element => (element ? [element, ...ancestors(element.parentElement)] : []);
  const behind = element => {
    const layers = [];
    for (const ancestor of ancestors(element)) {
      const color = channels(getComputedStyle(ancestor).backgroundColor);
      if (color[3] > 0) layers.unshift(color);
      if (color[3] === 1) break;
    }
    return layers.reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const opacity = element => ancestors(element).reduce((product, e) => product * Number(getComputedStyle(e).opacity), 1);
  const SKIPPED = "script, style, canvas, [aria-hidden=true], [disabled], [aria-disabled=true], .hoverlayer";
  const AXES = ".xtick, .ytick, .g-xtitle, .g-ytitle, .legend, .colorbar";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
    if (!text || element.closest(SKIPPED)) continue;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element), alpha = opacity(element);
    if (box.width < 2 || box.height < 2 || style.visibility === "hidden" || style.clip !== "auto" || alpha < 0.05) continue;
    const inChart = element.closest("svg") !== null;
    if (inChart && !element.closest(AXES)) continue; // what lies behind a text within a chart is not in the document
    const ink = channels(inChart ? style.fill : style.color), background = behind(element);
    const painted = over([ink[0], ink[1], ink[2], ink[3] * alpha * (inChart ? Number(style.fillOpacity) : 1)], background);
    const kind = inChart ? "chart" : ancestors(element).map(e => e.dataset?.testid ?? "").join(" ");
    found.push({ratio: ratio(painted, background), text: text.slice(0, 60), kind});
  }
  return found;
}
