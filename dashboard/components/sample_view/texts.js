// Texts are uploaded by users: they only ever become text nodes. What is shown in place of a gap is drawn by the style
// sheet, so that the characters of a text, and with them all offsets, are what they are however it is shown.

const element = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined && text !== null) node.textContent = text;
  return node;
};

// The nodes of a stretch that begins at `from`, in characters as Python counts them.
const textNodes = (text, from, gaps) => {
  const characters = [...text];
  const nodes = [];
  let end = 0;
  const plain = (upTo) => {
    if (upTo > end) nodes.push(document.createTextNode(characters.slice(end, upTo).join("")));
  };
  for (const [start, stop, shown] of gaps) {
    const first = Math.max(start - from, end);
    const last = Math.min(stop - from, characters.length);
    if (first >= last) continue;
    plain(first);
    const gap = element("span", "gap", characters.slice(first, last).join(""));
    gap.dataset.shown = start >= from ? shown : "";
    nodes.push(gap);
    end = last;
  }
  plain(characters.length);
  return nodes;
};

const gapsOf = new WeakMap(); // by paragraph

const AS_IT_STANDS = "hcat-texts-as-they-stand";
const stored = () => {
  try {
    return localStorage.getItem(AS_IT_STANDS) === "yes";
  } catch {
    return false;
  }
};

// A switch between the text that is easy to read and the one that is in the file, where they differ.
const reflowSwitch = (root) => {
  const button = element("button", "mark-button");
  button.type = "button";
  button.title = "As text: lines of one number become rows, with a · for each blank line that may be an empty cell.";
  const show = (asItStands) => {
    root.classList.toggle("as-it-stands", asItStands);
    button.textContent = asItStands ? "Show as text" : "Show as it stands";
  };
  button.onclick = () => {
    const asItStands = !root.classList.contains("as-it-stands");
    try {
      localStorage.setItem(AS_IT_STANDS, asItStands ? "yes" : "no");
    } catch {
      // A browser that stores nothing still switches.
    }
    show(asItStands);
  };
  show(stored());
  return button;
};
