// Whether the server has nothing to do for this page. What is pressed at another moment can cost the end of what is being
// drawn: so the presses that a script makes wait for it, but not for longer than a while.

const LONGEST_WAIT = 5000; // ms

let busySince = 0;

const isIdle = () => {
  const app = document.querySelector('[data-testid="stApp"]');
  if (app?.dataset.testScriptState !== "running") busySince = 0;
  else busySince ||= performance.now();
  return !busySince || performance.now() - busySince > LONGEST_WAIT;
};

