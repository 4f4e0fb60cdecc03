// Presses buttons when something has changed: at once, or when nothing more has changed for a while.

let settled = ""; // what was followed last
let waiting;

const follow = (data) => {
  if (!isIdle()) {
    waiting = setTimeout(follow, 20, data);
    return;
  }
  settled = data.settle;
  document.querySelectorAll(data.buttons).forEach((button) => button.click());
};

// It gives back nothing to clean up: Streamlit would call that also when newer data is at work already.
export default ({ data }) => {
  clearTimeout(waiting);
  if (data.settle && settled !== data.settle) waiting = setTimeout(follow, data.pause, data);
};
