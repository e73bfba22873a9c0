// The data of the page, with indices resolved. Times of all runs are in one sorted list, `times`;
// everything has indices into it.

const FATES = ["evicted", "removed", "terminating", "armed", "survives"];
const WINDOW_ENDS = ["still armed", "fired", "cancelled", "lost"];

let times = [];
const runs = [];

function readModel(data) {
  // Each run has its times sorted; only those of several runs have to be merged.
  const all =
    data.runs.length === 1 ? data.runs[0].times : new Set(data.runs.flatMap((run) => run.times));
  times = [...all].map(BigInt);
  if (data.runs.length > 1) times.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const index = new Map(times.map((time, i) => [String(time), i]));
  for (const raw of data.runs)
    runs.push(
      readRun(
        raw,
        raw.times.map((text) => index.get(text)),
      ),
    );
}

function readRun(raw, timeOf) {
  const t = (i) => (i < 0 ? -1 : timeOf[i]);
  const text = (i) => (i < 0 ? "" : raw.texts[i]);
  const run = {
    name: raw.name,
    scenario: raw.scenario,
    kubernetes: raw.kubernetes,
    end: t(raw.end),
    extent: t(raw.extent),
    pods: raw.pods,
    nodes: raw.nodes,
    manager: raw.manager,
    insideIsMissing: raw.insideIsMissing,
    moves: raw.moves,
    groups: [],
    rows: [],
    rest: 0,
    marks: [],
    events: [],
  };
  run.lane = { kind: "run", run, names: ["run"], marks: [] };
  for (const group of raw.groups) {
    const node = {
      kind: "node",
      run,
      names: group.names,
      marks: [],
      lives: (group.lives || []).map(([from, to]) => [t(from), t(to)]),
      taints: (group.taints || []).map(([name, noExecute, from, to, step]) => ({
        name: text(name),
        noExecute: noExecute === 1,
        from: t(from),
        to: t(to),
        step,
      })),
    };
    const rows = group.rows.map((row) => readRow(row, run, node, t, text));
    const rest = group.rest.map(([name, fate, at, why]) => ({
      name,
      fate: text(fate),
      at: t(at),
      why: text(why),
    }));
    run.groups.push({ node, rows, rest });
    run.rows.push(...rows);
    run.rest += rest.length;
  }
  const laneOf = (n) => (n === -1 ? run.lane : n < 0 ? run.groups[-2 - n].node : run.rows[n]);
  raw.marks.forEach(([at, word, lane, words, cause], index) => {
    const mark = {
      run,
      index,
      t: t(at),
      word: text(word),
      text: text(words),
      lane: laneOf(lane),
      cause: cause < 0 ? null : run.marks[cause],
      effects: [],
    };
    if (mark.cause) mark.cause.effects.push(mark);
    mark.lane.marks.push(mark);
    run.marks.push(mark);
  });
  run.marksAt = new Map();
  for (const mark of run.marks) {
    if (!run.marksAt.has(mark.t)) run.marksAt.set(mark.t, []);
    run.marksAt.get(mark.t).push(mark);
  }
  readInside(raw, run, t, text);
  run.rows.forEach((row) => timeWindows(row, run));
  return run;
}

function readRow(raw, run, node, t, text) {
  const row = {
    kind: "pod",
    run,
    node,
    names: raw.pods,
    marks: [],
    fate: text(raw.fate),
    fateAt: t(raw.fateAt),
    why: text(raw.why),
    life: [t(raw.life[0]), t(raw.life[1])],
    terminating: t(raw.terminating),
    nodes: raw.nodes.map(([at, name]) => ({ at: t(at), name: text(name) })),
    tolerations: raw.tolerations.map(([at, list]) => ({ at: t(at), text: text(list) })),
    deletions: raw.deletions.map(([from, to]) => ({ from: t(from), to: t(to) })),
  };
  row.windows = raw.windows.map(([from, fire, end, how, taint, toleration]) => ({
    row,
    from: t(from),
    fire: t(fire),
    end: t(end),
    how: WINDOW_ENDS[how],
    taint: text(taint),
    toleration: text(toleration),
  }));
  return row;
}

// Marks and moves of work items in the order in which they happened.
function readInside(raw, run, t, text) {
  const items = raw.items.map(([queue, name, shard], id) => ({
    id,
    queue,
    name: text(name),
    shard,
  }));
  let before = 0;
  let at = 0;
  let mark = 0;
  const marksUpTo = (count) => {
    for (; mark < count; mark += 1) {
      run.marks[mark].event = run.events.length;
      run.events.push({ t: run.marks[mark].t, mark: run.marks[mark] });
    }
  };
  for (let i = 0; i < raw.inside.length; i += 4) {
    before += raw.inside[i];
    at += raw.inside[i + 1];
    marksUpTo(before);
    run.events.push({
      t: t(at),
      move: raw.moves[raw.inside[i + 2]],
      item: items[raw.inside[i + 3]],
    });
  }
  marksUpTo(run.marks.length);
}

// Between which events a timer is armed and a deletion runs. The n-th mark of its kind on a lane is
// that of the n-th window, or deletion. What ends it can stand on another lane: that of a newer pod
// of the same name.
function timeWindows(row, run) {
  const of = (word) => row.marks.filter((mark) => mark.word === word);
  const name = podName(row);
  const isOwn = (mark) => mark.lane.kind === "run" || podName(mark.lane) === name;
  // The first event of this time, word and pod after `first`; else all of this time is waited for.
  const ending = (t, words, first, fits) => {
    const found = (run.marksAt.get(t) || []).filter(
      (mark) => mark.event > first && words.includes(mark.word) && isOwn(mark),
    );
    return (found.find(fits) || found[0])?.event ?? eventsUpTo(run, t) - 1;
  };
  const ends = {
    fired: ["EvictionStarted"],
    cancelled: ["EvictionCancelled"],
    lost: ["ControllerStopped"],
  };
  const armed = of("EvictionScheduled");
  row.windows.forEach((window, i) => {
    window.mark = armed[i] || null;
    window.first = window.mark ? window.mark.event : 0;
    window.last =
      window.end < 0
        ? Infinity
        : ending(window.end, ends[window.how], window.first, (mark) => descends(mark, window.mark));
  });
  const started = of("EvictionStarted");
  const over = ["Evicted", "DeleteRequested", "EvictionFailed", "ControllerStopped"];
  row.deletions.forEach((deletion, i) => {
    deletion.row = row;
    deletion.mark = started[i] || null;
    deletion.first = deletion.mark ? deletion.mark.event : 0;
    deletion.last =
      deletion.to < 0
        ? Infinity
        : ending(deletion.to, over, deletion.first, (mark) => descends(mark, deletion.mark));
  });
}

function descends(mark, from) {
  for (let m = mark; m; m = m.cause) if (m === from) return true;
  return false;
}

// The name without its number, where several pods have had it.
const podName = (lane) => (lane.names[0] || "").replace(/ \(\d+(st|nd|rd|th)\)$/, "");

// The name of a lane, as a text.
const laneName = (lane) =>
  lane.kind === "node" ? `node ${rowName(lane.names)}` : rowName(lane.names);

const at = (t) => (t < 0 ? "" : duration(times[t]));
