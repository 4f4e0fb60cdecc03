// Keys of the labelling card. Each is applied to what is on the screen: one that comes while the server is at work
// waits for the next card, in order, and is shown meanwhile.

// These wait for the next card even where the one on the screen has no use for them; others count where it has.
const KNOWN = new Set([..."123456789jsulmhfrg", "ArrowLeft", "ArrowRight", "Escape"]);
const GLIMPSE = 150; // ms that a card stands on the screen before a key that waited for it is applied
const DRAWING = 1500; // ms that a button may take to appear, or to be enabled, before its key counts as without effect
const PATIENCE = 8000; // ms without an answer after which a key counts as not taken

const state = { data: null, waiting: [], sent: null, drawnAt: 0, note: "", early: 0, timer: 0, place: null };

const isField = (node) =>
  node instanceof Element &&
  node.matches("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=slider], [role=dialog]");

const named = (key) => ({ ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" })[key] || key.toUpperCase();

const many = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

const show = () => {
  if (!state.place || !state.data) return;
  const said = [state.data.said, state.note].filter(Boolean).join(" ");
  const [text, waiting] = state.place.children;
  if (text.textContent !== said) text.textContent = said;
  const n = state.waiting.length;
  const keys = state.waiting.map(({ key }) => named(key)).join(" ");
  waiting.textContent = n ? `${many(n, "key")} waiting: ${keys} (Esc drops ${n === 1 ? "it" : "them"})` : "";
};

const drop = (why) => {
  const n = state.waiting.length;
  if (n) state.note = `${many(n, "key")} dropped: ${why}.`;
  state.waiting = [];
};

const elementOf = ({ css, does }) => {
  const box = document.querySelector(`.${CSS.escape(css)}`);
  return box && box.querySelector(does === "enter" ? "input, textarea" : "button");
};

const later = (milliseconds) => {
  clearTimeout(state.timer);
  state.timer = setTimeout(work, milliseconds);
};

const apply = ({ key, item }, target, element) => {
  if (target.does === "enter") {
    drop(`they came after ${named(key)}, which enters a field`);
    element.focus();
  } else {
    if (item !== state.data.item) {
      state.early += 1;
      state.note = `${many(state.early, "key")} pressed before the sample was on the screen: ← shows what was saved.`;
    }
    if (target.does === "press") state.sent = { pressed: state.data.pressed, key, at: performance.now() };
    element.click();
  }
};

const work = () => {
  const now = performance.now();
  if (state.sent && now - state.sent.at > PATIENCE) {
    state.note = `No answer to key ${named(state.sent.key)}: look at what is on the card and press again.`;
    state.sent = null;
    drop("the server did not answer");
  }
  if (state.sent || !state.waiting.length) {
    if (state.sent) later(PATIENCE);
    return show();
  }
  const next = state.waiting[0];
  const rest = next.item === state.data.item ? 0 : state.drawnAt + GLIMPSE - now;
  if (rest > 0) {
    later(rest);
    return show();
  }
  const target = state.data.keys[next.key];
  const element = target && elementOf(target);
  const isReady = element && !element.disabled;
  if (target && !isReady && now - (next.since ??= now) < DRAWING) {
    later(50);
    return show();
  }
  state.waiting.shift();
  if (isReady) apply(next, target, element);
  else state.note = `Key ${named(next.key)} does nothing here.`;
  show();
  if (state.waiting.length) later(0);
  else if (state.sent) later(PATIENCE + 50);
};

const onKey = (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (!state.place || !state.data || !(KNOWN.has(key) || key in state.data.keys)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.composedPath().some(isField)) return;
  if (key === "Escape" && !state.waiting.length && !state.data.keys.Escape) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // the button's own shortcut would press it at once
  if (event.repeat) return; // a key that is held down is one key
  state.note = "";
  if (key === "Escape" && state.waiting.length) drop("by Esc");
  else state.waiting.push({ key, item: state.data.item });
  if (!state.sent) state.early = 0;
  work();
};

export default ({ data, parentElement }) => {
  if (!parentElement.querySelector(".said")) {
    const line = document.createElement("p");
    line.className = "said";
    line.setAttribute("role", "status");
    line.setAttribute("aria-live", "polite");
    const waiting = document.createElement("span");
    waiting.className = "waiting";
    line.append(document.createElement("span"), waiting);
    parentElement.append(line);
    window.addEventListener("keydown", onKey, true);
  }
  state.place = parentElement.querySelector(".said");
  const isAnswer = state.sent && state.sent.pressed !== data.pressed;
  const isNew = !state.data || state.data.item !== data.item;
  state.data = data;
  // Twice, so that the card has been painted.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (isNew) state.drawnAt = performance.now();
      if (isAnswer) state.sent = null;
      if (data.failed) drop("the one before was not saved");
      work();
    })
  );
  return () => {
    window.removeEventListener("keydown", onKey, true);
    Object.assign(state, { place: null, waiting: [], sent: null });
  };
};
