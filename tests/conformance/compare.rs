//! Whether two outcomes are the same, by the rules of `data/README.md`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::outcome::{Line, LineKind};

/// After a restart the new process waits so long for its caches.
const CACHE_SYNC_MS: u64 = 100;

/// Whether the outcomes are the same. `restarts` are the times of the controller's restarts.
pub fn equal(expected: &[Line], got: &[Line], restarts: &[u64]) -> bool {
    canonical(expected, restarts) == canonical(got, restarts)
}

/// The lines of both sides by time: ` ` on both, `-` expected only, `+` got only.
pub fn diff(expected: &[Line], got: &[Line], restarts: &[u64]) -> String {
    let (expected, got) = (canonical(expected, restarts), canonical(got, restarts));
    let mut counts: BTreeMap<&Line, (usize, usize)> = BTreeMap::new();
    for line in &expected {
        counts.entry(line).or_default().0 += 1;
    }
    for line in &got {
        counts.entry(line).or_default().1 += 1;
    }
    let mut text = String::new();
    for (line, (expected, got)) in counts {
        let both = expected.min(got);
        for (mark, count) in [(' ', both), ('-', expected - both), ('+', got - both)] {
            for _ in 0..count {
                writeln!(text, "{mark} {line}").expect("a String takes all");
            }
        }
    }
    text
}

/// The form in which the same outcomes are equal: without the lines that do not count, and in an
/// order of its own inside each millisecond.
///
/// What is left of the order is only whether a pod's cancel Event came before its mark, and a
/// cancel Event after the mark does not count. So all cancel Events that are left came first, and
/// sorting loses nothing.
fn canonical(lines: &[Line], restarts: &[u64]) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_trailing = || {
            let same = |other: &&Line| other.ms == line.ms && other.object == line.object;
            kept.iter().filter(same).any(Line::is_mark)
        };
        if line.is_cancel() && (shares_a_reading(line.ms, restarts) || is_trailing()) {
            continue;
        }
        kept.push(line.clone());
    }
    kept.sort();
    kept
}

/// Times at which two processing steps of the recordings read the same virtual clock.
fn shares_a_reading(ms: u64, restarts: &[u64]) -> bool {
    ms == 0 || restarts.iter().any(|restart| ms == *restart || ms == restart + CACHE_SYNC_MS)
}

fn event(ms: u64, pod: &str, text: &str) -> Line {
    let message = match text {
        "mark" => format!("Marking for deletion Pod {pod}"),
        "cancel" => format!("Cancelling deletion of Pod {pod}"),
        other => panic!("no event {other}"),
    };
    Line { ms, object: pod.into(), kind: LineKind::Event, detail: message, uid: None }
}

fn delete(ms: u64, pod: &str, detail: &str, uid: Option<u32>) -> Line {
    Line { ms, object: pod.into(), kind: LineKind::DeletePod, detail: detail.into(), uid }
}

#[test]
fn what_counts_makes_a_difference() {
    let base = || vec![event(5, "ns/p", "mark"), delete(5, "ns/p", "ok", Some(1))];
    let different: [(&str, Vec<Line>); 8] = [
        ("a line less", vec![event(5, "ns/p", "mark")]),
        ("nothing", vec![]),
        ("a line more", [base(), vec![delete(5, "ns/p", "ok", Some(1))]].concat()),
        ("another millisecond", vec![event(5, "ns/p", "mark"), delete(6, "ns/p", "ok", Some(1))]),
        ("another pod", vec![event(5, "ns/p", "mark"), delete(5, "ns/q", "ok", Some(1))]),
        ("another uid", vec![event(5, "ns/p", "mark"), delete(5, "ns/p", "ok", Some(2))]),
        ("another result", vec![event(5, "ns/p", "mark"), delete(5, "ns/p", "Conflict", None)]),
        ("a cancel before", [vec![event(4, "ns/p", "cancel")], base()].concat()),
    ];
    for (what, got) in different {
        assert!(!equal(&base(), &got, &[]), "{what} was not seen");
        assert!(!equal(&got, &base(), &[]), "{what} was not seen from the other side");
        assert!(diff(&base(), &got, &[]).lines().any(|line| !line.starts_with(' ')), "{what}");
    }
    assert!(equal(&base(), &base(), &[]));
}

#[test]
fn order_inside_a_millisecond_is_free() {
    let (mark, gone) = (event(5, "ns/p", "mark"), delete(5, "ns/p", "ok", Some(1)));
    let other = event(5, "ns/q", "mark");
    let one = [mark.clone(), gone.clone(), other.clone()];
    assert!(equal(&one, &[other, gone, mark], &[]));
}

#[test]
fn a_cancel_before_the_mark_counts_and_one_after_it_does_not() {
    let (cancel, mark) = (event(5, "ns/p", "cancel"), event(5, "ns/p", "mark"));
    let alone = [mark.clone()];
    let before = [cancel.clone(), mark.clone()];
    let after = [mark.clone(), cancel.clone()];
    assert!(!equal(&before, &after, &[]));
    assert!(!equal(&before, &alone, &[]));
    assert!(equal(&after, &alone, &[]) && equal(&alone, &after, &[]));
    assert!(!equal(&[cancel.clone(), mark.clone(), cancel.clone()], &alone, &[]));
    assert!(equal(&[cancel.clone(), mark.clone(), cancel.clone()], &before, &[]));

    // The mark of another pod, or of another millisecond, makes no cancel optional.
    for mark in [event(5, "ns/q", "mark"), event(4, "ns/p", "mark")] {
        assert!(!equal(&[mark.clone(), cancel.clone()], &[mark], &[]));
    }
}

#[test]
fn cancels_count_but_at_the_start_and_at_restarts() {
    for (ms, counts) in [
        (0, false),
        (1, true),
        (6_000, false),
        (6_001, true),
        (6_099, true),
        (6_100, false),
        (6_101, true),
    ] {
        let got = [event(ms, "ns/p", "cancel")];
        assert_eq!(!equal(&[], &got, &[6_000]), counts, "cancel at {ms} ms");
        assert_eq!(!equal(&got, &[], &[6_000]), counts, "cancel at {ms} ms");
    }
    assert!(!equal(&[], &[event(6_000, "ns/p", "cancel")], &[]), "without a restart it counts");
    assert!(!equal(&[], &[event(0, "ns/p", "mark")], &[]), "only cancels are left out at 0");
}
