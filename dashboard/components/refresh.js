// Presses buttons when something has changed: at once, or when nothing more has changed for a while.

let settled = ""; // what was followed last
let waiting;

export default ({ data }) => {
  clearTimeout(waiting);
  if (data.settle && settled !== data.settle) {
    waiting = setTimeout(() => {
      settled = data.settle;
      document.querySelectorAll(data.buttons).forEach((button) => button.click());
    }, data.pause);
  }
  return () => clearTimeout(waiting);
};
