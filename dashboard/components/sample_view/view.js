// Draws one sample from plain data.

const sentence = (segment, from, gaps) => {
  const texts = textNodes(segment.text, from, gaps);
  if (!segment.id) return texts;
  const node = element("span", "sentence");
  node.append(...texts);
  node.dataset.id = segment.id;
  if (segment.best) node.dataset.best = segment.best;
  if (segment.color) node.style.setProperty("--shade", segment.color);
  if (segment.flag) node.classList.add("flagged");
  if (segment.note) node.title = segment.note;
  if (segment.best) {
    node.tabIndex = 0;
    node.setAttribute("role", "button");
  }
  if (segment.score) node.appendChild(element("span", "score", segment.score));
  return [node];
};

const panel = (block) => {
  const box = element("section", `panel ${block.role}`);
  const head = element("header", "head");
  head.appendChild(element("h3", "title", block.title));
  if (block.note) head.appendChild(element("span", "note", block.note));
  box.appendChild(head);
  const body = element("div", "body");
  if (!block.texts.length) body.appendChild(element("p", "empty", block.empty || "none"));
  for (const text of block.texts) {
    if (text.title) body.appendChild(element("h4", "passage", text.title));
    const paragraph = element("p", "text");
    if (text.place) paragraph.dataset.place = text.place;
    gapsOf.set(paragraph, text.gaps);
    let from = 0;
    for (const segment of text.segments) {
      paragraph.append(...sentence(segment, from, text.gaps));
      from += [...segment.text].length;
    }
    body.appendChild(paragraph);
  }
  box.appendChild(body);
  return box;
};

const wire = (root) => {
  const byId = new Map();
  root.querySelectorAll(".sentence").forEach((node) => byId.set(node.dataset.id, node));
  const partners = (node) => {
    if (node.dataset.best) return [byId.get(node.dataset.best)].filter(Boolean);
    return [...byId.values()].filter((other) => other.dataset.best === node.dataset.id);
  };
  let pinned = null;
  const mark = (node) => {
    root.querySelectorAll(".lit").forEach((other) => other.classList.remove("lit"));
    if (!node) return;
    node.classList.add("lit");
    partners(node).forEach((other) => other.classList.add("lit"));
  };
  const scrollTo = (node) => {
    const body = node && node.closest(".body");
    if (!body) return;
    const top = node.getBoundingClientRect().top - body.getBoundingClientRect().top + body.scrollTop;
    body.scrollTop = Math.max(0, top - 48);
  };
  const pin = (node) => {
    pinned = pinned === node ? null : node;
    mark(pinned);
    if (pinned) partners(pinned).slice(0, 1).forEach(scrollTo);
  };
  for (const node of byId.values()) {
    node.onmouseenter = () => mark(node);
    node.onmouseleave = () => mark(pinned);
    node.onclick = () => pin(node);
    node.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pin(node);
    };
  }
};

export default function ({ data, parentElement, setStateValue }) {
  parentElement.querySelectorAll(".sample").forEach((old) => old.remove());
  const root = element("div", "sample");
  if (data.legend) root.appendChild(element("p", "legend", data.legend));
  const grid = element("div", "grid");
  data.blocks.forEach((block) => grid.appendChild(panel(block)));
  root.appendChild(grid);
  const reflows = data.blocks.filter((block) => block.texts.some((text) => text.gaps.length));
  if (reflows.length) grid.querySelector(`.${reflows[0].role} .head`).appendChild(reflowSwitch(root));
  parentElement.appendChild(root);
  wire(root);
  if (data.evidence) return markEvidence(root, parentElement, data, setStateValue);
}
