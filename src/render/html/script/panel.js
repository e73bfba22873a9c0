// What is selected, with the chain of its causes and effects; and the state at the chosen time.

// Effects that are listed and drawn before the rest is counted.
const EFFECTS_MAX = 60;

let selected = null;

function causesOf(mark) {
  const chain = [];
  for (let m = mark.cause; m; m = m.cause) chain.unshift(m);
  return chain;
}

function effectsOf(mark) {
  const found = [];
  const open = [...mark.effects];
  while (open.length && found.length <= EFFECTS_MAX * 20) {
    const next = open.shift();
    found.push(next);
    open.push(...next.effects);
  }
  return found.sort((a, b) => a.index - b.index);
}

// Where a mark stands in the lanes, relative to the overlay.
function pointOf(mark, canvas) {
  const { lane } = mark;
  if (!lane.row || !lane.svg) return null;
  const spot = lane.spots.find((other) => other.marks.includes(mark) && !other.window);
  if (!spot) return null;
  const [box, outer] = [lane.svg.getBoundingClientRect(), canvas.getBoundingClientRect()];
  return { x: box.left - outer.left + spot.x, y: box.top - outer.top + spot.y, spot };
}

function drawArrows(mark) {
  const overlay = byId("overlay");
  if (!overlay) return;
  for (const old of overlay.querySelectorAll(".arrow")) old.remove();
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  if (!mark) return;
  const canvas = overlay.parentNode;
  const effects = effectsOf(mark).slice(0, EFFECTS_MAX);
  const chain = [...causesOf(mark), mark, ...effects];
  for (const to of chain) {
    const end = pointOf(to, canvas);
    if (end) end.spot.node.classList.add("lit");
    if (!to.cause || !chain.includes(to.cause)) continue;
    const start = pointOf(to.cause, canvas);
    if (!start || !end || start.spot === end.spot) continue;
    overlay.append(arrow(start, end, effects.includes(to) ? "effect" : "cause"));
  }
}

function arrow(start, end, kind) {
  const down = end.y > start.y + 1 ? 1 : end.y < start.y - 1 ? -1 : 0;
  // From below one sign to the side or the top of the other, so that neither is covered.
  const [x1, y1] = [start.x, start.y + down * 9];
  const sideways = end.x - start.x > 24;
  const [x2, y2] = sideways ? [end.x - 10, end.y] : [end.x, end.y - down * 10];
  const bend = sideways
    ? `C${x1},${(y1 + y2) / 2 + down * 6} ${(x1 + x2) / 2},${y2} ${x2},${y2}`
    : `C${x1 - 16},${y1 + down * 10} ${x2 - 16},${y2 - down * 10} ${x2},${y2}`;
  const path =
    down === 0
      ? `M${start.x + 9},${start.y}C${start.x + 20},${start.y - 16} ${end.x - 20},${end.y - 16} ${end.x - 8},${end.y - 3}`
      : `M${x1},${y1}${bend}`;
  return draw("path", { class: `arrow ${kind}`, d: path, "marker-end": `url(#head-${kind})` });
}

function markButton(mark) {
  const button = make(
    "button",
    { type: "button", class: "link" },
    make("span", { class: "when" }, at(mark.t)),
    make("strong", null, mark.word),
    ` ${laneName(mark.lane)}`,
  );
  button.addEventListener("click", () => selectMark(mark, true));
  return make("li", null, button, mark.text ? make("div", { class: "text" }, mark.text) : null);
}

function section(title, marks, max) {
  if (!marks.length) return [];
  const list = make("ol", { class: "chain" }, ...marks.slice(0, max).map(markButton));
  const more =
    marks.length > max
      ? make("p", { class: "quiet" }, `and ${grouped(marks.length - max)} more`)
      : "";
  return [make("h3", null, title), list, more];
}

function facts(pairs) {
  const list = make("dl", { class: "pairs" });
  for (const [name, value] of pairs)
    if (value) list.append(make("dt", null, name), make("dd", null, value));
  return list;
}

function windowFacts(window) {
  const ended =
    window.end < 0 ? "still armed at the end of the run" : `${window.how} at ${at(window.end)}`;
  return facts([
    ["Pod", rowName(window.row.names)],
    ["Taint", window.taint],
    ["Toleration", window.toleration || "none"],
    ["Armed at", at(window.from)],
    ["Fires at", at(window.fire)],
    ["What became of it", ended],
  ]);
}

function laneFacts(lane) {
  if (lane.kind === "node") {
    const band = (taint) =>
      make(
        "li",
        null,
        `${taint.name}: ${at(taint.from)} to ${taint.to < 0 ? "the end" : at(taint.to)}${taint.step ? `, step ${taint.step}` : ""}`,
      );
    return [
      lane.names.length > 1 ? names(lane.names) : "",
      make("h3", null, "Taints"),
      lane.taints.length
        ? make("ul", null, ...lane.taints.map(band))
        : make("p", { class: "quiet" }, "none"),
    ];
  }
  const since = (list, text) =>
    make(
      "ul",
      null,
      ...list.map((entry) => make("li", null, `from ${at(entry.at)}: ${text(entry)}`)),
    );
  return [
    facts([
      ["Fate", `${lane.fate}${lane.fateAt < 0 ? "" : ` at ${at(lane.fateAt)}`}`],
      ["Why", lane.why],
    ]),
    lane.names.length > 1 ? names(lane.names) : "",
    make("h3", null, "Nodes"),
    lane.nodes.length
      ? since(lane.nodes, (entry) => entry.name)
      : make("p", { class: "quiet" }, "never bound"),
    make("h3", null, "Tolerations"),
    since(lane.tolerations, (entry) => entry.text || "none"),
  ];
}

// All names of a row, those that are searched for first.
function names(list) {
  const wanted = view.query ? list.filter((name) => name.toLowerCase().includes(view.query)) : [];
  const first = wanted.length ? wanted : list;
  const shown = first.slice(0, 500).join(", ");
  const more = list.length - Math.min(500, first.length);
  const what = wanted.length ? `${grouped(wanted.length)} of ${grouped(list.length)} match: ` : "";
  return make(
    "details",
    { open: wanted.length > 0 },
    make("summary", null, `${grouped(list.length)} with the same story`),
    make(
      "p",
      { class: "names" },
      `${what}${shown}${more > 0 ? `, and ${grouped(more)} more` : ""}`,
    ),
  );
}

function showDetails(...content) {
  document.querySelector("#details .body").replaceChildren(...content.flat());
}

function showNothing() {
  showDetails(
    make(
      "p",
      { class: "quiet" },
      "Point at a sign in the lanes, or choose one: what led to it and what came of it stands here.",
    ),
  );
}

function selectSpot(spot) {
  if (spot.isName) {
    selectLane(spot.lane);
    return;
  }
  const content = [];
  if (spot.window) content.push(windowFacts(spot.window));
  else if (spot.marks.length > 1) {
    content.push(
      make("h3", null, `${spot.marks.length} things at this place`),
      make("ol", { class: "chain" }, ...spot.marks.slice(0, 30).map(markButton)),
    );
    if (spot.marks.length > 30)
      content.push(
        make(
          "p",
          { class: "quiet" },
          `and ${grouped(spot.marks.length - 30)} more; zoom in to tell them apart`,
        ),
      );
  }
  choose(spot.main, spot, content);
}

function selectMark(mark, scroll) {
  const spot = mark.lane.row
    ? mark.lane.spots.find((other) => other.marks.includes(mark) && !other.window)
    : null;
  if (spot && scroll) spot.node.scrollIntoView({ block: "nearest", inline: "nearest" });
  choose(mark, spot, []);
}

function choose(mark, spot, content) {
  clearSelected();
  selected = { mark, spot };
  if (spot) spot.node.classList.add("selected");
  if (!mark) {
    showDetails(content);
    return;
  }
  drawArrows(mark);
  const title = make(
    "p",
    { class: "what" },
    make("span", { class: "when" }, at(mark.t)),
    make("strong", null, mark.word),
    ` ${laneName(mark.lane)}`,
    mark.text ? make("span", { class: "text" }, mark.text) : "",
  );
  const causes = causesOf(mark);
  showDetails(
    title,
    content,
    section("Because of", causes, 40),
    section("It led to", effectsOf(mark), EFFECTS_MAX),
  );
}

function selectLane(lane) {
  clearSelected();
  selected = { lane };
  lane.row?.classList.add("chosen");
  showDetails(
    make("p", { class: "what" }, make("strong", null, laneName(lane))),
    laneFacts(lane),
    section("What happened", lane.marks, EFFECTS_MAX),
  );
}

// After the lanes were drawn anew.
function showSelected() {
  if (!selected) return;
  const { mark, lane } = selected;
  lane?.row?.classList.add("chosen");
  if (!mark) return;
  mark.lane.spots?.find((spot) => spot.marks.includes(mark))?.node.classList.add("selected");
  drawArrows(mark);
}

function clearSelected() {
  for (const node of document.querySelectorAll(".selected, .chosen"))
    node.classList.remove("selected", "chosen");
  drawArrows(null);
  selected = null;
}

function tableOf(headers, rows) {
  const cell = (text) => make("td", null, text);
  return make(
    "table",
    { class: "small" },
    make(
      "thead",
      null,
      make("tr", null, ...headers.map((text) => make("th", { scope: "col" }, text))),
    ),
    make("tbody", null, ...rows.map((row) => make("tr", null, ...row.map(cell)))),
  );
}

const TIMERS_MAX = 40;

function timersPart(state, t) {
  const { timers, deletions } = state;
  const pods = timers.reduce((sum, window) => sum + window.row.names.length, 0);
  const parts = [make("h3", null, counted(pods, "armed timer"))];
  if (timers.length) {
    const rows = timers
      .slice(0, TIMERS_MAX)
      .map((window) => [
        rowName(window.row.names),
        window.taint,
        window.toleration,
        `${at(window.fire)}, in ${duration(times[window.fire] - times[t])}`,
      ]);
    parts.push(
      make(
        "div",
        {
          class: "scroll",
          tabindex: "0",
          role: "region",
          "aria-label": `Armed timers${runs.length > 1 ? ` of ${state.run.name}` : ""}`,
        },
        tableOf(["Pod", "Taint", "Toleration", "Fires at"], rows),
      ),
    );
  }
  if (timers.length > TIMERS_MAX)
    parts.push(
      make("p", { class: "quiet" }, `and ${grouped(timers.length - TIMERS_MAX)} more rows`),
    );
  const running = deletions.reduce((sum, deletion) => sum + deletion.row.names.length, 0);
  parts.push(make("h3", null, counted(running, "running deletion")));
  if (deletions.length) {
    parts.push(
      make(
        "ul",
        null,
        ...deletions
          .slice(0, TIMERS_MAX)
          .map((deletion) =>
            make("li", null, `${rowName(deletion.row.names)}, since ${at(deletion.from)}`),
          ),
      ),
    );
  }
  return parts;
}

const QUEUES = ["noexec_taint_node", "noexec_taint_pod"];

// As many as `replay --show` names.
function itemNames(items) {
  const named = items.slice(0, 20).map((item) => item.name);
  if (items.length > 20) named.push(`and ${grouped(items.length - 20)} more`);
  return named.join(", ");
}

function insidePart(state) {
  const { run } = state;
  if (!run.manager.enabled)
    return [make("p", { class: "quiet" }, "There is no taint manager in this run.")];
  if (state.stopped)
    return [
      make(
        "p",
        { class: "alert" },
        "The controller is down: its queues, channels and timers are gone.",
      ),
    ];
  const parts = [...state.broken].map((text) =>
    make("p", { class: "alert" }, `A watch is broken: ${text}.`),
  );
  if (run.insideIsMissing) {
    return runs.length > 1
      ? parts
      : [
          ...parts,
          make(
            "p",
            { class: "quiet" },
            `Queues and workers are not shown: ${run.insideIsMissing}.`,
          ),
        ];
  }
  parts.push(make("h3", null, "Work queues"));
  parts.push(
    make(
      "ul",
      null,
      ...state.queues.map((queue, i) =>
        make(
          "li",
          null,
          `${QUEUES[i]}: ${queue.waiting.length ? `${grouped(queue.waiting.length)} waiting: ${itemNames(queue.waiting)}` : "empty"}`,
          queue.blocked
            ? make(
                "div",
                { class: "alert" },
                `Its dispatcher is blocked on shard ${queue.blocked.shard} with ${queue.blocked.name}.`,
              )
            : null,
        ),
      ),
    ),
  );
  parts.push(make("h3", null, counted(run.manager.workers, "worker")));
  const busy = [...state.shards].filter(
    ([, shard]) => shard.handles || shard.channels[0].length || shard.channels[1].length,
  );
  busy.sort(([a], [b]) => a - b);
  const filled = (items, capacity) =>
    `${Math.min(items.length, capacity)} of ${capacity}${items.length ? `: ${itemNames(items)}` : ""}`;
  if (busy.length) {
    parts.push(
      make(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": "Workers" },
        tableOf(
          ["Shard", "Worker", "Node channel", "Pod channel"],
          busy.map(([number, shard]) => [
            String(number),
            shard.handles ? `handles ${shard.handles.name} since ${at(shard.since)}` : "waits",
            filled(shard.channels[0], run.manager.nodeChannel),
            filled(shard.channels[1], run.manager.podChannel),
          ]),
        ),
      ),
    );
  }
  const idle = run.manager.workers - busy.length;
  if (idle)
    parts.push(
      make(
        "p",
        { class: "quiet" },
        busy.length
          ? `${grouped(idle)} more wait with empty channels.`
          : "All wait, and their channels are empty.",
      ),
    );
  return parts;
}

function showState(t, count) {
  const body = document.querySelector("#state .body");
  const said = [];
  const parts = [];
  for (const run of runs) {
    const state = stateAfter(run, count === null ? eventsUpTo(run, t) : count);
    if (runs.length > 1) parts.push(make("h3", { class: "run-name" }, run.name));
    parts.push(...timersPart(state, t), ...insidePart(state));
    const timers = state.timers.reduce((sum, window) => sum + window.row.names.length, 0);
    const waiting = state.queues[0].waiting.length + state.queues[1].waiting.length;
    const sentence = [
      counted(timers, "armed timer"),
      counted(state.deletions.length, "running deletion"),
    ];
    if (!run.insideIsMissing) sentence.push(`${counted(waiting, "item")} in the queues`);
    if (state.stopped) sentence.push("the controller is down");
    said.push((runs.length > 1 ? `${run.name}: ` : "") + sentence.join(", "));
  }
  if (runs.length > 1)
    parts.push(
      make(
        "p",
        { class: "quiet" },
        "Of each run only the pods that differ are here, without queues and workers.",
      ),
    );
  if (runs.some((run) => run.rest))
    parts.push(make("p", { class: "quiet" }, "Pods without a lane are not counted here."));
  body.replaceChildren(...parts);
  return said.join("; ");
}
