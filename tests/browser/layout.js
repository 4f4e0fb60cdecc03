// What is cut, sticks out, lies on something else or tells of an error on the page, as the browser has laid it out.
() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const CONTROLS = "button, [role=radio], [data-tag], [role=combobox], label, h1, h2, h3, [data-testid=stMetric], [data-testid=stAlert], [data-testid=stPageLink]";
  const CANVAS = "[data-testid=stDataFrame], .modebar, .hoverlayer, [aria-hidden=true]";
  const box = element => element.getBoundingClientRect();
  const text = element => (element.value || element.textContent || element.ariaLabel || element.tagName).trim().slice(0, 60);
  const isVisible = element => {
    const { width, height } = box(element), style = getComputedStyle(element);
    return width > 2 && height > 2 && style.visibility !== "hidden" && style.clip === "auto" && style.clipPath === "none" && Number(style.opacity) > 0.05;
  };
  const inside = element => isVisible(element) && !element.closest(CANVAS) && !element.closest("details:not([open]) > :not(summary)");
  const faults = [];
  const fault = (kind, element) => faults.push(`${kind}: ${text(element)}`);

  for (const sheet of [document.documentElement, main])
    if (sheet.scrollWidth > sheet.clientWidth) faults.push(`scrolls sideways: ${sheet.scrollWidth} > ${sheet.clientWidth}`);
  for (const error of document.querySelectorAll("[data-testid=stException], [data-testid=stAlertContentError]"))
    if (isVisible(error)) fault("error", error);

  const controls = [...main.querySelectorAll(CONTROLS)].filter(inside);
  for (const control of controls) {
    for (const part of [control, ...control.querySelectorAll("*")].filter(inside)) {
      const hides = ["hidden", "clip", "auto", "scroll"].includes(getComputedStyle(part).overflowX);
      if (hides && part.clientWidth > 2 && part.scrollWidth > part.clientWidth + 1) fault("cut", part);
    }
    if ((box(control).right > innerWidth + 1 || box(control).left < box(main).left - 1)) fault("sticks out", control);
  }

  const pressed = controls.filter(control => control.matches("button, [role=radio]"));
  pressed.forEach((first, place) => {
    for (const second of pressed.slice(place + 1)) {
      if (first.contains(second) || second.contains(first)) continue;
      const [a, b] = [box(first), box(second)];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2) faults.push(`overlap: ${text(first)} and ${text(second)}`);
    }
  });

  for (const plot of main.querySelectorAll(".js-plotly-plot")) {
    const frame = box(plot.querySelector(".main-svg"));
    if (frame.right > innerWidth + 1 || frame.left < box(main).left - 1) fault("chart sticks out", plot);
    for (const label of plot.querySelectorAll(".xtick text, .ytick text, .g-xtitle text, .g-ytitle text, .legend text, .annotation-text")) {
      const { left, right, top, bottom, width } = box(label);
      if (width && (left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1)) fault("cut in a chart", label);
    }
  }
  return faults;
}
