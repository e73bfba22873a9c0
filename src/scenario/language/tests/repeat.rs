//! `repeat`.

use super::{CLUSTER, check_mistake, spec, with_cluster};
use crate::kernel::time::Time;
use crate::plan::{Step, When};

/// The steps of a list of entries: number, when in seconds, and the first action.
fn steps(entries: &str) -> Vec<String> {
    let loaded = with_cluster(&format!("  steps:\n{entries}"));
    loaded.plan.steps.iter().map(shown).collect()
}

fn shown(step: &Step) -> String {
    let seconds = |nanos: u64| nanos / 1_000_000_000;
    let when = match &step.when {
        When::At(Time(nanos)) => format!("at {}", seconds(*nanos)),
        When::AfterPrevious(span) => format!("+{}", seconds(span.0)),
        When::After { plus, .. } => format!("after, plus {}", seconds(plus.0)),
    };
    format!("{}: {when} {}", step.number, step.actions[0].text)
}

#[test]
fn turns_have_times_and_other_steps_come_between() {
    let entries = "  - at: 10s\n    repeat: {every: 1m, times: 2, steps: [{note: a}, {at: +20s, note: b}]}\n  \
                   - {at: 40s, note: x}\n  - {at: 70s, note: y}\n";
    let expected =
        ["1: at 10 a", "1: at 30 b", "2: at 40 x", "3: at 70 y", "1: at 70 a", "1: at 90 b"];
    assert_eq!(steps(entries), expected);
}

#[test]
fn the_turns_of_a_relative_step_are_a_chain() {
    let entries = "  - {at: 10s, note: x}\n  - at: +5s\n    \
                   repeat: {every: 1m, times: 2, steps: [{at: +1s, note: a}, {at: +20s, note: b}]}\n  \
                   - {at: +3s, note: y}\n";
    // 16 s, 36 s, 76 s, 96 s, 99 s.
    let expected = ["1: at 10 x", "2: +6 a", "2: +20 b", "2: +40 a", "2: +20 b", "3: +3 y"];
    assert_eq!(steps(entries), expected);
    // What stands below comes after the chain.
    let late = |at: &str| format!("{entries}  - {{at: {at}, note: z}}\n");
    assert_eq!(steps(&late("99s")).last().map(String::as_str), Some("4: +0 z"));
    let text = format!("{CLUSTER}  steps:\n{}", late("98s"));
    check_mistake(&text, "1m38s is before the step above, which is at 1m39s");
}

#[test]
fn a_time_with_a_follower_begins_a_chain() {
    let entries = "  - at: 10s\n    repeat: {every: 1m, times: 2, steps: [{at: +5s, note: a}]}\n  \
                   - {at: +3s, note: y}\n";
    assert_eq!(steps(entries), ["1: at 15 a", "1: +60 a", "2: +3 y"]);
}

#[test]
fn turns_wait_for_what_the_step_waits_for() {
    let entries = "  - after: {evicted: shop/web-0, plus: 2s}\n    \
                   repeat: {every: 1m, times: 2, steps: [{at: +1s, note: a}, {note: b}]}\n";
    assert_eq!(steps(entries), ["1: after, plus 3 a", "1: +0 b", "1: +60 a", "1: +0 b"]);
}

#[test]
fn bursts_reasons_and_rejections_are_those_of_the_turn() {
    let text = "  steps:\n  - at: 1s\n    mayBeRejected: true\n    because: all\n    \
                repeat:\n      every: 1s\n      times: 2\n      steps:\n      \
                - {burst: [{note: a}, {note: b}]}\n      - {note: c, because: own}\n";
    let loaded = spec(text);
    let shown: Vec<_> = loaded.plan.steps.iter().map(|s| (s.burst, s.because.as_deref())).collect();
    let turn = [(true, Some("all")), (false, Some("own"))];
    assert_eq!(shown, [turn, turn].concat());
    assert!(loaded.plan.steps.iter().all(|step| step.may_be_rejected));
}

#[test]
fn what_cannot_be_repeated_is_refused() {
    for (step, expected) in [
        ("{at: 1s, repeat: ~}", "`repeat` has no argument | write `repeat: {every: 1m, times: 5,"),
        ("{at: 1s, repeat: 5}", "| write {every: 1m, times: 5, steps: [{kubectl: cordon node-0}]}"),
        ("{at: 1s, repeat: {times: 2, steps: [{note: x}]}}", "`every` | write `every: 1m`"),
        ("{at: 1s, repeat: {every: 1s, times: 2, steps: []}}", "there is nothing to repeat"),
        (
            "{at: 1s, repeat: {every: 1s, times: 10001, steps: [{note: x}]}}",
            "times is between 1 and 10000",
        ),
        (
            "{at: 1s, repeat: {every: 1s, times: 5001, steps: [{note: x}, {note: y}]}}",
            "5001 times 2 steps are more than 10000 | write 5000 or less",
        ),
        (
            "{at: 1s, repeat: {every: 1s, times: 2, steps: [{note: x}, {at: +2s, note: y}]}}",
            "comes 2s after its beginning, and the next turn after 1s | write 2s or more",
        ),
        (
            "{at: 1s, repeat: {every: 9s, times: 2, steps: [{note: x}, {at: 2s, note: y}]}}",
            "has no time of its own | write `at: +2s`",
        ),
        (
            "{at: 1s, note: y, repeat: {every: 1s, times: 2, steps: [{note: x}]}}",
            "`note` stands beside `repeat`",
        ),
        (
            "{at: 1s, burst: [{note: y}], repeat: {every: 1s, times: 2, steps: [{note: x}]}}",
            "`burst` stands beside `repeat`",
        ),
        (
            "{at: 1s, repeat: {every: 1s, times: 2, steps: [{repeat: {}}]}}",
            "`repeat` in a repeated step | move it into a step of its own",
        ),
        ("{at: 1s, burst: [{repeat: {}}]}", "`repeat` in an entry of a burst | move it into"),
    ] {
        check_mistake(&format!("{CLUSTER}  steps: [{step}]\n"), expected);
    }
}
