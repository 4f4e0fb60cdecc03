// Asks for the page anew when the theme is another one than it was drawn for: the system's colours can change while it
// is open, and a theme can be chosen in the menu.

const state = { dark: null, asked: null, ask: null, watched: null };

const check = () => {
  const dark = getComputedStyle(state.watched).colorScheme === "dark";
  if (dark === state.dark) state.asked = null;
  else if (dark !== state.asked) {
    state.asked = dark; // once, or a server that sees no theme would be asked for ever
    state.ask("seen", dark ? "dark" : "light");
  }
};

const watcher = new MutationObserver(check);

export default ({ data, setTriggerValue }) => {
  const app = document.querySelector('[data-testid="stApp"]');
  Object.assign(state, { dark: data.dark, ask: setTriggerValue });
  if (state.watched !== app) {
    watcher.disconnect();
    watcher.observe(app, { attributes: true, attributeFilter: ["class"] });
    state.watched = app;
  }
  check();
};
