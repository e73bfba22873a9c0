use super::*;
use crate::cluster::EndReason;
use crate::expectation::{Moment, PodCheck, PodState};
use crate::fuzz::examine::EVENTS_MAX;
use crate::kernel::time::Time;
use crate::timeline::fixture::{Story, maintenance, time_of};
use crate::timeline::{Cause, Kind};

fn expectation(check: Check) -> Expectation {
    Expectation {
        check,
        kubernetes_version: None,
        because: None,
        file: "maint.yaml".into(),
        line: 21,
        text: "it".into(),
    }
}

fn evidence_of<'a>(story: &'a Story, history: &'a History, unapplied: &'a [u32]) -> Evidence<'a> {
    let end = story.end();
    let context = story.context();
    Evidence { context, history, steps_not_applied: unapplied, end, breaches: &[] }
}

/// What speaks against the check in this story; empty where it holds.
fn contradiction(story: &Story, check: Check) -> String {
    let history = story.history();
    let evidence = evidence_of(story, &history, &[]);
    let failures = judge(&[expectation(check)], evidence);
    failures.into_iter().flatten().map(|failure| failure.reason).collect()
}

fn of_pod(story: &Story, name: &str, instance: Option<u32>, what: PodCheck) -> Check {
    let pod = story.plan.names.find_pod(name).unwrap();
    Check::Pod { pods: PodTarget::Names(vec![pod]), instance, what }
}

fn at(moment: Moment, times: &[&str], by: Option<&str>) -> PodCheck {
    let times: Vec<Time> = times.iter().map(|time| time_of(time)).collect();
    PodCheck::At { moment, times, by: by.map(Into::into) }
}

#[test]
fn pods_are_judged_by_what_happened() {
    use Moment::{Armed, Cancelled, Evicted, Removed};
    let between = |from: &str, to: &str, by: Option<&str>| PodCheck::EvictedBetween {
        from: time_of(from),
        to: time_of(to),
        by: by.map(Into::into),
    };
    let state = |time: &str, is| PodCheck::StateAt { at: time_of(time), is };
    let cause = "Taint b=x:NoExecute (step 1) matched a toleration of 60s (tolerations[0]).";
    let set = "Its timer was set at 10s for 1m10s.";
    let early = format!("evicted at 1m10.01s, 239990ms early. {cause} {set}");
    let cases: Vec<(&str, PodCheck, String)> = vec![
        ("shop/web-0", at(Evicted, &["70.01s"], None), String::new()),
        // Whole milliseconds, rounded down.
        ("shop/web-0", at(Evicted, &["70.0109s"], Some("b")), String::new()),
        (
            "shop/web-0",
            at(Evicted, &["70.01s"], Some("c")),
            format!("evicted at 1m10.01s, but not by a taint with the key `c`. {cause}"),
        ),
        ("shop/web-0", at(Evicted, &["310s"], None), early.replace("239990ms", "3m59.99s")),
        ("shop/web-0", at(Armed, &["10s"], Some("b")), String::new()),
        ("shop/web-0", at(Removed, &["70.01s"], None), String::new()),
        ("shop/web-0", at(Removed, &["70.01s"], Some("b")), String::new()),
        (
            "shop/web-0",
            at(Removed, &["70.01s"], Some("c")),
            format!("removed at 1m10.01s, but not by a taint with the key `c`. {cause}"),
        ),
        (
            "shop/web-1",
            at(Evicted, &["5s"], None),
            "evicted at 10s, 5s late. Taint b=x:NoExecute (step 1) is not tolerated: the pod has \
             no tolerations."
                .into(),
        ),
        (
            "shop/web-2",
            at(Evicted, &["10s"], None),
            "not evicted: it survives: its node node-1 has no NoExecute taint; a:NoSchedule (on the node from the start) evicts nobody.".into(),
        ),
        (
            "shop/web-3",
            at(Cancelled, &["20s"], None),
            "not cancelled: its timer is pending and fires at 1h0m10s. Taint b=x:NoExecute \
             (step 1) matched a toleration of 3600s (tolerations[0])."
                .into(),
        ),
        (
            "shop/web-0",
            at(Evicted, &["10s", "70.01s"], None),
            format!("evicted 1 time (at 1m10.01s), 2 expected, but not at 10s. In the end: evicted at 1m10.01s. {cause}"),
        ),
        ("shop/web-0", between("70s", "71s", Some("b")), String::new()),
        (
            "shop/web-0",
            between("71s", "80s", None),
            format!("evicted at 1m10.01s, 990ms early. {cause} {set}"),
        ),
        (
            "shop/web-0",
            between("1s", "60.01s", None),
            format!("evicted at 1m10.01s, 10s late. {cause} {set}"),
        ),
        ("shop/web-0", state("9.999s", PodState::Running), String::new()),
        ("shop/web-0", state("10s", PodState::Armed), String::new()),
        ("shop/web-0", state("70s", PodState::Running), String::new()),
        ("shop/web-0", state("70.01s", PodState::Absent), String::new()),
        ("shop/web-3", state("1m", PodState::Running), "Armed at 1m0s: armed at 10s, fires at 1h0m10s. Taint b=x:NoExecute (step 1) matched a \
             toleration of 3600s (tolerations[0])."
                .into()),
        ("shop/web-2", PodCheck::Survives(true), String::new()),
        ("shop/web-0", PodCheck::Survives(false), String::new()),
        (
            "shop/web-2",
            PodCheck::Survives(false),
            "it survives: its node node-1 has no NoExecute taint; a:NoSchedule (on the node from the start) evicts nobody.".into(),
        ),
        (
            "shop/web-3",
            PodCheck::Survives(true),
            "its timer is pending and fires at 1h0m10s. Taint b=x:NoExecute (step 1) matched a \
             toleration of 3600s (tolerations[0])."
                .into(),
        ),
        ("shop/web-0", PodCheck::DeleteAttempts(2), String::new()),
        ("shop/web-0", PodCheck::DeleteAttempts(1), format!("2 DELETE attempts, not 1 (1 too many): evicted at 1m10.01s. {cause}")),
        ("shop/web-2", PodCheck::DeleteAttempts(0), String::new()),
    ];
    let story = maintenance();
    for (name, what, expected) in cases {
        let check = of_pod(&story, name, None, what);
        assert_eq!(contradiction(&story, check.clone()), expected, "{check:?}");
    }
}

/// The taint of a cancellation is that of its timer; a removal by somebody else has none.
#[test]
fn a_taint_is_asked_for_of_whatever_happened() {
    let mut story = Story::new("by");
    let node = story.node("node-0", &["b:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[("b", Some(60))]);
    let taints = story.taints(&["a:NoSchedule", "b:NoExecute"]);
    let tolerations = story.tolerations(&[("b", Some(60))]);
    story.at("1s");
    let armed = (taints, 1, tolerations, Some(0));
    let timer = story.schedule(Cause::ROOT, pod, node, "61s", armed);
    story.at("5s");
    let reason = crate::timeline::CancelReason::NodeUntainted;
    story.emit(timer, Some(pod), Some(node), Kind::EvictionCancelled { reason });
    story.at("9s");
    let removed = Kind::PodRemoved { uid: crate::objects::Uid(1) };
    story.emit(Cause::ROOT, Some(pod), None, removed);
    use Moment::{Armed, Cancelled, Removed};
    let cause = "Taint b:NoExecute (on the node from the start) matched a toleration of 60s \
                 (tolerations[0]).";
    let cases = [
        (at(Armed, &["1s"], Some("b")), String::new()),
        (at(Cancelled, &["5s"], Some("b")), String::new()),
        (
            at(Cancelled, &["5s"], Some("a")),
            format!("cancelled at 5s, but not by a taint with the key `a`. {cause}"),
        ),
        (at(Removed, &["9s"], None), String::new()),
        (
            at(Removed, &["9s"], Some("b")),
            "removed at 9s, but not by a taint with the key `b`: no taint led to it.".into(),
        ),
    ];
    for (what, expected) in cases {
        let check = of_pod(&story, "default/p", None, what);
        assert_eq!(contradiction(&story, check.clone()), expected, "{check:?}");
    }
}

#[test]
fn instances_are_lives_of_the_name() {
    let mut story = Story::new("lives");
    let node = story.node("node-0", &["b:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[]);
    let (taints, tolerations) = (story.taints(&["b:NoExecute"]), story.tolerations(&[]));
    for (number, time) in [(1, "1s"), (2, "2s")] {
        story.at(time);
        let timer = story.schedule(Cause::ROOT, pod, node, time, (taints, 0, tolerations, None));
        let started = story.start(timer, pod);
        let uid = crate::objects::Uid(number);
        let deleted = story.delete(started, pod, 1, Ok(uid));
        story.emit(deleted, Some(pod), None, Kind::PodRemoved { uid });
        story.create(Cause::ROOT, pod, None, tolerations);
    }
    use Moment::Evicted;
    let cases = [
        (None, at(Evicted, &["1s", "2s"], None), ""),
        (Some(1), at(Evicted, &["1s"], None), ""),
        (Some(2), at(Evicted, &["2s"], Some("b")), ""),
        (Some(3), PodCheck::Survives(true), ""),
        (None, PodCheck::Survives(true), ""),
        (None, PodCheck::DeleteAttempts(2), ""),
        (Some(2), PodCheck::DeleteAttempts(1), ""),
        (Some(3), at(Evicted, &["2s"], None), "not evicted: it survives: it has no node."),
        (Some(4), PodCheck::Survives(true), "there is no instance 4: it was created 3 times."),
        (
            None,
            at(Evicted, &["1s"], None),
            "evicted 2 times (at 1s, 2s), 1 expected: pick one with `instance`, or list a time for \
             each.",
        ),
    ];
    for (instance, what, expected) in cases {
        let check = of_pod(&story, "default/p", instance, what);
        assert_eq!(contradiction(&story, check.clone()), expected, "{check:?}");
    }
}

#[test]
fn a_failure_names_the_pods_that_it_is_about() {
    let story = maintenance();
    let all = |what| Check::Pod { pods: PodTarget::all(), instance: None, what };
    let text = contradiction(&story, all(PodCheck::Survives(true)));
    assert!(text.starts_with("fails for 3 of 4 pods:\n  - shop/web-0: evicted at"), "{text}");
    let text = contradiction(&story, all(PodCheck::Survives(false)));
    assert_eq!(
        text,
        "shop/web-2: it survives: its node node-1 has no NoExecute taint; a:NoSchedule (on the node from the start) evicts nobody."
    );
}

#[test]
fn counts_and_branches() {
    let story = maintenance();
    let evictions = |count| Check::Evictions { count, pods: PodTarget::all() };
    assert_eq!(contradiction(&story, evictions(2)), "");
    assert_eq!(
        contradiction(&story, evictions(3)),
        "2 evictions, not 3 (1 too few): shop/web-0 at 1m10.01s, shop/web-1 at 10s."
    );
    assert_eq!(contradiction(&story, Check::StepRejected(2)), "");
    assert_eq!(
        contradiction(&story, Check::StepRejected(1)),
        "step 1 (taint nodes node-0 b=x:NoExecute) was applied, and nothing was rejected."
    );
    let list = ": shop/web-0 at 1m10.01s, shop/web-1 at 10s.";
    let any = |a, b| Check::AnyOf(vec![expectation(evictions(a)), expectation(evictions(b))]);
    assert_eq!(contradiction(&story, any(7, 2)), "");
    assert_eq!(
        contradiction(&story, any(7, 8)),
        format!(
            "none of these holds:\n  - it: 2 evictions, not 7 (5 too few){list}\n  \
             - it: 2 evictions, not 8 (6 too few){list}"
        )
    );
}

#[test]
fn events_are_counted_by_their_message() {
    let mut story = maintenance();
    let pod = story.plan.names.find_pod("shop/web-0");
    for count in [1, 2] {
        let kind = Kind::EventRecorded { reason: EventReason::Marking, count };
        story.emit(Cause::ROOT, pod, None, kind);
    }
    let event = |reason: Option<&str>, message: Option<&str>, count| Check::Event {
        reason: reason.map(Into::into),
        message: message.map(Into::into),
        component: None,
        api_version: None,
        pod: pod.map(|pod| PodTarget::Names(vec![pod])),
        count,
    };
    let cases = [
        (event(None, None, 2), ""),
        (event(Some("TaintManagerEviction"), Some("Marking for"), 2), ""),
        (event(None, Some("Cancelling"), 0), ""),
        (event(Some("Killing"), None, 0), ""),
        (
            event(None, Some("web-0"), 3),
            "2 such events, not 3 (1 too few); the taint manager emitted: 2 of TaintManagerEviction \
             \"Marking for deletion Pod shop/web-0\" from taint-eviction-controller.",
        ),
    ];
    for (check, expected) in cases {
        assert_eq!(contradiction(&story, check.clone()), expected, "{check:?}");
    }
    // What an Event says beside its message depends on the version, here 1.36 and 1.6.
    let from = |component, api_version: Option<&str>, count| Check::Event {
        reason: None,
        message: None,
        component,
        api_version: api_version.map(Into::into),
        pod: None,
        count,
    };
    let old = crate::profile::Profile::of(1, 6).expect("it exists").switches();
    for (switches, newest, oldest) in [(story.plan.config.switches, 2, 0), (old, 0, 2)] {
        story.plan.config.switches = switches;
        let of_newest = from(Some(Component::TaintEvictionController), None, newest);
        let of_oldest = from(Some(Component::ControllerManager), None, oldest);
        for check in [of_newest, of_oldest, from(None, Some("v1"), newest)] {
            assert_eq!(contradiction(&story, check.clone()), "", "{check:?}");
        }
    }
    let check = expectation(Check::AnyOf(vec![expectation(event(None, None, 2))]));
    assert_eq!(needed_detail([&check]), Detail::Controller);
    assert_eq!(needed_detail([&expectation(Check::StepRejected(1))]), Detail::Summary);
}

#[test]
fn steps_must_be_applied_and_accepted() {
    let mut story = maintenance();
    let history = story.history();
    let failures = |story: &Story, expectations: &[Expectation]| -> Vec<String> {
        let evidence = evidence_of(story, &history, &[1]);
        judge_steps(expectations, evidence).iter().map(ToString::to_string).collect()
    };
    let rejected = "step 2 (taint nodes node-1 c-): rejected at 20s: taint \"c\" not found. \
                    If the rejection is what you want to show, give the step \
                    `mayBeRejected: true`.";
    let missed = "step 1 (taint nodes node-0 b=x:NoExecute): never applied: it is due at 10s, and \
                  the run ended at 1m10.01s.";
    assert_eq!(failures(&story, &[]), [rejected, missed]);
    assert_eq!(failures(&story, &[expectation(Check::StepRejected(2))]), [missed]);
    story.plan.steps[1].may_be_rejected = true;
    assert_eq!(failures(&story, &[]), [missed]);
}

#[test]
fn a_failure_reads_as_the_design_shows_it() {
    let failure = Failure {
        place: Some(("maint.yaml".into(), 21)),
        text: "shop/web-0 evictedAt 310s".into(),
        reason: "evicted at 1m10s, 240s early.".into(),
        because: Some("the smaller one wins".into()),
    };
    let expected = "maint.yaml:21 shop/web-0 evictedAt 310s: evicted at 1m10s, 240s early. \
                    Expected because: the smaller one wins";
    assert_eq!(failure.to_string(), expected);
}

#[test]
fn a_state_after_the_cut_is_unknown() {
    let story = maintenance();
    let web_3 = PodCheck::StateAt { at: time_of("10m"), is: PodState::Armed };
    let check = of_pod(&story, "shop/web-3", None, web_3);
    let cases = [
        (EndReason::Idle, None, ""),
        (EndReason::Idle, Some("2m"), ""),
        (
            EndReason::Until,
            Some("2m"),
            "the run ended at 2m0s (`until`); nothing is known of 10m0s.",
        ),
        (EndReason::Until, Some("10m"), ""),
        (EndReason::Limit, None, ""),
    ];
    for (reason, until, expected) in cases {
        let mut story = maintenance();
        story.plan.config.until = until.map(time_of);
        let history = story.history();
        let mut evidence = evidence_of(&story, &history, &[]);
        evidence.end.reason = reason;
        let failures = judge(&[expectation(check.clone())], evidence);
        let reasons: String =
            failures.into_iter().flatten().map(|failure| failure.reason).collect();
        assert_eq!(reasons, expected, "{reason:?} {until:?}");
    }
}

/// What speaks against it where these are the breaches.
fn with_breaches(check: Check, breaches: &[Breach]) -> String {
    let story = maintenance();
    let history = story.history();
    let evidence = Evidence { breaches, ..evidence_of(&story, &history, &[]) };
    let failures = judge(&[expectation(check)], evidence);
    failures.into_iter().flatten().map(|failure| failure.reason).collect()
}

#[test]
fn rules_are_judged_by_what_is_broken() {
    let names = maintenance().plan.names;
    let pod = |name: &str| names.find_pod(name).unwrap();
    let breach = |rule: &'static str, name: Option<&str>, at: &str| Breach {
        rule: rule.into(),
        at: time_of(at),
        pod: name.map(pod),
        text: "it was".into(),
    };
    let (saves, numbers) = ("docs/untaint-saves", "controller/numbers");
    let found = [
        breach(numbers, None, "1s"),
        breach(saves, Some("shop/web-0"), "10s"),
        breach(saves, Some("shop/web-1"), "20s"),
        breach("determinism", None, "0s"),
    ];
    let said = |rule: &str, breached: bool, pods: &[&str]| {
        let pods = pods.iter().map(|name| pod(name)).collect::<Vec<_>>();
        let pods = (!pods.is_empty()).then_some(PodTarget::Names(pods));
        with_breaches(Check::Rule { rule: rule.into(), breached, pods }, &found)
    };
    for (rule, breached, pods) in [
        (saves, true, &[][..]),
        (saves, true, &["shop/web-0"]),
        (saves, true, &["shop/web-0", "shop/web-1"]),
        (saves, false, &["shop/web-2", "shop/web-3"]),
        (numbers, true, &[]),
        ("docs/same-name", false, &[]),
        ("docs/same-name", false, &["shop/web-0"]),
        ("diff/1.32", false, &[]),
    ] {
        assert_eq!(said(rule, breached, pods), "", "{rule} {breached} {pods:?}");
    }
    for (rule, breached, pods, part) in [
        (saves, false, &["shop/web-1"][..], "broken in Kubernetes 1.36 at 20s: it was. The rule ("),
        (
            saves,
            false,
            &[],
            "broken 2 times in Kubernetes 1.36:\n  - at 10s: it was\n  - at 20s: it",
        ),
        (
            saves,
            true,
            &["shop/web-0", "shop/web-2"],
            "not broken for shop/web-2 in Kubernetes 1.36; it",
        ),
        (saves, true, &["shop/web-2"], "it is for shop/web-0, shop/web-1. The rule (kubernetes.io"),
        ("docs/same-name", true, &[], "not broken in Kubernetes 1.36. The rule (kubernetes.io"),
        ("determinism", false, &[], "broken in Kubernetes 1.36: it was. The rule (README"),
        (numbers, false, &[], "broken in Kubernetes 1.36 at 1s: it was. The rule (docs/timeline"),
        ("diff/1.32", true, &[], "not broken in Kubernetes 1.36. The rule ("),
    ] {
        let said = said(rule, breached, pods);
        assert!(said.contains(part), "{rule} {breached} {pods:?}: {said}");
    }
}

/// What was not seen to its end is neither kept nor broken.
#[test]
fn a_run_without_end_keeps_no_rule() {
    let endless = Breach {
        rule: "controller/runs-to-its-end".into(),
        at: Time::ZERO,
        pod: None,
        text: "so many events were not enough".into(),
    };
    for breached in [true, false] {
        let check = Check::Rule { rule: "docs/same-name".into(), breached, pods: None };
        let said = with_breaches(check, std::slice::from_ref(&endless));
        assert!(said.starts_with("nothing is known: the run has no end: so many"), "{said}");
    }
}

/// An examination costs runs: there is one only where a rule is named, in a branch too.
#[test]
fn only_named_rules_are_examined() {
    let rule = |rule: &str| Check::Rule { rule: rule.into(), breached: true, pods: None };
    assert!(Rules::of(&[expectation(Check::StepRejected(1))], EVENTS_MAX).is_empty());
    assert!(!Rules::of(&[expectation(rule("docs/untaint-saves"))], EVENTS_MAX).is_empty());
    let branch = Check::AnyOf(vec![expectation(rule("determinism"))]);
    assert!(!Rules::of(&[expectation(branch)], EVENTS_MAX).is_empty());
}
