// Keys of the labelling card. Each is applied to what is on the screen: one that comes while the server is at work
// waits for the next card, in order, and is shown meanwhile.
//
// The press or the answer to it can get lost on the way: Streamlit drops what is left of a run when another begins. So
// where no answer comes, the server is asked again, as often as it takes; if it then has not seen the press, the key is
// applied again, once for every time that the server says so. The server handles press and question in their order.

// These wait for the next card even where the one on the screen has no use for them; others count where it has.
const KNOWN = new Set([..."123456789jsulmhfrg", "ArrowLeft", "ArrowRight", "Escape"]);
const GLIMPSE = 150; // ms that a card stands on the screen before a key that waited for it is applied
const DRAWING = 1500; // ms that a button may take to appear, or to be enabled, before its key counts as without effect
const PATIENCE = 3000; // ms without an answer after which the server is asked; twice as long each time
const LONGEST_PATIENCE = 24000;
const GLANCE = 500; // ms between two looks whether the page was left

const state = {
  data: null, // of the card that is drawn
  waiting: [], // keys with the item that stood on the screen
  sent: null, // the press that no answer has come to
  note: "",
  early: 0,
  drawnAt: 0,
  timer: 0,
  place: null, // where what is said stands
  page: null, // its address
  ask: null, // how the server is asked
};

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

// Not when the line of this component is gone: it is too where what draws it anew got lost.
const isLeft = () => location.pathname !== state.page;

const leave = () => {
  drop("the page was left");
  state.sent = null;
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
    if (target.does === "press") {
      const due = performance.now() + PATIENCE;
      state.sent = { key, item: state.data.item, pressed: state.data.pressed, patience: PATIENCE, due };
    }
    element.click();
  }
};

const askAgain = (sent, now) => {
  sent.question = `${Date.now()}`;
  sent.patience = Math.min(2 * sent.patience, LONGEST_PATIENCE);
  sent.due = now + sent.patience;
  state.note = `No answer to key ${named(sent.key)} yet: asking the server again.`;
  state.ask("question", sent.question);
};

const receive = (data) => {
  const sent = state.sent;
  if (!sent) return;
  const isLost = data.pressed === sent.pressed && sent.question && sent.question === data.answered;
  if (data.pressed === sent.pressed && !isLost) return; // drawn for another reason
  state.sent = null;
  if (sent.question) state.note = "";
  if (isLost && data.item === sent.item) state.waiting.unshift({ key: sent.key, item: sent.item });
  else if (isLost || data.pressed < sent.pressed) // the server has forgotten what it had counted
    state.note = `Key ${named(sent.key)} was not taken: look at what is on the card and press again.`;
};

const work = () => {
  const now = performance.now();
  if (isLeft()) return leave();
  if (state.sent && now >= state.sent.due) askAgain(state.sent, now);
  if (state.sent || !state.waiting.length) {
    if (state.sent) later(Math.min(state.sent.due - now, GLANCE));
    return show();
  }
  if (!isIdle()) {
    later(20);
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
  else if (state.sent) later(GLANCE);
};

const onKey = (event) => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isLeft() || !(KNOWN.has(key) || key in state.data.keys)) return;
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

const draw = (parentElement) => {
  const line = document.createElement("p");
  line.className = "said";
  line.setAttribute("role", "status");
  line.setAttribute("aria-live", "polite");
  const waiting = document.createElement("span");
  waiting.className = "waiting";
  line.append(document.createElement("span"), waiting);
  parentElement.append(line);
  return line;
};

// It gives back nothing to clean up: Streamlit would call that also while the card stands on the screen, whenever new
// data came before the last was at work, and keys that wait would be gone.
export default ({ data, parentElement, setTriggerValue }) => {
  if (isLeft()) leave();
  state.place = parentElement.querySelector(".said") ?? draw(parentElement);
  Object.assign(state, { ask: setTriggerValue, page: location.pathname });
  window.addEventListener("keydown", onKey, true); // the same listener again is no second one
  const isNew = !state.data || state.data.item !== data.item;
  state.data = data;
  // Twice, so that the card has been painted.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (isNew) state.drawnAt = performance.now();
      if (data.failed) drop("the one before was not saved");
      receive(data);
      work();
    })
  );
};
