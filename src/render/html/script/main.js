// Brings the page to life: the time, the keys, search, scale and theme.

// The chosen time: an index into `moments`, and of a single run how many events are over.
const cursor = { moment: 0, count: null, playing: null };
let moments = [];

function readMoments() {
  const all = new Set([0]);
  for (const run of runs) for (const event of run.events) all.add(event.t);
  moments = [...all].sort((a, b) => a - b);
}

const single = () => (runs.length === 1 ? runs[0] : null);

// To a moment; `count` events of a single run, or all of that moment.
function goTo(moment, count) {
  cursor.moment = Math.min(Math.max(moment, 0), moments.length - 1);
  cursor.count = count ?? null;
  const t = moments[cursor.moment];
  const slider = byId("time");
  slider.value = String(cursor.moment);
  slider.setAttribute("aria-valuetext", at(t));
  byId("now").textContent = at(t);
  const said = showState(t, cursor.count);
  showEvent(t);
  byId("live").textContent = cursor.playing ? "" : `${at(t)}: ${said}`;
  drawCursor();
}

function showEvent(t) {
  const run = single();
  if (!run) return;
  const last = eventsUpTo(run, t);
  const first = cursor.moment > 0 ? eventsUpTo(run, moments[cursor.moment - 1]) : 0;
  const count = cursor.count ?? last;
  const event = count > first ? run.events[count - 1] : null;
  const name = !event
    ? "before it"
    : event.move
      ? `${event.move} ${event.item.name}`
      : `${event.mark.word} ${laneName(event.mark.lane)}`;
  byId("event").textContent =
    last === first
      ? "no event"
      : `event ${grouped(count - first)} of ${grouped(last - first)}: ${name}`;
}

function stepEvent(by) {
  const run = single();
  if (!run) return;
  const now = cursor.count ?? eventsUpTo(run, moments[cursor.moment]);
  const count = Math.min(Math.max(now + by, 1), run.events.length);
  if (!run.events.length) return;
  goTo(moments.indexOf(run.events[count - 1].t), count);
}

function drawCursor() {
  const overlay = byId("overlay");
  if (!overlay) return;
  overlay.querySelector(".cursor")?.remove();
  const lane = document.querySelector("svg.axis-lane");
  const left = lane.getBoundingClientRect().left - overlay.getBoundingClientRect().left;
  const x = (left + scale.x[moments[cursor.moment]]).toFixed(1);
  for (const spot of spots)
    spot.node.classList.toggle(
      "now",
      spot.marks.some((mark) => mark.t === moments[cursor.moment]),
    );
  overlay.prepend(
    draw("path", { class: "cursor", d: `M${x},28V${overlay.getAttribute("height")}` }),
  );
}

function play(on) {
  if (cursor.playing) clearInterval(cursor.playing);
  cursor.playing = null;
  if (on) {
    if (cursor.moment === moments.length - 1) goTo(0);
    cursor.playing = setInterval(() => {
      if (cursor.moment >= moments.length - 1) play(false);
      else goTo(cursor.moment + 1);
    }, 700);
  }
  byId("play").setAttribute("aria-pressed", String(Boolean(cursor.playing)));
  byId("play").textContent = cursor.playing ? "Stop" : "Play";
}

function redraw() {
  const hidden = drawLanes();
  const more = byId("more");
  more.hidden = hidden === 0;
  more.textContent = `${counted(hidden, "row")} not drawn; show ${grouped(Math.min(hidden, ROWS_STEP))} more`;
  byId("shown").textContent = statement();
  drawCursor();
  showSelected();
}

// What the lanes show of how much.
function statement() {
  const pods = runs.reduce((sum, run) => sum + run.pods, 0);
  const rows = runs.reduce((sum, run) => sum + run.rows.length, 0);
  const without = runs.reduce((sum, run) => sum + run.rest, 0);
  const parts = [];
  if (pods - without > rows) {
    const shared = without
      ? `${grouped(pods - without)} of ${counted(pods, "pod")}`
      : counted(pods, "pod");
    parts.push(`${shared} in ${counted(rows, "row")}: pods with the same story share one.`);
  }
  if (without)
    parts.push(
      `${counted(without, "pod")} have no lane, since too many are different; search finds them.`,
    );
  if (view.query || view.fates.size) {
    const left = runs.flatMap(chosen);
    const count = left.reduce(
      (sum, { rows: found }) => sum + found.reduce((n, row) => n + matching(row), 0),
      0,
    );
    const rest = left.reduce((sum, group) => sum + group.rest.length, 0);
    const nodes = left.reduce((sum, { node }) => sum + node.names.length, 0);
    parts.push(`Found: ${counted(count + rest, "pod")} on ${counted(nodes, "node")}.`);
  }
  return parts.join(" ");
}

// How many pods of a row are meant: those whose names match, or else all.
function matching(row) {
  if (!view.query) return row.names.length;
  return (
    row.names.filter((name) => name.toLowerCase().includes(view.query)).length || row.names.length
  );
}

function setScale(compressed) {
  scale.compressed = compressed;
  byId("compressed").setAttribute("aria-pressed", String(compressed));
  byId("linear").setAttribute("aria-pressed", String(!compressed));
  redraw();
}

function zoom(factor) {
  const lanes = byId("lanes");
  const middle = (lanes.scrollLeft + lanes.clientWidth / 2) / scale.zoom;
  scale.zoom = factor === 0 ? 1 : Math.min(64, Math.max(1, scale.zoom * factor));
  redraw();
  lanes.scrollLeft = middle * scale.zoom - lanes.clientWidth / 2;
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
}

function showTheme() {
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
}

function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  showTheme();
}

function fateChips() {
  const counts = new Map(FATES.map((fate) => [fate, 0]));
  const add = (fate, n) => counts.set(fate, (counts.get(fate) || 0) + n);
  for (const run of runs) {
    for (const row of run.rows) add(row.fate, row.names.length);
    for (const group of run.groups) for (const pod of group.rest) add(pod.fate, 1);
  }
  for (const [fate, count] of counts) {
    if (!count) continue;
    const chip = make(
      "button",
      { type: "button", "aria-pressed": "false", class: "chip" },
      fateBadge(fate),
      `${fate} ${grouped(count)}`,
    );
    chip.addEventListener("click", () => {
      const on = !view.fates.has(fate);
      if (on) view.fates.add(fate);
      else view.fates.delete(fate);
      chip.setAttribute("aria-pressed", String(on));
      redraw();
    });
    byId("fates").append(chip);
  }
}

// Signs and bars that occur, with what they mean.
function fillLegend() {
  const list = document.querySelector("#legend ul");
  const entry = (picture, text) => list.append(make("li", null, picture, text));
  const sample = (...content) =>
    draw("svg", { width: 34, height: 22, "aria-hidden": "true" }, ...content);
  const rows = runs.flatMap((run) => run.rows);
  const taints = runs.flatMap((run) => run.groups.flatMap((group) => group.node.taints));
  if (taints.some((band) => band.noExecute))
    entry(sample(bar("band no-execute", 1, 33, 3, 16)), "NoExecute taint");
  if (taints.some((band) => !band.noExecute))
    entry(sample(bar("band other", 1, 33, 3, 16)), "taint of another effect");
  entry(sample(bar("life", 1, 33, 7, 8)), "the pod exists");
  if (rows.some((row) => row.terminating >= 0))
    entry(sample(bar("terminating", 1, 33, 7, 8)), "terminating");
  if (rows.some((row) => !row.nodes.length || row.nodes[0].at > row.life[0]))
    entry(sample(bar("unbound", 1, 33, 7, 8)), "without a node");
  const shapes = {
    fired: ["M2,4H28V18H2Z", "a timer that fired", "M28,1V21"],
    cancelled: ["M2,4H30L22,18H2Z", "a timer that was cancelled"],
    lost: ["M2,4H30l-4,3.5l4,3.5l-4,3.5l4,3.5H2Z", "a timer that was lost with its process"],
    "still armed": ["M2,4H23L31,11L23,18H2Z", "a timer that is armed at the end"],
  };
  for (const [how, [d, text, edge]] of Object.entries(shapes)) {
    if (
      !rows.some((row) =>
        row.windows.some((window) => window.how === how && window.fire > window.from),
      )
    )
      continue;
    const group = draw(
      "g",
      { class: `window ${how.replace(" ", "-")}` },
      draw("path", { class: "body", d }),
    );
    if (edge) group.append(draw("path", { class: "edge", d: edge }));
    entry(sample(group), text);
  }
  if (
    rows.some((row) =>
      row.windows.some((window) => window.how === "cancelled" || window.how === "lost"),
    )
  ) {
    entry(
      sample(draw("g", { class: "window" }, draw("path", { class: "ghost", d: "M2,4H31V18H2" }))),
      "what was left of its wait",
    );
  }
  if (rows.some((row) => row.deletions.length))
    entry(sample(bar("deletion", 2, 32, 9, 4)), "a deletion runs");
  const words = new Set(runs.flatMap((run) => run.marks.map((mark) => mark.word)));
  for (const word of ORDER.filter((known) => words.has(known))) {
    entry(sample(draw("g", { transform: "translate(17 11)" }, sign(word))), SIGNS[word][2]);
  }
}

// Patterns and arrow heads; the lanes refer to them.
function definitions() {
  const pattern = (id, size, path) =>
    draw(
      "pattern",
      { id, width: size, height: size, patternUnits: "userSpaceOnUse", class: "hatch" },
      draw("path", { d: path }),
    );
  const head = (kind) =>
    draw(
      "marker",
      {
        id: `head-${kind}`,
        viewBox: "0 0 8 8",
        refX: 7,
        refY: 4,
        markerWidth: 4.6,
        markerHeight: 4.6,
        orient: "auto",
      },
      draw("path", { class: `head ${kind}`, d: "M0,0L8,4L0,8Z" }),
    );
  document.body.append(
    draw(
      "svg",
      { width: 0, height: 0, class: "definitions", "aria-hidden": "true" },
      draw(
        "defs",
        null,
        pattern("hatch-taint", 7, "M-1,8L8,-1M-2,2L2,-2M5,9L9,5"),
        pattern("hatch-dying", 5, "M-1,-1L6,6M-1,4L1,6M4,-1L6,1"),
        head("cause"),
        head("effect"),
      ),
    ),
  );
}

function moveFocus(spot, key) {
  const { lane } = spot;
  const along = [...lane.spots].sort((a, b) => a.x - b.x);
  let next = null;
  if (key === "ArrowLeft") next = along[along.indexOf(spot) - 1];
  if (key === "ArrowRight") next = along[along.indexOf(spot) + 1];
  const by = { ArrowUp: -1, ArrowDown: 1 }[key];
  for (let i = drawn.indexOf(lane) + (by || drawn.length); !next && drawn[i]; i += by) {
    next = drawn[i].spots.reduce(
      (best, other) =>
        !best || Math.abs(other.x - spot.x) < Math.abs(best.x - spot.x) ? other : best,
      null,
    );
  }
  if (next) next.node.focus();
}

function focusSpot(spot) {
  for (const other of spots)
    if (other.node.getAttribute("tabindex") === "0") other.node.setAttribute("tabindex", "-1");
  spot.node.setAttribute("tabindex", "0");
  selectSpot(spot);
}

function toTimeOf(spot) {
  const t = spot.main?.t ?? spot.window?.from;
  if (t !== undefined) goTo(moments.indexOf(t));
}

const KEYS = {
  ArrowLeft: () => goTo(cursor.moment - 1),
  ArrowRight: () => goTo(cursor.moment + 1),
  Home: () => goTo(0),
  End: () => goTo(moments.length - 1),
  " ": () => play(!cursor.playing),
  ",": () => stepEvent(-1),
  ".": () => stepEvent(1),
  "/": () => byId("search").focus(),
  "+": () => zoom(1.5),
  "=": () => zoom(1.5),
  "-": () => zoom(1 / 1.5),
  0: () => zoom(0),
  s: () => setScale(!scale.compressed),
  t: () => toggleTheme(),
  "?": () => byId("help").showModal(),
  Escape: () => {
    clearSelected();
    showNothing();
  },
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const { target, key } = event;
  const typing = target.tagName === "INPUT" && target.type === "search";
  if (typing && key !== "Escape") return;
  const { spot } = target;
  if (spot && key.startsWith("Arrow")) {
    moveFocus(spot, key);
  } else if (spot && (key === "Enter" || key === " ")) {
    toTimeOf(spot);
  } else {
    // A focused button has its own keys, and what scrolls has the arrows.
    const own = target.tagName === "BUTTON" || target.tagName === "SUMMARY";
    const scrolls = target.classList?.contains("scroll") && key.startsWith("Arrow");
    if ((own && key === " ") || scrolls || !KEYS[key]) return;
    KEYS[key]();
  }
  event.preventDefault();
}

function onPoint(event) {
  const group = event.target.closest?.(".spot");
  drawArrows(group?.spot ? group.spot.main : selected?.mark || null);
}

function setPrinting(on) {
  if (view.printing === on) return;
  view.printing = on;
  if (on) {
    view.kept = { zoom: scale.zoom, open: byId("log").open };
    scale.zoom = 1;
    fillTable();
    byId("log").open = true;
  } else {
    scale.zoom = view.kept.zoom;
    byId("log").open = view.kept.open;
  }
  redraw();
}

function listen() {
  const click = (id, action) => byId(id).addEventListener("click", action);
  document.addEventListener("keydown", onKey);
  byId("time").addEventListener("input", (event) => goTo(Number(event.target.value)));
  click("before", () => goTo(cursor.moment - 1));
  click("after", () => goTo(cursor.moment + 1));
  click("event-before", () => stepEvent(-1));
  click("event-after", () => stepEvent(1));
  click("play", () => play(!cursor.playing));
  click("compressed", () => setScale(true));
  click("linear", () => setScale(false));
  click("zoom-in", () => zoom(1.5));
  click("zoom-out", () => zoom(1 / 1.5));
  click("zoom-fit", () => zoom(0));
  click("theme", toggleTheme);
  click("help-open", () => byId("help").showModal());
  click("help-close", () => byId("help").close());
  click("more", () => {
    view.rowsMax += ROWS_STEP;
    redraw();
  });
  byId("search").addEventListener("input", (event) => {
    view.query = event.target.value.trim().toLowerCase();
    redraw();
    byId("live").textContent = statement();
  });
  const lanes = byId("lanes");
  lanes.addEventListener("focusin", (event) => event.target.spot && focusSpot(event.target.spot));
  lanes.addEventListener("click", (event) => {
    const spot = event.target.closest?.(".spot")?.spot;
    if (spot) {
      spot.node.focus();
      toTimeOf(spot);
    }
  });
  lanes.addEventListener("pointerover", onPoint);
  lanes.addEventListener("pointerleave", onPoint);
  byId("log").addEventListener("toggle", fillTable);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTheme);
  window.matchMedia("print").addEventListener("change", (event) => setPrinting(event.matches));
  window.addEventListener("beforeprint", () => setPrinting(true));
  window.addEventListener("afterprint", () => setPrinting(false));
  let width = byId("lanes").clientWidth;
  new ResizeObserver(() => {
    if (byId("lanes").clientWidth === width || view.printing) return;
    width = byId("lanes").clientWidth;
    redraw();
  }).observe(byId("lanes"));
}

function start() {
  readModel(JSON.parse(byId("data").textContent));
  for (const id of ["theme", "help-open"]) byId(id).hidden = false;
  showTheme();
  if (!runs.length) {
    byId("theme").addEventListener("click", toggleTheme);
    byId("help-open").hidden = true;
    return;
  }
  readMoments();
  definitions();
  byId("app").hidden = false;
  byId("time").max = String(moments.length - 1);
  byId("single").hidden = !single();
  fateChips();
  fillLegend();
  showNothing();
  listen();
  redraw();
  goTo(0);
}

start();
