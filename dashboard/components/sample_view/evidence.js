
// Marking words as evidence. Offsets are counted in characters as Python counts them, not in UTF-16 units.

const kept = new WeakMap(); // by mounted view: its marks, so that drawing it again loses none

const characters = (text) => [...text].length;

const chosenRange = (root) => {
  const host = root.getRootNode();
  const selection = host.getSelection ? host.getSelection() : document.getSelection();
  if (!selection) return null;
  if (host.getSelection) return selection.rangeCount ? selection.getRangeAt(0) : null;
  const found = selection.getComposedRanges ? selection.getComposedRanges({ shadowRoots: [host] })[0] : null;
  if (!found) return selection.rangeCount ? selection.getRangeAt(0) : null;
  const range = document.createRange();
  range.setStart(found.startContainer, found.startOffset);
  range.setEnd(found.endContainer, found.endOffset);
  return range;
};

const chosenMarks = (root) => {
  const range = chosenRange(root);
  if (!range || range.collapsed) return [];
  const found = [];
  for (const paragraph of root.querySelectorAll("[data-place]")) {
    if (!range.intersectsNode(paragraph)) continue;
    const before = document.createRange();
    before.selectNodeContents(paragraph);
    const inside = before.cloneRange();
    if (paragraph.contains(range.startContainer)) inside.setStart(range.startContainer, range.startOffset);
    if (paragraph.contains(range.endContainer)) inside.setEnd(range.endContainer, range.endOffset);
    before.setEnd(inside.startContainer, inside.startOffset);
    const text = inside.toString();
    const start = characters(before.toString() + text.slice(0, text.length - text.trimStart().length));
    if (text.trim()) found.push({ place: paragraph.dataset.place, start, end: start + characters(text.trim()) });
  }
  return found;
};

const joined = (marks, added) => {
  const apart = marks.filter((mark) => mark.place !== added.place || mark.end < added.start || mark.start > added.end);
  const touching = marks.filter((mark) => !apart.includes(mark));
  const start = Math.min(added.start, ...touching.map((mark) => mark.start));
  const end = Math.max(added.end, ...touching.map((mark) => mark.end));
  return [...apart, { place: added.place, start, end }];
};

const paint = (paragraph, marks, remove) => {
  const text = [...paragraph.textContent];
  const gaps = gapsOf.get(paragraph);
  const stretch = (start, end) => textNodes(text.slice(start, end).join(""), start, gaps);
  const here = marks.filter((mark) => mark.place === paragraph.dataset.place).sort((a, b) => a.start - b.start);
  const nodes = [];
  let end = 0;
  for (const mark of here) {
    nodes.push(...stretch(end, mark.start));
    const node = element("mark", "evidence");
    node.append(...stretch(mark.start, mark.end));
    node.title = "Marked as evidence. Click, or Delete, to remove the mark.";
    node.tabIndex = 0;
    node.setAttribute("role", "button");
    node.onclick = () => chosenMarks(paragraph.closest(".sample")).length || remove(mark);
    node.onkeydown = (event) => {
      if (!["Delete", "Backspace", "Enter"].includes(event.key)) return;
      event.preventDefault();
      remove(mark);
    };
    nodes.push(node);
    end = mark.end;
  }
  nodes.push(...stretch(end, text.length));
  paragraph.replaceChildren(...nodes);
};

// With the arrow keys up and down, a text that has the focus is walked through sentence by sentence.
const walkSentences = (paragraph) => {
  paragraph.tabIndex = 0;
  let place = -1;
  paragraph.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(paragraph.textContent)];
    if (!sentences.length) return;
    place = Math.min(Math.max(place + (event.key === "ArrowDown" ? 1 : -1), 0), sentences.length - 1);
    const { index, segment } = sentences[place];
    const from = position(paragraph, index);
    const to = position(paragraph, index + segment.trimEnd().length);
    const host = paragraph.getRootNode();
    const selection = host.getSelection ? host.getSelection() : document.getSelection();
    selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
    from.node.parentElement.scrollIntoView({ block: "nearest" });
  });
};

const position = (paragraph, offset) => {
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  let node = walker.nextNode();
  while (node && offset > node.length) {
    offset -= node.length;
    node = walker.nextNode() || node;
  }
  return { node, offset };
};

const isField = (node) => node && ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName);

// Keys are for labels: a box that is clicked does not keep the focus, nor a list that was closed, nor a field on Escape
// or a line's end.
const closing = new WeakSet(); // lists that give the focus away when they close
let pointed = false; // whether the last thing that happened was the mouse's, or the finger's
const freeKeys = (event) => {
  if (event.type !== "focusin") pointed = event.type === "pointerdown";
  const node = event.composedPath()[0];
  if (!isField(node) || node.closest("form, [role=dialog]")) return;
  if (node.getAttribute("role") === "combobox" && !closing.has(node)) {
    closing.add(node);
    const leave = () => node.getAttribute("aria-expanded") === "false" && setTimeout(() => node.blur(), 0);
    new MutationObserver(leave).observe(node, { attributes: true, attributeFilter: ["aria-expanded"] });
  }
  const ticked = event.type === "focusin" && pointed && ["checkbox", "radio"].includes(node.type);
  const done = event.type === "keydown" && (event.key === "Escape" || (event.key === "Enter" && node.type === "text"));
  const lists = node.getAttribute("role") === "combobox" && event.key !== "Escape";
  if ((ticked || done) && !lists) setTimeout(() => node.blur(), 0);
};

const markEvidence = (root, parent, data, setStateValue) => {
  const state = kept.get(parent) || {};
  kept.set(parent, state);
  if (state.item !== data.evidence.item) Object.assign(state, { item: data.evidence.item, marks: data.evidence.marks });
  const bar = element("div", "marking");
  const button = element("button", "mark-button", "Mark as evidence (E)");
  button.type = "button";
  const hint = element("span", "note", "");
  bar.append(button, hint);
  root.append(bar);
  root.classList.add("blind");
  const paragraphs = [...root.querySelectorAll("[data-place]")];
  const show = () => {
    paragraphs.forEach((paragraph) => paint(paragraph, state.marks, remove));
    const n = state.marks.length;
    hint.textContent = n
      ? `${n} ${n === 1 ? "mark" : "marks"}. Click a mark to remove it.`
      : "Select words with the mouse, or walk through a text with Tab, ↓ and ↑.";
  };
  const change = (marks) => {
    state.marks = marks;
    show();
    setStateValue("marks", marks);
  };
  const remove = (mark) => change(state.marks.filter((other) => other !== mark));
  const keep = () => {
    const chosen = chosenMarks(root);
    if (!chosen.length) return;
    (root.getRootNode().getSelection?.() || document.getSelection()).removeAllRanges();
    change(chosen.reduce(joined, state.marks));
  };
  button.onmousedown = (event) => event.preventDefault(); // or the selection would be gone before the click
  button.onclick = keep;
  paragraphs.forEach(walkSentences);
  show();
  state.keep = keep;
  if (state.leave) return state.leave;
  const onKey = (event) => {
    freeKeys(event);
    const typing = event.composedPath().some(isField) || event.ctrlKey || event.metaKey || event.altKey;
    if (!typing && event.key.toLowerCase() === "e") state.keep();
  };
  document.addEventListener("keydown", onKey);
  // Captured, since Streamlit's switches keep these events to themselves.
  document.addEventListener("pointerdown", freeKeys, true);
  document.addEventListener("focusin", freeKeys, true);
  state.leave = () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener("pointerdown", freeKeys, true);
    document.removeEventListener("focusin", freeKeys, true);
  };
  return state.leave;
};
