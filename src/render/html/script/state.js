// What is inside the taint manager after so many events of a run: the events are replayed.

function freshState(run) {
  return {
    run,
    count: 0,
    stopped: false,
    broken: new Set(),
    handling: new Map(),
    // Of each queue: what waits, what is out of it and not done, what comes again after that.
    queues: [0, 1].map(() => ({ waiting: [], out: new Map(), again: new Set(), blocked: null })),
    shards: new Map(),
  };
}

function shardOf(state, number) {
  if (!state.shards.has(number))
    state.shards.set(number, { channels: [[], []], handles: null, since: 0 });
  return state.shards.get(number);
}

const MOVES = {
  Enqueued(state, queue, item) {
    // Items that are pointers are each their own, even where they have the same name.
    if (state.run.manager.deduplicates && queue.out.get(item.id)) queue.again.add(item.id);
    else queue.waiting.push(item);
  },
  Deduplicated() {},
  Dispatched(state, queue, item) {
    if (queue.blocked && queue.blocked.id === item.id) queue.blocked = null;
    else takeOut(queue, item);
    shardOf(state, item.shard).channels[item.queue].push(item);
  },
  DispatchBlocked(state, queue, item) {
    takeOut(queue, item);
    queue.blocked = item;
  },
  HandlerStarted(state, queue, item, t) {
    const shard = shardOf(state, item.shard);
    const place = shard.channels[item.queue].findIndex((other) => other.id === item.id);
    if (place >= 0) shard.channels[item.queue].splice(place, 1);
    shard.handles = item;
    shard.since = t;
  },
  HandlerFinished(state, queue, item) {
    shardOf(state, item.shard).handles = null;
    queue.out.set(item.id, (queue.out.get(item.id) || 1) - 1);
    if (queue.again.delete(item.id)) queue.waiting.push(item);
  },
};

function takeOut(queue, item) {
  const place = queue.waiting.findIndex((other) => other.id === item.id);
  if (place >= 0) queue.waiting.splice(place, 1);
  queue.out.set(item.id, (queue.out.get(item.id) || 0) + 1);
}

function apply(state, event) {
  state.count += 1;
  if (event.move) {
    MOVES[event.move](state, state.queues[event.item.queue], event.item, event.t);
    return;
  }
  const { word, text } = event.mark;
  if (word === "ControllerStopped") {
    const { run, count, broken } = state;
    Object.assign(state, freshState(run), { count, broken, stopped: true });
    broken.clear();
  } else if (word === "ControllerStarted") state.stopped = false;
  else if (word === "WatchBroken") state.broken.add(text);
  else if (word === "WatchRelisted") {
    const resource = text.split(" ")[0];
    for (const lost of state.broken) if (lost.includes(resource)) state.broken.delete(lost);
  }
}

const replayed = new Map();

// The state after `count` events; it goes on from where it was, if it can.
function stateAfter(run, count) {
  let state = replayed.get(run);
  if (!state || state.count > count) state = freshState(run);
  while (state.count < count) apply(state, run.events[state.count]);
  replayed.set(run, state);
  const last = count - 1;
  const runs = (part) => part.first <= last && last < part.last;
  state.timers = [];
  state.deletions = [];
  for (const row of run.rows) {
    for (const window of row.windows) if (runs(window)) state.timers.push(window);
    for (const deletion of row.deletions) if (runs(deletion)) state.deletions.push(deletion);
  }
  const fires = (window) => window.fire;
  state.timers.sort((a, b) => fires(a) - fires(b));
  return state;
}

// How many events of the run are over when everything of time `t` is.
function eventsUpTo(run, t) {
  let low = 0;
  let high = run.events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (run.events[middle].t <= t) low = middle + 1;
    else high = middle;
  }
  return low;
}
