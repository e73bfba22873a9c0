//! The end of a run, the order of times, and inputs that are long.

use super::{CLUSTER, HEAD, LoadOptions, load, mistakes, spec, with_cluster};
use crate::kernel::time::{Span, Time};
use crate::plan::When;

fn seconds(seconds: u64) -> When {
    When::At(Time(seconds * 1_000_000_000))
}

fn then(seconds: u64) -> When {
    When::AfterPrevious(Span::from_secs(seconds))
}

#[test]
fn steps_past_the_end_are_told() {
    let unbounded = "comes after the end of the run at 24h0m0s: without `until` a run ends there";
    for (until, steps, expected) in [
        ("", "[{at: 25h, note: x}]", Some(format!("step 1 {unbounded}"))),
        ("", "[{at: 24h, note: x}]", None),
        ("", "[{at: 24h, note: x}, {at: +1ns, note: x}]", Some(format!("step 2 {unbounded}"))),
        ("", "[{at: +25h, note: x}]", Some(format!("step 1 {unbounded}"))),
        ("until: 30h", "[{at: 25h, note: x}]", None),
        ("until: 5s", "[{at: 5s, note: x}, {at: +1s, note: x}]", Some("step 2 comes".into())),
        ("until: 5s", "[{at: 3s, note: x}, {at: +1s, note: x}, {at: +1s, note: x}]", None),
        // What waits comes at 0s at the earliest.
        ("until: 5s", "[{at: 4s, note: x}, {after: {armed: shop/web-0}, note: x}]", None),
        (
            "until: 5s",
            "[{after: {armed: shop/web-0, plus: 6s}, note: x}]",
            Some("step 1 comes after the end of the run at 5s".into()),
        ),
        (
            "until: 5s",
            "[{after: {armed: shop/web-0}, note: x}, {at: +6s, note: x}]",
            Some("step 2 comes".into()),
        ),
        (
            "until: 5s",
            "[{at: 5s, note: x}, {after: {armed: shop/web-0}, note: x}, {at: +1s, note: x}]",
            None,
        ),
    ] {
        let until = if until.is_empty() { String::new() } else { format!("  {until}\n") };
        let notices = with_cluster(&format!("{until}  steps: {steps}\n")).notices;
        assert_eq!(notices.len(), usize::from(expected.is_some()), "{steps}: {notices:?}");
        if let Some(expected) = expected {
            assert!(notices[0].message.contains(&expected), "{steps}: {notices:?}");
        }
    }
    for (step, told) in
        [("25h cordon node-0", 1), ("+25h cordon node-0", 1), ("1h cordon node-0", 0)]
    {
        let extra_steps = vec![step.to_owned()];
        let options = LoadOptions { extra_steps, ..LoadOptions::default() };
        let loaded = load(&format!("{HEAD}{CLUSTER}"), &options);
        assert_eq!(loaded.notices.len(), told, "{step}: {:?}", loaded.notices);
    }
}

#[test]
fn a_span_of_the_first_step_counts_from_the_start() {
    let whens = |steps: &str| -> Vec<When> {
        let loaded = with_cluster(&format!("  steps: {steps}\n"));
        loaded.plan.steps.into_iter().map(|step| step.when).collect()
    };
    assert_eq!(whens("[{at: +1s, note: a}, {at: 2s, note: b}]"), [then(1), seconds(2)]);
    assert_eq!(whens("[{at: +1s, note: a}, {at: 1s, note: b}]"), [then(1), then(0)]);
    assert_eq!(whens("[{at: +0s, note: a}, {at: 0s, note: b}]"), [then(0), then(0)]);
    let mistakes = mistakes("  steps: [{at: +2s, note: a}, {at: 1s, note: b}]\n");
    assert!(mistakes[0].contains("1s is before the step above, which is at 2s"), "{mistakes:?}");
}

/// Nobody knows when a step that waits is applied, nor what follows it.
#[test]
fn what_waits_sets_no_order_of_times() {
    let steps = "  steps:\n  - {at: 10s, note: a}\n  - {after: {armed: shop/web-0}, note: b}\n  \
                 - {at: +5s, note: c}\n  - {at: 12s, note: d}\n  - {at: 12s, note: e}\n";
    let loaded = with_cluster(steps);
    assert_eq!(loaded.plan.steps[3].when, seconds(12));
    assert_eq!(loaded.plan.steps[4].when, seconds(12));
    let mistakes = mistakes(&format!("{CLUSTER}{}", steps.replace("at: 12s", "at: 9s")));
    assert!(mistakes[0].contains("9s is before the step above, which is at 10s"), "{mistakes:?}");
}

/// Each of these would take minutes if an entry cost as much as all that stands above it.
#[test]
fn long_lists_take_time_in_proportion() {
    const COUNT: usize = 50_000;
    let steps: String = (0..COUNT).map(|i| format!("{{at: {i}s, note: x}}, ")).collect();
    assert_eq!(spec(&format!("  until: 48h\n  steps: [{steps}]\n")).plan.steps.len(), COUNT);
    let entries = "{pod: web-1, survives: true}, {selector: app=b, survives: true}, ".repeat(COUNT);
    let pods = "[{name: \"web-{0..9999}\"}, {name: b, labels: {app: b}}]";
    let loaded = spec(&format!("  pods: {pods}\n  expect: [{entries}]\n"));
    assert_eq!(loaded.expectations.len(), 2 * COUNT);
}
