use super::*;
use crate::plan::ApiError;
use crate::timeline::fate::{Fate, Reason};
use crate::timeline::fixture::{Story, maintenance, time_of};
use crate::timeline::{CancelReason, Cause};

fn fates(story: &Story) -> Vec<String> {
    let history = story.history();
    let line = |life: &Incarnation| {
        let reason = Reason::of(story.context(), &history, life);
        let fate = Fate::of(&history, life);
        let at = fate.time().map_or(String::new(), |at| format!(" {at}"));
        let name = story.plan.names.pod(life.pod);
        format!("{name} {}{at}: {}", fate.as_str(), reason.phrase(story.context(), &history))
    };
    history.incarnations().iter().map(line).collect()
}

#[test]
fn fates_and_reasons_follow_the_records() {
    let expected = [
        "shop/web-0 evicted 1m10.01s: taint b=x:NoExecute (step 1) is tolerated for 60s",
        "shop/web-1 evicted 10s: taint b=x:NoExecute (step 1) is not tolerated",
        "shop/web-2 survives: its node has no NoExecute taint",
        "shop/web-3 armed 1h0m10s: taint b=x:NoExecute (step 1) is tolerated for 3600s",
    ];
    assert_eq!(fates(&maintenance()), expected);
    let history = maintenance().history();
    assert_eq!(history.delete_attempts(), 3);
    assert_eq!(history.incarnation(Uid(1)).unwrap().delete_attempts, 2);
    assert_eq!(history.rejections().len(), 1);
}

#[test]
fn outcomes_have_a_digest_of_their_own() {
    use sha2::{Digest, Sha256};
    let text = "\
00000000-0000-0000-0000-000000000001 evicted 70010
00000000-0000-0000-0000-000000000002 evicted 10000
00000000-0000-0000-0000-000000000003 survives -
00000000-0000-0000-0000-000000000004 armed 3610000
";
    let expected: String = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(crate::timeline::digest::outcomes(&maintenance().history()), expected);
}

#[test]
fn a_recreated_pod_inherits_the_timer_of_its_name() {
    let mut story = Story::new("inherit");
    let node = story.node("node-0", &["b:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[("b", Some(60))]);
    let (taints, tolerations) =
        (story.taints(&["b:NoExecute"]), story.tolerations(&[("b", Some(60))]));
    let timer = story.schedule(Cause::ROOT, pod, node, "60s", (taints, 0, tolerations, Some(0)));
    story.at("10s");
    story.emit(Cause::ROOT, Some(pod), Some(node), Kind::PodRemoved { uid: Uid(1) });
    let second = story.create(Cause::ROOT, pod, Some(node), tolerations);
    assert_eq!(
        Fate::of(&story.history(), &story.history().incarnations()[1]),
        Fate::Armed(time_of("60s"))
    );
    story.at("60s");
    let started = story.start(timer, pod);
    story.delete(started, pod, 1, Ok(second));
    let history = story.history();
    let lives = history.incarnations_of(pod);
    assert_eq!(Fate::of(&history, lives[0]), Fate::Removed(time_of("10s")));
    assert_eq!(Fate::of(&history, lives[1]), Fate::Evicted(time_of("60s")));
    let arming = history.evicted_by(lives[1]).unwrap();
    assert_eq!(arming.uid(), Uid(1), "armed for the first life");
    assert_eq!(history.instance(lives[1]), (2, 2));
    let expected = "default/p evicted 1m0s: the timer of an earlier pod of this name, which \
                    tolerated taint b:NoExecute (on the node from the start) for 60s";
    assert_eq!(fates(&story)[1], expected);
}

#[test]
fn survivors_have_their_own_reasons() {
    let mut story = Story::new("survivors");
    story.plan.config.taint_manager.delete_retries = 1;
    let node = story.node("node-0", &["b:NoExecute"]);
    let decision =
        |story: &mut Story| (story.taints(&["b:NoExecute"]), 0, story.tolerations(&[]), None);
    story.pod("default/free", None, &[]);
    story.pod("default/ever", Some(node), &[("b", None)]);
    story.pod("default/odd", Some(node), &[("b", Some(5))]);
    let failing = story.pod("default/failing", Some(node), &[]);
    let calm = story.pod("default/calm", Some(node), &[]);
    let decided = decision(&mut story);
    let timer = story.schedule(Cause::ROOT, failing, node, "0s", decided);
    let started = story.start(timer, failing);
    story.delete(started, failing, 1, Err(ApiError::Forbidden));
    story.emit(started, Some(failing), None, Kind::EvictionFailed);
    let decided = decision(&mut story);
    story.schedule(Cause::ROOT, calm, node, "60s", decided);
    story.at("30s");
    let reason = CancelReason::ToleratedForever;
    story.emit(Cause::ROOT, Some(calm), Some(node), Kind::EvictionCancelled { reason });
    let expected = [
        "default/free survives: it has no node",
        "default/ever survives: it tolerates its node's NoExecute taints without limit",
        "default/odd survives: the taint manager holds no timer for it, though its node's taints ask for one",
        "default/failing survives: the deletion failed (Forbidden), and the taint manager forgot the pod",
        "default/calm survives: eviction cancelled at 30s: every NoExecute taint is tolerated without limit now",
    ];
    assert_eq!(fates(&story), expected);
}

#[test]
fn a_restart_loses_timers() {
    let mut story = Story::new("restart");
    let node = story.node("node-0", &["b:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[("b", Some(60))]);
    let decision =
        (story.taints(&["b:NoExecute"]), 0, story.tolerations(&[("b", Some(60))]), Some(0));
    story.schedule(Cause::ROOT, pod, node, "60s", decision);
    story.at("20s");
    story.emit(Cause::ROOT, None, None, Kind::ControllerStopped);
    assert_eq!(
        fates(&story),
        ["default/p survives: its timer was lost with the controller at 20s"]
    );
    assert!(story.history().pending(pod).is_none());
}

#[test]
fn a_second_delete_of_a_terminating_pod_is_no_second_eviction() {
    let mut story = Story::new("twice");
    let node = story.node("node-0", &["b:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[]);
    let decision = (story.taints(&["b:NoExecute"]), 0, story.tolerations(&[]), None);
    for (time, attempt) in [("1s", 1), ("2s", 1)] {
        story.at(time);
        let timer = story.schedule(Cause::ROOT, pod, node, time, decision);
        let started = story.start(timer, pod);
        let deleted = story.delete(started, pod, attempt, Ok(Uid(1)));
        if time == "1s" {
            story.emit(deleted, Some(pod), None, Kind::PodTerminating { uid: Uid(1) });
        }
    }
    let history = story.history();
    let life = history.newest(pod).unwrap();
    assert_eq!(life.evicted_at(), Some(time_of("1s")));
    assert_eq!(life.delete_attempts, 2);
    assert_eq!(life.removed_at(), None);
}

#[test]
fn a_step_is_named_only_for_the_taints_that_it_put_there() {
    let mut story = Story::new("steps");
    let node = story.node("node-0", &["old:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[]);
    let tainted = story.taint("5s", node, &["old:NoExecute", "new:NoExecute"]);
    let taints = story.taints(&["old:NoExecute", "new:NoExecute"]);
    let tolerations = story.tolerations(&[]);
    for taint in [0, 1] {
        story.schedule(tainted, pod, node, "5s", (taints, taint, tolerations, None));
    }
    let history = story.history();
    let origins: Vec<_> = history.armings().iter().map(|a| history.decision(a).origin).collect();
    assert_eq!(origins, [Origin::Start, Origin::Step(0)]);
}

#[test]
fn a_taint_that_is_gone_keeps_its_origin() {
    let mut story = Story::new("late");
    let node = story.node("node-0", &["old:NoExecute"]);
    let pod = story.pod("default/p", Some(node), &[]);
    let tainted = story.taint("5s", node, &["new:NoExecute"]);
    let cleared = story.taint("6s", node, &[]);
    let tolerations = story.tolerations(&[]);
    let lists = [&["old:NoExecute"][..], &["new:NoExecute"], &["never:NoExecute"]];
    for (list, cause) in lists.into_iter().zip([Cause::ROOT, tainted, cleared]) {
        let taints = story.taints(list);
        story.schedule(cause, pod, node, "6s", (taints, 0, tolerations, None));
    }
    let history = story.history();
    let origins: Vec<_> = history.armings().iter().map(|a| history.decision(a).origin).collect();
    assert_eq!(origins, [Origin::Start, Origin::Step(0), Origin::Unknown]);
    assert_eq!(history.taints_before(node), Some(story.taints(&["new:NoExecute"])));
}

#[test]
fn a_survivor_of_taints_that_are_gone_says_what_they_were_to_it() {
    let mut story = Story::new("gone");
    let node = story.node("node-0", &[]);
    let free = story.pod("default/free", None, &[]);
    story.pod("default/ever", Some(node), &[("b", None)]);
    story.pod("default/unseen", Some(node), &[]);
    story.taint("10s", node, &["b:NoExecute"]);
    story.taint("20s", node, &["b:NoSchedule"]);
    story.at("30s");
    let tolerations = story.tolerations(&[]);
    let kind = Kind::PodBound { uid: Uid(1), tolerations };
    story.emit(Cause::ROOT, Some(free), Some(node), kind);
    let late = story.plan.names.intern_pod("default/late");
    story.create(Cause::ROOT, late, Some(node), tolerations);
    let expected = [
        "default/free survives: its node has no NoExecute taint",
        "default/ever survives: it tolerates without limit the NoExecute taints that its node had",
        "default/unseen survives: its node has no NoExecute taint any more",
        "default/late survives: its node has no NoExecute taint",
    ];
    assert_eq!(fates(&story), expected);
}

#[test]
fn a_deletion_that_gives_up_tells_of_every_attempt() {
    let failed = |verb, error| (verb, error);
    let (get, patch, delete) = (Verb::Get, Verb::Patch, Verb::Delete);
    let cases: Vec<(Vec<(Verb, ApiError)>, &str)> = vec![
        (vec![failed(delete, ApiError::Forbidden); 3], "Forbidden: no"),
        (
            vec![failed(delete, ApiError::Forbidden)],
            "Forbidden: no; 2 of 3 attempts failed before their DELETE; --detail controller shows \
             them",
        ),
        (vec![], "all 3 attempts failed before their DELETE; --detail controller shows them"),
        (
            vec![
                failed(get, ApiError::NotFound),
                failed(delete, ApiError::Timeout),
                failed(patch, ApiError::Conflict),
            ],
            "at last PATCH: Conflict: no",
        ),
    ];
    for (calls, expected) in cases {
        let mut story = Story::new("give-up");
        story.plan.config.taint_manager.delete_retries = 3;
        story.plan.faults.push(crate::plan::Fault {
            message: Some("no".into()),
            ..crate::plan::Fault::new(delete, ApiError::Forbidden)
        });
        let node = story.node("node-0", &["b:NoExecute"]);
        let pod = story.pod("default/p", Some(node), &[]);
        let decision = (story.taints(&["b:NoExecute"]), 0, story.tolerations(&[]), None);
        let timer = story.schedule(Cause::ROOT, pod, node, "0s", decision);
        let started = story.start(timer, pod);
        for ((verb, error), attempt) in calls.into_iter().zip(1..) {
            let (outcome, uid) = (Outcome::Failed(error), None);
            let fault = (error != ApiError::NotFound && error != ApiError::Timeout).then_some(0);
            let kind = match verb {
                Verb::Get => Kind::PodFetched { attempt, outcome, fault, uid },
                Verb::Patch => Kind::StatusPatched { attempt, outcome, fault, uid },
                Verb::Delete => Kind::DeleteRequested { attempt, outcome, fault, uid },
                Verb::List | Verb::Create => panic!("a deletion does not {verb:?}"),
            };
            story.emit(started, Some(pod), Some(node), kind);
        }
        story.emit(started, Some(pod), None, Kind::EvictionFailed);
        let expected = format!(
            "default/p survives: the deletion failed ({expected}), and the taint manager forgot \
             the pod"
        );
        assert_eq!(fates(&story), [expected]);
    }
}

#[test]
fn entries_stay_as_small_as_the_header_says() {
    assert_eq!(size_of::<Incarnation>(), 64);
    assert_eq!(size_of::<Arming>(), 48);
    assert_eq!(size_of::<NameEntry>(), 12);
    assert_eq!(size_of::<Link>(), 4);
}
