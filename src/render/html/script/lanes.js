// The lanes: the axis, a row for each lane, the signs and the arrows.

// Rows that are drawn before a button asks for more.
const ROWS_STEP = 300;
const POD_HEIGHT = 30;
const BAND_HEIGHT = 17;
// Marks nearer than this are one sign.
const NEAR = 9;

// Something on a lane that can have the focus: its name, marks at one place, or a timer's bar.
const spots = [];

function addSpot(lane, svg, group, spot) {
  Object.assign(spot, { lane, node: group });
  group.spot = spot;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "-1");
  group.setAttribute("aria-label", spot.label);
  group.prepend(draw("title", null));
  group.firstChild.textContent = spot.label;
  svg.append(group);
  spots.push(spot);
  lane.spots.push(spot);
}

const markLabel = (mark) => `${at(mark.t)} ${mark.word}${mark.text ? `: ${mark.text}` : ""}`;

function drawMarks(lane, svg, y) {
  const marks = [...lane.marks].sort((a, b) => scale.x[a.t] - scale.x[b.t] || a.index - b.index);
  let cluster = [];
  const close = () => {
    if (!cluster.length) return;
    const rank = (mark) => ORDER.indexOf(mark.word);
    const main = cluster.reduce((best, mark) => (rank(mark) < rank(best) ? mark : best));
    const implied = IMPLIED[main.word] || [];
    const isSaid = (mark) =>
      implied.includes(mark.word) && (mark.t === main.t || main.word === "Evicted");
    const more = cluster.filter((mark) => mark !== main && !isSaid(mark));
    const x = scale.x[main.t];
    const group = draw(
      "g",
      { class: "spot", transform: `translate(${x.toFixed(1)} ${y})` },
      draw("rect", { class: "hit", x: -9, y: -12, width: 18, height: 24, rx: 4 }),
      sign(main.word),
    );
    if (more.length) {
      const count = draw("text", {
        class: "plus",
        x: (x + 7).toFixed(1),
        y: y - 5,
        "aria-hidden": "true",
      });
      count.textContent = `+${more.length}`;
      svg.append(count);
    }
    const label =
      cluster.length > 8
        ? `${markLabel(main)}; and ${cluster.length - 1} more`
        : [main, ...more].map(markLabel).join("; ");
    addSpot(lane, svg, group, { marks: cluster, main, x, y, label: `${laneName(lane)}: ${label}` });
    cluster = [];
  };
  for (const mark of marks) {
    if (cluster.length && scale.x[mark.t] - scale.x[cluster[0].t] > NEAR) close();
    cluster.push(mark);
  }
  close();
}

const bar = (name, from, to, y, height) =>
  draw("rect", {
    class: name,
    x: from.toFixed(1),
    y,
    width: Math.max(1.5, to - from).toFixed(1),
    height,
    rx: 2.5,
  });

function drawPod(row, svg) {
  const middle = POD_HEIGHT / 2;
  const { run } = row;
  const place = placeOf;
  const [born, gone] = [scale.x[row.life[0]], place(row.life[1])];
  const bound = row.nodes.length ? Math.max(born, scale.x[row.nodes[0].at]) : gone;
  if (bound > born) svg.append(bar("unbound", born, bound, middle - 4, 8));
  const dying = row.terminating < 0 ? gone : scale.x[row.terminating];
  if (dying > bound) svg.append(bar("life", bound, dying, middle - 4, 8));
  if (gone > dying) svg.append(bar("terminating", Math.max(dying, born), gone, middle - 4, 8));
  for (const window of row.windows) if (window.fire > window.from) drawWindow(row, window, svg);
  for (const { from, to } of row.deletions) {
    svg.append(bar("deletion", scale.x[from], place(to), middle + 9, 4));
  }
  drawMarks(row, svg, middle);
}

// A timer's bar. How it ended is a shape: an edge where it fired, a slanted end where it was
// cancelled, a torn one where it was lost, an arrow where it is still armed. What was to come is
// dotted.
function drawWindow(row, window, svg) {
  const [top, bottom] = [7, POD_HEIGHT - 7];
  const middle = (top + bottom) / 2;
  const from = scale.x[window.from];
  const open = window.end < 0;
  const to = Math.max(
    from + 3,
    open ? scale.x[Math.min(window.fire, scale.last)] : scale.x[window.end],
  );
  const slant = Math.min(7, to - from);
  const shapes = {
    fired: `M${from},${top}H${to}V${bottom}H${from}Z`,
    cancelled: `M${from},${top}H${to}L${to - slant},${bottom}H${from}Z`,
    lost: `M${from},${top}H${to}l-4,4l4,4l-4,4l4,4H${from}Z`,
    "still armed": `M${from},${top}H${to - slant}L${to},${middle}L${to - slant},${bottom}H${from}Z`,
  };
  const group = draw("g", { class: `spot window ${window.how.replace(" ", "-")}` });
  const due = scale.x[Math.min(window.fire, scale.last)];
  if (!open && due > to + 2) {
    group.append(draw("path", { class: "ghost", d: `M${to},${top}H${due}V${bottom}H${to}` }));
  }
  group.append(draw("path", { class: "body", d: shapes[window.how] }));
  if (window.how === "fired")
    group.append(draw("path", { class: "edge", d: `M${to},${top - 2}V${bottom + 2}` }));
  const ended = open ? "still armed at the end" : `${window.how} at ${at(window.end)}`;
  const label = `${laneName(row)}: timer from ${at(window.from)}, fires at ${at(window.fire)}, ${ended}; taint ${window.taint}`;
  addSpot(row, svg, group, {
    window,
    main: window.mark,
    marks: window.mark ? [window.mark] : [],
    x: (from + to) / 2,
    y: middle,
    label,
  });
}

// Which of the rows of bands each taint is in, so that none covers another.
function stackTaints(node) {
  const free = [];
  const taints = [...node.taints].sort((a, b) => a.from - b.from);
  for (const band of taints) {
    const to = band.to < 0 ? Infinity : band.to;
    let level = free.findIndex((end) => end <= band.from);
    if (level < 0) level = free.length;
    free[level] = to;
    band.level = level;
  }
  return free.length;
}

function drawNode(node, svg) {
  const { run } = node;
  const middle = 5 + BAND_HEIGHT / 2;
  for (const [from, to] of node.lives) {
    const [x, end] = [scale.x[from], placeOf(to)];
    svg.append(draw("path", { class: "node-life", d: `M${x},${middle}H${end}` }));
  }
  for (const band of node.taints) {
    const y = 5 + band.level * (BAND_HEIGHT + 3);
    const [from, to] = [scale.x[band.from], placeOf(band.to)];
    const kind = band.noExecute ? "band no-execute" : "band other";
    const rect = bar(kind, from, to, y, BAND_HEIGHT);
    const title = draw("title");
    const until = band.to < 0 ? "the end" : at(band.to);
    title.textContent = `taint ${band.name}, from ${at(band.from)} to ${until}`;
    rect.append(title);
    svg.append(bar("band under", from, to, y, BAND_HEIGHT), rect);
    const room = to - from - 22;
    const letters = Math.floor(room / 6.4);
    if (letters >= 4) {
      const text = draw("text", { class: `${kind} text`, x: (from + 11).toFixed(1), y: y + 12.5 });
      text.textContent =
        band.name.length > letters ? `${band.name.slice(0, letters - 1)}…` : band.name;
      svg.append(text);
    }
  }
  drawMarks(node, svg, middle);
}

// When the controller or a watch was down, on the lane of the run.
function drawRun(lane, svg, height) {
  let stopped = -1;
  for (const mark of lane.marks) {
    if (mark.word === "ControllerStopped") stopped = mark.t;
    if (mark.word === "ControllerStarted" && stopped >= 0) {
      svg.append(bar("down", scale.x[stopped], scale.x[mark.t], height / 2 - 5, 10));
      stopped = -1;
    }
  }
  if (stopped >= 0)
    svg.append(bar("down", scale.x[stopped], placeOf(-1, lane.run), height / 2 - 5, 10));
  drawMarks(lane, svg, height / 2);
}

function drawAxis() {
  const svg = draw("svg", {
    class: "axis-lane",
    width: scale.width,
    height: 40,
    "aria-hidden": "true",
  });
  svg.append(draw("path", { class: "axis-line", d: `M0,31.5H${scale.width}` }));
  let taken = [];
  let ticks;
  if (scale.compressed) ({ ticks, taken } = tickTimes());
  else ticks = roundTicks();
  for (const tick of ticks) {
    svg.append(draw("path", { class: "axis-line", d: `M${tick.x.toFixed(1)},26V31` }));
    const text = draw("text", {
      class: "tick",
      x: tick.middle.toFixed(1),
      y: 20,
      "text-anchor": "middle",
    });
    text.textContent = tick.ns === undefined ? at(tick.t) : duration(tick.ns);
    svg.append(text);
  }
  for (const wait of breaks(taken)) {
    svg.append(draw("path", { class: "break-gap", d: `M${wait.x - 6},31.5h12` }));
    svg.append(
      draw("path", { class: "break", d: `M${wait.x - 7},31.5l3.5,-4l3.5,8l3.5,-8l3.5,4` }),
    );
    if (wait.text) {
      const text = draw("text", {
        class: "tick wait",
        x: wait.x.toFixed(1),
        y: 20,
        "text-anchor": "middle",
      });
      text.textContent = `(${wait.text})`;
      svg.append(text);
    }
  }
  const words = scale.compressed ? "long waits are compressed" : "linear";
  return make("div", { class: "row axis" }, make("div", { class: "name axis-name" }, words), svg);
}

const view = { rowsMax: ROWS_STEP, query: "", fates: new Set(), printing: false };

function haystack(row) {
  if (row.haystack === undefined) {
    const parts = [...row.names, row.why, row.fate];
    for (const window of row.windows) parts.push(window.taint, window.toleration);
    for (const { text } of row.tolerations) parts.push(text);
    for (const { name } of row.nodes) parts.push(name);
    for (const mark of row.marks) parts.push(mark.word, mark.text);
    row.haystack = parts.join("\n").toLowerCase();
  }
  return row.haystack;
}

// Whether the search means the node with all its pods; a text of its marks means only the node.
function nodeFits(node) {
  const taints = node.taints.map((band) => band.name);
  return [...node.names, ...taints].join("\n").toLowerCase().includes(view.query);
}

function nodeSays(node) {
  return node.marks.some((mark) => `${mark.word} ${mark.text}`.toLowerCase().includes(view.query));
}

// What search and fates leave of the run: groups with the rows to show.
function chosen(run) {
  const found = [];
  for (const { node, rows, rest } of run.groups) {
    const fits = !view.query || nodeFits(node);
    const wanted = (fate, text) =>
      (!view.fates.size || view.fates.has(fate)) && (fits || text().includes(view.query));
    const left = rows.filter((row) => wanted(row.fate, () => haystack(row)));
    const more = rest.filter((pod) =>
      wanted(pod.fate, () => `${pod.name}\n${pod.why}`.toLowerCase()),
    );
    const alone = !view.fates.size && (fits || nodeSays(node));
    if (left.length || more.length || alone) found.push({ node, rows: left, rest: more });
  }
  return found;
}

let drawn = [];

function laneRow(lane, name, height, paint) {
  const svg = draw("svg", {
    class: "lane",
    width: scale.width,
    height,
    role: "group",
    "aria-label": laneName(lane),
  });
  lane.spots = lane.name ? [lane.name] : [];
  spots.push(...lane.spots);
  paint(svg);
  const row = make("div", { class: `row ${lane.kind}` }, name, svg);
  lane.row = row;
  lane.svg = svg;
  drawn.push(lane);
  return row;
}

function nameButton(lane, note) {
  const whole = lane.names.length > 1 ? rowName(lane.names) : lane.names[0];
  const button = make(
    "button",
    { type: "button", class: "name-button", title: whole, "aria-label": whole },
    lane.names[0],
  );
  const spot = { lane, node: button, isName: true, marks: [], x: -1 };
  button.spot = spot;
  button.setAttribute("tabindex", "-1");
  button.addEventListener("click", () => selectLane(lane));
  lane.name = spot;
  const more =
    lane.names.length > 1
      ? make("span", { class: "more", "aria-hidden": "true" }, `+${grouped(lane.names.length - 1)}`)
      : null;
  return make("div", { class: "name" }, note || null, button, more);
}

function fateBadge(fate) {
  return make("span", { class: `fate dot ${fate}`, title: fate, "aria-hidden": "true" });
}

function drawRunLanes(run, canvas, budget) {
  if (runs.length > 1) {
    canvas.append(make("div", { class: "row heading" }, make("h2", { class: "name" }, run.name)));
  }
  if (run.lane.marks.length && !view.query) {
    canvas.append(
      laneRow(run.lane, make("div", { class: "name" }, "Run"), 28, (svg) =>
        drawRun(run.lane, svg, 28),
      ),
    );
  }
  let hidden = 0;
  for (const { node, rows, rest } of chosen(run)) {
    if (budget.left <= 0 && rows.length) {
      hidden += rows.length;
      continue;
    }
    if (node.names.length) {
      const levels = stackTaints(node);
      const height = Math.max(30, 9 + levels * (BAND_HEIGHT + 3));
      canvas.append(
        laneRow(node, nameButton(node, make("span", { class: "kind" }, "node")), height, (svg) =>
          drawNode(node, svg),
        ),
      );
    } else {
      canvas.append(
        make(
          "div",
          { class: "row heading" },
          make("div", { class: "name" }, "Pods without a node"),
        ),
      );
    }
    const shown = rows.slice(0, Math.max(0, budget.left));
    budget.left -= shown.length;
    hidden += rows.length - shown.length;
    for (const row of shown) {
      canvas.append(
        laneRow(row, nameButton(row, fateBadge(row.fate)), POD_HEIGHT, (svg) => drawPod(row, svg)),
      );
    }
    if (rest.length) canvas.append(restRow(rest));
  }
  return hidden;
}

// Pods that have no row: there are too many different ones.
function restRow(rest) {
  const list = rest
    .slice(0, 20)
    .map((pod) =>
      make(
        "li",
        null,
        `${pod.name}: ${pod.fate}${pod.at < 0 ? "" : ` at ${at(pod.at)}`}; ${pod.why}`,
      ),
    );
  const more =
    rest.length > 20
      ? make("li", null, `and ${grouped(rest.length - 20)} more; search finds them`)
      : null;
  return make(
    "div",
    { class: "row rest" },
    make("div", { class: "name" }, `${counted(rest.length, "pod")} without a lane`),
    make("ul", null, ...list, more),
  );
}

function drawLanes() {
  const lanes = byId("lanes");
  const hadFocus = lanes.contains(document.activeElement) && document.activeElement.spot;
  for (const lane of drawn) lane.row = lane.svg = null;
  drawn = [];
  spots.length = 0;
  const narrow = window.matchMedia("(max-width: 640px)").matches && !view.printing;
  const names = narrow ? 0 : view.printing ? 170 : 220;
  const room = view.printing ? 690 : lanes.clientWidth;
  fitScale(Math.max(160, room - names - 2));
  const canvas = make("div", { class: "canvas" });
  canvas.style.width = `${scale.width + names}px`;
  canvas.append(drawAxis());
  const budget = { left: view.printing ? 2000 : view.rowsMax };
  let hidden = 0;
  for (const run of runs) hidden += drawRunLanes(run, canvas, budget);
  const overlay = draw("svg", { class: "overlay", id: "overlay", "aria-hidden": "true" });
  canvas.append(overlay);
  const scrolled = [lanes.scrollLeft, lanes.scrollTop];
  lanes.replaceChildren(canvas);
  [lanes.scrollLeft, lanes.scrollTop] = scrolled;
  overlay.setAttribute("width", canvas.scrollWidth);
  overlay.setAttribute("height", canvas.scrollHeight);
  if (spots.length) spots[0].node.setAttribute("tabindex", "0");
  const isSame = (spot) =>
    spot.lane === hadFocus.lane && spot.main === hadFocus.main && spot.isName === hadFocus.isName;
  if (hadFocus) (spots.find(isSame) || spots[0])?.node.focus();
  return hidden;
}
