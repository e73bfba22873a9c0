//! The timed worker queue, generation by generation.

use super::*;
use crate::kernel::EventQueue;
use crate::profile::{NEWEST, Profile};

const POD: PodId = PodId(0);

fn reading(at: u64) -> Reading {
    Reading { at: Time(at), step: at }
}

/// A queue with work for [`POD`], on a timer that has fired, or immediate.
fn with_goroutine(immediate: bool) -> (TimedWorkers, WorkId) {
    let mut queue = TimedWorkers::default();
    queue.reset(2);
    match queue.add(POD, reading(0), Time(10), immediate, Cause::ROOT) {
        AddedWork::Immediate(work) => (queue, work),
        AddedWork::Timed(work) => {
            queue.armed(work, handle());
            queue.fired(work);
            (queue, work)
        }
        AddedWork::Exists => panic!("the key was free"),
    }
}

fn handle() -> Handle {
    EventQueue::new().push_cancellable(Time(1), 0, 0, ())
}

#[test]
fn a_taken_key_takes_no_second_work() {
    // TestExecuteDelayed: each key is added twice, and runs once.
    let (mut queue, _) = with_goroutine(false);
    let again = queue.add(POD, reading(1), Time(99), false, Cause::ROOT);
    assert_eq!(again, AddedWork::Exists);
    assert_eq!(queue.timer_created_at(POD), Some(reading(0)));
}

#[test]
fn a_timer_that_has_not_fired_is_stopped_and_its_key_is_free() {
    // TestCancel, TestCancelAndRead.
    let mut queue = TimedWorkers::default();
    queue.reset(1);
    let AddedWork::Timed(work) = queue.add(POD, reading(0), Time(9), false, Cause::ROOT) else {
        panic!("the key was free");
    };
    let timer = handle();
    queue.armed(work, timer);
    assert_eq!(queue.armed_timers().count(), 1);
    assert_eq!(queue.cancel(POD), Cancelled::Timer(Some(timer)));
    assert_eq!(queue.armed_timers().count(), 0);
    assert_eq!(queue.cancel(POD), Cancelled::Nothing);
    let again = queue.add(POD, reading(1), Time(11), false, Cause::ROOT);
    assert!(matches!(again, AddedWork::Timed(_)));
}

fn switches(minor: u32) -> Switches {
    Profile::of(1, minor).expect("a version that exists").switches()
}

#[test]
fn a_cancelled_timer_that_fired_but_has_not_begun_runs_up_to_1_35() {
    for (minor, runs) in [(35, true), (36, false)] {
        let (mut queue, work) = with_goroutine(false);
        assert_eq!(queue.cancel(POD), Cancelled::Timer(None));
        assert!(queue.has_goroutines());
        assert_eq!(queue.begin(work, &switches(minor)), runs, "1.{minor}");
        assert_eq!(queue.has_goroutines(), runs, "1.{minor}");
    }
}

/// A.3: the key stays taken after a success, and a same-named pod finds it so.
#[test]
fn a_success_leaves_a_marker_up_to_1_32_and_a_failure_none() {
    for (minor, deleted, marker) in
        [(32, true, true), (32, false, false), (33, true, false), (33, false, false)]
    {
        let (mut queue, work) = with_goroutine(false);
        assert!(queue.begin(work, &switches(minor)));
        queue.finish(work, deleted, &switches(minor));
        let again = queue.add(POD, reading(5), Time(15), false, Cause::ROOT);
        assert_eq!(again == AddedWork::Exists, marker, "1.{minor}, deleted: {deleted}");
        assert_eq!(queue.timer_created_at(POD).is_none(), marker);
    }
}

#[test]
fn a_marker_can_be_removed_but_is_no_timer() {
    let (mut queue, work) = with_goroutine(false);
    assert!(queue.begin(work, &switches(32)));
    queue.finish(work, true, &switches(32));
    assert_eq!(queue.cancel(POD), Cancelled::Nothing);
    let again = queue.add(POD, reading(5), Time(15), false, Cause::ROOT);
    assert!(matches!(again, AddedWork::Timed(_)), "the key is free");
}

/// Up to 1.34 a process takes its goroutines with it.
#[test]
fn abandoned_work_waits_to_be_buried() {
    let (mut queue, work) = with_goroutine(false);
    assert!(queue.begin(work, &switches(33)));
    let mut timers = Vec::new();
    queue.abandon_all(&mut timers);
    assert!(timers.is_empty() && !queue.has_goroutines());
    let AddedWork::Timed(next) = queue.add(POD, reading(5), Time(15), false, Cause::ROOT) else {
        panic!("the key was free");
    };
    assert_ne!(next, work, "its place is taken until its last event");
    assert!(queue.is_abandoned(work));
    queue.bury(work);
}

#[test]
fn a_cancelled_function_that_has_begun_runs_on() {
    let (mut queue, work) = with_goroutine(false);
    assert!(queue.begin(work, &NEWEST.switches()));
    assert_eq!(queue.cancel(POD), Cancelled::Timer(None));
    queue.finish(work, true, &NEWEST.switches());
}

#[test]
fn immediate_work_is_a_marker_that_cannot_be_cancelled() {
    let (mut queue, work) = with_goroutine(true);
    assert_eq!(queue.timer_created_at(POD), None);
    let again = queue.add(POD, reading(1), Time(99), false, Cause::ROOT);
    assert_eq!(again, AddedWork::Exists);
    assert_eq!(queue.cancel(POD), Cancelled::Nothing, "no event");
    assert!(queue.begin(work, &NEWEST.switches()), "it runs all the same");
    queue.finish(work, true, &NEWEST.switches());
}

/// TestRunningWorkerCompletionDoesNotRemoveReplacement, both of its cases, and what was before
/// it: the replacement's entry goes, and its timer can neither be seen nor cancelled.
#[test]
fn running_work_that_ends_removes_its_replacement_up_to_1_35() {
    for (immediate, minor) in [(true, 36), (false, 36), (true, 35), (false, 35)] {
        let (mut queue, first) = with_goroutine(immediate);
        assert!(queue.begin(first, &NEWEST.switches()));
        let cancelled = queue.cancel(POD);
        assert_eq!(cancelled == Cancelled::Nothing, immediate, "only a timer is cancelled");
        let AddedWork::Timed(second) = queue.add(POD, reading(5), Time(15), false, Cause::ROOT)
        else {
            panic!("the key was free");
        };
        let timer = handle();
        queue.armed(second, timer);
        queue.finish(first, true, &switches(minor));
        if minor == 36 {
            assert_eq!(queue.timer_created_at(POD), Some(reading(5)));
            assert_eq!(queue.cancel(POD), Cancelled::Timer(Some(timer)));
        } else {
            assert_eq!(queue.timer_created_at(POD), None);
            assert_eq!(queue.cancel(POD), Cancelled::Nothing);
            queue.fired(second);
            assert!(queue.begin(second, &switches(minor)), "the orphan runs");
        }
    }
}

#[test]
fn a_stop_cancels_what_has_not_begun_but_immediate_work() {
    let mut queue = TimedWorkers::default();
    queue.reset(2);
    let AddedWork::Immediate(now) = queue.add(POD, reading(0), Time(0), true, Cause::ROOT) else {
        panic!("the key was free");
    };
    let AddedWork::Timed(later) = queue.add(PodId(1), reading(0), Time(9), false, Cause::ROOT)
    else {
        panic!("the key was free");
    };
    let timer = handle();
    queue.armed(later, timer);
    let mut timers = Vec::new();
    queue.cancel_all(&mut timers);
    assert_eq!(timers, [timer]);
    assert!(queue.has_goroutines());
    assert!(queue.begin(now, &NEWEST.switches()));
    queue.finish(now, true, &NEWEST.switches());
    assert!(!queue.has_goroutines());
}
