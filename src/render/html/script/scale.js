// Where a time stands. Compressed, the room of a wait grows with its logarithm, so that a cluster
// of milliseconds and the five minutes after it can both be read.

const scale = { compressed: true, zoom: 1, width: 0, x: [], first: 0, last: 0 };

// The room that all members of a cluster together take at most, in units of a gap's weight.
const CLUSTER_MAX = 14;
const EDGE = 14;

function weights(last) {
  const all = [];
  const millis = (i) => Number(times[i + 1] - times[i]) / 1e6;
  const extent = Number(times[last] - times[0]) / 1e6 || 1;
  let cluster = [];
  const close = () => {
    const sum = cluster.reduce((total, i) => total + all[i], 0);
    if (sum > CLUSTER_MAX) for (const i of cluster) all[i] *= CLUSTER_MAX / sum;
    cluster = [];
  };
  for (let i = 0; i < last; i += 1) {
    const gap = millis(i);
    all.push(0.6 + Math.log10(1 + gap));
    if (gap < extent / 200) cluster.push(i);
    else close();
  }
  close();
  return all;
}

// Gives every time its place; `width` is what there is to fill at zoom 1.
function fitScale(width) {
  const last = Math.max(0, ...runs.map((run) => run.extent));
  scale.last = last;
  scale.width = Math.max(160, Math.round(width * scale.zoom));
  const room = scale.width - 2 * EDGE;
  const x = new Float64Array(times.length);
  if (scale.compressed) {
    const all = weights(last);
    const sum = all.reduce((total, weight) => total + weight, 0) || 1;
    let done = 0;
    for (let i = 0; i <= last; i += 1) {
      x[i] = EDGE + (room * done) / sum;
      done += all[i] || 0;
    }
  } else {
    const extent = Number(times[last]) || 1;
    for (let i = 0; i <= last; i += 1) x[i] = EDGE + (room * Number(times[i])) / extent;
  }
  for (let i = last + 1; i < times.length; i += 1) x[i] = scale.width;
  scale.x = x;
}

// The place of a time. What has no end reaches the end of the axis: after the end of its run nothing
// happens, and all stays as it is.
const placeOf = (t) => scale.x[t < 0 ? scale.last : t];

const labelWidth = (text) => 6.6 * text.length + 12;

// Times that have a label: those of steps first, then as many as there is room for.
function tickTimes() {
  const wanted = new Map();
  const want = (t, rank) => wanted.set(t, Math.min(rank, wanted.get(t) ?? 9));
  want(0, 0);
  for (const run of runs) {
    want(run.end, 1);
    for (const mark of run.marks) want(mark.t, mark.word.startsWith("Step") ? 2 : 3);
    for (const row of run.rows) for (const window of row.windows) want(window.fire, 4);
  }
  const taken = [];
  const ticks = [];
  const sorted = [...wanted].filter(([t]) => t <= scale.last);
  sorted.sort(([a, rankA], [b, rankB]) => rankA - rankB || a - b);
  for (const [t] of sorted.slice(0, 2000)) {
    const half = labelWidth(at(t)) / 2;
    const middle = Math.min(Math.max(scale.x[t], half), scale.width - half);
    const free = taken.every(([from, to]) => middle + half <= from || middle - half >= to);
    if (!free) continue;
    taken.push([middle - half, middle + half]);
    ticks.push({ t, x: scale.x[t], middle });
  }
  return { ticks, taken };
}

// The length of a linear scale's unit: a round duration.
function roundTicks() {
  const seconds = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400,
  ];
  const steps = [];
  for (const unit of [1n, 1000n, 1000000n])
    for (const n of [1n, 2n, 5n, 10n, 20n, 50n, 100n, 200n, 500n]) steps.push(unit * n);
  for (const n of seconds) steps.push(BigInt(n) * 1000000000n);
  for (let n = 10n * 86400n; n < 10n ** 11n; n *= 10n)
    for (const m of [1n, 2n, 5n]) steps.push(n * m * 1000000000n);
  const extent = times[scale.last] || 1n;
  const wanted = Math.max(2, Math.floor(scale.width / 110));
  const step = steps.find((n) => extent / n <= BigInt(wanted)) || steps[steps.length - 1];
  const ticks = [];
  for (let ns = 0n; ns <= extent && ticks.length < 400; ns += step) {
    const x = EDGE + ((scale.width - 2 * EDGE) * Number(ns)) / Number(extent);
    const half = labelWidth(duration(ns)) / 2;
    ticks.push({ ns, x, middle: Math.min(Math.max(x, half), scale.width - half) });
  }
  return ticks;
}

// Waits that are shorter on the axis than they are: where they stand, and how long they last.
function breaks(taken) {
  if (!scale.compressed || scale.last === 0) return [];
  const found = [];
  const usual = (scale.width - 2 * EDGE) / Number(times[scale.last]);
  for (let i = 0; i < scale.last; i += 1) {
    const room = scale.x[i + 1] - scale.x[i];
    const length = times[i + 1] - times[i];
    if (room < 26 || room / Number(length) > usual * 1.2) continue;
    const middle = (scale.x[i] + scale.x[i + 1]) / 2;
    const half = labelWidth(duration(length)) / 2;
    const fits =
      room > 2 * half && taken.every(([a, b]) => middle + half <= a || middle - half >= b);
    found.push({ x: middle, text: fits ? duration(length) : "" });
  }
  return found;
}
