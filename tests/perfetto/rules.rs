//! The rules of the Trace Event Format that importers hold against a file, read from the bytes
//! alone: what an event of each phase needs, that all is named, that slices nest, that arrows start
//! and end inside slices.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A slice of a trace, with what its end adds.
pub struct Slice {
    pub name: String,
    pub begin: u64,
    pub end: u64,
    pub args: Value,
    pub end_args: Value,
}

/// What a trace shows.
#[derive(Default)]
pub struct Shown {
    pub slices: Vec<Slice>,
    /// Cause and effect, by the numbers of their records.
    pub arrows: BTreeSet<(u64, u64)>,
    pub counters: BTreeMap<String, Vec<u64>>,
    pub threads: BTreeSet<String>,
    pub processes: BTreeSet<String>,
}

type Thread = (u64, u64);

/// Deeper slices are dropped.
const DEPTH_MAX: usize = 512;

/// Reads a trace; panics with the rule that it breaks.
pub fn check(bytes: &[u8]) -> Shown {
    let document: Value = serde_json::from_slice(bytes).unwrap();
    let events = document["traceEvents"].as_array().unwrap();
    let mut shown = Shown::default();
    let mut named: BTreeMap<(&str, u64, u64), &Value> = BTreeMap::new();
    let mut timed: Vec<(u64, &Value)> = Vec::new();
    for event in events {
        let phase = event["ph"].as_str().unwrap();
        let pid = number(event, "pid");
        assert!(pid > 0, "process 0 is the idle one: {event}");
        if phase == "M" {
            let what = event["name"].as_str().unwrap();
            let tid = match what {
                "process_name" | "process_sort_index" => 0,
                "thread_name" | "thread_sort_index" => number(event, "tid"),
                _ => panic!("metadata of no known name: {event}"),
            };
            let value = match what.ends_with("_name") {
                true => &event["args"]["name"],
                false => &event["args"]["sort_index"],
            };
            assert!(
                value.is_u64() || value.as_str().is_some_and(|name| !name.is_empty()),
                "{event}"
            );
            assert!(named.insert((what, pid, tid), value).is_none(), "named twice: {event}");
            assert_ne!(tid, pid, "a thread that passes for its process: {event}");
            continue;
        }
        assert!(named.contains_key(&("process_name", pid, 0)), "process without a name: {event}");
        assert!(named.contains_key(&("process_sort_index", pid, 0)), "no order: {event}");
        if phase != "C" {
            let tid = number(event, "tid");
            assert!(named.contains_key(&("thread_name", pid, tid)), "no name: {event}");
            assert!(named.contains_key(&("thread_sort_index", pid, tid)), "no order: {event}");
        }
        timed.push((nanos(&event["ts"]), event));
    }
    let of = |what: &str| {
        let named = named.iter().filter(move |((w, ..), _)| *w == what);
        named.map(|(_, name)| name.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    shown.processes = of("process_name").into_iter().collect();
    assert_eq!(shown.processes.len(), of("process_name").len(), "two processes of one name");
    shown.threads = of("thread_name").into_iter().collect();
    // As importers do: by time, else as in the file.
    timed.sort_by_key(|(at, _)| *at);
    run(&timed, &mut shown);
    shown
}

/// Goes through the events in the order of time.
fn run(timed: &[(u64, &Value)], shown: &mut Shown) {
    let mut open: BTreeMap<Thread, Vec<(u64, &Value)>> = BTreeMap::new();
    let mut arrows: BTreeMap<u64, (u64, bool)> = BTreeMap::new();
    for (at, event) in timed {
        let pid = number(event, "pid");
        if event["ph"] == "C" {
            let values = shown.counters.entry(text(event, "name")).or_default();
            for value in event["args"].as_object().unwrap().values() {
                values.push(value.as_u64().unwrap());
            }
            continue;
        }
        let stack = open.entry((pid, number(event, "tid"))).or_default();
        match event["ph"].as_str().unwrap() {
            "B" => {
                assert!(!text(event, "name").is_empty(), "a slice without a name: {event}");
                assert!(event["args"].is_object(), "{event}");
                if let Some(own) = event["args"]["atNs"].as_u64() {
                    assert_eq!(own, *at, "a record at another time: {event}");
                }
                stack.push((*at, event));
                assert!(stack.len() < DEPTH_MAX, "too deep: {event}");
            }
            "E" => {
                let (begin, slice) = stack.pop().unwrap_or_else(|| panic!("never begun: {event}"));
                shown.slices.push(Slice {
                    name: text(slice, "name"),
                    begin,
                    end: *at,
                    args: slice["args"].clone(),
                    end_args: event["args"].clone(),
                });
            }
            phase @ ("s" | "f") => {
                assert_eq!((&event["cat"], &event["name"]), (&"cause".into(), &"cause".into()));
                let id = number(event, "id");
                let (_, slice) = stack.last().unwrap_or_else(|| panic!("in no slice: {event}"));
                let seq = slice["args"]["seq"].as_u64();
                let seq = seq.unwrap_or_else(|| panic!("at no record: {event}"));
                if phase == "s" {
                    assert!(arrows.insert(id, (seq, false)).is_none(), "not unique: {event}");
                } else {
                    assert_eq!(event["bp"], "e", "{event}");
                    let known = arrows.get_mut(&id).unwrap_or_else(|| panic!("no start: {event}"));
                    assert!(!std::mem::replace(&mut known.1, true), "ends twice: {event}");
                    assert_eq!(seq, id, "at another record: {event}");
                    assert_eq!(slice["args"]["cause"], known.0, "from another cause: {event}");
                    shown.arrows.insert((known.0, seq));
                }
            }
            _ => panic!("an event of another phase: {event}"),
        }
    }
    for (thread, stack) in open {
        assert!(stack.is_empty(), "never ended on {thread:?}: {}", stack[0].1);
    }
    for (id, (_, has_end)) in arrows {
        assert!(has_end, "arrow {id} ends nowhere");
    }
}

fn number(event: &Value, key: &str) -> u64 {
    event[key].as_u64().unwrap_or_else(|| panic!("no {key}: {event}"))
}

fn text(event: &Value, key: &str) -> String {
    event[key].as_str().unwrap_or_else(|| panic!("no {key}: {event}")).to_owned()
}

/// Microseconds with decimals; exact up to a hundred days.
fn nanos(value: &Value) -> u64 {
    let micros = value.as_f64().unwrap_or_else(|| panic!("no time: {value}"));
    assert!((0.0..8.6e12).contains(&micros), "{micros}");
    (micros * 1_000.0).round() as u64
}
