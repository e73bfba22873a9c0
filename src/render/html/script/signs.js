// The signs of marks, and which of them a reader takes for granted beside another.

// Each kind of mark: its shape, its colour's class, how it is called, and which stands for others.
const SIGNS = {
  EvictionFailed: [
    "M-5.5,-5.5H5.5V5.5H-5.5Z",
    "bad",
    "gave up deleting",
    "M-2.5,-2.5L2.5,2.5M2.5,-2.5L-2.5,2.5",
  ],
  Evicted: [
    "M-2.7,-6.5H2.7L6.5,-2.7V2.7L2.7,6.5H-2.7L-6.5,2.7V-2.7Z",
    "evict",
    "evicted",
    "M-2.6,-2.6L2.6,2.6M2.6,-2.6L-2.6,2.6",
  ],
  DeleteFailed: ["M0,-6.5L7,5.5H-7Z", "fail", "a DELETE failed", "M0,-2.5V1.8M0,3.2V4.2"],
  StepRejected: [
    "M-4.5,-6H4.5V1.5L0,6.5L-4.5,1.5Z",
    "step hollow",
    "step rejected",
    "M-2.2,-3.6L2.2,0.8M2.2,-3.6L-2.2,0.8",
  ],
  ControllerStopped: ["M-5,-5H5V5H-5Z", "bad", "controller stopped"],
  ControllerStarted: ["M-4,-6L6.5,0L-4,6Z", "good", "controller started"],
  WatchBroken: ["M-7,3L-2.5,-4L2.5,4L7,-3", "line bad", "watch broken"],
  WatchRelisted: [
    "M-7,0H-3M7,0H3M-3,0A3,3 0 1 1 3,0A3,3 0 1 1 -3,0",
    "line good",
    "watch listed again",
  ],
  EvictionCancelled: [
    "M-5.5,0A5.5,5.5 0 1 1 5.5,0A5.5,5.5 0 1 1 -5.5,0",
    "good hollow",
    "timer cancelled",
    "M-3.6,3.6L3.6,-3.6",
  ],
  TaintsChanged: ["M0,-6.5L6.5,0L0,6.5L-6.5,0Z", "taint", "taints changed"],
  EvictionScheduled: ["M-5,-6H5L0.9,0L5,6H-5L-0.9,0Z", "timer", "eviction scheduled"],
  PodTolerationsChanged: [
    "M-5,-5.5H5V0C5,3.5 2.5,5.3 0,6.5C-2.5,5.3 -5,3.5 -5,0Z",
    "step hollow",
    "tolerations changed",
  ],
  PodBound: ["M-1.7,-6.5H1.7V0H5.5L0,6.5L-5.5,0H-1.7Z", "plain", "bound to a node"],
  PodCreated: [
    "M-1.7,-5.5H1.7V-1.7H5.5V1.7H1.7V5.5H-1.7V1.7H-5.5V-1.7H-1.7Z",
    "plain",
    "pod created",
  ],
  NodeCreated: [
    "M-1.7,-5.5H1.7V-1.7H5.5V1.7H1.7V5.5H-1.7V1.7H-5.5V-1.7H-1.7Z",
    "plain",
    "node created",
  ],
  NodeDeleted: ["M-5,-5L5,5M5,-5L-5,5", "line bad", "node deleted"],
  DeleteRequested: [
    "M-2.7,-6.5H2.7L6.5,-2.7V2.7L2.7,6.5H-2.7L-6.5,2.7V-2.7Z",
    "evict hollow",
    "deleted again",
  ],
  PodTerminating: ["M-2,-6A6,6 0 0 1 -2,6Z", "plain", "terminating"],
  PodRemoved: ["M-1.7,-6.5H1.7V6.5H-1.7Z", "plain", "removed"],
  Note: ["M-6,-5.5H6V3H0.5L-3,6.5V3H-6Z", "note", "note"],
  StepApplied: ["M-4.5,-6H4.5V1.5L0,6.5L-4.5,1.5Z", "step", "step"],
  EvictionStarted: ["M-4,-5.5L6,0L-4,5.5Z", "evict hollow", "deletion started"],
};
const ORDER = Object.keys(SIGNS);
// What a reader takes for granted beside another mark of the same moment.
const IMPLIED = {
  Evicted: ["EvictionStarted", "EvictionScheduled", "PodTerminating", "PodRemoved"],
  EvictionScheduled: [],
  TaintsChanged: ["StepApplied"],
  PodCreated: ["StepApplied", "PodBound"],
  PodTolerationsChanged: ["StepApplied"],
  PodBound: ["StepApplied"],
  ControllerStopped: ["StepApplied"],
  WatchBroken: ["StepApplied"],
  NodeDeleted: ["StepApplied"],
  NodeCreated: ["StepApplied"],
  PodRemoved: ["StepApplied", "PodTerminating"],
  PodTerminating: ["StepApplied"],
};

function sign(word) {
  const [shape, name, , cut] = SIGNS[word] || ["M-4,-4H4V4H-4Z", "plain", word];
  const node = draw("g", { class: `sign ${name}` }, draw("path", { d: shape, class: "shape" }));
  if (cut) node.append(draw("path", { d: cut, class: "cut" }));
  return node;
}
