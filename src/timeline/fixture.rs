//! Hand-made timelines for the tests of what reads timelines.

use super::history::History;
use super::{Cause, Context, Detail, Kind, Outcome, Record, Recorder, Sink};
use crate::cluster::{End, EndReason};
use crate::kernel::time::{Span, Time};
use crate::objects::{
    Effect, NodeId, Operator, PodId, Taint, TaintsId, Toleration, TolerationsId, Uid,
};
use crate::plan::{Action, ApiError, NodeSpec, Plan, PodSpec, Step, StepAction, When};

/// A timeline in the making.
pub(crate) struct Story {
    pub(crate) plan: Plan,
    pub(crate) records: Vec<Record>,
    recorder: Recorder,
    created: u32,
}

impl Story {
    pub(crate) fn new(name: &str) -> Story {
        let plan = Plan { name: name.into(), ..Plan::default() };
        let recorder = Recorder::new(Detail::Trace);
        Story { plan, records: Vec::new(), recorder, created: 0 }
    }

    pub(crate) fn at(&mut self, time: &str) {
        self.recorder.advance(time_of(time));
    }

    pub(crate) fn taints(&mut self, list: &[&str]) -> TaintsId {
        let taint = |text: &&str| {
            let (rest, effect) = text.split_once(':').unwrap();
            let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
            Taint::new(key, value, Effect::parse(effect))
        };
        let list: Vec<Taint> = list.iter().map(taint).collect();
        self.plan.lists.intern_taints(&list)
    }

    /// Tolerations of NoExecute taints: key, seconds.
    pub(crate) fn tolerations(&mut self, list: &[(&str, Option<i64>)]) -> TolerationsId {
        let toleration = |(key, seconds): &(&str, Option<i64>)| Toleration {
            key: (*key).into(),
            operator: Operator::Exists,
            value: "".into(),
            effect: Some(Effect::NoExecute),
            toleration_seconds: *seconds,
        };
        let list: Vec<Toleration> = list.iter().map(toleration).collect();
        self.plan.lists.intern_tolerations(&list)
    }

    pub(crate) fn node(&mut self, name: &str, taints: &[&str]) -> NodeId {
        let node = self.plan.names.intern_node(name);
        let taints = self.taints(taints);
        self.plan.nodes.push(NodeSpec { taints, ..NodeSpec::new(node) });
        self.emit(Cause::ROOT, None, Some(node), Kind::NodeCreated { taints });
        node
    }

    pub(crate) fn pod(
        &mut self,
        name: &str,
        node: Option<NodeId>,
        tolerations: &[(&str, Option<i64>)],
    ) -> PodId {
        let pod = self.plan.names.intern_pod(name);
        let tolerations = self.tolerations(tolerations);
        self.plan.pods.push(PodSpec { tolerations, ..PodSpec::new(pod, node) });
        self.create(Cause::ROOT, pod, node, tolerations);
        pod
    }

    pub(crate) fn create(
        &mut self,
        cause: Cause,
        pod: PodId,
        node: Option<NodeId>,
        tolerations: TolerationsId,
    ) -> Uid {
        self.created += 1;
        let uid = Uid(self.created);
        let kind = Kind::PodCreated { uid, tolerations, manifest_uid: None };
        self.emit(cause, Some(pod), node, kind);
        uid
    }

    /// Adds a step to the plan; its index.
    pub(crate) fn plan_step(&mut self, at: &str, text: &str) -> u32 {
        let number = u32::try_from(self.plan.steps.len()).unwrap() + 1;
        let action = Action::Note("unused".into());
        // Only a note's own text is read from its action.
        let action = match text.strip_prefix("note ") {
            Some(note) => Action::Note(note.into()),
            None => match action {
                Action::Note(_) => Action::CreateNodes(Vec::new()),
                other => other,
            },
        };
        self.plan.steps.push(Step {
            number,
            when: When::At(time_of(at)),
            actions: vec![StepAction { action, text: text.into(), kubectl: true }],
            burst: false,
            may_be_rejected: false,
            because: None,
        });
        number - 1
    }

    /// A step that taints a node.
    pub(crate) fn taint(&mut self, at: &str, node: NodeId, taints: &[&str]) -> Cause {
        let text = format!("taint nodes {} {}", self.plan.names.node(node), taints.join(" "));
        let step = self.plan_step(at, &text);
        self.at(at);
        let kind = Kind::StepApplied { step, action: 0 };
        let cause = self.emit(Cause::ROOT, None, Some(node), kind);
        let taints = self.taints(taints);
        self.emit(cause, None, Some(node), Kind::NodeTaintsChanged { taints })
    }

    pub(crate) fn schedule(
        &mut self,
        cause: Cause,
        pod: PodId,
        node: NodeId,
        fire_at: &str,
        decision: (TaintsId, u32, TolerationsId, Option<u32>),
    ) -> Cause {
        let (taints, taint, tolerations, toleration) = decision;
        let list = self.plan.lists.tolerations(tolerations);
        let seconds = toleration.and_then(|index| list[index as usize].toleration_seconds);
        let kind = Kind::EvictionScheduled {
            fire_at: time_of(fire_at),
            created_at: self.now(),
            seconds,
            taints,
            taint,
            tolerations,
            toleration,
        };
        self.emit(cause, Some(pod), Some(node), kind)
    }

    pub(crate) fn start(&mut self, cause: Cause, pod: PodId) -> Cause {
        self.emit(cause, Some(pod), None, Kind::EvictionStarted)
    }

    pub(crate) fn delete(
        &mut self,
        cause: Cause,
        pod: PodId,
        attempt: u32,
        result: Result<Uid, ApiError>,
    ) -> Cause {
        let (outcome, uid) = match result {
            Ok(uid) => (Outcome::Ok, Some(uid)),
            Err(error) => (Outcome::Failed(error), None),
        };
        let kind = Kind::DeleteRequested { attempt, outcome, fault: None, uid };
        self.emit(cause, Some(pod), None, kind)
    }

    pub(crate) fn emit(
        &mut self,
        cause: Cause,
        pod: Option<PodId>,
        node: Option<NodeId>,
        kind: Kind,
    ) -> Cause {
        let cause = self.recorder.emit(cause, pod, node, kind);
        self.records.extend(self.recorder.drain());
        cause
    }

    pub(crate) fn now(&self) -> Time {
        self.records.last().map_or(Time::ZERO, |record| record.at)
    }

    pub(crate) fn context(&self) -> Context<'_> {
        Context { plan: &self.plan, lists: &self.plan.lists }
    }

    pub(crate) fn history(&self) -> History {
        let mut history = History::new();
        for record in &self.records {
            history.record(self.context(), record);
        }
        history
    }

    pub(crate) fn end(&self) -> End {
        End { at: self.now(), reason: EndReason::Idle }
    }
}

pub(crate) fn time_of(text: &str) -> Time {
    Time(Span::parse(text).unwrap().0)
}

/// Two nodes. `b=x:NoExecute` comes to node-0 at 10 s: shop/web-0 tolerates it for 60 s and goes in
/// the second attempt, shop/web-1 does not tolerate it, shop/web-2 is on node-1; shop/web-3
/// tolerates it for an hour and is still armed at the end; a second step is rejected at 20 s.
pub(crate) fn maintenance() -> Story {
    let mut story = Story::new("maintenance");
    let node_0 = story.node("node-0", &[]);
    let node_1 = story.node("node-1", &["a:NoSchedule"]);
    let minute = [("b", Some(60))];
    let web_0 = story.pod("shop/web-0", Some(node_0), &minute);
    let web_1 = story.pod("shop/web-1", Some(node_0), &[]);
    story.pod("shop/web-2", Some(node_1), &[("b", None)]);
    let web_3 = story.pod("shop/web-3", Some(node_0), &[("b", Some(3600))]);
    let tainted = story.taint("10s", node_0, &["b=x:NoExecute"]);
    let taints = story.taints(&["b=x:NoExecute"]);
    let [one_minute, none, one_hour] =
        [&minute[..], &[], &[("b", Some(3600))]].map(|list| story.tolerations(list));
    let timer = story.schedule(tainted, web_0, node_0, "70s", (taints, 0, one_minute, Some(0)));
    let now = story.schedule(tainted, web_1, node_0, "10s", (taints, 0, none, None));
    story.schedule(tainted, web_3, node_0, "3610s", (taints, 0, one_hour, Some(0)));
    let started = story.start(now, web_1);
    let deleted = story.delete(started, web_1, 1, Ok(Uid(2)));
    story.emit(deleted, Some(web_1), Some(node_0), Kind::PodRemoved { uid: Uid(2) });
    let step = story.plan_step("20s", "taint nodes node-1 c-");
    story.at("20s");
    let error = "taint \"c\" not found".into();
    let kind = Kind::StepRejected { step, action: 0, error };
    story.emit(Cause::ROOT, None, Some(node_1), kind);
    story.at("70s");
    let started = story.start(timer, web_0);
    story.delete(started, web_0, 1, Err(ApiError::InternalError));
    story.at("70.01s");
    let deleted = story.delete(started, web_0, 2, Ok(Uid(1)));
    story.emit(deleted, Some(web_0), Some(node_0), Kind::PodRemoved { uid: Uid(1) });
    story
}
